//! Pictures of faces: files in the game's `faces/`, known by their first bytes, of a bounded size; drawings without anything that acts.

use super::clean::{NoDrawing, drawing};
use super::picture_names::{PictureNames, SCHEME, locked};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::cell::RefCell;

/// A picture that a face shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardPicture {
    /// The name of its file in `faces/`.
    pub name: String,
    /// What it is, as `image/png`.
    pub media: &'static str,
    /// What it is made of.
    pub bytes: Vec<u8>,
}

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NoPicture {
    Named,
    Missing,
    TooLarge,
    TooMany,
    Unknown,
    NotADrawing,
    /// Too intricate a drawing; says how.
    Intricate(String),
}

/// The most pictures of a game, and the most bytes of them all.
const MOST: usize = 512;
const LARGEST_OF_ALL: usize = 24 << 20;

impl CardPicture {
    /// The most bytes of one picture.
    pub const LARGEST: usize = 1 << 20;

    /// What the picture is called in addresses.
    pub(super) fn address(&self) -> String {
        name_of(&self.bytes)
    }

    /// The picture as an address that needs nothing else.
    pub(super) fn embedded(&self) -> String {
        format!("data:{};base64,{}", self.media, STANDARD.encode(&self.bytes))
    }
}

/// A name for what goes by its bytes alone.
pub(super) fn name_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..24].to_owned()
}

/// Reads a file in the game's `faces/` by its name: no more than the most bytes and one; nothing where there is none.
pub(super) type Read<'a> = &'a (dyn Fn(&str) -> Option<Vec<u8>> + Sync);

/// The pictures of a game, read when they are first asked for.
pub(super) struct Pictures<'a> {
    read: Read<'a>,
    asked: PictureNames,
    found: RefCell<Vec<Option<CardPicture>>>,
}

impl<'a> Pictures<'a> {
    pub(super) fn new(read: Read<'a>) -> Self {
        Self { read, asked: PictureNames::default(), found: RefCell::default() }
    }

    /// Where pictures are asked for.
    pub(super) fn asked(&self) -> &PictureNames {
        &self.asked
    }

    pub(super) fn into_list(self) -> Vec<Option<CardPicture>> {
        self.found.into_inner()
    }

    /// Reads what was asked for since this was last called: what cannot be shown, and why.
    pub(super) fn refused(&self) -> Vec<(String, NoPicture)> {
        let mut asked = locked(&self.asked.0);
        let mut refused: Vec<(String, NoPicture)> = asked.1.drain(..).map(|name| (name, NoPicture::Named)).collect();
        let read_before = self.found.borrow().len();
        for name in asked.0.iter().skip(read_before) {
            let picture = self.read(name);
            refused.extend(picture.as_ref().err().map(|why| (name.clone(), why.clone())));
            self.found.borrow_mut().push(picture.ok());
        }
        refused
    }

    fn read(&self, name: &str) -> Result<CardPicture, NoPicture> {
        let bytes = (self.read)(name).ok_or(NoPicture::Missing)?;
        let found = self.found.borrow();
        let all: usize = found.iter().flatten().map(|picture| picture.bytes.len()).sum();
        if bytes.len() > CardPicture::LARGEST {
            return Err(NoPicture::TooLarge);
        }
        if found.len() >= MOST || all + bytes.len() > LARGEST_OF_ALL {
            return Err(NoPicture::TooMany);
        }
        let (media, bytes) = match media(&bytes) {
            Some(media) => (media, bytes),
            None => ("image/svg+xml", without_acts(&bytes)?),
        };
        Ok(CardPicture { name: name.to_owned(), media, bytes })
    }
}

