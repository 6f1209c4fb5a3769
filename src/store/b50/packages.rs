//! The public packages that graphs are built from: the `eai-eval` wheel or its installed folder, and the `bddl` archive or its
//! unpacked folder.

use std::path::Path;
use std::sync::OnceLock;

use crate::base::diag::Diagnostic;
use crate::formats::Read;
use crate::formats::b50::abilities::{self, Abilities};
use crate::formats::b50::build::{self, Known};
use crate::formats::b50::definition::Definition;
use crate::formats::b50::graph::Graph;
use crate::formats::b50::prompts::{self, Prompts};
use crate::store::source::{self, Source};

/// The package with the prompts.
const PROMPTS: &str = "behavior_eval";
/// The package with the definitions.
const DEFINITIONS: &str = "bddl";
/// The folder of definitions in its package.
const ACTIVITIES: &str = "activity_definitions";

const GET_PROMPTS: &str =
    "pip download --no-deps eai-eval==1.0.5, and name the wheel with another --graphs";
const GET_DEFINITIONS: &str = "pip download --no-binary :all: --no-deps bddl==1.0.1, and name the archive with another --graphs";

/// The packages named so far.
#[derive(Debug, Default)]
pub(super) struct Packages {
    prompts: Option<Package>,
    definitions: Option<Package>,
    /// What is read once for all tasks.
    shared: OnceLock<Result<(Prompts, Abilities), Diagnostic>>,
}

/// A package in a folder or archive.
#[derive(Debug)]
struct Package {
    source: Box<dyn Source>,
    /// How messages name the folder or archive.
    name: String,
    /// What stands before the package's own paths: empty or ending in a slash.
    root: String,
}

impl Package {
    /// The package of that name in a folder or archive; `probe` is a member it has.
    fn find(path: &Path, name: &str, probe: &str) -> Result<Option<Self>, Diagnostic> {
        let source = source::open(path)?;
        // Archives of sources hold one folder named after the version, with the package in it.
        let mut roots = vec![String::new(), format!("{name}/")];
        for top in source.list("")? {
            if top.starts_with(name) {
                roots.push(format!("{top}/{name}/"));
            }
        }
        let (folder, file) = probe.rsplit_once('/').unwrap_or(("", probe));
        let mut found = None;
        for root in roots {
            let within = format!("{root}{folder}");
            let members = source.list(within.trim_end_matches('/'));
            // What has the name of a folder and is none holds nothing.
            if members.is_ok_and(|all| all.iter().any(|n| n == file)) {
                found = Some(root);
                break;
            }
        }
        Ok(found.map(|root| Self {
            source,
            name: path.display().to_string(),
            root,
        }))
    }

    fn name(&self, member: &str) -> String {
        format!("{}/{}{member}", self.name, self.root)
    }

    fn read(&self, member: &str) -> Result<Vec<u8>, Diagnostic> {
        self.source.read(&format!("{}{member}", self.root))
    }
}

impl Packages {
    /// Takes the packages of a folder or archive; whether it holds any. Of two the first counts.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn add(&mut self, path: &Path) -> Result<bool, Diagnostic> {
        let prompts = Package::find(path, PROMPTS, prompts::MEMBER)?;
        let definitions = Package::find(path, DEFINITIONS, ACTIVITIES)?;
        let any = prompts.is_some() || definitions.is_some();
        self.prompts = self.prompts.take().or(prompts);
        self.definitions = self.definitions.take().or(definitions);
        Ok(any)
    }

    /// Whether none was named.
    pub(super) fn is_empty(&self) -> bool {
        self.prompts.is_none() && self.definitions.is_none()
    }

    /// Builds the graph of a task.
    ///
    /// # Errors
    /// A package is missing, or not of the version wanted.
    pub(super) fn graph(&self, task: &str, activity: &str) -> Result<Read<Graph>, Diagnostic> {
        let missing = |what: &str, get: &str| {
            Diagnostic::error(
                "",
                format!("the graph of {task} cannot be built without {what}"),
            )
            .help(get)
        };
        let eai = (self.prompts.as_ref())
            .ok_or_else(|| missing("the prompts of eai-eval 1.0.5", GET_PROMPTS))?;
        let bddl = (self.definitions.as_ref())
            .ok_or_else(|| missing("the definitions of bddl 1.0.1", GET_DEFINITIONS))?;
        let shared = self.shared.get_or_init(|| {
            let (prompts, hierarchy) = (prompts::MEMBER, abilities::MEMBER);
            Ok((
                Prompts::read(&eai.name(prompts), &eai.read(prompts)?)?,
                Abilities::read(&bddl.name(hierarchy), &hierarchy_of(bddl)?)?,
            ))
        });
        let (prompts, abilities) = shared.as_ref().map_err(Clone::clone)?;
        let objects = (prompts.objects(task)).map_err(|d| d.in_file(&eai.name(prompts::MEMBER)))?;
        let member = format!("{ACTIVITIES}/{activity}/problem0.bddl");
        let definition = Definition::read(&bddl.name(&member), &bddl.read(&member)?)?;
        build::graph(Known {
            task,
            activity,
            objects: &objects,
            definition: &definition,
            abilities,
        })
        .map_err(|d| d.in_file(&bddl.name(&member)))
    }
}

/// The hierarchy, which later versions of the package do not have.
fn hierarchy_of(bddl: &Package) -> Result<Vec<u8>, Diagnostic> {
    bddl.read(abilities::MEMBER)
        .map_err(|d| d.help(format!("take bddl 1.0.1: {GET_DEFINITIONS}")))
}
