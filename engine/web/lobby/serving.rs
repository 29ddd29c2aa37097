//! Routes of a lobby.

use super::showing::{Guest, players_of, written};
use super::{Lobby, NewTableSettings};
use crate::model::{Language, Setting};
use crate::playscript::PERSON;
use crate::session::Setup;
use crate::web::links::seed;
use crate::web::pages::asked_language;
use crate::web::server::{Refused, Server};
use axum::Router;
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use std::sync::Arc;

/// Prefix of the host's addresses.
const HOME: &str = "/lobby/";

/// Query parameters.
#[derive(Debug, Deserialize, Default)]
struct Asked {
    lang: Option<String>,
    game: Option<String>,
    players: Option<u8>,
}

impl Asked {
    fn language(&self) -> Language {
        asked_language(self.lang.as_deref())
    }
}

/// Returns all routes of a lobby.
pub(in crate::web) fn routes() -> Router<Server> {
    Router::new()
        .route("/", get(front))
        .route("/lobby/", get(page))
        .route("/lobby/enter/{token}", get(enter))
        .route("/lobby/game", get(form))
        .route("/lobby/do/open", post(open))
        .route("/lobby/do/close", post(close))
        .route("/lobby/do/reopen", post(reopen))
        .route("/lobby/do/renew", post(renew))
}

/// Shows the open tables to anybody on this machine. If other machines can reach the lobby, only its host sees them, on
/// a page of its own.
async fn front(State(server): State<Server>, Query(asked): Query<Asked>, headers: HeaderMap) -> Response {
    let language = asked.language();
    let Some(lobby) = server.lobby() else { return server.refused(Refused::NoPage, language) };
    // A request that a proxy forwards may come from another machine.
    let is_handed_on = ["forwarded", "x-forwarded-for"].iter().any(|name| headers.contains_key(*name));
    if lobby.is_for_host_alone || is_handed_on {
        return server.refused(Refused::NoEntry, language);
    }
    beside(move || Html(lobby.page(Guest::Anybody, "", None, language)).into_response()).await
}

async fn enter(State(server): State<Server>, Path(token): Path<String>, Query(asked): Query<Asked>) -> Response {
    let language = asked.language();
    let Some(lobby) = server.lobby() else { return server.refused(Refused::NoPage, language) };
    if !lobby.token().is(&token) {
        return server.refused(Refused::NoEntry, language);
    }
    server.let_in(HOME, &lobby.token(), language)
}

/// Returns the lobby if its host sent the request.
fn for_host(server: &Server, headers: &HeaderMap) -> Result<Arc<Lobby>, Refused> {
    let lobby = server.lobby().ok_or(Refused::NoPage)?;
    let is_host = server.has_session(HOME, &lobby.token(), headers);
    if is_host { Ok(lobby) } else { Err(Refused::NoEntry) }
}

/// Returns the base of links for the browser that sent the request.
fn base(server: &Server, headers: &HeaderMap) -> String {
    server.address().base_for(headers.get(header::HOST).and_then(|host| host.to_str().ok()))
}

async fn page(State(server): State<Server>, Query(asked): Query<Asked>, headers: HeaderMap) -> Response {
    let language = asked.language();
    let place = base(&server, &headers);
    match for_host(&server, &headers) {
        Ok(lobby) => beside(move || Html(lobby.page(Guest::Host, &place, None, language)).into_response()).await,
        Err(why) => server.refused(why, language),
    }
}

async fn form(State(server): State<Server>, Query(asked): Query<Asked>, headers: HeaderMap) -> Response {
    let language = asked.language();
    let lobby = match for_host(&server, &headers) {
        Ok(lobby) => lobby,
        Err(why) => return server.refused(why, language),
    };
    let wanted = Setup::seats(asked.players.unwrap_or(0));
    beside(move || match lobby.shelf.game(&asked.game.unwrap_or_default()) {
        Some(game) => Html(lobby.form(&game, &wanted, None, language)).into_response(),
        None => server.refused(Refused::NoPage, language),
    })
    .await
}

/// Name and value of a form field.
type Field = (String, String);

fn sent<'s>(sent: &'s [Field], name: &str) -> Option<&'s str> {
    sent.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

async fn open(
    State(server): State<Server>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
    Form(given): Form<Vec<Field>>,
) -> Response {
    let language = asked.language();
    let lobby = match for_host(&server, &headers) {
        Ok(lobby) => lobby,
        Err(why) => return server.refused(why, language),
    };
    beside(move || {
        let game = lobby.shelf.game(sent(&given, "game").unwrap_or_default());
        let Some(game) = game else { return server.refused(Refused::NoPage, language) };
        let setup = setup(&given);
        let opened =
            wanted(&game.key, &setup, &given, &lobby, language).and_then(|wanted| lobby.open_table(wanted, language));
        match opened {
            Ok(name) => to_lobby(&name, language),
            Err(why) => {
                let page = lobby.form(&game, &setup, Some(&why), language);
                (StatusCode::CONFLICT, Html(page)).into_response()
            }
        }
    })
    .await
}

