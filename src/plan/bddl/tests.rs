//! Formulas as text, what they mean in a scene, and the three verdicts.

use std::sync::Arc;

use pretty_assertions::assert_eq;
use proptest::prelude::*;

use crate::plan::bddl::sexp::{DEEPEST, Word};
use crate::plan::bddl::{Bound, Formula, Pairing, Reading, Scope, Term, Typed, parse};
use crate::plan::goal::{Ask, Goal};
use crate::safety::book::Book;
use crate::sim::behavior;
use crate::sim::behavior::words::{prop as mark, rel, state};
use crate::sim::graph::Graph;
use crate::sim::scene::{Edge, Node, Scene};
use crate::sim::testing;
use crate::sim::vocab::{Ix, NodeId, Profile, Prop};
use crate::sim::world::World;

/// A scene with the agent and so many objects of these types; `inside` names pairs by number, agent first.
fn house(objects: &[(&str, usize)], inside: &[(i64, i64)]) -> Scene {
    let mut nodes = vec![Node::new(0, "agent")];
    for (category, count) in objects {
        let class = category.split('.').next().unwrap();
        for i in 0..*count {
            let mut node = Node::new(i64::try_from(nodes.len()).unwrap(), class);
            node.title = Some(format!("{class}_{i}").into());
            node.category = Some((*category).into());
            node.props = node.props.with(Prop(state::DUSTY.0));
            nodes.push(node);
        }
    }
    let edges = inside.iter().map(|&(from, to)| Edge {
        from: NodeId(from),
        rel: rel::INSIDE,
        to: NodeId(to),
    });
    Scene::new(&behavior::DIALECT, "house", nodes, edges.collect()).unwrap()
}

fn graph(scene: Scene) -> Graph {
    let world = World::new(&Arc::new(scene), Profile::Eai).unwrap();
    world.graph().clone()
}

const PAIRS: &str = "(forpairs (?s - stocking.n.01) (?c - cube.n.05) (inside ?c ?s))";

/// Cubes (1 to 4) in stockings (5 to 8), cube `i` in the `at[i]`-th.
fn stockings(at: [usize; 4]) -> Scene {
    let inside: Vec<(i64, i64)> = (0..4_i64)
        .zip(at)
        .map(|(i, at)| (i + 1, i64::try_from(at).unwrap() + 5))
        .collect();
    house(&[("cube.n.05", 4), ("stocking.n.01", 4)], &inside)
}

fn permutations() -> Vec<[usize; 4]> {
    let mut all = Vec::new();
    for n in 0..256 {
        let p = [n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6];
        if (0..4).all(|i| p.contains(&i)) {
            all.push(p);
        }
    }
    all
}

#[test]
fn of_24_ways_to_fill_four_stockings_ten_pass_the_published_verdict() {
    let mut passed = 0;
    for at in permutations() {
        let scene = stockings(at);
        let bound = Bound::read(&scene, PAIRS).unwrap();
        let g = graph(scene);
        let verdicts = bound.verdicts(&g);
        assert!(verdicts.logic && verdicts.matching, "{at:?}");
        assert!(bound.clone().counted_by(Reading::Matching).holds(&g));
        let published = verdicts.published.unwrap();
        assert_eq!(bound.holds(&g), published);
        passed += usize::from(published);
        let told = bound.disagreement(&g);
        assert_eq!(told.is_some(), !published, "{at:?}");
        if let Some(told) = told {
            assert_eq!(told.pairs.len(), 4);
            assert!(told.why.contains("stocking_0 with cube_"), "{}", told.why);
            assert!(told.why.contains("does not find this one"), "{}", told.why);
        }
    }
    assert_eq!(passed, 10);
}

