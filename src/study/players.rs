//! The players: each a method of a paper, chosen by name, and all of them alike to a GTP client.

use super::policy::one_move;
use super::settings::{Settings, Worth};
use super::tree::Tree;
use super::{depth, flat};
use crate::game::Game;
use crate::types::{Move, Point, Rng};

/// A player and where it comes from.
#[derive(Clone, Copy, Debug)]
pub struct PlayerKind {
    /// Its name for `--player`.
    pub name: &'static str,
    /// What it does and who describes it.
    pub about: &'static str,
    /// What it changes of the defaults, as `name = value` lines.
    preset: &'static str,
    choose: fn(&Game, &Settings, &mut Rng) -> Point,
}

/// Every player.
pub const PLAYERS: &[PlayerKind] = &[
    PlayerKind {
        name: "goyui",
        about: "You's GoYui: a tree with the settings of study/goyui.params",
        preset: include_str!("../../study/goyui.params"),
        choose: tree,
    },
    PlayerKind {
        name: "uct",
        about: "the same tree with plain UCT and light playouts (Lew 3.3.2, Baudis)",
        preset: "exploration = 0.2\nexpand = 2",
        choose: tree,
    },
    PlayerKind {
        name: "coulom",
        about: "a tree whose values go from mean to maximum with visits (Lew 3.3.2)",
        preset: "exploration = 0.2\nexpand = 2\ncoulom = 200",
        choose: tree,
    },
    PlayerKind {
        name: "egreedy",
        about: "a tree with a random child one time in five instead of UCB1 (Baudis)",
        preset: "exploration = 0\nepsilon = 0.2\nexpand = 2",
        choose: tree,
    },
    PlayerKind {
        name: "random",
        about: "any legal move that fills no eye (Baudis)",
        preset: "",
        choose: |game, settings, rng| one_move(settings, game.board(), rng),
    },
    PlayerKind {
        name: "playout",
        about: "the move that a playout would make (Baudis)",
        preset: "policy = goyui",
        choose: |game, settings, rng| one_move(settings, game.board(), rng),
    },
    PlayerKind {
        name: "montecarlo",
        about: "the move that wins most playouts, without a tree (Baudis)",
        preset: "worth = win",
        choose: flat::flat,
    },
    PlayerKind {
        name: "flat",
        about: "the move with the best mean score, each tried as often (Lew 3.2, vanilla)",
        preset: "worth = score",
        choose: flat::flat,
    },
    PlayerKind {
        name: "amaf",
        about: "the mean score of playouts in which a move occurred at all (Lew 3.2.4, Hsu)",
        preset: "worth = score",
        choose: flat::amaf,
    },
    PlayerKind {
        name: "annealing",
        about: "Bruegmann's annealing as Hsu has it: K of e^(K v) rises to its end (Lew 3.2.1)",
        preset: "temperature = 5",
        choose: flat::annealing,
    },
    PlayerKind {
        name: "pruning",
        about: "flat, but moves that are surely worse are dropped (Lew 3.2.5, Hsu)",
        preset: "worth = score",
        choose: flat::pruning,
    },
    PlayerKind {
        name: "depth",
        about: "minimax of some depth over mean scores (Lew 3.3.1, Hsu depth-i)",
        preset: "worth = score\ndepth = 2",
        choose: depth::enumerate,
    },
];

/// The player of a name.
pub fn find(name: &str) -> Option<&'static PlayerKind> {
    PLAYERS.iter().find(|player| player.name == name)
}

impl PlayerKind {
    /// Its settings before anything is set.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        // A test reads every preset.
        let _ = settings.read(self.preset);
        settings
    }

    /// Chooses a move for the player to move, or a pass. The boards of playouts know no superko: a move that repeats
    /// a position is replaced by any other.
    pub fn choose(&self, game: &Game, settings: &Settings, rng: &mut Rng) -> Point {
        let color = game.board().to_play();
        let point = (self.choose)(game, settings, rng);
        if game.is_legal(Move::new(color, point)) {
            return point;
        }
        match flat::moves(game)[..] {
            [] => Point::PASS,
            ref moves => moves[rng.below(moves.len() as u32) as usize],
        }
    }
}

/// The tree's move. It passes when it sees no hope, and after a pass when it sees no danger.
fn tree(game: &Game, settings: &Settings, rng: &mut Rng) -> Point {
    let mut tree = Tree::new(game, settings.clone(), rng.bits());
    if let [only] = tree.moves() {
        return only.point;
    }
    tree.run(|_| ());
    let best = tree.best();
    let child = &tree.moves()[best];
    let passed = game.moves().last().is_some_and(|last| last.point.is_pass());
    let hopeless = child.mean() < settings.pass_below;
    let safe = passed && child.mean() > settings.pass_above;
    if hopeless || safe { Point::PASS } else { child.point }
}

/// The points of a playout's end that count for a colour: komi taken off, or just who won.
pub(super) fn worth(settings: &Settings, black: f64, black_plays: bool) -> f64 {
    let own = if black_plays { black } else { -black };
    match settings.worth {
        Worth::Score => own,
        Worth::Win => f64::from(u8::from(own > 0.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::types::Color;

    #[test]
    fn every_player_plays_a_game_to_its_end() {
        for player in PLAYERS {
            let mut read = Settings::default();
            assert_eq!(read.read(player.preset), Ok(()), "{}", player.name);
            let settings = Settings { playouts: 60, least: 4, ..player.settings() };
            let mut game = Game::new(4, Rules::CHINESE);
            let mut rng = Rng::new(3);
            while !game.is_over() && game.moves().len() < 150 {
                let color = game.board().to_play();
                let point = player.choose(&game, &settings, &mut rng);
                game.play(Move::new(color, point)).unwrap();
            }
            assert!(game.is_over(), "{}", player.name);
        }
    }

    #[test]
    fn the_search_players_take_stones_that_are_given_away() {
        use crate::board::Diagram;
        let diagram = Diagram::parse(
            ". O O . .
             O X X a .
             . O O . .
             . . . . .
             . X . X .",
        )
        .unwrap();
        let mut game = Game::from_board(diagram.board.clone(), Rules::CHINESE);
        game.set_to_play(Color::White);
        for name in ["goyui", "uct", "montecarlo", "flat", "pruning"] {
            let player = find(name).unwrap();
            let settings = Settings { playouts: 1500, least: 20, ..player.settings() };
            let found = player.choose(&game, &settings, &mut Rng::new(5));
            assert_eq!(found, diagram.mark('a'), "{name}");
        }
    }
}
