//! Writes pictures of single cards. A browser renders pages that show many cards each, and the screenshots are then cut into single cards.

use super::browser::{Browser, NoPdf};
use super::check::count_text;
use super::output::{Failure, Output, usage};
use super::saving::write_below;
use crate::diagnostic::shown;
use crate::files::ScratchFolder;
use crate::paper::{ImagePage, Images, MARK, MARK_COLOR, Order, Preset};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// Name of the file that lists the pictures, with the number of copies of each.
const LIST: &str = "cards.csv";

/// Name of the file with the saved object for Tabletop Simulator.
const SAVED_OBJECT: &str = "tabletop-simulator.json";

/// Maximum number of columns of a sheet.
const COLUMNS: usize = 10;
/// Maximum number of cards on a sheet. A full sheet has 70 places, but Tabletop Simulator shows the last one to players who may not see a
/// card.
const MOST_ON_SHEET: usize = 69;

/// Largest width of a sheet in pixels.
const LARGEST_WIDTH: u32 = 4_096;

/// Number of bytes per pixel: red, green, blue, alpha.
const CHANNELS: usize = 4;

/// A picture: its width and height in pixels, and its pixels row by row.
#[derive(Clone)]
struct Raster {
    size: (u32, u32),
    pixels: Vec<u8>,
}

/// Writes the pictures of all cards and a list of the pictures. For Tabletop Simulator, also writes sheets and a saved object. Returns the
/// names of the files.
pub(super) fn write(
    images: &Images,
    order: &Order,
    (folder, without_sandbox): (&Path, bool),
    browser: &Browser,
    game: &str,
    output: &mut Output,
) -> Result<Vec<String>, Failure> {
    let mut rasters: BTreeMap<usize, Raster> = BTreeMap::new();
    for page in &images.pages {
        let screenshot = screenshot(page, browser, without_sandbox)?;
        for (card, corner) in &page.cards {
            rasters.insert(*card, screenshot.cut(*corner, images.cards[*card].pixels));
        }
    }
    let is_for_table = order.preset == Preset::TabletopSimulator;
    let mut files = vec![LIST.to_owned()];
    for (at, card) in images.cards.iter().enumerate() {
        // Tabletop Simulator takes the fronts from sheets, not from single pictures.
        if is_for_table && card.count > 0 && !card.back.is_empty() {
            continue;
        }
        write_below(folder, &card.file, rasters[&at].png()?)?;
        files.push(card.file.clone());
    }
    let name = shown(folder);
    if is_for_table {
        files.extend(write_decks(images, &rasters, folder, game)?);
    }
    write_below(folder, LIST, list(images))?;
    let pictures = files.len() - 1;
    if is_for_table {
        output.line(format!(
            "{name}: put `{SAVED_OBJECT}` into the Saved Objects of Tabletop Simulator; `{LIST}` lists the cards"
        ))?;
    } else {
        output.line(format!("{name}: {} (`{LIST}` says how many of each)", count_text(pictures, "picture")))?;
    }
    let odd = images.cards.iter().filter(|card| card.product.is_empty()).count();
    if odd > 0 && matches!(order.preset, Preset::MakePlayingCards | Preset::GameCrafter) {
        let pictures = count_text(odd, "picture");
        output.remark(format!(
            "{pictures}: the printer has no product of this size that Parlour knows, so they are true to size"
        ))?;
    }
    Ok(files)
}

/// Takes a screenshot of a page. Fails if the screenshot does not show the whole page.
fn screenshot(page: &ImagePage, browser: &Browser, without_sandbox: bool) -> Result<Raster, Failure> {
    let folder = ScratchFolder::create(&std::env::temp_dir())?;
    let file = folder.path().join("page.html");
    write_below(folder.path(), "page.html", &page.html)?;
    let bytes = browser.screenshot(&file, page.pixels, page.resolution, without_sandbox).map_err(|why| {
        let sandbox = matches!(why, NoPdf::Failed(_)) && !without_sandbox;
        let help = sandbox.then(|| "within a container, `--no-sandbox` may help".to_owned());
        Failure::Usage(format!("no pictures: {}", why.explain(browser)), help)
    })?;
    let raster = Raster::read(&bytes).ok_or_else(|| usage("the browser's picture cannot be read"))?;
    let (width, height) = page.pixels;
    let is_whole = raster.size.0 >= width && raster.size.1 >= height;
    let mark = |x: u32, y: u32| raster.pixel(x, y)[..3] == MARK_COLOR;
    if is_whole && mark(width - MARK / 2, height - MARK / 2) {
        Ok(raster)
    } else {
        Err(usage("the browser's picture does not show the whole page"))
    }
}

