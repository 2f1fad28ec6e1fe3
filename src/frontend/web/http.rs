//! As much of HTTP as the page needs: one request a connection, everything within bounds.
//!
//! The crate `httparse` (hyper's parser) reads the head; the rest is a length and a body. A server crate was
//! weighed by build time and size: `tiny_http` sets no bound to a header line, to a connection's time or to their
//! number, which is what a page on loopback must have; `axum` has them and brings an async runtime for a page with
//! one user. See `docs/web.md` for the figures.

use serde_json::{Value, json};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// Most bytes of a request line with its headers.
const MAX_HEAD: usize = 16 << 10;
/// Most headers.
const MAX_HEADERS: usize = 64;
/// Most bytes of a body: a record with a thousand variations fits.
pub const MAX_BODY: usize = 1 << 20;
/// A request must have arrived in this time, an answer must be taken in it.
const PATIENCE: Duration = Duration::from_secs(10);
/// What a refused client may still send before the line is cut.
const MAX_LINGER: usize = 4 << 20;
/// How long it may do so.
const LINGER: Duration = Duration::from_secs(2);

/// A request that is answered with a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The status of HTTP.
    pub status: u16,
    /// What is wrong, for the person who reads it.
    pub sentence: String,
}

impl Refusal {
    /// A refusal with this status.
    pub fn new(status: u16, sentence: impl Into<String>) -> Refusal {
        Refusal { status, sentence: sentence.into() }
    }

    /// The request makes no sense.
    pub fn bad(sentence: impl Into<String>) -> Refusal {
        Refusal::new(400, sentence)
    }
}

/// What was asked.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The method, in capitals.
    pub method: String,
    /// The path without the query.
    pub path: String,
    headers: Vec<(String, String)>,
    /// The body, empty if there is none.
    pub body: Vec<u8>,
}

impl Request {
    /// A header's value, by its name in small letters.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// How often a header stands there.
    pub fn count(&self, name: &str) -> usize {
        self.headers.iter().filter(|(known, _)| known == name).count()
    }

    /// Reads a request; None if the client hung up without one.
    pub fn read(stream: &mut TcpStream) -> Result<Option<Request>, Refusal> {
        let deadline = Instant::now() + PATIENCE;
        let mut bytes = Vec::new();
        loop {
            if let Some((mut request, head)) = parse_head(&bytes)? {
                let length = body_length(&request)?;
                while bytes.len() < head + length {
                    if read_some(stream, &mut bytes, deadline)? == 0 {
                        return Err(Refusal::bad("the request ends early"));
                    }
                }
                request.body = bytes[head..head + length].to_vec();
                return Ok(Some(request));
            }
            if bytes.len() >= MAX_HEAD {
                return Err(Refusal::new(431, "the request's head is too long"));
            }
            match read_some(stream, &mut bytes, deadline) {
                Ok(count) if count > 0 => (),
                Err(refusal) if !bytes.is_empty() => return Err(refusal),
                // Browsers open connections in advance, and never use some of them.
                _ => return Ok(None),
            }
        }
    }
}

/// Reads what is there, waiting for it until the deadline.
fn read_some(
    stream: &mut TcpStream,
    bytes: &mut Vec<u8>,
    deadline: Instant,
) -> Result<usize, Refusal> {
    let late = || Refusal::new(408, "the request took too long");
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(late());
    }
    let mut piece = [0; 8 << 10];
    let read = stream.set_read_timeout(Some(left)).and_then(|()| stream.read(&mut piece));
    match read {
        Ok(count) => {
            bytes.extend_from_slice(&piece[..count]);
            Ok(count)
        }
        Err(error) if is_timeout(&error) => Err(late()),
        Err(_) => Ok(0),
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// The request without its body, and the length of its head; None if it is not all there.
fn parse_head(bytes: &[u8]) -> Result<Option<(Request, usize)>, Refusal> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let length = match parsed.parse(&bytes[..bytes.len().min(MAX_HEAD)]) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => {
            return Err(Refusal::new(431, "the request has too many headers"));
        }
        Err(_) => return Err(Refusal::bad("this is no HTTP request")),
    };
    let header = |header: &httparse::Header| {
        let value = String::from_utf8_lossy(header.value).trim().to_owned();
        (header.name.to_ascii_lowercase(), value)
    };
    let target = parsed.path.unwrap_or_default();
    let request = Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        path: target.split('?').next().unwrap_or_default().to_owned(),
        headers: parsed.headers.iter().map(header).collect(),
        body: Vec::new(),
    };
    Ok(Some((request, length)))
}

/// How long the body is, by the one way of saying it that is understood here.
fn body_length(request: &Request) -> Result<usize, Refusal> {
    if request.count("transfer-encoding") > 0 || request.count("content-length") > 1 {
        return Err(Refusal::new(411, "give the length of the body once, by Content-Length"));
    }
    let Some(text) = request.header("content-length") else { return Ok(0) };
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse::<usize>() {
        Ok(length) if is_number && length <= MAX_BODY => Ok(length),
        _ if is_number => {
            Err(Refusal::new(413, format!("send at most {} kB at once", MAX_BODY >> 10)))
        }
        _ => Err(Refusal::bad("the Content-Length is no number")),
    }
}

