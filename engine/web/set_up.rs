//! The form for a new table: the number of players, the options of the game, and who plays each seat.

use super::links::seed;
use super::pages::{Pages, base};
use super::table::offered_agents;
use crate::model::{GameOption, Language, Model, OptionType, Seat, Setting};
use crate::phrases::{Phrases, filled};
use crate::playscript::PERSON;
use crate::session::{Game, Setup};
use minijinja::context;
use minijinja::value::Value;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

/// Form value of a seat option for which no seat is chosen.
const UNSET: &str = "none";

/// Name and value of a form field.
pub(super) type Field = (String, String);

/// Returns the value of a field by its name.
pub(super) fn sent<'s>(sent: &'s [Field], name: &str) -> Option<&'s str> {
    sent.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// Settings of a new table.
pub(super) struct NewTable {
    pub(super) setup: Setup,
    /// Specification of the agent of each seat.
    pub(super) agents: Vec<String>,
}

/// Renders the form for a game. `key` identifies the game in the form. `place` is the location of the game's files, which the form shows.
/// `wanted` is the setup that is selected in the form. If `is_for_one` is set, agents are selected for all seats but the first.
///
/// # Errors
/// Returns the game's diagnostics as text if the game cannot be played.
pub(super) fn form(
    pages: &Pages,
    (key, game, place): (&str, &Game, &str),
    wanted: &Setup,
    is_for_one: bool,
    language: Language,
) -> Result<String, String> {
    let players = game.players();
    let setup = Setup::seats(wanted.seats.clamp(*players.start(), *players.end()));
    let (layout, _) = game.host(&setup).map_err(|found| found.in_plain_text())?;
    let option = |option: &GameOption| option_field(option, &layout.model, &setup, wanted, language);
    let options: Vec<Value> = layout.model.options.values().map(option).collect();
    let agents = offered_agents(game);
    let seat = |seat: u8| {
        let agent = agents.first().filter(|_| is_for_one && seat > 0);
        context! { number => seat + 1, name => setup.name(Seat(seat)), agent }
    };
    let seats: Vec<Value> = (0..setup.seats).map(seat).collect();
    let players: Vec<u8> = players.collect();
    Ok(pages.render(
        "set_up.html",
        context! {
            game => key, address => encoded(key), players, chosen => setup.seats, options, seats, place,
            agents, ..base(language)
        },
    ))
}

/// Builds a setup from the fields of a form. The number of players is 0 if it is missing or not a number.
pub(super) fn setup(given: &[Field]) -> Setup {
    let players = sent(given, "players").and_then(|number| number.parse().ok()).unwrap_or(0);
    let option = |(name, value): &Field| Some((name.strip_prefix("option.")?.to_owned(), value.trim().to_owned()));
    Setup { options: given.iter().filter_map(option).collect(), ..Setup::seats(players) }
}

/// Builds the settings of a new table from the fields of a form. Leaves out options that have their default value. A seat for which the
/// form names no offered agent is for a person.
///
/// # Errors
/// Returns the reason if the game does not allow this number of players, if it has mistakes, or if no seed can be drawn.
pub(super) fn parse_new_table(game: &Game, given: &[Field], language: Language) -> Result<NewTable, String> {
    let setup = setup(given);
    if !game.players().contains(&setup.seats) {
        return Err(players_text(&game.players(), language));
    }
    let usual = game.layout(&Setup::seats(setup.seats)).map_err(|found| found.in_plain_text())?;
    let is_other = |(name, value): &&Field| {
        let default = usual.model.options.get(name.as_str()).map(|option| &option.default);
        let is_usual = default.is_some_and(|default| written(default) == *value);
        let is_random = value == "random" && default == Some(&Setting::Nothing);
        !is_usual && !is_random
    };
    let options = setup.options.iter().filter(is_other).cloned().collect();
    let offered = offered_agents(game);
    let agent = |seat: u8| {
        let agent = sent(given, &format!("seat.{}", u16::from(seat) + 1)).unwrap_or_default();
        offered.iter().find(|known| *known == agent).map_or_else(|| PERSON.to_owned(), Clone::clone)
    };
    let agents = (0..setup.seats).map(agent).collect();
    let seed = seed().map_err(|why| why.message)?;
    Ok(NewTable { setup: Setup { options, ..Setup::seats(setup.seats).seed(seed) }, agents })
}

/// Formats the numbers of players that a game allows.
pub(super) fn players_text(players: &RangeInclusive<u8>, language: Language) -> String {
    let web = &Phrases::for_language(language).web;
    let (least, most) = (players.start(), players.end());
    if least == most {
        return filled(web.players_just, &[("count", least)]);
    }
    filled(web.players_between, &[("least", least), ("most", most)])
}

/// Returns the template values of the form field for an option.
fn option_field(option: &GameOption, model: &Model, setup: &Setup, wanted: &Setup, language: Language) -> Value {
    let usual = written(&option.default);
    let chosen = wanted.options.iter().find(|(name, _)| **name == *option.id).map_or(&usual, |(_, value)| value);
    let choice = |value: String, name: String| context! { is_chosen => value == *chosen, is_usual => value == usual, value, name };
    let shared = context! { id => &*option.id, name => option.name.get(language), about => option.about.as_ref().map(|about| about.get(language)) };
    match &option.kind {
        OptionType::Number { min, max } => context! { min, max, value => chosen, usual, ..shared },
        OptionType::Word(words) => {
            let choices: Vec<Value> =
                words.iter().map(|word| choice(word.to_string(), model.named_word(word, language))).collect();
            context! { choices, ..shared }
        }
        OptionType::Seat => {
            let seats = (0..setup.seats).map(|seat| choice((seat + 1).to_string(), setup.name(Seat(seat)).to_owned()));
            let nobody =
                std::iter::once(choice(UNSET.to_owned(), Phrases::for_language(language).web.not_decided.to_owned()));
            context! { choices => nobody.chain(seats).collect::<Vec<_>>(), ..shared }
        }
    }
}

/// Formats the value of an option as it appears in the form.
fn written(setting: &Setting) -> String {
    match setting {
        Setting::Number(number) => number.to_string(),
        Setting::Word(word) => word.to_string(),
        Setting::Seat(seat) => (u16::from(seat.0) + 1).to_string(),
        Setting::Flag(is_so) => is_so.to_string(),
        Setting::Nothing | Setting::List(_) | Setting::Table(_) => UNSET.to_owned(),
    }
}

/// Percent-encodes a text for a query string.
pub(super) fn encoded(text: &str) -> String {
    let mut all = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' => all.push(byte as char),
            _ => {
                let _ = write!(all, "%{byte:02X}");
            }
        }
    }
    all
}
