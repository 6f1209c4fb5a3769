//! "If you do this": the changes the cursor's action would make, the goals it would gain or lose.

use ratatui::layout::Rect;

use crate::app::glyph;
use crate::app::parts::action;
use crate::app::parts::warnings::Told;
use crate::app::role::Role;
use crate::app::screens::play::ahead::{Ahead, Would};
use crate::app::screens::play::game::Game;
use crate::base::text;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::paragraph::paragraph;

use super::Draw;

/// Draws the pane's inside.
pub(super) fn draw(draw: &Draw<'_>, canvas: &mut Canvas<'_>) {
    let game = draw.game;
    match &game.ahead {
        Ahead::Nothing => {
            canvas.fitted((1, 0), canvas.width(), "no action is chosen", Role::Dim);
        }
        Ahead::End(end) => {
            let area = canvas.area();
            let from = paragraph(canvas, area, 0, &end.words, Role::Text);
            for (y, rule) in (from..area.height).zip(&end.open) {
                canvas.fitted((0, y), area.width, rule, Role::Pending);
            }
        }
        Ahead::Refused(r) => {
            // Also an attempt that is refused can break a rule; what is refused stays on the first line.
            let room = canvas.height().saturating_sub(2);
            let below = Rect::new(0, 2, canvas.width(), room);
            breaches(&r.told, &mut canvas.sub(below));
            let end = canvas.text(0, 0, &format!("✗ {} {}", r.letter, r.kind), Role::Refused);
            let room = canvas.width().saturating_sub(end + 3);
            canvas.fitted((end + 2, 0), room, &r.reason, Role::Text);
            let cures = if r.cures.is_empty() {
                "no cure is known".to_owned()
            } else {
                format!("cure: {}   W runs it", r.cures.join("   or   "))
            };
            canvas.fitted((0, 1), canvas.width(), &cures, Role::Dim);
        }
        Ahead::Would(would) => would_do(draw, would, canvas),
    }
}

/// What the action would break: rule and turn, reason, cure, wrapped; the lines used.
fn breaches(told: &[Told], canvas: &mut Canvas<'_>) -> u16 {
    let (width, height) = (canvas.width(), canvas.height());
    let mut y = 0;
    let all: Vec<&Told> = told.iter().filter(|t| t.is_breach()).collect();
    for (at, rule) in all.iter().enumerate() {
        // Each keeps a line; the first takes what the others leave.
        let left = all.len() - at - 1;
        let room = height
            .saturating_sub(y)
            .saturating_sub(u16::try_from(left).unwrap_or(0));
        if y >= height {
            break;
        }
        let weight = format!("{} !{}", rule.short(), rule.severity);
        let x = canvas.text(0, y, &weight, Role::Bad) + 1;
        let cure = match rule.cure() {
            cure if cure.is_empty() => String::new(),
            cure => format!("; {cure}"),
        };
        let words = format!("{}{cure}", rule.reason());
        let first = usize::from(width.saturating_sub(x));
        if room < 2 || text::width(&words) <= first {
            canvas.fitted((x, y), width.saturating_sub(x), &words, Role::Text);
            y += 1;
            continue;
        }
        y = hanging(canvas, (x, y), y + room, &words);
    }
    y
}

/// Words that begin at `x` and go on below from the margin; the line after them.
fn hanging(canvas: &mut Canvas<'_>, (x, mut y): (u16, u16), end: u16, words: &str) -> u16 {
    let width = canvas.width();
    let first = usize::from(width.saturating_sub(x));
    let head = text::wrap(words, first)
        .into_iter()
        .next()
        .unwrap_or_default();
    canvas.text(x, y, &head, Role::Text);
    y += 1;
    let rest = words
        .strip_prefix(head.as_str())
        .unwrap_or_default()
        .trim_start();
    let lines = text::wrap(rest, usize::from(width.saturating_sub(2)));
    let room = usize::from(end.saturating_sub(y));
    for (at, line) in lines.iter().take(room).enumerate() {
        // What does not fit is cut with a sign, never silently.
        let cut = at + 1 == room && lines.len() > room;
        let line = if cut {
            format!("{line} …")
        } else {
            line.clone()
        };
        canvas.fitted((2, y), width.saturating_sub(2), &line, Role::Text);
        y += 1;
    }
    y
}

