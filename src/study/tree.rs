//! A textbook Monte Carlo tree search, to be read beside You's thesis (Algorithm 1 in 3.1.1).
//!
//! Search the tree for a leaf, expand it, sample a playout, update the tree; one thread, no reuse, no priors. What his
//! chapters vary are the second value of a child ([`second`](super::second)), its weight ([`mix`]) and the
//! root's values ([`gauss`](super::gauss)); what Hsu's and Baudis' slides and Lew's chapter 3 vary are the expansion,
//! several playouts from a leaf, random children, and Coulom's backup. The engine's own tree is in `search`.
//!
//! N(s) is the sum of N(s, a): the visits that a node had until it got children, six of GoYui's, are not in it.

use super::child::Child;
use super::gauss::Gauss;
use super::komi::Band;
use super::mix;
use super::policy::{policy, sensible};
use super::prior::{Believer, Prior};
use super::second::{Pairs, Sum, manhattan, winrate};
use super::settings::{Amaf, Expansion, RootValue, Second, Settings, Unvisited};
use crate::board::Board;
use crate::game::Game;
use crate::playout::{DynPolicy, Limits};
use crate::types::{Color, Move, Point, PointMap, Rng};
use std::iter::repeat_n;

/// A position whose moves are in the tree.
#[derive(Clone, Debug)]
struct Node {
    visits: u32,
    children: Vec<Child>,
    pairs: Option<Pairs>,
}

/// The search of one position.
pub struct Tree {
    settings: Settings,
    nodes: Vec<Node>,
    start: Board,
    komi: f32,
    policy: Box<dyn DynPolicy>,
    limits: Limits,
    rng: Rng,
    gauss: Option<Gauss>,
    believer: Option<Believer>,
    band: Band,
    root_rave: PointMap<Sum>,
    board: Board,
    path: Vec<(usize, usize)>,
    trace: Vec<(Color, Point)>,
    /// Who played at a point below the node that is updated: a bit for each colour.
    seen: PointMap<u8>,
}

impl Tree {
    /// The tree of a position, with the moves that are legal there (superko included) and fill no eye.
    pub fn new(game: &Game, settings: Settings, seed: u64) -> Tree {
        let start = game.board().clone();
        let (size, color) = (start.size(), start.to_play());
        let mut rng = Rng::new(seed);
        let mut children = children(&start, &mut rng);
        children.retain(|child| game.is_legal(Move::new(color, child.point)));
        if children.is_empty() {
            children.push(Child::new(Point::PASS, &mut rng));
        }
        let mut believer = (settings.prior != Prior::None).then(|| Believer::new(&settings));
        if let Some(believer) = &mut believer {
            believer.imagine(&start, &mut children);
        }
        let gauss = (settings.root == RootValue::Gauss).then(|| {
            let kernel = |i: usize, j: usize| {
                // One standard deviation of a mean is a quarter: most moves win 25 to 75 % of playouts.
                manhattan(children[i].point, children[j].point, size) / 16.0
            };
            Gauss::new(children.len(), kernel, 0.25)
        });
        let pairs = (settings.second == Second::Weighted).then(|| Pairs::new(size));
        Tree {
            policy: policy(&settings, (game.handicap() > 0).then_some(Color::Black)),
            band: Band::new(settings.komi_low, settings.komi_high),
            limits: Limits::for_size(size),
            nodes: vec![Node { visits: 0, children, pairs }],
            board: start.clone(),
            komi: game.total_komi(),
            path: Vec::new(),
            trace: Vec::new(),
            seen: PointMap::filled(0),
            root_rave: PointMap::filled(Sum::default()),
            settings,
            start,
            rng,
            gauss,
            believer,
        }
    }

    /// The moves of the root.
    pub fn moves(&self) -> &[Child] {
        &self.nodes[0].children
    }

    /// Visits of the root.
    pub fn visits(&self) -> u32 {
        self.nodes[0].visits
    }

