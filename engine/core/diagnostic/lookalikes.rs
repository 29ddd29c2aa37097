//! Characters that look like ASCII characters, such as full-width brackets and typographic quotes.

/// Confusable characters and their ASCII equivalents.
const CHARACTERS: [(char, &str); 32] = [
    ('（', "("),
    ('）', ")"),
    ('，', ","),
    ('、', ","),
    ('；', ";"),
    ('：', ":"),
    ('。', "."),
    ('．', "."),
    ('｛', "{"),
    ('｝', "}"),
    ('［', "["),
    ('］', "]"),
    ('【', "["),
    ('】', "]"),
    ('＝', "="),
    ('＋', "+"),
    ('－', "-"),
    ('＊', "*"),
    ('／', "/"),
    ('＞', ">"),
    ('＜', "<"),
    ('！', "!"),
    ('｜', "|"),
    ('＆', "&"),
    ('＃', "#"),
    ('×', "*"),
    ('÷', "/"),
    ('−', "-"),
    ('–', "-"),
    ('≤', "<="),
    ('≥', ">="),
    ('≠', "!="),
];

/// Unusual space characters with their names.
const SPACES: [(char, &str); 3] =
    [('\u{a0}', "no-break space"), ('\u{3000}', "wide space"), ('\u{202f}', "narrow space")];

/// Opening quotes that do not begin a string literal in the language, each with its closing quote.
pub const QUOTES: [(char, char); 6] = [('「', '」'), ('『', '』'), ('“', '”'), ('„', '“'), ('‘', '’'), ('＂', '＂')];

/// A confusable character and its replacement, both worded for messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookalikePair {
    /// The character as written by the author.
    pub theirs: String,
    /// The character to write instead.
    pub ours: String,
}

/// Returns the ASCII equivalent of a confusable character. Returns `None` for other characters, and for quotes, which [`is_quote`]
/// recognizes.
pub fn plain(character: char) -> Option<LookalikePair> {
    let unlike = |theirs: String, ours: &str| Some(LookalikePair { theirs, ours: format!("`{ours}`") });
    if let Some((_, name)) = SPACES.iter().find(|(known, _)| *known == character) {
        return Some(LookalikePair { theirs: format!("a {name}"), ours: "a plain space".to_owned() });
    }
    if let digit @ '０'..='９' = character {
        return unlike(format!("`{digit}`"), &(digit as u32 - '０' as u32).to_string());
    }
    let (_, ours) = CHARACTERS.iter().find(|(known, _)| *known == character)?;
    unlike(format!("`{character}`"), ours)
}

/// Returns whether a character is one of the non-ASCII [`QUOTES`].
pub fn is_quote(character: char) -> bool {
    QUOTES.iter().any(|(open, close)| character == *open || character == *close)
}
