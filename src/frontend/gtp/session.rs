//! A GTP session: the loop, and the state that commands share.

use super::command::{self, Call, Command, Listing, Reply};
use super::graphics::Live;
use super::input::{Inbox, Line, Until};
use super::output::Output;
use super::parse;
use super::person;
use super::think::Remembered;
use crate::engine::Engine;
use crate::game::{Game, Rules};
use crate::logging::Chatter;
use crate::params::{Overrides, PassMode, asks_for_seed, random_seed};
use crate::rank::{Rank, RankPlayer, Skill};
use crate::search::{Limit, Partner, Request};
use crate::time::Clock;
use crate::types::{Color, Move};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// How a session is set up.
#[derive(Clone, Default)]
pub struct Settings {
    /// Changed parameters.
    pub overrides: Overrides,
    /// The rules that were asked for; those of a loaded record, or the usual ones, if None.
    pub rules: Option<Rules>,
    /// The komi that was asked for; that of a loaded record, or the usual one of rules and size, if None.
    pub komi: Option<f32>,
    /// The rank to play like; full strength if None.
    pub rank: Option<Rank>,
    /// How a player of the rank chooses; the rank's own way if None.
    pub skill: Option<Skill>,
    /// What `name` answers.
    pub name: Option<String>,
    /// What `version` answers.
    pub version: Option<String>,
    /// Offer `kgs-chat`.
    pub kgs_chat: bool,
    /// Tell gtp2ogs about every move.
    pub malkovich: bool,
    /// A person types the commands: mistakes get advice.
    pub person: bool,
}

/// A GTP session.
pub struct Session {
    pub(super) engine: Engine,
    /// Who chooses the moves if not the engine.
    pub(super) player: Option<RankPlayer>,
    pub(super) settings: Settings,
    pub(super) inbox: Inbox,
    pub(super) output: Output,
    pub(super) chatter: Chatter,
    pub(super) clock: Clock,
    /// The opponent's name, if the client told it.
    pub(super) opponent: Option<String>,
    pub(super) live: Live,
    /// The last search, for commands that show it.
    pub(super) remembered: Option<Remembered>,
    /// What was thought about the last move generated.
    pub(super) explanation: String,
    /// The position to think about while the opponent does.
    pub(super) pondering: Option<u64>,
    pub(super) quit: bool,
    /// Strict passing was asked for: rules given by their name leave it so.
    pub(super) strict_passing: bool,
    broken: bool,
}

impl Session {
    /// A session at the start of a 19x19 game.
    pub fn new(settings: Settings, inbox: Inbox, output: Output, chatter: Chatter) -> Session {
        let mut session = Session {
            engine: Engine::new(settings.overrides.clone()),
            player: None,
            settings,
            inbox,
            output,
            chatter,
            clock: Clock::default(),
            opponent: None,
            live: Live::default(),
            remembered: None,
            explanation: String::new(),
            pondering: None,
            quit: false,
            strict_passing: false,
            broken: false,
        };
        session.strict_passing = session.passes_strictly();
        session.set_rank(session.settings.rank);
        session.new_game(19);
        session
    }

    /// Lets others take part in the searches, or nobody.
    pub fn set_partner(&mut self, partner: Option<Box<dyn Partner>>) {
        self.engine.set_partner(partner);
    }

    /// Executes commands until `quit`, the end of the input, or a closed output.
    pub fn run(&mut self) {
        while !self.quit && !self.broken {
            self.ponder();
            let Some(line) = self.inbox.next() else {
                break;
            };
            self.execute(&line);
        }
        self.chatter.flush();
    }

    fn execute(&mut self, line: &Line) {
        let Some(parsed) = parse::parse(&line.bytes) else {
            return;
        };
        log::debug!(target: "gtp", "> {}", String::from_utf8_lossy(line.bytes.trim_ascii()));
        if line.too_long {
            let limit = crate::input::MAX_LINE >> 20;
            let refusal = Err(format!("the line is longer than {limit} MB"));
            let written = self.output.respond(&parsed.id, &refusal);
            self.note(written);
            return;
        }
        let mut call = Call {
            id: &parsed.id,
            args: &parsed.args,
            arrived: line.arrived,
            interrupted: line.interrupted,
            streaming: false,
        };
        let reply = match self.find(&parsed.name) {
            Some(command) => self.guarded(|session| (command.run)(session, &mut call)),
            None => Err(person::unknown_command(self, &parsed.name)),
        };
        let written = match (&reply, call.streaming) {
            (Ok(last) | Err(last), true) => self.output.end_stream(last),
            (reply, false) => self.output.respond(call.id, reply),
        };
        self.note(written);
    }

