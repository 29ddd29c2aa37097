//! `missing-translation`: a word that rules offer has no name in a language that other words have.

use crate::diagnostic::{Diagnostic, Place};

/// Creates the diagnostic for a word that the options of `decision` contain. `tag` is the tag of the language that lacks a name.
pub(crate) fn untranslated_word(word: &str, decision: &str, tag: &str, here: Place) -> Diagnostic {
    let message = format!("the option `{word}` of `{decision}` has no `{tag}` name, unlike other words");
    Diagnostic::warning("missing-translation", message)
        .mark(here, "shown unchanged")
        .help(format!("write `{word} = {{ en = \"{}\", {tag} = \"…\" }}` in `[words]`", word.replace('_', " ")))
}
