//! What each step of an episode did to the rules, wherever the episode stands.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::safety::monitor::StepLog;
use crate::safety::rule::Rule;
use crate::safety::verdict::{Instance, Standing};
use crate::sim::timeline::Pos;

use super::{Episode, Shift};

impl Episode {
    /// The rule of an instance, whether or not it has anything to say now.
    pub fn rule(&self, instance: &Instance) -> Option<Arc<Rule>> {
        self.lookout.ward().rule(instance.rule).cloned()
    }

    /// What the step to a position did to the rules, whether or not the episode stands there; nothing for the start.
    /// The worst first.
    pub fn turns(&self, pos: Pos) -> Vec<Shift> {
        let ward = self.lookout.ward();
        let log = self.log(pos);
        let turns = log.into_iter().flat_map(StepLog::turns);
        let heard = turns.filter(|t| !self.lookout.is_silenced(&t.instance));
        let mut all: Vec<Shift> = heard
            .filter_map(|turn| {
                let (from, to) = if turn.broken {
                    (Standing::Idle, Standing::Violated)
                } else {
                    (Standing::Violated, Standing::Idle)
                };
                Some(Shift {
                    rule: ward.rule(turn.instance.rule)?.clone(),
                    grade: ward.grade(turn.instance.rule),
                    instance: turn.instance,
                    from,
                    to,
                })
            })
            .collect();
        all.sort_by_key(|s| {
            let mended = s.to != Standing::Violated;
            (mended, s.grade, Reverse(s.rule.severity), s.instance)
        });
        all
    }
}