    /// A bug costs one answer, not the game: the engine is made anew from the game.
    fn guarded(&mut self, run: impl FnOnce(&mut Session) -> Reply) -> Reply {
        let guarded = catch_unwind(AssertUnwindSafe(|| run(self)));
        self.inbox.end();
        guarded.unwrap_or_else(|_| {
            let game = self.engine.game().clone();
            let partner = self.engine.set_partner(None);
            self.engine = Engine::new(self.settings.overrides.clone());
            self.engine.set_partner(partner);
            self.engine.set_game(game);
            self.set_rank(self.settings.rank);
            self.forget();
            Err("internal error".to_owned())
        })
    }

    /// Thinks on the opponent's time, until there is input or enough is known.
    fn ponder(&mut self) {
        let Some(situation) = self.pondering else {
            return;
        };
        if !self.inbox.is_idle() {
            return;
        }
        if situation == self.engine.game().situation() {
            let limit = self.analysis_limit();
            let _ = self.guarded(|session| {
                let color = session.engine.game().board().to_play();
                let request = Request { limit, ..Request::default() };
                let interrupt = session.inbox.begin(Until::Anything, Instant::now());
                let report = session.engine.analyze(color, &request, &interrupt, &mut |_| ());
                log::debug!("pondered {} playouts", report.playouts);
                Ok(String::new())
            });
        }
        if self.inbox.is_idle() || situation != self.engine.game().situation() {
            self.pondering = None;
        }
    }

    /// How far to analyze or ponder.
    pub(super) fn analysis_limit(&self) -> Limit {
        let caps = &self.engine.params().analysis;
        let time = Duration::from_secs_f64(caps.max_time);
        Limit { visits: Some(caps.max_visits), maximum: Some(time), ..Limit::default() }
    }

