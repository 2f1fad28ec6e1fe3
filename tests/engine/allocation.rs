//! Nothing is allocated while a playout runs: with two threads or more, the allocator would be
//! where they wait for each other.

use allocation_counter::measure;
use tengen::board::Board;
use tengen::knowledge::net::{Evaluator, Network, Shape};
use tengen::params::Params;
use tengen::playout::{Light, Limits, Ownership, Policy, RulePolicy, play_out};
use tengen::types::{PointMap, Rng};

/// Allocations of 50 playouts from the empty board, copies of the board and ownership included.
/// They are played twice with the same numbers, and counted the second time: the scratch boards
/// of a policy may grow once.
fn allocations(mut policy: impl Policy, size: usize) -> u64 {
    let empty = Board::new(size);
    let mut board = empty.clone();
    let mut ownership = Ownership::new();
    let mut first_plays = PointMap::filled(None);
    let mut play = || {
        let mut rng = Rng::new(1);
        for _ in 0..50 {
            board.copy_from(&empty);
            first_plays.fill(None);
            let record = |color, point| {
                first_plays[point] = first_plays[point].or(Some(color));
            };
            play_out(&mut policy, &mut board, &mut rng, Limits::for_size(size), record);
            ownership.add(&board);
        }
    };
    play();
    let info = measure(play);
    assert_eq!(ownership.playouts(), 100);
    assert!(board.points().any(|point| first_plays[point].is_some()));
    info.count_total
}

#[test]
fn the_counter_sees_allocations() {
    let info = measure(|| {
        std::hint::black_box(vec![1, 2, 3]);
    });
    assert_eq!(info.count_total, 1);
}

#[test]
fn light_playouts_do_not_allocate() {
    for size in [2, 9, 13, 19] {
        assert_eq!(allocations(Light, size), 0, "{size}x{size}");
    }
}

#[test]
fn rule_based_playouts_do_not_allocate() {
    for size in [2, 9, 13, 19] {
        let policy = RulePolicy::new(&Params::for_size(size).playout);
        assert_eq!(allocations(policy, size), 0, "{size}x{size}");
    }
}

#[test]
fn the_network_allocates_nothing() {
    let shape = Shape::new(24, 2).unwrap();
    let parameters = vec![0.01; shape.parameters];
    let network = Network::new(shape, parameters).unwrap();
    let board = Board::new(9);
    let mut evaluator = Evaluator::new(network.shape(), 9);
    // The first judgement rounds the weights, once for all threads; training never needs that.
    evaluator.judge(&network, &board, None);
    let counted = measure(|| {
        for _ in 0..3 {
            std::hint::black_box(evaluator.judge(&network, &board, None));
        }
    });
    assert_eq!(counted.count_total, 0);
}
