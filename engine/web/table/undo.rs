//! Undo of choices. A choice is taken back at once if nothing has been revealed and nobody else has chosen since. Otherwise, the other
//! players who are present and those whose choices would be undone must agree, or the host decides after a minute. Hidden information is
//! then dealt again.

use super::Answer;
use super::held_answers::SeatAnswers;
use super::host::Host;
use super::log_lines::log_of;
use crate::desk::live_game::Retraction;
use crate::desk::undo_remarks;
use crate::model::{Language, Seat};
use crate::phrases::{Phrases, filled};
use crate::session::{Consent, Redeal};
use crate::web::clock::Instant;
use crate::web::links::{self, Viewer};
use crate::web::scene::wording_of;
use minijinja::context;
use minijinja::value::Value;
use std::collections::BTreeSet;
use std::time::Duration;

/// Time that the other players have to agree before the host may decide.
const HOST_WAITS: Duration = Duration::from_mins(1);

/// Maximum number of log lines that a request to take back a choice shows.
const LINES: usize = 12;

/// Request of a player to take back a choice.
pub(super) struct Undo {
    pub(super) by: Seat,
    retraction: Retraction,
    /// Seats that have not agreed yet.
    pub(super) waits_for: BTreeSet<Seat>,
    consent: Consent,
    since: Instant,
}

impl Undo {
    /// Returns how long the host must wait before deciding; `None` once the host may decide.
    pub(super) fn remaining_wait_of_host(&self) -> Option<Duration> {
        HOST_WAITS.checked_sub(self.since.elapsed()).filter(|left| !left.is_zero())
    }
}

impl Host {
    /// Takes back the last choice of a seat, or asks the other players whether it may be taken back.
    pub(super) fn ask_undo(&mut self, viewer: Viewer, language: Language, token: &str) -> Answer {
        let web = &Phrases::for_language(language).web;
        let Viewer::Seat(seat) = viewer else { return Answer::Done };
        let seat = Seat(seat);
        if token != self.tokens.undo(seat, self.answers_of(seat)) {
            return Answer::Refused(web.stale.to_owned());
        }
        if self.table.session().outcome().is_some() {
            return Answer::Refused(web.over_no_undo.to_owned());
        }
        if self.answers.get_mut(seat).is_some_and(SeatAnswers::take_back) {
            // Nobody else knows that the answer was given, so nobody has to agree.
            self.tokens.answer_is_withdrawn(seat);
            let saved = self.answers.save();
            self.refresh_question();
            self.show();
            return saved.map_or_else(|why| Answer::Refused(why.message), |()| Answer::Done);
        }
        if self.undo.is_some() {
            return Answer::Refused(web.undo_is_asked.to_owned());
        }
        let retraction = match self.table.last_choice_of(seat) {
            Ok(Some(retraction)) => retraction,
            Ok(None) => return Answer::Refused(web.nothing_to_undo.to_owned()),
            Err(why) => return Answer::Refused(why.message),
        };
        let waits_for = self.others_to_ask(seat, &retraction);
        let consent = if waits_for.is_empty() { Consent::Alone } else { Consent::Agreed };
        self.tokens.record_request();
        self.undo = Some(Undo { by: seat, retraction, waits_for, consent, since: Instant::now() });
        self.undo_if_agreed()
    }

    /// Returns the seats that must agree: all others who are present, and all other people whose choices are undone. Returns an empty set
    /// if the choice may be taken back freely. A person who is present is asked even if an agent now has the seat. Otherwise, a host who
    /// plays could give the seat away first.
    fn others_to_ask(&self, by: Seat, retraction: &Retraction) -> BTreeSet<Seat> {
        if retraction.is_free {
            return BTreeSet::new();
        }
        let undone = &self.table.asked()[retraction.to..];
        let model = self.table.session().model();
        let others = model.all_seats().filter(|seat| *seat != by && !model.automas.contains(seat));
        let is_asked = |seat: &Seat| {
            self.shown.is_there(Viewer::Seat(self.places.of(*seat)))
                || !self.table.is_agent(*seat) && undone.contains(seat)
        };
        others.filter(is_asked).collect()
    }

