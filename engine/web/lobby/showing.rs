//! Pages of a lobby: the list of tables and games, and the form for a new table.

use super::shelf::{PlayableGame, ShelfGame};
use super::{Entry, Lobby, State};
use crate::diagnostic::shown;
use crate::model::{GameOption, Language, Model, OptionType, Seat, Setting};
use crate::phrases::{Phrases, filled};
use crate::session::{Game, Setup};
use crate::web::links::Viewer;
use crate::web::pages::base;
use crate::web::table::{Table, offered_agents};
use minijinja::context;
use minijinja::value::Value;
use std::fmt::Write as _;

/// Text of a seat option that names no seat.
const UNSET: &str = "none";

/// Role of a person at a lobby.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guest {
    /// The host, who has the lobby's link.
    Host,
    /// Anybody on this machine.
    Anybody,
}

impl Lobby {
    /// Renders the list of games and tables. Only the host gets links and forms; links begin with `place`.
    pub(super) fn page(&self, guest: Guest, place: &str, notice: Option<&str>, language: Language) -> String {
        let web = &Phrases::for_language(language).web;
        let is_host = guest == Guest::Host;
        let games = self.shelf.all();
        let name_of = |key: &str| {
            let found = games.iter().find(|game| game.key == key).and_then(|game| game.playable(language).ok());
            found.map_or_else(|| key.to_owned(), |found| found.name.get(language).to_owned())
        };
        let entries = self.entries();
        let is_shown = |entry: &&Entry| is_host || matches!(entry.state, State::Open(_));
        let tables: Vec<Value> = entries
            .iter()
            .filter(is_shown)
            .rev()
            .map(|entry| {
                let shared = context! {
                    name => entry.name.as_str(), game => name_of(&entry.game), file => shown(self.file(&entry.name)),
                    why => "", line => "", links => (), players => (),
                };
                match &entry.state {
                    State::Open(table) => {
                        let (players, line) = open_table(table, language);
                        let links = is_host.then(|| links(table, &entry.name, place, language));
                        context! { state => "open", links, players, line, ..shared }
                    }
                    State::Failed(why) => context! { state => "failed", why => why.as_str(), ..shared },
                    State::Closed(_) => context! { state => "closed", ..shared },
                    State::Opening => context! { state => "opening", ..shared },
                }
            })
            .collect();
        let open = entries.iter().filter(|entry| entry.state.takes_room()).count();
        drop(entries);
        let games: Vec<Value> = games.iter().map(|game| shelved(game, language)).collect();
        let room = filled(web.tables_open, &[("count", &open), ("most", &self.most)]);
        let inner = self.pages.render("lobby.html", context! { tables, games, is_host, room, ..base(language) });
        self.framed(web.lobby, &inner, notice, "", guest, language)
    }

    /// Renders the form for a new table, or the game's diagnostics.
    pub(super) fn form(&self, game: &ShelfGame, wanted: &Setup, notice: Option<&str>, language: Language) -> String {
        let (title, inner) = match game.playable(language) {
            Err(why) => (game.key.clone(), Err(why)),
            Ok(found) => {
                let players = found.game.players();
                let seats = wanted.seats.clamp(*players.start(), *players.end());
                let as_usual = Setup::seats(seats);
                let layout =
                    found.game.host(&as_usual).map(|(layout, _)| layout).map_err(|found| found.in_plain_text());
                let inner = layout.map(|layout| {
                    let option = |option: &GameOption| option_field(option, &layout.model, &as_usual, wanted, language);
                    let options: Vec<Value> = layout.model.options.values().map(option).collect();
                    self.seats_and_options(game, found, &as_usual, options, language)
                });
                (found.name.get(language).to_owned(), inner)
            }
        };
        let is_checked = game.found.is_some();
        let inner = inner.unwrap_or_else(|mistakes| {
            self.pages.render("set_up.html", context! { mistakes, is_checked, ..base(language) })
        });
        let asked = format!("game={}&players={}&", encoded(&game.key), wanted.seats);
        self.framed(&title, &inner, notice, &asked, Guest::Host, language)
    }