    /// Finds a command that this session offers.
    pub(super) fn find(&self, name: &str) -> Option<&'static Command> {
        command::all().find(|command| command.name == name && self.offers(command))
    }

    fn offers(&self, command: &Command) -> bool {
        command.listing != Listing::KgsChat || self.settings.kgs_chat
    }

    /// The commands to tell of.
    pub(super) fn listed(&self) -> impl Iterator<Item = &'static Command> + use<'_> {
        command::all().filter(|command| command.listing != Listing::Hidden && self.offers(command))
    }

    /// An empty board of this size; komi, rules and time settings stay, the clock starts anew.
    pub(super) fn new_game(&mut self, size: usize) {
        let mut game = Game::new(size, self.settings.rules.unwrap_or_default());
        if let Some(komi) = self.settings.komi {
            game.set_komi(komi);
        }
        self.replace_game(game);
        self.clock.restart();
    }

    /// Goes on with another game.
    pub(super) fn replace_game(&mut self, game: Game) {
        self.engine.set_game(game);
        self.forget();
        self.explanation.clear();
        self.clock.pause();
    }

    /// Plays a move that somebody else chose.
    pub(super) fn play(&mut self, play: Move, at: Instant) -> Result<(), String> {
        self.engine.play(play).map_err(|_| "illegal move".to_owned())?;
        self.clock.end(play.color, at, false);
        Ok(())
    }

    /// Takes back moves.
    pub(super) fn undo(&mut self, moves: usize) -> Reply {
        if !self.engine.undo(moves) {
            return Err("cannot undo".to_owned());
        }
        self.clock.pause();
        self.pondering = None;
        Ok(String::new())
    }

    /// Changes the rules for this game and those to come.
    pub(super) fn set_rules(&mut self, rules: Rules) {
        let game = self.engine.game();
        // A komi that is not the usual one is that of a record.
        let is_usual = game.komi() == game.rules().usual_komi(self.size());
        self.settings.rules = Some(rules);
        self.engine.set_rules(rules);
        if self.settings.komi.is_none() && is_usual {
            self.engine.set_komi(rules.usual_komi(self.size()));
        }
        self.forget();
    }

    /// Changes komi for this game and those to come.
    pub(super) fn set_komi(&mut self, komi: f32) {
        self.settings.komi = Some(komi);
        self.engine.set_komi(komi);
        self.forget();
    }

    /// Changes a parameter for this game and those to come.
    pub(super) fn set_param(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.change_param(name, value)?;
        if name == "pass.mode" {
            self.strict_passing = self.passes_strictly();
        }
        Ok(())
    }

    /// Changes how to pass with the rules.
    pub(super) fn set_passing(&mut self, friendly: bool) -> Result<(), String> {
        self.change_param("pass.mode", if friendly { "friendly" } else { "strict" })
    }

    /// Do all stones count, so that dead ones are captured before a pass?
    pub(super) fn passes_strictly(&self) -> bool {
        self.engine.params().pass.mode == PassMode::Strict
    }

    fn change_param(&mut self, name: &str, value: &str) -> Result<(), String> {
        let drawn = asks_for_seed(name, value).then(|| random_seed().to_string());
        if let Some(seed) = &drawn {
            log::info!("seed {seed}");
        }
        let value = drawn.as_deref().unwrap_or(value);
        self.engine.set_param(name, value).map_err(|error| error.to_string())?;
        self.settings.overrides.insert(name, value).map_err(|error| error.to_string())?;
        self.set_rank(self.settings.rank);
        self.forget();
        Ok(())
    }

    /// Plays like a person of a rank from now on, or at full strength.
    pub(super) fn set_rank(&mut self, rank: Option<Rank>) {
        self.settings.rank = rank;
        let Settings { overrides, skill, .. } = &self.settings;
        self.player = rank.map(|rank| RankPlayer::new(rank, overrides).with_skill(*skill));
        self.pondering = None;
    }

    /// The position or the way to judge it has changed: what was found does not hold any more.
    pub(super) fn forget(&mut self) {
        self.remembered = None;
        self.pondering = None;
    }

    /// Points per side.
    pub(super) fn size(&self) -> usize {
        self.engine.game().size()
    }

    /// The player on turn.
    pub(super) fn to_play(&self) -> Color {
        self.engine.game().board().to_play()
    }

    /// Begins a response that comes line by line.
    pub(super) fn begin_stream(&mut self, call: &mut Call) {
        call.streaming = true;
        let written = self.output.begin_stream(call.id);
        self.note(written);
    }

    /// Nobody reads the output any more if writing failed.
    pub(super) fn note(&mut self, written: io::Result<()>) {
        self.broken |= written.is_err();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session() -> Session {
        let mut settings = Settings::default();
        settings.overrides.add("search.playouts=5").unwrap();
        settings.overrides.add("search.memory=1").unwrap();
        settings.overrides.add("search.threads=1").unwrap();
        let output = Output::new(Box::new(io::sink()));
        Session::new(settings, Inbox::read(io::empty()), output, Chatter::silent())
    }

    #[test]
    fn a_panic_costs_one_answer_and_not_the_game() {
        let mut session = session();
        session.new_game(9);
        session.set_komi(3.5);
        let play = Move::parse_gtp("b E5", 9).unwrap();
        session.play(play, Instant::now()).unwrap();
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let reply = session.guarded(|_| panic!("a bug"));
        std::panic::set_hook(hook);
        assert_eq!(reply, Err("internal error".to_owned()));
        assert_eq!(session.engine.game().moves(), [play]);
        assert_eq!(session.engine.game().komi(), 3.5);
        assert_eq!(session.engine.params().search.playouts, 5);
        let again = session.guarded(|session| session.undo(1));
        assert_eq!(again, Ok(String::new()));
    }

    #[test]
    fn list_and_dispatch_agree_and_nothing_unwanted_is_listed() {
        let mut session = session();
        let listed: Vec<&str> = session.listed().map(|command| command.name).collect();
        let mut unique = listed.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), listed.len(), "a name twice");
        for name in &listed {
            assert_eq!(session.find(name).map(|command| command.name), Some(*name));
        }
        for unwanted in ["analyze", "genmove_analyze", "kgs-chat", "gogui-rules_board_size"] {
            assert!(!listed.contains(&unwanted), "{unwanted}");
        }
        assert!(session.find("kgs-chat").is_none() && session.find("analyze").is_some());
        session.settings.kgs_chat = true;
        assert!(session.listed().any(|command| command.name == "kgs-chat"));
    }

    #[test]
    fn the_clock_starts_anew_with_every_game_and_settings_stay() {
        use crate::time::{Left, TimeSystem};
        let mut session = session();
        let main = Duration::from_secs(60);
        session.clock.set_system(TimeSystem::Absolute { main });
        session.clock.set_left(Color::Black, Duration::from_secs(3), 0, Instant::now());
        session.new_game(13);
        assert_eq!(session.clock.left(Color::Black), Left::Main(main));
        session.set_rules(Rules::JAPANESE);
        assert_eq!(session.engine.game().komi(), 6.5, "the usual one");
        session.set_komi(0.5);
        session.set_rules(Rules::CHINESE);
        session.new_game(9);
        assert_eq!(session.engine.game().komi(), 0.5);
        assert_eq!(session.engine.game().rules(), Rules::CHINESE);
    }
}
