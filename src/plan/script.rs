//! Program text: `[PUTIN] <milk> (231) <fridge> (150)`, and the same in people's words: `putin milk fridge`.

use crate::plan::names;
use crate::sim::refusal::Kind;
use crate::sim::scene::Scene;
use crate::sim::vocab::{Dialect, Ix, NodeId, Profile};
use crate::sim::world::{Action, Target, World, wrong_arity};

/// A program line as written, before its targets are bound to nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Index into [`Dialect::actions`].
    pub verb: u8,
    /// The targets as written.
    pub targets: Vec<Target>,
}

/// Why a text is no action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// [`Kind::Unparsable`], [`Kind::WrongArity`] or [`Kind::Unseen`].
    pub kind: Kind,
    /// The published exception's name.
    pub exception: &'static str,
    /// The message; the published one where the published reader has one.
    pub message: String,
    /// Whether several nodes may be meant: a question, and no attempt at anything.
    pub open: bool,
}

impl LineError {
    fn parse(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            exception: "ScriptParseException",
            message: message.into(),
            open: false,
        }
    }
}

impl std::fmt::Display for LineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

/// Reads a published program line exactly as the published reader does (Evolving Graph §2).
///
/// # Errors
/// No leading `[word]`, an unknown action, a wrong number of targets or an id that is no whole number.
pub fn read_published(dialect: &Dialect, text: &str) -> Result<Line, LineError> {
    let text = text.trim();
    let no_action = || LineError::parse(Kind::Unparsable, "Cannot parse action");
    let (word, rest) = text
        .strip_prefix('[')
        .and_then(|t| t.split_once(']'))
        .ok_or_else(no_action)?;
    if word.is_empty() || !word.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return Err(no_action());
    }
    let name = word.to_uppercase();
    let (verb, def) = dialect
        .action(&name)
        .ok_or_else(|| LineError::parse(Kind::Unparsable, format!("Unknown action \"{name}\"")))?;
    let targets = targets(rest)?;
    if targets.len() != usize::from(def.arity) {
        return Err(LineError::parse(
            Kind::WrongArity,
            wrong_arity(def, targets.len()),
        ));
    }
    Ok(Line { verb, targets })
}

/// All `<class> (id)` groups; what stands between them is ignored.
fn targets(mut text: &str) -> Result<Vec<Target>, LineError> {
    let mut found = Vec::new();
    while let Some((_, after)) = text.split_once('<') {
        match group(after) {
            Some((class, id, rest)) => {
                found.push(Target {
                    class: class.to_lowercase().replace(' ', "_"),
                    id: whole_number(id)?,
                });
                text = rest;
            }
            None => text = after,
        }
    }
    Ok(found)
}

/// `class> (id)rest`: the shortest class, not empty, that is followed by blanks and a group in parentheses.
fn group(text: &str) -> Option<(&str, &str, &str)> {
    text.match_indices('>')
        .filter(|(i, _)| *i > 0)
        .find_map(|(i, _)| {
            let (class, after) = text.split_at_checked(i)?;
            let inner = after.strip_prefix('>')?.trim_start().strip_prefix('(')?;
            let first = inner.chars().next()?.len_utf8();
            let end = inner.get(first..)?.find(')')? + first;
            let (id, rest) = inner.split_at_checked(end)?;
            let one_line = |t: &str| !t.contains('\n');
            (one_line(class) && one_line(id)).then_some((class, id, rest.strip_prefix(')')?))
        })
}

/// Python's `int(text)`: blanks around, a sign, digits with single underscores between them.
fn whole_number(text: &str) -> Result<NodeId, LineError> {
    let bare = text.trim();
    let digits = bare.strip_prefix(['+', '-']).unwrap_or(bare);
    let well_formed = !digits.is_empty()
        && digits
            .split('_')
            .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    if !well_formed {
        return Err(LineError {
            kind: Kind::Unparsable,
            exception: "ValueError",
            message: format!(
                "invalid literal for int() with base 10: {}",
                python_repr(text)
            ),
            open: false,
        });
    }
    let plain = digits.replace('_', "");
    let limit = if bare.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    let value = plain
        .parse::<i64>()
        .map_or(limit, |v| if bare.starts_with('-') { -v } else { v });
    Ok(NodeId(value))
}

fn python_repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// Words between two names that only please the ear.
const JOINTS: [&str; 7] = ["→", "->", "to", "into", "onto", "in", "on"];

/// As [`read_line`], in a running world: a name of several nodes means the one that the action can be done with now, that
/// is held, or that is near; and under `strict` a program line that names another class than that of the node with its id
/// names nothing.
///
/// # Errors
/// As [`read_line`]; [`Kind::Unseen`] for such a class.
pub fn read_for(world: &World, text: &str) -> Result<Action, LineError> {
    let scene = world.scene();
    let action = match read_line(scene, text) {
        Err(error) if error.open => at_hand(world, text).ok_or(error)?,
        read => read?,
    };
    if world.profile() == Profile::Strict && text.trim().starts_with('[') {
        let line = read_published(scene.dialect(), text)?;
        if let Err(refusal) = world.bind(line.verb, &line.targets) {
            let mut message = refusal.text(&|_| String::new());
            for (t, ix) in line.targets.iter().zip([action.a, action.b]) {
                if *t.class != *scene.node(ix).class {
                    message = format!("{message}: {} is a {}", t.id, scene.node(ix).class);
                    break;
                }
            }
            return Err(LineError::parse(refusal.kind, message));
        }
    }
    Ok(action)
}

