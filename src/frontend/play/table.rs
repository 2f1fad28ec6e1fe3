//! The game of a person and the engine: what commands do.

use super::command::{Command, Side, help};
use super::drawing::{self, Style, Territory};
use super::strength::Strength;
use crate::engine::{Choice, Engine};
use crate::frontend::gtp::info::{for_black, visited};
use crate::game::sgf::Record;
use crate::game::{Game, Rules, Score, fixed_handicap, max_fixed_handicap};
use crate::input;
use crate::params::Overrides;
use crate::rank::RankPlayer;
use crate::search::{Interrupt, Limit, Report, Request};
use crate::types::{Color, Move, Point, PointMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long the engine looks at a position to give advice.
const ADVICE: Duration = Duration::from_millis(1000);
/// Owners from which on a point is drawn as somebody's while the game goes on.
const OWNED: f32 = 0.5;
/// Moves of an expected continuation that a hint tells.
const TOLD: usize = 4;

/// How games begin.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Points per side.
    pub size: usize,
    /// Rules.
    pub rules: Rules,
    /// White's compensation, if it is not the usual one.
    pub komi: Option<f32>,
    /// Handicap stones.
    pub handicap: usize,
    /// Who plays what.
    pub side: Side,
    /// The engine's strength.
    pub strength: Strength,
}

/// What a command leads to.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// Something to say.
    Say(String),
    /// The same, and the board has changed.
    Changed(String),
    /// The person leaves.
    Leave,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Ending {
    Resigned(Color),
    Counted(Score),
}

/// A game and its players.
pub struct Table {
    engine: Engine,
    overrides: Overrides,
    /// Who plays in the engine's place.
    player: Option<RankPlayer>,
    setup: Setup,
    ending: Option<Ending>,
    /// Owners to draw once.
    territory: Option<Territory>,
    /// The file of this game, which may be written again.
    saved: Option<PathBuf>,
    style: Style,
    interrupt: Interrupt,
}

impl Table {
    /// A new game with an engine of these parameters, the strength among them.
    pub fn new(
        overrides: Overrides,
        setup: Setup,
        style: Style,
        interrupt: Interrupt,
    ) -> Result<Table, String> {
        let engine = Engine::new(overrides.clone());
        let player = setup.strength.player(&overrides);
        let (ending, territory, saved) = (None, None, None);
        let mut table =
            Table { engine, overrides, player, setup, ending, territory, saved, style, interrupt };
        table.begin()?;
        Ok(table)
    }

    /// The board size, for reading points.
    pub fn size(&self) -> usize {
        self.engine.game().size()
    }

    /// What stands before the cursor.
    pub fn prompt(&self) -> String {
        match self.ending {
            Some(_) => "new, undo or quit> ".to_owned(),
            None => format!("{}> ", self.to_play()),
        }
    }

    fn to_play(&self) -> Color {
        self.engine.game().board().to_play()
    }

    fn begin(&mut self) -> Result<(), String> {
        let Setup { size, rules, handicap, .. } = self.setup;
        let mut game = Game::new(size, rules);
        if handicap > 0 {
            let stones = fixed_handicap(size, handicap).ok_or_else(|| no_handicap(size))?;
            game.place_handicap(&stones).map_err(|error| error.to_string())?;
            game.set_komi(0.5);
        }
        if let Some(komi) = self.setup.komi {
            game.set_komi(komi);
        }
        self.engine.set_game(game);
        (self.ending, self.territory, self.saved) = (None, None, None);
        Ok(())
    }

    /// Must the engine move now?
    pub fn is_engines_turn(&self) -> bool {
        self.ending.is_none() && self.setup.side == Side::Person(!self.to_play())
    }

