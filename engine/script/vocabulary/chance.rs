//! Chance: dice and draws by lot.

use super::super::event::Happening;
use super::super::fault::{Answer, Fault};
use super::super::set::Set;
use super::Book;
use super::book::with;
use super::facts::Item;
use crate::model::{ComponentId, PieceId, Seat, SpaceId, ZoneId};
use crate::script::choice::Choice;
use crate::script::stage::{Stage, look};
use rhai::{Array, Dynamic, Variant};

pub(super) fn write(book: &mut Book<'_>) {
    book.topic("Chance");
    book.word(
        "roll",
        "sides",
        "A number from 1 to `sides`, each as likely.",
        "roll(1) // 1",
        |sides: i64| -> Answer<i64> {
            with(|stage| {
                stage.changing()?;
                let Ok(bound) = u32::try_from(sides) else { return Err(no_sides(sides)) };
                if bound == 0 {
                    return Err(no_sides(sides));
                }
                let number = i64::from(stage.table.chance.below(bound)) + 1;
                stage.note(|_| Happening::Drawn(number));
                Ok(number)
            })
        },
    );
    book.word(
        "roll",
        "die",
        "Throws a piece that has faces and gives what it shows.",
        "cup.top.roll() in [1, 2, 3] // true",
        |die: PieceId| -> Answer<Dynamic> { with(|stage| roll_die(stage, die)) },
    );
    by_lot::<Seat>(book, "any_of(seats).number <= 3 // true");
    by_lot::<PieceId>(book, "");
    by_lot::<SpaceId>(book, "");
    by_lot::<ZoneId>(book, "");
    by_lot::<ComponentId>(book, "");
    book.word("any_of", "list", "One entry of a list by lot.", "any_of([7]) // 7", |list: Array| -> Answer<Dynamic> {
        with(|stage| lot(stage, list.len())).map(|at| list[at].clone())
    });
}

fn by_lot<T: Item + Variant>(book: &mut Book<'_>, example: &'static str) {
    book.word("any_of", "list", "One of several things by lot.", example, |list: Set<T>| -> Answer<T> {
        with(|stage| lot(stage, list.len())).map(|at| list[at])
    });
}

fn lot(stage: &mut Stage, among: usize) -> Answer<usize> {
    stage.changing()?;
    if among == 0 {
        let fault = Fault::new("empty-list", "there is nothing to draw from", "an empty list");
        return Err(fault.help("ask whether there is any first").into());
    }
    Ok(stage.table.chance.below(among as u32) as usize)
}

fn roll_die(stage: &mut Stage, die: PieceId) -> Answer<Dynamic> {
    stage.changing()?;
    let faces = stage.table.model().component(stage.table.component(die)).faces.len();
    if faces == 0 {
        let id = &stage.table.model().component(stage.table.component(die)).id;
        let fault = Fault::new("no-faces", format!("`{id}` cannot be thrown"), "has no faces");
        return Err(fault.help("give the component `faces = […]`").into());
    }
    let face = stage.table.chance.below(faces as u32) as u8;
    stage.table.set_turned(die, face);
    stage.note(|table| Happening::Turned { look: look(table, die), turned: face });
    Ok(stage.table.shown(die).map_or(Choice::Nothing, Choice::from).to_dynamic())
}

fn no_sides(sides: i64) -> Box<rhai::EvalAltResult> {
    Fault::new("no-faces", format!("there is no die with {sides} sides"), "needs 1 or more").into()
}
