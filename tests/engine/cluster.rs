//! Several searches that tell each other what they find: inside one thread, and as ranks over channels.

use std::thread;
use std::time::Duration;
use tengen::cluster::channels::{Channels, Conditions, network};
use tengen::cluster::follower::follow;
use tengen::cluster::leader::Leader;
use tengen::cluster::link::{Link, Received};
use tengen::cluster::message::Message;
use tengen::cluster::rank_seed;
use tengen::cluster::simulate::{Setting, simulate};
use tengen::game::{Game, Rules};
use tengen::params::{Overrides, Params};
use tengen::search::{Bounds, Digest, Interrupt, Limit, Report, Request, Search};
use tengen::types::{Move, Point};

fn params(size: usize) -> Params {
    let mut params = Params::for_size(size);
    for (name, value) in [("search.threads", "1"), ("search.seed", "5"), ("search.memory", "4")] {
        params.set(name, value).unwrap();
    }
    params
}

fn searches(size: usize, ranks: usize) -> Vec<Search> {
    let search = |rank| {
        let mut params = params(size);
        params.search.seed = rank_seed(params.search.seed, rank);
        Search::new(params, size)
    };
    (0..ranks).map(search).collect()
}

fn run(search: &mut Search, game: &Game, playouts: u64) -> Report {
    let limit = Limit { playouts: Some(playouts), ..Limit::default() };
    let request = Request { limit, ..Request::default() };
    search.run(game, &request, &Interrupt::default(), &mut |_| ())
}

/// Everybody tells everybody.
fn exchange(searches: &mut [Search]) {
    let bounds = Bounds::default();
    let digests: Vec<Digest> = searches.iter_mut().map(|search| search.give(&bounds)).collect();
    for (receiver, search) in searches.iter_mut().enumerate() {
        for (sender, digest) in digests.iter().enumerate().filter(|(sender, _)| *sender != receiver)
        {
            assert!(search.take(sender, digest), "the same position");
        }
    }
}

type Standing = Vec<(Point, u64, String, f64)>;

/// What a search knows of the moves at the root.
fn standing(search: &mut Search, game: &Game) -> (u64, Standing) {
    let report = run(search, game, 0);
    let mut moves: Standing = report
        .candidates
        .iter()
        .map(|c| (c.point, c.visits, format!("{:.9} {:.9}", c.winrate, c.score), c.rave_visits))
        .collect();
    moves.sort_by_key(|of| of.0);
    (report.visits, moves)
}

#[test]
fn after_quiet_all_ranks_have_the_same_sums_and_the_same_best_move() {
    let game = Game::new(9, Rules::CHINESE);
    let mut ranks = searches(9, 3);
    let mut own = [0u64; 3];
    for round in 1..=4 {
        for (rank, search) in ranks.iter_mut().enumerate() {
            let playouts = 10 * round + rank as u64;
            run(search, &game, playouts);
            own[rank] += playouts;
        }
        exchange(&mut ranks);
    }
    let all: Vec<_> = ranks.iter_mut().map(|search| standing(search, &game)).collect();
    assert_eq!(all[0].0, own.iter().sum::<u64>());
    assert_eq!(all[0], all[1]);
    assert_eq!(all[0], all[2]);
    let best = run(&mut ranks[0], &game, 0).candidates[0].clone();
    assert_eq!(best.visits, all[0].1.iter().map(|of| of.1).max().unwrap(), "chosen by the sum");
    assert_eq!(run(&mut ranks[2], &game, 0).candidates[0].point, best.point);
}

