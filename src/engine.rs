//! The engine: a game, a searcher and the parameters. All that GTP and the command line know.

use crate::endings::{Assessment, Closer, Manner, Turn};
use crate::game::{Game, PlayError, Rules, SetupError, Standing};
use crate::params::{Overrides, ParamError, Params};
use crate::search::{Candidate, Interrupt, Limit, Partner, Report, Request, Search};
use crate::types::{Move, Point, Rng};
use std::time::{Duration, Instant};

pub use crate::endings::Choice;
pub use crate::types::Color;

/// Share of a limited time that is kept for the assessment once the board is filling up.
const ASSESSMENT_SHARE: f64 = 0.15;

/// A first move that is about equal has at least this share of the best one's visits: a winrate of fewer is noise.
const EQUAL_VISITS: f64 = 0.1;

/// A choice and what the search found.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What to do.
    pub choice: Choice,
    /// What the search found, as it is shown.
    pub report: Report,
    /// Why it passes, or does not although it was asked to or thought of it.
    pub note: Option<String>,
}

/// A player of Go.
///
/// ```
/// use tengen::engine::{Choice, Color, Engine};
/// use tengen::game::{Game, Rules};
/// use tengen::types::Move;
///
/// let mut engine = Engine::default();
/// engine.set_game(Game::new(9, Rules::JAPANESE));
/// if let Choice::Play(point) = engine.genmove(Color::Black, 50).choice {
///     engine.play(Move::new(Color::Black, point))?;
/// }
/// assert_eq!(engine.game().moves().len(), 1);
/// # Ok::<(), tengen::game::PlayError>(())
/// ```
pub struct Engine {
    game: Game,
    search: Search,
    overrides: Overrides,
    params: Params,
    closer: Closer,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new(Overrides::default())
    }
}

