//! Draws a map of places as SVG: links and places with their pieces and values, and names that do not overlap.

use super::disc::Disc;
use super::dom_ids;
use super::grid::discs;
use super::piece::Drawing;
use crate::desk::board::Board;
use crate::model::{ComponentId, FieldValue, Owner, Seat, SpaceId, ValueId, ValueType, ZoneId};
use crate::table::Holder;
use crate::wording::{LabelPlacer, PlaceLink, PlaceMap, Rect, Svg, beside_middle, between, map_distance, text_width};
use std::collections::{BTreeMap, BTreeSet};

/// Number of units of the drawing per 100 units of a map's coordinates.
const SCALE: i32 = 128;

/// Radii of places and of pieces on the map.
const PLACE: i32 = 9;
const PIECE: i32 = 11;

/// Maximum number of discs in a line.
const MAX_DISCS_PER_LINE: i32 = 5;

/// Font sizes of names and of values.
const NAME: i32 = 13;
const VALUE: i32 = 11;

/// Distance of a name from its place.
const GAP: i32 = 5;

/// Distance between links with the same ends.
const PARALLEL_LINK_DISTANCE: i32 = 22;

/// Minimum distance of a link from places where it does not end.
const MIN_LINK_CLEARANCE: i32 = 30;

/// Width of the empty margin around the drawing.
const MARGIN: i32 = 14;

type Point = (i32, i32);

/// Input for drawing a map.
pub(super) struct MapDrawing<'a> {
    pub(super) board: &'a Board<'a>,
    pub(super) map: &'a PlaceMap,
    pub(super) drawing: Drawing<'a>,
    /// Seat of the viewer, whose color is used to preview links; `None` for onlookers and the host.
    pub(super) own: Option<Seat>,
}

/// A piece on the table that represents a place or a link of the map.
struct Lying {
    zone: ZoneId,
    mark: String,
    owner: Option<Seat>,
}

/// A link of the map, prepared for drawing.
struct DrawnLink {
    link: PlaceLink,
    from: Point,
    to: Point,
    /// Control point of the link's curve; `None` for a straight line.
    bend: Option<Point>,
    /// Seat to which the link belongs.
    owner: Option<Seat>,
    /// Whether the link is drawn as built: it belongs to a seat, or it is not a component, so that nobody can own it.
    is_built: bool,
    marks: Vec<String>,
    name: String,
    label: String,
    discs: Vec<Disc>,
}

impl DrawnLink {
    /// Returns the point that is `part` eighths of the way along the link.
    fn at(&self, part: i32) -> Point {
        match self.bend {
            None => between(self.from, self.to, part, 8),
            Some(bend) => between(between(self.from, bend, part, 8), between(bend, self.to, part, 8), part, 8),
        }
    }

    fn path(&self) -> String {
        let ((x1, y1), (x2, y2)) = (self.from, self.to);
        match self.bend {
            None => format!("M{x1} {y1}L{x2} {y2}"),
            Some((x, y)) => format!("M{x1} {y1}Q{x} {y} {x2} {y2}"),
        }
    }
}

/// Returns the zones that are drawn on a map instead of in a box: zones with a single space that belong to a place or a link and to nothing
/// else.
pub(super) fn zones_on(board: &Board<'_>, map: &PlaceMap) -> BTreeSet<ZoneId> {
    let model = board.view.model();
    let is_on = |zone: &ZoneId| {
        let zone = model.zone(*zone);
        zone.seat.is_none()
            && zone.others.is_empty()
            && zone.spaces.len() == 1
            && zone.of.is_some_and(|of| map.contains(of))
    };
    (1..model.zones.len()).map(ZoneId::at).filter(is_on).collect()
}

/// Returns whether a zone contains pieces, all of which are visible links of the map. The map itself shows who owns these links.
pub(super) fn holds_only_links(board: &Board<'_>, map: &PlaceMap, zone: ZoneId) -> bool {
    let view = &board.view;
    let is_link = |component| map.links.iter().any(|link| link.component == Some(component));
    board.view.count(zone) > 0
        && view.model().zone(zone).spaces.clone().map(SpaceId).all(|space| {
            let seen = view.seen(space);
            seen.len() == view.height(space)
                && seen.iter().all(|one| one.face.is_some_and(|(component, _)| is_link(component)))
        })
}

