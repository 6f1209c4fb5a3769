//! What rules may cost in the shipped scenes.

use super::{scene, too_wide};
use crate::safety::book::Book;
use crate::store::book;

/// A sound rule block around a formula.
fn rule(id: &str, formula: &str) -> String {
    format!(
        "rule {id}\n  title: T\n  risk: fire\n  severity: 2\n  grade: core\n  kind: INV\n  formula: {formula}\n  \
         says: S.\n  bad from: fork IN bowl\n  bad: WALK microwave\n  bad at: 1\n  good: WALK microwave\n"
    )
}

fn with(text: &str) -> std::sync::Arc<Book> {
    let more = [("own.rules".to_owned(), text.to_owned())];
    let read = book::read(std::path::Path::new("nowhere"), None, &more);
    let problems: Vec<String> = read.problems.iter().map(ToString::to_string).collect();
    assert!(problems.is_empty(), "{problems:?}");
    read.book
}

#[test]
fn shipped_rules_are_far_below_the_budget() {
    for name in ["flat", "studio", "nook", "house"] {
        let costly = too_wide(&with(""), &scene(name).unwrap()).unwrap();
        let costly: Vec<String> = costly.iter().map(ToString::to_string).collect();
        assert_eq!(costly, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_rule_that_would_freeze_a_scene_is_left_out_and_told() {
    let text = [
        rule("MY1", "H !(E a:any, b:any, c:any. near(a,b) S near(b,c))"),
        rule("MY2", "A a:any, b:any, c:any. H !(near(a,b) S near(b,c))"),
        rule(
            "MY3",
            "A a:any, b:any, c:any, d:any. H !(near(a,b) & near(c,d))",
        ),
        rule("MY4", "A a:any, b:any. H !(near(a,b) & on(b))"),
    ];
    let costly = too_wide(&with(&text.concat()), &scene("flat").unwrap()).unwrap();
    let told: Vec<String> = costly.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 3, "{told:?}");
    for (d, line) in told.iter().zip([1, 13, 25]) {
        assert!(
            d.starts_with(&format!("own.rules line {line}: rule MY")),
            "{d}"
        );
        assert!(d.contains("it is not used in"), "{d}");
        assert!(d.ends_with("narrower guards"), "{d}");
    }
}
