//! Converts between paths and `file:` URIs.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Returns the path of a `file:` URI; `None` for other URIs.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = &rest[rest.find('/')?..];
    let bytes = rest.as_bytes();
    let (mut path, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(byte) = bytes.get(at) {
        let digits = bytes.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        let decoded = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| *byte == b'%');
        path.push(decoded.unwrap_or(*byte));
        at += if decoded.is_some() { 3 } else { 1 };
    }
    let path = String::from_utf8(path).ok()?;
    // Windows paths have a slash before the drive letter.
    let is_drive = path.len() > 2 && path.as_bytes()[2] == b':' && path.as_bytes()[1].is_ascii_alphabetic();
    Some(PathBuf::from(if is_drive { &path[1..] } else { &path }))
}

/// Returns the `file:` URI of a path.
pub(super) fn uri_of(path: &Path) -> String {
    let shown = crate::diagnostic::shown(path);
    let mut uri = "file://".to_owned();
    if !shown.starts_with('/') {
        uri.push('/');
    }
    for byte in shown.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            write!(uri, "%{byte:02X}").expect("a text takes a character");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_and_paths_convert_both_ways() {
        for (path, uri) in
            [("/a b/縱.play", "file:///a%20b/%E7%B8%B1.play"), ("/games/a/game.toml", "file:///games/a/game.toml")]
        {
            assert_eq!(uri_of(Path::new(path)), uri);
            assert_eq!(path_of(uri).unwrap(), Path::new(path));
        }
        assert_eq!(path_of("file:///c%3A/a.toml").unwrap(), Path::new("c:/a.toml"));
        assert_eq!(path_of("file:///a%zz%"), Some(PathBuf::from("/a%zz%")));
        assert_eq!(path_of("untitled:1"), None);
    }
}
