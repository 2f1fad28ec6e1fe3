//! Adam with decoupled decay: every parameter moves by the mean of its gradient over the root of
//! the mean of its square.

/// How the step changes during a training, and what holds it back.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// The largest step.
    pub rate: f32,
    /// Steps in all.
    pub steps: u64,
    /// Part of every weight that is lost in a step of size 1.
    pub decay: f32,
}

/// Steps in which the rate rises to its full size.
const WARM_UP: u64 = 300;
/// Longer gradients are shortened to this.
const LONGEST: f32 = 2.0;
const MEAN: f32 = 0.9;
const SQUARE: f32 = 0.999;

impl Schedule {
    /// The rate of a step: a short rise, level for the first half, then a straight line down. So
    /// the first half of a training does not depend on how long it will be, and an interrupted one
    /// may go on for more passes or fewer.
    pub fn rate(&self, step: u64) -> f32 {
        let rise = ((step + 1) as f32 / WARM_UP as f32).min(1.0);
        let left = self.steps.saturating_sub(step) as f32 / self.steps.max(1) as f32;
        self.rate * rise * (2.0 * left).min(1.0)
    }
}

/// The state of the optimizer: two numbers for every parameter.
#[derive(Clone, Debug)]
pub struct Adam {
    /// Steps made.
    pub step: u64,
    /// Means of the gradients.
    pub means: Vec<f32>,
    /// Means of their squares.
    pub squares: Vec<f32>,
}

impl Adam {
    /// Before the first step.
    pub fn new(parameters: usize) -> Adam {
        Adam { step: 0, means: vec![0.0; parameters], squares: vec![0.0; parameters] }
    }

    /// One step along a gradient that is a sum over `count` positions.
    pub fn step(
        &mut self,
        parameters: &mut [f32],
        gradient: &[f32],
        count: usize,
        schedule: &Schedule,
    ) {
        let rate = schedule.rate(self.step);
        self.step += 1;
        let length = gradient.iter().map(|g| f64::from(*g).powi(2)).sum::<f64>().sqrt() as f32;
        let length = length / count as f32;
        let scale = if length > LONGEST { LONGEST / length } else { 1.0 } / count as f32;
        let power = |base: f32| base.powi(self.step.min(100_000) as i32);
        let (first, second) = (1.0 - power(MEAN), 1.0 - power(SQUARE));
        let numbers = parameters.iter_mut().zip(gradient);
        let state = self.means.iter_mut().zip(&mut self.squares);
        for ((parameter, gradient), (mean, square)) in numbers.zip(state) {
            let gradient = gradient * scale;
            *mean += (1.0 - MEAN) * (gradient - *mean);
            *square += (1.0 - SQUARE) * (gradient * gradient - *square);
            let change = (*mean / first) / ((*square / second).sqrt() + 1e-8);
            *parameter -= rate * (change + schedule.decay * *parameter);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_bottom_of_a_bowl() {
        let schedule = Schedule { rate: 0.05, steps: 3000, decay: 0.0 };
        let target = [3.0f32, -2.0, 0.5];
        let mut numbers = [0.0f32; 3];
        let mut adam = Adam::new(3);
        for _ in 0..3000 {
            let gradient: Vec<f32> =
                numbers.iter().zip(target).map(|(n, t)| 8.0 * (n - t)).collect();
            adam.step(&mut numbers, &gradient, 4, &schedule);
        }
        assert!(numbers.iter().zip(target).all(|(n, t)| (n - t).abs() < 1e-3), "{numbers:?}");
        assert!(schedule.rate(0) < 0.001 && schedule.rate(3000) < 1e-6);
        assert!(schedule.rate(1400) == 0.05 && schedule.rate(2250) == 0.025);
    }
}
