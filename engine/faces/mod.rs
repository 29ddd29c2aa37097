//! Faces of components as HTML. They are created from a component's fields, or by the game's template
//! `faces/KIND.html`, with one stylesheet for all faces. Tables in the browser and printed sheets show the same faces.
//!
//! Templates are not trusted. Their running time and the size of their output are limited (`template.rs`), and the
//! output is reduced to a safe subset of HTML (`clean.rs`) and CSS (`stylesheet.rs`).

mod areas;
mod board_sketch;
mod clean;
mod complexity;
mod drawn_board;
mod face;
mod mistake;
mod palette;
mod picture;
mod picture_names;
mod pixels;
mod printed;
mod shapes;
mod size;
mod standard;
mod stylesheet;
mod template;
mod tokens;
mod tree_size;
mod variables;

pub(crate) use board_sketch::{board_sketch, mat_sketch};
#[cfg_attr(not(feature = "page"), allow(unused_imports, reason = "tables in a browser show them"))]
pub(crate) use drawn_board::{DrawnBoard, DrawnSpot, SpotTarget};
pub use face::Face;
pub use picture::CardPicture;
pub use size::{CardShape, Size};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::{ComponentId, KindId, Language, Model, Seat};
use crate::wording::{PlaceMap, Wording};
use drawn_board::{BOARD, MAT};
use indexmap::IndexMap;
use palette::Palette;
use picture::Pictures;
use printed::FactFormatter;
use size::Sizes;
use standard::StandardFaces;
use std::sync::Arc;
use stylesheet::Scopes;
use template::Templates;

/// Maximum total size in bytes of the fronts of a game. The limit is needed because every card may show the same long text.
const LARGEST: usize = 32 << 20;

/// Way in which pages refer to pictures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Addresses {
    /// Each picture is embedded in the page once, by the rules of [`Faces::pictures_style`].
    Embedded,
    /// Pictures are loaded from URLs. Each URL consists of this prefix and the name of the picture (see [`Faces::picture`]).
    Below(String),
}

/// All faces of a game in one language.
#[derive(Debug)]
pub struct Faces {
    fronts: IndexMap<(ComponentId, Option<Seat>), Face>,
    backs: Vec<Face>,
    style: String,
    pictures: Vec<Option<CardPicture>>,
    mistakes: Vec<Diagnostic>,
    maps: Vec<PlaceMap>,
    board: Option<DrawnBoard>,
    /// Drawn mats by seat; empty if the author has drawn none.
    mats: Vec<DrawnBoard>,
}

