//! The weight of the second value: You's mixes (3.2, 5.1 to 5.3) and Hsu's.
//!
//! A child of a node has a Monte Carlo mean Q and a second mean Q~ (RAVE, or a regression). Each mix is a function
//! beta(s, a), and the value is `(1 - beta) Q + beta Q~` (3.6). The average over more than two models (5.9, 5.10) has a
//! weight for each of them.

use super::settings::{Settings, choices};

choices! {
    /// How the values of a child are mixed.
    Mix {
        /// Monte Carlo alone.
        Mc = "mc",
        /// The hand selected schedule (3.7).
        Hand = "hand",
        /// Minimum mean squared error (3.8).
        Mse = "mse",
        /// The second value alone.
        Rave = "rave",
        /// Bayesian model averaging of binomial data (5.15).
        Bma = "bma",
        /// Bayesian model averaging of Gaussian data (5.7).
        BmaGauss = "bma-gauss",
        /// Bayesian model averaging over three models (5.9, 5.10).
        BmaMany = "bma-many",
        /// alpha = min(1, N / 10000) (Hsu, RAVE).
        Alpha = "alpha",
    }
}

/// What a child knows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evidence {
    /// N(s), the visits of the parent.
    pub parent: f64,
    /// N(s, a).
    pub visits: f64,
    /// Wins among them.
    pub wins: f64,
    /// Samples of the second value.
    pub second_visits: f64,
    /// The second value.
    pub second: f64,
    /// A third model's value.
    pub third: f64,
}

impl Evidence {
    /// Q(s, a) (3.1); there must be a visit.
    pub fn mean(&self) -> f64 {
        self.wins / self.visits
    }
}

/// ln of q^w (1 - q)^(n - w), with 0^0 = 1 (5.8).
fn log_likelihood(q: f64, wins: f64, visits: f64) -> f64 {
    let part = |count: f64, q: f64| if count > 0.0 { count * q.ln() } else { 0.0 };
    part(wins, q) + part(visits - wins, 1.0 - q)
}

/// 1 / (1 + e^x / odds): the weight of a model that is `odds` likelier a priori and e^-x likelier by the data.
fn posterior(against: f64, odds: f64) -> f64 {
    if odds <= 0.0 {
        return 0.0;
    }
    1.0 / (1.0 + (against - odds.ln()).exp())
}

/// beta(s, a), the weight of the second value.
pub fn beta(settings: &Settings, e: &Evidence) -> f64 {
    match settings.mix {
        Mix::Mc => 0.0,
        Mix::Rave => 1.0,
        Mix::Hand => (settings.k / (3.0 * e.parent + settings.k)).sqrt(),
        Mix::Mse => {
            let bias = 4.0 * e.visits * e.second_visits * settings.bias * settings.bias;
            e.second_visits / (e.visits + e.second_visits + bias)
        }
        Mix::Alpha => 1.0 - (e.visits / settings.alpha_visits).min(1.0),
        Mix::Bma => {
            let own = log_likelihood(e.mean(), e.wins, e.visits);
            let other = log_likelihood(e.second, e.wins, e.visits);
            posterior(own - other, settings.odds)
        }
        Mix::BmaGauss => {
            // The density of a model's value around the data's mean, to the power of the number of data. The
            // variance of wins and losses is q (1 - q), with one of each added so that it is never zero.
            let q = (e.wins + 1.0) / (e.visits + 2.0);
            let distance = e.second - e.mean();
            posterior(e.visits * distance * distance / (2.0 * q * (1.0 - q)), settings.odds)
        }
        Mix::BmaMany => weights(settings, e)[1],
    }
}

/// The weights of Monte Carlo, the second and the third model by the binomial average (5.9).
pub fn weights(settings: &Settings, e: &Evidence) -> [f64; 3] {
    let models = [(e.mean(), 1.0), (e.second, settings.odds), (e.third, settings.third_odds)];
    let logs = models.map(|(q, prior)| log_likelihood(q, e.wins, e.visits) + f64::ln(prior));
    let most = logs.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let shares = logs.map(|log| (log - most).exp());
    let sum: f64 = shares.iter().sum();
    shares.map(|share| share / sum)
}

