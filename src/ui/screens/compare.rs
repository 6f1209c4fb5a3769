//! Compare: a column a run and what differs in the row; one list and what differs below it where there is little room.

use ratatui::layout::Rect;

use crate::app::compare::{Compared, told};
use crate::app::glyph;
use crate::app::role::Role;
use crate::app::screens::compare::{Compare, Item, Merged, Pane, Reading, rail};
use crate::base::text;
use crate::compare::table::Relation;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::{ListView, Seen};
use crate::ui::widgets::pane::{self, panes};
use crate::ui::widgets::paragraph::paragraph;
use crate::ui::{Room, View};

use super::play::sheets;

/// Columns from which a step has room for its number.
const NUMBERED: u16 = 18;

/// Draws the screen.
pub(super) fn draw(compare: &Compare, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let all = match &compare.reading {
        Reading::Done(all) => all,
        Reading::Running(done, of) => {
            let words = format!("reading {done} of {of} runs …");
            return message(canvas, &words, Role::Dim);
        }
        Reading::Failed(reason) => return message(canvas, reason, Role::Refused),
    };
    let under = View {
        focused: view.focused && compare.sheets.is_empty(),
        ..*view
    };
    let body = canvas.area();
    let rails = u16::from(view.room != Room::Single && body.height > 8);
    let area = Rect::new(body.x, body.y, body.width, body.height - rails);
    match view.room {
        Room::Wide => wide(compare, all, &under, (area, canvas)),
        Room::Narrow | Room::Single => narrow(compare, all, &under, (area, canvas)),
    }
    if rails > 0 {
        rail_row(compare, all, &mut canvas.row(body.height - 1));
    }
    if let Some((_, sheet)) = compare.sheets.last() {
        sheets::lines(sheet, view, canvas);
    }
}

