//! A picture of the table after the setup.

use super::spaces::{is_numbered, space_text};
use super::thumbnail::thumbnail;
use crate::faces::{Faces, color_of, seat_color};
use crate::model::{Family, Model, Per, Seat, Shape, SpaceId, ZoneId};
use crate::paper::board::shared_zone_name;
use crate::paper::set_table::{MarkerOf, SetPiece, SetTable};
use crate::phrases::{Phrases, filled};
use crate::wording::{Wording, escaped};
use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};

/// Maximum number of pieces of a hand that are drawn side by side.
const SPREAD: usize = 5;

/// Maximum number of spaces of a zone that is drawn. Larger zones are left out.
const MAX_SPACES: usize = 40;

/// Draws the table: first the zones that belong to no seat, then the zones of the first seat as an example for all players. Leaves out the
/// families for which `is_left_out` holds.
pub(super) fn picture(
    table: &SetTable,
    is_left_out: &dyn Fn(&Family) -> bool,
    wording: &Wording,
    faces: &Faces,
    pictures: &mut BTreeSet<usize>,
) -> String {
    let book = &Phrases::for_language(wording.language()).book;
    let model = &*table.model;
    let caption = if table.is_after_setup { book.table_set_up } else { book.table_at_first };
    let players = model.seats;
    let mut painter = Painter { table, model, is_left_out, wording, faces, pictures };
    let zones = |is_own: bool| {
        (1..model.zones.len()).map(ZoneId::at).filter(move |zone| match model.zone(*zone).seat {
            Some(seat) => is_own && seat == Seat(0),
            None => !is_own,
        })
    };
    let (common, own): (Vec<ZoneId>, Vec<ZoneId>) = (zones(false).collect(), zones(true).collect());
    let (common, own) = (painter.area(&common), painter.area(&own));
    let values: Vec<String> = table
        .values
        .iter()
        .map(|(value, amount)| {
            let name = model.value(*value).name.get(wording.language());
            format!("<div class=\"amount\"><b>{amount}</b><span>{}</span></div>", escaped(name))
        })
        .collect();
    let caption = filled(caption, &[("players", &players as &dyn Display)]);
    format!(
        "<figure class=\"table\">\n<div class=\"area\"><h4>{}</h4>\n{common}</div>\n\
         <div class=\"area own\"><h4>{}</h4>\n<div class=\"zones\">{}</div>{own}</div>\n<figcaption>{}</figcaption>\n</figure>\n",
        escaped(book.middle_of_the_table),
        escaped(book.each_player_has),
        values.concat(),
        escaped(&caption)
    )
}

struct Painter<'p> {
    table: &'p SetTable,
    model: &'p Model,
    is_left_out: &'p dyn Fn(&Family) -> bool,
    wording: &'p Wording,
    faces: &'p Faces,
    pictures: &'p mut BTreeSet<usize>,
}

