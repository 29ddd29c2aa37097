//! Standard faces for components without a template: name, printed facts, and the color and emblem of the kind.

use super::face::Face;
use super::palette::{
    ComponentColor, Palette, SEATS, TINTS, back_word, color_named, emblem, first_kind_with_same_back,
};
use super::printed::{Chip, FactFormatter, PrintedFact};
use super::size::{CardShape, Size, Sizes};
use crate::model::{ComponentId, FieldValue, KindId, Language, Model, SEAT_COLORS, Seat};
use crate::wording::{Svg, Tiling, Wording, escaped};
use std::fmt::Write as _;

/// Common styles of all faces.
const STYLE: &str = include_str!("standard.css");

/// Font sizes on cards, largest first: CSS class, and size in percent of the usual font size. On a card of 63 mm, the smallest font size is
/// 5.6 points.
const LETTERS: [(&str, usize); 5] = [(" few", 120), ("", 100), (" many", 88), (" most", 74), (" all", 62)];

/// Usual font size on cards and on narrow cards, in thousandths of the card's width.
const LETTER: usize = 51;
const NARROW_LETTER: usize = 66;

/// Line height, and width of an average letter, in hundredths of the font size.
const LINE_HEIGHT: usize = 125;
const LETTER_WIDTH: usize = 50;

/// Width available for facts, height of the head and foot together, and height of a line of the name, in thousandths of the card's width.
const FACTS_WIDTH: usize = 900;
const FRAME_HEIGHT: usize = 205;
const NAME_LINE: usize = 90;

/// Height of a row of numbers, and of the gap between facts, in tenths of a line.
const NUMBERS_HEIGHT: usize = 27;
const GAP_HEIGHT: usize = 4;

/// Number of lines of facts below which the largest font size may be used.
const LARGE_LETTERS_BELOW: usize = 5;

/// Width in millimeters below which a card has a larger font relative to its width, so that text stays readable.
const NARROW_CARD: u16 = 52;

/// Minimum lengths of names that get a smaller font size and the smallest font size, in letters. East Asian letters count twice.
const LONG_NAME: usize = 20;
const LONGEST_NAME: usize = 34;

/// Renderer for the standard faces of a game.
pub(super) struct StandardFaces<'a> {
    pub(super) model: &'a Model,
    pub(super) wording: &'a Wording,
    pub(super) language: Language,
    pub(super) sizes: &'a Sizes,
    pub(super) palette: &'a Palette<'a>,
}

