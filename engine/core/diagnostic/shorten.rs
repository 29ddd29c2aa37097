//! Shortening of long texts in messages.

use std::borrow::Cow;

/// Maximum length of a quoted text in a message, in characters.
const MAX_QUOTED_CHARS: usize = 200;

/// Shortens a text for quoting in a message. The omitted part is replaced by `…`.
pub fn shortened(text: &str) -> Cow<'_, str> {
    shortened_to(text, MAX_QUOTED_CHARS)
}

/// Shortens a text to at most `longest` characters: about three quarters from its beginning, `…`, and one quarter from its end.
pub fn shortened_to(text: &str, longest: usize) -> Cow<'_, str> {
    // The byte length is checked first, because counting characters walks the text.
    if text.len() <= longest || text.chars().nth(longest).is_none() {
        return Cow::Borrowed(text);
    }
    let end = longest / 4;
    let at = |count: usize| text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
    let from = text.char_indices().rev().nth(end.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
    Cow::Owned(format!("{}…{}", &text[..at(longest - end - 1)], &text[from..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_keep_their_beginning_and_their_end() {
        assert_eq!(shortened_to("0123456789", 10), "0123456789");
        assert_eq!(shortened_to("0123456789abcdef", 8), "01234…ef");
        assert_eq!(shortened_to("股股股股股股股股股股", 8).chars().count(), 8);
        assert_eq!(shortened(&"a".repeat(1 << 20)).chars().count(), MAX_QUOTED_CHARS);
    }
}
