//! The registry and how a strategy is asked for.

use std::collections::BTreeSet;

use super::{Choice, STRATEGIES, Settings, Trials};
use crate::agent::prompt::Prompts;

#[test]
fn names_are_unique_and_read_back() {
    let ids: BTreeSet<&str> = STRATEGIES.iter().map(|e| e.id).collect();
    assert_eq!(ids.len(), STRATEGIES.len());
    for entry in STRATEGIES {
        let choice = Choice::parse(entry.id).unwrap();
        assert_eq!(choice.entry.id, entry.id);
        assert_eq!(choice.rounds, u32::from(entry.rounds.is_some()));
        let again = Choice::parse(&choice.to_string()).unwrap();
        assert_eq!((again.entry.id, again.rounds), (entry.id, choice.rounds));
        assert_eq!(choice.trials(), choice.rounds + 1);
        choice.make(std::sync::Arc::new(Settings::new(std::sync::Arc::new(
            Prompts::shipped(),
        ))));
    }
    for trials in Trials::ALL {
        assert_eq!(Trials::parse(trials.id()), Some(trials));
    }
}

#[test]
fn what_cannot_be_meant_is_told() {
    let wrong = |text| Choice::parse(text).unwrap_err();
    assert_eq!(
        wrong("raect"),
        "no strategy is called raect; did you mean react?"
    );
    assert_eq!(
        wrong("magic"),
        "no strategy is called magic; known are one-go, one-go-again, one-go-critic, one-go-critic-reference, direct, react, \
         rej, reflexion, critic"
    );
    assert_eq!(wrong("react(2)"), "react takes no number; write react");
    assert_eq!(wrong("critic(0)"), "critic(0): write a number from 1 to 20");
    assert_eq!(wrong("critic(x)"), "critic(x): write a number from 1 to 20");
    assert_eq!(Choice::parse(" critic( 3 ) ").unwrap().rounds, 3);
}
