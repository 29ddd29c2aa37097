//! Texts in the cells of spreadsheets, which compute what begins like a formula.

use std::borrow::Cow;

/// What a cell begins with that a spreadsheet computes, or takes for the end of another cell.
const BEGINNINGS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Whether a spreadsheet would compute a text, or drop the `'` that keeps it from doing so.
pub fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(BEGINNINGS)
}

/// A text as it is harmless in a cell: behind a `'` where it begins like a formula. Taking one `'` off what then begins so gives the
/// text back.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if is_formula(text) { format!("'{text}").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_like_a_formula_is_harmless_and_comes_back() {
        for text in ["=1", "+1", "-1", "@a", "\ta", "\ra", "'=1", "''=1", "'", "'a", "a", "", "a=1"] {
            let cell = harmless(text);
            assert!(!cell.starts_with(BEGINNINGS), "{text:?}");
            let back = cell.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(&cell);
            assert_eq!(back, text);
        }
    }
}