impl MapDrawing<'_> {
    /// Renders the map as an SVG element.
    pub(super) fn svg(&self) -> String {
        let lying = self.pieces_on_map();
        let spots: Vec<Point> = self.map.places.iter().map(|(_, (x, y))| (x * SCALE / 100, y * SCALE / 100)).collect();
        let links = self.links(&spots, &lying);
        let mut placer = LabelPlacer::default();
        for (x, y) in &spots {
            placer.take(Rect::around((*x, *y), (2 * PLACE + 6, 2 * PLACE + 6)));
        }
        for link in &links {
            for part in 0..8 {
                placer.draw_line(link.at(part), link.at(part + 1));
            }
        }
        let (mut lines, mut grips, mut places) = (Svg::default(), Svg::default(), Svg::default());
        let mut area = spots.iter().fold(None, |area: Option<Rect>, at| {
            let place = Rect::around(*at, (2 * PLACE + 8, 2 * PLACE + 8));
            Some(area.map_or(place, |area| area.union(place)))
        });
        let mut extend = |added: Rect| area = Some(area.map_or(added, |area| area.union(added)));
        // Labels with the fewest possible positions are placed first: those of links, then the names of places, then pieces.
        for link in &links {
            extend(Self::link(link, &mut placer, (&mut lines, &mut grips)));
        }
        for (at, (component, _)) in self.map.places.iter().enumerate() {
            extend(self.place(*component, spots[at], &lying, &mut placer, &mut places));
        }
        let Rect { left, top, right, bottom } = area.unwrap_or(Rect { left: 0, top: 0, right: 1, bottom: 1 });
        let (width, height) = (right - left + 2 * MARGIN, bottom - top + 2 * MARGIN);
        let own = self.own.map_or(String::new(), |own| format!(" of-{}", own.0 % 8));
        let name = self.board.view.model().kinds[self.map.kind.index()].name.get(self.drawing.language);
        let mut svg = Svg::default();
        let class = format_args!("grid network{own}");
        let image = svg.inline_image(class, (left - MARGIN, top - MARGIN), (width, height)).set("width", width);
        image.set("role", "group").set("aria-label", name).content(|svg| {
            for part in [lines, grips, places] {
                svg.append(&part);
            }
        });
        svg.into_text()
    }

    /// Returns the visible pieces that represent places and links of the map, by component. Pieces in the box are left out.
    fn pieces_on_map(&self) -> BTreeMap<ComponentId, Vec<Lying>> {
        let (view, model) = (&self.board.view, self.board.view.model());
        let mut found: BTreeMap<ComponentId, Vec<Lying>> = BTreeMap::new();
        for zone in (1..model.zones.len()).map(ZoneId::at) {
            for space in model.zone(zone).spaces.clone().map(SpaceId) {
                for (place, one) in view.seen(space).iter().enumerate() {
                    let Some((component, owner)) = one.face.filter(|(component, _)| self.map.contains(*component))
                    else {
                        continue;
                    };
                    let owner = model.zone(zone).seat.or(owner);
                    let mark = dom_ids::of_piece(space, one, Some(place));
                    found.entry(component).or_default().push(Lying { zone, mark, owner });
                }
            }
        }
        found
    }

    /// Returns the seat that is named by a shown value of the component; `None` if there is none. This seat is drawn as the owner of the
    /// component.
    fn owner_by_value(&self, component: ComponentId) -> Option<Seat> {
        let (view, model) = (&self.board.view, self.board.view.model());
        let kind = model.component(component).kind;
        let names_seat = |id: &ValueId| {
            let value = model.value(*id);
            value.owner == Owner::Component(kind) && value.kind == ValueType::Seat && !value.is_held() && value.is_shown
        };
        let mut values = (0..model.values.len()).map(ValueId::at).filter(names_seat);
        values.find_map(|id| {
            let raw = view.value(id, Holder::Component(component))?;
            u8::try_from(raw).ok().filter(|seat| *seat < model.seats).map(Seat)
        })
    }

    fn links(&self, spots: &[Point], lying: &BTreeMap<ComponentId, Vec<Lying>>) -> Vec<DrawnLink> {
        let model = self.board.view.model();
        let mut all: Vec<DrawnLink> = Vec::new();
        for link in &self.map.links {
            let pieces = link.component.and_then(|component| lying.get(&component)).map_or(&[][..], |pieces| pieces);
            let copies = pieces.len().max(1);
            for copy in 0..copies {
                let piece = pieces.get(copy);
                let owner = piece.and_then(|piece| piece.owner).or_else(|| self.owner_by_value(link.component?));
                let mut marks: Vec<String> = piece.map(|piece| piece.mark.clone()).into_iter().collect();
                marks.extend(link.component.map(dom_ids::of_component));
                let own_zones = || {
                    (1..model.zones.len())
                        .map(ZoneId::at)
                        .filter(|zone| link.component.is_some() && model.zone(*zone).of == link.component && copy == 0)
                };
                let single = own_zones().filter(|zone| model.zone(*zone).spaces.len() == 1);
                marks.extend(single.clone().map(dom_ids::of_zone));
                marks.extend(single.clone().map(|zone| dom_ids::of_space(model.zone(zone).space())));
                let on_it: Vec<Disc> =
                    single.flat_map(|zone| discs(self.board, self.drawing, model.zone(zone).space())).collect();
                let (from, to) = (spots[link.ends.0], spots[link.ends.1]);
                all.push(DrawnLink {
                    link: *link,
                    from,
                    to,
                    bend: None,
                    owner,
                    is_built: owner.is_some() || link.component.is_none(),
                    marks,
                    name: self.link_name(*link, piece, owner),
                    label: if copy == 0 { self.link_label(*link) } else { String::new() },
                    discs: Disc::grouped(on_it),
                });
            }
        }
        bend_parallels(&mut all);
        bend_around(&mut all, spots);
        all
    }

    /// Returns the accessible name of a link: the name, printed fields and values of its component, or the names of its two ends if it has
    /// no component. Then follows the name of its owner or, if nobody owns the link, the name of the zone that contains its piece.
    fn link_name(&self, link: PlaceLink, piece: Option<&Lying>, owner: Option<Seat>) -> String {
        let (wording, model) = (self.board.wording, self.board.view.model());
        let ends = [link.ends.0, link.ends.1].map(|end| wording.component(self.map.places[end].0));
        let mut parts = match link.component {
            None => vec![ends.join(if link.is_one_way { " → " } else { " – " })],
            Some(component) => {
                let named = self.drawing.piece(component, None, None).title;
                let named = named.split_once(": ").map_or(named.clone(), |(_, rest)| rest.to_owned());
                std::iter::once(named).chain(self.board.values_of_component(component)).collect()
            }
        };
        parts.extend(owner.map(|owner| wording.seat(owner).to_owned()));
        let free = piece.filter(|_| owner.is_none()).map(|piece| model.family_of(piece.zone));
        parts.extend(free.map(|family| family.name.get(self.drawing.language).to_owned()));
        parts.join(" · ")
    }

    /// Returns the first number that is printed on a link; an empty string if there is none.
    fn link_label(&self, link: PlaceLink) -> String {
        let Some(component) = link.component else { return String::new() };
        let fields = self.board.view.model().component(component).fields.values();
        let mut numbers = fields.filter(|value| matches!(value, FieldValue::Number(_)));
        numbers.next().map_or_else(String::new, |number| self.board.wording.field(number))
    }

    /// Draws a link with its label and its pieces. Returns the area that the label and the pieces occupy.
    fn link(link: &DrawnLink, placer: &mut LabelPlacer, (lines, grips): (&mut Svg, &mut Svg)) -> Rect {
        let path = link.path();
        let class = match (link.is_built, link.owner) {
            (_, Some(owner)) => format!(" built of-{}", owner.0 % 8),
            (true, None) => " road".to_owned(),
            (false, None) => " free".to_owned(),
        };
        let label = &link.label;
        let size = (text_width(label, VALUE) + 10, VALUE + 8);
        let spots = [4, 3, 5, 2, 6].into_iter().map(|part| {
            let own = i64::from((part - 4_i32).abs()) * 12;
            (Rect::around(link.at(part), size), own)
        });
        let mut area = Rect::around(link.at(4), (2, 2));
        let group = lines.element("g").set("class", format_args!("link{class}")).set("role", "img");
        group.set("data-k", link.marks.join(" ")).set("aria-label", &link.name).content(|svg| {
            svg.element("title").text(&link.name);
            let hit = if link.bend.is_some() { "hit wide" } else { "hit" };
            for class in ["halo", "case", "line", hit] {
                svg.element("path").set("class", class).set("d", &path).empty();
            }
            if link.link.is_one_way {
                arrow(link, svg);
            }
            // The label is part of the link, so that a click on the label selects the link.
            if !label.is_empty()
                && let Some(place) = placer.place(spots)
            {
                let (x, y) = place.center();
                place.draw(svg).set("class", "plate").set("rx", (place.bottom - place.top) / 2).empty();
                let text = svg.label((x, y + VALUE * 7 / 20)).set("class", "plate");
                text.set("font-size", VALUE).text(label);
                area = area.union(place);
            }
        });
        if !link.discs.is_empty() {
            let count = link.discs.len() as i32;
            let size = (
                count.min(MAX_DISCS_PER_LINE) * 2 * PIECE,
                (count + MAX_DISCS_PER_LINE - 1) / MAX_DISCS_PER_LINE * 2 * PIECE,
            );
            let spots = [4, 3, 5, 2, 6].into_iter().flat_map(|part| {
                let (x, y) = link.at(part);
                let own = i64::from((part - 4_i32).abs()) * 12;
                [(Rect::around((x, y), size), own), (Rect::around((x, y - size.1), size), own + 60)]
            });
            if let Some(place) = placer.place(spots) {
                draw_block(&link.discs, place, grips);
                area = area.union(place);
            }
        }
        area
    }

    /// Draws a place with its name, values and pieces. Returns the area that they occupy.
    fn place(
        &self,
        component: ComponentId,
        (x, y): Point,
        lying: &BTreeMap<ComponentId, Vec<Lying>>,
        placer: &mut LabelPlacer,
        svg: &mut Svg,
    ) -> Rect {
        let (wording, model) = (self.board.wording, self.board.view.model());
        let pieces = lying.get(&component).map_or(&[][..], |pieces| pieces);
        let owner = pieces.iter().find_map(|piece| piece.owner).or_else(|| self.owner_by_value(component));
        let mut marks = vec![dom_ids::of_component(component)];
        marks.extend(pieces.iter().map(|piece| piece.mark.clone()));
        let zones: Vec<ZoneId> =
            zones_on(self.board, self.map).into_iter().filter(|zone| model.zone(*zone).of == Some(component)).collect();
        marks.extend(zones.iter().map(|zone| dom_ids::of_zone(*zone)));
        marks.extend(zones.iter().map(|zone| dom_ids::of_space(model.zone(*zone).space())));
        let name = wording.component(component);
        let values = self.board.values_of_component(component);
        let mut told = vec![name.to_owned()];
        told.extend(values.iter().cloned());
        told.extend(owner.map(|owner| wording.seat(owner).to_owned()));
        let told = told.join(" · ");
        let class = owner.map_or_else(String::new, |owner| format!(" of-{}", owner.0 % 8));
        let lines: Vec<(&str, i32)> =
            std::iter::once((name, NAME)).chain(values.iter().map(|value| (&**value, VALUE))).collect();
        let width = lines.iter().map(|(line, size)| text_width(line, *size)).max().unwrap_or_default() + 4;
        let height = lines.iter().map(|(_, size)| size * 5 / 4).sum::<i32>() + 2;
        let (aside, above) = (PLACE + GAP + width / 2, PLACE + GAP + height / 2);
        let spots = [
            ((x + aside, y), 0),
            ((x, y + above), 20),
            ((x - aside, y), 30),
            ((x, y - above), 40),
            ((x + aside - 4, y + above - 8), 60),
            ((x - aside + 4, y + above - 8), 60),
            ((x + aside - 4, y - above + 8), 70),
            ((x - aside + 4, y - above + 8), 70),
        ];
        let label = placer.place(spots.map(|(center, own)| (Rect::around(center, (width, height)), own)));
        let label = label.unwrap_or(Rect::around((x, y), (width, height)));
        let node = Rect::around((x, y), (2 * PLACE + 6, 2 * PLACE + 6));
        let hit = node.union(label);
        let group = svg.element("g").set("class", format_args!("place{class}")).set("role", "img");
        group.set("data-k", marks.join(" ")).set("aria-label", &told).content(|svg| {
            svg.element("title").text(&told);
            hit.draw(svg).set("class", "hit").set("rx", 6).empty();
            svg.circle((x, y), PLACE).set("class", "node").empty();
            let mut base = label.top;
            for (at, (line, size)) in lines.iter().enumerate() {
                base += size * 5 / 4;
                let class = if at == 0 { "name" } else { "fact" };
                let text = svg.label((label.center().0, base - size / 4)).set("class", class);
                text.set("font-size", size).text(line);
            }
        });
        let mut here: Vec<Disc> =
            zones.iter().flat_map(|zone| discs(self.board, self.drawing, model.zone(*zone).space())).collect();
        here = Disc::grouped(here);
        let markers = self.markers(component);
        let count = here.len() as i32 + markers.len() as i32;
        if count == 0 {
            return hit;
        }
        let size = (
            count.min(MAX_DISCS_PER_LINE) * 2 * PIECE,
            (count + MAX_DISCS_PER_LINE - 1) / MAX_DISCS_PER_LINE * 2 * PIECE,
        );
        let (aside, above) = (PLACE + 3 + size.0 / 2, PLACE + 3 + size.1 / 2);
        let spots = [
            ((x, y - above), 0),
            ((x, y + above), 10),
            ((x + aside, y), 10),
            ((x - aside, y), 10),
            ((x + aside, y - above + 6), 40),
            ((x - aside, y - above + 6), 40),
            ((x + aside, y + above - 6), 40),
            ((x - aside, y + above - 6), 40),
        ];
        let spots = spots.map(|(center, own)| (Rect::around(center, size), own));
        let Some(block) = placer.place(spots) else { return hit };
        draw_block(&here, block, svg);
        for (at, (class, letters, told)) in markers.iter().enumerate() {
            let (cx, cy) = spot_in(block, here.len() + at);
            let group = svg.element("g").set("class", format_args!("marker {class}")).set("role", "img");
            group.set("aria-label", told).content(|svg| {
                svg.element("title").text(told);
                let outline = format!("M{cx} {}a6 6 0 0 1 3 11l4 10h-14l4 -10a6 6 0 0 1 3 -11z", cy - 11);
                svg.element("path").set("d", outline).empty();
                svg.label((cx, cy + 8)).set("font-size", 9).text(letters);
            });
        }
        hit.union(block)
    }

    /// Returns a marker for each value that names the place `component`: CSS class, letters, and accessible name.
    fn markers(&self, component: ComponentId) -> Vec<(String, String, String)> {
        let (view, model) = (&self.board.view, self.board.view.model());
        let mut found = Vec::new();
        let names_place = |id: &ValueId| {
            let value = model.value(*id);
            value.kind == ValueType::Component(Some(self.map.kind)) && !value.is_held() && value.is_shown
        };
        for id in (0..model.values.len()).map(ValueId::at).filter(names_place) {
            let name = self.board.name_of(id);
            for holder in view.holders(id) {
                if view.value(id, holder) != Some(i64::from(component.0)) {
                    continue;
                }
                let of = |whose: &str| format!("{whose} · {name}");
                let initial =
                    |text: &str| text.chars().next().map_or_else(String::new, |letter| letter.to_uppercase().collect());
                match holder {
                    Holder::Seat(seat) => {
                        found.push((format!("of-{}", seat.0 % 8), String::new(), of(self.board.wording.seat(seat))));
                    }
                    Holder::Component(other) => {
                        let whose = self.board.wording.component(other);
                        found.push(("neutral".to_owned(), initial(whose), of(whose)));
                    }
                    Holder::Game => found.push(("neutral".to_owned(), initial(&name), name.clone())),
                    _ => {}
                }
            }
        }
        found
    }
}

