//! What a piece looks like: a card with what is printed on it, a token in the color of a seat, a die, or a tile with its squares.

use crate::model::{Cell, Component, ComponentId, FieldValue, Language, Model, Seat};
use crate::wording::Wording;
use serde::Serialize;
use std::fmt::Write as _;

/// So many facts stand on a card.
const FACTS: usize = 4;

/// A fact longer than this does not stand on a card.
const LONGEST: usize = 42;

/// How many hues there are.
pub(super) const HUES: usize = 12;

/// Hues by the names that games give colors.
const NAMED: [(&str, usize); 22] = [
    ("red", 0), ("crimson", 0), ("orange", 1), ("amber", 1), ("yellow", 2), ("gold", 2), ("green", 3), ("lime", 3),
    ("teal", 4), ("cyan", 4), ("turquoise", 4), ("blue", 5), ("navy", 5), ("purple", 6), ("violet", 6), ("pink", 7),
    ("magenta", 7), ("brown", 8), ("tan", 8), ("black", 9), ("gray", 9), ("white", 10),
];

/// A component as it is drawn.
#[derive(Debug, Clone, Serialize, PartialEq, Eq)]
pub(super) struct Card {
    /// `card`, `token`, `die` or `tile`.
    pub(super) sort: &'static str,
    /// What it is called.
    pub(super) name: String,
    /// What kind it is of.
    pub(super) kind: String,
    /// Which color it has, from 0.
    pub(super) hue: usize,
    /// Whose color it has, from 0.
    pub(super) owner: Option<u8>,
    /// What is printed on it: what each fact is called, and what it is.
    pub(super) facts: Vec<(String, String)>,
    /// What a die shows.
    pub(super) shown: Option<String>,
    /// A drawing of its squares.
    pub(super) drawing: Option<String>,
}

/// A component, in the color of a seat and turned in a way where it has such.
pub(super) fn card(
    wording: &Wording,
    model: &Model,
    id: ComponentId,
    owner: Option<Seat>,
    turned: Option<u8>,
    language: Language,
) -> Card {
    let component = model.component(id);
    let kind = &model.kinds[component.kind.index()];
    let facts = facts(wording, component);
    let is_plain = facts.is_empty() && (owner.is_some() || kind.components.len() == 1);
    let sort = match () {
        () if !component.faces.is_empty() => "die",
        () if !component.cells.is_empty() => "tile",
        () if owner.is_some() || is_plain => "token",
        () => "card",
    };
    let shown = turned.and_then(|turned| component.faces.get(usize::from(turned))).map(|face| wording.field(face));
    Card {
        sort,
        name: wording.component(id).to_owned(),
        kind: kind.name.get(language).to_owned(),
        hue: hue(model, id),
        owner: owner.map(|owner| owner.0),
        facts,
        shown,
        drawing: (sort == "tile").then(|| tile(model, &component.cells, turned.unwrap_or(0))),
    }
}

/// What is printed on a component and says something to people.
fn facts(wording: &Wording, component: &Component) -> Vec<(String, String)> {
    let name = wording.named_word(&component.id);
    let told = component.fields.iter().filter_map(|(field, value)| {
        let text = match value {
            FieldValue::Nothing | FieldValue::Function(_) | FieldValue::Flag(false) => return None,
            FieldValue::Flag(true) => String::new(),
            value => wording.field(value),
        };
        let is_short = text.chars().count() <= LONGEST && text != name;
        is_short.then(|| (wording.named_word(field), text))
    });
    told.take(FACTS).collect()
}

/// The color of a component: by the field that says it, by a component that it speaks of, by a word that divides its kind, or by its
/// kind.
pub(super) fn hue(model: &Model, id: ComponentId) -> usize {
    let component = model.component(id);
    let kind = &model.kinds[component.kind.index()];
    if let Some(FieldValue::Word(word)) = component.fields.get("color") {
        return of_word(word, model, id, "color");
    }
    for value in component.fields.values() {
        if let FieldValue::Component(other) = value {
            return among(&model.kinds[model.component(*other).kind.index()].components, *other);
        }
    }
    for (field, value) in &component.fields {
        if let FieldValue::Word(word) = value {
            let words = words(model, id, field);
            if (2..=HUES).contains(&words.len()) {
                return of_word(word, model, id, field);
            }
        }
    }
    if (2..=HUES).contains(&kind.components.len()) { among(&kind.components, id) } else { component.kind.index() % HUES }
}

fn among(all: &[ComponentId], id: ComponentId) -> usize {
    all.iter().position(|other| *other == id).unwrap_or_default() % HUES
}

fn of_word(word: &str, model: &Model, id: ComponentId, field: &str) -> usize {
    let named = NAMED.iter().find(|(known, _)| *known == word).map(|(_, hue)| *hue);
    named.unwrap_or_else(|| {
        words(model, id, field).iter().position(|other| *other == word).unwrap_or_default() % HUES
    })
}

/// The words that a field has over the kind of a component.
fn words<'m>(model: &'m Model, id: ComponentId, field: &str) -> Vec<&'m str> {
    let kind = &model.kinds[model.component(id).kind.index()];
    let mut words: Vec<&str> = Vec::new();
    for component in &kind.components {
        if let Some(FieldValue::Word(word)) = model.component(*component).fields.get(field)
            && !words.contains(&&**word)
        {
            words.push(word);
        }
    }
    words
}

/// How large a square of a tile is drawn.
const SQUARE: i32 = 22;

/// The squares of a tile, turned so often.
fn tile(model: &Model, cells: &[Cell], turned: u8) -> String {
    let turn = |(x, y): (i32, i32)| (0..turned % 4).fold((x, y), |(x, y), _| (-y, x));
    let placed: Vec<((i32, i32), u16)> =
        cells.iter().map(|cell| (turn((i32::from(cell.column), i32::from(cell.row))), cell.print)).collect();
    let (left, top) = (placed.iter().map(|(at, _)| at.0).min(), placed.iter().map(|(at, _)| at.1).min());
    let (left, top) = (left.unwrap_or_default(), top.unwrap_or_default());
    let width = placed.iter().map(|(at, _)| at.0 - left + 1).max().unwrap_or(1) * SQUARE;
    let height = placed.iter().map(|(at, _)| at.1 - top + 1).max().unwrap_or(1) * SQUARE;
    let mut svg = format!("<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" aria-hidden=\"true\">");
    for ((x, y), print) in placed {
        let print = &model.cells.prints[usize::from(print)];
        let paint = print.color.as_deref().unwrap_or(super::grid::PLAIN);
        let (x, y) = ((x - left) * SQUARE, (y - top) * SQUARE);
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{}\" stroke=\"#fff\"/>\
             <text x=\"{}\" y=\"{}\" font-size=\"11\" text-anchor=\"middle\" fill=\"{}\">{}</text>",
            escaped(paint),
            x + SQUARE / 2,
            y + SQUARE / 2 + 4,
            super::grid::ink_on(paint),
            escaped(&print.text)
        );
    }
    svg.push_str("</svg>");
    svg
}

/// A text as it stands in a drawing.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
