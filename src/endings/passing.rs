//! Whether to pass, decided from what the search and the assessment say, and nothing else.
//!
//! Friendly (KGS, people): dead stones are agreed on after the game, so a settled board is passed
//! on, won or lost. Strict (CGOS, Tromp-Taylor): every stone counts as alive, so a pass must win on
//! the board as it stands, and dead stones are captured until it does. Cleanup (kgsGtp, after a
//! dispute): all dead stones are captured, then it passes.
//!
//! What keeps the game going is a useful point; `view` says which they are.

use super::status::Assessment;
use super::view::View;
use crate::game::{Game, Scoring, Standing};
use crate::params::PassMode;
use crate::search::Report;
use crate::tactics::is_bad_self_atari;
use crate::types::Point;

/// The search's winrate from which on a count that wins is believed.
const SURE: f64 = 0.9;
/// Share of points that may still be open for a board to look settled.
const OPEN_SHARE: f32 = 0.12;

/// How the end is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// An ordinary move.
    Play(PassMode),
    /// Dead stones are to be captured before the next pass.
    Cleanup,
}

/// What to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Pass.
    Pass,
    /// Play here.
    Play(Point),
    /// Capture dead stones.
    CaptureDead,
}

/// What to do, and why it is or is not a pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// What.
    pub action: Action,
    /// Why, as a phrase.
    pub reason: String,
}

impl Plan {
    fn new(action: Action, reason: impl Into<String>) -> Plan {
        Plan { action, reason: reason.into() }
    }
}

/// Does a search's ownership say that an assessment is worth making?
pub fn looks_settled(game: &Game, report: &Report) -> bool {
    let board = game.board();
    let open = board.points().filter(|&point| report.ownership[point].abs() < 0.7).count();
    open as f32 <= OPEN_SHARE * (game.size() * game.size()) as f32
}

/// Decides for the player to move.
pub fn plan(game: &Game, report: &Report, assessment: &Assessment, manner: Manner) -> Plan {
    let view = View::new(game, report, assessment);
    match manner {
        // Where the rules take no dead stones off, a friendly pass would give points away.
        Manner::Play(PassMode::Friendly) if game.rules().removes_dead() => view.friendly(),
        Manner::Play(_) => view.strict(),
        Manner::Cleanup => view.cleanup(),
    }
}

