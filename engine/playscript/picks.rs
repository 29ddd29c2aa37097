//! Answers of a play: which decisions they answer, and with which options. An answer that picks several things names them all, in any
//! order where that does not count; things that nobody was asked for, because there was no other, may be left out.

use super::choosing::Attempt;
use super::failing::{Checked, fail};
use super::matching::{self, Match};
use super::play::PlayStatement;
use super::runner::Runner;
use crate::diagnostic::Diagnostic;
use crate::model::{DecisionId, Seat};
use crate::session::{Choice, Decision, EventKind, Pass, Session, Status};
use crate::wording::Offer;
use indexmap::IndexSet;

/// The most ways that are tried to make several picks.
const MOST_TRIED: usize = 1_000;

/// Picks being tried, one way after the other.
struct Trying<'a> {
    /// Who is asked what.
    asked: (Seat, DecisionId),
    /// How many events there were before.
    begun: usize,
    /// All that is to be picked.
    named: Vec<&'a str>,
    /// So many more ways are tried.
    left: usize,
}

impl Runner<'_> {
    /// The positions of the options that an answer means, decision by decision, as far as they are offered, and whether that is all.
    pub(super) fn way(
        &mut self,
        statement: &PlayStatement,
        seat: &str,
        decision: &str,
        answer: &str,
    ) -> (Vec<usize>, Checked) {
        let mut positions = Vec::new();
        let is_all = self.go_along(statement, (seat, decision, answer), &mut positions);
        (positions, is_all)
    }

    fn go_along(
        &mut self,
        statement: &PlayStatement,
        (seat, decision, answer): (&str, &str, &str),
        positions: &mut Vec<usize>,
    ) -> Checked {
        self.asked(statement, seat, decision)?;
        let open = self.session().decision().filter(|open| open.picks.is_some()).cloned();
        let Some(open) = open else {
            let parts = self.picks_in(answer);
            positions.push(self.position(statement, seat, decision, parts[0])?);
            return parts.get(1).map_or(Ok(()), |part| Err(one_too_many(statement, part, "")));
        };
        let asked = (open.seat, open.id);
        let named = self.in_order(&open, self.picks_in(answer));
        let mut world = self.session().fork();
        let begun = world.events().len();
        let (mut known, mut left) = (open.picked.len(), self.left_of(self.session(), &open, &named));
        while let Some(open) = world.decision().filter(|_| !is_answered(&world, begun, asked)) {
            self.strike_out(&world, &open.picked[known..], &mut left);
            known = open.picked.len() + 1;
            if left.is_empty() {
                positions.extend((open.pass == Some(Pass::Done)).then(|| open.count() - 1));
                return Ok(());
            }
            let part = left.remove(0);
            let at = self.in_world(&mut world, |runner| runner.position(statement, seat, decision, part))?;
            world.choose(at).map_err(|error| fail(statement, "not-offered", error.to_string(), "refused"))?;
            positions.push(at);
        }
        let has_failed = matches!(world.status(), Status::Failed(_));
        let chosen = self.chosen_in(&world, begun, asked);
        if let Some(chosen) = chosen.as_ref().filter(|chosen| ends(&named) && chosen.len() + 1 != named.len()) {
            let message = format!("`{answer}` is not offered: what is picked then is `{}`", chosen.join(" + "));
            return Err(fail(statement, "not-offered", message, "not all of it, or too much"));
        }
        if left.is_empty() || has_failed || chosen.as_ref().is_some_and(|chosen| are_among(&named, chosen)) {
            return Ok(());
        }
        let picked = chosen.map_or_else(String::new, |chosen| format!(": `{}` is picked by then", chosen.join(" + ")));
        Err(one_too_many(statement, left[0], &picked))
    }

    /// Looks at another session instead of its own.
    fn in_world<T>(&mut self, world: &mut Session, look: impl FnOnce(&Self) -> T) -> T {
        let own = self.session.as_mut().expect("play has begun");
        std::mem::swap(own, world);
        let seen = look(self);
        let own = self.session.as_mut().expect("play has begun");
        std::mem::swap(own, world);
        seen
    }

    /// The picks that an answer is made of. What is offered whole is one.
    fn picks_in<'a>(&self, answer: &'a str) -> Vec<&'a str> {
        let is_whole =
            |open: &Decision| answer.contains(" + ") && matching::offers_exactly(&self.written(open), answer);
        if self.session().decision().is_some_and(is_whole) {
            return vec![answer];
        }
        answer.split(" + ").map(str::trim).collect()
    }

    /// Several picks in the order in which they are asked for, whichever order they are written in.
    fn in_order<'a>(&self, open: &Decision, parts: Vec<&'a str>) -> Vec<&'a str> {
        if parts.len() < 2 || open.among.is_empty() {
            return parts;
        }
        let all = self.written_of(self.session(), &open.among);
        let once: Vec<String> = all.iter().collect::<IndexSet<_>>().into_iter().cloned().collect();
        let mut taken = vec![false; all.len()];
        // Of alike ones the first behind what is named before it, as recordings write them; or else the first that is left.
        let mut behind = 0;
        let mut place = |part: &str| {
            let Match::One(at) = matching::find(&once, part) else { return None };
            let is_it = |place: &usize| !taken[*place] && all[*place] == once[at];
            let place = (behind..all.len()).find(is_it).or_else(|| (0..behind).find(is_it))?;
            taken[place] = true;
            behind = place + 1;
            Some(place)
        };
        let places: Option<Vec<usize>> = parts.iter().map(|part| place(part)).collect();
        let Some(places) = places else { return parts };
        let mut placed: Vec<(usize, &str)> = places.into_iter().zip(parts).collect();
        placed.sort_unstable();
        placed.into_iter().map(|(_, part)| part).collect()
    }

    /// Things that may be chosen in the open decision, in the short form of plays.
    fn written_of(&self, session: &Session, choices: &[Choice]) -> Vec<String> {
        let Some(open) = session.decision() else { return Vec::new() };
        let wording = self.wording().for_seat(open.seat);
        let offer = Offer::new(wording, session.table(), open);
        choices.iter().map(|choice| offer.written(choice)).collect()
    }

    /// What is left to be picked of some parts, where some was picked before anybody was asked; all of them, where nothing would be left
    /// and more has to be picked: they leave that out.
    fn left_of<'a>(&self, session: &Session, open: &Decision, named: &[&'a str]) -> Vec<&'a str> {
        let mut left = named.to_vec();
        self.strike_out(session, &open.picked, &mut left);
        if left.is_empty() && open.pass != Some(Pass::Done) { named.to_vec() } else { left }
    }

    /// Takes out of what is still to be picked what has been picked without being asked.
    fn strike_out(&self, session: &Session, forced: &[Choice], left: &mut Vec<&str>) {
        for written in self.written_of(session, forced) {
            let one = [written];
            if let Some(at) = left.iter().position(|part| matching::find(&one, part) == Match::One(0)) {
                left.remove(at);
            }
        }
    }

    /// All that was picked in an answer that was given since there were so many events.
    fn chosen_in(&self, session: &Session, begun: usize, asked: (Seat, DecisionId)) -> Option<Vec<String>> {
        session.events().since(begun).find_map(|event| match &event.what {
            EventKind::Chose { seat, decision, choice, looks } if (*seat, *decision) == asked => {
                Some(self.wording().for_seat(*seat).written_picks(*seat, *decision, choice, looks))
            }
            _ => None,
        })
    }

    // ----- what could be picked

    /// What comes of choosing something, tried on a copy of the game.
    pub(super) fn attempt(&mut self, answer: &str) -> Attempt {
        self.look();
        let attempt = self.attempted(answer);
        self.session().forget_covered();
        attempt
    }

    fn attempted(&self, answer: &str) -> Attempt {
        let session = self.session();
        let Some(open) = session.decision() else { return Attempt::Complete };
        let named = if open.picks.is_some() { self.in_order(open, self.picks_in(answer)) } else { vec![answer.trim()] };
        if let Some(missing) = self.missing_behind(&named) {
            return Attempt::Begun(missing);
        }
        let left = self.left_of(session, open, &named);
        let begun = session.events().len();
        let mut trying = Trying { asked: (open.seat, open.id), begun, named, left: MOST_TRIED };
        self.try_picks(session, &left, &mut Vec::new(), &mut trying)
    }

    /// How many more would have to be picked behind these, where they are too few and all of them can be picked: the first decision
    /// leaves out those that are left for the last picks.
    fn missing_behind(&self, named: &[&str]) -> Option<usize> {
        let open = self.session().decision().filter(|open| !open.among.is_empty())?;
        let missing = open.missing().checked_sub(named.len()).filter(|missing| *missing > 0)?;
        let mut among = self.written_of(self.session(), &open.among);
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

    /// Tries picks one after the other, in any order where their order does not count. Of several ways that fail, the first
    /// says why.
    fn try_picks(
        &self,
        session: &Session,
        left: &[&str],
        picked: &mut Vec<String>,
        trying: &mut Trying<'_>,
    ) -> Attempt {
        let Some(open) = session.decision() else { return Attempt::Complete };
        if left.is_empty() {
            return if open.pass == Some(Pass::Done) {
                Attempt::Complete
            } else {
                Attempt::Begun(open.missing().max(1))
            };
        }
        let options = self.written_in(session, open);
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
                if trying.left == 0 {
                    return Attempt::Refused(format!("{MOST_TRIED} ways to pick them were tried"));
                }
                trying.left -= 1;
                picked.push(options.get(place).into_owned());
                let result = self.try_rest(session, place, rest.clone(), picked, trying);
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
        trying: &mut Trying<'_>,
    ) -> Attempt {
        let known = session.decision().map_or(0, |open| open.picked.len() + 1);
        let mut fork = session.fork();
        if fork.choose(place).is_err() {
            return Attempt::Refused(format!("`{}` is refused", picked.join(" + ")));
        }
        if let Status::Failed(_) = fork.status() {
            return Attempt::Complete;
        }
        if let Some(next) = fork.decision().filter(|_| !is_answered(&fork, trying.begun, trying.asked)) {
            self.strike_out(&fork, next.picked.get(known..).unwrap_or_default(), &mut rest);
            return self.try_picks(&fork, &rest, picked, trying);
        }
        let Some(chosen) = self.chosen_in(&fork, trying.begun, trying.asked) else { return Attempt::Complete };
        let is_pick = |part: &&&str| **part != Pass::Done.word();
        let (named, made) = (trying.named.iter().filter(is_pick).count(), picked.len());
        let is_whole = chosen.len() == named || made == named && !ends(&trying.named);
        if is_whole && are_among(&trying.named, &chosen) {
            return Attempt::Complete;
        }
        Attempt::Refused(if rest.is_empty() {
            format!("what is picked then is `{}`", chosen.join(" + "))
        } else {
            format!("too many: nothing more is asked after `{}`", picked.join(" + "))
        })
    }
}

fn one_too_many(statement: &PlayStatement, part: &str, picked: &str) -> Box<Diagnostic> {
    fail(statement, "too-many", format!("no further choice is asked for `{part}`{picked}"), "one thing too many")
}

/// Whether an answer says that it is all.
fn ends(named: &[&str]) -> bool {
    named.contains(&Pass::Done.word())
}

/// Whether an answer has been given since there were so many events.
fn is_answered(session: &Session, begun: usize, asked: (Seat, DecisionId)) -> bool {
    let is_it =
        |kind: &EventKind| matches!(kind, EventKind::Chose { seat, decision, .. } if (*seat, *decision) == asked);
    session.events().since(begun).any(|event| is_it(&event.what))
}

/// Whether each of some parts names another thing of those that were picked.
fn are_among(parts: &[&str], picked: &[String]) -> bool {
    let mut left: Vec<&String> = picked.iter().collect();
    parts.iter().filter(|part| **part != Pass::Done.word()).all(|part| {
        let one = |written: &&String| matching::find(std::slice::from_ref(*written), part) == Match::One(0);
        left.iter().position(one).map(|at| left.remove(at)).is_some()
    })
}
