//! Pieces on maps and grids as SVG discs in the color of their owner. A disc shows letters or the piece's own face, and the numbers of the
//! piece.

use super::piece::Piece;
use crate::wording::{Svg, text_width};

/// Minimum and maximum font size of letters on a disc.
const LETTERS: (i32, i32) = (7, 24);

/// Maximum number of numbers on one disc.
const MAX_NUMBERS: usize = 2;

/// Minimum number of pieces on a space at which equal pieces are drawn as one disc with a count.
const MIN_GROUPED: usize = 5;

/// Disc for one or more pieces that look alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Disc {
    /// The piece; `None` if only its back is seen.
    pub(super) piece: Option<Piece>,
    pub(super) marks: String,
    /// Numbers that the piece carries.
    pub(super) numbers: Vec<i64>,
    /// Values of the piece, in words.
    pub(super) note: String,
    /// Number of pieces.
    pub(super) count: usize,
}

impl Disc {
    /// Merges the discs of equal pieces if there are at least [`MIN_GROUPED`] discs.
    pub(super) fn grouped(all: Vec<Self>) -> Vec<Self> {
        if all.len() < MIN_GROUPED {
            return all;
        }
        let mut groups: Vec<Self> = Vec::new();
        for one in all {
            let is_same = |known: &&mut Self| {
                (&known.piece, &known.marks, &known.numbers, &known.note)
                    == (&one.piece, &one.marks, &one.numbers, &one.note)
            };
            match groups.iter_mut().find(is_same) {
                Some(known) => known.count += one.count,
                None => groups.push(one),
            }
        }
        groups
    }

    /// Returns the name of the piece; `?` if only its back is seen.
    pub(super) fn name(&self) -> &str {
        self.piece.as_ref().map_or("?", |piece| &piece.name)
    }

    /// Draws the disc around a center.
    pub(super) fn draw(&self, (x, y): (i32, i32), radius: i32, svg: &mut Svg) {
        let class = self.piece.as_ref().map_or_else(|| "back".to_owned(), tint);
        let count = if self.count > 1 { format!("{} × ", self.count) } else { String::new() };
        let note = if self.note.is_empty() { String::new() } else { format!(" · {}", self.note) };
        let name = format!("{count}{}{note}", self.name());
        let group = svg.element("g").set("class", format_args!("piece {class}")).set("role", "img");
        group.set("data-k", &self.marks).set("aria-label", &name).content(|svg| {
            svg.element("title").text(&name);
            svg.circle((x, y), radius).empty();
            self.draw_face((x, y), radius, svg);
            if self.count > 1 {
                let text = format!("×{}", self.count);
                badge((x + radius * 3 / 4, y + radius * 3 / 4), (radius * 3 / 5).max(5), &text, svg);
            }
        });
    }

    /// Draws the piece's own face or its letters, and its numbers.
    fn draw_face(&self, (x, y): (i32, i32), radius: i32, svg: &mut Svg) {
        let letters = self.piece.as_ref().map_or("?", |piece| &piece.letters);
        if let Some(piece) = self.piece.as_ref().filter(|piece| piece.has_own_face) {
            let (corner, size) = ((x - radius, y - radius), (2 * radius, 2 * radius));
            svg.foreign_object(corner, size).content(|svg| svg.append_markup(&piece.face));
        } else if !letters.is_empty() && self.numbers.is_empty() {
            let size = (radius * 11 / 10).clamp(LETTERS.0, LETTERS.1);
            draw_print((x, y), size, letters, svg);
        }
        if !self.numbers.is_empty() {
            self.draw_numbers((x, y), radius, svg);
        }
    }

    /// Writes the numbers on the disc instead of letters. If the piece has its own face, writes them on a badge at the corner.
    fn draw_numbers(&self, (x, y): (i32, i32), radius: i32, svg: &mut Svg) {
        let shown: Vec<String> = self.numbers.iter().take(MAX_NUMBERS).map(i64::to_string).collect();
        let text = shown.join("/");
        if self.piece.as_ref().is_some_and(|piece| piece.has_own_face) {
            return badge((x + radius * 3 / 4, y + radius * 3 / 4), (radius * 3 / 5).max(6), &text, svg);
        }
        let room = radius * 17 / 10;
        let size = (LETTERS.0..=(radius * 13 / 10).clamp(LETTERS.0, LETTERS.1)).rev();
        let size = { size }.find(|size| text_width(&text, *size) <= room).unwrap_or(LETTERS.0);
        draw_print((x, y), size, &text, svg);
    }
}

/// Draws a text whose center is at `(x, y)`.
fn draw_print((x, y): (i32, i32), size: i32, text: &str, svg: &mut Svg) {
    svg.label((x, y + size * 7 / 20)).set("class", "print").set("font-size", size).text(text);
}

/// Draws a small dark label.
pub(super) fn badge((x, y): (i32, i32), height: i32, text: &str, svg: &mut Svg) {
    let size = height * 5 / 4;
    let (width, height) = (text_width(text, size) + size * 2 / 3, size * 4 / 3);
    let corner = (x - width / 2, y - height / 2);
    svg.rect(corner, (width, height)).set("class", "badge").set("rx", height / 2).empty();
    svg.label((x, y + size * 7 / 20)).set("class", "badge").set("font-size", size).text(text);
}

/// Returns the CSS class that gives a piece the color of its owner, or `neutral` if it has no owner.
fn tint(piece: &Piece) -> String {
    piece.owner.map_or_else(|| "neutral".to_owned(), |owner| format!("of-{}", owner % 8))
}
