//! A bounded run of the fuzzers' entry points: valid input, mutated, from fixed seeds.
//!
//! `TENGEN_FUZZ_ROUNDS=100000 cargo test --release --test engine fuzz` runs more of them.

use tengen::knowledge::{Gammas, Model, net::Network};
use tengen::types::Rng;
use tengen::workshop::fuzz;

/// Mutated inputs for each valid one, unless the environment says otherwise.
const ROUNDS: u64 = 150;

const GTP: [&str; 4] = [
    "boardsize 9\nclear_board\nkomi 6.5\nplay b e5\ngenmove w\nundo\nshowboard\n",
    "1 boardsize 5\n2 fixed_handicap 2\n3 time_settings 10 5 1\n4 time_left b 3 1\n5 genmove b\nquit\n",
    "list_commands\nlz-analyze b 10\nkata-analyze 5\nplay w pass\nreg_genmove b\n",
    "gogui-play_sequence b c3 w d4 b e5\nlegal_moves b\nkgs-rules japanese\nset_position\n",
];

const SGF: [&str; 3] = [
    "(;GM[1]FF[4]SZ[9]KM[6.5]PB[a]PW[b\\]c]RE[B+3.5];B[ee];W[cc]C[hello](;B[gg])(;B[gc];W[]))",
    "(;SZ[19]HA[2]AB[pd][dp]PL[W];W[pp];B[dd]LB[aa:1]TR[bb:cc])",
    "(;SZ[13:13]KM[0];B[aa];W[mm];B[tt];W[tt])",
];

const JSON: [&str; 3] = [
    r#"{"id":"a","moves":[["B","E5"],["W","C3"]],"rules":"chinese","komi":7.5,"boardXSize":9,"boardYSize":9,"maxVisits":3}"#,
    r#"{"id":"b","initialStones":[["B","D4"]],"moves":[],"rules":"japanese","boardXSize":19,"boardYSize":19,"analyzeTurns":[0],"maxVisits":2}"#,
    r#"{"id":"c","action":"terminate","terminateId":"a"}"#,
];

/// Some bytes changed, doubled, cut out or moved.
fn mutate(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + rng.below(8) {
        if bytes.is_empty() {
            break;
        }
        let at = rng.below(bytes.len() as u32) as usize;
        let length = (1 + rng.below(12) as usize).min(bytes.len() - at);
        match rng.below(5) {
            0 => bytes[at] = rng.below(256) as u8,
            1 => bytes[at] ^= 1 << rng.below(8),
            2 => drop(bytes.drain(at..at + length)),
            3 => {
                let part = bytes[at..at + length].to_vec();
                let to = rng.below(bytes.len() as u32 + 1) as usize;
                bytes.splice(to..to, part);
            }
            _ => bytes.truncate(at),
        }
    }
    bytes
}

fn run(entry: fn(&[u8]), seeds: &[Vec<u8>], seed: u64) {
    let rounds = std::env::var("TENGEN_FUZZ_ROUNDS").ok().and_then(|text| text.parse().ok());
    let mut rng = Rng::new(seed);
    for bytes in seeds {
        entry(bytes);
        (0..rounds.unwrap_or(ROUNDS)).for_each(|_| entry(&mutate(bytes, &mut rng)));
    }
}

fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

#[test]
fn gtp_sessions_are_answered() {
    run(fuzz::gtp, &texts(&GTP), 1);
}

#[test]
fn records_are_read_or_refused() {
    run(fuzz::sgf, &texts(&SGF), 2);
}

#[test]
fn analysis_is_answered() {
    run(fuzz::json, &texts(&JSON), 3);
}

#[test]
fn models_are_read_or_refused() {
    let network = Network::embedded(9).map(|network| network.to_bytes());
    let mut seeds = vec![Gammas::embedded().to_bytes()];
    seeds.extend(network);
    run(fuzz::model, &seeds, 4);
    // The large ones once each, cut short: their checksums do not hold any more.
    let large = Model::embedded(9).to_bytes();
    [0, 7, 8, 27, 28, 1000, large.len() - 1].iter().for_each(|&end| fuzz::model(&large[..end]));
}
