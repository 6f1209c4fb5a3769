//! The one way state changes: [`update`] takes what happened and says what runtime must do.

use crate::app::cmd::Cmd;
use crate::app::commands::Availability;
use crate::app::jobs::{Job, JobEvent, JobId, Jobs, Owner, Reply};
use crate::app::key::Key;
use crate::app::keymap::Lookup;
use crate::app::layer::{Act, Layer};
use crate::app::library::{Library, Loading};
use crate::app::msg::{Msg, Signal};
use crate::app::notice::Notice;
use crate::app::overlays::{Overlay, help::Help, log::Log, palette::Palette, prompt::Prompt};
use crate::app::places::{Numbered, Places};
use crate::app::screens::{self, Screen, home::Home};
use crate::app::state::{Setup, Shared, State, Who};
use crate::app::tables;

/// Command lines one key may lead to, one running the next; more is a circle.
const RUNS: usize = 8;

impl State {
    /// The program at its start, on Home, and what runtime must do first.
    pub fn new(setup: Setup) -> (Self, Vec<Cmd>) {
        let shared = Shared {
            size: setup.size,
            look: setup.look,
            keymap: setup.keymap,
            settings: setup.settings,
            ..Shared::default()
        };
        let home = Numbered {
            id: 1,
            it: Screen::Home(Box::<Home>::default()),
        };
        let mut state = Self {
            shared,
            places: Places::new(home),
            overlays: Vec::new(),
            pending: Vec::new(),
            pending_since: 0,
            jobs: Jobs::default(),
            serial: 1,
            dirty: true,
        };
        for notice in setup.notices {
            state.shared.notices.push(notice, 0);
        }
        let mut cmds = Vec::new();
        reload(&mut state, &mut cmds);
        (state, cmds)
    }

    fn next_id(&mut self) -> u64 {
        self.serial += 1;
        self.serial
    }
}

/// Takes in one thing that happened.
pub fn update(state: &mut State, msg: Msg) -> Vec<Cmd> {
    let mut cmds = Vec::new();
    match msg {
        Msg::Tick(now) => tick(state, now, &mut cmds),
        msg => {
            state.dirty = true;
            match msg {
                Msg::Key(key) => press(state, key, &mut cmds),
                Msg::Paste(text) => pasted(state, &text, &mut cmds),
                Msg::Resize(size) => state.shared.size = size,
                Msg::Job(id, event) => report(state, id, event, &mut cmds),
                Msg::Signal(Signal::Terminate | Signal::Hangup) => cmds.push(Cmd::Quit),
                Msg::Signal(Signal::Continue) => cmds.push(Cmd::Redraw),
                Msg::Tell(level, text) => {
                    let now = state.shared.now;
                    state.shared.notices.push(Notice::new(level, text), now);
                }
                Msg::Log(level, text) => state.shared.notices.log(Notice::new(level, text)),
                Msg::Tick(_) => {}
            }
        }
    }
    cmds
}

fn tick(state: &mut State, now: u64, cmds: &mut Vec<Cmd>) {
    let before = state.shows_which_key();
    state.shared.now = now.max(state.shared.now);
    state.dirty |= before != state.shows_which_key();
    state.dirty |= state.shared.notices.expire(state.shared.now);
    let due = |deadline: Option<u64>| deadline.is_some_and(|at| at <= now);
    if due(state.screen().layer().deadline()) {
        state.dirty = true;
        let acts = state
            .places
            .here_mut()
            .it
            .layer_mut()
            .on_tick(&mut state.shared);
        act(state, Owner::Place(state.place_id()), acts, cmds);
    }
    if let Some(top) = state.overlays.last_mut()
        && due(top.it.layer().deadline())
    {
        state.dirty = true;
        let owner = Owner::Overlay(top.id);
        let acts = top.it.layer_mut().on_tick(&mut state.shared);
        act(state, owner, acts, cmds);
    }
}

