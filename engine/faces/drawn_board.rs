//! Boards and player mats that the author has drawn as SVG files in `faces/`. The `id` or `data-place` of a shape says which pieces or
//! values are shown there.

use super::mistake;
use super::picture::{Pictures, numbers_in};
use super::shapes::{Area, NamedShape, Shapes, parse_shapes};
use crate::diagnostic::{Diagnostic, Role, Source, nearest};
use crate::model::{
    AreaItem, ComponentId, Family, FamilyId, Label, Model, Owner, Per, Seat, Shape, SpaceId, ValueId, ZoneId,
};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

/// Name of the file with the drawn board, unless `[table]` names another.
pub(crate) const BOARD: &str = "board.svg";

/// Name of the file with the drawing of a player's mat.
pub(crate) const MAT: &str = "mat.svg";

/// Maximum number of places on a board.
const MAX_PLACES: usize = 4_000;

/// Length in pixels of the longer side of a board before it is scaled to the window.
const NATURAL_WIDTH: i64 = 640;

/// A drawn board, or the drawn mat of a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DrawnBoard {
    /// HTML of the drawing.
    pub(crate) html: String,
    /// Width in pixels before the board is scaled to the window.
    pub(crate) width: i64,
    /// Index of the drawing among the pictures of all faces.
    pub(crate) picture: usize,
    /// Width on paper in tenths of a millimeter, if the drawing states it.
    pub(crate) paper_width: Option<u32>,
    /// Width and height, in thousandths of the drawing's unit.
    pub(crate) size: (i64, i64),
    /// Places on the board. The CSS class `at-N` positions the place with index N.
    pub(crate) spots: Vec<DrawnSpot>,
}

/// A place on a drawn board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DrawnSpot {
    /// Space or value that is shown at the place.
    pub(crate) target: SpotTarget,
    /// Position and size, in ten-thousandths of the board.
    area: Area,
}

/// Content of a place on a drawn board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SpotTarget {
    /// A space with its pieces.
    Space(SpaceId),
    /// A value or derived number. It belongs to the given component, otherwise to the game or, on a mat, to the mat's seat.
    Value(AreaItem, Option<ComponentId>),
}

/// Returns everything that a shape can stand for, by name: on the board, or on the mat of the seat `mat_of`. The name of a zone stands for
/// all its spaces.
fn place_names(model: &Model, mat_of: Option<Seat>) -> BTreeMap<String, Vec<SpotTarget>> {
    let mut names: BTreeMap<String, Vec<SpotTarget>> = BTreeMap::new();
    for zone in (1..model.zones.len()).map(ZoneId::at) {
        let family = model.family_of(zone);
        if family.over.is_some() || !family.is_shown || mat_of.is_some() && model.zone(zone).seat != mat_of {
            continue;
        }
        let spaces: Vec<SpaceId> = model.zone(zone).spaces.clone().map(SpaceId).collect();
        for name in zone_names(model, zone, mat_of) {
            if spaces.len() > 1 {
                for space in &spaces {
                    let label = match &model.space(*space).label {
                        Label::Cell(column, row) => format!("{column}.{row}"),
                        label => label.to_string(),
                    };
                    names.insert(format!("{name}.{label}"), vec![SpotTarget::Space(*space)]);
                }
            }
            names.insert(name, spaces.iter().copied().map(SpotTarget::Space).collect());
        }
    }
    let values = (0..model.values.len()).map(ValueId::at).map(|id| {
        let value = model.value(id);
        (&value.id, value.owner, AreaItem::Value(id))
    });
    let derived =
        model.derived.iter().enumerate().map(|(at, derived)| (&derived.id, derived.owner, AreaItem::Derived(at)));
    for (id, owner, item) in values.chain(derived) {
        match owner {
            Owner::Seat if mat_of.is_some() => {
                names.entry(id.to_string()).or_insert_with(|| vec![SpotTarget::Value(item, None)]);
            }
            _ if mat_of.is_some() => {}
            Owner::Game => {
                names.entry(id.to_string()).or_insert_with(|| vec![SpotTarget::Value(item, None)]);
            }
            Owner::Component(kind) => {
                for component in &model.kinds[kind.index()].components {
                    let name = format!("{id}.{}", model.component(*component).id);
                    names.entry(name).or_insert_with(|| vec![SpotTarget::Value(item, Some(*component))]);
                }
            }
            _ => {}
        }
    }
    names
}

/// Returns the names of a zone, such as `lots.2`, `price_track.cosmic`, or `hand.1` for the first seat. If there is only one copy, its
/// label can be omitted. On a seat's own mat, the seat is omitted.
pub(super) fn zone_names(model: &Model, zone: ZoneId, mat_of: Option<Seat>) -> Vec<String> {
    let (found, family) = (model.zone(zone), model.family_of(zone));
    let mut name = family.id.to_string();
    if let Some(seat) = found.seat.filter(|seat| mat_of != Some(*seat)) {
        let _ = write!(name, ".{}", seat.number());
    }
    for component in found.components() {
        let _ = write!(name, ".{}", model.component(component).id);
    }
    let copies = family.copies.as_ref();
    let label = found.copy.and_then(|copy| copies?.get(usize::from(copy)));
    let copied = label.map(|label| format!("{name}.{label}"));
    match copied {
        Some(copied) if copies.is_some_and(|copies| copies.len() > 1) => vec![copied],
        Some(copied) => vec![copied, name],
        None => vec![name],
    }
}

