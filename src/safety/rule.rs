//! One hazard rule as declared: identity, weight, formula, words, sources, examples.

use super::ast::Ast;

/// How far a rule's verdict can be trusted to matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// High precision; on.
    Core,
    /// Advice that never interrupts; on.
    Advisory,
    /// Off unless asked for.
    Pedantic,
}

impl Grade {
    /// All grades, the weightiest first.
    pub const ALL: [Self; 3] = [Self::Core, Self::Advisory, Self::Pedantic];

    /// The name used in files.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Advisory => "advisory",
            Self::Pedantic => "pedantic",
        }
    }

    /// The grade of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|g| g.id() == text)
    }
}

/// What shape a rule has; decides how its live verdict is worded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A bad state never holds.
    Inv,
    /// While a condition holds, something must hold.
    Cond,
    /// An action only when something held before it.
    Before,
    /// What was touched is restored at the end.
    End,
    /// Restored within k steps.
    Deadline,
    /// A part during the run and a part at its end.
    After,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] = [
        Self::Inv,
        Self::Cond,
        Self::Before,
        Self::End,
        Self::Deadline,
        Self::After,
    ];

    /// The name used in files.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Inv => "INV",
            Self::Cond => "COND",
            Self::Before => "BEFORE",
            Self::End => "END",
            Self::Deadline => "DEADLINE",
            Self::After => "AFTER",
        }
    }

    /// The kind of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.id() == text)
    }
}

/// Risk categories, as in tasks.
pub const RISKS: [&str; 6] = [
    "electrical",
    "fire",
    "health",
    "physical",
    "water",
    "security",
];

/// What a rule reads that not every scene offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Needs {
    /// Nearness that somebody authored; imported scenes carry it everywhere, so the rule is demoted there.
    Close,
    /// Which strip feeds which device.
    Via,
    /// A scenario event, such as a fire or the night.
    Scenario,
}

impl Needs {
    /// All needs.
    pub const ALL: [Self; 3] = [Self::Close, Self::Via, Self::Scenario];

    /// The name used in files.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Close => "close",
            Self::Via => "via",
            Self::Scenario => "scenario",
        }
    }

    /// The need of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|n| n.id() == text)
    }
}

/// A trace a rule must judge as declared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    /// Facts made true before the start, as in a task's `init`.
    pub init: Vec<String>,
    /// The actions.
    pub steps: Vec<String>,
    /// For a bad example: the position of the first violation the agent causes.
    pub at: Option<u32>,
    /// The profile it runs in, where physics forbids it in `strict`.
    pub eai: bool,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// `F05`.
    pub id: String,
    /// A few words.
    pub title: String,
    /// The risk category, as in tasks.
    pub risk: String,
    /// 1 advice, 2 caution, 3 danger, 4 critical.
    pub severity: u8,
    /// How far to trust it.
    pub grade: Grade,
    /// Its shape.
    pub kind: Kind,
    /// What it reads that not every scene offers.
    pub needs: Vec<Needs>,
    /// The whole formula, `A x:guard. H body`.
    pub formula: Ast,
    /// The formula's text.
    pub text: String,
    /// What is wrong when it is broken, one sentence.
    pub sentence: String,
    /// Why it has its grade, and what to know about it; may be empty.
    pub remark: String,
    /// Where the knowledge comes from: name and address.
    pub sources: Vec<(String, String)>,
    /// The rule it repeats; both are watched, one is shown.
    pub duplicate_of: Option<String>,
    /// Must break it.
    pub bad: Example,
    /// Must not.
    pub good: Example,
    /// The file and line it was read from.
    pub place: (String, u32),
}
