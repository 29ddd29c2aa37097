//! One side of a component.

use super::size::Size;

/// One side of a component, as HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Face {
    /// HTML of a single element `<div class="face …">`. The element has its width on paper unless the page sets another `width`.
    pub html: String,
    /// Size on paper.
    pub size: Size,
    /// Index of the color that fills the bleed around the face. `None` if the face itself is enlarged to cover the bleed.
    pub edge: Option<usize>,
    /// Indices of the pictures in the face, for [`Faces::pictures_style`](super::Faces::pictures_style).
    pub pictures: Vec<usize>,
}
