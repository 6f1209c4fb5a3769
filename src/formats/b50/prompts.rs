//! The prompts of the `eai-eval` package. The scenes of the fifty tasks are not shipped; what each object is called there is
//! told by the prompt of its task alone, in a list that runs in the order of the definition.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::base::diag::Diagnostic;
use crate::formats::json;

/// Where the prompts are in the package.
pub const MEMBER: &str = "evaluation/action_sequencing/resources/prompts/helm_prompts.json";

/// What stands before the task in a prompt; an example stands before that.
const TASK: &str = "Your task:";
/// What stands before the list.
const OBJECTS: &str = "interactable objects:";

/// The prompts by task.
#[derive(Debug)]
pub struct Prompts(BTreeMap<String, String>);

/// An object of a task as its prompt lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name in the scene, such as `fridge_97`.
    pub name: String,
    /// Its type in the definition, such as `electric_refrigerator.n.01`.
    pub category: String,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "a prompt: an object with identifier and llm_prompt")]
struct Raw {
    identifier: String,
    llm_prompt: String,
}

impl Prompts {
    /// Reads the file; `name` is its name, for messages.
    ///
    /// # Errors
    /// It is no list of prompts.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, Diagnostic> {
        let bytes = json::without_mark(bytes);
        let raw: Vec<Raw> =
            serde_json::from_slice(bytes).map_err(|e| json::explain(bytes, &e).in_file(name))?;
        let prompts = raw.into_iter().map(|r| (r.identifier, r.llm_prompt));
        Ok(Self(prompts.collect()))
    }

    /// The objects of a task.
    ///
    /// # Errors
    /// The task has no prompt, or the prompt no list.
    pub fn objects(&self, task: &str) -> Result<Vec<Listed>, Diagnostic> {
        let prompt = self.0.get(task).ok_or_else(|| {
            Diagnostic::error(task, "there is no prompt of this task")
                .help("tasks beyond those of eai-eval 1.0.5 need a graph of their own")
        })?;
        let own = prompt.rsplit_once(TASK).map_or(&**prompt, |(_, own)| own);
        let list = own.split_once(OBJECTS).map_or("", |(_, list)| list);
        let lines = list.lines().map(str::trim).filter(|l| l.starts_with('{'));
        let objects: Option<Vec<Listed>> = lines.map(listed).collect();
        objects.filter(|o| !o.is_empty()).ok_or_else(|| {
            Diagnostic::error(task, "the prompt has no list of interactable objects")
                .help("download eai-eval 1.0.5 again")
        })
    }
}

/// An object from its line, `{'name': 'rag_0', 'category': 'rag.n.01'}`.
fn listed(line: &str) -> Option<Listed> {
    let mut quoted = line.split('\'').skip(1).step_by(2);
    let mut field =
        |key: &str| (quoted.next()? == key).then(|| quoted.next().map(str::to_owned))?;
    Some(Listed {
        name: field("name")?,
        category: field("category")?,
    })
}