fn would_do(draw: &Draw<'_>, would: &Would, canvas: &mut Canvas<'_>) {
    // The danger first; a line for the changes stays.
    let keep = if canvas.height() > 3 { 2 } else { 1 };
    let room = canvas.height().saturating_sub(keep);
    let above = Rect::new(0, 0, canvas.width(), room);
    let mut used = breaches(&would.told, &mut canvas.sub(above));
    // What comes to pass by itself is nobody's doing, and so the less expected.
    for words in &would.happens {
        if used < room {
            let sign = glyph::HAPPENED.sign;
            let line = format!("{sign} by itself: {words}");
            canvas.fitted((0, used), canvas.width(), &line, Role::Armed);
            used += 1;
        }
    }
    let below = Rect::new(0, used, canvas.width(), canvas.height() - used);
    changes(draw, would, &mut canvas.sub(below));
}

fn changes(draw: &Draw<'_>, would: &Would, canvas: &mut Canvas<'_>) {
    let game = draw.game;
    let rows = game.ahead_rows();
    let last = canvas.height().saturating_sub(1);
    let foot = foot(game, would, would.rows.len() - rows.len());
    let room = if canvas.height() > 1 {
        last
    } else {
        canvas.height()
    };
    if rows.is_empty() {
        canvas.text(1, 0, "changes nothing", Role::Dim);
    } else if draw.focused {
        let list = ListView {
            name: "play.ahead",
            cursor: game.ahead_list.cursor,
            len: rows.len(),
            focused: true,
        };
        let seen = list.seen(draw.view, room);
        let area = Rect::new(0, 0, canvas.width(), room);
        list.draw(canvas, area, seen, |at| {
            rows.get(at).map_or_else(Vec::new, |row| {
                vec![
                    Span::new(row.sign.glyph().sign.to_string(), row.sign.role()),
                    Span::plain(format!(" {}", row.text)),
                ]
            })
        });
    } else {
        flow(canvas, &rows, room);
    }
    if canvas.height() > 1 {
        let width = canvas.width();
        canvas.spans((0, last), width, &foot);
    }
}

/// The changes one after the other, wrapped between them.
fn flow(canvas: &mut Canvas<'_>, rows: &[&crate::app::parts::diff::Row], height: u16) {
    let width = usize::from(canvas.width());
    let (mut x, mut y) = (0_u16, 0_u16);
    for (at, row) in rows.iter().enumerate() {
        let needed = text::width(&row.text) + 2;
        let more = format!("+{} more", rows.len() - at);
        let reserve = if y + 1 >= height && at + 1 < rows.len() {
            text::width(&more) + 3
        } else {
            0
        };
        if x > 0 && usize::from(x) + needed + reserve > width {
            if y + 1 >= height {
                canvas.text(x, y, &more, Role::Dim);
                return;
            }
            (x, y) = (0, y + 1);
        }
        x = canvas.text(x, y, &row.sign.glyph().sign.to_string(), row.sign.role()) + 1;
        let room = canvas.width().saturating_sub(x);
        x = canvas.fitted((x, y), room, &row.text, Role::Text) + 3;
    }
}

/// `goals ±0   safety ±0   goal 1 needs: walk table (e shows the way)`.
fn foot(game: &Game, would: &Would, hidden: usize) -> Vec<Span> {
    let mut spans = Vec::new();
    for (word, n) in [("goals", would.goals), ("safety", would.safety)] {
        let (text, role) = match n {
            0 => ("±0".to_owned(), Role::Dim),
            n if n > 0 => (format!("{n:+}"), Role::Good),
            n => (format!("⚠ {n:+}"), Role::Armed),
        };
        spans.push(Span::new(format!("{word} "), Role::Dim));
        spans.push(Span::new(format!("{text}   "), role));
    }
    for (word, list, role) in [
        ("gains", &would.gained, Role::Good),
        ("loses", &would.lost, Role::Bad),
    ] {
        if !list.is_empty() {
            spans.push(Span::new(format!("{word} {}   ", list.join(", ")), role));
        }
    }
    for rule in would.told.iter().filter(|t| !t.is_breach()) {
        let role = crate::app::parts::warnings::role(rule.to);
        spans.push(Span::new(format!("{}   ", rule.short()), role));
    }
    if let Some(note) = &would.note {
        spans.push(Span::new(format!("published: {note}   "), Role::Armed));
    }
    if hidden > 0 {
        spans.push(Span::new(format!("{hidden} hidden (z)   "), Role::Dim));
    }
    if let Some(hint) = game.hint
        && let Some(row) = game.goals.get(hint.goal)
    {
        let world = game.episode.timeline().world();
        let kind = if row.success { "goal" } else { "safety" };
        let next = action(world, hint.next);
        spans.push(Span::new(
            format!("{kind} {} needs: {next} (e shows the way)", row.number),
            Role::Dim,
        ));
    }
    spans
}
