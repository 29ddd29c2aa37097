//! Reads playscripts from the disk. They may come from an untrusted source, so links are not followed and the size is limited.

use crate::diagnostic::shown;
use crate::files::{Directory, Refused, read_unlinked_bytes};
use crate::playscript::{LARGEST, excess};
use std::path::Path;

/// Number of digits of a checksum.
const CHECKSUM_LENGTH: usize = 16;

/// Reads the text of a playscript.
///
/// # Errors
/// Returns the reason if the file cannot be read, is too large, or is not UTF-8.
pub(crate) fn read_play(path: &Path) -> Result<String, String> {
    to_text(path, read_bytes(path)?)
}

/// Reads the text of a playscript below an open folder. `path` is relative to the folder; messages name the file `name`.
///
/// # Errors
/// As [`read_play`].
pub(crate) fn read_play_below(folder: &Directory, path: &str, name: &Path) -> Result<String, String> {
    to_text(name, folder.read(path, LARGEST as u64).map_err(|refused| explain(name, refused))?)
}

/// Reads the complete lines of a recording. Also returns whether the last line was incomplete, as after an interrupted write, and was
/// dropped.
pub(super) fn read_recording(path: &Path) -> Result<(String, bool), String> {
    let mut bytes = read_bytes(path)?;
    let complete = complete_lines(&bytes);
    let is_cut = complete < bytes.len();
    // The rest may end in the middle of a character, so it is dropped before the bytes are decoded.
    bytes.truncate(complete);
    Ok((to_text(path, bytes)?, is_cut))
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    read_unlinked_bytes(path, LARGEST as u64).map_err(|refused| explain(path, refused))
}

fn explain(path: &Path, refused: Refused) -> String {
    match refused {
        Refused::Link => format!("`{}` is a link, and links are not followed: name the file itself", shown(path)),
        Refused::NotAFile => format!("`{}` is not a file", shown(path)),
        Refused::TooLarge(_) => too_large(path, &format!("{} MB", LARGEST >> 20)),
        other => format!("`{}` cannot be read: {other}", shown(path)),
    }
}

fn to_text(path: &Path, bytes: Vec<u8>) -> Result<String, String> {
    let text = String::from_utf8(bytes).map_err(|_| format!("`{}` cannot be read: it is not UTF-8", shown(path)))?;
    excess(&text).map_or(Ok(text), |most| Err(too_large(path, &most)))
}

fn too_large(path: &Path, most: &str) -> String {
    format!("`{}` is too large: a playscript has at most {most}", shown(path))
}

/// Returns the total length in bytes of the complete lines. A last line without a line break is complete if it ends with a complete
/// checksum.
fn complete_lines(bytes: &[u8]) -> usize {
    let last = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let has_checksum = bytes[last..]
        .split_last_chunk::<CHECKSUM_LENGTH>()
        .is_some_and(|(before, checksum)| before.ends_with(b" @ ") && checksum.iter().all(u8::is_ascii_hexdigit));
    if has_checksum { bytes.len() } else { last }
}

#[cfg(test)]
mod tests {
    use super::{complete_lines, read_recording};
    use std::path::Path;

    #[test]
    fn an_incomplete_last_line_is_removed() {
        let complete = |text: &str| &text[..complete_lines(text.as_bytes())] == text;
        assert!(complete("a\nb\n") && complete("Ann: bid 1 @ 0123456789abcdef"));
        for torn in ["Ann: bid 1", "Ann: bid 1 @ 0123456789abcde", "@ 0123456789abcdef"] {
            assert_eq!(complete_lines(format!("a\n{torn}").as_bytes()), 2, "{torn}");
        }
    }

    #[test]
    fn a_last_line_may_end_within_a_character() {
        let path = Path::new(env!("OUT_DIR")).join("torn.play");
        let whole = "players 小明 Ben\n小明: bid 1 @ 0123456789abcdef\n";
        let first = whole.find('\n').unwrap() + 1;
        for length in first..whole.len() {
            crate::files::write_atomic(&path, &whole.as_bytes()[..length]).unwrap();
            let has_checksum = length + 1 == whole.len();
            let expected = if has_checksum { &whole[..length] } else { &whole[..first] };
            let is_cut = length > first && !has_checksum;
            assert_eq!(read_recording(&path).unwrap(), (expected.to_owned(), is_cut), "{length} bytes");
        }
        crate::files::write_atomic(&path, b"players \xe5 Ben\nseed 1\n").unwrap();
        assert!(read_recording(&path).unwrap_err().contains("it is not UTF-8"), "only the last line is dropped");
        crate::files::remove(&path).unwrap();
    }
}
