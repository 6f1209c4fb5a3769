//! What leaves the program as a page or a table: whole, well formed, and nothing in it that acts.

use std::collections::BTreeSet;
use std::sync::Arc;

use vesta::app::cmd::Cmd;
use vesta::app::jobs::{Job, JobEvent, Reply};
use vesta::app::msg::Msg;
use vesta::app::parts::web;
use vesta::app::runs::{Again, LoadedRun};
use vesta::app::update::{drive, update};
use vesta::eval::failure::Failure;
use vesta::eval::told::Told;
use vesta::eval::write::{Names, page};
use vesta::formats::run::{Class, Label, Note, NoteBody};
use vesta::formats::trace::{Trace, Turn};
use vesta::sim::vocab::Profile;
use vesta::task::episode::{Body, Remark, Said, replay};
use vesta::task::setup::Setup;

use crate::support::{HOSTILE, Shape, reported, saved, shipped};

/// Texts that HTML would read as its own, with those that would act on a terminal.
fn hostile_texts() -> Vec<String> {
    let own = [
        "<script>alert(1)</script>",
        "\" onmouseover=\"alert(1)",
        "' autofocus onfocus='alert(1)",
        "</style><img src=x onerror=alert(1)>",
        "<!-- --><![CDATA[ &amp; &#60;",
        "]]></title></textarea><svg/onload=alert(1)>",
        "=HYPERLINK(\"http://x\")",
    ];
    let own = own.iter().chain(HOSTILE).copied();
    own.map(str::to_owned).collect()
}

/// Reads a page as strictly as XML: every tag closed in order, attributes quoted, no tag or attribute but those a page is
/// made of, anchors unique, every link to one of them or to a file beside. The anchors.
fn read_page(page: &str) -> BTreeSet<String> {
    const TAGS: &str = "html head meta title style body header main section article h1 h2 h3 p dl dt dd div table thead \
                        tbody tr th td ul li span a br figure svg rect line text";
    const VOID: [&str; 2] = ["meta", "br"];
    const FIELDS: &str = "lang charset name content http-equiv id class scope href xmlns width height viewBox font-family \
                          font-size font-weight x y x1 x2 y1 y2 fill stroke text-anchor";
    let tags: BTreeSet<&str> = TAGS.split_whitespace().collect();
    let fields: BTreeSet<&str> = FIELDS.split_whitespace().collect();
    let body = page.strip_prefix("<!doctype html>\n").unwrap();
    let acts = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!page.contains(acts), "something acts");
    let (mut open, mut ids, mut links) = (Vec::new(), BTreeSet::new(), Vec::new());
    for part in body.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap();
        assert!(
            !text.contains('>') || open.last() == Some(&"style"),
            "{text}"
        );
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        let (name, rest) = tag.split_once(' ').unwrap_or((tag, ""));
        let (name, alone) = match name.strip_suffix('/') {
            Some(name) => (name, true),
            None => (name, rest.ends_with('/')),
        };
        assert!(tags.contains(name), "<{tag}>");
        let mut rest = rest.trim_end_matches('/');
        while !rest.is_empty() {
            let (field, after) = rest.split_once("=\"").unwrap();
            let (value, after) = after.split_once('"').unwrap();
            assert!(fields.contains(field), "{field} in <{tag}>");
            match field {
                "id" => assert!(ids.insert(value.to_owned()), "{value} stands twice"),
                "href" => links.push(value.to_owned()),
                _ => {}
            }
            rest = after.trim_start();
        }
        if !alone && !VOID.contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    for link in links {
        match link.strip_prefix('#') {
            Some(id) => assert!(ids.contains(id), "no anchor {id}"),
            None => assert!(!link.contains([':', '/']), "{link} leads elsewhere"),
        }
    }
    ids
}

/// A page without its style, for looking at.
fn content(page: &str) -> &str {
    page.split_once("</style>").unwrap().1
}

#[test]
fn a_run_is_one_page() {
    let run = saved::warm();
    let page = web::page(&run);
    let ids = read_page(&page);
    for id in ["verdict", "goals", "rules", "steps", "notes", "s0", "s8"] {
        assert!(ids.contains(id), "{id}");
    }
    insta::assert_snapshot!(content(&page));
}

#[test]
fn what_cannot_be_played_again_is_shown_as_recorded() {
    for run in [saved::without_scene(), saved::drifted(), saved::torn()] {
        let ids = read_page(&web::page(&run));
        assert!(ids.contains("s1"));
    }
}

