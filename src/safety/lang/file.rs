//! Blocks to rules and facts: which fields there are, what each must hold.

use super::block::{Block, Field, trimmed};
use super::lexer::Piece;
use super::{parse, words};
use crate::base::diag::Diagnostic;
use crate::base::nearest::nearest;
use crate::safety::ast::{Ast, Span};
use crate::safety::book::{Derived, Tracked};
use crate::safety::rule::{Example, Grade, Kind, Needs, RISKS, Rule};

/// What a block declares.
#[derive(Debug)]
pub enum Item {
    /// A rule.
    Rule(Box<Rule>),
    /// A derived fact.
    Derived(Derived),
    /// A tracked fact.
    Tracked(Box<Tracked>),
}

/// What blocks may begin with.
const KEYWORDS: [&str; 3] = ["rule", "fact", "tracked"];

/// Reads a block; a block with a fault gives nothing.
pub fn item(block: &Block<'_>, file: &str, wrong: &mut Vec<Diagnostic>) -> Option<Item> {
    let before = wrong.len();
    let mut fields = Fields { block, file, wrong };
    let item = match block.keyword.text {
        "rule" => fields.rule().map(|r| Item::Rule(Box::new(r))),
        "fact" => fields.derived().map(Item::Derived),
        "tracked" => fields.tracked().map(|t| Item::Tracked(Box::new(t))),
        other => {
            let mean = nearest(other, KEYWORDS.into_iter())
                .map_or(String::new(), |n| format!("; did you mean {n}?"));
            let message = format!("\"{other}\" begins no block");
            let help = format!("blocks begin with {}{mean}", KEYWORDS.join(", "));
            fields.error(block.keyword.span, message, &help);
            None
        }
    };
    item.filter(|_| wrong.len() == before)
}

const RULE: &[&str] = &[
    "title",
    "risk",
    "severity",
    "grade",
    "kind",
    "needs",
    "duplicate",
    "formula",
    "says",
    "remark",
    "source",
    "bad from",
    "bad",
    "bad at",
    "bad in",
    "good from",
    "good",
    "good in",
];
const DERIVED: &[&str] = &["means", "is"];
const TRACKED: &[&str] = &[
    "means", "written", "set", "reset", "while", "lasts", "start",
];

struct Fields<'b, 't> {
    block: &'b Block<'t>,
    file: &'b str,
    wrong: &'b mut Vec<Diagnostic>,
}

impl<'b, 't> Fields<'b, 't> {
    /// Adds a finding, told to be about this block.
    fn tell(&mut self, mut d: Diagnostic) {
        if d.field.is_empty() {
            let name = format!("{} {}", self.block.keyword.text, self.block.head.text);
            name.trim().clone_into(&mut d.field);
        }
        self.wrong.push(d.in_file(self.file));
    }

    fn error(&mut self, at: Span, message: impl Into<String>, help: &str) {
        let d = Diagnostic::error("", message)
            .help(help)
            .at(at.line, Some(at.column));
        self.tell(d);
    }

    /// Reports fields that do not belong here, and fields given twice that may be given once.
    fn known(&mut self, known: &[&str]) {
        let block = self.block;
        let mut seen = std::collections::BTreeSet::new();
        for field in &block.fields {
            let name = field.name.text;
            if !known.contains(&name) {
                let mean = nearest(name, known.iter().copied()).map_or_else(
                    || format!("fields are {}", known.join(", ")),
                    |n| format!("did you mean {n}?"),
                );
                self.error(
                    field.name.span,
                    format!("there is no field \"{name}\""),
                    &mean,
                );
            } else if seen.contains(name) && name != "source" {
                self.error(
                    field.name.span,
                    format!("the field \"{name}\" is given twice"),
                    "remove one of them",
                );
            }
            seen.insert(name);
        }
    }

    fn get(&self, name: &str) -> Option<&'b Field<'t>> {
        self.block.fields.iter().find(|f| f.name.text == name)
    }

    fn text(&self, name: &str) -> String {
        self.get(name).map(Field::text).unwrap_or_default()
    }

    /// A field that must be there and not be empty.
    fn required(&mut self, name: &str) -> Option<&'b Field<'t>> {
        let field = self.get(name);
        match field {
            None => {
                let at = self.block.keyword.span;
                self.error(
                    at,
                    format!("the field \"{name}\" is missing"),
                    &format!("add a line {name}: …"),
                );
                None
            }
            Some(f) if f.text().is_empty() => {
                self.error(f.name.span, format!("the field \"{name}\" is empty"), "");
                None
            }
            some => some,
        }
    }

