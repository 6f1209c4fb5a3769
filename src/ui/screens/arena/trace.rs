//! The run of the cell under the cursor: its steps, and beside them the state at the one that is looked at.

use ratatui::layout::Rect;

use crate::app::glyph;
use crate::app::parts::steps;
use crate::app::role::Role;
use crate::app::screens::arena::beside::Beside;
use crate::app::screens::arena::{Arena, Pane, Trace};
use crate::app::screens::inspect::detail::{self, View as Told};
use crate::app::screens::inspect::loaded::Loaded;
use crate::base::text;
use crate::ui::View;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::paragraph::paragraph;

/// Columns from which steps and state stand beside each other.
const BESIDE: u16 = 64;

/// Draws the pane.
pub(super) fn draw(arena: &Arena, view: &View<'_>, area: Rect, canvas: &mut Canvas<'_>) {
    let here = arena.here();
    let ready = match &arena.trace {
        Trace::Ready(of, loaded) if Some(*of) == here => Some(loaded),
        _ => None,
    };
    if let Some((loaded, beside)) = ready.zip(arena.beside.as_ref()) {
        return both(arena, (loaded, beside), view, area, canvas);
    }
    if let Some(loaded) = ready {
        let focused = view.focused && arena.focus == Pane::Trace;
        return run(loaded, focused, view, area, canvas);
    }
    let inside = Rect {
        x: area.x + 1,
        width: area.width.saturating_sub(2),
        ..area
    };
    let mut y = 0;
    for (words, role) in arena.told() {
        if y < inside.height {
            y = paragraph(canvas, inside, y, &words, role);
        }
    }
    let more = match &arena.trace {
        Trace::Failed(of, reason) if Some(*of) == here => Some((reason.as_str(), Role::Refused)),
        Trace::Waiting(of) if Some(*of) == here => Some(("playing it …", Role::Dim)),
        _ => None,
    };
    if let Some((words, role)) = more.filter(|_| y < inside.height) {
        paragraph(canvas, inside, y, words, role);
    }
}

/// Two runs side by side, `=` before what is the same and `≠` before what is not.
fn both(
    arena: &Arena,
    (loaded, beside): (&Loaded, &Beside),
    view: &View<'_>,
    area: Rect,
    canvas: &mut Canvas<'_>,
) {
    let inside = Rect {
        x: area.x + 1,
        width: area.width.saturating_sub(2),
        ..area
    };
    let told = paragraph(canvas, inside, 0, &arena.beside_words(), Role::Title).min(area.height);
    let Some(other) = beside.trace.loaded().filter(|_| !beside.pairs.is_empty()) else {
        return;
    };
    let body = Rect {
        y: area.y + told,
        height: area.height - told,
        ..area
    };
    let list = ListView {
        name: "arena.beside",
        cursor: beside.list.cursor,
        len: beside.pairs.len(),
        focused: view.focused && arena.focus == Pane::Trace,
    };
    let seen = list.seen(view, body.height);
    let half = (body.width.saturating_sub(3)) / 2;
    let first = beside.first();
    list.draw(canvas, body, seen, |at| {
        let Some(pair) = beside.pairs.get(at) else {
            return Vec::new();
        };
        let (sign, role) = match (pair.same, first == Some(at)) {
            (true, _) => ("= ", Role::Dim),
            (false, true) => ("≠ ", Role::Bad),
            (false, false) => ("≠ ", Role::Change),
        };
        let side = |run: &Loaded, row: Option<usize>| -> Vec<Span> {
            let spans = row.map_or_else(Vec::new, |row| row_of(run, row, half.saturating_sub(2)));
            let used: usize = spans.iter().map(|s| text::width(&s.text)).sum();
            let blank = usize::from(half).saturating_sub(used);
            let pad = Span::plain(" ".repeat(blank));
            spans.into_iter().chain([pad]).collect()
        };
        let mut spans = vec![Span::new(sign, role)];
        spans.extend(side(loaded, pair.own));
        spans.push(Span::new("│", Role::Border));
        spans.extend(side(other, pair.other));
        spans
    });
    if !list.focused
        && let Ok(y) = u16::try_from(list.cursor.saturating_sub(seen.top))
        && y < body.height
    {
        canvas.text(body.x, body.y + y, "▌", Role::Title);
    }
}

