//! When to stop: limits, interrupts, decided searches; and what else happens between playouts.

use super::dynkomi::ExtraKomi;
use super::node::Node;
use super::stats::Totals;
use super::worker::Shared;
use super::{Interrupt, Limit, Task};
use crate::params::Params;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Playouts between two looks at whether the search is decided.
const LOOK_EVERY: u64 = 32;
/// Playouts between two adjustments of dynamic komi.
const ADJUST_EVERY: u64 = 100;

/// Watches over a search; called by the first thread after each of its playouts.
pub(super) struct Control<'a> {
    limit: Limit,
    early_stop: bool,
    /// May an unsettled search take longer than planned?
    overspend: bool,
    interrupt: &'a Interrupt,
    begin: Instant,
    report_every: Option<Duration>,
    reported: Instant,
    calls: u64,
    adjusted: Totals,
    /// Visits that others have told since the begin.
    told: u64,
}

impl<'a> Control<'a> {
    pub(super) fn new(params: &Params, task: &Task<'a>) -> Control<'a> {
        let limit = task.request.limit;
        // Whoever asks for playouts gets them all, unless the time that is planned ends first.
        let by_time = limit.playouts.is_none() && limit.visits.is_none();
        Control {
            limit,
            early_stop: params.search.early_stop
                && !task.request.exhaustive
                && by_time
                && limit.planned.is_some(),
            overspend: by_time && limit.maximum.is_some(),
            interrupt: task.interrupt,
            begin: task.begin,
            report_every: task.request.report_every,
            reported: task.begin,
            calls: 0,
            adjusted: Totals::default(),
            told: 0,
        }
    }

    /// Notes what others have found: the search is decided by the sum.
    pub(super) fn note_others(&mut self, told: u64, shared: &Shared) {
        self.told = told;
        let visits = u64::from(shared.storage.node(shared.root).visits());
        if self.limit.visits.is_some_and(|limit| visits >= limit) {
            shared.stop.store(true, Relaxed);
        }
    }

    /// Ends the search if it is time, adjusts the komi, and reports.
    pub(super) fn between_playouts(
        &mut self,
        shared: &Shared,
        extra: Option<&mut ExtraKomi>,
        report: impl FnOnce(&Totals, u64),
    ) {
        self.calls += 1;
        let elapsed = self.begin.elapsed();
        let playouts = shared.begun.load(Relaxed);
        if self.interrupt.is_raised() || self.is_over(shared, playouts, elapsed) {
            shared.stop.store(true, Relaxed);
            return;
        }
        if let Some(extra) = extra
            && extra.is_situational()
            && self.calls.is_multiple_of(ADJUST_EVERY)
        {
            self.adjust(shared, extra);
        }
        if let Some(every) = self.report_every
            && self.reported + every <= self.begin + elapsed
        {
            self.reported = self.begin + elapsed;
            report(&shared.stats.totals(), playouts);
        }
    }

    fn is_over(&self, shared: &Shared, playouts: u64, elapsed: Duration) -> bool {
        if self.limit.maximum.is_some_and(|maximum| elapsed >= maximum) {
            return true;
        }
        let planned_over = self.limit.planned.is_some_and(|planned| elapsed >= planned);
        if planned_over && !self.overspend {
            return true;
        }
        if !self.calls.is_multiple_of(LOOK_EVERY) {
            return false;
        }
        let standing = Standing::of(shared);
        if planned_over {
            return standing.is_settled;
        }
        self.early_stop && self.remaining(playouts + self.told, elapsed) < standing.lead
    }

    /// Playouts that are still to come in the planned time.
    fn remaining(&self, playouts: u64, elapsed: Duration) -> u64 {
        self.limit.planned.map_or(u64::MAX, |planned| {
            let rate = playouts as f64 / elapsed.as_secs_f64().max(1e-6);
            (rate * planned.saturating_sub(elapsed).as_secs_f64()) as u64
        })
    }

    fn adjust(&mut self, shared: &Shared, extra: &mut ExtraKomi) {
        let now = shared.stats.totals();
        let playouts = (now.playouts - self.adjusted.playouts) as f64;
        if playouts < 1.0 {
            return;
        }
        let black = (now.black_wins_shifted - self.adjusted.black_wins_shifted) / playouts;
        let score = (now.score - self.adjusted.score) / playouts;
        let sign = f64::from(shared.board.to_play().sign());
        let winrate = if sign > 0.0 { black } else { 1.0 - black };
        if extra.adjust(winrate, score * sign) {
            shared.extra_komi.store((2.0 * extra.value()).round() as i32, Relaxed);
        }
        self.adjusted = now;
    }
}

/// How the moves at the root stand.
struct Standing {
    /// Visits by which the first move leads the second.
    lead: u64,
    /// Is the most visited move also the one with the best value?
    is_settled: bool,
}

impl Standing {
    fn of(shared: &Shared) -> Standing {
        let children = shared.storage.children(shared.storage.node(shared.root));
        let allowed = children.iter().filter(|child| !shared.banned[child.point()]);
        let (mut first, mut second): (Option<&Node>, u32) = (None, 0);
        for child in allowed.clone() {
            let visits = child.visits();
            if first.is_none_or(|first| visits > first.visits()) {
                second = first.map_or(0, Node::visits);
                first = Some(child);
            } else {
                second = second.max(visits);
            }
        }
        let Some(first) = first else { return Standing { lead: u64::MAX, is_settled: true } };
        let known = |child: &&Node| u64::from(child.visits()) * 20 > u64::from(first.visits());
        let best_value = allowed.filter(known).map(Node::value).fold(0.0, f64::max);
        Standing {
            lead: u64::from(first.visits().saturating_sub(second)),
            is_settled: first.value() >= best_value - 0.005,
        }
    }
}
