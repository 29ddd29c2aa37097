//! Implements an agent and plays it against a random one: `cargo run --example write_an_agent`.
//!
//! An agent receives an `Observation`: the decision, the information that its seat sees and remembers, and worlds that it can imagine. It
//! answers with the index of an option. See `parlour::session::Observation` for everything that an agent can ask.

use parlour::agents::Random;
use parlour::model::{Label, Model, Seat};
use parlour::session::{Choice, NoAnswer, Observation, Player, Session, Setup};
use std::error::Error;

/// Agent that drops its discs as close to the middle column as possible.
struct Middle;

impl Player for Middle {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        let decision = observation.decision();
        let from_the_middle = |at: &usize| (column(observation.model(), &decision.option(*at)) - 4).abs();
        (0..decision.count()).min_by_key(from_the_middle).ok_or_else(|| "there is no option".to_owned().into())
    }
}

/// Returns the column of an option in Connect Four. Each option is a space of the board.
fn column(model: &Model, option: &Choice) -> i16 {
    let Choice::Space(space) = option else { panic!("{option:?} is no space") };
    let Label::Cell(column, _row) = model.space(*space).label else { panic!("the board is no grid") };
    column
}

fn main() -> Result<(), Box<dyn Error>> {
    let game = parlour::load("examples/games/connect-four")?;
    let mut won = [0, 0];
    for seed in 1..=20 {
        let mut session = Session::start(&game, &Setup::seats(2).seed(seed))?;
        let mut random = Random::new(seed, "random");
        while let Some(observation) = session.observation() {
            let at = if observation.seat() == Seat(0) {
                Middle.choose(&observation)?
            } else {
                random.choose(&observation)?
            };
            session.choose(at)?;
        }
        // If a rule error has stopped the game, there is no outcome, and the session's status contains the error.
        let outcome = session.outcome().ok_or_else(|| format!("{:?}", session.status()))?;
        let ending = &session.model().endings[outcome.ending.index()].id;
        for seat in outcome.winners() {
            won[seat.index()] += 1;
        }
        println!(
            "game {seed:2}: {ending}, scores {:?}",
            outcome.standings.iter().map(|it| it.score).collect::<Vec<_>>()
        );
    }
    println!("the middle won {} of 20 games, random {}; a draw counts for both", won[0], won[1]);
    Ok(())
}
