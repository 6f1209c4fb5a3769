//! What differs between a call that is asked and one that was recorded.

use std::fmt::Display;

use crate::agent::chat::Message;
use crate::llm::cassette::Asked;
use crate::llm::cassette::line::seat_id;

/// Characters quoted of a text from where it differs.
const QUOTED: usize = 30;

/// How much two calls have in common; more is nearer.
pub(super) fn shared(asked: &Asked, recorded: &Asked) -> (bool, usize, usize) {
    let messages = asked
        .messages
        .iter()
        .zip(&recorded.messages)
        .take_while(|(a, b)| a == b)
        .count();
    let settings = [
        asked.kind == recorded.kind,
        asked.model == recorded.model,
        asked.temperature == recorded.temperature,
        asked.seed == recorded.seed,
        asked.max_tokens == recorded.max_tokens,
        asked.structured == recorded.structured,
        asked.schema == recorded.schema,
        asked.messages.len() == recorded.messages.len(),
    ];
    let same = settings.into_iter().filter(|same| *same).count();
    (asked.seat == recorded.seat, messages, same)
}

/// The first thing that differs.
pub(super) fn told(asked: &Asked, recorded: &Asked) -> String {
    let schema = |call: &Asked| or_none(call.schema.as_ref().map(|schema| &schema.name));
    let differences = [
        differs("seat", &seat_id(asked.seat), &seat_id(recorded.seat)),
        differs("kind", &asked.kind, &recorded.kind),
        differs("model", &asked.model, &recorded.model),
        differs(
            "temperature",
            &or_none(asked.temperature),
            &or_none(recorded.temperature),
        ),
        differs("seed", &or_none(asked.seed), &or_none(recorded.seed)),
        differs(
            "max_tokens",
            &or_none(asked.max_tokens),
            &or_none(recorded.max_tokens),
        ),
        differs("structured", &asked.structured, &recorded.structured),
        differs("schema", &schema(asked), &schema(recorded)),
        (asked.schema != recorded.schema).then(|| "the text of its schema differs".to_owned()),
        messages(&asked.messages, &recorded.messages),
    ];
    differences
        .into_iter()
        .flatten()
        .next()
        .unwrap_or_else(|| "nothing differs".to_owned())
}

fn differs<T: PartialEq + Display>(what: &str, asked: &T, recorded: &T) -> Option<String> {
    (asked != recorded).then(|| format!("its {what} is {recorded}, not {asked}"))
}

/// A setting as it is written in settings.
fn or_none<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

fn messages(asked: &[Message], recorded: &[Message]) -> Option<String> {
    for (at, (asked, recorded)) in asked.iter().zip(recorded).enumerate() {
        let n = at + 1;
        if asked.role != recorded.role {
            let (asked, recorded) = (asked.role.id(), recorded.role.id());
            return Some(format!(
                "its message {n} is of the {recorded}, not of the {asked}"
            ));
        }
        if asked.text != recorded.text {
            let same = asked
                .text
                .chars()
                .zip(recorded.text.chars())
                .take_while(|(a, b)| a == b)
                .count();
            let from = |text: &str| text.chars().skip(same).take(QUOTED).collect::<String>();
            return Some(format!(
                "its message {n} ({}) goes on from character {} with {:?}, not {:?}",
                asked.role.id(),
                same + 1,
                from(&recorded.text),
                from(&asked.text)
            ));
        }
    }
    let (asked, recorded) = (asked.len(), recorded.len());
    (asked != recorded).then(|| format!("it has {recorded} messages, not {asked}"))
}