impl StandardFaces<'_> {
    /// Returns the stylesheet of the standard faces and of the frame around all faces.
    pub(super) fn style() -> String {
        [STYLE, &*colors(".face.tint-"), &*colors(".face .tint-")].concat()
    }

    /// Renders the front of a component.
    pub(super) fn front(&self, id: ComponentId, owner: Option<Seat>) -> Face {
        let (size, shape) = (self.sizes.component_size(self.model, id), self.sizes.shape(self.model, id));
        let inner = match shape {
            CardShape::Card => self.card(id, owner),
            CardShape::Token => self.token(id, owner),
            CardShape::Tile => self.tile(id),
            CardShape::Die => self.die(id),
        };
        let class = match shape {
            CardShape::Card if size.width < NARROW_CARD => "card small",
            CardShape::Card => "card",
            CardShape::Token => "token",
            CardShape::Tile => "tile",
            CardShape::Die => "die",
        };
        let tint = owner.map_or_else(|| self.palette.color_of(id).tint, |seat| seat_tint(self.model, seat));
        // The border of a token would appear twice if the face were enlarged. On paper, cards and tiles have no border.
        let edge = (shape == CardShape::Token).then_some(tint);
        Face { html: in_frame(size, &format!("{class} tint-{tint}"), &inner), size, edge, pictures: Vec::new() }
    }

    /// Renders the back of a kind.
    pub(super) fn back(&self, kind: KindId) -> Face {
        let size = self.sizes.back_size(kind);
        let declared_kind = &self.model.kinds[kind.index()];
        let name = back_word(declared_kind)
            .map_or_else(|| declared_kind.name.get(self.language).to_owned(), |word| self.wording.named_word(word));
        let at = first_kind_with_same_back(self.model, kind);
        let class = if CardShape::of_size(size) == CardShape::Token { "token" } else { "card" };
        let inner = format!(
            "<div class=\"back-frame\"><div class=\"medal\">{}</div><div class=\"back-name\">{}</div></div>",
            emblem(at),
            escaped(&name)
        );
        let html = in_frame(size, &format!("back {class} tint-{}", at % 10), &inner);
        Face { html, size, edge: Some(at % 10), pictures: Vec::new() }
    }

    fn words(&self) -> FactFormatter<'_> {
        FactFormatter { model: self.model, wording: self.wording }
    }

    fn card(&self, id: ComponentId, owner: Option<Seat>) -> String {
        let (model, component) = (self.model, self.model.component(id));
        let ComponentColor { by, .. } = self.palette.color_of(id);
        let facts = self.words().facts(component, by, self.palette);
        let group =
            by.and_then(|by| component.fields.get(&by)).map(|value| self.words().format_chip(value, self.palette).text);
        let name = component.name.get(self.language);
        let size = self.sizes.component_size(self.model, id);
        let mut card = String::new();
        let at = first_kind_with_same_back(model, component.kind);
        let kind = model.kind_of(id).name.get(self.language);
        let group_text =
            owner.map(|seat| self.wording.seat(seat).to_owned()).or_else(|| group.filter(|group| group != name));
        let group_text =
            group_text.map(|group| format!("<span class=\"group\">{}</span>", escaped(&group))).unwrap_or_default();
        let _ = write!(
            card,
            "<div class=\"head\">{}<span class=\"kind\">{}</span>{group_text}</div><div class=\"name{}\">{}</div>",
            emblem(at),
            escaped(kind),
            length(name),
            escaped(name)
        );
        let _ = write!(card, "<div class=\"facts{}\">", letters(&facts, size, name));
        card.push_str(&Self::facts(&facts));
        if facts.is_empty() {
            let _ = write!(card, "<div class=\"medal\">{}</div>", emblem(at));
        }
        let _ = write!(card, "</div><div class=\"mark\">{}</div>", emblem(at));
        card
    }

    fn facts(facts: &[PrintedFact]) -> String {
        let mut text = String::new();
        let numbers: Vec<_> = facts.iter().filter(|fact| matches!(fact, PrintedFact::Number(..))).collect();
        if !numbers.is_empty() {
            text.push_str("<div class=\"numbers\">");
            for fact in numbers {
                let PrintedFact::Number(name, number) = fact else { continue };
                let number = if *number < 0 { format!("−{}", -number) } else { number.to_string() };
                let _ = write!(text, "<div class=\"number\"><b>{number}</b><span>{}</span></div>", escaped(name));
            }
            text.push_str("</div>");
        }
        for fact in facts {
            match fact {
                PrintedFact::Number(..) => {}
                PrintedFact::Words(name, chips) => {
                    let chips: String = chips.iter().map(chip).collect();
                    let _ = write!(
                        text,
                        "<div class=\"fact\"><span class=\"of\">{}</span><span class=\"is\">{chips}</span></div>",
                        escaped(name)
                    );
                }
                PrintedFact::Flag(name) => {
                    let _ = write!(text, "<div class=\"fact\"><span class=\"flag\">✓ {}</span></div>", escaped(name));
                }
                PrintedFact::Rows(name, heads, rows) => {
                    let cells = |cells: &[String], tag: &str| -> String {
                        cells
                            .iter()
                            .map(|cell| format!("<{tag}>{}</{tag}>", with_breaks(cell)))
                            .collect::<Vec<_>>()
                            .concat()
                    };
                    let body: Vec<String> = rows.iter().map(|row| format!("<tr>{}</tr>", cells(row, "td"))).collect();
                    let body = body.concat();
                    let _ = write!(
                        text,
                        "<div class=\"of\">{}</div><table><tr>{}</tr>{body}</table>",
                        escaped(name),
                        cells(heads, "th")
                    );
                }
                PrintedFact::Does(said) => {
                    let _ = write!(text, "<p class=\"does\">{}</p>", escaped(said));
                }
            }
        }
        text
    }

    fn token(&self, id: ComponentId, owner: Option<Seat>) -> String {
        let component = self.model.component(id);
        let name = component.name.get(self.language);
        let at = component.kind.index();
        let numbers: Vec<i64> = component
            .fields
            .values()
            .filter_map(|value| match value {
                FieldValue::Number(number) => Some(*number),
                _ => None,
            })
            .collect();
        let shown = match numbers[..] {
            [number] => format!("<b class=\"only\">{number}</b>"),
            _ => format!("<div class=\"medal\">{}</div>", emblem(at)),
        };
        let seat = owner.map(|seat| format!("<span class=\"seat\">{}</span>", seat.number())).unwrap_or_default();
        format!("{seat}{shown}<div class=\"name{}\">{}</div>", length(name), escaped(name))
    }

    fn tile(&self, id: ComponentId) -> String {
        let (model, component) = (self.model, self.model.component(id));
        let side = 100;
        let tiling = Tiling { tessellation: model.cells.tessellation, side };
        let places: Vec<(i16, i16)> = component.cells.iter().map(|cell| (cell.x.into(), cell.y.into())).collect();
        let (((left, top), (right, bottom)), (wide, high)) = (tiling.bounds(&places), tiling.extent_from_center());
        let (width, height) = (right - left + 2 * wide, bottom - top + 2 * high);
        let mut svg = Svg::default();
        svg.inline_image("squares", (0, 0), (width, height)).content(|svg| {
            for cell in &component.cells {
                let (x, y) = tiling.middle((cell.x.into(), cell.y.into()));
                let (x, y) = (x - left + wide, y - top + high);
                let print = &model.cells.prints[cell.print as usize];
                let color = print.color.as_deref().unwrap_or("#dddddd");
                let mut symbols = model.cells.symbols.iter().filter(|symbol| print.text.contains(&*symbol.written));
                let name = symbols.next().map(|symbol| symbol.name.get(self.language)).unwrap_or_default();
                let marks: Vec<&str> = symbols.map(|symbol| symbol.name.get(self.language)).collect();
                let ink = if is_dark(color) { "#ffffff" } else { "#1d1d1d" };
                tiling.space((x, y), svg).set("fill", color).set("stroke", "#ffffff").set("stroke-width", 2).empty();
                let big = svg.label((x, y + 2)).set("font-size", 40).set("font-weight", 700);
                big.set("text-anchor", "middle").set("fill", ink).text(&print.text);
                for (at, line) in [name].into_iter().chain(marks).enumerate() {
                    let label = svg.label((x, y + 20 + 12 * at as i32)).set("font-size", fitting_font_size(line));
                    label.set("text-anchor", "middle").set("fill", ink).text(line);
                }
            }
        });
        let name = component.name.get(self.language);
        format!("{}<div class=\"strip\">{}</div>", svg.into_text(), escaped(name))
    }

    fn die(&self, id: ComponentId) -> String {
        let component = self.model.component(id);
        let mut die = String::from("<div class=\"sides\">");
        for side in &component.faces {
            let text = self.wording.field(side);
            let class = if text.chars().count() > 3 { "side long" } else { "side" };
            let _ = write!(die, "<div class=\"{class}\">{}</div>", escaped(&text));
        }
        die + "</div>"
    }
}

