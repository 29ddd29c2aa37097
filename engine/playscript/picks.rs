//! Resolves the answers in a playscript to options.
//!
//! An answer that picks several things names all of them, in any order unless the order matters. Picks that were made automatically because
//! there was no alternative may be left out.

use super::choices::Attempt;
use super::errors::{CheckResult, fail};
use super::matching::{self, Match};
use super::play::PlayStatement;
use super::runner::Runner;
use crate::diagnostic::Diagnostic;
use crate::model::{DecisionId, Seat};
use crate::session::{Choice, Decision, EventKind, Pass, Session, Status};
use crate::wording::{Offer, PICK_SEPARATOR};
use indexmap::IndexSet;

/// Maximum number of picks tried in a search.
const MAX_TRIED: usize = 1_000;

/// Search for an order in which several picks can be made.
struct PickSearch<'a> {
    /// Player and decision of the answer.
    asked: (Seat, DecisionId),
    /// Number of events before the answer.
    begun: usize,
    /// Picks that the answer names, possibly including `done`.
    named: Vec<&'a str>,
    /// Number of picks that may still be tried.
    left: usize,
}

impl Runner<'_> {
    /// Resolves an answer to the indices of options, one per decision. If only the beginning of the answer can be
    /// resolved, returns its indices and an error.
    pub(super) fn resolve_answer(
        &mut self,
        statement: &PlayStatement,
        seat: &str,
        decision: &str,
        answer: &str,
    ) -> (Vec<usize>, CheckResult) {
        let mut positions = Vec::new();
        let is_all = self.resolve_into(statement, seat, decision, answer, &mut positions);
        (positions, is_all)
    }

    fn resolve_into(
        &mut self,
        statement: &PlayStatement,
        seat: &str,
        decision: &str,
        answer: &str,
        positions: &mut Vec<usize>,
    ) -> CheckResult {
        self.open_options(statement, seat, decision)?;
        let open = self.session().decision().filter(|open| open.picks.is_some()).cloned();
        let Some(open) = open else {
            let parts = self.split_picks(answer);
            positions.push(self.option_index(statement, seat, decision, parts[0])?);
            return parts.get(1).map_or(Ok(()), |part| Err(too_many_error(statement, part, "")));
        };
        let asked = (open.seat, open.id);
        let named = self.sort_picks(&open, self.split_picks(answer));
        let mut world = self.session().fork();
        let first_event = world.events().len();
        let (mut known, mut left) = (open.picked.len(), self.remaining_picks(self.session(), &open, &named));
        while let Some(open) = world.decision().filter(|_| !is_answered(&world, first_event, asked)) {
            self.remove_forced(&world, &open.picked[known..], &mut left);
            known = open.picked.len() + 1;
            if left.is_empty() {
                positions.extend((open.pass == Some(Pass::Done)).then(|| open.count() - 1));
                return Ok(());
            }
            let part = left.remove(0);
            let at = self.in_world(&mut world, |runner| runner.option_index(statement, seat, decision, part))?;
            world.choose(at).map_err(|error| fail(statement, "not-offered", error.to_string(), "refused"))?;
            positions.push(at);
        }
        let has_failed = matches!(world.status(), Status::Failed(_));
        let chosen = self.picks_made(&world, first_event, asked);
        if let Some(chosen) = chosen.as_ref().filter(|chosen| has_done(&named) && chosen.len() + 1 != named.len()) {
            let message = format!("`{answer}` is not offered: what is picked then is `{}`", chosen.join(" + "));
            return Err(fail(statement, "not-offered", message, "too few or too many"));
        }
        if left.is_empty() || has_failed || chosen.as_ref().is_some_and(|chosen| all_picked(&named, chosen)) {
            return Ok(());
        }
        let picked = chosen.map_or_else(String::new, |chosen| format!(": `{}` is picked by then", chosen.join(" + ")));
        Err(too_many_error(statement, left[0], &picked))
    }

    /// Runs `look` with another session in place of the scene's own.
    fn in_world<T>(&mut self, world: &mut Session, look: impl FnOnce(&Self) -> T) -> T {
        let own = self.session.as_mut().expect("play has begun");
        std::mem::swap(own, world);
        let seen = look(self);
        let own = self.session.as_mut().expect("play has begun");
        std::mem::swap(own, world);
        seen
    }

    /// Splits an answer into its picks. An answer that equals an option is a single pick.
    fn split_picks<'a>(&self, answer: &'a str) -> Vec<&'a str> {
        let is_whole = |open: &Decision| {
            answer.contains(PICK_SEPARATOR) && matching::offers_exactly(&self.option_texts(open), answer)
        };
        if self.session().decision().is_some_and(is_whole) {
            return vec![answer];
        }
        matching::split_picks(answer)
    }

    /// Sorts picks by their positions in `open.among`. Returns them unchanged if `among` is empty, or if a pick does not match exactly one
    /// of its entries.
    fn sort_picks<'a>(&self, open: &Decision, parts: Vec<&'a str>) -> Vec<&'a str> {
        if parts.len() < 2 || open.among.is_empty() {
            return parts;
        }
        let all = self.choice_texts(self.session(), &open.among);
        let once: Vec<String> = all.iter().collect::<IndexSet<_>>().into_iter().cloned().collect();
        let mut taken = vec![false; all.len()];
        // If several options have the same text, a pick refers to the first of them after the previous pick, as in recordings. If there is
        // none after the previous pick, it refers to the first that is left.
        let mut next_place = 0;
        let mut place = |part: &str| {
            let Match::One(at) = matching::find(&once, part) else { return None };
            let is_it = |place: &usize| !taken[*place] && all[*place] == once[at];
            let place = (next_place..all.len()).find(is_it).or_else(|| (0..next_place).find(is_it))?;
            taken[place] = true;
            next_place = place + 1;
            Some(place)
        };
        let places: Option<Vec<usize>> = parts.iter().map(|part| place(part)).collect();
        let Some(places) = places else { return parts };
        let mut placed: Vec<(usize, &str)> = places.into_iter().zip(parts).collect();
        placed.sort_unstable();
        placed.into_iter().map(|(_, part)| part).collect()
    }

    /// Formats `choices` as the open decision writes its options.
    fn choice_texts(&self, session: &Session, choices: &[Choice]) -> Vec<String> {
        let Some(open) = session.decision() else { return Vec::new() };
        let wording = self.wording().for_seat(open.seat);
        let offer = Offer::new(wording, session.table(), open);
        choices.iter().map(|choice| offer.written(choice)).collect()
    }

    /// Returns the picks of an answer that were not made automatically.
    ///
    /// If none would remain although the decision cannot be finished yet, the answer evidently omits the automatic picks, so all its picks
    /// are returned.
    fn remaining_picks<'a>(&self, session: &Session, open: &Decision, named: &[&'a str]) -> Vec<&'a str> {
        let mut left = named.to_vec();
        self.remove_forced(session, &open.picked, &mut left);
        if left.is_empty() && open.pass != Some(Pass::Done) { named.to_vec() } else { left }
    }

    /// Removes from `left` the picks in `forced`, which were made automatically.
    fn remove_forced(&self, session: &Session, forced: &[Choice], left: &mut Vec<&str>) {
        for written in self.choice_texts(session, forced) {
            let one = [written];
            if let Some(at) = left.iter().position(|part| matching::find(&one, part) == Match::One(0)) {
                left.remove(at);
            }
        }
    }

    /// Returns all picks of the first complete answer that the player gave to the decision since event `begun`. Returns `None` if there is
    /// no such answer.
    fn picks_made(&self, session: &Session, begun: usize, asked: (Seat, DecisionId)) -> Option<Vec<String>> {
        session.events().since(begun).find_map(|event| match &event.kind {
            EventKind::Chose { seat, decision, choice, appearances } if (*seat, *decision) == asked => {
                Some(self.wording().for_seat(*seat).written_picks(*seat, *decision, choice, appearances))
            }
            _ => None,
        })
    }

    // ----- trying picks

    /// Tries an answer on a copy of the game.
    pub(super) fn try_answer(&mut self, answer: &str) -> Attempt {
        self.update_trace();
        let attempt = self.attempt_on_copy(answer);
        self.session().forget_covered();
        attempt
    }

    fn attempt_on_copy(&self, answer: &str) -> Attempt {
        let session = self.session();
        let Some(open) = session.decision() else { return Attempt::Complete };
        let named =
            if open.picks.is_some() { self.sort_picks(open, self.split_picks(answer)) } else { vec![answer.trim()] };
        if let Some(missing) = self.missing_picks(&named) {
            return Attempt::Begun(missing);
        }
        let left = self.remaining_picks(session, open, &named);
        let begun = session.events().len();
        let mut search = PickSearch { asked: (open.seat, open.id), begun, named, left: MAX_TRIED };
        self.try_picks(session, &left, &mut Vec::new(), &mut search)
    }

    /// Returns how many more picks are required if all of `named` can be picked but are too few.
    ///
    /// The picks are compared with `among`, because the first decision does not offer objects that can only be picked last.
    fn missing_picks(&self, named: &[&str]) -> Option<usize> {
        let open = self.session().decision().filter(|open| !open.among.is_empty())?;
        let missing = open.missing().checked_sub(named.len()).filter(|missing| *missing > 0)?;
        let mut among = self.choice_texts(self.session(), &open.among);
        for part in named {
            let at = match matching::find(&among, part) {
                Match::One(at) => at,
                Match::Several(places) => places[0],
                Match::None => return None,
            };
            among.remove(at);
        }
        Some(missing)
    }

    /// Tries the picks in `left` recursively, in any order unless the order matters. If all attempts fail, returns the first failure.
    fn try_picks(
        &self,
        session: &Session,
        left: &[&str],
        picked: &mut Vec<String>,
        search: &mut PickSearch<'_>,
    ) -> Attempt {
        let Some(open) = session.decision() else { return Attempt::Complete };
        if left.is_empty() {
            return if open.pass == Some(Pass::Done) {
                Attempt::Complete
            } else {
                Attempt::Begun(open.missing().max(1))
            };
        }
        let options = self.option_texts_in(session, open);
        let is_ordered = open.among.is_empty();
        let mut refused = None;
        for at in 0..left.len() {
            if left[..at].contains(&left[at]) {
                continue;
            }
            let part = left[at];
            let places = match matching::find_in(&options, part) {
                Match::One(place) => vec![place],
                Match::Several(places) => places,
                Match::None => {
                    let behind =
                        if picked.is_empty() { String::new() } else { format!(" after `{}`", picked.join(" + ")) };
                    let all = match options.len() {
                        1 => "the one option".to_owned(),
                        all => format!("the {all} options"),
                    };
                    refused.get_or_insert_with(|| format!("`{part}` is not among {all}{behind}"));
                    Vec::new()
                }
            };
            let mut rest = left.to_vec();
            rest.remove(at);
            for place in places {
                if open.picks.is_none() {
                    return Attempt::Complete;
                }
                if search.left == 0 {
                    return Attempt::Refused(format!("{MAX_TRIED} ways to pick were tried"));
                }
                search.left -= 1;
                picked.push(options.get(place).into_owned());
                let result = self.try_rest(session, place, rest.clone(), picked, search);
                picked.pop();
                match result {
                    Attempt::Refused(why) => drop(refused.get_or_insert(why)),
                    done => return done,
                }
            }
            if is_ordered {
                break;
            }
        }
        Attempt::Refused(refused.unwrap_or_else(|| "nothing is named".to_owned()))
    }

    fn try_rest(
        &self,
        session: &Session,
        place: usize,
        mut rest: Vec<&str>,
        picked: &mut Vec<String>,
        search: &mut PickSearch<'_>,
    ) -> Attempt {
        let known = session.decision().map_or(0, |open| open.picked.len() + 1);
        let mut fork = session.fork();
        if fork.choose(place).is_err() {
            return Attempt::Refused(format!("`{}` is refused", picked.join(" + ")));
        }
        if let Status::Failed(_) = fork.status() {
            return Attempt::Complete;
        }
        if let Some(next) = fork.decision().filter(|_| !is_answered(&fork, search.begun, search.asked)) {
            self.remove_forced(&fork, next.picked.get(known..).unwrap_or_default(), &mut rest);
            return self.try_picks(&fork, &rest, picked, search);
        }
        let Some(chosen) = self.picks_made(&fork, search.begun, search.asked) else { return Attempt::Complete };
        let is_pick = |part: &&&str| **part != Pass::Done.word();
        let (named, made) = (search.named.iter().filter(is_pick).count(), picked.len());
        let is_whole = chosen.len() == named || made == named && !has_done(&search.named);
        if is_whole && all_picked(&search.named, &chosen) {
            return Attempt::Complete;
        }
        Attempt::Refused(if rest.is_empty() {
            format!("what is picked then is `{}`", chosen.join(" + "))
        } else {
            format!("too many picks: nothing more is asked after `{}`", picked.join(" + "))
        })
    }
}

