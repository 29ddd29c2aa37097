//! Title and result of a game in words.

use crate::library::Term;
use crate::model::{Language, Model, Seat, Winners};
use crate::phrases::{Phrases, Story, filled};
use crate::session::{Outcome, Setup, Standing, TieBreak};
use crate::wording::Wording;
use std::sync::Arc;

/// Result of a game, in words.
pub(crate) struct ResultText {
    /// Column headings: rank, player or team, score, and the parts of the scores.
    pub(crate) headings: Vec<String>,
    /// One row for each seat or team, best first.
    pub(crate) rows: Vec<Vec<String>>,
    /// Lines that show how score parts were calculated.
    pub(crate) workings: Vec<String>,
    /// Sentences about the ending, the tie breaks, and the winners.
    pub(crate) remarks: Vec<String>,
}

/// Formatter for the title and the result of a game.
pub(crate) struct ResultFormatter<'a> {
    model: &'a Model,
    setup: &'a Setup,
    language: Language,
    /// Phrases about the course of a game, in the formatter's language.
    pub(crate) story: &'static Story,
    /// Wording of names and values.
    pub(crate) wording: Wording,
}

impl<'a> ResultFormatter<'a> {
    /// Creates the formatter for a game with this setup.
    pub(crate) fn new(model: &'a Arc<Model>, setup: &'a Setup, language: Language) -> Self {
        let wording = Wording::new(model.clone(), setup.clone(), language);
        Self { model, setup, language, story: &Phrases::for_language(language).story, wording }
    }

    /// Returns the title: the game's name, the number of players, the seed, the chosen options, and the overridden data values.
    pub(crate) fn title(&self) -> String {
        let (name, players, seed) = (self.model.name.get(self.language), self.setup.seats, self.setup.seed);
        let mut chosen = String::new();
        for (name, value) in &self.setup.options {
            chosen.extend([" · ", &self.wording.chosen_option(name, value)]);
        }
        for (path, value) in &self.setup.data() {
            chosen.extend([" · ", path, " = ", value]);
        }
        let phrase = if players == 1 { self.story.title_for_one } else { self.story.title };
        filled(phrase, &[("name", &name), ("players", &players), ("seed", &seed), ("chosen", &chosen)])
    }

    /// Formats an outcome as a table of the scores, with sentences about it.
    pub(crate) fn format_result(&self, outcome: &Outcome) -> ResultText {
        let mut parts: Vec<&str> = Vec::new();
        for (name, _) in outcome.standings.iter().flat_map(|standing| &standing.breakdown) {
            if !parts.contains(&&**name) {
                parts.push(name);
            }
        }
        let mut standings: Vec<&Standing> = outcome.sides().collect();
        standings.sort_by_key(|standing| (standing.rank, standing.seat));
        let row = |standing: &&Standing| {
            let number =
                |part: &&str| standing.breakdown.iter().find(|(name, _)| **name == **part).map(|(_, number)| *number);
            let mut row = vec![standing.rank.to_string(), self.side_with_players(standing), standing.score.to_string()];
            row.extend(parts.iter().map(|part| number(part).map_or_else(String::new, |number| number.to_string())));
            row
        };
        let named = parts.iter().map(|part| self.wording.part_of_score(part));
        let who = if self.model.teams.is_empty() { self.story.player } else { self.story.team };
        let score = if self.model.least_score_wins { self.story.least_score } else { self.story.score };
        let ours = [self.story.rank, who, score].map(str::to_owned);
        let ties = outcome.tie_breaks();
        ResultText {
            headings: ours.into_iter().chain(named).collect(),
            rows: standings.iter().map(row).collect(),
            workings: standings.iter().flat_map(|standing| self.score_workings(standing)).collect(),
            remarks: std::iter::once(self.ending(outcome))
                .chain(ties.iter().map(|tie| self.tie_break(tie)))
                .chain([self.winners(outcome)])
                .collect(),
        }
    }