/// A key: text if the top layer takes text and no chord is begun, otherwise looked up in the key map.
fn press(state: &mut State, key: Key, cmds: &mut Vec<Cmd>) {
    if state.pending.is_empty()
        && let Some(c) = key.typed()
        && state.top().takes_text()
    {
        return typed(state, c.encode_utf8(&mut [0; 4]), cmds);
    }
    if !state.pending.is_empty() && key == Key::plain(crate::app::key::Code::Esc) {
        state.pending.clear();
        return;
    }
    // What always works also works in the middle of a chord.
    let always = state.shared.keymap.lookup(&["always"], &[key]);
    if matches!(always, Lookup::Run(..)) {
        state.pending.clear();
    }
    state.pending.push(key);
    let contexts = state.contexts();
    let ids: Vec<&str> = contexts.iter().map(|(id, _)| *id).collect();
    match state.shared.keymap.lookup(&ids, &state.pending) {
        Lookup::Prefix => {
            if state.pending.len() == 1 {
                state.pending_since = state.shared.now;
            }
        }
        Lookup::Run(at, binding) => {
            let line = binding.run.clone();
            let who = contexts.get(at).map_or(Who::App, |(_, who)| *who);
            state.pending.clear();
            run(state, who, &line, RUNS, cmds);
        }
        Lookup::Nothing => {
            let keys: Vec<String> = state.pending.iter().map(Key::to_string).collect();
            state.pending.clear();
            if keys.len() > 1 {
                let text = format!("{} is not bound here: ? shows the keys", keys.join(" "));
                state
                    .shared
                    .notices
                    .push(Notice::info(text), state.shared.now);
            }
        }
    }
}

fn typed(state: &mut State, text: &str, cmds: &mut Vec<Cmd>) {
    let (owner, top) = front(state);
    if top.takes_text() {
        let acts = on_front(state, |layer, shared| layer.on_text(text, shared));
        act(state, owner, acts, cmds);
    }
}

fn pasted(state: &mut State, text: &str, cmds: &mut Vec<Cmd>) {
    let (owner, _) = front(state);
    let acts = on_front(state, |layer, shared| layer.on_paste(text, shared));
    act(state, owner, acts, cmds);
}

/// The layer that has the keys, and how its jobs are booked.
fn front(state: &State) -> (Owner, &dyn Layer) {
    match state.overlays.last() {
        Some(top) => (Owner::Overlay(top.id), top.it.layer()),
        None => (Owner::Place(state.place_id()), state.screen().layer()),
    }
}

fn on_front<T>(state: &mut State, call: impl FnOnce(&mut dyn Layer, &mut Shared) -> T) -> T {
    let layer = match state.overlays.last_mut() {
        Some(top) => top.it.layer_mut(),
        None => state.places.here_mut().it.layer_mut(),
    };
    call(layer, &mut state.shared)
}

/// Runs a command line for whoever claims the command's context now.
fn run_line(state: &mut State, line: &str, depth: usize, cmds: &mut Vec<Cmd>) {
    let command = line.split(' ').next().unwrap_or_default();
    if let Some(who) = state.who(command) {
        run(state, who, line, depth, cmds);
        return;
    }
    let (owner, _) = front(state);
    if let Some(acts) = on_front(state, |layer, shared| layer.on_line(line, shared)) {
        act_deep(state, owner, acts, depth, cmds);
    } else {
        let why = state.availability(command, "");
        let text = format!("{}: {}", called(command), why.reason().unwrap_or_default());
        state
            .shared
            .notices
            .push(Notice::warn(text), state.shared.now);
    }
}

/// What people call a command: its title.
fn called(command: &str) -> &str {
    crate::app::commands::find(command).map_or(command, |(_, c)| c.title)
}