#[test]
fn enough_rows_and_columns_are_not_yet_pairs() {
    // Cubes 0 and 1 are in stocking 0, cube 2 in stockings 1 and 2, which no forest allows: so by nearness.
    let mut scene = house(&[("a.n.01", 3), ("b.n.01", 3)], &[]);
    let (name, nodes, _) = scene.into_parts();
    let near = |from, to| Edge {
        from: NodeId(from),
        rel: rel::NEXTTO,
        to: NodeId(to),
    };
    let edges = vec![near(1, 4), near(1, 5), near(2, 6), near(3, 6)];
    scene = Scene::new(&behavior::DIALECT, name, nodes, edges).unwrap();
    let text = "(forpairs (?a - a.n.01) (?b - b.n.01) (nextto ?a ?b))";
    let bound = Bound::read(&scene, text).unwrap();
    let g = graph(scene.clone());
    let verdicts = bound.verdicts(&g);
    assert_eq!(verdicts.published, Some(false));
    assert!(verdicts.logic && !verdicts.matching);
    let told = bound.disagreement(&g).unwrap();
    assert!(told.why.contains("2 of 3 pairs"), "{}", told.why);
    assert!(told.why.contains("some partner"), "{}", told.why);
    assert_eq!(told.open.len(), 1);
    let two = "(fornpairs (2) (?a - a.n.01) (?b - b.n.01) (nextto ?a ?b))";
    let verdicts = Bound::read(&scene, two).unwrap().verdicts(&g);
    assert!(verdicts.logic && verdicts.matching);
    let four = "(fornpairs (4) (?a - a.n.01) (?b - b.n.01) (nextto ?a ?b))";
    let wrong = Bound::read(&scene, four).unwrap_err().to_string();
    assert!(
        wrong.contains("4 pairs are wanted, and there are 3 at most"),
        "{wrong}"
    );
}

#[test]
fn the_published_forn_takes_more_and_logic_exactly_so_many() {
    let scene = house(
        &[("plate.n.04", 4), ("sink.n.01", 1)],
        &[(1, 5), (2, 5), (3, 5)],
    );
    let g = graph(scene.clone());
    let verdicts = |n: usize| {
        let text = format!("(forn ({n}) (?p - plate.n.04) (inside ?p ?sink.n.01_1))");
        let bound = Bound::read(&scene, &text).unwrap();
        let v = bound.verdicts(&g);
        (v.published, v.logic, v.matching)
    };
    assert_eq!(verdicts(4), (Some(false), false, false));
    assert_eq!(verdicts(3), (Some(true), true, true));
    assert_eq!(verdicts(2), (Some(true), false, false));
    assert_eq!(verdicts(0), (Some(true), false, false));
    assert_eq!(verdicts(5), (Some(false), false, false));
    let bound = Bound::read(&scene, "(forn (2) (?p - plate.n.04) (inside ?p sink_0))").unwrap();
    let why = bound.disagreement(&g).unwrap().why;
    assert!(
        why.contains("it holds of 3, and exactly 2 are asked for"),
        "{why}"
    );
}

#[test]
fn quantified_goals_tell_how_far_they_have_come() {
    let scene = house(&[("plate.n.04", 4), ("sink.n.01", 1)], &[(1, 5), (3, 5)]);
    let g = graph(scene.clone());
    let bound = |text: &str| Bound::read(&scene, text).unwrap();
    let every = bound("(forall (?plate.n.04 - plate.n.04) (inside ?plate.n.04 ?sink_0))");
    let progress = every.progress(&g).unwrap();
    assert_eq!(progress.text(), "2 of 4 plates");
    let open: Vec<&str> = progress.open_names(&scene).collect();
    assert_eq!(open, ["plate_1", "plate_3"]);
    assert_eq!(every.missing(&g).len(), 2);
    assert_eq!(every.conjunction().unwrap().len(), 4);
    assert_eq!(every.words(), "every plate inside sink_0");
    let some = bound("(exists (?s - sink.n.01) (forall (?p - plate.n.04) (inside ?p ?s)))");
    assert_eq!(some.progress(&g).unwrap().text(), "2 of 4 plates");
    assert_eq!(some.words(), "some sink: every plate inside sink");
    assert_eq!(bound("(not (dusty ?sink_0))").progress(&g), None);
    let pairs = bound("(forpairs (?p - plate.n.04) (?s - sink.n.01) (inside ?p ?s))");
    assert_eq!(pairs.progress(&g).unwrap().text(), "1 of 1 plate pair");
}

