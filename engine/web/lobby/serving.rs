//! Routes of a lobby.

use super::Lobby;
use super::showing::Guest;
use crate::model::Language;
use crate::session::Setup;
use crate::web::pages::asked_language;
use crate::web::server::{Refused, Server};
use crate::web::set_up::{self, Field, sent, setup};
use axum::Router;
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use std::sync::Arc;

/// Path of the lobby's page for the host, and prefix of the host's other paths.
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

/// Shows the open tables to anybody on this machine. Refuses the request if other machines can reach the lobby or if a proxy forwarded the
/// request. The host has a separate page.
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

/// Returns the base URL of links for the browser that sent the request.
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
        let chosen = game.playable(language).and_then(|found| set_up::parse_new_table(&found.game, &given, language));
        let opened = chosen.and_then(|chosen| lobby.open_table(&game.key, chosen, language));
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

async fn close(
    State(server): State<Server>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
    Form(given): Form<Vec<Field>>,
) -> Response {
    change_table(&server, &asked, &headers, &given, Lobby::close_table).await
}

async fn reopen(
    State(server): State<Server>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
    Form(given): Form<Vec<Field>>,
) -> Response {
    change_table(&server, &asked, &headers, &given, Lobby::reopen).await
}

/// Renews the host's link to the lobby, and shows the new link. The old link and its sessions become invalid.
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
            ([(header::SET_COOKIE, cookie)], Html(lobby.render_new_link(&address, HOME, language))).into_response()
        }
        Err(why) => (StatusCode::CONFLICT, Html(lobby.page(Guest::Host, &place, Some(&why), language))).into_response(),
    })
    .await
}

/// Changes a table for the host, then shows the lobby.
async fn change_table(
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
