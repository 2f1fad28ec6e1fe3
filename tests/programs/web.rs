//! `tengen web` as a browser, and as somebody who means harm, talks to it.

use crate::harness::PATIENCE;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running server.
struct Server {
    child: Child,
    /// `127.0.0.1:PORT`.
    host: String,
    token: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer: status, head and body.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }

    /// The last line of an answer in lines.
    fn last(&self) -> Value {
        let line = self.body.lines().last().expect("a line");
        serde_json::from_str(line).expect("JSON")
    }
}

fn tengen(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.arg("web").args(arguments).current_dir(folder);
    command
}

impl Server {
    fn start(more: &[&str]) -> Server {
        let usual = ["--no-open", "--port", "0", "--threads", "1", "--memory", "96"];
        let mut child = tengen(&[&usual, more].concat(), &std::env::temp_dir())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("tengen starts");
        let mut line = String::new();
        let output = child.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("an address");
        let rest = line.trim().strip_prefix("http://").expect("an address");
        let (host, token) = rest.trim_end_matches('/').split_once('/').expect("a token");
        Server { child, host: host.to_owned(), token: token.to_owned() }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time limit");
        stream
    }

    /// Sends text as it is and reads the answer to its end.
    fn send(&self, text: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that refuses may not read to the end.
        let _ = stream.write_all(text);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8(bytes).expect("UTF-8");
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let length = body.len();
        self.send(
            format!("{method} {path} HTTP/1.1\r\nContent-Length: {length}\r\n{headers}\r\n{body}")
                .as_bytes(),
        )
    }

    /// The headers that the page itself sends.
    fn own_headers(&self) -> String {
        let host = &self.host;
        format!("Host: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\n")
    }

    fn path(&self, name: &str) -> String {
        format!("/{}/{name}", self.token)
    }

    fn get(&self, name: &str) -> Answer {
        self.request("GET", &self.path(name), &format!("Host: {}\r\n", self.host), "")
    }

    fn post(&self, name: &str, body: &Value) -> Answer {
        self.request("POST", &self.path(name), &self.own_headers(), &body.to_string())
    }

    fn running(&self) -> u64 {
        self.get("api/about").json()["running"].as_u64().expect("a number")
    }

