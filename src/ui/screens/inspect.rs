//! Inspect: steps, what the step changed, goals and scene there.

use ratatui::layout::Rect;

use crate::app::parts::goals::{self, Mark};
use crate::app::parts::scene_tree::RowView;
use crate::app::parts::steps::{self, What};
use crate::app::parts::verdict::witness_words;
use crate::app::role::Role;
use crate::app::screens::inspect::detail::Line;
use crate::app::screens::inspect::loaded::{GoalRow, Loaded, There};
use crate::app::screens::inspect::sheets::Sheet;
use crate::app::screens::inspect::strip::{self, Strip};
use crate::app::screens::inspect::{Inspect, PANES, Pane, Reading};
use crate::base::text;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::parts::verdict::VerdictView;
use crate::ui::parts::warnings::WarningsView;
use crate::ui::widgets::list::{ListView, Seen};
use crate::ui::widgets::pane::{self, panes};
use crate::ui::widgets::paragraph::paragraph;
use crate::ui::{Room, View};

use super::play::floor::{self, Over};
use super::play::sheets;

/// Draws Inspect.
pub(super) fn draw(inspect: &Inspect, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let it = match &inspect.reading {
        Reading::Done(it) => it,
        Reading::Running => return message(canvas, "reading the run …", Role::Dim),
        Reading::Failed(reason) => return message(canvas, reason, Role::Refused),
    };
    if let Some(map) = &inspect.map {
        let over = match inspect.sheets.last() {
            None => Over::Nothing,
            Some(Sheet::Facts(facts)) => Over::Lines(facts),
            Some(Sheet::Verdict) => Over::Other,
        };
        floor::plan(map, (over, inspect.zoomed), view, canvas);
        if matches!(over, Over::Other) {
            verdict(inspect, it, view, canvas);
        }
        return;
    }
    // Under a sheet no pane has the keys.
    let under = View {
        focused: view.focused && inspect.sheets.is_empty(),
        ..*view
    };
    panes_of(inspect, it, &under, canvas);
    match inspect.sheets.last() {
        Some(Sheet::Facts(facts)) => sheets::lines(facts, view, canvas),
        Some(Sheet::Verdict) => verdict(inspect, it, view, canvas),
        None => {}
    }
}

/// The verdict sheet, the step that is looked at as its witness.
fn verdict(inspect: &Inspect, it: &Loaded, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let Some(there) = &it.there else { return };
    let goals: Vec<goals::Row> = there.goals.iter().map(|goal| goal.row.clone()).collect();
    let sheet = VerdictView {
        draft: &inspect.draft,
        goals: &goals,
        witness: witness_words(there.episode()),
    };
    sheets::verdict(&sheet, view, canvas);
}

fn panes_of(inspect: &Inspect, it: &Loaded, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let mut body = canvas.area();
    if inspect.strip != Strip::Off && body.height > 6 {
        body.height -= 1;
        let line = strip::line(it, inspect.strip, usize::from(body.width));
        canvas.fitted((0, body.height), body.width, &line, Role::Text);
    }
    let areas = layout(inspect, view.room, body);
    let mut frames = Vec::new();
    for &(pane, area) in &areas {
        let focused = view.focused && inspect.focus == pane;
        let frame = pane::Pane::new(area, title(pane, inspect, it), focused);
        let frame = match pane {
            Pane::Steps => frame.filtered(&inspect.filter),
            Pane::Scene => frame.filtered(&inspect.scene_filter),
            Pane::Diff | Pane::Goals | Pane::Warnings => frame,
        };
        let height = frame.inner().height;
        let seen = list(pane, inspect, it, focused);
        let told = told(it, frame.inner().width);
        let seen = seen.map(|l| with_more(pane, l, &told).seen(view, height));
        let corner = match (pane, &it.there) {
            (Pane::Warnings, Some(there)) => {
                let quiet = there.warnings.quiet();
                rules(there, &quiet, focused).corner(view, height)
            }
            _ => seen.map_or_else(String::new, Seen::corner),
        };
        frames.push(frame.corner(corner));
    }
    panes(canvas, &frames);
    for (&(pane, _), frame) in areas.iter().zip(&frames) {
        let inner = frame.inner();
        let there = it.there.as_ref();
        let told = told(it, inner.width);
        let list = list(pane, inspect, it, frame.focused);
        let list = list.map(|l| with_more(pane, l, &told));
        match (pane, list, there) {
            (Pane::Steps, Some(list), _) => {
                list.draw(canvas, inner, list.seen(view, inner.height), |at| {
                    step(it, at, inner.width)
                });
            }
            (Pane::Goals, Some(list), Some(there)) => {
                goals_pane(there, (list, &told), view, &mut canvas.sub(inner));
            }
            (Pane::Scene, Some(list), Some(there)) => {
                list.draw(canvas, inner, list.seen(view, inner.height), |at| {
                    let row = there.tree.rows().get(at);
                    row.map_or_else(Vec::new, |row| {
                        tree_row(&there.tree.view(there.world(), row), inner.width)
                    })
                });
            }
            (Pane::Warnings, _, Some(there)) => {
                let quiet = there.warnings.quiet();
                rules(there, &quiet, frame.focused).draw(view, &mut canvas.sub(inner));
            }
            (Pane::Diff, ..) => diff(inspect, frame.focused, &mut canvas.sub(inner)),
            _ => {
                let why = it.run.again.as_ref().err().map_or("", String::as_str);
                let area = Rect::new(
                    inner.x + 1,
                    inner.y,
                    inner.width.saturating_sub(1),
                    inner.height,
                );
                paragraph(canvas, area, 0, why, Role::Dim);
            }
        }
    }
}

