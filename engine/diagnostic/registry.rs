//! Every code a diagnostic can have: what it means, an example, and the example fixed.
//!
//! The page of the guide is the only place where this is written. Codes in the source are texts; a test holds them
//! against the page, and the examples against what is said about them.

/// The page of the guide about codes.
const PAGE: &str = include_str!("../../docs/src/codes.md");

/// What begins the part of the page about one code.
const HEADING: &str = "\n## `";

/// What stands around the word for what sort of message it is.
const KIND: char = '*';

/// A code and what is to be known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The code, as it stands in messages.
    pub code: &'static str,
    /// What sort of message it is, such as `Rule fault`.
    pub kind: &'static str,
    /// What it means: a sentence or a few, in one line.
    pub meaning: String,
    /// An example with the mistake in it; none of a defect of the engine.
    pub wrong: Option<Example>,
    /// The same without the mistake.
    pub right: Option<Example>,
}

/// A part of a game's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// What it is written in: `toml`, `rhai` or `play`; `text` where no file of a game shows it alone.
    pub language: &'static str,
    /// The text of its file; a line `=== path` begins another file.
    pub text: &'static str,
}

/// Every code, in the order of the alphabet.
pub fn explanations() -> impl Iterator<Item = Explanation> {
    PAGE.split(HEADING).skip(1).filter_map(explanation)
}

/// What is to be known of a code.
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

/// A text of the page with the words of its links, and not where they lead: `[words](page.md)`.
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

/// The block of a part that is marked so.
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
    fn links_are_read_as_their_words() {
        let text = "Say it with [`learn`](hidden.md#learn), or `a[1]` (see [this](codes.md)).";
        assert_eq!(without_links(text), "Say it with `learn`, or `a[1]` (see this).");
        assert!(explanations().all(|known| !known.meaning.contains(".md")));
    }
}
