//! Images of single cards, for card printers and virtual tables. The cards are laid out on pages, and a browser takes a screenshot of each
//! page. The positions of the cards on the pages are known.

use super::head::head;
use super::order::Order;
use super::piece::{CountedPiece, Piece, bleed_html};
use super::preset::Preset;
use crate::faces::{Faces, Size};
use crate::model::Model;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Largest side of a page in pixels. Browsers limit the size of screenshots.
const LARGEST_PAGE: u32 = 4_000;

/// Largest side of a card in pixels.
const LARGEST_CARD: u32 = 3_600;

/// Side of the mark at the end of a page, in pixels. A screenshot without the mark is incomplete.
pub const MARK: u32 = 8;
/// Color of the mark: red, green and blue.
pub const MARK_COLOR: [u8; 3] = [18, 52, 86];

/// Number of tenths of a millimeter in 10 inches.
const TEN_INCHES: u32 = 2_540;

/// A card size that a printer offers: its name, the size of the cut card in hundredths of an inch, and the size of the image in pixels.
struct Product {
    name: &'static str,
    cut: (u32, u32),
    pixels: (u32, u32),
}

/// Card sizes that makeplayingcards.com offers.
const MAKE_PLAYING_CARDS: [Product; 2] = [
    Product { name: "63 × 88 mm", cut: (248, 346), pixels: (816, 1110) },
    Product { name: "poker", cut: (250, 350), pixels: (822, 1122) },
];

/// Card sizes that thegamecrafter.com offers.
const GAME_CRAFTER: [Product; 5] = [
    Product { name: "poker deck", cut: (250, 350), pixels: (825, 1125) },
    Product { name: "bridge deck", cut: (225, 350), pixels: (750, 1125) },
    Product { name: "mini deck", cut: (175, 250), pixels: (600, 825) },
    Product { name: "tarot deck", cut: (275, 475), pixels: (900, 1500) },
    Product { name: "square deck", cut: (350, 350), pixels: (1125, 1125) },
];

/// Maximum difference between a side of a card and the same side of a matching product, in hundredths of an inch (1.5 mm).
const MAX_DIFFERENCE: u32 = 6;

/// An image of the front or the back of a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardImage {
    /// Name of the image file.
    pub file: String,
    /// Name of the image file of the card's back; empty for backs and for cards without a back.
    pub back: String,
    /// Display name.
    pub name: String,
    /// Number of copies; 0 for backs.
    pub count: usize,
    /// Name of the printer's product; empty if the printer has no product of this size.
    pub product: &'static str,
    /// Width and height in pixels.
    pub pixels: (u32, u32),
}

/// A page with images of cards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImagePage {
    /// HTML of the page.
    pub html: String,
    /// Size of the page in pixels. The mark is in its bottom right corner.
    pub pixels: (u32, u32),
    /// Resolution in dots per inch.
    pub resolution: u32,
    /// Cards on the page: index of the image, and position of its top left corner.
    pub cards: Vec<(usize, (u32, u32))>,
}

/// All images of a print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Images {
    /// Images of fronts and backs.
    pub cards: Vec<CardImage>,
    /// Pages that show these images.
    pub pages: Vec<ImagePage>,
}

/// The front or the back of a card to be drawn, with its bleed.
struct Drawn<'f> {
    piece: Piece<'f>,
    is_back: bool,
    /// Bleed in pixels: on the left and right, and at the top and bottom.
    bleed: (u32, u32),
}