    /// A field whose value is one of a few words.
    fn word<T>(
        &mut self,
        name: &str,
        read: impl Fn(&str) -> Option<T>,
        known: &[&str],
    ) -> Option<T> {
        let field = self.required(name)?;
        let text = field.text();
        let found = read(&text);
        if found.is_none() {
            // Words of one character are all alike.
            let words = known.iter().copied().filter(|k| k.len() > 1);
            let mean =
                nearest(&text, words).map_or(String::new(), |n| format!("; did you mean {n}?"));
            self.error(
                field.at(),
                format!("{name} is \"{text}\""),
                &format!("write one of {}{mean}", known.join(", ")),
            );
        }
        found
    }

    fn number(&mut self, name: &str) -> Option<u32> {
        let field = self.get(name)?;
        let text = field.text();
        let found = text.parse::<u32>().ok().filter(|n| *n <= 1_000_000);
        if found.is_none() {
            self.error(
                field.at(),
                format!("{name} is \"{text}\""),
                "write a whole number",
            );
        }
        found
    }

    fn formula(&mut self, name: &str) -> Option<Ast> {
        let field = self.get(name)?;
        match parse::formula(&field.value, field.at()) {
            Ok(ast) => Some(ast),
            Err(d) => {
                self.tell(d);
                None
            }
        }
    }

    fn rule(&mut self) -> Option<Rule> {
        self.known(RULE);
        let id = self.block.head.text;
        if id.is_empty()
            || !id
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
        {
            self.error(
                self.block.head.span,
                format!("\"{id}\" is no id of a rule"),
                "write rule and letters, digits, - or _, such as rule F05",
            );
        }
        let grades = Grade::ALL.map(Grade::id);
        let kinds = Kind::ALL.map(Kind::id);
        let title = self.required("title").map(Field::text);
        let risk = self.word("risk", |t| RISKS.contains(&t).then(|| t.to_owned()), &RISKS);
        let severity = self.word(
            "severity",
            |t| t.parse::<u8>().ok().filter(|n| (1..=4).contains(n)),
            &["1", "2", "3", "4"],
        );
        let grade = self.word("grade", Grade::parse, &grades);
        let kind = self.word("kind", Kind::parse, &kinds);
        let needs = self.needs();
        let sentence = self.required("says").map(Field::text);
        let sources = self.sources();
        let formula = self.required("formula").and_then(|field| {
            parse::rule(&field.value, field.at())
                .map_err(|d| self.tell(d))
                .ok()
                .map(|ast| (ast, field.text()))
        });
        let bad = self.example("bad");
        let good = self.example("good");
        let duplicate_of = self.get("duplicate").map(Field::text);
        let (formula, text) = formula?;
        Some(Rule {
            id: id.to_owned(),
            title: title?,
            risk: risk?,
            severity: severity?,
            grade: grade?,
            kind: kind?,
            needs,
            formula,
            text,
            sentence: sentence?,
            remark: self.text("remark"),
            sources,
            duplicate_of,
            bad,
            good,
            place: (self.file.to_owned(), self.block.keyword.span.line),
        })
    }

    fn needs(&mut self) -> Vec<Needs> {
        let Some(field) = self.get("needs") else {
            return Vec::new();
        };
        let known = Needs::ALL.map(Needs::id);
        let mut all = Vec::new();
        for word in field.text().split([' ', ',']).filter(|w| !w.is_empty()) {
            match Needs::parse(word) {
                Some(need) => all.push(need),
                None => self.error(
                    field.at(),
                    format!("needs is \"{word}\""),
                    &format!("write one of {}", known.join(", ")),
                ),
            }
        }
        all
    }

    fn sources(&self) -> Vec<(String, String)> {
        let block = self.block;
        block
            .fields
            .iter()
            .filter(|f| f.name.text == "source")
            .map(|f| {
                let text = f.text();
                let (name, address) = text.split_once('|').unwrap_or((&text, ""));
                (name.trim().to_owned(), address.trim().to_owned())
            })
            .collect()
    }

    fn example(&mut self, which: &str) -> Example {
        let init = self
            .get(&format!("{which} from"))
            .map(|f| self.list(f))
            .unwrap_or_default();
        let steps = self.get(which).map(|f| self.list(f)).unwrap_or_default();
        let at = (which == "bad").then(|| self.number("bad at")).flatten();
        let eai = match self.get(&format!("{which} in")) {
            None => false,
            Some(f) if f.text() == "eai" => true,
            Some(f) => {
                self.error(
                    f.at(),
                    format!("{which} in is \"{}\"", f.text()),
                    "write eai where the strict profile forbids the example, else leave the field out",
                );
                false
            }
        };
        if let (true, None, Some(f)) = (which == "bad", at, self.get("bad")) {
            self.error(
                f.name.span,
                "the bad example does not say where it breaks the rule",
                "add a line bad at: and the number of the step",
            );
        }
        Example {
            init,
            steps,
            at,
            eai,
        }
    }

