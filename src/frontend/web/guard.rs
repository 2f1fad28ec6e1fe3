//! Who may ask: only the page that this program handed out.
//!
//! Any page in the same browser can send requests to loopback, and a name that its owner points at 127.0.0.1 makes
//! the browser take the two for the same place (DNS rebinding). So the address holds a secret token, the host must be
//! this machine by number or as `localhost`, the origin, where the browser tells it, must be this server's, and what
//! changes something must be JSON, which another page cannot send without being asked for leave first.

use super::http::{Refusal, Request};
use std::net::{IpAddr, SocketAddr};

/// Bytes of chance in the token.
const TOKEN_BYTES: usize = 16;

/// Checks requests.
pub struct Guard {
    token: String,
    /// Where the server listens.
    place: SocketAddr,
}

impl Guard {
    /// A guard with a new token.
    pub fn new(place: SocketAddr) -> anyhow::Result<Guard> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes)
            .map_err(|error| anyhow::anyhow!("the system has no random numbers: {error}"))?;
        Ok(Guard { token: bytes.iter().map(|byte| format!("{byte:02x}")).collect(), place })
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        let mut place = self.place;
        if place.ip().is_unspecified() {
            place.set_ip(match place.ip() {
                IpAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
            });
        }
        format!("http://{place}/{}/", self.token)
    }

    /// The path below the token, if the request may be answered.
    pub fn admit<'a>(&self, request: &'a Request) -> Result<&'a str, Refusal> {
        let host = match request.header("host") {
            Some(host) if request.count("host") == 1 && self.is_own_host(host) => host,
            _ => return Err(Refusal::new(403, "this server answers only under its own address")),
        };
        let own_origin = format!("http://{host}");
        if request.count("origin") > 1
            || request.header("origin").is_some_and(|origin| origin != own_origin)
        {
            return Err(Refusal::new(403, "requests of other pages are not answered"));
        }
        let path = self.below_token(&request.path).ok_or_else(|| {
            Refusal::new(403, "the address lacks its token: open the one that tengen web printed")
        })?;
        if path.starts_with("api/") {
            let site = request.header("sec-fetch-site");
            if site.is_some_and(|site| !["same-origin", "none"].contains(&site)) {
                return Err(Refusal::new(403, "requests of other pages are not answered"));
            }
        }
        Ok(path)
    }

    /// Is this the server, under a name that nobody else can give to it?
    fn is_own_host(&self, host: &str) -> bool {
        if let Some(port) = host.strip_prefix("localhost:") {
            return port.parse() == Ok(self.place.port());
        }
        // A browser leaves out port 80.
        let named = host.parse::<SocketAddr>();
        let named = named.or_else(|_| format!("{host}:80").parse::<SocketAddr>());
        let Ok(named) = named else { return false };
        let listens_there = named.ip() == self.place.ip()
            || self.place.ip().is_unspecified()
            || self.place.ip().is_loopback() && named.ip().is_loopback();
        named.port() == self.place.port() && listens_there
    }

    /// What follows the token. The time that it takes does not tell how much of a wrong token was right.
    fn below_token<'a>(&self, path: &'a str) -> Option<&'a str> {
        let (given, rest) = path.strip_prefix('/')?.split_once('/')?;
        let differs = |sum: u8, (a, b): (u8, u8)| sum | (a ^ b);
        let difference = given.bytes().zip(self.token.bytes()).fold(0, differs);
        (given.len() == self.token.len() && difference == 0).then_some(rest)
    }
}

/// Is the body of a request what only this server's own page can send?
pub fn check_json(request: &Request) -> Result<(), Refusal> {
    let media_type = request.header("content-type").unwrap_or_default();
    let name = media_type.split(';').next().unwrap_or_default().trim();
    if name.eq_ignore_ascii_case("application/json") {
        Ok(())
    } else {
        Err(Refusal::new(415, "send application/json"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(place: &str) -> Guard {
        Guard { token: "secret".to_owned(), place: place.parse().unwrap() }
    }

    #[test]
    fn only_own_names_are_hosts() {
        let local = guard("127.0.0.1:1919");
        for host in ["127.0.0.1:1919", "localhost:1919", "[::1]:1919"] {
            assert!(local.is_own_host(host), "{host}");
        }
        for host in [
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost",
            "evil.example:1919",
            "localhost.evil.example:1919",
            "10.0.0.1:1919",
            "",
        ] {
            assert!(!local.is_own_host(host), "{host}");
        }
        let open = guard("0.0.0.0:1919");
        assert!(open.is_own_host("192.168.1.5:1919") && !open.is_own_host("evil.example:1919"));
        assert!(guard("127.0.0.1:80").is_own_host("127.0.0.1"));
    }

    #[test]
    fn the_token_stands_first() {
        let guard = guard("127.0.0.1:1919");
        assert_eq!(guard.below_token("/secret/"), Some(""));
        assert_eq!(guard.below_token("/secret/api/move"), Some("api/move"));
        for path in ["/", "/secret", "/secre/", "/secrets/", "/Secret/", "//secret/", "secret/"] {
            assert_eq!(guard.below_token(path), None, "{path}");
        }
        assert_eq!(guard.address(), "http://127.0.0.1:1919/secret/");
    }

    #[test]
    fn tokens_are_long_and_new() {
        let place = "127.0.0.1:1".parse().unwrap();
        let tokens = [0, 1].map(|_| Guard::new(place).unwrap().token);
        assert!(tokens[0] != tokens[1] && tokens[0].len() == 2 * TOKEN_BYTES, "{tokens:?}");
    }
}
