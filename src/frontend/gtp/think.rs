//! Searching for a command: how long, what to show meanwhile, what to remember.

use super::command::Call;
use super::info::{InfoFormat, for_black, rounded, vertices};
use super::input::Until;
use super::output::Output;
use super::session::Session;
use crate::endings::Assessment;
use crate::engine::{Choice, Decision};
use crate::search::{Interrupt, Limit, Report, Request};
use crate::time::Budget;
use crate::types::{Color, Move, Point};
use std::io;
use std::time::{Duration, Instant};

/// What a command that was interrupted before it began still gets, so that its move makes sense.
const MOMENT: Duration = Duration::from_millis(20);
/// The least time for a move when the clock has run out.
const INSTANT: Duration = Duration::from_millis(1);
/// The longest search for a command that only shows something.
const GLANCE: Duration = Duration::from_secs(1);
/// How often live graphics change.
const LIVE_INTERVAL: Duration = Duration::from_millis(500);
/// How often an analysis that has reached its limit repeats its last line.
const REPEAT_INTERVAL: Duration = Duration::from_secs(10);

/// A finished search.
#[derive(Clone)]
pub(super) struct Remembered {
    pub report: Report,
    situation: u64,
    moves: usize,
}

/// What to search, and what to show meanwhile.
#[derive(Clone, Default)]
pub(super) struct Task {
    /// Moves not to consider.
    pub avoid: Vec<Point>,
    /// The only moves to consider, if there are any.
    pub allow: Vec<Point>,
    /// Capture everything dead before passing.
    pub cleanup: bool,
    /// Lines to stream, and how often.
    pub stream: Option<(InfoFormat, Duration)>,
    /// Any input ends the search.
    pub cancellable: bool,
}

impl Task {
    fn request(&self, limit: Limit) -> Request {
        let stream = self.stream.as_ref();
        Request {
            limit,
            avoid: self.avoid.clone(),
            allow: self.allow.clone(),
            report_every: stream.map(|&(_, every)| every),
            moves_ownership: stream.is_some_and(|(format, _)| format.wants_moves_ownership()),
            ..Request::default()
        }
    }
}

/// Writes a line of a streamed response. If nobody can read it, nothing more is written and the search ends.
fn stream(output: &mut Output, line: &str, written: &mut io::Result<()>, interrupt: &Interrupt) {
    if !line.is_empty() && written.is_ok() {
        *written = output.stream(line);
        if written.is_err() {
            interrupt.raise();
        }
    }
}

impl Session {
    /// How long to think about a move now. Limits that the user set hold beside the clock: the
    /// search ends at whatever comes first.
    fn limit(&self, color: Color, interrupted: bool) -> Limit {
        let moment =
            |time: Duration| Limit { planned: Some(time), maximum: Some(time), ..Limit::default() };
        if interrupted {
            return moment(MOMENT);
        }
        let default = self.engine.default_limit();
        let Some(budget) = self.budget(color) else {
            return default;
        };
        let params = self.engine.params();
        let own = match self.settings.overrides.get("search.time") {
            Some(_) => Duration::from_secs_f64(params.search.time),
            None => Duration::MAX,
        };
        Limit {
            playouts: default.playouts,
            planned: Some(budget.planned.min(own).max(INSTANT)),
            maximum: Some(budget.maximum.min(own).max(INSTANT)),
            ..Limit::default()
        }
    }

    /// What the clock allows for a move now; None without a clock.
    fn budget(&self, color: Color) -> Option<Budget> {
        let (game, params) = (self.engine.game(), self.engine.params());
        let points = game.size() * game.size();
        let stones = points - game.board().empty_points().len();
        let ply = game.moves().len().max(stones);
        self.clock.budget(color, ply, points, &params.clock, Instant::now())
    }

    /// Life and death in the position. While a game is on the clock, it takes no longer than a move
    /// may; after its end it takes as long as it takes, so that the answer does not depend on the
    /// machine.
    pub(super) fn assess(&mut self) -> Assessment {
        let game = self.engine.game();
        let budget = if game.is_over() { None } else { self.budget(game.board().to_play()) };
        let deadline = budget.map(|budget| Instant::now() + budget.maximum.max(INSTANT));
        self.engine.assess(deadline)
    }

