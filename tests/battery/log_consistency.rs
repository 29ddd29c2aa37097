//! Logs are complete: the position of every piece and every value can be reconstructed from the statements of the log.
//!
//! The checks exempt everything that is declared as `quiet`, and values that last less than the whole game, because they are reset without
//! a log entry.

use crate::case::{Case, cases, cases_of_long_tests};
use crate::random_walk::walk;
use parlour::model::{ComponentId, Language, Model, ResetPeriod, Seat, SpaceId, Value, ValueId, ValueType};
use parlour::session::{Event, Session};
use parlour::table::{Holder, View};
use parlour::wording::{Face, Lot, Statement, Wording};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Component of a piece, its owner, and its orientation. For a die, the orientation is the index of the face.
type Print = (ComponentId, Option<Seat>, u8);

/// Languages of the logs.
pub(crate) const LANGUAGES: [Language; 2] = [Language::English, Language::TraditionalChinese];

/// Table as one reader reconstructs it from the log.
#[derive(Clone)]
struct Reconstruction {
    /// Pieces in each space; `None` for pieces that the reader cannot identify.
    spaces: Vec<Vec<Option<Print>>>,
    /// Last number of each value that the log has changed.
    values: Vec<((ValueId, Holder), i64)>,
    /// Entries of values that hold lists or pieces.
    held: Vec<((ValueId, Holder), Vec<i64>)>,
}

/// Returns whether changes of a value must be in the log.
const fn is_logged(value: &Value) -> bool {
    matches!(value.lasts, ResetPeriod::Game) && !value.is_quiet
}

/// Iterates over the numeric values that must be logged and that the viewer sees, each with its holder and its current number.
fn values<'a>(view: &'a View<'_>) -> impl Iterator<Item = ((ValueId, Holder), i64)> + 'a {
    let model = view.model();
    let is_logged = |id: &ValueId| is_logged(model.value(*id)) && !model.value(*id).is_held();
    let all = (0..model.values.len()).map(ValueId::at).filter(is_logged);
    all.flat_map(move |id| view.holders(id).filter_map(move |holder| Some(((id, holder), view.value(id, holder)?))))
}

impl Reconstruction {
    /// Returns the initial table, on which each piece is in the zone that starts with it.
    fn begin(model: &Model) -> Self {
        let mut spaces = vec![Vec::new(); model.spaces.len()];
        for piece in &model.pieces {
            spaces[model.zone(piece.zone).space().index()].push(Some((piece.component, piece.owner, 0)));
        }
        Self { spaces, values: Vec::new(), held: Vec::new() }
    }

    fn value(&self, model: &Model, id: ValueId, holder: Holder) -> i64 {
        let changed = self.values.iter().find(|(known, _)| *known == (id, holder));
        changed.map_or(model.value(id).start, |(_, now)| *now)
    }

    /// Sets a value to the last number of `course`.
    ///
    /// # Errors
    /// Returns an error if the known number is not the first number of `course`. Values that are not logged, and values of pieces, are not
    /// checked.
    fn set(&mut self, model: &Model, (id, holder): (ValueId, Holder), course: &[i64]) -> Result<(), String> {
        let (Some(old), Some(new)) = (course.first(), course.last()) else { return Ok(()) };
        let value = model.value(id);
        let was = self.value(model, id, holder);
        if was != *old && is_logged(value) && !matches!(holder, Holder::Piece(_)) {
            return Err(format!("`{}` of {holder:?} was {was}, not {old}", value.id));
        }
        self.values.retain(|(known, _)| *known != (id, holder));
        self.values.push(((id, holder), *new));
        Ok(())
    }

    /// Sets the entries of a value that is a list or a piece.
    fn hold(&mut self, id: ValueId, holder: Holder, entries: &[i64]) {
        self.held.retain(|(known, _)| *known != (id, holder));
        self.held.push(((id, holder), entries.to_vec()));
    }

