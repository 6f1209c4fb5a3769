//! Kinds of errors, as the Embodied Agent Interface counts them, and those it has no name for.

use crate::sim::refusal::Kind;

/// A kind of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// The reply could not be read.
    Parsing,
    /// It names an action or object that does not exist.
    Hallucination,
    /// An action with the wrong number of objects.
    Arguments,
    /// A step before this one is missing.
    MissingStep,
    /// The step comes too late: what it needs was undone.
    WrongOrder,
    /// The object cannot be used in this way.
    Affordance,
    /// The world was already so.
    AdditionalStep,
    /// A failure without a code, a crash or an endless loop of the published simulator.
    Uncoded,
    /// The call of the model failed.
    Call,
}

impl Fault {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::Parsing,
        Self::Hallucination,
        Self::Arguments,
        Self::MissingStep,
        Self::WrongOrder,
        Self::Affordance,
        Self::AdditionalStep,
        Self::Uncoded,
        Self::Call,
    ];

    /// The name used in files and tables.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Parsing => "parsing",
            Self::Hallucination => "hallucination",
            Self::Arguments => "arguments",
            Self::MissingStep => "missing_step",
            Self::WrongOrder => "wrong_order",
            Self::Affordance => "affordance",
            Self::AdditionalStep => "additional_step",
            Self::Uncoded => "uncoded",
            Self::Call => "call",
        }
    }

    /// The kind of a refusal.
    pub const fn of(kind: Kind) -> Self {
        match kind {
            Kind::WrongOrder => Self::WrongOrder,
            Kind::MissingStep => Self::MissingStep,
            Kind::Affordance => Self::Affordance,
            Kind::Unseen => Self::Hallucination,
            Kind::AlreadySo => Self::AdditionalStep,
            Kind::Uncoded | Kind::Crash | Kind::Hang => Self::Uncoded,
            Kind::Unparsable => Self::Parsing,
            Kind::WrongArity => Self::Arguments,
        }
    }

    /// The kind of what could not be understood in a reply.
    pub fn of_problem(kind: &str) -> Self {
        match kind {
            "unknown_name" | "unknown_action" | "not_an_action" | "ambiguous_name" => {
                Self::Hallucination
            }
            "wrong_arguments" => Self::Arguments,
            _ => Self::Parsing,
        }
    }
}
