//! Tests of whole searches.

use super::*;
use crate::board::Diagram;
use crate::game::Rules;

fn search(size: usize, settings: &[(&str, &str)]) -> Search {
    let mut params = Params::for_size(size);
    params.set("search.memory", "16").unwrap();
    params.set("search.seed", "1").unwrap();
    params.set("search.threads", "1").unwrap();
    for (name, value) in settings {
        params.set(name, value).unwrap();
    }
    Search::new(params, size)
}

fn playouts(count: u64) -> Request {
    Request { limit: Limit { playouts: Some(count), ..Limit::default() }, ..Request::default() }
}

fn run(search: &mut Search, game: &Game, request: &Request) -> Report {
    search.run(game, request, &Interrupt::default(), &mut |_| ())
}

const NO_EARLY_STOP: (&str, &str) = ("search.early_stop", "false");

#[test]
fn the_same_seed_gives_the_same_search() {
    let game = Game::new(9, Rules::CHINESE);
    let visits = |seed| {
        let mut search = search(9, &[("search.seed", seed), NO_EARLY_STOP]);
        run(&mut search, &game, &playouts(400));
        search.root_visits()
    };
    assert_eq!(visits("5"), visits("5"));
    assert_ne!(visits("5"), visits("6"));
    let mut again = search(9, &[("search.seed", "5"), NO_EARLY_STOP]);
    run(&mut again, &game, &playouts(100));
    again.clear();
    run(&mut again, &game, &playouts(400));
    assert_eq!(again.root_visits(), visits("5"), "a cleared search begins anew");
}

#[test]
fn every_playout_is_counted() {
    let game = Game::new(9, Rules::CHINESE);
    for threads in ["1", "2", "4"] {
        let mut search = search(9, &[("search.threads", threads), NO_EARLY_STOP]);
        let report = run(&mut search, &game, &playouts(1000));
        let sum: u64 = report.candidates.iter().map(|c| c.visits).sum();
        assert_eq!((report.playouts, report.visits, sum), (1000, 1000, 1000), "{threads} threads");
    }
}

#[test]
fn playouts_that_were_asked_for_are_played_beside_a_clock() {
    // One move is so much better that a search by time ends early.
    let diagram = Diagram::parse(
        ". . . X O . .
         X X X X O . O
         X O O O . O .
         X X X X O . O
         . X . X O O .
         X . X X O . O
         . X . X O O .",
    )
    .unwrap();
    let game = Game::from_board(diagram.board, Rules::CHINESE);
    let hour = Duration::from_secs(3600);
    let limit =
        Limit { playouts: Some(500), planned: Some(hour), maximum: Some(hour), visits: None };
    let report = run(&mut search(7, &[]), &game, &Request { limit, ..Request::default() });
    assert_eq!(report.playouts, 500);
}

#[test]
fn every_thread_keeps_the_deadline() {
    let game = Game::new(9, Rules::CHINESE);
    let zero = Some(Duration::ZERO);
    let limit = Limit { planned: zero, maximum: zero, ..Limit::default() };
    let mut search = search(9, &[("search.threads", "64")]);
    let report = run(&mut search, &game, &Request { limit, ..Request::default() });
    assert!(report.playouts <= 64, "each thread ends with its first playout: {}", report.playouts);
}

#[test]
fn every_mix_and_bias_finds_a_capture() {
    // Taking three stones wins for Black; letting them connect loses.
    let diagram = Diagram::parse(
        ". . . X O . .
         X X X X O . O
         X O O O a O .
         X X X X O . O
         . X . X O O .
         X . X X O . O
         . X . X O O .",
    )
    .unwrap();
    let mut game = Game::from_board(diagram.board.clone(), Rules::CHINESE);
    game.set_komi(3.5);
    let variants = [
        ("search.mix", "mse"),
        ("search.mix", "mc"),
        ("search.bias", "progressive"),
        ("search.bias", "puct"),
        ("search.widen_start", "5"),
        ("search.criticality", "2"),
        ("search.score_weight", "0"),
        ("komi.dynamic", "situational"),
        ("playout.policy", "light"),
    ];
    for setting in variants {
        let mut search = search(7, &[setting]);
        let report = run(&mut search, &game, &playouts(1500));
        let best = &report.candidates[0];
        let total: u64 = report.candidates.iter().map(|c| c.visits).sum();
        assert_eq!(total, report.visits, "{setting:?}");
        assert_eq!(best.point, diagram.mark('a'), "{setting:?}");
        assert!(best.winrate > 0.8 && best.winrate <= 1.0, "{setting:?} {}", best.winrate);
    }
}