/// Creates the images of all pieces, and lays them out on pages.
pub(super) fn images(model: &Model, faces: &Faces, pieces: &[CountedPiece<'_>], order: &Order) -> Images {
    let (mut cards, mut drawn): (Vec<CardImage>, Vec<Drawn<'_>>) = (Vec::new(), Vec::new());
    for CountedPiece { key, name, piece, count, .. } in pieces {
        let (pixels, bleed, product) = dimensions(piece.size, order);
        let back = piece.back.map(|back| {
            let known = drawn.iter().position(|one| one.is_back && one.piece.front == back);
            let at = known.unwrap_or_else(|| {
                let file = file_name(&format!("back-{}", key.split('/').next().unwrap_or_default()));
                let file = unique(&cards, file);
                cards.push(CardImage { file, back: String::new(), name: name.clone(), count: 0, product, pixels });
                drawn.push(Drawn { piece: Piece { front: back, back: None, ..*piece }, is_back: true, bleed });
                cards.len() - 1
            });
            cards[at].file.clone()
        });
        let file = unique(&cards, file_name(key));
        cards.push(CardImage {
            file,
            back: back.unwrap_or_default(),
            name: name.clone(),
            count: *count,
            product,
            pixels,
        });
        drawn.push(Drawn { piece: *piece, is_back: false, bleed });
    }
    let title = model.name.get(order.language);
    let pages = pages(&cards).into_iter().map(|page| render(&page, &cards, &drawn, faces, (title, order))).collect();
    Images { cards, pages }
}

/// Returns the size of a card's image and of its bleed in pixels, and the name of the printer's matching product.
fn dimensions(size: Size, order: &Order) -> ((u32, u32), (u32, u32), &'static str) {
    let products: &[Product] = match order.preset {
        Preset::MakePlayingCards => &MAKE_PLAYING_CARDS,
        Preset::GameCrafter => &GAME_CRAFTER,
        Preset::Plain | Preset::TabletopSimulator => &[],
    };
    let dots = |millimeters: u16| (u32::from(millimeters) * 10 * order.resolution * 10 + TEN_INCHES / 2) / TEN_INCHES;
    let hundredths = |millimeters: u16| (u32::from(millimeters) * 1_000 + 127) / 254;
    let inches = (hundredths(size.width), hundredths(size.height));
    let away = |product: &&Product| product.cut.0.abs_diff(inches.0).max(product.cut.1.abs_diff(inches.1));
    if let Some(product) = products.iter().filter(|product| away(product) <= MAX_DIFFERENCE).min_by_key(away) {
        let bleed = (
            (product.pixels.0 - product.cut.0 * order.resolution / 100) / 2,
            (product.pixels.1 - product.cut.1 * order.resolution / 100) / 2,
        );
        return (product.pixels, bleed, product.name);
    }
    let bleed = if order.preset == Preset::TabletopSimulator { 0 } else { order.spacing.bleed };
    let bleed = (bleed * order.resolution * 10 + TEN_INCHES / 2) / TEN_INCHES;
    let side = |millimeters: u16| (dots(millimeters) + 2 * bleed).min(LARGEST_CARD);
    ((side(size.width), side(size.height)), (bleed, bleed), "")
}

/// Returns the name of a card's file: the card's key, with `-` instead of `/`.
fn file_name(key: &str) -> String {
    format!("{}.png", key.replace('/', "-"))
}

/// Returns `file`, with a number added if another image has this name.
fn unique(cards: &[CardImage], file: String) -> String {
    let is_free = |name: &String| !cards.iter().any(|card| card.file == *name);
    if is_free(&file) {
        return file;
    }
    let stem = file.trim_end_matches(".png");
    let mut numbered = (2..=cards.len() + 2).map(|number| format!("{stem}-{number}.png"));
    numbered.find(is_free).unwrap_or(file)
}

/// Divides the cards among pages, in rows from left to right.
fn pages(cards: &[CardImage]) -> Vec<Vec<(usize, (u32, u32))>> {
    let (mut pages, mut page) = (Vec::new(), Vec::new());
    let (mut x, mut y, mut row) = (0, 0, 0);
    for (at, card) in cards.iter().enumerate() {
        let (width, height) = card.pixels;
        if x > 0 && x + width > LARGEST_PAGE {
            (x, y, row) = (0, y + row, 0);
        }
        if y > 0 && y + height > LARGEST_PAGE {
            pages.push(std::mem::take(&mut page));
            (x, y, row) = (0, 0, 0);
        }
        page.push((at, (x, y)));
        x += width;
        row = row.max(height);
    }
    if !page.is_empty() {
        pages.push(page);
    }
    pages
}

/// Renders a page. Positions are whole pixels of a screenshot with `order.resolution` pixels per CSS inch.
fn render(
    page: &[(usize, (u32, u32))],
    cards: &[CardImage],
    drawn: &[Drawn<'_>],
    faces: &Faces,
    (title, order): (&str, &Order),
) -> ImagePage {
    let pixels = |length: u32| format!("calc({length}in / {})", order.resolution);
    let area = |(left, top): (u32, u32), (width, height): (u32, u32)| {
        format!("left:{};top:{};width:{};height:{}", pixels(left), pixels(top), pixels(width), pixels(height))
    };
    let (mut body, mut size, mut pictures) = (String::new(), (0, 0), BTreeSet::new());
    for (at, (left, top)) in page {
        let (card, one) = (&cards[*at], &drawn[*at]);
        let (width, height) = card.pixels;
        size = (size.0.max(left + width), size.1.max(top + height));
        pictures.extend(&one.piece.front.pictures);
        let inner = (width - 2 * one.bleed.0, height - 2 * one.bleed.1);
        let is_bled = one.bleed != (0, 0);
        let under = if is_bled { bleed_html(one.piece.front) } else { String::new() };
        let _ = writeln!(
            body,
            "<div class=\"card-image\" style=\"{};--bleed:{}\"><div class=\"under\" style=\"left:0;top:0;width:100%;height:100%\">{under}</div>\
             <div class=\"slot\" style=\"{}\">{}</div></div>",
            area((*left, *top), card.pixels),
            pixels(one.bleed.0),
            area(one.bleed, inner),
            one.piece.front.html
        );
    }
    let [red, green, blue] = MARK_COLOR;
    let _ = writeln!(
        body,
        "<div class=\"mark-end\" style=\"{};background:rgb({red},{green},{blue})\"></div>",
        area(size, (MARK, MARK))
    );
    let html = format!(
        "{}{}</style>\n</head>\n<body class=\"{}\">\n{body}</body>\n</html>\n",
        head(title, faces, order),
        faces.pictures_style(pictures),
        if drawn.iter().any(|one| one.bleed != (0, 0)) { "images bled" } else { "images" }
    );
    ImagePage { html, pixels: (size.0 + MARK, size.1 + MARK), resolution: order.resolution, cards: page.to_vec() }
}
