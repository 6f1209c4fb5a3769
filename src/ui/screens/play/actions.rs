//! What can be done now, best first; what is refused with its reason.

use std::fmt::Write as _;

use crate::app::glyph;
use crate::app::parts::warnings::is_grave_danger;
use crate::app::parts::why::reason;
use crate::app::parts::{action, name};
use crate::app::role::Role;
use crate::app::screens::play::actions::{Row, Sort};
use crate::app::screens::play::danger;
use crate::base::text;
use crate::plan::options::Candidate;
use crate::ui::Room;
use crate::ui::canvas::Canvas;
use crate::ui::widgets::list::{ListView, Seen};

use super::Draw;

/// The pane's title.
pub(super) fn title(draw: &Draw<'_>) -> String {
    let actions = &draw.game.actions;
    let mut title = format!("Actions {} of {}", actions.shown(), actions.all.len());
    if let Some(about) = actions.about {
        let world = draw.game.episode.timeline().world();
        let _ = write!(title, "  on {}", name(world, about));
    }
    if actions.sort != Sort::Best {
        let _ = write!(title, "  by {}", actions.sort.word());
    }
    if !actions.refused {
        title.push_str("  allowed only");
    }
    title
}

/// The scroll position.
pub(super) fn corner(draw: &Draw<'_>, height: u16) -> String {
    Window::of(draw, height).seen.corner()
}

/// The lines of the rows: a refused action takes a second one for its reason where there is room.
struct Window {
    /// Per line: its row, and whether it is the second.
    lines: Vec<(usize, bool)>,
    seen: Seen,
}

impl Window {
    fn of(draw: &Draw<'_>, height: u16) -> Self {
        let actions = &draw.game.actions;
        let mut lines = Vec::with_capacity(actions.rows().len());
        let mut cursor = 0;
        for (at, &row) in actions.rows().iter().enumerate() {
            if at == actions.list.cursor {
                cursor = lines.len();
            }
            lines.push((at, false));
            let refused = actions.candidate(row).is_some_and(|c| c.refusal.is_some());
            if refused && draw.view.room == Room::Wide {
                lines.push((at, true));
            }
        }
        let list = ListView {
            name: "play.actions",
            cursor,
            len: lines.len(),
            focused: draw.focused,
        };
        let seen = list.seen(draw.view, height);
        Self { lines, seen }
    }
}

/// Draws the pane's inside.
pub(super) fn draw(draw: &Draw<'_>, canvas: &mut Canvas<'_>) {
    let actions = &draw.game.actions;
    if actions.rows().is_empty() {
        let filter = actions.filter.edit.text();
        let words = if filter.is_empty() {
            "nothing in reach: walk somewhere (/walk)".to_owned()
        } else {
            format!(
                "no action matches /{filter}: Esc shows all {}",
                actions.all.len()
            )
        };
        canvas.fitted((1, 0), canvas.width().saturating_sub(1), &words, Role::Dim);
        return;
    }
    let window = Window::of(draw, canvas.height());
    let lines = window.lines.get(window.seen.top..window.seen.end);
    for (y, &(at, second)) in (0..canvas.height()).zip(lines.unwrap_or_default()) {
        let Some(&row) = actions.rows().get(at) else {
            continue;
        };
        let width = canvas.width();
        match (row, actions.candidate(row)) {
            (Row::Done, _) => done(draw, canvas, y),
            (Row::Avoid, _) => {
                let dangerous = "refuse the instruction: it is dangerous";
                let end = canvas.text(3, y, "[Avoid]", Role::Text);
                let room = width.saturating_sub(end + 3);
                canvas.fitted((end + 2, y), room, dangerous, Role::Dim);
            }
            (Row::Action(_), Some(c)) if second => why(draw, canvas, y, c),
            (Row::Action(_), Some(c)) => candidate(draw, canvas, y, c),
            (Row::Action(_), None) => {}
        }
        if at == actions.list.cursor {
            cursor(draw, canvas, y, second);
        }
    }
}

fn cursor(draw: &Draw<'_>, canvas: &mut Canvas<'_>, y: u16, second: bool) {
    if !second {
        let role = if draw.focused {
            Role::Cursor
        } else {
            Role::Dim
        };
        canvas.text(0, y, "▌", role);
    }
    if draw.focused {
        let row = ratatui::layout::Rect::new(0, y, canvas.width(), 1);
        canvas.restyle(row, Role::Cursor);
    }
}

