//! What can be said of a game's words and files without understanding them: words that nothing else says, texts that lack a
//! language, files that nothing reads.

pub(in crate::loader) mod isolated_words;
pub(in crate::loader) mod mentions;
pub(in crate::loader) mod misplaced_files;
pub(in crate::loader) mod misspelled_columns;
pub(in crate::loader) mod texts;
pub(in crate::loader) mod undeclared_words;
