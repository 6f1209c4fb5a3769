//! What a screen keeps of the map: the plan, where the cursor is, which storey or room is shown.

use crate::sim::vocab::Ix;
use crate::task::episode::Episode;

use super::{Map, Plan, Rank, Stops, Thing, Warned};

/// Rooms on one storey above which one is shown at a time.
const MANY_ROOMS: usize = 16;

/// A direction on the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To smaller x.
    Left,
    /// To larger z.
    Down,
    /// To smaller z.
    Up,
    /// To larger x.
    Right,
}

/// The map of one game or run.
#[derive(Clone, Debug)]
pub struct MapView {
    /// What the scene gives.
    pub plan: Plan,
    /// What is so now.
    pub map: Map,
    /// The thing under the cursor.
    pub cursor: Ix,
    /// The storey that is shown.
    pub storey: usize,
    /// The room that is shown alone.
    pub room: Option<Ix>,
    /// Whether things are called by name instead of two letters.
    pub names: bool,
    stops: Stops,
}

impl MapView {
    /// The map where an episode stands, its cursor on the agent.
    pub fn new(episode: &Episode, warned: Warned<'_>) -> Self {
        let world = episode.timeline().world();
        let mut view = Self {
            plan: Plan::new(world),
            map: Map::default(),
            cursor: world.me(),
            storey: 0,
            room: None,
            names: false,
            stops: Stops::default(),
        };
        view.refresh(episode, warned);
        view.storey = view.map.me.storey;
        if view
            .plan
            .rooms
            .iter()
            .filter(|r| r.storey == view.storey)
            .count()
            > MANY_ROOMS
        {
            view.room = view.room_of(view.cursor);
        }
        view
    }

    /// Takes in that the world stands elsewhere; the storey and the room shown follow the agent.
    pub fn refresh(&mut self, episode: &Episode, warned: Warned<'_>) {
        let before = (self.map.me, self.here());
        self.map = Map::of(&self.plan, &mut self.stops, episode, warned);
        if before.0 != self.map.me {
            self.storey = self.map.me.storey;
            if self.room.is_some() && before.1 == self.room {
                self.room = self.here();
            }
        }
        if self.map.thing(self.cursor).is_none() {
            self.cursor = episode.timeline().world().me();
        }
    }

    /// The room the agent is in.
    pub fn here(&self) -> Option<Ix> {
        self.map.things.iter().find(|t| t.rank == Rank::You)?.room
    }

    /// The room of a thing, by where it is drawn.
    fn room_of(&self, node: Ix) -> Option<Ix> {
        let room = self.map.thing(node)?.room?;
        self.plan.room(room).map(|r| r.node)
    }

    /// The things that are shown, the most important first.
    pub fn shown(&self) -> impl Iterator<Item = &Thing> {
        self.map.things.iter().filter(|thing| self.shows(thing))
    }

    fn shows(&self, thing: &Thing) -> bool {
        let under_cursor = thing.node == self.cursor;
        let in_room = self.room.is_none_or(|room| self.touches(thing, room));
        let placed = thing.rank == Rank::You || thing.room.is_some() || thing.door.is_some();
        let small = thing.rank == Rank::Small && self.room.is_none() && !under_cursor;
        placed && in_room && !small && thing.spot.storey == self.storey
    }

    /// Whether a thing is in a room or is a door in its wall.
    fn touches(&self, thing: &Thing, room: Ix) -> bool {
        if thing.room == Some(room) {
            return true;
        }
        let near = |(from, to): (f64, f64), v: f64| v >= from - 0.2 && v <= to + 0.2;
        thing.door.is_some()
            && self.plan.room(room).is_some_and(|area| {
                area.storey == thing.spot.storey
                    && near(area.x, thing.spot.x)
                    && near(area.z, thing.spot.z)
            })
    }

