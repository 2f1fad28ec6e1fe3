//! `tengen match`: plays the games of a match, several at once, and reports the result.
//!
//! Workers take the next game number from a queue, play it with programs of their own and enter
//! the result. A match that goes on after a kill plays exactly the games that are missing.
//!
//! The tool is not the bottleneck: 200 games of 9x9 between random movers, two at once on two quiet
//! cores, ran at 138 to 245 games a second in eight runs, median 226, for 1.7 s of processor time,
//! programs included. With fifteen other processes on those cores it was 12 to 31.

use super::away::hand_out;
use super::bout::Played;
use super::options::{MatchArgs, Plan, Referee};
use super::pairing::Fixture;
use super::record::sgf_of;
use super::report::{MatchReport, tally};
use super::store::Store;
use super::table::{DecidedBy, Row};
use super::team::Team;
use crate::cluster::link::Link;
use crate::game::sgf::Record;
use crate::types::Move;
use crate::workshop::tools::date::today;
use crate::workshop::tools::player::{Player, Program, labels};
use crate::workshop::tools::process::lock;
use crate::workshop::tools::statistics::Verdict;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A match that was played.
pub struct Finished {
    /// What it came to.
    pub report: MatchReport,
    /// Games that were played now, not earlier.
    pub now: usize,
    /// Seconds that took.
    pub seconds: f64,
    referee: Referee,
}

/// Plays the games of a match that are missing; other ranks play too, if there are any.
pub fn play(args: &MatchArgs, link: Option<Box<dyn Link>>) -> anyhow::Result<Finished> {
    let plan = Plan::new(args)?;
    let mut team = Team::start(&plan)?;
    team.check(&plan)?;
    let about = About::new(&plan, &team);
    let mut rows = Vec::new();
    let mut store = None;
    if let Some(prefix) = &args.out {
        let (opened, found) = Store::open(prefix, &about.properties(&plan), args.force)?;
        (store, rows) = (Some(opened), found);
    }
    rows.retain(|row| row.game < plan.games);
    let known = rows.len();
    let started = Instant::now();
    let rows = Contest::new(&plan, &about, store, rows)?.play(team, link)?;
    let seconds = started.elapsed().as_secs_f64();

    let commands = plan.programs.each_ref().map(Program::command);
    let sides = [0, 1].map(|side| (about.labels[side].as_str(), commands[side].as_str()));
    let report = MatchReport::new(&rows, &plan.pairing, sides, plan.sprt.as_ref());
    Ok(Finished { report, now: rows.len() - known, seconds, referee: plan.referee })
}

/// Plays a match and prints the result.
pub fn run(args: &MatchArgs) -> anyhow::Result<()> {
    run_with(args, None)
}

/// The same with other ranks that play too.
pub fn run_with(args: &MatchArgs, link: Option<Box<dyn Link>>) -> anyhow::Result<()> {
    let Finished { report, now, seconds, referee } = play(args, link)?;
    let speed = now as f64 / seconds.max(1e-9);
    let mut out = std::io::stdout().lock();
    if args.json {
        let mut json = serde_json::to_value(&report)?;
        json["played_now"] = now.into();
        json["elapsed_seconds"] = seconds.into();
        json["games_per_second"] = speed.into();
        writeln!(out, "{}", serde_json::to_string_pretty(&json)?)?;
    } else {
        write!(out, "{}", report.to_text())?;
        writeln!(out, "played now: {now} games")?;
        writeln!(out, "elapsed: {seconds:.2} s")?;
        writeln!(out, "speed: {speed:.2} games/s")?;
    }
    if report.no_result > 0 && referee == Referee::None {
        eprintln!(
            "tengen: {} games have no result because the programs do not agree on the score; use \
             --referee",
            report.no_result
        );
    }
    if report.duplicates > 0 {
        eprintln!(
            "tengen: {} games repeat an earlier one and do not count in score, Elo and SPRT; use \
             --random-plies, --openings or %SEED",
            report.duplicates
        );
    }
    Ok(())
}

/// What is known of the programs once they run.
pub(super) struct About {
    pub(super) labels: [String; 2],
    names: [String; 2],
    pub(super) versions: [String; 2],
}