    /// Chooses a move for a colour without playing it. Cancelled by input if the task allows it:
    /// then the result is None.
    pub(super) fn choose(&mut self, call: &Call, color: Color, task: &Task) -> Option<Decision> {
        let began = Instant::now();
        self.clock.begin(color, call.arrived);
        let limit = self.limit(color, call.interrupted);
        let until = if task.cancellable { Until::Anything } else { Until::Told };
        let interrupt = self.inbox.begin(until, call.arrived);
        let size = self.size();
        let mut request = task.request(limit);
        let live = self.live.is_on().then_some(LIVE_INTERVAL);
        request.report_every = request.report_every.or(live);
        let Session { engine, player, output, chatter, live, .. } = self;
        let mut written = Ok(());
        let mut watch = |report: &Report| {
            if let Some((format, _)) = &task.stream {
                stream(output, &format.line(report, size), &mut written, &interrupt);
            }
            live.show(chatter, report, size);
        };
        let decision = match (player, task.cleanup) {
            (Some(player), cleanup) => {
                player.decide(engine.game(), color, cleanup, &request, &interrupt)
            }
            (None, true) => engine.clean_up(color, &request, &interrupt, &mut watch),
            (None, false) => engine.generate(color, &request, &interrupt, &mut watch),
        };
        if let Some(maximum) = limit.maximum {
            self.clock.note_lateness(began.elapsed().saturating_sub(maximum));
        }
        let cancelled = task.cancellable && interrupt.is_raised();
        self.inbox.end();
        self.live.clear(&self.chatter);
        if let Some((format, _)) = task.stream.as_ref().filter(|_| !cancelled) {
            let line = format.line(&decision.report, size);
            stream(&mut self.output, &line, &mut written, &interrupt);
        }
        self.note(written);
        self.remember(&decision.report);
        (!cancelled).then_some(decision)
    }

    /// Plays what was chosen, stops the clock and tells people about it. Gives the answer to
    /// `genmove`.
    pub(super) fn commit(&mut self, color: Color, decision: &Decision) -> String {
        self.explanation = explain(decision);
        let answer = match decision.choice {
            Choice::Resign => "resign".to_owned(),
            Choice::Play(point) => {
                // The engine only chooses legal moves; should it err, a pass is always one.
                let point = match self.engine.play(Move::new(color, point)) {
                    Ok(()) => point,
                    Err(error) => {
                        log::error!("chose {color} {point}, but {error}");
                        let _ = self.engine.play(Move::new(color, Point::PASS));
                        Point::PASS
                    }
                };
                point.to_string()
            }
        };
        self.clock.end(color, Instant::now(), true);
        let number = self.engine.game().moves().len();
        let line = format!("{number} {} {answer}: {}", color.letter(), self.explanation);
        log::info!("{line}");
        self.chatter.say(&line);
        if let Some(note) = &decision.note {
            self.chatter.say(note);
        }
        if self.settings.malkovich && decision.report.visits > 0 {
            self.chatter.raw(&malkovich(&decision.report));
        }
        if self.engine.params().search.ponder
            && self.player.is_none()
            && decision.choice != Choice::Resign
        {
            self.pondering = Some(self.engine.game().situation());
        }
        answer
    }

    /// Analyzes until any input; when the caps are reached the machine rests and the answer stays
    /// open.
    pub(super) fn analyze(&mut self, call: &mut Call, color: Color, task: &Task) {
        self.begin_stream(call);
        let interrupt = self.inbox.begin(Until::Anything, call.arrived);
        let size = self.size();
        let Some((format, _)) = &task.stream else { return };
        let request = task.request(self.analysis_limit());
        let output = &mut self.output;
        let mut written = Ok(());
        let mut watch = |report: &Report| {
            stream(output, &format.line(report, size), &mut written, &interrupt);
        };
        let report = self.engine.analyze(color, &request, &interrupt, &mut watch);
        let last = format.line(&report, size);
        while !interrupt.is_raised() && written.is_ok() {
            stream(&mut self.output, &last, &mut written, &interrupt);
            self.inbox.wait(REPEAT_INTERVAL);
        }
        self.inbox.end();
        self.note(written);
        self.remember(&report);
    }

    fn remember(&mut self, report: &Report) {
        let game = self.engine.game();
        let (situation, moves) = (game.situation(), game.moves().len());
        self.remembered = Some(Remembered { report: report.clone(), situation, moves });
    }

