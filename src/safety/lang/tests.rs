//! Formulas survive being printed and read; no text makes the readers panic or exhaust the stack.

use proptest::prelude::*;

use super::lexer::Piece;
use super::parse;
use crate::safety::ast::{Ast, Binder, Name, Span};
use crate::safety::book::Book;
use crate::safety::testing::FILES;

const HERE: Span = Span { line: 1, column: 1 };

fn read(text: &str) -> Result<Ast, String> {
    let piece = Piece { span: HERE, text };
    parse::formula(&[piece], HERE).map_err(|d| d.to_string())
}

fn name(text: &str) -> Name {
    Name {
        text: text.to_owned(),
        span: HERE,
    }
}

/// The formula with every place forgotten.
fn placeless(ast: &Ast) -> Ast {
    let names = |all: &[Name]| all.iter().map(|n| name(&n.text)).collect();
    let binders = |all: &[Binder]| {
        let one = |b: &Binder| Binder {
            var: name(&b.var.text),
            guards: names(&b.guards),
        };
        all.iter().map(one).collect()
    };
    let boxed = |f: &Ast| Box::new(placeless(f));
    let all = |fs: &[Ast]| fs.iter().map(placeless).collect();
    match ast {
        Ast::True => Ast::True,
        Ast::Start => Ast::Start,
        Ast::End => Ast::End,
        Ast::Same(a, b) => Ast::Same(name(&a.text), name(&b.text)),
        Ast::Fact(n, args) => Ast::Fact(name(&n.text), names(args)),
        Ast::Act(verbs, args) => Ast::Act(names(verbs), names(args)),
        Ast::Not(f) => Ast::Not(boxed(f)),
        Ast::And(fs) => Ast::And(all(fs)),
        Ast::Or(fs) => Ast::Or(all(fs)),
        Ast::Implies(f, g) => Ast::Implies(boxed(f), boxed(g)),
        Ast::Prev(f) => Ast::Prev(boxed(f)),
        Ast::Once(f) => Ast::Once(boxed(f)),
        Ast::Hist(f) => Ast::Hist(boxed(f)),
        Ast::Since(f, g) => Ast::Since(boxed(f), boxed(g)),
        Ast::Run(f, k) => Ast::Run(boxed(f), *k),
        Ast::All(bs, f) => Ast::All(binders(bs), boxed(f)),
        Ast::Some(bs, f) => Ast::Some(binders(bs), boxed(f)),
    }
}

fn words() -> impl Strategy<Value = Name> {
    prop::sample::select(vec!["x", "y1", "hot", "me", "a_b", "GRAB"]).prop_map(name)
}

fn formulas() -> impl Strategy<Value = Ast> {
    let several = |most| prop::collection::vec(words(), 1..most);
    let leaf = prop_oneof![
        Just(Ast::True),
        Just(Ast::Start),
        Just(Ast::End),
        (words(), words()).prop_map(|(a, b)| Ast::Same(a, b)),
        (words(), prop::collection::vec(words(), 0..3)).prop_map(|(n, a)| Ast::Fact(n, a)),
        (several(3), prop::collection::vec(words(), 0..3)).prop_map(|(v, a)| Ast::Act(v, a)),
    ];
    leaf.prop_recursive(6, 40, 3, move |inner| {
        let many = prop::collection::vec(inner.clone(), 2..4);
        let one = || inner.clone().prop_map(Box::new);
        let binder = (words(), several(3)).prop_map(|(var, guards)| Binder { var, guards });
        let binders = prop::collection::vec(binder, 1..3).boxed();
        prop_oneof![
            one().prop_map(Ast::Not),
            many.clone().prop_map(Ast::And),
            many.prop_map(Ast::Or),
            (one(), one()).prop_map(|(a, b)| Ast::Implies(a, b)),
            one().prop_map(Ast::Prev),
            one().prop_map(Ast::Once),
            one().prop_map(Ast::Hist),
            (one(), one()).prop_map(|(a, b)| Ast::Since(a, b)),
            (one(), 0_u32..50).prop_map(|(f, k)| Ast::Run(f, k)),
            (binders.clone(), one()).prop_map(|(b, f)| Ast::All(b, f)),
            (binders, one()).prop_map(|(b, f)| Ast::Some(b, f)),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(ast in formulas()) {
        let text = ast.to_string();
        let again = read(&text).map_err(TestCaseError::fail)?;
        prop_assert_eq!(placeless(&again), ast, "{}", text);
    }

    #[test]
    fn no_text_is_too_odd(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = read(&text);
        let _ = Book::load(&[("a.rules", &text), ("b.ont", &text)]);
    }

    /// The same for texts that look like rules: shipped files with pieces cut out and put elsewhere.
    #[test]
    fn no_torn_file_is_too_odd(
        (file, text) in prop::sample::select(FILES),
        from in 0_usize..20_000, length in 0_usize..400, to in 0_usize..20_000,
    ) {
        let mut chars: Vec<char> = text.chars().take(3_000).collect();
        let (from, to) = (from % chars.len(), to % chars.len());
        let end = (from + length).min(chars.len());
        let cut: Vec<char> = chars.drain(from..end).collect();
        let at = to.min(chars.len());
        chars.splice(at..at, cut);
        let torn: String = chars.into_iter().collect();
        let _ = Book::load(&[(file, &torn)]);
    }
}

#[test]
fn operators_bind_as_the_manual_says() {
    let same = |a: &str, b: &str| {
        assert_eq!(
            read(a).map(|f| placeless(&f)),
            read(b).map(|f| placeless(&f))
        );
    };
    same("a -> b -> c", "a -> (b -> c)");
    same("a | b & c S d", "a | (b & (c S d))");
    same("a S b S c", "(a S b) S c");
    same("!a & Y b | c", "((!a) & (Y b)) | c");
    same("a & E x:g. b | c -> d", "a & (E x:g. ((b | c) -> d))");
    same("Y !O H a", "Y (!(O (H (a))))");
    same("x!=y", "!(x=y)");
}

#[test]
fn deep_formulas_end_in_a_sentence() {
    for deep in [
        format!("{}true{}", "(".repeat(1_000), ")".repeat(1_000)),
        format!("{}true", "!".repeat(1_000)),
        format!("{}true", "Y ".repeat(1_000)),
        format!("{}true", "true -> ".repeat(1_000)),
        format!("{}true", "E x:any. ".repeat(1_000)),
        format!("{}true{}", "run(".repeat(1_000), ") <= 1".repeat(1_000)),
    ] {
        let why = read(&deep).unwrap_err();
        assert!(why.contains("nested deeper than 100 levels"), "{why}");
    }
    let why = read(&format!("true{}", " S true".repeat(1_000))).unwrap_err();
    assert!(why.contains("more than 10 S in a row"), "{why}");
    // Breadth is no depth.
    let wide = read(&format!("true{}", " & true".repeat(10_000))).unwrap();
    assert!(matches!(wide, Ast::And(all) if all.len() == 10_001));
    // As deep as allowed: reading, copying, comparing, printing and dropping it is fine.
    let deepest = read(&format!("{}true", "!".repeat(98))).unwrap();
    assert_eq!(deepest.clone(), deepest);
    assert_eq!(
        read(&deepest.to_string()).map(|f| placeless(&f)),
        Ok(placeless(&deepest))
    );
}