impl About {
    pub(super) fn new(plan: &Plan, team: &Team) -> About {
        let [a, b] = team.players.each_ref().map(Option::as_ref);
        let texts =
            |of: fn(&Player) -> &String| [a, b].map(|p| p.map_or(String::new(), |p| of(p).clone()));
        let found = match (a, b) {
            (Some(a), Some(b)) => labels([(&plan.programs[0], a), (&plan.programs[1], b)]),
            _ => ["A".to_owned(), "B".to_owned()],
        };
        let [own_a, own_b] = plan.names.clone();
        let [found_a, found_b] = found;
        About {
            labels: [own_a.unwrap_or(found_a), own_b.unwrap_or(found_b)],
            names: texts(|player| &player.name),
            versions: texts(|player| &player.version),
        }
    }

    /// The properties of the table: GoGui's, and what else makes a match.
    fn properties(&self, plan: &Plan) -> Vec<(String, String)> {
        let mut list: Vec<(String, String)> = Vec::new();
        let mut put = |key: &str, value: String| list.push((key.to_owned(), value));
        for (side, color) in ["Black", "White"].into_iter().enumerate() {
            put(color, self.names[side].clone());
            put(&format!("{color}Command"), plan.programs[side].command());
            put(&format!("{color}Label"), self.labels[side].clone());
            put(&format!("{color}Version"), self.versions[side].clone());
        }
        let Plan { pairing, conditions, .. } = plan;
        put("Referee", plan.referee.name());
        put("Size", pairing.size.to_string());
        put("Komi", conditions.komi.to_string());
        put("Handicap", pairing.handicap.len().to_string());
        put("Rules", pairing.rules.to_string());
        put("Time", conditions.time.map_or("-".to_owned(), |time| time.to_string()));
        put("MaxMoves", conditions.max_moves.to_string());
        put("Colors", format!("{:?}", pairing.colors));
        put("Openings", plan.opening_source.clone());
        put("RandomPlies", pairing.random_plies.to_string());
        put("Seed", pairing.seed.to_string());
        put("Date", today());
        put("Xml", "0".to_owned());
        list
    }
}

/// A match being played.
pub(super) struct Contest<'a> {
    plan: &'a Plan,
    about: &'a About,
    stop: AtomicBool,
    state: Mutex<State>,
}

struct State {
    waiting: VecDeque<u32>,
    /// Games that other ranks play.
    away: usize,
    rows: Vec<Row>,
    store: Option<Store>,
    /// Numbers of the games by their moves.
    seen: HashMap<u64, u32>,
    failure: Option<anyhow::Error>,
    bar: ProgressBar,
}