/// What a picture of points is, by its first bytes.
fn media(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

/// A drawing without anything that acts or comes from elsewhere.
fn without_acts(bytes: &[u8]) -> Result<Vec<u8>, NoPicture> {
    let text = std::str::from_utf8(bytes).map_err(|_| NoPicture::Unknown)?;
    let is_drawing = text.get(..text.len().min(4096)).unwrap_or(text).contains("<svg");
    if !is_drawing {
        return Err(NoPicture::Unknown);
    }
    drawing(text).map(String::into_bytes).map_err(|why| match why {
        NoDrawing::Nothing => NoPicture::NotADrawing,
        NoDrawing::Intricate(how) => NoPicture::Intricate(how),
    })
}

/// The numbers of the pictures that a text names, rising, each once.
pub(super) fn numbers_in(text: &str) -> Vec<usize> {
    let behind = text.split(SCHEME).skip(1);
    let numbers = behind.filter_map(|part| {
        let end = part.find(|character: char| !character.is_ascii_digit()).unwrap_or(part.len());
        part[..end].parse().ok()
    });
    let mut numbers: Vec<usize> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Lets elements and styles show pictures that a page has once, in the rules of [`shared_rule`]: by the names that are given.
pub(super) fn put_shared(text: &mut String, names: &[String]) {
    if text.contains(SCHEME) {
        *text = text
            .replace(&format!("src=\"{SCHEME}"), &format!("{SHARED}=\"{SCHEME}"))
            .replace(&format!("url({SCHEME}"), &format!("var({SHARED_VARIABLE}{SCHEME}"));
        put(text, names);
    }
}

/// A stylesheet's rules by which a page has a picture once, however many elements show it.
pub(super) fn shared_rule(picture: &CardPicture) -> String {
    let name = picture.address();
    format!(
        ":root {{ {SHARED_VARIABLE}{name}: url({}); }}\nimg[{SHARED}=\"{name}\"] {{ content: var({SHARED_VARIABLE}{name}); }}\n",
        picture.embedded()
    )
}

/// The attribute of an element that shows such a picture, and what the variables of styles begin with.
const SHARED: &str = "data-picture";
const SHARED_VARIABLE: &str = "--parlour-picture-";

/// Puts addresses where the numbers of pictures stand.
pub(super) fn put(text: &mut String, addresses: &[String]) {
    if !text.contains(SCHEME) {
        return;
    }
    let mut parts = text.split(SCHEME);
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|character: char| !character.is_ascii_digit()).unwrap_or(part.len());
        whole.push_str(part[..end].parse().ok().and_then(|at: usize| addresses.get(at)).map_or("", String::as_str));
        whole.push_str(&part[end..]);
    }
    *text = whole;
}

#[cfg(test)]
mod tests {
    use super::{NoPicture, Pictures, media, put};

    #[test]
    fn a_picture_is_known_by_its_first_bytes_and_not_by_its_name() {
        assert_eq!(media(b"\x89PNG\r\n\x1a\n...."), Some("image/png"));
        assert_eq!(media(b"RIFF....WEBPVP8 "), Some("image/webp"));
        let read = |name: &str| match name {
            "page.png" => Some(b"<html><script>1</script>".to_vec()),
            "large.png" => Some(vec![0; super::CardPicture::LARGEST + 1]),
            _ => None,
        };
        let pictures = Pictures::new(&read);
        for name in ["page.png", "large.png", "none.png"] {
            assert!(pictures.asked().address(name).is_some());
        }
        let refused: Vec<NoPicture> = pictures.refused().into_iter().map(|(_, why)| why).collect();
        assert_eq!(refused, [NoPicture::Unknown, NoPicture::TooLarge, NoPicture::Missing]);
        for name in
            ["../secret.png", "/etc/passwd", "a/b.png", "..", ".hidden", "C:\\a.png", "", "//evil.example/a.png"]
        {
            assert_eq!(pictures.asked().address(name), None, "{name}");
        }
    }

    #[test]
    fn only_numbers_of_pictures_that_are_there_have_an_address() {
        let mut text = "a parlour-picture:1) parlour-picture:7) parlour-picture:x".to_owned();
        put(&mut text, &["zero".to_owned(), "one".to_owned()]);
        assert_eq!(text, "a one) ) x");
    }
}
