//! Reading of playscripts from the disk. They may come from an untrusted source, so links are not followed and the size is limited.

use crate::diagnostic::shown;
use crate::files::{Refused, read_unlinked};
use crate::playscript::{LARGEST, excess};
use std::path::Path;

/// Reads the text of a playscript. Returns the reason if it cannot be read.
pub(crate) fn read_play(path: &Path) -> Result<String, String> {
    let too_large = |most: &str| format!("`{}` is too large: a playscript has at most {most}", shown(path));
    let text = read_unlinked(path, LARGEST as u64).map_err(|refused| match refused {
        Refused::Link => format!("`{}` is a link, and links are not followed: name the file itself", shown(path)),
        Refused::NotAFile => format!("`{}` is not a file", shown(path)),
        Refused::TooLarge(_) => too_large(&format!("{} MB", LARGEST >> 20)),
        other => format!("`{}` cannot be read: {other}", shown(path)),
    })?;
    excess(&text).map_or(Ok(text), |most| Err(too_large(&most)))
}
