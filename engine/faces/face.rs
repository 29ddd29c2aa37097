//! One side of a component, as HTML.

use super::size::Size;

/// One side of a component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Face {
    /// One element, `<div class="face …">`, which is as wide as its surroundings say (`width`), or else as on paper.
    pub html: String,
    /// How large it is on paper.
    pub size: Size,
    /// The numbers of the pictures that it shows, for [`Faces::pictures_style`](super::Faces::pictures_style).
    pub pictures: Vec<usize>,
}