impl Engine {
    /// An engine at the start of a 19x19 game.
    pub fn new(overrides: Overrides) -> Engine {
        let params = overrides.resolve(19);
        Engine {
            game: Game::new(19, Rules::default()),
            search: Search::new(params.clone(), 19),
            overrides,
            params,
            closer: Closer::default(),
        }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Replaces the game: a new board size, a cleared board, a loaded record.
    pub fn set_game(&mut self, game: Game) {
        if game.size() != self.game.size() {
            self.params = self.overrides.resolve(game.size());
        }
        self.game = game;
        self.renew_search();
        self.closer = Closer::default();
    }

    /// Lets others take part in the searches ([`Partner`]), or nobody; gives who did so far.
    pub fn set_partner(&mut self, partner: Option<Box<dyn Partner>>) -> Option<Box<dyn Partner>> {
        self.search.set_partner(partner)
    }

    /// A search with the parameters in force; whoever takes part stays.
    fn renew_search(&mut self) {
        let mut partner = self.search.set_partner(None);
        if let Some(partner) = &mut partner {
            partner.forget();
        }
        self.search = Search::new(self.params.clone(), self.game.size());
        self.search.set_partner(partner);
    }

    /// Plays a move or a pass.
    pub fn play(&mut self, play: Move) -> Result<(), PlayError> {
        self.game.play(play)
    }

    /// Takes back moves; false if there are not so many.
    pub fn undo(&mut self, moves: usize) -> bool {
        self.game.undo(moves)
    }

    /// Sets White's compensation.
    pub fn set_komi(&mut self, komi: f32) {
        self.game.set_komi(komi);
        self.search.clear();
    }

    /// Changes the rules.
    pub fn set_rules(&mut self, rules: Rules) {
        self.game.set_rules(rules);
        self.search.clear();
    }

    /// Places handicap stones on an empty board.
    pub fn place_handicap(&mut self, points: &[Point]) -> Result<(), SetupError> {
        self.game.place_handicap(points)
    }

    /// Sets up stones on an empty board.
    pub fn set_up(&mut self, stones: &[Move], to_play: Color) -> Result<(), SetupError> {
        self.game.set_up(stones, to_play)
    }

    /// Gives the turn to a colour.
    pub fn set_to_play(&mut self, color: Color) {
        self.game.set_to_play(color);
    }

    /// The parameters in force.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Changes a parameter.
    pub fn set_param(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        self.overrides.insert(name, value)?;
        self.params = self.overrides.resolve(self.game.size());
        self.renew_search();
        self.closer.forget();
        Ok(())
    }

    /// Forgets what earlier searches found.
    pub fn clear_search(&mut self) {
        self.search.clear();
    }

    /// How long to think when there is no clock.
    pub fn default_limit(&self) -> Limit {
        match self.params.search.playouts {
            0 => {
                let time = Duration::from_secs_f64(self.params.search.time);
                Limit { planned: Some(time), maximum: Some(time), ..Limit::default() }
            }
            playouts => Limit { playouts: Some(playouts), ..Limit::default() },
        }
    }

    /// Chooses a move for a colour with so many playouts, without playing it. [`Engine::generate`] takes time limits,
    /// moves to avoid, and a watcher.
    pub fn genmove(&mut self, color: Color, playouts: u64) -> Decision {
        let limit = Limit { playouts: Some(playouts), ..Limit::default() };
        let request = Request { limit, ..Request::default() };
        self.generate(color, &request, &Interrupt::default(), &mut |_| ())
    }

    /// Chooses a move for a colour, without playing it.
    pub fn generate(
        &mut self,
        color: Color,
        request: &Request,
        interrupt: &Interrupt,
        watch: &mut dyn FnMut(&Report),
    ) -> Decision {
        let manner = Manner::Play(self.params.pass.mode);
        self.decide(color, manner, request, interrupt, watch)
    }

    /// As [`Engine::generate`], but passes only when no dead stones of the opponent are left: for
    /// `kgs-genmove_cleanup`.
    pub fn clean_up(
        &mut self,
        color: Color,
        request: &Request,
        interrupt: &Interrupt,
        watch: &mut dyn FnMut(&Report),
    ) -> Decision {
        self.decide(color, Manner::Cleanup, request, interrupt, watch)
    }

    fn decide(
        &mut self,
        color: Color,
        manner: Manner,
        request: &Request,
        interrupt: &Interrupt,
        watch: &mut dyn FnMut(&Report),
    ) -> Decision {
        let game = self.game_for(color);
        let deadline = request.limit.maximum.map(|maximum| Instant::now() + maximum);
        let request = self.leave_time(request);
        // Decisions rest on what was counted, the world sees it leaning on the visits behind it.
        let mut show = |report: &Report| watch(&report.clone().shown());
        let report = self.search.run(&game, &request, interrupt, &mut show);
        let params = &self.params;
        let turn = Turn { game: &game, report: &report, manner, params, interrupt, deadline };
        let (choice, note) = self.closer.close(&turn, &mut self.search);
        let choice = match choice {
            Choice::Play(point) => Choice::Play(self.vary_opening(&game, &report, point)),
            Choice::Resign => Choice::Resign,
        };
        Decision { choice, report: report.shown(), note }
    }

    /// One of the first moves that are about as good as the chosen one, drawn by the seed, if that is wanted.
    fn vary_opening(&self, game: &Game, report: &Report, chosen: Point) -> Point {
        let opening = &self.params.opening;
        let stones: usize = Color::BOTH.iter().map(|&c| game.board().stone_count(c)).sum();
        let most = opening.moves as usize;
        let over = game.moves().len() >= most || stones >= most + game.handicap();
        let best = report.candidates.first().filter(|best| best.point == chosen);
        let Some(best) = best.filter(|_| opening.vary && !over && !chosen.is_pass()) else {
            return chosen;
        };
        let equal = |candidate: &&Candidate| {
            !candidate.point.is_pass()
                && candidate.visits as f64 >= EQUAL_VISITS * best.visits as f64
                && candidate.winrate >= best.winrate - opening.margin
        };
        let equals: Vec<Point> = report.candidates.iter().filter(equal).map(|c| c.point).collect();
        let mut rng = Rng::new(self.params.search.seed ^ game.situation());
        equals.get(rng.below(equals.len() as u32) as usize).copied().unwrap_or(chosen)
    }

    /// Keeps some of a limited time for the assessment.
    fn leave_time(&self, request: &Request) -> Request {
        let mut request = request.clone();
        let board = self.game.board();
        let stones: usize = Color::BOTH.iter().map(|&color| board.stone_count(color)).sum();
        if 5 * stones >= 2 * self.game.size() * self.game.size() {
            let shorter = |time: Duration| time.mul_f64(1.0 - ASSESSMENT_SHARE);
            request.limit.planned = request.limit.planned.map(shorter);
            request.limit.maximum = request.limit.maximum.map(shorter);
        }
        request
    }

    /// Searches without choosing, until the limit or the interrupt. Reports are as they are shown.
    pub fn analyze(
        &mut self,
        color: Color,
        request: &Request,
        interrupt: &Interrupt,
        watch: &mut dyn FnMut(&Report),
    ) -> Report {
        let request = Request { exhaustive: true, ..request.clone() };
        let mut show = |report: &Report| watch(&report.clone().shown());
        self.search.run(&self.game_for(color), &request, interrupt, &mut show).shown()
    }

    /// The game with this colour to move. The engine's own game keeps its turn, and with it the ko.
    fn game_for(&self, color: Color) -> Game {
        let mut game = self.game.clone();
        game.set_to_play(color);
        game
    }

    /// Which stones are dead or in seki, as far as the rules care.
    pub fn standing(&mut self) -> Standing {
        if self.game.rules().removes_dead() {
            self.assess(None).standing
        } else {
            Standing::as_it_stands()
        }
    }

    /// Life and death, ownership and safe territory of the position. The same position gets the
    /// same answer, unless a deadline cuts the playouts short.
    pub fn assess(&mut self, deadline: Option<Instant>) -> Assessment {
        self.closer.assess(&self.game, &self.params, deadline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_moves(vary: bool, seeds: std::ops::Range<u64>) -> Vec<Choice> {
        let first = |seed: u64| {
            let mut overrides = Overrides::default();
            let settings = format!("search.threads=1\nsearch.memory=8\nsearch.seed={seed}");
            overrides.add_file(&settings).unwrap();
            overrides.insert("opening.vary", if vary { "true" } else { "false" }).unwrap();
            let mut engine = Engine::new(overrides);
            engine.set_game(Game::new(9, Rules::CHINESE));
            engine.genmove(Color::Black, 400).choice
        };
        seeds.map(first).collect()
    }

    #[test]
    fn openings_vary_by_the_seed_and_repeat_with_it() {
        let varied = first_moves(true, 1..13);
        assert_eq!(varied, first_moves(true, 1..13), "the same seed, the same move");
        let different = |moves: &[Choice]| {
            let mut points: Vec<String> = moves.iter().map(|m| format!("{m:?}")).collect();
            points.sort();
            points.dedup();
            points.len()
        };
        let plain = first_moves(false, 1..13);
        assert!(different(&varied) >= 3, "{varied:?}");
        assert!(different(&varied) > different(&plain), "{varied:?} {plain:?}");
    }

    #[test]
    fn what_is_not_an_opening_does_not_vary() {
        let mut overrides = Overrides::default();
        overrides
            .add_file("search.threads=1\nsearch.memory=8\nopening.vary=true\nopening.margin=1")
            .unwrap();
        let mut engine = Engine::new(overrides);
        engine.set_game(Game::new(9, Rules::CHINESE));
        for (color, column) in
            [(Color::Black, 3), (Color::White, 5), (Color::Black, 7), (Color::White, 6)]
        {
            engine.play(Move::new(color, Point::new(column, 5))).unwrap();
        }
        let decision = engine.genmove(Color::Black, 200);
        assert_eq!(decision.choice, Choice::Play(decision.report.candidates[0].point));
    }
}
