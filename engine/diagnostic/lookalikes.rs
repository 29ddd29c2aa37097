//! Characters of other scripts and other programs that look like those the files of a game are written with.

/// Characters that stand for one of ours, with that.
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

/// Spaces that are none, by name.
const SPACES: [(char, &str); 3] =
    [('\u{a0}', "no-break space"), ('\u{3000}', "wide space"), ('\u{202f}', "narrow space")];

/// Quotes that do not begin a text, with those that would end it.
pub const QUOTES: [(char, char); 6] = [('「', '」'), ('『', '』'), ('“', '”'), ('„', '“'), ('‘', '’'), ('＂', '＂')];

/// A character that is not as it must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unlike {
    /// What is written, as messages call it.
    pub theirs: String,
    /// What to write instead.
    pub ours: String,
}

/// What is meant by a character that looks like one of ours; nothing for those that are ours, and for quotes.
pub fn plain(character: char) -> Option<Unlike> {
    let unlike = |theirs: String, ours: &str| Some(Unlike { theirs, ours: format!("`{ours}`") });
    if let Some((_, name)) = SPACES.iter().find(|(known, _)| *known == character) {
        return Some(Unlike { theirs: format!("a {name}"), ours: "a plain space".to_owned() });
    }
    if let digit @ '０'..='９' = character {
        return unlike(format!("`{digit}`"), &(digit as u32 - '０' as u32).to_string());
    }
    let (_, ours) = CHARACTERS.iter().find(|(known, _)| *known == character)?;
    unlike(format!("`{character}`"), ours)
}

/// Whether a character is a quote of another script.
pub fn is_quote(character: char) -> bool {
    QUOTES.iter().any(|(open, close)| character == *open || character == *close)
}
