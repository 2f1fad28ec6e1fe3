//! What the page asks the engine: a move, a hint, the search live, the score.

use super::http::{Lines, Refusal};
use super::pool::Pool;
use super::position::GameText;
use crate::endings::Choice;
use crate::engine::{Decision, Engine};
use crate::frontend::gtp::info::from_top_left;
use crate::frontend::review::JudgedPosition;
use crate::game::Game;
use crate::params::ClockParams;
use crate::rank::{self, RankPlayer};
use crate::search::{Interrupt, Limit, Report, Request};
use crate::time::{Clock, TimeSystem};
use crate::types::{Color, Point};
use serde::Deserialize;
use serde_json::{Value, json};
use std::net::TcpStream;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How often a search tells how it stands.
const REPORT_EVERY: Duration = Duration::from_millis(250);
/// How often it is looked whether the tab is still there.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// A hint is there within a second.
const HINT: Duration = Duration::from_millis(800);
/// An estimate of the score.
const ESTIMATE: Duration = Duration::from_millis(700);
/// A live search rests after this; nobody looks at it any longer.
const LIVE: Duration = Duration::from_secs(120);
/// Moves shown of a search.
const SHOWN: usize = 10;

/// A question about a position.
#[derive(Deserialize)]
pub struct Question {
    /// The tab that asks.
    pub session: String,
    /// The game on its way to the position.
    pub game: GameText,
    /// How strong to play: a rank, or `full`.
    strength: Option<String>,
    /// The clock of the player to move.
    clock: Option<ClockText>,
}

/// What is left on a clock: main time, then a period for every move.
#[derive(Deserialize)]
struct ClockText {
    /// Seconds of main time that are left.
    main: f64,
    /// Seconds of a period; 0 is sudden death.
    period: f64,
}

fn report_line(report: &Report, size: usize) -> Value {
    json!({ "report": JudgedPosition::of(report, size, SHOWN), "visits": report.visits })
}

/// Works in a thread of its own and sends what it finds, line by line; ends the work when the tab is gone.
pub fn stream(
    stream: &mut TcpStream,
    work: impl FnOnce(&Interrupt, Sender<Value>) -> Result<Value, Refusal> + Send,
) {
    let Ok(mut lines) = Lines::begin(stream) else { return };
    let interrupt = Interrupt::default();
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        let interrupt = &interrupt;
        let worker = scope.spawn(move || work(interrupt, sender));
        loop {
            match receiver.recv_timeout(LOOK_EVERY) {
                Ok(line) if lines.send(&line).is_ok() => (),
                Err(RecvTimeoutError::Timeout) if !lines.is_gone() => (),
                Err(RecvTimeoutError::Disconnected) => break,
                _ => interrupt.raise(),
            }
        }
        let last = match worker.join() {
            Ok(Ok(result)) => result,
            Ok(Err(refusal)) => json!({ "error": refusal.sentence }),
            // A bug costs this answer and this engine, not the server.
            Err(_) => json!({ "error": "internal error" }),
        };
        // Whoever hung up does not miss it.
        let _ = lines.send(&last);
    });
}

fn at_most(time: Duration) -> Limit {
    Limit { planned: Some(time), maximum: Some(time), ..Limit::default() }
}

/// The engine's move.
pub fn choose_move(
    pool: &Pool,
    question: &Question,
    interrupt: &Interrupt,
    sender: &Sender<Value>,
) -> Result<Value, Refusal> {
    let game = question.game.game()?;
    let strength = question.strength.as_deref().unwrap_or("full");
    let rank = rank::parse(strength).map_err(|error| Refusal::bad(error.to_string()))?;
    let color = game.board().to_play();
    if let Some(rank) = rank {
        let decision = pool.run(&question.session, interrupt, || {
            let mut player = RankPlayer::new(rank, &pool.seeded(&game));
            let params = pool.overrides().resolve(game.size()).clock;
            let limit = limit_of(Limit::default(), &params, question.clock.as_ref(), &game);
            let request = Request { limit, ..Request::default() };
            player.decide(&game, color, false, &request, interrupt)
        })?;
        return Ok(answer(&decision, game.size()));
    }
    let decision = pool.with_engine(&question.session, &game, interrupt, |engine| {
        let (own, params) = (engine.default_limit(), &engine.params().clock);
        let limit = limit_of(own, params, question.clock.as_ref(), &game);
        let request = Request { limit, report_every: Some(REPORT_EVERY), ..Request::default() };
        engine.generate(color, &request, interrupt, &mut |report| {
            // If nobody listens any more, the interrupt ends the search.
            let _ = sender.send(report_line(report, game.size()));
        })
    })?;
    Ok(answer(&decision, game.size()))
}

