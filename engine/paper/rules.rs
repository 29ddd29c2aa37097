//! Printable rules: contents of the box, then the order of play, with the doc comments of the functions in the flow and of the functions
//! they call.

use super::order::Order;
use crate::diagnostic::Source;
use crate::model::{DecisionId, First, Language, Model, Op, SCORE, Setting, Winners, text_in_language};
use crate::phrases::{Phrases, filled};
use crate::syntax::{Function, Lexeme, lexemes, parse, words};
use crate::wording::{Wording, escaped};
use std::fmt::{Display, Write as _};
use std::sync::Arc;

/// Maximum depth of calls whose descriptions are included.
const MAX_CALL_DEPTH: usize = 4;

/// A function of the rules, with its doc comment, its string literals, and the identifiers in it.
struct PrintedFunction {
    name: String,
    said: String,
    quoted: Vec<String>,
    words: Vec<String>,
}

struct RulesDocument<'m> {
    model: &'m Model,
    wording: &'m Wording,
    language: Language,
    rounds: &'m [(u8, i64)],
    functions: Vec<PrintedFunction>,
    quoted: Vec<bool>,
    html: String,
}

/// Renders the rules as HTML pages.
pub(super) fn rules(model: &Model, wording: &Wording, order: &Order) -> String {
    let (language, rounds) = (order.language, &*order.rounds);
    let functions = functions(model, language);
    let quoted = vec![false; functions.len()];
    let mut book = RulesDocument {
        model,
        wording,
        language,
        rounds,
        functions,
        quoted,
        html: String::from("<article class=\"rules\">\n"),
    };
    book.head();
    book.box_of_the_game();
    book.before_play();
    book.order();
    book.remaining_functions();
    book.end();
    book.html.push_str("</article>\n");
    book.html
}

/// Returns the functions of the rules, in file order.
fn functions(model: &Model, language: Language) -> Vec<PrintedFunction> {
    let of_script = |script: &Arc<Source>| {
        let text = &*script.text;
        let printed = |function: Function| {
            let doc = function.doc.map_or("", |doc| &text[doc.range()]);
            let said: Vec<&str> = doc.lines().map(|line| line.trim_start().trim_start_matches('/').trim()).collect();
            let code = &text[function.span.range()];
            PrintedFunction {
                name: function.name.text.to_string(),
                said: text_in_language(&said, language),
                quoted: lexemes(code).into_iter().filter_map(|(what, _)| string_literal(what)).collect(),
                words: words(code).collect(),
            }
        };
        parse(script, &mut 0).tree.functions.into_iter().map(printed).collect::<Vec<_>>()
    };
    model.scripts.iter().flat_map(of_script).collect()
}

fn string_literal(what: Lexeme<'_>) -> Option<String> {
    if let Lexeme::Quoted(said) = what { Some(said) } else { None }
}

