//! The queue of positions and the threads that work on it.

use super::answer;
use super::fields::QueryError;
use super::models;
use super::query::{self, Action, Line, Query};
use crate::engine::Engine;
use crate::frontend::gtp::info::from_top_left;
use crate::game::Game;
use crate::params::Overrides;
use crate::search::{Interrupt, Limit, Report, Request};
use crate::types::{Color, Move, Point};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Clients ask which KataGo they talk to, and some refuse old ones: this is the version whose
/// protocol is spoken here.
const PROTOCOL_VERSION: &str = "1.16.0";

/// One position to analyze.
struct Job {
    query: Arc<Query>,
    turn: usize,
    priority: i64,
    number: u64,
}

/// A position that is being analyzed.
struct Running {
    /// The job's number: clients may use an id twice.
    number: u64,
    id: String,
    turn: usize,
    interrupt: Interrupt,
}

#[derive(Default)]
struct State {
    waiting: Vec<Job>,
    running: Vec<Running>,
    next_number: u64,
    closed: bool,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    output: Mutex<Box<dyn Write + Send>>,
    overrides: Overrides,
}

/// The workers and what they have to do.
pub struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

impl Pool {
    /// Starts so many workers.
    pub fn start(
        output: impl Write + Send + 'static,
        overrides: Overrides,
        workers: usize,
    ) -> Pool {
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
            output: Mutex::new(Box::new(output)),
            overrides,
        });
        let start = |_| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.work())
        };
        Pool { workers: (0..workers).map(start).collect(), shared }
    }

    /// Takes a line of input.
    pub fn handle(&self, line: &[u8]) {
        if line.is_empty() {
            return;
        }
        log::debug!("> {}", String::from_utf8_lossy(line));
        let fields = match serde_json::from_slice::<Map<String, Value>>(line) {
            Ok(fields) => fields,
            Err(error) => {
                let (id, error) = query::unreadable(line, &error);
                return self.shared.refuse(id, &error);
            }
        };
        match query::parse(&fields) {
            Ok(Line::Query(query)) => self.shared.enqueue(*query),
            Ok(Line::Action(action)) => self.shared.act(&action, fields),
            Err(error) => self.shared.refuse(query::id_of(&fields), &error),
        }
    }

    /// Answers a line that was too long to be read.
    pub fn refuse_long_line(&self) {
        let limit = crate::input::MAX_LINE >> 20;
        self.shared.write(&json!({ "error": format!("a line is longer than {limit} MB") }));
    }

    /// Ends when all is done, or at once.
    pub fn finish(self, without_waiting: bool) {
        let mut state = self.shared.lock();
        state.closed = true;
        if without_waiting {
            state.waiting.clear();
            state.running.iter().for_each(|running| running.interrupt.raise());
        }
        drop(state);
        self.shared.changed.notify_all();
        for worker in self.workers {
            // A worker catches panics itself.
            let _ = worker.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes an answer; if nobody reads any more, the input will end as well.
    fn write(&self, answer: &Value) {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        let line = answer.to_string();
        log::debug!("< {line}");
        let _ = writeln!(output, "{line}").and_then(|()| output.flush());
    }

    fn refuse(&self, id: Option<String>, error: &QueryError) {
        let mut answer = json!({ "error": error.message });
        if let Some(field) = error.field {
            answer["field"] = json!(field);
        }
        if let Some(id) = id {
            answer["id"] = json!(id);
        }
        self.write(&answer);
    }

    fn enqueue(&self, query: Query) {
        for (field, message) in &query.warnings {
            self.write(&json!({ "warning": message, "field": field, "id": query.id }));
        }
        let mut state = self.lock();
        let query = Arc::new(query);
        for &(turn, priority) in &query.turns {
            let number = state.next_number;
            state.next_number += 1;
            state.waiting.push(Job { query: Arc::clone(&query), turn, priority, number });
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Does something else, and echoes the line as a receipt.
    fn act(&self, action: &Action, mut fields: Map<String, Value>) {
        match action {
            Action::QueryVersion => {
                fields.insert("version".to_owned(), json!(PROTOCOL_VERSION));
                fields.insert("git_hash".to_owned(), json!("<omitted>"));
                let own = format!("tengen {}", crate::version::BUILD);
                fields.insert("engine".to_owned(), json!(own));
            }
            Action::QueryModels => {
                fields.insert("models".to_owned(), models::in_use(&self.overrides));
            }
            // Nothing is kept from one position to the next.
            Action::ClearCache => (),
            Action::Terminate { id, turns } => self.terminate(id.as_deref(), turns.as_deref()),
        }
        self.write(&Value::Object(fields));
    }

    fn terminate(&self, id: Option<&str>, turns: Option<&[usize]>) {
        let matches = |job_id: &str, turn: usize| {
            id.is_none_or(|id| id == job_id) && turns.is_none_or(|turns| turns.contains(&turn))
        };
        let mut state = self.lock();
        let ended = state.waiting.extract_if(.., |job| matches(&job.query.id, job.turn));
        let ended: Vec<Job> = ended.collect();
        for running in state.running.iter().filter(|running| matches(&running.id, running.turn)) {
            running.interrupt.raise();
        }
        drop(state);
        for job in ended {
            self.write(&answer::no_results(&job.query.id, job.turn));
        }
    }

    /// The most urgent position, the oldest of them first; None when there will be no more.
    fn next(&self) -> Option<(Job, Interrupt)> {
        let mut state = self.lock();
        loop {
            let urgency = |(_, job): &(usize, &Job)| (job.priority, u64::MAX - job.number);
            let best = state.waiting.iter().enumerate().max_by_key(urgency).map(|(at, _)| at);
            if let Some(at) = best {
                let job = state.waiting.remove(at);
                let interrupt = Interrupt::default();
                state.running.push(Running {
                    number: job.number,
                    id: job.query.id.clone(),
                    turn: job.turn,
                    interrupt: interrupt.clone(),
                });
                return Some((job, interrupt));
            }
            if state.closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn work(&self) {
        while let Some((job, interrupt)) = self.next() {
            let work = AssertUnwindSafe(|| self.analyze(&job, &interrupt));
            let answer = catch_unwind(work).unwrap_or_else(
                |_| json!({ "error": "internal error", "id": job.query.id, "turnNumber": job.turn }),
            );
            self.lock().running.retain(|running| running.number != job.number);
            self.write(&answer);
        }
    }

    fn analyze(&self, job: &Job, interrupt: &Interrupt) -> Value {
        let Job { query, turn, .. } = job;
        let mut overrides = self.overrides.clone();
        for (name, value) in &query.params {
            // Checked when the query was read.
            let _ = overrides.insert(name, value);
        }
        let mut engine = Engine::new(overrides);
        let mut game = query.start.clone();
        for &play in &query.moves[..*turn] {
            // Checked when the query was read.
            let _ = game.play(play);
        }
        if let Some(next) = query.moves.get(*turn) {
            game.set_to_play(next.color);
        }
        let color = game.board().to_play();
        engine.set_game(game.clone());
        let request = request(query, &engine, color);
        if !allows_any(&request, &game) {
            return nothing_allowed(query, *turn);
        }
        let report = engine.analyze(color, &request, interrupt, &mut |report: &Report| {
            if !report.candidates.is_empty() {
                self.write(&answer::analysis(query, *turn, &game, report, true));
            }
        });
        if interrupt.is_raised() && report.playouts == 0 {
            return answer::no_results(&query.id, *turn);
        }
        let is_restricted = !request.allow.is_empty() || !request.avoid.is_empty();
        if report.candidates.is_empty() && report.playouts > 0 && is_restricted {
            return nothing_allowed(query, *turn); // nothing that the search would ever play
        }
        answer::analysis(query, *turn, &game, &report, false)
    }
}

/// Does a request leave any legal move? A search without one would find out nothing, and tell it as an even game.
fn allows_any(request: &Request, game: &Game) -> bool {
    let color = game.board().to_play();
    let is_allowed = |point: &Point| {
        (request.allow.is_empty() || request.allow.contains(point))
            && !request.avoid.contains(point)
            && game.is_legal(Move::new(color, *point))
    };
    from_top_left(game.size()).chain([Point::PASS]).any(|point| is_allowed(&point))
}

fn nothing_allowed(query: &Query, turn: usize) -> Value {
    json!({
        "error": "allowMoves and avoidMoves leave no legal move; allow one, or leave them out",
        "id": query.id,
        "turnNumber": turn,
    })
}

/// What to search: as far as the query says, never beyond the caps for analysis.
fn request(query: &Query, engine: &Engine, color: Color) -> Request {
    let caps = &engine.params().analysis;
    let longest = Duration::from_secs_f64(caps.max_time);
    let own = engine.default_limit();
    let limit = match (query.max_visits, query.max_time) {
        (None, None) => own,
        (visits, time) => Limit {
            visits: Some(visits.unwrap_or(u64::MAX).min(caps.max_visits)),
            maximum: Some(time.map_or(longest, |time| time.min(longest))),
            ..Limit::default()
        },
    };
    let of_color = |list: &[Move]| {
        list.iter().filter(|play| play.color == color).map(|play| play.point).collect()
    };
    Request {
        limit,
        avoid: of_color(&query.avoid),
        allow: of_color(&query.allow),
        report_every: query.report_every,
        moves_ownership: query.include.moves_ownership || query.include.moves_ownership_deviation,
        ..Request::default()
    }
}
