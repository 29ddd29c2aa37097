//! Renders the table of a game, as a viewer sees it, as plain text: zones with pieces, grids as maps, values in columns.

use super::table::TextTable;
use super::wrap::{map_width, wrap_line};
use crate::desk::board;
use crate::model::{ComponentId, Language, Seat, SpaceId, Tessellation, ZoneId};
use crate::phrases::{Phrases, filled};
use crate::report::Heading;
use crate::table::{Picture, View};
use crate::wording::{Wording, hexagon_parts};
use std::fmt::Display;

/// Plain-text view of the table of a game.
pub(super) struct Board<'a> {
    table: board::Board<'a>,
    /// Pictures of the grids that contain pieces made of squares.
    pictures: Vec<Picture>,
    phrases: &'static Phrases,
}

/// Width of the row numbers beside a grid, in columns of the terminal.
const GRID_LABELS: usize = 6;

/// Symbols for the pieces on a map, in the order in which they are assigned.
const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// Returns the symbol for an index: one character of [`LETTERS`], or several if the index exceeds them.
fn letters_at(position: usize) -> String {
    let count = LETTERS.len();
    let before = if position < count { String::new() } else { letters_at(position / count - 1) };
    before + &LETTERS[position % count..=position % count]
}

/// Legend entry of a map: a component with its owner, and the name of its pieces. The name is empty until one of the pieces is seen.
type MapEntry = ((ComponentId, Option<Seat>), String);

impl<'a> Board<'a> {
    pub(super) fn new(view: View<'a>, pictures: Vec<Picture>, wording: &'a Wording, language: Language) -> Self {
        Self { table: board::Board::new(view, wording, language), pictures, phrases: Phrases::for_language(language) }
    }