/// The warnings at the step.
fn rules<'a>(there: &'a There, quiet: &'a str, focused: bool) -> WarningsView<'a> {
    WarningsView {
        world: there.world(),
        all: &there.warnings.all,
        rows: &there.warnings.rows,
        cursor: there.warnings.list.cursor,
        quiet,
        name: "inspect.warnings",
        focused,
    }
}

fn message(canvas: &mut Canvas<'_>, words: &str, role: Role) {
    let frame = pane::Pane::new(canvas.area(), "Steps", true);
    let inner = frame.inner();
    panes(canvas, &[frame]);
    let area = Rect::new(
        inner.x + 1,
        inner.y,
        inner.width.saturating_sub(2),
        inner.height,
    );
    paragraph(canvas, area, 0, words, role);
}

/// Where the panes lie.
fn layout(inspect: &Inspect, room: Room, body: Rect) -> Vec<(Pane, Rect)> {
    match room {
        _ if inspect.zoomed => vec![(inspect.focus, body)],
        Room::Single => vec![(inspect.focus, body)],
        Room::Narrow => stacked(inspect.focus, body),
        Room::Wide => {
            let left = body.width * 38 / 120;
            let middle = body.width * 44 / 120;
            let right = body.width - left - middle;
            let goals = inspect.loaded().map_or(0, |it| {
                let lines = told(it, right.saturating_sub(2));
                lines.len()
            });
            let upper = u16::try_from(goals + 3)
                .unwrap_or(u16::MAX)
                .clamp(4, (body.height / 2).max(4));
            let rest = (body.height + 1).saturating_sub(upper);
            let between = (rest / 3).max(4).min(rest);
            vec![
                (Pane::Steps, Rect::new(0, 0, left, body.height)),
                (Pane::Diff, Rect::new(left, 0, middle, body.height)),
                (Pane::Goals, Rect::new(left + middle, 0, right, upper)),
                (
                    Pane::Warnings,
                    Rect::new(left + middle, upper - 1, right, between),
                ),
                (
                    Pane::Scene,
                    Rect::new(
                        left + middle,
                        upper + between - 2,
                        right,
                        (body.height + 2).saturating_sub(upper + between),
                    ),
                ),
            ]
        }
    }
}

/// One column: every pane keeps a few rows, the focused one takes the rest.
fn stacked(focus: Pane, body: Rect) -> Vec<(Pane, Rect)> {
    let folded = |pane| match pane {
        Pane::Steps | Pane::Diff => 3,
        Pane::Goals => 2,
        Pane::Warnings | Pane::Scene => 1,
    };
    let others: u16 = PANES
        .iter()
        .filter(|pane| **pane != focus)
        .map(|pane| folded(*pane) + 1)
        .sum();
    let mut y = 0;
    let mut areas = Vec::new();
    for pane in PANES {
        let height = if pane == focus {
            body.height.saturating_sub(others)
        } else {
            folded(pane) + 2
        };
        areas.push((pane, Rect::new(0, y, body.width, height)));
        y += height.saturating_sub(1);
    }
    areas
}

