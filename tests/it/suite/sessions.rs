//! Sessions: a player on a real task, held, forbidden, taken over, cut short at every event and gone on with.

use std::sync::OnceLock;

use vesta::agent::chat::{Failure, FailureKind, Finish, Message, Reply, Request, Role, Seat};
use vesta::agent::hold::Hold;
use vesta::agent::player::{Deed, Happening, Player, Standpoint, Understood, Want};
use vesta::agent::session::{Control, Input, Need, Session, Terms};
use vesta::formats::run::event_line;
use vesta::plan::script;
use vesta::sim::vocab::Profile;
use vesta::store::library::{Library, Places};
use vesta::task::episode::{Body, Episode, Event};

/// A model that answers with program lines, and is told what happened in one word.
#[derive(Debug, Default)]
struct Parrot {
    chat: Vec<Message>,
    next: Option<Want>,
    told: Vec<String>,
    again: bool,
}

impl Parrot {
    fn said(&mut self, role: Role, text: &str) {
        self.chat.push(Message {
            role,
            text: text.to_owned(),
        });
    }
}

impl Player for Parrot {
    fn next(&mut self, _: &mut Standpoint<'_>) -> Want {
        if self.again {
            return Want::Begin;
        }
        if let Some(want) = &self.next {
            return want.clone();
        }
        if self.chat.len().is_multiple_of(2) {
            let told = std::mem::take(&mut self.told).join(", ");
            self.said(Role::User, &format!("now? {told}"));
        }
        Want::Ask(Request {
            seat: Seat::Actor,
            messages: self.chat.clone(),
            schema: None,
            max_tokens: None,
            turn: None,
        })
    }

    fn heard(
        &mut self,
        at: &mut Standpoint<'_>,
        _: Seat,
        reply: Result<Reply, Failure>,
    ) -> Understood {
        let mut made = Understood::default();
        match reply {
            Err(failure) => {
                self.next = Some(Want::Stop {
                    cause: failure.kind.id().to_owned(),
                    text: failure.message,
                });
            }
            Ok(reply) => {
                self.said(Role::Assistant, &reply.text);
                let world = at.episode.timeline().world();
                match (reply.text.as_str(), script::read_for(world, &reply.text)) {
                    ("Done", _) => self.next = Some(Want::Do(Deed::Done)),
                    (text, Ok(action)) => {
                        made.deeds.push(text.to_owned());
                        self.next = Some(Want::Do(Deed::Act(action)));
                    }
                    (_, Err(e)) => {
                        self.told.push("what?".to_owned());
                        made.problem = Some(("not_an_action".to_owned(), e.message));
                    }
                }
            }
        }
        made
    }

    fn happened(&mut self, _: &mut Standpoint<'_>, what: &Happening) {
        match what {
            Happening::TrialEnded(end) => self.again = end.again,
            Happening::TrialBegun => self.again = false,
            _ => {}
        }
        self.next = None;
        self.told.push(match what {
            Happening::Done(_) => "done".to_owned(),
            Happening::Refused(refusal) => refusal.kind.name().to_owned(),
            Happening::Vetoed { line, reason } => format!("no {line}: {reason}"),
            Happening::ByHand(lines) => format!("by hand {lines:?}"),
            Happening::Message(text) => format!("hear {text}"),
            Happening::TrialEnded(end) => format!("trial {} {}", end.trial, end.cause),
            Happening::TrialBegun => "again".to_owned(),
        });
    }
}

fn episode(task: &str) -> (Episode, Event) {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    let library = LIBRARY.get_or_init(|| Library::open_in(Places::default(), None));
    let setup = library.load_whole(task).unwrap().setup;
    Episode::start(setup.into(), Profile::Strict).unwrap()
}

fn begun(terms: Terms) -> (Session, Vec<Event>) {
    let (episode, start) = episode("V022");
    (
        Session::new(episode, Box::<Parrot>::default(), terms),
        vec![start],
    )
}

fn says(text: &str) -> Input {
    Input::Reply(Ok(Reply {
        text: text.to_owned(),
        thought: String::new(),
        finish: Finish::Stop,
        usage: None,
    }))
}

/// Lets a session go on until it needs something.
fn settle(session: &mut Session, events: &mut Vec<Event>) {
    while session.next() == Need::Going {}
    events.extend(session.events());
}

/// Feeds a session with inputs, one a need, and yields all its events.
fn play(session: &mut Session, mut events: Vec<Event>, inputs: Vec<Input>) -> Vec<Event> {
    for input in inputs {
        settle(session, &mut events);
        session.take(input).unwrap();
    }
    settle(session, &mut events);
    events
}

/// Everything that was done or said by whom, in short.
fn short(events: &[Event]) -> Vec<String> {
    let line = |e: &Event| match &e.body {
        Body::Step { action, .. } => format!("+ {action}"),
        Body::Refused { action, .. } => format!("x {action}"),
        Body::Goto { to, .. } => format!("to {to}"),
        Body::Stopped { cause, .. } => format!("stopped {cause}"),
        Body::Remark(said) => format!("{} {}: {}", said.kind.id(), said.by, said.text),
        other => other.kind().to_owned(),
    };
    events.iter().map(line).collect()
}

