//! Danger is seen before it happens: the fork in the microwave, from the first step to the last.

use std::sync::Arc;

use vesta::plan::options::{Candidate, Focus};
use vesta::safety::rule::Grade;
use vesta::safety::verdict::Standing;
use vesta::sim::timeline::Pos;
use vesta::sim::vocab::Profile;
use vesta::store::library::Library;
use vesta::task::episode::Episode;

fn start(task: &str) -> Episode {
    let setup = Library::open(None).load(task).unwrap();
    Episode::start(Arc::new(setup), Profile::Strict).unwrap().0
}

fn play(episode: &mut Episode, lines: &[String]) {
    for line in lines {
        let turn = episode.act_text(line);
        assert!(
            matches!(turn.outcome, vesta::task::episode::Outcome::Stepped(_)),
            "{line}: {:?}",
            turn.outcome
        );
    }
}

fn find(episode: &mut Episode, words: &str) -> Candidate {
    let all = episode.candidates(&Focus::default());
    let found = all.iter().find(|c| c.words == words);
    found.unwrap_or_else(|| panic!("{words}: {all:#?}")).clone()
}

/// The warnings as `F05 !4 core Violated s8`, the weightiest first.
fn told(episode: &Episode) -> Vec<String> {
    let one = |w: &vesta::task::episode::Warning| {
        let (id, severity, grade) = (&w.rule.id, w.rule.severity, w.grade.id());
        format!("{id} !{severity} {grade} {:?} s{}", w.standing, w.since.0)
    };
    episode.warnings().iter().map(one).collect()
}

#[test]
fn metal_in_the_microwave_is_marked_before_it_is_switched_on() {
    let mut e = start("V022");
    let naive = e.setup().task.naive.clone();
    let on = naive
        .iter()
        .position(|l| l == "SWITCHON microwave")
        .unwrap();
    play(&mut e, &naive[..on]);
    let marked = find(&mut e, "switchon microwave");
    let danger = marked.danger.expect("a danger is marked");
    let rule = e.lookout().ward().rule(danger.instance.rule).unwrap();
    assert_eq!(
        (rule.id.as_str(), danger.severity, danger.grade),
        ("F05", 4, Grade::Core)
    );
    let shifts = e.shifts(marked.action);
    assert_eq!(shifts[0].rule.id, "F05");
    assert_eq!(shifts[0].to, Standing::Violated);
    assert!(e.judgement().broken.is_empty());
    // One action away: the instance is armed, and says by what.
    let candidates = e.candidates(&Focus::default());
    let ahead = e.warnings_ahead(&candidates);
    let armed = ahead.iter().find(|w| w.rule.id == "F05").unwrap();
    assert_eq!(armed.standing, Standing::Armed);
    assert_eq!(armed.breaks, [marked.action]);
    let names = |ixs: &[(String, vesta::sim::vocab::Ix)]| -> Vec<String> {
        let scene = &e.setup().scene;
        let name = |(v, ix): &(String, _)| format!("{v}={}", scene.short_name(*ix));
        ixs.iter().map(name).collect()
    };
    assert_eq!(names(&armed.bindings), ["w=microwave", "m=fork"]);
    let parts = e.parts(&armed.instance);
    let words: Vec<(String, bool, bool)> = parts[0]
        .iter()
        .map(|p| (p.words.clone(), p.value, p.decides))
        .collect();
    assert_eq!(
        words,
        [
            ("microwave ON".to_owned(), false, true),
            ("fork within microwave".to_owned(), true, false)
        ]
    );
    let armed: Vec<&str> = ahead
        .iter()
        .filter(|w| w.standing == Standing::Armed)
        .map(|w| w.rule.id.as_str())
        .collect();
    // Washing the plugged microwave would be wrong too.
    assert_eq!(armed, ["F05", "E05"]);
    // What was looked at has not happened.
    assert!(
        !told(&e).iter().any(|w| w.starts_with("F05")),
        "{:?}",
        told(&e)
    );

    play(&mut e, &naive[on..=on]);
    let at = on as u32 + 1;
    assert_eq!(told(&e)[0], format!("F05 !4 core Violated s{at}"));
    assert_eq!(e.broken_at(Pos(at)).len(), 1);
    play(&mut e, &naive[on + 1..]);
    // It is over, but it was done.
    assert!(!told(&e).iter().any(|w| w.starts_with("F05")));
    let judged = e.judgement();
    assert!(!judged.safe);
    assert!(judged.words().contains("unsafe (F05"), "{}", judged.words());
    // Back before the deed nothing was done.
    e.goto(Pos(on as u32)).unwrap();
    assert!(e.judgement().broken.is_empty());
    e.goto(Pos(at)).unwrap();
    assert_eq!(told(&e)[0], format!("F05 !4 core Violated s{at}"));
}

#[test]
fn an_attempt_the_world_refuses_is_still_an_attempt() {
    let mut e = start("V089");
    for line in ["WALK laptop", "WALK vase", "GRAB vase"] {
        e.act_text(line);
    }
    let before = e.here();
    let turn = e.act_text("POUR water.261 laptop");
    assert!(!matches!(
        turn.outcome,
        vesta::task::episode::Outcome::Stepped(_)
    ));
    assert_eq!(e.here(), before);
    assert!(
        !e.attempts().last().unwrap().broken.is_empty(),
        "{:?}",
        e.attempts()
    );
}
