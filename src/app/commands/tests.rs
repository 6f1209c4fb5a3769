//! The command table is a table others rely on.

use std::collections::BTreeSet;

use super::*;

fn is_kebab(id: &str) -> bool {
    !id.is_empty()
        && id.split('-').all(|part| {
            !part.is_empty()
                && part
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        })
}

#[test]
fn commands_are_unique_named_and_explained() {
    let mut seen = BTreeSet::new();
    for (context, command) in all() {
        let id = command.id;
        assert!(is_kebab(id), "{id}");
        assert!(seen.insert(id), "{id} stands twice");
        assert!(
            !command.title.is_empty() && command.title.len() <= 18,
            "{id}: title of one or two words"
        );
        assert!(
            command.doc.ends_with('.') && command.doc.len() > 8,
            "{id}: one sentence"
        );
        assert!(
            find(id).is_some_and(|(found, _)| found.id == context.id),
            "{id}"
        );
    }
}

#[test]
fn contexts_are_unique() {
    let mut seen = BTreeSet::new();
    for context in CONTEXTS {
        assert!(
            is_kebab(context.id) && seen.insert(context.id),
            "{}",
            context.id
        );
        assert!(!context.title.is_empty());
    }
}

#[test]
fn screens_name_contexts_there_are() {
    for screen in screens::SCREENS {
        assert!(!screen.contexts.is_empty(), "{}", screen.id());
        for context in screen.contexts.iter().copied().flatten() {
            assert!(
                super::context(context).is_some(),
                "{}: {context}",
                screen.id()
            );
        }
        for (field, doc) in screen.fields {
            assert!(is_kebab(field) && !doc.is_empty());
        }
    }
}