#[test]
fn words() {
    let scene = house(&[("plate.n.04", 2), ("hot_tub.n.02", 1)], &[]);
    for (text, words) in [
        ("(not (dusty ?hot_tub.n.02_1))", "hot_tub_0 not dusty"),
        (
            "(forall (?x - plate.n.04) (not (dusty ?x)))",
            "every plate not dusty",
        ),
        (
            "(not (exists (?x - plate.n.04) (dusty ?x)))",
            "no plate dusty",
        ),
        (
            "(exists (?x - plate.n.04) (nextto ?x hot_tub_0))",
            "some plate next to hot_tub_0",
        ),
        (
            "(forall (?x - plate.n.04) (exists (?y - hot_tub.n.02) (ontop ?x ?y)))",
            "every plate on some hot tub",
        ),
        (
            "(forall (?x - plate.n.04) (or (dusty ?x) (ontop ?x hot_tub_0)))",
            "every plate: (plate dusty or plate on hot_tub_0)",
        ),
        (
            "(imply (dusty plate_0) (and (dusty plate_1) (dusty hot_tub_0)))",
            "if plate_0 dusty then (plate_1 dusty and hot_tub_0 dusty)",
        ),
        (
            "(forpairs (?x - plate.n.04) (?y - hot_tub.n.02) (inside ?x ?y))",
            "each pair of plate and hot tub: plate inside hot tub",
        ),
    ] {
        assert_eq!(Bound::read(&scene, text).unwrap().words(), words, "{text}");
    }
}

#[test]
fn what_a_scene_does_not_have_is_told_with_its_place() {
    let mut scene = house(&[("plate.n.04", 2), ("sink.n.01", 1)], &[]);
    let mut part = Node::new(9, "plate");
    part.title = Some("plate_0_part_0".into());
    part.category = Some("plate.n.04".into());
    part.props = part.props.with(mark::PART);
    let (name, mut nodes, edges) = scene.into_parts();
    nodes.push(part);
    scene = Scene::new(&behavior::DIALECT, name, nodes, edges).unwrap();
    let all = Bound::read(&scene, "(forall (?x - plate.n.04) (dusty ?x))").unwrap();
    assert_eq!(all.atoms().len(), 2, "parts are in no quantifier");
    let wrong = |text: &str| Bound::read(&scene, text).unwrap_err().to_string();
    for (text, message) in [
        (
            "(dusty ?sinc_0)",
            "line 1 column 8: no object is called sinc_0; did you mean sink_0?",
        ),
        ("(dusty ?agent.n.01_1)", "no object is called agent.n.01_1"),
        (
            "(forall\n (?x - plat.n.04) (dusty ?x))",
            "line 2 column 8: no object of this scene is of type plat.n.04; did you mean plate.n.04?",
        ),
        (
            "(insid plate_0 sink_0)",
            "line 1 column 2: unknown predicate insid; did you mean inside?",
        ),
        (
            "(burnt plate_0)",
            "the world behavior cannot judge burnt, so this goal can be neither met nor missed",
        ),
        ("(touching plate_0 sink_0)", "cannot judge touching"),
        ("(inroom plate_0 kitchen)", "cannot judge inroom"),
        ("(holds_rh plate_0 sink_0)", "unknown predicate holds_rh"),
        ("(lost plate_0)", "unknown predicate lost"),
        (
            "(dusty plate_0 sink_0)",
            "dusty is said of one object, and here are 2",
        ),
        (
            "(inside plate_0)",
            "inside is said of two objects, and here are 1",
        ),
    ] {
        let told = wrong(text);
        assert!(told.contains(message), "{text}: {told}");
        assert!(!told.contains('\n'), "{told}");
    }
}

#[test]
fn too_much_to_write_out_is_refused_or_judged_without_the_expansion() {
    let scene = house(&[("a.n.01", 60), ("b.n.01", 1)], &[]);
    let three =
        "(forall (?x - a.n.01) (forall (?y - a.n.01) (forall (?z - a.n.01) (nextto ?x ?y))))";
    let told = Bound::read(&scene, three).unwrap_err().to_string();
    assert!(told.contains("more than 100000 facts"), "{told}");
    let either = "(or (dusty a_0) (dusty a_1))".repeat(24);
    let bound = Bound::read(&scene, &format!("(and {either})")).unwrap();
    assert_eq!(bound.options(), None);
    let g = graph(scene);
    assert_eq!(bound.verdicts(&g).published, None);
    assert!(!bound.holds(&g));
}

