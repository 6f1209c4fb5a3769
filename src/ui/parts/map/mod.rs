//! The floor plan: walls, doors, the way, then what stands where.

use std::collections::BTreeMap;

use ratatui::layout::Rect;

use crate::app::parts::map::view::MapView;
use crate::app::parts::map::{Rank, RoomBox, Stop, Thing};
use crate::app::role::Role;
use crate::base::text;
use crate::ui::canvas::{Canvas, Span};

mod grid;
mod place;
mod way;

use grid::{Cells, Grid, Wall, clamp};
use place::Taken;
use way::{Cell, Passage};

/// Stops whose way is drawn; older ones are told by the text form.
const STOPS: usize = 12;

/// The rooms a view shows, laid on an area: the whole storey, or one room where that is asked for or where the storey
/// has no room.
fn lay(view: &MapView, width: u16, height: u16) -> Option<Grid<'_>> {
    let storey: Vec<&RoomBox> = view
        .plan
        .rooms
        .iter()
        .filter(|room| room.storey == view.storey)
        .collect();
    let one = |room: Option<crate::sim::vocab::Ix>| {
        let room = view.plan.room(room?)?;
        Grid::fit(&[room], width, height)
    };
    if view.room.is_some() {
        return one(view.room);
    }
    let chosen = view.map.thing(view.cursor).and_then(|thing| thing.room);
    Grid::fit(&storey, width, height)
        .or_else(|| one(chosen))
        .or_else(|| one(view.here()))
        .or_else(|| one(storey.first().map(|room| room.node)))
}

/// Draws the map.
pub fn draw(view: &MapView, focused: bool, canvas: &mut Canvas<'_>) {
    let (width, height) = (canvas.width(), canvas.height());
    let below = match height {
        0..8 => 0,
        8..14 => 1,
        14..30 => 2,
        _ => 4,
    };
    let area = Rect::new(1, 0, width.saturating_sub(2), height - below);
    let grid = lay(view, area.width, area.height);
    let drawn = grid.as_ref().map_or_else(Vec::new, |grid| {
        Picture::new(view, grid, area).draw(focused, &mut canvas.sub(area))
    });
    if grid.is_none() {
        canvas.fitted((1, 0), area.width, "too small for a map", Role::Dim);
    }
    let rows = Rect::new(1, height - below, width.saturating_sub(2), below);
    legend(view, &drawn, &mut canvas.sub(rows));
}

struct Picture<'a, 'g> {
    view: &'a MapView,
    grid: &'g Grid<'a>,
    taken: Taken,
    passages: Vec<Passage>,
}

/// A label that has found its place.
struct Label<'a> {
    thing: &'a Thing,
    at: Cell,
    inside: Rect,
    words: String,
    states: String,
}

impl<'a, 'g> Picture<'a, 'g> {
    fn new(view: &'a MapView, grid: &'g Grid<'a>, area: Rect) -> Self {
        Self {
            view,
            grid,
            taken: Taken::new(area.width, area.height),
            passages: Vec::new(),
        }
    }

