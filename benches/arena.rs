//! What the match tool itself costs: starting a program, one GTP command, one whole game.

#![allow(missing_docs)] // criterion_group! writes undocumented functions

#[path = "../tests/programs/helpers/mod.rs"]
mod helpers;

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use tengen::workshop::tools::player::{Player, Program};

const TIMEOUT: Duration = Duration::from_secs(10);

fn start() -> Player {
    let program = Program::from_words(vec![helpers::mover().to_owned()]);
    Player::start(&program, 0, None, TIMEOUT).unwrap()
}

/// From the start of a process to its name, version and list of commands.
fn start_up(c: &mut Criterion) {
    helpers::mover(); // may have to be built
    let mut group = c.benchmark_group("start-up");
    group.sample_size(20);
    group.bench_function("random mover", |b| {
        b.iter_with_large_drop(start);
    });
    group.finish();
}

/// From a command to its answer.
fn latency(c: &mut Criterion) {
    let mut player = start();
    let mut group = c.benchmark_group("latency");
    group.bench_function("name", |b| b.iter(|| black_box(player.ask("name").unwrap())));
    player.new_game(9, 7.5).unwrap();
    group.bench_function("genmove on an empty board", |b| {
        b.iter(|| {
            player.order("genmove b").unwrap();
            player.order("clear_board").unwrap();
        });
    });
    group.finish();
    player.retire().join().unwrap();
}

/// A match of 20 games, two at once, start-up included.
fn games(c: &mut Criterion) {
    let mut group = c.benchmark_group("match");
    group.sample_size(10);
    group.throughput(criterion::Throughput::Elements(20));
    group.bench_function("20 games of random movers on 9x9", |b| {
        b.iter(|| {
            let mover = helpers::mover();
            helpers::figures(&["match", "--a", mover, "--games", "20", "--jobs", "2"])
        });
    });
    group.finish();
}

criterion_group!(benches, start_up, latency, games);
criterion_main!(benches);
