//! The frontier: a point a plan on two axes, better to the right and upwards; what is to be said of the plan under the
//! cursor below.

use std::collections::BTreeMap;

use crate::app::arena::axes::{Axis, standings};
use crate::app::arena::house::{House, Row};
use crate::app::role::Role;
use crate::app::screens::arena::Arena;
use crate::arena::frontier::pareto::{Better, Standing};
use crate::base::figures::figure;
use crate::base::text;
use crate::ui::canvas::Canvas;
use crate::ui::widgets::dots::Dots;

/// Columns for the figures at the left.
const LEFT: u16 = 7;

/// Up to so many points all names are written; above, those on the front only.
const NAMED: usize = 12;

/// Rows for what is said below the plot.
const NOTES: u16 = 6;

/// An axis with its ends.
struct Scale {
    axis: Axis,
    low: f64,
    high: f64,
}

impl Scale {
    fn of(axis: Axis, house: &House, rows: &[&Row]) -> Self {
        let (low, high) = match axis {
            // Shares are seen whole, so that half is half.
            Axis::Good | Axis::Safe | Axis::Worst => (0.0, 1.0),
            _ => {
                let values = rows.iter().map(|r| axis.value(house, r));
                let finite = values.filter(|x| x.is_finite());
                finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| {
                    (l.min(x), h.max(x))
                })
            }
        };
        Self { axis, low, high }
    }

    /// How far along a value is, better being more, from 0 to 1.
    fn along(&self, value: f64) -> f64 {
        let span = self.high - self.low;
        if span.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
            return if value.is_finite() { 0.5 } else { f64::NAN };
        }
        let along = (value - self.low) / span;
        match self.axis.better() {
            Better::Higher => along,
            Better::Lower => 1.0 - along,
        }
    }

    /// The figures at the worse end and at the better.
    fn ends(&self) -> (String, String) {
        let digits = if self.axis == Axis::Steps { 0 } else { 2 };
        let (low, high) = (figure(self.low, digits), figure(self.high, digits));
        match self.axis.better() {
            Better::Higher => (low, high),
            Better::Lower => (high, low),
        }
    }
}

/// What is drawn in a cell of the plot.
#[derive(Default)]
struct Spot {
    names: Vec<String>,
    front: bool,
    here: bool,
}

/// Draws the frontier.
pub(super) fn draw(arena: &Arena, canvas: &mut Canvas<'_>) {
    let Some(house) = &arena.house else {
        return;
    };
    let (width, height) = (canvas.width(), canvas.height());
    let notes = arena.frontier_notes();
    let below = u16::try_from(notes.len()).unwrap_or(0).min(NOTES);
    let tall = height.saturating_sub(below + 3);
    if width < LEFT + 12 || tall < 3 {
        for (y, note) in (0..height).zip(notes) {
            canvas.fitted((1, y), width.saturating_sub(2), &note, Role::Text);
        }
        return;
    }
    let order = arena.order();
    let rows: Vec<&Row> = order.iter().filter_map(|r| house.rows.get(*r)).collect();
    let (x, y) = arena.axes();
    let (across, up) = (Scale::of(x, house, &rows), Scale::of(y, house, &rows));
    frame(&across, &up, tall, canvas);
    let standing = standings(house, &arena.compared());
    // Room at the right for the name of the rightmost point.
    let mut dots = Dots::new(width.saturating_sub(LEFT + 12), tall);
    let many = rows.len() > NAMED;
    let mut spots: BTreeMap<(u16, u16), Spot> = BTreeMap::new();
    let mut nowhere = 0;
    for (at, row) in order.iter().zip(&rows) {
        let place = dots.place(
            across.along(x.value(house, row)),
            up.along(y.value(house, row)),
        );
        let Some((px, py)) = place else {
            nowhere += 1;
            continue;
        };
        let front = standing.get(*at) == Some(&Standing::Front);
        let here = arena.row().is_some_and(|r| r.at == row.at);
        if many {
            dots.set((px, py), if front { Role::SideBlue } else { Role::Dim });
        }
        let cell = (
            u16::try_from(px / 2).unwrap_or(0),
            u16::try_from(py / 4).unwrap_or(0),
        );
        let spot = spots.entry((cell.1, cell.0)).or_default();
        let name = house.entry(row.at).map_or("", |e| e.name.as_str());
        let steps = row.steps.filter(|_| !many);
        let steps = steps.map_or_else(String::new, |n| format!(" {n}"));
        spot.names.push(format!("{name}{steps}"));
        spot.front |= front;
        spot.here |= here;
    }
    dots.draw((LEFT, 0), canvas);
    labels(&spots, many, width, canvas);
    let mut at = tall + 2;
    let here: Vec<&str> = spots
        .values()
        .filter(|s| s.here && s.names.len() > 1)
        .flat_map(|s| s.names.iter().map(String::as_str))
        .collect();
    if !here.is_empty() && at < height {
        let words = format!("{} here: {}", here.len(), here.join(" "));
        canvas.fitted((1, at), width.saturating_sub(2), &words, Role::Text);
        at += 1;
    }
    if nowhere > 0 && at < height {
        let words = format!("{nowhere} without a score on these axes");
        canvas.fitted((1, at), width.saturating_sub(2), &words, Role::Armed);
        at += 1;
    }
    for (y, note) in (at..height).zip(notes) {
        canvas.fitted((1, y), width.saturating_sub(2), &note, Role::Text);
    }
}