/// Setup of a game, from the fields of a form.
fn setup(given: &[Field]) -> Setup {
    let players = sent(given, "players").and_then(|number| number.parse().ok()).unwrap_or(0);
    let option = |(name, value): &Field| Some((name.strip_prefix("option.")?.to_owned(), value.trim().to_owned()));
    Setup { options: given.iter().filter_map(option).collect(), ..Setup::seats(players) }
}

/// Reads the settings of a new table. Accepts only what the form offers; default values are left out.
fn wanted(
    key: &str,
    setup: &Setup,
    given: &[Field],
    lobby: &Lobby,
    language: Language,
) -> Result<NewTableSettings, String> {
    let game = lobby.shelf.game(key).ok_or_else(String::new)?;
    let found = game.playable(language)?;
    if !found.game.players().contains(&setup.seats) {
        return Err(players_of(&found.game, language));
    }
    let usual = found.game.layout(&Setup::seats(setup.seats)).map_err(|found| found.in_plain_text())?;
    let is_other = |(name, value): &&Field| {
        let default = usual.model.options.get(name.as_str()).map(|option| &option.default);
        let is_usual = default.is_some_and(|default| written(default) == *value);
        let is_random = value == "random" && default == Some(&Setting::Nothing);
        !is_usual && !is_random
    };
    let options = setup.options.iter().filter(is_other).cloned().collect();
    let offered = crate::web::table::offered_agents(&found.game);
    let agent = |seat: u8| {
        let agent = sent(given, &format!("seat.{}", u16::from(seat) + 1)).unwrap_or_default();
        offered.iter().find(|known| *known == agent).map_or_else(|| PERSON.to_owned(), Clone::clone)
    };
    let agents = (0..setup.seats).map(agent).collect();
    let seed = seed().map_err(|why| why.message)?;
    Ok(NewTableSettings {
        game: key.to_owned(),
        setup: Setup { options, ..Setup::seats(setup.seats).seed(seed) },
        agents,
    })
}

async fn close(
    State(server): State<Server>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
    Form(given): Form<Vec<Field>>,
) -> Response {
    changed(&server, &asked, &headers, &given, Lobby::close_table).await
}

async fn reopen(
    State(server): State<Server>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
    Form(given): Form<Vec<Field>>,
) -> Response {
    changed(&server, &asked, &headers, &given, Lobby::reopen).await
}

/// Renews the lobby's own link. Ends the old one with its sessions, and shows the host the new one.
async fn renew(State(server): State<Server>, Query(asked): Query<Asked>, headers: HeaderMap) -> Response {
    let language = asked.language();
    let lobby = match for_host(&server, &headers) {
        Ok(lobby) => lobby,
        Err(why) => return server.refused(why, language),
    };
    let place = base(&server, &headers);
    beside(move || match lobby.renew() {
        Ok(token) => {
            let address = format!("{place}{HOME}enter/{}", token.text());
            let cookie = server.session(HOME, &token);
            ([(header::SET_COOKIE, cookie)], Html(lobby.renewed(&address, HOME, language))).into_response()
        }
        Err(why) => (StatusCode::CONFLICT, Html(lobby.page(Guest::Host, &place, Some(&why), language))).into_response(),
    })
    .await
}

/// Changes a table, then shows the lobby.
async fn changed(
    server: &Server,
    asked: &Asked,
    headers: &HeaderMap,
    given: &[Field],
    change: fn(&Lobby, &str, Language) -> Result<(), String>,
) -> Response {
    let language = asked.language();
    let lobby = match for_host(server, headers) {
        Ok(lobby) => lobby,
        Err(why) => return server.refused(why, language),
    };
    let (name, place) = (sent(given, "table").unwrap_or_default().to_owned(), base(server, headers));
    beside(move || match change(&lobby, &name, language) {
        Ok(()) => to_lobby(&name, language),
        Err(why) => (StatusCode::CONFLICT, Html(lobby.page(Guest::Host, &place, Some(&why), language))).into_response(),
    })
    .await
}

fn to_lobby(name: &str, language: Language) -> Response {
    Redirect::to(&format!("{HOME}?lang={}#{name}", language.tag())).into_response()
}

/// Runs slow work, such as reading games, on a thread where it blocks no other request.
async fn beside(work: impl FnOnce() -> Response + Send + 'static) -> Response {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}