    /// What the last search found if it was about this position; else a short search is made.
    pub(super) fn glance(&mut self, call: &Call, color: Color) -> Report {
        let game = self.engine.game();
        let is_current = |then: &&Remembered| {
            then.situation == game.situation()
                && then.moves == game.moves().len()
                && then.report.to_play == color
                && !then.report.candidates.is_empty()
        };
        if let Some(then) = self.remembered.as_ref().filter(is_current) {
            return then.report.clone();
        }
        let mut limit = self.engine.default_limit();
        limit.planned = limit.planned.map(|time| time.min(GLANCE));
        limit.maximum = limit.maximum.map(|time| time.min(GLANCE));
        let request = Request { limit, ..Request::default() };
        let interrupt = self.inbox.begin(Until::Told, call.arrived);
        let report = self.engine.analyze(color, &request, &interrupt, &mut |_| ());
        self.inbox.end();
        self.remember(&report);
        report
    }
}

/// A search in one line: win rate and score at the true komi for the player that moves, the
/// effort, and what is expected. Weak ranks draw moves without one: then there are no figures to tell.
fn explain(decision: &Decision) -> String {
    let report = &decision.report;
    if report.visits == 0 {
        return "chosen without a search".to_owned();
    }
    let speed = report.playouts as f64 / report.elapsed.as_secs_f64().max(1e-6);
    let mut line = format!(
        "winrate {:.1}% score {:+.1} visits {} playouts {} time {:.2}s speed {:.0}/s",
        100.0 * report.winrate,
        report.score,
        report.visits,
        report.playouts,
        report.elapsed.as_secs_f64(),
        speed,
    );
    if report.extra_komi != 0.0 {
        line.push_str(&format!(" extra komi {:+.1}", report.extra_komi));
    }
    line.push_str(&format!(" pv {}", vertices(report.variation())));
    line
}

/// gtp2ogs shows this to spectators; it is KataGo's wording, which is the one that it parses.
fn malkovich(report: &Report) -> String {
    format!(
        "MALKOVICH:Visits {} Winrate {:.2}% ScoreLead {:.1} ScoreStdev {:.1} PV {}",
        report.visits,
        100.0 * report.winrate,
        report.score,
        report.score_deviation,
        vertices(report.variation()),
    )
}

/// A score estimate as `B+3.5`, one digit after the point.
pub(super) fn estimated_score(report: &Report) -> String {
    let (_, score) = for_black(report);
    match rounded(score, 10.0) {
        0.0 => "0".to_owned(),
        score if score > 0.0 => format!("B+{score:.1}"),
        score => format!("W+{:.1}", -score),
    }
}

#[cfg(test)]
mod tests {
    use crate::frontend::gtp::input::Inbox;
    use crate::frontend::gtp::output::Output;
    use crate::frontend::gtp::session::{Session, Settings};
    use crate::logging::{Chatter, Kept};
    use crate::rank::{Rank, WEAKEST};
    use std::io;

    /// What spectators read of a move of a rank.
    fn told(rank: Option<Rank>) -> String {
        let mut settings = Settings { malkovich: true, rank, ..Settings::default() };
        settings
            .overrides
            .add_file("search.playouts=20\nsearch.memory=8\nsearch.threads=1")
            .unwrap();
        let kept = Kept::default();
        let (input, output) = (&b"boardsize 9\ngenmove b\n"[..], Output::new(Box::new(io::sink())));
        let chatter = Chatter::new(kept.clone());
        let mut session = Session::new(settings, Inbox::read(input), output, chatter);
        session.run();
        // Lines are written by a thread of their own, in order.
        session.chatter.say("the end");
        while !kept.text().contains("the end") {
            std::thread::yield_now();
        }
        kept.text()
    }

    #[test]
    fn a_move_without_a_search_comes_without_figures() {
        let drawn = told(Some(WEAKEST));
        assert!(drawn.contains(": chosen without a search"), "{drawn}");
        assert!(!drawn.contains("MALKOVICH") && !drawn.contains("winrate"), "{drawn}");
        let searched = told(None);
        assert!(
            searched.contains(" winrate ") && searched.contains("MALKOVICH:Visits "),
            "{searched}"
        );
    }
}
