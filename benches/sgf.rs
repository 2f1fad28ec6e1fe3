//! Speed of reading and writing game records, on made-up games.
#![allow(missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::io::{Cursor, Read};
use tengen::game::collection::{Games, MainLine};
use tengen::game::sgf::Record;
use tengen::input;
use tengen::types::{Color, Point, Rng};

const GAMES: usize = 1000;

/// One game per line, 212 random moves each, as in the training collections.
fn collection() -> String {
    let mut rng = Rng::new(1);
    let mut text = String::new();
    for _ in 0..GAMES {
        text += "(;GM[1]FF[4]SZ[19]KM[6.5]RE[B+R]DT[2016-07-01]";
        for number in 0..212 {
            let color = Color::BOTH[number % 2].letter();
            let point = Point::new(1 + rng.below(19) as usize, 1 + rng.below(19) as usize);
            text += &format!(";{color}[{}]", point.to_sgf(19));
        }
        text += ")\n";
    }
    text
}

fn records(c: &mut Criterion) {
    let text = collection();
    let line = text.lines().next().unwrap_or_default();
    let record = Record::parse(line).expect("made-up games are right");
    let mut group = c.benchmark_group("record");
    group.bench_function("parse", |b| b.iter(|| Record::parse(black_box(line))));
    group.bench_function("to_sgf", |b| b.iter(|| black_box(&record).to_sgf()));
    group.finish();
}

fn streams(c: &mut Criterion) {
    let text = collection();
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let compressed = ruzstd::encoding::compress_to_vec(text.as_bytes(), level);
    let count = |reader: Box<dyn std::io::BufRead + Send>| {
        let (mut games, mut game) = (Games::new(reader), MainLine::default());
        let mut moves = 0;
        while games.read_into(&mut game).expect("made-up games are right") {
            moves += game.moves.len();
        }
        moves
    };
    let mut group = c.benchmark_group("collection");
    group.throughput(Throughput::Elements(GAMES as u64));
    group.bench_function("plain", |b| {
        b.iter(|| count(input::decompressed(Cursor::new(text.clone())).expect("readable")))
    });
    group.bench_function("zst", |b| {
        b.iter(|| count(input::decompressed(Cursor::new(compressed.clone())).expect("readable")))
    });
    group.bench_function("decompression alone", |b| {
        b.iter(|| {
            let mut reader =
                input::decompressed(Cursor::new(compressed.clone())).expect("readable");
            let mut bytes = Vec::with_capacity(text.len());
            reader.read_to_end(&mut bytes).map(|_| bytes.len())
        })
    });
    group.finish();
}

criterion_group!(benches, records, streams);
criterion_main!(benches);
