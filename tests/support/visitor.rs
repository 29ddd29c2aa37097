//! A table that is served, and visitors who ask it over the network as a browser does.

#![allow(dead_code, clippy::unwrap_used, reason = "each test program uses a part of it")]

use crate::program::command;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

/// A server, ended with the test.
pub(crate) struct Served {
    child: Child,
    /// Whose each link is, and the address.
    pub(crate) links: Vec<(String, String)>,
    /// Its address and port.
    pub(crate) place: String,
}

impl Served {
    /// Serves with these arguments after `serve`, in a folder, at any port.
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
            let mut said = String::new();
            child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
            panic!("nothing is served: {said}");
        }
        // Whatever else it says is read, so that it never waits for it.
        std::thread::spawn(move || lines.for_each(drop));
        let place = links[0].1["http://".len()..].split('/').next().unwrap().to_owned();
        Self { child, links, place }
    }

    /// Whoever has the link of a name.
    pub(crate) fn visitor(&self, name: &str) -> Visitor {
        let (_, link) = self.links.iter().find(|(known, _)| known == name).unwrap();
        let path = &link["http://".len() + self.place.len()..];
        let mut visitor = Visitor { place: self.place.clone(), base: String::new(), cookie: String::new() };
        let came = visitor.ask("GET", path, &[], "");
        assert_eq!(came.status, 200, "{}", came.body);
        let cookie = came.header("set-cookie").unwrap();
        cookie.split(';').next().unwrap().clone_into(&mut visitor.cookie);
        path[..path.find("/enter/").unwrap()].clone_into(&mut visitor.base);
        visitor
    }

    /// Ends it at once, as a lost power supply would.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Somebody with a cookie.
#[derive(Clone)]
pub(crate) struct Visitor {
    pub(crate) place: String,
    /// The beginning of the addresses of its pages.
    pub(crate) base: String,
    pub(crate) cookie: String,
}

/// What came back.
pub(crate) struct Came {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Came {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

impl Visitor {
    /// Asks for something below its pages.
    pub(crate) fn get(&self, below: &str) -> Came {
        let came = self.ask("GET", &format!("{}{below}", self.base), &[], "");
        assert!(came.status < 500, "{below}: {} {}", came.status, came.body);
        came
    }

    /// Sends a form from its own page; what comes back is a part of the page.
    pub(crate) fn post(&self, below: &str, form: &str) -> Came {
        let origin = format!("http://{}", self.place);
        let headers = [("Origin", origin.as_str()), ("HX-Request", "true")];
        self.ask("POST", &format!("{}{below}", self.base), &headers, form)
    }

    /// Sends a form of the table's page, with the token that the page has for it now.
    pub(crate) fn press(&self, what: &str, more: &str) -> Came {
        let page = self.table();
        let token = token_of(&page, what);
        self.post(&format!("/do/{what}"), &format!("token={}&{more}", token.unwrap_or_default()))
    }

    /// The table as it is.
    pub(crate) fn table(&self) -> String {
        let came = self.get("/table");
        assert_eq!(came.status, 200, "{}", came.body);
        came.body
    }

    /// Sends a request and reads what comes back: a status of 0 where nobody is there, or is gone before it has answered.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Came {
        let Ok(mut stream) = TcpStream::connect(&self.place) else {
            return Came { status: 0, headers: Vec::new(), body: String::new() };
        };
        stream.set_read_timeout(Some(Duration::from_mins(2))).unwrap();
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            write!(head, "Host: {}\r\n", self.place).unwrap();
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
        // Whoever is refused early may find that nobody reads any more.
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
        let body = if is_chunked { joined(body) } else { body.to_owned() };
        Came { status, headers, body }
    }
}

/// The chunks of a body, one after the other.
fn joined(body: &str) -> String {
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

/// What stands after a text, up to the next quotation mark.
pub(crate) fn quoted_after<'t>(text: &'t str, before: &str) -> Option<&'t str> {
    let from = text.find(before)? + before.len();
    text[from..].split('"').next()
}

/// Returns a page without its tokens, which begin with a number that is drawn whenever a table is opened.
pub(crate) fn without_tokens(page: &str) -> String {
    let is_opening = |part: &str| part.len() == 16 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_of_token = |letter: char| letter.is_ascii_alphanumeric() || letter == '.';
    let mut kept = String::new();
    for part in page.split_inclusive(|letter| !is_of_token(letter)) {
        let word = part.trim_end_matches(|letter| !is_of_token(letter));
        let is_token = word.split_once('.').is_some_and(|(opening, _)| is_opening(opening));
        kept.push_str(if is_token { &part[word.len()..] } else { part });
    }
    kept
}

/// Returns the token of a page's first form that is sent to `do/WHAT`.
pub(crate) fn token_of<'p>(page: &'p str, what: &str) -> Option<&'p str> {
    let form = page.split(&format!("action=\"do/{what}?")).nth(1)?;
    form.split("</form>").next()?.split("name=\"token\" value=\"").nth(1)?.split('"').next()
}
