//! Loading and binding: the shipped knowledge is sound, faults are said with their place.

use crate::safety::book::Book;
use crate::safety::formula::{Formula, Slot, Term, TrackedId};
use crate::safety::rule::Grade;
use crate::safety::testing::{FILES, book};
use crate::sim::virtualhome::DIALECT;

#[test]
fn the_shipped_book_is_sound_and_whole() {
    let book = book();
    assert_eq!(book.rules.len(), 128);
    let count = |g: Grade| book.rules.iter().filter(|r| r.grade == g).count();
    assert_eq!(Grade::ALL.map(count), [88, 32, 8]);
    assert_eq!(book.tracked.len(), 14);
    assert_eq!(book.derived.len(), 10);
    assert_eq!(book.ontology.classes.len(), 192);
    for rule in &book.rules {
        book.bind(rule, &DIALECT).unwrap();
        assert!(!rule.bad.steps.is_empty() && !rule.good.steps.is_empty());
        assert!(!rule.sources.is_empty());
    }
    for i in 0..book.tracked.len() {
        book.bind_fact(TrackedId(i as u8), &DIALECT).unwrap();
    }
}

#[test]
fn printed_formulas_read_back_the_same() {
    use crate::safety::lang::lexer::Piece;
    use crate::safety::lang::parse;
    for rule in &book().rules {
        let text = rule.formula.to_string();
        let piece = Piece {
            span: crate::safety::ast::Span { line: 1, column: 1 },
            text: &text,
        };
        let again = parse::rule(&[piece], piece.span).unwrap();
        assert_eq!(again.to_string(), text, "{}", rule.id);
    }
}

#[test]
fn derived_facts_are_written_out() {
    let book = book();
    let rule = book.rule("e02").unwrap();
    let bound = book.bind(rule, &DIALECT).unwrap();
    let names: Vec<&str> = bound
        .outer
        .iter()
        .map(|b| book.guard(b.guard).0[0].as_str())
        .collect();
    assert_eq!(names, ["HAS_PLUG", "wet_zone"]);
    let read = |name: &str| DIALECT.facts.iter().find(|f| f.name == name).unwrap().read;
    let (d, z) = (Term::Var(Slot(0)), Term::Var(Slot(1)));
    let at = Formula::Or(vec![
        Formula::Base(read("ontop"), [d, z]),
        Formula::Base(read("inside"), [d, z]),
    ]);
    let body = Formula::Not(Box::new(Formula::And(vec![
        Formula::Base(read("plugged"), [d, Term::Me]),
        at,
    ])));
    assert_eq!(bound.body, body);
}

#[test]
fn written_facts_are_found() {
    let book = book();
    let id = |name| book.tracked_id(name).unwrap();
    assert_eq!(book.written("HOT"), Some((id("hot"), 1)));
    assert_eq!(book.written("VIA"), Some((id("via"), 2)));
    assert_eq!(book.written("night"), Some((id("night"), 0)));
    assert_eq!(book.written(""), None);
    assert_eq!(book.written("ON"), None);
}

/// What a user's file says beside the shipped ones; the findings.
fn findings(text: &str) -> Vec<String> {
    let mut files = FILES.to_vec();
    files.push(("my.rules", text));
    let (book, wrong) = Book::load(&files);
    assert!(book.rules.len() >= 128, "the shipped rules were harmed");
    wrong.iter().map(ToString::to_string).collect()
}

fn rule(formula: &str) -> String {
    format!(
        "rule X01\n  title: A title\n  risk: fire\n  severity: 2\n  grade: core\n  kind: INV\n  says: Something.\n  formula: {formula}\n"
    )
}

fn finding(formula: &str) -> String {
    findings(&rule(formula)).join(" / ")
}

/// Formulas with a fault, `^` before the place the finding must name, and what it must say.
const FAULTS: &[(&str, &str)] = &[
    (
        "A x:^metall. H !hot(x)",
        "no tag, class or property is called metall; did you mean metal?",
    ),
    (
        "A x:metal. H !^hott(x)",
        "no fact, tag or class is called hott; did you mean hot?",
    ),
    (
        "A x:metal. H !hot(^y)",
        "the variable y is free; bind it: A y:TAG. … or E y:TAG. …",
    ),
    (
        "A x:metal. H !^hot(x, x)",
        "hot speaks of 1 node, not 2; write hot(x)",
    ),
    (
        "A x:metal. H !^night(x)",
        "night speaks of no node, not 1; write night",
    ),
    (
        "A x:metal. H(hot(x) -> E ^x:fabric. hot(x))",
        "the variable x is bound twice; give the inner one another name",
    ),
    (
        "A x^. H !hot(x)",
        "the variable x has no guard; write x:TAG to say what it ranges over",
    ),
    (
        "A x:^hot. H true",
        "hot is a fact and changes: it cannot be a guard; guard with a tag or class and test hot in the formula",
    ),
    (
        "A x:metal. H !act(^GRABB,x)",
        "no action is called GRABB; did you mean GRAB?",
    ),
    (
        "A x:metal. H !act(^SIT,x,x)",
        "SIT has 1 target, not 2; leave the others out",
    ),
    (
        "A x:metal. H !^GRAB(x)",
        "GRAB is an action, no fact; write act(GRAB, …)",
    ),
    (
        "A x:metal. H ^x",
        "the variable x is no formula; name a fact about it",
    ),
    (
        "A ^H:metal. H hot(H)",
        "H is a word of the language, no variable; choose another letter",
    ),
    (
        "A a:metal, b:metal, c:metal, d:metal, ^e:metal. H true",
        "the rule has more than 4 outer variables; bind the others inside, with A or E",
    ),
    (
        "^A x:metal. hot(x)",
        "a rule says what must hold at every position; write A x:guard. H(...), or H(...) alone",
    ),
    (
        "A x:metal. H (hot(x)^",
        "the formula ends here where \")\" is expected",
    ),
    (
        "A x:metal. H hot(x)^)",
        "\")\" stands here where the end of the formula is expected; there is one ) too many",
    ),
    (
        "A x:metal. H ^# x",
        "\"#\" is no sign of the rule language; signs are ( ) , : . | & ! -> = != <=",
    ),
    (
        "A x:metal. H(run(hot(x)) ^< 3)",
        "\"<\" is no sign of the rule language; signs are ( ) , : . | & ! -> = != <=",
    ),
    (
        "A x:metal. H(run(hot(x)) <= ^x)",
        "\"x\" stands here where a number is expected; run(f) <= k says that f held at no more than k positions in a row",
    ),
    (
        "A x:metal. H(run(hot(x)) <= ^3000000)",
        "3000000 is too large; numbers go up to 1000000",
    ),
    (
        "A x:metal. H(^S hot(x))",
        "S has nothing on its left; write f S g: g held once, and f ever since",
    ),
];

#[test]
fn each_fault_has_its_own_sentence() {
    for (marked, wanted) in FAULTS {
        let formula = marked.replace('^', "");
        let column = "  formula: ".len() + marked.find('^').unwrap() + 1;
        assert_eq!(
            finding(&formula),
            format!("my.rules line 8 column {column}: rule X01: {wanted}")
        );
    }
    assert_eq!(finding("A x:metal. H !hot(x)"), "");
}