    /// Searches until the root has as many visits as there are playouts; `watch` sees every one.
    pub fn run(&mut self, mut watch: impl FnMut(&Tree)) {
        while self.visits() < self.settings.playouts {
            self.simulate();
            watch(self);
        }
    }

    /// The move with the most visits; among those at the limit of visits, any.
    pub fn best(&mut self) -> usize {
        let limit = self.settings.visit_limit;
        let moves = &self.nodes[0].children;
        let full: Vec<usize> =
            (0..moves.len()).filter(|&i| limit > 0 && moves[i].visits >= limit).collect();
        if full.len() > 1 {
            return full[self.rng.below(full.len() as u32) as usize];
        }
        let most = (0..moves.len()).max_by_key(|&i| moves[i].visits);
        most.unwrap_or(0)
    }

    fn simulate(&mut self) {
        self.board.copy_from(&self.start);
        self.path.clear();
        self.trace.clear();
        let mut at = 0;
        let over = loop {
            let index = self.choose(at);
            let point = self.nodes[at].children[index].point;
            self.path.push((at, index));
            self.trace.push((self.board.to_play(), point));
            let over =
                point.is_pass() && self.board.last_move().is_pass() && self.board.move_count() > 0;
            self.board.play_legal(point);
            if over {
                break true;
            }
            match self.nodes[at].children[index].node {
                Some(below) => at = below,
                None => break false,
            }
        };
        if !over {
            self.expand();
        }
        let (leaf, depth) = (self.board.clone(), self.trace.len());
        for _ in 0..self.settings.leaf {
            self.trace.truncate(depth);
            self.board.copy_from(&leaf);
            let score = match over {
                true => self.board.area_score(),
                false => {
                    let Tree { policy, board, rng, trace, .. } = self;
                    policy.play_recorded(board, rng, self.limits, trace).score
                }
            };
            // What Black must win by: komi, and what the player to move has been asked for.
            let burden = self.band.burden * self.start.to_play().sign() as f32;
            let black_won = score as f32 > self.komi + burden;
            self.band.add(black_won == (self.start.to_play() == Color::Black));
            self.update(black_won);
        }
    }

    /// Gives the leaf at the end of the path children, if it is time.
    fn expand(&mut self) {
        let Some(&(at, index)) = self.path.last() else { return };
        let parent = &self.nodes[at];
        let visits = parent.children[index].visits + 1;
        let due = match self.settings.expansion {
            Expansion::Visits => visits >= self.settings.expand,
            Expansion::All => true,
            // Chosen at least twice as often as a child that is chosen at random.
            Expansion::Transition => {
                visits > 1 && visits as usize * parent.children.len() >= 2 * parent.visits as usize
            }
        };
        if !due {
            return;
        }
        let mut below = children(&self.board, &mut self.rng);
        if let Some(believer) = &mut self.believer {
            believer.imagine(&self.board, &mut below);
        }
        let pairs =
            (self.settings.second == Second::Weighted).then(|| Pairs::new(self.board.size()));
        self.nodes.push(Node { visits: 0, children: below, pairs });
        let new = self.nodes.len() - 1;
        self.nodes[at].children[index].node = Some(new);
    }

    /// The child to search: the largest mixed value plus UCB1's term (3.10).
    fn choose(&mut self, at: usize) -> usize {
        let count = self.nodes[at].children.len();
        if self.settings.epsilon > 0.0 && self.rng.unit() < self.settings.epsilon {
            return self.rng.below(count as u32) as usize;
        }
        let node = &self.nodes[at];
        let limit = self.settings.visit_limit;
        let open = |child: &Child| limit == 0 || child.visits < limit;
        let any_open = node.children.iter().any(open);
        let mut best = (0, f64::NEG_INFINITY);
        for (index, child) in node.children.iter().enumerate() {
            if any_open && !open(child) {
                continue;
            }
            let value = self.urgency(at, index, child);
            if value > best.1 {
                best = (index, value);
            }
        }
        best.0
    }