    /// The engine moves; says what it did.
    pub fn engine_moves(&mut self) -> String {
        let color = self.to_play();
        let decision = match &mut self.player {
            Some(player) => {
                let (game, request) = (self.engine.game(), Request::default());
                player.decide(game, color, false, &request, &self.interrupt)
            }
            None => {
                let request = Request { limit: self.engine.default_limit(), ..Request::default() };
                self.engine.generate(color, &request, &self.interrupt, &mut |_| ())
            }
        };
        match decision.choice {
            Choice::Resign => {
                self.ending = Some(Ending::Resigned(color));
                format!("tengen resigns: {} wins. {AFTER}", color.opponent())
            }
            Choice::Play(point) => {
                if self.engine.play(Move::new(color, point)).is_err() {
                    // The engine searches legal moves only; a pass always is one.
                    let _ = self.engine.play(Move::new(color, Point::PASS));
                }
                let said = match point {
                    Point::PASS => "tengen passes.".to_owned(),
                    point => format!("tengen plays {point}."),
                };
                self.count_if_over(said)
            }
        }
    }

    /// After two passes the game is counted.
    fn count_if_over(&mut self, said: String) -> String {
        if !self.engine.game().is_over() {
            return said;
        }
        let standing = self.engine.standing();
        let game = self.engine.game();
        let score = game.score(&standing);
        let dead: Vec<Point> =
            game.board().points().filter(|&point| standing.dead.contains(point)).collect();
        let result = match score.0 {
            0.0 => "nobody wins, the game is a draw".to_owned(),
            points if points > 0.0 => format!("Black wins by {points} points"),
            points => format!("White wins by {} points", -points),
        };
        let removed = match dead.len() {
            0 => String::new(),
            1 => ", one dead stone taken off".to_owned(),
            count => format!(", {count} dead stones taken off"),
        };
        self.territory = Some(Territory { owners: game.owners(&standing), dead });
        self.ending = Some(Ending::Counted(score));
        format!("{said} Both passed: {result}{removed}. {AFTER}")
    }

    /// Does what was typed.
    pub fn execute(&mut self, command: Command) -> Result<Reply, String> {
        let say = |text: String| Ok(Reply::Say(text));
        match command {
            Command::Nothing => say(String::new()),
            Command::Play(point) => self.play(point),
            Command::Undo => self.undo(),
            Command::Hint => self.hint().map(Reply::Say),
            Command::Score => Ok(Reply::Changed(self.score())),
            Command::Resign => self.resign(),
            Command::Save(file, overwrite) => self.save(file, overwrite).map(Reply::Say),
            Command::Load(file) => self.load(&file),
            Command::New => {
                self.begin()?;
                Ok(Reply::Changed("A new game.".to_owned()))
            }
            Command::Size(size) => self.next_game(|setup| {
                setup.handicap = setup.handicap.min(max_fixed_handicap(size));
                setup.size = size;
                format!("{size}x{size}")
            }),
            Command::Handicap(stones) => {
                let size = self.setup.size;
                if stones > 0 && fixed_handicap(size, stones).is_none() {
                    return Err(no_handicap(size));
                }
                self.next_game(|setup| {
                    setup.handicap = stones;
                    format!("{stones} handicap stones")
                })
            }
            Command::Komi(komi) => {
                self.must_go_on()?;
                self.setup.komi = Some(komi);
                self.engine.set_komi(komi);
                Ok(Reply::Changed(format!("The komi is {komi}.")))
            }
            Command::Color(side) => {
                self.setup.side = side;
                Ok(Reply::Changed(match side {
                    Side::Both => "You play both colours.".to_owned(),
                    Side::Person(color) => format!("You play {color}."),
                }))
            }
            Command::Level(text) => self.level(&text).map(Reply::Say),
            Command::Board => Ok(Reply::Changed(String::new())),
            Command::Help => say(help()),
            Command::Quit => Ok(Reply::Leave),
        }
    }

    fn play(&mut self, point: Point) -> Result<Reply, String> {
        self.must_go_on()?;
        let play = Move::new(self.to_play(), point);
        self.engine.play(play).map_err(|error| format!("{point}: {error}"))?;
        Ok(Reply::Changed(self.count_if_over(String::new()).trim_start().to_owned()))
    }

