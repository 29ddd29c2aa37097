//! The game in a page that `parlour export` has written. The page may come from a stranger, so all of its content is checked.

use super::game_files::{GameFile, LARGEST_FILE, MAX_FILES, is_of_game};
use super::output::{Failure, usage};
use crate::diagnostic::{GAME, find_invisible, shown};
use crate::files::{read_named, unportable_reason};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

/// Start tag of the HTML element of a page that contains the game.
pub(super) const BEGIN: &str = "<script type=\"application/json\" id=\"parlour-game\">";

/// End tag of the HTML element that contains the game.
pub(super) const END: &str = "</script>";

/// Maximum size of a page in bytes.
const LARGEST_PAGE: u64 = 64 << 20;

/// A game stored in a page.
#[derive(Serialize, Deserialize)]
pub(super) struct PageGame {
    /// Id of the game.
    pub(super) name: String,
    /// Name of the page's file.
    pub(super) file: String,
    /// Hash of the files. A browser continues a saved game only with files that have the same hash.
    pub(super) mark: String,
    /// Paths and contents of the game's files.
    #[serde(deserialize_with = "deserialize_files")]
    pub(super) files: Vec<(String, Content)>,
}

/// Content of a file in a page.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Content {
    /// Content of a text file.
    Text(String),
    /// Content that is not text.
    Bytes {
        /// Content encoded as Base64.
        base64: String,
    },
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::Text(text),
            Err(error) => Self::Bytes { base64: STANDARD.encode(error.as_bytes()) },
        }
    }
}

/// Reads the list of files. Stops at the first file beyond [`MAX_FILES`], because a page of 64 MB can list millions of empty files.
fn deserialize_files<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, Content)>, D::Error> {
    struct Files;

    impl<'de> Visitor<'de> for Files {
        type Value = Vec<(String, Content)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of files")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Self::Value, A::Error> {
            let mut files = Vec::new();
            while let Some(file) = all.next_element()? {
                if files.len() == MAX_FILES {
                    return Err(A::Error::custom(format!("it has more than {MAX_FILES} files")));
                }
                files.push(file);
            }
            Ok(files)
        }
    }

    deserializer.deserialize_seq(Files)
}

/// Not derived: for an untagged enum, serde first stores the whole value, whose numbers take 16 times as much memory as their digits.
impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneContent;

        impl<'de> Visitor<'de> for OneContent {
            type Value = Content;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, or a map with `base64`")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Content, E> {
                Ok(Content::Text(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Content, A::Error> {
                let mut found = None;
                while let Some(key) = entries.next_key::<String>()? {
                    if key == "base64" {
                        found = Some(entries.next_value()?);
                    } else {
                        entries.next_value::<IgnoredAny>()?;
                    }
                }
                found.map(|base64| Content::Bytes { base64 }).ok_or_else(|| A::Error::missing_field("base64"))
            }
        }

        deserializer.deserialize_any(OneContent)
    }
}

/// Returns whether a name is the path of an existing HTML file.
pub(super) fn is_page(name: &str) -> bool {
    let path = Path::new(name);
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html")) && path.is_file()
}

/// Reads the files of the game in a page, sorted by path.
pub(super) fn files(path: &Path) -> Result<Vec<GameFile>, Failure> {
    let name = shown(path);
    let bytes = read_named(path, LARGEST_PAGE).map_err(|error| usage(format!("`{name}` cannot be read: {error}")))?;
    let text = String::from_utf8_lossy(&bytes);
    let part = text.split_once(BEGIN).and_then(|(_, rest)| rest.split_once(END)).map(|(part, _)| part);
    let Some(part) = part else {
        let help = "give a page that `parlour export` has written, or the folder of a game";
        return Err(Failure::Usage(format!("there is no game in `{name}`"), Some(help.to_owned())));
    };
    let game: PageGame =
        serde_json::from_str(part).map_err(|error| usage(format!("the game in `{name}` cannot be read: {error}")))?;
    let mut files = Vec::new();
    for (file, content) in game.files {
        if let Some(why) = refused_name(&file) {
            return Err(usage(format!(
                "the game in `{name}` has a file that cannot be written, `{}`: {why}",
                file.escape_debug()
            )));
        }
        let bytes = match content {
            Content::Text(text) => text.into_bytes(),
            Content::Bytes { base64 } => STANDARD
                .decode(base64)
                .map_err(|error| usage(format!("`{file}` of the game in `{name}` cannot be read: {error}")))?,
        };
        if bytes.len() as u64 > LARGEST_FILE {
            return Err(usage(format!("`{file}` of the game in `{name}` is too large")));
        }
        files.push((file, bytes));
    }
    files.sort();
    let mut known = BTreeSet::new();
    if let Some((file, _)) = files.iter().find(|(file, _)| !known.insert(file.to_lowercase())) {
        // Some file systems ignore the case of file names, so that one of the files would overwrite the other.
        return Err(usage(format!("the game in `{name}` has two files named `{file}`")));
    }
    if !files.iter().any(|(file, _)| file == GAME) {
        return Err(usage(format!("the game in `{name}` has no `{GAME}`")));
    }
    Ok(files)
}

/// Returns the reason why a path cannot be the relative path of a game's file, or `None` if the path is valid.
fn refused_name(path: &str) -> Option<String> {
    let part = |part: &str| match part {
        "" => Some("a part of its path is empty".to_owned()),
        _ if find_invisible(part).is_some() => Some("its name has an invisible character".to_owned()),
        _ if part.starts_with('.') => Some("a part of its path begins with `.`".to_owned()),
        _ => unportable_reason(part),
    };
    let other = || (!is_of_game(path)).then(|| "it is not a file of a game".to_owned());
    path.split('/').find_map(part).or_else(other)
}

#[cfg(test)]
mod tests {
    use super::refused_name;

    #[test]
    fn paths_stay_below_the_folder() {
        for path in [
            "",
            "/etc/passwd",
            "../x",
            "rules/../../x",
            "a//b",
            ".git/config",
            "C:\\x",
            "rules/nul",
            "a/",
            "Makefile",
            "rules/a\u{202e}.rhai",
            "plays/a.play.links",
        ] {
            assert!(refused_name(path).is_some(), "{path}");
        }
        for path in ["game.toml", "rules/turn.rhai", "faces/a b.png"] {
            assert_eq!(refused_name(path), None);
        }
    }
}
