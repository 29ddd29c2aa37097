//! `parlour info`: prints the contents of a game's box and other declarations.

use super::arguments::{Format, GameSelection, LanguageArgument, check_players};
use super::info_text::{
    bounds_text, contents_text, owner_text, pieces_of, printed_on_spaces, spaces_text, value_start, value_type,
};
use super::output::{Failure, Output};
use super::table::TextTable;
use super::{examples, flow, info_json, opening};
use crate::model::{
    FaceDownVisibility, Family, FamilyId, FieldType, Kind, Language, Model, OptionType, Per, Setting, Winners,
};
use crate::phrases::{self, Phrases, filled};
use crate::report::Heading;
use clap::Args;
use std::fmt::Display;

/// Shows what a game consists of: components, zones, values, phases, params and options, and the files that declare them
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour info stockpile",
    "parlour info games/my-game --players 4 --lang zh-Hant",
    "parlour info stockpile --format json",
))]
pub(super) struct Info {
    #[command(flatten)]
    chosen: GameSelection,
    /// Number of players [default: the fewest the game allows]
    #[arg(long, short, value_name = "N", value_parser = super::arguments::players, allow_negative_numbers = true)]
    players: Option<u8>,
    #[command(flatten)]
    spoken: LanguageArgument,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

impl Info {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let game = opening::open(&self.chosen.game, output)?;
        let players = self.players.unwrap_or(*game.players().start());
        check_players(&game, players)?;
        let setup = self.chosen.setup(players);
        let layout = opening::layout(&game, &setup, output)?;
        if self.format == Format::Json {
            return output.json(&info_json::document(&layout.model, self.spoken.lang));
        }
        let info = &Phrases::for_language(self.spoken.lang).info;
        let mut page = Page { model: &layout.model, language: self.spoken.lang, info, lines: Vec::new() };
        page.write();
        page.lines.into_iter().try_for_each(|line| output.line(line))
    }
}

/// Builder for the text output of `parlour info`.
struct Page<'a> {
    model: &'a Model,
    language: Language,
    info: &'static phrases::Info,
    lines: Vec<String>,
}