fn title(pane: Pane, inspect: &Inspect, it: &Loaded) -> String {
    let pos = it.pos();
    match pane {
        Pane::Steps => {
            let (steps, refused) = it.counts;
            if let Some(words) = inspect.long_steps() {
                words
            } else if it.shown.len() < it.rows.len() && it.filter().is_empty() {
                format!("Steps {steps}  folded")
            } else if it.shown.len() < it.rows.len() {
                format!("Steps {} of {}", it.shown.len(), it.rows.len())
            } else {
                match refused {
                    0 => format!("Steps {steps}"),
                    n => format!("Steps {steps}  {n} refused"),
                }
            }
        }
        Pane::Diff => {
            let (this, next) = (inspect.view.word(), inspect.view.next().word());
            match (it.row().map(|row| row.what), it.record.parent(pos)) {
                (Some(What::Step), Some(before)) => {
                    format!("s{before} → s{pos}  {this} (d: {next})")
                }
                (Some(What::Branch(first)), _) => {
                    let events = it.run.recorded();
                    format!("branch {}", steps::branch(&it.record, events, first))
                }
                _ => format!("at s{pos}"),
            }
        }
        Pane::Goals => {
            let Some(there) = &it.there else {
                return "Goals".to_owned();
            };
            let rows: Vec<goals::Row> = there.goals.iter().map(|goal| goal.row.clone()).collect();
            format!("Goals at s{pos}  {}", goals::count(&rows))
        }
        Pane::Warnings => match &it.there {
            Some(there) => format!("{} at s{pos}", there.warnings.title()),
            None => "Warnings".to_owned(),
        },
        Pane::Scene => match &it.there {
            Some(there) => {
                let (near, all) = (there.tree.near(), there.world().scene().len());
                format!("Scene at s{pos}  near {near} of {all}")
            }
            None => "Scene".to_owned(),
        },
    }
}

/// The list of a pane; the middle pane has none, its lines are wrapped.
fn list(pane: Pane, inspect: &Inspect, it: &Loaded, focused: bool) -> Option<ListView> {
    let there = it.there.as_ref();
    let (name, cursor, len) = match pane {
        Pane::Steps => ("inspect.steps", it.list.cursor, it.shown.len()),
        Pane::Goals => ("inspect.goals", inspect.goals.cursor, there?.goals.len()),
        Pane::Scene => (
            "inspect.scene",
            there?.tree.cursor(),
            there?.tree.rows().len(),
        ),
        Pane::Diff | Pane::Warnings => return None,
    };
    Some(ListView {
        name,
        cursor,
        len,
        focused,
    })
}

/// A row of the steps: sign, name, words, at the right end what it did.
fn step(it: &Loaded, at: usize, width: u16) -> Vec<Span> {
    let Some(row) = it.shown.get(at).and_then(|at| it.rows.get(*at)) else {
        return Vec::new();
    };
    if let Some(words) = it.shown.get(at).and_then(|at| it.fold_words(*at)) {
        let names = format!("s{}", it.tip()).len().max(3);
        let from = format!("s{}", row.pos);
        return vec![
            Span::plain("  "),
            Span::new(text::pad(&from, names + 1), Role::Dim),
            Span::new(words, Role::Dim),
        ];
    }
    let event = it.event(row);
    let (sign, role) = steps::mark(row, event).map_or_else(
        || (" ".to_owned(), Role::Text),
        |(g, r)| (g.sign.to_string(), r),
    );
    let (name, words) = it.words(row);
    let tail = it.tail(row);
    let names = format!("s{}", it.tip()).len().max(3);
    let room = usize::from(width).saturating_sub(names + text::width(&tail) + 5);
    vec![
        Span::new(format!("{sign} "), role),
        Span::new(text::pad(&name, names + 1), Role::Dim),
        Span::plain(text::pad(&words, room)),
        Span::new(format!(" {tail}"), role),
    ]
}

/// The lines about the step; where the pane has the keys, its cursor.
fn diff(inspect: &Inspect, focused: bool, canvas: &mut Canvas<'_>) {
    let lines = inspect.lines();
    let (width, height) = (canvas.width(), canvas.height());
    let cols = usize::from(width.saturating_sub(4));
    let wrapped: Vec<Vec<String>> = lines
        .iter()
        .map(|line| indented(&line.text, cols))
        .collect();
    let cursor = inspect.diff.cursor.min(lines.len().saturating_sub(1));
    // The line under the cursor is shown whole: lines above it go.
    let mut from = 0;
    let rows = |from: usize, to: usize| -> usize {
        let part = wrapped.iter().take(to + 1).skip(from);
        part.map(Vec::len).sum()
    };
    while from < cursor && rows(from, cursor) > usize::from(height) {
        from += 1;
    }
    let mut y = 0;
    for (at, (line, words)) in lines.iter().zip(&wrapped).enumerate().skip(from) {
        for (n, part) in words.iter().enumerate() {
            if y >= height {
                return;
            }
            if n == 0 {
                margin(line, y, canvas);
            }
            canvas.text(3, y, part, line.role);
            if focused && at == cursor {
                canvas.text(0, y, "▌", Role::Cursor);
                canvas.restyle(Rect::new(0, y, width, 1), Role::Cursor);
            }
            y += 1;
        }
    }
}

