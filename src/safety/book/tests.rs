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
    assert!(book.ontology.classes.len() > 192);
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

fn facts(text: &str) -> String {
    findings(text).join(" / ")
}

#[test]
fn facts_are_checked_like_rules() {
    let cases = [
        (
            "fact warm(x)\n  means: x is warm\n  is: tepid(x)\n\nfact tepid(x)\n  means: x is warm\n  is: warm(x)\n",
            "my.rules line 1: fact warm: the fact is defined by itself, perhaps through others; a derived fact may only use facts that do not use it / my.rules line 5: fact tepid: the fact is defined by itself, perhaps through others; a derived fact may only use facts that do not use it",
        ),
        (
            "tracked used(x:any)\n  means: x was used\n  set: act(GRAB,x) & !used(x)\n",
            "my.rules line 1: tracked used: its formulas read the fact itself, perhaps through others; read it one position earlier: Y and the fact",
        ),
        (
            "fact hot(x)\n  means: x burns\n  is: true\n",
            "my.rules line 1: fact hot: there is a fact of that name already; choose another name or fewer parameters",
        ),
        (
            "fact warm(x:metal)\n  means: x burns\n  is: hot(x)\n",
            "my.rules line 1 column 11: fact warm(x:metal): the parameter x has a guard; a derived fact is a formula for any nodes: leave the guard out, or test it in the formula",
        ),
        (
            "tracked warm(x)\n  means: x burns\n",
            "my.rules line 1 column 14: tracked warm(x): the parameter x has no guard; write x:TAG, or x:any for every node",
        ),
        (
            "fact warm(x)\n  means: x is warm\n  is: hott(x)\nrule X01\n  title: T\n  risk: fire\n  severity: 1\n  grade: core\n  kind: INV\n  says: S.\n  formula: A x:metal. H !warm(x)\n",
            "my.rules line 3 column 7: fact warm: no fact, tag or class is called hott; did you mean hot? / my.rules line 11 column 26: rule X01: the fact warm has a fault of its own; correct that one first",
        ),
    ];
    for (text, wanted) in cases {
        assert_eq!(facts(text), wanted);
    }
    assert_eq!(
        facts("tracked used(x:any)\n  means: x was used\n  set: act(GRAB,x) & !Y used(x)\n"),
        ""
    );
}

#[test]
fn fields_are_checked() {
    let good = rule("A x:metal. H !hot(x)");
    let with = |from: &str, to: &str| findings(&good.replace(from, to)).join(" / ");
    let cases = [
        (
            "  risk: fire\n",
            "  risk: fyre\n",
            "my.rules line 3 column 9: rule X01: risk is \"fyre\"; write one of electrical, fire, health, physical, water, security; did you mean fire?",
        ),
        (
            "  risk: fire\n",
            "",
            "my.rules line 1 column 1: rule X01: the field \"risk\" is missing; add a line risk: …",
        ),
        (
            "severity: 2",
            "severity: 5",
            "my.rules line 4 column 13: rule X01: severity is \"5\"; write one of 1, 2, 3, 4",
        ),
        (
            "grade: core",
            "grade: cor",
            "my.rules line 5 column 10: rule X01: grade is \"cor\"; write one of core, advisory, pedantic; did you mean core?",
        ),
        (
            "kind: INV",
            "kind: INV\n  knd: INV",
            "my.rules line 7 column 3: rule X01: there is no field \"knd\"; did you mean kind?",
        ),
        (
            "kind: INV",
            "kind: INV\n  kind: INV",
            "my.rules line 7 column 3: rule X01: the field \"kind\" is given twice; remove one of them",
        ),
        (
            "kind: INV",
            "kind: INV\n  bad: WALK x",
            "my.rules line 7 column 3: rule X01: the bad example does not say where it breaks the rule; add a line bad at: and the number of the step",
        ),
        (
            "kind: INV",
            "kind: INV\n  duplicate: F5",
            "my.rules line 1: rule X01: duplicate names no other rule: F5; did you mean F05?",
        ),
        (
            "rule X01",
            "rule F05",
            "my.rules line 1: rule F05: the id is already used in assets/rules/fire.rules line 73; give one of them another id",
        ),
        (
            "rule X01",
            "rul X01",
            "my.rules line 1 column 1: rul X01: \"rul\" begins no block; blocks begin with rule, fact, tracked; did you mean rule?",
        ),
    ];
    for (from, to, wanted) in cases {
        assert_eq!(with(from, to), wanted);
    }
    assert_eq!(
        findings("  title: T\n").join(""),
        "my.rules line 1 column 3: an indented line before the first block; begin a block: rule ID, fact name or tracked name, not indented"
    );
}