impl Page<'_> {
    fn write(&mut self) {
        self.head();
        self.teams();
        self.automas();
        self.components();
        self.zones();
        self.spaces();
        self.values();
        self.heading(Phrases::for_language(self.language).flow.heading);
        self.lines.extend(flow::lines(self.model, self.language).into_iter().map(|line| format!("  {line}")));
        self.decisions();
        self.params();
        self.options();
        self.campaign();
        self.endings();
        self.sources();
    }

    fn heading(&mut self, heading: &str) {
        self.lines.push(format!("\n{heading}"));
    }

    fn table(&mut self, table: &TextTable) {
        if table.is_empty() {
            self.lines.push(format!("  {}", self.info.none));
        } else {
            self.lines.extend(table.lines("  "));
        }
    }

    fn head(&mut self) {
        let model = self.model;
        let (min, max) = (model.players.start(), model.players.end());
        let range = if min == max { min.to_string() } else { format!("{min}–{max}") };
        let name = model.name.get(self.language);
        let values = [("name", &name as &dyn Display), ("id", &model.id), ("range", &range), ("players", &model.seats)];
        self.lines.push(filled(self.info.head, &values));
        if model.least_score_wins {
            self.lines.push(format!("  {}", self.info.smallest_wins));
        }
    }

    fn teams(&mut self) {
        if self.model.teams.is_empty() {
            return;
        }
        self.heading(self.info.teams);
        let mut table = TextTable::new(["id", self.info.name, self.info.seats].map(Heading::text));
        for team in &self.model.teams {
            let component = self.model.component(team.component);
            let seats: Vec<String> = team.seats.iter().map(|seat| seat.number().to_string()).collect();
            let name = component.name.get(self.language).to_owned();
            table.row(vec![component.id.to_string(), name, seats.join(", ")]);
        }
        self.table(&table);
    }

    fn automas(&mut self) {
        if !self.model.automas.is_empty() {
            let seats: Vec<String> = self.model.automas.iter().map(|seat| seat.number().to_string()).collect();
            self.heading(self.info.automas);
            self.lines.push(format!("  {}", seats.join(", ")));
        }
    }

    fn components(&mut self) {
        self.heading(self.info.components);
        let kinds: Vec<&Kind> = self.model.kinds.iter().collect();
        for kind in &kinds {
            let name = kind.name.get(self.language);
            let (rows, pieces) = (kind.components.len(), pieces_of(self.model, kind));
            let totals = filled(self.info.totals, &[("rows", &rows), ("pieces", &pieces)]);
            self.lines.push(format!("  {} — {name}: {totals}", kind.id));
            let table = self.component_rows(kind);
            self.lines.extend(table.lines("    "));
        }
        let symbols = self.symbols();
        if !symbols.is_empty() {
            self.lines.push(format!("  {}", self.info.printed_on_cells));
            self.lines.extend(symbols.lines("    "));
        }
        let total = self.model.pieces.len();
        self.lines.push(format!("  {}", filled(self.info.pieces_in_all, &[("total", &total)])));
    }

    /// Returns the table of the symbols for cells.
    fn symbols(&self) -> TextTable {
        let mut table = TextTable::new([self.info.symbol, self.info.name, self.info.color].map(Heading::text));
        for symbol in &self.model.cells.symbols {
            let color = symbol.color.as_deref().unwrap_or_default().to_owned();
            table.row(vec![symbol.written.to_string(), symbol.name.get(self.language).to_owned(), color]);
        }
        table
    }

    fn component_rows(&self, kind: &Kind) -> TextTable {
        let ours = [Heading::text("id"), Heading::text(self.info.name), Heading::number(self.info.count)];
        let fields = kind.fields.iter().map(|(field, of)| {
            let name = self.model.fields[field.index()].to_string();
            if *of == FieldType::Number { Heading::number(name) } else { Heading::text(name) }
        });
        let last = [self.info.faces, self.info.cells].map(Heading::text);
        let mut table = TextTable::new(ours.into_iter().chain(fields).chain(last));
        for component in kind.components.iter().map(|id| self.model.component(*id)) {
            let each = if component.each_seat {
                format!("{} × {}", component.count, self.model.seats)
            } else {
                component.count.to_string()
            };
            let mut row = vec![component.id.to_string(), component.name.get(self.language).to_owned(), each];
            row.extend(kind.fields.keys().map(|field| {
                component.fields.get(field).map_or_else(String::new, |value| self.model.field_text(value))
            }));
            row.push(component.faces.iter().map(|face| self.model.field_text(face)).collect::<Vec<_>>().join(" "));
            row.push(self.model.cells.rows(&component.cells).join(" / "));
            table.row(row);
        }
        table
    }

    fn zones(&mut self) {
        self.heading(self.info.zones);
        let headings = [
            "id",
            self.info.name,
            self.info.shape,
            self.info.how_many,
            self.info.spaces,
            self.info.arrives,
            self.info.seen_by,
            self.info.starts_with,
            self.info.accepts,
            self.info.refilled_from,
            self.info.in_log,
            self.info.on_table,
        ];
        let mut table = TextTable::new(headings.map(Heading::text));
        for family in &self.model.families {
            table.row(vec![
                family.id.to_string(),
                family.name.get(self.language).to_owned(),
                family.shape.word().to_owned(),
                self.copies_text(family),
                spaces_text(self.model, family),
                if family.face_up { self.info.face_up } else { self.info.face_down }.to_owned(),
                self.visibility_text(family).to_owned(),
                contents_text(self.model, &family.starts_with),
                contents_text(self.model, &family.accepts),
                family.refill.map_or_else(String::new, |from| self.model.family(from).id.to_string()),
                self.left_out_remark(family.is_quiet).to_owned(),
                self.left_out_remark(!family.is_shown).to_owned(),
            ]);
        }
        self.table(&table);
    }

    /// Lists the printed fields on the spaces of each zone. If several zones of a family have the same printed fields, lists only the first
    /// of these zones.
    fn spaces(&mut self) {
        let model = self.model;
        let mut table = TextTable::new([self.info.zone, self.info.printed, ""].map(Heading::text));
        let mut listed: Vec<(FamilyId, Vec<(String, String)>)> = Vec::new();
        for zone in &model.zones {
            let rows = printed_on_spaces(model, zone);
            if rows.is_empty() || listed.contains(&(zone.family, rows.clone())) {
                continue;
            }
            for (at, (what, printed)) in rows.iter().enumerate() {
                let path = if at == 0 { zone.path.to_string() } else { String::new() };
                table.row(vec![path, what.clone(), printed.clone()]);
            }
            listed.push((zone.family, rows));
        }
        if !table.is_empty() {
            self.heading(self.info.spaces_heading);
            self.table(&table);
        }
    }

    fn copies_text(&self, family: &Family) -> String {
        let mut words: Vec<String> = family
            .per
            .iter()
            .map(|per| match per {
                Per::Seat => self.info.each_seat.to_owned(),
                Per::Kind(kind) => filled(self.info.each, &[("kind", &self.model.kinds[kind.index()].id)]),
            })
            .collect();
        words.extend(family.copies.as_ref().map(|copies| format!("× {}", copies.len())));
        words.join(" ")
    }

    fn visibility_text(&self, family: &Family) -> &'static str {
        match (family.face_up, family.seen_by) {
            (true, _) if family.shows_top => self.info.everybody_top,
            (true, _) | (_, FaceDownVisibility::Everybody) => self.info.everybody,
            (false, FaceDownVisibility::Owner) => self.info.owner,
            (false, FaceDownVisibility::Team) => self.info.team,
            (false, FaceDownVisibility::Nobody) => self.info.nobody,
        }
    }

    fn values(&mut self) {
        self.heading(self.info.values);
        let headings = [
            self.info.of,
            "id",
            self.info.name,
            self.info.what,
            self.info.start,
            self.info.lasts,
            self.info.on,
            self.info.seen_by,
            self.info.in_log,
            self.info.on_table,
        ];
        let width = headings.len();
        let mut table = TextTable::new(headings.map(Heading::text));
        for value in &self.model.values {
            let start = value_start(self.model, value);
            table.row(vec![
                owner_text(self.model, value.owner),
                value.id.to_string(),
                value.name.get(self.language).to_owned(),
                value_type(self.model, value),
                start,
                value.lasts.word().unwrap_or_default().to_owned(),
                value.on.iter().map(|zone| &*self.model.family(*zone).id).collect::<Vec<_>>().join(", "),
                match value.seen_by {
                    FaceDownVisibility::Everybody => self.info.everybody,
                    FaceDownVisibility::Owner => self.info.owner,
                    FaceDownVisibility::Team => self.info.team,
                    FaceDownVisibility::Nobody => self.info.nobody,
                }
                .to_owned(),
                self.left_out_remark(value.is_quiet).to_owned(),
                self.left_out_remark(!value.is_shown).to_owned(),
            ]);
        }
        for derived in &self.model.derived {
            let mut row = vec![
                owner_text(self.model, derived.owner),
                derived.id.to_string(),
                derived.name.get(self.language).to_owned(),
                filled(self.info.derived, &[("function", &derived.named.function)]),
            ];
            row.resize(width, String::new());
            table.row(row);
        }
        self.table(&table);
    }

    fn decisions(&mut self) {
        self.heading(self.info.decisions);
        let mut table = TextTable::new(
            ["id", self.info.question, self.info.parts, self.info.secret, self.info.in_log].map(Heading::text),
        );
        for decision in &self.model.decisions {
            let parts: Vec<&str> = decision.parts.iter().map(|(name, _)| &**name).collect();
            let secret = if decision.is_secret { self.info.yes } else { "" };
            let ask = decision.ask.get(self.language).to_owned();
            let quiet = self.left_out_remark(decision.is_quiet).to_owned();
            table.row(vec![decision.id.to_string(), ask, parts.join(", "), secret.to_owned(), quiet]);
        }
        self.table(&table);
    }

    /// Returns the remark for a value that the log or the table leaves out, or an empty string for other values.
    fn left_out_remark(&self, is_left_out: bool) -> &'static str {
        if is_left_out { self.info.left_out } else { "" }
    }

    fn params(&mut self) {
        self.heading(self.info.params);
        let for_players = |players: u8| Heading::number(filled(self.info.for_players, &[("players", &players)]));
        let by_players = self.model.players.clone().map(for_players);
        let last = [self.info.bounds, self.info.about].map(Heading::text);
        let mut table = TextTable::new(std::iter::once(Heading::text("id")).chain(by_players).chain(last));
        for param in self.model.params.values() {
            let mut row = vec![param.id.to_string()];
            row.extend(self.model.players.clone().map(|players| {
                let own = param.by_players.iter().find(|(known, _)| *known == players);
                own.map_or(&param.value, |(_, setting)| setting).to_string()
            }));
            row.push(bounds_text(param));
            row.push(param.about.as_ref().map_or("", |about| about.get(self.language)).to_owned());
            table.row(row);
        }
        self.table(&table);
    }

    fn options(&mut self) {
        self.heading(self.info.options);
        let headings = ["id", self.info.name, self.info.option_values, self.info.default, self.info.about];
        let mut table = TextTable::new(headings.map(Heading::text));
        for option in self.model.options.values() {
            let values = match &option.kind {
                OptionType::Word(words) => words.join(", "),
                OptionType::Number { min, max } => format!("{min}–{max}"),
                OptionType::Seat => self.info.seat.to_owned(),
            };
            let default = match &option.default {
                Setting::Nothing => self.info.none.to_owned(),
                setting => setting.to_string(),
            };
            let about = option.about.as_ref().map_or("", |about| about.get(self.language)).to_owned();
            table.row(vec![option.id.to_string(), option.name.get(self.language).to_owned(), values, default, about]);
        }
        self.table(&table);
    }

    fn campaign(&mut self) {
        let Some(campaign) = &self.model.campaign else { return };
        self.heading(self.info.campaign);
        let carried: Vec<&str> = campaign.carried(self.model).collect();
        let mut table =
            TextTable::new([self.info.scenarios, self.info.carried, self.info.next_scenario].map(Heading::text));
        let next = campaign.next.as_ref().map_or("", |next| &next.call.function).to_owned();
        let scenarios = self.model.scenarios().unwrap_or_default();
        table.row(vec![scenarios.join(", "), carried.join(", "), next]);
        self.table(&table);
    }

    fn endings(&mut self) {
        self.heading(self.info.endings);
        let mut table = TextTable::new(["id", self.info.name, self.info.winners].map(Heading::text));
        for ending in &self.model.endings {
            let winners = match ending.winners {
                Winners::Best => self.info.best,
                Winners::Everybody => self.info.everybody,
                Winners::Nobody => self.info.nobody,
            };
            table.row(vec![ending.id.to_string(), ending.name.get(self.language).to_owned(), winners.to_owned()]);
        }
        self.table(&table);
    }

    fn sources(&mut self) {
        self.heading(self.info.sources);
        let mut table = TextTable::new([self.info.item, self.info.source].map(Heading::text));
        for (path, provenance) in &self.model.provenance {
            table.row(vec![path.clone(), provenance.to_string()]);
        }
        self.table(&table);
    }
}
