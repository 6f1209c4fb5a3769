//! Rules muted by the person who plays. A mute is an intervention among the events, so that a run opened again has the
//! same rules muted; moving back and forth does not undo it, and a fork begins without any.

use std::collections::BTreeSet;

use super::{Body, Episode, Event, Remark, Said};

/// What begins the text of an intervention that mutes a rule.
const MUTE: &str = "mute ";

/// What begins the text of an intervention that lets a rule speak again.
const UNMUTE: &str = "unmute ";

impl Episode {
    /// The rules muted for this run, by id.
    pub const fn muted(&self) -> &BTreeSet<String> {
        &self.muted
    }

    /// Mutes a rule, or lets it speak again where it is muted.
    pub fn mute(&mut self, rule: &str) -> Event {
        let word = if self.muted.contains(rule) {
            UNMUTE
        } else {
            MUTE
        };
        let text = format!("{word}{rule}");
        self.say(Said::new(Remark::Intervention, &text))
    }

    /// Takes in what a recorded remark changes.
    pub(super) fn take_remark(&mut self, said: &Said) {
        heed(&mut self.muted, said);
    }

    /// Records something said.
    pub fn say(&mut self, said: Said) -> Event {
        self.take_remark(&said);
        self.record(Some(self.here()), Body::Remark(said))
    }
}

/// Takes in what a recorded remark changes among the rules that are muted.
pub(super) fn heed(muted: &mut BTreeSet<String>, said: &Said) {
    if said.kind != Remark::Intervention {
        return;
    }
    let text = said.text.as_str();
    if let Some(rule) = text.strip_prefix(MUTE) {
        muted.insert(rule.to_owned());
    } else if let Some(rule) = text.strip_prefix(UNMUTE) {
        muted.remove(rule);
    }
}
