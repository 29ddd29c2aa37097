//! Invariants of the table: each piece is in one space that accepts it, and values are within their bounds.

use crate::case::cases;
use crate::random_walk::{walk, walks};
use parlour::model::{SpaceId, Value};
use parlour::session::Session;

#[test]
fn every_piece_is_in_exactly_one_space_that_accepts_it() {
    for case in cases() {
        for seed in 0..walks() {
            let over = walk(&case, seed, |session, _| assert_eq!(misplaced(session), None, "{}", case.at(session)));
            assert_eq!(misplaced(&over), None, "{}", case.at(&over));
        }
    }
}

/// Describes the first piece or stack whose position is inconsistent.
fn misplaced(session: &Session) -> Option<String> {
    let (table, model) = (session.table(), session.model());
    let mut found = vec![0; model.pieces.len()];
    for space in (0..model.spaces.len()).map(SpaceId::at) {
        let down: Vec<_> = table.stack(space).collect();
        let mut up: Vec<_> = table.stack_from_bottom(space).collect();
        up.reverse();
        if up != down || down.len() != table.height(space) {
            return Some(format!("the links of the stack on {space:?} are inconsistent"));
        }
        for piece in down {
            found[piece.index()] += 1;
            if table.space_of(piece) != space || !table.accepts(table.zone_of(piece), table.component(piece)) {
                return Some(format!("{piece:?} must not be on {space:?}"));
            }
        }
    }
    found.iter().position(|times| *times != 1).map(|piece| format!("piece {piece} is in {} spaces", found[piece]))
}

#[test]
fn the_set_of_pieces_never_changes() {
    for case in cases() {
        let pieces = |session: &Session| {
            let table = session.table();
            let mut all: Vec<_> =
                table.all_pieces().map(|piece| (table.component(piece), table.owner(piece))).collect();
            all.sort_unstable();
            all
        };
        let before = pieces(&case.start(0));
        let over = walk(&case, 0, |session, _| assert_eq!(pieces(session), before, "{}", case.at(session)));
        assert_eq!(pieces(&over), before, "{}", case.at(&over));
    }
}

#[test]
fn values_stay_within_their_bounds() {
    for case in cases() {
        walk(&case, 0, |session, _| {
            let table = session.table();
            for value in &session.model().values {
                for slot in value.slot..value.slot + value.slots {
                    let number = table.value(slot);
                    let within = number == Value::NOTHING
                        || (value.min.is_none_or(|min| number >= min) && value.max.is_none_or(|max| number <= max));
                    assert!(within, "{}: {} is {number}", case.at(session), value.id);
                }
            }
        });
    }
}