#[test]
fn a_digest_is_bounded_and_survives_its_bytes() {
    let game = Game::new(19, Rules::CHINESE);
    let mut search = searches(19, 1).remove(0);
    run(&mut search, &game, 300);
    let mut lengths = Vec::new();
    for bytes in [200, 5000, 8000, 20_000] {
        let digest = search.give(&Bounds { bytes, ..Bounds::default() });
        let written = digest.to_bytes();
        assert!(written.len() <= bytes, "{} of {bytes}", written.len());
        assert_eq!(digest.entries[0].counts.visits, 300, "the root is always told");
        assert_eq!(Digest::from_bytes(&written), Some(digest));
        assert_eq!(Digest::from_bytes(&written[..written.len() - 1]), None);
        lengths.push(written.len());
    }
    assert!(
        lengths[0] < 50 && lengths[2] > 2000,
        "all of the root's children or none: {lengths:?}"
    );
    assert_eq!(
        search
            .give(&Bounds { depth: 1, ..Bounds::default() })
            .entries
            .iter()
            .map(|e| e.depth)
            .max(),
        Some(1)
    );
}

#[test]
fn lost_and_repeated_digests_corrupt_nothing() {
    let game = Game::new(9, Rules::CHINESE);
    let mut ranks = searches(9, 2);
    let bounds = Bounds::default();
    for round in 0..9 {
        run(&mut ranks[0], &game, 15);
        run(&mut ranks[1], &game, 7);
        let digest = ranks[0].give(&bounds);
        // Two in three are lost; the rest comes twice.
        if round % 3 == 2 {
            ranks[1].take(0, &digest);
            ranks[1].take(0, &digest);
            assert_eq!(run(&mut ranks[1], &game, 0).visits, 22 * (round + 1));
        }
    }
    assert_eq!(ranks[1].give(&bounds).entries[0].counts.visits, 63, "its own alone");
    let nonsense = ranks[0].give(&bounds);
    let shuffled = Digest { entries: nonsense.entries.into_iter().rev().collect(), ..nonsense };
    ranks[1].take(0, &shuffled); // not in order: what makes no sense is left out
    exchange(&mut ranks);
    let [first, second] = &mut ranks[..] else { unreachable!() };
    assert_eq!(standing(first, &game), standing(second, &game));
}

#[test]
fn what_was_told_moves_on_with_the_game() {
    let mut game = Game::new(9, Rules::CHINESE);
    let mut ranks = searches(9, 2);
    for step in 0..4 {
        for search in &mut ranks {
            run(search, &game, 60);
        }
        exchange(&mut ranks);
        for search in &mut ranks {
            run(search, &game, 20);
        }
        // The first of them is told late, as over a slow network: its numbers are complete all the same.
        exchange(&mut ranks);
        exchange(&mut ranks);
        let [first, second] = &mut ranks[..] else { unreachable!() };
        let sums = standing(first, &game);
        assert_eq!(sums, standing(second, &game), "move {step}");
        assert!(sums.0 >= 160);
        let best = run(first, &game, 0).candidates[0].point;
        let old = first.give(&Bounds::default());
        game.play(Move::new(game.board().to_play(), best)).unwrap();
        run(second, &game, 0);
        assert!(!second.take(0, &old), "that was about another position");
    }
}

#[test]
fn a_tree_that_had_to_forget_stays_right() {
    let game = Game::new(9, Rules::CHINESE);
    let mut small = params(9);
    small.set("search.memory", "1").unwrap();
    small.set("playout.policy", "light").unwrap();
    let mut ranks = searches(9, 2);
    ranks[1] = Search::new(small, 9);
    for _ in 0..8 {
        run(&mut ranks[0], &game, 20);
        run(&mut ranks[1], &game, 200); // compacts its tree now and then
        exchange(&mut ranks);
    }
    let digests: Vec<Digest> = ranks.iter_mut().map(|rank| rank.give(&Bounds::default())).collect();
    let own = |rank: usize| digests[rank].entries[0].counts.visits;
    assert_eq!((own(0), own(1)), (160, 1600));
    assert_eq!(run(&mut ranks[1], &game, 0).visits, 1760);
}

fn setting(ranks: usize) -> Setting {
    Setting {
        ranks,
        playouts: 40,
        every: 10,
        delay: 0,
        patience: 5,
        loss: 0.0,
        bounds: Bounds::default(),
    }
}

