//! Speed of the board: moves, copies, liberties after a move, light playouts.
#![allow(missing_docs)]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use tengen::board::Board;
use tengen::playout::{Light, Limits, play_out};
use tengen::types::{Color, Point, Rng};

const SIZES: [usize; 3] = [9, 13, 19];

/// The moves of a light playout, and the board half way through it.
fn game(size: usize) -> (Vec<Point>, Board) {
    let mut moves = Vec::new();
    let mut rng = Rng::new(1);
    let limits = Limits::for_size(size);
    play_out(&mut Light, &mut Board::new(size), &mut rng, limits, |_, point| moves.push(point));
    let mut board = Board::new(size);
    for &point in &moves[..moves.len() / 2] {
        board.play_legal(point);
    }
    (moves, board)
}

/// A move of a given game, the choice of the move not included.
fn play(c: &mut Criterion) {
    let mut group = c.benchmark_group("play");
    for size in SIZES {
        let (moves, _) = game(size);
        let empty = Board::new(size);
        group.throughput(Throughput::Elements(moves.len() as u64));
        group.bench_function(format!("{size}x{size}"), |b| {
            b.iter_batched_ref(
                || empty.clone(),
                |board| {
                    for &point in &moves {
                        board.play_legal(point);
                    }
                    board.hash()
                },
                BatchSize::SmallInput,
            )
        });
    }
    group.finish();
}

fn copy(c: &mut Criterion) {
    let mut group = c.benchmark_group("copy");
    for size in SIZES {
        let (_, board) = game(size);
        let mut target = Board::new(size);
        group.bench_function(format!("{size}x{size}"), |b| {
            b.iter(|| {
                target.copy_from(black_box(&board));
                target.hash()
            })
        });
    }
    group.finish();
}

/// The question of heavy playouts, asked for every empty point of a middle game.
fn liberties_after(c: &mut Criterion) {
    let mut group = c.benchmark_group("liberties after a move");
    for size in SIZES {
        let (_, board) = game(size);
        let count = board.empty_points().len() as u64;
        group.throughput(Throughput::Elements(count));
        group.bench_function(format!("up to 3, {size}x{size}"), |b| {
            b.iter(|| {
                let after = |&point: &Point| board.liberties_after::<3>(Color::Black, point).len();
                black_box(&board).empty_points().iter().map(after).sum::<usize>()
            })
        });
        group.bench_function(format!("self-atari, {size}x{size}"), |b| {
            b.iter(|| {
                let bad = |&&point: &&Point| board.is_self_atari(Color::Black, point);
                black_box(&board).empty_points().iter().filter(bad).count()
            })
        });
    }
    group.finish();
}

fn light_playouts(c: &mut Criterion) {
    let mut group = c.benchmark_group("light playout");
    group.throughput(Throughput::Elements(1));
    for size in SIZES {
        let empty = Board::new(size);
        let mut board = empty.clone();
        let mut rng = Rng::new(1);
        group.bench_function(format!("{size}x{size}"), |b| {
            b.iter(|| {
                board.copy_from(&empty);
                play_out(&mut Light, &mut board, &mut rng, Limits::for_size(size), |_, _| ())
            })
        });
    }
    group.finish();
}

criterion_group!(board, play, copy, liberties_after, light_playouts);
criterion_main!(board);