    fn urgency(&self, at: usize, index: usize, child: &Child) -> f64 {
        let settings = &self.settings;
        let parent = self.nodes[at].visits;
        let explore = |visits: f64| {
            settings.exploration * (2.0 * f64::from(parent.max(1)).ln() / visits).sqrt()
        };
        if child.visits == 0 {
            return match settings.unvisited {
                Unvisited::First => 1e6 + child.noise,
                Unvisited::Second => {
                    let value = match child.prior.weight > 0.0 {
                        true => mix::mixed(settings, &child.evidence(parent)),
                        false => child.second.mean().unwrap_or(1.0),
                    };
                    value + explore(1.0) + 1e-6 * child.noise
                }
            };
        }
        let value = match &self.gauss {
            Some(gauss) if at == 0 => 0.5 + gauss.mean(index),
            _ => mix::mixed(settings, &child.evidence(parent)),
        };
        value + explore(child.weight())
    }

    /// Adds a result to all nodes of the path, the last one first.
    fn update(&mut self, black_won: bool) {
        self.seen.fill(0);
        for index in (self.path.len()..self.trace.len()).rev() {
            self.see(index);
        }
        for depth in (0..self.path.len()).rev() {
            let (at, index) = self.path[depth];
            let (color, point) = self.trace[depth];
            self.see(depth);
            let result = f64::from(u8::from(black_won == (color == Color::Black)));
            let node = &mut self.nodes[at];
            node.visits += 1;
            let child = &mut node.children[index];
            child.visits += 1;
            child.wins += result;
            if at == 0 {
                if let Some(gauss) = &mut self.gauss {
                    gauss.observe(index, result - 0.5);
                }
                if self.settings.second == Second::RootRave {
                    let bit = 1 << color.index();
                    for point in self.start.points().filter(|&point| self.seen[point] & bit != 0) {
                        self.root_rave[point].add(1.0, result);
                    }
                }
            }
            self.update_second(at, index, color, result);
            if self.settings.mix == mix::Mix::BmaMany {
                let size = self.start.size();
                for child in &mut self.nodes[at].children {
                    child.third.add(manhattan(child.point, point, size), result);
                }
            }
            if self.settings.coulom > 0.0 && depth > 0 {
                self.back_up(at, self.path[depth - 1]);
            }
        }
    }

    /// Notes a move of the simulation; they come last one first.
    fn see(&mut self, index: usize) {
        let (color, point) = self.trace[index];
        let bit = 1 << color.index();
        match self.settings.amaf {
            Amaf::First => self.seen[point] = bit,
            Amaf::Any => self.seen[point] |= bit,
        }
    }

    /// The second values of a node after a visit by its child `index`.
    fn update_second(&mut self, at: usize, index: usize, color: Color, result: f64) {
        let (seen, bit) = (&self.seen, 1 << color.index());
        let node = &mut self.nodes[at];
        let (made, rate, visits) = {
            let child = &node.children[index];
            (child.point, child.mean(), f64::from(child.visits))
        };
        if let Some(pairs) = &mut node.pairs {
            let by_each = |point: Point| repeat_n(point, seen[point].count_ones() as usize);
            let played: Vec<Point> = self.start.points().flat_map(by_each).collect();
            pairs.add(&played);
        }
        let (size, rave) = (self.start.size(), &self.root_rave);
        let pairs = &node.pairs;
        for child in &mut node.children {
            let occurred = seen[child.point] & bit != 0;
            let weight = match self.settings.second {
                Second::Rave => f64::from(u8::from(occurred)),
                // The move made has always occurred, so 4.32 asks for the other one only.
                Second::RaveKernel => f64::from(u8::from(occurred && seen[made] & bit != 0)),
                Second::Manhattan => manhattan(child.point, made, size),
                Second::Winrate => winrate(child.mean(), rate),
                Second::RootRave => rave[child.point].mean().unwrap_or(1.0),
                Second::Weighted if occurred => {
                    pairs.as_ref().map_or(1.0, |pairs| pairs.count(child.point, made)) / visits
                }
                Second::Weighted => 0.0,
            };
            child.second.add(weight, result);
        }
    }