    fn must_go_on(&self) -> Result<(), String> {
        match self.ending {
            Some(_) => Err(format!("The game is over. {AFTER}")),
            None => Ok(()),
        }
    }

    fn undo(&mut self) -> Result<Reply, String> {
        if let Some(Ending::Resigned(color)) = self.ending
            && self.setup.side != Side::Person(!color)
        {
            self.ending = None;
            return Ok(Reply::Changed("You play on.".to_owned()));
        }
        let moves = self.engine.game().moves();
        let count = match self.setup.side {
            Side::Both => 1,
            Side::Person(own) => {
                let last = moves.iter().rposition(|play| play.color == own);
                last.map_or(usize::MAX, |last| moves.len() - last)
            }
        };
        if !self.engine.undo(count) {
            return Err("There is no move of yours to take back.".to_owned());
        }
        (self.ending, self.territory) = (None, None);
        let moves = if count == 1 { "move" } else { "moves" };
        Ok(Reply::Changed(format!("{count} {moves} taken back.")))
    }

    fn resign(&mut self) -> Result<Reply, String> {
        self.must_go_on()?;
        let color = self.to_play();
        self.ending = Some(Ending::Resigned(color));
        Ok(Reply::Changed(format!("You resign: {} wins. {AFTER}", color.opponent())))
    }

    /// What a short search at full strength finds.
    fn look(&mut self) -> Report {
        let limit = Limit { planned: Some(ADVICE), maximum: Some(ADVICE), ..Limit::default() };
        let request = Request { limit, ..Request::default() };
        self.engine.analyze(self.to_play(), &request, &self.interrupt, &mut |_| ())
    }

    fn hint(&mut self) -> Result<String, String> {
        self.must_go_on()?;
        let report = self.look();
        let line = |candidate: &crate::search::Candidate| {
            let name = |point: &Point| point.to_string();
            let then: Vec<String> =
                candidate.variation.iter().skip(1).take(TOLD).map(name).collect();
            let percent = 100.0 * candidate.winrate;
            format!("  {:<4} wins {percent:.0} %, then {}", candidate.point, then.join(" "))
        };
        let lines: Vec<String> = visited(&report).take(3).map(line).collect();
        Ok(format!("tengen would play:\n{}", lines.join("\n")))
    }

    fn score(&mut self) -> String {
        if self.ending.is_some() {
            return self.result_in_words();
        }
        let report = self.look();
        let (winrate, lead) = for_black(&report);
        let board = self.engine.game().board();
        let mut owners = PointMap::filled(None);
        for point in board.points() {
            owners[point] = match report.ownership[point] {
                owner if owner > OWNED => Some(Color::Black),
                owner if owner < -OWNED => Some(Color::White),
                _ => None,
            };
        }
        let is_dead = |&point: &Point| {
            let stone = board.cell(point).color();
            stone.is_some() && owners[point] == stone.map(Color::opponent)
        };
        let dead = board.points().filter(is_dead).collect();
        self.territory = Some(Territory { owners, dead });
        let ahead = if lead >= 0.0 { "Black" } else { "White" };
        let chance = 100.0 * if lead >= 0.0 { winrate } else { 1.0 - winrate };
        let points = lead.abs();
        format!("{ahead} leads by about {points:.1} points; its chances are {chance:.0} %.")
    }

    fn result_in_words(&self) -> String {
        match self.ending {
            None => String::new(),
            Some(Ending::Counted(score)) => format!("The result is {score}."),
            Some(Ending::Resigned(color)) => format!("{} won by resignation.", color.opponent()),
        }
    }

    fn level(&mut self, text: &str) -> Result<String, String> {
        let strength = Strength::parse(text).map_err(|error| error.to_string())?;
        for (name, value) in strength.settings() {
            self.engine.set_param(name, &value).map_err(|error| error.to_string())?;
        }
        self.player = strength.player(&self.overrides);
        self.setup.strength = strength;
        Ok(format!("tengen plays at {}.", strength.describe()))
    }

