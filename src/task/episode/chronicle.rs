//! What the rules said at every position of the way here: one account, from which the warnings, the explanation of a
//! rule and its rail are read, so that they cannot differ.
//!
//! A verdict is a function of the way to a position, so it is asked for once a position and kept. What is one action
//! away costs a look at every action within reach; what is broken, running or open does not, and is kept apart.

use std::collections::BTreeMap;
use std::mem::discriminant;

use crate::plan::options::{Candidate, Focus};
use crate::safety::monitor::{Clause, Names};
use crate::safety::verdict::{Instance, Standing};
use crate::sim::timeline::Pos;

use super::sight::Said;
use super::{Ending, Episode, Part, Warning};

/// The verdicts asked for so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Chronicle {
    /// What is broken, running or open at a position.
    settled: BTreeMap<Pos, Vec<Said>>,
    /// What one more action breaks there.
    armed: BTreeMap<Pos, Vec<Said>>,
}

/// How many positions that nobody has looked at yet an account of one rule goes back.
const LOOK_BACK: usize = 128;

impl Episode {
    /// The warnings where the episode stands, the weightiest first: grade, severity, time left.
    pub fn warnings(&mut self) -> Vec<Warning> {
        if self.ending.is_some() {
            let said = self.ended();
            return self.tell(said);
        }
        let said = self.settled(self.here()).to_vec();
        self.tell(said)
    }

    /// The same with what is one action away: instances that an action on something within reach would break, also one
    /// the world would still refuse for want of a step. Only instances count that concern something the run or the task
    /// has touched, or something that is not as its class is by nature.
    pub fn warnings_ahead(&mut self) -> Vec<Warning> {
        if self.ending.is_some() {
            return self.warnings();
        }
        let here = self.here();
        let mut said = self.settled(here).to_vec();
        said.extend_from_slice(self.armed(here));
        self.tell(said)
    }

    /// Takes the candidates where the episode stands, which must be those of the usual focus, so that the rules need
    /// not ask for them again.
    pub fn heed(&mut self, near: &[Candidate]) {
        let here = self.here();
        if !self.chronicle.armed.contains_key(&here) {
            self.settled(here);
            let armed = self.armed_by(near);
            self.chronicle.armed.insert(here, armed);
        }
    }

    /// How an instance stood along the way here, as far back as it is worth looking, the earliest first.
    pub fn history(&mut self, instance: &Instance) -> Vec<(Pos, Standing)> {
        let here = self.here();
        let mut left = LOOK_BACK;
        let mut all = Vec::new();
        for pos in self.timeline.path(here).into_iter().rev() {
            if !self.chronicle.armed.contains_key(&pos) {
                if left == 0 {
                    break;
                }
                left -= 1;
            }
            all.push((pos, self.stood(pos, instance)));
        }
        self.move_to(here);
        all.reverse();
        all
    }

    /// The ways an instance is broken, each part with its value now and since when: the parts of one way that hold and
    /// those that are missing.
    pub fn parts(&mut self, instance: &Instance) -> Vec<Vec<Part>> {
        let world = self.timeline.world();
        let scene = world.scene();
        let tracked = &self.lookout.ward().book().tracked;
        let names = Names {
            node: &|ix| scene.short_name(ix).to_owned(),
            fact: &|id| {
                let fact = tracked.get(usize::from(id.0));
                fact.map_or_else(String::new, |f| f.name.replace('_', " "))
            },
        };
        let ways = self.lookout.monitor().ways(world, instance, &names);
        let clauses: Vec<&Clause> = ways.iter().flat_map(|way| &way.clauses).collect();
        let mut since = self.unbroken(&clauses).into_iter();
        ways.into_iter()
            .map(|way| {
                let missing = way.missing().count();
                let part = |clause: Clause| Part {
                    since: since.next().flatten(),
                    decides: clause.holds == (missing == 0),
                    value: clause.holds,
                    about: clause.about,
                    nodes: clause.nodes,
                    words: clause.words,
                };
                way.clauses.into_iter().map(part).collect()
            })
            .collect()
    }

    /// Since which position each of these has had the value it has now, without a break.
    fn unbroken(&mut self, clauses: &[&Clause]) -> Vec<Option<Pos>> {
        let here = self.here();
        let still = |it: &Self, clause: &Clause| {
            let world = it.timeline.world();
            it.lookout.monitor().still(world, clause)
        };
        let mut since: Vec<Option<Pos>> = clauses
            .iter()
            .map(|clause| still(self, clause).map(|_| here))
            .collect();
        let mut open: Vec<usize> = (0..since.len()).filter(|i| since[*i].is_some()).collect();
        while let Some(up) = self.timeline.parent(self.here()) {
            if open.is_empty() {
                break;
            }
            self.move_to(up);
            open.retain(|&i| {
                let same = still(self, clauses[i]) == Some(clauses[i].holds);
                if same {
                    since[i] = Some(up);
                }
                same
            });
        }
        self.move_to(here);
        since
    }