impl Raster {
    /// Reads a color PNG, and converts it to 8 bits per channel with an alpha channel. Returns `None` for anything else.
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
        let mut reader = decoder.read_info().ok()?;
        let mut pixels = vec![0; reader.output_buffer_size()?];
        let info = reader.next_frame(&mut pixels).ok()?;
        let size = (info.width, info.height);
        let is_expected = info.color_type == png::ColorType::Rgba && info.bit_depth == png::BitDepth::Eight;
        is_expected.then_some(Self { size, pixels })
    }

    fn pixel(&self, x: u32, y: u32) -> &[u8] {
        let at = (y as usize * self.size.0 as usize + x as usize) * CHANNELS;
        &self.pixels[at..at + CHANNELS]
    }

    /// Returns the part of the picture with the given top left corner and size.
    fn cut(&self, (left, top): (u32, u32), size: (u32, u32)) -> Self {
        let row = |y: u32| {
            let from = ((top + y) as usize * self.size.0 as usize + left as usize) * CHANNELS;
            &self.pixels[from..from + size.0 as usize * CHANNELS]
        };
        Self { size, pixels: (0..size.1).flat_map(row).copied().collect() }
    }

    /// Encodes the picture as PNG, without the alpha channel.
    fn png(&self) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.size.0, self.size.1);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let colors: Vec<u8> = self.pixels.chunks_exact(CHANNELS).flat_map(|pixel| &pixel[..3]).copied().collect();
        let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&colors));
        written.map_err(|error| usage(format!("a picture cannot be written: {error}")))?;
        Ok(bytes)
    }

    /// Returns the picture scaled down to `size`. Each pixel is the average of the pixels that it covers.
    fn scaled(&self, size: (u32, u32)) -> Self {
        let mut pixels = Vec::with_capacity(size.0 as usize * size.1 as usize * CHANNELS);
        let span = |at: u32, from: u32, to: u32| {
            let first = u64::from(at) * u64::from(from) / u64::from(to);
            let end = (u64::from(at) + 1) * u64::from(from) / u64::from(to);
            (first as u32, (end as u32).max(first as u32 + 1).min(from))
        };
        for y in 0..size.1 {
            let (top, bottom) = span(y, self.size.1, size.1);
            for x in 0..size.0 {
                let (left, right) = span(x, self.size.0, size.0);
                let mut sums = [0_u32; CHANNELS];
                for row in top..bottom {
                    for column in left..right {
                        sums.iter_mut()
                            .zip(self.pixel(column, row))
                            .for_each(|(sum, channel)| *sum += u32::from(*channel));
                    }
                }
                let count = (bottom - top) * (right - left);
                pixels.extend(sums.map(|sum| (sum / count.max(1)) as u8));
            }
        }
        Self { size, pixels }
    }

    /// Copies `other` into this picture, with its top left corner at the given position.
    fn paste(&mut self, other: &Self, (left, top): (u32, u32)) {
        for y in 0..other.size.1 {
            let to = ((top + y) as usize * self.size.0 as usize + left as usize) * CHANNELS;
            let (from, length) = ((y * other.size.0) as usize * CHANNELS, other.size.0 as usize * CHANNELS);
            self.pixels[to..to + length].copy_from_slice(&other.pixels[from..from + length]);
        }
    }
}

/// Returns the list of pictures as CSV.
fn list(images: &Images) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut list = "file,back,name,copies,width,height,product\n".to_owned();
    for card in images.cards.iter().filter(|card| card.count > 0) {
        let (width, height) = card.pixels;
        let name = crate::model::escape_formula(&card.name);
        let _ = writeln!(
            list,
            "{},{},{},{},{width},{height},{}",
            card.file,
            card.back,
            quoted(&name),
            card.count,
            quoted(card.product)
        );
    }
    list
}

/// Writes the sheets of all decks, and the saved object. Returns the names of the files.
fn write_decks(
    images: &Images,
    rasters: &BTreeMap<usize, Raster>,
    folder: &Path,
    game: &str,
) -> Result<Vec<String>, Failure> {
    let mut files = Vec::new();
    let mut decks = Vec::new();
    let here = folder.canonicalize()?;
    let address = |file: &str| super::browser::file_url(&here.join(file));
    for (back, cards) in decks_of(images) {
        for cards in cards.chunks(MOST_ON_SHEET) {
            let (columns, rows) = (cards.len().clamp(2, COLUMNS), cards.len().div_ceil(COLUMNS).max(2));
            let rows = rows.max(cards.len().div_ceil(columns));
            let pixels = images.cards[cards[0]].pixels;
            let width = pixels.0.min(LARGEST_WIDTH / columns as u32).max(1);
            let card_size = (width, (pixels.1 * width / pixels.0.max(1)).max(1));
            let size = (card_size.0 * columns as u32, card_size.1 * rows as u32);
            let mut sheet = Raster { size, pixels: vec![255; size.0 as usize * size.1 as usize * CHANNELS] };
            for (at, card) in cards.iter().enumerate() {
                let (column, row) = ((at % columns) as u32, (at / columns) as u32);
                sheet.paste(&rasters[card].scaled(card_size), (column * card_size.0, row * card_size.1));
            }
            let file = format!("deck-{:02}.png", decks.len() + 1);
            write_below(folder, &file, sheet.png()?)?;
            decks.push(deck(images, cards, (columns, rows), decks.len(), (&address(&file), &address(&back))));
            files.push(file);
        }
    }
    let saved = json!({ "SaveName": game, "ObjectStates": decks });
    write_below(folder, SAVED_OBJECT, serde_json::to_string_pretty(&saved)? + "\n")?;
    files.push(SAVED_OBJECT.to_owned());
    Ok(files)
}