#[test]
fn formulas_are_goals_in_every_dialect() {
    let scene = testing::scene();
    let g = graph(Scene::clone(&scene));
    for (text, holds, words) in [
        ("(open ?box)", true, "box open"),
        ("(not (on lamp.25))", false, "lamp not on"),
        (
            "(and (inside apple box) (on cup ?table.20))",
            true,
            "apple inside box and cup on table",
        ),
        (
            "(forall (?x - plate) (on ?x table))",
            true,
            "every plate on table",
        ),
        (
            "(exists (?x - child) (on ?x bed))",
            false,
            "some child on bed",
        ),
    ] {
        let goal = Goal::read(&scene, &Book::default(), text).unwrap();
        assert_eq!((goal.text.as_str(), goal.words().as_str()), (text, words));
        let Ask::Formula(bound) = &goal.ask else {
            panic!("{text} is no formula");
        };
        assert_eq!(bound.holds(&g), holds, "{text}");
        assert!(!bound.verdicts(&g).differ());
        assert!(!goal.facts().is_empty());
    }
    let wrong = Goal::read(&scene, &Book::default(), "(soaked apple)").unwrap_err();
    assert!(
        wrong.starts_with("line 1 column 2: the world virtualhome cannot judge soaked"),
        "{wrong}"
    );
}

#[test]
fn text_that_is_no_formula_is_one_sentence_with_line_and_column() {
    let nots = "(not ".repeat(1_000_000);
    let closed = format!("{nots}(a b){}", ")".repeat(1_000_000));
    let opened = "(".repeat(1_000_000);
    for (text, message) in [
        ("", "line 1 column 1: there is nothing here"),
        ("; only\n ; words", "there is nothing here"),
        (
            "open x",
            "line 1 column 6: the expression before this was complete",
        ),
        ("open", "line 1 column 1: a formula begins with ("),
        (
            "(and\n  (open x)",
            "line 1 column 1: this ( is never closed",
        ),
        ("(open x))", "line 1 column 9: this ) closes nothing"),
        (
            "(open x) (open y)",
            "line 1 column 10: the expression before this was complete",
        ),
        ("()", "line 1 column 1: these brackets are empty"),
        ("((open x))", "line 1 column 2: a predicate or and,"),
        (
            "(not)",
            "line 1 column 1: not takes a formula, and here are 0",
        ),
        ("(imply (a b))", "imply takes two formulas, and here are 1"),
        (
            "(open)",
            "open is said of one object or of two, and here are 0",
        ),
        ("(open a b c)", "and here are 3"),
        (
            "(open (a))",
            "line 1 column 7: an object is named by a word",
        ),
        ("(open -)", "- names no object"),
        (
            "(forall ?x (open ?x))",
            "line 1 column 9: here a variable and its type are wanted",
        ),
        (
            "(forall (?x plate) (open ?x))",
            "here a variable and its type are wanted",
        ),
        (
            "(forn 2 (?x - a) (open ?x))",
            "line 1 column 7: here a number in brackets is wanted",
        ),
        (
            "(forn (-2) (?x - a) (open ?x))",
            "here a number in brackets is wanted",
        ),
        (
            &nots,
            "line 1 column 501: brackets are nested deeper than 100",
        ),
        (
            &closed,
            "line 1 column 501: brackets are nested deeper than 100",
        ),
        (
            &opened,
            "line 1 column 101: brackets are nested deeper than 100",
        ),
    ] {
        let told = parse(text).unwrap_err().to_string();
        assert!(told.contains(message), "{told}");
        assert!(!told.contains('\n') && told.len() < 300, "{told}");
    }
    let deepest = format!(
        "{}(a b){}",
        "(not ".repeat(DEEPEST - 1),
        ")".repeat(DEEPEST - 1)
    );
    assert!(parse(&deepest).is_ok());
}

#[test]
fn text_is_lower_cased_and_comments_are_no_part_of_it() {
    let read = parse("(AND ; all of it\n (Open ?A.n.01_1);)\n)").unwrap();
    assert_eq!(read.to_string(), "(and (open ?a.n.01_1))");
}

