//! From brackets and words to a formula.

use crate::base::diag::Diagnostic;
use crate::plan::bddl::formula::{Formula, Term, Typed};
use crate::plan::bddl::sexp::{self, Place, Sexp, Word};

/// Reads a formula.
///
/// # Errors
/// What is wrong, with line and column.
pub fn parse(text: &str) -> Result<Formula, Diagnostic> {
    of_sexp(&sexp::read(text)?)
}

/// The formula an expression is.
///
/// # Errors
/// What is wrong, with line and column.
pub fn of_sexp(whole: &Sexp) -> Result<Formula, Diagnostic> {
    let Sexp::List(items, place) = whole else {
        return Err(whole
            .place()
            .error("a formula begins with (")
            .help("write for example (open ?fridge.n.01_1)"));
    };
    let [head, rest @ ..] = items.as_slice() else {
        return Err(place
            .error("these brackets are empty")
            .help("write for example (open ?fridge.n.01_1)"));
    };
    let Some(head) = head.word() else {
        return Err(head
            .place()
            .error("a predicate or and, or, not, imply, forall, exists, forn, forpairs, fornpairs is missing")
            .help("put the word after the first ("));
    };
    let form = Form {
        head,
        rest,
        place: *place,
    };
    form.read()
}

/// A list with its first word apart.
struct Form<'s> {
    head: &'s Word,
    rest: &'s [Sexp],
    place: Place,
}

impl Form<'_> {
    fn read(&self) -> Result<Formula, Diagnostic> {
        let boxed = |i: usize| of_sexp(&self.rest[i]).map(Box::new);
        let all = || self.rest.iter().map(of_sexp).collect::<Result<Vec<_>, _>>();
        match &*self.head.text {
            "and" => Ok(Formula::And(all()?)),
            "or" => Ok(Formula::Or(all()?)),
            "not" => {
                self.takes(1, "a formula")?;
                Ok(Formula::Not(boxed(0)?))
            }
            "imply" => {
                self.takes(2, "two formulas")?;
                Ok(Formula::Imply(boxed(0)?, boxed(1)?))
            }
            "forall" => {
                self.takes(2, "(?x - type) and a formula")?;
                Ok(Formula::ForAll(typed(&self.rest[0])?, boxed(1)?))
            }
            "exists" => {
                self.takes(2, "(?x - type) and a formula")?;
                Ok(Formula::Exists(typed(&self.rest[0])?, boxed(1)?))
            }
            "forn" => {
                self.takes(3, "(number), (?x - type) and a formula")?;
                let n = number(&self.rest[0])?;
                Ok(Formula::ForN(n, typed(&self.rest[1])?, boxed(2)?))
            }
            "forpairs" => {
                self.takes(3, "(?x - type), (?y - type) and a formula")?;
                let (a, b) = (typed(&self.rest[0])?, typed(&self.rest[1])?);
                Ok(Formula::ForPairs(a, b, boxed(2)?))
            }
            "fornpairs" => {
                self.takes(4, "(number), (?x - type), (?y - type) and a formula")?;
                let n = number(&self.rest[0])?;
                let (a, b) = (typed(&self.rest[1])?, typed(&self.rest[2])?);
                Ok(Formula::ForNPairs(n, a, b, boxed(3)?))
            }
            _ => self.atom(),
        }
    }

    fn takes(&self, count: usize, what: &str) -> Result<(), Diagnostic> {
        if self.rest.len() == count {
            return Ok(());
        }
        let message = format!(
            "{} takes {what}, and here are {}",
            self.head,
            self.rest.len()
        );
        Err(self.place.error(message).help(format!(
            "write ({} {})",
            self.head,
            sample(&self.head.text)
        )))
    }

    fn atom(&self) -> Result<Formula, Diagnostic> {
        if self.rest.is_empty() || self.rest.len() > 2 {
            let message = format!(
                "{} is said of one object or of two, and here are {}",
                self.head,
                self.rest.len()
            );
            let help = "name the objects after the predicate, as in (inside ?a ?b)";
            return Err(self.place.error(message).help(help));
        }
        let terms: Result<_, _> = self.rest.iter().map(term).collect();
        Ok(Formula::Atom {
            predicate: self.head.clone(),
            terms: terms?,
        })
    }
}

/// What follows a word, as an example.
fn sample(head: &str) -> &'static str {
    match head {
        "not" => "(open ?x)",
        "imply" => "(open ?x) (open ?y)",
        "forn" => "(2) (?x - type) (open ?x)",
        "forpairs" => "(?x - type) (?y - type) (inside ?y ?x)",
        "fornpairs" => "(2) (?x - type) (?y - type) (inside ?y ?x)",
        _ => "(?x - type) (open ?x)",
    }
}

fn term(at: &Sexp) -> Result<Term, Diagnostic> {
    let word = at.word().ok_or_else(|| {
        at.place()
            .error("an object is named by a word, not by brackets")
            .help("write for example ?cabinet.n.01_1")
    })?;
    let bare = word.bare();
    if matches!(&*bare.text, "" | "-") {
        return Err(word
            .place
            .error(format!("{word} names no object"))
            .help("write for example ?cabinet.n.01_1"));
    }
    Ok(Term {
        name: bare,
        marked: word.text.starts_with('?'),
    })
}

fn typed(at: &Sexp) -> Result<Typed, Diagnostic> {
    let wrong = || {
        at.place()
            .error("here a variable and its type are wanted")
            .help("write for example (?x - plate.n.04)")
    };
    let [name, dash, category] = at.list().ok_or_else(wrong)? else {
        return Err(wrong());
    };
    let (Some(name), Some(dash), Some(category)) = (name.word(), dash.word(), category.word())
    else {
        return Err(wrong());
    };
    let (name, category) = (name.bare(), category.bare());
    let is_name = |w: &Word| !matches!(&*w.text, "" | "-");
    if &*dash.text != "-" || !is_name(&name) || !is_name(&category) {
        return Err(wrong());
    }
    Ok(Typed { name, category })
}

fn number(at: &Sexp) -> Result<u32, Diagnostic> {
    let wrong = || {
        at.place()
            .error("here a number in brackets is wanted")
            .help("write for example (2)")
    };
    let [word] = at.list().ok_or_else(wrong)? else {
        return Err(wrong());
    };
    let word = word.word().ok_or_else(wrong)?;
    word.text.parse().map_err(|_| wrong())
}
