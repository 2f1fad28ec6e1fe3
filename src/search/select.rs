//! Which child to search next:
//!
//! ```text
//! argmax_a (1 - beta) Q + beta Q~ + c1 sqrt(log N / n) + bias(s, a, n)
//! ```
//!
//! Q is the child's own mean, prior visits included; Q~ its RAVE mean; beta that of the minimum mean
//! squared error (You section 3.2.2); the bias is Progressive Bias (Lew section 3.3.2), the PUCT form
//! of Xiao (section 3.4) or, where the network is asked, that of AlphaGo. The other mixes of You's thesis are in the study of the papers.

use super::node::{Node, WIN};
use crate::params::{Bias, Mix, SearchParams, ValueParams};

/// The formula with its constants.
#[derive(Clone, Debug)]
pub(super) struct Selector {
    mix: Mix,
    inverse_equivalence: f32,
    exploration: f32,
    first_play_urgency: f32,
    bias: Bias,
    bias_weight: f32,
    bias_cut: f32,
    widen_start: usize,
    widen_log_factor: f32,
}

/// What the choice among siblings depends on beside the siblings.
struct Parent {
    log_visits: f32,
    sqrt_visits: f32,
}

impl Parent {
    fn new(selector: &Selector, visits: u32) -> Parent {
        let visits = visits as f32;
        let log_visits = match selector.exploration > 0.0 || selector.bias == Bias::Puct {
            true => (visits + 1.0).ln(),
            false => 0.0,
        };
        // Before the first visit the expectation alone decides: it must not be multiplied by zero.
        Parent { log_visits, sqrt_visits: visits.max(1.0).sqrt() }
    }
}

impl Selector {
    /// The formula with the constants of the parameters.
    pub(super) fn new(params: &SearchParams) -> Selector {
        Selector {
            mix: params.mix,
            inverse_equivalence: 1.0 / params.rave_equivalence as f32,
            exploration: params.exploration as f32,
            first_play_urgency: params.first_play_urgency as f32,
            bias: params.bias,
            bias_weight: params.bias_weight as f32,
            bias_cut: params.bias_cut as f32,
            widen_start: params.widen_start as usize,
            widen_log_factor: (params.widen_factor as f32).ln(),
        }
    }

    /// The formula of a search that asks the network: RAVE knows less than it does.
    pub(super) fn judged(params: &SearchParams, value: &ValueParams) -> Selector {
        Selector {
            mix: Mix::Mc,
            bias: Bias::AlphaGo,
            bias_weight: value.exploration as f32,
            ..Selector::new(params)
        }
    }

    /// The index of the best child that is allowed. None if there is none.
    #[inline]
    pub(super) fn best(
        &self,
        parent_visits: u32,
        children: &[Node],
        criticality: impl Fn(&Node) -> f32,
        allowed: impl Fn(&Node) -> bool,
    ) -> Option<usize> {
        let parent = Parent::new(self, parent_visits);
        let mut best = None;
        let mut best_value = f32::NEG_INFINITY;
        for (index, child) in
            children[..self.width(parent_visits, children.len())].iter().enumerate()
        {
            let value = self.urgency(&parent, child, criticality(child));
            if value > best_value && allowed(child) {
                best_value = value;
                best = Some(index);
            }
        }
        best
    }

    /// How many children (they are sorted by prior) are considered at this many visits.
    fn width(&self, visits: u32, children: usize) -> usize {
        if self.widen_start == 0 {
            return children;
        }
        let more = (visits as f32 + 1.0).ln() / self.widen_log_factor;
        children.min(self.widen_start + more as usize)
    }

    #[inline(always)]
    fn urgency(&self, parent: &Parent, child: &Node, criticality: f32) -> f32 {
        let (prior_visits, prior_value) = child.prior();
        let own = child.visits() as f32;
        let visits = own + prior_visits;
        let wins = child.wins() as f32 * (1.0 / WIN as f32) + prior_visits * prior_value;
        let (mut rave_visits, mut rave_wins) = child.rave();
        if criticality > 0.0 {
            rave_visits += criticality;
            rave_wins += criticality;
        }
        let mixed = if rave_visits + visits <= 0.0 {
            self.first_play_urgency
        } else if rave_visits <= 0.0 {
            wins / visits
        } else if visits <= 0.0 {
            if self.mix == Mix::Mc { self.first_play_urgency } else { rave_wins / rave_visits }
        } else {
            let (value, rave) = (wins / visits, rave_wins / rave_visits);
            let beta = self.beta(visits, rave_visits);
            value + beta * (rave - value)
        };
        let mut urgency = mixed;
        if self.exploration > 0.0 {
            urgency += self.exploration * (parent.log_visits / (own + 1.0)).sqrt();
        }
        match self.bias {
            Bias::None => {}
            Bias::Progressive => urgency += self.bias_weight * child.probability() / (own + 1.0),
            Bias::Puct => {
                let probability = child.probability().max(self.bias_cut);
                urgency +=
                    self.bias_weight * probability * (parent.log_visits / (own + 1.0)).sqrt();
            }
            Bias::AlphaGo => {
                urgency +=
                    self.bias_weight * child.probability() * parent.sqrt_visits / (own + 1.0);
            }
        }
        urgency
    }