const NAIVE: [&str; 7] = [
    "walk microwave",
    "open microwave",
    "walk bowl.203",
    "grab bowl.203",
    "walk microwave",
    "putin bowl.203 microwave",
    "close microwave",
];

fn naive() -> Vec<Input> {
    NAIVE.map(says).into()
}

fn ask_core_3() -> Terms {
    Terms {
        hold: Hold::parse("core !3 ask 30 veto").unwrap(),
        ..Terms::default()
    }
}

/// A run with everything that can come from outside.
fn eventful() -> Vec<Input> {
    let mut inputs = naive();
    inputs.extend([
        says("switchon microwave"),
        Input::Silence,
        says("dance"),
        Input::Control(Control::Message("mind the fork".to_owned())),
        says("switchon microwave"),
        Input::Control(Control::PassOnBranch("look first".to_owned())),
        Input::Control(Control::Pause),
        says("open microwave"),
        Input::Control(Control::Step),
        Input::Control(Control::Resume),
        Input::Control(Control::TakeOver),
        Input::Control(Control::Act("grab fork".to_owned())),
        Input::Control(Control::HandBack),
        says("close microwave"),
        says("grab moon"),
        says("switchon microwave"),
        Input::Control(Control::Hold(Hold::Off)),
        says("Done"),
    ]);
    inputs
}

#[test]
fn a_grave_act_is_held_before_it_is_done_and_silence_forbids_it() {
    let (mut session, events) = begun(ask_core_3());
    let mut inputs = naive();
    inputs.push(says("switchon microwave"));
    let events = play(&mut session, events, inputs);
    assert_eq!(short(&events).last().unwrap(), "intervention policy: F05");
    let Need::Held(held) = session.next() else {
        panic!("not held: {:?}", session.next());
    };
    assert_eq!(held.act, "[SWITCHON] <microwave> (156)");
    assert_eq!(held.breaches[0].rule, "F05");
    let steps = session.episode().here();
    session.take(Input::Silence).unwrap();
    while session.next() == Need::Going {}
    assert_eq!(session.episode().here(), steps, "it was done all the same");
    let after = short(&session.events());
    assert!(
        after[0].starts_with("intervention policy: F05: ")
            && after[0].ends_with("nobody answered for 30 s"),
        "{after:?}"
    );
    assert!(
        after[1].contains("no [SWITCHON] <microwave> (156): F05"),
        "{after:?}"
    );
}

#[test]
fn what_is_passed_is_done_and_without_a_policy_nothing_is_held() {
    for terms in [ask_core_3(), Terms::default()] {
        let (mut session, events) = begun(terms);
        let mut inputs = naive();
        inputs.push(says("switchon microwave"));
        if terms.hold != Hold::Off {
            inputs.push(Input::Control(Control::Pass));
        }
        let events = play(&mut session, events, inputs);
        let done = short(&events);
        assert!(
            done.contains(&"+ [SWITCHON] <microwave> (156)".to_owned()),
            "{done:?}"
        );
    }
}

#[test]
fn controls_that_do_not_fit_are_refused_with_a_reason_and_leave_no_event() {
    let (mut session, _) = begun(Terms::default());
    session.next();
    session.events();
    for (control, why) in [
        (Control::Pass, "no act waits"),
        (Control::Veto(String::new()), "no act waits"),
        (Control::HandBack, "the agent acts; take over first"),
        (
            Control::Act("walk table".to_owned()),
            "the agent acts; take over first",
        ),
    ] {
        assert_eq!(session.take(Input::Control(control)), Err(why.to_owned()));
    }
    assert_eq!(
        session.take(Input::Silence),
        Err("nothing waits for an answer".to_owned())
    );
    assert_eq!(session.events(), Vec::new());
}

#[test]
fn an_eventful_run_goes_on_from_every_event_as_if_it_had_not_been_cut() {
    let (mut session, start) = begun(ask_core_3());
    let whole = play(&mut session, start, eventful());
    insta::assert_snapshot!(short(&whole).join("\n"));
    for cut in 1..=whole.len() {
        let (mut again, _) = begun(ask_core_3());
        let fresh = again.catch_up(&whole[..cut]).unwrap().fresh;
        let mut events = whole[..cut].to_vec();
        events.extend(fresh);
        assert_eq!(events, whole[..events.len()], "cut at {cut}");
        // What was not recorded comes from outside again.
        let rest = whole[events.len()..].to_vec();
        if rest.is_empty() {
            continue;
        }
        let more = again.catch_up(&whole);
        assert_eq!(
            more.map(|caught| caught.fresh),
            Ok(Vec::new()),
            "cut at {cut}"
        );
    }
}

