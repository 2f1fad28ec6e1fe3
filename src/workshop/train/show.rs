//! `tengen features`: the features of every move of a position, for people.

use super::load_model;
use super::picture;
use super::position::Position;
use crate::board::Board;
use crate::game::sgf::Record;
use crate::game::{Game, Rules};
use crate::knowledge::diamond::{Family, MAX_DIAMOND};
use crate::knowledge::net::Judgement;
use crate::knowledge::{Critic, Extractor, FeatureId, Model, Scratch, features};
use crate::types::Point;
use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Show the features and the probability of every move of a position.
#[derive(Args, Debug)]
pub struct FeaturesArgs {
    /// A game record.
    game: PathBuf,
    /// Show the position before this move, from 1; after the last move if it is larger by one.
    number: usize,
    /// The model; without it, the one that comes with the program.
    #[arg(long)]
    model: Option<PathBuf>,
    /// Show only this move (a vertex such as D4, or pass).
    #[arg(long)]
    at: Option<String>,
    /// Show only so many of the likeliest moves.
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    top: usize,
    /// Print JSON, one object a move.
    #[arg(long)]
    json: bool,
    /// Draw the position with the owners that the network expects and the likeliest moves.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Runs `tengen features`.
pub fn run(args: &FeaturesArgs) -> Result<()> {
    let name = args.game.display();
    let record = Record::open(&args.game)?;
    let moves = record.moves().count();
    ensure!(
        (1..=moves + 1).contains(&args.number),
        "'{name}' has {moves} moves; give a move number from 1 to {}",
        moves + 1
    );
    let game = Game::from_record(&record, Rules::CHINESE, Some(args.number))
        .with_context(|| format!("'{name}' cannot be replayed to move {}", args.number))?;
    let board = game.board();
    let model = match &args.model {
        Some(path) => load_model(path)?.into(),
        None => Model::embedded(board.size()),
    };
    let wanted = match &args.at {
        Some(text) => Some(Point::parse_gtp(text, board.size())?),
        None => None,
    };
    let played = record.moves().nth(args.number - 1).map(|play| play.point);
    let mut critic = Critic::embedded(board.size());
    let judgement = critic.as_mut().and_then(|critic| critic.judge(board));
    if !args.json {
        println!("{board}");
        if let Some(judgement) = judgement {
            print_judgement(board, judgement, game.total_komi());
        }
    }
    print_moves(board, &model, judgement, wanted, played, args)
}

/// What the network says of the position: the lead, the winrate, and the owners as digits, `+` Black's
/// and `-` White's.
fn print_judgement(board: &Board, judgement: &Judgement, komi: f32) {
    println!(
        "network: {} after komi, Black wins {:.0} %; owners from -9 to +9:",
        picture::lead_in_words(judgement.black_lead(komi)),
        100.0 * judgement.black_winrate(komi)
    );
    for row in (1..=board.size()).rev() {
        let owner = |column| (9.0 * judgement.black_owner(Point::new(column, row))).round() as i32;
        let cells = (1..=board.size()).map(|column| format!("{:+3}", owner(column)));
        println!("{}", cells.collect::<String>());
    }
    println!();
}

fn print_moves(
    board: &Board,
    model: &Model,
    judgement: Option<&Judgement>,
    wanted: Option<Point>,
    played: Option<Point>,
    args: &FeaturesArgs,
) -> Result<()> {
    let mut scratch = Scratch::new();
    let probabilities = model.evaluate(board, &mut scratch);
    let legal = probabilities.iter().map(|m| m.0);
    let judged = judgement.map(|judgement| judgement.probabilities(legal));
    if let Some(path) = &args.svg {
        let svg = picture::draw(board, judgement, judged.as_deref().unwrap_or(probabilities));
        std::fs::write(path, svg).with_context(|| format!("cannot write '{}'", path.display()))?;
    }
    let mut position = Position::default();
    position.fill(board, Point::PASS, &mut Extractor::default(), model.patterns());
    let mut order: Vec<usize> = (0..position.len()).collect();
    order.sort_by(|&a, &b| probabilities[b].1.total_cmp(&probabilities[a].1));
    for (rank, &index) in order.iter().enumerate().take(args.top) {
        let (point, probability) = probabilities[index];
        if wanted.is_some_and(|wanted| wanted != point) {
            continue;
        }
        let features = describe(&position, index, model);
        if args.json {
            let list: Vec<_> =
                features.iter().map(|(name, weight)| json!([name, weight])).collect();
            let object = json!({
                "move": point.to_string(), "rank": rank + 1, "probability": probability,
                "network": judged.as_ref().map(|judged| judged[index].1),
                "played": Some(point) == played, "features": list,
            });
            println!("{object}");
            continue;
        }
        let mark = if Some(point) == played { "  (played)" } else { "" };
        let network = judged.as_ref().map_or(String::new(), |judged| {
            format!(", {:.2} % with the network", 100.0 * judged[index].1)
        });
        println!("{}. {point}: {:.2} %{network}{mark}", rank + 1, 100.0 * probability);
        for (name, weight) in features {
            println!("    {weight:+.3}  {name}");
        }
    }
    Ok(())
}

/// Names and weights of a move's features.
fn describe(position: &Position, index: usize, model: &Model) -> Vec<(String, f32)> {
    let groups = position.pattern_groups(index);
    let named = |(&id, &group): (&u32, &u8)| match (id as usize).checked_sub(features::COUNT) {
        None => (features::describe(id as FeatureId), model.weights()[id as usize]),
        Some(slot) => {
            let (family, size) =
                (usize::from(group) / (MAX_DIAMOND + 1), usize::from(group) % (MAX_DIAMOND + 1));
            (format!("{} size {size}", Family::ALL[family].name()), model.patterns().weight(slot))
        }
    };
    position.features(index).iter().zip(groups).map(named).collect()
}