#[test]
fn a_simulated_cluster_repeats_and_its_first_rank_alone_is_one_machine() {
    let game = Game::new(9, Rules::CHINESE);
    let visits = |setting: &Setting| {
        let outcome = simulate(&game, &params(9), setting);
        outcome.reports.iter().map(|report| report.visits).collect::<Vec<u64>>()
    };
    assert_eq!(visits(&setting(5)), [200; 5]);
    assert_eq!(visits(&Setting { loss: 1.0, ..setting(3) }), [40; 3]);
    assert_eq!(visits(&Setting { delay: 1000, ..setting(3) }), [40; 3]);
    // The digests of playout 30 have come, those of the end have not.
    assert_eq!(visits(&Setting { delay: 6, ..setting(3) }), [100; 3]);
    let lossy = Setting { loss: 0.5, ..setting(4) };
    assert_eq!(visits(&lossy), visits(&lossy));
    let points =
        |report: &Report| report.candidates.iter().map(|c| (c.point, c.visits)).collect::<Vec<_>>();
    let alone = simulate(&game, &params(9), &setting(1));
    let mut one = Search::new(params(9), 9);
    assert_eq!(points(&alone.reports[0]), points(&run(&mut one, &game, 40)));
    assert_eq!((alone.digests, simulate(&game, &params(9), &setting(3)).digests), (0, 12));
}

/// A leader's search and so many followers on threads.
fn with_followers(conditions: Conditions, ranks: usize, work: impl FnOnce(&mut Search)) {
    let mut links = network(ranks, conditions);
    let others: Vec<_> = links.drain(1..).collect();
    thread::scope(|scope| {
        for link in others {
            scope.spawn(move || follow(Box::new(link), Overrides::default()));
        }
        let mut search = Search::new(params(9), 9);
        search.set_partner(Some(Box::new(Leader::new(Box::new(links.remove(0))))));
        work(&mut search);
        search.set_partner(None); // tells the others to go
    });
}

#[test]
fn followers_think_along_and_leave_when_they_are_told() {
    with_followers(Conditions::default(), 3, |search| {
        let mut game = Game::new(9, Rules::JAPANESE);
        for _ in 0..3 {
            let report = run(search, &game, 60);
            assert!(report.playouts == 60 && report.visits >= 60, "{}", report.visits);
            game.play(Move::new(game.board().to_play(), report.candidates[0].point)).unwrap();
        }
        // Undo, another komi, and a tree that begins anew.
        assert!(game.undo(2));
        game.set_komi(0.5);
        search.clear();
        let report = run(search, &game, 60);
        assert!((60..=180).contains(&report.visits), "{}", report.visits);
    });
}

/// With as many playouts as asked for from every rank there is a time when all have told all they have. How long it
/// takes depends on the machine, so it is waited for.
#[test]
fn the_playouts_of_all_ranks_come_together() {
    with_followers(Conditions::default(), 3, |search| {
        let game = Game::new(9, Rules::CHINESE);
        let mut visits = run(search, &game, 50).visits;
        for _ in 0..600 {
            if visits >= 150 {
                return;
            }
            thread::sleep(Duration::from_millis(50));
            visits = run(search, &game, 1).visits;
        }
        panic!("{visits} visits");
    });
}

#[test]
fn delay_and_loss_stop_nobody() {
    let conditions = Conditions { delay: Duration::from_millis(3), loss: 0.3, seed: 8 };
    let mut links = network(3, conditions);
    // The last rank never answers: it has stalled.
    let _stalled = links.pop();
    let follower = links.pop().unwrap();
    // The end of the work may be lost too, so the follower is not waited for.
    thread::spawn(move || follow(Box::new(follower), Overrides::default()));
    let mut search = Search::new(params(9), 9);
    search.set_partner(Some(Box::new(Leader::new(Box::new(links.remove(0))))));
    let game = Game::new(9, Rules::CHINESE);
    let time = Duration::from_millis(250);
    let limit = Limit { planned: Some(time), maximum: Some(time), ..Limit::default() };
    let request = Request { limit, ..Request::default() };
    for _ in 0..3 {
        let report = search.run(&game, &request, &Interrupt::default(), &mut |_| ());
        assert!(report.visits >= report.playouts && report.playouts > 0);
    }
}

