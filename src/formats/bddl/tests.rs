//! Problem files: read, printed, held against themselves, a hierarchy and a world.

use pretty_assertions::assert_eq;

use crate::formats::bddl::hierarchy::Hierarchy;
use crate::formats::bddl::package::{hierarchy, problems};
use crate::formats::bddl::{Problem, read};
use crate::sim::{behavior, virtualhome};

const TEA: &str = "; An activity.
(define (problem Making_Tea_0)
  (:domain igibson)
  (:objects
    cup.n.01_1 cup.n.01_2 - cup.n.01
    stove.n.01_1 - stove.n.01
    agent.n.01_1 - agent.n.01)
  (:init
    (ontop cup.n.01_1 stove.n.01_1) (not (stained ?cup.n.01_2)) ; clean
    (inroom stove.n.01_1 kitchen))
  (:goal (and
    (toggled_on ?stove.n.01_1)
    (forall (?cup.n.01 - cup.n.01) (and (soaked ?cup.n.01) (burnt ?cup.n.01)))
    (touching ?cup.n.01_1 ?cup.n.01_2))))
";

fn tea(from: &str, to: &str) -> Result<Problem, String> {
    assert!(TEA.contains(from), "{from}");
    let text = TEA.replacen(from, to, 1);
    read("tea.bddl", text.as_bytes())
        .map(|(problem, _)| problem)
        .map_err(|d| d.to_string())
}

#[test]
fn a_problem_is_read_and_printed() {
    let (problem, notes) = read("tea.bddl", TEA.as_bytes()).unwrap();
    assert_eq!(notes, []);
    assert_eq!(
        (&*problem.name.text, &*problem.domain.text),
        ("making_tea_0", "igibson")
    );
    let names: Vec<&str> = problem.instances().map(|(n, _)| &*n.text).collect();
    assert_eq!(
        names,
        ["cup.n.01_1", "cup.n.01_2", "stove.n.01_1", "agent.n.01_1"]
    );
    let init: Vec<String> = problem.init.iter().map(ToString::to_string).collect();
    assert_eq!(
        init,
        [
            "(ontop cup.n.01_1 stove.n.01_1)",
            "(not (stained cup.n.01_2))",
            "(inroom stove.n.01_1 kitchen)"
        ]
    );
    assert_eq!(problem.goals.len(), 3);
    let printed = problem.to_string();
    let (again, _) = read("tea.bddl", printed.as_bytes()).unwrap();
    assert_eq!(again, problem);
    assert_eq!(again.to_string(), printed);
}

#[test]
fn a_goal_without_and_is_one_goal() {
    let one = tea("(:goal (and", "(:goal (or").unwrap();
    assert_eq!(one.goals.len(), 1);
    let (again, _) = read("", one.to_string().as_bytes()).unwrap();
    assert_eq!(again, one);
}

#[test]
fn what_a_world_cannot_judge_is_named() {
    let (problem, _) = read("tea.bddl", TEA.as_bytes()).unwrap();
    let names = |dialect| {
        let all = problem.unjudged(dialect).into_iter();
        all.map(|(i, w)| (i, w.text.to_string()))
            .collect::<Vec<_>>()
    };
    let (burnt, touching) = ("burnt".to_owned(), "touching".to_owned());
    assert_eq!(names(&behavior::DIALECT), [(1, burnt), (2, touching)]);
    assert!(names(&virtualhome::DIALECT).len() > 2);
}

