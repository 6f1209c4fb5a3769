//! The label queue: what went wrong beside the steps of the run.

use ratatui::layout::Rect;

use crate::app::parts::steps;
use crate::app::role::Role;
use crate::app::screens::inspect::detail::{self, View as Told};
use crate::app::screens::label::{Field, Pane, Queue, Shown};
use crate::base::text;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::line::edit_line;
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{self, panes};
use crate::ui::{Room, View};

/// Rows of the upper pane where both lie above each other.
const UPPER: u16 = 15;

/// Columns of a class.
const CLASS: u16 = 22;

/// Draws the queue.
pub(super) fn draw(queue: &Queue, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let body = canvas.area();
    let is_cause = queue.focus == Pane::Cause;
    let (cause, steps) = match view.room {
        _ if queue.zoomed && is_cause => (Some(body), None),
        _ if queue.zoomed => (None, Some(body)),
        Room::Single if is_cause && queue.disputes.is_none() => (Some(body), None),
        Room::Single => (None, Some(body)),
        Room::Narrow => {
            let upper = UPPER.min(body.height);
            let lower = Rect::new(0, upper - 1, body.width, body.height + 1 - upper);
            (Some(Rect::new(0, 0, body.width, upper)), Some(lower))
        }
        Room::Wide => {
            let left = body.width / 2;
            let right = Rect::new(left - 1, 0, body.width - left + 1, body.height);
            (Some(Rect::new(0, 0, left, body.height)), Some(right))
        }
    };
    let mut frames = Vec::new();
    if let Some(area) = cause {
        let focused = view.focused && is_cause && queue.disputes.is_none();
        frames.push(pane::Pane::new(area, "Root cause", focused));
    }
    if let Some(area) = steps {
        let focused = view.focused && (!is_cause || queue.disputes.is_some());
        let title = match (&queue.disputes, queue.shown()) {
            (Some(_), _) => "Disagreements".to_owned(),
            (None, Some(shown)) => format!("Steps {}", shown.loaded.counts.0),
            (None, None) => "Steps".to_owned(),
        };
        frames.push(pane::Pane::new(area, title, focused));
    }
    panes(canvas, &frames);
    if let Some(area) = cause {
        root_cause(queue, view, &mut canvas.sub(pane::inner(area)));
    }
    if let Some(area) = steps {
        let inner = pane::inner(area);
        if queue.disputes.is_some() {
            disputes(queue, view, inner, canvas);
        } else if let Some(shown) = queue.shown() {
            run(queue, shown, view, inner, canvas);
        }
    }
}

/// The proposed class among all, what it is about, tags, note, and how the label stands.
fn root_cause(queue: &Queue, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let me = queue.reviewer(view.shared);
    let width = canvas.width();
    let room = width.saturating_sub(2);
    let mut y = 0;
    if queue.field == Some(Field::Name) {
        let x = canvas.text(1, 0, "whose labels are these? ", Role::Title);
        edit_line(canvas, (x, 0), width.saturating_sub(x + 1), &queue.name);
        y = 2;
    }
    let Some(shown) = queue.shown() else {
        paragraph(canvas, y, &queue.nothing(me), Role::Dim);
        return;
    };
    for (words, role) in shown.evidence() {
        y = paragraph(canvas, y, &words, role);
    }
    y += 1;
    let columns = (room / CLASS).clamp(1, 3);
    for (at, choice) in (0_u16..).zip(queue.choices(me)) {
        let (x, row) = (1 + at % columns * CLASS, y + at / columns);
        let sign = if choice.is_on { "▌" } else { " " };
        let arrow = if choice.is_proposed { " ←" } else { "" };
        let role = if choice.is_on {
            Role::Picked
        } else {
            Role::Text
        };
        let spans = [
            Span::new(sign, Role::Cursor),
            Span::new(choice.key.to_string(), Role::Key),
            Span::plain(" "),
            Span::new(choice.words, role),
            Span::new(arrow, Role::Dim),
        ];
        canvas.spans((x, row), CLASS, &spans);
    }
    y += 11_u16.div_ceil(columns) + 1;
    y = paragraph(canvas, y, &queue.about_words(me), Role::Text);
    for (field, name, words) in [
        (Field::Tags, "tags ", queue.tags_text(me)),
        (Field::Note, "note ", queue.note_text(me)),
    ] {
        let draft = queue.draft();
        let line = match field {
            Field::Tags => draft.and_then(|it| it.tags.as_ref()),
            _ => draft.and_then(|it| it.note.as_ref()),
        };
        let x = canvas.text(1, y, name, Role::Dim);
        match line.filter(|_| queue.field == Some(field)) {
            Some(line) => {
                edit_line(canvas, (x, y), width.saturating_sub(x + 1), line);
            }
            None => {
                canvas.fitted((x, y), width.saturating_sub(x + 1), &words, Role::Text);
            }
        }
        y += 1;
    }
    for (words, role) in queue.status(me) {
        y = paragraph(canvas, y, &words, role);
    }
    if let Some(words) = queue.all_done(me) {
        paragraph(canvas, y, &words, Role::Good);
    }
}