    /// Draws everything; the things that were drawn.
    fn draw(&mut self, focused: bool, canvas: &mut Canvas<'_>) -> Vec<&'a Thing> {
        for cells in &self.grid.rooms {
            canvas.border(cells.area, Role::Border);
        }
        self.doors(focused, canvas);
        self.way(canvas);
        let (labels, hidden) = self.labels();
        for label in &labels {
            write(label, self.view, focused, canvas);
        }
        for (at, cells) in self.grid.rooms.iter().enumerate() {
            let more = hidden
                .get(&at)
                .map_or_else(String::new, |n| format!(" +{n}"));
            self.name(cells, &more, canvas);
        }
        labels.into_iter().map(|label| label.thing).collect()
    }

    /// The room's name in its upper wall, between the doors there.
    fn name(&self, cells: &Cells<'_>, more: &str, canvas: &mut Canvas<'_>) {
        let (left, right) = (cells.area.left() + 1, cells.area.right().saturating_sub(1));
        let ends = self.passages.iter().flat_map(|passage| &passage.ends);
        let mut doors: Vec<u16> = ends
            .filter(|(_, cell)| cell.1 == cells.area.top() && (left..right).contains(&cell.0))
            .map(|(_, cell)| cell.0)
            .collect();
        doors.sort_unstable();
        let mut free = Vec::new();
        let mut from = left;
        for door in doors {
            free.push((from, door.saturating_sub(from)));
            from = door + 2;
        }
        free.push((from, right.saturating_sub(from)));
        let wanted = cols(&cells.room.name) + cols(more) + 2;
        let fits = free.iter().find(|(_, room)| *room >= wanted).copied();
        let widest = || free.iter().copied().max_by_key(|(_, room)| *room);
        let Some((x, room)) = fits.or_else(widest) else {
            return;
        };
        let left_for_name = room.saturating_sub(2 + cols(more));
        let name = text::fit(&cells.room.name, usize::from(left_for_name));
        canvas.text(x, cells.area.y, &format!(" {name}{more} "), Role::Title);
    }

    fn doors(&mut self, focused: bool, canvas: &mut Canvas<'_>) {
        for thing in self.view.shown() {
            let Some(open) = thing.door else { continue };
            let ends = self.grid.door(thing.spot);
            let Some(&(_, _, wall)) = ends.first() else {
                continue;
            };
            for &(_, cell, wall) in &ends {
                let sign = match (open, wall) {
                    (true, Wall::Across) => "  ",
                    (true, Wall::Upright) => " ",
                    (false, Wall::Across) => "══",
                    (false, Wall::Upright) => "‖",
                };
                canvas.text(cell.0, cell.1, sign, Role::Text);
                if focused && thing.node == self.view.cursor {
                    let wide = u16::try_from(text::width(sign)).unwrap_or(1);
                    let left = cell.0.saturating_sub(1);
                    canvas.text(left, cell.1, "▌", Role::Cursor);
                    canvas.restyle(Rect::new(left, cell.1, wide + 1, 1), Role::Cursor);
                }
            }
            let ends = ends.into_iter().map(|(at, cell, _)| (at, cell)).collect();
            self.passages.push(Passage { ends, wall });
        }
    }

    /// A room's place in the grid.
    fn number(&self, cells: &Cells<'_>) -> usize {
        let same = |c: &Cells<'_>| c.room.node == cells.room.node;
        self.grid.rooms.iter().position(same).unwrap_or(0)
    }

    /// Where the agent stands when it has gone to something: beside it.
    fn stand(&self, stop: &Stop) -> Option<(Cell, usize)> {
        let room = self
            .view
            .map
            .thing(stop.to)
            .map_or(Some(stop.to), |t| t.room);
        self.beside(room, stop.spot)
    }

    fn beside(
        &self,
        room: Option<crate::sim::vocab::Ix>,
        spot: crate::app::parts::map::Spot,
    ) -> Option<(Cell, usize)> {
        if spot.storey != self.view.storey {
            return None;
        }
        let cells = self.grid.room(room, spot)?;
        let at = self
            .grid
            .rooms
            .iter()
            .position(|c| c.room.node == cells.room.node)?;
        let (cell, inner) = (inside(self.grid.cell(spot), cells), cells.inner());
        let around = [(0, 1), (0, -1), (-2, 0), (4, 0)];
        let free = around.into_iter().find_map(|(dx, dy): (i32, i32)| {
            let x = u16::try_from(i32::from(cell.0) + dx).ok()?;
            let y = u16::try_from(i32::from(cell.1) + dy).ok()?;
            let holds = (inner.left()..inner.right()).contains(&x)
                && (inner.top()..inner.bottom()).contains(&y);
            holds.then_some((x, y))
        });
        Some((free.unwrap_or(cell), at))
    }

    /// The way: dots between the stops, each stop by its step, the agent at the end.
    fn way(&mut self, canvas: &mut Canvas<'_>) {
        let stops = &self.view.map.stops;
        let shown = stops
            .get(stops.len().saturating_sub(STOPS)..)
            .unwrap_or_default();
        let places: Vec<Option<(Cell, usize)>> =
            shown.iter().map(|stop| self.stand(stop)).collect();
        for pair in places.windows(2) {
            let [Some(from), Some(to)] = pair else {
                continue;
            };
            let (from, to) = ((from.0, Some(from.1)), (to.0, Some(to.1)));
            for cell in way::cells(self.grid, &self.passages, from, to) {
                canvas.text(cell.0, cell.1, "·", Role::Link);
                self.taken.way(cell);
            }
        }
        let mut by_cell: BTreeMap<Cell, String> = BTreeMap::new();
        for (stop, place) in shown.iter().zip(&places) {
            if let Some((cell, _)) = place {
                by_cell.insert(*cell, stop.pos.0.to_string());
            }
        }
        let at_start = || {
            let me = self.view.map.me;
            let cells = self.grid.room(self.view.here(), me)?;
            Some(inside(self.grid.cell(me), cells))
        };
        let stood = stops
            .last()
            .map(|stop| self.stand(stop).map(|(cell, _)| cell));
        let here = stood.unwrap_or_else(at_start);
        let here = here.filter(|_| self.view.map.me.storey == self.view.storey);
        if let Some(cell) = here {
            by_cell.insert(cell, "@".to_owned());
        }
        for (cell, words) in by_cell {
            let role = if words == "@" {
                Role::Title
            } else {
                Role::Link
            };
            let width = u16::try_from(words.len()).unwrap_or(1);
            canvas.text(cell.0, cell.1, &words, role);
            self.taken.label(cell, width);
            if words == "@"
                && self
                    .view
                    .map
                    .thing(self.view.cursor)
                    .is_some_and(|t| t.rank == Rank::You)
            {
                canvas.restyle(Rect::new(cell.0, cell.1, 1, 1), Role::Cursor);
            }
        }
    }

    /// A place for every thing, the one under the cursor first; and by room how many found none.
    fn labels(&mut self) -> (Vec<Label<'a>>, BTreeMap<usize, usize>) {
        let view = self.view;
        let shown = view
            .shown()
            .filter(|thing| thing.rank != Rank::You && thing.door.is_none());
        let mut things: Vec<&'a Thing> = shown.collect();
        things.sort_by_key(|thing| (thing.node != view.cursor, thing.rank));
        let mut labels = Vec::new();
        let mut hidden = BTreeMap::new();
        for thing in things {
            let Some(cells) = self.grid.room(thing.room, thing.spot) else {
                continue;
            };
            let near = inside(self.grid.cell(thing.spot), cells);
            let inner = cells.inner();
            let label = self.place(thing, near, inner);
            if label.is_none() {
                *hidden.entry(self.number(cells)).or_default() += 1;
            }
            labels.extend(label);
        }
        // What still has room behind it tells its states as well.
        for label in &mut labels {
            let states = &label.thing.states;
            let words = [
                states.as_str(),
                states.split(' ').next().unwrap_or_default(),
            ];
            for words in words {
                if words.is_empty() || !label.states.is_empty() {
                    continue;
                }
                let more = cols(words) + 1;
                if self
                    .taken
                    .widen(label.at, cols(&label.words), more, label.inside)
                {
                    words.clone_into(&mut label.states);
                }
            }
        }
        (labels, hidden)
    }

    fn place(&mut self, thing: &'a Thing, near: Cell, inside: Rect) -> Option<Label<'a>> {
        let called = if self.view.names {
            &thing.name
        } else {
            &thing.label
        };
        let mark = thing.mark.as_ref().map_or_else(String::new, |mark| {
            format!(" {}{}", mark.glyph.sign, mark.text)
        });
        let told = thing.rank <= Rank::Active && !thing.states.is_empty();
        let long = format!("{called}{mark}");
        let mut tries = vec![(long.clone(), String::new())];
        if told {
            tries.insert(0, (long, thing.states.clone()));
        }
        tries.push((called.clone(), String::new()));
        tries.push((thing.label.clone(), String::new()));
        tries.into_iter().find_map(|(words, states)| {
            let behind = if states.is_empty() {
                0
            } else {
                cols(&states) + 1
            };
            // One column before it is the cursor's.
            let wide = cols(&words) + behind + 1;
            let at = self
                .taken
                .place((near.0.saturating_sub(1), near.1), wide, inside)?;
            Some(Label {
                thing,
                at: (at.0 + 1, at.1),
                inside,
                words,
                states,
            })
        })
    }
}

fn write(label: &Label<'_>, view: &MapView, focused: bool, canvas: &mut Canvas<'_>) {
    let (x, y) = label.at;
    let thing = label.thing;
    let role = match thing.rank {
        Rank::Small => Role::Dim,
        Rank::Being => Role::Key,
        _ => Role::Text,
    };
    let mark_role = thing.mark.as_ref().map_or(role, |mark| mark.role);
    let (called, mark) = label.words.split_once(' ').unwrap_or((&label.words, ""));
    let mut end = canvas.text(x, y, called, role);
    if !mark.is_empty() {
        end = canvas.text(end + 1, y, mark, mark_role);
    }
    if !label.states.is_empty() {
        let role = if thing.rank <= Rank::Active {
            Role::Text
        } else {
            Role::Dim
        };
        end = canvas.text(end + 1, y, &label.states, role);
    }
    if focused && thing.node == view.cursor {
        canvas.text(x.saturating_sub(1), y, "▌", Role::Cursor);
        let from = x.saturating_sub(1);
        canvas.restyle(Rect::new(from, y, end - from, 1), Role::Cursor);
    }
}

/// The cell of something that stands in a room, kept off its walls.
fn inside((x, y): Cell, cells: &Cells<'_>) -> Cell {
    let inner = cells.inner();
    (
        clamp(x, inner.left(), inner.right()),
        clamp(y, inner.top(), inner.bottom()),
    )
}

fn cols(words: &str) -> u16 {
    u16::try_from(text::width(words)).unwrap_or(u16::MAX)
}

/// What the signs mean, then what the letters stand for.
fn legend(view: &MapView, drawn: &[&Thing], rows: &mut Canvas<'_>) {
    if rows.height() == 0 {
        return;
    }
    let width = rows.width();
    let mut signs = vec![Span::new("@", Role::Title), Span::new(" you", Role::Dim)];
    if !view.map.stops.is_empty() {
        signs.push(Span::new("   1··2", Role::Link));
        signs.push(Span::new(" your way by step", Role::Dim));
    }
    let is_door = |open: bool| view.shown().any(|thing| thing.door == Some(open));
    if is_door(true) {
        signs.push(Span::new("   gap: open door", Role::Dim));
    }
    let shut = is_door(false);
    if shut {
        signs.push(Span::plain("   ══ ‖"));
        signs.push(Span::new(" closed", Role::Dim));
    }
    let goals = drawn.iter().filter_map(|thing| thing.mark.as_ref());
    let mut told: Vec<char> = Vec::new();
    for mark in goals {
        if !told.contains(&mark.glyph.sign) {
            told.push(mark.glyph.sign);
            signs.push(Span::new(format!("   {}", mark.glyph.sign), mark.role));
            signs.push(Span::new(format!(" {}", mark.glyph.word), Role::Dim));
        }
    }
    let hidden = view
        .shown()
        .filter(|thing| thing.rank != Rank::You && thing.door.is_none())
        .count()
        .saturating_sub(drawn.len());
    if hidden > 0 {
        let words = format!("   +{hidden} hidden");
        signs.push(Span::new(words, Role::Dim));
    }
    rows.spans((0, 0), width, &signs);
    if view.names {
        return;
    }
    let mut pairs: Vec<(&str, String)> = Vec::new();
    for thing in drawn {
        if pairs.iter().all(|(label, _)| *label != thing.label) {
            let class = thing.name.split('.').next().unwrap_or(&thing.name);
            pairs.push((&thing.label, class.to_owned()));
        }
    }
    let (mut x, mut y) = (0, 1);
    let last = rows.height().saturating_sub(1);
    let all = pairs.len();
    for (at, (label, name)) in pairs.into_iter().enumerate() {
        let wide = cols(label) + 1 + cols(&name);
        // The last row keeps room to say how many more there are.
        let more = format!("+{} more", all - at);
        let kept = if y == last && at + 1 < all {
            cols(&more) + 2
        } else {
            0
        };
        if x > 0 && x + wide + kept > width {
            if y >= last {
                rows.text(x, y, &more, Role::Dim);
                return;
            }
            (x, y) = (0, y + 1);
        }
        if y > last || wide > width {
            return;
        }
        let end = rows.text(x, y, label, Role::Text);
        x = rows.text(end + 1, y, &name, Role::Dim) + 2;
    }
}
