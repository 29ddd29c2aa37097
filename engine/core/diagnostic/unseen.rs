//! Detection of invisible characters, which make a text look different from its content.

use serde_json::Value;
use std::borrow::Cow;

/// Returns whether a character is invisible and could mislead: it controls a terminal, changes the text direction, or hides between other
/// characters. Two groups of characters are included:
///
/// * control, separator and format characters (the Unicode categories Cc, Zl, Zp and Cf), except for format characters with a visible form,
///   such as the Arabic number sign
/// * blank letters and symbols, such as the Hangul filler, which can make two different names look the same
///
/// Line breaks and tabs are allowed as white space. The joiners U+200C and U+200D are allowed because Persian, Indic scripts and composed
/// emoji need them.
pub const fn is_unseen(character: char) -> bool {
    match character {
        '\n' | '\t' | '\u{200c}' | '\u{200d}' => false,
        '\u{0}'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e007f}' => true,
        _ => false,
    }
}

/// Returns the first invisible character of a text with its byte offset. `\r\n` is accepted as a line break.
pub fn find_invisible(text: &str) -> Option<(usize, char)> {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    let behind = text.bytes().position(|byte| !is_plain(byte))?;
    let mut characters = text[behind..].char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let is_break = character == '\r' && characters.peek().is_some_and(|(_, next)| *next == '\n');
        if is_unseen(character) && !is_break {
            return Some((behind + at, character));
        }
    }
    None
}

/// Returns the first invisible character in any string of a JSON document, including its keys.
pub fn find_invisible_in_json(found: &Value) -> Option<char> {
    let in_text = |text: &str| find_invisible(text).map(|(_, character)| character);
    match found {
        Value::String(text) => in_text(text),
        Value::Array(all) => all.iter().find_map(find_invisible_in_json),
        Value::Object(parts) => {
            parts.iter().find_map(|(name, part)| in_text(name).or_else(|| find_invisible_in_json(part)))
        }
        _ => None,
    }
}

/// Replaces each invisible character with `escape(character)`. Borrows the text if it has no invisible characters.
pub fn escape_unseen(text: &str, escape: impl Fn(char) -> String) -> Cow<'_, str> {
    if find_invisible(text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_unseen(character) {
            out.push_str(&escape(character));
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// Returns the headline of the message about an invisible character.
pub fn unseen_message(character: char) -> String {
    format!("a text contains the invisible character U+{:04X}", character as u32)
}

/// Help for an invisible character.
pub(super) const UNSEEN_HELP: &str = "remove it: such characters control terminals or change how a line is displayed";

#[cfg(test)]
mod tests {
    use super::find_invisible;

    #[test]
    fn control_and_direction_characters_are_found() {
        for character in "\u{0}\u{7}\u{1b}\u{7f}\u{85}\u{9b}\u{ad}\u{200b}\u{200e}\u{202e}\u{2028}\u{2029}\u{2066}\u{2069}\u{feff}\u{3164}\u{e0041}".chars() {
            assert_eq!(find_invisible(&format!("股a{character}b")), Some((4, character)), "{character:?}");
        }
        assert_eq!(find_invisible("a\rb"), Some((1, '\r')));
        for text in ["縱橫股海，第一局", "a\tb\nc\r\nd", "می\u{200c}خواهم", "👩\u{200d}🌾", "Łódź — “x”"]
        {
            assert_eq!(find_invisible(text), None, "{text}");
        }
    }
}
