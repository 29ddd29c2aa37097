//! Access to a table: a secret link per viewer, the file that keeps the links valid across restarts, and the sessions that browsers
//! get in exchange for them.

use crate::desk::note_file::Author;
use crate::desk::refusal::Refusal;
use crate::diagnostic::shown;
use crate::files::{Trust, read_trusted, user_key, write_private};
use crate::model::Seat;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Role of a person at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Viewer {
    /// The player in the seat with this index, counted from 0.
    Seat(u8),
    /// A viewer without a seat. Sees only public information.
    Onlooker,
    /// The user who opened the table. Sees only public information, and manages the table.
    Host,
}

impl Viewer {
    /// Returns the path segment that identifies the viewer, such as `seat-1`.
    pub(super) fn path(self) -> String {
        match self {
            Self::Seat(seat) => format!("seat-{}", u16::from(seat) + 1),
            Self::Onlooker => "watch".to_owned(),
            Self::Host => "host".to_owned(),
        }
    }

    /// Parses a path segment that identifies a viewer.
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

impl From<Viewer> for Author {
    fn from(viewer: Viewer) -> Self {
        match viewer {
            Viewer::Seat(seat) => Self::Seat(Seat(seat)),
            Viewer::Onlooker => Self::Onlooker,
            Viewer::Host => Self::Host,
        }
    }
}

/// Draws a random seed. It has 64 bits, so that nobody can try all seeds.
pub(super) fn seed() -> Result<u64, Refusal> {
    let mut bytes = [0_u8; 8];
    drawn(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn drawn(bytes: &mut [u8]) -> Result<(), Refusal> {
    super::entropy::fill(bytes).map_err(|error| Refusal::new(format!("no secret can be drawn: {error}")))
}

/// A secret of 128 bits, written in hexadecimal digits.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Token(String);

/// Maximum lifetime of a session, in seconds: 30 days.
pub(super) const LONGEST_SESSION: u64 = 30 * 24 * 60 * 60;

/// Maximum size of a links file, in bytes.
const LARGEST: u64 = 1 << 20;

/// Number of hexadecimal digits of a token.
const DIGITS: usize = 32;

impl Token {
    /// Draws a random token.
    pub(super) fn fresh() -> Result<Self, Refusal> {
        let mut bytes = [0_u8; DIGITS / 2];
        drawn(&mut bytes)?;
        let mut text = String::with_capacity(DIGITS);
        for byte in bytes {
            let _ = write!(text, "{byte:02x}");
        }
        Ok(Self(text))
    }

    /// Parses a token. Returns `None` unless the text consists of 32 lowercase hexadecimal digits.
    pub(super) fn read(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (text.len() == DIGITS && text.bytes().all(is_digit)).then(|| Self(text.to_owned()))
    }

    /// Returns whether a text equals this token. The comparison takes constant time.
    pub(super) fn is(&self, text: &str) -> bool {
        let differs = self.0.bytes().zip(text.bytes()).fold(0, |so_far, (one, other)| so_far | (one ^ other));
        text.len() == DIGITS && differs == 0
    }

    /// Returns the secret of a session for `scope` that ends at `end`. A browser gets the session in exchange for this token.
    ///
    /// Browsers send cookies to every port of a machine, so another server on that machine may receive a session. That server cannot
    /// compute the token from the session. It cannot use the session at another address, in another seat, or after the link was renewed.
    pub(super) fn session(&self, scope: &str, end: u64) -> String {
        let key = blake3::derive_key("parlour session 1", self.0.as_bytes());
        format!("{end:x}.{}", blake3::keyed_hash(&key, format!("{end:x} {scope}").as_bytes()).to_hex())
    }

    /// Returns whether a text is a session of this token for `scope` that has not expired at `now`. The comparison takes constant time.
    pub(super) fn has_session(&self, text: &str, scope: &str, now: u64) -> bool {
        let parts = text.split_once('.').and_then(|(end, _)| u64::from_str_radix(end, 16).ok());
        let Some(end) = parts.filter(|end| (now..=now.saturating_add(LONGEST_SESSION)).contains(end)) else {
            return false;
        };
        let right = self.session(scope, end);
        let differs = right.bytes().zip(text.bytes()).fold(0, |so_far, (one, other)| so_far | (one ^ other));
        text.len() == right.len() && differs == 0
    }

    /// Returns the hexadecimal digits, as they appear in a link.
    pub(super) fn text(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}

/// First word of the last line of a file of links, before the hash of the other lines.
const BOUND: &str = "bound ";

/// Content of a file of links.
pub(super) struct LinkFile {
    /// Lines without the hash.
    pub(super) text: String,
    /// Whether this user's program wrote the file at this place. Otherwise somebody else may know its secrets.
    pub(super) is_own: bool,
}

/// Returns the hash of the lines of a file of links. It depends on the user's key and on the place of the file, so that neither a file
/// from somebody else nor one from another folder has the right hash.
fn binding(path: &Path, text: &str) -> Result<blake3::Hash, Refusal> {
    let key = user_key().map_err(|error| {
        let refusal = Refusal::new(format!("links cannot be kept, because there is no key for them: {error}"));
        refusal.help("set `XDG_STATE_HOME` (on Windows `LOCALAPPDATA`) to a folder that only you can read, or delete `parlour/key` in it")
    })?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let key = blake3::derive_key("parlour links 1", &key);
    Ok(blake3::keyed_hash(&key, format!("{}\n{name}\n{text}", folder.display()).as_bytes()))
}

/// Writes a file of links that only the user can read, with a hash by which [`read_links`] recognizes it.
pub(super) fn write_links(path: &Path, text: &str) -> Result<(), Refusal> {
    let bound = format!("{text}{BOUND}{}\n", binding(path, text)?.to_hex());
    write_private(path, bound.as_bytes())
        .map_err(|error| Refusal::new(format!("`{}` cannot be written: {error}", shown(path))))
}

/// Returns the remark about a file of links that this user's program did not write at this place.
pub(super) fn foreign_links(path: &Path) -> String {
    format!("the links in `{}` were not made here, so there are new links", shown(path))
}

/// Reads a links file. Returns `None` if the file does not exist. Refuses a file that another user can read or write.
pub(super) fn read_links(path: &Path) -> Result<Option<LinkFile>, Refusal> {
    match read_trusted(path, LARGEST, Trust::NobodyElseReads) {
        Ok(text) => {
            let (lines, hash) = text.rfind(BOUND).map_or((&*text, ""), |at| (&text[..at], &text[at + BOUND.len()..]));
            // Hashes are compared in constant time.
            let is_own = blake3::Hash::from_hex(hash.trim())
                .is_ok_and(|hash| binding(path, lines).is_ok_and(|right| right == hash));
            Ok(Some(LinkFile { text: lines.to_owned(), is_own }))
        }
        Err(error) if error.is_missing() => Ok(None),
        Err(error) => {
            let refusal = Refusal::new(format!("the links in `{}` are not taken: {error}", shown(path)));
            Err(refusal.help("remove the file, and new links are made; or, if you wrote it: `chmod 600`"))
        }
    }
}

/// Tokens of all viewers of one table.
#[derive(Debug)]
pub(super) struct Links {
    file: PathBuf,
    /// Names of the players in the order of their links.
    names: Vec<String>,
    tokens: Mutex<Vec<(Viewer, Token)>>,
    /// Remark for the user if the links in the file were not accepted.
    remark: Option<String>,
}

impl Links {
    /// Reads the links file beside a recording, and draws tokens for viewers without a link. `names` are the names of the players in seat
    /// order. If the file has the same players, each link keeps its player, even if the player has another seat now.
    ///
    /// # Errors
    /// Fails if the links file cannot be read or written, or if another user can read or write it.
    pub(super) fn of(kept: &Path, names: Vec<String>) -> Result<Self, Refusal> {
        let file = place(kept);
        let found = read_links(&file)?;
        let remark = found.as_ref().filter(|found| !found.is_own).map(|_| foreign_links(&file));
        let known = found.filter(|found| found.is_own).map_or_else(Vec::new, |found| read(&found.text));
        let viewers = (0..names.len() as u8).map(Viewer::Seat).chain([Viewer::Onlooker, Viewer::Host]);
        let link = |viewer| {
            let token = known.iter().find(|known| known.viewer == viewer).map(|known| Ok(known.token.clone()));
            Ok((viewer, token.unwrap_or_else(Token::fresh)?))
        };
        let tokens: Vec<(Viewer, Token)> = viewers.map(link).collect::<Result<_, Refusal>>()?;
        let named: Vec<String> = known.iter().filter_map(|known| known.name.clone()).collect();
        let is_same = named.len() == names.len() && named.iter().all(|name| names.contains(name));
        let links = Self { file, names: if is_same { named } else { names }, tokens: Mutex::new(tokens), remark };
        // If nothing has changed, the file is not written again. So the links survive if the program is stopped while it opens the table.
        let lines = links.lines(&links.tokens());
        if lines != known {
            write(&links.file, &lines)?;
        }
        Ok(links)
    }

    /// Returns the remark for the user if the links in the file were not accepted, because this user's program did not write them at this
    /// place.
    pub(super) fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }

    /// Returns the names of the players in the order of their links.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    fn lines(&self, tokens: &[(Viewer, Token)]) -> Vec<SavedLink> {
        let line = |(viewer, token): &(Viewer, Token)| {
            let name = match viewer {
                Viewer::Seat(place) => self.names.get(usize::from(*place)).cloned(),
                Viewer::Onlooker | Viewer::Host => None,
            };
            SavedLink { viewer: *viewer, token: token.clone(), name }
        };
        tokens.iter().map(line).collect()
    }

    /// Returns all viewers with their tokens.
    pub(super) fn all(&self) -> Vec<(Viewer, Token)> {
        self.tokens().clone()
    }

    /// Returns the token of a viewer.
    pub(super) fn token(&self, viewer: Viewer) -> Option<Token> {
        self.tokens().iter().find(|(known, _)| *known == viewer).map(|(_, token)| token.clone())
    }

    /// Gives a viewer a new token. The old one and all sessions obtained with it are invalid when this returns.
    ///
    /// # Errors
    /// Fails if there is no such viewer or the links cannot be written. The old token then stays valid.
    pub(super) fn renew(&self, viewer: Viewer) -> Result<Token, Refusal> {
        let mut tokens = self.tokens();
        let mut renewed = tokens.clone();
        let own = renewed.iter_mut().find(|(known, _)| *known == viewer);
        let (_, own) = own.ok_or_else(|| Refusal::new(format!("nobody has the link `{}`", viewer.path())))?;
        *own = Token::fresh()?;
        let token = own.clone();
        write(&self.file, &self.lines(&renewed))?;
        *tokens = renewed;
        Ok(token)
    }

    fn tokens(&self) -> MutexGuard<'_, Vec<(Viewer, Token)>> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Entry of a links file, written as the line `seat-1 TOKEN NAME`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SavedLink {
    pub(super) viewer: Viewer,
    pub(super) token: Token,
    /// Name of the player. `None` for onlookers and the host, and in files of earlier versions.
    name: Option<String>,
}

fn write(file: &Path, links: &[SavedLink]) -> Result<(), Refusal> {
    let line = |link: &SavedLink| {
        let name = link.name.as_ref().map_or_else(String::new, |name| format!(" {name}"));
        format!("{} {}{name}\n", link.viewer.path(), link.token.text())
    };
    write_links(file, &links.iter().map(line).collect::<String>())
}

/// Parses a file of links. Skips malformed lines.
pub(super) fn read(text: &str) -> Vec<SavedLink> {
    let line = |line: &str| {
        let mut words = line.splitn(3, ' ');
        let viewer = Viewer::named(words.next()?)?;
        let token = Token::read(words.next()?.trim())?;
        Some(SavedLink { viewer, token, name: words.next().map(|name| name.trim().to_owned()) })
    };
    text.lines().filter_map(line).collect()
}

/// Returns the path of the links file of a recording. Links are in a separate file, since recordings are shared.
fn place(kept: &Path) -> PathBuf {
    let mut name = kept.file_name().map_or_else(Default::default, std::ffi::OsStr::to_os_string);
    name.push(".links");
    kept.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viewer_paths_round_trip_and_others_are_rejected() {
        for viewer in [Viewer::Seat(0), Viewer::Seat(11), Viewer::Onlooker, Viewer::Host] {
            assert_eq!(Viewer::named(&viewer.path()), Some(viewer));
        }
        for other in ["seat-0", "seat-01", "seat-+1", "seat-999", "seat-", "Host", ""] {
            assert_eq!(Viewer::named(other), None, "{other}");
        }
    }

    #[test]
    fn a_token_matches_only_its_own_text_and_debug_hides_it() {
        let [one, other] = [Token::fresh().unwrap(), Token::fresh().unwrap()];
        assert!(one.is(one.text()) && !one.is(other.text()) && !one.is(&one.text()[1..]) && !one.is(""));
        assert!(Token::read(one.text()).is_some() && Token::read("0123").is_none());
        assert_eq!(format!("{one:?}"), "Token");
    }

    #[test]
    fn a_session_is_bound_to_its_token_and_scope_and_expires() {
        let [one, other] = [Token::fresh().unwrap(), Token::fresh().unwrap()];
        let (now, end) = (1_000_000, 1_000_000 + LONGEST_SESSION);
        let session = one.session("8128 table seat-1", end);
        assert!(!session.contains(one.text()));
        assert!(
            one.has_session(&session, "8128 table seat-1", now) && one.has_session(&session, "8128 table seat-1", end)
        );
        assert!(!one.has_session(&session, "8128 table seat-1", end + 1), "it has ended");
        assert!(!one.has_session(&session, "8128 table seat-1", now - 1), "nobody has been given one that long");
        assert!(!other.has_session(&session, "8128 table seat-1", now));
        for scope in ["8129 table seat-1", "8128 table seat-2", "8128 other seat-1"] {
            assert!(!one.has_session(&session, scope, now), "{scope}");
        }
        let longer = session.replacen(&format!("{end:x}."), &format!("{:x}.", end - 1), 1);
        for wrong in [one.text(), "", ".", &session[..session.len() - 1], &longer, &format!("{session}0")] {
            assert!(!one.has_session(wrong, "8128 table seat-1", now), "{wrong}");
        }
    }
}