    /// Describes the first value that holds a list or a piece and differs from the log. A piece may disappear from a value without a log
    /// entry once it cannot be distinguished from other pieces.
    fn wrong_held(&self, view: &View<'_>) -> Option<String> {
        let model = view.model();
        let all = (0..model.values.len()).map(ValueId::at).filter(|id| model.value(*id).is_held());
        let all = all.filter(|id| is_logged(model.value(*id)));
        let mut held = all.flat_map(|id| view.holders(id).map(move |holder| (id, holder)));
        held.find_map(|(id, holder)| {
            let is = view.value_entries(id, holder)?;
            let told = self.held.iter().find(|(known, _)| *known == (id, holder)).map_or(&[][..], |(_, told)| told);
            let mut left = told.iter();
            let fits = match model.value(id).kind {
                ValueType::Piece => is.iter().all(|raw| left.any(|told| told == raw)),
                _ => is == told,
            };
            (!fits).then(|| format!("`{}` of {holder:?} is {is:?}, in the log {told:?}", model.value(id).id))
        })
    }

    /// Describes the first value that differs from the log. Numeric values of pieces are not compared.
    fn wrong_value(&self, view: &View<'_>) -> Option<String> {
        if let Some(wrong) = self.wrong_held(view) {
            return Some(wrong);
        }
        let model = view.model();
        values(view).filter(|((_, holder), _)| !matches!(holder, Holder::Piece(_))).find_map(|((id, holder), is)| {
            let told = self.value(model, id, holder);
            (told != is).then(|| format!("`{}` of {holder:?} is {is}, in the log {told}", model.value(id).id))
        })
    }

    /// Applies a statement of the log.
    ///
    /// # Errors
    /// Describes why the statement contradicts earlier ones.
    fn apply(&mut self, model: &Model, said: &Statement) -> Result<(), String> {
        match said {
            Statement::Moved(lots) => lots.iter().try_for_each(|lot| self.move_pieces(lot)),
            Statement::Carried { face: Some(face), from, to } => {
                let from = self.only_place(print(*face))?.unwrap_or(*from);
                let seat = model.zone(model.space(from).zone).seat;
                if self.position(from, Some(print(*face))).is_none() && seat.is_none() {
                    return Err(format!("{face:?} was not known anywhere, and does not come from a place of a seat"));
                }
                self.move_pieces(&Lot { face: Some(*face), count: 1, from, to: *to })
            }
            Statement::Carried { face: None, from, to } => {
                self.move_pieces(&Lot { face: None, count: 1, from: *from, to: *to })
            }
            Statement::Shown(lots) => lots.iter().try_for_each(|lot| self.show(lot)),
            Statement::Refilled { zone, from } => {
                let mut all = Vec::new();
                for space in model.zone(*from).spaces.clone() {
                    all.append(&mut self.spaces[space as usize]);
                }
                self.spaces[model.zone(*zone).space().index()].extend(all);
                Ok(())
            }
            Statement::Turned { face: Some(face), space } => self.turn(print(*face), *space),
            Statement::Set { value, holder, course } => self.set(model, (*value, *holder), course),
            Statement::Held { value, holder, entries } => {
                self.hold(*value, *holder, entries);
                Ok(())
            }
            Statement::Kept { value, holder, now } if model.value(*value).is_held() => {
                self.hold(*value, *holder, &[*now]);
                Ok(())
            }
            Statement::Kept { value, holder, now } => {
                let was = self.value(model, *value, *holder);
                self.set(model, (*value, *holder), &[was, *now])
            }
            Statement::Turned { face: None, .. }
            | Statement::Shuffled(_)
            | Statement::Drawn(_)
            | Statement::Eliminated(_) => Ok(()),
        }
    }

    /// Returns the first space whose pieces differ from those in the log.
    fn wrong_place(&self, session: &Session) -> Option<SpaceId> {
        let table = session.table();
        let places = (0..session.model().spaces.len()).map(|at| SpaceId(at as u16));
        places.into_iter().find(|space| {
            let mut there: Vec<Option<Print>> = table
                .stack_from_bottom(*space)
                .map(|piece| Some((table.component(piece), table.owner(piece), table.turned(piece))))
                .collect();
            let mut told = self.spaces[space.index()].clone();
            there.sort();
            told.sort();
            there != told
        })
    }

