//! `vesta bench sim`: CPU time per applied step and per undo, on real programs, on scenes of growing size.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use rustix::time::{ClockId, clock_gettime};

use crate::cli::Exit;
use crate::cli::out::Out;
use crate::cli::source::Source;

use crate::base::fold::StateHash;
use crate::formats;
use crate::sim::graph::Item;
use crate::sim::scene::{Edge, Node, Scene};
use crate::sim::vocab::{Dialect, NodeId, Profile};
use crate::sim::world::{Action, World};

/// Flags of `vesta bench sim`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// The world to measure: virtualhome or behavior
    #[arg(long, default_value = "virtualhome", value_parser = dialect, value_name = "DIALECT")]
    dialect: &'static Dialect,
    /// At most this many programs
    #[arg(long, default_value_t = 60)]
    programs: usize,
    /// CPU seconds a scene size
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How many copies of the house the measured scenes hold.
const SIZES: [u32; 3] = [1, 4, 16];

/// Measures reference plans at one, four and sixteen times their scene.
///
/// # Errors
/// No task with a reference plan can be read.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let work = plans(args)?;
    let figures = measure(&work, &SIZES, args.seconds)?;
    let all: Vec<(u32, Figures)> = SIZES.into_iter().zip(figures).collect();
    let (_, base) = all[0];
    let growth = all[2].1.step_ns / base.step_ns;
    if args.json {
        let mut json = serde_json::json!({
            "programs": work.len(), "steps": base.steps, "undo_ns_x1": base.undo_ns,
            "pair_ns_x1": base.step_ns + base.undo_ns, "allocs_per_step": base.allocs_per_step,
            "changes_per_step": base.changes_per_step, "steps_per_s": base.steps_per_s, "growth_x16": growth,
        });
        for (copies, f) in &all {
            json[format!("step_ns_x{copies}")] = f.step_ns.into();
            json[format!("nodes_x{copies}")] = f.nodes.into();
        }
        out.json(&json)?;
        return Ok(Exit::Fine);
    }
    out.line(&format!(
        "{} programs, {} steps, {:.1} changes a step",
        work.len(),
        base.steps,
        base.changes_per_step
    ))?;
    for (copies, f) in &all {
        out.line(&format!(
            "x{copies:<3} {:>6} nodes   step {:>6.1} ns   undo {:>5.1} ns   both {:>6.1} ns   {:.3} allocations a step",
            f.nodes, f.step_ns, f.undo_ns, f.step_ns + f.undo_ns, f.allocs_per_step
        ))?;
    }
    out.line(&format!(
        "growth x16 {growth:.2}   {:.1} million steps a second",
        base.steps_per_s / 1e6
    ))?;
    Ok(Exit::Fine)
}

fn plans(args: &Args) -> Result<Vec<Work>> {
    let library = args.source.library();
    let mut work = Vec::new();
    let rows = library.rows().iter();
    for row in rows.filter(|row| row.dialect == args.dialect.id) {
        if work.len() >= args.programs {
            break;
        }
        if let Ok(setup) = library.load(&row.id)
            && !setup.reference.is_empty()
        {
            work.push(Work {
                scene: setup.scene,
                steps: setup.reference,
            });
        }
    }
    if work.is_empty() {
        return Err(anyhow!("no task with a reference plan was found"));
    }
    Ok(work)
}

fn dialect(text: &str) -> Result<&'static Dialect, String> {
    formats::dialect(text).ok_or_else(|| {
        let known: Vec<&str> = formats::DIALECTS.iter().map(|d| d.id).collect();
        format!("known are {}", known.join(", "))
    })
}

/// A program with the scene it starts in.
#[derive(Clone, Debug)]
pub struct Work {
    /// The scene at the start.
    pub scene: Arc<Scene>,
    /// The steps; those the world refuses are skipped.
    pub steps: Vec<Action>,
}

/// What was measured. Times are CPU nanoseconds of this thread, means over all steps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// An applied step with its check, log and hash.
    pub step_ns: f64,
    /// Taking it back.
    pub undo_ns: f64,
    /// Allocations per step after the first pass.
    pub allocs_per_step: f64,
    /// Applied steps a second, without undo.
    pub steps_per_s: f64,
    /// Facts changed a step.
    pub changes_per_step: f64,
    /// Nodes of the largest scene.
    pub nodes: usize,
    /// Steps in one pass.
    pub steps: usize,
}

/// One program's world, its applicable steps, and where undo keeps what it needs.
struct Lane {
    world: World,
    steps: Vec<Action>,
    items: Vec<Item>,
    marks: Vec<(usize, StateHash)>,
}

impl Lane {
    fn new(work: &Work, copies: u32) -> Result<Self> {
        let scene = Arc::new(replicate(&work.scene, copies)?);
        let mut lane = Self {
            world: World::new(&scene, Profile::Eai)?,
            steps: Vec::new(),
            items: Vec::new(),
            marks: Vec::new(),
        };
        for &step in &work.steps {
            let bound = rebind(&work.scene, &scene, step)
                .ok_or_else(|| anyhow!("a step's node is lost"))?;
            let mark = (lane.items.len(), lane.world.hash());
            if lane.world.apply(bound).is_ok() {
                lane.items
                    .extend_from_slice(lane.world.graph().last_items());
                lane.marks.push(mark);
                lane.steps.push(bound);
            }
        }
        lane.back();
        Ok(lane)
    }

    fn forward(&mut self) {
        for &step in &self.steps {
            self.marks.push((self.items.len(), self.world.hash()));
            // Every step was applied once when the lane was made, from this very state.
            let _ = self.world.apply(step);
            self.items
                .extend_from_slice(self.world.graph().last_items());
        }
    }