#[test]
fn the_tree_is_kept_when_the_game_goes_on() {
    let mut game = Game::new(9, Rules::CHINESE);
    let mut search = search(9, &[NO_EARLY_STOP]);
    let report = run(&mut search, &game, &playouts(1000));
    let best = &report.candidates[0];
    assert!(best.variation.len() >= 2);
    for (color, point) in [(Color::Black, best.variation[0]), (Color::White, best.variation[1])] {
        game.play(Move::new(color, point)).unwrap();
    }
    let second = run(&mut search, &game, &playouts(100));
    assert!(second.visits > 100, "{} visits", second.visits);
    assert_eq!(second.playouts, 100);
    // Another komi is another game.
    game.set_komi(0.5);
    assert_eq!(run(&mut search, &game, &playouts(100)).visits, 100);
}

#[test]
fn requests_restrict_the_root() {
    let game = Game::new(5, Rules::CHINESE);
    let mut search = search(5, &[]);
    let center = Point::new(3, 3);
    let request = Request { avoid: vec![center], ..playouts(200) };
    let report = run(&mut search, &game, &request);
    assert!(report.candidates.iter().all(|c| c.point != center));
    let allow = vec![Point::new(1, 1), Point::new(2, 2)];
    let request = Request { allow: allow.clone(), ..playouts(200) };
    let report = run(&mut search, &game, &request);
    assert!(report.candidates.iter().all(|c| allow.contains(&c.point)));
    assert_eq!(report.candidates.len(), 2);
}

#[test]
fn superko_is_respected_at_the_root() {
    let mut game = Game::new(2, Rules::CHINESE);
    let mut search = search(2, &[]);
    for _ in 0..40 {
        let color = game.board().to_play();
        let report = run(&mut search, &game, &playouts(30));
        for candidate in &report.candidates {
            assert!(game.is_legal(Move::new(color, candidate.point)), "{}", candidate.point);
        }
        let point = report.candidates.first().map_or(Point::PASS, |c| c.point);
        game.play(Move::new(color, point)).unwrap();
    }
}

#[test]
fn interrupts_and_times_end_a_search() {
    let game = Game::new(19, Rules::CHINESE);
    let mut search = search(19, &[("search.threads", "2")]);
    let interrupt = Interrupt::default();
    let raise = interrupt.clone();
    let begin = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            raise.raise();
        });
        search.run(&game, &Request::default(), &interrupt, &mut |_| ());
    });
    assert!(begin.elapsed() < Duration::from_secs(20));
    let time = Some(Duration::from_millis(50));
    let limit = Limit { planned: time, maximum: time, ..Limit::default() };
    let begin = Instant::now();
    let request = Request { limit, ..Request::default() };
    search.run(&game, &request, &Interrupt::default(), &mut |_| ());
    assert!(begin.elapsed() < Duration::from_secs(20));
    // Reports come while it runs, however slow the machine: one of them ends it.
    let request = Request { report_every: Some(Duration::from_millis(5)), ..Request::default() };
    let interrupt = Interrupt::default();
    search.run(&game, &request, &interrupt, &mut |report| {
        assert!(!report.candidates.is_empty());
        interrupt.raise();
    });
    assert!(interrupt.is_raised());
}

#[test]
fn a_full_arena_is_compacted_and_the_search_goes_on() {
    let game = Game::new(19, Rules::CHINESE);
    let settings = [
        ("search.memory", "1"),
        ("playout.policy", "light"),
        ("search.expand_visits", "1"),
        NO_EARLY_STOP,
    ];
    let mut search = search(19, &settings);
    let report = run(&mut search, &game, &playouts(600));
    assert_eq!((report.playouts, report.visits), (600, 600));
    let sum: u64 = report.candidates.iter().map(|c| c.visits).sum();
    assert_eq!(sum, 600);
}

#[test]
fn many_threads_in_a_tiny_tree_lose_nothing() {
    // Heavy contention on one small tree, expansions and compactions included.
    let game = Game::new(3, Rules::CHINESE);
    let settings = [
        ("search.threads", "8"),
        ("search.expand_visits", "1"),
        ("search.memory", "1"),
        NO_EARLY_STOP,
    ];
    for seed in ["1", "2", "3"] {
        let mut search = search(3, &[&settings[..], &[("search.seed", seed)]].concat());
        let report = run(&mut search, &game, &playouts(20_000));
        let sum: u64 = report.candidates.iter().map(|c| c.visits).sum();
        assert_eq!((report.visits, sum), (20_000, 20_000));
    }
}

#[test]
fn situational_komi_goes_on_from_move_to_move_and_not_to_another_game() {
    let mut search = search(9, &[("komi.dynamic", "situational"), ("komi.step", "2")]);
    let mut game = Game::new(9, Rules::CHINESE);
    game.set_komi(-40.0);
    let first = run(&mut search, &game, &playouts(210)).extra_komi;
    assert!(first > 0.0, "Black is far ahead and must win by more: {first}");
    for vertex in ["E5", "C3"] {
        let point = Point::parse_gtp(vertex, 9).unwrap();
        game.play(Move::new(game.board().to_play(), point)).unwrap();
    }
    let second = run(&mut search, &game, &playouts(210)).extra_komi;
    assert!(second > first, "{first}, then {second}");
    let mut other = Game::new(9, Rules::CHINESE);
    other.set_komi(-41.0);
    assert_eq!(run(&mut search, &other, &playouts(20)).extra_komi, 0.0);
}

