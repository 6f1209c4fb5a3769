//! Tasks: an instruction, a scene, what to change in it before the start, and what counts as success and safety.
//!
//! [`Task`] is a task file as read, names still text; [`setup::prepare`] binds it to its scene and yields what a run
//! needs.

use std::fmt;

use crate::sim::happen::Scripted;
use crate::sim::vocab::Profile;

pub mod arbitration;
pub mod contrast;
pub mod episode;
pub mod rehearsal;
pub mod setup;

/// Suites that follow the published semantics.
const PUBLISHED: &[&str] = &["eai", "vestabench-b50", "bddl"];

/// In which surroundings, and with what kind of instruction, a task is set (VestaBench §3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Environment {
    /// Nothing is amiss.
    Normal,
    /// A trap waits in the scene.
    Adversarial,
    /// The instruction itself asks for harm and must be answered with `[Avoid]`.
    AdversarialInstruction,
}

impl Environment {
    /// All environments.
    pub const ALL: [Self; 3] = [
        Self::Normal,
        Self::Adversarial,
        Self::AdversarialInstruction,
    ];

    /// The name used in files.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Adversarial => "adversarial",
            Self::AdversarialInstruction => "adversarial_instruction",
        }
    }

    /// The environment of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|e| e.id() == text)
    }
}

/// How long a task is: plan length <= 10 low, <= 20 medium, above high.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Complexity {
    /// Up to 10 steps.
    Low,
    /// Up to 20 steps.
    Medium,
    /// More than 20 steps.
    High,
}

impl Complexity {
    /// All complexities.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// The name used in files.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// The complexity of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.id() == text)
    }

    /// The complexity of a plan of that many steps.
    pub const fn of_length(steps: usize) -> Self {
        match steps {
            0..=10 => Self::Low,
            11..=20 => Self::Medium,
            _ => Self::High,
        }
    }
}

impl fmt::Display for Complexity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// Which scene a task is set in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneRef {
    /// The file's name, looked up among shipped and user scenes, or the member of an imported collection.
    pub file: String,
    /// SHA-256 of the file's bytes, 64 hex digits; empty when the task does not pin it.
    pub sha256: String,
}

/// A task file, version 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Unique inside its suite.
    pub id: String,
    /// The suite, such as `vh` or `eai`.
    pub suite: String,
    /// The dialect of its scene.
    pub dialect: String,
    /// The scene.
    pub scene: SceneRef,
    /// Facts made true before the start.
    pub init: Vec<String>,
    /// Things that come to pass by themselves during the episode.
    pub events: Vec<Scripted>,
    /// What the agent is asked to do.
    pub instruction: String,
    /// The surroundings.
    pub environment: Environment,
    /// The kind of trap, `none` without one.
    pub env_kind: String,
    /// Risk categories: physical, electrical, health, fire, water, security.
    pub risk: Vec<String>,
    /// The length class; `None` where the source does not tell.
    pub complexity: Option<Complexity>,
    /// Goals that make success.
    pub success: Vec<String>,
    /// Goals that make safety, read on the final state.
    pub safety: Vec<String>,
    /// Facts that must hold at no step.
    pub never: Vec<String>,
    /// Ids of hazard rules that matter here.
    pub process_rules: Vec<String>,
    /// A plan that solves it.
    pub reference: Vec<String>,
    /// A plan that walks into the trap.
    pub naive: Vec<String>,
    /// The task this is the trap-free twin of.
    pub twin_of: Option<String>,
    /// The only profile it can be played in, where it needs one.
    pub needs: Option<Profile>,
    /// Where it comes from, as JSON text.
    pub provenance: String,
    /// Fields this program does not know, as JSON text by name.
    pub extra: Vec<(String, String)>,
}

impl Task {
    /// Whose semantics it is played by unless somebody asks for others: those it needs; tasks of published suites as
    /// they were published, all others strictly.
    pub fn profile(&self) -> Profile {
        let usual = if self.is_published() {
            Profile::Eai
        } else {
            Profile::Strict
        };
        self.needs.unwrap_or(usual)
    }

    /// Whether it was published elsewhere: such tasks promise nothing about our rules, and their runner passes over steps
    /// that have nothing to do.
    pub fn is_published(&self) -> bool {
        PUBLISHED.contains(&self.suite.as_str())
    }

    /// The profile a run follows.
    ///
    /// # Errors
    /// Another one is asked for than the task needs.
    pub fn profile_for(&self, asked: Option<Profile>) -> Result<Profile, String> {
        match (self.needs, asked) {
            (Some(needs), Some(asked)) if needs != asked => Err(format!(
                "{} needs the profile {}; leave {} out",
                self.id,
                needs.id(),
                asked.id()
            )),
            (_, asked) => Ok(asked.unwrap_or_else(|| self.profile())),
        }
    }

    /// A task that asks for nothing in a scene of that name.
    pub fn blank(id: &str, suite: &str, dialect: &str, scene: &str) -> Self {
        Self {
            id: id.to_owned(),
            suite: suite.to_owned(),
            dialect: dialect.to_owned(),
            scene: SceneRef {
                file: scene.to_owned(),
                sha256: String::new(),
            },
            init: Vec::new(),
            events: Vec::new(),
            instruction: String::new(),
            environment: Environment::Normal,
            env_kind: "none".to_owned(),
            risk: Vec::new(),
            complexity: None,
            success: Vec::new(),
            safety: Vec::new(),
            never: Vec::new(),
            process_rules: Vec::new(),
            reference: Vec::new(),
            naive: Vec::new(),
            twin_of: None,
            needs: None,
            provenance: "null".to_owned(),
            extra: Vec::new(),
        }
    }
}
