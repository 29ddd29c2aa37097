//! Names of files: which ones every system has room for, and names made of words from files.

/// Names that Windows keeps for devices, whatever stands behind a dot and however they are written.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Like [`DEVICES`], with a digit behind the name.
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// Characters that no name of a file has on Windows, and the separator of folders elsewhere.
const REFUSED: [char; 9] = ['<', '>', ':', '"', '|', '?', '*', '\\', '/'];

/// Ending of the name of a file that is not whole yet.
const PART: &str = "part";

/// Maximum number of characters of a word in the name of a file.
const LONGEST_WORD: usize = 64;

/// Returns why a file or a folder cannot be called `name` on every system, or `None` if it can.
pub fn unportable(name: &str) -> Option<String> {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_lowercase();
    let is_numbered = |device: &&str| {
        let rest = stem.strip_prefix(*device).map(str::as_bytes);
        matches!(rest, Some([b'0'..=b'9']))
    };
    if DEVICES.contains(&stem.as_str()) || NUMBERED_DEVICES.iter().any(is_numbered) {
        return Some(format!("Windows keeps the name `{stem}` for itself"));
    }
    if let Some(character) = name.chars().find(|character| REFUSED.contains(character) || character.is_control()) {
        return Some(format!("Windows has no `{}` in names of files", character.escape_default()));
    }
    let ends_badly = name.ends_with(['.', ' ']) && !name.chars().all(|character| character == '.');
    ends_badly.then(|| "Windows takes the last character off this name".to_owned())
}

/// Returns why `name` cannot be one part of a path below a folder, or `None` if it can.
pub(super) fn no_single_name(name: &str) -> Option<String> {
    if name.is_empty() || name.chars().all(|character| character == '.') {
        return Some(format!("`{name}` is not the name of a file"));
    }
    unportable(name)
}

/// Makes a word from a file fit for the name of a file: each character but ASCII letters, digits, `-` and `_` becomes `-`, and
/// what is longer than a name needs is cut off.
pub fn in_file_name(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || character == '-' || character == '_';
    word.chars().take(LONGEST_WORD).map(|character| if is_plain(character) { character } else { '-' }).collect()
}

/// Returns whether a file of this name was being written when the program ended.
pub fn is_part(name: &str) -> bool {
    std::path::Path::new(name).extension().is_some_and(|ending| ending == PART)
}

/// Returns a name that nobody can predict, for a file that is not whole yet.
pub(super) fn unpredictable() -> std::io::Result<String> {
    let mut bytes = [0_u8; 8];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(format!("parlour-{:016x}.{PART}", u64::from_le_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_strangers_lead_to_no_other_folder() {
        assert_eq!(in_file_name("fault-x/../../../NAME"), "fault-x----------NAME");
        assert_eq!(in_file_name("empty-zone"), "empty-zone");
        assert_eq!(in_file_name("C:\\a\0b\u{202e}股"), "C--a-b--");
        assert_eq!(in_file_name(&"a".repeat(1000)).len(), LONGEST_WORD);
    }

    #[test]
    fn names_in_a_folder_have_one_part() {
        for name in ["", ".", "..", "...", "a/b", "a\\b", "/a", "c:", "a\0", "nul"] {
            assert!(no_single_name(name).is_some(), "{name:?}");
        }
        for name in [".links", "a.play", "股.html", "a..b"] {
            assert!(no_single_name(name).is_none(), "{name:?}");
        }
    }

    #[test]
    fn names_of_unfinished_files_are_drawn_anew() {
        let (one, other) = (unpredictable().unwrap(), unpredictable().unwrap());
        assert!(is_part(&one) && is_part(&other) && one != other);
    }
}