impl<'a> Contest<'a> {
    fn new(
        plan: &'a Plan,
        about: &'a About,
        store: Option<Store>,
        rows: Vec<Row>,
    ) -> anyhow::Result<Contest<'a>> {
        let done: HashSet<u32> = rows.iter().map(|row| row.game).collect();
        let waiting = (0..plan.games).filter(|game| !done.contains(game)).collect();
        let mut seen = HashMap::new();
        if let Some(store) = &store {
            for row in rows.iter().filter(|row| is_comparable(row)) {
                if let Ok(game) = Record::open_regular(&store.game_path(row.game), &|| true) {
                    let moves: Vec<Move> = game.moves().collect();
                    seen.entry(game_hash(row.swapped, &moves)).or_insert(row.game);
                }
            }
        }
        let mut bar = ProgressBar::hidden();
        if std::io::stderr().is_terminal() {
            bar = ProgressBar::new(u64::from(plan.games));
            bar.set_style(ProgressStyle::with_template(
                "{bar:20} {pos}/{len} games, {eta} left, {wide_msg}",
            )?);
            bar.enable_steady_tick(Duration::from_millis(500));
            bar.set_position(rows.len() as u64);
            bar.set_message(MatchReport::short(&rows));
        }
        let state = State { waiting, away: 0, rows, store, seen, failure: None, bar };
        Ok(Contest { plan, about, stop: AtomicBool::new(false), state: Mutex::new(state) })
    }

    /// Plays all games that are missing and returns all, in order.
    fn play(self, first: Team, link: Option<Box<dyn Link>>) -> anyhow::Result<Vec<Row>> {
        self.stop_if_decided(&lock(&self.state));
        let jobs = self.plan.jobs.min(lock(&self.state).waiting.len()).max(1);
        thread::scope(|scope| {
            let mut teams = vec![first];
            teams.resize_with(jobs, Team::default);
            for team in teams {
                scope.spawn(|| self.work(team));
            }
            if let Some(mut link) = link {
                hand_out(&self, &mut *link, self.plan.jobs);
            }
        });
        let state = self.state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        state.bar.finish_and_clear();
        if let Some(failure) = state.failure {
            return Err(failure);
        }
        let mut rows = state.rows;
        rows.sort_by_key(|row| row.game);
        Ok(rows)
    }

    fn work(&self, mut team: Team) {
        while !self.stop.load(Ordering::Relaxed) {
            let (game, away) = {
                let mut state = lock(&self.state);
                (state.waiting.pop_front(), state.away)
            };
            let Some(game) = game else {
                if away == 0 {
                    break;
                }
                // A game that another rank plays may come back without a result.
                thread::sleep(Duration::from_millis(20));
                continue;
            };
            let fixture = self.plan.pairing.fixture(game);
            let Some(played) = team.play(self.plan, &fixture, &self.stop) else { break };
            self.enter(played, &fixture, &team);
        }
        team.retire();
    }

    fn enter(&self, played: Played, fixture: &Fixture, team: &Team) {
        let sgf = sgf_of(self.plan, self.about, &played, fixture, team);
        let hash = game_hash(played.row.swapped, played.game.moves());
        self.enter_row(&mut lock(&self.state), played.row, &sgf, hash);
    }

    fn enter_row(&self, state: &mut State, mut row: Row, sgf: &str, hash: u64) {
        if state.rows.iter().any(|known| known.game == row.game) {
            return; // it was given to two ranks, and the other was faster
        }
        if is_comparable(&row) {
            let first = *state.seen.entry(hash).or_insert(row.game);
            row.duplicate = (first != row.game).then_some(first);
        }
        if let Some(store) = &mut state.store
            && let Err(failure) = store.add(&row, sgf)
        {
            state.failure = Some(failure);
            self.stop.store(true, Ordering::Relaxed);
            return;
        }
        state.rows.push(row);
        state.bar.set_position(state.rows.len() as u64);
        if !state.bar.is_hidden() {
            state.bar.set_message(MatchReport::short(&state.rows));
        }
        self.stop_if_decided(state);
    }

    /// A game for another rank.
    pub(super) fn take_away(&self) -> Option<u32> {
        let mut state = lock(&self.state);
        let game = state.waiting.pop_front()?;
        state.away += 1;
        Some(game)
    }

    /// The game will not come back by itself: somebody else has to play it.
    pub(super) fn give_back(&self, game: u32) {
        let mut state = lock(&self.state);
        state.away -= 1;
        state.waiting.push_front(game);
    }

    /// A game that another rank has played; `was_out` if it was still counted on. Without a row it is played again.
    pub(super) fn bring_back(
        &self,
        game: u32,
        was_out: bool,
        row: Option<Row>,
        sgf: &str,
        hash: u64,
    ) {
        let mut state = lock(&self.state);
        state.away -= usize::from(was_out);
        match row.filter(|row| row.game == game && game < self.plan.games) {
            Some(row) => {
                state.waiting.retain(|&waiting| waiting != game);
                self.enter_row(&mut state, row, sgf, hash);
            }
            None if was_out => state.waiting.push_front(game),
            None => {}
        }
    }

    /// Is the match to end now?
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Has every game its result?
    pub(super) fn is_complete(&self) -> bool {
        lock(&self.state).rows.len() >= self.plan.games as usize
    }

    fn stop_if_decided(&self, state: &State) {
        if let Some(sprt) = &self.plan.sprt
            && sprt.verdict(&tally(&state.rows)) != Verdict::Continue
        {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Games that were played to their end can repeat each other; a program that always fails at the
/// first move fails every time.
fn is_comparable(row: &Row) -> bool {
    row.decision() != DecidedBy::Forfeit
}

/// Equal for equal games.
pub(super) fn game_hash(swapped: bool, moves: &[Move]) -> u64 {
    let mut hasher = DefaultHasher::new();
    (swapped, moves).hash(&mut hasher);
    hasher.finish()
}
