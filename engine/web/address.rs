//! Addresses of the server: where it listens, and the hosts under which browsers reach it.

use axum::http::Uri;
use axum::http::uri::Authority;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

/// Maximum length of a host name, in bytes.
const LONGEST_NAME: usize = 253;

/// Host to listen on: an address, or a name that this machine resolves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ListenHost {
    Address(IpAddr),
    Name(String),
}

impl ListenHost {
    /// Returns whether the server listens on every address of the machine.
    pub(crate) const fn is_unspecified(&self) -> bool {
        match self {
            Self::Address(address) => address.is_unspecified(),
            Self::Name(_) => false,
        }
    }

    /// Returns the host to resolve, as a string.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Address(address) => address.to_string(),
            Self::Name(name) => name.clone(),
        }
    }
}

impl FromStr for ListenHost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(address) = text.parse() {
            return Ok(Self::Address(address));
        }
        let is_label = |label: &str| {
            !label.is_empty()
                && !label.starts_with('-')
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        };
        if text.len() <= LONGEST_NAME && text.split('.').all(is_label) {
            return Ok(Self::Name(text.to_ascii_lowercase()));
        }
        Err("an address such as `192.168.1.7`, or the name of this machine".to_owned())
    }
}

/// Origin by which browsers know the server, such as `https://play.example.org`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PublicUrl {
    is_encrypted: bool,
    /// The host in lower case, with its port unless the port is the default.
    authority: String,
}

impl FromStr for PublicUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "an address such as `https://play.example.org`".to_owned();
        let uri: Uri = text.parse().map_err(|_| expected())?;
        let is_encrypted = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(expected()),
        };
        let authority = uri.authority().filter(|authority| !authority.as_str().contains('@')).ok_or_else(expected)?;
        if !["", "/"].contains(&uri.path()) || uri.query().is_some() || text.contains('#') {
            return Err("an address without a path: the proxy hands everything below it on".to_owned());
        }
        Ok(Self { is_encrypted, authority: plain(authority, is_encrypted).ok_or_else(expected)? })
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", if self.is_encrypted { "https" } else { "http" }, self.authority)
    }
}

/// Returns a host in lower case, with its port unless the port is the default; `None` if the host is missing or the port is invalid.
fn plain(authority: &Authority, is_encrypted: bool) -> Option<String> {
    let host = authority.host().to_ascii_lowercase();
    let usual = if is_encrypted { 443 } else { 80 };
    if host.is_empty() || !has_valid_port(authority) {
        return None;
    }
    match authority.port() {
        Some(port) => match port.as_str().parse::<u16>().ok()? {
            port if port == usual => Some(host),
            port => Some(format!("{host}:{port}")),
        },
        None => Some(host),
    }
}

/// Returns whether the host is followed by nothing or by a valid port. [`Authority::port`] does not distinguish a missing port from an
/// invalid one.
fn has_valid_port(authority: &Authority) -> bool {
    let Some(rest) = authority.as_str().strip_prefix(authority.host()) else { return false };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
    rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port)
}

/// Names and addresses of a running server.
#[derive(Debug, Clone)]
pub(super) struct Address {
    /// Socket address on which the server listens.
    place: SocketAddr,
    /// Host name given on the command line; `None` for an IP address.
    name: Option<String>,
    /// Public origin behind a proxy, if there is one.
    public: Option<PublicUrl>,
}

impl Address {
    pub(super) fn new(place: SocketAddr, host: &ListenHost, public: Option<PublicUrl>) -> Self {
        let name = match host {
            ListenHost::Address(_) => None,
            ListenHost::Name(name) => Some(name.clone()),
        };
        Self { place, name, public }
    }

    pub(super) const fn port(&self) -> u16 {
        self.place.port()
    }

    /// Returns whether only browsers on this machine can reach the server. A proxy counts only if its public origin was
    /// given.
    pub(super) fn is_here(&self) -> bool {
        self.place.ip().is_loopback() && self.public.is_none()
    }

    /// Returns whether browsers reach the server over HTTPS.
    pub(super) fn is_encrypted(&self) -> bool {
        self.public.as_ref().is_some_and(|public| public.is_encrypted)
    }

    /// Returns the base URL of links.
    pub(super) fn base(&self) -> String {
        match (&self.public, &self.name) {
            (Some(public), _) => public.to_string(),
            (None, Some(name)) => format!("http://{name}:{}", self.place.port()),
            (None, None) => format!("http://{}", self.place),
        }
    }