    fn ending(&self, outcome: &Outcome) -> String {
        let ending = self.model.endings[outcome.ending.index()].name.get(self.language);
        let rounds = self.wording.rounds(outcome.rounds);
        filled(self.story.ending, &[("ending", &ending), ("rounds", &rounds)])
    }

    /// Returns a line for each part of a score whose calculation is worth showing.
    fn score_workings(&self, standing: &Standing) -> Vec<String> {
        let player = self.side(standing.seat);
        // A negative term after the first one is written as a subtraction.
        let term = |(at, term): (usize, &Term)| {
            let is_less = at > 0 && term.factors.first().is_some_and(|factor| *factor < 0);
            let sign = |at: usize, factor: i64| if at == 0 && is_less { factor.saturating_neg() } else { factor };
            let factors = term.factors.iter().enumerate().map(|(at, factor)| sign(at, *factor).to_string());
            let name = term.name.as_ref().map(|name| format!("{} ", self.wording.part_of_score(name)));
            let joined = match (at, is_less) {
                (0, _) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            };
            format!("{joined}{}{}", name.unwrap_or_default(), factors.collect::<Vec<_>>().join(" × "))
        };
        let is_nonzero = |term: &&Term| term.number() != Some(0);
        let line = |(name, terms): &(Arc<str>, Vec<Term>)| {
            let part = self.wording.part_of_score(name);
            let sum: String = terms.iter().filter(is_nonzero).enumerate().map(term).collect();
            filled(self.story.working, &[("player", &player), ("part", &part), ("sum", &sum)])
        };
        // Zero, or a single plain number, needs no explanation.
        let is_shown = |(_, terms): &&(Arc<str>, Vec<Term>)| {
            let some: Vec<&Term> = terms.iter().filter(is_nonzero).collect();
            some.len() > 1 || some.iter().any(|term| term.factors.len() > 1 || term.name.is_some())
        };
        standing.workings.iter().filter(is_shown).map(line).collect()
    }

    /// Returns a sentence that explains how a tie between two sides was broken.
    fn tie_break(&self, tie: &TieBreak) -> String {
        let [before, after] = [tie.before, tie.after].map(|seat| self.side(seat));
        let [more, less] = tie.numbers;
        let by = tie.by.as_ref().map(|by| self.wording.part_of_score(by));
        let phrase = if by.is_some() { self.story.tie_break } else { self.story.tie_break_next };
        let by = by.unwrap_or_default();
        filled(phrase, &[("before", &before), ("after", &after), ("by", &by), ("more", &more), ("less", &less)])
    }

    /// Returns the name of a seat's team, or of the player if there are no teams.
    fn side(&self, seat: Seat) -> &str {
        self.wording.team(seat).unwrap_or_else(|| self.setup.name(seat))
    }

    /// Like [`side`](Self::side), but adds the players of a team.
    fn side_with_players(&self, standing: &Standing) -> String {
        let side = self.side(standing.seat);
        let Some(team) = self.model.team_of(standing.seat) else { return side.to_owned() };
        let players: Vec<&str> = team.seats.iter().map(|seat| self.setup.name(*seat)).collect();
        let players = players.join(Phrases::for_language(self.language).log.comma);
        filled(self.story.side, &[("team", &side), ("players", &players)])
    }

    fn winners(&self, outcome: &Outcome) -> String {
        let winners = outcome.sides().filter(|standing| standing.rank == 1);
        let names: Vec<&str> = winners.map(|standing| self.side(standing.seat)).collect();
        if self.model.endings[outcome.ending.index()].winners == Winners::Everybody {
            return self.story.everybody_wins.to_owned();
        }
        match names.as_slice() {
            [] => self.story.nobody_wins.to_owned(),
            [winner] => filled(self.story.wins, &[("winner", winner)]),
            [others @ .., last] => {
                let others = others.join(Phrases::for_language(self.language).log.comma);
                filled(self.story.share_first_place, &[("others", &others), ("last", last)])
            }
        }
    }
}