    /// The weight of the RAVE value.
    #[inline(always)]
    fn beta(&self, visits: f32, rave_visits: f32) -> f32 {
        match self.mix {
            Mix::Mse => {
                rave_visits
                    / (rave_visits + visits + visits * rave_visits * self.inverse_equivalence)
            }
            Mix::Mc => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::{NewChild, RAVE_UNIT};
    use super::*;
    use crate::params::Params;
    use crate::types::Point;

    fn selector(settings: &[(&str, &str)]) -> Selector {
        let mut params = Params::for_size(9);
        for (name, value) in settings {
            params.set(name, value).unwrap();
        }
        Selector::new(&params.search)
    }

    fn child(visits: u32, wins: u32, rave: (u32, u32), probability: f32) -> Node {
        let node = Node::default();
        let point = Point::new(1, 1);
        node.plant(&NewChild { point, prior_visits: 0.0, prior_value: 0.0, probability });
        (0..visits).for_each(|i| node.add_result(if i < wins { WIN } else { 0 }, 0, 0));
        (0..rave.0).for_each(|i| node.add_rave(RAVE_UNIT, if i < rave.1 { WIN } else { 0 }));
        node
    }

    fn value(settings: &[(&str, &str)], parent: u32, node: &Node) -> f32 {
        let selector = selector(settings);
        selector.urgency(&Parent::new(&selector, parent), node, 0.0)
    }

    const PLAIN: [(&str, &str); 2] = [("search.bias", "none"), ("search.exploration", "0")];

    fn with<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        PLAIN.iter().chain(more).copied().collect()
    }

    #[test]
    fn mixes_follow_their_formulas() {
        let node = child(100, 60, (400, 120), 0.0); // Q = 0.6, Q~ = 0.3
        let at = |mix| value(&with(&[("search.mix", mix)]), 900, &node);
        assert!((at("mc") - 0.6).abs() < 1e-5);
        let params = Params::for_size(9).search;
        let beta = 400.0 / (500.0 + 40_000.0 / params.rave_equivalence);
        assert!((f64::from(at("mse")) - (0.6 - 0.3 * beta)).abs() < 1e-4);
    }

    #[test]
    fn the_bias_of_rave_may_be_as_small_as_a_millionth() {
        // b = 1e-6 is 1 / (4 b^2) = 2.5e11 visits: all that counts is the number of visits.
        let node = child(100, 60, (400, 120), 0.0);
        let found = value(&with(&[("search.rave_equivalence", "2.5e11")]), 900, &node);
        assert!((found - (0.6 - 0.3 * 0.8)).abs() < 1e-5, "{found}");
    }

    #[test]
    fn bias_and_exploration_fade_with_visits() {
        let node = child(3, 0, (0, 0), 0.5);
        let progressive = with(&[("search.bias", "progressive"), ("search.bias_weight", "2")]);
        assert!((value(&progressive, 10, &node) - 0.25).abs() < 1e-5);
        let puct = with(&[("search.bias", "puct"), ("search.bias_weight", "1")]);
        let expected = 0.5 * ((11f32).ln() / 4.0).sqrt();
        assert!((value(&puct, 10, &node) - expected).abs() < 1e-5);
        let alphago = with(&[("search.bias", "alphago"), ("search.bias_weight", "1")]);
        assert!((value(&alphago, 10, &node) - 0.5 * 10f32.sqrt() / 4.0).abs() < 1e-5);
        let ucb = [("search.bias", "none"), ("search.exploration", "0.7")];
        let expected = 0.7 * ((11f32).ln() / 4.0).sqrt();
        assert!((value(&ucb, 10, &node) - expected).abs() < 1e-5);
    }

    #[test]
    fn the_first_visit_goes_to_the_move_that_is_expected() {
        let selector = selector(&with(&[("search.bias", "alphago"), ("search.bias_weight", "1")]));
        let children = [0.1, 0.6, 0.3].map(|probability| child(0, 0, (0, 0), probability));
        assert_eq!(selector.best(0, &children, |_| 0.0, |_| true), Some(1));
    }

    #[test]
    fn unvisited_children_get_the_first_play_urgency() {
        let node = child(0, 0, (0, 0), 0.0);
        let urgent = with(&[("search.first_play_urgency", "1.1")]);
        assert!((value(&urgent, 10, &node) - 1.1).abs() < 1e-6);
    }

    #[test]
    fn widening_hides_the_tail() {
        let settings = with(&[("search.widen_start", "2"), ("search.widen_factor", "2")]);
        let selector = selector(&settings);
        assert_eq!(selector.width(0, 50), 2);
        assert_eq!(selector.width(15, 50), 6);
        assert_eq!(selector.width(1000, 5), 5);
        let children =
            [child(5, 0, (0, 0), 0.0), child(5, 1, (0, 0), 0.0), child(5, 5, (0, 0), 0.0)];
        assert_eq!(selector.best(0, &children, |_| 0.0, |_| true), Some(1));
        assert_eq!(selector.best(15, &children, |_| 0.0, |_| true), Some(2));
        assert_eq!(selector.best(15, &children, |_| 0.0, |_| false), None);
    }
}
