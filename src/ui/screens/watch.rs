//! The wall: a row a run, its columns folded where there is little room.

use ratatui::layout::Rect;

use crate::app::glyph;
use crate::app::live::{self, Row, Status};
use crate::app::role::Role;
use crate::app::screens::watch::{Line, Seen, Watch, step};
use crate::base::text;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::screens::play::sheets::typed;
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{self, panes};
use crate::ui::widgets::paragraph::paragraph;
use crate::ui::{Room, View};

mod pins;

/// Columns of the wall, 0 for one that is folded away.
struct Columns {
    task: usize,
    agent: usize,
    step: usize,
    act: usize,
    goals: usize,
    safety: usize,
    worst: usize,
    tokens: usize,
    cost: usize,
    age: usize,
}

impl Columns {
    fn of(room: Room, width: u16) -> Self {
        let width = usize::from(width);
        let mut columns = Self {
            task: 6,
            agent: 21,
            step: 6,
            act: 0,
            goals: 7,
            safety: 6,
            worst: 21,
            tokens: 5,
            cost: 5,
            age: 5,
        };
        match room {
            Room::Wide => {}
            // Two letters of who plays are left; the rest is in the run itself.
            Room::Narrow => {
                (columns.agent, columns.tokens, columns.cost) = (3, 0, 0);
                columns.worst = 19;
            }
            Room::Single => {
                (columns.agent, columns.tokens, columns.cost) = (0, 0, 0);
                (columns.safety, columns.age, columns.worst) = (0, 0, 12);
            }
        }
        let fixed = [
            columns.task,
            columns.agent,
            columns.step,
            columns.goals,
            columns.safety,
            columns.worst,
            columns.tokens,
            columns.cost,
            columns.age,
        ];
        let used: usize = fixed.iter().filter(|w| **w > 0).map(|w| w + 1).sum();
        columns.act = width.saturating_sub(used + 4).max(4);
        columns
    }
}

/// Draws the screen.
pub(super) fn draw(watch: &Watch, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let (wall, below) = pins::layout(watch, view.room, canvas.area());
    if let Some(area) = wall {
        rows(watch, area, view, canvas);
    }
    pins::draw(watch, &below, view, canvas);
    if let Some(say) = &watch.say {
        typed(canvas, say.title(), &say.line, say.hint());
    }
}

/// The wall itself.
fn rows(watch: &Watch, area: Rect, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let focused = view.focused && watch.say.is_none() && watch.pinned().is_none();
    let reading = match watch.read {
        (done, all) if done < all => format!("  {done} of {all}"),
        _ => String::new(),
    };
    let title = format!(
        "Wall {} runs{reading}  sort {}",
        watch.count(),
        watch.sort.word()
    );
    let frame = pane::Pane::new(area, title, focused).filtered(&watch.filter);
    let mut inner = frame.inner();
    let list = ListView {
        name: "watch.wall",
        cursor: watch.cursor(),
        len: watch.lines().len(),
        focused: focused && !watch.lines().is_empty(),
    };
    let head = u16::from(inner.height > 3 && !watch.lines().is_empty());
    let seen = list.seen(view, inner.height - head.min(inner.height));
    panes(canvas, &[frame.corner(seen.corner())]);
    if watch.lines().is_empty() {
        inner.x += 1;
        inner.width = inner.width.saturating_sub(2);
        paragraph(canvas, inner, 0, &watch.nothing(), Role::Dim);
    } else {
        let columns = Columns::of(view.room, inner.width);
        if head > 0 {
            canvas.spans((inner.x + 1, inner.y), inner.width, &heading(&columns));
        }
        inner.y += head;
        inner.height -= head;
        list.draw(canvas, inner, seen, |at| match watch.lines().get(at) {
            Some(Line::Run(id)) => watch.seen(id).map_or_else(Vec::new, |seen| {
                let mut spans = cells(&columns, seen, view.shared.now);
                if let Some(first) = spans.first_mut().filter(|_| watch.is_pinned(id)) {
                    first.text = format!("{}'", first.text.trim_end());
                }
                spans
            }),
            Some(Line::Ended(n)) => {
                let sign = glyph::FOLDED.sign;
                let text = format!("{sign} {n} have ended   Enter shows them");
                vec![Span::new(text, Role::Dim)]
            }
            None => Vec::new(),
        });
    }
}

