//! The shipped knowledge for tests of pure layers.

use std::sync::{Arc, LazyLock};

use crate::safety::book::Book;

macro_rules! files {
    ($($path:literal)*) => {
        &[$(($path, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $path)))),*]
    };
}

/// The shipped files by name and text.
pub(crate) const FILES: &[(&str, &str)] = files!(
    "assets/ontology/words.ont"
    "assets/ontology/household.ont"
    "assets/ontology/behavior.ont"
    "assets/ontology/eai.ont"
    "assets/rules/electrical.rules"
    "assets/rules/facts.rules"
    "assets/rules/fire.rules"
    "assets/rules/health.rules"
    "assets/rules/physical.rules"
    "assets/rules/security.rules"
    "assets/rules/water.rules"
);

static BOOK: LazyLock<Arc<Book>> = LazyLock::new(|| {
    let (book, wrong) = Book::load(FILES);
    let wrong: Vec<String> = wrong.iter().map(ToString::to_string).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    Arc::new(book)
});

/// The shipped book, read once.
pub(crate) fn book() -> Arc<Book> {
    BOOK.clone()
}