impl Faces {
    /// Creates the faces of a game.
    ///
    /// `read` returns the content of a file in the game's `faces/` folder by name, at most one byte more than
    /// [`CardPicture::LARGEST`], or `None` if there is no such file. Components whose template fails get their standard
    /// face, and the failure is added to the mistakes.
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
        let standard = StandardFaces { model, wording: &wording, language, sizes: &sizes, palette: &palette };
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
        let board = DrawnBoard::board(model, &|name| read(name), &pictures, &mut mistakes);
        let mats = DrawnBoard::mats(model, &|name| read(name), &pictures, &mut mistakes);
        let mut sizes: Vec<Size> = fronts.values().chain(&backs).map(|face| face.size).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let sizes: String = sizes.iter().map(|size| size.rule()).collect();
        let board_style = board.as_ref().map_or_else(String::new, |board| board.style(".drawn"));
        let mat_style = mats.first().map_or_else(String::new, |mat| mat.style(".drawn.own"));
        let table_style = [areas::style(model), board_style, mat_style].concat();
        let style = [&StandardFaces::style(), &*sizes, &*scopes.style(), &*table_style].concat();
        let pictures = pictures.into_list();
        let maps = PlaceMap::all(model);
        let mut faces = Self { fronts, backs, style, pictures, mistakes, maps, board, mats };
        faces.put_pictures(addresses);
        faces
    }

    /// Returns the mistakes in the templates, pictures, drawn board and drawn mat of a game, in all languages and variants.
    pub fn check(model: &Arc<Model>, read: &(dyn Fn(&str) -> Option<Vec<u8>> + Sync)) -> Diagnostics {
        let mut found: Vec<Diagnostic> = mistake::unknown_kinds(model);
        let names_board = model.table.as_ref().is_some_and(|table| table.board.is_some());
        if model.faces.is_empty() && !names_board && [BOARD, MAT].iter().all(|name| read(name).is_none()) {
            return Diagnostics(found);
        }
        for model in [model].into_iter().chain(model.variants_with_more_names().iter()) {
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

    /// Returns the front of a component. If each seat has its own copy, `owner` selects the seat.
    pub fn front(&self, component: ComponentId, owner: Option<Seat>) -> &Face {
        let exact = self.fronts.get(&(component, owner));
        let any = || self.fronts.iter().find(|((known, _), _)| *known == component).map(|(_, face)| face);
        exact.or_else(any).expect("every component has a face")
    }

    /// Returns the back of a kind's components.
    pub fn back(&self, kind: KindId) -> &Face {
        &self.backs[kind.index()]
    }

    /// Returns the stylesheet of all faces, which is needed once per page. Its rules apply only to faces, to the areas and seat colors that
    /// the author has chosen for the table, and to the places of drawn boards and mats.
    pub fn style(&self) -> &str {
        &self.style
    }

    /// Returns a name for the stylesheet, for use in URLs. The name is derived from the content, so browsers can cache the stylesheet.
    pub fn style_name(&self) -> String {
        picture::name_of(self.style.as_bytes())
    }

    /// Returns a picture by its name in URLs, which is derived from its content.
    pub fn picture(&self, name: &str) -> Option<&CardPicture> {
        self.pictures.iter().flatten().find(|picture| picture.address() == name)
    }

    /// Returns CSS rules that embed each of the given pictures in a page once. `numbers` are indices from [`Face::pictures`]. The faces
    /// must have been created with [`Addresses::Embedded`].
    pub fn pictures_style(&self, numbers: impl IntoIterator<Item = usize>) -> String {
        let pictures = numbers.into_iter().filter_map(|number| self.pictures.get(number)?.as_ref());
        pictures.map(picture::shared_rule).collect()
    }

    /// Returns the names of the pictures in a face, as used in URLs. The name of a picture is derived from its content.
    pub fn picture_names(&self, face: &Face) -> Vec<String> {
        let pictures = face.pictures.iter().filter_map(|number| self.pictures.get(*number)?.as_ref());
        pictures.map(CardPicture::address).collect()
    }

    /// Returns the maps of places with their computed layout.
    #[cfg_attr(not(feature = "page"), allow(dead_code, reason = "tables in a browser draw them"))]
    pub(crate) fn maps(&self) -> &[PlaceMap] {
        &self.maps
    }

    /// Returns the board that the author has drawn, if there is one.
    #[cfg_attr(not(feature = "page"), allow(dead_code, reason = "tables in a browser show it"))]
    pub(crate) const fn board(&self) -> Option<&DrawnBoard> {
        self.board.as_ref()
    }

    /// Returns the drawn mat of a seat, if the author has drawn mats.
    #[cfg_attr(not(feature = "page"), allow(dead_code, reason = "tables in a browser show it"))]
    pub(crate) fn mat(&self, seat: Seat) -> Option<&DrawnBoard> {
        self.mats.get(seat.index())
    }

    /// Returns the mistakes in the templates, pictures, drawn board and drawn mat.
    pub fn mistakes(&self) -> &[Diagnostic] {
        &self.mistakes
    }

    /// Replaces the placeholders of pictures with their addresses.
    fn put_pictures(&mut self, addresses: &Addresses) {
        let address = |picture: &CardPicture| match addresses {
            Addresses::Embedded => picture.address(),
            Addresses::Below(prefix) => format!("{prefix}{}", picture.address()),
        };
        let all: Vec<String> = self.pictures.iter().map(|one| one.as_ref().map_or_else(String::new, address)).collect();
        let fronts = self.fronts.values_mut().map(|face| &mut face.html);
        let backs = self.backs.iter_mut().map(|face| &mut face.html);
        let drawings = self.board.iter_mut().chain(&mut self.mats).map(|drawing| &mut drawing.html);
        for text in fronts.chain(backs).chain([&mut self.style]).chain(drawings) {
            match addresses {
                Addresses::Embedded => picture::put_embedded(text, &all),
                Addresses::Below(_) => picture::put_addresses(text, &all),
            }
        }
    }
}

/// Returns the index in [`colors`] of a component's color, for parts of the page that represent the component without
/// its face.
pub fn color_of(model: &Model, id: ComponentId) -> usize {
    Palette::new(model).color_of(id).tint
}

/// Returns the index in [`colors`] of a seat's color, for things that are drawn without a face, such as markers.
pub fn seat_color(model: &Model, seat: Seat) -> usize {
    standard::seat_tint(model, seat)
}

/// Returns the printed facts of each component as strings: its fields and effects.
pub fn card_texts(model: &Model, wording: &Wording) -> Vec<Vec<String>> {
    let (formatter, palette) = (FactFormatter { model, wording }, Palette::new(model));
    model.components.iter().map(|component| formatter.texts(component, &palette)).collect()
}

/// Number of colors that are assigned in turn to components without a color of their own.
pub const COLORS: usize = palette::IN_TURN;

/// Returns a stylesheet with the colors of components for use outside faces: the class `tinted tint-N` defines `--ink` and `--paper`.
pub fn colors() -> String {
    standard::colors(".tinted.tint-")
}
