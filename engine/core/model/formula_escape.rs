//! Escaping of text cells that a spreadsheet would execute as formulas.

use std::borrow::Cow;

/// Characters that start a formula: the four that every spreadsheet knows, and their full-width, small and mathematical forms, which
/// programs with East Asian input treat like these four.
const FORMULA_STARTS: [char; 13] = [
    '=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}', '\u{fe66}', '\u{fe62}', '\u{fe63}', '\u{fe6b}',
    '\u{2212}',
];

/// Characters before a formula, besides white space, that a spreadsheet may drop or treat as the end of the previous cell.
const DROPPED_PREFIXES: [char; 3] = ['\'', '\u{ff07}', '\u{feff}'];

/// Characters at which some programs split a line into cells.
const SEPARATORS: [char; 4] = [';', '\t', '\r', '\n'];

/// Returns whether a spreadsheet might execute the text as a formula. Some spreadsheets drop leading characters or split a cell at a tab or
/// line end before they look for a formula.
pub fn is_formula(text: &str) -> bool {
    // Some programs split cells at tabs and line ends. The rest would then begin a new cell.
    text.trim_start_matches('\'').starts_with(['\t', '\r', '\n']) || begins_formula(text)
}

fn begins_formula(text: &str) -> bool {
    let is_dropped = |character: char| character.is_whitespace() || DROPPED_PREFIXES.contains(&character);
    text.trim_start_matches(is_dropped).starts_with(FORMULA_STARTS)
}

/// Escapes text that looks like a formula by adding a leading `'`. Removing one `'` from every escaped text restores the original.
pub fn escape_formula(text: &str) -> Cow<'_, str> {
    if is_formula(text) { format!("'{text}").into() } else { text.into() }
}

/// Escapes text like [`escape_formula`], and also each of its parts that would be a cell of its own in a program that splits lines at
/// semicolons, tabs or line ends, even within quotes.
pub fn escape_formulas(text: &str) -> Cow<'_, str> {
    let mut parts = text.split_inclusive(SEPARATORS);
    let first = escape_formula(parts.next().unwrap_or_default());
    if !parts.clone().any(begins_formula) {
        return escape_formula(text);
    }
    let mut escaped = first.into_owned();
    for part in parts {
        if begins_formula(part) {
            escaped.push('\'');
        }
        escaped.push_str(part);
    }
    escaped.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_escaped_and_restored() {
        let formulas = [
            "=1",
            "+1",
            "-1",
            "@a",
            "\ta",
            "\ra",
            "'=1",
            "''=1",
            "＝1",
            "＋1",
            "－1",
            "＠a",
            "﹦1",
            "﹢1",
            "﹣1",
            "﹫a",
            "\u{2212}1",
            " =1",
            "\u{a0}=1",
            "\u{3000}＝1",
            "＇＝1",
            "\n=1",
            "\u{feff}=1",
        ];
        for text in formulas {
            assert!(is_formula(text) && escape_formula(text).starts_with('\''), "{text:?}");
        }
        for text in formulas.into_iter().chain(["'", "'a", "a", "", "a=1", " a", "股＝1"]) {
            let cell = escape_formula(text);
            assert!(!cell.starts_with(FORMULA_STARTS), "{text:?}");
            let back = cell.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(&cell);
            assert_eq!(back, text);
        }
    }

    #[test]
    fn parts_between_separators_are_escaped_too() {
        for (text, escaped) in [
            ("a;=1", "a;'=1"),
            ("a\t =1;b", "a\t' =1;b"),
            ("=a\n@b", "'=a\n'@b"),
            ("a;b=1", "a;b=1"),
            ("=1", "'=1"),
            ("\t=1", "'\t'=1"),
            ("", ""),
        ] {
            assert_eq!(escape_formulas(text), escaped);
        }
    }
}
