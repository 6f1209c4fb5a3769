//! The payoff matrix: a row a plan, a column a response; the first column stays while the others scroll.

use ratatui::layout::Rect;

use crate::app::arena::house::{cost, payoff_words};
use crate::app::role::Role;
use crate::app::screens::contest::{Contest, Pane};
use crate::app::state::Symbols;
use crate::base::text;
use crate::ui::View;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::ListView;

/// Columns of a name: `■B12r2 `.
const NAME: usize = 9;

/// Columns of a cell: `[0✗P24]`.
const CELL: usize = 9;

/// Columns of what stands at the end: worst, how often it is played.
const END: usize = 13;

/// Draws the matrix.
pub(super) fn draw(contest: &Contest, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let Some(house) = &contest.house else {
        return;
    };
    let (width, height) = (canvas.width(), canvas.height());
    let ascii = canvas.symbols() == Symbols::Ascii;
    let notes = contest.matrix_notes();
    let below = u16::try_from(notes.len()).unwrap_or(0);
    let rows = height.saturating_sub(below + 2);
    let room = usize::from(width).saturating_sub(NAME + END + 2);
    let fits = (room / CELL).max(1);
    let here = contest.response();
    let at = house.columns.iter().position(|c| Some(*c) == here);
    let at = at.unwrap_or(0);
    // The window moves only as far as the cursor makes it.
    let first = (at + 1).saturating_sub(fits);
    let last = (first + fits).min(house.columns.len());
    let seen: Vec<(usize, usize)> = house
        .columns
        .iter()
        .copied()
        .enumerate()
        .take(last)
        .skip(first)
        .collect();
    let mut spans = vec![Span::plain(text::pad("", NAME))];
    for (place, column) in &seen {
        let often = contest.answers_with(*place, ascii);
        let words = format!("{} {often}", house.called(*column));
        let role = if *place == at { Role::Title } else { Role::Dim };
        spans.push(Span::new(
            text::pad(&text::fit(words.trim_end(), CELL - 1), CELL),
            role,
        ));
    }
    spans.push(Span::new("worst  play", Role::Dim));
    canvas.spans((1, 0), width.saturating_sub(1), &spans);
    if first > 0 {
        canvas.text(u16::try_from(NAME).unwrap_or(0), 0, "‹", Role::Key);
    }
    if last < house.columns.len() {
        let x = u16::try_from(NAME + seen.len() * CELL).unwrap_or(0);
        canvas.text(x, 0, "›", Role::Key);
    }
    let order = contest.order();
    let list = ListView {
        name: "contest.matrix",
        cursor: contest.cursor(),
        len: order.len(),
        focused: view.focused && contest.focus == Pane::Main,
    };
    let area = Rect::new(0, 1, width, rows);
    let window = list.seen(view, rows);
    for (y, index) in (1..=rows).zip(window.top..window.end) {
        let place = order.get(index).copied();
        let Some((place, row)) = place.and_then(|p| Some((p, house.rows.get(p)?))) else {
            continue;
        };
        let on = index == contest.cursor();
        let entry = house.entry(row.at).map_or("", |e| e.name.as_str());
        let (sign, role) = super::standing(row.standing);
        let name = text::fit(&format!("{sign}{entry}"), NAME - 1).into_owned();
        let mut spans = vec![Span::new(text::pad(&name, NAME), role)];
        for (i, column) in &seen {
            let payoff = house.payoff(row.at, *column);
            let lost = house.outcome(row.at, *column).map(cost).unwrap_or_default();
            let why = lost.split(' ').next().filter(|w| w.starts_with('✗'));
            let words = format!("{}{}", payoff_words(payoff), why.unwrap_or_default());
            let words = text::fit(&words, CELL - 2).into_owned();
            let heat = heat(contest, payoff);
            if on && *i == at {
                spans.push(Span::new(
                    text::pad(&format!("[{words}]"), CELL),
                    Role::Title,
                ));
            } else {
                spans.push(Span::new(text::pad(&words, CELL), heat));
            }
        }
        spans.push(Span::new(
            text::pad(&payoff_words(row.worst), 7),
            heat(contest, row.worst),
        ));
        spans.push(Span::plain(contest.plays(place, ascii)));
        canvas.spans((1, y), width.saturating_sub(1), &spans);
        if list.focused && on {
            canvas.text(0, y, "▌", Role::Cursor);
            canvas.restyle(
                Rect::new(0, y, u16::try_from(NAME).unwrap_or(0), 1),
                Role::Cursor,
            );
        }
    }
    let used = u16::try_from(window.end - window.top).unwrap_or(0);
    let mut y = area.y + used + 1;
    if order.len() > window.end - window.top {
        canvas.right(width.saturating_sub(1), y, &window.corner(), Role::Dim);
    }
    for note in notes {
        canvas.fitted((1, y), width.saturating_sub(2), &note, Role::Dim);
        y += 1;
    }
}

/// How good a payoff is for BLUE; its words say the same.
fn heat(contest: &Contest, payoff: Option<f64>) -> Role {
    let payoffs = contest.settings.payoffs;
    match payoff {
        None => Role::Dim,
        Some(x) if x >= payoffs.good => Role::Good,
        Some(x) if x >= payoffs.safe => Role::Armed,
        Some(x) if x.is_nan() => Role::Error,
        Some(_) => Role::Refused,
    }
}