/// What every answer says: nobody may frame it, guess its type, keep it, or learn the address from it. The page runs
/// its own scripts and no others.
const MANNERS: &str = "\
    Connection: close\r\n\
    Cache-Control: no-store\r\n\
    X-Content-Type-Options: nosniff\r\n\
    X-Frame-Options: DENY\r\n\
    Referrer-Policy: no-referrer\r\n\
    Cross-Origin-Opener-Policy: same-origin\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n";

fn head(status: u16, media_type: &str, length: Option<usize>) -> String {
    let length = length.map_or(String::new(), |length| format!("Content-Length: {length}\r\n"));
    // The number says it: words after it are read by nobody.
    format!("HTTP/1.1 {status} \r\nContent-Type: {media_type}\r\n{length}{MANNERS}\r\n")
}

/// Answers with a whole body and ends.
pub fn answer(stream: &mut TcpStream, status: u16, media_type: &str, body: impl AsRef<[u8]>) {
    let body = body.as_ref();
    let bytes = [head(status, media_type, Some(body.len())).as_bytes(), body].concat();
    // Whoever hung up does not miss it.
    let _ = stream.set_write_timeout(Some(PATIENCE)).and_then(|()| stream.write_all(&bytes));
    let _ = stream.flush();
}

/// Answers with JSON and ends.
pub fn answer_json(stream: &mut TcpStream, value: &Value) {
    answer(stream, 200, "application/json", value.to_string());
}

/// Answers with a sentence.
pub fn answer_refused(stream: &mut TcpStream, refusal: &Refusal) {
    let body = json!({ "error": refusal.sentence }).to_string();
    answer(stream, refusal.status, "application/json", body);
}

/// Answers with a sentence, and reads on for a moment: a line that is cut while the client still sends takes the
/// sentence with it.
pub fn refuse(stream: &mut TcpStream, refusal: &Refusal) {
    answer_refused(stream, refusal);
    let _ = stream.shutdown(Shutdown::Write);
    let (mut rest, deadline) = (Vec::new(), Instant::now() + LINGER);
    let mut total = 0;
    while total < MAX_LINGER {
        match read_some(stream, &mut rest, deadline) {
            Ok(count) if count > 0 => total += count,
            _ => break,
        }
        rest.clear();
    }
}

/// An answer in lines of JSON that come as they are ready, until the connection closes.
pub struct Lines<'a> {
    stream: &'a mut TcpStream,
}

impl<'a> Lines<'a> {
    /// Begins the answer.
    pub fn begin(stream: &'a mut TcpStream) -> io::Result<Lines<'a>> {
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        stream.write_all(head(200, "application/x-ndjson", None).as_bytes())?;
        Ok(Lines { stream })
    }

    /// Sends a line.
    pub fn send(&mut self, value: &Value) -> io::Result<()> {
        self.stream.write_all(format!("{value}\n").as_bytes())
    }

    /// Has the client hung up? A tab that is closed does.
    pub fn is_gone(&mut self) -> bool {
        let mut byte = [0];
        let peeked = self
            .stream
            .set_read_timeout(Some(Duration::from_millis(1)))
            .and_then(|()| self.stream.peek(&mut byte));
        match peeked {
            Ok(count) => count == 0,
            Err(error) => !is_timeout(&error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head_of(text: &str) -> Result<Option<(Request, usize)>, Refusal> {
        parse_head(text.as_bytes())
    }

    #[test]
    fn heads_are_read_when_they_are_whole() {
        assert_eq!(head_of("GET / HTTP/1.1\r\nHost: a\r\n").map(|found| found.is_none()), Ok(true));
        let text = "POST /a/b?c HTTP/1.1\r\nHOST: a \r\nX: 1\r\nx: 2\r\n\r\nbody";
        let (request, length) = head_of(text).unwrap().unwrap();
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/a/b"));
        assert_eq!((request.header("host"), request.count("x")), (Some("a"), 2));
        assert_eq!(&text[length..], "body");
    }

    #[test]
    fn nonsense_and_excess_are_refused() {
        assert_eq!(head_of("hello\r\n\r\n").unwrap_err().status, 400);
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(MAX_HEADERS + 1));
        assert_eq!(head_of(&many).unwrap_err().status, 431);
    }

    #[test]
    fn bodies_have_one_length_within_bounds() {
        let length = |headers: &str| {
            let text = format!("POST / HTTP/1.1\r\n{headers}\r\n");
            body_length(&head_of(&text).unwrap().unwrap().0).map_err(|refusal| refusal.status)
        };
        assert_eq!(length(""), Ok(0));
        assert_eq!(length("Content-Length: 12\r\n"), Ok(12));
        assert_eq!(length("Content-Length: +12\r\n"), Err(400));
        assert_eq!(length("Content-Length: 1048577\r\n"), Err(413));
        assert_eq!(length("Content-Length: 99999999999999999999999\r\n"), Err(413));
        assert_eq!(length("Content-Length: 1\r\nContent-Length: 2\r\n"), Err(411));
        assert_eq!(length("Transfer-Encoding: chunked\r\n"), Err(411));
    }
}