    /// Parts separated by `;` or lines; `20 * (a; b)` stands for `a; b` written twenty times.
    fn list(&mut self, field: &Field<'t>) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        let mut open: Option<(usize, usize, Span)> = None;
        for piece in &field.value {
            for part in parts(*piece) {
                let mut text = part.text;
                if let Some((count, rest)) = repeated(text) {
                    if open.is_some() {
                        self.error(part.span, "a repetition inside a repetition", "");
                        return all;
                    }
                    open = Some((count, all.len(), part.span));
                    text = rest.trim();
                }
                let closes = open.is_some() && text.ends_with(')');
                if closes {
                    text = text.strip_suffix(')').unwrap_or(text).trim();
                }
                if !text.is_empty() {
                    all.push(text.to_owned());
                }
                if let (true, Some((count, from, at))) = (closes, open.take_if(|_| closes)) {
                    let again: Vec<String> = all.get(from..).unwrap_or_default().to_vec();
                    if again.len().saturating_mul(count) > MOST_STEPS {
                        let message = format!("an example of more than {MOST_STEPS} steps");
                        self.error(at, message, "shorten it");
                        return all;
                    }
                    for _ in 1..count {
                        all.extend(again.iter().cloned());
                    }
                }
            }
        }
        if let Some((_, _, at)) = open {
            self.error(at, "the repetition is not closed", "end it with )");
        }
        all
    }

    fn derived(&mut self) -> Option<Derived> {
        self.known(DERIVED);
        let head = self.head();
        let words = self.required("means").map(Field::text);
        let body = self.required("is").and_then(|_| self.formula("is"));
        let (name, params) = head?;
        if let Some(guarded) = params.iter().find(|p| !p.guards.is_empty()) {
            self.error(
                guarded.var.span,
                format!("the parameter {} has a guard", guarded.var.text),
                "a derived fact is a formula for any nodes: leave the guard out, or test it in the formula",
            );
        }
        Some(Derived {
            name: name.text,
            params: params.into_iter().map(|p| p.var.text).collect(),
            body: body?,
            words: words?,
            place: (self.file.to_owned(), self.block.keyword.span.line),
        })
    }

    fn head(&mut self) -> Option<(crate::safety::ast::Name, Vec<crate::safety::ast::Binder>)> {
        let head = self.block.head;
        match parse::head(&[head], head.span) {
            Ok(parsed) => Some(parsed),
            Err(d) => {
                self.tell(d);
                None
            }
        }
    }

    /// The word a tracked fact is written with in tasks; empty where it is not written there.
    fn written(&mut self) -> String {
        let word = self.text("written");
        let fault = if !word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            "is no word"
        } else if words::is_taken_in_tasks(&word) {
            "is the name of a state or relation"
        } else {
            return word;
        };
        if let Some(field) = self.get("written") {
            self.error(
                field.at(),
                format!("written is \"{word}\", which {fault}"),
                "write a word of letters, digits and _ that nothing else is called",
            );
        }
        word
    }

    fn tracked(&mut self) -> Option<Tracked> {
        self.known(TRACKED);
        let head = self.head();
        let words = self.required("means").map(Field::text);
        let set = self.formula("set");
        let reset = self.formula("reset");
        let during = self.formula("while");
        let start = self.formula("start");
        let lasts = self.number("lasts");
        if let (Some(0), Some(field)) = (lasts, self.get("lasts")) {
            self.error(
                field.at(),
                "lasts is 0: the fact would never hold",
                "write how many steps it outlives what made it true, 1 or more",
            );
        }
        let written = self.written();
        let (name, params) = head?;
        if let Some(bare) = params.iter().find(|p| p.guards.is_empty()) {
            self.error(
                bare.var.span,
                format!("the parameter {} has no guard", bare.var.text),
                &format!(
                    "write {}:TAG, or {}:any for every node",
                    bare.var.text, bare.var.text
                ),
            );
        }
        Some(Tracked {
            name: name.text,
            params,
            set,
            reset,
            during,
            lasts,
            start,
            written,
            words: words?,
            place: (self.file.to_owned(), self.block.keyword.span.line),
        })
    }
}

/// How many steps an example may have.
const MOST_STEPS: usize = 1_000;

/// The parts of a line that `;` separates.
fn parts(piece: Piece<'_>) -> Vec<Piece<'_>> {
    let mut column = piece.span.column;
    let mut all = Vec::new();
    for part in piece.text.split(';') {
        let span = Span {
            line: piece.span.line,
            column,
        };
        column += part.chars().count() as u32 + 1;
        let part = trimmed(Piece { span, text: part });
        if !part.text.is_empty() {
            all.push(part);
        }
    }
    all
}

/// `20 * (rest`.
fn repeated(text: &str) -> Option<(usize, &str)> {
    let (count, rest) = text.split_once('*')?;
    let rest = rest.trim_start().strip_prefix('(')?;
    Some((count.trim().parse().ok()?, rest))
}
