//! Pictures in faces: files of limited size in the game's `faces/` folder. Their type is detected from their content,
//! and active content is removed from drawings.

use super::clean::{DrawingError, drawing};
use super::picture_names::{PictureNames, SCHEME, lock_ignoring_poison};
use super::pixels::pixel_count;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::cell::RefCell;

/// A picture in a face.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardPicture {
    /// Name of the file in `faces/`.
    pub name: String,
    /// Media type, such as `image/png`.
    pub media: &'static str,
    /// Content of the file. A drawing is cleaned.
    pub bytes: Vec<u8>,
}

/// Reason why a picture cannot be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PictureError {
    Named,
    Missing,
    TooLarge,
    TooManyPixels,
    TooMany,
    Unknown,
    NotADrawing,
    /// The drawing is too complex. Contains the reason.
    Intricate(String),
}

/// Maximum number of pictures of a game, and their maximum total size in bytes.
const MOST: usize = 512;
const LARGEST_OF_ALL: usize = 24 << 20;

/// Maximum number of pixels of a picture, and of all pictures of a game. Browsers need four bytes for each.
const MOST_PIXELS: u64 = 40_000_000;
const MOST_PIXELS_OF_ALL: u64 = 160_000_000;

impl CardPicture {
    /// Maximum size of one picture in bytes.
    pub const LARGEST: usize = 1 << 20;

    /// Returns the picture's name in URLs.
    pub(super) fn address(&self) -> String {
        name_of(&self.bytes)
    }

    /// Returns the picture as a `data:` URL.
    pub fn data_url(&self) -> String {
        format!("data:{};base64,{}", self.media, STANDARD.encode(&self.bytes))
    }
}

/// Returns a name for a file that is derived from its content: 24 hexadecimal digits of its BLAKE3 hash.
pub(super) fn name_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..24].to_owned()
}

/// Callback that returns the content of a file in the game's `faces/` folder, up to one byte more than [`CardPicture::LARGEST`], or `None`
/// if there is no such file.
pub(super) type Read<'a> = &'a (dyn Fn(&str) -> Option<Vec<u8>> + Sync);

/// Pictures of a game, loaded when they are first requested.
pub(super) struct Pictures<'a> {
    read: Read<'a>,
    requested: PictureNames,
    found: RefCell<Vec<Option<CardPicture>>>,
}

impl<'a> Pictures<'a> {
    pub(super) fn new(read: Read<'a>) -> Self {
        Self { read, requested: PictureNames::default(), found: RefCell::default() }
    }

    /// Returns the names requested so far.
    pub(super) fn requested(&self) -> &PictureNames {
        &self.requested
    }

    /// Returns the requested pictures in order; `None` for each that cannot be shown.
    pub(super) fn into_list(self) -> Vec<Option<CardPicture>> {
        self.found.into_inner()
    }

    /// Loads the pictures requested since the last call. Returns those that cannot be shown, with the reasons.
    pub(super) fn load_requested(&self) -> Vec<(String, PictureError)> {
        let mut requested = lock_ignoring_poison(&self.requested.0);
        let mut refused: Vec<(String, PictureError)> =
            requested.1.drain(..).map(|name| (name, PictureError::Named)).collect();
        let read_before = self.found.borrow().len();
        for name in requested.0.iter().skip(read_before) {
            let picture = self.read(name);
            refused.extend(picture.as_ref().err().map(|why| (name.clone(), why.clone())));
            self.found.borrow_mut().push(picture.ok());
        }
        refused
    }

    fn read(&self, name: &str) -> Result<CardPicture, PictureError> {
        let bytes = (self.read)(name).ok_or(PictureError::Missing)?;
        let found = self.found.borrow();
        let all: usize = found.iter().flatten().map(|picture| picture.bytes.len()).sum();
        if bytes.len() > CardPicture::LARGEST {
            return Err(PictureError::TooLarge);
        }
        if found.len() >= MOST || all + bytes.len() > LARGEST_OF_ALL {
            return Err(PictureError::TooMany);
        }
        let pixels = pixel_count(&bytes);
        if pixels > MOST_PIXELS {
            return Err(PictureError::TooManyPixels);
        }
        if pixels + found.iter().flatten().map(|picture| pixel_count(&picture.bytes)).sum::<u64>() > MOST_PIXELS_OF_ALL
        {
            return Err(PictureError::TooMany);
        }
        let (media, bytes) = match media_type(&bytes) {
            Some(media) => (media, bytes),
            None => ("image/svg+xml", clean_svg(&bytes)?),
        };
        Ok(CardPicture { name: name.to_owned(), media, bytes })
    }
}

