//! BLUE's candidates with every term of S.

use ratatui::layout::Rect;

use crate::app::role::Role;
use crate::app::screens::council::{COLUMNS, Councils, Pane};
use crate::arena::advplan::council::{Candidate, Council};
use crate::base::figures::figure;
use crate::base::text;
use crate::ui::View;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::paragraph::paragraph;

/// Columns of a name with its marks: `■B1r1 ◉ ←`.
const NAME: usize = 10;

/// Columns of a role.
const ROLE: usize = 13;

/// Columns of a figure.
const FIGURE: usize = 7;

/// The heading of the pane.
pub(super) fn title(councils: &Councils) -> String {
    let Some(council) = councils.council() else {
        return "BLUE".to_owned();
    };
    let revised = council.candidates.len().saturating_sub(council.proposals);
    let round = councils.round;
    let count = if round == 0 {
        council.proposals.to_string()
    } else {
        format!("{} + {revised} revised", council.proposals)
    };
    format!("BLUE {count}   {}", Councils::formula())
}

/// Rows for candidates in a pane of that height: a heading and what is said below are left out where there is no room.
pub(super) fn rows(height: u16, candidates: usize) -> u16 {
    let wanted = u16::try_from(candidates).unwrap_or(u16::MAX);
    let spare = height.saturating_sub(1);
    if height > wanted || height > 3 {
        spare.min(wanted)
    } else {
        height
    }
}

/// Draws the pane.
pub(super) fn draw(councils: &Councils, view: &View<'_>, area: Rect, canvas: &mut Canvas<'_>) {
    let Some(council) = councils.council() else {
        return;
    };
    let ranking = councils.ranking();
    let wide = usize::from(area.width) > NAME + ROLE + FIGURE * (COLUMNS.len() - 1);
    let (list, seen) = super::list(councils, view, Pane::Blue, area.height);
    let rows = rows(area.height, ranking.len());
    let head = u16::from(area.height > rows);
    if head > 0 {
        let spans = heading(councils, wide);
        canvas.spans((area.x + 1, area.y), area.width.saturating_sub(1), &spans);
    }
    let body = Rect {
        y: area.y + head,
        height: rows.min(area.height.saturating_sub(head)),
        ..area
    };
    let front = council.front(councils.round);
    let bare = council.ranking(councils.round, false).first().copied();
    list.draw(canvas, body, seen, |row| {
        let at = ranking.get(row).copied();
        let found = at.and_then(|at| Some((at, council.candidates.get(at)?)));
        found.map_or_else(Vec::new, |(at, c)| {
            let marks = Marks {
                front: front.contains(&at),
                selected: at == council.selected,
                bare: bare == Some(at) && at != council.selected,
            };
            cells(councils, council, (at, c), marks, wide)
        })
    });
    let below = head + body.height;
    if below < area.height {
        let area = Rect {
            x: area.x + 1,
            width: area.width.saturating_sub(2),
            ..area
        };
        let below = paragraph(canvas, area, below, &councils.verdict(), Role::Dim);
        if let Some(words) = councils.exploited_words().filter(|_| below < area.height) {
            paragraph(canvas, area, below, &words, Role::Dim);
        }
    }
}

/// What is marked on a candidate.
#[derive(Clone, Copy)]
struct Marks {
    front: bool,
    selected: bool,
    bare: bool,
}

fn heading(councils: &Councils, wide: bool) -> Vec<Span> {
    let mark = |at: usize| {
        if councils.column == at && councils.focus == Pane::Blue {
            Role::Title
        } else {
            Role::Dim
        }
    };
    let mut spans = vec![Span::new(text::pad("candidate", NAME + 1), mark(0))];
    if wide {
        spans.push(Span::new(text::pad("role", ROLE), Role::Dim));
    }
    for (at, name) in COLUMNS.iter().enumerate().skip(1) {
        let words = if *name == "gift" { "no gift" } else { name };
        let blank =
            FIGURE.saturating_sub(text::width(words)) + usize::from(at == COLUMNS.len() - 1);
        spans.push(Span::plain(" ".repeat(blank)));
        spans.push(Span::new(words, mark(at)));
    }
    spans
}

fn cells(
    councils: &Councils,
    council: &Council,
    (at, c): (usize, &Candidate),
    marks: Marks,
    wide: bool,
) -> Vec<Span> {
    let sign = if marks.front { "■" } else { "□" };
    let role = if marks.front {
        Role::SideBlue
    } else {
        Role::Text
    };
    let mut name = format!("{sign}{}", council.name(at));
    if marks.selected {
        name.push_str(" ◉");
    }
    if marks.bare {
        name.push_str(" ←");
    }
    let mut spans = vec![Span::new(text::pad(&name, NAME + 1), role)];
    if wide {
        let word = if c.round == 0 { c.role } else { "revised" };
        spans.push(Span::plain(text::pad(&text::fit(word, ROLE - 1), ROLE)));
    }
    let figures = [
        figure(c.parts.quality, 3),
        figure(c.parts.rubric, 3),
        figure(c.parts.variety, 3),
        figure(c.parts.pressure, 3),
        figure(c.score, 4),
        figure(council.score(at, false), 4),
    ];
    let under = councils.focus == Pane::Blue && at == councils.at();
    let last = figures.len();
    for (i, words) in (1..).zip(figures) {
        let blank = FIGURE.saturating_sub(text::width(&words)) + usize::from(i == last);
        let ranked = if councils.gifts { 5 } else { 6 };
        let role = if i == ranked { Role::Title } else { Role::Text };
        // The figure under the cursor stands in brackets, which need no colour.
        if under && councils.column == i && blank > 0 {
            spans.push(Span::plain(" ".repeat(blank - 1)));
            spans.push(Span::new(format!("[{words}]"), Role::Title));
        } else {
            let before =
                usize::from(under && i > 0 && councils.column + 1 == i && councils.column > 0);
            spans.push(Span::plain(" ".repeat(blank.saturating_sub(before))));
            spans.push(Span::new(words, role));
        }
    }
    spans
}
