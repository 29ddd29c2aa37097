//! Routes of the server and their handlers.

use super::address::Address;
use super::clock::now;
use super::form_fields::{FormFields, table_request};
use super::guard::{self, GuardState};
use super::links::{LONGEST_SESSION, Token, Viewer};
use super::listening::{Guest, ListeningMark};
use super::lobby::{self, Lobby};
use super::pages::{Pages, STATIC_FILES, asked_language, base};
use super::streams::Streams;
use super::table::{Answer, Table, TableRequest};
use super::trial::{GAMES, Outcome, Sort};
use crate::model::Language;
use crate::phrases::{Phrases, filled};
use axum::extract::{Extension, Form, Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use minijinja::{Value, context};
use serde::Deserialize;
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{self, Poll};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio_stream::Stream;
use tokio_stream::wrappers::WatchStream;

/// Interval of keep-alive messages in a stream of events.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(20);

/// Cache header of content that never changes at its address. Shared caches must not store the content.
const IMMUTABLE_CACHE: &str = "private, max-age=31536000, immutable";

/// State shared by all request handlers.
#[derive(Clone)]
pub(super) struct Server(Arc<Serving>);

struct Serving {
    pages: Arc<Pages>,
    address: Arc<Address>,
    what: ServedContent,
    /// Name of the session cookie.
    cookie: String,
    streams: Streams,
}

/// Content of a server: a single table or a lobby.
pub(super) enum ServedContent {
    /// A table, and its name as it appears in addresses.
    Table(&'static str, Arc<Table>),
    /// A lobby.
    Lobby(Arc<Lobby>),
}

impl Server {
    /// Creates the state for a table or a lobby at an address.
    pub(super) fn new(pages: Arc<Pages>, what: ServedContent, address: Address) -> Self {
        let cookie = guard::cookie_name(address.port());
        Self(Arc::new(Serving { pages, address: Arc::new(address), what, cookie, streams: Streams::default() }))
    }

    /// Returns the addresses of the server.
    pub(super) fn address(&self) -> &Address {
        &self.0.address
    }

    fn table(&self, name: &str) -> Option<Arc<Table>> {
        match &self.0.what {
            ServedContent::Table(known, table) => (*known == name).then(|| table.clone()),
            ServedContent::Lobby(lobby) => lobby.table(name),
        }
    }

    /// Closes all tables.
    pub(super) fn end(&self) {
        match &self.0.what {
            ServedContent::Table(_, table) => drop(table.close()),
            ServedContent::Lobby(lobby) => lobby.end(),
        }
    }

    /// Returns the lobby, if one is served.
    pub(super) fn lobby(&self) -> Option<Arc<Lobby>> {
        match &self.0.what {
            ServedContent::Table(..) => None,
            ServedContent::Lobby(lobby) => Some(lobby.clone()),
        }
    }

    /// Gives a browser a session for the pages below a path, in exchange for the token of a link. The response is a page that then opens
    /// this path by itself. A redirect would not work if the link is on another site, because browsers would not send the cookie with the
    /// redirected request.
    pub(super) fn let_in(&self, path: &str, token: &Token, language: Language) -> Response {
        let next = format!("{path}?lang={}", language.tag());
        let page = Html(self.0.pages.render("enter.html", context! { next, ..base(language) }));
        ([(header::SET_COOKIE, self.session(path, token))], page).into_response()
    }

    /// Returns the value of a `Set-Cookie` header with a new session for the pages below a path.
    pub(super) fn session(&self, path: &str, token: &Token) -> String {
        let session = token.session(&self.scope(path), now().saturating_add(LONGEST_SESSION));
        guard::cookie(&self.0.cookie, path, &session, self.0.address.is_encrypted())
    }

    /// Returns the scope of a session: a port and a path.
    fn scope(&self, path: &str) -> String {
        format!("{} {path}", self.0.address.port())
    }

    /// Returns whether a request has a session of `token` for the pages below a path.
    pub(super) fn has_session(&self, path: &str, token: &Token, headers: &HeaderMap) -> bool {
        guard::sessions(headers, &self.0.cookie).any(|session| token.has_session(session, &self.scope(path), now()))
    }

    /// Returns the table and the viewer that an address names.
    ///
    /// # Errors
    /// Refuses the request if the table or viewer does not exist, or if the request has no session for them.
    fn authorize(&self, (table, who): &(String, String), headers: &HeaderMap) -> Result<(Arc<Table>, Viewer), Refused> {
        let viewer = Viewer::named(who).ok_or(Refused::NoPage)?;
        let found = self.table(table).ok_or(Refused::NoPage)?;
        let token = found.links.token(viewer).ok_or(Refused::NoEntry)?;
        let comes_in = self.has_session(&viewer_path(table, viewer), &token, headers);
        if comes_in { Ok((found, viewer)) } else { Err(Refused::NoEntry) }
    }

    /// Returns the response to a refused request: a page that gives the reason.
    pub(super) fn refused(&self, why: Refused, language: Language) -> Response {
        let web = &Phrases::for_language(language).web;
        let (status, text) = match why {
            Refused::NoEntry => (StatusCode::FORBIDDEN, web.no_entry),
            Refused::NoPage => (StatusCode::NOT_FOUND, web.no_such_page),
            Refused::Busy => (StatusCode::SERVICE_UNAVAILABLE, web.busy),
        };
        let mut answer = (status, Html(self.0.pages.refused(text, language))).into_response();
        if why == Refused::Busy {
            answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        answer
    }
}

/// Returns the path of a viewer's pages.
fn viewer_path(table: &str, viewer: Viewer) -> String {
    format!("/{table}/{}/", viewer.path())
}

/// Reason why a request is refused.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    NoEntry,
    NoPage,
    /// The link's queue is full.
    Busy,
}

/// Query parameters.
#[derive(Debug, Deserialize, Default)]
struct Asked {
    lang: Option<String>,
    text: Option<String>,
    moment: Option<usize>,
    seat: Option<u8>,
}

impl Asked {
    fn language(&self) -> Language {
        asked_language(self.lang.as_deref())
    }
}

/// Returns the router with all routes of the server.
pub(super) fn router(server: Server) -> Router {
    let door = GuardState { address: server.0.address.clone(), pages: server.0.pages.clone() };
    Router::new()
        .route("/static/{file}", get(file))
        .route("/{table}/{who}/", get(page))
        .route("/{table}/{who}/enter/{token}", get(enter))
        .route("/{table}/{who}/table", get(fragment))
        .route("/{table}/{who}/events", get(events))
        .route("/{table}/{who}/faces.css", get(style))
        .route("/{table}/{who}/picture/{name}", get(picture))
        .route("/{table}/{who}/why", get(why))
        .route("/{table}/{who}/options", get(options))
        .route("/{table}/{who}/log", get(log))
        .route("/{table}/{who}/at", get(moment))
        .route("/{table}/{who}/notes", get(notes))
        .route("/{table}/{who}/trials", get(trials))
        .route("/{table}/{who}/report", get(report))
        .route("/{table}/{who}/do/trial", post(begin_trial))
        .route("/{table}/{who}/do/stop-trial", post(stop_trial))
        .route("/{table}/{who}/do/renew", post(renew))
        .route("/{table}/{who}/do/{what}", post(act))
        .merge(lobby::routes())
        .fallback(not_found)
        .layer(middleware::from_fn_with_state(door, guard::guard))
        .with_state(server)
}

async fn not_found(State(server): State<Server>, Query(asked): Query<Asked>) -> Response {
    server.refused(Refused::NoPage, asked.language())
}

async fn file(Path(name): Path<String>) -> Response {
    let Some((_, kind, text)) = STATIC_FILES.iter().find(|(known, ..)| *known == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [(header::CONTENT_TYPE, *kind), (header::CACHE_CONTROL, "private, max-age=300")];
    (headers, *text).into_response()
}

/// Exchanges the token of a link for a session cookie.
async fn enter(
    State(server): State<Server>,
    Path((table, who, token)): Path<(String, String, String)>,
    Query(asked): Query<Asked>,
) -> Response {
    let language = asked.language();
    let (Some(viewer), Some(found)) = (Viewer::named(&who), server.table(&table)) else {
        return server.refused(Refused::NoPage, language);
    };
    match found.links.token(viewer).filter(|own| own.is(&token)) {
        Some(token) => server.let_in(&viewer_path(&table, viewer), &token, language),
        None => server.refused(Refused::NoEntry, language),
    }
}

/// Wraps the HTML of a viewer's content in a whole page.
fn framed(server: &Server, table: &Table, viewer: Viewer, language: Language, inner: &str, is_live: bool) -> Response {
    let title = table.title(viewer, language);
    let page = server.0.pages.render(
        "page.html",
        context! { inner => Value::from_safe_string(inner.to_owned()), is_live, title, who => viewer.path(),
        links => (), ..base(language) },
    );
    Html(page).into_response()
}

async fn page(
    State(server): State<Server>,
    Path(place): Path<(String, String)>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let language = asked.language();
    let (table, viewer) = match server.authorize(&place, &headers) {
        Ok(found) => found,
        Err(why) => return server.refused(why, language),
    };
    match table.page(viewer, language).await {
        Some(inner) => framed(&server, &table, viewer, language, &inner, true),
        None => server.refused(Refused::Busy, language),
    }
}

async fn fragment(
    State(server): State<Server>,
    Path(place): Path<(String, String)>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let (table, viewer) = match server.authorize(&place, &headers) {
        Ok(found) => found,
        Err(why) => return server.refused(why, asked.language()),
    };
    match table.page(viewer, asked.language()).await {
        Some(page) => Html(page.to_string()).into_response(),
        None => server.refused(Refused::Busy, asked.language()),
    }
}

async fn events(
    State(server): State<Server>,
    Path(place): Path<(String, String)>,
    Extension(guest): Extension<Arc<Guest>>,
    headers: HeaderMap,
) -> Response {
    let (table, viewer) = match server.authorize(&place, &headers) {
        Ok(found) => found,
        Err(why) => return server.refused(why, Language::default()),
    };
    let Some(changes) = table.changes(viewer) else { return server.refused(Refused::NoPage, Language::default()) };
    let ends = server.0.streams.open(&place.0, viewer);
    let events = Events { changes: WatchStream::new(changes), ends, _listens: guest.keep_open() };
    Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE_INTERVAL)).into_response()
}

/// Stream of the changes to a viewer's page. Each event contains the version of the page. `static/table.js` compares this version with the
/// version in the response to the browser's own request. The first event is sent at once, so that the browser also gets changes made before
/// the stream was open.
struct Events {
    changes: WatchStream<u64>,
    ends: oneshot::Receiver<()>,
    _listens: ListeningMark,
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut task::Context<'_>) -> Poll<Option<Self::Item>> {
        if Pin::new(&mut self.ends).poll(context).is_ready() {
            return Poll::Ready(None);
        }
        let changed = |version: u64| Ok(Event::default().event("table").data(version.to_string()));
        Pin::new(&mut self.changes).poll_next(context).map(|change| change.map(changed))
    }
}

