//! The log and the table agree: from what a narration says, without its words, a program knows where every piece lies, and
//! what every value is.
//!
//! Exempt is what is declared `quiet`, and a value that lasts for less than the game, which goes back by itself.

use crate::case::{Case, cases};
use crate::walk::walk;
use parlour::model::{ComponentId, Language, Lasts, Model, Seat, SpaceId, Value, ValueId, ValueType};
use parlour::session::{Event, Session};
use parlour::table::{Holder, View};
use parlour::wording::{Face, Lot, Statement, Wording};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is printed on a piece, whose it is, and how it is turned, or which face a die shows.
type Print = (ComponentId, Option<Seat>, u8);

/// The languages in which a log is told.
pub(crate) const LANGUAGES: [Language; 2] = [Language::English, Language::TraditionalChinese];

/// The table as somebody would lay it out who hears the log alone, from the box on: by space, the pieces, those that he
/// cannot tell as nothing.
#[derive(Clone)]
struct Rebuilt {
    spaces: Vec<Vec<Option<Print>>>,
    /// The values that are no longer as the game begins.
    values: Vec<((ValueId, Holder), i64)>,
    /// The lists that are not empty, and the pieces that values hold.
    held: Vec<((ValueId, Holder), Vec<i64>)>,
}

/// Whether a log has to tell a value.
const fn is_told(value: &Value) -> bool {
    matches!(value.lasts, Lasts::Game) && !value.is_quiet
}

/// The values that a viewer sees and a log has to tell.
fn values<'a>(view: &'a View<'_>) -> impl Iterator<Item = ((ValueId, Holder), i64)> + 'a {
    let model = view.model();
    let is_told = |id: &ValueId| is_told(model.value(*id)) && !model.value(*id).is_held();
    let all = (0..model.values.len()).map(ValueId::at).filter(is_told);
    all.flat_map(move |id| view.holders(id).filter_map(move |holder| Some(((id, holder), view.value(id, holder)?))))
}

impl Rebuilt {
    /// As the game begins. What lies where is known to everybody.
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

    /// A value goes through numbers, from what it is known to be.
    fn set(&mut self, model: &Model, (id, holder): (ValueId, Holder), course: &[i64]) -> Result<(), String> {
        let (Some(old), Some(new)) = (course.first(), course.last()) else { return Ok(()) };
        let value = model.value(id);
        let was = self.value(model, id, holder);
        if was != *old && is_told(value) && !matches!(holder, Holder::Piece(_)) {
            return Err(format!("`{}` of {holder:?} was {was}, not {old}", value.id));
        }
        self.values.retain(|(known, _)| *known != (id, holder));
        self.values.push(((id, holder), *new));
        Ok(())
    }

    /// A value is a list, or a piece, from here on.
    fn hold(&mut self, id: ValueId, holder: Holder, entries: &[i64]) {
        self.held.retain(|(known, _)| *known != (id, holder));
        self.held.push(((id, holder), entries.to_vec()));
    }

    /// What of the lists, and of the pieces that values hold, is not as it was told. A piece of which track is lost is let go
    /// without a word: none is held that was not told.
    fn wrong_held(&self, view: &View<'_>) -> Option<String> {
        let model = view.model();
        let all = (0..model.values.len()).map(ValueId::at).filter(|id| model.value(*id).is_held());
        let all = all.filter(|id| is_told(model.value(*id)));
        let mut held = all.flat_map(|id| view.holders(id).map(move |holder| (id, holder)));
        held.find_map(|(id, holder)| {
            let is = view.held(id, holder)?;
            let told = self.held.iter().find(|(known, _)| *known == (id, holder)).map_or(&[][..], |(_, told)| told);
            let mut left = told.iter();
            let fits = match model.value(id).kind {
                ValueType::Piece => is.iter().all(|raw| left.any(|told| told == raw)),
                _ => is == told,
            };
            (!fits).then(|| format!("`{}` of {holder:?} holds {is:?}, told was {told:?}", model.value(id).id))
        })
    }

