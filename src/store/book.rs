//! The rule book in force: shipped ontology, facts and rules, and the user's beside them; read once.

use std::sync::{Arc, OnceLock};

use crate::safety::book::Book;

/// The book; the same for the whole life of the program.
pub fn book() -> Arc<Book> {
    static BOOK: OnceLock<Arc<Book>> = OnceLock::new();
    BOOK.get_or_init(|| Arc::new(Book::default())).clone()
}