    /// Renders the whole table: the round, eliminated seats, the pictures, the other zones that belong to no seat, the zones of each seat,
    /// and the values.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = vec![String::new()];
        lines.extend(self.head());
        let (wording, log) = (self.table.wording, &self.phrases.log);
        let out = |seat| format!("  {}", filled(log.eliminated, &[("seat", &wording.seat(seat))]));
        lines.extend(self.table.view.eliminated().map(out));
        self.pictures(&mut lines);
        let zones = || (1..self.table.view.model().zones.len()).map(ZoneId::at).filter(|zone| self.is_shown(*zone));
        for zone in zones().filter(|zone| self.table.view.model().zone(*zone).seat.is_none()) {
            self.zone(zone, &mut lines);
        }
        for seat in self.table.view.model().all_seats() {
            for zone in zones().filter(|zone| self.table.view.model().zone(*zone).seat == Some(seat)) {
                self.zone(zone, &mut lines);
            }
        }
        self.values(&mut lines);
        lines
    }

    /// Renders the round, its first player, the phase, and whose turn it is; `None` before the first round.
    fn head(&self) -> Option<String> {
        let view = &self.table.view;
        if view.round() == 0 {
            return None;
        }
        let wording = self.table.wording;
        let given = [("round", &wording.round(view.round()) as &dyn Display), ("seat", &wording.seat(view.first()))];
        let round_text = filled(self.phrases.log.begun_by, &given);
        let phase = view.phase().map(|phase| view.model().phases[phase.index()].name.get(wording.language()));
        let turn = view.active().map(|seat| filled(self.phrases.web.turn_of, &[("name", &wording.seat(seat))]));
        let parts = [Some(round_text), phase.map(str::to_owned), turn];
        Some(format!("  {}", parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")))
    }

    /// Renders the pictures of grids, each followed by the meanings of its symbols and by the pieces with values.
    fn pictures(&self, lines: &mut Vec<String>) {
        for picture in self.pictures.iter().filter(|picture| self.table.is_shown(picture.zone)) {
            lines.extend(self.table.wording.picture(picture).into_iter().map(|line| format!("  {line}")));
            if !picture.cells.is_empty() {
                lines.push(format!("        {}", self.table.wording.symbols()));
            }
            let mut zones: Vec<ZoneId> = picture.standing.iter().map(|standing| standing.zone).collect();
            zones.sort_unstable();
            zones.dedup();
            for zone in zones {
                self.values_on(zone, lines);
            }
        }
    }

    /// Returns whether a zone is rendered separately. It must not be part of a picture, and must have pieces, be an empty map, or have
    /// printed contents.
    fn is_shown(&self, zone: ZoneId) -> bool {
        let is_pictured =
            |picture: &Picture| picture.zone == zone || picture.standing.iter().any(|standing| standing.zone == zone);
        self.table.is_shown(zone)
            && (self.table.view.count(zone) > 0 || self.table.is_empty_map(zone) || self.table.is_printed_line(zone))
            && !self.pictures.iter().any(is_pictured)
    }

    fn zone(&self, zone: ZoneId, lines: &mut Vec<String>) {
        let model = self.table.view.model();
        if model.family_of(zone).shape.is_grid() {
            return self.grid(zone, lines);
        }
        let name = self.table.wording.zone_name(zone);
        let is_whole = self.table.is_printed_line(zone);
        let is_shown = |space: &SpaceId| is_whole || self.table.view.height(*space) > 0;
        let spaces: Vec<SpaceId> = model.zone(zone).spaces.clone().map(SpaceId).filter(is_shown).collect();
        let single = model.zone(zone).spaces.len() == 1;
        let texts: Vec<String> = spaces
            .iter()
            .map(|space| {
                let pieces = self.table.pieces(*space);
                let read = if is_whole {
                    self.table.wording.figure(*space)
                } else {
                    self.table.wording.space_label_text(*space)
                };
                let text = if single { pieces } else { format!("{read} {pieces}") };
                text.trim_end().to_owned()
            })
            .collect();
        lines.extend(wrap_line(&format!("  {name} ({}): {}", self.table.view.count(zone), texts.join(" · "))));
    }

    /// Renders a map with labels for columns and rows. Each space shows a letter for its top piece, `#` if that piece is hidden, or a dot
    /// if it is empty.
    fn grid(&self, zone: ZoneId, lines: &mut Vec<String>) {
        lines.push(format!("  {}:", self.table.wording.zone_name(zone)));
        let family = self.table.view.model().family_of(zone);
        let spaces: Vec<SpaceId> = self.table.view.model().zone(zone).spaces.clone().map(SpaceId).collect();
        let mut known = self.reserved_entries(&spaces);
        let cells: Vec<String> = spaces.iter().map(|space| self.cell(*space, &mut known)).collect();
        match family.shape.tessellation() {
            Tessellation::Square => self.squares(usize::from(family.columns), &spaces, &cells, lines),
            Tessellation::Hex(orientation) => {
                let width = cells.iter().map(String::len).max().unwrap_or(1);
                let cells: Vec<_> = spaces.iter().map(|space| self.table.place(*space)).zip(cells).collect();
                lines.extend(hexagon_parts(orientation, &cells, width + 3, map_width()));
            }
        }
        self.legend(&known, lines);
    }

    /// Renders the spaces of a square grid. A grid that is wider than the terminal is split into parts, one below the other.
    fn squares(&self, columns: usize, spaces: &[SpaceId], cells: &[String], lines: &mut Vec<String>) {
        let heads: Vec<String> =
            spaces.iter().take(columns).map(|space| self.table.place(*space).0.to_string()).collect();
        let width = heads.iter().chain(cells).map(String::len).max().unwrap_or(1) + 1;
        let written = |texts: &[String]| {
            let padded: Vec<String> = texts.iter().map(|text| format!("{text:>width$}")).collect();
            padded.concat()
        };
        let across = ((map_width() - GRID_LABELS) / width).max(1);
        for first in (0..columns).step_by(across) {
            let part = first..columns.min(first + across);
            lines.push(format!("{}{}", " ".repeat(GRID_LABELS), written(&heads[part.clone()])));
            for (spaces, cells) in spaces.chunks(columns).zip(cells.chunks(columns)) {
                lines.push(format!("    {:>2}{}", self.table.place(spaces[0]).1, written(&cells[part.clone()])));
            }
        }
    }

    /// Renders the legend of a map.
    fn legend(&self, known: &[MapEntry], lines: &mut Vec<String>) {
        let named = known.iter().enumerate().filter(|(_, (_, face))| !face.is_empty());
        let legend: Vec<String> = named.map(|(at, (_, face))| format!("{} {face}", letters_at(at))).collect();
        if !legend.is_empty() {
            lines.push(format!("      {}", legend.join(self.phrases.log.comma)));
        }
    }

    /// Reserves letters for all pieces of the kinds that lie on a map, so that letters keep their meaning during a game. Returns an empty
    /// list if this takes more than half of the letters.
    fn reserved_entries(&self, spaces: &[SpaceId]) -> Vec<MapEntry> {
        let model = self.table.view.model();
        let kind_of = |component: ComponentId| model.component(component).kind;
        let mut kinds = Vec::new();
        for (component, _) in spaces.iter().filter_map(|space| self.table.view.seen(*space).last()?.face) {
            if !kinds.contains(&kind_of(component)) {
                kinds.push(kind_of(component));
            }
        }
        let mut entries: Vec<MapEntry> = Vec::new();
        for piece in model.pieces.iter().filter(|piece| kinds.contains(&kind_of(piece.component))) {
            let kind = (piece.component, piece.owner);
            if !entries.iter().any(|(known, _)| *known == kind) {
                entries.push((kind, String::new()));
            }
        }
        if entries.len() > LETTERS.len() / 2 { Vec::new() } else { entries }
    }

    fn cell(&self, space: SpaceId, known: &mut Vec<MapEntry>) -> String {
        if self.table.view.height(space) == 0 {
            return ".".to_owned();
        }
        let seen = self.table.view.seen(space);
        let top = seen.last().and_then(|top| Some((top.face?, self.table.standing(top, space, seen.len() - 1)?)));
        let Some((kind, face)) = top else { return "#".to_owned() };
        let same = known.iter().position(|(_, other)| *other == face);
        let fresh = || known.iter().position(|(other, face)| *other == kind && face.is_empty());
        let at = same.or_else(fresh).unwrap_or(known.len());
        match known.get_mut(at) {
            Some((_, known)) => *known = face,
            None => known.push((kind, face)),
        }
        letters_at(at)
    }

    /// Lists the pieces with values in a zone, with their spaces, because pictures do not show values.
    fn values_on(&self, zone: ZoneId, lines: &mut Vec<String>) {
        let table = &self.table;
        let of_space = |space: SpaceId| {
            let seen = table.view.seen(space);
            let texts: Vec<String> = (0..seen.len())
                .filter_map(|place| {
                    let has_values = !table.values_of_piece(space, place).is_empty();
                    let piece = table.standing(&seen[place], space, place).filter(|_| has_values)?;
                    Some(format!("{} {piece}", table.wording.space_name(space)))
                })
                .collect();
            texts
        };
        let spaces = table.view.model().zone(zone).spaces.clone().map(SpaceId);
        lines.extend(spaces.flat_map(of_space).flat_map(|text| wrap_line(&format!("      {text}"))));
    }

    fn values(&self, lines: &mut Vec<String>) {
        let of_seats = self.table.seat_columns();
        let named = of_seats.iter().map(|(name, _)| Heading::number(name.as_str()));
        let model = self.table.view.model();
        let who = |seat: Option<Seat>| {
            let (player, team) = match seat {
                None => (self.phrases.story.player, Some(self.phrases.story.team)),
                Some(seat) => (self.table.wording.seat(seat), self.table.wording.team(seat)),
            };
            let team = team.filter(|_| !model.teams.is_empty());
            std::iter::once(player.to_owned()).chain(team.map(str::to_owned))
        };
        let mut table = TextTable::new(who(None).map(Heading::text).chain(named));
        for seat in model.all_seats() {
            let values = of_seats.iter().map(|(_, texts)| texts[seat.index()].clone().unwrap_or_default());
            table.row(who(Some(seat)).chain(values).collect());
        }
        if !of_seats.is_empty() || !model.teams.is_empty() {
            lines.extend(table.lines("  "));
        }
        let set = self.table.other_values().into_iter().map(|(id, texts)| (self.table.name_of(id), texts));
        for (name, texts) in set.chain(self.table.other_derived()) {
            lines.extend(wrap_line(&format!("  {name}: {}", texts.join(self.phrases.log.comma))));
        }
    }
}
