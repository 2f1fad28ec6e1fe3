//! Sessions of nonsense: random commands, random bytes, mutated conversations. Every command must
//! be answered once, in order; nothing may crash or hang.
//!
//! The tests run a few hundred sessions. For more:
//!
//! ```text
//! TENGEN_FUZZ_SESSIONS=100000 cargo test --release --test programs gtp_fuzz -- --nocapture
//! ```
//!
//! A session that takes more than a minute counts as one that hangs; on a machine with other work,
//! `TENGEN_FUZZ_PATIENCE` gives it more seconds. `TENGEN_FUZZ_SEED` gives other sessions.

use crate::harness;

use harness::session::{check, run};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tengen::frontend::gtp::command;
use tengen::types::Rng;

/// Seconds after which a session hangs.
const PATIENCE: u64 = 60;

/// A number from the environment.
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

#[test]
fn nonsense_is_answered() {
    let sessions = setting("TENGEN_FUZZ_SESSIONS").unwrap_or(600);
    let seed = setting("TENGEN_FUZZ_SEED").unwrap_or(1);
    let corpus = Arc::new(corpus());
    let next = Arc::new(AtomicU64::new(0));
    let commands = Arc::new(AtomicU64::new(0));
    let begin = Instant::now();
    let workers: Vec<_> = (0..std::thread::available_parallelism().map_or(1, usize::from))
        .map(|_| {
            let (corpus, next, commands) =
                (Arc::clone(&corpus), Arc::clone(&next), Arc::clone(&commands));
            let current: Arc<Mutex<(Instant, Vec<u8>)>> =
                Arc::new(Mutex::new((Instant::now(), Vec::new())));
            watch(Arc::clone(&current));
            std::thread::spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= sessions {
                        return;
                    }
                    let mut rng = Rng::new(seed.wrapping_mul(1 << 40) + number);
                    let input = session(&mut rng, &corpus);
                    *current.lock().unwrap() = (Instant::now(), input.clone());
                    let piece =
                        if rng.below(10) == 0 { 1 + rng.below(20) as usize } else { 1 << 20 };
                    let output = run(&input, piece);
                    if let Err(error) = check(&input, &output) {
                        let text = String::from_utf8_lossy(&input).into_owned();
                        panic!("session {number}: {error}\n--- input ---\n{text}");
                    }
                    let answers = output.windows(2).filter(|pair| pair == b"\n\n").count();
                    commands.fetch_add(answers as u64, Ordering::Relaxed);
                }
            })
        })
        .collect();
    for worker in workers {
        worker.join().expect("no session fails");
    }
    println!(
        "{sessions} sessions, {} commands, {:.1} s, no crash, no hang, no missing or doubled answer",
        commands.load(Ordering::Relaxed),
        begin.elapsed().as_secs_f64()
    );
}

/// Ends the process if a session hangs.
fn watch(current: Arc<Mutex<(Instant, Vec<u8>)>>) {
    let patience = Duration::from_secs(setting("TENGEN_FUZZ_PATIENCE").unwrap_or(PATIENCE));
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            if Arc::strong_count(&current) == 1 {
                return;
            }
            let (begin, input) = current.lock().unwrap().clone();
            if begin.elapsed() > patience {
                eprintln!("a session hangs:\n{}", String::from_utf8_lossy(&input));
                std::process::exit(1);
            }
        }
    });
}

/// What clients really send.
fn corpus() -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/clients");
    let mut sessions = Vec::new();
    for entry in std::fs::read_dir(folder).expect("tests/clients") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "gtp") {
            let text = std::fs::read_to_string(&path).expect("a transcript");
            let lines = text.lines().filter_map(|line| line.strip_prefix("> "));
            let input: String =
                lines.filter(|line| *line != "quit").map(|l| format!("{l}\n")).collect();
            sessions.push(input.into_bytes());
        }
    }
    sessions.sort();
    sessions
}

fn session(rng: &mut Rng, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut input = match rng.below(4) {
        0 => random_bytes(rng, 400),
        1 => mutated(rng, corpus),
        _ => random_commands(rng),
    };
    if rng.below(4) == 0 {
        input.extend_from_slice(b"\nquit\nname\n");
    }
    harmless(&input)
}

