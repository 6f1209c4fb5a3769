//! Runs that are pinned below the wall, side by side: of each its thoughts, its act, the danger, the goals.

use crate::app::cmd::Cmd;
use crate::app::jobs::{Job, JobEvent};
use crate::app::layer::{Act, Layer};
use crate::app::msg::Millis;
use crate::app::notice::Notice;
use crate::app::screens::attach::Attach;
use crate::app::state::Shared;
use crate::app::steer::Subject;

use super::Watch;

/// How many runs can be pinned.
pub const MOST: usize = 4;

/// The slots of the jobs that follow them.
const SLOTS: [&str; MOST] = ["pin-1", "pin-2", "pin-3", "pin-4"];

/// A pinned run.
#[derive(Debug)]
pub struct Pin {
    /// The run's id.
    pub id: String,
    /// The run, followed as an attached one is.
    pub attach: Attach,
    slot: &'static str,
}

/// Whether a slot is that of a pinned run.
pub(super) fn is_slot(slot: &str) -> bool {
    SLOTS.contains(&slot)
}

impl Watch {
    /// The pinned runs, the first pinned first.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// The pinned run with the keys; `None` while the wall has them.
    pub fn pinned(&self) -> Option<&Pin> {
        self.pins.get(self.focus?)
    }

    /// Whether a run is pinned.
    pub fn is_pinned(&self, id: &str) -> bool {
        self.pins.iter().any(|pin| pin.id == id)
    }

    /// Pins the run under the cursor, or lets it go again.
    pub(super) fn pin(&mut self, shared: &mut Shared) -> Vec<Act> {
        let Some(seen) = self.chosen() else {
            return vec![Act::Notice(Notice::info("no run is chosen"))];
        };
        let id = seen.row.id.clone();
        if let Some(at) = self.pins.iter().position(|pin| pin.id == id) {
            return self.let_go(at);
        }
        let free = SLOTS
            .into_iter()
            .find(|slot| self.pins.iter().all(|pin| pin.slot != *slot));
        let Some(slot) = free else {
            let text = format!("{MOST} runs are pinned: P on one of them lets it go");
            return vec![Act::Notice(Notice::info(text))];
        };
        let folder = seen.row.folder.display().to_string();
        let mut attach = Attach::of(&folder);
        // It asks for its job in a slot of its own; here it runs in that of the pin.
        attach.on_open(shared);
        self.pins.push(Pin { id, attach, slot });
        vec![Act::Job(slot, Job::Attach(folder))]
    }

    /// Lets a pinned run go.
    pub(super) fn let_go(&mut self, at: usize) -> Vec<Act> {
        let pin = self.pins.remove(at);
        self.focus = match self.focus {
            Some(_) if self.pins.is_empty() => None,
            Some(here) => Some(here.min(self.pins.len() - 1)),
            None => None,
        };
        if self.focus.is_none() {
            self.zoomed = false;
        }
        vec![Act::Stop(pin.slot)]
    }

    /// Lets those go that are pinned and gone.
    pub(super) fn let_go_of(&mut self, gone: &[String]) -> Vec<Act> {
        let mut acts = Vec::new();
        while let Some(at) = self.pins.iter().position(|pin| gone.contains(&pin.id)) {
            acts.extend(self.let_go(at));
        }
        acts
    }

    /// A job of a pin reported.
    pub(super) fn heard(
        &mut self,
        slot: &'static str,
        event: JobEvent,
        shared: &mut Shared,
    ) -> Vec<Act> {
        let Some(pin) = self.pins.iter_mut().find(|pin| pin.slot == slot) else {
            return Vec::new();
        };
        let mut acts = pin.attach.on_job(slot, event, shared);
        // The wall rings for all its runs.
        acts.retain(|act| !matches!(act, Act::Cmd(Cmd::Bell)));
        acts
    }

    /// Gives the keys to the pane after or before.
    pub(super) const fn next_pane(&mut self, forward: bool) {
        let panes = self.pins.len() + 1;
        let at = match self.focus {
            None => 0,
            Some(at) => at + 1,
        };
        let by = if forward { 1 } else { panes - 1 };
        self.focus = ((at + by) % panes).checked_sub(1);
    }

    /// The pinned run with the keys, to be stepped in on.
    pub(super) fn pinned_subject(&self) -> Option<Subject> {
        Some(self.pinned()?.attach.watched()?.subject())
    }

    /// A command of a list for the pinned run with the keys; `None` while the wall has them.
    pub(super) fn run_pinned(
        &mut self,
        command: &str,
        args: &str,
        shared: &mut Shared,
    ) -> Option<Vec<Act>> {
        let pin = self.pins.get_mut(self.focus?)?;
        let moves = crate::app::commands::shared::LIST.iter();
        let moves = moves.filter(|c| c.id != "filter").any(|c| c.id == command);
        moves
            .then(|| pin.attach.run(command, args, shared))
            .flatten()
    }

    /// When a pinned run wants to be drawn anew.
    pub(super) fn pins_deadline(&self) -> Option<Millis> {
        self.pins
            .iter()
            .filter_map(|pin| pin.attach.deadline())
            .min()
    }

    /// Time has passed.
    pub(super) fn tick_pins(&mut self, shared: &mut Shared) {
        for pin in &mut self.pins {
            pin.attach.on_tick(shared);
        }
    }
}
