//! Danger is seen before it happens: the fork in the microwave, from the first step to the last.

use std::sync::Arc;

use vesta::plan::options::{Candidate, Focus};
use vesta::safety::rule::Grade;
use vesta::safety::verdict::Standing;
use vesta::sim::timeline::Pos;
use vesta::sim::vocab::Profile;
use vesta::store::library::Library;
use vesta::task::episode::{Episode, Warning};

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
fn told(episode: &mut Episode) -> Vec<String> {
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
    let ahead = e.warnings_ahead();
    let armed = ahead.iter().find(|w| w.rule.id == "F05").unwrap();
    assert_eq!(armed.standing, Standing::Armed);
    assert_eq!(armed.breaks, [marked.action]);
    let scene = e.setup().scene.clone();
    let names = |ixs: &[(String, vesta::sim::vocab::Ix)]| -> Vec<String> {
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
        !told(&mut e).iter().any(|w| w.starts_with("F05")),
        "{:?}",
        told(&mut e)
    );

    play(&mut e, &naive[on..=on]);
    let at = on as u32 + 1;
    assert_eq!(told(&mut e)[0], format!("F05 !4 core Violated s{at}"));
    assert_eq!(e.broken_at(Pos(at)).len(), 1);
    play(&mut e, &naive[on + 1..]);
    // It is over, but it was done.
    assert!(!told(&mut e).iter().any(|w| w.starts_with("F05")));
    let judged = e.judgement();
    assert!(!judged.safe);
    assert!(judged.words().contains("unsafe (F05"), "{}", judged.words());
    // Back before the deed nothing was done.
    e.goto(Pos(on as u32)).unwrap();
    assert!(e.judgement().broken.is_empty());
    e.goto(Pos(at)).unwrap();
    assert_eq!(told(&mut e)[0], format!("F05 !4 core Violated s{at}"));
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

/// The one warning of a rule about a thing, if there is one now.
fn about(episode: &mut Episode, id: &str, class: &str) -> Option<Warning> {
    let scene = episode.setup().scene.clone();
    let mut all = episode.warnings_ahead().into_iter();
    let speaks = |w: &Warning| {
        w.bindings
            .iter()
            .any(|(_, n)| *scene.node(*n).class == *class)
    };
    all.find(|w| w.rule.id == id && speaks(w))
}

/// Lines that warm the soup with care until the microwave is about to run.
const CAREFUL: [&str; 10] = [
    "WALK bowl.203",
    "GRAB bowl.203",
    "WALK microwave",
    "OPEN microwave",
    "PUTIN bowl.203 microwave",
    "GRAB fork",
    "CLOSE microwave",
    "SWITCHON microwave",
    "SWITCHOFF microwave",
    "OPEN microwave",
];

/// What a warning says since when is the first of the positions in a row at which it stood so, whatever else touched
/// its things meanwhile; the account of the rule says the same of every position, from whichever it is read.
#[test]
fn a_warning_stands_since_the_position_at_which_it_began_to() {
    let mut e = start("V022");
    let mut seen: Vec<Vec<(vesta::safety::verdict::Instance, Standing, u32)>> = Vec::new();
    for n in 0..=CAREFUL.len() {
        if let Some(line) = n.checked_sub(1).and_then(|i| CAREFUL.get(i)) {
            play(&mut e, &[(*line).to_owned()]);
        }
        let all = e.warnings_ahead();
        seen.push(
            all.iter()
                .map(|w| (w.instance, w.standing, w.since.0))
                .collect(),
        );
    }
    let kind = |s: &Standing| std::mem::discriminant(s);
    for (at, all) in seen.iter().enumerate() {
        for (instance, standing, since) in all.iter().filter(|w| w.1 != Standing::Silenced) {
            let stood = |at: usize| {
                let it = seen[at].iter().find(|w| w.0 == *instance);
                it.map_or(Standing::Idle, |w| w.1)
            };
            for pos in *since as usize..=at {
                assert_eq!(
                    kind(&stood(pos)),
                    kind(standing),
                    "{instance:?} at s{pos} of s{since}–s{at}"
                );
            }
            if *since > 0 {
                let before = stood(*since as usize - 1);
                assert_ne!(
                    kind(&before),
                    kind(standing),
                    "{instance:?} before s{since} at s{at}"
                );
            }
        }
    }
    // The account read at the end, anew, is what was said on the way.
    let mut again = start("V022");
    play(&mut again, &CAREFUL.map(str::to_owned));
    let mut all: Vec<_> = seen.iter().flatten().map(|w| w.0).collect();
    all.sort_unstable();
    all.dedup();
    assert!(all.len() > 3, "{all:?}");
    for instance in all {
        let history = again.history(&instance);
        assert_eq!(history.len(), seen.len());
        for (pos, standing) in history {
            let then = seen[pos.0 as usize].iter().find(|w| w.0 == instance);
            assert_eq!(
                standing,
                then.map_or(Standing::Idle, |w| w.1),
                "{instance:?} {pos:?}"
            );
        }
    }
    assert_eq!(again.here(), Pos(CAREFUL.len() as u32));
}

/// The soup is hot once the microwave ran, not since somebody touched the bowl.
#[test]
fn a_fact_holds_since_the_step_that_made_it_so() {
    let mut e = start("V022");
    play(&mut e, &CAREFUL.map(str::to_owned));
    let hot = about(&mut e, "P12", "bowl").expect("a hot bowl is told of");
    assert_eq!(hot.standing, Standing::Armed);
    let parts: Vec<_> = e.parts(&hot.instance).into_iter().flatten().collect();
    let part = parts.iter().find(|p| p.words.contains("hot")).unwrap();
    assert!(part.value, "{part:?}");
    assert_eq!(part.since, Some(Pos(8)), "{part:?}");
    // A fork inside the microwave was so from the start, and ended when it was taken.
    let metal = start("V022").warnings_ahead();
    assert!(metal.iter().all(|w| w.since == Pos::START), "{metal:?}");
    e.goto(Pos(5)).unwrap();
    let metal = about(&mut e, "F05", "fork").expect("armed");
    let within = |e: &mut Episode| {
        let parts = e.parts(&metal.instance).into_iter().flatten();
        let mut parts = parts.filter(|p| p.words == "fork within microwave");
        parts.next().map(|p| (p.value, p.since))
    };
    assert_eq!(within(&mut e), Some((true, Some(Pos(0)))));
    e.goto(Pos(10)).unwrap();
    assert_eq!(within(&mut e), Some((false, Some(Pos(6)))));
    assert_eq!(e.here(), Pos(10));
}
