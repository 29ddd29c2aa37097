//! A picture of the table as it is set up.

use super::thumbnail::thumbnail;
use crate::faces::{Faces, color_of, seat_color};
use crate::model::{Family, Model, Per, Seat, Shape, SpaceId, ZoneId};
use crate::paper::board::shared_zone_name;
use crate::paper::set_table::{MarkerOf, SetPiece, SetTable};
use crate::phrases::{Phrases, filled};
use crate::wording::{Wording, escaped};
use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};

/// Maximum number of pieces of a zone that are drawn side by side.
const SPREAD: usize = 5;

/// Maximum number of spaces of a row or grid that are drawn.
const MAX_SPACES: usize = 40;

/// Draws the table: first the zones that belong to no seat, then those of the first seat, which stand for those of each player.
pub(super) fn picture(table: &SetTable, wording: &Wording, faces: &Faces, pictures: &mut BTreeSet<usize>) -> String {
    let book = &Phrases::for_language(wording.language()).book;
    let model = &*table.model;
    let caption = if table.is_after_setup { book.table_set_up } else { book.table_at_first };
    let players = model.seats;
    let mut painter = Painter { table, model, wording, faces, pictures };
    let zones = |is_own: bool| {
        (1..model.zones.len()).map(ZoneId::at).filter(move |zone| match model.zone(*zone).seat {
            Some(seat) => is_own && seat == Seat(0),
            None => !is_own,
        })
    };
    let (common, own): (Vec<ZoneId>, Vec<ZoneId>) = (zones(false).collect(), zones(true).collect());
    let common: String = common.into_iter().map(|zone| painter.zone(zone)).collect();
    let own: String = own.into_iter().map(|zone| painter.zone(zone)).collect();
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
        "<figure class=\"table\">\n<div class=\"area\"><h4>{}</h4>\n<div class=\"zones\">{common}</div></div>\n\
         <div class=\"area own\"><h4>{}</h4>\n<div class=\"zones\">{}{own}</div></div>\n<figcaption>{}</figcaption>\n</figure>\n",
        escaped(book.middle_of_the_table),
        escaped(book.each_player_has),
        values.concat(),
        escaped(&caption)
    )
}

struct Painter<'p> {
    table: &'p SetTable,
    model: &'p Model,
    wording: &'p Wording,
    faces: &'p Faces,
    pictures: &'p mut BTreeSet<usize>,
}

impl Painter<'_> {
    /// Draws a zone with its name. Returns an empty text if the zone is empty, unless it is a track.
    fn zone(&mut self, zone: ZoneId) -> String {
        let family = self.model.family_of(zone);
        let spaces: Vec<SpaceId> = self.model.zone(zone).spaces.clone().map(SpaceId).collect();
        let is_marked = self.table.markers.iter().any(|marker| spaces.contains(&marker.space));
        let count: usize = spaces.iter().map(|space| self.table.spaces[space.index()].len()).sum();
        let is_track = !family.shape.is_single()
            && (!family.printed.is_empty() || is_marked || family.per.iter().any(|per| *per != Per::Seat));
        let is_drawn =
            family.is_shown && family.over.is_none() && spaces.len() <= MAX_SPACES && (count > 0 || is_track);
        if !is_drawn {
            return String::new();
        }
        let content = if family.shape.is_single() { self.pieces(spaces[0], family) } else { self.row(&spaces, family) };
        let name = shared_zone_name(self.model, self.wording, self.model.zone(zone));
        let number = if family.shape.is_single() && count > 1 { format!(" × {count}") } else { String::new() };
        format!("<div class=\"zone\">{content}<span>{}{number}</span></div>\n", escaped(&name))
    }

    /// Draws the pieces of a pile, hand or bag: of a pile the top one, of a hand several side by side.
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
        let face = match piece.face {
            Some((component, owner)) => self.faces.front(component, owner),
            None => self.faces.back(piece.back),
        };
        thumbnail(face, self.pictures)
    }

    /// Draws the spaces of a row, ring or grid, with the pieces and markers on them.
    fn row(&mut self, spaces: &[SpaceId], family: &Family) -> String {
        let columns = if family.shape.is_grid() { usize::from(family.columns).max(1) } else { spaces.len().min(10) };
        let mut html = format!("<div class=\"cells\" style=\"grid-template-columns:repeat({columns},auto)\">");
        for space in spaces {
            let read = self.wording.figure(*space);
            let text = if read.is_empty() { self.wording.label(&self.model.space(*space).label) } else { read };
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
            MarkerOf::Seat(seat) => seat_color(seat),
            MarkerOf::Component(id) => color_of(self.model, id),
        }
    }
}
