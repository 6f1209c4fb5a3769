//! The map in Inspect: the floor plan at the step that is looked at.

use crate::app::commands::Availability;
use crate::app::layer::Act;
use crate::app::screens::play::floor::Floor;
use crate::app::screens::play::sheets::About;
use crate::app::screens::play::warnings::Warnings;
use crate::task::episode::Episode;

use super::Inspect;

impl Inspect {
    /// Whether a command can be run while the map is shown, where that is the map's business.
    pub(super) fn when_map(&self, command: &str) -> Option<Availability> {
        let map = self.map.as_ref()?;
        Some(match command {
            "storey-up" | "storey-down" => map.when_storey(command == "storey-up"),
            "map-room" | "map-names" | "map-close" | "node" | "next-pane" | "previous-pane"
            | "out" => Availability::Ready,
            "inspect-enter" | "goal-why" | "diff-view" | "hidden-facts" | "filter" => {
                Availability::blocked("m goes back to the steps")
            }
            _ if command.starts_with("go-") => Availability::Ready,
            _ => return None,
        })
    }

    /// Shows the map, or the panes again.
    pub(super) fn toggle_map(&mut self) {
        let there = self.loaded_mut().and_then(|it| it.there.as_mut());
        let floor = there.map(|there| {
            let warnings = warnings(&mut there.episode);
            Box::new(Floor::new(&mut there.episode, &warnings))
        });
        self.map = floor.filter(|_| self.map.is_none());
    }

    /// The map takes in that another step is looked at.
    pub(super) fn map_moved(&mut self) {
        let Some(mut floor) = self.map.take() else {
            return;
        };
        if let Some(there) = self.loaded_mut().and_then(|it| it.there.as_mut()) {
            let warnings = warnings(&mut there.episode);
            floor.refresh(&mut there.episode, &warnings);
            self.map = Some(floor);
        }
    }

    /// Runs a command while the map is shown; `None` if the map has nothing to do with it.
    pub(super) fn run_map(&mut self, command: &str) -> Option<Vec<Act>> {
        let mut floor = self.map.take()?;
        match command {
            "out" if floor.view.room.is_some() => floor.view.toggle_room(),
            "out" if self.zoomed => self.zoomed = false,
            "out" | "map-close" => return Some(Vec::new()),
            "node" | "next-pane" | "previous-pane" => {
                self.open_facts(About::Node(floor.view.cursor));
            }
            _ => {
                let there = self.loaded_mut().and_then(|it| it.there.as_mut());
                let acts = there.and_then(|there| floor.run(command, &mut there.episode));
                self.map = Some(floor);
                return acts;
            }
        }
        self.map = Some(floor);
        Some(Vec::new())
    }
}

/// The warnings at the step that is looked at.
fn warnings(episode: &mut Episode) -> Warnings {
    let mut warnings = Warnings::default();
    warnings.refresh(episode, None);
    warnings
}
