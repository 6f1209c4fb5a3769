//! The map in Play: the floor plan instead of the panes, with all about the thing under its cursor beside it.

use std::collections::BTreeMap;

use crate::app::commands::Availability;
use crate::app::layer::Act;
use crate::app::notice::Notice;
use crate::app::parts;
use crate::app::parts::map::Mark;
use crate::app::parts::map::view::{MapView, Way};
use crate::safety::rule::Grade;
use crate::safety::verdict::Standing;
use crate::sim::vocab::Ix;
use crate::task::episode::Episode;

use super::game::{Game, Pane};
use super::sheets::{About, Lines};
use super::warnings::Warnings;

/// The map and the detail beside it.
#[derive(Clone, Debug)]
pub struct Floor {
    /// The map.
    pub view: MapView,
    /// All about the thing under the cursor.
    pub detail: Option<Lines>,
}

/// What warns of a node, the weightiest of it.
type Marks = BTreeMap<Ix, Mark>;

/// The nodes that warnings speak of. Advice stays off the map unless it was broken: it would cover what matters.
fn marks(warnings: &Warnings) -> Marks {
    let mut marks = Marks::new();
    for row in warnings.speaking() {
        if row.grade != Grade::Core && row.standing != Standing::Violated {
            continue;
        }
        let members = row.members.iter().filter_map(|&at| warnings.all.get(at));
        for (_, node) in members.flat_map(|w| &w.bindings) {
            marks.entry(*node).or_insert_with(|| Mark {
                glyph: parts::warnings::glyph(row.standing),
                text: row.rule.id.clone(),
                role: row.role(),
            });
        }
    }
    marks
}

impl Floor {
    /// The map where an episode stands.
    pub fn new(episode: &mut Episode, warnings: &Warnings) -> Self {
        let marks = marks(warnings);
        let mut floor = Self {
            view: MapView::new(episode, &|ix| marks.get(&ix).cloned()),
            detail: None,
        };
        floor.look(episode);
        floor
    }

    /// Takes in that the world stands elsewhere.
    pub fn refresh(&mut self, episode: &mut Episode, warnings: &Warnings) {
        let marks = marks(warnings);
        self.view.refresh(episode, &|ix| marks.get(&ix).cloned());
        self.look(episode);
    }

    /// Takes in that the cursor is elsewhere.
    fn look(&mut self, episode: &mut Episode) {
        self.detail = Lines::of(episode, About::Node(self.view.cursor));
    }

    /// Whether a command of the map can be run.
    pub fn when_storey(&self, up: bool) -> Availability {
        let (at, all) = (self.view.storey, self.view.plan.storeys);
        let (can, why) = if up {
            (at + 1 < all, "there is no storey above")
        } else {
            (at > 0, "there is no storey below")
        };
        Availability::when(can, why)
    }

    /// Runs a command of the map; `None` if it is none.
    pub fn run(&mut self, command: &str, episode: &mut Episode) -> Option<Vec<Act>> {
        let way = match command {
            "go-left" => Some(Way::Left),
            "go-down" => Some(Way::Down),
            "go-up" => Some(Way::Up),
            "go-right" => Some(Way::Right),
            _ => None,
        };
        match command {
            _ if way.is_some_and(|way| !self.view.step(way)) => {
                return Some(vec![Act::Notice(Notice::info("nothing more that way"))]);
            }
            _ if way.is_some() => {}
            "map-room" => self.view.toggle_room(),
            "map-names" => self.view.names = !self.view.names,
            "storey-up" | "storey-down" => {
                self.view.change_storey(command == "storey-up");
            }
            _ => return None,
        }
        self.look(episode);
        Some(Vec::new())
    }
}

impl Game {
    /// Shows the map, its cursor on the node the focused pane was about.
    pub(super) fn show_map(&mut self) {
        let about = match self.focus {
            Pane::Scene => self.tree.node(),
            _ => None,
        };
        let mut floor = Floor::new(&mut self.episode, &self.warnings);
        if let Some(node) = about {
            floor.view.point(node);
            floor.look(&mut self.episode);
        }
        self.map = Some(Box::new(floor));
    }

    /// The map takes in that the world stands elsewhere.
    pub(super) fn map_moved(&mut self) {
        if let Some(mut floor) = self.map.take() {
            floor.refresh(&mut self.episode, &self.warnings);
            self.map = Some(floor);
        }
    }

    pub(super) fn when_storey(&self, up: bool) -> Availability {
        match &self.map {
            Some(floor) => floor.when_storey(up),
            None => Availability::blocked("the map is not shown: m shows it"),
        }
    }

    /// Runs a command while the map is shown; `None` if the map has nothing to do with it.
    pub(super) fn run_map(&mut self, command: &str) -> Option<Vec<Act>> {
        let floor = self.map.as_mut()?;
        match command {
            "out" if floor.view.room.is_some() => floor.view.toggle_room(),
            "out" if self.zoomed => self.zoomed = false,
            "map" | "map-close" | "out" => self.map = None,
            // The pane beside the map is the detail.
            "next-pane" | "previous-pane" => {
                let about = About::Node(floor.view.cursor);
                self.open_lines(Some(about));
            }
            _ => return floor.run(command, &mut self.episode),
        }
        Some(Vec::new())
    }
}
