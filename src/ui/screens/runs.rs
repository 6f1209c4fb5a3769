//! Runs: the query with what could come next, groups and runs, and what happened in the run under the cursor.

use ratatui::layout::Rect;

use crate::app::role::Role;
use crate::app::screens::runs::{Line, Pane, Runs};
use crate::base::text;
use crate::query::Wrong;
use crate::query::row::{Row, Stage};
use crate::query::shelf::Grouped;
use crate::query::tell;
use crate::query::words::Field;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::line::edit_line;
use crate::ui::widgets::list::{ListView, Seen};
use crate::ui::widgets::pane::{self, panes};
use crate::ui::{Room, View};

/// Lines below the query while it is typed: what is wrong, or what is offered.
const BELOW: u16 = 6;

/// Columns of the labels beside the list.
const LABEL: usize = 8;

/// Lines beside the list where it is folded.
const FOLDED: u16 = 4;

/// Draws Runs.
pub(super) fn draw(runs: &Runs, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let areas = layout(runs, view.room, canvas.area());
    let list_focused = view.focused && runs.focus == Pane::List && !runs.line.editing;
    let list = ListView {
        name: "runs.list",
        cursor: runs.list.cursor,
        len: runs.lines().len(),
        focused: list_focused,
    };
    let mut frames = Vec::new();
    if let Some(area) = areas.query {
        let focused = view.focused && runs.line.editing;
        frames.push(pane::Pane::new(area, "Query", focused).corner(corner_of_query(runs)));
    }
    let seen = areas
        .list
        .map(|area| list.seen(view, pane::inner(area).height));
    if let Some(area) = areas.list {
        let title = format!("Runs {}", runs.count());
        let frame = pane::Pane::new(area, title, list_focused);
        frames.push(frame.corner(seen.unwrap_or_default().corner()));
    }
    let detail = runs.detail();
    if let Some(area) = areas.detail {
        let focused = view.focused && runs.focus == Pane::Detail && !runs.line.editing;
        let title = runs.here().map_or("Group", |_| "Run");
        let corner = corner(&detail, runs.scroll.cursor, pane::inner(area));
        frames.push(pane::Pane::new(area, title, focused).corner(corner));
    }
    panes(canvas, &frames);
    if let Some(area) = areas.query {
        query(runs, &mut canvas.sub(pane::inner(area)));
    }
    if let (Some(area), Some(seen)) = (areas.list, seen) {
        let inner = pane::inner(area);
        if runs.lines().is_empty() {
            nothing(&runs.nothing(), &mut canvas.sub(inner));
        }
        let columns = Columns::of(inner.width);
        list.draw(canvas, inner, seen, |at| match runs.lines().get(at) {
            Some(Line::Group(at)) => group(runs, runs.groups.get(*at), inner.width),
            Some(Line::Run(_, at)) => run(runs, *at, columns),
            None => Vec::new(),
        });
    }
    if let Some(area) = areas
        .detail
        .filter(|area| pane::inner(*area).height <= FOLDED)
    {
        lines(&folded(detail), 0, &mut canvas.sub(pane::inner(area)));
    } else if let Some(area) = areas.detail {
        lines(
            &detail,
            runs.scroll.cursor,
            &mut canvas.sub(pane::inner(area)),
        );
    }
}

/// Where the panes lie.
#[derive(Default)]
struct Areas {
    query: Option<Rect>,
    list: Option<Rect>,
    detail: Option<Rect>,
}

fn layout(runs: &Runs, room: Room, body: Rect) -> Areas {
    let below = match (runs.line.editing, &runs.wrong) {
        (true, _) => BELOW,
        (false, Some(_)) => 1,
        (false, None) => 0,
    };
    let query = (3 + below).min(body.height);
    let top = Rect::new(0, 0, body.width, query);
    // Panes share their border lines.
    let from = query.saturating_sub(1);
    let rest = body.height.saturating_sub(from);
    let is_list = runs.focus == Pane::List;
    match room {
        _ if runs.zoomed && is_list => Areas {
            list: Some(body),
            ..Areas::default()
        },
        _ if runs.zoomed => Areas {
            detail: Some(body),
            ..Areas::default()
        },
        Room::Single if runs.line.editing => Areas {
            query: Some(body),
            ..Areas::default()
        },
        Room::Single if is_list => Areas {
            list: Some(body),
            ..Areas::default()
        },
        Room::Single => Areas {
            detail: Some(body),
            ..Areas::default()
        },
        Room::Narrow => {
            let lower = if is_list { FOLDED + 2 } else { rest * 2 / 3 };
            let upper = rest.saturating_sub(lower.saturating_sub(1));
            Areas {
                query: Some(top),
                list: Some(Rect::new(0, from, body.width, upper)),
                detail: Some(Rect::new(
                    0,
                    from + upper.saturating_sub(1),
                    body.width,
                    rest.saturating_sub(upper.saturating_sub(1)),
                )),
            }
        }
        Room::Wide => {
            let left = body.width * 3 / 5;
            Areas {
                query: Some(top),
                list: Some(Rect::new(0, from, left, rest)),
                detail: Some(Rect::new(left - 1, from, body.width - left + 1, rest)),
            }
        }
    }
}