    /// The value of a node between its mean and its best move, for the move that leads to it (Coulom).
    fn back_up(&mut self, at: usize, above: (usize, usize)) {
        let node = &self.nodes[at];
        let visits = f64::from(node.visits);
        let mean = node.children.iter().map(|child| child.wins).sum::<f64>() / visits;
        let visited = node.children.iter().filter(|child| child.visits > 0);
        let best = visited.map(Child::mean).fold(0.0, f64::max);
        let value = coulom(mean, best, visits, self.settings.coulom);
        self.nodes[above.0].children[above.1].backed = Some(1.0 - value);
    }
}

/// Mean and maximum, half each at `half` visits.
fn coulom(mean: f64, best: f64, visits: f64, half: f64) -> f64 {
    let share = visits / (visits + half);
    (1.0 - share) * mean + share * best
}

/// The legal moves that fill no eye, or a pass if there are none.
fn children(board: &Board, rng: &mut Rng) -> Vec<Child> {
    let mut moves: Vec<Child> = sensible(board).map(|point| Child::new(point, rng)).collect();
    if moves.is_empty() {
        moves.push(Child::new(Point::PASS, rng));
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::super::mix::Mix;
    use super::*;
    use crate::game::Rules;

    fn search(settings: Settings, seed: u64) -> Tree {
        let mut tree = Tree::new(&Game::new(5, Rules::CHINESE), settings, seed);
        tree.run(|_| ());
        tree
    }

    fn small() -> Settings {
        Settings { playouts: 300, ..Settings::default() }
    }

    #[test]
    fn visits_add_up_and_a_seed_repeats() {
        let tree = search(small(), 7);
        let sum: u32 = tree.moves().iter().map(|child| child.visits).sum();
        assert_eq!((sum, tree.visits()), (300, 300));
        assert!(tree.moves().iter().all(|child| child.visits > 0), "every child once");
        let visits =
            |tree: &Tree| tree.moves().iter().map(|child| child.visits).collect::<Vec<_>>();
        assert_eq!(visits(&tree), visits(&search(small(), 7)));
        assert_ne!(visits(&tree), visits(&search(small(), 8)));
    }

    #[test]
    fn a_node_is_expanded_at_its_sixth_visit() {
        let mut tree = Tree::new(&Game::new(5, Rules::CHINESE), small(), 3);
        tree.run(|tree| {
            for child in tree.moves() {
                assert_eq!(child.node.is_some(), child.visits >= 6, "{}", child.visits);
            }
        });
        assert!(tree.nodes.len() > 10);
    }

    #[test]
    fn ucb1_by_hand() {
        let mut tree = Tree::new(&Game::new(5, Rules::CHINESE), small(), 3);
        tree.nodes[0].visits = 100;
        tree.nodes[0].children[4].visits = 8;
        tree.nodes[0].children[4].wins = 6.0;
        let found = tree.urgency(0, 4, &tree.nodes[0].children[4]);
        let expected = 0.75 + 0.1 * (2.0 * 100f64.ln() / 8.0).sqrt();
        assert!((found - expected).abs() < 1e-12);
        assert_ne!(tree.choose(0), 4, "unvisited children come first");
    }

    #[test]
    fn rave_and_its_regression_give_the_same_sums() {
        let with = |second| search(Settings { mix: Mix::Hand, second, k: 100.0, ..small() }, 11);
        let (rave, kernel) = (with(Second::Rave), with(Second::RaveKernel));
        for (a, b) in rave.moves().iter().zip(kernel.moves()) {
            assert_eq!((a.second, a.visits), (b.second, b.visits));
            assert!(a.second.weight >= f64::from(a.visits), "RAVE has all visits and more");
        }
    }

    #[test]
    fn the_second_values_of_two_siblings_by_hand() {
        let mut tree = Tree::new(
            &Game::new(5, Rules::CHINESE),
            Settings { second: Second::Weighted, ..small() },
            3,
        );
        let points: Vec<Point> = tree.moves().iter().map(|child| child.point).collect();
        let mut iteration = |made: usize, later: usize, black_won| {
            tree.path = vec![(0, made)];
            tree.trace = vec![
                (Color::Black, points[made]),
                (Color::White, points[9]),
                (Color::Black, points[later]),
            ];
            tree.update(black_won);
        };
        iteration(0, 1, true); // K(1, 0) = 1, N(0) = 1: weight 1, won
        iteration(0, 1, true); // K(1, 0) = 2, N(0) = 2: weight 1, won
        iteration(1, 2, false); // K(1, 1) = 3, N(1) = 1: weight 3, lost
        let sum = tree.moves()[1].second;
        assert_eq!((sum.weight, sum.value), (5.0, 2.0));
        assert_eq!(tree.moves()[9].second, Sum::default(), "White played there");
    }

    #[test]
    fn the_root_counts_a_simulation_once_for_each_move_of_it() {
        let settings = Settings { second: Second::RootRave, ..small() };
        let mut tree = Tree::new(&Game::new(5, Rules::CHINESE), settings, 3);
        let [made, twice, taken] = [0, 1, 2].map(|index| tree.moves()[index].point);
        tree.path = vec![(0, 0)];
        // Black plays one point twice, and one that White had before.
        let (black, white) = (Color::Black, Color::White);
        tree.trace = vec![(black, made), (white, taken), (black, twice), (black, twice)];
        tree.trace.push((black, taken));
        tree.update(true);
        let counted = [made, twice, taken].map(|point| tree.root_rave[point].weight);
        assert_eq!(counted, [1.0, 1.0, 0.0], "3.5 has an indicator, and White was first");
        // A result weighs Q~(root, a) with itself counted: 1 before, 1/2 now.
        tree.trace = vec![(black, made)];
        tree.update(false);
        assert_eq!(tree.root_rave[made].mean(), Some(0.5));
        assert_eq!(tree.moves()[0].second, Sum { weight: 1.5, value: 1.0 });
    }

    #[test]
    fn no_child_has_more_visits_than_the_limit_allows() {
        let mut tree = search(Settings { visit_limit: 20, ..small() }, 5);
        assert!(tree.moves().iter().all(|child| child.visits <= 20));
        let best = tree.best();
        assert_eq!(tree.moves()[best].visits, 20);
    }

    #[test]
    fn coulom_goes_from_mean_to_maximum() {
        assert_eq!(coulom(0.4, 0.8, 0.0, 50.0), 0.4);
        assert!((coulom(0.4, 0.8, 50.0, 50.0) - 0.6).abs() < 1e-12);
        assert!(coulom(0.4, 0.8, 1e9, 50.0) > 0.799);
    }

    #[test]
    fn every_variant_searches() {
        let variants: [&[&str]; 9] = [
            &["root=gauss"],
            &["mix=bma-many"],
            &["mix=bma-gauss", "odds=10000"],
            &["mix=hand", "second=manhattan"],
            &["mix=hand", "second=winrate"],
            &["mix=hand", "second=root-rave"],
            &["coulom=50", "expansion=all"],
            &["leaf=4", "epsilon=0.2", "expansion=transition"],
            &["mix=mse", "unvisited=second", "policy=goyui"],
        ];
        for variant in variants {
            let mut settings = Settings { playouts: 200, ..Settings::default() };
            variant.iter().for_each(|text| settings.assign(text).unwrap());
            let mut tree = search(settings, 2);
            let best = tree.best();
            assert!(tree.moves()[best].visits > 0 && tree.visits() >= 200, "{variant:?}");
        }
    }
}
