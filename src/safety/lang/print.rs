//! Formulas to text: what [`super::parse`] reads back as the same formula.

use std::fmt::{self, Display, Formatter};

use crate::safety::ast::{Ast, Binder, Name};

/// How tightly an operator binds; an operand that binds less tightly gets parentheses.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Formula,
    Disj,
    Conj,
    Since,
    Unary,
}

impl Display for Ast {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write(self, Level::Formula, f)
    }
}

fn level(ast: &Ast) -> Level {
    match ast {
        // A quantifier takes all that follows it.
        Ast::Implies(..) | Ast::All(..) | Ast::Some(..) => Level::Formula,
        Ast::Or(_) => Level::Disj,
        Ast::And(_) => Level::Conj,
        Ast::Since(..) => Level::Since,
        _ => Level::Unary,
    }
}

fn write(ast: &Ast, wanted: Level, f: &mut Formatter<'_>) -> fmt::Result {
    if level(ast) < wanted {
        f.write_str("(")?;
        bare(ast, f)?;
        return f.write_str(")");
    }
    bare(ast, f)
}

fn bare(ast: &Ast, f: &mut Formatter<'_>) -> fmt::Result {
    match ast {
        Ast::True => f.write_str("true"),
        Ast::Start => f.write_str("start"),
        Ast::End => f.write_str("end"),
        Ast::Same(a, b) => write!(f, "{}={}", a.text, b.text),
        Ast::Fact(name, args) if args.is_empty() => f.write_str(&name.text),
        Ast::Fact(name, args) => {
            write!(f, "{}(", name.text)?;
            names(args, ",", f)?;
            f.write_str(")")
        }
        Ast::Act(verbs, args) => {
            f.write_str("act(")?;
            names(verbs, "|", f)?;
            for arg in args {
                write!(f, ",{}", arg.text)?;
            }
            f.write_str(")")
        }
        Ast::Not(inner) => match &**inner {
            Ast::Same(a, b) => write!(f, "{}!={}", a.text, b.text),
            other => {
                f.write_str("!")?;
                write(other, Level::Unary, f)
            }
        },
        Ast::And(all) => joined(all, " & ", Level::Since, f),
        Ast::Or(all) => joined(all, " | ", Level::Conj, f),
        Ast::Implies(a, b) => {
            write(a, Level::Disj, f)?;
            f.write_str(" -> ")?;
            write(b, Level::Formula, f)
        }
        Ast::Prev(inner) => prefixed("Y ", inner, f),
        Ast::Once(inner) => prefixed("O ", inner, f),
        Ast::Hist(inner) => prefixed("H ", inner, f),
        Ast::Since(a, b) => {
            write(a, Level::Since, f)?;
            f.write_str(" S ")?;
            write(b, Level::Unary, f)
        }
        Ast::Run(inner, most) => {
            f.write_str("run(")?;
            write(inner, Level::Formula, f)?;
            write!(f, ") <= {most}")
        }
        Ast::All(binders, inner) => quantified("A ", binders, inner, f),
        Ast::Some(binders, inner) => quantified("E ", binders, inner, f),
    }
}

fn prefixed(sign: &str, inner: &Ast, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str(sign)?;
    write(inner, Level::Unary, f)
}

fn joined(all: &[Ast], sign: &str, wanted: Level, f: &mut Formatter<'_>) -> fmt::Result {
    for (i, one) in all.iter().enumerate() {
        if i > 0 {
            f.write_str(sign)?;
        }
        write(one, wanted, f)?;
    }
    Ok(())
}

fn names(all: &[Name], sign: &str, f: &mut Formatter<'_>) -> fmt::Result {
    for (i, name) in all.iter().enumerate() {
        if i > 0 {
            f.write_str(sign)?;
        }
        f.write_str(&name.text)?;
    }
    Ok(())
}

fn quantified(sign: &str, all: &[Binder], inner: &Ast, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str(sign)?;
    for (i, binder) in all.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{}:", binder.var.text)?;
        names(&binder.guards, "|", f)?;
    }
    f.write_str(". ")?;
    write(inner, Level::Formula, f)
}
