//! The fifty own tasks of the second world: how they are spread, and that their plans do what they are there for.

use std::collections::BTreeMap;

use vesta::formats::task::read;
use vesta::sim::vocab::Profile;
use vesta::store::library::{Library, Places};
use vesta::store::shipped::SHIPPED;
use vesta::task::rehearsal::rehearse;
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