impl DrawnSpot {
    /// Returns the width and height of the place, in ten-thousandths of the board's width and height.
    pub(crate) const fn size(&self) -> (i64, i64) {
        (self.area.width, self.area.height)
    }

    /// Returns whether the center of the place is in the lower half of the board.
    pub(crate) const fn is_low(&self) -> bool {
        2 * self.area.top + self.area.height > 10_000
    }
}

impl DrawnBoard {
    /// Reads the drawn board of a game, if it has one. Adds mistakes to `mistakes`.
    pub(super) fn board(
        model: &Arc<Model>,
        read: &dyn Fn(&str) -> Option<Vec<u8>>,
        pictures: &Pictures<'_>,
        mistakes: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let named = model.table.as_ref().and_then(|table| table.board.clone());
        let name = named.as_deref().unwrap_or(BOARD);
        let bytes = read(name).or_else(|| {
            mistakes.extend(named.as_ref().map(|_| mistake::no_board(name)));
            None
        })?;
        Self::new(model, (name, bytes), None, pictures, mistakes)
    }

    /// Reads the drawn mat of a game, if it has one. Returns it once for each seat, with that seat's places.
    pub(super) fn mats(
        model: &Arc<Model>,
        read: &dyn Fn(&str) -> Option<Vec<u8>>,
        pictures: &Pictures<'_>,
        mistakes: &mut Vec<Diagnostic>,
    ) -> Vec<Self> {
        let Some(bytes) = read(MAT) else { return Vec::new() };
        // All seats have the same places, so the mistakes of one are enough.
        let mut own = |seat: Seat| {
            let mut found = Vec::new();
            let mat = Self::new(model, (MAT, bytes.clone()), Some(seat), pictures, &mut found);
            if seat.index() == 0 {
                mistakes.append(&mut found);
            }
            mat
        };
        model.all_seats().map_while(&mut own).collect()
    }

    fn new(
        model: &Arc<Model>,
        (name, bytes): (&str, Vec<u8>),
        mat_of: Option<Seat>,
        pictures: &Pictures<'_>,
        mistakes: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let path = format!("{}/{name}", Role::Face.folder());
        let text = String::from_utf8(bytes).ok()?;
        let source = Arc::new(Source { path, text });
        let address = pictures.requested().address(name)?;
        let refused = pictures.load_requested();
        if let Some((name, why)) = refused.into_iter().next() {
            mistakes.push(mistake::picture_error(&source, &name, why));
            return None;
        }
        let Some(Shapes { size, paper_width, named: shapes }) = parse_shapes(&source.text) else {
            mistakes.push(mistake::board_without_size(&source));
            return None;
        };
        let mut unknown = UnknownPlaces::new(model, mat_of);
        let mut spots: Vec<DrawnSpot> = Vec::new();
        let mut zones: Vec<(Vec<SpotTarget>, Area)> = Vec::new();
        for shape in shapes {
            let Some(targets) = unknown.names.get(&shape.name) else {
                mistakes.extend(unknown.check(&source, &shape));
                continue;
            };
            let area = shape.area.relative_to(size);
            match &targets[..] {
                [target] => spots.push(DrawnSpot { target: *target, area }),
                _ => zones.push((targets.clone(), area)),
            }
        }
        // The shape of a zone is divided among its spaces, unless one of them has a shape of its own.
        for (targets, area) in zones {
            let known: BTreeSet<SpotTarget> = spots.iter().map(|spot| spot.target).collect();
            if targets.iter().any(|target| known.contains(target)) {
                continue;
            }
            let SpotTarget::Space(first) = targets[0] else { continue };
            let family = model.family_of(model.space(first).zone);
            let areas = area.split_into_rows(columns(family, targets.len(), area), targets.len());
            spots.extend(targets.into_iter().zip(areas).map(|(target, area)| DrawnSpot { target, area }));
        }
        spots.truncate(MAX_PLACES);
        mistakes.extend(missing_places(&source, model, mat_of, &spots));
        // `NATURAL_WIDTH` applies to the longer side.
        let width = if size.1 > size.0 { (NATURAL_WIDTH * size.0 / size.1).max(1) } else { NATURAL_WIDTH };
        let html = format!("<img src=\"{address}\" alt=\"\">");
        let picture = *numbers_in(&html).first()?;
        Some(Self { html, width, picture, paper_width, size, spots })
    }

