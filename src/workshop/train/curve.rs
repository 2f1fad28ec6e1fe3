//! The learning curve of a training, in words and as a picture.

use super::learner::CurvePoint;
use crate::workshop::tools::plot::{Axis, Plot, Series};

/// Prints a point as a line of a table.
pub fn print_point(point: &CurvePoint) {
    let accuracy = match &point.accuracy {
        Some(a) => format!(
            "{:.2}\t{:.2}\t{:.2}\t{:.4}",
            100.0 * a.top(1),
            100.0 * a.top(5),
            100.0 * a.top(20),
            a.mean_log_probability()
        ),
        None => "-\t-\t-\t-".to_owned(),
    };
    println!("{}\t{:.0}\t{:.4}\t{accuracy}", point.games, point.seconds, point.loss);
}

/// Draws accuracy and loss over the games.
pub fn draw(curve: &[CurvePoint]) -> Plot {
    let mut accuracy = Series::line("validation top-1, %");
    let mut loss = Series::line("training loss x 10");
    for point in curve {
        if let Some(measured) = &point.accuracy {
            accuracy = accuracy.point(point.games as f64, 100.0 * measured.top(1));
        }
        loss = loss.point(point.games as f64, 10.0 * point.loss);
    }
    Plot::new("Learning curve")
        .x(Axis::new("games"))
        .y(Axis::new("%"))
        .series(accuracy)
        .series(loss)
}

/// The most memory this process has used, where the system tells.
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes >> 10)
}