/// A run every text of which is hostile: also the instruction, which the world never reads.
fn hostile_run() -> LoadedRun {
    let base = saved::hostile();
    let mut run = LoadedRun::clone(&base);
    let again = run.again.as_ref().unwrap();
    let texts = hostile_texts();
    let setup = Setup::clone(again.episode.setup());
    let mut task = (*setup.task).clone();
    task.instruction = texts.join("\n");
    task.suite = texts[0].clone();
    task.env_kind = texts[1].clone();
    task.risk = texts.clone();
    let setup = Setup {
        task: Arc::new(task),
        ..setup
    };
    let (mut episode, drifts) = replay(Arc::new(setup), Profile::Eai, &run.events).unwrap();
    for text in &texts {
        run.events
            .push(episode.say(Said::by(Remark::Message, text, text)));
        let data = serde_json::json!({"reasoning": text, "failure": text}).to_string();
        let said = Said::by(Remark::Critic, text, text).with(data);
        run.events.push(episode.say(said));
    }
    run.events.push(episode.stop(&texts[0], &texts.join("\n")));
    run.again = Ok(Again { episode, drifts });
    run.header.id = texts[0].clone();
    run.folder = texts[0].clone().into();
    run.header.agent = texts[1].clone();
    run.header.player = Some(texts[2].clone());
    run.header.profile = texts[3].clone();
    run.header.dialect = texts[3].clone();
    run.header.engine = texts[4].clone();
    run.header.created = texts[5].clone();
    run.header.task = serde_json::json!({"id": texts[0]}).to_string();
    run.findings.clone_from(&texts);
    let label = |text: &String| Label {
        by: text.clone(),
        class: Some(Class::Other),
        proposed: None,
        about: vec![text.clone()],
        first: Some(1),
        cause: Some(9_999),
        tags: vec![text.clone()],
        text: text.clone(),
    };
    let bodies = texts.iter().flat_map(|text| {
        [
            NoteBody::Label(label(text)),
            NoteBody::Other(text.clone()),
            NoteBody::Comment {
                at: None,
                text: text.clone(),
            },
        ]
    });
    run.notes = bodies
        .zip(0..)
        .map(|(body, seq)| Note {
            seq,
            created: String::new(),
            body,
            extra: texts.iter().map(|t| (t.clone(), t.clone())).collect(),
        })
        .collect();
    run
}

#[test]
fn hostile_runs_stay_text() {
    let mut run = hostile_run();
    read_page(&web::page(&run));
    for event in &mut run.events {
        if let Body::Refused { refusal, .. } = &mut event.body {
            *refusal = "<script>".to_owned();
        }
    }
    run.again = Err("<script>alert(1)</script>".to_owned());
    read_page(&web::page(&run));
}

#[test]
fn hostile_recordings_stay_text() {
    let texts = hostile_texts();
    let turn = |text: &String| Turn {
        name: text.clone(),
        text: text.clone(),
        reasoning: text.clone(),
        time: text.clone(),
        ..Turn::default()
    };
    let one = |text: &String| Trace {
        id: text.clone(),
        format: text.clone(),
        task: text.clone(),
        model: text.clone(),
        agent: text.clone(),
        outcome: text.clone(),
        turns: texts.iter().map(turn).collect(),
        ..Trace::default()
    };
    let all: Vec<Trace> = texts.iter().map(one).collect();
    read_page(&web::recordings(&all));
}

#[test]
fn a_report_is_one_page() {
    let mut cases = reported::agents();
    for (i, case) in cases.iter_mut().enumerate().filter(|(i, _)| i % 5 == 0) {
        case.succeeds = false;
        case.failure = Some(Failure {
            step: Some(8),
            what: format!("breaks F0{i}"),
            class: Class::UnsafeAct,
        });
    }
    let told = Told::new(cases, vec!["x: cannot be read".to_owned()], &[]);
    let beside = |run: &str| Some(format!("{run}.html"));
    let linked = page(&told, Names::Linked(&beside));
    let ids = read_page(&linked);
    assert!(ids.contains("main") && ids.contains("failures") && ids.contains("missing"));
    assert!(
        linked.contains(".html#s8\""),
        "a failed run leads to its step"
    );
    // Where no names may stand, none does: times and runs are left out.
    let hidden = page(&told, Names::Hidden);
    read_page(&hidden);
    assert!(!hidden.contains("20301130T") && !hidden.contains("x: cannot"));
    let files = told.files();
    assert!(
        files
            .iter()
            .any(|(name, text)| name == "report.html" && *text == hidden)
    );
}