    /// Moves pieces. If the log does not identify a moved piece, the pieces that remain in the space become unknown, too.
    fn move_pieces(&mut self, lot: &Lot) -> Result<(), String> {
        for _ in 0..lot.count {
            let here = &mut self.spaces[lot.from.index()];
            let wanted = lot.face.map(print);
            if wanted.is_none() && !here.is_empty() {
                here.fill(None);
            }
            let at = self.position(lot.from, wanted).ok_or_else(|| format!("{lot:?} was not there"))?;
            self.spaces[lot.from.index()].swap_remove(at);
            self.spaces[lot.to.index()].push(wanted);
        }
        Ok(())
    }

    /// Returns the index of a piece in a space. Prefers a piece with the same orientation, then one with another orientation, then an
    /// unknown piece.
    fn position(&self, space: SpaceId, wanted: Option<Print>) -> Option<usize> {
        let here = &self.spaces[space.index()];
        let is_alike = |piece: &Option<Print>| piece.is_some_and(|piece| wanted.is_some_and(|it| is_alike(piece, it)));
        let same = here.iter().position(|piece| wanted.is_some() && *piece == wanted);
        same.or_else(|| here.iter().position(is_alike)).or_else(|| here.iter().position(Option::is_none))
    }

    /// Turns a piece or rolls a die. If the space contains several such pieces, prefers one with another orientation.
    fn turn(&mut self, now: Print, space: SpaceId) -> Result<(), String> {
        let here = &mut self.spaces[space.index()];
        let alike = |piece: &&mut Option<Print>| piece.is_some_and(|piece| is_alike(piece, now));
        let mut turned: Vec<&mut Option<Print>> = here.iter_mut().filter(alike).collect();
        turned.sort_by_key(|piece| **piece == Some(now));
        let piece = turned.into_iter().next().ok_or_else(|| format!("{now:?} was not there to be turned"))?;
        *piece = Some(now);
        Ok(())
    }

    /// Returns the only space that contains a piece, or `None` if its place is unknown.
    ///
    /// # Errors
    /// Returns an error if several spaces contain the piece, so that the log is ambiguous.
    fn only_place(&self, print: Print) -> Result<Option<SpaceId>, String> {
        let has = |here: &[Option<Print>]| here.iter().flatten().any(|piece| is_alike(*piece, print));
        let spaces = self.spaces.iter().enumerate().filter(|(_, here)| has(here));
        match spaces.map(|(at, _)| SpaceId(at as u16)).collect::<Vec<_>>().as_slice() {
            [] => Ok(None),
            [space] => Ok(Some(*space)),
            several => Err(format!("{print:?} may come from {several:?}")),
        }
    }

    /// Identifies the pieces that a statement shows.
    fn show(&mut self, lot: &Lot) -> Result<(), String> {
        let here = &mut self.spaces[lot.to.index()];
        let may_be = |piece: &&Option<Print>| match (piece, lot.face) {
            (Some(piece), Some(face)) => is_alike(*piece, print(face)),
            _ => true,
        };
        if lot.count > here.iter().filter(may_be).count() {
            return Err(format!("{lot:?} are more than lie there"));
        }
        let Some(face) = &lot.face else { return Ok(()) };
        let known = here.iter().filter(|piece| **piece == Some(print(*face))).count();
        let unknown = here.iter_mut().filter(|piece| piece.is_none()).take(lot.count.saturating_sub(known));
        unknown.for_each(|piece| *piece = Some(print(*face)));
        Ok(())
    }
}

const fn print(face: Face) -> Print {
    // The reader may not have seen the roll of a die. The die then counts as showing its first face.
    (
        face.component,
        face.owner,
        match face.turned {
            Some(turned) => turned,
            None => 0,
        },
    )
}