fn run(state: &mut State, who: Who, line: &str, depth: usize, cmds: &mut Vec<Cmd>) {
    let (command, args) = line.split_once(' ').unwrap_or((line, ""));
    let args = args.trim();
    if let Availability::Blocked(reason) = state.availability_for(who, command, args) {
        let notice = Notice::info(format!("{}: {reason}", called(command)));
        state.shared.notices.push(notice, state.shared.now);
        return;
    }
    let (owner, acts) = match who {
        Who::App => (Owner::Shared, global(state, command, args)),
        Who::Screen => {
            let owner = Owner::Place(state.place_id());
            (
                owner,
                state
                    .places
                    .here_mut()
                    .it
                    .layer_mut()
                    .run(command, args, &mut state.shared),
            )
        }
        Who::Overlay => match state.overlays.last_mut() {
            Some(top) => {
                let owner = Owner::Overlay(top.id);
                (
                    owner,
                    top.it.layer_mut().run(command, args, &mut state.shared),
                )
            }
            None => return,
        },
    };
    if let Some(acts) = acts {
        act_deep(state, owner, acts, depth, cmds);
    } else {
        let text = format!("{command} does nothing here; please report this");
        state
            .shared
            .notices
            .push(Notice::error(text), state.shared.now);
    }
}

fn act(state: &mut State, owner: Owner, acts: Vec<Act>, cmds: &mut Vec<Cmd>) {
    act_deep(state, owner, acts, RUNS, cmds);
}

/// Does what a layer asked for, in order.
fn act_deep(state: &mut State, owner: Owner, acts: Vec<Act>, depth: usize, cmds: &mut Vec<Cmd>) {
    for asked in acts {
        match asked {
            Act::Cmd(cmd) => cmds.push(cmd),
            Act::Job(slot, job) => start(state, owner, slot, job, cmds),
            Act::Edit(slot, name, text) => {
                let (id, stale) = state.jobs.start(owner, slot);
                cmds.extend(stale.map(Cmd::Cancel));
                cmds.push(Cmd::Edit(id, name, text));
            }
            Act::Stop(slot) => cmds.extend(state.jobs.stop(owner, slot).map(Cmd::Cancel)),
            Act::Open(screen) => {
                let id = state.next_id();
                state.overlays.clear();
                let gone = state.places.open(Numbered { id, it: screen });
                for place in gone {
                    let_go(state, &place, cmds);
                }
                opened(state, cmds);
            }
            Act::Leave => leave(state, cmds),
            Act::Back if state.places.back() => opened(state, cmds),
            Act::Forward if state.places.forward() => opened(state, cmds),
            Act::Back | Act::Forward => {}
            Act::Show(overlay) => {
                let id = state.next_id();
                state.overlays.push(Numbered { id, it: overlay });
                if let Some(top) = state.overlays.last_mut() {
                    let acts = top.it.layer_mut().on_open(&mut state.shared);
                    act_deep(state, Owner::Overlay(id), acts, depth, cmds);
                }
            }
            Act::Close => {
                if let Some(gone) = state.overlays.pop() {
                    forget(state, std::iter::once(Owner::Overlay(gone.id)), cmds);
                }
            }
            Act::Reload => reload(state, cmds),
            Act::Notice(notice) => state.shared.notices.push(notice, state.shared.now),
            Act::Outdated => state.shared.notices.outdate(state.shared.now),
            Act::Run(line) if depth > 0 => run_line(state, &line, depth - 1, cmds),
            Act::Run(line) => {
                let notice = Notice::error(format!("{line}: commands run each other in a circle"));
                state.shared.notices.push(notice, state.shared.now);
            }
        }
    }
}

fn start(state: &mut State, owner: Owner, slot: &'static str, job: Job, cmds: &mut Vec<Cmd>) {
    let (id, stale) = state.jobs.start(owner, slot);
    cmds.extend(stale.map(Cmd::Cancel));
    cmds.push(Cmd::Start(id, job));
}

/// Starts the reading of the library; what is known stays until it is done.
fn reload(state: &mut State, cmds: &mut Vec<Cmd>) {
    start(state, Owner::Shared, "library", Job::LoadLibrary, cmds);
}

fn forget(state: &mut State, owners: impl Iterator<Item = Owner>, cmds: &mut Vec<Cmd>) {
    for owner in owners {
        cmds.extend(state.jobs.forget(owner).into_iter().map(Cmd::Cancel));
    }
}

