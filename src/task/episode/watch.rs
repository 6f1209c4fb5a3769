//! What the hazard rules say about an episode: warnings where it stands, and what an action would do to them.
//!
//! Rules are watched by [`crate::safety`]; here their verdicts meet the episode's positions, goals and words. A task's
//! own goals decide its score; warnings never do.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::plan::options::Candidate;
use crate::safety::monitor::{About, Names, StepLog};
use crate::safety::rule::{Grade, Rule};
use crate::safety::verdict::{Instance, RuleIx, Standing, Turn};
use crate::safety::ward::Lookout;
use crate::sim::graph::{Change, Item};
use crate::sim::refusal::Kind;
use crate::sim::timeline::Pos;
use crate::sim::vocab::Ix;
use crate::sim::world::{Action, World};

use super::sight::Sight;
use super::{Ending, Episode, log_of};

/// One instance of a rule that does not stand idle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The rule.
    pub rule: Arc<Rule>,
    /// The grade it has in this scene.
    pub grade: Grade,
    /// For which nodes.
    pub instance: Instance,
    /// The rule's outer variables with the nodes they stand for.
    pub bindings: Vec<(String, Ix)>,
    /// How it stands.
    pub standing: Standing,
    /// Since which position it has stood so.
    pub since: Pos,
    /// The latest steps that made it so, oldest first: its smallest witness.
    pub witness: Vec<Pos>,
    /// Actions that would break it next, also ones the world would still refuse; empty when none is known.
    pub breaks: Vec<Action>,
}

/// What an action would do to an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The rule.
    pub rule: Arc<Rule>,
    /// The grade it has in this scene.
    pub grade: Grade,
    /// For which nodes.
    pub instance: Instance,
    /// How it stands now.
    pub from: Standing,
    /// How it would stand.
    pub to: Standing,
}

/// Counts over the rules that have instances in the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// Rules with an instance in this scene that are in force.
    pub rules: usize,
    /// Rules of which nothing is to be said now.
    pub idle: usize,
    /// Rules silenced by a goal, a grade or a duplicate.
    pub silenced: usize,
}

/// A part of a way a rule is broken, with its value now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// In words with the nodes' names: `fork INSIDE microwave`.
    pub words: String,
    /// Whether it holds now.
    pub value: bool,
    /// What it speaks of.
    pub about: About,
    /// The nodes it speaks of.
    pub nodes: Vec<Ix>,
    /// Since which position it has had that value without a break; `None` for an action, and where it names nothing.
    pub since: Option<Pos>,
    /// Whether it decides: of a broken way every part does, of another each that is missing.
    pub decides: bool,
}

impl Episode {
    /// What the step to a position changed in the monitor; nothing for the first there is.
    pub(super) fn log(&self, pos: Pos) -> Option<&StepLog> {
        self.logs.get(log_of(&self.timeline, pos))
    }

    /// The monitor, the rules, and what silences them.
    pub const fn lookout(&self) -> &Lookout {
        &self.lookout
    }

    /// The instances an action would break; where the world refuses it for want of a step, as if it did not.
    pub(super) fn would_break(&mut self, action: Action) -> Vec<Instance> {
        let forced = match self.timeline.world().check(action) {
            Ok(_) => false,
            Err(r) if matches!(r.kind, Kind::MissingStep | Kind::WrongOrder) => true,
            Err(_) => return Vec::new(),
        };
        let Self {
            timeline, lookout, ..
        } = self;
        let mut found = if forced {
            lookout.attempt(timeline.world(), action).to_vec()
        } else {
            Vec::new()
        };
        let look = |world: &World, items: &[Item]| {
            lookout.ahead(world, action, items, |_, log| log.breaches().collect())
        };
        let ahead: Vec<Instance> = timeline.world_mut().suppose(action, look);
        found.extend(ahead);
        found.sort_unstable();
        found.dedup();
        found.retain(|i| !self.lookout.is_silenced(i));
        found
    }