/// Returns whether two pieces have the same component and owner.
fn is_alike((component, owner, _): Print, other: Print) -> bool {
    (component, owner) == (other.0, other.1)
}

/// Applies new events to a reader's reconstruction. Panics if they contradict it.
fn apply(case: &Case, session: &Session, wording: &Wording, rebuilt: &mut Reconstruction, events: &[Event]) {
    for said in wording.statements(events) {
        rebuilt.apply(session.model(), &said).unwrap_or_else(|why| {
            panic!("{}\n{why}\n{said:?}\n{}", case.at(session), wording.narrate(events).join("\n"))
        });
    }
}

/// Asserts that a reconstruction equals the table.
fn compare(case: &Case, session: &Session, wording: &Wording, rebuilt: &Reconstruction, events: &[Event]) {
    let wrong = rebuilt.wrong_place(session).map(|space| wording.space_name(space));
    let wrong = wrong.or_else(|| rebuilt.wrong_value(&View::whole(session.table())));
    assert!(wrong.is_none(), "{wrong:?}: {}\n{}", case.at(session), wording.narrate(events).join("\n"));
}

/// Asserts that a seat's reconstruction equals what the seat sees. Compares the identities of pieces only in spaces in which the seat sees
/// all pieces.
fn compare_seen(
    case: &Case,
    session: &Session,
    view: &View<'_>,
    wording: &Wording,
    rebuilt: &Reconstruction,
    events: &[Event],
) {
    let seat = view.seat().unwrap();
    let wrong = rebuilt.wrong_value(&View::new(session.table(), Some(seat)));
    assert!(wrong.is_none(), "{wrong:?} for {seat:?}: {}\n{}", case.at(session), wording.narrate(events).join("\n"));
    for (at, told) in rebuilt.spaces.iter().enumerate() {
        let space = SpaceId(at as u16);
        let at_place = || {
            let place = wording.space_name(space);
            format!("{place} for {seat:?}: {}\n{}", case.at(session), wording.narrate(events).join("\n"))
        };
        assert_eq!(told.len(), view.height(space), "{}", at_place());
        let seen = view.seen(space);
        let mut seen: Vec<_> = seen.iter().filter_map(|seen| seen.face).collect();
        if seen.len() < told.len() {
            continue;
        }
        for (component, owner, turned) in told.iter().flatten() {
            let found = seen.iter().position(|other| *other == (*component, *owner));
            assert!(found.is_some(), "{component:?} of {owner:?}, turned {turned}, at {}", at_place());
            seen.swap_remove(found.unwrap_or_default());
        }
    }
}

/// Plays a game at random, and compares its complete log with the table at every decision.
pub(crate) fn check_log(case: &Case, seed: u64, language: Language) -> Session {
    let mut heard = 0;
    let mut rebuilt: Option<(Wording, Reconstruction)> = None;
    let mut take = |session: &Session| {
        let (wording, rebuilt) = rebuilt.get_or_insert_with(|| {
            let wording = Wording::new(session.model().clone(), session.setup().clone(), language);
            (wording, Reconstruction::begin(session.model()))
        });
        let events: Vec<Event> = session.events().since(heard).cloned().collect();
        apply(case, session, wording, rebuilt, &events);
        compare(case, session, wording, rebuilt, &events);
        heard = session.events().len();
    };
    let session = walk(case, seed, |session, _| take(session));
    take(&session);
    session
}

#[test]
fn complete_logs_determine_the_position() {
    for case in cases_of_long_tests() {
        for (seed, language) in (1..).zip(LANGUAGES) {
            check_log(&case, seed, language);
        }
    }
}

/// Interval, in answers, at which the log is also compared with the seats' memory.
const MEMORY_EVERY: usize = 3;

