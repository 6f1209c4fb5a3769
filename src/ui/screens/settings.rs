//! Settings: the values left, in what the profiles differ right, the row under the cursor told whole below each.

use ratatui::layout::Rect;

use crate::app::profiles::{Contrast, Line};
use crate::app::role::Role;
use crate::app::screens::settings::{Pane, Reading, Settings};
use crate::app::settings::Row;
use crate::base::text;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{self, panes};
use crate::ui::widgets::paragraph::paragraph;
use crate::ui::{Room, View};

/// Columns of a key.
const KEY: usize = 9;

/// Draws the screen.
pub(super) fn draw(settings: &Settings, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let areas = layout(settings, view.room, canvas.area());
    let rows = view.shared.settings.rows();
    let mut frames = Vec::new();
    for &(pane, area) in &areas {
        let focused = view.focused && settings.focus == pane;
        let title = match pane {
            Pane::Values => "Settings".to_owned(),
            Pane::Profiles => match &settings.reading {
                Reading::Done(all) => format!("Profiles strict | eai  {} differences", all.len()),
                _ => "Profiles strict | eai  …".to_owned(),
            },
        };
        frames.push(pane::Pane::new(area, title, focused));
    }
    panes(canvas, &frames);
    for (&(pane, _), frame) in areas.iter().zip(&frames) {
        let inner = frame.inner();
        match pane {
            Pane::Values => values(
                settings,
                &rows,
                (view, frame.focused),
                &mut canvas.sub(inner),
            ),
            Pane::Profiles => profiles(settings, (view, frame.focused), &mut canvas.sub(inner)),
        }
    }
}

fn layout(settings: &Settings, room: Room, body: Rect) -> Vec<(Pane, Rect)> {
    if settings.zoomed || room == Room::Single {
        return vec![(settings.focus, body)];
    }
    if room == Room::Wide {
        let left = body.width * 2 / 5;
        return vec![
            (Pane::Values, Rect::new(0, 0, left, body.height)),
            (
                Pane::Profiles,
                Rect::new(left, 0, body.width - left, body.height),
            ),
        ];
    }
    // Above each other; the pane without the keys keeps three rows.
    let small = 5.min(body.height);
    let upper = match settings.focus {
        Pane::Values => body.height - small + 1,
        Pane::Profiles => small,
    };
    let lower = body.height - upper + 1;
    vec![
        (Pane::Values, Rect::new(0, 0, body.width, upper)),
        (Pane::Profiles, Rect::new(0, upper - 1, body.width, lower)),
    ]
}

/// The values, the faults of the file, and all about the value under the cursor.
fn values(
    settings: &Settings,
    rows: &[Row],
    (view, focused): (&View<'_>, bool),
    canvas: &mut Canvas<'_>,
) {
    let (width, height) = (canvas.width(), canvas.height());
    let list = ListView {
        name: "settings.values",
        cursor: settings.values.cursor,
        len: rows.len(),
        focused,
    };
    let shown = height.min(u16::try_from(rows.len()).unwrap_or(u16::MAX));
    let area = Rect::new(0, 0, width, shown);
    let wide = usize::from(width) / 2;
    list.draw(canvas, area, list.seen(view, shown), |at| {
        rows.get(at).map_or_else(Vec::new, |row| {
            let value = wide.saturating_sub(KEY).max(20);
            vec![
                Span::new(text::pad(row.key, KEY), Role::Dim),
                Span::new(text::pad(&row.value, value), Role::Text),
                Span::plain(" "),
                Span::new(row.source.clone(), Role::Dim),
            ]
        })
    });
    let told = Rect::new(1, 0, width.saturating_sub(2), height);
    let mut y = shown + 1;
    let mut tell = |words: &str, role: Role, canvas: &mut Canvas<'_>| {
        if y < height {
            y = paragraph(canvas, told, y, words, role) + 1;
        }
    };
    let set = &view.shared.settings;
    for fault in &set.faults {
        tell(&format!("! {fault}"), Role::Error, canvas);
    }
    if let Some(row) = rows.get(settings.values.cursor) {
        tell(row.changes, Role::Text, canvas);
        let from = format!("{} · {}", row.value, row.source);
        tell(&from, Role::Text, canvas);
        tell(&format!("set by: {}", row.write), Role::Dim, canvas);
        let rules = set.rules.as_ref().filter(|_| row.key == "rules");
        for fault in rules.map_or(&[][..], |rules| &rules.faults) {
            tell(&format!("! {fault}"), Role::Error, canvas);
        }
    }
    if let Some(file) = &set.file {
        let state = if set.has_file { "" } else { "  (not there)" };
        tell(&format!("{file}{state}"), Role::Dim, canvas);
        tell("flag > environment > file > default", Role::Dim, canvas);
    }
}