/// Forgets a place that is gone, and does what it still wants done.
fn let_go(state: &mut State, place: &Numbered<Screen>, cmds: &mut Vec<Cmd>) {
    let owner = Owner::Place(place.id);
    let last = place.it.layer().on_gone();
    // Nobody is left to hear the reply: the job gets a number and is forgotten with the others.
    let id = last.as_ref().map(|_| state.jobs.start(owner, "gone").0);
    let mut stale = Vec::new();
    forget(state, std::iter::once(owner), &mut stale);
    stale.retain(|cmd| id.is_none_or(|id| *cmd != Cmd::Cancel(id)));
    cmds.append(&mut stale);
    cmds.extend(id.zip(last).map(|(id, job)| Cmd::Start(id, job)));
}

/// Tells all other places what has come in front, and stops what need not go on behind it.
fn cover(state: &mut State, cmds: &mut Vec<Cmd>) {
    let State {
        places,
        shared,
        jobs,
        ..
    } = state;
    let (by, behind) = places.behind_mut();
    for place in behind {
        let owner = Owner::Place(place.id);
        let slots = place.it.layer_mut().on_covered(by, shared).iter();
        let stopped = slots.filter_map(|slot| jobs.stop(owner, slot));
        cmds.extend(stopped.map(Cmd::Cancel));
    }
}

fn opened(state: &mut State, cmds: &mut Vec<Cmd>) {
    cover(state, cmds);
    let owner = Owner::Place(state.place_id());
    let acts = state
        .places
        .here_mut()
        .it
        .layer_mut()
        .on_open(&mut state.shared);
    act(state, owner, acts, cmds);
}

fn leave(state: &mut State, cmds: &mut Vec<Cmd>) {
    if let Some(gone) = state.places.leave() {
        let_go(state, &gone, cmds);
        opened(state, cmds);
    } else if matches!(state.screen(), Screen::Home(_)) {
        cmds.push(Cmd::Quit);
    } else {
        let home = Numbered {
            id: state.next_id(),
            it: Screen::Home(Box::default()),
        };
        state.places = Places::new(home);
        opened(state, cmds);
    }
}

/// Endings of pictures of the screen.
const PICTURES: [&str; 2] = [".svg", ".txt"];

/// Whether a command of the program itself can be run now.
pub(super) fn global_when(state: &State, command: &str, args: &str) -> Availability {
    match command {
        "copy-row" => Availability::when(
            state.screen().layer().row_text(&state.shared).is_some(),
            "there is nothing to copy here",
        ),
        "export" => tables::when(args),
        "picture"
            if !PICTURES
                .iter()
                .any(|it| args.trim_matches('"').ends_with(it)) =>
        {
            Availability::blocked("name a file that ends in .svg or .txt")
        }
        "back" => Availability::when(
            state.places.can_go_back(),
            "there is no place before this one",
        ),
        "open-reported" => Availability::when(
            state.shared.notices.place().is_some(),
            "no report speaks of a file",
        ),
        "forward" => Availability::when(
            state.places.can_go_forward(),
            "there is no place after this one",
        ),
        _ => Availability::Ready,
    }
}

