//! One side of a component.

use super::size::Size;

/// One side of a component, as HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Face {
    /// A single element `<div class="face …">`. Its width is set by the surroundings (`width`). By default, it is the
    /// width on paper.
    pub html: String,
    /// Size on paper.
    pub size: Size,
    /// Index of the color that continues the face beyond its cut edge. `None` if the face itself is enlarged for that.
    pub edge: Option<usize>,
    /// Indices of the pictures in the face, for [`Faces::pictures_style`](super::Faces::pictures_style).
    pub pictures: Vec<usize>,
}
