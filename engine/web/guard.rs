//! Middleware that rejects foreign requests, limits the size of request bodies and the time for sending them, and adds the security headers
//! to every response.

use super::address::Address;
use super::links::LONGEST_SESSION;
use super::pages::{Pages, asked_language};
use crate::phrases::{Phrases, Web, filled};
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use std::sync::Arc;
use std::time::Duration;

/// Returns the name of the session cookie. Browsers share cookies among all ports of a machine, so each server has a
/// name of its own.
pub(super) fn cookie_name(port: u16) -> String {
    format!("parlour-{port}")
}

/// Timeout for receiving the body of a request. It does not limit the time for carrying out the request.
const PATIENCE: Duration = Duration::from_secs(20);

/// Maximum size of a request body, in bytes.
const LARGEST: usize = 16 * 1_024;

/// Content security policy: only resources, connections and form targets of this server, and no embedding in frames.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// Security headers of every response, besides the content security policy.
const ALWAYS: [(header::HeaderName, &str); 5] = [
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// State of the [`guard`] middleware.
#[derive(Clone)]
pub(super) struct GuardState {
    /// Names and addresses to which the server answers.
    pub(super) address: Arc<Address>,
    /// Templates for the page that explains a refusal.
    pub(super) pages: Arc<Pages>,
}

/// Refuses requests that are meant for another server or that a page of another site sends, and adds the security headers to every
/// response. The response to a refused request is a page that gives the reason.
pub(super) async fn guard(State(door): State<GuardState>, request: Request, next: Next) -> Response {
    let language = asked_language(lang_of(request.uri()));
    let web = &Phrases::for_language(language).web;
    let passed = match refusal(&door.address, request.method(), request.uri(), request.headers(), web) {
        Some(refused) => Err(refused),
        None => match whole(request, web).await {
            Ok(request) => in_words(next.run(request).await, web).await,
            Err(refused) => Err(refused),
        },
    };
    let shown = |(status, why): Refusal| (status, Html(door.pages.refused(&why, language))).into_response();
    let mut answer = passed.unwrap_or_else(shown);
    let headers = answer.headers_mut();
    // The report of a batch has already set its own policy.
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    answer
}

/// Status and message of a refusal.
type Refusal = (StatusCode, String);

/// Returns the language tag in the query string of an address.
fn lang_of(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("lang="))
}

/// Turns an error response that is not a page, such as one of the framework, into a refusal with a message. Returns any other response
/// unchanged.
async fn in_words(answer: Response, web: &Web) -> Result<Response, Refusal> {
    let status = answer.status();
    let kind = answer.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !(status.is_client_error() || status.is_server_error()) || kind.starts_with("text/html") {
        return Ok(answer);
    }
    let said = to_bytes(answer.into_body(), LARGEST).await.unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let why = if said.is_empty() { status.to_string() } else { said.into_owned() };
    Err((status, filled(web.refused_form, &[("why", &why)])))
}

/// Receives the whole body of a request. Refuses a body that is too large or takes longer than [`PATIENCE`].
async fn whole(request: Request, web: &Web) -> Result<Request, Refusal> {
    let (head, body) = request.into_parts();
    match tokio::time::timeout(PATIENCE, to_bytes(body, LARGEST)).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(head, Body::from(bytes))),
        Ok(Err(_)) => Err((StatusCode::PAYLOAD_TOO_LARGE, filled(web.refused_large, &[("most", &(LARGEST / 1_024))]))),
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, web.refused_slow.to_owned())),
    }
}

/// Returns the status and message with which a request is refused; `None` if the request is allowed.
fn refusal(address: &Address, method: &Method, uri: &Uri, headers: &HeaderMap, web: &Web) -> Option<Refusal> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    let known = host.filter(|host| address.answers_to(host) && hosts.next().is_none() && uri.authority().is_none());
    let Some(known) = known else {
        let why = filled(web.refused_host, &[("host", &shortened(host)), ("own", &address.base())]);
        return Some((StatusCode::MISDIRECTED_REQUEST, why));
    };
    let is_reading = [Method::GET, Method::HEAD].contains(method);
    let own = address.origin(known);
    match headers.get(header::ORIGIN) {
        Some(origin) if origin.as_bytes() == own.as_bytes() => None,
        // Forms of a page that sends no referrer have the origin `null`. The header `Sec-Fetch-Site` then shows whether the page is from
        // this server.
        Some(origin) if origin.as_bytes() == b"null" && is_own_form(headers) => None,
        None if is_reading => None,
        origin => {
            let origin = shortened(origin.and_then(|origin| origin.to_str().ok()));
            Some((StatusCode::FORBIDDEN, filled(web.refused_origin, &[("origin", &origin), ("own", &own)])))
        }
    }
}

/// Maximum number of characters of a header that a message quotes.
const SHOWN: usize = 100;

/// Truncates a header to [`SHOWN`] characters for a message. Returns a dash if there is no header.
fn shortened(header: Option<&str>) -> String {
    let header = header.unwrap_or("–");
    let beginning: String = header.chars().take(SHOWN).collect();
    if beginning.len() < header.len() { format!("{beginning}…") } else { beginning }
}

/// Returns whether the browser states, in `Sec-Fetch-Site`, that a page of this server sent the request.
fn is_own_form(headers: &HeaderMap) -> bool {
    headers.get("sec-fetch-site").is_some_and(|site| site.as_bytes() == b"same-origin")
}

/// Returns the sessions in the cookies of a request. There may be several, since another server on the machine can set
/// a cookie of the same name. Such a cookie must not lock anybody out.
pub(super) fn sessions<'h>(headers: &'h HeaderMap, cookie: &'h str) -> impl Iterator<Item = &'h str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(move |(name, _)| *name == cookie).map(|(_, value)| value)
}

/// Returns the value of a `Set-Cookie` header. Scripts cannot read the cookie, other sites cannot make browsers send it, and browsers send
/// it only to the pages below `path`. If the server is reached over HTTPS, they send it only over HTTPS.
pub(super) fn cookie(name: &str, path: &str, session: &str, is_encrypted: bool) -> String {
    let secure = if is_encrypted { "; Secure" } else { "" };
    format!("{name}={session}; Path={path}; HttpOnly; SameSite=Strict; Max-Age={LONGEST_SESSION}{secure}")
}