#[test]
fn names_that_stand_for_several_objects_stand_for_none() {
    let mut nodes = vec![Node::new(0, "agent")];
    for id in [1, 2] {
        let mut node = Node::new(id, "cup");
        node.title = Some("cup_0".into());
        nodes.push(node);
    }
    let scene = Scene::new(&behavior::DIALECT, "two", nodes, Vec::new()).unwrap();
    let scope = Scope::new(&scene);
    let told = scope.object(&Word::new("cup_0")).unwrap_err().to_string();
    assert!(told.contains("several objects are called cup_0"), "{told}");
    assert!(scope.object(&Word::new("cup.2")).is_ok());
}

fn word() -> impl Strategy<Value = Word> {
    "[a-z][a-z0-9_.]{0,6}"
        .prop_filter("a keyword", |w| {
            ![
                "and",
                "or",
                "not",
                "imply",
                "forall",
                "exists",
                "forn",
                "forpairs",
                "fornpairs",
            ]
            .contains(&w.as_str())
        })
        .prop_map(|w| Word::new(&w))
}

fn typed() -> impl Strategy<Value = Typed> {
    (word(), word()).prop_map(|(name, category)| Typed { name, category })
}

fn formula() -> impl Strategy<Value = Formula> {
    let term = (word(), any::<bool>()).prop_map(|(name, marked)| Term { name, marked });
    let atom = (word(), proptest::collection::vec(term, 1..3))
        .prop_map(|(predicate, terms)| Formula::Atom { predicate, terms });
    atom.prop_recursive(4, 16, 3, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        let list = proptest::collection::vec(inner, 0..4);
        prop_oneof![
            list.clone().prop_map(Formula::And),
            list.prop_map(Formula::Or),
            boxed.clone().prop_map(Formula::Not),
            (boxed.clone(), boxed.clone()).prop_map(|(a, b)| Formula::Imply(a, b)),
            (typed(), boxed.clone()).prop_map(|(v, f)| Formula::ForAll(v, f)),
            (typed(), boxed.clone()).prop_map(|(v, f)| Formula::Exists(v, f)),
            (any::<u32>(), typed(), boxed.clone()).prop_map(|(n, v, f)| Formula::ForN(n, v, f)),
            (typed(), typed(), boxed.clone()).prop_map(|(a, b, f)| Formula::ForPairs(a, b, f)),
            (any::<u32>(), typed(), typed(), boxed)
                .prop_map(|(n, a, b, f)| Formula::ForNPairs(n, a, b, f)),
        ]
    })
}

/// Formulas over two types of a small scene.
fn spoken() -> impl Strategy<Value = Formula> {
    formula().prop_map(|f| domesticated(f, &mut Vec::new()))
}

/// The same shape with words the scene has.
fn domesticated(f: Formula, open: &mut Vec<Word>) -> Formula {
    let mut pick = |v: Typed| {
        let category = if v.category.text.len().is_multiple_of(2) {
            "a.n.01"
        } else {
            "b.n.01"
        };
        open.push(v.name.clone());
        Typed {
            name: v.name,
            category: Word::new(category),
        }
    };
    match f {
        Formula::Atom { terms, .. } => {
            let name = |i: usize| {
                let n = terms.get(i).map_or(0, |t| t.name.text.len());
                open.get(n % (open.len() + 1))
                    .cloned()
                    .unwrap_or_else(|| Word::new("a_0"))
            };
            let term = |i| Term {
                name: name(i),
                marked: true,
            };
            let (predicate, terms) = if terms.len() == 1 {
                ("dusty", vec![term(0)])
            } else {
                ("inside", vec![term(0), term(1)])
            };
            Formula::Atom {
                predicate: Word::new(predicate),
                terms,
            }
        }
        Formula::And(all) => Formula::And(
            all.into_iter()
                .map(|f| domesticated(f, &mut open.clone()))
                .collect(),
        ),
        Formula::Or(all) => Formula::Or(
            all.into_iter()
                .map(|f| domesticated(f, &mut open.clone()))
                .collect(),
        ),
        Formula::Not(f) => Formula::Not(Box::new(domesticated(*f, open))),
        Formula::Imply(a, b) => Formula::Imply(
            Box::new(domesticated(*a, &mut open.clone())),
            Box::new(domesticated(*b, &mut open.clone())),
        ),
        Formula::ForAll(v, f) => {
            let v = pick(v);
            Formula::ForAll(v, Box::new(domesticated(*f, open)))
        }
        Formula::Exists(v, f) => {
            let v = pick(v);
            Formula::Exists(v, Box::new(domesticated(*f, open)))
        }
        Formula::ForN(n, v, f) => {
            let v = pick(v);
            Formula::ForN(n % 4, v, Box::new(domesticated(*f, open)))
        }
        Formula::ForPairs(a, b, f) | Formula::ForNPairs(_, a, b, f) => {
            let (a, b) = (pick(a), pick(b));
            Formula::ForPairs(a, b, Box::new(domesticated(*f, open)))
        }
    }
}

