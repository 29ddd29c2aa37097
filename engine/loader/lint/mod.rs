//! Checks that do not need to understand the rules: isolated words, missing translations, misspelled columns and misplaced files.

pub(in crate::loader) mod isolated_words;
pub(in crate::loader) mod mentions;
pub(in crate::loader) mod misplaced_files;
pub(in crate::loader) mod misspelled_columns;
pub(in crate::loader) mod name_uses;
pub(in crate::loader) mod texts;
pub(in crate::loader) mod undeclared_words;