    /// Whether an instance concerns anything out of the ordinary.
    pub(super) fn is_notable(&self, instance: &Instance) -> bool {
        let ward = self.lookout.ward();
        let (graph, scene) = (self.timeline.world().graph(), ward.scene());
        let ontology = &ward.book().ontology;
        let mut nodes = instance.tuple.into_iter().filter(|n| n.is_some());
        nodes.any(|n| {
            let node = scene.node(n);
            let states = graph.states(n);
            let unusual = ontology.class(&node.class).is_some_and(|class| {
                let usual = class.start.iter();
                let mut usual = usual.filter_map(|s| scene.dialect().state(s));
                usual.any(|s| !states.has(s))
            });
            unusual || self.amiss.contains(&n) || self.touched_node(n) != Pos::START
        })
    }

    /// The latest step that changed a thing, nearness aside.
    fn touched_node(&self, n: Ix) -> Pos {
        let near = self.timeline.world().dialect().near;
        self.timeline.last_touch(|change| match *change {
            Change::State(node, ..) => node == n,
            Change::Edge(from, rel, to, _) => rel != near && (from == n || to == n),
        })
    }

    /// The rules the run broke on the way here, each once, with the grade it has in this scene, in the order of the
    /// steps. Attempts the world refused count.
    pub fn breaches(&self) -> Vec<(Arc<Rule>, Grade)> {
        let way = self.timeline.path(self.here());
        let done = way
            .iter()
            .skip(1)
            .flat_map(|pos| self.log(*pos).into_iter().flat_map(StepLog::breaches));
        let tried = self.attempts.iter().filter(|a| way.contains(&a.at));
        let tried = tried.flat_map(|a| a.broken.iter().copied());
        let ended = match self.ending {
            Some(Ending::Done) => self.left_open(),
            _ => Vec::new(),
        };
        let ended = ended.iter().map(|w| w.instance);
        self.sight().rules(done.chain(tried).chain(ended))
    }

    /// The instances that broke at a position, in the order of the rules; none at the start.
    pub fn broken_at(&self, pos: Pos) -> Vec<Instance> {
        let log = self.log(pos);
        let broken = log.into_iter().flat_map(StepLog::breaches);
        broken.filter(|i| !self.lookout.is_silenced(i)).collect()
    }

    /// How many rules watch, and how many have nothing to say where these warnings are all that is said.
    pub fn watched(&self, all: &[Warning]) -> Watched {
        let program = self.lookout.ward().program();
        let rules = program.rules().len() - program.idle_rules().len();
        let mut said: Vec<RuleIx> = Vec::new();
        let mut silenced: Vec<RuleIx> = Vec::new();
        for w in all {
            match w.standing {
                Standing::Silenced => silenced.push(w.instance.rule),
                _ => said.push(w.instance.rule),
            }
        }
        said.sort_unstable();
        said.dedup();
        silenced.retain(|r| !said.contains(r));
        silenced.sort_unstable();
        silenced.dedup();
        Watched {
            rules,
            idle: rules.saturating_sub(said.len() + silenced.len()),
            silenced: silenced.len(),
        }
    }

