//! Validates figures that were read from a file, which may belong to another game or may have been edited.

use super::figures::{BLOCKS, BandKey, Figures};
use super::measure::Measure;
use super::option_stats::OptionReferent;
use crate::model::{Model, Owner};

impl Figures {
    /// Returns whether the figures fit the game: all indices exist in it, the number of seats agrees, and the counts are plausible.
    pub fn fits(&self, model: &Model) -> bool {
        let seats = usize::from(self.seats);
        let is_seat = |seat: u8| seat < self.seats;
        let are_sides = self.sides.is_empty()
            || self.sides.len() == seats && self.sides.iter().all(|side| usize::from(*side) < seats);
        let are_blocks = self.blocks.len() == BLOCKS && self.blocks.iter().all(|block| block.len() == seats + 1);
        let are_measures = self.measures.keys().all(|measure| match measure {
            Measure::Win(seat) | Measure::Place(seat) | Measure::Score(seat) | Measure::DecisionsOf(seat) => {
                is_seat(*seat)
            }
            Measure::Part(_, seat) | Measure::Tally(_, Some(seat)) => is_seat(*seat),
            _ => true,
        });
        let is = |at: u16, count: usize| usize::from(at) < count;
        let is_component = |at: u16| is(at, model.components.len());
        let is_thing = |thing: &OptionReferent| match thing {
            OptionReferent::Seat(ahead) => is_seat(*ahead),
            OptionReferent::Zone(at) => is(*at, model.zones.len()),
            OptionReferent::ZoneOf(at, ahead) => is(*at, model.zones.len()) && is_seat(*ahead),
            OptionReferent::Space(at) => is(*at, model.spaces.len()),
            OptionReferent::SpaceOf(at, ahead) => is(*at, model.spaces.len()) && is_seat(*ahead),
            OptionReferent::Component(at) => is_component(*at),
            OptionReferent::Pass | OptionReferent::Flag(_) | OptionReferent::Number(_) | OptionReferent::Word(_) => {
                true
            }
        };
        let is_decision = |at: u16| is(at, model.decisions.len());
        let is_band = |key: &BandKey| {
            let value = model.values.get(usize::from(key.value));
            let is_value = key.value == BandKey::STANDING || value.is_some();
            // Values of the game have the holder 0, which is valid even in games without components.
            let is_of_game = key.holder == 0 && value.is_some_and(|value| value.owner == Owner::Game);
            is_value
                && (is_of_game
                    || key.holder == BandKey::EVERY_SEAT
                    || is_component(key.holder)
                    || key.value == BandKey::STANDING)
        };
        self.seats == model.seats
            && are_sides
            && are_blocks
            && are_measures
            && [self.games, self.finished, self.asked, self.forced].into_iter().all(|count| count < MAX_COUNT)
            && self.finished <= self.games
            && self.questions.keys().all(|at| is_decision(*at))
            && self.options.keys().all(|key| is_decision(key.decision) && is_thing(&key.thing))
            && self.components.keys().all(|at| is_component(*at))
            && self.kinds.keys().all(|at| is(*at, model.kinds.len()))
            && self.bands.keys().all(is_band)
            && self.spaces.keys().all(|at| is(*at, model.spaces.len()))
            && self.phases.keys().all(|at| is(*at, model.phases.len()))
            && self.says.keys().all(|at| is(*at, model.says.len()))
    }
}

/// Upper bound of plausible numbers of games and decisions.
const MAX_COUNT: u64 = 1 << 53;