/// Bends links between the same two places, so that they do not overlap.
fn bend_parallels(all: &mut [DrawnLink]) {
    let mut groups: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (at, link) in all.iter().enumerate() {
        let (a, b) = link.link.ends;
        groups.entry((a.min(b), a.max(b))).or_default().push(at);
    }
    for group in groups.values().filter(|group| group.len() > 1) {
        for (nth, at) in group.iter().enumerate() {
            let link = &mut all[*at];
            let aside = (2 * nth as i32 - (group.len() as i32 - 1)) * PARALLEL_LINK_DISTANCE;
            // The side of the bend is relative to the same end for all of these links. Otherwise, links in opposite directions would
            // overlap.
            let aside = if link.link.ends.0 < link.link.ends.1 { aside } else { -aside };
            link.bend = (aside != 0).then(|| beside_middle(link.from, link.to, aside));
        }
    }
}

/// Bends straight links that would pass too close to other places.
fn bend_around(all: &mut [DrawnLink], spots: &[Point]) {
    let room = |link: &DrawnLink| {
        let ends = [link.from, link.to];
        let others = || spots.iter().filter(|spot| !ends.contains(spot));
        let nearest =
            |part: i32| others().map(|spot| map_distance(link.at(part), *spot)).min().unwrap_or(MIN_LINK_CLEARANCE);
        (1..8).map(nearest).min().unwrap_or(MIN_LINK_CLEARANCE).min(MIN_LINK_CLEARANCE)
    };
    for link in all.iter_mut().filter(|link| link.bend.is_none()) {
        if room(link) >= MIN_LINK_CLEARANCE {
            continue;
        }
        let (from, to) = (link.from, link.to);
        // Slighter bends come first. A later bend is chosen only if it has more room.
        let mut best = (None, room(link));
        for aside in [30, -30, 55, -55, 80, -80, 110, -110] {
            link.bend = Some(beside_middle(from, to, aside));
            if room(link) > best.1 {
                best = (link.bend, room(link));
            }
        }
        link.bend = best.0;
    }
}