fn paragraph(canvas: &mut Canvas<'_>, y: u16, words: &str, role: Role) -> u16 {
    let room = usize::from(canvas.width().saturating_sub(2));
    let mut y = y;
    for line in text::wrap(words, room) {
        canvas.text(1, y, &line, role);
        y += 1;
    }
    y
}

/// The steps, and below them what the one under the cursor did.
fn run(queue: &Queue, shown: &Shown, view: &View<'_>, area: Rect, canvas: &mut Canvas<'_>) {
    let loaded = &shown.loaded;
    let below = area.height * 2 / 5;
    let upper = Rect::new(area.x, area.y, area.width, area.height - below);
    let list = ListView {
        name: "label.steps",
        cursor: loaded.list.cursor,
        len: loaded.shown.len(),
        focused: view.focused && queue.focus == Pane::Steps,
    };
    let seen = list.seen(view, upper.height);
    let cause = queue.cause(queue.reviewer(view.shared));
    let width = usize::from(area.width.saturating_sub(2));
    list.draw(canvas, upper, seen, |at| {
        let Some(row) = loaded.shown.get(at).and_then(|at| loaded.rows.get(*at)) else {
            return Vec::new();
        };
        let (sign, role) = steps::mark(row, loaded.event(row))
            .map_or((' ', Role::Text), |(glyph, role)| (glyph.sign, role));
        let is_cause = cause.is_some() && loaded.shown.get(at).copied() == cause;
        let mark = if is_cause { "✎" } else { " " };
        let (name, words) = loaded.words(row);
        let tail = loaded.tail(row);
        let room = width.saturating_sub(text::width(&tail) + 9);
        let said = text::fit(&words, room).into_owned();
        vec![
            Span::new(sign.to_string(), role),
            Span::new(mark, Role::Picked),
            Span::new(text::pad(&name, 5), Role::Dim),
            Span::plain(text::pad(&said, room + 1)),
            Span::new(tail, Role::Refused),
        ]
    });
    let mut lower = canvas.sub(Rect::new(area.x, upper.bottom(), area.width, below));
    let rule = "─".repeat(usize::from(area.width));
    lower.text(0, 0, &rule, Role::Border);
    let mut y = 1;
    for line in detail::lines(loaded, Told::State, false) {
        let words = match line.mark {
            Some((glyph, _)) => format!("{} {}", glyph.sign, line.text),
            None => line.text,
        };
        let role = line.mark.map_or(line.role, |(_, role)| role);
        y = paragraph(&mut lower, y, &words, role);
    }
}

fn disputes(queue: &Queue, view: &View<'_>, area: Rect, canvas: &mut Canvas<'_>) {
    let me = queue.reviewer(view.shared);
    let disputed = queue.disputed(me);
    let list = ListView {
        name: "label.disputes",
        cursor: queue.disputes.as_ref().map_or(0, |it| it.cursor),
        len: disputed.len(),
        focused: view.focused,
    };
    let seen = list.seen(view, area.height);
    list.draw(canvas, area, seen, |at| {
        let words = disputed.get(at).map(|at| queue.dispute_words(*at, me));
        vec![Span::plain(words.unwrap_or_default())]
    });
}
