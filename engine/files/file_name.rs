//! File names: portability checks, and sanitizing of untrusted words.

/// Reserved device names of Windows. They are reserved in any case and with any extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Device names of Windows that are reserved when a digit follows.
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// Characters that Windows does not allow in file names, and the path separators.
const REFUSED: [char; 9] = ['<', '>', ':', '"', '|', '?', '*', '\\', '/'];

/// Extension of temporary files that are being written.
const PART: &str = "part";

/// Maximum number of characters that [`sanitize_file_name`] keeps.
const MAX_WORD_CHARS: usize = 64;

/// Returns the reason why a file or folder cannot have this name on every operating system, or `None` if it can.
pub fn unportable_reason(name: &str) -> Option<String> {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_lowercase();
    let is_numbered = |device: &&str| {
        matches!(stem.strip_prefix(*device).and_then(|rest| rest.chars().next()), Some('0'..='9' | '¹' | '²' | '³'))
            && stem.chars().count() == device.len() + 1
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

/// Returns the reason why `name` is not a valid single component of a relative path, or `None` if it is valid.
#[cfg(feature = "system")]
pub(super) fn invalid_name_reason(name: &str) -> Option<String> {
    if name.is_empty() || name.chars().all(|character| character == '.') {
        return Some(format!("`{name}` is not the name of a file"));
    }
    unportable_reason(name)
}

/// Makes an untrusted word safe for use in a file name. Replaces every character except ASCII letters, digits, `-` and `_` with `-`, and
/// truncates long words.
pub fn sanitize_file_name(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || character == '-' || character == '_';
    word.chars().take(MAX_WORD_CHARS).map(|character| if is_plain(character) { character } else { '-' }).collect()
}

/// Returns whether `name` has the extension of temporary files. Interrupted writes leave files with such names behind.
pub fn is_temporary_name(name: &str) -> bool {
    std::path::Path::new(name).extension().is_some_and(|ending| ending == PART)
}

/// Returns a random name for a temporary file, which an attacker cannot predict.
#[cfg(feature = "system")]
pub(super) fn temporary_name() -> std::io::Result<String> {
    let mut bytes = [0_u8; 8];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(format!("parlour-{:016x}.{PART}", u64::from_le_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sanitized_words_contain_no_path_separators() {
        assert_eq!(sanitize_file_name("fault-x/../../../NAME"), "fault-x----------NAME");
        assert_eq!(sanitize_file_name("empty-zone"), "empty-zone");
        assert_eq!(sanitize_file_name("C:\\a\0b\u{202e}股"), "C--a-b--");
        assert_eq!(sanitize_file_name(&"a".repeat(1000)).len(), MAX_WORD_CHARS);
    }

    #[test]
    fn path_components_are_checked() {
        for name in ["", ".", "..", "...", "a/b", "a\\b", "/a", "c:", "a\0", "nul"] {
            assert!(invalid_name_reason(name).is_some(), "{name:?}");
        }
        for name in [".links", "a.play", "股.html", "a..b"] {
            assert!(invalid_name_reason(name).is_none(), "{name:?}");
        }
    }

    #[test]
    fn temporary_names_differ() {
        let (one, other) = (temporary_name().unwrap(), temporary_name().unwrap());
        assert!(is_temporary_name(&one) && is_temporary_name(&other) && one != other);
    }
}
