//! Mapping between the seats of the game and the places at the table.

use crate::model::Seat;
use crate::session::Setup;
use crate::web::links::Viewer;

/// Place of each seat. A place keeps its link and its player when the seats rotate for another game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Places(Vec<u8>);

impl Places {
    /// Finds the place of each seat by the name of its player. `names` are the players' names in the order of places. If a name is unknown,
    /// each seat has the place with the same number.
    pub(super) fn new(names: &[String], setup: &Setup) -> Self {
        let place = |seat: u8| names.iter().position(|name| name == setup.name(Seat(seat))).map(|place| place as u8);
        let found: Option<Vec<u8>> = (0..setup.seats).map(place).collect();
        Self(found.unwrap_or_else(|| (0..setup.seats).collect()))
    }

    /// Returns the place of a seat.
    pub(super) fn of(&self, seat: Seat) -> u8 {
        self.0.get(seat.index()).copied().unwrap_or(seat.0)
    }

    /// Converts the viewer of a link to a viewer of the game: replaces the index of a place with the seat that the place has now.
    pub(super) fn seated(&self, viewer: Viewer) -> Viewer {
        match viewer {
            Viewer::Seat(place) => {
                let seat = self.0.iter().position(|known| *known == place);
                Viewer::Seat(seat.map_or(place, |seat| seat as u8))
            }
            Viewer::Onlooker | Viewer::Host => viewer,
        }
    }

    /// Sorts a list that has one item for each seat by the places of the seats.
    pub(super) fn by_place<T>(&self, of_seats: impl IntoIterator<Item = T>) -> Vec<T> {
        let mut all: Vec<(u8, T)> =
            of_seats.into_iter().enumerate().map(|(seat, one)| (self.of(Seat(seat as u8)), one)).collect();
        all.sort_by_key(|(place, _)| *place);
        all.into_iter().map(|(_, one)| one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_keeps_its_player_when_seats_move() {
        let names = ["Ann", "Ben", "Cho"].map(str::to_owned);
        let begun = Places::new(&names, &Setup::seats(3));
        assert_eq!((0..3).map(|seat| begun.of(Seat(seat))).collect::<Vec<_>>(), [0, 1, 2]);
        let moved = Setup { names: ["Ben", "Cho", "Ann"].map(str::to_owned).to_vec(), ..Setup::seats(3) };
        let moved = Places::new(&names, &moved);
        assert_eq!(moved.seated(Viewer::Seat(0)), Viewer::Seat(2), "Ann has the last seat");
        assert_eq!(moved.of(Seat(0)), 1, "Ben begins");
        assert_eq!(moved.seated(Viewer::Host), Viewer::Host);
        assert_eq!(moved.by_place(["Ben", "Cho", "Ann"]), ["Ann", "Ben", "Cho"]);
        let others = Places::new(&["Eve".to_owned(), "Fay".to_owned()], &Setup::seats(2));
        assert_eq!(others, Places(vec![0, 1]), "unknown names change nothing");
    }
}