/// Drops lines that would make the engine think for long, or write files.
fn harmless(input: &[u8]) -> Vec<u8> {
    let dangerous: [&[u8]; 6] =
        [b"set-param", b"tengen-param", b"benchmark", b"level", b"printsgf", b"place_free"];
    let contains = |line: &[u8], word: &[u8]| line.windows(word.len()).any(|part| part == word);
    let clean = |line: &[u8]| -> Vec<u8> {
        line.iter().copied().filter(|b| !b.is_ascii_control() || *b == b'\t').collect()
    };
    let harmless = |line: &&[u8]| {
        let line = clean(line);
        let allowed: [&[u8]; 6] = [
            b"level 1",
            b"printsgf",
            b"kata-benchmark 7",
            b"place_free_handicap 5",
            b"tengen-param clock lag 0.2",
            b"kata-set-param clock.lag 0.1",
        ];
        allowed.contains(&line.trim_ascii()) || !dangerous.iter().any(|word| contains(&line, word))
    };
    input.split_inclusive(|&b| b == b'\n').filter(harmless).flatten().copied().collect()
}

fn random_bytes(rng: &mut Rng, most: u32) -> Vec<u8> {
    (0..rng.below(most))
        .map(|_| match rng.below(8) {
            0 => b'\n',
            1 => b' ',
            2 => rng.below(256) as u8,
            3 => b"0123456789#\t\r=?"[rng.below(15) as usize],
            _ => b'a' + rng.below(26) as u8,
        })
        .collect()
}

fn mutated(rng: &mut Rng, corpus: &[Vec<u8>]) -> Vec<u8> {
    let pick = |rng: &mut Rng| corpus[rng.below(corpus.len() as u32) as usize].clone();
    let mut input = pick(rng);
    // A part of it, spliced with another.
    let other = pick(rng);
    let cut = rng.below(input.len() as u32 + 1) as usize;
    input.truncate(cut);
    let from = rng.below(other.len() as u32) as usize;
    input.extend_from_slice(&other[from..(from + 600).min(other.len())]);
    for _ in 0..rng.below(20) {
        if input.is_empty() {
            break;
        }
        let at = rng.below(input.len() as u32) as usize;
        match rng.below(4) {
            0 => drop(input.remove(at)),
            1 => input[at] = rng.below(256) as u8,
            2 => input.insert(at, b"\n 0A-#\x07\xff"[rng.below(8) as usize]),
            _ => {
                let end = (at + rng.below(30) as usize).min(input.len());
                let copy = input[at..end].to_vec();
                input.splice(at..at, copy);
            }
        }
    }
    input.truncate(4000);
    input
}

fn random_commands(rng: &mut Rng) -> Vec<u8> {
    let names: Vec<&str> = command::all().map(|command| command.name).collect();
    let mut input = Vec::new();
    if rng.below(3) > 0 {
        let size = 2 + rng.below(12);
        input.extend_from_slice(format!("boardsize {size}\n").as_bytes());
    }
    for _ in 0..rng.below(40) {
        if rng.below(4) == 0 {
            input.extend_from_slice(format!("{} ", rng.below(100_000)).as_bytes());
        }
        let name = match rng.below(4) {
            0 => ["play", "genmove", "undo", "clear_board", "komi"][rng.below(5) as usize],
            _ => names[rng.below(names.len() as u32) as usize],
        };
        input.extend_from_slice(name.as_bytes());
        for _ in 0..rng.below(5) {
            input.push(b' ');
            input.extend_from_slice(argument(rng).as_bytes());
        }
        input.extend_from_slice(
            [&b"\n"[..], b"\r\n", b"\n\n", b" # interrupt\n"][rng.below(4) as usize],
        );
        if rng.below(20) == 0 {
            input.extend_from_slice(b"# interrupt\n");
        }
    }
    input
}

fn argument(rng: &mut Rng) -> String {
    let vertex = |rng: &mut Rng| {
        let letter = char::from(b"ABCDEFGHJKLMNOPQRST"[rng.below(19) as usize]);
        format!("{letter}{}", 1 + rng.below(19))
    };
    match rng.below(12) {
        0..3 => ["b", "w", "black", "WHITE"][rng.below(4) as usize].to_owned(),
        3..6 => vertex(rng),
        6 => "pass".to_owned(),
        7 => rng.below(30).to_string(),
        8 => ["-1", "0.5", "nan", "1e400", "99999999999", ""][rng.below(6) as usize].to_owned(),
        9 => {
            let words = [
                "interval",
                "minmoves",
                "maxmoves",
                "ownership",
                "rootInfo",
                "true",
                "allow",
                "avoid",
                "none",
                "byoyomi",
                "canadian",
                "absolute",
                "fischer",
                "japanese",
                "chinese",
                "dead",
                "alive",
                "seki",
                "clock",
                "best",
                "game",
                "ko",
                "SIMPLE",
            ];
            words[rng.below(words.len() as u32) as usize].to_owned()
        }
        10 => format!("{},{}", vertex(rng), vertex(rng)),
        _ => String::from_utf8_lossy(&random_bytes(rng, 12)).replace('\n', ""),
    }
}
