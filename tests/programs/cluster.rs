//! `tengen cluster`, and a match whose games are spread over ranks. Ranks are threads here; `tests/cluster/run` does
//! the same with MPI.

use crate::helpers;

use clap::Parser;
use helpers::{assert_refused, figures, mover, mover_with, number, sgf, table};
use std::path::Path;
use std::thread;
use std::time::Duration;
use tengen::cluster::channels::{Channels, Conditions, network};
use tengen::cluster::link::Link;
use tengen::cluster::message::Message;
use tengen::game::sgf::Record;
use tengen::workshop::arena::away::serve;
use tengen::workshop::arena::contest::run_with;
use tengen::workshop::arena::options::MatchArgs;
use tengen::workshop::arena::table::Row;

const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/quality9.jsonl");

#[test]
fn clusters_are_simulated_on_a_suite() {
    let directory = tempfile::tempdir().unwrap();
    let plot = directory.path().join("ranks.svg");
    let line =
        ["cluster", SUITE, "--limit", "2", "--ranks", "1,3", "--playouts", "20", "--rate", "100"];
    let line: Vec<&str> = line.into_iter().chain(["--plot", plot.to_str().unwrap()]).collect();
    let first = figures(&line);
    assert_eq!(first, figures(&line), "it repeats");
    assert_eq!(number(&first, "quality9 positions"), 2.0);
    let bytes = number(&first, "quality9 ranks 3 longest digest");
    assert!(bytes > 100.0 && bytes <= 8000.0, "{bytes}");
    assert!(first.contains_key("quality9 ranks 3 more than one tree"), "{first:?}");
    assert!(std::fs::read_to_string(plot).unwrap().starts_with("<svg"));
    for (more, sentence) in [
        (["--ranks", "0"], "--ranks go from 1 to 1024"),
        (["--loss", "2"], "--loss 2 must be from 0 to 1"),
        (["--rhythm", "0"], "--rhythm 0 must be above 0"),
    ] {
        assert_refused(&[&["cluster", SUITE][..], &more].concat(), sentence);
    }
}

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: MatchArgs,
}

fn arguments(prefix: &Path, a: &str, games: &str) -> MatchArgs {
    let out = prefix.to_str().unwrap();
    let words = ["match", "--a", a, "--size", "5", "--games", games, "--out", out];
    Line::parse_from(words).args
}

/// What is the same in two runs of a game: the comments, which have what the programs wrote to stderr, are not.
fn essence(prefix: &Path) -> Vec<(u32, String, u32, String)> {
    let moves = |game| {
        let record = Record::open_regular(&sgf(prefix, game), &|| true).unwrap();
        record.moves().map(|play| play.to_gtp()).collect::<Vec<String>>().join(" ")
    };
    let of = |row: &Row| (row.game, row.result().unwrap().to_string(), row.length, moves(row.game));
    let mut list: Vec<_> = table(prefix).rows.iter().map(of).collect();
    list.sort();
    list
}

#[test]
fn a_match_over_ranks_has_the_results_of_one_on_one_machine() {
    let directory = tempfile::tempdir().unwrap();
    let (alone, spread) = (directory.path().join("alone"), directory.path().join("spread"));
    let seeded = mover_with("--seed %SEED");
    run_with(&arguments(&alone, &seeded, "24"), None).unwrap();
    let mut links = network(3, Conditions::default());
    let others: Vec<Channels> = links.drain(1..).collect();
    thread::scope(|scope| {
        for link in others {
            let args = arguments(&spread, &seeded, "24");
            scope.spawn(move || serve(&args, Box::new(link)).unwrap());
        }
        let link: Box<dyn Link> = Box::new(links.remove(0));
        run_with(&arguments(&spread, &seeded, "24"), Some(link)).unwrap();
    });
    assert_eq!(essence(&spread), essence(&alone));
    assert_eq!(essence(&alone).len(), 24);
}

/// One rank takes games and dies, one cannot play, and what a third brings for a game that has a result is not
/// counted twice.
#[test]
fn ranks_that_die_or_cannot_play_lose_no_game() {
    let directory = tempfile::tempdir().unwrap();
    let prefix = directory.path().join("faults");
    let mut links = network(4, Conditions::default());
    let (mut repeats, useless, mut dies) =
        (links.pop().unwrap(), links.pop().unwrap(), links.pop().unwrap());
    let minute = Duration::from_secs(60);
    thread::scope(|scope| {
        scope.spawn(move || {
            let asked = dies.wait(minute).and_then(|(_, bytes)| Message::from_bytes(&bytes));
            assert!(matches!(asked, Some(Message::Play { .. })), "{asked:?}");
        });
        let args = arguments(&prefix, "/no/such/program", "12");
        scope.spawn(move || serve(&args, Box::new(useless)).unwrap());
        scope.spawn(move || {
            while let Some((_, bytes)) = repeats.wait(minute) {
                let Some(Message::Play { game }) = Message::from_bytes(&bytes) else { break };
                let row = format!("{game}\tB+R\tB+R\tB+R\t0\t-\t3\t0\t0\t0\t0\t0\t\n");
                let sgf = "(;GM[1])".to_owned();
                let played = Message::Played { game, row, sgf, hash: u64::from(game) };
                (0..2).for_each(|_| repeats.send(0, played.to_bytes()));
                let broken =
                    Message::Played { game: 5000, row: String::new(), sgf: String::new(), hash: 0 };
                repeats.send(0, broken.to_bytes());
            }
        });
        let link: Box<dyn Link> = Box::new(links.remove(0));
        run_with(&arguments(&prefix, mover(), "12"), Some(link)).unwrap();
    });
    let mut games: Vec<u32> = table(&prefix).rows.iter().map(|row| row.game).collect();
    games.sort_unstable();
    assert_eq!(games, (0..12).collect::<Vec<u32>>());
}