/// Runs a command of the program itself; `None` if it does not know it.
fn global(state: &mut State, command: &str, args: &str) -> Option<Vec<Act>> {
    let act = match command {
        "help" => Act::Show(Overlay::Help(Box::new(Help::of(state)))),
        "command-line" => {
            let draft = if args.is_empty() {
                state.shared.draft.clone()
            } else {
                args.to_owned()
            };
            Act::Show(Overlay::Prompt(Box::new(Prompt::of(state, &draft))))
        }
        "palette" => Act::Show(Overlay::Palette(Box::new(Palette::of(state)))),
        "log" => {
            state.shared.notices.clear();
            Act::Show(Overlay::Log(Box::new(Log::at_end(&state.shared))))
        }
        "copy-row" => {
            // Made safe first: what is pasted into a shell must not act there either.
            let text = state.screen().layer().row_text(&state.shared)?;
            let text = crate::base::text::clean(&text).into_owned();
            let told = Notice::info("copied, if the terminal allows it");
            return Some(vec![Act::Cmd(Cmd::Copy(text)), Act::Notice(told)]);
        }
        "picture" => {
            let path = args.trim_matches('"');
            // The picture is of the screen without what is told of it.
            return Some(vec![Act::Cmd(Cmd::Picture(path.into()))]);
        }
        "export" => return Some(tables::run(state, args)),
        "open-reported" => Act::Run(format!("file {}", state.shared.notices.place()?)),
        "set" => Act::Notice(state.shared.set(args)),
        "leave" => Act::Leave,
        "quit" => Act::Cmd(Cmd::Quit),
        "redraw" => Act::Cmd(Cmd::Redraw),
        "suspend" => Act::Cmd(Cmd::Suspend),
        "back" => Act::Back,
        "forward" => Act::Forward,
        _ => match (screens::find(command)?.open)(args, &mut state.shared) {
            Ok(screen) => Act::Open(screen),
            Err(reason) => Act::Notice(Notice::error(reason)),
        },
    };
    Some(vec![act])
}

/// A job reported: to whom, if anybody still waits.
fn report(state: &mut State, id: JobId, event: JobEvent, cmds: &mut Vec<Cmd>) {
    let Some((owner, slot)) = state.jobs.take(id, &event) else {
        return;
    };
    let acts = match owner {
        Owner::Shared if slot == tables::SLOT => {
            tables::told(event).into_iter().map(Act::Notice).collect()
        }
        Owner::Shared => {
            library(&mut state.shared, event);
            let owner = Owner::Place(state.place_id());
            let front = state.places.here_mut().it.layer_mut();
            let acts = front.on_library(&mut state.shared);
            return act(state, owner, acts, cmds);
        }
        Owner::Place(place) => match state.places.find_mut(place) {
            Some(place) => place.it.layer_mut().on_job(slot, event, &mut state.shared),
            None => Vec::new(),
        },
        Owner::Overlay(id) => match state.overlays.iter_mut().find(|overlay| overlay.id == id) {
            Some(overlay) => overlay
                .it
                .layer_mut()
                .on_job(slot, event, &mut state.shared),
            None => Vec::new(),
        },
    };
    act(state, owner, acts, cmds);
}

fn library(shared: &mut Shared, event: JobEvent) {
    match event {
        JobEvent::Progress { .. } | JobEvent::Part(_) => {}
        JobEvent::Done(reply) => {
            if let Reply::Library(library) = *reply {
                let known = &shared.library.problems;
                for problem in library.problems.iter().filter(|p| !known.contains(p)) {
                    shared
                        .notices
                        .push(Notice::warn(problem.clone()), shared.now);
                }
                if library.rules != shared.library.rules
                    && let Some(told) = library.rules_notice()
                {
                    for one in library.rules.iter().skip(1) {
                        shared.notices.log(one.clone());
                    }
                    shared.notices.push(told, shared.now);
                }
                shared.library = Library {
                    loading: Loading::Done,
                    checks: std::mem::take(&mut shared.library.checks),
                    ..library
                };
            }
        }
        JobEvent::Failed(reason) => {
            shared.library.loading = Loading::Failed(reason.clone());
            shared.notices.push(Notice::error(reason), shared.now);
        }
    }
}

/// Types a script of keys, as `drive(state, "j j Enter / milk Esc")`; what runtime would have to do.
pub fn drive(state: &mut State, script: &str) -> Vec<Cmd> {
    let keys = crate::app::key::script(script);
    keys.into_iter()
        .flat_map(|key| update(state, Msg::Key(key)))
        .collect()
}

/// Runs one command line as if it had been typed after `:`.
pub fn execute(state: &mut State, line: &str) -> Vec<Cmd> {
    let mut cmds = Vec::new();
    state.dirty = true;
    run_line(state, line, RUNS, &mut cmds);
    cmds
}
