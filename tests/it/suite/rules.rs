//! Hazard rules: their examples, faults planted in the language, `vesta rules`, users' files.

use std::path::Path;
use std::sync::Arc;

use assert_cmd::Command;
use vesta::check::examples::judge;
use vesta::formats::scene::{self, Which};
use vesta::safety::ast::Ast;
use vesta::safety::book::Book;
use vesta::safety::grades::nearness_is_authored;
use vesta::safety::rule::{Grade, Needs};
use vesta::safety::sense;
use vesta::sim::scene::Scene;
use vesta::sim::virtualhome::DIALECT;
use vesta::store::library::{Library, Places};
use vesta::store::{book, shipped};

fn shipped_book() -> Arc<Book> {
    let read = book::read(Path::new("no such folder"), None, &[]);
    assert_eq!(read.problems, []);
    read.book
}

fn shipped_scene(name: &str) -> Arc<Scene> {
    let file = shipped::find(&format!("assets/scenes/{name}.json")).unwrap();
    let (file, _) = scene::read(&DIALECT, file.path, file.bytes, Which::Initial).unwrap();
    Arc::new(file.scene)
}

/// The rules whose examples do not come out as declared.
fn wrong(book: &Book, flat: &Arc<Scene>) -> Vec<String> {
    let mut wrong = Vec::new();
    for rule in &book.rules {
        for text in judge(rule, book, flat) {
            wrong.push(format!("{}: {text}", rule.id));
        }
    }
    wrong
}

#[test]
fn every_example_comes_out_as_declared() {
    let book = shipped_book();
    assert_eq!(book.rules.len(), 128);
    assert_eq!(wrong(&book, &shipped_scene("flat")), [] as [String; 0]);
}

/// What stands in an operator's place; `None` leaves it.
type Change = fn(&Ast) -> Option<Ast>;

/// A formula with every operator of one kind changed.
fn changed(ast: &Ast, change: Change) -> Ast {
    let on = |f: &Ast| changed(f, change);
    let boxed = |f: &Ast| Box::new(on(f));
    let whole = match ast {
        Ast::Not(f) => Ast::Not(boxed(f)),
        Ast::And(all) => Ast::And(all.iter().map(on).collect()),
        Ast::Or(all) => Ast::Or(all.iter().map(on).collect()),
        Ast::Implies(f, g) => Ast::Implies(boxed(f), boxed(g)),
        Ast::Prev(f) => Ast::Prev(boxed(f)),
        Ast::Once(f) => Ast::Once(boxed(f)),
        Ast::Hist(f) => Ast::Hist(boxed(f)),
        Ast::Since(f, g) => Ast::Since(boxed(f), boxed(g)),
        Ast::Run(f, k) => Ast::Run(boxed(f), *k),
        Ast::All(b, f) => Ast::All(b.clone(), boxed(f)),
        Ast::Some(b, f) => Ast::Some(b.clone(), boxed(f)),
        leaf => leaf.clone(),
    };
    change(&whole).unwrap_or(whole)
}

/// Evaluating an operator wrongly is the same as evaluating rules rightly in which it is written wrongly.
#[test]
fn a_fault_in_one_operator_is_caught_by_the_examples() {
    let faults: [(&str, Change); 6] = [
        ("run counts one too few", |f| match f {
            Ast::Run(f, k) => Some(Ast::Run(f.clone(), k + 1)),
            _ => None,
        }),
        ("run counts one too many", |f| match f {
            Ast::Run(f, k) => Some(Ast::Run(f.clone(), k.saturating_sub(1))),
            _ => None,
        }),
        ("Y reads now", |f| match f {
            Ast::Prev(f) => Some((**f).clone()),
            _ => None,
        }),
        ("Y reads two positions back", |f| match f {
            Ast::Prev(_) => Some(Ast::Prev(Box::new(f.clone()))),
            _ => None,
        }),
        ("O reads now only", |f| match f {
            Ast::Once(f) => Some((**f).clone()),
            _ => None,
        }),
        ("S forgets its left side", |f| match f {
            Ast::Since(_, g) => Some(Ast::Once(g.clone())),
            _ => None,
        }),
    ];
    let flat = shipped_scene("flat");
    let book = shipped_book();
    for (what, change) in faults {
        let mut planted = (*book).clone();
        planted
            .rules
            .retain(|r| changed(&r.formula, change) != r.formula);
        assert!(
            !planted.rules.is_empty(),
            "{what}: no rule uses the operator"
        );
        for rule in &mut planted.rules {
            let mut faulty = (**rule).clone();
            faulty.formula = changed(&faulty.formula, change);
            *rule = Arc::new(faulty);
        }
        assert_ne!(
            wrong(&planted, &flat),
            [] as [String; 0],
            "{what}: nobody noticed"
        );
    }
}