#[test]
#[expect(
    clippy::too_many_lines,
    reason = "a table of wrong files and what is said of each"
)]
fn a_wrong_file_is_one_sentence_with_line_and_column() {
    for (from, to, message) in [
        (
            "(define",
            "(defin",
            "line 2 column 1: this is no problem file",
        ),
        (
            "(:domain igibson)",
            "",
            "line 2 column 1: the part (:domain …) is missing",
        ),
        (
            "(:domain igibson)",
            "(:domain)",
            "line 3 column 3: one name is wanted here",
        ),
        (
            "(:domain igibson)",
            "(:doma igibson)",
            "line 3 column 3: this is no part of a problem",
        ),
        (
            "(:domain igibson)",
            "(:goal (a b))",
            "line 11 column 3: the part (:goal …) is there twice",
        ),
        (
            "cup.n.01_1 cup.n.01_2 -",
            "cup.n.01_1 cup.n.01_1 -",
            "line 5 column 16: the object cup.n.01_1 is there twice, first in line 5",
        ),
        (
            " - cup.n.01\n",
            "\n - ",
            "line 6 column 21: no object is named before the type",
        ),
        (
            " - agent.n.01)",
            ")",
            "line 7 column 5: agent.n.01_1 has no type",
        ),
        (
            " - agent.n.01)",
            " -)",
            "line 7 column 18: a type is missing after this -",
        ),
        (
            "(ontop cup.n.01_1 stove.n.01_1)",
            "(ontop cup.n.01_1 stov.n.01_1)",
            "line 9 column 23: stov.n.01_1 is none of the objects of making_tea_0; did you mean stove.n.01_1?",
        ),
        (
            "(ontop cup.n.01_1 stove.n.01_1)",
            "(ontop)",
            "line 9 column 5: this is no fact",
        ),
        (
            "(ontop cup.n.01_1 stove.n.01_1)",
            "(not (not (a b)))",
            "line 9 column 5: this is no fact",
        ),
        (
            "?stove.n.01_1",
            "?stove.n.01_2",
            "line 12 column 17: stove.n.01_2 is none of the objects",
        ),
        (
            "- cup.n.01) (and",
            "- cups.n.01) (and",
            "line 13 column 26: no object of making_tea_0 is of type cups.n.01; did you mean cup.n.01?",
        ),
        (
            "(soaked ?cup.n.01)",
            "(soaked ?cup.n.02)",
            "cup.n.02 is none of the objects",
        ),
        (
            "(toggled_on ?stove.n.01_1)",
            "(toggled_on (?stove.n.01_1))",
            "an object is named by a word",
        ),
        ("))))\n", ")))\n", "line 2 column 1: this ( is never closed"),
        ("))))\n", ")))))\n", "this ) closes nothing"),
    ] {
        let told = tea(from, to).unwrap_err();
        assert!(
            told.starts_with("tea.bddl line ") && told.contains(message),
            "{told}"
        );
        assert!(!told.contains('\n'), "{told}");
    }
    let deep = tea("(toggled_on ?stove.n.01_1)", &"(not ".repeat(1_000_000)).unwrap_err();
    assert!(deep.contains("nested deeper than"), "{deep}");
    let told = read("x.bddl", &[0xff, 0xfe, 0x00]).unwrap_err().to_string();
    assert!(told.starts_with("x.bddl"), "{told}");
}

#[test]
fn a_type_that_is_there_twice_is_told() {
    let text = TEA.replacen("stove.n.01_1 - stove.n.01", "stove.n.01_1 - cup.n.01", 1);
    let (_, notes) = read("tea.bddl", text.as_bytes()).unwrap();
    let told: Vec<String> = notes.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 1);
    assert!(
        told[0].contains("line 6 column 20: the type cup.n.01 is there twice, first in line 5"),
        "{told:?}"
    );
}

const HIERARCHY: &str = r#"{"name":"entity.n.01","igibson_categories":[],"abilities":{},"children":[
  {"name":"vessel.n.03","children":[{"name":"cup.n.01","igibson_categories":["teacup"],"abilities":{"stainable":{}}}]},
  {"name":"thing.n.01","children":[{"name":"cup.n.01","igibson_categories":["mug"],"abilities":{"stainable":{}}}]}]}"#;

#[test]
fn a_hierarchy_knows_types_and_their_places() {
    let h = Hierarchy::read("h.json", HIERARCHY.as_bytes()).unwrap();
    assert_eq!(h.len(), 4);
    let cup = h.get("cup.n.01").unwrap();
    assert_eq!(cup.abilities, ["stainable"]);
    assert!(cup.categories.contains(&"mug".to_owned()) && cup.above.len() == 2);
    assert!(h.is_a("cup.n.01", "vessel.n.03") && h.is_a("cup.n.01", "entity.n.01"));
    assert!(!h.is_a("vessel.n.03", "cup.n.01"));
    assert_eq!(
        h.of_category("teacup").map(|(name, _)| name),
        Some("cup.n.01")
    );
    let (problem, _) = read("tea.bddl", TEA.as_bytes()).unwrap();
    let told: Vec<String> = h
        .unknown(&problem)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        told,
        ["line 6 column 20: unknown type stove.n.01; use a type of the hierarchy"]
    );
    assert!(Hierarchy::read("h.json", b"[1]").is_err());
    let deep = format!(
        "{}{}",
        r#"{"name":"a","children":["#.repeat(100_000),
        "]}".repeat(100_000)
    );
    assert!(Hierarchy::read("h.json", deep.as_bytes()).is_err());
}

#[test]
fn problems_are_told_from_other_members_by_their_paths() {
    let paths = [
        "bddl-1.0.1/bddl/hierarchy_all.json",
        "bddl-1.0.1/bddl/hierarchy_owned.json",
        "bddl-1.0.1/bddl/activity_definitions/domain_igibson.bddl",
        "bddl-1.0.1/bddl/activity_definitions/making_tea/problem0.bddl",
        "bddl-1.0.1/bddl/activity_definitions/a_b/problem12.bddl",
        "bddl-1.0.1/bddl/activity_definitions/a_b/problemx.bddl",
        "elsewhere/making_tea/problem0.bddl",
    ];
    let found = problems(paths.into_iter());
    let short: Vec<(&str, u32)> = found
        .iter()
        .map(|e| (e.activity.as_str(), e.definition))
        .collect();
    assert_eq!(short, [("a_b", 12), ("making_tea", 0)]);
    assert_eq!(
        hierarchy(paths.into_iter()),
        Some("bddl-1.0.1/bddl/hierarchy_owned.json")
    );
}
