//! The words of the language: one row each. Parser, completion, help and evaluation read these tables.

/// A word that stands for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Flag {
    /// The instruction was answered as it should be.
    Success,
    /// All safety goals hold and no core rule was broken.
    Safe,
    /// The player called it done.
    Done,
    /// The player refused the instruction.
    Avoided,
    /// It stopped without either.
    Stopped,
    /// It has not ended.
    Open,
    /// A dangerous instruction was not refused.
    Obeyed,
    /// Somebody stepped in.
    Watched,
    /// It was forked from another run.
    Forked,
    /// A person played.
    Human,
    /// It cannot be read, or only in part.
    Damaged,
    /// Record and world differ.
    Drifted,
}

/// Something that happens at steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Call {
    /// A rule was broken.
    Violates,
    /// A rule stood armed: one act within reach breaks it.
    Armed,
    /// Something had to be made good in time.
    Pending,
    /// What was broken or pending was made good.
    Discharged,
    /// An attempt was refused.
    Refused,
    /// A goal became true.
    Goal,
    /// A goal was true and was lost.
    Lost,
    /// A goal was true.
    Holds,
    /// An action was done.
    Did,
    /// A fact was true in the world.
    State,
    /// A note speaks of the step.
    Note,
}

/// A fact of the whole run that has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is told in its row of the table below")]
pub enum Field {
    Run,
    Task,
    Suite,
    Instruction,
    Dialect,
    Profile,
    Agent,
    Model,
    Strategy,
    Risk,
    Env,
    Trap,
    Complexity,
    Outcome,
    Ended,
    Error,
    Rule,
    Label,
    Tag,
    Verdict,
    Comment,
    Created,
    Steps,
    RefusedCount,
    Violations,
    Trials,
    Events,
    Tokens,
    TokensIn,
    TokensOut,
    Cost,
    Seconds,
    FirstBad,
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Words.
    Text,
    /// A number.
    Number,
    /// A date or its beginning: `2026-11`.
    Date,
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// See [`Flag`].
    Flag(Flag),
    /// See [`Call`].
    Call(Call),
    /// See [`Field`].
    Field(Field, Type),
}

/// One word of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// As it is written.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
    /// What it means, in a few words.
    pub doc: &'static str,
}

const fn flag(name: &'static str, flag: Flag, doc: &'static str) -> Word {
    Word {
        name,
        kind: Kind::Flag(flag),
        doc,
    }
}

const fn call(name: &'static str, call: Call, doc: &'static str) -> Word {
    Word {
        name,
        kind: Kind::Call(call),
        doc,
    }
}

const fn text(name: &'static str, field: Field, doc: &'static str) -> Word {
    Word {
        name,
        kind: Kind::Field(field, Type::Text),
        doc,
    }
}

const fn number(name: &'static str, field: Field, doc: &'static str) -> Word {
    Word {
        name,
        kind: Kind::Field(field, Type::Number),
        doc,
    }
}

/// Every word, in the order help lists them. The first row of a meaning is the one that is printed.
pub const WORDS: &[Word] = &[
    flag(
        "success",
        Flag::Success,
        "the instruction was answered as it should be",
    ),
    flag(
        "safe",
        Flag::Safe,
        "all safety goals hold, no core rule was broken",
    ),
    flag("done", Flag::Done, "the player called it done"),
    flag(
        "avoided",
        Flag::Avoided,
        "the player refused the instruction",
    ),
    flag("stopped", Flag::Stopped, "it stopped without either"),
    flag("open", Flag::Open, "it has not ended"),
    flag(
        "obeyed",
        Flag::Obeyed,
        "a dangerous instruction was not refused",
    ),
    flag("watched", Flag::Watched, "somebody stepped in"),
    flag("forked", Flag::Forked, "it goes on from another run"),
    flag("human", Flag::Human, "a person played"),
    flag(
        "damaged",
        Flag::Damaged,
        "it cannot be read, or only in part",
    ),
    flag("drifted", Flag::Drifted, "record and world differ"),
    call(
        "violates",
        Call::Violates,
        "a rule was broken: violates(F05), (core), (advisory), (!3)",
    ),
    call(
        "armed",
        Call::Armed,
        "one act within reach would break the rule",
    ),
    call(
        "pending",
        Call::Pending,
        "something must still be made good",
    ),
    call(
        "discharged",
        Call::Discharged,
        "what was broken or pending was made good",
    ),
    call(
        "refused",
        Call::Refused,
        "an attempt was refused: refused(M), refused(wrong_order)",
    ),
    call("goal", Call::Goal, "a goal became true"),
    call("lost", Call::Lost, "a goal that was true was lost"),
    call("holds", Call::Holds, "a goal was true"),
    call(
        "did",
        Call::Did,
        "an action was done: did(\"switchon microwave\")",
    ),
    call(
        "state",
        Call::State,
        "a fact was true: state(\"microwave ON\")",
    ),
    call("note", Call::Note, "a note speaks of the step"),
    text("run", Field::Run, "the run's id"),
    text("task", Field::Task, "the task's id"),
    text("suite", Field::Suite, "the task's suite"),
    text("instruction", Field::Instruction, "what was asked"),
    text("dialect", Field::Dialect, "virtualhome or behavior"),
    text("profile", Field::Profile, "strict or eai"),
    text("agent", Field::Agent, "what kind of player"),
    text("model", Field::Model, "the model, where one played"),
    text("strategy", Field::Strategy, "how the model was led"),
    text("risk", Field::Risk, "a risk of the task"),
    text(
        "env",
        Field::Env,
        "normal, adversarial, adversarial_instruction",
    ),
    text("trap", Field::Trap, "the kind of trap"),
    text("complexity", Field::Complexity, "low, medium, high"),
    text(
        "outcome",
        Field::Outcome,
        "success, failure, avoided, obeyed …",
    ),
    text("ended", Field::Ended, "done, avoided, open, or the cause"),
    text("error", Field::Error, "a kind of error it made"),
    text("rule", Field::Rule, "a rule it broke"),
    text("label", Field::Label, "a label it was given"),
    text("tag", Field::Tag, "a tag it was given"),
    text("verdict", Field::Verdict, "accept, fix, reject"),
    text("comment", Field::Comment, "a remark about it"),
    Word {
        name: "created",
        kind: Kind::Field(Field::Created, Type::Date),
        doc: "when it was begun, UTC: created > 2026-11-01",
    },
    number("steps", Field::Steps, "steps that were done"),
    number(
        "refusals",
        Field::RefusedCount,
        "attempts that were refused",
    ),
    number("violations", Field::Violations, "core rules it broke"),
    number("trials", Field::Trials, "trials begun"),
    number("events", Field::Events, "events recorded"),
    number("tokens", Field::Tokens, "tokens read and written"),
    number("tokens_in", Field::TokensIn, "tokens read"),
    number("tokens_out", Field::TokensOut, "tokens written"),
    number("cost", Field::Cost, "US dollars"),
    number("seconds", Field::Seconds, "seconds spent in calls"),
    number("first_bad", Field::FirstBad, "the first bad step"),
    // Other ways to say the same.
    call("violated", Call::Violates, "the same as violates"),
    call("breaks", Call::Violates, "the same as violates"),
    text("environment", Field::Env, "the same as env"),
    text("id", Field::Run, "the same as run"),
];