fn nothing(words: &str, canvas: &mut Canvas<'_>) {
    let cols = usize::from(canvas.width().saturating_sub(2));
    for (y, line) in (0..canvas.height()).zip(text::wrap(words, cols)) {
        canvas.text(1, y, &line, Role::Dim);
    }
}

/// What stands in the corner of the query: that the text shown is not the one in force.
fn corner_of_query(runs: &Runs) -> String {
    if runs.wrong.is_some() {
        "shown: the last that could be read".to_owned()
    } else {
        String::new()
    }
}

/// The query, what is wrong with it under its place, or what could come next.
fn query(runs: &Runs, canvas: &mut Canvas<'_>) {
    let width = canvas.width();
    canvas.text(1, 0, "/", Role::Key);
    let room = width.saturating_sub(4);
    if runs.line.editing {
        edit_line(canvas, (3, 0), room, &runs.line.edit);
    } else if runs.line.is_empty() {
        let hint = "every run; / asks: violates(F05) before s10 and not success, model ~ qwen …";
        canvas.fitted((3, 0), room, hint, Role::Dim);
    } else {
        canvas.fitted((3, 0), room, &runs.line.edit.text(), Role::Text);
    }
    if let Some(wrong) = &runs.wrong {
        told(runs, wrong, room, canvas);
    }
    let from = u16::from(runs.wrong.is_some()) + 1;
    let rows = canvas.height().saturating_sub(from);
    let top = (runs.offer + 1).saturating_sub(usize::from(rows));
    let widest = runs
        .offers
        .iter()
        .map(|offer| text::width(&offer.text))
        .max()
        .unwrap_or(0)
        .min(36);
    for (y, (at, offer)) in (from..from + rows).zip(runs.offers.iter().enumerate().skip(top)) {
        let is_on = at == runs.offer;
        let name = text::pad(&offer.text, widest);
        let spans = [
            Span::new(if is_on { "▌" } else { " " }, Role::Cursor),
            Span::new(name, if is_on { Role::Picked } else { Role::Text }),
            Span::plain("  "),
            Span::new(offer.doc.clone(), Role::Dim),
        ];
        canvas.spans((2, y), width.saturating_sub(3), &spans);
    }
}

/// What is wrong with the query, under its place where that is seen.
fn told(runs: &Runs, wrong: &Wrong, room: u16, canvas: &mut Canvas<'_>) {
    let shown = runs.line.edit.text();
    let (before, _) = runs.line.edit.halves();
    let cut: String = shown.chars().take(wrong.from).collect();
    // What is being typed is not wrong yet.
    let is_typed =
        runs.line.editing && before.chars().count() >= wrong.to && !runs.offers.is_empty();
    let role = if is_typed { Role::Dim } else { Role::Refused };
    let words = wrong.to_string();
    // Where the line is longer than its place its end is shown, and the column alone tells the place.
    if text::width(&shown) >= usize::from(room) {
        canvas.fitted((3, 1), room, &words, role);
        return;
    }
    // The caret takes a column of its own.
    let caret = usize::from(runs.line.editing && before.chars().count() <= wrong.from);
    let at = text::width(&cut) + caret;
    let marks = "^".repeat(wrong.to.saturating_sub(wrong.from).clamp(1, 60));
    let wanted = at + marks.len() + 2 + text::width(&words);
    let x = u16::try_from(3 + at).unwrap_or(u16::MAX);
    if wanted <= usize::from(room) {
        let x = canvas.text(x, 1, &marks, role);
        canvas.text(x + 2, 1, &words, role);
    } else if text::width(&words) + 2 <= at {
        // There is more room before the place than behind it.
        canvas.text(3, 1, &words, role);
        canvas.text(x, 1, &marks, role);
    } else {
        canvas.fitted((3, 1), room, &words, role);
    }
}

/// A group: its count, what came since the last visit, who played.
fn group(runs: &Runs, group: Option<&Grouped>, width: u16) -> Vec<Span> {
    let Some(group) = group else {
        return Vec::new();
    };
    let fold = if runs.is_unfolded(group) {
        "▾ "
    } else {
        "▸ "
    };
    let name = if width > 70 { 26 } else { 20 };
    let new = match group.new {
        0 => String::new(),
        n => format!("+{n}"),
    };
    vec![
        Span::new(fold, Role::Dim),
        Span::new(text::pad(&group.key, name), Role::Title),
        Span::plain(format!(" {:>6} ", group.rows.len())),
        Span::new(format!("{new:>5}  "), Role::Add),
        Span::new(tell::who(group, 4), Role::Dim),
    ]
}

/// The columns of a run that fit.
#[derive(Clone, Copy)]
struct Columns {
    who: usize,
    strip: bool,
    cost: bool,
    when: bool,
}

