//! What can be done now: candidate actions with their verdict, what they would change, and which goals would move.

use crate::plan::ledger::Ledger;
use crate::plan::script;
use crate::sim::graph::Change;
use crate::sim::refusal::{Kind, Refusal};
use crate::sim::timeline::Timeline;
use crate::sim::virtualhome::facts::{held, is_close, room_or_none};
use crate::sim::vocab::Ix;
use crate::sim::world::Action;

/// One action that may be offered.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The action.
    pub action: Action,
    /// In people's words: `putin bowl microwave`.
    pub words: String,
    /// Why not, if it is refused now.
    pub refusal: Option<Refusal>,
    /// Success goals gained minus lost.
    pub gain: i32,
    /// Safety goals gained minus lost.
    pub safety: i32,
    /// Whether its targets are near.
    pub near: bool,
}

/// What an action would do, looked at without doing it.
#[derive(Clone, Debug, Default)]
pub struct Preview {
    /// The changed facts, sorted.
    pub changes: Vec<Change>,
    /// Goals (by index) that would become true.
    pub gained: Vec<usize>,
    /// Goals that would become false.
    pub lost: Vec<usize>,
    /// What the published code would say although it succeeds.
    pub note: Option<Refusal>,
}

/// What the candidates should be about.
#[derive(Clone, Debug, Default)]
pub struct Focus {
    /// Nodes asked for by name or by the cursor: all that can be tried with them is shown, also what never fits.
    pub nodes: Vec<Ix>,
}

/// The candidates for things within reach, in the same room, mentioned by goals or asked for; best first, refused last.
pub fn candidates(timeline: &mut Timeline, ledger: &Ledger, focus: &Focus) -> Vec<Candidate> {
    let scope = Scope::new(timeline, ledger, focus);
    let mut found = Vec::new();
    let dialect = timeline.world().dialect();
    for (verb, def) in dialect.actions.iter().enumerate() {
        let verb = verb as u8;
        match def.arity {
            0 => offer(
                timeline,
                ledger,
                &scope,
                Action {
                    verb,
                    a: Ix::NONE,
                    b: Ix::NONE,
                },
                &mut found,
            ),
            1 => {
                for &a in &scope.things {
                    offer(
                        timeline,
                        ledger,
                        &scope,
                        Action {
                            verb,
                            a,
                            b: Ix::NONE,
                        },
                        &mut found,
                    );
                }
            }
            _ => {
                for &a in &scope.held {
                    for &b in &scope.things {
                        if a != b {
                            offer(timeline, ledger, &scope, Action { verb, a, b }, &mut found);
                        }
                    }
                }
            }
        }
    }
    found.sort_by_key(|c| {
        let blocked = c.refusal.is_some();
        (
            blocked,
            -c.gain,
            -c.safety.min(0),
            !c.near,
            -c.safety,
            c.action,
        )
    });
    found
}

/// Which nodes are worth combining with every verb.
struct Scope {
    things: Vec<Ix>,
    held: Vec<Ix>,
    near: Vec<bool>,
    asked: Vec<Ix>,
}

impl Scope {
    fn new(timeline: &Timeline, ledger: &Ledger, focus: &Focus) -> Self {
        let world = timeline.world();
        let (graph, ctx, scene) = (world.graph(), world.ctx(), world.scene());
        let here = room_or_none(graph, world.me());
        let mut near = vec![false; scene.len()];
        let mut things = Vec::new();
        for ix in scene.indices() {
            near[ix.at()] = is_close(&ctx, ix);
            let in_room = here.is_some() && room_or_none(graph, ix) == here;
            let mentioned = || ledger.goals().goals.iter().any(|g| g.mentions(ix));
            if ix != world.me() && (near[ix.at()] || graph.hot(ix).room || in_room || mentioned()) {
                things.push(ix);
            }
        }
        things.extend(focus.nodes.iter().filter(|&&n| n != world.me()));
        things.sort_unstable();
        things.dedup();
        Self {
            things,
            held: held(graph, world.me()).collect(),
            near,
            asked: focus.nodes.clone(),
        }
    }
}

fn offer(
    timeline: &mut Timeline,
    ledger: &Ledger,
    scope: &Scope,
    action: Action,
    found: &mut Vec<Candidate>,
) {
    let targets = [action.a, action.b].into_iter().filter(|t| t.is_some());
    let asked = targets.clone().any(|t| scope.asked.contains(&t));
    let near = targets.clone().all(|t| scope.near[t.at()]);
    let refusal = match timeline.world().check(action) {
        Ok(_) => None,
        // What never fits, or is so already, is only worth a row when somebody asks about the thing itself.
        Err(r)
            if !asked
                && (!near
                    || matches!(r.kind, Kind::Affordance | Kind::AlreadySo | Kind::Crash)) =>
        {
            return;
        }
        Err(_) => timeline.judge(action).err(),
    };
    let (mut gain, mut safety) = (0, 0);
    if refusal.is_none()
        && let Ok(p) = preview(timeline, ledger, action)
    {
        let goals = ledger.goals();
        let count = |list: &[usize], success: bool| {
            list.iter()
                .filter(|&&g| goals.is_success(g) == success)
                .fold(0, |n, _| n + 1)
        };
        gain = count(&p.gained, true) - count(&p.lost, true);
        safety = count(&p.gained, false) - count(&p.lost, false);
    }
    let words = script::say(timeline.world().scene(), action);
    found.push(Candidate {
        action,
        words,
        refusal,
        gain,
        safety,
        near,
    });
}

/// What an action would do.
///
/// # Errors
/// The refusal.
pub fn preview(
    timeline: &mut Timeline,
    ledger: &Ledger,
    action: Action,
) -> Result<Preview, Refusal> {
    let pass = timeline.judge(action)?;
    let here = timeline.here();
    let goals = ledger.goals();
    let progress = ledger.progress(here);
    let progress = if goals.has_actions() {
        goals.advance(progress, &timeline.world().line(action))
    } else {
        progress
    };
    let mut preview = timeline.world_mut().preview(action, |world, items| {
        let mut p = Preview {
            changes: world.graph().changes(items),
            ..Preview::default()
        };
        for (i, now) in goals.eval(world.graph(), progress).enumerate() {
            match (ledger.holds(i, here), now) {
                (false, true) => p.gained.push(i),
                (true, false) => p.lost.push(i),
                _ => {}
            }
        }
        p
    })?;
    preview.note = pass.note;
    Ok(preview)
}
