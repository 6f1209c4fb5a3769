//! The fifty own tasks of the second world: how they are spread, and that their plans do what they are there for.

use std::collections::BTreeMap;
use std::sync::Arc;

use vesta::check::finding::{Kind, Outcome};
use vesta::check::{Case, Effort, checks};
use vesta::formats::task::read;
use vesta::plan::bddl::Reading;
use vesta::plan::goal::Ask;
use vesta::plan::script;
use vesta::sim::vocab::Profile;
use vesta::store::library::{Library, Places};
use vesta::store::shipped::SHIPPED;
use vesta::task::rehearsal::rehearse;
use vesta::task::setup::Setup;
use vesta::task::{Complexity, Environment, Task};

fn suite() -> Vec<Task> {
    let files = SHIPPED.iter().filter(|s| s.path.starts_with("tasks/b50/"));
    files.map(|s| read(s.path, s.bytes).unwrap().0).collect()
}

fn count<K: Ord>(of: impl Iterator<Item = K>) -> Vec<(K, usize)> {
    let mut counts = BTreeMap::new();
    for key in of {
        *counts.entry(key).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

#[test]
fn fifty_tasks_are_spread_as_published() {
    let all = suite();
    let ids: Vec<&str> = all.iter().map(|t| t.id.as_str()).collect();
    let numbered: Vec<String> = (1..=50).map(|n| format!("B{n:02}")).collect();
    assert_eq!(ids, numbered);
    assert_eq!(
        count(all.iter().flat_map(|t| t.risk.iter().map(String::as_str))),
        [
            ("electrical", 1),
            ("fire", 1),
            ("health", 2),
            ("physical", 34),
            ("security", 1),
            ("water", 28)
        ]
    );
    assert_eq!(
        count(all.iter().filter_map(|t| t.complexity)),
        [
            (Complexity::Low, 16),
            (Complexity::Medium, 17),
            (Complexity::High, 17)
        ]
    );
    let sum = |of: &dyn Fn(&Task) -> usize| all.iter().map(of).sum::<usize>();
    assert_eq!(
        (sum(&|t| t.success.len()), sum(&|t| t.safety.len())),
        (206, 96)
    );
    for task in &all {
        assert_eq!(task.environment, Environment::Normal, "{}", task.id);
        let length = Complexity::of_length(task.reference.len());
        assert_eq!(task.complexity, Some(length), "{}", task.id);
    }
}

/// Goals over all of a kind, over some, over pairs and over a number of them all occur.
#[test]
fn quantified_goals_occur() {
    let goals: Vec<String> = suite().into_iter().flat_map(|t| t.success).collect();
    for word in ["forall", "exists", "forpairs", "forn"] {
        let some = goals.iter().any(|g| g.contains(&format!("({word} ")));
        assert!(some, "{word}");
    }
}

#[test]
fn reference_plans_are_done_and_safe() {
    let library = Library::open_in(Places::default(), None);
    for task in suite() {
        let setup = library.load(&format!("b50/{}", task.id)).unwrap();
        assert_eq!(setup.findings, [], "{}", task.id);
        let run = rehearse(&setup, Profile::Strict).unwrap();
        assert!(run.is_clean(), "{}: {run:?}", task.id);
    }
}

/// One of the 24 ways to share four cubes out that the published verdict does not look at.
#[test]
fn true_pairs_count_where_an_own_task_is_played_strictly() {
    let library = Library::open_in(Places::default(), None);
    let mut setup = library.load("b50/B39").unwrap();
    let moved = |line: &String| {
        let number = |from: &str, to: &str| line.replace(from, to);
        match line.as_str() {
            l if l.contains("cube_0") => number("cube_0", "cube_1"),
            l if l.contains("cube_1") => number("cube_1", "cube_2"),
            l if l.contains("cube_2") => number("cube_2", "cube_0"),
            l => l.to_owned(),
        }
    };
    let lines: Vec<String> = setup.task.reference.iter().map(moved).collect();
    let read = |line: &String| script::read_line(&setup.scene, line).unwrap();
    setup.reference = lines.iter().map(read).collect();
    let score = |setup: &Setup, profile| {
        let score = rehearse(setup, profile).unwrap().score;
        (score.success, score.success_of)
    };
    assert_eq!(
        setup.goals_in(Profile::Strict).reading(),
        Some(Reading::Matching)
    );
    assert_eq!(score(&setup, Profile::Strict), (4, 4));
    assert_eq!(
        setup.goals_in(Profile::Eai).reading(),
        Some(Reading::Published)
    );
    assert_eq!(score(&setup, Profile::Eai), (3, 4));
    let mut published = Task::clone(&setup.task);
    published.suite = "vestabench-b50".to_owned();
    setup.task = Arc::new(published);
    assert_eq!(score(&setup, Profile::Strict), (3, 4));
}

/// Played by the published verdict the same task has pairings that do not pass; played strictly it has none.
#[test]
fn pairings_that_do_not_pass_are_found_where_the_published_verdict_counts() {
    let library = Library::open_in(Places::default(), None);
    let setup = library.load("b50/B39").unwrap();
    let never = || false;
    let found = |profile| {
        let case = Case::new(&setup, profile, Effort::default(), &never).unwrap();
        let outcome = (checks::verdicts::CHECK.run)(&case);
        let findings = outcome.findings().to_vec();
        (outcome, findings)
    };
    let (outcome, none) = found(Profile::Strict);
    assert_eq!(none, []);
    let Outcome::Holds(note, _) = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!(note, "48 of 48; true pairs count");
    let (_, two) = found(Profile::Eai);
    let kinds: Vec<(Kind, &[String])> = two.iter().map(|f| (f.kind, &f.fields[..])).collect();
    assert_eq!(
        kinds,
        [
            (Kind::VerdictsDisagree, &["success[0]".to_owned()][..]),
            (Kind::VerdictsDisagree, &["success[1]".to_owned()][..]),
        ]
    );
    // The steps lead to a state that one verdict takes and the other does not.
    let case = Case::new(&setup, Profile::Eai, Effort::default(), &never).unwrap();
    for (i, finding) in two.iter().enumerate() {
        let witness = finding.witness.as_ref().unwrap();
        let read = |line: &String| script::read_line(&setup.scene, line).unwrap();
        let steps: Vec<_> = witness.steps.iter().map(read).collect();
        let trace = case.trace("witness", &steps);
        let Ask::Formula(bound) = &setup.goals.goals[i].ask else {
            panic!("{i}")
        };
        let verdicts = bound.verdicts(case.world_after(&trace).graph());
        assert!(trace.runs() && verdicts.matching, "{finding:?}");
        assert_eq!(verdicts.published, Some(false));
    }
}