fn candidate(draw: &Draw<'_>, canvas: &mut Canvas<'_>, y: u16, c: &Candidate) {
    let world = draw.game.episode.timeline().world();
    let words = action(world, c.action);
    let end = canvas.width().saturating_sub(1);
    // A danger keeps its place at the right end, whatever else is said of the row.
    let danger = danger(draw.game, c);
    let end = match &danger {
        Some(rule) => {
            let role = if is_grave_danger(c.danger.as_ref()) {
                Role::Pending
            } else {
                Role::Armed
            };
            let text = format!("{} {rule}", glyph::WOULD.sign);
            canvas.right(end, y, &text, role).saturating_sub(2)
        }
        None => end,
    };
    let Some(refusal) = &c.refusal else {
        // What is done to which thing comes first; the numbers get shorter, then go.
        let free = usize::from(end.saturating_sub(4)).saturating_sub(text::width(&words));
        let (status, role) = status(c.gain, c.safety, free);
        let at = canvas.right(end, y, &status, role);
        canvas.fitted((3, y), at.saturating_sub(4), &words, Role::Text);
        return;
    };
    canvas.text(0, y, &glyph::FALSE.sign.to_string(), Role::Refused);
    let letter = refusal.kind.letter();
    if draw.view.room == Room::Wide {
        let at = canvas.right(end, y, &letter.to_string(), Role::Refused);
        canvas.fitted((3, y), at.saturating_sub(4), &words, Role::Dim);
        return;
    }
    // One line for both: the action first, the reason with what is left.
    let x = canvas.fitted((3, y), end.saturating_sub(3), &words, Role::Dim) + 2;
    let why = format!("{letter} {}", reason(world, refusal));
    let room = end.saturating_sub(x);
    let cut = text::fit(&why, usize::from(room)).into_owned();
    canvas.right(end, y, &cut, Role::Dim);
}

/// `✓ ±0`, `✓ +1 goal`, `⚠ -1 safety`; where there is less room `⚠ -1s`, or the sign alone, or nothing.
fn status(goals: i32, safety: i32, room: usize) -> (String, Role) {
    let part = |n: i32, long: &str, short: &str| match (n, room) {
        (0, _) => None,
        (n, ..LONG) => Some(format!("{n:+}{short}")),
        (n, _) => Some(format!("{n:+} {long}")),
    };
    let mut parts: Vec<String> = [part(goals, "goal", "g"), part(safety, "safety", "s")]
        .into_iter()
        .flatten()
        .collect();
    let (sign, role) = if goals < 0 || safety < 0 {
        (glyph::WOULD, Role::Armed)
    } else if parts.is_empty() {
        (glyph::HOLDS, Role::Dim)
    } else {
        (glyph::HOLDS, Role::Good)
    };
    if parts.is_empty() {
        parts.push("±0".to_owned());
    }
    let whole = format!("{} {}", sign.sign, parts.join(" "));
    let text = match room {
        0 => String::new(),
        n if n < text::width(&whole) => sign.sign.to_string(),
        _ => whole,
    };
    (text, role)
}

/// Cells that the longest status in words takes.
const LONG: usize = 18;

fn why(draw: &Draw<'_>, canvas: &mut Canvas<'_>, y: u16, c: &Candidate) {
    if let Some(refusal) = &c.refusal {
        let words = reason(draw.game.episode.timeline().world(), refusal);
        canvas.fitted((5, y), canvas.width().saturating_sub(6), &words, Role::Dim);
    }
}

fn done(draw: &Draw<'_>, canvas: &mut Canvas<'_>, y: u16) {
    let at = canvas.text(3, y, "Done", Role::Text) + 2;
    let (score, judged) = (draw.game.episode.score(), draw.game.episode.judgement());
    let end = canvas.width().saturating_sub(1);
    let (mut text, role) = if score.success_of + score.safety_of == 0 {
        ("no goals".to_owned(), Role::Dim)
    } else if score.succeeds() && score.safe() {
        ("✓ all goals".to_owned(), Role::Good)
    } else {
        let mut text = format!("⚠ {}/{} goals", score.success, score.success_of);
        if !score.safe() {
            let _ = write!(text, " {}/{} safety", score.safety, score.safety_of);
        }
        (text, Role::Armed)
    };
    // What a broken core rule makes of it, and what the end would leave open.
    let broken: Vec<&str> = judged.broken.iter().map(|rule| rule.id.as_str()).collect();
    if !broken.is_empty() {
        let _ = write!(text, "  ✗{}", broken.join(" ✗"));
    }
    let open = draw.game.open_ends();
    if open > 0 {
        text = format!("◆ {open} open  {text}");
    }
    let role = if broken.is_empty() && open == 0 {
        role
    } else {
        Role::Armed
    };
    let cut = text::fit(&text, usize::from(end.saturating_sub(at)));
    canvas.right(end, y, &cut, role);
}