impl View<'_> {
    fn friendly(&self) -> Plan {
        let worst = self.assessment.worst_for(self.game, self.color);
        if self.opponent_passed() && self.result(&worst) > 0.0 {
            return Plan::new(Action::Pass, "the opponent passed and a pass wins at the worst");
        }
        if self.opponent_passed() && self.stones_would_cost() {
            return Plan::new(Action::Pass, "the opponent passed, count and search say it is won");
        }
        if let Some(point) = self.best_useful() {
            return Plan::new(Action::Play(point), self.what_is_open(point));
        }
        let result = self.result(&self.assessment.standing);
        if result < 0.0
            && self.report.winrate > 0.5
            && let Some(point) = self.searched_move()
        {
            let reason = format!("the count is {} behind, but the search likes {point}", -result);
            return Plan::new(Action::Play(point), reason);
        }
        if let Some(plan) = self.go_on() {
            return plan;
        }
        let who = if self.opponent_passed() { "the opponent passed and " } else { "" };
        Plan::new(Action::Pass, format!("{who}nothing is left to gain"))
    }

    /// Do the count and the search both say that the game is won, under rules by which a move that
    /// needs no answer costs a point? A won game (9x9, Japanese rules, ahead by 3.5 points) was
    /// lost by twelve stones after the opponent's pass, which all seemed to gain something.
    fn stones_would_cost(&self) -> bool {
        self.game.rules().scoring == Scoring::Territory
            && self.result(&self.assessment.standing) > 0.0
            && self.report.winrate >= SURE
    }

    /// The search's move while nobody has passed and stones are in doubt, even inside a border: the
    /// playouts may own a corner by 60 % in which one move of the opponent kills. To pass first there
    /// lost a game that was won (9x9, ahead by four points, 23 behind seventeen moves later).
    fn go_on(&self) -> Option<Plan> {
        let best = self.report.candidates.first()?.point;
        let doubtful = self.assessment.doubtful.first()?;
        let sound = !best.is_pass()
            && !self.assessment.is_beside_seki(best)
            && !is_bad_self_atari(self.game.board(), self.color, best);
        let reason = || format!("stones are in doubt at {doubtful}");
        (sound && !self.opponent_passed()).then(|| Plan::new(Action::Play(best), reason()))
    }

    fn strict(&self) -> Plan {
        let as_it_stands = self.result(&Standing::as_it_stands());
        if self.opponent_passed() && as_it_stands > 0.0 {
            return Plan::new(Action::Pass, "the board wins as it stands");
        }
        if let Some(point) = self.best_useful() {
            return Plan::new(Action::Play(point), self.what_is_open(point));
        }
        if as_it_stands > 0.0 {
            return Plan::new(Action::Pass, "the board wins as it stands, nothing is left to gain");
        }
        let dead = self.dead_enemies();
        if dead > 0 {
            let reason = format!("{dead} dead stones would count as alive");
            return Plan::new(Action::CaptureDead, reason);
        }
        if self.report.winrate > 0.3
            && let Some(point) = self.searched_move()
        {
            let reason = "the board loses as it stands, and the search sees a chance";
            return Plan::new(Action::Play(point), reason);
        }
        Plan::new(Action::Pass, "nothing can change the result")
    }

    fn cleanup(&self) -> Plan {
        let dead = self.dead_enemies();
        if dead > 0 {
            return Plan::new(Action::CaptureDead, format!("{dead} dead stones are on the board"));
        }
        match self.best_useful() {
            Some(point) => Plan::new(Action::Play(point), self.what_is_open(point)),
            None => Plan::new(Action::Pass, "no dead stones are left"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;
    use crate::endings::{assess, capture_move};
    use crate::game::Rules;
    use crate::params::Params;
    use crate::search::Candidate;
    use crate::types::{Color, Move, PointMap};
    use std::time::Duration;

    const FRIENDLY: Manner = Manner::Play(PassMode::Friendly);
    const STRICT: Manner = Manner::Play(PassMode::Strict);

    /// A finished board; a black stone is dead on White's side.
    const SETTLED: &str = "
        . . X O . . .
        . X X O . O .
        X . X O O . .
        . X X X O . O
        . . . X O O .
        . X . X O X .
        . . . X O . .";

    /// As above, with neutral points between the sides.
    const NEUTRAL: &str = "
        . . X . O . .
        . X X . O O .
        X . X O O . .
        . X X X O . O
        . . . X O O .
        . X . X O . .
        . . . X O . .";

    /// The game after White passed, Black to play.
    fn after_a_pass(diagram: &str, rules: Rules, komi: f32) -> Game {
        let mut board = Diagram::parse(diagram).unwrap().board;
        board.set_to_play(Color::White);
        let mut game = Game::from_board(board, rules);
        game.set_komi(komi);
        game.play(Move::new(Color::White, Point::PASS)).unwrap();
        game
    }

    /// A search that likes the moves in the order of the board, and a pass least.
    fn report(game: &Game, winrate: f64) -> Report {
        let candidate = |point: Point| Candidate {
            point,
            visits: 10,
            winrate,
            lower_bound: 0.0,
            score: 0.0,
            prior: 0.0,
            rave_visits: 0.0,
            rave_winrate: 0.5,
            variation: vec![point],
            ..Candidate::default()
        };
        let mut points = game.board().empty_points().to_vec();
        points.sort_unstable();
        points.push(Point::PASS);
        Report {
            to_play: game.board().to_play(),
            visits: 100,
            playouts: 100,
            elapsed: Duration::ZERO,
            winrate,
            score: 0.0,
            score_deviation: 1.0,
            extra_komi: 0.0,
            candidates: points.into_iter().map(candidate).collect(),
            ownership: PointMap::filled(0.0),
            ..Report::empty(game.board().to_play())
        }
    }

    fn decide(game: &Game, winrate: f64, manner: Manner) -> Plan {
        let assessment = assess(game, &Params::for_size(game.size()), None);
        plan(game, &report(game, winrate), &assessment, manner)
    }

    #[test]
    fn a_settled_board_is_passed_on_won_or_lost() {
        for rules in [Rules::CHINESE, Rules::JAPANESE] {
            for (komi, winrate) in [(-30.0, 0.9), (30.0, 0.1)] {
                let plan = decide(&after_a_pass(SETTLED, rules, komi), winrate, FRIENDLY);
                assert_eq!(plan.action, Action::Pass, "{rules} {komi}: {}", plan.reason);
                assert!(plan.reason.contains("the opponent passed"), "{}", plan.reason);
            }
        }
    }

    #[test]
    fn neutral_points_are_worth_a_move_under_area_rules_only() {
        let plan = decide(&after_a_pass(NEUTRAL, Rules::CHINESE, 20.5), 0.5, FRIENDLY);
        let dame = [Point::new(4, 7), Point::new(4, 6)];
        assert!(dame.map(Action::Play).contains(&plan.action), "{plan:?}");
        assert!(plan.reason.starts_with("2 points are open"), "{}", plan.reason);
        // Who wins without them need not take them.
        let plan = decide(&after_a_pass(NEUTRAL, Rules::CHINESE, 0.5), 0.5, FRIENDLY);
        assert_eq!(plan.action, Action::Pass, "{}", plan.reason);
        let plan = decide(&after_a_pass(NEUTRAL, Rules::JAPANESE, 20.5), 0.5, FRIENDLY);
        assert_eq!(plan.action, Action::Pass, "{}", plan.reason);
    }

    #[test]
    fn a_won_game_is_not_played_on_where_stones_cost_points() {
        let board = "
             . . . X O . . . .
             . . O X O . O . .
             . X X X O . X O .
             . . X O . . . O .
             . . X O O O X . .
             . . X X X X O . .
             . . . . X O O . .
             . . . X X X O . .
             . . . X O O O . .";
        let game = after_a_pass(board, Rules::JAPANESE, -6.5);
        let plan = decide(&game, 0.95, FRIENDLY);
        assert_eq!(plan.action, Action::Pass, "{}", plan.reason);
        // A search that is not sure looks for more, and so does one that is behind.
        assert_ne!(decide(&game, 0.6, FRIENDLY).action, Action::Pass);
        let behind = after_a_pass(board, Rules::JAPANESE, 6.5);
        assert_ne!(decide(&behind, 0.95, FRIENDLY).action, Action::Pass);
    }

    #[test]
    fn strict_passes_only_on_what_stands() {
        // Black is ahead as it stands at this komi, for the dead stone leaves White nothing there.
        let ahead = after_a_pass(SETTLED, Rules::TROMP_TAYLOR, -0.5);
        assert!(ahead.score(&Standing::as_it_stands()).0 > 0.0);
        assert_eq!(decide(&ahead, 0.5, STRICT).action, Action::Pass);
        // White has to capture it first.
        let mut white = ahead.clone();
        white.play(Move::new(Color::Black, Point::PASS)).unwrap();
        let plan = decide(&white, 0.5, STRICT);
        assert_eq!(plan.action, Action::CaptureDead, "{}", plan.reason);
        // Too far behind for anything to matter.
        let lost = after_a_pass(SETTLED, Rules::TROMP_TAYLOR, 60.0);
        let plan = decide(&lost, 0.0, STRICT);
        assert_eq!(plan, Plan::new(Action::Pass, "nothing can change the result"));
    }

    #[test]
    fn cleanup_captures_and_then_passes() {
        let mut game = after_a_pass(SETTLED, Rules::CHINESE, 0.5);
        game.play(Move::new(Color::Black, Point::PASS)).unwrap();
        let params = Params::for_size(7);
        let mut moves = 0;
        loop {
            let assessment = assess(&game, &params, None);
            let plan = plan(&game, &report(&game, 0.5), &assessment, Manner::Cleanup);
            if plan.action == Action::Pass {
                break;
            }
            assert_eq!(plan.action, Action::CaptureDead, "{}", plan.reason);
            let point = capture_move(&game, &assessment, &params, None).unwrap();
            game.play(Move::new(Color::White, point)).unwrap();
            game.play(Move::new(Color::Black, Point::PASS)).unwrap();
            moves += 1;
        }
        assert_eq!((moves, game.board().prisoners(Color::White)), (2, 1), "{}", game.board());
    }

    #[test]
    fn an_open_border_is_closed_before_the_first_pass() {
        // The playouts are sure that White owns D1, but it is not closed.
        let open = "
            . . X O . . .
            . X X O . O .
            X . X O O . .
            . X X X O . O
            . . . X O O .
            . X X X O . .
            . . . a . . .";
        let diagram = Diagram::parse(open).unwrap();
        for rules in [Rules::CHINESE, Rules::JAPANESE] {
            let mut board = diagram.board.clone();
            board.set_to_play(Color::White);
            let mut game = Game::from_board(board, rules);
            game.set_komi(0.5);
            let plan = decide(&game, 0.9, FRIENDLY);
            assert!(matches!(plan.action, Action::Play(_)), "{rules}: {}", plan.reason);
        }
    }

    #[test]
    fn nobody_passes_first_while_stones_are_in_doubt() {
        // White to cut at C5 and B7 kills the corner.
        let corner = "
            . X O . . . . . .
            . X O O . . . . .
            . . X O . O . . .
            . . X O O . . . .
            . . a X O . O O O
            . . . . X O O X X
            . . X X . X X . X
            . . . O X . . X .
            . . . X . . . . .";
        let diagram = Diagram::parse(corner).unwrap();
        let (board, defence) = (diagram.board.clone(), diagram.mark('a'));
        let mut game = Game::from_board(board, Rules::CHINESE);
        game.set_komi(7.5);
        let assessment = assess(&game, &Params::for_size(9), None);
        assert!(!assessment.doubtful.is_empty());
        let mut report = report(&game, 0.8);
        report.candidates.sort_by_key(|candidate| candidate.point != defence);
        let plan = plan(&game, &report, &assessment, FRIENDLY);
        assert_eq!(plan.action, Action::Play(defence), "{}", plan.reason);
    }

    #[test]
    fn a_seki_is_left_alone() {
        let seki = "
            . O O O . X O
            X X X X X X O
            O O O O O O O
            . O O . O . .
            O O . O . . .
            . O O . . . .
            O . . . . . .";
        for rules in [Rules::CHINESE, Rules::JAPANESE] {
            let game = after_a_pass(seki, rules, 0.5);
            for manner in [FRIENDLY, STRICT, Manner::Cleanup] {
                let plan = decide(&game, 0.0, manner);
                assert_eq!(plan.action, Action::Pass, "{}", plan.reason);
            }
        }
    }

    #[test]
    fn where_dead_stones_count_a_friendly_player_passes_strictly() {
        // The dead stone on White's side decides: counted off, White wins; as it stands, Black.
        let mut game = after_a_pass(SETTLED, Rules::TROMP_TAYLOR, 0.5);
        game.set_to_play(Color::White);
        assert_eq!(decide(&game, 0.9, FRIENDLY), decide(&game, 0.9, STRICT));
        game.set_rules(Rules::CHINESE);
        assert_ne!(decide(&game, 0.9, FRIENDLY), decide(&game, 0.9, STRICT));
    }
}
