//! The links to a table: who may come in by which, and where they are kept so that they stay valid.

use crate::desk::refusal::Refusal;
use crate::diagnostic::shown;
use crate::report::write_whole_private;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Who looks at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Viewer {
    /// The player in a seat, counted from 0.
    Seat(u8),
    /// A viewer without a seat, who sees what everybody sees.
    Onlooker,
    /// The user who opened the table: sees what everybody sees, and decides.
    Host,
}

impl Viewer {
    /// The part of an address that stands for it.
    pub(super) fn path(self) -> String {
        match self {
            Self::Seat(seat) => format!("seat-{}", u16::from(seat) + 1),
            Self::Onlooker => "watch".to_owned(),
            Self::Host => "host".to_owned(),
        }
    }

    /// Who a part of an address stands for.
    pub(super) fn named(path: &str) -> Option<Self> {
        match path {
            "watch" => Some(Self::Onlooker),
            "host" => Some(Self::Host),
            _ => {
                let number: u8 = path.strip_prefix("seat-")?.parse().ok()?;
                let seat = Self::Seat(number.checked_sub(1)?);
                (seat.path() == path).then_some(seat)
            }
        }
    }
}

/// Where chance begins at a table of strangers: nobody who sits there can play all seeds through.
pub(super) fn seed() -> Result<u64, Refusal> {
    let mut bytes = [0_u8; 8];
    drawn(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn drawn(bytes: &mut [u8]) -> Result<(), Refusal> {
    getrandom::fill(bytes).map_err(|error| Refusal::new(format!("no secret can be drawn: {error}")))
}

/// A secret of 128 bits, written in hexadecimal digits.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Token(String);

/// How many digits a token has.
const DIGITS: usize = 32;

impl Token {
    /// One that nobody can guess: the operating system has drawn it.
    pub(super) fn fresh() -> Result<Self, Refusal> {
        let mut bytes = [0_u8; DIGITS / 2];
        drawn(&mut bytes)?;
        let mut text = String::with_capacity(DIGITS);
        for byte in bytes {
            let _ = write!(text, "{byte:02x}");
        }
        Ok(Self(text))
    }

    pub(super) fn read(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (text.len() == DIGITS && text.bytes().all(is_digit)).then(|| Self(text.to_owned()))
    }

    /// Whether a text is this token; how long that takes does not tell how much of it is right.
    pub(super) fn is(&self, text: &str) -> bool {
        let differs = self.0.bytes().zip(text.bytes()).fold(0, |so_far, (one, other)| so_far | (one ^ other));
        text.len() == DIGITS && differs == 0
    }

    /// As it stands in a link.
    pub(super) fn text(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}

/// Who comes to a table by which token.
#[derive(Debug, Clone)]
pub(super) struct Links(Vec<(Viewer, Token)>);

impl Links {
    /// The links of a table that is kept in a file: those that lie beside the file, and new ones where there are none.
    pub(super) fn of(kept: &Path, seats: u8) -> Result<Self, Refusal> {
        let place = place(kept);
        let known = match fs::read_to_string(&place) {
            Ok(text) => read(&text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(Refusal::new(format!("`{}` cannot be read: {error}", shown(&place)))),
        };
        let viewers = (0..seats).map(Viewer::Seat).chain([Viewer::Onlooker, Viewer::Host]);
        let link = |viewer| {
            let token = known.iter().find(|(known, _)| *known == viewer).map(|(_, token)| Ok(token.clone()));
            Ok((viewer, token.unwrap_or_else(Token::fresh)?))
        };
        let links = Self(viewers.map(link).collect::<Result<_, Refusal>>()?);
        // A user who stops the program while it opens a table finds the links as they were.
        if links.0 != known {
            write_whole_private(&place, links.written().as_bytes())
                .map_err(|error| Refusal::new(format!("`{}` cannot be written: {error}", shown(&place))))?;
        }
        Ok(links)
    }

    /// Everybody who may come, with the token.
    pub(super) fn all(&self) -> impl Iterator<Item = (Viewer, &Token)> {
        self.0.iter().map(|(viewer, token)| (*viewer, token))
    }

    /// Whether a token is that of a viewer.
    pub(super) fn lets_in(&self, viewer: Viewer, token: &str) -> bool {
        self.all().any(|(known, own)| known == viewer && own.is(token))
    }

    fn written(&self) -> String {
        let line = |(viewer, token): (Viewer, &Token)| format!("{} {}\n", viewer.path(), token.text());
        self.all().map(line).collect()
    }
}

fn read(text: &str) -> Vec<(Viewer, Token)> {
    let line = |line: &str| {
        let (viewer, token) = line.split_once(' ')?;
        Some((Viewer::named(viewer)?, Token::read(token.trim())?))
    };
    text.lines().filter_map(line).collect()
}

/// Where the links of a table lie: apart from the recording, which is handed around.
fn place(kept: &Path) -> PathBuf {
    let mut name = kept.file_name().map_or_else(Default::default, std::ffi::OsStr::to_os_string);
    name.push(".links");
    kept.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_looks_has_one_address() {
        for viewer in [Viewer::Seat(0), Viewer::Seat(11), Viewer::Onlooker, Viewer::Host] {
            assert_eq!(Viewer::named(&viewer.path()), Some(viewer));
        }
        for other in ["seat-0", "seat-01", "seat-+1", "seat-999", "seat-", "Host", ""] {
            assert_eq!(Viewer::named(other), None, "{other}");
        }
    }

    #[test]
    fn a_token_is_itself_alone() {
        let [one, other] = [Token::fresh().unwrap(), Token::fresh().unwrap()];
        assert!(one.is(one.text()) && !one.is(other.text()) && !one.is(&one.text()[1..]) && !one.is(""));
        assert!(Token::read(one.text()).is_some() && Token::read("0123").is_none());
        assert_eq!(format!("{one:?}"), "Token");
    }
}