    /// Records whether a viewer agrees to the open request. If the host, the seat that asked, or a seat that must agree refuses, the
    /// request ends. Once the host may decide, the host's agreement is enough.
    pub(super) fn agree(&mut self, viewer: Viewer, language: Language, is_so: bool, token: &str) -> Answer {
        let web = &Phrases::for_language(language).web;
        let is_current = token == self.tokens.request();
        let Some(undo) = self.undo.as_mut().filter(|_| is_current) else {
            return Answer::Refused(web.stale.to_owned());
        };
        match viewer {
            Viewer::Host if is_so => {
                if let Some(left) = undo.remaining_wait_of_host() {
                    let seconds = left.as_secs() + 1;
                    return Answer::Refused(filled(web.undo_host_waits, &[("seconds", &seconds)]));
                }
                undo.consent = Consent::Host;
                undo.waits_for.clear();
            }
            Viewer::Seat(seat) if is_so => {
                undo.waits_for.remove(&Seat(seat));
            }
            Viewer::Seat(seat) if !undo.waits_for.contains(&Seat(seat)) && undo.by != Seat(seat) => {}
            Viewer::Onlooker => {}
            Viewer::Host | Viewer::Seat(_) => self.undo = None,
        }
        self.undo_if_agreed()
    }

    /// Takes the choice back if everybody has agreed. Then applies the agent's choice that had to wait, if there is one.
    pub(super) fn undo_if_agreed(&mut self) -> Answer {
        let mut result = Ok(());
        if let Some(undo) = self.undo.take_if(|undo| undo.waits_for.is_empty()) {
            let (by, consent) = (Some(undo.by), undo.consent);
            let redeal = match links::seed() {
                Ok(seed) => (!undo.retraction.is_free).then_some(Redeal { seed, by, consent }),
                Err(why) => return Answer::Refused(why.message),
            };
            result = self.table.take_back(undo.retraction.to, redeal.as_ref());
            self.tokens.record_table_change();
            self.fault = None;
            self.refresh_question();
        }
        self.take_held();
        self.show();
        result.map_or_else(|why| Answer::Refused(why.message), |()| Answer::Done)
    }

    /// Returns the template values of the open request to take back a choice: what has happened since the choice, and what cannot be dealt
    /// again. Returns `None` for viewers who take no part in the request.
    pub(super) fn undo_part(&self, viewer: Viewer, language: Language) -> Option<Value> {
        let web = &Phrases::for_language(language).web;
        let undo = self.undo.as_ref()?;
        let name = self.table.setup().name(undo.by);
        let is_asked = matches!(viewer, Viewer::Seat(seat) if undo.waits_for.contains(&Seat(seat)));
        let (is_own, is_host) = (viewer == Viewer::Seat(undo.by.0), viewer == Viewer::Host);
        if !(is_asked || is_own || is_host) {
            return None;
        }
        let session = self.table.session();
        let wording = wording_of(session, viewer, language);
        let before = session.fork_to_answers(undo.retraction.to).ok()?;
        let (then, now) = (log_of(&before, viewer, language), log_of(session, viewer, language));
        let same = then.iter().zip(&now).take_while(|(one, other)| one.text == other.text).count();
        let since: Vec<String> =
            now.into_iter().skip(same).map(|line| line.text).filter(|text| !text.is_empty()).collect();
        let since = since[since.len().saturating_sub(LINES)..].to_vec();
        let waits = undo.remaining_wait_of_host().filter(|_| is_host);
        let waits = waits.map(|_| filled(web.undo_host_waits, &[("seconds", &HOST_WAITS.as_secs())]));
        Some(context! {
            text => if is_own { web.undo_waits.to_owned() } else { filled(web.undo_asked, &[("name", &name)]) },
            since,
            remarks => undo_remarks::remarks(session.model(), &wording, &undo.retraction.disclosed, language),
            refuses => if is_own { web.withdraw } else { web.refuse },
            agrees => if is_host { web.undo_host_decides } else { web.agree },
            is_asked => is_asked || is_host && waits.is_none(),
            waits,
            token => self.tokens.request(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::DisclosedFaces;

    #[test]
    fn the_host_can_decide_an_undo_only_after_the_wait() {
        let retraction =
            Retraction { to: 0, disclosed: DisclosedFaces { is_any: true, shown: Vec::new() }, is_free: false };
        let since = Instant::now();
        let (waits_for, consent) = (BTreeSet::from([Seat(1)]), Consent::Agreed);
        let mut undo = Undo { by: Seat(0), retraction, waits_for, consent, since };
        assert!(undo.remaining_wait_of_host().is_some_and(|left| left > Duration::from_secs(50)));
        undo.since = since.checked_sub(HOST_WAITS).expect("the machine has been on for a minute");
        assert_eq!(undo.remaining_wait_of_host(), None);
    }
}