    /// Waits until no search runs.
    fn rest(&self) {
        let end = Instant::now() + PATIENCE;
        while self.running() > 0 {
            assert!(Instant::now() < end, "a search goes on and on");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn question(session: &str, size: usize, moves: &[&str]) -> Value {
    json!({ "session": session, "strength": "25k",
        "game": { "size": size, "komi": 7.5, "rules": "chinese", "moves": moves } })
}

#[test]
fn the_page_is_whole_and_embedded() {
    let server = Server::start(&[]);
    let page = server.get("");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("text/html") && page.head.contains("Content-Security-Policy:"));
    assert!(page.head.contains("frame-ancestors 'none'") && page.head.contains("no-referrer"));
    for (name, kind) in
        [("app.js", "text/javascript"), ("theme.css", "text/css"), ("icon.svg", "image/svg+xml")]
    {
        let file = server.get(name);
        assert!(file.status == 200 && file.head.contains(kind), "{name}: {}", file.head);
    }
    let about = server.get("api/about").json();
    assert!(about["strengths"].as_array().is_some_and(|list| list.len() >= 2), "{about}");
}

#[test]
fn others_are_refused() {
    let server = Server::start(&[]);
    let (host, own) = (&server.host, format!("Host: {}\r\n", server.host));
    let status = |path: &str, headers: &str| server.request("GET", path, headers, "").status;
    let page = server.path("");
    assert_eq!(status(&page, &own), 200);
    let port = host.rsplit(':').next().expect("a port");
    assert_eq!(status(&page, &format!("Host: localhost:{port}\r\n")), 200);
    // Without the token, or with a wrong one.
    assert_eq!(status("/", &own), 403);
    assert_eq!(status("/api/about", &own), 403);
    let wrong = format!("/{}/", "0".repeat(server.token.len()));
    assert_eq!(status(&wrong, &own), 403);
    // Under another name (DNS rebinding), or none, or two.
    for headers in [
        format!("Host: evil.example:{port}\r\n"),
        "Host: 127.0.0.1\r\n".to_owned(),
        String::new(),
        format!("{own}Host: evil.example\r\n"),
    ] {
        assert_eq!(status(&page, &headers), 403, "{headers}");
    }
    // From another page.
    let body = question("a", 9, &[]).to_string();
    let post =
        |headers: &str| server.request("POST", &server.path("api/move"), headers, &body).status;
    let json = "Content-Type: application/json\r\n";
    for origin in ["http://evil.example", "null", "http://localhost", &format!("https://{host}")] {
        assert_eq!(post(&format!("{own}{json}Origin: {origin}\r\n")), 403, "{origin}");
    }
    assert_eq!(post(&format!("{own}{json}Sec-Fetch-Site: cross-site\r\n")), 403);
    assert_eq!(post(&format!("{own}Content-Type: text/plain\r\n")), 415);
    assert_eq!(post(&own), 415);
    assert_eq!(post(&format!("{own}{json}Origin: http://{host}\r\n")), 200);
    // Nobody is given leave to ask from elsewhere.
    let asked = server.request("OPTIONS", &server.path("api/move"), &own, "");
    assert_eq!(asked.status, 405);
    assert!(!asked.head.to_lowercase().contains("access-control"), "{}", asked.head);
}

#[test]
fn unknown_paths_and_nonsense_get_a_sentence() {
    let server = Server::start(&[]);
    for name in ["nothing", "../Cargo.toml", "app.js/", "api/nothing", "%2e%2e/x", "src/main.rs"] {
        let answer = server.get(name);
        assert_eq!(answer.status, 404, "{name}");
        assert!(answer.json()["error"].is_string());
    }
    assert_eq!(server.request("DELETE", &server.path(""), &server.own_headers(), "").status, 405);
    assert_eq!(server.send(b"rubbish\r\n\r\n").status, 400);
    for body in ["", "{", "[]", r#"{"session":"a"}"#, r#"{"session":"a","game":7}"#] {
        let answer = server.request("POST", &server.path("api/move"), &server.own_headers(), body);
        assert_eq!(answer.status, 400, "{body}");
    }
    let answer = server.post("api/move", &question("a", 9, &["B E5", "W E5"]));
    assert_eq!(answer.status, 409);
    assert!(answer.json()["error"].as_str().is_some_and(|text| text.contains("occupied")));
    let mut strange = question("a", 9, &[]);
    strange["strength"] = json!("999");
    assert!(server.post("api/move", &strange).last()["error"].is_string());
    assert!(server.post("api/move", &question("a b", 9, &[])).last()["error"].is_string());
    assert_eq!(server.get("").status, 200, "it is still there");
}

#[test]
fn requests_are_limited_in_size_and_number() {
    let server = Server::start(&[]);
    let own = server.own_headers();
    let path = server.path("api/move");
    let long = "x".repeat((1 << 20) + 1);
    assert_eq!(server.request("POST", &path, &own, &long).status, 413);
    let endless = format!("GET /{} HTTP/1.1\r\n", "a".repeat(64 << 10));
    assert_eq!(server.send(endless.as_bytes()).status, 431);
    let headers = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(100));
    assert_eq!(server.send(headers.as_bytes()).status, 431);
    let chunked =
        format!("POST {path} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n{own}\r\n0\r\n\r\n");
    assert_eq!(server.send(chunked.as_bytes()).status, 411);
    // So many at once, and no more; they are given back.
    let held: Vec<TcpStream> = (0..64).map(|_| server.connect()).collect();
    let end = Instant::now() + PATIENCE;
    while server.get("").status != 503 {
        assert!(Instant::now() < end, "more than 64 connections are held");
    }
    drop(held);
    while server.get("").status != 200 {
        assert!(Instant::now() < end, "connections are not given back");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn ten_tabs_play_at_the_same_time() {
    let server = Server::start(&[]);
    let mut games: Vec<Vec<String>> = vec![Vec::new(); 10];
    for turn in 0..4 {
        let color = ["B", "W"][turn % 2];
        std::thread::scope(|scope| {
            for (tab, moves) in games.iter_mut().enumerate() {
                let server = &server;
                scope.spawn(move || {
                    let known: Vec<&str> = moves.iter().map(String::as_str).collect();
                    let question = question(&format!("tab{tab}"), 9, &known);
                    let answer = server.post("api/move", &question).last();
                    let chosen = answer["move"].as_str().unwrap_or_else(|| panic!("{answer}"));
                    moves.push(format!("{color} {chosen}"));
                });
            }
        });
    }
    assert!(games.iter().all(|moves| moves.len() == 4), "{games:?}");
    server.rest();
    #[cfg(target_os = "linux")]
    {
        let status = format!("/proc/{}/status", server.child.id());
        let status = std::fs::read_to_string(status).expect("a status");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
        let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
        // 96 MB for the trees, the rest for the program and its models.
        assert!(kilobytes < 300 << 10, "{kilobytes} kB");
    }
}

#[test]
fn closing_the_tab_ends_its_search() {
    let server = Server::start(&[]);
    let body = question("tab", 19, &["B Q16"]).to_string();
    let text = format!(
        "POST {} HTTP/1.1\r\nContent-Length: {}\r\n{}\r\n{body}",
        server.path("api/search"),
        body.len(),
        server.own_headers()
    );
    let mut stream = server.connect();
    stream.write_all(text.as_bytes()).expect("sent");
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    while !line.starts_with('{') {
        line.clear();
        assert!(reader.read_line(&mut line).expect("a line") > 0);
    }
    let report: Value = serde_json::from_str(&line).expect("JSON");
    let candidates = report["report"]["candidates"].as_array().expect("candidates");
    assert!(!candidates.is_empty() && candidates[0]["variation"].is_array(), "{report}");
    assert_eq!(report["report"]["owners"].as_array().map(Vec::len), Some(361));
    assert_eq!(server.running(), 1);
    drop(reader);
    server.rest();
}

#[test]
fn a_game_is_hinted_counted_and_reviewed() {
    let server = Server::start(&[]);
    let moves = ["B E5", "W C3", "B G3"];
    let hint = server.post("api/hint", &question("a", 9, &moves)).last();
    assert!(hint["report"]["candidates"][0]["vertex"].is_string(), "{hint}");
    assert_eq!(hint["done"], json!(true));
    let estimate = server.post("api/score", &question("a", 9, &moves)).last();
    assert_eq!(estimate["final"], json!(false));
    assert_eq!(estimate["owners"].as_array().map(Vec::len), Some(81));
    let over = ["B E5", "W pass", "B pass"];
    let counted = server.post("api/score", &question("a", 9, &over)).last();
    assert_eq!((&counted["final"], &counted["score"]), (&json!(true), &json!("B+73.5")));
    let review = server.post("api/review", &question("a", 9, &moves));
    let progress = review.body.lines().filter(|line| line.contains("\"total\"")).count();
    assert!(progress >= moves.len(), "{}", review.body);
    let review = &review.last()["review"];
    assert_eq!(review["moves"].as_array().map(Vec::len), Some(3), "{review}");
    assert_eq!(review["positions"].as_array().map(Vec::len), Some(4));
}

#[test]
fn a_clock_is_kept() {
    let server = Server::start(&[]);
    let mut question = question("a", 19, &[]);
    question["strength"] = json!("full");
    question["clock"] = json!({ "main": 0.0, "period": 1.0 });
    let answer = server.post("api/move", &question).last();
    assert!(answer["move"].is_string(), "{answer}");
    // 51,200 playouts take longer than a second on any machine.
    assert!(answer["visits"].as_u64().is_some_and(|visits| visits < 51_200), "{answer}");
}

#[test]
fn games_are_kept_in_the_folder_and_nowhere_else() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("games");
    std::fs::create_dir(&folder).expect("a folder");
    std::fs::write(place.path().join("outside.sgf"), "(;SZ[9])").expect("a file");
    let server = Server::start(&["--folder", folder.to_str().expect("a name")]);
    let save = |name: &str, sgf: &str| {
        server.post("api/save", &json!({ "name": name, "sgf": sgf })).status
    };
    assert_eq!(save("one.sgf", "(;SZ[9];B[ee])"), 200);
    assert_eq!(save("one.sgf", "(;SZ[9])"), 409);
    assert_eq!(save("../two.sgf", "(;SZ[9])"), 400);
    assert_eq!(save("two.exe", "(;SZ[9])"), 400);
    assert_eq!(server.get("api/files").json(), json!(["one.sgf"]));
    let load = |name: &str| server.post("api/load", &json!({ "name": name }));
    assert_eq!(load("one.sgf").body, "(;SZ[9];B[ee])");
    for name in ["../outside.sgf", "/etc/passwd", "..%2foutside.sgf", ""] {
        assert_eq!(load(name).status, 400, "{name}");
    }
    assert_eq!(load("missing.sgf").status, 404);
    assert!(!place.path().join("two.sgf").exists());
    // Without the option there is no folder.
    let bare = Server::start(&[]);
    assert_eq!(bare.get("api/files").status, 404);
    assert_eq!(bare.post("api/load", &json!({ "name": "one.sgf" })).status, 404);
}

#[test]
fn bad_options_get_one_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&[]);
    let taken = server.host.rsplit(':').next().expect("a port");
    for arguments in [
        &["--port", "99999"][..],
        &["--port", taken],
        &["--address", "nowhere"],
        &["--folder", "missing"],
    ] {
        let output = tengen(arguments, folder.path()).arg("--no-open").output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