/// Recognizes the media type of a raster image by its first bytes.
fn media_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

/// Removes active and external content from an SVG drawing.
fn clean_svg(bytes: &[u8]) -> Result<Vec<u8>, PictureError> {
    let text = std::str::from_utf8(bytes).map_err(|_| PictureError::Unknown)?;
    let is_drawing = text.get(..text.len().min(4096)).unwrap_or(text).contains("<svg");
    if !is_drawing {
        return Err(PictureError::Unknown);
    }
    drawing(text).map(String::into_bytes).map_err(|why| match why {
        DrawingError::Nothing => PictureError::NotADrawing,
        DrawingError::Intricate(how) => PictureError::Intricate(how),
    })
}

/// Returns the indices of the pictures whose placeholders occur in `text`, sorted and without duplicates.
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

/// Replaces the placeholders of pictures with references to the rules of [`shared_rule`], which embed each picture once per page. `names`
/// contains the name of each picture.
pub(super) fn put_embedded(text: &mut String, names: &[String]) {
    if text.contains(SCHEME) {
        *text = text
            .replace(&format!("src=\"{SCHEME}"), &format!("{SHARED}=\"{SCHEME}"))
            .replace(&format!("url({SCHEME}"), &format!("var({SHARED_VARIABLE}{SCHEME}"));
        put_addresses(text, names);
    }
}

/// Returns CSS rules that embed a picture in a page once. Any number of elements can show it.
pub(super) fn shared_rule(picture: &CardPicture) -> String {
    let name = picture.address();
    format!(
        ":root {{ {SHARED_VARIABLE}{name}: url({}); }}\nimg[{SHARED}=\"{name}\"] {{ content: var({SHARED_VARIABLE}{name}); }}\n",
        picture.data_url()
    )
}

/// Attribute of elements that show an embedded picture, and prefix of the CSS variables that contain the pictures.
const SHARED: &str = "data-picture";
const SHARED_VARIABLE: &str = "--parlour-picture-";

/// Replaces the placeholders of pictures with addresses.
pub(super) fn put_addresses(text: &mut String, addresses: &[String]) {
    if !text.contains(SCHEME) {
        return;
    }
    let mut parts = text.split(SCHEME);
    let mut replaced = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|character: char| !character.is_ascii_digit()).unwrap_or(part.len());
        replaced.push_str(part[..end].parse().ok().and_then(|at: usize| addresses.get(at)).map_or("", String::as_str));
        replaced.push_str(&part[end..]);
    }
    *text = replaced;
}

#[cfg(test)]
mod tests {
    use super::{PictureError, Pictures, media_type, put_addresses};

    #[test]
    fn pictures_are_recognized_by_content() {
        assert_eq!(media_type(b"\x89PNG\r\n\x1a\n...."), Some("image/png"));
        assert_eq!(media_type(b"RIFF....WEBPVP8 "), Some("image/webp"));
        let read = |name: &str| match name {
            "page.png" => Some(b"<html><script>1</script>".to_vec()),
            "large.png" => Some(vec![0; super::CardPicture::LARGEST + 1]),
            _ => None,
        };
        let pictures = Pictures::new(&read);
        for name in ["page.png", "large.png", "none.png"] {
            assert!(pictures.requested().address(name).is_some());
        }
        let refused: Vec<PictureError> = pictures.load_requested().into_iter().map(|(_, why)| why).collect();
        assert_eq!(refused, [PictureError::Unknown, PictureError::TooLarge, PictureError::Missing]);
        for name in
            ["../secret.png", "/etc/passwd", "a/b.png", "..", ".hidden", "C:\\a.png", "", "//evil.example/a.png"]
        {
            assert_eq!(pictures.requested().address(name), None, "{name}");
        }
    }

    #[test]
    fn only_existing_pictures_have_an_address() {
        let mut text = "a parlour-picture:1) parlour-picture:7) parlour-picture:x".to_owned();
        put_addresses(&mut text, &["zero".to_owned(), "one".to_owned()]);
        assert_eq!(text, "a one) ) x");
    }
}