    /// Stands elsewhere to look; nothing is recorded, and whoever looks comes back.
    pub(super) fn move_to(&mut self, pos: Pos) {
        let from = self.here();
        if from != pos && self.timeline.goto(pos) {
            self.follow(from);
        }
    }

    /// How an instance stood at a position. The episode may stand there afterwards.
    fn stood(&mut self, pos: Pos, instance: &Instance) -> Standing {
        let find = |all: &[Said]| {
            let said = all.iter().find(|said| said.instance == *instance);
            said.map(|said| said.standing)
        };
        find(self.settled(pos))
            .or_else(|| find(self.armed(pos)))
            .unwrap_or(Standing::Idle)
    }

    /// What is broken, running or open at a position. The episode may stand there afterwards.
    fn settled(&mut self, pos: Pos) -> &[Said] {
        if !self.chronicle.settled.contains_key(&pos) {
            self.move_to(pos);
            let said = self.settled_here();
            self.chronicle.settled.insert(pos, said);
        }
        let said = self.chronicle.settled.get(&pos);
        said.map_or(&[], Vec::as_slice)
    }

    /// What one more action breaks at a position. The episode may stand there afterwards.
    fn armed(&mut self, pos: Pos) -> &[Said] {
        if !self.chronicle.armed.contains_key(&pos) {
            self.settled(pos);
            self.move_to(pos);
            let near = self.candidates(&Focus::default());
            let said = self.armed_by(&near);
            self.chronicle.armed.insert(pos, said);
        }
        let said = self.chronicle.armed.get(&pos);
        said.map_or(&[], Vec::as_slice)
    }

    /// When the run has ended: what it broke on its way and was left broken, and what was so before it.
    fn ended(&self) -> Vec<Said> {
        let here = self.here();
        let way = self.timeline.path(here);
        let done = way.iter().rev();
        let done = done.flat_map(|&pos| self.broken_at(pos).into_iter().map(move |i| (pos, i)));
        let tried = self.attempts.iter().filter(|a| way.contains(&a.at));
        let tried = tried.flat_map(|a| a.broken.iter().map(|&i| (a.at, i)));
        let at = |depth: u32| self.after(&way, depth);
        let called = (here, matches!(self.ending, Some(Ending::Done)));
        self.sight().ended(&at, called, done.chain(tried))
    }

    /// The position of a way after so many steps from the start; the first there is where it was before that.
    fn after(&self, way: &[Pos], steps: u32) -> Pos {
        let first = self.timeline.first();
        let at = steps.checked_sub(self.timeline.led());
        at.map_or(first, |at| way.get(at as usize).copied().unwrap_or(first))
    }

    fn settled_here(&self) -> Vec<Said> {
        let way = self.timeline.path(self.here());
        let at = |depth: u32| self.after(&way, depth);
        self.sight().settled(&at)
    }

    /// What an action on something within reach breaks where the episode stands. What is said there already is known.
    fn armed_by(&mut self, near: &[Candidate]) -> Vec<Said> {
        let settled = self.chronicle.settled.get(&self.here()).cloned();
        let settled = settled.unwrap_or_default();
        let mut all: Vec<Said> = Vec::new();
        for candidate in near.iter().filter(|c| c.near) {
            for instance in self.would_break(candidate.action) {
                let known = settled.iter().any(|said| said.instance == instance);
                if known || !self.is_notable(&instance) {
                    continue;
                }
                match all.iter_mut().find(|said| said.instance == instance) {
                    Some(said) => said.breaks.push(candidate.action),
                    None => all.push(Said {
                        breaks: vec![candidate.action],
                        ..Said::new(instance, Standing::Armed)
                    }),
                }
            }
        }
        let mut loud = settled;
        loud.extend_from_slice(&all);
        self.sight().hush(&mut all, &loud);
        all
    }

    /// As warnings, with since when: the position from which each has stood so without a break.
    fn tell(&mut self, said: Vec<Said>) -> Vec<Warning> {
        let here = self.here();
        let mut since: Vec<Pos> = said.iter().map(|s| s.since.unwrap_or(here)).collect();
        let mut open: Vec<usize> = (0..said.len())
            .filter(|i| said[*i].since.is_none() && said[*i].standing != Standing::Silenced)
            .collect();
        let mut at = here;
        while let Some(up) = self.timeline.parent(at) {
            if open.is_empty() {
                break;
            }
            open.retain(|&i| {
                let stood = self.stood(up, &said[i].instance);
                let same = discriminant(&stood) == discriminant(&said[i].standing);
                if same {
                    since[i] = up;
                }
                same
            });
            at = up;
        }
        self.move_to(here);
        self.sight().warnings(said.into_iter().zip(since))
    }
}