/// The two axes with their names and ends.
fn frame(across: &Scale, up: &Scale, tall: u16, canvas: &mut Canvas<'_>) {
    let width = canvas.width();
    let ((worse, better), (left, right)) = (up.ends(), across.ends());
    for y in 0..tall {
        canvas.text(LEFT - 1, y, "│", Role::Border);
    }
    canvas.right(LEFT - 1, 0, &better, Role::Dim);
    canvas.right(LEFT - 1, tall - 1, &worse, Role::Dim);
    if tall > 4 {
        canvas.fitted((0, tall / 2), LEFT - 1, up.axis.word(), Role::Title);
    }
    let line = "─".repeat(usize::from(width.saturating_sub(LEFT)));
    canvas.text(LEFT - 1, tall, &format!("└{line}"), Role::Border);
    canvas.text(LEFT, tall + 1, &left, Role::Dim);
    let end = canvas.right(width.saturating_sub(12), tall + 1, &right, Role::Dim);
    let word = across.axis.word();
    let middle = LEFT + (width.saturating_sub(LEFT + 12)) / 2;
    if middle + 4 < end {
        canvas.text(middle, tall + 1, word, Role::Title);
    } else {
        canvas.text(width.saturating_sub(10), tall + 1, word, Role::Title);
    }
}

/// Names beside their points, the one under the cursor first; one that would lie over another is left out.
fn labels(spots: &BTreeMap<(u16, u16), Spot>, many: bool, width: u16, canvas: &mut Canvas<'_>) {
    let mut taken: BTreeMap<u16, Vec<(u16, u16)>> = BTreeMap::new();
    let mut order: Vec<(&(u16, u16), &Spot)> = spots.iter().collect();
    // What matters more is written first.
    order.sort_by_key(|(place, s)| (!s.here, !s.front, **place));
    for (&(y, x), spot) in order {
        let mark = if spot.front { "■" } else { "□" };
        let words = match spot.names.as_slice() {
            [only] => format!("{mark}{only}"),
            all => format!("{mark}{} here", all.len()),
        };
        let (sign, from) = if spot.here { ("▌", 1) } else { ("", 0) };
        let shown = if many && !spot.front && !spot.here {
            continue;
        } else {
            format!("{sign}{words}")
        };
        let x = LEFT + x.saturating_sub(from);
        let w = u16::try_from(text::width(&shown)).unwrap_or(u16::MAX);
        let all = taken.entry(y).or_default();
        let free = all.iter().all(|(a, b)| x + w < *a || x > *b);
        let role = match (spot.here, spot.front) {
            (true, _) => Role::Title,
            (_, true) => Role::SideBlue,
            _ => Role::Text,
        };
        if free && x + w <= width {
            all.push((x, x + w));
            canvas.text(x, y, &shown, role);
        } else if !many {
            canvas.text(x, y, mark, role);
        }
    }
}
