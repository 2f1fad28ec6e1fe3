//! The engine: a game, a searcher and the parameters. All that GTP and the command line know.

use crate::game::{Game, PlayError, Rules, SetupError, Standing};
use crate::params::{Overrides, ParamError, Params};
use crate::search::{Interrupt, Limit, Report, Request, Search};
use crate::types::{Color, Move, Point};
use std::time::Duration;

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
    /// Why.
    pub report: Report,
}

/// A player of Go.
pub struct Engine {
    game: Game,
    search: Search,
    overrides: Overrides,
    params: Params,
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
        let report = self.search(color, request, interrupt, watch);
        let choice = report.candidates.first().map_or(Point::PASS, |best| best.point);
        Decision { choice: Choice::Play(choice), report }
    }

    /// Chooses a move for a colour like [`Engine::generate`], but does not pass while stones of the
    /// opponent are dead and still on the board: they are captured first.
    pub fn clean_up(
        &mut self,
        color: Color,
        request: &Request,
        interrupt: &Interrupt,
        watch: &mut dyn FnMut(&Report),
    ) -> Decision {
        let mut decision = self.generate(color, request, interrupt, watch);
        if decision.choice == Choice::Play(Point::PASS) {
            let dead = self.standing().dead;
            let board = self.game.board();
            let dead_beside = |point: Point| {
                let is_dead = |p: &Point| board.is_stone(*p, !color) && dead.contains(*p);
                point.neighbors().iter().any(is_dead)
            };
            let is_useful = |point: &Point| {
                dead_beside(*point)
                    && self.game.is_legal(Move::new(color, *point))
                    && !request.avoid.contains(point)
            };
            if let Some(point) = board.empty_points().iter().copied().find(is_useful) {
                decision.choice = Choice::Play(point);
            }
        }
        decision
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
        self.search(color, &request, interrupt, watch)
    }

    fn search(
        &mut self,
        color: Color,
        request: &Request,
        interrupt: &Interrupt,
        watch: &mut dyn FnMut(&Report),
    ) -> Report {
        if color == self.game.board().to_play() {
            return self.search.run(&self.game, request, interrupt, watch);
        }
        // The game itself keeps its turn, and with it the ko.
        let mut game = self.game.clone();
        game.set_to_play(color);
        self.search.run(&game, request, interrupt, watch)
    }

    /// Which stones are dead or in seki.
    pub fn standing(&mut self) -> Standing {
        Standing::as_it_stands()
    }
}