#[test]
fn the_ontology_is_checked() {
    let wrong = |text: &str| {
        let (_, wrong) = Book::load(&[("a.ont", text)]);
        let all: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        all.join(" / ")
    };
    let cases = [
        (
            "class cup : GRABABLE",
            "a.ont line 1: no property is called GRABABLE; did you mean GRABBABLE?",
        ),
        (
            "class cup : GRABBABLE ; CLOSD",
            "a.ont line 1: no state is called CLOSD; did you mean CLOSED?",
        ),
        (
            "tag metal = made of metal\nclass cup : ; ; #mettal",
            "a.ont line 2: cup: the tag #mettal is not declared; did you mean #metal? else declare it: tag mettal = …",
        ),
        (
            "class cup : ; ; metal",
            "a.ont line 1: cup: \"metal\" is no tag; tags begin with #: write #metal",
        ),
        (
            "class cup : GRABBABLE\nclass cup : GRABBABLE",
            "a.ont line 2: class: cup is already declared in a.ont line 1; remove one of them",
        ),
        (
            "same mug = cup",
            "a.ont line 1: mug: no class is called cup; declare it: class cup : …",
        ),
        (
            "class cup : CAN_OPEN ; OPEN CLOSED",
            "a.ont line 1: cup: it starts CLOSED and OPEN; keep one of them",
        ),
        (
            "class cup : GRABBABLE ; ON",
            "a.ont line 1: cup: it starts ON without HAS_SWITCH; add HAS_SWITCH, or leave ON out",
        ),
        (
            "class cup : QQQQQQQQQQQQQ",
            "a.ont line 1: no property is called QQQQQQQQQQQQQ; write one there is, such as CAN_OPEN or HAS_SWITCH",
        ),
        (
            "clas cup : GRABBABLE",
            "a.ont line 1: \"clas\" begins no line of an ontology; lines begin with tag, property, class, same; did you mean class?",
        ),
        (
            "tag metal",
            "a.ont line 1: tag: there is no \"=\" after the name; write tag name = …",
        ),
        (
            "property CAN_OPEN = opens ; OPN",
            "a.ont line 1: no action is called OPN; did you mean OPEN?",
        ),
    ];
    for (text, wanted) in cases {
        assert_eq!(wrong(text), wanted);
    }
}

#[test]
fn classes_afford_what_their_properties_do() {
    let book = book();
    let affords: Vec<&str> = book.ontology.affords("microwave").into_iter().collect();
    assert_eq!(
        affords,
        [
            "CLOSE",
            "OPEN",
            "PLUGIN",
            "PLUGOUT",
            "PUTIN",
            "SWITCHOFF",
            "SWITCHON"
        ]
    );
    assert_eq!(
        book.ontology.affords("hairdryer"),
        book.ontology.affords("hair_dryer")
    );
    assert!(book.ontology.affords("no_such_class").is_empty());
}

#[test]
fn ten_thousand_rules_are_read() {
    use std::fmt::Write as _;
    let mut text = String::new();
    for i in 0..10_000 {
        let one = rule("A w:microwave, m:metal. H !(on(w) & within(m,w))");
        let _ = write!(text, "{}", one.replace("X01", &format!("X{i}")));
    }
    let mut files = FILES.to_vec();
    files.push(("many.rules", &text));
    let (book, wrong) = Book::load(&files);
    assert_eq!(wrong, []);
    assert_eq!(book.rules.len(), 10_128);
    assert!(book.rule("X9999").is_some());
}

#[test]
fn what_grows_without_bound_is_refused() {
    use std::fmt::Write as _;
    let mut text = String::from("fact d0\n  means: d\n  is: sitting & lying\n");
    for i in 1..40 {
        let _ = write!(text, "fact d{i}\n  means: d\n  is: d{0} & d{0}\n", i - 1);
    }
    let all = findings(&text);
    assert!(
        all[0].contains("with its derived facts written out it has"),
        "{all:?}"
    );
    let inner = (0..12).fold("true".to_owned(), |f, i| format!("E v{i}:any. {f}"));
    assert_eq!(
        finding(&format!("A x:metal. H({inner})")),
        "my.rules line 1: rule X01: with its derived facts written out it has 13 variables at once; the limit is 12; split it"
    );
}

#[test]
fn rules_that_name_each_other_do_not_both_fall_silent() {
    let rule = |id: &str, of: &str| format!("rule {id}\n  duplicate: {of}\n{RULE_ABOUT}");
    let text = format!("{}{}", rule("X1", "X2"), rule("X2", "x1"));
    let mut files = FILES.to_vec();
    files.push(("a.rules", text.as_str()));
    let (book, wrong) = Book::load(&files);
    let of = |id| book.rule(id).unwrap().duplicate_of.clone();
    assert_eq!((of("X1"), of("X2")), (None, Some("x1".to_owned())));
    let told: Vec<String> = wrong.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        ["a.rules line 1: rule X1: it and X2 name each other as duplicates; leave one of them out"]
    );
}

/// All other fields of a rule.
const RULE_ABOUT: &str = "  title: T\n  risk: fire\n  severity: 2\n  grade: core\n  kind: INV\n  formula: A w:microwave. H !on(w)\n  \
     says: S.\n  bad: WALK microwave\n  bad at: 1\n  good: WALK microwave\n";

#[test]
fn a_file_that_is_no_rule_file_is_told_in_few_lines() {
    let text = "a\n".repeat(50_000);
    let told = findings(&text);
    assert_eq!(told.len(), 101);
    assert!(
        told[100].contains("more faults than these 100"),
        "{}",
        told[100]
    );
}

#[test]
fn tracked_facts_have_words_of_their_own() {
    let fact =
        |name: &str, more: &str| format!("tracked {name}(x:any)\n  means: m\n  set: on(x)\n{more}");
    let told = |more: &str| findings(&fact("mine", more)).join("\n");
    assert_eq!(told("  written: MINE\n"), "");
    assert!(told("  written: HOT\n").contains("hot is already written HOT"));
    assert!(told("  written: OPEN\n").contains("a state or relation"));
    assert!(told("  written: A B & !\n").contains("is no word"));
    assert!(told("  lasts: 0\n").contains("would never hold"));
}