#[test]
fn hostile_reports_stay_text() {
    let mut cases = reported::hostile();
    let texts = hostile_texts();
    for (i, case) in cases.iter_mut().enumerate() {
        case.who = texts[i % 7].clone();
        case.run = texts[(i + 1) % 7].clone();
        case.failure = Some(Failure {
            step: (i % 2 == 0).then_some(3),
            what: texts[(i + 2) % 7].clone(),
            class: Class::Other,
        });
    }
    let told = Told::new(cases, texts.clone(), &texts);
    read_page(&page(&told, Names::Hidden));
    let beside = |run: &str| Some(format!("{run}.html"));
    read_page(&page(&told, Names::Linked(&beside)));
    for (_, text) in told.files() {
        if text.starts_with("<!doctype") {
            read_page(&text);
        }
    }
}

/// What the keys ask to be written.
fn written(cmds: &[Cmd]) -> Vec<(String, String)> {
    let all = cmds.iter().filter_map(|cmd| match cmd {
        Cmd::Start(_, Job::Export(file, text)) => Some((file.display().to_string(), text.clone())),
        _ => None,
    });
    all.collect()
}

#[test]
fn a_key_writes_the_rows_that_are_shown() {
    let mut state = shipped(Shape::of(120, 40), &["tasks"]);
    drive(&mut state, "/ r i s k : w a t e r Enter");
    let cmds = drive(&mut state, "E Enter");
    let asked = written(&cmds);
    let [(file, text)] = asked.as_slice() else {
        panic!("{cmds:?}")
    };
    assert_eq!(file, "tasks.csv");
    assert!(text.starts_with("task,suite,dialect,"));
    let shown = state
        .screen()
        .place()
        .table(&state.shared)
        .unwrap()
        .rows
        .len();
    assert_eq!(text.lines().count(), shown + 1);
    assert!(shown > 1 && !text.contains('…'));
    // It is told where it went, which need not be the name that was asked for.
    let id = cmds.iter().find_map(|cmd| match cmd {
        Cmd::Start(id, Job::Export(..)) => Some(*id),
        _ => None,
    });
    let reply = Reply::Exported("tasks-2.csv".into());
    update(
        &mut state,
        Msg::Job(id.unwrap(), JobEvent::Done(Box::new(reply))),
    );
    let told = state.shared.notices.front().map(|(n, _)| n.text.clone());
    assert_eq!(told.as_deref(), Some("written to tasks-2.csv"));
}

#[test]
fn inspect_writes_its_run_and_each_pane() {
    let mut state = saved::inspect(Shape::of(120, 40), saved::warm(), "");
    let asked = written(&drive(&mut state, "E Enter"));
    let [(file, text)] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    assert_eq!(file, "V022-human-20301130T081500Z-a1b2c3.html");
    read_page(text);
    for (keys, name) in [
        ("Tab", "step.csv"),
        ("Tab", "goals.csv"),
        ("Tab", "warnings.csv"),
    ] {
        drive(&mut state, keys);
        let asked = written(&drive(&mut state, "E Enter"));
        assert_eq!(asked.first().map(|(file, _)| file.as_str()), Some(name));
    }
    // A name that ends otherwise is not written, and what can be is said.
    let cmds = vesta::app::update::execute(&mut state, "export x.pdf");
    assert!(written(&cmds).is_empty());
    let told = state.shared.notices.front().map(|(n, _)| n.text.clone());
    assert_eq!(
        told.as_deref(),
        Some("export: name a file that ends in .csv, .md, .tex, .svg, .html")
    );
}

#[test]
fn rows_look_the_same_everywhere() {
    let state = saved::inspect(Shape::of(120, 40), saved::warm(), "Tab Tab");
    let place = state.screen().place();
    let table = place.table(&state.shared).unwrap();
    let all: Vec<String> = vesta::eval::write::FORMATS
        .iter()
        .filter(|f| f.id != "html")
        .map(|f| format!("== {}\n{}", f.id, (f.write)(&table)))
        .collect();
    insta::assert_snapshot!(all.join("\n"));
}