    /// What of the values is not as it was told.
    fn wrong_value(&self, view: &View<'_>) -> Option<String> {
        if let Some(wrong) = self.wrong_held(view) {
            return Some(wrong);
        }
        let model = view.model();
        values(view).filter(|((_, holder), _)| !matches!(holder, Holder::Piece(_))).find_map(|((id, holder), is)| {
            let told = self.value(model, id, holder);
            (told != is).then(|| format!("`{}` of {holder:?} is {is}, told was {told}", model.value(id).id))
        })
    }

    fn hear(&mut self, model: &Model, said: &Statement) -> Result<(), String> {
        match said {
            Statement::Moved(lots) => lots.iter().try_for_each(|lot| self.go(lot)),
            Statement::Carried { face: Some(face), from, to } => {
                let from = self.only_place(print(*face))?.unwrap_or(*from);
                let seat = model.zone(model.space(from).zone).seat;
                if self.position(from, Some(print(*face))).is_none() && seat.is_none() {
                    return Err(format!("{face:?} was nowhere, and comes from nobody's place"));
                }
                self.go(&Lot { face: Some(*face), count: 1, from, to: *to })
            }
            Statement::Carried { face: None, from, to } => self.go(&Lot { face: None, count: 1, from: *from, to: *to }),
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

    /// What is not where it was told.
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

    /// Pieces go: if it is not told which, nothing is known any more of those that stay behind.
    fn go(&mut self, lot: &Lot) -> Result<(), String> {
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

    /// Where a piece of a print lies in a space, turned in whatever way, or else one that nothing is known of.
    fn position(&self, space: SpaceId, wanted: Option<Print>) -> Option<usize> {
        let here = &self.spaces[space.index()];
        let is_alike = |piece: &Option<Print>| piece.is_some_and(|piece| wanted.is_some_and(|it| is_alike(piece, it)));
        let same = here.iter().position(|piece| wanted.is_some() && *piece == wanted);
        same.or_else(|| here.iter().position(is_alike)).or_else(|| here.iter().position(Option::is_none))
    }

    /// A piece is turned, or a die thrown: of several it is one that showed something else.
    fn turn(&mut self, now: Print, space: SpaceId) -> Result<(), String> {
        let here = &mut self.spaces[space.index()];
        let alike = |piece: &&mut Option<Print>| piece.is_some_and(|piece| is_alike(piece, now));
        let mut turned: Vec<&mut Option<Print>> = here.iter_mut().filter(alike).collect();
        turned.sort_by_key(|piece| **piece == Some(now));
        let piece = turned.into_iter().next().ok_or_else(|| format!("{now:?} was not there to be turned"))?;
        *piece = Some(now);
        Ok(())
    }

    /// The only space with a piece of a print, if it is known of any. What was known of none comes from a place of whoever
    /// answered.
    fn only_place(&self, print: Print) -> Result<Option<SpaceId>, String> {
        let has = |here: &[Option<Print>]| here.iter().flatten().any(|piece| is_alike(*piece, print));
        let spaces = self.spaces.iter().enumerate().filter(|(_, here)| has(here));
        match spaces.map(|(at, _)| SpaceId(at as u16)).collect::<Vec<_>>().as_slice() {
            [] => Ok(None),
            [space] => Ok(Some(*space)),
            several => Err(format!("{print:?} may come from {several:?}")),
        }
    }

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
    // What a die shows that the reader does not see thrown counts for nothing.
    (
        face.component,
        face.owner,
        match face.turned {
            Some(turned) => turned,
            None => 0,
        },
    )
}

/// Whether two prints differ in nothing but how they are turned.
fn is_alike((component, owner, _): Print, other: Print) -> bool {
    (component, owner) == (other.0, other.1)
}

/// Hears what has happened since, as one reader.
fn hear(case: &Case, session: &Session, wording: &Wording, rebuilt: &mut Rebuilt, events: &[Event]) {
    for said in wording.statements(events) {
        rebuilt.hear(session.model(), &said).unwrap_or_else(|why| {
            panic!("{}\n{why}\n{said:?}\n{}", case.at(session), wording.narrate(events).join("\n"))
        });
    }
}

fn compare(case: &Case, session: &Session, wording: &Wording, rebuilt: &Rebuilt, events: &[Event]) {
    let wrong = rebuilt.wrong_place(session).map(|space| wording.space_name(space));
    let wrong = wrong.or_else(|| rebuilt.wrong_value(&View::whole(session.table())));
    assert!(wrong.is_none(), "{wrong:?}: {}\n{}", case.at(session), wording.narrate(events).join("\n"));
}

/// Where a seat sees all pieces of a space, it was told of each that lies there, and of none that does not.
fn compare_seen(
    case: &Case,
    session: &Session,
    view: &View<'_>,
    wording: &Wording,
    rebuilt: &Rebuilt,
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

/// Plays a game at random and holds its log, in a language, against its table at every decision.
pub(crate) fn hold_log_against_table(case: &Case, seed: u64, language: Language) -> Session {
    let mut heard = 0;
    let mut rebuilt: Option<(Wording, Rebuilt)> = None;
    let mut take = |session: &Session| {
        let (wording, rebuilt) = rebuilt.get_or_insert_with(|| {
            let wording = Wording::new(session.model().clone(), session.setup().clone(), language);
            (wording, Rebuilt::begin(session.model()))
        });
        let events: Vec<Event> = session.events().since(heard).cloned().collect();
        hear(case, session, wording, rebuilt, &events);
        compare(case, session, wording, rebuilt, &events);
        heard = session.events().len();
    };
    let session = walk(case, seed, |session, _| take(session));
    take(&session);
    session
}

#[test]
fn a_log_tells_whoever_reads_everything_where_every_piece_lies() {
    for case in cases() {
        for (seed, language) in (1..).zip(LANGUAGES) {
            hold_log_against_table(&case, seed, language);
        }
    }
}

/// Decisions after which what seats remember and conclude is looked at, of so many one.
const LOOK_EVERY: usize = 3;

/// Plays a game at random and holds what each seat reads, in one language or the other, against what it sees.
pub(crate) fn hold_logs_of_seats_against_views(case: &Case, seed: u64) {
    let mut heard = 0;
    let mut readers: Vec<(Wording, Rebuilt)> = Vec::new();
    let mut take = |session: &Session| {
        let events: Vec<Event> = session.events().since(heard).cloned().collect();
        for seat in session.model().all_seats() {
            if readers.len() <= seat.index() {
                let language = LANGUAGES[seat.index() % LANGUAGES.len()];
                let wording = Wording::new(session.model().clone(), session.setup().clone(), language);
                readers.push((wording.for_seat(seat), Rebuilt::begin(session.model())));
            }
            let (wording, rebuilt) = &mut readers[seat.index()];
            hear(case, session, wording, rebuilt, &events);
            compare_seen(case, session, &View::new(session.table(), Some(seat)), wording, rebuilt, &events);
            // What the log has told wrongly stays wrong; all that a seat may conclude is not looked for at each decision.
            if session.answers().len().is_multiple_of(LOOK_EVERY) || session.decision().is_none() {
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
fn a_log_tells_every_seat_where_the_pieces_lie_that_it_sees() {
    for case in cases() {
        hold_logs_of_seats_against_views(&case, 3);
    }
}

/// What each game declares `quiet`: whoever adds to it keeps something from those who read the log.
const QUIET: [&str; 6] = [
    "examples/games/missing-lantern has_named",
    "games/last-will act arrange bankrupt draw_from drops earned gained idle keep keep_first opened_by spent split take turn_over",
    "games/monga-alley commit recall",
    "games/revolution-1828 bound_to campaign_votes claimed_upright won",
    "games/stockpile ability cash_before_scoring claim final_sales hands_dealt majority_bonuses",
    "games/wall-street-1920 has_flipped",
];

#[test]
fn what_a_log_leaves_out_is_listed() {
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

// ----- that the law catches what is wrong

/// The sort of a statement that the law is about.
fn sort(model: &Model, said: &Statement) -> Option<&'static str> {
    match said {
        // What comes back to where it was leaves nothing that would be wrong without it.
        Statement::Set { course, .. } if course.first() == course.last() => None,
        Statement::Moved(lots) if come_back(lots) => None,
        Statement::Set { value, .. } | Statement::Kept { value, .. } if !is_told(model.value(*value)) => None,
        Statement::Set { holder: Holder::Piece(_), .. } | Statement::Kept { holder: Holder::Piece(_), .. } => None,
        // One of which track is lost in the same step leaves nothing that would be wrong without it.
        Statement::Held { value, .. } | Statement::Kept { value, .. }
            if model.value(*value).kind == ValueType::Piece =>
        {
            None
        }
        Statement::Held { value, .. } if !is_told(model.value(*value)) => None,
        Statement::Held { .. } => Some("held"),
        Statement::Moved(_) => Some("moved"),
        Statement::Carried { .. } => Some("carried"),
        Statement::Refilled { .. } => Some("refilled"),
        Statement::Set { .. } => Some("set"),
        Statement::Kept { .. } => Some("kept"),
        _ => None,
    }
}

/// Whether there are as many pieces of each sort in each space after some have moved as before.
fn come_back(lots: &[Lot]) -> bool {
    let mut more: BTreeMap<(Option<Print>, SpaceId), i64> = BTreeMap::new();
    for lot in lots {
        let face = lot.face.map(print);
        *more.entry((face, lot.from)).or_default() -= lot.count as i64;
        *more.entry((face, lot.to)).or_default() += lot.count as i64;
    }
    more.values().all(|more| *more == 0)
}

/// The same statement, wrong.
fn mangled(model: &Model, said: &Statement) -> Option<Statement> {
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

/// Whether the law holds of what was said up to here.
fn holds(model: &Arc<Model>, before: &Rebuilt, said: &[Statement], session: &Session) -> bool {
    let mut rebuilt = before.clone();
    said.iter().all(|said| rebuilt.hear(model, said).is_ok())
        && rebuilt.wrong_place(session).is_none()
        && rebuilt.wrong_value(&View::whole(session.table())).is_none()
}

/// A narration that leaves a statement out, or has one wrong, does not pass. What is shown, whoever reads everything knows.
#[test]
fn the_law_of_the_log_catches_a_line_that_is_missing_or_wrong() {
    let mut caught: BTreeMap<(&str, &str), (u32, u32)> = BTreeMap::new();
    for case in cases().into_iter().filter(|case| case.setup.options.is_empty()) {
        let mut heard = 0;
        let mut now: Option<(Wording, Rebuilt)> = None;
        let mut take = |session: &Session| {
            let model = session.model();
            let (wording, rebuilt) = now.get_or_insert_with(|| {
                let wording = Wording::new(model.clone(), session.setup().clone(), Language::English);
                (wording, Rebuilt::begin(model))
            });
            let said = wording.statements(session.events().since(heard));
            heard = session.events().len();
            for at in 0..said.len() {
                let Some(sort) = sort(model, &said[at]) else { continue };
                let mut without = said.clone();
                without.remove(at);
                let wrong = mangled(model, &said[at]).map(|wrong| {
                    let mut all = said.clone();
                    all[at] = wrong;
                    all
                });
                for (how, told) in [("missing", Some(without)), ("wrong", wrong)] {
                    let Some(told) = told else { continue };
                    let (all, found) = caught.entry((sort, how)).or_default();
                    *all += 1;
                    *found += u32::from(!holds(model, rebuilt, &told, session));
                }
            }
            for said in &said {
                rebuilt.hear(model, said).unwrap_or_else(|why| panic!("{why}: {}", case.at(session)));
            }
        };
        let session = walk(&case, 2, |session, _| take(session));
        take(&session);
    }
    for key in ["moved", "carried", "set"].into_iter().flat_map(|sort| [(sort, "missing"), (sort, "wrong")]) {
        assert!(caught.get(&key).is_some_and(|(all, _)| *all > 100), "{key:?} is hardly ever said: {caught:?}");
    }
    for (key, (all, found)) in &caught {
        assert_eq!(found, all, "{key:?} is not always caught: {caught:?}");
    }
}
