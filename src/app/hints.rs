//! What the footer, the which-key popup, help and palette say about keys: all read from the command
//! table and the key map.

use crate::app::commands::{self, Availability, Command, Context, Kind};
use crate::app::key::Chord;
use crate::app::state::{State, Who};

/// Keys and what they do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// The chord as it is typed; empty if it has none.
    pub keys: String,
    /// The word or two for it.
    pub title: String,
}

/// A row of help, palette or popup: a command line, its keys, whether it can be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandRow {
    /// The heading of its context.
    pub group: &'static str,
    /// Every chord that runs it here.
    pub keys: Vec<String>,
    /// The command line.
    pub run: String,
    /// The word or two for it.
    pub title: String,
    /// Its sentence.
    pub doc: &'static str,
    /// Whether it can be run now.
    pub available: Availability,
}

/// The footer: the first commands of the front layer's own contexts that can be run now, help last.
pub fn footer(state: &State) -> Vec<Hint> {
    let mut hints = Vec::new();
    let mut has_help = false;
    for (id, who) in state.contexts() {
        has_help |= id == "global";
        if !commands::context(id)
            .is_some_and(|context| context.kind != Kind::Common && id != "input")
        {
            continue;
        }
        for binding in state.shared.keymap.bindings(id) {
            let Some(chord) = binding.on.first() else {
                continue;
            };
            // A nearer context takes the key.
            if hints
                .iter()
                .any(|hint: &Hint| hint.keys == chord.to_string())
            {
                continue;
            }
            let args = binding.run.split_once(' ').map_or("", |(_, args)| args);
            if state
                .availability_for(who, binding.command(), args)
                .is_ready()
            {
                hints.push(Hint {
                    keys: chord.to_string(),
                    title: binding.title().to_owned(),
                });
            }
        }
    }
    if has_help && let Some(chord) = state.shared.keymap.chord(&["global"], "help") {
        hints.push(Hint {
            keys: chord.to_string(),
            title: "help".to_owned(),
        });
    }
    hints
}

/// The continuations of the keys typed so far. What cannot be run stays, with its reason.
pub fn which_key(state: &State) -> Vec<CommandRow> {
    let contexts = state.contexts();
    let ids: Vec<&str> = contexts.iter().map(|(id, _)| *id).collect();
    let mut rows: Vec<CommandRow> = Vec::new();
    for (at, binding, rest) in state.shared.keymap.continuations(&ids, state.pending()) {
        let Some((id, who)) = contexts.get(at).copied() else {
            continue;
        };
        if rows.iter().any(|row| row.keys.contains(&rest)) {
            continue;
        }
        let Some((context, command)) = commands::find(binding.command()) else {
            continue;
        };
        let mut row = bound_row(state, context, command, &binding.run, who);
        row.group = commands::context(id).map_or(context.title, |context| context.title);
        binding.title().clone_into(&mut row.title);
        row.keys = vec![rest];
        rows.push(row);
    }
    rows
}

/// The keys of the layer in front, nearest context first, each context in the order of the key map.
pub fn bound(state: &State) -> Vec<CommandRow> {
    let mut rows = Vec::new();
    for (id, who) in state.contexts() {
        let Some(heading) = commands::context(id) else {
            continue;
        };
        for binding in state.shared.keymap.bindings(id) {
            let Some((context, command)) = commands::find(binding.command()) else {
                continue;
            };
            let mut row = bound_row(state, context, command, &binding.run, who);
            row.group = heading.title;
            binding.title().clone_into(&mut row.title);
            row.keys = binding.on.iter().map(Chord::to_string).collect();
            rows.push(row);
        }
    }
    rows
}

/// Every command there is, without those of overlays that are not open, those that can be run first, with a key where one is bound now.
pub fn all(state: &State) -> Vec<CommandRow> {
    let contexts = state.contexts();
    let ids: Vec<&str> = contexts.iter().map(|(id, _)| *id).collect();
    let mut rows: Vec<CommandRow> = commands::all()
        .filter(|(context, _)| context.kind != Kind::Inner || ids.contains(&context.id))
        .map(|(context, command)| {
            let available = state.availability(command.id, "");
            let keys = state
                .shared
                .keymap
                .chord(&ids, command.id)
                .map(Chord::to_string);
            CommandRow {
                group: context.title,
                keys: keys.into_iter().collect(),
                run: command.id.to_owned(),
                title: command.title.to_owned(),
                doc: command.doc,
                available,
            }
        })
        .collect();
    rows.sort_by_key(|row| !row.available.is_ready());
    rows
}

fn bound_row(
    state: &State,
    context: &Context,
    command: Command,
    run: &str,
    who: Who,
) -> CommandRow {
    let args = run.split_once(' ').map_or("", |(_, args)| args);
    CommandRow {
        group: context.title,
        keys: Vec::new(),
        run: run.to_owned(),
        title: command.title.to_owned(),
        doc: command.doc,
        available: state.availability_for(who, command.id, args),
    }
}