#[test]
fn an_interrupt_is_not_held_up_by_the_others() {
    let mut links = network(2, Conditions::default());
    let mut silent = links.pop().unwrap();
    let mut search = Search::new(params(9), 9);
    search.set_partner(Some(Box::new(Leader::new(Box::new(links.remove(0))))));
    let interrupt = Interrupt::default();
    interrupt.raise();
    let limit = Limit { playouts: Some(1_000_000), ..Limit::default() };
    let request = Request { limit, ..Request::default() };
    let game = Game::new(9, Rules::CHINESE);
    let report = search.run(&game, &request, &interrupt, &mut |_| ());
    assert!(report.playouts < 1000);
    assert!(silent.receive().is_some(), "its task");
}

#[test]
fn what_was_counted_before_the_tree_was_forgotten_is_not_taken() {
    let mut links = network(2, Conditions::default());
    let mut other = links.pop().unwrap();
    let mut search = Search::new(params(9), 9);
    search.set_partner(Some(Box::new(Leader::new(Box::new(links.remove(0))))));
    let game = Game::new(9, Rules::CHINESE);
    let mut elsewhere = searches(9, 2).remove(1);
    run(&mut elsewhere, &game, 40);
    let digest = elsewhere.give(&Bounds::default());
    let mut tell = |search| {
        let digest = digest.clone();
        other.send(0, Message::Digest { search, last: true, digest }.to_bytes());
    };
    tell(1);
    assert_eq!(run(&mut search, &game, 10).visits, 50);
    search.clear();
    tell(1); // late
    assert_eq!(run(&mut search, &game, 10).visits, 10);
    tell(3);
    assert_eq!(run(&mut search, &game, 10).visits, 60);
}

/// A link that loses the word to stop.
struct Unstopping(Channels);

impl Link for Unstopping {
    fn rank(&self) -> usize {
        self.0.rank()
    }

    fn ranks(&self) -> usize {
        self.0.ranks()
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) {
        if !matches!(Message::from_bytes(&bytes), Some(Message::Stop { .. })) {
            self.0.send(to, bytes);
        }
    }

    fn receive(&mut self) -> Option<Received> {
        self.0.receive()
    }

    fn wait(&mut self, at_most: Duration) -> Option<Received> {
        self.0.wait(at_most)
    }

    fn is_present(&self, rank: usize) -> bool {
        self.0.is_present(rank)
    }
}

#[test]
fn the_last_digest_stops_who_missed_the_word_to_stop() {
    let mut links = network(3, Conditions::default());
    let (mut witness, follower) = (links.pop().unwrap(), links.pop().unwrap());
    let leader = Unstopping(links.remove(0));
    let interrupt = Interrupt::default();
    thread::scope(|scope| {
        scope.spawn(move || follow(Box::new(follower), Overrides::default()));
        let mut search = Search::new(params(9), 9);
        search.set_partner(Some(Box::new(Leader::new(Box::new(leader)))));
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(300));
            interrupt.raise();
        });
        let limit = Limit { playouts: Some(1_000_000_000), ..Limit::default() };
        let request = Request { limit, ..Request::default() };
        search.run(&Game::new(9, Rules::CHINESE), &request, &interrupt, &mut |_| ());
        let has_ended = |(from, bytes): Received| {
            let last =
                matches!(Message::from_bytes(&bytes), Some(Message::Digest { last: true, .. }));
            from == 1 && last
        };
        let second = Duration::from_secs(1);
        assert!((0..600).any(|_| witness.wait(second).is_some_and(has_ended)));
    });
}