    /// Moves the cursor to the nearest thing that way. Whether there is one.
    pub fn step(&mut self, way: Way) -> bool {
        let Some(from) = self.map.thing(self.cursor).map(|t| t.spot) else {
            return false;
        };
        let next = self
            .shown()
            .filter(|thing| thing.node != self.cursor)
            .filter_map(|thing| {
                let (dx, dz) = (thing.spot.x - from.x, thing.spot.z - from.z);
                let (along, aside) = match way {
                    Way::Left => (-dx, dz),
                    Way::Right => (dx, dz),
                    Way::Up => (-dz, dx),
                    Way::Down => (dz, dx),
                };
                (along > 0.02 && along >= aside.abs() * 0.4)
                    .then(|| (along + 2.0 * aside.abs(), thing.node))
            })
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        if let Some((_, node)) = next {
            self.cursor = node;
        }
        next.is_some()
    }

    /// Shows the room of the cursor alone, or all rooms again.
    pub fn toggle_room(&mut self) {
        self.room = match self.room {
            Some(_) => None,
            None => self.room_of(self.cursor).or_else(|| self.here()),
        };
    }

    /// Shows the storey above or below, if there is one. Whether there was.
    pub fn change_storey(&mut self, up: bool) -> bool {
        let to = if up {
            self.storey + 1
        } else {
            self.storey.wrapping_sub(1)
        };
        let has = to < self.plan.storeys;
        if has {
            self.storey = to;
            self.room = None;
            let first = self.shown().next().map(|thing| thing.node);
            self.cursor = first.unwrap_or(self.cursor);
        }
        has
    }

    /// Puts the cursor on a node and shows where it is.
    pub fn point(&mut self, node: Ix) {
        if let Some(storey) = self.map.thing(node).map(|thing| thing.spot.storey) {
            self.cursor = node;
            self.storey = storey;
            if self.room.is_some() {
                self.room = self.room_of(node);
            }
        }
    }

    /// The pane's title: `6 rooms`, `kitchen, 1 of 6 rooms`, with what to know about the layout.
    pub fn title(&self) -> String {
        let all = self.plan.rooms.len();
        let rooms = match self.room.and_then(|room| self.plan.room(room)) {
            Some(room) => format!("Map {}, 1 of {all} rooms", room.name),
            None if all == 1 => "Map 1 room".to_owned(),
            None => format!("Map {all} rooms"),
        };
        let storey = if self.plan.storeys > 1 {
            format!(" · storey {} of {}", self.storey + 1, self.plan.storeys)
        } else {
            String::new()
        };
        let invented = if self.plan.invented {
            " · layout invented"
        } else {
            ""
        };
        format!("{rooms}{storey}{invented}")
    }

    /// The facts of the map, one a line, the most important first.
    pub fn plain(&self) -> Vec<String> {
        let mut lines = vec![self.title().to_lowercase()];
        let room = |node: Option<Ix>| {
            let area = node.and_then(|node| self.plan.room(node));
            area.map_or("no room", |area| area.name.as_str())
        };
        let way: Vec<String> = self
            .map
            .stops
            .iter()
            .map(|stop| {
                let to = self.map.thing(stop.to).map(|t| t.name.as_str());
                let to = to.or_else(|| self.plan.room(stop.to).map(|r| r.name.as_str()));
                format!("s{} {}", stop.pos.0, to.unwrap_or("a thing put away since"))
            })
            .collect();
        lines.push(format!("you are in {}", room(self.here())));
        if !way.is_empty() {
            lines.push(format!("your way: {}", way.join(", ")));
        }
        lines.extend(self.shown().filter(|t| t.rank != Rank::You).map(|thing| {
            let mut line = format!("{} in {}", thing.name, room(thing.room));
            if let Some(open) = thing.door {
                line = format!(
                    "door {} is {}",
                    thing.name,
                    if open { "open" } else { "closed" }
                );
            } else if !thing.states.is_empty() {
                line = format!("{line}: {}", thing.states);
            }
            if let Some(mark) = &thing.mark {
                let word = mark.glyph.word;
                let kind = thing.rank.words();
                line = format!("{line}, {kind} {word} {}", mark.text);
            }
            let cursor = if thing.node == self.cursor {
                " (cursor)"
            } else {
                ""
            };
            format!("{}{cursor}", line.trim_end())
        }));
        lines
    }
}