/// The move and how it was judged; without a search, as weak ranks draw moves, there is no judgement.
fn answer(decision: &Decision, size: usize) -> Value {
    let chosen = match decision.choice {
        Choice::Play(point) => point.to_string(),
        Choice::Resign => "resign".to_owned(),
    };
    let visits = decision.report.visits;
    let judged = (visits > 0).then(|| JudgedPosition::of(&decision.report, size, 0));
    let winrate = judged.as_ref().map(|position| position.winrate);
    let lead = judged.as_ref().map(|position| position.lead);
    json!({ "move": chosen, "winrate": winrate, "lead": lead, "visits": visits,
        "note": decision.note })
}

/// The strength's own limit, within what the clock allows.
fn limit_of(own: Limit, params: &ClockParams, clock: Option<&ClockText>, game: &Game) -> Limit {
    let Some(clock) = clock else { return own };
    let seconds = |value: f64| Duration::from_secs_f64(value.clamp(0.0, 86400.0));
    let (main, period) = (seconds(clock.main), seconds(clock.period));
    let system = match period.is_zero() {
        true => TimeSystem::Absolute { main: main.max(Duration::from_millis(10)) },
        false => TimeSystem::Byoyomi { main, period, periods: 1 },
    };
    let (color, now) = (game.board().to_play(), Instant::now());
    let points = game.size() * game.size();
    let budget = Clock::new(system).budget(color, game.moves().len(), points, params, now);
    let Some(budget) = budget else { return own };
    let shorter = |own: Option<Duration>, time: Duration| own.map_or(time, |own| own.min(time));
    Limit {
        planned: Some(shorter(own.planned, budget.planned)),
        maximum: Some(shorter(own.maximum, budget.maximum)),
        ..own
    }
}

/// The search, live or for a hint.
pub fn search(
    pool: &Pool,
    question: &Question,
    is_hint: bool,
    interrupt: &Interrupt,
    sender: &Sender<Value>,
) -> Result<Value, Refusal> {
    let game = question.game.game()?;
    let size = game.size();
    let request = Request {
        limit: at_most(if is_hint { HINT } else { LIVE }),
        report_every: Some(REPORT_EVERY),
        ..Request::default()
    };
    let report = pool.with_engine(&question.session, &game, interrupt, |engine| {
        engine.analyze(game.board().to_play(), &request, interrupt, &mut |report| {
            let _ = sender.send(report_line(report, size));
        })
    })?;
    let mut last = report_line(&report, size);
    last["done"] = json!(true);
    Ok(last)
}

/// The score: counted when the game is over, estimated before.
pub fn score(pool: &Pool, question: &Question, interrupt: &Interrupt) -> Result<Value, Refusal> {
    let game = question.game.game()?;
    pool.with_engine(&question.session, &game, interrupt, |engine| {
        if game.is_over() { counted(engine, &game) } else { estimated(engine, &game, interrupt) }
    })
}

fn counted(engine: &mut Engine, game: &Game) -> Value {
    let standing = engine.standing();
    let owners = game.owners(&standing);
    let size = game.size();
    let dead = from_top_left(size).filter(|&point| standing.dead.contains(point));
    let owner = |point: Point| owners[point].map_or(0, Color::sign);
    let score = game.score(&standing);
    json!({
        "final": true,
        "score": score.to_string(),
        "lead": score.0,
        "dead": dead.map(|point| point.to_string()).collect::<Vec<String>>(),
        "owners": from_top_left(size).map(owner).collect::<Vec<i32>>(),
    })
}

fn estimated(engine: &mut Engine, game: &Game, interrupt: &Interrupt) -> Value {
    let request = Request { limit: at_most(ESTIMATE), ..Request::default() };
    let report = engine.analyze(game.board().to_play(), &request, interrupt, &mut |_| ());
    let position = JudgedPosition::of(&report, game.size(), 0);
    json!({ "final": false, "lead": position.lead, "winrate": position.winrate, "owners": position.owners })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_searched_is_not_judged() {
        let report = Report::empty(Color::Black);
        let mut decision = Decision { choice: Choice::Play(Point::PASS), report, note: None };
        let drawn = answer(&decision, 9);
        assert_eq!((&drawn["winrate"], &drawn["lead"]), (&Value::Null, &Value::Null));
        assert_eq!((&drawn["visits"], &drawn["move"]), (&json!(0), &json!("pass")));
        decision.report.visits = 1;
        assert_eq!(answer(&decision, 9)["winrate"], json!(0.5));
    }
}
