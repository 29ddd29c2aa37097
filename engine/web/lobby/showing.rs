//! Pages of a lobby: the list of tables and games, and the form for a new table.

use super::shelf::{ListedGame, PlayableGame, ShelfGame};
use super::{Entry, Lobby, State};
use crate::diagnostic::shown;
use crate::model::Language;
use crate::phrases::{Phrases, filled};
use crate::session::Setup;
use crate::web::links::Viewer;
use crate::web::pages::base;
use crate::web::set_up::{self, encoded, players_text};
use crate::web::table::Table;
use minijinja::context;
use minijinja::value::Value;

/// Role of a person who looks at a lobby page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guest {
    /// The host, who has the lobby's link.
    Host,
    /// Anybody on this machine.
    Anybody,
}

impl Lobby {
    /// Renders the list of games and tables. Only the host gets links and forms. The links begin with the base URL `place`.
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
        let open = entries.iter().filter(|entry| entry.state.counts_towards_limit()).count();
        drop(entries);
        let games: Vec<Value> = games.iter().map(|game| game_values(game, language)).collect();
        let room = filled(web.tables_open, &[("count", &open), ("most", &self.most)]);
        let inner = self.pages.render("lobby.html", context! { tables, games, is_host, room, ..base(language) });
        self.framed(web.lobby, &inner, notice, "", guest, language)
    }

    /// Renders the form for a new table, or the game's diagnostics.
    pub(super) fn form(
        &self,
        game: &ShelfGame<PlayableGame>,
        wanted: &Setup,
        notice: Option<&str>,
        language: Language,
    ) -> String {
        let (title, inner) = match game.playable(language) {
            Err(why) => (game.key.clone(), Err(why)),
            Ok(found) => {
                let place = game.folder.as_deref().map_or_else(String::new, shown);
                let inner = set_up::form(&self.pages, (&game.key, &found.game, &place), wanted, false, language);
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

    /// Renders the page that shows the lobby's new link.
    pub(super) fn render_new_link(&self, address: &str, back: &str, language: Language) -> String {
        let lobby = Phrases::for_language(language).web.lobby;
        let shown = context! { who => lobby, address, back, back_name => lobby, ..base(language) };
        let inner = self.pages.render("renewed.html", shown);
        self.framed(lobby, &inner, None, "", Guest::Host, language)
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

/// Returns the template values of a game in the list.
fn game_values(game: &ShelfGame<ListedGame>, language: Language) -> Value {
    let shared = context! { key => game.key.as_str(), address => encoded(&game.key), is_own => game.folder.is_some() };
    let Ok(found) = game.playable(language) else {
        let is_checked = game.found.is_some();
        return context! { name => game.key.as_str(), is_wrong => true, is_checked, ..shared };
    };
    let (name, players) = (found.name.get(language), players_text(&found.players, language));
    context! { name, players, is_wrong => false, is_checked => true, ..shared }
}

/// Returns the names of the players of an open table, and a line of text: the number of choices, or that the game is over.
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

/// Returns the template values of a table's links: recipient and address. Seats that agents play have no link.
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
