//! Pieces as template values: the printed face and the texts beside it.

use crate::desk::card_text;
use crate::diagnostic::Role;
use crate::faces::{CardShape, Faces};
use crate::model::{ComponentId, FieldValue, Language, Model, Seat};
use crate::wording::Wording;
use serde::Serialize;

/// Maximum number of letters on a piece that has no room for a face.
const MAX_LETTERS: usize = 2;

/// A piece on the table whose component the viewer knows.
#[derive(Debug, Clone, Serialize, PartialEq, Eq)]
pub(super) struct Piece {
    /// `card`, `token`, `die` or `tile`.
    pub(super) sort: &'static str,
    /// Name of the component.
    pub(super) name: String,
    /// Everything printed on the piece, in one line.
    pub(super) title: String,
    /// Text on a piece that has no room for a face. For a die, the first two characters of the side that is up. For another piece, a
    /// printed word of one or two letters, the number at the end of the name, or the beginning of the name. Empty if the piece is not a die
    /// and is the only one of its kind, since its color identifies it.
    pub(super) letters: String,
    /// Whether the face comes from a template of the game.
    pub(super) has_own_face: bool,
    /// Index of the seat in whose color the piece is drawn.
    pub(super) owner: Option<u8>,
    /// HTML of the piece's face; for a die, the text of the side that is up.
    pub(super) face: String,
    /// Number of clockwise quarter turns.
    pub(super) turned: u8,
}

/// Context for drawing pieces.
#[derive(Clone, Copy)]
pub(super) struct Drawing<'a> {
    pub(super) faces: &'a Faces,
    pub(super) wording: &'a Wording,
    pub(super) model: &'a Model,
    pub(super) language: Language,
}

impl Drawing<'_> {
    /// Creates the template values of a piece in the color of its owner. `turned` is the number of quarter turns; for a die, the index of
    /// the side that is up.
    pub(super) fn piece(&self, id: ComponentId, owner: Option<Seat>, turned: Option<u8>) -> Piece {
        let component = self.model.component(id);
        let shape = CardShape::of(self.model, id);
        let name = self.wording.component(id).to_owned();
        let kind = component.kind;
        let facts = card_text::facts(self.model, self.wording, component);
        let facts = facts.into_iter().map(|(name, text)| if text.is_empty() { name } else { format!("{name} {text}") });
        let head = format!("{}: {name}", self.model.kinds[kind.index()].name.get(self.language));
        let title = std::iter::once(head).chain(facts).collect::<Vec<_>>().join(" · ");
        let side =
            turned.and_then(|turned| component.faces.get(usize::from(turned))).map(|side| self.wording.field(side));
        let letters = match &side {
            Some(side) => side.chars().take(2).collect(),
            None => self.letters(id),
        };
        let kind_id = &self.model.kinds[kind.index()].id;
        let has_own_face = self.model.faces.iter().any(|source| Role::Face.name(&source.path) == &**kind_id);
        let (sort, face) = match shape {
            CardShape::Card => ("card", self.faces.front(id, owner).html.clone()),
            CardShape::Token => ("token", self.faces.front(id, owner).html.clone()),
            CardShape::Tile => ("tile", self.faces.front(id, owner).html.clone()),
            CardShape::Die => ("die", side.unwrap_or_else(|| "?".to_owned())),
        };
        let turned = if shape == CardShape::Die { 0 } else { turned.unwrap_or(0) };
        Piece { sort, name, title, letters, has_own_face, owner: owner.map(|owner| owner.0), face, turned }
    }

    /// Returns at most [`MAX_LETTERS`] letters that tell a component from the others of its kind, as far as possible: a short printed word,
    /// the number at the end of the name, or the beginning of the name. Empty if the component is the only one of its kind.
    fn letters(&self, id: ComponentId) -> String {
        let component = self.model.component(id);
        let kind = &self.model.kinds[component.kind.index()];
        let others: Vec<ComponentId> = kind
            .components
            .iter()
            .copied()
            .filter(|other| *other != id && self.model.component(*other).count > 0)
            .collect();
        if others.is_empty() {
            return String::new();
        }
        let short_words = component.fields.values().filter_map(|value| match value {
            FieldValue::Word(word) if word.chars().count() <= MAX_LETTERS => Some(word.to_string()),
            _ => None,
        });
        if let Some(word) = { short_words }.next() {
            return word;
        }
        let start = |of: ComponentId, length: usize| -> String {
            let name = self.wording.component(of);
            let number = name.rsplit(' ').next().filter(|last| last.len() <= MAX_LETTERS && last.parse::<u8>().is_ok());
            let start = || name.chars().take(length).enumerate();
            let capital = |(at, letter): (usize, char)| {
                if at == 0 { letter.to_uppercase().collect() } else { letter.to_string() }
            };
            number.map_or_else(|| start().map(capital).collect(), str::to_owned)
        };
        let is_unique = |length: &usize| others.iter().all(|other| start(*other, *length) != start(id, *length));
        let length = (1..MAX_LETTERS).find(is_unique).unwrap_or(MAX_LETTERS);
        start(id, length)
    }

    /// Returns the HTML of the back named `back`; an empty string if no kind has this back.
    pub(super) fn back(&self, back: &str) -> String {
        let kind = self.model.kinds.iter().position(|kind| &*kind.back == back);
        kind.map_or_else(String::new, |kind| self.faces.back(crate::model::KindId::at(kind)).html.clone())
    }
}
