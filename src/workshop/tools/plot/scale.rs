//! The scale of an axis: where a value lies on it, and the round numbers at its ticks.

use super::Axis;

/// Maps values of one axis to 0..1.
pub(super) struct Scale {
    low: f64,
    high: f64,
    log: bool,
}

impl Scale {
    pub(super) fn new(axis: &Axis, values: impl Iterator<Item = f64>) -> Scale {
        let usable = |value: &f64| value.is_finite() && (!axis.log || *value > 0.0);
        let names = axis.names.iter().map(|&(at, _)| at);
        let (mut low, mut high) = values
            .chain(names)
            .filter(usable)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            });
        if low > high {
            (low, high) = if axis.log { (1.0, 10.0) } else { (0.0, 1.0) };
        }
        let log = axis.log;
        if let Some(range) = axis.range {
            (low, high) = range;
        } else if axis.log {
            (low, high) = (low / 1.1, high * 1.1);
        } else {
            // A little air, so that no marker sits on the frame; half a step for named rows.
            let air = if axis.names.is_empty() { 0.04 * (high - low) } else { 0.5 };
            (low, high) = (low - air, high + air);
        }
        if low == high {
            (low, high) = if log { (low / 2.0, high * 2.0) } else { (low - 0.5, high + 0.5) };
        }
        Scale { low, high, log }
    }

    pub(super) fn holds(&self, value: f64) -> bool {
        value.is_finite() && (!self.log || value > 0.0)
    }

    /// Where a value lies between the ends of the axis; clamped, so that a bar that reaches beyond
    /// a fixed range ends at the frame.
    pub(super) fn share(&self, value: f64) -> f64 {
        let share = if self.log {
            (value.max(f64::MIN_POSITIVE) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        share.clamp(0.0, 1.0)
    }

    pub(super) fn ticks(&self, axis: &Axis) -> Vec<(f64, String)> {
        if !axis.names.is_empty() {
            return axis.names.clone();
        }
        if self.log { self.log_ticks() } else { self.linear_ticks() }
    }

    /// Round numbers 1, 2 or 5 times a power of ten apart, about six of them.
    fn linear_ticks(&self) -> Vec<(f64, String)> {
        let rough = (self.high - self.low) / 6.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|factor| factor * power)
            .into_iter()
            .find(|&step| step >= rough * 0.999)
            .unwrap_or(10.0 * power);
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|n| n as f64 * step).map(|at| (at, format!("{at:.decimals$}"))).collect()
    }

    /// Powers of ten, and 2 and 5 times them while there are few.
    fn log_ticks(&self) -> Vec<(f64, String)> {
        let decades = (self.high / self.low).log10();
        let factors: &[f64] = if decades < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let every = (decades / 8.0).ceil().max(1.0) as usize;
        (first..=last)
            .step_by(every)
            .flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)))
            .filter(|&at| at >= self.low * 0.999 && at <= self.high * 1.001)
            .map(|at| (at, short(at)))
            .collect()
    }
}

/// A number as a tick shows it: `5k` and `2M` instead of long rows of zeros.
fn short(value: f64) -> String {
    for (unit, letter) in [(1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if value >= unit * 0.999 {
            return format!("{}{letter}", (value / unit * 100.0).round() / 100.0);
        }
    }
    format!("{}", (value * 1e6).round() / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_inside_the_range() {
        let scale = Scale { low: -203.0, high: 187.0, log: false };
        let names: Vec<String> = scale.linear_ticks().into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["-200", "-100", "0", "100"]);
        let scale = Scale { low: 0.0, high: 1.0, log: false };
        let names: Vec<String> = scale.linear_ticks().into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        let scale = Scale { low: 90.0, high: 11_000.0, log: true };
        let names: Vec<String> = scale.log_ticks().into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["100", "200", "500", "1k", "2k", "5k", "10k"]);
        let scale = Scale { low: 1.0, high: 1e6, log: true };
        let names: Vec<String> = scale.log_ticks().into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["1", "10", "100", "1k", "10k", "100k", "1M"]);
    }
}