/// Takes inputs whenever a runner may: where something is needed (`None`), or after so many turns.
fn play_between(session: &mut Session, inputs: Vec<(Option<usize>, Input)>) -> Vec<Event> {
    let mut events = Vec::new();
    for (turns, input) in inputs {
        match turns {
            None => settle(session, &mut events),
            Some(turns) => (0..turns).for_each(|_| drop(session.next())),
        }
        events.extend(session.events());
        session.take(input).unwrap();
        events.extend(session.events());
    }
    settle(session, &mut events);
    events
}

#[test]
fn what_a_person_does_between_two_acts_is_gone_on_from_as_well() {
    let person = |turns, control| (turns, Input::Control(control));
    let mut inputs: Vec<(Option<usize>, Input)> = NAIVE.map(|line| (None, says(line))).into();
    // Right after the act of the second reply, before the agent is asked again.
    inputs.insert(2, person(Some(1), Control::Pause));
    inputs.insert(3, person(Some(0), Control::Message("slowly".to_owned())));
    // Two in a row, while an act waits: the second is taken before the first one acts.
    inputs.insert(5, person(Some(1), Control::Resume));
    inputs.insert(6, person(Some(0), Control::Veto("not that".to_owned())));
    inputs.push(person(None, Control::TakeOver));
    inputs.push(person(Some(0), Control::Act("walk table".to_owned())));
    inputs.push(person(Some(0), Control::HandBack));
    inputs.push((None, Input::Gone("the client has gone".to_owned())));
    let (mut session, start) = begun(Terms::default());
    let mut whole = start;
    whole.extend(play_between(&mut session, inputs));
    let told = short(&whole);
    let at = |text: &str| told.iter().position(|line| line == text).unwrap();
    assert!(
        told[at("intervention person: pause") - 1].starts_with("+ "),
        "{told:?}"
    );
    assert_eq!(
        at("intervention person: not that"),
        at("intervention person: resume") + 1
    );
    assert_eq!(told.last().unwrap(), "stopped cut_off");
    for cut in 1..=whole.len() {
        let (mut again, _) = begun(Terms::default());
        let caught = again.catch_up(&whole[..cut]).unwrap();
        let mut events = whole[..cut].to_vec();
        events.extend(caught.fresh);
        // What a person did and is not recorded did not happen.
        let by_person =
            |e: &Event| short(std::slice::from_ref(e))[0].starts_with("intervention person");
        if !whole.get(cut).is_some_and(by_person) {
            assert_eq!(
                short(&events),
                short(&whole[..events.len()]),
                "cut at {cut}"
            );
        }
        let replies = short(&whole[..cut])
            .iter()
            .filter(|l| l.starts_with("message agent"))
            .count();
        assert_eq!(caught.answered.len(), replies);
    }
}

#[test]
fn whoever_takes_over_is_not_answered_and_the_question_is_put_again() {
    let (mut session, _) = begun(Terms::default());
    let need = session.next();
    assert!(matches!(need, Need::Ask(_)) && session.still(&need));
    session.take(Input::Control(Control::TakeOver)).unwrap();
    assert!(!session.still(&need));
    assert_eq!(session.next(), Need::Hand);
    session.take(Input::Control(Control::HandBack)).unwrap();
    assert!(matches!(session.next(), Need::Ask(_)));
}

#[test]
fn a_record_that_differs_is_named() {
    let (mut session, start) = begun(Terms::default());
    let mut whole = play(&mut session, start, naive());
    let step = whole
        .iter()
        .position(|e| matches!(e.body, Body::Step { .. }))
        .unwrap();
    if let Body::Step { diff, .. } = &mut whole[step].body {
        diff.push("+microwave.105:ON".to_owned());
    }
    let (mut again, _) = begun(Terms::default());
    let differs = again.catch_up(&whole).unwrap_err();
    assert_eq!(differs.seq as usize, step);
}

#[test]
fn trials_end_by_limit_done_or_failure_and_begin_as_agreed() {
    for reset in [false, true] {
        let terms = Terms {
            steps: 2,
            trials: 3,
            reset,
            ..Terms::default()
        };
        let (mut session, events) = begun(terms);
        let failed = Input::Reply(Err(Failure {
            kind: FailureKind::TimedOut,
            message: "nothing came for 60 s".to_owned(),
        }));
        let inputs = vec![
            says("walk microwave"),
            says("open microwave"),
            says("walk table"),
            says("Done"),
            failed,
        ];
        let events = play(&mut session, events, inputs);
        assert_eq!(session.next(), Need::Over);
        insta::assert_snapshot!(format!("trials_reset_{reset}"), short(&events).join("\n"));
    }
}

#[test]
fn every_message_is_recorded_once() {
    let (mut session, start) = begun(Terms::default());
    let events = play(&mut session, start, naive());
    let asked = short(&events)
        .iter()
        .filter(|l| l.starts_with("message world"))
        .count();
    assert_eq!(asked, NAIVE.len() + 1);
    let bytes: usize = events.iter().map(|e| event_line(e).len()).sum();
    assert!(bytes < 12_000, "{bytes} bytes");
}