impl Painter<'_> {
    /// Draws zones: piles, hands and bags side by side, and below them rows, rings and grids. If zones of a family look alike, only the
    /// first is drawn, with their number.
    fn area(&mut self, zones: &[ZoneId]) -> String {
        let (piles, tracks): (Vec<ZoneId>, Vec<ZoneId>) =
            zones.iter().partition(|zone| self.model.family_of(**zone).shape.is_single());
        let mut html = String::new();
        for (class, zones) in [("zones", piles), ("zones tracks", tracks)] {
            let mut drawn: Vec<(ZoneId, String, usize)> = Vec::new();
            for zone in zones {
                let content = self.zone(zone);
                let family = self.model.zone(zone).family;
                match drawn
                    .iter_mut()
                    .find(|(known, html, _)| self.model.zone(*known).family == family && *html == content)
                {
                    Some((_, _, count)) => *count += 1,
                    None => drawn.push((zone, content, 1)),
                }
            }
            drawn.retain(|(_, content, _)| !content.is_empty());
            if drawn.is_empty() {
                continue;
            }
            let shown: String = drawn.iter().map(|(zone, content, count)| self.named(*zone, content, *count)).collect();
            let _ = writeln!(html, "<div class=\"{class}\">{shown}</div>");
        }
        html
    }

    /// Adds the name of a zone below its drawing, followed by the number of zones that look alike or, for a single pile, hand or bag, the
    /// number of pieces.
    fn named(&self, zone: ZoneId, content: &str, copies: usize) -> String {
        let family = self.model.family_of(zone);
        let count: usize =
            self.model.zone(zone).spaces.clone().map(|space| self.table.spaces[usize::from(space)].len()).sum();
        let (name, number) = if copies > 1 {
            (self.wording.family_name(family), copies)
        } else {
            (
                shared_zone_name(self.model, self.wording, self.model.zone(zone)),
                if family.shape.is_single() { count } else { 1 },
            )
        };
        let number = if number > 1 { format!(" × {number}") } else { String::new() };
        format!("<div class=\"zone\">{content}<span>{}{number}</span></div>\n", escaped(&name))
    }

    /// Draws a zone. Returns an empty string if the zone is hidden, left out, lies over another zone or has more than [`MAX_SPACES`]
    /// spaces. Rows and grids without pieces are drawn only if they are tracks.
    fn zone(&mut self, zone: ZoneId) -> String {
        let family = self.model.family_of(zone);
        let spaces: Vec<SpaceId> = self.model.zone(zone).spaces.clone().map(SpaceId).collect();
        let is_marked = self.table.markers.iter().any(|marker| spaces.contains(&marker.space));
        let count: usize = spaces.iter().map(|space| self.table.spaces[space.index()].len()).sum();
        let texts: Vec<String> = spaces.iter().map(|space| space_text(self.model, self.wording, *space)).collect();
        let is_track = !family.shape.is_single()
            && (!is_numbered(&texts)
                || !family.printed.is_empty()
                || is_marked
                || family.per.iter().any(|per| *per != Per::Seat));
        let is_drawn = family.is_shown && family.over.is_none() && spaces.len() <= MAX_SPACES;
        let has_place = count > 0 || is_track || family.shape.is_single();
        if !is_drawn || !has_place || (self.is_left_out)(family) {
            return String::new();
        }
        if family.shape.is_single() { self.pieces(spaces[0], family) } else { self.row(&spaces, family) }
    }

    /// Draws the pieces of a zone with a single space: the top piece of a pile or bag, or several pieces of a hand.
    fn pieces(&mut self, space: SpaceId, family: &Family) -> String {
        let pieces = self.table.spaces[space.index()].clone();
        let number = if family.shape == Shape::Hand { SPREAD } else { 1 };
        let shown: Vec<String> = pieces.iter().rev().take(number).map(|piece| self.piece(*piece)).collect();
        let class = if family.shape == Shape::Pile && pieces.len() > 1 { "pieces stack" } else { "pieces" };
        if shown.is_empty() {
            "<div class=\"pieces none\"></div>".to_owned()
        } else {
            format!("<div class=\"{class}\">{}</div>", shown.concat())
        }
    }

    fn piece(&mut self, piece: SetPiece) -> String {
        // Face-down pieces show their backs even if the first player sees their faces, because the drawing stands for all players.
        let face = match piece.face.filter(|_| piece.is_up) {
            Some((component, owner)) => self.faces.front(component, owner),
            None => self.faces.back(piece.back),
        };
        thumbnail(face, self.pictures)
    }

    /// Draws the spaces of a row, ring or grid, each with its topmost piece and its markers.
    fn row(&mut self, spaces: &[SpaceId], family: &Family) -> String {
        let columns = if family.shape.is_grid() { usize::from(family.columns).max(1) } else { spaces.len().min(10) };
        let mut html = format!("<div class=\"cells\" style=\"grid-template-columns:repeat({columns},auto)\">");
        for space in spaces {
            let text = space_text(self.model, self.wording, *space);
            let pieces = self.table.spaces[space.index()].clone();
            let pieces: String = pieces.iter().rev().take(1).map(|piece| self.piece(*piece)).collect();
            let markers = self.table.markers.iter().filter(|marker| marker.space == *space);
            let markers = markers.map(|marker| format!("<i class=\"tinted tint-{}\"></i>", self.color(marker.of)));
            let markers = markers.collect::<Vec<_>>().concat();
            let _ = write!(html, "<div class=\"cell\"><small>{}</small>{pieces}{markers}</div>", escaped(&text));
        }
        html + "</div>"
    }

    fn color(&self, of: MarkerOf) -> usize {
        match of {
            MarkerOf::Game => 14,
            MarkerOf::Seat(seat) => seat_color(self.model, seat),
            MarkerOf::Component(id) => color_of(self.model, id),
        }
    }
}