/// Serves the style sheet of faces. The name of the style sheet changes with its content. If the address contains the current name,
/// browsers may therefore cache the style sheet forever.
async fn style(
    State(server): State<Server>,
    Path(place): Path<(String, String)>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let language = asked.language();
    let table = match server.authorize(&place, &headers) {
        Ok((table, _)) => table,
        Err(why) => return server.refused(why, language),
    };
    let Some((name, text)) = table.style(language) else { return server.refused(Refused::NoPage, language) };
    let kept = if asked.text.as_ref() == Some(&name) { IMMUTABLE_CACHE } else { "no-store" };
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, kept)], text).into_response()
}

/// Serves a picture that a face shows.
async fn picture(
    State(server): State<Server>,
    Path((table, who, name)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Response {
    let table = match server.authorize(&(table, who), &headers) {
        Ok((table, _)) => table,
        Err(why) => return server.refused(why, Language::default()),
    };
    let Some(picture) = table.picture(&name) else { return server.refused(Refused::NoPage, Language::default()) };
    ([(header::CONTENT_TYPE, picture.media), (header::CACHE_CONTROL, IMMUTABLE_CACHE)], picture.bytes).into_response()
}

async fn why(
    State(server): State<Server>,
    Path(place): Path<(String, String)>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let request = TableRequest::Why(asked.text.clone().unwrap_or_default());
    part(&server, &place, &asked, &headers, request, Frame::Part).await
}

async fn options(
    State(server): State<Server>,
    Path(place): Path<(String, String)>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let request = TableRequest::Find(asked.text.clone().unwrap_or_default());
    part(&server, &place, &asked, &headers, request, Frame::Part).await
}

async fn log(
    State(server): State<Server>,
    Path(place): Path<(String, String)>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    part(&server, &place, &asked, &headers, TableRequest::Log, Frame::Page).await
}

async fn moment(
    State(server): State<Server>,
    Path(place): Path<(String, String)>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let request = TableRequest::Moment { at: asked.moment, seat: asked.seat };
    part(&server, &place, &asked, &headers, request, Frame::Page).await
}

async fn notes(
    State(server): State<Server>,
    Path(place): Path<(String, String)>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    part(&server, &place, &asked, &headers, TableRequest::Notes, Frame::Page).await
}

/// Returns the table that an address names if its host sent the request, otherwise the response that refuses the request.
fn for_host(
    server: &Server,
    place: &(String, String),
    language: Language,
    headers: &HeaderMap,
) -> Result<Arc<Table>, Box<Response>> {
    match server.authorize(place, headers) {
        Ok((table, Viewer::Host)) => Ok(table),
        Ok(_) => Err(Box::new(server.refused(Refused::NoPage, language))),
        Err(why) => Err(Box::new(server.refused(why, language))),
    }
}

/// Shows the host the latest batch of a table, and the form for another batch.
async fn trials(
    State(server): State<Server>,
    Path(place): Path<(String, String)>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let language = asked.language();
    let table = match for_host(&server, &place, language, &headers) {
        Ok(table) => table,
        Err(refused) => return *refused,
    };
    let web = &Phrases::for_language(language).web;
    let latest = table.trials.latest();
    let shown_trial = latest.as_ref().map(|trial| {
        let what = match trial.sort {
            Sort::Simulate => web.trial_simulate,
            Sort::Compare => web.trial_compare,
        };
        let (outcome, played) = (trial.outcome(), trial.played());
        let failed = match &outcome {
            Some(Outcome::Failed(why)) => Some(why.to_string()),
            _ => None,
        };
        let count = filled(web.trial_played, &[("count", &played), ("games", &trial.games)]);
        let value = context! {
            what => format!("{what} ({})", trial.agent), count, played, failed,
            games => trial.games, has_report => matches!(outcome, Some(Outcome::Report(_))),
        };
        (outcome.is_some(), value)
    });
    let (running, done) = match shown_trial {
        Some((false, running)) => (Some(running), None),
        Some((true, done)) => (None, Some(done)),
        None => (None, None),
    };
    let inner = server.0.pages.render(
        "trials.html",
        context! {
            running, done, games => GAMES, agents => table.trials.agents(), can_compare => table.trials.can_compare(),
            ..base(language)
        },
    );
    if headers.contains_key(HTMX) {
        return Html(inner).into_response();
    }
    framed(&server, &table, Viewer::Host, language, &inner, false)
}

/// Serves the report of the latest batch. The report contains a script, so its content security policy sandboxes the page: it has no
/// cookies and no network access.
async fn report(State(server): State<Server>, Path(place): Path<(String, String)>, headers: HeaderMap) -> Response {
    let table = match for_host(&server, &place, Language::default(), &headers) {
        Ok(table) => table,
        Err(refused) => return *refused,
    };
    let outcome = table.trials.latest().and_then(|trial| trial.outcome());
    let (Some(Outcome::Report(page)), Ok(once)) = (outcome, Token::fresh()) else {
        return server.refused(Refused::NoPage, Language::default());
    };
    // Texts of games are escaped in the report, so `<script>` only occurs where a script of the report itself begins.
    let page = page.replace("<script>", &format!("<script nonce=\"{}\">", once.text()));
    let policy = format!(
        "sandbox allow-scripts; default-src 'none'; script-src 'nonce-{}'; style-src 'unsafe-inline'; img-src data:; \
         form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
        once.text()
    );
    ([(header::CONTENT_SECURITY_POLICY, policy)], Html(page)).into_response()
}

async fn begin_trial(
    State(server): State<Server>,
    Path(place): Path<(String, String)>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
    Form(sent): Form<FormFields>,
) -> Response {
    let language = asked.language();
    let table = match for_host(&server, &place, language, &headers) {
        Ok(table) => table,
        Err(refused) => return *refused,
    };
    let sort = if sent.text.as_deref() == Some("compare") { Sort::Compare } else { Sort::Simulate };
    table.trials.begin(sort, sent.games.unwrap_or_default(), sent.agent.as_deref().unwrap_or_default());
    to_trials(&place, language)
}

/// Renews a link for the host. The old link and its sessions become invalid, and its streams end.
async fn renew(
    State(server): State<Server>,
    Path(place): Path<(String, String)>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
    Form(sent): Form<FormFields>,
) -> Response {
    let language = asked.language();
    let table = match for_host(&server, &place, language, &headers) {
        Ok(table) => table,
        Err(refused) => return *refused,
    };
    let Some(viewer) = sent.who.as_deref().and_then(Viewer::named) else {
        return server.refused(Refused::NoPage, language);
    };
    let links = table.links.clone();
    let renewed = tokio::task::spawn_blocking(move || links.renew(viewer)).await;
    let token = match renewed {
        Ok(Ok(token)) => token,
        Ok(Err(why)) => {
            return (StatusCode::CONFLICT, Html(server.0.pages.refused(&why.message, language))).into_response();
        }
        Err(_) => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    };
    server.0.streams.close(&place.0, viewer);
    let own = viewer_path(&place.0, viewer);
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let address = format!("{}{own}enter/{}", server.address().base_for(host), token.text());
    let (who, back) = (table.title(viewer, language), viewer_path(&place.0, Viewer::Host));
    let inner = server.0.pages.render(
        "renewed.html",
        context! { who, address, back, back_name => Phrases::for_language(language).web.table, ..base(language) },
    );
    let mut page = framed(&server, &table, Viewer::Host, language, &inner, false);
    // The host stays signed in with the new link.
    if viewer == Viewer::Host
        && let Ok(cookie) = HeaderValue::from_str(&server.session(&own, &token))
    {
        page.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    page
}

async fn stop_trial(
    State(server): State<Server>,
    Path(place): Path<(String, String)>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let language = asked.language();
    match for_host(&server, &place, language, &headers) {
        Ok(table) => table.trials.stop(),
        Err(refused) => return *refused,
    }
    to_trials(&place, language)
}

fn to_trials(place: &(String, String), language: Language) -> Response {
    Redirect::to(&format!("/{}/{}/trials?lang={}", place.0, place.1, language.tag())).into_response()
}

/// Extent of a response: a whole page, or a part of a page.
#[derive(Clone, Copy, PartialEq)]
enum Frame {
    Page,
    Part,
}

/// Handles a request that changes nothing.
async fn part(
    server: &Server,
    place: &(String, String),
    asked: &Asked,
    headers: &HeaderMap,
    request: TableRequest,
    frame: Frame,
) -> Response {
    let language = asked.language();
    let (table, viewer) = match server.authorize(place, headers) {
        Ok(found) => found,
        Err(why) => return server.refused(why, language),
    };
    let is_part = frame == Frame::Part || headers.contains_key(HTMX);
    match table.ask(viewer, language, request).await {
        Some(Answer::Html(html)) if is_part => Html(html).into_response(),
        Some(Answer::Html(html)) => framed(server, &table, viewer, language, &html, false),
        Some(Answer::Refused(why)) => (StatusCode::CONFLICT, why).into_response(),
        Some(Answer::Done) | None => server.refused(Refused::Busy, language),
    }
}

/// Request header that the page's script sends. The response to a request with this header is a part of a page.
const HTMX: &str = "hx-request";

/// Response header with the version of the page in the response. The browser does not request this version again.
const PAGE_VERSION: &str = "parlour-page";

/// Carries out the request that a form sends, and responds with the viewer's page.
async fn act(
    State(server): State<Server>,
    Path((table_name, who, what)): Path<(String, String, String)>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
    Form(sent): Form<FormFields>,
) -> Response {
    let language = asked.language();
    let place = (table_name, who);
    let (table, viewer) = match server.authorize(&place, &headers) {
        Ok(found) => found,
        Err(why) => return server.refused(why, language),
    };
    let Some(request) = table_request(&what, sent) else { return server.refused(Refused::NoPage, language) };
    let notice = match table.ask(viewer, language, request).await {
        Some(Answer::Done | Answer::Html(_)) => None,
        Some(Answer::Refused(why)) => Some(why),
        None => return server.refused(Refused::Busy, language),
    };
    // The version is read before the page, so that the page is at least as new as the version.
    let version = table.version(viewer);
    let Some(page) = table.page(viewer, language).await else {
        // After a request was carried out, the browser must not repeat it. The page shows the result later.
        return if notice.is_none() {
            StatusCode::NO_CONTENT.into_response()
        } else {
            server.refused(Refused::Busy, language)
        };
    };
    let notice = notice.map(|why| server.0.pages.render("notice.html", context! { why }));
    if headers.contains_key(HTMX) {
        let page = Html(format!("{}{page}", notice.unwrap_or_default()));
        return ([(PAGE_VERSION, version.to_string())], page).into_response();
    }
    match notice {
        Some(notice) => framed(&server, &table, viewer, language, &format!("{notice}{page}"), true),
        None => Redirect::to(&format!("/{}/{}/?lang={}", place.0, place.1, language.tag())).into_response(),
    }
}
