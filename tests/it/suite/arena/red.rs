//! RED's draws: nested, apart, the same against every candidate, and fair.

use std::collections::BTreeSet;

use vesta::arena::house::blue;
use vesta::arena::house::fair::{Fair, holds};
use vesta::arena::house::ground::Ground;
use vesta::arena::house::model::{Candidate, Red};
use vesta::arena::house::red::{Answer, Half, LEVELS, Settings, answer, level};
use vesta::plan::branching::Program;

use super::{candidate, episode, library, ready, same};

fn asked(ground: &mut Ground, plan: &Candidate, settings: &Settings) -> Answer {
    answer(ground, &mut Fair::default(), plan, settings)
}

fn facts(answer: &Answer) -> Vec<Vec<String>> {
    let all = answer.tried.iter().flat_map(|t| &t.response.disturbances);
    all.map(|d| d.facts.clone()).collect()
}

#[test]
fn a_smaller_budget_is_the_beginning_of_a_larger() {
    let library = library();
    let (loaded, mut ground) = ready(&library, "V062");
    let plan = candidate("reference", &loaded.setup.reference);
    for level in LEVELS {
        let mut settings = Settings::of(level);
        settings.budget = 6;
        settings.events = 2;
        let six = asked(&mut ground, &plan, &settings);
        settings.budget = 2;
        let two = asked(&mut ground, &plan, &settings);
        assert_eq!(six.tried.len(), 6, "{}", level.id);
        assert_eq!(six.tried[..2], two.tried[..], "{}", level.id);
        assert!(six.worst(6) <= six.worst(2) && six.worst(2) <= six.payoff);
        assert_eq!(six.best(0), None);
    }
}

/// What each level may simulate is the same: the plan alone, and as many responses as the budget says. A response that the
/// plan survives is played once more, as the certificate that it was fair.
#[test]
fn no_level_simulates_more_than_its_budget() {
    let library = library();
    for id in ["V062", "B01"] {
        let (loaded, mut ground) = ready(&library, id);
        let plan = candidate("reference", &loaded.setup.reference);
        for level in LEVELS {
            for (budget, events) in [(1, 1), (7, 1), (7, 2)] {
                let mut settings = Settings::of(level);
                settings.budget = budget;
                settings.events = events;
                let before = ground.rolled;
                let all = asked(&mut ground, &plan, &settings);
                let played = ground.rolled - before;
                let (tried, budget) = (all.tried.len() as u64, u64::from(budget));
                assert!(tried <= budget, "{id} {}: {tried}", level.id);
                assert!(
                    played <= 2 * tried,
                    "{id} {}: {played} of {tried}",
                    level.id
                );
                assert!(played >= 1, "{id} {}", level.id);
            }
        }
    }
}

#[test]
fn a_reactive_red_goes_on_from_what_did_harm() {
    let library = library();
    let (loaded, mut ground) = ready(&library, "V022");
    let plan = candidate("reference", &loaded.setup.reference);
    let mut settings = Settings::of(level("reactive").unwrap());
    settings.budget = 12;
    // Nothing is ever worth the least, so that it does not stop looking there.
    settings.payoffs.not_safe = 0.25;
    settings.payoffs.safe = 0.5;
    settings.payoffs.good = 1.0;
    let all = asked(&mut ground, &plan, &settings);
    let mut near = 0;
    for (i, it) in all.tried.iter().enumerate().filter(|(i, _)| i % 2 == 1) {
        let own = &it.response.disturbances[0];
        let before = &all.tried[..i];
        let close = |t: &&vesta::arena::house::red::Tried| {
            let theirs = &t.response.disturbances[0];
            let moment = own.at.steps().abs_diff(theirs.at.steps());
            t.outcome != all.alone && (own.facts == theirs.facts && moment <= 3 || moment == 0)
        };
        near += usize::from(before.iter().any(|t| close(&t)));
    }
    assert!(near > 0, "{near}");
}

#[test]
fn draws_are_the_same_against_every_candidate_and_after_any_other() {
    let library = library();
    let (loaded, mut ground) = ready(&library, "V062");
    let one = candidate("reference", &loaded.setup.reference);
    let two = candidate("naive", &loaded.setup.naive);
    for level in LEVELS {
        let mut settings = Settings::of(level);
        settings.budget = 5;
        let fresh = asked(&mut ready(&library, "V062").1, &two, &settings);
        let first = asked(&mut ground, &one, &settings);
        let then = asked(&mut ground, &two, &settings);
        assert_eq!(then, fresh, "{}", level.id);
        if ["blind", "count", "task"].contains(&level.id) {
            assert_eq!(facts(&first), facts(&then), "{}", level.id);
        }
        let mut other = settings;
        other.seed = 1;
        assert_ne!(
            facts(&asked(&mut ground, &one, &other)),
            facts(&first),
            "{}",
            level.id
        );
    }
}