/// Groups the cards by back and size. A card without a back has its own front as its back.
fn decks_of(images: &Images) -> Vec<(String, Vec<usize>)> {
    let mut decks: Vec<(String, (u32, u32), Vec<usize>)> = Vec::new();
    for (at, card) in images.cards.iter().enumerate().filter(|(_, card)| card.count > 0) {
        let back = if card.back.is_empty() { card.file.clone() } else { card.back.clone() };
        match decks.iter_mut().find(|(known, size, _)| *known == back && *size == card.pixels) {
            Some((.., cards)) => cards.push(at),
            None => decks.push((back, card.pixels, vec![at])),
        }
    }
    decks.into_iter().map(|(back, _, cards)| (back, cards)).collect()
}

/// Returns a deck as Tabletop Simulator stores it, or a single card if the deck has only one.
fn deck(
    images: &Images,
    cards: &[usize],
    (columns, rows): (usize, usize),
    number: usize,
    (face, back): (&str, &str),
) -> Value {
    let sheet = number + 1;
    let custom = json!({ sheet.to_string(): {
        "FaceURL": face, "BackURL": back, "NumWidth": columns, "NumHeight": rows,
        "BackIsHidden": true, "UniqueBack": false, "Type": 0,
    } });
    // Decks lie face down in rows of six.
    let place = |x: usize, y: usize| {
        json!({
            "posX": x as f64 * 3.0 - 7.5, "posY": 1.0, "posZ": 6.0 - y as f64 * 4.0,
            "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0, "scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0,
        })
    };
    let transform = place(number % 6, number / 6);
    let copies: Vec<(usize, usize)> = cards
        .iter()
        .enumerate()
        .flat_map(|(at, card)| std::iter::repeat_n((at, *card), images.cards[*card].count))
        .collect();
    let one = |(at, card): &(usize, usize)| {
        json!({
            "Name": "Card", "Transform": transform, "Nickname": images.cards[*card].name,
            "CardID": sheet * 100 + at, "CustomDeck": custom,
        })
    };
    if let [single] = &copies[..] {
        return one(single);
    }
    json!({
        "Name": "DeckCustom", "Transform": transform, "Nickname": "",
        "DeckIDs": copies.iter().map(|(at, _)| sheet * 100 + at).collect::<Vec<_>>(),
        "CustomDeck": custom,
        "ContainedObjects": copies.iter().map(one).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::{CHANNELS, Raster};

    fn raster(size: (u32, u32)) -> Raster {
        let number = (size.0 * size.1) as usize * CHANNELS;
        Raster {
            size,
            pixels: (0..number).map(|at| if at % CHANNELS == 3 { 255 } else { (at * 7 % 251) as u8 }).collect(),
        }
    }

    #[test]
    fn a_picture_survives_writing_and_reading() {
        let picture = raster((7, 5));
        let read = Raster::read(&picture.png().unwrap()).unwrap();
        assert_eq!((read.size, read.pixels), (picture.size, picture.pixels));
        assert!(Raster::read(b"no picture").is_none());
    }

    #[test]
    fn parts_are_cut_and_pasted_where_they_belong() {
        let picture = raster((6, 6));
        let part = picture.cut((2, 1), (3, 4));
        assert_eq!(part.pixel(0, 0), picture.pixel(2, 1));
        assert_eq!(part.pixel(2, 3), picture.pixel(4, 4));
        let mut empty = Raster { size: (6, 6), pixels: vec![0; 6 * 6 * CHANNELS] };
        empty.paste(&part, (2, 1));
        assert_eq!(empty.pixel(4, 4), picture.pixel(4, 4));
        assert_eq!(empty.pixel(5, 5), [0; CHANNELS]);
    }

    #[test]
    fn scaling_averages_pixels() {
        let mut picture = Raster { size: (2, 2), pixels: vec![0; 4 * CHANNELS] };
        picture.pixels[..CHANNELS].copy_from_slice(&[100, 40, 0, 255]);
        assert_eq!(picture.scaled((1, 1)).pixels, [25, 10, 0, 63]);
        assert_eq!(raster((5, 3)).scaled((5, 3)).pixels, raster((5, 3)).pixels);
    }
}