/// Plays a game at random, and compares the log of each seat with what the seat sees. The seats read the log in different languages.
pub(crate) fn check_logs_of_seats(case: &Case, seed: u64) {
    let mut heard = 0;
    let mut readers: Vec<(Wording, Reconstruction)> = Vec::new();
    let mut take = |session: &Session| {
        let events: Vec<Event> = session.events().since(heard).cloned().collect();
        for seat in session.model().all_seats() {
            if readers.len() <= seat.index() {
                let language = LANGUAGES[seat.index() % LANGUAGES.len()];
                let wording = Wording::new(session.model().clone(), session.setup().clone(), language);
                readers.push((wording.for_seat(seat), Reconstruction::begin(session.model())));
            }
            let (wording, rebuilt) = &mut readers[seat.index()];
            apply(case, session, wording, rebuilt, &events);
            compare_seen(case, session, &View::new(session.table(), Some(seat)), wording, rebuilt, &events);
            // Computing the memory is slow. An error in the log does not disappear, so a later comparison finds it as well.
            if session.answers().len().is_multiple_of(MEMORY_EVERY) || session.decision().is_none() {
                let memory = View::memory(session.table(), Some(seat));
                compare_seen(case, session, &memory, wording, rebuilt, &events);
            }
        }
        heard = session.events().len();
    };
    let session = walk(case, seed, |session, _| take(session));
    take(&session);
}

#[test]
fn logs_of_seats_match_what_they_see() {
    for case in cases_of_long_tests() {
        check_logs_of_seats(&case, 3);
    }
}

/// Names that each game declares as `quiet`. They are listed here because each of them hides something from readers of the log.
const QUIET: [&str; 6] = [
    "examples/games/missing-lantern has_named",
    "games/last-will act arrange bankrupt draw_from drops earned gained idle keep keep_first opened_by spent split take turn_over",
    "games/monga-alley commit recall",
    "games/revolution-1828 bound_to campaign_votes claimed_upright won",
    "games/stockpile ability cash_before_scoring claim final_sales hands_dealt majority_bonuses",
    "games/wall-street-1920 has_flipped",
];

#[test]
fn quiet_items_match_the_expected_list() {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for case in cases() {
        let model = case.game.layout(&case.setup).unwrap().model.clone();
        let values = model.values.iter().filter(|value| value.is_quiet).map(|value| value.id.to_string());
        let decisions = model.decisions.iter().filter(|decision| decision.is_quiet).map(|one| one.id.to_string());
        let zones = model.families.iter().filter(|zone| zone.is_quiet).map(|zone| zone.id.to_string());
        found.entry(case.game.path().to_owned()).or_default().extend(values.chain(decisions).chain(zones));
    }
    found.retain(|_, quiet| !quiet.is_empty());
    let told = found.iter().map(|(game, quiet)| quiet.iter().fold(game.clone(), |all, one| format!("{all} {one}")));
    assert_eq!(told.collect::<Vec<_>>(), QUIET);
}

// ----- tests of the checks above

/// Returns the kind of a statement without which the log would be wrong; `None` for all other statements.
fn statement_kind(model: &Model, said: &Statement) -> Option<&'static str> {
    match said {
        // Without a series of changes that ends with its first number, the log would still be correct.
        Statement::Set { course, .. } if course.first() == course.last() => None,
        Statement::Moved(lots) if cancel_out(lots) => None,
        Statement::Set { value, .. } | Statement::Kept { value, .. } if !is_logged(model.value(*value)) => None,
        Statement::Set { holder: Holder::Piece(_), .. } | Statement::Kept { holder: Holder::Piece(_), .. } => None,
        // The piece may leave the value in the same step.
        Statement::Held { value, .. } | Statement::Kept { value, .. }
            if model.value(*value).kind == ValueType::Piece =>
        {
            None
        }
        Statement::Held { value, .. } if !is_logged(model.value(*value)) => None,
        Statement::Held { .. } => Some("held"),
        Statement::Moved(_) => Some("moved"),
        Statement::Carried { .. } => Some("carried"),
        Statement::Refilled { .. } => Some("refilled"),
        Statement::Set { .. } => Some("set"),
        Statement::Kept { .. } => Some("kept"),
        _ => None,
    }
}