fn too_many_error(statement: &PlayStatement, part: &str, picked: &str) -> Box<Diagnostic> {
    fail(statement, "too-many", format!("no further choice is asked for `{part}`{picked}"), "one pick too many")
}

/// Returns whether an answer contains `done`.
fn has_done(named: &[&str]) -> bool {
    named.contains(&Pass::Done.word())
}

/// Returns whether the decision has been answered since event `begun`.
fn is_answered(session: &Session, begun: usize, asked: (Seat, DecisionId)) -> bool {
    let is_it =
        |kind: &EventKind| matches!(kind, EventKind::Chose { seat, decision, .. } if (*seat, *decision) == asked);
    session.events().since(begun).any(|event| is_it(&event.kind))
}

/// Returns whether each of `parts`, except `done`, matches a different pick in `picked`.
fn all_picked(parts: &[&str], picked: &[String]) -> bool {
    let mut left: Vec<&String> = picked.iter().collect();
    parts.iter().filter(|part| **part != Pass::Done.word()).all(|part| {
        // Only the text of an option has quotes.
        let part = part.trim_matches('"');
        let one = |written: &&String| matching::find(std::slice::from_ref(*written), part) == Match::One(0);
        left.iter().position(one).map(|at| left.remove(at)).is_some()
    })
}
