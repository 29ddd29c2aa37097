//! The log and the table agree: from what a narration says, without its words, a program knows where every piece lies.

use crate::case::{Case, cases};
use crate::walk::walk;
use parlour::model::{ComponentId, Language, Model, Seat, SpaceId};
use parlour::session::{Event, Face, Lot, Session, Statement, Wording};
use parlour::table::View;

/// So many games of every case.
const SEEDS: u64 = 2;

/// What is printed on a piece and whose it is.
type Print = (ComponentId, Option<Seat>);

/// The table as somebody would lay it out who hears the log alone, from the box on: by space, the pieces, those that he
/// cannot tell as nothing.
struct Rebuilt {
    spaces: Vec<Vec<Option<Print>>>,
}

impl Rebuilt {
    /// As the game begins. What lies where is known to everybody.
    fn begin(model: &Model) -> Self {
        let mut spaces = vec![Vec::new(); model.spaces.len()];
        for piece in &model.pieces {
            spaces[model.zone(piece.zone).space().index()].push(Some((piece.component, piece.owner)));
        }
        Self { spaces }
    }

    fn hear(&mut self, model: &Model, said: &Statement) -> Result<(), String> {
        match said {
            Statement::Moved(lots) => lots.iter().try_for_each(|lot| self.go(lot)),
            Statement::Carried { face: Some(face), from, to } => {
                let from = self.only_place(print(*face))?.unwrap_or(*from);
                let seat = model.zone(model.space(from).zone).seat;
                if !self.spaces[from.index()].contains(&Some(print(*face))) && seat.is_none() {
                    return Err(format!("{face:?} was nowhere, and comes from nobody's place"));
                }
                self.go(&Lot { face: Some(*face), count: 1, from, to: *to })
            }
            Statement::Carried { face: None, from, to } => self.go(&Lot { face: None, count: 1, from: *from, to: *to }),
            Statement::Shown(lots) => {
                for lot in lots {
                    self.show(lot);
                }
                Ok(())
            }
            Statement::Refilled { zone, from } => {
                let mut all = Vec::new();
                for space in model.zone(*from).spaces.clone() {
                    all.append(&mut self.spaces[space as usize]);
                }
                self.spaces[model.zone(*zone).space().index()].extend(all);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Pieces go: if it is not told which, nothing is known any more of those that stay behind.
    fn go(&mut self, lot: &Lot) -> Result<(), String> {
        for _ in 0..lot.count {
            let here = &mut self.spaces[lot.from.index()];
            let wanted = lot.face.map(print);
            if wanted.is_none() && !here.is_empty() {
                here.fill(None);
            }
            let at = here.iter().position(|piece| *piece == wanted).or_else(|| here.iter().position(Option::is_none));
            let at = at.ok_or_else(|| format!("{lot:?} was not there"))?;
            here.swap_remove(at);
            self.spaces[lot.to.index()].push(wanted);
        }
        Ok(())
    }

    /// The only space with a piece of a print, if it is known of any. What was known of none comes from a place of whoever
    /// answered.
    fn only_place(&self, print: Print) -> Result<Option<SpaceId>, String> {
        let spaces = self.spaces.iter().enumerate().filter(|(_, here)| here.contains(&Some(print)));
        match spaces.map(|(at, _)| SpaceId(at as u16)).collect::<Vec<_>>().as_slice() {
            [] => Ok(None),
            [space] => Ok(Some(*space)),
            several => Err(format!("{print:?} may come from {several:?}")),
        }
    }

    fn show(&mut self, lot: &Lot) {
        let here = &mut self.spaces[lot.to.index()];
        let Some(face) = &lot.face else { return };
        let known = here.iter().filter(|piece| **piece == Some(print(*face))).count();
        let unknown = here.iter_mut().filter(|piece| piece.is_none()).take(lot.count.saturating_sub(known));
        unknown.for_each(|piece| *piece = Some(print(*face)));
    }
}

const fn print(face: Face) -> Print {
    (face.component, face.owner)
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
    for at in 0..session.model().spaces.len() {
        let space = SpaceId(at as u16);
        let table = session.table();
        let mut there: Vec<Option<Print>> =
            table.stack_from_bottom(space).map(|piece| Some((table.component(piece), table.owner(piece)))).collect();
        let mut told = rebuilt.spaces[at].clone();
        there.sort();
        told.sort();
        let place = wording.space_name(space);
        assert_eq!(told, there, "{place}: {}\n{}", case.at(session), wording.narrate(events).join("\n"));
    }
}

/// Where a seat sees all pieces of a space, it was told of each that lies there, and of none that does not.
fn compare_seen(case: &Case, session: &Session, seat: Seat, wording: &Wording, rebuilt: &Rebuilt, events: &[Event]) {
    let view = View::memory(session.table(), Some(seat));
    for (at, told) in rebuilt.spaces.iter().enumerate() {
        let space = SpaceId(at as u16);
        let at_place = || {
            let place = wording.space_name(space);
            format!("{place} for {seat:?}: {}\n{}", case.at(session), wording.narrate(events).join("\n"))
        };
        assert_eq!(told.len(), view.height(space), "{}", at_place());
        let mut seen: Vec<Print> = view.seen(space).iter().filter_map(|seen| seen.face).collect();
        if seen.len() < told.len() {
            continue;
        }
        for print in told.iter().flatten() {
            let found = seen.iter().position(|other| other == print);
            assert!(found.is_some(), "{print:?} at {}", at_place());
            seen.swap_remove(found.unwrap_or_default());
        }
    }
}

#[test]
fn a_log_tells_whoever_reads_everything_where_every_piece_lies() {
    for case in cases() {
        for seed in 1..=SEEDS {
            let mut heard = 0;
            let mut rebuilt: Option<(Wording, Rebuilt)> = None;
            let mut take = |session: &Session| {
                let (wording, rebuilt) = rebuilt.get_or_insert_with(|| {
                    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
                    (wording, Rebuilt::begin(session.model()))
                });
                let events = &session.events()[heard..];
                hear(&case, session, wording, rebuilt, events);
                compare(&case, session, wording, rebuilt, events);
                heard = session.events().len();
            };
            let session = walk(&case, seed, |session, _| take(session));
            take(&session);
        }
    }
}

#[test]
fn a_log_tells_every_seat_where_the_pieces_lie_that_it_sees() {
    for case in cases() {
        let mut heard = 0;
        let mut readers: Vec<(Wording, Rebuilt)> = Vec::new();
        let mut take = |session: &Session| {
            let events = &session.events()[heard..];
            for seat in session.model().all_seats() {
                if readers.len() <= seat.index() {
                    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
                    readers.push((wording.for_seat(seat), Rebuilt::begin(session.model())));
                }
                let (wording, rebuilt) = &mut readers[seat.index()];
                hear(&case, session, wording, rebuilt, events);
                compare_seen(&case, session, seat, wording, rebuilt, events);
            }
            heard = session.events().len();
        };
        let session = walk(&case, 3, |session, _| take(session));
        take(&session);
    }
}