#[test]
fn a_short_search_in_a_known_tree_reports_what_was_known() {
    let game = Game::new(9, Rules::CHINESE);
    let counted: [&[(&str, &str)]; 3] =
        [&[], &[("komi.dynamic", "situational")], &[("search.score_weight", "0.2")]];
    for settings in counted {
        let mut search = search(9, settings);
        let known = run(&mut search, &game, &playouts(10_000));
        for _ in 0..8 {
            let later = run(&mut search, &game, &playouts(32));
            let (before, after) = (known.winrate, later.winrate);
            assert!((before - after).abs() < 0.01, "{settings:?}: {before}, then {after}");
        }
    }
}

#[test]
fn values_are_those_at_the_true_komi_whatever_the_tree_counts() {
    let mut game = Game::new(9, Rules::CHINESE);
    game.set_komi(-40.0);
    let winrate =
        |settings: &[(&str, &str)]| run(&mut search(9, settings), &game, &playouts(2000)).winrate;
    let plain = winrate(&[]);
    assert!(plain > 0.85, "Black is far ahead: {plain}");
    // The tree itself counts an even game, or half a score.
    for setting in [("komi.dynamic", "situational"), ("search.score_weight", "0.5")] {
        let corrected = winrate(&[setting, ("komi.step", "5")]);
        assert!((corrected - plain).abs() < 0.1, "{setting:?}: {corrected}, not {plain}");
    }
}

#[test]
fn what_is_shown_leans_on_the_position_by_visits_and_keeps_the_order() {
    let game = Game::new(9, Rules::CHINESE);
    let classic = [("value.network", "false")];
    let counted = run(&mut search(9, &classic), &game, &playouts(300));
    let shown = counted.clone().shown();
    let single = |report: &Report| -> Vec<f64> {
        report.candidates.iter().filter(|c| c.visits == 1).map(|c| c.winrate).collect()
    };
    assert!(single(&counted).iter().any(|&value| value == 0.0 || value == 1.0));
    assert!(!single(&shown).is_empty());
    for value in single(&shown) {
        assert!((value - shown.winrate).abs() < 0.15, "{value} beside {}", shown.winrate);
    }
    let order = |report: &Report| -> Vec<Point> {
        report.candidates.iter().map(|candidate| candidate.point).collect()
    };
    assert_eq!(order(&counted), order(&shown));
    let (best, mean) = (&counted.candidates[0], &shown.candidates[0]);
    assert!(best.visits > 30 && (best.winrate - mean.winrate).abs() < 0.1);
    assert!(shown.candidates.iter().all(|c| c.lower_bound <= c.winrate && c.score.abs() < 30.0));
    assert_eq!((shown.winrate, shown.score), (mean.winrate, mean.score));
    // One playout says next to nothing of the position either.
    let one = run(&mut search(9, &[]), &game, &playouts(1)).shown();
    assert!((0.3..0.7).contains(&one.winrate), "{}", one.winrate);
}

#[test]
fn owners_after_every_move_are_counted_when_they_are_asked_for() {
    // Whoever plays at a decides whether the white chain lives.
    let diagram = Diagram::parse(
        "X . X X O . .
         X X X X O . O
         X O O O a O .
         X X X X O . O
         . X . X O O .
         X . X X O . O
         . X . X O O .",
    )
    .unwrap();
    let mut game = Game::from_board(diagram.board.clone(), Rules::CHINESE);
    game.set_komi(3.5);
    let mut search = search(7, &[]);
    let request = Request { moves_ownership: true, ..playouts(800) };
    let report = run(&mut search, &game, &request);
    let stone = Point::parse_gtp("C5", 7).unwrap();
    let after = |point: Point| {
        let candidate = report.candidates.iter().find(|c| c.point == point).unwrap();
        candidate.owners.as_ref().unwrap().mean[stone]
    };
    assert!(after(diagram.mark('a')) > 0.9, "taken: {}", after(diagram.mark('a')));
    let visits = |c: &Candidate| c.visits > 30 && c.point != diagram.mark('a');
    for other in report.candidates.iter().filter(|c| visits(c)) {
        assert!(after(other.point) < after(diagram.mark('a')), "{}", other.point);
    }
    for candidate in &report.candidates {
        let deviation = &candidate.owners.as_ref().unwrap().deviation;
        assert!(game.board().points().all(|p| (0.0..=1.0).contains(&deviation[p])));
        assert_eq!(candidate.variation.len(), candidate.variation_visits.len());
        assert_eq!(candidate.variation_visits[0], candidate.visits);
    }
    let plain = run(&mut search, &game, &playouts(10));
    assert!(plain.candidates.iter().all(|c| c.owners.is_none()));
}