    /// Returns the base URL of links for a browser whose request has `host` in its `Host` header.
    pub(super) fn base_for(&self, host: Option<&str>) -> String {
        match (&self.public, host) {
            (None, Some(host)) => format!("http://{host}"),
            _ => self.base(),
        }
    }

    /// Returns whether the server answers requests with this `Host` header: an IP address, `localhost`, or a name that
    /// the user gave on the command line. The owner of any other name could resolve it to this machine, and one of
    /// their pages could then send requests to this server.
    pub(super) fn answers_to(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else { return false };
        if authority.as_str().contains('@') || !has_valid_port(&authority) {
            return false;
        }
        let name = authority.host().to_ascii_lowercase();
        let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(&name);
        let is_public = |public: &PublicUrl| plain(&authority, public.is_encrypted).as_ref() == Some(&public.authority);
        name == "localhost"
            || address.parse::<IpAddr>().is_ok()
            || self.name.as_ref() == Some(&name)
            || self.public.as_ref().is_some_and(is_public)
    }

    /// Returns the origin of pages for a browser whose request has `host` in its `Host` header.
    pub(super) fn origin(&self, host: &str) -> String {
        self.public.as_ref().map_or_else(|| format!("http://{host}"), PublicUrl::to_string)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(host: &str, public: Option<&str>) -> Address {
        let place = "127.0.0.1:8128".parse().unwrap();
        Address::new(place, &host.parse().unwrap(), public.map(|public| public.parse().unwrap()))
    }

    #[test]
    fn only_ip_addresses_and_localhost_are_accepted_as_host() {
        let here = address("127.0.0.1", None);
        for host in ["127.0.0.1:8128", "localhost", "LOCALHOST:1", "[::1]:80", "[::1]", "192.168.1.7:8128"] {
            assert!(here.answers_to(host), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:8128",
            "127.0.0.1.evil.example",
            "localhost.evil",
            "localhost.",
            "",
            ":80",
            "127.0.0.1:x",
            "127.0.0.1:",
            "127.0.0.1:80:80",
            "evil@127.0.0.1",
            "127.0.0.1@evil.example",
            "127.0.0.1 evil.example",
            "127.0.0.1,evil.example",
            "127.0.0.1/evil",
            "[::1]evil.example",
            "[::1",
            "::1",
        ] {
            assert!(!here.answers_to(host), "{host}");
        }
    }

    #[test]
    fn configured_host_names_and_public_urls_are_accepted_as_host() {
        let named = address("Table.local", None);
        assert!(
            named.answers_to("table.local:8128") && named.answers_to("TABLE.local") && named.answers_to("127.0.0.1")
        );
        assert!(!named.answers_to("other.local:8128") && !named.answers_to("x.table.local"));
        assert_eq!(named.base(), "http://table.local:8128");
        let public = address("127.0.0.1", Some("https://Play.example.org/"));
        for host in ["play.example.org", "PLAY.EXAMPLE.ORG", "play.example.org:443", "127.0.0.1:8128"] {
            assert!(public.answers_to(host), "{host}");
        }
        for host in ["play.example.org:80", "play.example.org:8443", "example.org", "play.example.org.evil.example"] {
            assert!(!public.answers_to(host), "{host}");
        }
        assert_eq!(public.origin("127.0.0.1:8128"), "https://play.example.org");
        assert!(public.is_encrypted() && !public.is_here() && !named.is_encrypted() && named.is_here());
    }

    #[test]
    fn a_public_url_must_be_an_origin() {
        for (url, shown) in [
            ("https://play.example.org", "https://play.example.org"),
            ("https://play.example.org:443/", "https://play.example.org"),
            ("http://10.0.0.1:8080", "http://10.0.0.1:8080"),
            ("https://[::1]:8443", "https://[::1]:8443"),
        ] {
            assert_eq!(url.parse::<PublicUrl>().unwrap().to_string(), shown);
        }
        for wrong in [
            "play.example.org",
            "ftp://play.example.org",
            "https://",
            "https://play.example.org/table",
            "https://play.example.org?x",
            "https://play.example.org#x",
            "https://me@play.example.org",
            "https://play.example.org:99999",
            "https://play.example.org:",
            "https://pläy.example.org",
            "",
        ] {
            assert!(wrong.parse::<PublicUrl>().is_err(), "{wrong}");
        }
        for wrong in ["", "a b", "a..b", "-a", "a/b", "a:80", "ä.local", "<script>"] {
            assert!(wrong.parse::<ListenHost>().is_err(), "{wrong}");
        }
    }
}
