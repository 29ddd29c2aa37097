//! Runs `parlour serve`, and sends requests to it like a browser.

#![allow(dead_code, clippy::unwrap_used, reason = "each test program uses a part of it")]

use crate::program::command;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

/// Running server. Dropping it kills the process.
pub(crate) struct TestServer {
    child: Child,
    /// Name and URL of each printed link.
    pub(crate) links: Vec<(String, String)>,
    /// Host and port.
    pub(crate) address: String,
}

impl TestServer {
    /// Runs `parlour serve` with these arguments in a folder, on any free port. Panics if the server prints no links.
    pub(crate) fn new(folder: impl AsRef<Path>, arguments: &[&str]) -> Self {
        let all = [&["serve"], arguments, &["--port", "0"]].concat();
        let mut child = command(folder, &all).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut links = Vec::new();
        for line in &mut lines {
            let line = line.unwrap();
            if let Some((name, address)) = line.trim().split_once("http://") {
                links.push((name.trim().to_owned(), format!("http://{address}")));
            }
            if line.contains("Ctrl-C") {
                break;
            }
        }
        if links.is_empty() {
            let mut errors = String::new();
            child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
            panic!("the server printed no links: {errors}");
        }
        // The rest of standard output is drained, because the server would block once the pipe is full.
        std::thread::spawn(move || lines.for_each(drop));
        let address = links[0].1["http://".len()..].split('/').next().unwrap().to_owned();
        Self { child, links, address }
    }

    /// Opens the link printed for `name`, and returns a visitor with the cookie and base path that the server assigned.
    pub(crate) fn visitor(&self, name: &str) -> Visitor {
        let (_, link) = self.links.iter().find(|(known, _)| known == name).unwrap();
        let path = &link["http://".len() + self.address.len()..];
        let mut visitor = Visitor { address: self.address.clone(), base: String::new(), cookie: String::new() };
        let response = visitor.request("GET", path, &[], "");
        assert_eq!(response.status, 200, "{}", response.body);
        let cookie = response.header("set-cookie").unwrap();
        cookie.split(';').next().unwrap().clone_into(&mut visitor.cookie);
        path[..path.find("/enter/").unwrap()].clone_into(&mut visitor.base);
        visitor
    }

    /// Kills the server without giving it a chance to save anything, as a power failure would.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// HTTP client with the cookie of one person at the table.
#[derive(Clone)]
pub(crate) struct Visitor {
    /// Host and port of the server.
    pub(crate) address: String,
    /// Path prefix of this visitor's pages.
    pub(crate) base: String,
    pub(crate) cookie: String,
}

/// HTTP response.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Response {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

impl Visitor {
    /// Sends a GET request to a path below [`Visitor::base`]. Panics on a server error.
    pub(crate) fn get(&self, below: &str) -> Response {
        let response = self.request("GET", &format!("{}{below}", self.base), &[], "");
        assert!(response.status < 500, "{below}: {} {}", response.status, response.body);
        response
    }

    /// Submits a form from the visitor's own page with htmx headers, so that the response is a page fragment.
    pub(crate) fn post(&self, below: &str, form: &str) -> Response {
        let origin = format!("http://{}", self.address);
        let headers = [("Origin", origin.as_str()), ("HX-Request", "true")];
        self.request("POST", &format!("{}{below}", self.base), &headers, form)
    }

    /// Submits the form `do/WHAT` of the table page, with the token that the page currently contains.
    pub(crate) fn press(&self, what: &str, more: &str) -> Response {
        let page = self.table();
        let token = form_token(&page, what);
        self.post(&format!("/do/{what}"), &format!("token={}&{more}", token.unwrap_or_default()))
    }

    /// Returns the current HTML of the table.
    pub(crate) fn table(&self) -> String {
        let response = self.get("/table");
        assert_eq!(response.status, 200, "{}", response.body);
        response.body
    }

    /// Sends a request and reads the response. The status is 0 if the connection fails or closes without a response.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
        let Ok(mut stream) = TcpStream::connect(&self.address) else {
            return Response { status: 0, headers: Vec::new(), body: String::new() };
        };
        stream.set_read_timeout(Some(Duration::from_mins(2))).unwrap();
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            write!(head, "Host: {}\r\n", self.address).unwrap();
        }
        if !self.cookie.is_empty() {
            write!(head, "Cookie: {}\r\n", self.cookie).unwrap();
        }
        for (name, value) in headers {
            write!(head, "{name}: {value}\r\n").unwrap();
        }
        if method == "POST" {
            write!(head, "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n", body.len())
                .unwrap();
        }
        // The server may refuse the request and close the connection before everything is sent.
        let _ = stream.write_all(format!("{head}\r\n{body}").as_bytes());
        let mut text = Vec::new();
        let _ = stream.read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).unwrap_or(0);
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        let is_chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
        let body = if is_chunked { join_chunks(body) } else { body.to_owned() };
        Response { status, headers, body }
    }
}

/// Decodes a body with chunked transfer encoding.
fn join_chunks(body: &str) -> String {
    let (mut rest, mut whole) = (body, String::new());
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || after.len() < size {
            break;
        }
        whole.push_str(&after[..size]);
        rest = after[size..].trim_start_matches("\r\n");
    }
    whole
}

/// Returns the text between the first occurrence of `before` and the next quotation mark.
pub(crate) fn quoted_after<'t>(text: &'t str, before: &str) -> Option<&'t str> {
    let from = text.find(before)? + before.len();
    text[from..].split('"').next()
}

/// Removes the form tokens from a page. The tokens begin with a random number that is drawn when the table is opened, so pages that contain
/// them cannot be compared.
pub(crate) fn without_tokens(page: &str) -> String {
    let is_opening = |part: &str| part.len() == 16 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_token_char = |letter: char| letter.is_ascii_alphanumeric() || letter == '.';
    let mut kept = String::new();
    for part in page.split_inclusive(|letter| !is_token_char(letter)) {
        let word = part.trim_end_matches(|letter| !is_token_char(letter));
        let is_token = word.split_once('.').is_some_and(|(opening, _)| is_opening(opening));
        kept.push_str(if is_token { &part[word.len()..] } else { part });
    }
    kept
}

/// Returns the token of the first form on a page that is submitted to `do/WHAT`.
pub(crate) fn form_token<'p>(page: &'p str, what: &str) -> Option<&'p str> {
    let form = page.split(&format!("action=\"do/{what}?")).nth(1)?;
    form.split("</form>").next()?.split("name=\"token\" value=\"").nth(1)?.split('"').next()
}