fn run(loaded: &Loaded, focused: bool, view: &View<'_>, area: Rect, canvas: &mut Canvas<'_>) {
    let beside = area.width >= BESIDE;
    let steps_area = if beside {
        Rect {
            width: area.width / 2,
            ..area
        }
    } else if area.height > 6 {
        Rect {
            height: area.height / 2,
            ..area
        }
    } else {
        area
    };
    let list = ListView {
        name: "arena.trace",
        cursor: loaded.list.cursor,
        len: loaded.shown.len(),
        // Even without the keys it is seen at which step the state is.
        focused: true,
    };
    let seen = list.seen(view, steps_area.height);
    if focused {
        list.draw(canvas, steps_area, seen, |at| {
            step(loaded, at, steps_area.width)
        });
    } else {
        let still = ListView {
            focused: false,
            ..list
        };
        still.draw(canvas, steps_area, seen, |at| {
            step(loaded, at, steps_area.width)
        });
        if let Ok(y) = u16::try_from(loaded.list.cursor.saturating_sub(seen.top))
            && y < steps_area.height
        {
            canvas.text(steps_area.x, steps_area.y + y, "▌", Role::Title);
        }
    }
    let state = if beside {
        Rect::new(
            area.x + steps_area.width,
            area.y,
            area.width - steps_area.width,
            area.height,
        )
    } else {
        Rect::new(
            area.x,
            area.y + steps_area.height,
            area.width,
            area.height - steps_area.height,
        )
    };
    if state.height > 0 {
        there(loaded, state, beside, canvas);
    }
}

/// The state at the step that is looked at.
fn there(loaded: &Loaded, state: Rect, beside: bool, canvas: &mut Canvas<'_>) {
    if beside {
        for y in 0..state.height {
            canvas.text(state.x, state.y + y, "│", Role::Border);
        }
    }
    let inside = Rect {
        x: state.x + 3,
        width: state.width.saturating_sub(4),
        ..state
    };
    let mut y = 0;
    for line in detail::lines(loaded, Told::State, false) {
        if y >= state.height {
            break;
        }
        if let Some((glyph, role)) = line.mark {
            let mut sign = [0; 4];
            canvas.text(
                state.x + 1,
                state.y + y,
                glyph.sign.encode_utf8(&mut sign),
                role,
            );
        }
        y = paragraph(canvas, inside, y, &line.text, line.role);
    }
}

/// A step: what RED did with it, or what it is worth knowing of it; its name and words; the rule it broke.
fn step(loaded: &Loaded, at: usize, width: u16) -> Vec<Span> {
    let row = loaded.shown.get(at).copied();
    row.map_or_else(Vec::new, |row| row_of(loaded, row, width))
}

/// The same of a row by its place among all of them.
fn row_of(loaded: &Loaded, at: usize, width: u16) -> Vec<Span> {
    let Some(row) = loaded.rows.get(at) else {
        return Vec::new();
    };
    let event = loaded.event(row);
    let struck = loaded.mark(row).is_some_and(|m| !m.happened.is_empty());
    let (sign, role) = if struck && row.broke == 0 {
        (glyph::HAPPENED.sign.to_string(), Role::SideRed)
    } else {
        steps::mark(row, event).map_or_else(
            || (" ".to_owned(), Role::Text),
            |(g, r)| (g.sign.to_string(), r),
        )
    };
    let (name, words) = loaded.words(row);
    let mut tail = loaded.tail(row);
    if struck && row.broke > 0 {
        tail.push_str(" ▲");
    }
    // Where there is little room the rule alone stays.
    if text::width(&tail) > usize::from(width) / 3 {
        let first = tail.split("  ").next().unwrap_or_default().to_owned();
        tail = first;
    }
    let names = format!("s{}", loaded.tip()).len().max(3);
    let room = usize::from(width).saturating_sub(names + text::width(&tail) + 5);
    vec![
        Span::new(format!("{sign} "), role),
        Span::new(text::pad(&name, names + 1), Role::Dim),
        Span::plain(text::pad(&text::fit(&words, room), room)),
        Span::new(format!(" {tail}"), role),
    ]
}
