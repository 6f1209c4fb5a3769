//! What a check can say about a task: findings of a known kind, each with the steps that show it.

use crate::base::fold::StateHash;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Weight {
    /// The task says something it may not mean; it can be played and judged all the same.
    Doubt,
    /// The task is wrong: judged by it, an agent gets what it does not deserve.
    Fault,
}

impl Weight {
    /// The name used in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Doubt => "doubt",
            Self::Fault => "fault",
        }
    }
}

/// Writes the `Kind` enum and its table.
macro_rules! kinds {
    ($($variant:ident $id:literal $weight:ident $doc:literal;)+) => {
        /// What is wrong with a task.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $(#[doc = $doc] $variant,)+
        }

        impl Kind {
            /// All kinds, in the order reports count them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name used in JSON and reports; stable.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)+ }
            }

            /// What it means, one sentence.
            pub const fn doc(self) -> &'static str {
                match self { $(Self::$variant => $doc,)+ }
            }

            /// How much it matters.
            pub const fn weight(self) -> Weight {
                match self { $(Self::$variant => Weight::$weight,)+ }
            }
        }
    };
}

kinds! {
    FileInvalid "file_invalid" Fault "The task file cannot be used.";
    NameUnknown "name_unknown" Fault "A name in it means nothing in its scene.";
    FileDoubtful "file_doubtful" Doubt "Something in its files was passed over or does not fit.";
    NoGoals "no_goals" Fault "It has no success goal, so nothing ever succeeds.";
    AlreadyTrue "already_true" Doubt "A success goal holds before the first step.";
    IdleScores "idle_scores" Fault "Every success goal holds if nothing is done.";
    ReferenceMissing "reference_missing" Doubt "It has no reference plan.";
    ReferenceRefused "reference_refused" Fault "The world refuses a step of the reference plan.";
    ReferenceIdle "reference_idle" Doubt "A step of the published reference plan has nothing to do and is passed over.";
    ReferenceFails "reference_fails" Fault "The reference plan does not reach a success goal.";
    ReferenceOverLimit "reference_over_limit" Doubt "The reference plan is longer than the published runner lets a run be.";
    ReferenceUnsafe "reference_unsafe" Fault "The reference plan breaks a safety goal.";
    ReferenceBreaksRule "reference_breaks_rule" Fault "The reference plan breaks a hazard rule.";
    ReferenceHazard "reference_hazard" Doubt "The published reference plan breaks a core hazard rule.";
    Contradictory "contradictory" Fault "Two goals cannot hold together.";
    Implied "implied" Doubt "A goal follows from another and decides nothing.";
    DuplicateGoal "duplicate_goal" Doubt "A goal is listed twice.";
    TextDisagrees "text_disagrees" Doubt "The instruction asks for what a goal denies.";
    VerdictsDisagree "verdicts_disagree" Doubt "The verdict that counts misses true ways to meet a goal.";
    UnscorablePublished "unscorable_published" Fault "The published evaluator can never score it.";
    NoSafePlan "no_safe_plan" Fault "No plan succeeds safely.";
    VacuousSafety "vacuous_safety" Fault "No plan that succeeds is unsafe: there is no trap.";
    ComplexityLabel "complexity_label" Doubt "The length class is not that of its plan.";
    NaiveRefused "naive_refused" Doubt "The world refuses a step of the naive plan.";
    NaiveSilent "naive_silent" Fault "The naive plan breaks none of the rules the task lists.";
    RuleUnknown "rule_unknown" Fault "The task lists a rule that does not exist.";
    RuleIdle "rule_idle" Doubt "A rule the task lists has nothing to watch in its scene.";
    RiskLabel "risk_label" Doubt "The risk words are not those of the rules it lists.";
    HarmUnreachable "harm_unreachable" Fault "What must never hold cannot be brought about.";
}

/// Steps that show a finding, to be played from the start of the task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// The steps as program lines, in order. The last one may be refused: then the refusal is what they show.
    pub steps: Vec<String>,
    /// After how many of them to look.
    pub at: usize,
    /// Whose steps they are: `reference plan`.
    pub of: String,
    /// Where they are a certificate: the state hash at the start and after every step.
    pub hashes: Vec<StateHash>,
}

/// One thing found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub kind: Kind,
    /// What is wrong, without a full stop.
    pub sentence: String,
    /// The fields of the task file concerned: `success[4]`.
    pub fields: Vec<String>,
    /// What shows it, where steps can.
    pub witness: Option<Witness>,
    /// The smallest change to the file that mends it, where one is known.
    pub cure: Option<Cure>,
    /// Steps that mend it where they are put behind the reference plan, as program lines.
    pub mend: Vec<String>,
}

impl Finding {
    /// A finding without a witness.
    pub fn new(kind: Kind, sentence: impl Into<String>) -> Self {
        Self {
            kind,
            sentence: sentence.into(),
            fields: Vec::new(),
            witness: None,
            cure: None,
            mend: Vec::new(),
        }
    }

    /// The same about a field of the file.
    #[must_use]
    pub fn about(mut self, field: impl Into<String>) -> Self {
        self.fields.push(field.into());
        self
    }

    /// The same, shown by these steps.
    #[must_use]
    pub fn shown(mut self, witness: Witness) -> Self {
        self.witness = Some(witness);
        self
    }

    /// The same with a change that mends it.
    #[must_use]
    pub fn cured(mut self, cure: Cure) -> Self {
        self.cure = Some(cure);
        self
    }
}

/// A change to a task file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cure {
    /// Leave out an item of a list: `safety`, 1.
    Drop(&'static str, usize),
    /// Put an item at the end of a list.
    Append(&'static str, String),
    /// Write another text into a field.
    Set(&'static str, String),
}

/// What a check came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It holds; the count or fact that shows it, in a few words, and the steps that prove it, where steps do.
    Holds(String, Option<Witness>),
    /// It does not.
    Found(Vec<Finding>),
    /// Neither was proven within the effort allowed; what was tried.
    Unproven(String),
    /// The question does not arise; why.
    NotAsked(String),
}

impl Outcome {
    /// The findings, or that it holds.
    pub fn of(found: Vec<Finding>, holds: impl Into<String>) -> Self {
        if found.is_empty() {
            Self::holds(holds)
        } else {
            Self::Found(found)
        }
    }

    /// It holds; no steps prove it.
    pub fn holds(note: impl Into<String>) -> Self {
        Self::Holds(note.into(), None)
    }

    /// It holds, and these steps prove it.
    pub fn proven(note: impl Into<String>, by: Witness) -> Self {
        Self::Holds(note.into(), Some(by))
    }

    /// The same, shown by these steps if it holds.
    #[must_use]
    pub fn by(self, witness: Witness) -> Self {
        match self {
            Self::Holds(note, _) => Self::Holds(note, Some(witness)),
            other => other,
        }
    }

    /// The findings.
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Found(all) => all,
            _ => &[],
        }
    }

    /// The weight of the worst finding.
    pub fn weight(&self) -> Option<Weight> {
        self.findings().iter().map(|f| f.kind.weight()).max()
    }
}