/// Returns whether the moves cancel each other out.
fn cancel_out(lots: &[Lot]) -> bool {
    let mut more: BTreeMap<(Option<Print>, SpaceId), i64> = BTreeMap::new();
    for lot in lots {
        let face = lot.face.map(print);
        *more.entry((face, lot.from)).or_default() -= lot.count as i64;
        *more.entry((face, lot.to)).or_default() += lot.count as i64;
    }
    more.values().all(|more| *more == 0)
}

/// Returns a false version of a statement; `None` for kinds of statements that are not falsified.
fn falsify(model: &Model, said: &Statement) -> Option<Statement> {
    let other = |space: SpaceId| SpaceId((space.0 + 1) % model.spaces.len() as u16);
    match said {
        Statement::Moved(lots) => {
            let mut lots = lots.clone();
            let lot = lots.first_mut()?;
            lot.to = other(lot.to);
            Some(Statement::Moved(lots))
        }
        Statement::Carried { face, from, to } => Some(Statement::Carried { face: *face, from: *from, to: other(*to) }),
        Statement::Set { value, holder, course } => {
            let mut course = course.clone();
            *course.last_mut()? += 1;
            Some(Statement::Set { value: *value, holder: *holder, course })
        }
        Statement::Held { value, holder, entries } => {
            let mut entries = entries.clone();
            entries.push(0);
            Some(Statement::Held { value: *value, holder: *holder, entries })
        }
        Statement::Kept { value, holder, now } => {
            Some(Statement::Kept { value: *value, holder: *holder, now: now + 1 })
        }
        _ => None,
    }
}

/// Returns whether statements turn a reconstruction into the current table without a contradiction.
fn is_consistent(model: &Arc<Model>, before: &Reconstruction, said: &[Statement], session: &Session) -> bool {
    let mut rebuilt = before.clone();
    said.iter().all(|said| rebuilt.apply(model, said).is_ok())
        && rebuilt.wrong_place(session).is_none()
        && rebuilt.wrong_value(&View::whole(session.table())).is_none()
}

/// Removes or falsifies single statements of real logs, and asserts that the checks above detect the error.
#[test]
fn missing_and_wrong_log_statements_are_detected() {
    let mut caught: BTreeMap<(&str, &str), (u32, u32)> = BTreeMap::new();
    for case in cases().into_iter().filter(|case| case.setup.options.is_empty()) {
        let mut heard = 0;
        let mut now: Option<(Wording, Reconstruction)> = None;
        let mut take = |session: &Session| {
            let model = session.model();
            let (wording, rebuilt) = now.get_or_insert_with(|| {
                let wording = Wording::new(model.clone(), session.setup().clone(), Language::English);
                (wording, Reconstruction::begin(model))
            });
            let said = wording.statements(session.events().since(heard));
            heard = session.events().len();
            for at in 0..said.len() {
                let Some(kind) = statement_kind(model, &said[at]) else { continue };
                let mut without = said.clone();
                without.remove(at);
                let wrong = falsify(model, &said[at]).map(|wrong| {
                    let mut all = said.clone();
                    all[at] = wrong;
                    all
                });
                for (how, told) in [("missing", Some(without)), ("wrong", wrong)] {
                    let Some(told) = told else { continue };
                    let (all, found) = caught.entry((kind, how)).or_default();
                    *all += 1;
                    *found += u32::from(!is_consistent(model, rebuilt, &told, session));
                }
            }
            for said in &said {
                rebuilt.apply(model, said).unwrap_or_else(|why| panic!("{why}: {}", case.at(session)));
            }
        };
        let session = walk(&case, 2, |session, _| take(session));
        take(&session);
    }
    for key in ["moved", "carried", "set"].into_iter().flat_map(|kind| [(kind, "missing"), (kind, "wrong")]) {
        assert!(caught.get(&key).is_some_and(|(all, _)| *all > 100), "{key:?} is too rare: {caught:?}");
    }
    for (key, (all, found)) in &caught {
        assert_eq!(found, all, "{key:?} is not always detected: {caught:?}");
    }
}
