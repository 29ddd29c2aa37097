//! What every game has, for the reference: the names that stand alone, and what things have behind a dot.

use crate::library::built_in::{FACTS, NAMES};
use crate::library::entry::book::Book;

pub(super) fn write(book: &mut Book) {
    book.topic("Names");
    for (name, is, doc, example) in NAMES {
        book.name(name, is, doc, example);
    }
    book.topic("What things have");
    for (of, _, name, is, doc, example) in FACTS {
        book.fact(name, (of, is), doc, example);
    }
}