    /// What an action would do to the rules, attempts that the world would refuse included; the worst first.
    pub fn shifts(&mut self, action: Action) -> Vec<Shift> {
        let ward = self.lookout.ward().clone();
        let before = |it: &Self, instance: &Instance| {
            let mut broken = it.lookout.monitor().broken();
            match broken.find(|(i, _)| i == instance) {
                Some((_, 0)) => Standing::StandingHazard,
                Some(_) => Standing::Violated,
                None => Standing::Idle,
            }
        };
        let turns: Vec<Turn> = if self.timeline.world().check(action).is_ok() {
            let Self {
                timeline, lookout, ..
            } = self;
            let look = |world: &World, items: &[Item]| {
                lookout.ahead(world, action, items, |_, log| log.turns().to_vec())
            };
            timeline
                .world_mut()
                .preview(action, look)
                .unwrap_or_default()
        } else {
            let tried = self.lookout.attempt(self.timeline.world(), action);
            let turn = |instance: &Instance| Turn {
                instance: *instance,
                broken: true,
            };
            tried.iter().map(turn).collect()
        };
        let heard = turns
            .into_iter()
            .filter(|t| !self.lookout.is_silenced(&t.instance));
        let mut all: Vec<Shift> = heard
            .filter_map(|turn| {
                Some(Shift {
                    rule: ward.rule(turn.instance.rule)?.clone(),
                    grade: ward.grade(turn.instance.rule),
                    instance: turn.instance,
                    from: before(self, &turn.instance),
                    to: if turn.broken {
                        Standing::Violated
                    } else {
                        Standing::Idle
                    },
                })
            })
            .collect();
        all.sort_by_key(|s| {
            let broken = s.to != Standing::Violated;
            (broken, s.grade, Reverse(s.rule.severity), s.instance)
        });
        all
    }

    /// Warnings that calling the task done here would leave broken. What was so before the first step is a standing
    /// hazard, not the run's doing, and left out.
    pub fn left_open(&self) -> Vec<Warning> {
        self.sight().left_open(self.here())
    }

    /// What the rules see where the episode stands.
    pub(super) fn sight(&self) -> Sight<'_> {
        let here = self.here();
        let log = self.log(here);
        Sight {
            world: self.timeline.world(),
            lookout: &self.lookout,
            open_at_start: &self.open_at_start,
            last: log.map(|log| (self.timeline.items(here), log)),
        }
    }

    /// Actions among these that bring an instance further from being broken: fewer parts of some way that was nearest
    /// hold after them.
    pub fn cures_of(&mut self, instance: &Instance, candidates: &[Candidate]) -> Vec<Action> {
        let nearest = |it: &Lookout, world: &World| {
            let names = Names {
                node: &|_| String::new(),
                fact: &|_| String::new(),
            };
            let ways = it.monitor().ways(world, instance, &names);
            ways.iter().map(|way| way.missing().count()).min()
        };
        let now = nearest(&self.lookout, self.timeline.world());
        let mut found = Vec::new();
        for candidate in candidates.iter().filter(|c| c.refusal.is_none() && c.near) {
            let Self {
                timeline, lookout, ..
            } = self;
            let action = candidate.action;
            let look = |world: &World, items: &[Item]| {
                lookout.ahead(world, action, items, |it, _| nearest(it, world))
            };
            let then = timeline.world_mut().preview(action, look).ok().flatten();
            if then > now {
                found.push(action);
            }
        }
        if !found.is_empty() {
            return found;
        }
        // Else what lacks a step first, such as a walk there.
        let lacks = |c: &&Candidate| {
            let kind = c.refusal.as_ref().map(|r| r.kind);
            matches!(kind, Some(Kind::MissingStep | Kind::WrongOrder))
        };
        for candidate in candidates.iter().filter(lacks) {
            let Self {
                timeline, lookout, ..
            } = self;
            let action = candidate.action;
            let look = |world: &World, items: &[Item]| {
                lookout.ahead(world, action, items, |it, _| nearest(it, world))
            };
            if timeline.world_mut().suppose(action, look) > now {
                found.push(action);
            }
        }
        found
    }
}

impl Warning {
    /// What comes first: the weightier grade, what is broken before what may be, severity, time left.
    pub(super) fn weight(&self) -> (Grade, u8, Reverse<u8>, u32) {
        let (order, left) = match self.standing {
            Standing::Violated => (0, 0),
            Standing::Pending(left) => (1, left.unwrap_or(u32::MAX)),
            Standing::Armed => (2, 0),
            Standing::StandingHazard => (3, 0),
            Standing::Discharged => (4, 0),
            Standing::Idle => (5, 0),
            Standing::Silenced => (6, 0),
        };
        (self.grade, order, Reverse(self.rule.severity), left)
    }
}