    /// Changes how the next game begins, which is at once if nothing was played yet.
    fn next_game(&mut self, change: impl FnOnce(&mut Setup) -> String) -> Result<Reply, String> {
        let what = change(&mut self.setup);
        if !self.engine.game().moves().is_empty() {
            return Ok(Reply::Say(format!("{what} from the next game on; `new` begins it.")));
        }
        self.begin()?;
        Ok(Reply::Changed(format!("{what}.")))
    }

    fn save(&mut self, file: PathBuf, overwrite: bool) -> Result<String, String> {
        let file = if file.extension().is_none() { file.with_extension("sgf") } else { file };
        let name = file.display().to_string();
        input::check_writable(&file).map_err(|error| error.to_string())?;
        if file.exists() && !overwrite && self.saved.as_ref() != Some(&file) {
            return Err(format!("'{name}' exists already: `save {name} overwrite` replaces it."));
        }
        let mut record = self.engine.game().to_record();
        let player = |color| self.player(color).to_owned();
        record.black_name = Some(player(Color::Black));
        record.white_name = Some(player(Color::White));
        record.result = self.ending.map(|ending| match ending {
            Ending::Counted(score) => score.to_string(),
            Ending::Resigned(color) => format!("{}+R", color.opponent().letter()),
        });
        std::fs::write(&file, record.to_sgf())
            .map_err(|error| format!("cannot write '{name}': {error}"))?;
        self.saved = Some(file);
        Ok(format!("Saved as {name}."))
    }

    fn load(&mut self, file: &Path) -> Result<Reply, String> {
        let name = file.display().to_string();
        let record = Record::open_regular(file, &|| true).map_err(|error| error.to_string())?;
        let rules = record.rule_set().unwrap_or(self.setup.rules);
        let game = Game::from_record(&record, rules, None)
            .map_err(|error| format!("'{name}' cannot be played: {error}"))?;
        self.setup.size = game.size();
        let count = game.moves().len();
        self.engine.set_game(game);
        (self.ending, self.territory, self.saved) = (None, None, Some(file.to_owned()));
        let moves = if count == 1 { "move" } else { "moves" };
        let said = self.count_if_over(format!("{name}: {count} {moves}."));
        Ok(Reply::Changed(said))
    }

    fn player(&self, color: Color) -> &'static str {
        match self.setup.side {
            Side::Person(own) if own != color => "tengen",
            _ => "you",
        }
    }

    /// The board with what there is to know beside it. Owners are drawn once.
    pub fn draw(&mut self) -> Vec<String> {
        let game = self.engine.game();
        let line = |color: Color| {
            let sign = drawing::sign(color, self.style);
            let captured = game.board().prisoners(color);
            let name = match color {
                Color::Black => "Black",
                Color::White => "White",
            };
            format!("{sign} {name}: {}, captured {captured}", self.player(color))
        };
        let turn = match self.ending {
            Some(_) => self.result_in_words(),
            None => format!("Move {}: {} to play", game.moves().len() + 1, self.to_play()),
        };
        let mut beside = vec![
            turn,
            String::new(),
            line(Color::Black),
            line(Color::White),
            String::new(),
            format!("komi {}, {} rules", game.komi(), game.rules()),
            format!("tengen: {}", self.setup.strength.describe()),
        ];
        if let Some(last) = game.moves().last() {
            beside.push(format!("last move: {} {}", last.color, last.point));
        }
        let lines = drawing::board(game, self.style, self.territory.as_ref(), &beside);
        if self.ending.is_none() {
            self.territory = None;
        }
        lines
    }
}

/// What can be done when a game is over.
const AFTER: &str = "`new` begins another game, `undo` goes back into this one.";

fn no_handicap(size: usize) -> String {
    match max_fixed_handicap(size) {
        0 => format!("There is no handicap on {size}x{size}: give 0."),
        most => format!("On {size}x{size} a handicap is 2 to {most} stones, or 0."),
    }
}