#[test]
fn the_held_out_half_shares_nothing_with_the_other() {
    let library = library();
    let (loaded, mut ground) = ready(&library, "V062");
    let plan = candidate("reference", &loaded.setup.reference);
    let mut kinds = BTreeSet::new();
    for level in LEVELS {
        let mut settings = Settings::of(level);
        settings.budget = 16;
        let mut seen = Vec::new();
        for half in [Half::Design, Half::HeldOut] {
            settings.half = half;
            let all = asked(&mut ground, &plan, &settings);
            let facts: BTreeSet<(String, Vec<String>)> = all
                .tried
                .iter()
                .flat_map(|t| &t.response.disturbances)
                .map(|d| (d.kind.clone(), d.facts.clone()))
                .collect();
            assert!(facts.len() > 5, "{}: {}", level.id, facts.len());
            kinds.extend(facts.iter().map(|(kind, _)| kind.clone()));
            seen.push(facts);
        }
        assert!(seen[0].is_disjoint(&seen[1]), "{}", level.id);
    }
    assert!(kinds.len() > 7, "{kinds:?}");
}

#[test]
fn every_blow_is_fair_and_every_cell_an_ordinary_run() {
    let library = library();
    let mut reds = [0; 3];
    let mut hurt = 0;
    for (i, id) in ["V022", "V062", "B01"].iter().enumerate() {
        let (loaded, mut ground) = ready(&library, id);
        let plan = candidate("reference", &loaded.setup.reference);
        let program = Program::new(&plan.plan);
        for name in ["blind", "count", "plan", "reactive"] {
            let mut settings = Settings::of(level(name).unwrap());
            settings.events = 1 + i as u32 % 2;
            settings.budget = 6;
            let all = asked(&mut ground, &plan, &settings);
            for it in &all.tried {
                reds[it.red as usize] += 1;
                hurt += usize::from(it.payoff < all.payoff);
                if it.red == Red::Acted {
                    assert!(!it.certificates.is_empty());
                    for certificate in &it.certificates {
                        let fair = holds(&mut ground, &program, &it.response, certificate);
                        assert!(fair, "{id} {it:?}");
                    }
                    let theirs = episode(&loaded, &mut ground, &plan, &it.response);
                    same(&it.outcome, &theirs);
                } else {
                    assert_eq!(it.outcome, all.alone);
                    assert_eq!(it.why.is_empty(), it.red == Red::Idle);
                }
            }
        }
    }
    assert!(
        reds[0] > 40 && reds[1] + reds[2] > 0 && hurt > 5,
        "{reds:?} {hurt}"
    );
}

#[test]
fn blue_has_plans_that_differ() {
    let library = library();
    let (_, mut ground) = ready(&library, "V062");
    let all = blue::candidates(&ground, 2);
    let named: Vec<_> = all
        .iter()
        .map(|c| (c.name.as_str(), c.origin.id()))
        .collect();
    assert_eq!(
        named,
        [
            ("B1", "planner"),
            ("B2", "planner"),
            ("B3", "careless"),
            ("B4", "reference"),
            ("B5", "naive")
        ]
    );
    let nothing = ground.undisturbed();
    let alone =
        |c: &Candidate, ground: &mut Ground| ground.outcome(&Program::new(&c.plan), &nothing);
    for it in &all[..2] {
        assert!(alone(it, &mut ground).is_good(), "{}", it.name);
    }
    let careless = alone(&all[2], &mut ground);
    assert!(careless.succeeds && !careless.is_safe());
    assert_eq!(blue::candidates(&ground, 0).len(), 2);
}

#[test]
fn a_dangerous_instruction_is_refused_whatever_red_does() {
    let library = library();
    let dangerous = library.rows().iter().find(|r| {
        r.suite == "vh" && r.environment == vesta::task::Environment::AdversarialInstruction
    });
    let (loaded, mut ground) = ready(&library, &dangerous.unwrap().id);
    let all = blue::candidates(&ground, 2);
    let settings = Settings::of(level("task").unwrap());
    let refused = asked(&mut ground, &all[0], &settings);
    assert!(refused.alone.is_good() && refused.alone.avoided.is_some());
    assert_eq!(refused.best(16), None);
    assert!(refused.tried.iter().all(|t| t.red != Red::Acted));
    // An episode of it is judged alike.
    let nothing = vesta::arena::house::model::Response::nothing();
    let theirs = episode(&loaded, &mut ground, &all[0], &nothing);
    same(&refused.alone, &theirs);
    let naive = all.iter().find(|c| c.origin.id() == "naive").unwrap();
    assert!(!asked(&mut ground, naive, &settings).alone.succeeds);
}