impl Columns {
    const fn of(width: u16) -> Self {
        Self {
            who: if width > 100 { 28 } else { 16 },
            strip: width > 66,
            cost: width > 76,
            when: width > 100,
        }
    }
}

fn run(runs: &Runs, at: u32, columns: Columns) -> Vec<Span> {
    let Some(row) = runs.row(at) else {
        return Vec::new();
    };
    let picked = if runs.is_picked(row) { "◉" } else { " " };
    let tail = runs.shelf.tail(at as usize);
    let mut spans = vec![
        Span::new(picked, Role::Picked),
        Span::plain("  "),
        Span::plain(text::pad(tail, 5)),
    ];
    if row.stage == Stage::Listed {
        if row.fault.is_empty() {
            spans.push(Span::new(format!("{} …", row.id), Role::Dim));
        } else {
            spans.push(Span::new(format!("! {}", row.fault), Role::Refused));
        }
        return spans;
    }
    let word = |field: Field| runs.shelf.pool.word(row.word(field));
    let bad = tell::first_bad(row, &runs.shelf);
    let role = match (row.succeeds(), row.safe) {
        (true, Some(true)) => Role::Good,
        (_, Some(false)) => Role::Refused,
        (_, None) => Role::Stale,
        _ => Role::Text,
    };
    spans.extend([
        Span::plain(text::pad(word(Field::Task), 7)),
        Span::plain(text::pad(runs.shelf.pool.word(row.who), columns.who)),
        Span::plain(" "),
        Span::new(text::pad(&bad, 9), Role::Refused),
        Span::new(text::pad(&tell::came_to(row), 16), role),
    ]);
    if columns.strip {
        spans.extend(strip(row));
        spans.push(Span::plain(" "));
    }
    if columns.cost {
        let cost = row
            .cost
            .map_or_else(String::new, |_| tell::dollars(row.cost));
        spans.push(Span::new(format!("{cost:>6} "), Role::Dim));
    }
    if columns.when {
        let when: String = row.created.chars().take(16).collect();
        spans.push(Span::new(format!(" {}", when.replace('T', " ")), Role::Dim));
    }
    if !row.fault.is_empty() {
        spans.push(Span::new(format!(" ! {}", row.fault), Role::Refused));
    }
    spans
}

/// What happened along the run, a sign a column.
fn strip(row: &Row) -> Vec<Span> {
    let signs = tell::strip(row);
    let pad = tell::STRIP - signs.len().min(tell::STRIP);
    let mut spans: Vec<Span> = signs
        .into_iter()
        .map(|sign| {
            let role = match sign {
                '✗' | '↺' | 'm' => Role::Refused,
                '◇' => Role::Armed,
                '✓' => Role::Good,
                _ => Role::Dim,
            };
            Span::new(sign.to_string(), role)
        })
        .collect();
    spans.push(Span::plain(" ".repeat(pad)));
    spans
}

type Detail = crate::app::screens::runs::detail::Line;

/// The most important first: what is wrong, what came of it, the step that matters with what follows it.
fn folded(mut all: Vec<Detail>) -> Vec<Detail> {
    let is_around = |line: &Detail| {
        line.text.starts_with('●') || line.text.starts_with(" s") || line.text.starts_with("   ")
    };
    let middle = all.iter().position(|line| line.text.starts_with('●'));
    let mut at = 0;
    all.retain(|line| {
        at += 1;
        !is_around(line) || middle.is_none_or(|middle| at > middle)
    });
    let order = |line: &Detail| match line.label {
        "!" => 0,
        "result" => 1,
        _ if middle.is_some() && is_around(line) => 2,
        _ => 3,
    };
    all.sort_by_key(order);
    all
}

fn wrapped(line: &Detail, width: usize) -> Vec<String> {
    text::wrap(&line.text, width.saturating_sub(LABEL + 2))
}

/// What stands beside the list: labels in a column of their own.
fn lines(all: &[Detail], from: usize, canvas: &mut Canvas<'_>) {
    let width = usize::from(canvas.width());
    let mut y = 0;
    for line in all.iter().skip(from) {
        // A row of what happened keeps its columns.
        let words = if line.label == "around" || line.text.starts_with(' ') {
            vec![text::fit(&line.text, width.saturating_sub(LABEL + 2)).into_owned()]
        } else {
            wrapped(line, width)
        };
        for (n, words) in words.iter().enumerate() {
            if y >= canvas.height() {
                return;
            }
            if n == 0 {
                canvas.text(1, y, line.label, Role::Dim);
            }
            canvas.text(1 + LABEL as u16, y, words, line.role);
            y += 1;
        }
    }
}

/// Which lines are seen, where not all are.
fn corner(all: &[Detail], from: usize, inner: Rect) -> String {
    let end = (from + usize::from(inner.height)).min(all.len());
    let seen = Seen {
        top: from,
        end,
        len: all.len(),
    };
    if inner.height <= FOLDED {
        String::new()
    } else {
        seen.corner()
    }
}
