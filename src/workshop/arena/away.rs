//! Games of a match on other machines: rank 0 hands them out and enters the results, the other ranks play.
//!
//! Only rank 0 writes. A rank that falls silent loses its games to others; should it come back, the results that it
//! brings are taken if they are still missing. What was agreed once is asked again from time to time, so a lost
//! message loses no game.

use super::contest::{About, Contest, game_hash};
use super::options::{MatchArgs, Plan};
use super::record::sgf_of;
use super::table::{Row, Table};
use super::team::Team;
use crate::cluster::link::Link;
use crate::cluster::message::Message;
use crate::workshop::tools::process::lock;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// How long rank 0 waits for a message before it looks around.
const STEP: Duration = Duration::from_millis(50);
/// After so long a rank is asked again for a game that it was given.
const ASK_AGAIN: Duration = Duration::from_secs(30);

/// A game that another rank plays.
struct Out {
    rank: usize,
    asked: Instant,
}

/// Hands out games until the match is over; runs beside the workers of rank 0.
pub(super) fn hand_out(contest: &Contest, link: &mut dyn Link, jobs: usize) {
    let mut out: BTreeMap<u32, Out> = BTreeMap::new();
    let mut useless = BTreeSet::new();
    loop {
        let present = |rank: &usize| link.is_present(*rank);
        let able: Vec<usize> =
            (1..link.ranks()).filter(present).filter(|rank| !useless.contains(rank)).collect();
        out.retain(|&game, playing| {
            let stays = able.contains(&playing.rank);
            if !stays {
                log::warn!("rank {} is gone; game {game} is given to another", playing.rank);
                contest.give_back(game);
            }
            stays
        });
        if contest.is_stopped() || out.is_empty() && contest.is_complete() {
            break;
        }
        for &rank in &able {
            let mut playing = out.values().filter(|out| out.rank == rank).count();
            while playing < jobs
                && let Some(game) = contest.take_away()
            {
                link.send(rank, Message::Play { game }.to_bytes());
                out.insert(game, Out { rank, asked: Instant::now() });
                playing += 1;
            }
        }
        for (&game, playing) in out.iter_mut().filter(|(_, out)| out.asked.elapsed() > ASK_AGAIN) {
            playing.asked = Instant::now();
            link.send(playing.rank, Message::Play { game }.to_bytes());
        }
        let received = link.wait(STEP);
        match received.and_then(|(from, bytes)| Some((from, Message::from_bytes(&bytes)?))) {
            Some((_, Message::Played { game, row, sgf, hash })) => {
                let was_out = out.remove(&game).is_some();
                contest.bring_back(game, was_out, read_row(&row), &sgf, hash);
            }
            Some((rank, Message::Useless { why })) => {
                eprintln!("tengen: rank {rank} cannot play: {why}");
                useless.insert(rank);
            }
            _ => {}
        }
    }
    link.send_to_all(&Message::Quit.to_bytes());
}

fn read_row(line: &str) -> Option<Row> {
    let table = Table::parse(&(Table::head(&[]) + line)).ok()?;
    table.rows.into_iter().next()
}

/// The games that a rank was given and what became of them.
#[derive(Default)]
struct Orders {
    waiting: VecDeque<u32>,
    known: BTreeSet<u32>,
    over: bool,
}

/// Plays games for rank 0 until it says that the match is over.
pub fn serve(args: &MatchArgs, mut link: Box<dyn Link>) -> anyhow::Result<()> {
    let started = Plan::new(args).and_then(|plan| {
        let mut team = Team::start(&plan)?;
        team.check(&plan)?;
        Ok((plan, team))
    });
    let (plan, team) = match started {
        Ok(started) => started,
        Err(error) => {
            link.send(0, Message::Useless { why: format!("{error:#}") }.to_bytes());
            return Ok(());
        }
    };
    let about = About::new(&plan, &team);
    let orders = (Mutex::new(Orders::default()), Condvar::new());
    let stop = AtomicBool::new(false);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        let mut teams = vec![team];
        teams.resize_with(plan.jobs, Team::default);
        for team in teams {
            let (sender, plan, about, orders, stop) =
                (sender.clone(), &plan, &about, &orders, &stop);
            scope.spawn(move || play_orders(team, plan, about, orders, stop, &sender));
        }
        take_orders(&mut *link, &orders, &results);
        stop.store(true, Relaxed);
        lock(&orders.0).over = true;
        orders.1.notify_all();
    });
    Ok(())
}

/// Passes orders on to the workers and their results to rank 0.
fn take_orders(
    link: &mut dyn Link,
    orders: &(Mutex<Orders>, Condvar),
    results: &mpsc::Receiver<(u32, Message)>,
) {
    let mut done: BTreeMap<u32, Message> = BTreeMap::new();
    loop {
        for (game, played) in results.try_iter() {
            link.send(0, played.to_bytes());
            done.insert(game, played);
        }
        let received = link.wait(Duration::from_millis(5));
        match received.and_then(|(_, bytes)| Message::from_bytes(&bytes)) {
            Some(Message::Play { game }) => match done.get(&game) {
                Some(played) => link.send(0, played.to_bytes()),
                None => {
                    let mut list = lock(&orders.0);
                    if list.known.insert(game) {
                        list.waiting.push_back(game);
                        orders.1.notify_one();
                    }
                }
            },
            Some(Message::Quit) => return,
            _ => {}
        }
    }
}

fn play_orders(
    mut team: Team,
    plan: &Plan,
    about: &About,
    orders: &(Mutex<Orders>, Condvar),
    stop: &AtomicBool,
    results: &mpsc::Sender<(u32, Message)>,
) {
    loop {
        let list = lock(&orders.0);
        let idle = |list: &mut Orders| list.waiting.is_empty() && !list.over;
        let mut list = orders.1.wait_while(list, idle).unwrap_or_else(PoisonError::into_inner);
        let game = if list.over { None } else { list.waiting.pop_front() };
        drop(list);
        let Some(game) = game else { break };
        let fixture = plan.pairing.fixture(game);
        let Some(played) = team.play(plan, &fixture, stop) else { break };
        let message = Message::Played {
            game,
            row: played.row.to_line(),
            sgf: sgf_of(plan, about, &played, &fixture, &team),
            hash: game_hash(played.row.swapped, played.game.moves()),
        };
        if results.send((game, message)).is_err() {
            break;
        }
    }
    team.retire();
}
