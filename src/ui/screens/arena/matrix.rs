//! The payoff matrix: a row a plan, a column a response; the first column stays while the others scroll.

use ratatui::layout::Rect;

use crate::app::arena::house::{House, payoff_words};
use crate::app::role::Role;
use crate::app::screens::arena::{Arena, Pane};
use crate::app::state::Symbols;
use crate::arena::house::lost;
use crate::base::text;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::ListView;
use crate::ui::{View, Window};

/// Columns of a name: `■B12r2 `.
const NAME: usize = 9;

/// Columns of a cell: `[0✗P24]`.
const CELL: usize = 9;

/// Columns of what stands at the end: worst, how often it is played.
const END: usize = 13;

/// The columns that are seen.
struct Columns {
    /// Place in the matrix and in the record.
    seen: Vec<(usize, usize)>,
    /// The place of the one under the cursor.
    at: usize,
    /// Whether some are hidden before and after.
    more: (bool, bool),
    ascii: bool,
}

impl Columns {
    fn of(arena: &Arena, house: &House, view: &View<'_>, canvas: &Canvas<'_>) -> Self {
        let room = usize::from(canvas.width()).saturating_sub(NAME + END + 2);
        let here = arena.response();
        let at = house.columns.iter().position(|c| Some(*c) == here);
        let at = at.unwrap_or(0);
        let window = Window {
            cursor: at,
            len: house.columns.len(),
            height: (room / CELL).max(1),
        };
        let first = view.cache.top(view.place, "arena.columns", window);
        let all = house.columns.iter().copied().enumerate();
        let seen: Vec<(usize, usize)> = all.skip(first).take(window.height).collect();
        Self {
            at,
            more: (first > 0, first + seen.len() < house.columns.len()),
            seen,
            ascii: canvas.symbols() == Symbols::Ascii,
        }
    }

    /// The heads, with how often RED plays each.
    fn heads(&self, arena: &Arena, house: &House) -> Vec<Span> {
        let mut spans = vec![Span::plain(text::pad("", NAME))];
        for (place, column) in &self.seen {
            let often = arena.answers_with(*place, self.ascii);
            let words = format!("{} {often}", house.called(*column));
            let words = text::fit(words.trim_end(), CELL - 1).into_owned();
            let role = if *place == self.at {
                Role::Title
            } else {
                Role::Dim
            };
            spans.push(Span::new(text::pad(&words, CELL), role));
        }
        spans.push(Span::new("worst  play", Role::Dim));
        spans
    }

    /// A row, its cell under the cursor in brackets, which need no colour.
    fn row(&self, arena: &Arena, house: &House, place: usize, on: bool) -> Vec<Span> {
        let Some(row) = house.rows.get(place) else {
            return Vec::new();
        };
        let entry = house.entry(row.at).map_or("", |e| e.name.as_str());
        let (sign, role) = super::standing(row.standing);
        let name = text::fit(&format!("{sign}{entry}"), NAME - 1).into_owned();
        let mut spans = vec![Span::new(text::pad(&name, NAME), role)];
        for (i, column) in &self.seen {
            let payoff = house.payoff(row.at, *column);
            // Not played again, or a rollout that broke: what it is worth is not known.
            let broke = house.broke(row.at, *column).is_some();
            let words = if broke || arena.broken.contains_key(&(row.at, *column)) {
                "#".to_owned()
            } else {
                let rule = house.outcome(row.at, *column).and_then(lost::rule);
                let rule = rule.map_or_else(String::new, |rule| format!("✗{rule}"));
                format!("{}{rule}", payoff_words(payoff))
            };
            let words = text::fit(&words, CELL - 2).into_owned();
            spans.push(if on && *i == self.at {
                Span::new(text::pad(&format!("[{words}]"), CELL), Role::Title)
            } else {
                Span::new(text::pad(&words, CELL), heat(arena, payoff))
            });
        }
        let worst = text::pad(&payoff_words(row.worst), 7);
        spans.push(Span::new(worst, heat(arena, row.worst)));
        spans.push(Span::plain(arena.plays(place, self.ascii)));
        spans
    }
}

/// Draws the matrix.
pub(super) fn draw(arena: &Arena, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let Some(house) = &arena.house else {
        return;
    };
    let (width, height) = (canvas.width(), canvas.height());
    let notes = arena.matrix_notes();
    let below = u16::try_from(notes.len()).unwrap_or(0);
    let rows = height.saturating_sub(below + 2);
    let name = u16::try_from(NAME).unwrap_or(0);
    let columns = Columns::of(arena, house, view, canvas);
    let inside = width.saturating_sub(1);
    canvas.spans((1, 0), inside, &columns.heads(arena, house));
    if columns.more.0 {
        canvas.text(name, 0, "‹", Role::Key);
    }
    if columns.more.1 {
        let x = u16::try_from(NAME + columns.seen.len() * CELL).unwrap_or(0);
        canvas.text(x, 0, "›", Role::Key);
    }
    let order = arena.order();
    let list = ListView {
        name: "arena.matrix",
        cursor: arena.cursor(),
        len: order.len(),
        focused: view.focused && arena.focus == Pane::Main,
    };
    let window = list.seen(view, rows);
    for (y, index) in (1..=rows).zip(window.top..window.end) {
        let Some(place) = order.get(index).copied() else {
            continue;
        };
        let on = index == list.cursor;
        canvas.spans((1, y), inside, &columns.row(arena, house, place, on));
        if list.focused && on {
            canvas.text(0, y, "▌", Role::Cursor);
            canvas.restyle(Rect::new(0, y, name, 1), Role::Cursor);
        }
    }
    let used = u16::try_from(window.end - window.top).unwrap_or(0);
    if order.len() > window.end - window.top {
        canvas.right(inside, used + 2, &window.corner(), Role::Dim);
    }
    for (y, note) in (used + 2..).zip(notes) {
        canvas.fitted((1, y), width.saturating_sub(2), &note, Role::Dim);
    }
}

/// How good a payoff is for BLUE; its words say the same.
fn heat(arena: &Arena, payoff: Option<f64>) -> Role {
    let payoffs = arena.settings.payoffs;
    match payoff {
        None => Role::Dim,
        Some(x) if x >= payoffs.good => Role::Good,
        Some(x) if x >= payoffs.safe => Role::Armed,
        Some(x) if x.is_nan() => Role::Error,
        Some(_) => Role::Refused,
    }
}