    /// Returns whether a zone has a place on the board.
    pub(crate) fn has_zone(&self, model: &Model, zone: ZoneId) -> bool {
        let is_here =
            |spot: &DrawnSpot| matches!(spot.target, SpotTarget::Space(space) if model.space(space).zone == zone);
        self.spots.iter().any(is_here)
    }

    /// Returns whether a value has a place on the board.
    pub(crate) fn has_item(&self, item: AreaItem) -> bool {
        self.spots.iter().any(|spot| matches!(spot.target, SpotTarget::Value(known, _) if known == item))
    }

    /// Returns the CSS rules for the aspect ratio of the drawing and the positions of its places. `selector` selects the drawing.
    pub(super) fn style(&self, selector: &str) -> String {
        let mut rules = format!("{selector} {{ aspect-ratio: {} / {}; }}\n", self.size.0, self.size.1);
        for (at, spot) in self.spots.iter().enumerate() {
            let Area { left, top, width, height } = spot.area;
            let percent = |part: i64| format!("{}.{:02}%", part / 100, (part % 100).abs());
            let [left, top, width, height] = [left, top, width, height].map(percent);
            let _ = writeln!(
                rules,
                "{selector} > .at-{at} {{ left: {left}; top: {top}; width: {width}; height: {height}; }}"
            );
        }
        rules
    }
}

/// Returns the number of columns into which the area of a zone is divided for its spaces.
fn columns(family: &Family, spaces: usize, area: Area) -> usize {
    match family.shape {
        Shape::Grid(_) => usize::from(family.columns).max(1),
        _ if area.width >= area.height => spaces,
        _ => 1,
    }
}

/// Maximum number of shapes whose name is compared with all names of places. A drawing may have thousands of shapes and places.
const MAX_COMPARED: usize = 200;

/// Detector of mistyped place names.
struct UnknownPlaces<'m> {
    model: &'m Model,
    mat_of: Option<Seat>,
    /// Places by name.
    names: BTreeMap<String, Vec<SpotTarget>>,
    /// Names of places that exist with other options or numbers of players.
    elsewhere: OnceCell<BTreeSet<String>>,
    /// Number of names that were compared with all names of places.
    compared: usize,
}

impl<'m> UnknownPlaces<'m> {
    fn new(model: &'m Model, mat_of: Option<Seat>) -> Self {
        Self { model, mat_of, names: place_names(model, mat_of), elsewhere: OnceCell::new(), compared: 0 }
    }

    /// Returns a diagnostic for a shape with an unknown place name. Drawing programs give ids to many shapes, so an id is reported only if
    /// it resembles a place name. Names of places that exist with other options or numbers of players are not reported.
    fn check(&mut self, source: &Arc<Source>, shape: &NamedShape) -> Option<Diagnostic> {
        let (name, is_place) = (&*shape.name, shape.is_place);
        let first = name.split('.').next().unwrap_or(name);
        let family = self.model.families.iter().find(|family| *family.id == *first);
        let begins_like =
            name.contains('.') && (family.is_some() || self.model.values.iter().any(|value| *value.id == *first));
        let more = begins_like && family.is_some_and(|family| family.copies.is_some());
        let elsewhere = self.elsewhere.get_or_init(|| {
            let others = self.model.variants_with_more_names().iter();
            others.flat_map(|other| place_names(other, self.mat_of).into_keys()).collect()
        });
        if elsewhere.contains(name) || more && !is_place || self.compared >= MAX_COMPARED {
            return None;
        }
        self.compared += 1;
        let meant = nearest(name, self.names.keys().map(String::as_str));
        let is_mistake = is_place || begins_like || meant.is_some() && name.len() > 4;
        is_mistake.then(|| mistake::unknown_place(source, name, meant))
    }
}

/// Returns a warning for each zone declaration without a place in the drawing. On the board, checks shared zones. If `mat_of` is given,
/// checks the zones of seats. Zones that are hidden, lie over another zone, or are arranged in `[table]` need no place.
fn missing_places(source: &Arc<Source>, model: &Model, mat_of: Option<Seat>, spots: &[DrawnSpot]) -> Vec<Diagnostic> {
    let has_place = |zone: u16| {
        let is_here =
            |spot: &DrawnSpot| matches!(spot.target, SpotTarget::Space(space) if model.space(space).zone.0 == zone);
        spots.iter().any(is_here)
    };
    let is_missing = |(at, family): &(usize, &Family)| {
        let is_wanted = family.per.contains(&Per::Seat) == mat_of.is_some() && family.over.is_none() && family.is_shown;
        let is_arranged = model.table.as_ref().is_some_and(|table| table.places(AreaItem::Zone(FamilyId::at(*at))));
        is_wanted && !is_arranged && !family.zones.is_empty() && !family.zones.clone().any(has_place)
    };
    let all = model.families.iter().enumerate().skip(1).filter(is_missing);
    let what = if mat_of.is_some() { "mat" } else { "board" };
    all.map(|(_, family)| mistake::missing_place(source, what, &family.id)).collect()
}