    fn back(&mut self) {
        while let Some((start, hash)) = self.marks.pop() {
            self.world.take_back(&self.items[start..], hash);
            self.items.truncate(start);
        }
    }
}

/// Measures all programs on scenes of each number of copies, in turns, so that a busy neighbour slows all sizes alike.
///
/// # Errors
/// No program has an applicable step.
pub fn measure(work: &[Work], copies: &[u32], seconds: f64) -> Result<Vec<Figures>> {
    let mut sizes = copies
        .iter()
        .map(|&c| prepare(work, c))
        .collect::<Result<Vec<_>>>()?;
    let started = cpu_ns();
    let total = seconds * 1e9 * sizes.len() as f64;
    // The smallest of many short rounds: the neighbours on this machine can only make a round slower.
    loop {
        for (lanes, best) in &mut sizes {
            let (step, undo) = round(lanes, best.steps);
            best.step_ns = best.step_ns.min(step);
            best.undo_ns = best.undo_ns.min(undo);
            best.steps_per_s = 1e9 / best.step_ns;
        }
        if cpu_ns() - started >= total {
            return Ok(sizes.into_iter().map(|(_, best)| best).collect());
        }
    }
}

/// The worlds of one scene size, and what can be counted without a clock.
fn prepare(work: &[Work], copies: u32) -> Result<(Vec<Lane>, Figures)> {
    let mut lanes = work
        .iter()
        .map(|w| Lane::new(w, copies))
        .collect::<Result<Vec<_>>>()?;
    let steps: usize = lanes.iter().map(|l| l.steps.len()).sum();
    if steps == 0 {
        return Err(anyhow!("no program has a step that can be applied"));
    }
    let changes: usize = lanes
        .iter_mut()
        .map(|l| {
            l.forward();
            let n = l.items.len();
            l.back();
            n
        })
        .sum();
    let allocs = allocation_counter::measure(|| {
        for lane in &mut lanes {
            lane.forward();
            lane.back();
        }
    });
    let nodes = lanes.iter().map(|l| l.world.scene().len()).max();
    let counted = Figures {
        allocs_per_step: allocs.count_total as f64 / steps as f64,
        changes_per_step: changes as f64 / steps as f64,
        nodes: nodes.unwrap_or(0),
        steps,
        step_ns: f64::INFINITY,
        undo_ns: f64::INFINITY,
        ..Figures::default()
    };
    Ok((lanes, counted))
}

/// CPU nanoseconds per step and per undo of one round. Each lane runs often enough to make the clock's own cost vanish.
fn round(lanes: &mut [Lane], steps: usize) -> (f64, f64) {
    const REPEATS: u32 = 40;
    let (mut both, mut undo_again) = (0.0, 0.0);
    for lane in lanes.iter_mut() {
        let start = cpu_ns();
        for _ in 0..REPEATS {
            lane.forward();
            lane.back();
        }
        let mid = cpu_ns();
        // Undo alone: the items of one forward pass, taken back and put forward by the same XOR.
        lane.forward();
        let hash = lane.world.hash();
        let flips_start = cpu_ns();
        for _ in 0..REPEATS {
            lane.world.take_back(&lane.items, hash);
        }
        let flips = cpu_ns() - flips_start;
        lane.back();
        both += mid - start;
        undo_again += flips;
    }
    let per = f64::from(REPEATS) * steps as f64;
    let undo = undo_again / per;
    (both / per - undo, undo)
}

/// CPU time of this thread in nanoseconds.
pub fn cpu_ns() -> f64 {
    let t = clock_gettime(ClockId::ThreadCPUTime);
    t.tv_sec as f64 * 1e9 + t.tv_nsec as f64
}

/// The scene with `copies - 1` further copies of its house beside it. The first copy keeps its ids; the agent and its
/// body are not copied, because walking brings every body part near and the work itself would grow.
///
/// # Errors
/// The scene is too large to copy.
pub fn replicate(scene: &Scene, copies: u32) -> Result<Scene> {
    let rules = scene.dialect().rules;
    let shift = scene.nodes().iter().map(|n| n.id.0).max().unwrap_or(0) + 1;
    let body = |n: &Node| {
        *n.class == *rules.agent_class || rules.carried_near.is_some_and(|p| n.props.has(p))
    };
    let once: BTreeSet<NodeId> = scene
        .nodes()
        .iter()
        .filter(|n| body(n))
        .map(|n| n.id)
        .collect();
    let (mut nodes, mut edges) = (scene.nodes().to_vec(), scene.edges().to_vec());
    for by in (1..copies).map(|copy| i64::from(copy) * shift) {
        nodes.extend(
            scene
                .nodes()
                .iter()
                .filter(|n| !once.contains(&n.id))
                .map(|n| {
                    let mut n = n.clone();
                    n.id.0 += by;
                    n
                }),
        );
        let copied = scene
            .edges()
            .iter()
            .filter(|e| !once.contains(&e.from) && !once.contains(&e.to));
        edges.extend(copied.map(|e| Edge {
            from: NodeId(e.from.0 + by),
            rel: e.rel,
            to: NodeId(e.to.0 + by),
        }));
    }
    Ok(Scene::new(scene.dialect(), scene.name(), nodes, edges)?)
}

/// The same action on a scene that holds the same ids.
pub fn rebind(from: &Scene, to: &Scene, action: Action) -> Option<Action> {
    let move_over = |ix: crate::sim::vocab::Ix| {
        if ix.is_some() {
            to.find(from.node(ix).id)
        } else {
            Some(ix)
        }
    };
    Some(Action {
        verb: action.verb,
        a: move_over(action.a)?,
        b: move_over(action.b)?,
    })
}
