//! A run as a page of HTML that needs nothing else: what was asked, how it ended, the goals with when they were so, the rules it
//! broke with their facts and the chain that led there, every step with what was said and what it changed, and what people said.

use std::fmt::Write as _;

use crate::app::parts::{rule, transcript, why};
use crate::app::role::Role;
use crate::app::screens::inspect::detail::{self, View};
use crate::app::screens::inspect::loaded::Loaded;
use crate::base::html::{escape, page};
use crate::sim::timeline::Pos;
use crate::task::episode::{Body, Remark};

/// The page of a run.
pub fn write(mut it: Loaded) -> String {
    let header = it.run.header.clone();
    let task = header.task_id().unwrap_or_default();
    let mut body = String::new();
    head(&it, &mut body);
    goals(&it, &mut body);
    broken(&mut it, &mut body);
    steps(&mut it, &mut body);
    notes(&it, &mut body);
    page(&format!("{task} · {}", it.run.id()), &body)
}

fn head(it: &Loaded, out: &mut String) {
    let header = &it.run.header;
    let mut rows = vec![
        ("task", header.task_id().unwrap_or_default()),
        ("asked", instruction(it)),
        ("played by", header.agent.clone()),
        ("begun", header.created.clone()),
        ("semantics", header.profile.clone()),
        ("record", it.run.verified_words()),
    ];
    if let Some(judged) = &it.judged {
        rows.push(("outcome", judged.words()));
    }
    out.push_str("<table>\n");
    for (name, words) in rows {
        let words = escape(&words);
        let _ = writeln!(
            out,
            "<tr><th class=\"dim\">{name}</th><td>{words}</td></tr>"
        );
    }
    out.push_str("</table>\n");
    if !it.run.findings.is_empty() {
        out.push_str("<ul class=\"warn\">\n");
        for finding in &it.run.findings {
            let _ = writeln!(out, "<li>{}</li>", escape(finding));
        }
        out.push_str("</ul>\n");
    }
}

fn instruction(it: &Loaded) -> String {
    let again = it.run.again.as_ref().ok();
    again.map_or_else(String::new, |again| {
        again.episode.setup().task.instruction.clone()
    })
}

fn goals(it: &Loaded, out: &mut String) {
    let Some(there) = &it.there else {
        let why = it.run.again.as_ref().err().map_or("", String::as_str);
        let _ = writeln!(out, "<p class=\"warn\">{}</p>", escape(why));
        return;
    };
    let mut end = there.episode().clone();
    if let Some(pos) = it.run.again.as_ref().ok().map(|again| again.episode.here()) {
        end.goto(pos);
    }
    out.push_str("<h2>Goals</h2>\n<table>\n");
    let all = crate::app::parts::goals::rows(end.ledger(), end.timeline(), end.here());
    for row in all {
        let mark = row.mark.glyph();
        let _ = writeln!(
            out,
            "<tr><td class=\"{}\">{} {}</td><td>{}</td><td class=\"dim\">{}</td></tr>",
            class(row.mark.role()),
            escape(&mark.sign.to_string()),
            escape(mark.word),
            escape(&row.words),
            escape(&row.when()),
        );
    }
    out.push_str("</table>\n");
}

/// Every rule that was broken on the way, with why.
fn broken(it: &mut Loaded, out: &mut String) {
    let Ok(again) = &it.run.again else { return };
    let mut episode = again.episode.clone();
    let end = episode.here();
    let way = episode.timeline().path(end);
    let mut first = true;
    for pos in way {
        for instance in episode.broken_at(pos) {
            episode.goto(pos);
            let Some(told) = rule::why(&mut episode, &instance) else {
                continue;
            };
            if std::mem::take(&mut first) {
                out.push_str("<h2>Rules broken</h2>\n");
            }
            let heading = told.heading.trim_start_matches('W').trim();
            let _ = writeln!(
                out,
                "<section>\n<h3 class=\"bad\">{} at {}</h3>\n<table>",
                escape(heading),
                link(pos)
            );
            for line in told.lines {
                told_line(&line, out);
            }
            out.push_str("</table>\n</section>\n");
        }
    }
}

fn told_line(line: &why::Line, out: &mut String) {
    let to = match line.follow {
        Some(why::Follow::Step(pos)) => link(pos),
        _ => String::new(),
    };
    let _ = writeln!(
        out,
        "<tr><th class=\"dim\">{}</th><td>{}</td><td class=\"dim\">{}</td><td>{to}</td></tr>",
        escape(line.label),
        escape(&line.text),
        escape(&line.note),
    );
}

fn link(pos: Pos) -> String {
    format!("<a href=\"#s{0}\">s{0}</a>", pos.0)
}

fn steps(it: &mut Loaded, out: &mut String) {
    out.push_str("<h2>Steps</h2>\n");
    for at in 0..it.rows.len() {
        it.put(at);
        let Some(row) = it.row().copied() else {
            continue;
        };
        let said = it.event(&row).and_then(|event| match &event.body {
            Body::Remark(said) => Some((said.kind, said.by.clone(), said.text.clone())),
            _ => None,
        });
        if let Some((kind, by, text)) = said {
            let who = format!("{} {by}", kind.id());
            let class = if kind == Remark::Intervention {
                "said warn"
            } else {
                "said"
            };
            let _ = writeln!(
                out,
                "<div class=\"{class}\"><span class=\"dim\">{}</span>\n{}</div>",
                escape(who.trim()),
                escape(&text)
            );
            continue;
        }
        let (name, words) = it.words(&row);
        let tail = it.tail(&row);
        let role = if row.broke > 0 || row.lost > 0 || row.safety.1 > 0 {
            Role::Bad
        } else if row.gained > 0 {
            Role::Good
        } else {
            Role::Text
        };
        let id = if name.is_empty() {
            String::new()
        } else {
            format!(" id=\"{name}\"")
        };
        let _ = writeln!(
            out,
            "<section{id}>\n<h3>{} {} <span class=\"{}\">{}</span></h3>\n<ul>",
            escape(&name),
            escape(&words),
            class(role),
            escape(&tail)
        );
        for line in detail::lines(it, View::State, false) {
            let mark = line
                .mark
                .map_or_else(String::new, |(glyph, _)| glyph.sign.to_string());
            let role = line.mark.map_or(line.role, |(_, role)| role);
            let _ = writeln!(
                out,
                "<li class=\"{}\">{} {}</li>",
                class(role),
                escape(&mark),
                escape(&line.text)
            );
        }
        out.push_str("</ul>\n</section>\n");
    }
}

fn notes(it: &Loaded, out: &mut String) {
    let told = transcript::notes(&it.run);
    if told.is_empty() {
        return;
    }
    out.push_str("<h2>Notes and labels</h2>\n<ul>\n");
    for note in told {
        let _ = writeln!(out, "<li>{}</li>", escape(&note));
    }
    out.push_str("</ul>\n");
}

/// The class of a role on the page.
const fn class(role: Role) -> &'static str {
    match role {
        Role::Bad => "bad",
        Role::Good => "good",
        Role::Armed | Role::Refused => "warn",
        Role::Dim => "dim",
        _ => "",
    }
}
