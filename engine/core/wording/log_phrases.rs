//! Log texts that the engine itself writes, composed from the phrases of a language.

use crate::decision::Consent;
use crate::model::Language;
use crate::phrases::{Log, Phrases, filled};

/// Returns the phrases from which the engine composes log texts. Placeholders for numbers are filled with 1, all others with an empty
/// string.
pub(super) fn all_texts(language: Language) -> Vec<String> {
    let numbers = ["number", "count"].map(|name| (name, &1 as _));
    let names = [
        "what", "remark", "owner", "kind", "label", "place", "faces", "pile", "from", "zone", "seat", "called", "round",
    ];
    let given: Vec<_> = numbers.into_iter().chain(names.map(|name| (name, &"" as _))).collect();
    let said = Phrases::for_language(language).all().into_iter().filter(|(section, ..)| *section == "log");
    said.map(|(.., phrase)| phrase).chain(language.forms()).map(|phrase| filled(phrase, &given)).collect()
}

impl Log {
    /// Describes `count` pieces whose faces the reader may not see.
    pub(super) fn hidden(&self, count: usize) -> String {
        filled(self.hidden, &[("count", &count)])
    }

    /// Describes `count` pieces that are too many to be named.
    pub(super) fn too_many(&self, count: usize) -> String {
        filled(self.many, &[("count", &count)])
    }

    /// Returns the phrase for a seat that reveals some of its pieces.
    pub(super) fn reveals(&self, seat: &str, faces: &str) -> String {
        filled(self.reveals, &[("seat", &seat), ("faces", &faces)])
    }

    /// Returns the phrase for pieces that are turned up (`Some(true)`), turned down (`Some(false)`), or shown without
    /// being turned (`None`).
    pub(super) fn pieces_shown(&self, place: &str, faces: &str, turned_up: Option<bool>) -> String {
        let phrase = match turned_up {
            Some(true) => self.turned_up,
            Some(false) => self.turned_down,
            None => self.shown,
        };
        filled(phrase, &[("place", &place), ("faces", &faces)])
    }

    /// Returns the phrase for a seat that rolls dice.
    pub(super) fn rolls(&self, seat: &str, faces: &str) -> String {
        filled(self.rolls, &[("seat", &seat), ("faces", &faces)])
    }

    /// Returns the phrase for a seat that is eliminated.
    pub(super) fn is_eliminated(&self, seat: &str) -> String {
        filled(self.eliminated, &[("seat", &seat)])
    }

    /// Returns the phrase for a pile that is refilled from another zone.
    pub(super) fn refilled(&self, pile: &str, from: &str) -> String {
        filled(self.refilled, &[("pile", &pile), ("from", &from)])
    }

    /// Returns the phrase for seats that simultaneously pass pieces to their neighbors.
    pub(super) fn pieces_passed(&self, zone: &str, is_left: bool, what: &str) -> String {
        let phrase = if is_left { self.passed_left } else { self.passed_right };
        filled(phrase, &[("zone", &zone), ("what", &what)])
    }

    /// Describes the pieces that one seat passes to another.
    pub(super) fn passed_between(&self, from: &str, to: &str, faces: &str) -> String {
        format!("{from} → {to}{}{faces}", self.colon)
    }

    /// Adds a remark in parentheses to a text.
    pub fn remarked(&self, what: &str, remark: &str) -> String {
        filled(self.in_parentheses, &[("what", &what), ("remark", &remark)])
    }

    /// Returns the phrase for the beginning of a round. `called` is the word that the game uses for a round.
    pub(super) fn round(&self, number: i64, called: &str) -> String {
        filled(self.round, &[("number", &number), ("called", &called)])
    }

    /// Returns the phrase for undoing a choice. The phrase says who undid the choice, why this was allowed, and whether hidden pieces were
    /// dealt again.
    pub(super) fn redealt(&self, by: Option<&str>, consent: Consent, is_dealt: bool) -> String {
        let phrase = match (by, consent) {
            (None, _) | (_, Consent::Rules) => self.taken_back_by_rules,
            (_, Consent::Alone) => self.taken_back,
            (_, Consent::Agreed) => self.taken_back_agreed,
            (_, Consent::Host) => self.taken_back_by_host,
        };
        let what = filled(phrase, &[("seat", &by.unwrap_or_default())]);
        filled(if is_dealt { self.dealt_again } else { self.not_dealt_again }, &[("what", &what)])
    }

    /// Returns the phrase for a first player who was drawn at random.
    pub(super) fn begins_at_random(&self, seat: &str) -> String {
        filled(self.begins_at_random, &[("seat", &seat)])
    }

    /// Returns the phrase for the beginning of a round that also names its first player.
    pub(super) fn round_begun_by(&self, round: &str, seat: &str) -> String {
        filled(self.begun_by, &[("round", &round), ("seat", &seat)])
    }

    /// Returns the phrase for the end of a round, or of the setup (number 0).
    pub(super) fn after_round(&self, number: i64, called: &str) -> String {
        let phrase = if number == 0 { self.after_setup } else { self.after_round };
        filled(phrase, &[("number", &number), ("called", &called)])
    }

    /// Describes a number of rounds.
    pub(super) fn rounds(&self, number: i64, called: &str) -> String {
        let phrase = if number == 1 { self.one_round } else { self.rounds };
        filled(phrase, &[("number", &number), ("called", &called)])
    }

    /// Describes a piece whose kind is known, but not its face.
    pub(super) fn hidden_one(&self, kind: &str) -> String {
        filled(self.hidden_one, &[("kind", &kind)])
    }

    /// Describes a space by its label.
    pub(super) fn space_labeled(&self, label: &str) -> String {
        filled(self.space_labeled, &[("label", &label)])
    }

    /// Returns the phrase for a seat that passes. `called` is the word that the game uses for passing.
    pub(super) fn passes(&self, seat: &str, called: Option<&str>) -> String {
        match called {
            Some(called) => filled(self.passes_called, &[("seat", &seat), ("called", &called)]),
            None => filled(self.passes, &[("seat", &seat)]),
        }
    }

    /// Describes an answer to a decision for which the game has no sentence.
    pub(super) fn answers(&self, seat: &str, ask: &str, answer: &str) -> String {
        let stops = Language::ALL.map(|language| Phrases::for_language(language).log.full_stop);
        let ask = ask.trim_end_matches(|letter| stops.iter().any(|stop| stop.starts_with(letter)));
        self.remarked(&format!("{seat}{}{answer}", self.colon), ask)
    }

    /// Returns the word for yes or no.
    pub(super) const fn flag(&self, flag: bool) -> &'static str {
        if flag { self.yes } else { self.no }
    }
}

/// Formats a count: `3 × coin`. Leaves out the count if it is 1.
pub(super) fn with_count(count: usize, what: &str) -> String {
    if count == 1 { what.to_owned() } else { format!("{count} × {what}") }
}
