//! The rulebook of a game, made from its declarations, the comments of its rules, and a sample game. It covers the contents of the box, the
//! setup, the phases in order, an example of play, the end, and the effect of each card.

mod flow;
mod functions;
mod picture;
mod spaces;
mod thumbnail;

use super::order::Order;
use super::parts::Parts;
use crate::faces::{Face, Faces, card_texts};
use crate::model::{
    FaceDownVisibility, Family, First, KindId, Model, OptionType, Per, RANK, SCORE, Setting, Shape, SpaceId, Winners,
    ZoneId, capitalized,
};
use crate::phrases::{Book, Phrases, filled};
use crate::wording::{Wording, escaped};
use flow::{Course, Node};
use functions::RuleFunctions;
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

struct Document<'m> {
    model: &'m Model,
    wording: &'m Wording,
    faces: &'m Faces,
    order: &'m Order,
    parts: &'m Parts,
    functions: RuleFunctions<'m>,
    course: Course,
    book: &'static Book,
    phrases: &'static Phrases,
    html: String,
    pictures: BTreeSet<usize>,
}

/// Renders the rulebook.
pub(super) fn rulebook(model: &Model, wording: &Wording, faces: &Faces, parts: &Parts, order: &Order) -> Rulebook {
    let phrases = Phrases::for_language(order.language);
    let mut document = Document {
        model,
        wording,
        faces,
        order,
        parts,
        functions: RuleFunctions::new(model, wording),
        course: Course::new(&model.flow.ops),
        book: &phrases.book,
        phrases,
        html: String::from("<article class=\"rules\">\n"),
        pictures: BTreeSet::new(),
    };
    document.head();
    document.components();
    document.before_play();
    document.setup();
    document.places();
    document.play();
    document.example();
    document.end();
    document.index();
    document.html.push_str("</article>\n");
    Rulebook { html: document.html, pictures: document.pictures }
}

