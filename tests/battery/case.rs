//! Test cases: every game with every number of players and every value of every option.

use crate::folder;
use crate::thorough::is_thorough;
use parlour::diagnostic::render;
use parlour::loader::{Files, Package};
use parlour::model::Setting;
use parlour::session::{Game, Session, Setup};
use std::fmt;
use std::path::Path;

/// Game with a setup.
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
    /// Returns the setup of the case with the given seed.
    pub(crate) fn seeded(&self, seed: u64) -> Setup {
        self.setup.clone().seed(seed)
    }

    /// Starts a session of the case with the given seed.
    pub(crate) fn start(&self, seed: u64) -> Session {
        Session::start(&self.game, &self.seeded(seed)).unwrap_or_else(|found| panic!("{self}\n{found}"))
    }

    /// Describes the position of a session, so that a failure can be reproduced.
    pub(crate) fn at(&self, session: &Session) -> String {
        format!("{self} --seed {}, after the answers {:?}", session.setup().seed, session.answers())
    }
}

fn load(folder: &Path) -> Game {
    parlour::load(folder).unwrap_or_else(|found| panic!("{}\n{found}", folder.display()))
}

/// Upper bound for numeric options. Larger values make games longer but test nothing new.
const MAX_NUMBER: i64 = 12;

/// Returns the cases of a game. For each number of players, there is a case with the defaults, a case for each other value of each option,
/// and, if there are several options, a case with the last value of every option.
pub(crate) fn cases_of(folder: &Path) -> Vec<Case> {
    let game = load(folder);
    let mut options = game.option_values();
    for value in options.iter_mut().flat_map(|(_, values)| values) {
        if value.parse::<i64>().is_ok_and(|number| number > MAX_NUMBER) {
            *value = MAX_NUMBER.to_string();
        }
    }
    let setups = |seats: u8| {
        let plain = Setup::seats(seats);
        let model = game.layout(&plain).unwrap_or_else(|found| panic!("{found}")).model.clone();
        let is_default = |name: &str, value: &str| match &model.options[name].default {
            Setting::Word(word) => **word == *value,
            _ => false,
        };
        let values = options.iter().flat_map(|(name, values)| values.iter().map(move |value| (name, value)));
        let chosen = values.filter(|(name, value)| !is_default(name, value) && is_valid(&game, seats, name, value));
        let with = chosen.map(|(name, value)| plain.clone().option(name, value)).collect::<Vec<_>>();
        let last = options.iter().filter_map(|(name, values)| Some((name, values.last()?)));
        let last = last.filter(|(name, value)| is_valid(&game, seats, name, value));
        let together = last.fold(plain.clone(), |setup, (name, value)| setup.option(name, value));
        std::iter::once(plain).chain(with).chain((options.len() > 1).then_some(together))
    };
    game.players().flat_map(setups).map(|setup| Case { game: game.clone(), setup }).collect()
}

/// Returns whether an option value is valid for a number of players. Options whose values are seats list the seats of the largest table.
fn is_valid(game: &Game, seats: u8, name: &str, value: &str) -> bool {
    game.layout(&Setup::seats(seats).option(name, value)).is_ok()
}

/// Returns all cases of all games.
pub(crate) fn cases() -> Vec<Case> {
    folder::games().iter().flat_map(|folder| cases_of(folder)).collect()
}

/// Returns the cases that long tests play. If `THOROUGH` is set, these are all cases. Otherwise, they are the cases with the fewest and
/// with the most players, except that cases that change one of several options are left out.
pub(crate) fn cases_of_long_tests() -> Vec<Case> {
    let is_played = |case: &Case| {
        let (fewest, most) = (case.game.players().min(), case.game.players().max());
        let changed = case.setup.options.len();
        [fewest, most].contains(&Some(case.setup.seats)) && (changed != 1 || case.game.option_values().len() == 1)
    };
    cases().into_iter().filter(|case| is_thorough() || is_played(case)).collect()
}

#[test]
fn every_game_loads_without_diagnostics() {
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
fn every_option_value_is_valid_for_some_number_of_players() {
    for folder in folder::games() {
        let game = load(&folder);
        for (name, values) in game.option_values() {
            for value in values {
                let is_valid_for_some = game.players().any(|seats| is_valid(&game, seats, &name, &value));
                assert!(is_valid_for_some, "{}: {name} = {value}", folder.display());
            }
        }
    }
}

/// Renders a diagnostic without colors.
pub(crate) fn render_plain(diagnostic: &parlour::diagnostic::Diagnostic) -> String {
    render(diagnostic, false)
}
