//! Pieces to be cut out.

use super::layout::Spacing;
use crate::faces::{Face, Size};

/// A piece to be cut out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece<'f> {
    /// Size on paper.
    pub(super) size: Size,
    /// Front of the piece.
    pub(super) front: &'f Face,
    /// Back of the piece, if it has one.
    pub(super) back: Option<&'f Face>,
    /// Distance from other pieces.
    pub(super) spacing: Spacing,
    /// Whether the piece is a printed part that the game's files do not declare.
    pub(super) is_part: bool,
}

impl Piece<'_> {
    /// Returns the HTML of the back; empty if the back is blank.
    pub(super) fn back_html(&self) -> &str {
        self.back.map_or("", |back| &back.html)
    }

    /// Returns the size in bytes of the piece's HTML, including the HTML of its bleed.
    pub(super) fn length(&self) -> usize {
        let bleed = |face: &Face| if self.spacing.bleed > 0 && face.edge.is_none() { face.html.len() } else { 0 };
        let length = |face: &Face| face.html.len() + bleed(face);
        length(self.front) + self.back.map_or(0, length)
    }
}

/// A piece with its number of copies.
pub(super) struct CountedPiece<'f> {
    /// Key in manifests.
    pub(super) key: String,
    /// Display name.
    pub(super) name: String,
    /// Kind or part to name in the error message if its copies make the print too large.
    pub(super) of: String,
    /// Number of copies.
    pub(super) count: usize,
    /// The piece.
    pub(super) piece: Piece<'f>,
}

/// Renders the layer that lies below a face and extends beyond the cut line: a color, or an enlarged copy of the face.
pub(super) fn bleed_html(face: &Face) -> String {
    match face.edge {
        Some(tint) => format!("<div class=\"face edge tint-{tint}\"></div>"),
        None => face.html.clone(),
    }
}