    /// Renders the page with the lobby's new link.
    pub(super) fn renewed(&self, address: &str, back: &str, language: Language) -> String {
        let lobby = Phrases::for_language(language).web.lobby;
        let shown = context! { who => lobby, address, back, back_name => lobby, ..base(language) };
        let inner = self.pages.render("renewed.html", shown);
        self.framed(lobby, &inner, None, "", Guest::Host, language)
    }

    fn seats_and_options(
        &self,
        game: &ShelfGame,
        found: &PlayableGame,
        setup: &Setup,
        options: Vec<Value>,
        language: Language,
    ) -> String {
        let agents: Vec<String> = offered_agents(&found.game);
        let seats: Vec<Value> =
            (0..setup.seats).map(|seat| context! { number => seat + 1, name => setup.name(Seat(seat)) }).collect();
        let players: Vec<u8> = found.game.players().collect();
        let place = game.folder.as_deref().map_or_else(String::new, shown);
        self.pages.render(
            "set_up.html",
            context! {
                game => game.key.as_str(), address => encoded(&game.key), players, chosen => setup.seats, options, seats, agents, place,
                ..base(language)
            },
        )
    }

    fn framed(
        &self,
        title: &str,
        inner: &str,
        notice: Option<&str>,
        asked: &str,
        guest: Guest,
        language: Language,
    ) -> String {
        let inner = Value::from_safe_string(inner.to_owned());
        let is_host = guest == Guest::Host;
        self.pages.render("lobby_page.html", context! { title, inner, notice, asked, is_host, ..base(language) })
    }
}

/// Template values of a game in the list.
fn shelved(game: &ShelfGame, language: Language) -> Value {
    let shared = context! { key => game.key.as_str(), address => encoded(&game.key), is_own => game.folder.is_some() };
    let Ok(found) = game.playable(language) else {
        let is_checked = game.found.is_some();
        return context! { name => game.key.as_str(), is_wrong => true, is_checked, ..shared };
    };
    let (name, players) = (found.name.get(language), players_of(&found.game, language));
    context! { name, players, is_wrong => false, is_checked => true, ..shared }
}

/// Formats the range of players.
pub(super) fn players_of(game: &Game, language: Language) -> String {
    let web = &Phrases::for_language(language).web;
    let players = game.players();
    let (least, most) = (players.start(), players.end());
    if least == most {
        return filled(web.players_just, &[("count", least)]);
    }
    filled(web.players_between, &[("least", least), ("most", most)])
}

/// Template values of an open table: players and number of choices.
fn open_table(table: &Table, language: Language) -> (Vec<String>, String) {
    let web = &Phrases::for_language(language).web;
    let standing = table.standing();
    let seat = |(name, agent): (&String, &Option<String>)| match agent {
        Some(agent) => format!("{name} ({agent})"),
        None => name.clone(),
    };
    let players: Vec<String> = table.names().iter().zip(&standing.agents).map(seat).collect();
    let line =
        if standing.is_over { web.over.to_owned() } else { filled(web.choices_made, &[("count", &standing.choices)]) };
    (players, line)
}

/// Returns the links of a table, with their names.
fn links(table: &Table, name: &str, place: &str, language: Language) -> Vec<Value> {
    let web = &Phrases::for_language(language).web;
    let agents = table.standing().agents;
    table
        .links
        .all()
        .into_iter()
        .filter_map(|(viewer, token)| {
            let who = match viewer {
                Viewer::Seat(seat) if agents.get(usize::from(seat)).is_some_and(Option::is_some) => return None,
                Viewer::Seat(seat) => table.names().get(usize::from(seat))?.clone(),
                Viewer::Onlooker => web.onlooker.to_owned(),
                Viewer::Host => web.host.to_owned(),
            };
            let path = format!("/{name}/{}/enter/{}", viewer.path(), token.text());
            Some(context! { who, address => format!("{place}{path}"), path })
        })
        .collect()
}

/// Template values of the form field for an option.
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

/// Formats the value of an option as in the form.
pub(super) fn written(setting: &Setting) -> String {
    match setting {
        Setting::Number(number) => number.to_string(),
        Setting::Word(word) => word.to_string(),
        Setting::Seat(seat) => (u16::from(seat.0) + 1).to_string(),
        Setting::Flag(is_so) => is_so.to_string(),
        Setting::Nothing | Setting::List(_) | Setting::Table(_) => UNSET.to_owned(),
    }
}

/// Escapes a text for a query string.
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