impl Document<'_> {
    fn heading(&mut self, level: u8, text: &str) {
        let _ = writeln!(self.html, "<h{level}>{}</h{level}>", escaped(text));
    }

    fn paragraph(&mut self, class: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let _ = writeln!(self.html, "<p{class}>{}</p>", escaped(text));
    }

    /// Adds a table row with a `tag` element for each text.
    fn row<S: AsRef<str>>(&mut self, tag: &str, cells: &[S]) {
        let cells: Vec<String> =
            cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell.as_ref()))).collect();
        let _ = writeln!(self.html, "<tr>{}</tr>", cells.concat());
    }

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
        self.paragraph("", if score && self.functions.has_comment(SCORE) { wins } else { "" });
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

    /// Returns whether the number of rounds depends on the number of players.
    fn depends_on_players(&self) -> bool {
        self.order.rounds().windows(2).any(|two| two[0].1 != two[1].1)
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
        let pieces = self
            .parts
            .pieces
            .iter()
            .map(|part| if part.count > 1 { format!("{} × {}", part.count, part.name) } else { part.name.clone() });
        let canvases = self.parts.canvases.iter().map(|canvas| canvas.title.clone());
        let mut others: Vec<String> = Vec::new();
        for other in pieces.chain(canvases) {
            if !others.contains(&other) {
                others.push(other);
            }
        }
        if !others.is_empty() {
            let values: [(&str, &dyn Display); 1] = [("list", &others.join(self.wording.comma()))];
            self.paragraph("small also", &filled(self.book.also, &values));
        }
        let parts = self.parts;
        for take in &parts.to_take {
            self.paragraph("small", take);
        }
    }

    /// Describes the options that players choose before the game.
    fn before_play(&mut self) {
        if !self.model.options.is_empty() {
            self.heading(2, self.phrases.paper.before_play);
            self.html.push_str("<table>\n");
            for option in self.model.options.values() {
                let values = match &option.kind {
                    OptionType::Word(words) => words
                        .iter()
                        .map(|word| self.wording.named_word(word))
                        .collect::<Vec<_>>()
                        .join(self.wording.comma()),
                    OptionType::Number { min, max } => format!("{min}–{max}"),
                    OptionType::Seat => self.phrases.info.seat.to_owned(),
                };
                let about = option.about.as_ref().map_or("", |about| about.get(self.order.language));
                self.row("td", &[option.name.get(self.order.language), &values, &capitalized(about)]);
            }
            self.html.push_str("</table>\n");
        }
        self.teams();
        self.campaign();
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

    /// Describes the setup: its steps, the first player, everything that depends on the number of players, the params, and a picture of the
    /// table.
    fn setup(&mut self) {
        self.heading(2, self.book.setup);
        let setup = std::mem::take(&mut self.course.setup);
        self.steps(&setup, &BTreeSet::new(), &mut BTreeSet::new());
        self.course.setup = setup;
        let who = match &self.model.flow.first {
            First::FirstSeat => self.book.first_seat.to_owned(),
            First::Random | First::Option(_) => self.book.first_at_random.to_owned(),
        };
        self.paragraph("", if self.model.seats > 1 { &who } else { "" });
        self.by_players();
        self.numbers();
        if let Some(table) = &self.order.table {
            let picture = picture::picture(table, self.wording, self.faces, &mut self.pictures);
            self.html.push_str(&picture);
        }
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
        add(
            self.book.rounds.to_owned(),
            models
                .iter()
                .map(|model| model.flow.rounds.map_or_else(String::new, |rounds| rounds.to_string()))
                .collect(),
        );
        for param in self.model.params.values().filter(|param| !param.by_players.is_empty()) {
            let Some(about) = &param.about else { continue };
            let value = |model: &std::sync::Arc<Model>| {
                model.params.get(&param.id).map_or_else(String::new, |param| setting_text(self.wording, &param.value))
            };
            add(capitalized(about.get(language)), models.iter().map(value).collect());
        }
        for family in self.model.families.iter().filter(|family| family.is_shown) {
            let count = |model: &std::sync::Arc<Model>| {
                let zones = model.find_family(&family.id).map_or(0, |id| model.family(id).zones.len());
                let seats = if family.per.contains(&Per::Seat) { usize::from(model.seats) } else { 1 };
                (zones / seats.max(1)).to_string()
            };
            let name = self.counted_zone(family);
            add(name, models.iter().map(count).collect());
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
            .filter(|param| !is_listed_by_players(param))
            .filter_map(|param| {
                let about = param.about.as_ref()?.get(self.order.language);
                Some((capitalized(about), setting_text(self.wording, &param.value)))
            })
            .collect();
        if params.is_empty() {
            return;
        }
        self.heading(3, self.phrases.paper.numbers);
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
            .filter(|family| family.over.is_none())
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
        let title = match self.rounds_text().filter(|_| course.has_rounds) {
            Some(rounds) if !self.depends_on_players() => {
                format!("{}{}{rounds}", self.book.a_round, self.phrases.log.colon)
            }
            _ if course.has_rounds => self.book.a_round.to_owned(),
            _ => self.phrases.paper.order_of_play.to_owned(),
        };
        self.heading(2, &title);
        if let Some(until) = self.model.flow.rounds_until.as_ref().filter(|_| course.has_rounds) {
            let until = self.functions.clause(until);
            self.paragraph("", &filled(self.book.rounds_until, &[("what", &until as &dyn Display)]));
        }
        let mut number = 0;
        for phase in &course.phases {
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
        }
        let chapters = self.functions.chapters(&procedures);
        if !chapters.is_empty() {
            self.heading(2, self.book.procedures);
        }
        for (topic, texts) in chapters {
            self.heading(3, &topic);
            for text in texts {
                self.paragraph("", &text);
            }
        }
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
            Node::Call(function) => return escaped(&self.functions.text(function, procedures, said)),
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
        self.steps(&finish, &BTreeSet::new(), &mut BTreeSet::new());
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

/// Formats the value of a setting for readers.
fn setting_text(wording: &Wording, setting: &Setting) -> String {
    match setting {
        Setting::Number(number) => number.to_string(),
        Setting::Word(word) => wording.named_word(word),
        Setting::Seat(seat) => seat.number().to_string(),
        Setting::Flag(flag) => wording.field(&crate::model::FieldValue::Flag(*flag)),
        Setting::Nothing => "–".to_owned(),
        Setting::List(list) => {
            list.iter().map(|one| setting_text(wording, one)).collect::<Vec<_>>().join(wording.comma())
        }
        Setting::Table(parts) => {
            let parts =
                parts.iter().map(|(name, one)| format!("{} {}", wording.named_word(name), setting_text(wording, one)));
            parts.collect::<Vec<_>>().join(wording.comma())
        }
    }
}