fn message(canvas: &mut Canvas<'_>, words: &str, role: Role) {
    let frame = pane::Pane::new(canvas.area(), "Runs", true);
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

/// Columns of the state pane beside the runs.
fn state_width(width: u16, lanes: usize) -> u16 {
    let most = if lanes > 3 { width / 4 } else { width * 3 / 10 };
    most.clamp(28, 64)
}

/// A column a run, the state at the right.
fn wide(
    compare: &Compare,
    all: &Compared,
    view: &View<'_>,
    (area, canvas): (Rect, &mut Canvas<'_>),
) {
    let mut areas = Vec::new();
    if compare.zoomed {
        areas.push((compare.focus, area));
    } else {
        let right = state_width(area.width, compare.order.len());
        let left = area.width - right;
        let lanes = u16::try_from(compare.order.len()).unwrap_or(1).max(1);
        let mut x = 0;
        for (n, lane) in (1..).zip(&compare.order) {
            let end = left * n / lanes;
            areas.push((
                Pane::Column(*lane),
                Rect::new(x, area.y, end - x, area.height),
            ));
            x = end;
        }
        areas.push((Pane::State, Rect::new(left, area.y, right, area.height)));
    }
    let mut frames = Vec::new();
    for &(pane, area) in &areas {
        let focused = view.focused && compare.focus == pane;
        let frame = pane::Pane::new(area, "", focused);
        let height = frame.inner().height;
        let (title, corner) = match pane {
            Pane::Column(lane) => (
                column_title(all, lane),
                if focused {
                    rows(compare, focused).seen(view, height).corner()
                } else {
                    String::new()
                },
            ),
            Pane::State => (
                vec![Span::new(compare.state_title(), Role::Title)],
                String::new(),
            ),
        };
        frames.push(pane::Pane { title, ..frame }.corner(corner));
    }
    panes(canvas, &frames);
    for (&(pane, _), frame) in areas.iter().zip(&frames) {
        let inner = frame.inner();
        match pane {
            Pane::Column(lane) => {
                let list = rows(compare, true);
                let seen = list.seen(view, inner.height);
                column(compare, all, lane, (frame.focused, seen), (inner, canvas));
            }
            Pane::State => state(compare, (frame.focused, view), (inner, canvas)),
        }
    }
}

fn column_title(all: &Compared, lane: usize) -> Vec<Span> {
    let (words, role) = all.outcome(lane);
    vec![
        Span::new(format!("{}  ", Compared::letter(lane)), Role::Title),
        Span::new(words, role),
    ]
}

const fn rows(compare: &Compare, focused: bool) -> ListView {
    ListView {
        name: "compare.rows",
        cursor: compare.list.cursor,
        len: compare.shown.len(),
        focused,
    }
}

/// The steps of a lane; all columns share one window, and the cursor's row is marked in each.
fn column(
    compare: &Compare,
    all: &Compared,
    lane: usize,
    (focused, seen): (bool, Seen),
    (area, canvas): (Rect, &mut Canvas<'_>),
) {
    if compare.shown.is_empty() {
        let words = nothing(compare, all);
        let area = Rect::new(
            area.x + 1,
            area.y,
            area.width.saturating_sub(1),
            area.height,
        );
        paragraph(canvas, area, 0, &words, Role::Dim);
        return;
    }
    let width = area.width;
    let mut canvas = canvas.sub(area);
    for (y, at) in (0..area.height).zip(seen.top..seen.end) {
        let row = compare.shown.get(at).map_or(0, |row| *row as usize);
        let spans = step(compare, all, (row, lane), width.saturating_sub(1));
        canvas.spans((1, y), width.saturating_sub(1), &spans);
        if at == compare.list.cursor {
            if focused {
                canvas.text(0, y, "▌", Role::Cursor);
                canvas.restyle(Rect::new(0, y, width, 1), Role::Cursor);
            } else {
                canvas.text(0, y, "▌", Role::Dim);
            }
        }
    }
}

/// What stands where no row is shown.
fn nothing(compare: &Compare, all: &Compared) -> String {
    if compare.hides {
        let first = all.first_words(compare.pair, &compare.parting);
        format!("{first}; z shows the rows")
    } else {
        "nothing was done in any of the runs".to_owned()
    }
}

/// The role of a sign.
const fn sign_role(relation: Relation) -> Role {
    match relation {
        Relation::Equal | Relation::Neither => Role::Dim,
        Relation::SameAct => Role::Text,
        Relation::Met => Role::Good,
        Relation::Differs | Relation::OnlyFirst | Relation::OnlySecond => Role::Change,
    }
}

/// A step of a lane: sign, number, words, what it did.
fn step(compare: &Compare, all: &Compared, (row, lane): (usize, usize), width: u16) -> Vec<Span> {
    let Some(cell) = compare.cell(row, lane) else {
        return Vec::new();
    };
    let (x, y) = compare.pair;
    let other = if lane == x { y } else { x };
    let relation = all.table.relation(row, (other, lane));
    let sign = told::sign(all, row, lane, compare.pair);
    let numbered = width >= NUMBERED;
    let digits = if numbered { 4 } else { 0 };
    let lead = if numbered { 3 } else { 2 };
    let room = usize::from(width).saturating_sub(lead + digits);
    let same = cell.did.first().is_some_and(|did| did.starts_with("same"));
    // That what was done is the same can be seen; where there is little room it is not said.
    let tail = match cell.tail_in(room / 2) {
        tail if same && text::width(&tail) + 20 > room => String::new(),
        // What was done comes before what became of goals; a rule that was broken, before either.
        tail if !numbered && !tail.starts_with(['✗', '◇']) => String::new(),
        tail => tail,
    };
    let gap = usize::from(!tail.is_empty());
    let room = room.saturating_sub(text::width(&tail) + gap);
    let follows = matches!(relation, Relation::SameAct);
    let held = all.anchors.iter().flatten().chain(&compare.held);
    let beat = all.table.row(row).and_then(|r| r.beat(lane));
    let pinned = beat.is_some_and(|beat| held.into_iter().any(|h| *h == (lane, beat)));
    let sign = if pinned {
        glyph::PINNED.sign.to_string()
    } else {
        sign.to_owned()
    };
    let mut spans = vec![Span::new(text::pad(&sign, lead), sign_role(relation))];
    if numbered {
        let number = format!("{:>3} ", cell.number);
        spans.push(Span::new(number, Role::Dim));
    }
    let role = if follows { Role::Dim } else { Role::Text };
    spans.push(Span::new(
        text::pad(&text::fit(&cell.words, room), room),
        role,
    ));
    if gap > 0 {
        spans.push(Span::plain(" "));
        spans.push(Span::new(tail, cell.role));
    }
    spans
}

/// What differs in the row: one line an item where it fits, else the two sides below it.
fn state(
    compare: &Compare,
    (focused, view): (bool, &View<'_>),
    (area, canvas): (Rect, &mut Canvas<'_>),
) {
    let cols = usize::from(area.width.saturating_sub(2));
    let lines = state_lines(compare, cols);
    let cursor = lines.iter().position(|(at, _)| *at == compare.facts.cursor);
    let list = ListView {
        name: "compare.state",
        cursor: cursor.unwrap_or(0),
        len: lines.len(),
        focused,
    };
    let seen = list.seen(view, area.height);
    list.draw(canvas, area, seen, |at| {
        lines
            .get(at)
            .map_or_else(Vec::new, |(_, spans)| spans.clone())
    });
}

/// The lines of the state pane, each with the item it belongs to.
fn state_lines(compare: &Compare, cols: usize) -> Vec<(usize, Vec<Span>)> {
    let items = compare.items();
    let (x, y) = compare.pair;
    let (a, b) = (Compared::letter(x), Compared::letter(y));
    let wide = |item: &Item| match item {
        Item::Apart(_, it) => text::width(&it.subject),
        Item::Words(..) => 0,
    };
    // Sides stand below each other as far as subjects are short.
    let column = items.iter().map(wide).max().unwrap_or(0).min(cols / 2);
    let mut lines = Vec::new();
    for (at, item) in items.iter().enumerate() {
        match item {
            Item::Words(words, role) => {
                for part in text::wrap(words, cols) {
                    lines.push((at, vec![Span::new(part, *role)]));
                }
            }
            Item::Apart(sign, it) => {
                let sides = text::width(&it.a) + text::width(&it.b) + 3;
                let subject = text::width(&it.subject).max(column);
                let sign = if sign.is_empty() { " " } else { sign };
                let lead = Span::new(format!("{sign} "), it.role);
                if 2 + subject + 2 + sides <= cols {
                    let words = format!("{}  {} | {}", text::pad(&it.subject, column), it.a, it.b);
                    lines.push((at, vec![lead, Span::plain(words)]));
                    continue;
                }
                let room = cols.saturating_sub(2);
                lines.push((at, vec![lead, Span::plain(text::fit(&it.subject, room))]));
                for (letter, words) in [(a, &it.a), (b, &it.b)] {
                    for (n, part) in text::wrap(words, cols.saturating_sub(6))
                        .into_iter()
                        .enumerate()
                    {
                        let lead = if n == 0 {
                            format!("    {letter} ")
                        } else {
                            " ".repeat(6)
                        };
                        lines.push((at, vec![Span::new(lead, Role::Dim), Span::plain(part)]));
                    }
                }
            }
        }
    }
    lines
}

/// One list for both runs, what differs below it.
fn narrow(
    compare: &Compare,
    all: &Compared,
    view: &View<'_>,
    (area, canvas): (Rect, &mut Canvas<'_>),
) {
    let in_state = compare.focus == Pane::State;
    let alone = compare.zoomed || view.room == Room::Single;
    let upper = match (alone, in_state) {
        (true, true) => 0,
        (true, false) => area.height,
        (false, true) => area.height * 2 / 5,
        (false, false) => area.height * 3 / 5,
    };
    // Neighbours share a border line.
    let shared = u16::from(upper > 0 && upper < area.height);
    let mut frames = Vec::new();
    let list_frame = Rect::new(area.x, area.y, area.width, upper);
    let state_frame = Rect::new(
        area.x,
        area.y + upper - shared,
        area.width,
        area.height - upper + shared,
    );
    let list = merged_list(compare, view.focused && !in_state);
    if upper > 0 {
        let frame = pane::Pane::new(list_frame, "", list.focused);
        let seen = list.seen(view, frame.inner().height);
        let frame = pane::Pane {
            title: pair_title(compare, all),
            ..frame
        };
        frames.push(frame.corner(seen.corner()));
    }
    if upper < area.height {
        let title = compare.state_title();
        frames.push(pane::Pane::new(
            state_frame,
            title,
            view.focused && in_state,
        ));
    }
    panes(canvas, &frames);
    if upper > 0 {
        let inner = pane::inner(list_frame);
        if compare.merged.is_empty() {
            let area = Rect::new(
                inner.x + 1,
                inner.y,
                inner.width.saturating_sub(1),
                inner.height,
            );
            paragraph(canvas, area, 0, &nothing(compare, all), Role::Dim);
        } else {
            list.draw(canvas, inner, list.seen(view, inner.height), |at| {
                let line = compare.merged.get(at);
                line.map_or_else(Vec::new, |line| merged(compare, all, *line, inner.width))
            });
        }
    }
    if upper < area.height {
        let inner = pane::inner(state_frame);
        state(compare, (view.focused && in_state, view), (inner, canvas));
    }
}

fn pair_title(compare: &Compare, all: &Compared) -> Vec<Span> {
    let (x, y) = compare.pair;
    let mut title = column_title(all, x);
    title.push(Span::new("   ", Role::Title));
    title.extend(column_title(all, y));
    title
}

/// The list with its cursor on the line of the focused lane, else on the first of its row.
fn merged_list(compare: &Compare, focused: bool) -> ListView {
    let row = compare.row().map_or(u32::MAX, |row| row as u32);
    let first = compare.merged.partition_point(|line| line.row < row);
    let here = |at: usize| compare.merged.get(at).filter(|line| line.row == row);
    let own =
        (first..first + 2).find(|at| here(*at).is_some_and(|l| l.lane == Some(compare.lane())));
    ListView {
        name: "compare.merged",
        cursor: own
            .unwrap_or(first)
            .min(compare.merged.len().saturating_sub(1)),
        len: compare.merged.len(),
        focused,
    }
}

/// `=  7 close microwave`, `A≠ 8 switchon microwave ✗F05`.
fn merged(compare: &Compare, all: &Compared, line: Merged, width: u16) -> Vec<Span> {
    let row = line.row as usize;
    let (x, y) = compare.pair;
    let lane = line.lane.unwrap_or(x);
    let Some(cell) = compare.cell(row, lane) else {
        return Vec::new();
    };
    let relation = all.table.relation(row, (x, y));
    let sign = match relation {
        Relation::Met => "><",
        Relation::OnlyFirst | Relation::OnlySecond => "↓",
        Relation::Equal => "=",
        _ => "≠",
    };
    let (sign, number) = if let Some(lane) = line.lane {
        let letter = Compared::letter(lane);
        (format!("{letter}{sign}"), cell.number.clone())
    } else {
        let other = compare.cell(row, y).map(|c| c.number).unwrap_or_default();
        let both = if other == cell.number || other.is_empty() {
            cell.number.clone()
        } else {
            format!("{} {other}", cell.number)
        };
        (format!(" {sign}"), both)
    };
    let tail = cell.tail_in(usize::from(width / 3));
    let room = usize::from(width).saturating_sub(4 + 9 + 2 + text::width(&tail));
    let role = if relation == Relation::SameAct {
        Role::Dim
    } else {
        Role::Text
    };
    vec![
        Span::new(text::pad(&sign, 4), sign_role(relation)),
        Span::new(text::pad(&number, 8), Role::Dim),
        Span::new(text::pad(&text::fit(&cell.words, room), room), role),
        Span::plain(" "),
        Span::new(tail, cell.role),
    ]
}

/// The rails of the pair beside each other.
fn rail_row(compare: &Compare, all: &Compared, row: &mut Canvas<'_>) {
    let (x, y) = compare.pair;
    let half = usize::from(row.width() / 2);
    let mut at = 1;
    for (lane, other) in [(x, y), (y, x)] {
        at = row.text(at, 0, &format!("{} ", Compared::letter(lane)), Role::Title);
        for (sign, role) in rail::rail(all, (lane, other), compare.row(), half.saturating_sub(6)) {
            at = row.text(at, 0, &sign.to_string(), role);
        }
        at += 4;
    }
}