/// Wraps the content of a face in its frame, which has the component's size on paper and clips its content.
pub(super) fn in_frame(size: Size, class: &str, inner: &str) -> String {
    format!("<div class=\"face {} {class}\"><div class=\"in\">{inner}</div></div>", size.class())
}

/// Returns a CSS rule for each color. The selector is `before` followed by the index of the color.
pub(super) fn colors(before: &str) -> String {
    let mut style = String::new();
    for (at, (_, ink, paper)) in TINTS.iter().enumerate() {
        let _ = writeln!(style, "{before}{at} {{ --ink: {ink}; --paper: {paper}; }}");
    }
    style
}

/// Returns the color of a seat: the one that the author has chosen, or one in seating order.
pub(super) fn seat_tint(model: &Model, seat: Seat) -> usize {
    let chosen = model.table.as_ref().filter(|table| !table.colors.is_empty());
    let named = chosen.and_then(|table| color_named(SEAT_COLORS[table.color_of(seat)]));
    named.unwrap_or(SEATS[seat.index() % SEATS.len()])
}

/// Returns the largest font size, at most 12, at which `text` fits in a square of 100 units.
fn fitting_font_size(text: &str) -> usize {
    (92 * 10 / (width_in_letters(text) * 6).max(1)).min(12)
}

