//! Light playouts against a yardstick, the crate `go_game_board` by Libego's author.
//!
//! Machines vary by half from hour to hour, so a speed means little and a ratio much. The two
//! programs play in turns in one process and count CPU time. The yardstick is that crate's own
//! 9x9 `Benchmark`; Libego's light playouts ran at 1.07 times it on 9x9 and 0.235 times on 19x19
//! when both were measured in the same minutes, so 1.6 and 0.35 here are 1.5 times Libego.
//!
//! `cargo bench --bench yardstick` prints the rates and the median of the ratios.

use cpu_time::ThreadTime;
use tengen::board::Board;
use tengen::playout::{Light, Limits, play_out};
use tengen::types::Rng;
use tengen::workshop::tools::figures::{Figure, Printer};

const ROUNDS: usize = 25;
const YARDSTICK_PLAYOUTS: usize = 4000;
/// Our playouts per round by board size, for about the same time each.
const OURS: [(usize, usize); 3] = [(9, 8000), (13, 4000), (19, 2000)];

/// Playouts per second of CPU time.
fn rate(playouts: usize, play: impl FnOnce()) -> f64 {
    let start = ThreadTime::now();
    play();
    playouts as f64 / start.elapsed().as_secs_f64()
}

fn light(size: usize, playouts: usize, rng: &mut Rng) {
    let empty = Board::new(size);
    let mut board = empty.clone();
    let mut score = 0;
    for _ in 0..playouts {
        board.copy_from(&empty);
        score += play_out(&mut Light, &mut board, rng, Limits::for_size(size), |_, _| ()).score;
    }
    std::hint::black_box(score);
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() -> std::io::Result<()> {
    let mut rng = Rng::new(1);
    let mut yardstick = go_game_board::Benchmark::new();
    let mut yardstick_rates = Vec::new();
    let mut our_rates = vec![Vec::new(); OURS.len()];
    for _ in 0..ROUNDS {
        yardstick_rates.push(rate(YARDSTICK_PLAYOUTS, || {
            yardstick.run(YARDSTICK_PLAYOUTS, None);
        }));
        for (rates, (size, playouts)) in our_rates.iter_mut().zip(OURS) {
            rates.push(rate(playouts, || light(size, playouts, &mut rng)));
        }
    }
    let mut printer = Printer::new(std::io::stdout().lock(), false);
    let yardstick_rate = median(yardstick_rates.clone());
    printer.print(Figure::new("yardstick 9x9", yardstick_rate, "playouts/s"))?;
    for (rates, (size, _)) in our_rates.into_iter().zip(OURS) {
        let ratios = rates.iter().zip(&yardstick_rates).map(|(ours, theirs)| ours / theirs);
        let ratio = median(ratios.collect());
        printer.print(Figure::new(format!("light {size}x{size}"), median(rates), "playouts/s"))?;
        printer.print(Figure::new(format!("light {size}x{size} ratio"), ratio, "yardsticks"))?;
    }
    printer.finish()
}
