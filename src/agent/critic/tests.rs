//! Claims about a run of the small flat.

use std::sync::Arc;

use super::{Verdict, judge};
use crate::plan::goal::GoalSet;
use crate::safety::book::Book;
use crate::sim::testing::scene;
use crate::sim::vocab::Profile;
use crate::task::Task;
use crate::task::episode::Episode;
use crate::task::setup::Setup;

/// Walks to the kitchen's fridge and opens it, takes the milk.
fn episode() -> Episode {
    let task = Task::blank("T", "test", "virtualhome", "flat");
    let setup = Setup::plain(
        Arc::new(task),
        scene(),
        GoalSet::default(),
        Arc::new(Book::default()),
    );
    let (mut episode, _) = Episode::start(Arc::new(setup), Profile::Eai).unwrap();
    for line in ["walk fridge", "open fridge", "grab milk"] {
        episode.act_text(line);
    }
    episode
}

fn verdict(text: &str) -> (Verdict, String) {
    let episode = episode();
    let claims = judge(&episode, episode.here(), text);
    let [claim] = claims.as_slice() else {
        panic!("{claims:?}")
    };
    (claim.verdict, claim.evidence.clone())
}

#[test]
fn what_the_record_shows_is_confirmed_or_refuted() {
    let said = |verdict, evidence: &str| (verdict, evidence.to_owned());
    let cases = [
        (
            "It never closed the fridge.",
            said(Verdict::Confirmed, "no step up to s3 is CLOSE fridge"),
        ),
        (
            "It never opened the fridge.",
            said(Verdict::Refuted, "s2 is [OPEN] <fridge> (21)"),
        ),
        (
            "It grabbed the milk at step 3.",
            said(Verdict::Confirmed, "s3 is [GRAB] <milk> (32)"),
        ),
        (
            "It grabbed the milk at step 2.",
            said(Verdict::Refuted, "s2 is [OPEN] <fridge> (21)"),
        ),
        (
            "It grabbed the knife.",
            said(Verdict::Refuted, "no step up to s3 is GRAB knife"),
        ),
        (
            "The fridge was left open.",
            said(Verdict::Confirmed, "fridge OPEN at s3"),
        ),
        (
            "The robot left the fridge open.",
            said(Verdict::Confirmed, "fridge OPEN at s3"),
        ),
        (
            "The fridge is still closed.",
            said(Verdict::Refuted, "not so at s3: fridge CLOSED"),
        ),
        (
            "The fridge was closed.",
            said(Verdict::Confirmed, "fridge CLOSED at s0"),
        ),
        (
            "The lamp was not on.",
            said(Verdict::Refuted, "lamp not ON at no position up to s3"),
        ),
        (
            "The milk was inside the fridge.",
            said(Verdict::Confirmed, "milk INSIDE fridge at s0"),
        ),
        (
            "The knife is inside the fridge.",
            said(Verdict::Refuted, "not so at s3: knife INSIDE fridge"),
        ),
    ];
    for (text, wanted) in cases {
        assert_eq!(verdict(text), wanted, "{text}");
    }
}

#[test]
fn advice_and_opinions_are_left_alone() {
    for text in [
        "It should have closed the fridge.",
        "The robot has to walk to the table first.",
        "The plan was too hasty.",
        "The spaceship was open.",
        "Next time close the fridge.",
        "The milk and the knife were near the fridge.",
        "It tried to open the fridge.",
        "Its goal was to open the fridge.",
        "It never took the knife and opened the fridge.",
        "It opened the fridge and grabbed the milk.",
    ] {
        assert_eq!(verdict(text).0, Verdict::Unverifiable, "{text}");
    }
}

#[test]
fn a_critique_is_split_and_each_claim_knows_its_place() {
    let text =
        "The fridge.21 was open but it never closed the fridge. \n- You must <milk> (32) hurry!";
    let episode = episode();
    let claims = judge(&episode, episode.here(), text);
    let parts: Vec<&str> = claims
        .iter()
        .map(|c| text.get(c.at.clone()).unwrap())
        .collect();
    assert_eq!(
        parts,
        [
            "The fridge.21 was open",
            "but it never closed the fridge.",
            "You must <milk> (32) hurry!"
        ]
    );
    assert_eq!(
        claims.iter().map(|c| c.nodes.len()).collect::<Vec<_>>(),
        [1, 1, 1]
    );
    assert!(judge(&episode, episode.here(), "").is_empty());
    assert_eq!(
        judge(&episode, episode.here(), &"a b. ".repeat(20_000)).len(),
        super::MOST_CLAIMS
    );
}
