//! Alignment against known edits: steps are left out, put in or exchanged in runs of the shipped tasks, and what was done
//! to them is to be read off the alignment.
//!
//! A second run is made in two ways. *Recorded*: the lines of the record are edited, so states go on as if nothing had
//! happened. *Played*: the edited actions are played again from the start, so every state after the edit may differ and
//! actions may be refused. A gap that can be slid over steps that are the same counts where it can be slid to.

use std::ops::Range;
use std::sync::Arc;

use vesta::base::fold::{Key, StateHash};
use vesta::compare::align::align;
use vesta::compare::lane::{Beat, Kind};
use vesta::formats::task::read;
use vesta::plan::script::read_line;
use vesta::sim::vocab::Profile;
use vesta::sim::world::{Action, World};
use vesta::store::library::{Library, Places};
use vesta::store::shipped::SHIPPED;

/// A small stream of numbers, the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides.max(1)
    }
}

/// A task at its start and the actions of its reference plan.
struct Game {
    world: World,
    plan: Vec<Action>,
}

impl Game {
    /// The beats of playing actions from the start.
    fn play(&self, actions: &[Action]) -> Vec<Beat> {
        let mut world = self.world.clone();
        let mut pos = 0;
        let beats = actions.iter().enumerate().map(|(i, action)| {
            let before = world.hash();
            let done = world.apply(*action).is_ok();
            pos += u32::from(done);
            Beat {
                kind: if done { Kind::Step } else { Kind::Refused },
                seq: i as u32 + 1,
                pos,
                act: Key::of(&self.world.line(*action)),
                before,
                after: world.hash(),
                vector: Key::of(""),
            }
        });
        beats.collect()
    }
}

/// Runs of shipped tasks with at least eight steps.
fn games() -> Vec<Game> {
    let library = Library::open_in(Places::default(), None);
    let ids = SHIPPED.iter().filter(|s| {
        let wanted = s.path.starts_with("tasks/vh/") || s.path.starts_with("tasks/b50/");
        wanted && !s.path.ends_with("index.json")
    });
    let mut games = Vec::new();
    for file in ids.step_by(3) {
        let Ok((task, _)) = read(file.path, file.bytes) else {
            continue;
        };
        if task.reference.len() < 8 {
            continue;
        }
        let loaded = library
            .load_whole(&format!("{}/{}", task.suite, task.id))
            .unwrap();
        let setup = Arc::new(loaded.setup);
        let world = setup.world(Profile::Strict).unwrap();
        let plan = task
            .reference
            .iter()
            .filter_map(|l| read_line(&setup.scene, l).ok());
        games.push(Game {
            plan: plan.collect(),
            world,
        });
    }
    assert!(games.len() > 20, "{}", games.len());
    games
}

type Gap = (Range<usize>, Range<usize>);

/// Whether a stretch of a lane can be slid to another place without anything looking different.
fn slides(lane: &[Beat], from: &Range<usize>, to: &Range<usize>) -> bool {
    if from.len() != to.len() {
        return false;
    }
    let alike = |x: usize, y: usize| lane[x].act == lane[y].act && lane[x].kind == lane[y].kind;
    let k = from.len();
    let (low, high) = (from.start.min(to.start), from.start.max(to.start));
    (low..high).all(|at| alike(at, at + k))
}

/// Whether what was found is what was done.
fn is_right(a: &[Beat], b: &[Beat], found: &[Gap], truth: &Gap) -> bool {
    let [one] = found else { return false };
    let pure = |range: &Range<usize>| range.is_empty();
    one == truth
        || (pure(&truth.1) && pure(&one.1) && slides(a, &one.0, &truth.0))
        || (pure(&truth.0) && pure(&one.0) && slides(b, &one.1, &truth.1))
}