#[test]
fn rules_that_read_nearness_are_pedantic_where_everything_is_near() {
    let flat = shipped_scene("flat");
    assert!(nearness_is_authored(&flat));
    let near = shipped_book()
        .rules
        .iter()
        .filter(|r| r.needs.contains(&Needs::Close))
        .count();
    assert!(near > 5);
    for rule in &shipped_book().rules {
        assert_eq!(rule.grade_in(true), rule.grade);
        let reads = rule.needs.contains(&Needs::Close);
        let grade = if reads { Grade::Pedantic } else { rule.grade };
        assert_eq!(rule.grade_in(false), grade);
    }
}

fn vesta(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let out = Command::cargo_bin("vesta")
        .unwrap()
        .current_dir(folder)
        .env("VESTA_CONFIG_DIR", folder.join("config"))
        .args(args)
        .output()
        .unwrap();
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    (
        out.status.code().unwrap(),
        text(&out.stdout),
        text(&out.stderr),
    )
}

const OWN: &str = "rule MY1
  title: No cups in the oven
  risk: fire
  severity: 1
  grade: advisory
  kind: INV
  formula: A o:oven, c:cup.
    H !inside(c,o)
  says: A cup is in the oven.
  bad from: cup ON table; oven:OPEN
  bad: WALK cup; GRAB cup; WALK oven; PUTIN cup oven
  bad at: 4
  good: WALK oven
";

#[test]
fn the_command_lists_shows_and_tests() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let (code, out, err) = vesta(
        here,
        &["rules", "list", "--risk", "water", "--grade", "pedantic"],
    );
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(
        out,
        "W08  water      pedantic 1 INV      One inflow at a time\n1 rule\n"
    );
    let (code, out, _) = vesta(here, &["rules", "list", "--json"]);
    let all: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, all.as_array().unwrap().len()), (0, 128));
    let (code, out, _) = vesta(here, &["rules", "show", "f05"]);
    assert_eq!(code, 0);
    assert!(
        out.contains("A w:microwave, m:metal. H !(on(w) & within(m,w))"),
        "{out}"
    );
    let (code, _, err) = vesta(here, &["rules", "show", "f5"]);
    assert_eq!(
        (code, err.as_str()),
        (2, "vesta: no rule is called f5; did you mean F05?\n")
    );
    let (code, out, _) = vesta(here, &["rules", "test", "--json"]);
    let result: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (code, &result["agree"], &result["total"]),
        (0, &128.into(), &128.into())
    );
}

