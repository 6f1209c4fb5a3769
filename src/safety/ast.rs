//! A formula as written: names are text, every part knows where it stands.

/// Where something stands in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// One-based line.
    pub line: u32,
    /// One-based column, in characters.
    pub column: u32,
}

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The text.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A formula. Implication binds weakest, then `|`, `&`, `S`; quantifiers reach as far right as their parentheses allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ast {
    /// `true`.
    True,
    /// `start`: this is position 0.
    Start,
    /// `end`: this is the last position of a finished run.
    End,
    /// `x = y`.
    Same(Name, Name),
    /// `fact(x, y)`: a base, derived or tracked fact, a tag, a class or a property.
    Fact(Name, Vec<Name>),
    /// `act(GRAB|RUN, x, y)`: the step that led here was one of these actions; missing arguments match anything.
    Act(Vec<Name>, Vec<Name>),
    /// `!f`.
    Not(Box<Self>),
    /// `f & g`.
    And(Vec<Self>),
    /// `f | g`.
    Or(Vec<Self>),
    /// `f -> g`.
    Implies(Box<Self>, Box<Self>),
    /// `Y f`: f held one position earlier.
    Prev(Box<Self>),
    /// `O f`: f held at some position up to now.
    Once(Box<Self>),
    /// `H f`: f held at every position up to now.
    Hist(Box<Self>),
    /// `f S g`: g held at some position, and f ever since.
    Since(Box<Self>, Box<Self>),
    /// `run(f) <= k`: f held at no more than k consecutive positions ending now.
    Run(Box<Self>, u32),
    /// `A x:guard. f`.
    All(Vec<Binder>, Box<Self>),
    /// `E x:guard. f`.
    Some(Vec<Binder>, Box<Self>),
}

/// `x:guard|guard`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binder {
    /// The variable.
    pub var: Name,
    /// Alternatives: tags, classes, properties, or `room`.
    pub guards: Vec<Name>,
}
