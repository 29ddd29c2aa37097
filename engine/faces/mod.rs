//! What components look like: a face for each, made from its fields or by the template `faces/KIND.html` of the game, as HTML with one
//! stylesheet for all. A served table and a printed sheet show the same faces.
//!
//! Templates come from strangers: their time and the size of what they yield are limited (`template.rs`), and what they yield is
//! cut down to a stated subset of HTML (`clean.rs`) and CSS (`stylesheet.rs`).

mod clean;
mod complexity;
mod face;
mod mistake;
mod palette;
mod picture;
mod picture_names;
mod printed;
mod size;
mod standard;
mod stylesheet;
mod template;
mod tokens;
mod variables;

pub use face::Face;
pub use picture::CardPicture;
pub use size::{CardShape, Size};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::{ComponentId, KindId, Language, Model, Seat};
use crate::wording::Wording;
use indexmap::IndexMap;
use palette::Palette;
use picture::Pictures;
use size::Sizes;
use standard::Standard;
use std::sync::Arc;
use stylesheet::Scopes;
use template::Templates;

/// The most bytes of all faces of a game: one text may stand on every card.
const LARGEST: usize = 64 << 20;

/// Where a page finds the pictures of faces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Addresses {
    /// Nowhere: the page has each picture once, in the rules of [`Faces::pictures_style`].
    Embedded,
    /// Below an address: the name of a picture stands behind it, and [`Faces::picture`] has it by that name.
    Below(String),
}

/// The faces of a game in one language.
#[derive(Debug)]
pub struct Faces {
    fronts: IndexMap<(ComponentId, Option<Seat>), Face>,
    backs: Vec<Face>,
    style: String,
    pictures: Vec<Option<CardPicture>>,
    mistakes: Vec<Diagnostic>,
}

impl Faces {
    /// The faces of a game. `read` has the bytes of a file in the game's `faces/` by its name, no more than the most and one
    /// ([`CardPicture::LARGEST`]); nothing where there is none. What a template fails at has its usual face, and is reported among the mistakes.
    pub fn new(
        model: &Arc<Model>,
        language: Language,
        addresses: &Addresses,
        read: &(dyn Fn(&str) -> Option<Vec<u8>> + Sync),
    ) -> Self {
        let wording = Wording::printed(model.clone(), language);
        let pictures = Pictures::new(read);
        let (sizes, palette) = (Sizes::new(model), Palette::new(model));
        let templates = Templates::new(model, &wording, language, &pictures, &sizes);
        let standard = Standard { model, wording: &wording, language, sizes: &sizes, palette: &palette };
        let (mut room, mut too_large) = (LARGEST, None);
        let mut scopes = Scopes::default();
        let mut fronts = IndexMap::new();
        for (at, component) in model.components.iter().enumerate() {
            let id = ComponentId::at(at);
            let seats = if component.each_seat { model.all_seats().map(Some).collect() } else { vec![None] };
            for owner in seats {
                let mut face = templates.front(id, owner, &mut scopes).unwrap_or_else(|| standard.front(id, owner));
                if let Some(left) = room.checked_sub(face.html.len()) {
                    room = left;
                } else {
                    room = 0;
                    too_large.get_or_insert_with(|| mistake::too_much_together(&component.id, LARGEST));
                    face.html = String::new();
                }
                fronts.insert((id, owner), face);
            }
        }
        let kinds = (0..model.kinds.len()).map(KindId::at);
        let backs: Vec<Face> =
            kinds.map(|kind| templates.back(kind, &mut scopes).unwrap_or_else(|| standard.back(kind))).collect();
        let mut mistakes = templates.into_mistakes();
        mistakes.extend(too_large);
        let mut sizes: Vec<Size> = fronts.values().chain(&backs).map(|face| face.size).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let sizes: String = sizes.iter().map(|size| size.rule()).collect();
        let style = [&Standard::style(), &*sizes, &*scopes.style()].concat();
        let pictures = pictures.into_list();
        let mut faces = Self { fronts, backs, style, pictures, mistakes };
        faces.put_pictures(addresses);
        faces
    }