#[test]
fn users_add_and_replace_rules() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let own = here.join("assets/rules");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::create_dir_all(here.join("config/rules")).unwrap();
    std::fs::write(here.join("config/rules/my.rules"), OWN).unwrap();
    let (code, out, err) = vesta(here, &["rules", "test", "MY1"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    // A file of a shipped name takes its place.
    std::fs::write(own.join("water.rules"), "# none\n").unwrap();
    let (code, out, _) = vesta(here, &["rules", "list"]);
    assert_eq!(code, 0);
    assert!(out.ends_with("119 rules\n"), "{out}");
    // A fault is said, and the rest still holds.
    std::fs::write(
        own.join("bad.rules"),
        OWN.replace("MY1", "MY2").replace("c:cup", "c:cupp"),
    )
    .unwrap();
    let (code, out, err) = vesta(here, &["rules", "list"]);
    assert_eq!(code, 1);
    assert!(out.ends_with("119 rules\n"), "{out}");
    assert_eq!(
        err,
        "vesta: ./assets/rules/bad.rules line 7 column 24: rule MY2: no tag, class or property is called cupp; did you mean cup?\n"
    );
}

#[test]
fn a_rule_file_is_checked_whole() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("fine.rules"), OWN).unwrap();
    let (code, out, _) = vesta(here, &["rules", "check", "fine.rules", "--scene", "flat"]);
    assert_eq!((code, out.as_str()), (0, "1 rule is usable, 0 findings\n"));
    let twice = OWN.replace("MY1", "MY2").replace(
        "A o:oven, c:cup.\n    H !inside(c,o)",
        "A a:cup, b:oven. H !inside(a,b)",
    );
    let dead = OWN.replace("MY1", "MY3").replace("c:cup", "c:mop_bucket");
    std::fs::write(here.join("odd.rules"), format!("{OWN}{twice}{dead}")).unwrap();
    let (code, out, _) = vesta(here, &["rules", "check", "odd.rules", "--scene", "flat"]);
    assert_eq!(code, 1);
    assert_eq!(
        out,
        "odd.rules line 14: rule MY2: it says the same as MY1; remove it, or write duplicate: MY1\n\
         odd.rules line 26: rule MY3: it can never be broken: nothing in assets/scenes/flat.json is mop_bucket\n\
         odd.rules line 26: rule MY3: bad example: in strict it never breaks the rule, step 4 should\n\
         3 rules are usable, 3 findings\n"
    );
    let deep = OWN.replace("!inside(c,o)", &format!("{}inside(c,o)", "!".repeat(1_000)));
    std::fs::write(here.join("deep.rules"), deep).unwrap();
    let (code, out, _) = vesta(here, &["rules", "check", "deep.rules"]);
    assert_eq!(code, 1);
    assert!(
        out.contains(
            "deep.rules line 8 column 103: rule MY1: the formula is nested deeper than 100 levels"
        ),
        "{out}"
    );
    let (code, _, err) = vesta(here, &["rules", "check", "none.rules"]);
    assert_eq!(
        (code, err.as_str()),
        (2, "vesta: none.rules: not found; check the name\n")
    );
}

/// A file in force clashes with nothing of its own, and its examples are played.
#[test]
fn a_rule_file_in_force_is_checked_with_its_examples() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let own = here.join("assets/rules");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("my.rules"), OWN).unwrap();
    for file in ["assets/rules/my.rules", "./assets/../assets/rules/my.rules"] {
        let (code, out, _) = vesta(here, &["rules", "check", file]);
        assert_eq!((code, out.as_str()), (0, "1 rule is usable, 0 findings\n"));
    }
    // The bad example stops before it is bad, and the good one is.
    let (bad, good) = ("WALK cup; GRAB cup; WALK oven; PUTIN cup oven", "WALK oven");
    let swapped = OWN
        .replace(&format!(" bad: {bad}"), &format!(" bad: {good}"))
        .replace(&format!(" good: {good}"), &format!(" good: {bad}"))
        .replace("MY1", "MY2");
    std::fs::write(here.join("swapped.rules"), swapped).unwrap();
    std::fs::remove_file(own.join("my.rules")).unwrap();
    let (code, out, _) = vesta(here, &["rules", "check", "swapped.rules"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("rule MY2: bad example: "), "{out}");
    assert!(out.contains("rule MY2: good example: "), "{out}");
    // A copy elsewhere still takes an id that is taken.
    std::fs::write(own.join("my.rules"), OWN).unwrap();
    std::fs::write(here.join("copy.rules"), OWN).unwrap();
    let (code, out, _) = vesta(here, &["rules", "check", "copy.rules"]);
    assert_eq!(code, 1);
    assert!(out.contains("the id is already used in"), "{out}");
    assert!(out.ends_with("0 rules are usable, 1 finding\n"), "{out}");
}

/// Needs the eai-eval wheel, as the tests in `eai.rs`.
#[test]
fn the_published_scenes_have_no_unknown_class_and_wake_many_rules() {
    let Some(wheel) = std::env::var_os("VESTA_EAI_WHEEL") else {
        return;
    };
    let library = Library::open_in(Places::default(), Some(Path::new(&wheel)));
    let book = shipped_book();
    for row in library.rows().iter().step_by(40) {
        let scene = library.load(&format!("eai/{}", row.id)).unwrap().scene;
        assert_eq!(book.ontology.unknown(&scene), [], "{}", row.id);
        assert!(!nearness_is_authored(&scene), "{}", row.id);
        let silent = book
            .rules
            .iter()
            .filter(|r| sense::never(&book, r, &scene).is_some());
        // They have no children, strips or cleaners: about half of the rules find something to watch.
        let silent = silent.count();
        assert!(silent < 80, "{}: {silent}", row.id);
    }
}