proptest! {
    #[test]
    fn what_is_printed_is_read_as_it_was(f in formula()) {
        prop_assert_eq!(parse(&f.to_string()).unwrap(), f);
    }

    #[test]
    fn any_text_is_read_or_refused_with_a_place(text in "[()a?;\\- \nnot]{0,60}") {
        if let Err(d) = parse(&text) {
            prop_assert!(d.line.is_some() && d.column.is_some());
        }
    }

    /// Denying a formula denies the verdicts of logic; and a conjunction has one verdict whoever judges.
    #[test]
    fn verdicts_fit_each_other(f in spoken(), inside in proptest::collection::vec((1i64..4, 4i64..6), 0..4)) {
        let mut seen = Vec::new();
        let inside: Vec<(i64, i64)> = inside
            .into_iter()
            .filter(|(a, _)| !seen.contains(a) && { seen.push(*a); true })
            .collect();
        let scene = house(&[("a.n.01", 3), ("b.n.01", 2)], &inside);
        let g = graph(scene.clone());
        let denied = Formula::Not(Box::new(f.clone()));
        let scope = Scope::new(&scene);
        if let (Ok(one), Ok(other)) = (Bound::new(&scope, f), Bound::new(&scope, denied)) {
            let (v, w) = (one.verdicts(&g), other.verdicts(&g));
            prop_assert_ne!(v.logic, w.logic);
            prop_assert_ne!(v.matching, w.matching);
            if one.conjunction().is_some() {
                prop_assert!(!v.differ());
            }
            prop_assert_eq!(one.disagreement(&g).is_some(), v.differ());
            if v.published == Some(true) {
                prop_assert!(one.missing(&g).is_empty());
            }
        }
    }
}

#[test]
fn the_ways_to_share_things_out_are_counted_without_a_state() {
    let scene = stockings([0, 1, 2, 3]);
    let ways = Bound::read(&scene, PAIRS).unwrap().pairings().unwrap();
    assert_eq!((ways.all, ways.passing), (24, 10));
    let named = |way: &Pairing| -> Vec<String> {
        let name = |ix| scene.short_name(ix);
        way.pairs
            .iter()
            .map(|&(a, b)| format!("{} {}", name(a), name(b)))
            .collect()
    };
    let (pass, fail) = (ways.pass.unwrap(), ways.fail.unwrap());
    assert_eq!(
        named(&pass),
        [
            "stocking_0 cube_0",
            "stocking_1 cube_1",
            "stocking_2 cube_2",
            "stocking_3 cube_3"
        ]
    );
    // Each is what it says: a state of just these facts passes, or does not.
    for (way, passes) in [(pass, true), (fail, false)] {
        assert_eq!(way.facts.len(), 4);
        let mut at = [0; 4];
        for (stocking, cube) in &way.pairs {
            let number = |ix: Ix| {
                scene
                    .short_name(ix)
                    .rsplit('_')
                    .next()
                    .unwrap()
                    .parse()
                    .unwrap()
            };
            let (stocking, cube): (usize, usize) = (number(*stocking), number(*cube));
            at[cube] = stocking;
        }
        let told = stockings(at);
        let verdicts = Bound::read(&told, PAIRS).unwrap().verdicts(&graph(told));
        assert_eq!(verdicts.published, Some(passes), "{at:?}");
        assert!(verdicts.matching);
    }
    for other in [
        "(forall (?c - cube.n.05) (inside ?c ?stocking_0))",
        "(open ?stocking_0)",
    ] {
        assert_eq!(
            Bound::read(&scene, other).ok().and_then(|b| b.pairings()),
            None
        );
    }
}
