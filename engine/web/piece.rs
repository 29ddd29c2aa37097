//! What a piece looks like: the face that its component has on paper, and what is said of it beside that.

use crate::desk::card_text;
use crate::faces::{CardShape, Faces};
use crate::model::{ComponentId, Language, Model, Seat};
use crate::wording::Wording;
use serde::Serialize;

/// A component as it lies on the table.
#[derive(Debug, Clone, Serialize, PartialEq, Eq)]
pub(super) struct Piece {
    /// `card`, `token`, `die` or `tile`.
    pub(super) sort: &'static str,
    /// What it is called.
    pub(super) name: String,
    /// All that is printed on it, in a line.
    pub(super) title: String,
    /// What stands on it where there is no room for more: what a die shows, a number printed on it, or the beginning of its name.
    pub(super) letters: String,
    /// Whose color it has, from 0.
    pub(super) owner: Option<u8>,
    /// Its face; of a die, the side that is up.
    pub(super) face: String,
    /// How often it is turned by a right angle.
    pub(super) turned: u8,
}

/// What pieces are drawn with.
#[derive(Clone, Copy)]
pub(super) struct Drawing<'a> {
    pub(super) faces: &'a Faces,
    pub(super) wording: &'a Wording,
    pub(super) model: &'a Model,
    pub(super) language: Language,
}

impl Drawing<'_> {
    /// A component, in the color of a seat and turned in a way where it has such.
    pub(super) fn piece(&self, id: ComponentId, owner: Option<Seat>, turned: Option<u8>) -> Piece {
        let component = self.model.component(id);
        let shape = CardShape::of(self.model, id);
        let name = self.wording.component(id).to_owned();
        let kind = component.kind;
        let facts = card_text::facts(self.model, self.wording, component);
        let number = facts.iter().map(|(_, text)| text).find(|text| text.parse::<i64>().is_ok()).cloned();
        let facts = facts.into_iter().map(|(name, text)| if text.is_empty() { name } else { format!("{name} {text}") });
        let head = format!("{}: {name}", self.model.kinds[kind.index()].name.get(self.language));
        let title = std::iter::once(head).chain(facts).collect::<Vec<_>>().join(" · ");
        let side =
            turned.and_then(|turned| component.faces.get(usize::from(turned))).map(|side| self.wording.field(side));
        let first = || name.chars().next().map_or_else(String::new, |first| first.to_uppercase().collect());
        let letters = match &side {
            Some(side) => side.chars().take(2).collect(),
            None => number.unwrap_or_else(first),
        };
        let (sort, face) = match shape {
            CardShape::Card => ("card", self.faces.front(id, owner).html.clone()),
            CardShape::Token => ("token", self.faces.front(id, owner).html.clone()),
            CardShape::Tile => ("tile", self.faces.front(id, owner).html.clone()),
            CardShape::Die => ("die", side.unwrap_or_else(|| "?".to_owned())),
        };
        let turned = if shape == CardShape::Die { 0 } else { turned.unwrap_or(0) };
        Piece { sort, name, title, letters, owner: owner.map(|owner| owner.0), face, turned }
    }

    /// What hides behind a back; nothing where no kind is known to have it.
    pub(super) fn back(&self, back: &str) -> String {
        let kind = self.model.kinds.iter().position(|kind| &*kind.back == back);
        kind.map_or_else(String::new, |kind| self.faces.back(crate::model::KindId::at(kind)).html.clone())
    }
}
