//! Positions in texts as editors count them: lines from 0, and within a line bytes or UTF-16 code units.

use lsp_types::{Position, Range};
use serde_json::Value;
use std::ops::Range as Span;

/// Unit of positions within a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    /// UTF-8 bytes.
    Utf8,
    /// UTF-16 code units, which every editor supports.
    Utf16,
}

impl Encoding {
    /// Returns the encoding to use with an editor: bytes if it supports them, because these need no conversion.
    pub(super) fn negotiate(params: &Value) -> Self {
        let known = params.pointer("/capabilities/general/positionEncodings").and_then(Value::as_array);
        let can = known.is_some_and(|known| known.iter().any(|one| one == "utf-8"));
        if can { Self::Utf8 } else { Self::Utf16 }
    }

    /// Returns the name of the encoding in the protocol.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
        }
    }

    /// Returns the length of a text in units of this encoding.
    pub(super) fn length(self, text: &str) -> u32 {
        match self {
            Self::Utf8 => text.len() as u32,
            Self::Utf16 => text.encode_utf16().count() as u32,
        }
    }

    /// Returns the byte offset of a position. Positions beyond the end of a line or of the text are moved to the end.
    pub(super) fn byte(self, text: &str, position: Position) -> usize {
        let mut start = 0;
        for _ in 0..position.line {
            match text[start..].find('\n') {
                Some(at) => start += at + 1,
                None => return text.len(),
            }
        }
        let line = text[start..].split('\n').next().unwrap_or_default();
        let line = line.strip_suffix('\r').unwrap_or(line);
        let mut left = position.character;
        for (at, c) in line.char_indices() {
            let units = match self {
                Self::Utf8 => c.len_utf8() as u32,
                Self::Utf16 => c.len_utf16() as u32,
            };
            if left < units {
                return start + at;
            }
            left -= units;
        }
        start + line.len()
    }
}

/// A text with the offsets of its lines.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
    encoding: Encoding,
}

impl<'t> Lines<'t> {
    /// Splits a text into lines.
    pub(super) fn new(text: &'t str, encoding: Encoding) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts, encoding }
    }

    /// Returns the position of a byte offset.
    pub(super) fn position(&self, at: usize) -> Position {
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= at) - 1;
        Position::new(line as u32, self.encoding.length(&self.text[self.starts[line]..at]))
    }

    /// Returns the range of a byte span.
    pub(super) fn range(&self, span: &Span<usize>) -> Range {
        Range::new(self.position(span.start), self.position(span.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_use_the_negotiated_encoding() {
        let text = "ab\r\n縱😀c\n";
        for (encoding, line, character, byte) in [
            (Encoding::Utf16, 1, 1, 7),
            (Encoding::Utf16, 1, 3, 11),
            (Encoding::Utf16, 1, 2, 7),
            (Encoding::Utf8, 1, 7, 11),
            (Encoding::Utf16, 0, 9, 2),
            (Encoding::Utf16, 1, 99, 12),
            (Encoding::Utf16, 9, 0, text.len()),
        ] {
            assert_eq!(encoding.byte(text, Position::new(line, character)), byte, "{line}:{character}");
        }
        let lines = Lines::new(text, Encoding::Utf16);
        assert_eq!(lines.position(11), Position::new(1, 3));
        assert_eq!(lines.position(13), Position::new(2, 0));
        assert_eq!(Lines::new(text, Encoding::Utf8).position(11), Position::new(1, 7));
    }
}
