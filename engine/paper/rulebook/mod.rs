//! The rulebook of a game, made from its declarations, the comments of its rules, and a sample game. It covers the contents of the box, the
//! setup, the phases in order, the end, an example of play, the variants, the places on the table, and the effect of each card.

mod document;
mod flow;
mod functions;
mod picture;
mod spaces;
mod thumbnail;
mod variants;

use super::canvas::Canvas;
use super::drawn::is_drawn;
use super::order::Order;
use super::parts::Parts;
use crate::faces::{Face, Faces, card_texts};
use crate::model::{
    FaceDownVisibility, Family, First, KindId, Model, Per, RANK, SCORE, Shape, SpaceId, Winners, ZoneId, capitalized,
};
use crate::phrases::{Phrases, filled};
use crate::wording::{Wording, escaped};
use document::{Document, setting_text};
use flow::{Course, Node};
use functions::{RuleFunctions, uncapitalized};
use spaces::{is_numbered, space_text};
use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};
use thumbnail::thumbnail;

/// Maximum number of faces of a kind that the list of components shows.
const SHOWN_FACES: usize = 3;

/// Maximum number of spaces of a track for which the list of places shows the texts on the spaces.
const MAX_FIGURES: usize = 30;

/// A rulebook: its HTML, and the indices of the pictures in it.
pub(super) struct Rulebook {
    pub(super) html: String,
    pub(super) pictures: BTreeSet<usize>,
}

/// Renders the rulebook. `boards` are the printed boards.
pub(super) fn rulebook(
    model: &Model,
    wording: &Wording,
    faces: &Faces,
    (parts, boards): (&Parts, &[Canvas]),
    order: &Order,
) -> Rulebook {
    let phrases = Phrases::for_language(order.language);
    let course = Course::new(&model.flow.ops);
    let functions = RuleFunctions::new(model, wording, &course.conditions(), variants::titles(model));
    let mut document = Document {
        model,
        wording,
        faces,
        order,
        parts,
        boards,
        functions,
        course,
        procedures: BTreeSet::new(),
        book: &phrases.book,
        phrases,
        html: String::from("<article class=\"rules\">\n"),
        pictures: BTreeSet::new(),
    };
    document.head();
    document.components();
    document.teams();
    document.campaign();
    document.setup();
    document.play();
    document.end();
    document.example();
    document.variants();
    document.places();
    document.numbers();
    document.index();
    document.html.push_str("</article>\n");
    Rulebook { html: document.html, pictures: document.pictures }
}