/// The differences, and the one under the cursor with its example under both profiles.
fn profiles(settings: &Settings, (view, focused): (&View<'_>, bool), canvas: &mut Canvas<'_>) {
    let (width, height) = (canvas.width(), canvas.height());
    let all = match &settings.reading {
        Reading::Done(all) => all,
        Reading::Running => {
            canvas.text(1, 0, "playing the examples …", Role::Dim);
            return;
        }
        Reading::Failed(reason) => {
            let area = Rect::new(1, 0, width.saturating_sub(2), height);
            paragraph(canvas, area, 0, reason, Role::Refused);
            return;
        }
    };
    let wanted = u16::try_from(all.len()).unwrap_or(u16::MAX);
    let shown = if height > 12 {
        wanted.min(height * 2 / 5)
    } else {
        wanted.min(height)
    };
    let list = ListView {
        name: "settings.profiles",
        cursor: settings.list.cursor,
        len: all.len(),
        focused,
    };
    let area = Rect::new(0, 0, width, shown);
    list.draw(canvas, area, list.seen(view, shown), |at| {
        all.get(at).map_or_else(Vec::new, |it| {
            vec![
                Span::new(text::pad(it.title, 38), Role::Text),
                Span::plain(" "),
                Span::new(it.id, Role::Dim),
            ]
        })
    });
    if let Some(it) = settings.contrast().filter(|_| shown + 2 < height) {
        let rule = "─".repeat(usize::from(width));
        canvas.text(0, shown, &rule, Role::Border);
        let area = Rect::new(0, shown + 1, width, height - shown - 1);
        contrast(it, &mut canvas.sub(area));
    }
}

/// A difference told whole.
fn contrast(it: &Contrast, canvas: &mut Canvas<'_>) {
    let (width, height) = (canvas.width(), canvas.height());
    let area = Rect::new(9, 0, width.saturating_sub(10), height);
    let mut y = 0;
    for (label, words, role) in [
        ("eai", it.eai, Role::Text),
        ("strict", it.strict, Role::Text),
        ("why", it.why, Role::Dim),
    ] {
        if y < height {
            canvas.text(1, y, label, Role::Dim);
            y = paragraph(canvas, area, y, words, role);
        }
    }
    for fact in it.given {
        if y < height {
            canvas.text(1, y, "given", Role::Dim);
            canvas.fitted((9, y), width.saturating_sub(10), fact, Role::Text);
            y += 1;
        }
    }
    for played in &it.played {
        y += 1;
        canvas.text(1, y, &format!("under {}", played.profile), Role::Title);
        y += 1;
        for line in &played.steps {
            y = row(line, ('✓', '✗'), y, canvas);
        }
        for line in &played.facts {
            y = row(line, ('✓', '○'), y, canvas);
        }
    }
}

/// A step or a fact; what was said about it below, where it does not fit beside it.
fn row(line: &Line, (yes, no): (char, char), y: u16, canvas: &mut Canvas<'_>) -> u16 {
    let width = canvas.width();
    if y >= canvas.height() {
        return y;
    }
    let (sign, role) = match (line.good, no) {
        (true, _) => (yes, Role::Good),
        (false, '✗') => (no, Role::Refused),
        (false, _) => (no, Role::Text),
    };
    canvas.text(2, y, &sign.to_string(), role);
    let x = canvas.fitted((4, y), width.saturating_sub(5), &line.text, Role::Text);
    if line.note.is_empty() {
        return y + 1;
    }
    let note = u16::try_from(text::width(&line.note)).unwrap_or(u16::MAX);
    if u32::from(x) + 2 + u32::from(note) < u32::from(width) {
        canvas.text(x + 2, y, &line.note, Role::Dim);
        return y + 1;
    }
    let area = Rect::new(6, 0, width.saturating_sub(7), canvas.height());
    paragraph(canvas, area, y + 1, &line.note, Role::Dim)
}
