//! Characters that nobody sees, and that make a text read otherwise than it is written.

use serde_json::Value;
use std::borrow::Cow;

/// Whether a character is not seen itself, but steers a terminal, turns the direction of a line, or hides between others: those of
/// Unicode's categories Cc, Zl, Zp and Cf, without the characters of Cf that are drawn (as the Arabic sign of a number).
///
/// Line breaks and tabs are blanks. The joiners U+200C and U+200D belong to how Persian, the languages of India and composed
/// pictures are written; Chinese needs none of them.
pub const fn is_unseen(character: char) -> bool {
    match character {
        '\n' | '\t' | '\u{200c}' | '\u{200d}' => false,
        '\u{0}'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e007f}' => true,
        _ => false,
    }
}

/// The first unseen character of a text, with the byte where it stands; a line break may be written as on any system.
pub fn unseen_in(text: &str) -> Option<(usize, char)> {
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

/// The first unseen character in some text of a document.
pub fn unseen_in_json(found: &Value) -> Option<char> {
    let in_text = |text: &str| unseen_in(text).map(|(_, character)| character);
    match found {
        Value::String(text) => in_text(text),
        Value::Array(all) => all.iter().find_map(unseen_in_json),
        Value::Object(parts) => parts.iter().find_map(|(name, part)| in_text(name).or_else(|| unseen_in_json(part))),
        _ => None,
    }
}

/// A text with its unseen characters written out, each as `written` has it; one without any is borrowed as it is.
pub fn unseen_written_out(text: &str, written: impl Fn(char) -> String) -> Cow<'_, str> {
    if unseen_in(text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_unseen(character) {
            out.push_str(&written(character));
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// What is said of an unseen character.
pub fn unseen_message(character: char) -> String {
    format!("a text holds the character U+{:04X}, which nobody sees", character as u32)
}

/// What to do about an unseen character.
pub(super) const UNSEEN_HELP: &str =
    "leave it out: such characters steer terminals or make a line read otherwise than it is written";

#[cfg(test)]
mod tests {
    use super::unseen_in;

    #[test]
    fn what_steers_a_terminal_or_turns_a_line_is_found() {
        for character in "\u{0}\u{7}\u{1b}\u{7f}\u{85}\u{9b}\u{ad}\u{200b}\u{200e}\u{202e}\u{2028}\u{2029}\u{2066}\u{2069}\u{feff}\u{e0041}".chars() {
            assert_eq!(unseen_in(&format!("股a{character}b")), Some((4, character)), "{character:?}");
        }
        assert_eq!(unseen_in("a\rb"), Some((1, '\r')));
        for text in ["縱橫股海，第一局", "a\tb\nc\r\nd", "می\u{200c}خواهم", "👩\u{200d}🌾", "Łódź — “x”"]
        {
            assert_eq!(unseen_in(text), None, "{text}");
        }
    }
}
