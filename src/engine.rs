//! The engine: a game, a searcher and the parameters. All that GTP and the command line know.

use crate::endings::{self, Action, Assessment, Manner, Resigner};
use crate::game::{Game, PlayError, Rules, SetupError, Standing};
use crate::params::{Overrides, ParamError, Params};
use crate::search::{Interrupt, Limit, Report, Request, Search};
use crate::tactics::is_bad_self_atari;
use crate::types::{Color, Hash, Move, Point};
use std::time::{Duration, Instant};

/// Share of a limited time that is kept for the assessment once the board is filling up.
const ASSESSMENT_SHARE: f64 = 0.15;

/// A move that the end of the game asks for is checked with one in so many of the search's
/// playouts.
const CHECK_SHARE: u64 = 4;
/// The least playouts of such a check.
const CHECK_PLAYOUTS: u64 = 100;

/// What the engine wants to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Play here, or pass.
    Play(Point),
    /// Give up.
    Resign,
}

/// A choice and what the search found.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What to do.
    pub choice: Choice,
    /// What the search found.
    pub report: Report,
    /// Why it passes, or does not although it was asked to or thought of it.
    pub note: Option<String>,
}

/// A player of Go.
pub struct Engine {
    game: Game,
    search: Search,
    overrides: Overrides,
    params: Params,
    resigner: Resigner,
    /// The last assessment and the situation it is of.
    assessed: Option<(Hash, Assessment)>,
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
            resigner: Resigner::default(),
            assessed: None,
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
        self.search = Search::new(self.params.clone(), self.game.size());
        self.resigner = Resigner::default();
        self.assessed = None;
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
        self.search = Search::new(self.params.clone(), self.game.size());
        self.assessed = None;
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
        let report = self.search.run(&game, &request, interrupt, watch);
        let resigns = self.resigner.consider(&report, &game, &self.params.resign);
        let best = report.candidates.first().map_or(Point::PASS, |best| best.point);
        let last = game.moves().last();
        let asked = last.is_some_and(|last| last.color != color && last.point.is_pass());
        let ending = asked
            || best.is_pass()
            || manner == Manner::Cleanup
            || endings::looks_settled(&game, &report);
        // When all moves win or all lose, the search does not mind breaking up a seki.
        let doubtful = !ending && is_bad_self_atari(game.board(), color, best);
        let assessment = (ending || doubtful).then(|| self.assess_game(&game, deadline));
        let mut choice = best;
        let mut note = None;
        if let Some(assessment) = assessment
            && (ending || assessment.is_beside_seki(best))
        {
            let plan = endings::plan(&game, &report, &assessment, manner);
            choice = match plan.action {
                Action::Pass => Point::PASS,
                Action::Play(point) => point,
                Action::CaptureDead => {
                    let params = &self.params;
                    endings::capture_move(&game, &assessment, params, deadline)
                        .unwrap_or(Point::PASS)
                }
            };
            // After the opponent's pass the game ends by counting, which is not the search's.
            if choice != best
                && !best.is_pass()
                && !asked
                && manner != Manner::Cleanup
                && self.is_mistake(&game, choice, &report, interrupt, deadline)
            {
                log::info!(target: "pass", "the search needs {best} more than {choice}");
                choice = best;
            }
            let passes = choice.is_pass();
            let verb = if passes { "pass" } else { "no pass" };
            let said = format!("{verb}: {}", plan.reason);
            if passes || asked || best.is_pass() {
                log::info!(target: "pass", "{said}");
                note = Some(said);
            }
        }
        // Who can pass on a counted board has no need to resign.
        let choice =
            if resigns && !choice.is_pass() { Choice::Resign } else { Choice::Play(choice) };
        Decision { choice, report, note }
    }

    /// Is a move, or a pass, clearly worse than the search's own choice when the search looks at it
    /// alone? It sees the one defence that keeps a territory, which counts as owned already.
    fn is_mistake(
        &mut self,
        game: &Game,
        choice: Point,
        report: &Report,
        interrupt: &Interrupt,
        deadline: Option<Instant>,
    ) -> bool {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()) / 2);
        let playouts = (report.playouts / CHECK_SHARE).max(CHECK_PLAYOUTS);
        let limit =
            Limit { playouts: Some(playouts), planned: left, maximum: left, ..Limit::default() };
        let request =
            Request { limit, allow: vec![choice], exhaustive: true, ..Request::default() };
        let check = self.search.run(game, &request, interrupt, &mut |_| ());
        let Some(only) = check.candidates.first().filter(|only| only.visits > 0) else {
            return true;
        };
        let deviation = (only.winrate * (1.0 - only.winrate) / only.visits as f64).sqrt();
        only.winrate + 2.0 * deviation + self.params.pass.concession < report.winrate
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

    /// Searches without choosing, until the limit or the interrupt.
    pub fn analyze(
        &mut self,
        color: Color,
        request: &Request,
        interrupt: &Interrupt,
        watch: &mut dyn FnMut(&Report),
    ) -> Report {
        let request = Request { exhaustive: true, ..request.clone() };
        self.search.run(&self.game_for(color), &request, interrupt, watch)
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
        let game = self.game.clone();
        self.assess_game(&game, deadline)
    }

    fn assess_game(&mut self, game: &Game, deadline: Option<Instant>) -> Assessment {
        let situation = game.situation();
        if let Some((of, known)) = &self.assessed
            && *of == situation
        {
            return known.clone();
        }
        let assessment = endings::assess(game, &self.params, deadline);
        if deadline.is_none_or(|deadline| Instant::now() < deadline) {
            self.assessed = Some((situation, assessment.clone()));
        }
        assessment
    }
}
