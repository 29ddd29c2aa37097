//! Registry of all diagnostic codes, each with its meaning, an example with the mistake, and the corrected example.
//!
//! The data is parsed from the guide's page about codes. Tests run the examples and check that the page contains every code in the source.

/// Text of the guide's page about codes.
const PAGE: &str = include_str!("../../../docs/src/codes.md");

/// String with which the section about a code begins.
const HEADING: &str = "\n## `";

/// Delimiter before and after the kind of a message.
const KIND: char = '*';

/// Explanation of one code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The code.
    pub code: &'static str,
    /// Kind of message, such as `Rule fault`.
    pub kind: &'static str,
    /// Meaning of the code: one or more sentences on one line.
    pub meaning: String,
    /// Example with the mistake; `None` for defects of the engine.
    pub wrong: Option<Example>,
    /// Corrected form of the example `wrong`; `None` for defects of the engine.
    pub right: Option<Example>,
}

/// Example snippet from a game's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// Language of the snippet: `toml`, `rhai` or `play`; `text` if the mistake is not in a file.
    pub language: &'static str,
    /// Content of the snippet. A line `=== path` begins another file.
    pub text: &'static str,
}

/// Returns the explanations of all codes in alphabetical order.
pub fn explanations() -> impl Iterator<Item = Explanation> {
    PAGE.split(HEADING).skip(1).filter_map(explanation)
}

/// Returns the explanation of a code. Returns `None` if the code is unknown.
pub fn explain(code: &str) -> Option<Explanation> {
    explanations().find(|known| known.code == code)
}

fn explanation(part: &'static str) -> Option<Explanation> {
    let (code, rest) = part.split_once('`')?;
    let (text, _) = rest.split_once("\n```").unwrap_or((rest, ""));
    let (kind, meaning) = text.trim().strip_prefix(KIND)?.split_once(KIND)?;
    let meaning = without_links(&meaning.split_whitespace().collect::<Vec<_>>().join(" "));
    let kind = kind.trim_end_matches('.');
    Some(Explanation { code, kind, meaning, wrong: example(rest, "wrong"), right: example(rest, "right") })
}

/// Replaces each Markdown link, such as `[words](page.md)`, with its link text.
fn without_links(text: &str) -> String {
    let mut parts = text.split("](");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let begins = plain.rfind('[').expect("a link begins with a bracket");
        plain.remove(begins);
        plain.push_str(part.split_once(')').map_or("", |(_, behind)| behind));
    }
    plain
}

/// Returns the code block that is marked `wrong` or `right` (`mark`) in the section `part`.
fn example(part: &'static str, mark: &str) -> Option<Example> {
    let blocks = part.split("\n```").skip(1).step_by(2);
    blocks.filter_map(|block| block.split_once('\n')).find_map(|(info, text)| {
        let (language, found) = info.split_once(' ')?;
        (found == mark).then_some(Example { language, text })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_replaced_by_their_text() {
        let text = "Say it with [`learn`](hidden.md#learn), or `a[1]` (see [this](codes.md)).";
        assert_eq!(without_links(text), "Say it with `learn`, or `a[1]` (see this).");
        assert!(explanations().all(|known| !known.meaning.contains(".md")));
    }
}