/// The mixed value of a visited child (3.6, 5.10).
pub fn mixed(settings: &Settings, e: &Evidence) -> f64 {
    if settings.mix == Mix::BmaMany {
        let [own, second, third] = weights(settings, e);
        return own * e.mean() + second * e.second + third * e.third;
    }
    let beta = beta(settings, e);
    (1.0 - beta) * e.mean() + beta * e.second
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(mix: Mix) -> Settings {
        Settings { mix, ..Settings::default() }
    }

    /// Ten visits with four wins; RAVE saw 40 samples at 0.5, the third model says 0.4.
    const E: Evidence = Evidence {
        parent: 500.0,
        visits: 10.0,
        wins: 4.0,
        second_visits: 40.0,
        second: 0.5,
        third: 0.4,
    };

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9, "{a} is not {b}");
    }

    #[test]
    fn monte_carlo_and_rave_alone() {
        close(mixed(&settings(Mix::Mc), &E), 0.4);
        close(mixed(&settings(Mix::Rave), &E), 0.5);
    }

    #[test]
    fn the_hand_schedule_counts_both_alike_at_k_visits() {
        close(beta(&settings(Mix::Hand), &E), 1500f64.sqrt() / 3000f64.sqrt());
        close(beta(&settings(Mix::Hand), &Evidence { parent: 1500.0, ..E }), 0.5);
    }

    #[test]
    fn minimum_mse_by_hand() {
        // 40 / (10 + 40 + 4 * 10 * 40 * 0.01) = 40 / 66.
        close(beta(&Settings { bias: 0.1, ..settings(Mix::Mse) }, &E), 40.0 / 66.0);
        close(beta(&Settings { bias: 0.0, ..settings(Mix::Mse) }, &E), 0.8);
    }

    #[test]
    fn alpha_by_hand() {
        close(beta(&settings(Mix::Alpha), &E), 0.999);
        close(beta(&settings(Mix::Alpha), &Evidence { visits: 20_000.0, ..E }), 0.0);
    }

    #[test]
    fn binomial_averages_by_hand() {
        // alpha_MC = 0.4^4 0.6^6, alpha_RAVE = 0.5^10, even odds: 5.21.
        let (own, rave) = (0.4f64.powi(4) * 0.6f64.powi(6), 0.5f64.powi(10));
        let even = Settings { odds: 1.0, ..settings(Mix::Bma) };
        close(beta(&even, &E), rave / (own + rave));
        assert!(beta(&even, &E) < 0.5, "with even priors Monte Carlo has more weight");
        let hundred = settings(Mix::Bma);
        close(beta(&hundred, &E), 100.0 * rave / (own + 100.0 * rave));
        // A RAVE value that the data exclude has no weight; one that agrees has its prior.
        close(beta(&hundred, &Evidence { second: 0.0, ..E }), 0.0);
        close(beta(&hundred, &Evidence { second: 0.4, ..E }), 100.0 / 101.0);
        // Wins alone: 1^2 against 0.5^2.
        let wins = Evidence { visits: 2.0, wins: 2.0, ..E };
        close(beta(&even, &wins), 0.25 / 1.25);
    }

    #[test]
    fn gaussian_averages_by_hand() {
        // q = 5/12, variance 35/144, exponent 10 * 0.01 / (70/144).
        let exponent: f64 = 0.1 * 144.0 / 70.0;
        let odds = 10_000.0;
        let gauss = Settings { odds, ..settings(Mix::BmaGauss) };
        close(beta(&gauss, &E), 1.0 / (1.0 + exponent.exp() / odds));
    }

    #[test]
    fn an_average_over_three_models_by_hand() {
        let many = Settings { odds: 2.0, third_odds: 3.0, ..settings(Mix::BmaMany) };
        let (own, rave) = (0.4f64.powi(4) * 0.6f64.powi(6), 0.5f64.powi(10));
        let sum = own + 2.0 * rave + 3.0 * own;
        let expected = [own / sum, 2.0 * rave / sum, 3.0 * own / sum];
        weights(&many, &E).iter().zip(expected).for_each(|(&found, there)| close(found, there));
        close(mixed(&many, &E), 0.4 * (expected[0] + expected[2]) + 0.5 * expected[1]);
        // Without a third model it is the average over two.
        let two = Settings { third_odds: 0.0, odds: 100.0, ..settings(Mix::BmaMany) };
        close(mixed(&two, &E), mixed(&settings(Mix::Bma), &E));
    }
}
