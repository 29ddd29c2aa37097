//! Thumbnails of faces.

use crate::faces::Face;
use crate::paper::layout::tenths;
use std::collections::BTreeSet;

/// Maximum width and height of a thumbnail, in tenths of a millimeter.
const THUMBNAIL: (u32, u32) = (190, 230);

/// Renders a thumbnail of a face. Adds the indices of the pictures on the face to `pictures`.
pub(super) fn thumbnail(face: &Face, pictures: &mut BTreeSet<usize>) -> String {
    pictures.extend(&face.pictures);
    let (width, height) = (u32::from(face.size.width) * 10, u32::from(face.size.height) * 10);
    // All cards are scaled by the same factor, so that their sizes can be compared. Larger pieces are scaled down further to fit.
    let scaled = width * 3 / 10;
    let fitting = (THUMBNAIL.1 * width / height.max(1)).min(THUMBNAIL.0).min(scaled.max(110));
    format!("<div class=\"thumb\" style=\"width:{}mm\">{}</div>", tenths(fitting), face.html)
}