/// A line in so many columns, all of it as far in as its beginning.
fn indented(line: &str, cols: usize) -> Vec<String> {
    let bare = line.trim_start_matches(' ');
    let indent = (line.len() - bare.len()).min(cols / 2);
    let parts = text::wrap(bare, cols - indent).into_iter();
    parts
        .map(|part| format!("{}{part}", " ".repeat(indent)))
        .collect()
}

fn margin(line: &Line, y: u16, canvas: &mut Canvas<'_>) {
    if let Some((glyph, role)) = line.mark {
        canvas.text(1, y, &glyph.sign.to_string(), role);
    }
}

/// The goals as lines of a pane of that width, what they say beyond yes or no below each.
fn told(it: &Loaded, width: u16) -> Vec<goals::Line> {
    let rows = it.there.iter().flat_map(|there| &there.goals);
    let rows = rows.map(|goal| (&goal.row, text::width(&goal.when)));
    goals::lines(rows, usize::from(width.saturating_sub(4)), false)
}

/// The list of goals counts the lines below them, too.
fn with_more(pane: Pane, list: ListView, told: &[goals::Line]) -> ListView {
    match pane {
        Pane::Goals => ListView {
            cursor: goals::place(told, list.cursor),
            len: told.len(),
            ..list
        },
        _ => list,
    }
}

/// The goals as a list; as running text where there is no room for a row each.
fn goals_pane(
    there: &There,
    (list, told): (ListView, &[goals::Line]),
    view: &View<'_>,
    canvas: &mut Canvas<'_>,
) {
    let (area, width) = (canvas.area(), canvas.width());
    if list.focused || told.len() <= usize::from(area.height) {
        list.draw(
            canvas,
            area,
            list.seen(view, area.height),
            |at| match told.get(at) {
                Some(goals::Line::Goal(goal, words)) => there
                    .goals
                    .get(*goal)
                    .map_or_else(Vec::new, |goal| goal_row(goal, words, width)),
                Some(goals::Line::More(words, role)) => {
                    vec![Span::plain("  "), Span::new(words.clone(), *role)]
                }
                Some(goals::Line::Safety) | None => Vec::new(),
            },
        );
        return;
    }
    let mut worst: Vec<&GoalRow> = there.goals.iter().collect();
    worst.sort_by_key(|goal| (goal.row.mark, goal.row.goal));
    let words: Vec<String> = worst
        .into_iter()
        .map(|goal| {
            let sign = goal.row.mark.glyph().sign;
            format!("{sign} {} ({})", goal.row.short(), goal.when)
        })
        .collect();
    let lines = packed(&words, usize::from(width.saturating_sub(2)));
    for (y, line) in (0..area.height).zip(lines) {
        canvas.fitted((1, y), width.saturating_sub(2), &line, Role::Text);
    }
}

/// As many items a line as fit; none is torn.
fn packed(items: &[String], cols: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if text::width(line) + 3 + text::width(item) <= cols => {
                line.push_str("   ");
                line.push_str(item);
            }
            _ => lines.push(item.clone()),
        }
    }
    lines
}

fn goal_row(goal: &GoalRow, words: &str, width: u16) -> Vec<Span> {
    let role = goal.row.mark.role();
    let role = if goal.row.mark == Mark::Open {
        Role::Text
    } else {
        role
    };
    let room = usize::from(width).saturating_sub(text::width(&goal.when) + 5);
    vec![
        Span::new(format!("{} ", goal.row.mark.glyph().sign), role),
        Span::plain(text::pad(words, room)),
        Span::new(format!(" {}", goal.when), Role::Dim),
    ]
}

fn tree_row(row: &RowView, width: u16) -> Vec<Span> {
    let margin = row.mark.map_or_else(
        || Span::plain(" "),
        |sign| Span::new(sign.glyph().sign.to_string(), sign.role()),
    );
    // Deep trees must leave room for names.
    let depth = row.depth.min(usize::from(width) / 6);
    vec![
        margin,
        Span::plain("  ".repeat(depth)),
        Span::new(format!("{} ", row.glyph.sign), Role::Dim),
        Span::new(
            row.name.clone(),
            if row.near { Role::Text } else { Role::Dim },
        ),
        Span::plain("  "),
        Span::plain(row.states.clone()),
        Span::new(format!("  {}", row.note), Role::Dim),
    ]
}