impl RulesDocument<'_> {
    fn heading(&mut self, level: u8, text: &str) {
        let _ = writeln!(self.html, "<h{level}>{}</h{level}>", escaped(text));
    }

    fn paragraph(&mut self, class: &str, text: &str) {
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let _ = writeln!(self.html, "<p{class}>{}</p>", escaped(text));
    }

    fn row(&mut self, cells: &[&str]) {
        let cells: Vec<String> = cells.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect();
        let cells = cells.concat();
        let _ = writeln!(self.html, "<tr>{cells}</tr>");
    }

    fn head(&mut self) {
        let paper = &Phrases::for_language(self.language).paper;
        let (min, max) = (self.model.players.start(), self.model.players.end());
        let range = if min == max { min.to_string() } else { format!("{min}–{max}") };
        self.heading(1, self.model.name.get(self.language));
        let players = filled(paper.players, &[("range", &range as &dyn Display)]);
        let colon = Phrases::for_language(self.language).log.colon;
        self.paragraph("by", &format!("{}{colon}{players}", paper.rules));
    }

    fn box_of_the_game(&mut self) {
        let paper = &Phrases::for_language(self.language).paper;
        self.heading(2, paper.in_the_box);
        self.html.push_str("<table>\n");
        for (at, kind) in self.model.kinds.iter().enumerate() {
            let number = self.model.pieces.iter().filter(|piece| kind.components.contains(&piece.component)).count();
            if number == 0 {
                continue;
            }
            let of_kind: Vec<&str> = kind.components.iter().map(|id| self.wording.component(*id)).collect();
            let names = if of_kind.len() <= 12 { of_kind.join(self.wording.comma()) } else { String::new() };
            // Non-breaking spaces keep the count on one line.
            let count = filled(paper.pieces, &[("count", &number as &dyn Display)]).replace(' ', "\u{a0}");
            let name = self.wording.kind_name(crate::model::KindId::at(at)).to_owned();
            self.row(&[&name, &count, &names]);
        }
        self.html.push_str("</table>\n");
    }

    fn before_play(&mut self) {
        let paper = &Phrases::for_language(self.language).paper;
        if !self.model.options.is_empty() {
            self.heading(2, paper.before_play);
            self.html.push_str("<table>\n");
            for option in self.model.options.values() {
                let values = match &option.kind {
                    crate::model::OptionType::Word(words) => words
                        .iter()
                        .map(|word| self.wording.named_word(word))
                        .collect::<Vec<_>>()
                        .join(self.wording.comma()),
                    crate::model::OptionType::Number { min, max } => format!("{min}–{max}"),
                    crate::model::OptionType::Seat => Phrases::for_language(self.language).info.seat.to_owned(),
                };
                self.row(&[option.name.get(self.language), &values]);
            }
            self.html.push_str("</table>\n");
        }
        self.teams();
        self.campaign();
        let params: Vec<_> = self.model.params.values().filter(|param| param.about.is_some()).collect();
        if !params.is_empty() {
            self.heading(2, paper.numbers);
            self.html.push_str("<table>\n");
            for param in params {
                let about = param.about.as_ref().map_or("", |about| about.get(self.language));
                let by: Vec<String> = param
                    .by_players
                    .iter()
                    .map(|(players, setting)| {
                        let players = filled(paper.players, &[("range", players as &dyn Display)]);
                        Phrases::for_language(self.language)
                            .log
                            .remarked(&setting_text(self.wording, setting), &players)
                    })
                    .collect();
                let value = if by.is_empty() {
                    setting_text(self.wording, &param.value)
                } else {
                    by.join(self.wording.comma())
                };
                self.row(&[about, &value]);
            }
            self.html.push_str("</table>\n");
        }
    }

    /// Describes the teams.
    fn teams(&mut self) {
        if self.model.teams.is_empty() {
            return;
        }
        self.heading(2, Phrases::for_language(self.language).info.teams);
        self.html.push_str("<table>\n");
        for team in &self.model.teams {
            let seats: Vec<String> = team.seats.iter().map(|seat| seat.number().to_string()).collect();
            let name = self.wording.component(team.component).to_owned();
            self.row(&[&name, &seats.join(self.wording.comma())]);
        }
        self.html.push_str("</table>\n");
    }

    /// Describes the games of a campaign, and what is carried over.
    fn campaign(&mut self) {
        let Some(campaign) = &self.model.campaign else { return };
        let info = &Phrases::for_language(self.language).info;
        self.heading(2, info.campaign);
        let comma = self.wording.comma();
        let scenarios = self.model.scenarios().unwrap_or_default();
        let scenarios: Vec<String> = scenarios.iter().map(|word| self.wording.named_word(word)).collect();
        let values = campaign.values.iter().map(|id| self.model.value(*id).name.get(self.language));
        let families = campaign.families.iter().map(|id| self.model.family(*id).name.get(self.language));
        let carried: Vec<&str> = values.chain(families).collect();
        self.html.push_str("<table>\n");
        self.row(&[info.scenarios, &scenarios.join(comma)]);
        self.row(&[info.carried, &carried.join(comma)]);
        if let Some(next) = &campaign.next {
            let sentence = self.sentence(&next.call.function);
            self.row(&[info.next_scenario, &sentence]);
        }
        self.html.push_str("</table>\n");
    }

    /// Describes the flow. Phases become headings, and what happens for each seat is indented.
    fn order(&mut self) {
        let flow = &self.model.flow;
        let words = &Phrases::for_language(self.language).flow;
        self.heading(2, Phrases::for_language(self.language).paper.order_of_play);
        let who = match &flow.first {
            First::FirstSeat => words.first_seat.to_owned(),
            First::Random => words.at_random.to_owned(),
            First::Option(option) => {
                let option = self
                    .model
                    .options
                    .get(option)
                    .map_or_else(|| option.to_string(), |option| option.name.get(self.language).to_owned());
                option + self.wording.comma() + words.at_random
            }
        };
        self.paragraph("by", &filled(words.begins, &[("who", &who as &dyn Display)]));
        if !matches!(flow.ops.first(), Some(Op::RoundBegins | Op::FinishBegins)) {
            self.heading(3, words.setup);
        }
        for (at, op) in flow.ops.iter().enumerate() {
            self.op(at, op);
        }
    }

    fn op(&mut self, at: usize, op: &Op) {
        let flow = &self.model.flow;
        let words = &Phrases::for_language(self.language).flow;
        let paper = &Phrases::for_language(self.language).paper;
        let loop_of = |book: &mut Self, what: &str| {
            let until = match flow.ops.get(at + 1) {
                Some(Op::Until { function: Some(function), .. }) => {
                    format!(" {} {}", paper.until, book.sentence(function))
                }
                _ => String::new(),
            };
            book.paragraph("by", &format!("{what}{until}"));
            book.html.push_str("<ul>\n");
        };
        match op {
            Op::Call(call) => {
                self.html.push_str("<ul>\n");
                self.write(&call.function, 0);
                self.html.push_str("</ul>\n");
            }
            Op::EachSeat { order, .. } => {
                let order = order.as_ref().map(|order| format!(" — {}", self.sentence(order))).unwrap_or_default();
                self.paragraph("by", &format!("{}{order}", words.each_seat));
                self.html.push_str("<ul>\n");
            }
            Op::Turns { .. } => loop_of(self, words.turns),
            Op::Run => loop_of(self, words.again),
            Op::NextSeat { .. } | Op::NextTurn { .. } | Op::Repeat { .. } => self.html.push_str("</ul>\n"),
            Op::PhaseBegins { phase, when, .. } => {
                let name = self.model.phases[phase.index()].name.get(self.language).to_owned();
                self.heading(3, &name);
                if let Some(when) = when {
                    let when = format!("{} {}", paper.when, self.sentence(when));
                    self.paragraph("by", &when);
                }
            }
            Op::RoundBegins => {
                let number = self.number_of_rounds();
                let until = flow.rounds_until.as_ref().map(|until| format!("{} {}", paper.until, self.sentence(until)));
                let limits: Vec<String> = [number, until].into_iter().flatten().collect();
                let title = words.each_round;
                let title = if limits.is_empty() {
                    title.to_owned()
                } else {
                    format!("{title} — {}", limits.join(self.wording.comma()))
                };
                self.heading(2, &title);
            }
            Op::FinishBegins if !matches!(flow.ops.get(at + 1), Some(Op::Over)) => self.heading(2, words.finish),
            _ => {}
        }
    }

    /// Describes the number of rounds, by number of players if it differs.
    fn number_of_rounds(&self) -> Option<String> {
        let phrases = Phrases::for_language(self.language);
        let rounds_text = |rounds: i64| filled(phrases.flow.rounds, &[("number", &rounds as &dyn Display)]);
        let is_one = self.rounds.windows(2).all(|two| two[0].1 == two[1].1);
        if is_one {
            return self.model.flow.rounds.map(rounds_text);
        }
        let each = self.rounds.iter().map(|(players, rounds)| {
            let players = filled(phrases.paper.players, &[("range", players as &dyn Display)]);
            phrases.log.remarked(&rounds_text(*rounds), &players)
        });
        Some(each.collect::<Vec<_>>().join(self.wording.comma()))
    }

    /// Returns the doc comment of a function, or its name if there is none. Marks it as described.
    fn sentence(&mut self, function: &str) -> String {
        let at = self.functions.iter().position(|known| known.name == function);
        if let Some(at) = at {
            self.quoted[at] = true;
        }
        let said = at.map(|at| self.functions[at].said.clone()).filter(|said| !said.is_empty());
        said.unwrap_or_else(|| self.wording.named_word(function))
    }

    /// Describes a function, its questions, and the functions it calls, unless it has been described before.
    fn write(&mut self, function: &str, depth: usize) {
        let Some(at) = self.functions.iter().position(|known| known.name == function) else { return };
        let is_known = std::mem::replace(&mut self.quoted[at], true);
        if is_known && depth > 0 {
            return;
        }
        let said = self.sentence(function);
        let _ = write!(self.html, "<li>{}", escaped(&said));
        for asked in self.questions(&self.functions[at]) {
            let _ = write!(self.html, " <span class=\"asked\">{}</span>", escaped(&asked));
        }
        let calls = if depth < MAX_CALL_DEPTH && !is_known { self.calls(at) } else { Vec::new() };
        if !calls.is_empty() {
            self.html.push_str("<ul>\n");
            for call in calls {
                self.write(&call, depth + 1);
            }
            self.html.push_str("</ul>\n");
        }
        self.html.push_str("</li>\n");
    }

    /// Returns the questions of the decisions that a function names.
    fn questions(&self, function: &PrintedFunction) -> Vec<String> {
        let named = |id: &str| function.quoted.iter().any(|said| said == id);
        let all = self.model.decisions.iter().enumerate().filter(|(_, decision)| named(&decision.id));
        let paper = &Phrases::for_language(self.language).paper;
        all.map(|(at, decision)| {
            let quoted = |text: &str| filled(paper.quoted, &[("what", &text as &dyn Display)]);
            let ask = quoted(&self.wording.question(DecisionId::at(at), None));
            match &decision.pass {
                Some(pass) => format!("{ask} {} {}", paper.may_pass, quoted(pass.get(self.language))),
                None => ask,
            }
        })
        .collect()
    }

    /// Returns the functions called by a function that have a doc comment and have not been described, in order.
    fn calls(&self, own: usize) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for word in &self.functions[own].words {
            let at = self.functions.iter().position(|known| known.name == *word);
            let is_new = at.is_some_and(|at| at != own && !self.quoted[at] && !self.functions[at].said.is_empty());
            if is_new && !found.contains(word) {
                found.push(word.clone());
            }
        }
        found
    }

    /// Describes all remaining functions, such as those called by fields of cards and spaces.
    fn remaining_functions(&mut self) {
        let rest: Vec<String> = self
            .functions
            .iter()
            .enumerate()
            .filter(|(at, function)| !self.quoted[*at] && !function.said.is_empty() && function.name != SCORE)
            .map(|(_, function)| function.name.clone())
            .collect();
        let score = self.functions.iter().position(|function| function.name == SCORE);
        if let Some(score) = score {
            self.quoted[score] = true;
        }
        if rest.is_empty() {
            return;
        }
        self.heading(2, Phrases::for_language(self.language).paper.besides);
        self.html.push_str("<ul>\n");
        for function in rest {
            let at = self.functions.iter().position(|known| known.name == function);
            if at.is_some_and(|at| !self.quoted[at]) {
                self.write(&function, 0);
            }
        }
        self.html.push_str("</ul>\n");
    }

    fn end(&mut self) {
        let paper = &Phrases::for_language(self.language).paper;
        self.heading(2, paper.end);
        self.html.push_str("<table>\n");
        for ending in &self.model.endings {
            let info = &Phrases::for_language(self.language).info;
            let winners = match ending.winners {
                Winners::Best => info.best,
                Winners::Everybody => info.everybody,
                Winners::Nobody => info.nobody,
            };
            self.row(&[ending.name.get(self.language), info.winners, winners]);
        }
        self.html.push_str("</table>\n");
        self.heading(3, paper.score);
        if let Some(said) = self.functions.iter().find(|known| known.name == SCORE).map(|known| known.said.clone()) {
            self.paragraph("", &said);
        }
        let wins = if self.model.least_score_wins { paper.least_wins } else { paper.most_wins };
        self.paragraph("", wins);
    }
}

/// Formats a setting for readers.
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
