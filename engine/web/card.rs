//! What a piece looks like: a card with what is printed on it, a token in the color of a seat, a die, or a tile with its squares.

use crate::desk::look;
use crate::model::{Cell, Component, ComponentId, FieldId, FieldValue, Language, Model, Seat};
use crate::wording::{PLAIN, Tiling, Wording, escaped, ink_on};
use serde::Serialize;
use std::fmt::Write as _;

/// So many facts stand on a card.
const FACTS: usize = 4;

/// A fact longer than this does not stand on a card.
const LONGEST: usize = 42;

/// The field that says which color a component has, where a game has it.
const COLOR: &str = "color";

/// How many hues there are.
pub(super) const HUES: usize = 12;

/// Hues by the names that games give colors.
const NAMED: [(&str, usize); 22] = [
    ("red", 0),
    ("crimson", 0),
    ("orange", 1),
    ("amber", 1),
    ("yellow", 2),
    ("gold", 2),
    ("green", 3),
    ("lime", 3),
    ("teal", 4),
    ("cyan", 4),
    ("turquoise", 4),
    ("blue", 5),
    ("navy", 5),
    ("purple", 6),
    ("violet", 6),
    ("pink", 7),
    ("magenta", 7),
    ("brown", 8),
    ("tan", 8),
    ("black", 9),
    ("gray", 9),
    ("white", 10),
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
    let facts = facts(model, wording, component, language);
    let sort = match () {
        () if !component.faces.is_empty() => "die",
        () if !component.cells.is_empty() => "tile",
        () if owner.is_some() => "token",
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

/// What is printed on a component and has room on a card.
fn facts(model: &Model, wording: &Wording, component: &Component, language: Language) -> Vec<(String, String)> {
    let mut facts = look::facts(model, wording, component);
    // What the name says already is not said again.
    let name = component.name.get(language).to_lowercase();
    let is_said = |text: &str| !text.is_empty() && text.parse::<i64>().is_err() && name.contains(&text.to_lowercase());
    facts.retain(|(_, text)| text.chars().count() <= LONGEST && !is_said(text));
    facts.truncate(FACTS);
    facts
}

/// The color of a component: by the field that says it, by a component that it speaks of, by a word that divides its kind, or by its
/// kind.
pub(super) fn hue(model: &Model, id: ComponentId) -> usize {
    let component = model.component(id);
    let kind = &model.kinds[component.kind.index()];
    let color = model.find_field(COLOR).and_then(|field| Some((field, component.fields.get(&field)?)));
    if let Some((field, FieldValue::Word(word))) = color {
        return of_word(word, model, id, field);
    }
    for value in component.fields.values() {
        if let FieldValue::Component(other) = value {
            return among(&model.kinds[model.component(*other).kind.index()].components, *other);
        }
    }
    for (field, value) in &component.fields {
        if let FieldValue::Word(word) = value {
            let words = words(model, id, *field);
            if (2..=HUES).contains(&words.len()) {
                return of_word(word, model, id, *field);
            }
        }
    }
    if (2..=HUES).contains(&kind.components.len()) {
        among(&kind.components, id)
    } else {
        component.kind.index() % HUES
    }
}

fn among(all: &[ComponentId], id: ComponentId) -> usize {
    all.iter().position(|other| *other == id).unwrap_or_default() % HUES
}

fn of_word(word: &str, model: &Model, id: ComponentId, field: FieldId) -> usize {
    let named = NAMED.iter().find(|(known, _)| *known == word).map(|(_, hue)| *hue);
    named.unwrap_or_else(|| words(model, id, field).iter().position(|other| *other == word).unwrap_or_default() % HUES)
}

/// The words that a field has over the kind of a component.
fn words(model: &Model, id: ComponentId, field: FieldId) -> Vec<&str> {
    let kind = &model.kinds[model.component(id).kind.index()];
    let mut words: Vec<&str> = Vec::new();
    for component in &kind.components {
        if let Some(FieldValue::Word(word)) = model.component(*component).fields.get(&field)
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
    let placed = model.cells.turned(cells, turned);
    let tiling = Tiling { tops: model.cells.tops, side: SQUARE };
    let places: Vec<(i16, i16)> = placed.iter().map(|cell| (cell.x.into(), cell.y.into())).collect();
    let ((left, top), (right, bottom)) = tiling.bounds(&places);
    let more = if tiling.tops.is_some() { SQUARE / 5 } else { 0 };
    let (width, height) = (right - left + SQUARE + more, bottom - top + SQUARE + more);
    let mut svg =
        format!("<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" aria-hidden=\"true\">");
    for cell in placed {
        let print = &model.cells.prints[usize::from(cell.print)];
        let paint = print.color.as_deref().unwrap_or(PLAIN);
        let (x, y) = tiling.middle((cell.x.into(), cell.y.into()));
        let (x, y) = (x - left + (SQUARE + more) / 2, y - top + (SQUARE + more) / 2);
        let _ = write!(
            svg,
            "{}<text x=\"{}\" y=\"{}\" font-size=\"11\" text-anchor=\"middle\" fill=\"{}\">{}</text>",
            tiling.element((x, y), &format!("fill=\"{}\" stroke=\"#fff\"", escaped(paint))),
            x,
            y + 4,
            ink_on(paint),
            escaped(&print.text)
        );
    }
    svg.push_str("</svg>");
    svg
}
