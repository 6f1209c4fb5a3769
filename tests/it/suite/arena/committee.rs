//! A committee on shipped tasks, and what each of its controls moves.

use std::sync::Arc;

use vesta::arena::house::audit::{Case, EDITS, Edit, audit};
use vesta::arena::house::committee::Committee;
use vesta::arena::house::record::{Finding, Phase, Record, Settings};
use vesta::arena::house::replay::{again as held_again, replay};
use vesta::arena::house::weigh::{held_out, matrix};
use vesta::arena::house::{blue, file, red};
use vesta::plan::branching::{Guard, Step};
use vesta::plan::fact::Fact;

use super::{candidate, library, ready};

fn small(level: &str) -> Settings {
    Settings {
        level: level.to_owned(),
        budget: 4,
        held_out: 4,
        rounds: 1,
        width: 1,
        proposals: 1,
        ..Settings::default()
    }
}

fn held(id: &str, settings: &Settings) -> Record {
    let library = library();
    let (_, mut ground) = ready(&library, id);
    let proposals = blue::proposals(&ground, settings.proposals as usize);
    let level = red::level(&settings.level).unwrap();
    Committee::new(&mut ground, settings, level).hold(proposals, &mut |_| true)
}

#[test]
fn an_arena_is_held_kept_and_played_again_to_the_same_end() {
    let record = held("V022", &small("plan"));
    let (library, text) = (library(), file::write(&record));
    assert_eq!(
        held("V022", &small("plan")),
        record,
        "same seed, same arena"
    );
    assert_eq!(file::read("arena.jsonl", text.as_bytes()).unwrap(), record);
    let (_, mut ground) = ready(&library, "V022");
    let mut again = replay(&mut ground, &record);
    assert_eq!(again.differences, []);
    assert!(again.cells > 20 && again.certificates > 10, "{again:?}");
    // A planted fault is seen.
    let mut wrong = record.clone();
    let cells = wrong.cells.iter_mut();
    let acted = cells.filter(|p| !p.cell.certificates.is_empty());
    let first = acted.into_iter().next().unwrap();
    first.cell.outcome.steps += 1;
    first.cell.certificates[0].plan.pop();
    again = replay(&mut ground, &wrong);
    assert_eq!(again.differences.len(), 2, "{:?}", again.differences);
    // What is no cell, and cells that were taken out, show when it is held again.
    assert_eq!(held_again(&mut ground, &record), Ok(Some(Vec::new())));
    let mut forged = record.clone();
    forged.choice.as_mut().unwrap().selected = "B2".to_owned();
    forged.rounds[0].scores[0].score = 9.9;
    forged.cells.pop();
    let parts = vec!["cells", "rounds", "choice"];
    assert_eq!(held_again(&mut ground, &forged), Ok(Some(parts)));
}

#[test]
fn a_committee_revises_and_its_choice_meets_a_red_it_never_met() {
    let record = held("V022", &small("plan"));
    let choice = record.choice.as_ref().unwrap();
    let revised: Vec<_> = record.candidates.iter().filter(|e| e.round > 0).collect();
    assert!(
        revised
            .iter()
            .any(|e| e.plan.iter().any(|l| l.starts_with("if "))),
        "{revised:?}"
    );
    assert_eq!(choice.single, "B1");
    let whole = matrix(&record).unwrap();
    assert_eq!(whole.rows.len(), record.candidates.len());
    assert!(whole.payoffs.iter().flatten().all(|x| x.is_finite()));
    let best = record.scores().first().unwrap();
    assert_eq!(best.candidate, choice.selected);
    assert_eq!(held_out(&record, &choice.selected).unwrap().n, 4);
    let searched = |id: &String| record.cells(Phase::Search).any(|c| c.response == *id);
    let new = record
        .cells(Phase::HeldOut)
        .filter(|c| !searched(&c.response));
    assert_eq!(
        new.count(),
        record.cells(Phase::HeldOut).count(),
        "halves are disjoint"
    );
    let confirmed = record
        .claims
        .iter()
        .filter(|c| c.finding == Finding::Confirmed);
    assert!(confirmed.count() > 0, "{:?}", record.claims);
}

/// The arena of a task in which a plan with a branch takes part.
fn case(id: &str, level: &str) -> Case {
    let library = library();
    let (loaded, ground) = ready(&library, id);
    let setup = loaded.setup;
    let mut plan = candidate("B0", &setup.reference).plan;
    // A branch that is surely taken: the agent sees where it is itself.
    let (graph, me) = (ground.world().graph(), ground.world().me());
    let inside = setup.scene.dialect().rules.inside;
    let room = graph.targets(me, inside).find(|&n| graph.hot(n).room);
    let text = format!(
        "character INSIDE {}",
        setup.scene.node(room.unwrap()).name()
    );
    let fact = Fact::read(&setup.scene, &setup.book, &text).unwrap();
    let first = plan.steps.remove(0);
    plan.steps.insert(
        0,
        Step::If {
            all: vec![Guard { text, fact }],
            then: vec![first],
            otherwise: vec![Step::Stop],
        },
    );
    Case {
        task: setup.task.as_ref().clone(),
        base: Arc::new(loaded.base.scene),
        book: setup.book.clone(),
        profile: setup.task.profile(),
        settings: small(level),
        plan,
    }
}

/// Declared controls that move nothing are findings; here there are none. What one task's arena has no use for is tried in
/// another's.
#[test]
fn no_control_of_an_arena_is_inert() {
    let mut left: Vec<&'static Edit> = EDITS.iter().collect();
    for (id, level) in [("V004", "plan"), ("V022", "task"), ("V018", "plan")] {
        if left.len() > 1 {
            let all = audit(&[case(id, level)], &left).unwrap();
            let faults: Vec<&String> = all.iter().flat_map(|m| &m.faults).collect();
            assert_eq!(faults, [] as [&String; 0]);
            left = all
                .iter()
                .filter(|m| m.metrics.is_empty())
                .map(|m| m.edit)
                .collect();
        }
    }
    // Nothing is asked never to hold in a task that can be done.
    let left: Vec<&str> = left.iter().map(|e| e.id).collect();
    assert_eq!(left, ["scenario.never"]);
}
