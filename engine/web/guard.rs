//! What a request must be like, and what every answer says to the browser: nothing comes from another site or goes to one.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::time::Duration;

/// The name of the cookie that lets a viewer in. Browsers keep those of all ports of a machine together: each server has its own.
pub(super) fn cookie_name(port: u16) -> String {
    format!("parlour-{port}")
}

/// How long a request may take until all of it is there: what is sent slowly is given up. What is there is carried out, and the
/// browser gets what came of it.
const PATIENCE: Duration = Duration::from_secs(20);

/// The largest body of a request, in bytes.
const LARGEST: usize = 16 * 1_024;

/// What pages may load and do: our own scripts and styles, and forms to ourselves.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// What every answer says besides its policy.
const ALWAYS: [(header::HeaderName, &str); 5] = [
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Lets through what was asked of this server by one of its own pages, and seals the answer.
pub(super) async fn guard(request: Request, next: Next) -> Response {
    let mut answer = match refusal(request.method(), request.uri(), request.headers()) {
        Some((status, why)) => (status, why).into_response(),
        None => match whole(request).await {
            Ok(request) => next.run(request).await,
            Err((status, why)) => (status, why).into_response(),
        },
    };
    let headers = answer.headers_mut();
    // The report of a trial has a policy of its own, which is as strict.
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    answer
}

/// A request with all of its body.
async fn whole(request: Request) -> Result<Request, (StatusCode, &'static str)> {
    let (head, body) = request.into_parts();
    match tokio::time::timeout(PATIENCE, to_bytes(body, LARGEST)).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(head, Body::from(bytes))),
        Ok(Err(_)) => Err((StatusCode::PAYLOAD_TOO_LARGE, "too large")),
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "too slow")),
    }
}

/// Why a request is not answered.
fn refusal(method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    let Some(host) = host.filter(|host| is_address(host) && hosts.next().is_none() && uri.authority().is_none()) else {
        return Some((StatusCode::MISDIRECTED_REQUEST, "ask by the address that was printed"));
    };
    let is_reading = [Method::GET, Method::HEAD].contains(method);
    let own = format!("http://{host}");
    match headers.get(header::ORIGIN) {
        Some(origin) if origin.as_bytes() == own.as_bytes() => None,
        // A form of a page that names no referrer says `null`: then the browser says whether it was ours.
        Some(origin) if origin.as_bytes() == b"null" && is_own_form(headers) => None,
        None if is_reading => None,
        _ => Some((StatusCode::FORBIDDEN, "this was sent from another page")),
    }
}

/// Whether the browser says that a page of this server has sent the request.
fn is_own_form(headers: &HeaderMap) -> bool {
    headers.get("sec-fetch-site").is_some_and(|site| site.as_bytes() == b"same-origin")
}

/// Whether a host is named by its address, or as this machine: the owner of another name could make it stand for this machine.
fn is_address(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        Some(_) if host.ends_with(']') => host,
        Some(_) => return false,
        None => host,
    };
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name == "localhost" || address.parse::<IpAddr>().is_ok()
}

/// The token in the cookie of a request.
pub(super) fn token<'h>(headers: &'h HeaderMap, cookie: &str) -> Option<&'h str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == cookie).map(|(_, value)| value)
}

/// A cookie that scripts cannot read, that no other site can send, and that goes to one viewer's pages alone.
pub(super) fn cookie(name: &str, path: &str, token: &str) -> String {
    format!("{name}={token}; Path={path}; HttpOnly; SameSite=Strict; Max-Age=2592000")
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn a_host_is_an_address_or_this_machine() {
        for host in ["127.0.0.1:8128", "localhost", "localhost:1", "[::1]:80", "[::1]", "192.168.1.7:8128"] {
            assert!(is_address(host), "{host}");
        }
        for host in
            ["evil.example", "evil.example:8128", "127.0.0.1.evil.example", "localhost.evil", "", ":80", "127.0.0.1:x"]
        {
            assert!(!is_address(host), "{host}");
        }
    }
}
