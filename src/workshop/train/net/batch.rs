//! One step's gradient: a batch in parts that several threads may learn, with the same sum whoever did.

use super::backward::{Gradient, Pupil, Turn, Turned};
use super::data::{Looker, Sample};
use super::loss::{Errors, Weights};
use super::session::Material;
use crate::knowledge::net::{Network, Shape};
use crate::types::Rng;
use fearless_simd::Level;

/// What a pass learns from.
#[derive(Clone, Copy)]
pub(super) enum Lesson {
    /// A judged position.
    Judged(usize),
    /// A position of a game.
    Played(usize),
}

/// A lesson with all that chance decides about it, so that it does not matter who learns it when.
pub(super) struct Draw {
    pub(super) lesson: Lesson,
    pub(super) symmetry: usize,
    pub(super) seed: u64,
}

/// Into so many parts a batch is divided, whatever the number of threads: the sums of the parts are
/// added in their order, so the network does not depend on who computed them.
pub(super) const PARTS: usize = 4;

/// Memory to learn a part of a batch with.
pub(super) struct Part {
    pupil: Pupil,
    looker: Looker,
    pub(super) gradient: Gradient,
    pub(super) errors: Errors,
}

impl Part {
    pub(super) fn new(shape: &Shape) -> Part {
        Part {
            pupil: Pupil::new(shape, Level::new()),
            looker: Looker::default(),
            gradient: Gradient::new(shape),
            errors: Errors::default(),
        }
    }

    /// The gradient and the errors of these lessons.
    fn learn(
        &mut self,
        network: &Network,
        turned: &Turned,
        material: &Material,
        weights: &Weights,
        draws: &[Draw],
    ) {
        self.gradient.clear();
        let made: Vec<Option<Sample>> = draws
            .iter()
            .map(|draw| match draw.lesson {
                Lesson::Judged(_) => None,
                Lesson::Played(index) => {
                    material.games[index].sample(&mut Rng::new(draw.seed), &mut self.looker)
                }
            })
            .collect();
        let turns: Vec<Turn> = draws
            .iter()
            .zip(&made)
            .filter_map(|(draw, made)| match draw.lesson {
                Lesson::Judged(index) => Some((&material.samples[index], draw.symmetry)),
                Lesson::Played(_) => made.as_ref().map(|sample| (sample, draw.symmetry)),
            })
            .collect();
        self.errors = self.pupil.learn(network, turned, &turns, weights, &mut self.gradient);
    }
}

/// Learns a batch on so many threads; the sums are in the first part then.
pub(super) fn learn_batch(
    parts: &mut [Part],
    threads: usize,
    network: &Network,
    material: &Material,
    weights: &Weights,
    draws: &[Draw],
) {
    let turned = &Turned::new(network);
    let share = draws.len().div_ceil(parts.len());
    let mut work: Vec<(&mut Part, &[Draw])> = parts.iter_mut().zip(draws.chunks(share)).collect();
    let used = work.len();
    let each = used.div_ceil(threads);
    let learn = |work: &mut [(&mut Part, &[Draw])]| {
        work.iter_mut().for_each(|(part, draws)| {
            part.learn(network, turned, material, weights, draws);
        });
    };
    match threads {
        1 => learn(&mut work),
        _ => std::thread::scope(|scope| {
            for work in work.chunks_mut(each) {
                scope.spawn(|| learn(work));
            }
        }),
    }
    let (first, others) = parts[..used].split_at_mut(1);
    for other in others {
        first[0].gradient.add(&other.gradient);
        first[0].errors.add(&other.errors);
    }
}