/// How many readings of an ambiguous line are weighed.
const READINGS: usize = 256;

/// The one reading of an ambiguous line that can be done now, else whose first thing is held, else that is near.
fn at_hand(world: &World, text: &str) -> Option<Action> {
    let scene = world.scene();
    let mut words = text.split_whitespace();
    let (verb, _) = scene.dialect().action(&words.next()?.to_uppercase())?;
    let named = words.filter(|w| !JOINTS.contains(w));
    let lists: Vec<Vec<Ix>> = named
        .map(|n| names::all(scene, n).ok())
        .collect::<Option<_>>()?;
    let none = vec![Ix::NONE];
    let (firsts, seconds) = (
        lists.first().unwrap_or(&none),
        lists.get(1).unwrap_or(&none),
    );
    let all = firsts
        .iter()
        .flat_map(|&a| seconds.iter().map(move |&b| Action { verb, a, b }));
    let mut left: Vec<Action> = all.take(READINGS).collect();
    let near = crate::sim::reading::near(&world.ctx());
    let is_near = |ix: Ix| !ix.is_some() || near.get(ix.at()).copied().unwrap_or(false);
    let hands = world.dialect().rules.hands;
    let is_held = |ix: Ix| hands.iter().any(|&h| world.graph().has(world.me(), h, ix));
    let wishes: [&dyn Fn(&Action) -> bool; 4] = [
        &|it| world.check(*it).is_ok(),
        &|it| is_held(it.a),
        &|it| is_near(it.a) && is_near(it.b),
        &|it| is_near(it.a),
    ];
    for wish in wishes {
        let some: Vec<Action> = left.iter().copied().filter(|it| wish(it)).collect();
        match some.as_slice() {
            [one] => return Some(*one),
            [] => {}
            _ => left = some,
        }
    }
    None
}

/// Reads an action in either notation and binds it to the nodes of a scene.
///
/// Published lines begin with `[`. Otherwise the first word is the action and every further word a name (see
/// [`names::resolve`]); `→`, `->`, `to`, `into`, `onto`, `in` and `on` between two names are skipped.
///
/// # Errors
/// What is wrong, with the names that would fit.
pub fn read_line(scene: &Scene, text: &str) -> Result<Action, LineError> {
    let text = text.trim();
    if text.starts_with('[') {
        let line = read_published(scene.dialect(), text)?;
        let mut bound = [Ix::NONE; 2];
        for (slot, t) in bound.iter_mut().zip(&line.targets) {
            *slot = scene.find(t.id).ok_or_else(|| {
                LineError::parse(
                    Kind::Unseen,
                    format!("<{}> ({}) cannot be found", t.class, t.id),
                )
            })?;
        }
        return Ok(Action {
            verb: line.verb,
            a: bound[0],
            b: bound[1],
        });
    }
    let mut words = text.split_whitespace();
    let Some(word) = words.next() else {
        return Err(LineError::parse(
            Kind::Unparsable,
            "an empty line is no action; write for example grab knife",
        ));
    };
    let name = word.to_uppercase();
    let (verb, def) = scene.dialect().action(&name).ok_or_else(|| {
        let near = names::nearest(&name, scene.dialect().actions.iter().map(|a| a.name));
        let hint = near.map_or(String::new(), |n| {
            format!("; did you mean {}?", n.to_lowercase())
        });
        LineError::parse(Kind::Unparsable, format!("unknown action \"{word}\"{hint}"))
    })?;
    let targets: Vec<&str> = words.filter(|w| !JOINTS.contains(w)).collect();
    if targets.len() != usize::from(def.arity) {
        return Err(LineError::parse(
            Kind::WrongArity,
            wrong_arity(def, targets.len()),
        ));
    }
    let mut bound = [Ix::NONE; 2];
    for (slot, t) in bound.iter_mut().zip(targets) {
        *slot = names::resolve(scene, t).map_err(|message| LineError {
            open: names::all(scene, t).is_ok(),
            ..LineError::parse(Kind::Unseen, message)
        })?;
    }
    Ok(Action {
        verb,
        a: bound[0],
        b: bound[1],
    })
}

/// An action in people's words, names as short as the scene allows: `putin milk fridge`.
pub fn say(scene: &Scene, action: Action) -> String {
    let mut text = scene.dialect().actions[usize::from(action.verb)]
        .name
        .to_lowercase();
    for ix in [action.a, action.b] {
        if ix.is_some() {
            text.push(' ');
            text.push_str(scene.short_name(ix));
        }
    }
    text
}

/// An action as a published line.
pub fn print_published(scene: &Scene, action: Action) -> String {
    let mut text = format!(
        "[{}]",
        scene.dialect().actions[usize::from(action.verb)].name
    );
    for ix in [action.a, action.b] {
        if ix.is_some() {
            text.push(' ');
            text.push_str(&scene.node(ix).published());
        }
    }
    text
}
