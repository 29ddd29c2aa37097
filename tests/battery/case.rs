//! What the battery is run over: every game, with every number of players and every value of every option.

use crate::folder;
use parlour::diagnostic::render;
use parlour::loader::{Files, Package};
use parlour::model::Setting;
use parlour::session::{Game, Session, Setup};
use std::fmt;
use std::path::Path;

/// A game with what is chosen before it.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) game: Game,
    pub(crate) setup: Setup,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} --players {}", self.game.path(), self.setup.seats)?;
        self.setup.options.iter().try_for_each(|(name, value)| write!(f, " --option {name}={value}"))
    }
}

impl Case {
    /// The setup with a seed.
    pub(crate) fn seeded(&self, seed: u64) -> Setup {
        self.setup.clone().seed(seed)
    }

    /// A session with a seed.
    pub(crate) fn start(&self, seed: u64) -> Session {
        Session::start(&self.game, &self.seeded(seed)).unwrap_or_else(|found| panic!("{self}\n{found}"))
    }

    /// Where a session stands, for messages.
    pub(crate) fn at(&self, session: &Session) -> String {
        format!("{self} --seed {}, after the answers {:?}", session.setup().seed, session.answers())
    }
}

fn load(folder: &Path) -> Game {
    parlour::load(folder).unwrap_or_else(|found| panic!("{}\n{found}", folder.display()))
}

/// The largest number that is chosen where an option is a number: what is longer is no other game.
const LARGEST: i64 = 12;

/// A game with every number of players, and with each of them every single value of every option, and the last value of every
/// option at once.
pub(crate) fn cases_of(folder: &Path) -> Vec<Case> {
    let game = load(folder);
    let mut options = game.option_values();
    for value in options.iter_mut().flat_map(|(_, values)| values) {
        if value.parse::<i64>().is_ok_and(|number| number > LARGEST) {
            *value = LARGEST.to_string();
        }
    }
    let of = |seats: u8| {
        let plain = Setup::seats(seats);
        let model = game.layout(&plain).unwrap_or_else(|found| panic!("{found}")).model.clone();
        let is_default = |name: &str, value: &str| match &model.options[name].default {
            Setting::Word(word) => **word == *value,
            _ => false,
        };
        let values = options.iter().flat_map(|(name, values)| values.iter().map(move |value| (name, value)));
        let chosen = values.filter(|(name, value)| !is_default(name, value) && suits(&game, seats, name, value));
        let with = chosen.map(|(name, value)| plain.clone().option(name, value)).collect::<Vec<_>>();
        let last = options.iter().filter_map(|(name, values)| Some((name, values.last()?)));
        let last = last.filter(|(name, value)| suits(&game, seats, name, value));
        let together = last.fold(plain.clone(), |setup, (name, value)| setup.option(name, value));
        std::iter::once(plain).chain(with).chain((options.len() > 1).then_some(together))
    };
    game.players().flat_map(of).map(|setup| Case { game: game.clone(), setup }).collect()
}

/// Whether a value can be chosen with so many players: an option of seats has values for the largest table.
fn suits(game: &Game, seats: u8, name: &str, value: &str) -> bool {
    game.layout(&Setup::seats(seats).option(name, value)).is_ok()
}

/// Every case of every game.
pub(crate) fn cases() -> Vec<Case> {
    folder::games().iter().flat_map(|folder| cases_of(folder)).collect()
}

#[test]
fn every_game_loads_without_a_word() {
    for folder in folder::games() {
        let files = Files::read(&folder).unwrap_or_else(|found| panic!("{found}"));
        let package = Package::parse(files).unwrap_or_else(|found| panic!("{found}"));
        let found = package.check();
        assert!(found.0.is_empty(), "{}\n{found}", folder.display());
        for case in cases_of(&folder) {
            case.game.host(&case.setup).unwrap_or_else(|found| panic!("{case}\n{found}"));
        }
    }
}

#[test]
fn every_value_of_an_option_suits_some_number_of_players() {
    for folder in folder::games() {
        let game = load(&folder);
        for (name, values) in game.option_values() {
            for value in values {
                let suits = game.players().any(|seats| suits(&game, seats, &name, &value));
                assert!(suits, "{}: {name} = {value}", folder.display());
            }
        }
    }
}

/// A mistake as an author reads it.
pub(crate) fn in_words(diagnostic: &parlour::diagnostic::Diagnostic) -> String {
    render(diagnostic, false)
}