/// One edit of a run: the new actions, and which stretch became which.
fn edit(dice: &mut Dice, game: &Game, other: &Game) -> (Vec<Action>, Gap) {
    let n = game.plan.len();
    let k = 1 + dice.roll(4);
    let at = dice.roll(n - k);
    let mut new = game.plan.clone();
    // Others of the same scene, so that they can be played: what the plan does elsewhere, in another order.
    let fresh = |dice: &mut Dice| -> Vec<Action> {
        let known = |action: &Action| game.plan[at..(at + k + 1).min(n)].contains(action);
        let pool = if other.world.scene().len() == game.world.scene().len() {
            &other.plan
        } else {
            &game.plan
        };
        let pool: Vec<Action> = pool.iter().filter(|a| !known(a)).copied().collect();
        (0..k)
            .filter_map(|_| pool.get(dice.roll(pool.len())).copied())
            .collect()
    };
    match dice.roll(3) {
        0 => {
            new.drain(at..at + k);
            (new, (at..at + k, at..at))
        }
        1 => {
            let more = fresh(dice);
            let gap = (at..at, at..at + more.len());
            new.splice(at..at, more);
            (new, gap)
        }
        _ => {
            let more = fresh(dice);
            let gap = (at..at + k, at..at + more.len());
            new.splice(at..at + k, more);
            (new, gap)
        }
    }
}

/// The record with its lines edited: what is put in comes with the states it had where it was taken from.
fn recorded(game: &Game, actions: &[Action], gap: &Gap) -> Vec<Beat> {
    let whole = game.play(&game.plan);
    let mut beats = whole.clone();
    let strange = actions[gap.1.clone()].iter().map(|action| Beat {
        kind: Kind::Step,
        seq: 0,
        pos: 0,
        act: Key::of(&game.world.line(*action)),
        before: whole[whole.len() / 2].after,
        after: whole[0].before,
        vector: Key::of(""),
    });
    let strange: Vec<Beat> = strange.collect();
    beats.splice(gap.0.clone(), strange);
    beats
}

/// The same lane as somebody sees it who knows only the names of actions.
fn named(beats: &[Beat], plan: &dyn Fn(usize) -> String) -> Vec<Beat> {
    let name = |i: usize| plan(i).split(']').next().unwrap_or_default().to_owned();
    let beats = beats.iter().enumerate().map(|(i, beat)| Beat {
        act: Key::of(&name(i)),
        before: StateHash::default(),
        after: StateHash::default(),
        ..beat.clone()
    });
    beats.collect()
}

fn tally(cases: usize, (played, names_only): (bool, bool)) -> (usize, Vec<String>) {
    let games = games();
    let mut dice = Dice(7);
    let mut right = 0;
    let mut wrong = Vec::new();
    for case in 0..cases {
        let game = &games[dice.roll(games.len())];
        let other = &games[dice.roll(games.len())];
        let (actions, truth) = edit(&mut dice, game, other);
        let a = game.play(&game.plan);
        let b = if played {
            game.play(&actions)
        } else {
            recorded(game, &actions, &truth)
        };
        let found = if names_only {
            let line = |all: &[Action], i: usize| game.world.line(all[i]);
            let a = named(&a, &|i| line(&game.plan, i));
            let b = named(&b, &|i| line(&actions, i));
            align(&a, &b).gaps()
        } else {
            align(&a, &b).gaps()
        };
        if is_right(&a, &b, &found, &truth) {
            right += 1;
        } else {
            let lines = |all: &[Action]| -> Vec<String> {
                all.iter().map(|a| game.world.line(*a)).collect()
            };
            wrong.push(format!(
                "case {case}: {truth:?} found {found:?}\n  a {:?}\n  b {:?}",
                lines(&game.plan[truth.0.clone()]),
                lines(&actions[truth.1.clone()])
            ));
        }
    }
    (right, wrong)
}

#[test]
fn edited_records_are_read_off_exactly() {
    let (right, wrong) = tally(1_000, (false, false));
    assert!(right >= 990, "{right} of 1,000\n{}", wrong.join("\n"));
}

#[test]
fn edited_plans_played_again_are_read_off_exactly() {
    let (right, wrong) = tally(1_000, (true, false));
    assert!(right >= 990, "{right} of 1,000\n{}", wrong.join("\n"));
}

#[test]
fn names_alone_are_not_enough() {
    // The control: without states and objects the same edits are often read off wrongly.
    let (right, _) = tally(1_000, (true, true));
    assert!(right < 800, "{right} of 1,000");
}
