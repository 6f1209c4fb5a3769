//! What the rules say where a run stands, from that state alone: what is broken, running or left open. An episode asks
//! with all it keeps, a [`super::Glance`] with the little it has; both get the same words.

use std::sync::Arc;

use crate::safety::ast::Ast;
use crate::safety::monitor::StepLog;
use crate::safety::rule::{Grade, Rule};
use crate::safety::verdict::{Instance, Standing};
use crate::safety::ward::Lookout;
use crate::sim::graph::Item;
use crate::sim::timeline::Pos;
use crate::sim::vocab::Ix;
use crate::sim::world::{Action, World};
use crate::task::arbitration::SAID_ONCE;

use super::Warning;

/// How an instance stands at a position where it does not stand idle.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) instance: Instance,
    pub(super) standing: Standing,
    /// Since when, where that is known without looking back.
    pub(super) since: Option<Pos>,
    pub(super) breaks: Vec<Action>,
}

impl Said {
    pub(super) const fn new(instance: Instance, standing: Standing) -> Self {
        Self {
            instance,
            standing,
            since: None,
            breaks: Vec::new(),
        }
    }
}

/// The state a run stands in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight<'a> {
    pub(super) world: &'a World,
    pub(super) lookout: &'a Lookout,
    /// What would be broken if the run ended before its first step.
    pub(super) open_at_start: &'a [Instance],
    /// The step that led here: what it changed in the graph and in the monitor.
    pub(super) last: Option<(&'a [Item], &'a StepLog)>,
}

impl Sight<'_> {
    /// Instances that would be broken if the run ended here, also those that would have been at the start.
    pub(super) fn open_ends(&self) -> Vec<Instance> {
        let mut open = self.lookout.monitor().at_end(self.world, self.last);
        open.retain(|i| !self.lookout.is_silenced(i));
        open
    }

    /// Warnings that calling the task done here would leave broken, the run's doing only.
    pub(super) fn left_open(&self, here: Pos) -> Vec<Warning> {
        let mut all: Vec<Warning> = self
            .open_ends()
            .into_iter()
            .filter(|i| !self.open_at_start.contains(i))
            .filter_map(|i| self.warning(i, Standing::Pending(None), here))
            .collect();
        sort(&mut all);
        all
    }

    /// What is broken, running or open here; `at` names the position that so many steps lead to.
    pub(super) fn settled(&self, at: &dyn Fn(u32) -> Pos) -> Vec<Said> {
        let heard = |instance: &Instance, standing| {
            if self.lookout.is_silenced(instance) {
                Standing::Silenced
            } else {
                standing
            }
        };
        let monitor = self.lookout.monitor();
        let mut all: Vec<Said> = monitor
            .broken()
            .map(|(instance, since)| {
                let standing = match since {
                    0 => Standing::StandingHazard,
                    _ => Standing::Violated,
                };
                Said {
                    since: Some(at(since)),
                    ..Said::new(instance, heard(&instance, standing))
                }
            })
            .collect();
        let running = monitor.pending().into_iter();
        all.extend(running.map(|(instance, left)| {
            let standing = Standing::Pending(Some(left));
            Said::new(instance, heard(&instance, standing))
        }));
        all.extend(self.open_ends().into_iter().map(|instance| {
            if self.open_at_start.contains(&instance) {
                Said {
                    since: Some(Pos::START),
                    ..Said::new(instance, Standing::StandingHazard)
                }
            } else {
                Said::new(instance, Standing::Pending(None))
            }
        }));
        let loud = all.clone();
        self.hush(&mut all, &loud);
        all
    }

    /// When the run has ended: what it broke on its way and was left broken, and what was so before it. Nothing is armed
    /// or pending any more. `broken` is what broke on the way, with the position, the latest first.
    pub(super) fn ended(
        &self,
        at: &dyn Fn(u32) -> Pos,
        (here, done): (Pos, bool),
        broken: impl Iterator<Item = (Pos, Instance)>,
    ) -> Vec<Said> {
        let mut all = self.settled(at);
        all.retain(|said| !matches!(said.standing, Standing::Pending(_)));
        if done {
            for instance in self.open_ends() {
                if !all.iter().any(|said| said.instance == instance) {
                    all.push(Said {
                        since: Some(here),
                        ..Said::new(instance, Standing::Violated)
                    });
                }
            }
        }
        for (pos, instance) in broken {
            let known = all.iter().any(|said| said.instance == instance);
            if !known && !self.lookout.is_silenced(&instance) {
                all.push(Said {
                    since: Some(pos),
                    ..Said::new(instance, Standing::Violated)
                });
            }
        }
        all
    }

    /// Silences what a rule that comes before it says of the same thing. What is only armed silences nothing that is
    /// more than armed.
    pub(super) fn hush(&self, all: &mut [Said], loud: &[Said]) {
        let ward = self.lookout.ward();
        let id = |said: &Said| ward.rule(said.instance.rule).map(|rule| rule.id.as_str());
        let loud: Vec<(&str, Ix)> = loud
            .iter()
            .filter(|said| said.standing != Standing::Silenced)
            .filter_map(|said| Some((id(said)?, said.instance.tuple[0])))
            .collect();
        for said in all {
            let repeats = |(first, then): &(&str, &str)| {
                id(said) == Some(*then) && loud.contains(&(*first, said.instance.tuple[0]))
            };
            if SAID_ONCE.iter().any(repeats) {
                said.standing = Standing::Silenced;
            }
        }
    }

    /// As warnings, the weightiest first; each comes with since when it has stood so.
    pub(super) fn warnings(&self, said: impl Iterator<Item = (Said, Pos)>) -> Vec<Warning> {
        let mut all: Vec<Warning> = said
            .filter_map(|(said, since)| {
                let warning = self.warning(said.instance, said.standing, since)?;
                Some(Warning {
                    breaks: said.breaks,
                    ..warning
                })
            })
            .collect();
        sort(&mut all);
        all
    }

    pub(super) fn warning(
        &self,
        instance: Instance,
        standing: Standing,
        since: Pos,
    ) -> Option<Warning> {
        let ward = self.lookout.ward();
        let rule = ward.rule(instance.rule)?.clone();
        let bindings = match &rule.formula {
            Ast::All(binders, _) => binders
                .iter()
                .zip(instance.tuple)
                .map(|(binder, node)| (binder.var.text.clone(), node))
                .collect(),
            _ => Vec::new(),
        };
        Some(Warning {
            grade: ward.grade(instance.rule),
            rule,
            instance,
            bindings,
            standing,
            since,
            witness: match standing {
                Standing::Violated => vec![since],
                _ => Vec::new(),
            },
            breaks: Vec::new(),
        })
    }

    /// The rules of instances that broke, each once, with the grade it has in this scene, in their order.
    pub(super) fn rules(&self, broken: impl Iterator<Item = Instance>) -> Vec<(Arc<Rule>, Grade)> {
        let ward = self.lookout.ward();
        let mut all: Vec<(Arc<Rule>, Grade)> = Vec::new();
        for instance in broken.filter(|i| !self.lookout.is_silenced(i)) {
            let Some(rule) = ward.rule(instance.rule) else {
                continue;
            };
            if !all.iter().any(|(known, _)| known.id == rule.id) {
                all.push((rule.clone(), ward.grade(instance.rule)));
            }
        }
        all
    }
}

fn sort(all: &mut [Warning]) {
    all.sort_by_key(|w| (w.weight(), w.rule.id.clone(), w.instance));
}