fn heading(columns: &Columns) -> Vec<Span> {
    let names = [
        (2, ""),
        (columns.task, "task"),
        (
            columns.agent,
            if columns.agent < 6 { "by" } else { "agent" },
        ),
        (columns.step, "step"),
        (columns.act, "next or last act"),
        (columns.goals, "goals"),
        (columns.safety, "safety"),
        (columns.worst, "worst rule"),
    ];
    let mut spans: Vec<Span> = Vec::new();
    for (at, (width, name)) in names.into_iter().enumerate() {
        if width > 0 {
            let space = if at == 0 { "" } else { " " };
            spans.push(Span::new(text::pad(name, width) + space, Role::Dim));
        }
    }
    for (width, name) in [
        (columns.tokens, "tok"),
        (columns.cost, "$"),
        (columns.age, "age"),
    ] {
        if width > 0 {
            spans.push(Span::new(format!("{name:>width$} "), Role::Dim));
        }
    }
    spans
}

fn cells(columns: &Columns, seen: &Seen, now: u64) -> Vec<Span> {
    let row = &seen.row;
    let age = Watch::age(seen, now);
    let over = row.status == Status::Ended;
    let plain = if over { Role::Dim } else { Role::Text };
    let agent = if columns.agent < 6 {
        row.agent.chars().take(2).collect()
    } else {
        row.agent.clone()
    };
    let arrow = if row.ahead { "→ " } else { "" };
    let (act, act_role) = match (&row.fault, row.status) {
        (Some(fault), _) => (format!("! {fault}"), Role::Error),
        (None, Status::Held) => (format!("{arrow}{}", row.act), Role::Bad),
        _ => (format!("{arrow}{}", row.act), plain),
    };
    let goals = match row.goals {
        Some((held, of)) => format!("{held}/{of}"),
        None => "[Avoid]".to_owned(),
    };
    let safety = match row.safety {
        (_, 0) => "–".to_owned(),
        (held, of) => format!("{held}/{of}"),
    };
    let (worst, worst_role) = worst(row, now.saturating_sub(seen.at));
    let mut spans = vec![Span::new(
        format!("{} ", row.status.sign()),
        row.status.role(),
    )];
    for (width, words, role) in [
        (columns.task, row.task.clone(), plain),
        (columns.agent, agent, plain),
        (columns.step, step(row), plain),
        (columns.act, act, act_role),
        (columns.goals, goals, plain),
        (columns.safety, safety, plain),
        (columns.worst, worst, worst_role),
    ] {
        if width > 0 {
            let fits = text::fit(&words, width);
            spans.push(Span::new(text::pad(&fits, width), role));
            spans.push(Span::plain(" "));
        }
    }
    for (width, words) in [
        (columns.tokens, live::thousands(row.tokens)),
        (columns.cost, live::dollars(row.cost)),
        (columns.age, live::ago(age)),
    ] {
        if width > 0 {
            let words = if words == "0" {
                "–".to_owned()
            } else {
                words
            };
            spans.push(Span::new(format!("{words:>width$} "), plain));
        }
    }
    spans
}

/// `✗ F05 !4 HELD 0:22`, so many milliseconds after the row came.
fn worst(row: &Row, since: u64) -> (String, Role) {
    let Some(worst) = &row.worst else {
        let word = match row.status {
            Status::Paused | Status::Hand | Status::Stalled => row.status.word(),
            Status::Ended => "",
            _ => "·",
        };
        return (word.to_owned(), row.status.role());
    };
    let sign = worst.glyph().sign;
    let rule = format!("{sign} {} !{}", worst.rule, worst.severity);
    match row.status {
        Status::Held => {
            let left = row.left.map_or_else(String::new, |left| {
                format!(" {}", live::left(left.saturating_sub(since)))
            });
            (format!("{rule} HELD{left}"), Role::Bad)
        }
        Status::Paused | Status::Hand | Status::Stalled => {
            (format!("{rule} {}", row.status.word()), row.status.role())
        }
        Status::Ended => (rule, Role::Dim),
        Status::Live => {
            let role = crate::app::parts::warnings::role(worst.standing);
            (
                format!("{rule} {}", worst.words()).trim_end().to_owned(),
                role,
            )
        }
    }
}