/// Returns the width of `text` in letters. East Asian letters count twice.
fn width_in_letters(text: &str) -> usize {
    text.chars().map(|character| if character >= '\u{2e80}' { 2 } else { 1 }).sum()
}

fn length(name: &str) -> &'static str {
    match width_in_letters(name) {
        LONGEST_NAME.. => " longest",
        LONG_NAME.. => " long",
        _ => "",
    }
}

/// Returns the CSS class of the largest font size at which the facts fit on a card. If they fit at no size, returns the class of the
/// smallest one.
fn letters(facts: &[PrintedFact], size: Size, name: &str) -> &'static str {
    let (width, height) = (usize::from(size.width).max(1), usize::from(size.height));
    let letter = if size.width < NARROW_CARD { NARROW_LETTER } else { LETTER };
    let name_lines = 1 + width_in_letters(name) / LONG_NAME;
    let room = (height * 1_000 / width).saturating_sub(FRAME_HEIGHT + name_lines * NAME_LINE);
    let fits = |(_, scale): &&(&str, usize)| {
        let in_a_line = FACTS_WIDTH * 10_000 / (letter * scale * LETTER_WIDTH);
        let lines = facts_height(facts, in_a_line.max(1));
        (*scale <= 100 || lines < LARGE_LETTERS_BELOW * 10) && lines * letter * scale * LINE_HEIGHT / 100_000 <= room
    };
    LETTERS.iter().find(fits).unwrap_or(&LETTERS[LETTERS.len() - 1]).0
}

/// Returns the height of facts in tenths of a line. `in_a_line` is the number of letters that fit in a line.
fn facts_height(facts: &[PrintedFact], in_a_line: usize) -> usize {
    let wrapped = |length: usize| 1 + length / in_a_line;
    let height = |fact: &PrintedFact| match fact {
        PrintedFact::Rows(_, _, rows) => (rows.len() + 2) * 11,
        PrintedFact::Does(said) => said.lines().map(|line| wrapped(width_in_letters(line)) * 10).sum(),
        PrintedFact::Words(name, chips) => {
            let breaks: usize = chips.iter().map(|chip| chip.text.matches('\n').count()).sum();
            let length =
                width_in_letters(name) + chips.iter().map(|chip| width_in_letters(&chip.text) + 3).sum::<usize>();
            (breaks + wrapped(length)) * 11
        }
        PrintedFact::Flag(_) => 10,
        PrintedFact::Number(..) => 0,
    };
    let numbers = facts.iter().filter(|fact| matches!(fact, PrintedFact::Number(..))).count();
    // Four numbers fit side by side.
    let numbers = numbers.div_ceil(4) * NUMBERS_HEIGHT;
    numbers + facts.iter().map(height).sum::<usize>() + facts.len().saturating_sub(1) * GAP_HEIGHT
}

/// Escapes `text` for HTML and converts line breaks to `<br>`.
fn with_breaks(text: &str) -> String {
    escaped(text).replace("\r\n", "\n").replace('\n', "<br>")
}

fn chip(chip: &Chip) -> String {
    let text = with_breaks(&chip.text);
    match chip.tint {
        Some(tint) => format!("<span class=\"chip tint-{tint}\">{text}</span>"),
        None => format!("<span class=\"chip\">{text}</span>"),
    }
}

/// Returns whether light letters are more readable than dark ones on a color such as `#7a2f22`.
fn is_dark(color: &str) -> bool {
    let part = |at: usize| color.get(at..at + 2).and_then(|hex| u32::from_str_radix(hex, 16).ok());
    matches!((part(1), part(3), part(5)), (Some(red), Some(green), Some(blue)) if red * 3 + green * 6 + blue < 1_000)
}

#[cfg(test)]
mod tests {
    use super::{PrintedFact, letters};
    use crate::faces::Size;

    #[test]
    fn longer_texts_have_smaller_letters() {
        let card = Size { width: 63, height: 88 };
        let class = |words: usize, size| letters(&[PrintedFact::Does("seven s ".repeat(words))], size, "Name");
        let classes = [5, 30, 80, 110, 140].map(|words| class(words, card));
        assert_eq!(classes, [" few", "", " many", " most", " all"]);
        assert_eq!(class(1_000, card), " all");
        // A taller card has room for more text.
        assert_eq!(class(100, Size { width: 63, height: 120 }), "");
    }
}