/// Draws the arrowhead of a one-way link.
fn arrow(link: &DrawnLink, svg: &mut Svg) {
    let (tip, tail) = (link.at(6), link.at(5));
    let back = between(tip, tail, 14, map_distance(tip, tail).max(14));
    let wing = |aside: i32| {
        let length = map_distance(tip, back).max(1);
        (back.0 - (tip.1 - back.1) * aside / length, back.1 + (tip.0 - back.0) * aside / length)
    };
    let ((x, y), (x1, y1), (x2, y2)) = (tip, wing(8), wing(-8));
    let outline = format_args!("M{x} {y}L{x1} {y1}L{x2} {y2}z");
    svg.element("path").set("class", "arrow").set("d", outline).empty();
}

/// Returns the center of the disc with index `at` in a block of discs.
fn spot_in(block: Rect, at: usize) -> Point {
    let abreast = ((block.right - block.left) / (2 * PIECE)).max(1);
    let (column, row) = (at as i32 % abreast, at as i32 / abreast);
    (block.left + PIECE + column * 2 * PIECE, block.top + PIECE + row * 2 * PIECE)
}

fn draw_block(discs: &[Disc], block: Rect, svg: &mut Svg) {
    for (at, disc) in discs.iter().enumerate() {
        disc.draw(spot_in(block, at), PIECE - 1, svg);
    }
}