/// The words that join others.
pub const KEYWORDS: &[(&str, &str)] = &[
    ("and", "both"),
    ("or", "either"),
    ("not", "the opposite"),
    ("before", "earlier than a step or an event"),
    ("after", "later than a step or an event"),
    ("within", "within 3 of …: so many steps around it"),
    ("at", "at a step, or together with an event"),
];

/// The word of that name, in any case.
pub fn find(name: &str) -> Option<&'static Word> {
    WORDS
        .iter()
        .find(|word| word.name.eq_ignore_ascii_case(name))
}

/// Whether it joins others.
pub fn is_keyword(name: &str) -> bool {
    let mut all = KEYWORDS.iter();
    all.any(|(word, _)| word.eq_ignore_ascii_case(name)) || name.eq_ignore_ascii_case("of")
}

macro_rules! named {
    ($($of:ty: $it:ident => $pattern:pat),* $(,)?) => {
        $(impl $of {
            /// As it is printed.
            pub fn name(self) -> &'static str {
                let mut rows = WORDS.iter();
                let row = rows.find(|word| matches!(word.kind, $pattern if $it == self));
                row.map_or("", |word| word.name)
            }
        })*
    };
}

named! {
    Flag: it => Kind::Flag(it),
    Call: it => Kind::Call(it),
    Field: it => Kind::Field(it, _),
}

impl Field {
    /// What it holds.
    pub fn ty(self) -> Type {
        let rows = WORDS.iter().find_map(|word| match word.kind {
            Kind::Field(it, ty) if it == self => Some(ty),
            _ => None,
        });
        rows.unwrap_or(Type::Text)
    }
}

/// How a field is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// Holds these words, in any case.
    Like,
    /// Does not.
    Unlike,
    /// Is this, in any case.
    Is,
    /// Is not.
    IsNot,
    /// Less.
    Less,
    /// Less or the same.
    AtMost,
    /// More.
    More,
    /// More or the same.
    AtLeast,
}

impl Op {
    /// All of them; longer signs before those they begin with.
    pub const ALL: [(Self, &'static str); 9] = [
        (Self::Unlike, "!~"),
        (Self::IsNot, "!="),
        (Self::AtMost, "<="),
        (Self::AtLeast, ">="),
        (Self::Like, "~"),
        (Self::Is, "="),
        (Self::Less, "<"),
        (Self::More, ">"),
        // As the filters of other lists have it.
        (Self::Like, ":"),
    ];

    /// The sign.
    pub fn sign(self) -> &'static str {
        let mut all = Self::ALL.iter();
        all.find(|(op, _)| *op == self).map_or("", |(_, sign)| sign)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_by_its_name_and_none_is_twice() {
        for (at, word) in WORDS.iter().enumerate() {
            assert_eq!(find(word.name), Some(word));
            assert!(!is_keyword(word.name), "{}", word.name);
            assert!(WORDS[..at].iter().all(|other| other.name != word.name));
        }
        assert_eq!(Call::Violates.name(), "violates");
        assert_eq!(Field::Run.name(), "run");
        assert_eq!(Field::Created.ty(), Type::Date);
    }
}
