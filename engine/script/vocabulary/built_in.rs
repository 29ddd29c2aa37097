//! What every game has, for the reference: the names that stand alone, and what things have behind a dot.

use super::super::host::Name;
use super::book::Book;
use crate::decision::Value;
use crate::library::{FACTS, NAMES};
use crate::model::Model;

pub(super) fn write(book: &mut Book) {
    book.topic("Names");
    for (name, is, doc, example) in NAMES {
        book.name(name, is, doc, example);
    }
    book.topic("What things have");
    for (of, name, is, doc, example) in FACTS {
        book.fact(name, (of, is), doc, example);
    }
}

/// What the names that stand alone in every game stand for in one.
pub(in crate::script) fn names(model: &Model) -> impl Iterator<Item = (&'static str, Name)> {
    NAMES.iter().map(|(name, ..)| {
        let is = match *name {
            "seats" => Name::Fixed(Value::Seats(model.all_seats().collect())),
            "players" => Name::Fixed(i64::from(model.seats).into()),
            "first" => Name::First,
            "active" => Name::Active,
            "round" => Name::Round,
            _ => Name::Fixed(Value::Game),
        };
        (*name, is)
    })
}

#[cfg(test)]
mod tests {
    use super::super::facts::Item;
    use super::*;
    use crate::decision::Type;
    use crate::model::{ComponentId, PieceId, Seat, SpaceId, ZoneId};
    use std::collections::BTreeSet;

    #[test]
    fn the_reference_tells_all_that_things_have() {
        fn names<T: Item>(of: Type) -> BTreeSet<(String, &'static str)> {
            T::BUILT_IN.iter().map(|(name, _)| (of.word().to_owned(), *name)).collect()
        }
        let mut had = names::<PieceId>(Type::Piece);
        had.extend(names::<ComponentId>(Type::Component));
        had.extend(names::<Seat>(Type::Seat));
        had.extend(names::<SpaceId>(Type::Space));
        had.extend(names::<ZoneId>(Type::Zone));
        let told: BTreeSet<_> = FACTS.iter().map(|(of, name, ..)| (of.word().to_owned(), *name)).collect();
        assert_eq!(told, had);
    }
}