impl Document<'_> {
    fn head(&mut self) {
        let range = self.players_range();
        self.heading(1, self.model.name.get(self.order.language));
        let players = filled(self.phrases.paper.players, &[("range", &range as &dyn Display)]);
        self.paragraph("by", &format!("{}{}{players}", self.phrases.paper.rules, self.phrases.log.colon));
        let about = self.model.about.as_ref().map(|about| about.get(self.order.language).to_owned());
        self.paragraph("lead", &about.unwrap_or_default());
        let names: Vec<String> = self.phase_names();
        let rounds = self.rounds_text();
        if self.course.has_rounds && !names.is_empty() {
            let values: [(&str, &dyn Display); 2] =
                [("count", &names.len()), ("phases", &names.join(self.wording.comma()))];
            let phases = if names.len() > 1 { filled(self.book.phases_of_a_round, &values) } else { String::new() };
            let rounds = rounds.map(|rounds| filled(self.book.length, &[("rounds", &rounds as &dyn Display)]));
            let both: Vec<String> = rounds.into_iter().chain((!phases.is_empty()).then_some(phases)).collect();
            self.paragraph("", &both.join(self.order.language.between_lines()));
        }
        let wins =
            if self.model.least_score_wins { self.phrases.paper.least_wins } else { self.phrases.paper.most_wins };
        let score = self.model.endings.iter().any(|ending| ending.winners == Winners::Best);
        // The author's text about the game usually says who wins, and says it better.
        let is_said = self.model.about.is_some();
        self.paragraph("", if score && !is_said && self.functions.has_comment(SCORE) { wins } else { "" });
    }

    fn players_range(&self) -> String {
        let (min, max) = (self.model.players.start(), self.model.players.end());
        match self.order.players {
            Some(players) => players.to_string(),
            None if min == max => min.to_string(),
            None => format!("{min}–{max}"),
        }
    }

    fn phase_names(&self) -> Vec<String> {
        let phases = self.course.phases.iter().filter_map(|phase| phase.phase);
        phases.map(|phase| self.model.phases[phase.index()].name.get(self.order.language).to_owned()).collect()
    }

    /// Describes the number of rounds. If it depends on the number of players, lists it for each number of players.
    fn rounds_text(&self) -> Option<String> {
        let rounds = self.order.rounds();
        let rounds_text = |number: i64| filled(self.phrases.flow.rounds, &[("number", &number as &dyn Display)]);
        if rounds.windows(2).all(|two| two[0].1 == two[1].1) {
            return self.model.flow.rounds.map(rounds_text);
        }
        let each = rounds.iter().map(|(players, rounds)| {
            let players = filled(self.phrases.paper.players, &[("range", players as &dyn Display)]);
            self.phrases.log.remarked(&rounds_text(*rounds), &players)
        });
        Some(each.collect::<Vec<_>>().join(self.wording.comma()))
    }

    /// Lists the contents of the box, with pictures.
    fn components(&mut self) {
        self.heading(2, self.phrases.paper.in_the_box);
        self.html.push_str("<div class=\"kinds\">\n");
        for (at, kind) in self.model.kinds.iter().enumerate() {
            let number = self.model.pieces.iter().filter(|piece| kind.components.contains(&piece.component)).count();
            if number == 0 {
                continue;
            }
            let count = filled(self.phrases.paper.pieces, &[("count", &number as &dyn Display)]).replace(' ', "\u{a0}");
            let name = self.wording.kind_name(KindId::at(at)).to_owned();
            let of_kind: Vec<&str> = kind.components.iter().map(|id| self.wording.component(*id)).collect();
            let is_named = (2..=12).contains(&of_kind.len());
            let names = if is_named { of_kind.join(self.wording.comma()) } else { String::new() };
            let shown: Vec<&Face> =
                kind.components.iter().take(SHOWN_FACES).map(|id| self.faces.front(*id, None)).collect();
            let has_back = kind
                .components
                .iter()
                .any(|id| self.faces.front(*id, None).size == self.faces.back(KindId::at(at)).size);
            let back = has_back.then(|| self.faces.back(KindId::at(at)));
            let thumbnails: Vec<String> =
                shown.into_iter().chain(back).map(|face| thumbnail(face, &mut self.pictures)).collect();
            let _ = writeln!(
                self.html,
                "<div class=\"kind\"><div class=\"thumbs\">{}</div><p><b>{}</b> · {}<br><span class=\"small\">{}</span></p></div>",
                thumbnails.concat(),
                escaped(&name),
                escaped(&count),
                escaped(&names)
            );
        }
        self.html.push_str("</div>\n");
        let others = self.other_parts();
        if !others.is_empty() {
            let values: [(&str, &dyn Display); 1] = [("list", &others.join(self.wording.comma()))];
            self.paragraph("small also", &filled(self.book.also, &values));
        }
        let parts = self.parts;
        for take in &parts.to_take {
            self.paragraph("small", take);
        }
    }

    /// Lists the printed boards and the parts that the game's files do not declare, with their numbers. Leaves out what only variants need.
    fn other_parts(&self) -> Vec<String> {
        let (language, book) = (self.order.language, self.book);
        let mut counts: indexmap::IndexMap<String, usize> = indexmap::IndexMap::new();
        let mut add = |name: String, count: usize| *counts.entry(name).or_default() += count;
        for board in self.boards {
            // The names of the boards of a family end in numbers.
            let id = board.name.trim_end_matches(|letter: char| letter.is_ascii_digit()).trim_end_matches('-');
            let family = [&*board.name, id].into_iter().find_map(|id| self.model.find_family(id));
            let name = match family {
                Some(family) => self.wording.family_name(self.model.family(family)),
                None => self.drawn_board(),
            };
            add(name, 1);
        }
        let value_name = |id: &str| {
            let value = self.model.values.iter().find(|value| *value.id == *id);
            value.map(|value| value.name.get(language)).filter(|_| self.functions.variant_that_mentions(id).is_none())
        };
        for part in &self.parts.pieces {
            let mut key = part.key.split('/');
            match (key.next(), key.next()) {
                (Some("marker"), Some("first")) => add(book.first_player_token.to_owned(), part.count),
                (Some(means @ ("marker" | "counter")), Some(id)) if id != "round" => {
                    let phrase = if means == "marker" { book.marker } else { book.counter };
                    if let Some(name) = value_name(id) {
                        add(filled(phrase, &[("what", &name as &dyn Display)]), part.count);
                    }
                }
                _ => add(part.name.clone(), part.count),
            }
        }
        for canvas in &self.parts.canvases {
            let is_mat = ["mat-", "drawn-mat-"].iter().any(|mat| canvas.name.starts_with(mat));
            let name: &str = match &*canvas.name {
                "round" => book.round_track,
                _ if is_mat => self.phrases.paper.mat,
                _ => &canvas.title,
            };
            add(name.to_owned(), 1);
        }
        let listed = |(name, count): (String, usize)| if count > 1 { format!("{count} × {name}") } else { name };
        counts.into_iter().map(listed).collect()
    }

    /// Returns the name of the drawn board, followed by the zones on it.
    fn drawn_board(&self) -> String {
        let zones = self.model.families.iter().filter(|family| {
            family.is_shown && !family.per.contains(&Per::Seat) && is_drawn(self.model, self.faces, family)
        });
        let mut names: Vec<String> = zones.map(|family| self.wording.family_name(family)).collect();
        names.dedup();
        let board = self.book.game_board;
        if names.is_empty() {
            board.to_owned()
        } else {
            self.wording.remarked(board, &names.join(self.wording.comma()))
        }
    }

    /// Lists the teams with their seats.
    fn teams(&mut self) {
        if self.model.teams.is_empty() {
            return;
        }
        self.heading(2, self.phrases.info.teams);
        self.html.push_str("<table>\n");
        for team in &self.model.teams {
            let seats: Vec<String> = team.seats.iter().map(|seat| seat.number().to_string()).collect();
            let name = self.wording.component(team.component).to_owned();
            self.row("td", &[&name, &seats.join(self.wording.comma())]);
        }
        self.html.push_str("</table>\n");
    }

    /// Describes the games of a campaign, and the state that is carried over from game to game.
    fn campaign(&mut self) {
        let Some(campaign) = &self.model.campaign else { return };
        let info = &self.phrases.info;
        self.heading(2, info.campaign);
        let comma = self.wording.comma();
        let scenarios = self.model.scenarios().unwrap_or_default();
        let scenarios: Vec<String> = scenarios.iter().map(|word| self.wording.named_word(word)).collect();
        let values = campaign.values.iter().map(|id| self.model.value(*id).name.get(self.order.language));
        let families = campaign.families.iter().map(|id| self.model.family(*id).name.get(self.order.language));
        let carried: Vec<&str> = values.chain(families).collect();
        self.html.push_str("<table>\n");
        self.row("td", &[info.scenarios, &scenarios.join(comma)]);
        self.row("td", &[info.carried, &carried.join(comma)]);
        if let Some(next) = &campaign.next {
            let sentence = self.functions.sentence(&next.call.function);
            self.row("td", &[info.next_scenario, &sentence]);
        }
        self.html.push_str("</table>\n");
    }

    /// Describes the setup: the first player, the steps, a picture of the table, and everything that depends on the number of players.
    fn setup(&mut self) {
        self.heading(2, self.book.setup);
        let who = match &self.model.flow.first {
            First::FirstSeat => self.book.first_seat.to_owned(),
            First::Random | First::Option(_) => self.book.first_at_random.to_owned(),
        };
        self.paragraph("", if self.model.seats > 1 { &who } else { "" });
        let setup = std::mem::take(&mut self.course.setup);
        self.steps(&setup, &BTreeSet::new(), &mut BTreeSet::new());
        self.course.setup = setup;
        if let Some(table) = &self.order.table {
            let left_out: BTreeSet<&str> = table
                .model
                .families
                .iter()
                .filter(|family| self.is_left_out(family))
                .map(|family| &*family.id)
                .collect();
            let is_left_out = |family: &Family| left_out.contains(&*family.id);
            let picture = picture::picture(table, &is_left_out, self.wording, self.faces, &mut self.pictures);
            self.html.push_str(&picture);
        }
        self.by_players();
    }

    /// Returns whether a zone is left out of lists and pictures: only a variant needs it, or it is empty once the setup, which alone uses
    /// it, is over.
    fn is_left_out(&self, family: &Family) -> bool {
        let mut setup = Vec::new();
        self.course.setup.iter().for_each(|node| node.functions(&mut setup));
        let is_empty = |table: &super::set_table::SetTable| {
            let zones = table.model.find_family(&family.id).map(|id| table.model.family(id).zones.clone());
            let mut spaces = zones.into_iter().flatten().flat_map(|zone| table.model.zone(ZoneId(zone)).spaces.clone());
            table.is_after_setup && spaces.all(|space| table.spaces[usize::from(space)].is_empty())
        };
        self.functions.variant_that_mentions(&family.id).is_some()
            || self.functions.is_only_in_setup(&family.id, &setup) && self.order.table.as_ref().is_some_and(is_empty)
    }

    /// Lists everything that differs between numbers of players, in a table.
    fn by_players(&mut self) {
        let models = &self.order.models;
        if models.len() < 2 {
            return;
        }
        let language = self.order.language;
        let mut rows: Vec<Vec<String>> = Vec::new();
        let mut add = |name: String, values: Vec<String>| {
            if values.iter().any(|value| *value != values[0]) && !rows.iter().any(|row| row[0] == name) {
                rows.push(std::iter::once(name).chain(values).collect());
            }
        };
        let rounds =
            |model: &std::sync::Arc<Model>| model.flow.rounds.map_or_else(String::new, |rounds| rounds.to_string());
        let rounds: Vec<String> = models.iter().map(rounds).collect();
        add(self.book.rounds.to_owned(), rounds.clone());
        let mut params: Vec<(String, Vec<String>)> = Vec::new();
        for param in self.model.params.values().filter(|param| !param.by_players.is_empty()) {
            let Some(about) = &param.about else { continue };
            let value = |model: &std::sync::Arc<Model>| {
                model.params.get(&param.id).map_or_else(String::new, |param| setting_text(self.wording, &param.value))
            };
            let values: Vec<String> = models.iter().map(value).collect();
            // The param that says how many rounds there are would repeat the first row.
            if values != rounds && self.functions.variant_that_mentions(&param.id).is_none() {
                params.push((capitalized(about.get(language)), values));
            }
        }
        let is_stated = |name: &str, values: &Vec<String>| {
            params.iter().any(|(about, others)| values == others && about.to_lowercase().contains(&name.to_lowercase()))
        };
        for family in self.model.families.iter().filter(|family| family.is_shown && !self.is_left_out(family)) {
            let count = |model: &std::sync::Arc<Model>| {
                let zones = model.find_family(&family.id).map_or(0, |id| model.family(id).zones.len());
                let seats = if family.per.contains(&Per::Seat) { usize::from(model.seats) } else { 1 };
                (zones / seats.max(1)).to_string()
            };
            let counts: Vec<String> = models.iter().map(count).collect();
            if !is_stated(&self.wording.family_name(family), &counts) {
                add(self.counted_zone(family), counts);
            }
        }
        for component in &self.model.components {
            let count = |model: &std::sync::Arc<Model>| {
                model.find_component(&component.id).map_or(0, |id| model.component(id).count).to_string()
            };
            let name = component.name.get(language);
            let name = if component.each_seat {
                filled(self.book.each, &[("what", &name as &dyn Display)])
            } else {
                name.to_owned()
            };
            add(capitalized(&name), models.iter().map(count).collect());
        }
        for (about, values) in params {
            add(about, values);
        }
        if rows.is_empty() {
            return;
        }
        self.heading(3, self.book.by_players);
        self.html.push_str("<table class=\"numbers\">\n");
        let heads: Vec<String> = std::iter::once(self.book.players.to_owned())
            .chain(models.iter().map(|model| model.seats.to_string()))
            .collect();
        self.row("th", &heads);
        for row in rows {
            self.row("td", &row);
        }
        self.html.push_str("</table>\n");
    }

    fn counted_zone(&self, family: &Family) -> String {
        let name = self.wording.family_name(family);
        if family.per.contains(&Per::Seat) { filled(self.book.each, &[("what", &name as &dyn Display)]) } else { name }
    }

    /// Lists the params that have a description. Leaves out those whose value depends on the number of players, because
    /// [`by_players`](Self::by_players) lists them.
    fn numbers(&mut self) {
        let differs = |param: &crate::model::Param, model: &std::sync::Arc<Model>| {
            model.params.get(&param.id).is_some_and(|other| other.value != param.value)
        };
        let is_listed_by_players = |param: &crate::model::Param| {
            !param.by_players.is_empty() && self.order.models.iter().any(|model| differs(param, model))
        };
        let params: Vec<(String, String)> = self
            .model
            .params
            .values()
            .filter(|param| !is_listed_by_players(param) && self.functions.variant_that_mentions(&param.id).is_none())
            .filter_map(|param| {
                let about = param.about.as_ref()?.get(self.order.language);
                Some((capitalized(about), setting_text(self.wording, &param.value)))
            })
            .collect();
        if params.is_empty() {
            return;
        }
        self.heading(2, self.phrases.paper.numbers);
        self.html.push_str("<table class=\"numbers\">\n");
        for (about, value) in params {
            self.row("td", &[about, value]);
        }
        self.html.push_str("</table>\n");
    }

    /// Lists the zones on the table: who owns them, what they accept, and who may look at their pieces.
    fn places(&mut self) {
        let families = self.model.families.iter().skip(1).filter(|family| family.is_shown && !family.zones.is_empty());
        let rows: Vec<[String; 3]> = families
            .filter(|family| family.over.is_none() && !self.is_left_out(family))
            .map(|family| {
                let whose = if family.per.contains(&Per::Seat) { self.book.own_place } else { self.book.common_place };
                let kinds = family.accepts.iter().map(|content| match content {
                    crate::model::Content::Kind(kind) => self.wording.kind_name(*kind).to_owned(),
                    crate::model::Content::Component(id) => self.wording.component(*id).to_owned(),
                });
                let kinds = kinds.collect::<Vec<_>>().join(self.wording.comma());
                let seen = self.visibility(family);
                let figures = self.figures(family);
                let parts: Vec<&str> = [&kinds, seen, &figures].into_iter().filter(|part| !part.is_empty()).collect();
                [
                    self.wording.family_name(family),
                    whose.to_owned(),
                    capitalized(&parts.join(self.phrases.log.semicolon)),
                ]
            })
            .collect();
        if rows.is_empty() {
            return;
        }
        self.heading(2, self.book.places);
        self.html.push_str("<table>\n");
        for row in rows {
            self.row("td", &row);
        }
        self.html.push_str("</table>\n");
    }

    /// Returns the texts on the spaces of a track, such as `0 · 1 · 3 · 6`: the printed figures, or the labels of spaces without one.
    /// Returns an empty string for piles, hands, bags and grids, for more than [`MAX_FIGURES`] spaces, and if the texts are just the
    /// numbers from 1.
    fn figures(&self, family: &Family) -> String {
        let Some(zone) = family.zones.clone().next().map(|zone| self.model.zone(ZoneId(zone))) else {
            return String::new();
        };
        let spaces: Vec<SpaceId> = zone.spaces.clone().map(SpaceId).collect();
        if family.shape.is_single() || family.shape.is_grid() || spaces.len() > MAX_FIGURES {
            return String::new();
        }
        let texts: Vec<String> = spaces.iter().map(|space| space_text(self.model, self.wording, *space)).collect();
        if is_numbered(&texts) { String::new() } else { texts.join(" · ") }
    }

    /// Returns a phrase that says who may look at the face-down pieces of a zone.
    fn visibility(&self, family: &Family) -> &'static str {
        let book = self.book;
        match family.seen_by {
            _ if family.shape == Shape::Bag => book.seen_bag,
            FaceDownVisibility::Everybody => book.seen_by_everybody,
            FaceDownVisibility::Owner => book.seen_by_owner,
            FaceDownVisibility::Team => book.seen_by_team,
            FaceDownVisibility::Nobody if family.face_up => book.seen_face_up,
            FaceDownVisibility::Nobody => book.seen_by_nobody,
        }
    }

    /// Describes the phases, and the procedures that several of them use.
    fn play(&mut self) {
        let course = std::mem::take(&mut self.course);
        let sections: Vec<Vec<&str>> = course
            .phases
            .iter()
            .map(|phase| &phase.steps)
            .chain([&course.setup, &course.finish])
            .map(|steps| {
                let mut names = Vec::new();
                for node in steps {
                    node.functions(&mut names);
                }
                names
            })
            .collect();
        let procedures = self.functions.procedures(&sections);
        self.heading(2, if course.has_rounds { self.book.a_round } else { self.phrases.paper.order_of_play });
        if let Some(until) = self.model.flow.rounds_until.as_ref().filter(|_| course.has_rounds) {
            let until = self.functions.clause(until);
            self.paragraph("", &filled(self.book.rounds_until, &[("what", &until as &dyn Display)]));
        }
        let mut number = 0;
        for phase in &course.phases {
            self.html.push_str("<section>\n");
            if let Some(id) = phase.phase {
                number += 1;
                let name = self.model.phases[id.index()].name.get(self.order.language);
                self.heading(3, &format!("{number}. {name}"));
            }
            if let Some(when) = &phase.when {
                let when = self.functions.clause(when);
                self.paragraph("by", &filled(self.book.only_when, &[("what", &when as &dyn Display)]));
            }
            self.steps(&phase.steps, &procedures, &mut BTreeSet::new());
            self.html.push_str("</section>\n");
        }
        let chapters = self.functions.chapters(&procedures, &sections.concat());
        if !chapters.is_empty() {
            self.heading(2, self.book.procedures);
        }
        for (topic, texts) in chapters {
            self.html.push_str("<section>\n");
            self.heading(3, &topic);
            for text in texts {
                self.paragraph("", &text);
            }
            self.html.push_str("</section>\n");
        }
        self.procedures = procedures;
        self.course = course;
    }

    /// Describes several steps as a numbered list, and a single step as a paragraph.
    fn steps(&mut self, nodes: &[Node], procedures: &BTreeSet<usize>, said: &mut BTreeSet<usize>) {
        let texts: Vec<String> =
            nodes.iter().map(|node| self.step(node, procedures, said)).filter(|text| !text.is_empty()).collect();
        match &texts[..] {
            [] => {}
            [one] => {
                let _ = writeln!(self.html, "<div class=\"step\">{one}</div>");
            }
            several => {
                let items: Vec<String> = several.iter().map(|text| format!("<li>{text}</li>\n")).collect();
                let _ = writeln!(self.html, "<ol>\n{}</ol>", items.concat());
            }
        }
    }

    /// Renders a step. The steps of a loop become a nested list.
    fn step(&self, node: &Node, procedures: &BTreeSet<usize>, said: &mut BTreeSet<usize>) -> String {
        let book = self.book;
        let until_text =
            |until: &Option<String>| until.as_ref().map(|until| self.functions.clause(until)).unwrap_or_default();
        let (lead, body) = match node {
            Node::Call(function) => {
                let text = self.functions.text(function, procedures, said);
                let Some(variant) = self.functions.variant_of(function) else { return escaped(&text) };
                let values: [(&str, &dyn Display); 2] = [("variant", &variant), ("what", &uncapitalized(&text))];
                return format!("<i>{}</i>", escaped(&filled(book.only_with, &values)));
            }
            Node::EachSeat { order: None, body } => (book.each_player.to_owned(), body),
            Node::EachSeat { order: Some(order), body } => {
                let order = self.functions.clause(order);
                (filled(book.each_player_in_order, &[("order", &order as &dyn Display)]), body)
            }
            Node::Turns { until, body, .. } => {
                let until = until_text(until);
                let lead = if until.is_empty() {
                    book.turns.to_owned()
                } else {
                    filled(book.turns_until, &[("what", &until as &dyn Display)])
                };
                (lead, body)
            }
            Node::Again { until, body } => {
                let until = until_text(until);
                let lead = if until.is_empty() {
                    book.again.to_owned()
                } else {
                    filled(book.again_until, &[("what", &until as &dyn Display)])
                };
                (lead, body)
            }
        };
        let texts: Vec<String> =
            body.iter().map(|node| self.step(node, procedures, said)).filter(|text| !text.is_empty()).collect();
        match &texts[..] {
            [] => String::new(),
            [one] => format!("<b>{}</b> {one}", escaped(&lead)),
            several => {
                let items: Vec<String> = several.iter().map(|text| format!("<li>{text}</li>\n")).collect();
                format!("<b>{}</b>\n<ol class=\"inner\">\n{}</ol>", escaped(&lead), items.concat())
            }
        }
    }

    /// Renders an example of play: a part of the log of a game.
    fn example(&mut self) {
        let Some(example) = self.order.example.as_ref().filter(|example| !example.lines.is_empty()) else { return };
        self.heading(2, &filled(self.book.example, &[("players", &example.players as &dyn Display)]));
        self.html.push_str("<div class=\"example\">\n");
        for line in &example.lines {
            let text = line.trim();
            let indentation = line.trim_start_matches('\n').chars().take_while(|letter| *letter == ' ').count();
            let class = match indentation {
                0 => "round",
                1..4 => "phase",
                4..6 => "",
                _ => "more",
            };
            self.paragraph(class, text);
        }
        self.html.push_str("</div>\n");
    }

    /// Describes the end of the game: the last steps, the endings, and how the winner is determined.
    fn end(&mut self) {
        self.heading(2, self.phrases.paper.end);
        let finish = std::mem::take(&mut self.course.finish);
        let procedures = self.procedures.clone();
        self.steps(&finish, &procedures, &mut BTreeSet::new());
        self.course.finish = finish;
        for ending in &self.model.endings {
            let name = ending.name.get(self.order.language);
            let text = match ending.winners {
                Winners::Best => name.to_owned(),
                Winners::Everybody => filled(self.book.all_win, &[("ending", &name as &dyn Display)]),
                Winners::Nobody => filled(self.book.all_lose, &[("ending", &name as &dyn Display)]),
            };
            let is_alone = self.model.endings.len() == 1 && ending.winners == Winners::Best;
            self.paragraph("", if is_alone { "" } else { &text });
        }
        if !self.model.endings.iter().any(|ending| ending.winners == Winners::Best) {
            return;
        }
        self.heading(3, self.phrases.paper.score);
        let score = self.functions.text(SCORE, &BTreeSet::new(), &mut BTreeSet::new());
        self.paragraph("", &score);
        let wins =
            if self.model.least_score_wins { self.phrases.paper.least_wins } else { self.phrases.paper.most_wins };
        let ties = if self.functions.has_comment(RANK) {
            self.functions.text(RANK, &BTreeSet::new(), &mut BTreeSet::new())
        } else {
            self.book.ties_are_shared.to_owned()
        };
        self.paragraph("", &format!("{wins}{}{ties}", self.order.language.between_lines()));
    }

    /// Lists the effects of the components in the box, by kind.
    fn index(&mut self) {
        let (mut html, texts) = (String::new(), card_texts(self.model, self.wording));
        for (at, kind) in self.model.kinds.iter().enumerate() {
            let mut rows = String::new();
            for id in &kind.components {
                let component = self.model.component(*id);
                let facts = &texts[id.index()];
                if component.count == 0 || facts.is_empty() {
                    continue;
                }
                let count = if component.count > 1 { format!(" × {}", component.count) } else { String::new() };
                let _ = writeln!(
                    rows,
                    "<p><b>{}</b>{count} — {}</p>",
                    escaped(component.name.get(self.order.language)),
                    escaped(&facts.join(self.phrases.log.semicolon))
                );
            }
            if !rows.is_empty() {
                let _ = writeln!(html, "<h3>{}</h3>\n{rows}", escaped(self.wording.kind_name(KindId::at(at))));
            }
        }
        if !html.is_empty() {
            self.heading(2, self.book.index);
            let _ = writeln!(self.html, "<div class=\"index\">\n{html}</div>");
        }
    }
}