    /// The mistakes in the templates of a game, over all its languages, and in those of its variants.
    pub fn check(model: &Arc<Model>, read: &(dyn Fn(&str) -> Option<Vec<u8>> + Sync)) -> Diagnostics {
        let mut found: Vec<Diagnostic> = mistake::unknown_kinds(model);
        if model.faces.is_empty() {
            return Diagnostics(found);
        }
        for model in [model].into_iter().chain(model.elsewhere().iter()) {
            for language in Language::ALL {
                let faces = Self::new(model, language, &Addresses::Below(String::new()), read);
                for one in faces.mistakes {
                    let is_known =
                        found.iter().any(|known| (&known.message, &known.marks) == (&one.message, &one.marks));
                    found.extend((!is_known).then_some(one));
                }
            }
        }
        Diagnostics(found)
    }

    /// The front of a component; of one that every seat has its own of, that of a seat.
    pub fn front(&self, component: ComponentId, owner: Option<Seat>) -> &Face {
        let own = self.fronts.get(&(component, owner));
        let any = || self.fronts.iter().find(|((known, _), _)| *known == component).map(|(_, face)| face);
        own.or_else(any).expect("every component has a face")
    }

    /// The back of the components of a kind: kinds with one back have one face here.
    pub fn back(&self, kind: KindId) -> &Face {
        &self.backs[kind.index()]
    }

    /// The stylesheet that all faces go by: once on a page. Every rule in it is for what lies within a face.
    pub fn style(&self) -> &str {
        &self.style
    }

    /// What the stylesheet can be called: another one has another name.
    pub fn style_name(&self) -> String {
        picture::name_of(self.style.as_bytes())
    }

    /// A picture by its name in addresses, which goes by what the picture is made of.
    pub fn picture(&self, name: &str) -> Option<&CardPicture> {
        self.pictures.iter().flatten().find(|picture| picture.address() == name)
    }

    /// The rules by which a page has pictures in itself, once each: those with these numbers ([`Face::pictures`]), where the faces were
    /// made for [`Addresses::Embedded`].
    pub fn pictures_style(&self, numbers: impl IntoIterator<Item = usize>) -> String {
        let pictures = numbers.into_iter().filter_map(|number| self.pictures.get(number)?.as_ref());
        pictures.map(picture::shared_rule).collect()
    }

    /// The names of the pictures that a face shows, which go by what the pictures are made of.
    pub fn picture_names(&self, face: &Face) -> Vec<String> {
        let pictures = face.pictures.iter().filter_map(|number| self.pictures.get(*number)?.as_ref());
        pictures.map(CardPicture::address).collect()
    }

    /// What is wrong with the templates.
    pub fn mistakes(&self) -> &[Diagnostic] {
        &self.mistakes
    }

    /// Puts the addresses of pictures where they are named.
    fn put_pictures(&mut self, addresses: &Addresses) {
        let address = |picture: &CardPicture| match addresses {
            Addresses::Embedded => picture.address(),
            Addresses::Below(prefix) => format!("{prefix}{}", picture.address()),
        };
        let all: Vec<String> = self.pictures.iter().map(|one| one.as_ref().map_or_else(String::new, address)).collect();
        let fronts = self.fronts.values_mut().map(|face| &mut face.html);
        let backs = self.backs.iter_mut().map(|face| &mut face.html);
        for text in fronts.chain(backs).chain([&mut self.style]) {
            match addresses {
                Addresses::Embedded => picture::put_shared(text, &all),
                Addresses::Below(_) => picture::put(text, &all),
            }
        }
    }
}

/// The color of a component, as what is beside its face shows it: a number for [`colors`].
pub fn color_of(model: &Model, id: ComponentId) -> usize {
    Palette::new(model).belongs(id).tint
}

/// How many colors are given in turn to what has none of its own.
pub const COLORS: usize = palette::IN_TURN;

/// A stylesheet with the colors of components for what is no face: the class `tinted tint-N` has `--ink` and `--paper`.
pub fn colors() -> String {
    standard::colors(".tinted.tint-")
}
