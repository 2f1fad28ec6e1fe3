//! Commands of GNU Go that clients and people have come to expect.

use super::command::{Call, Command, Reply};
use super::info::{for_black, vertices, visited};
use super::session::Session;
use super::think::estimated_score;
use super::{person, standard, status};
use crate::rank;
use crate::types::Move;

/// The table.
pub const COMMANDS: &[Command] = &[
    Command::new("gg-undo", "[MOVES]", "Takes back moves.", |session, call| {
        let moves = call.args.get(0).map_or(Ok(1), |_| call.args.parsed(0))?;
        session.undo(moves)
    }),
    Command::new("cputime", "", "Seconds of processor time used so far.", standard::cputime),
    Command::new("estimate_score", "", "The expected result.", |session, call| {
        let report = session.glance(call, session.to_play());
        let (_, score) = for_black(&report);
        let spread = report.score_deviation;
        let (upper, lower) = (score + spread, score - spread);
        let estimate = estimated_score(&report);
        Ok(format!("{estimate} (upper bound: {upper:.1}, lower: {lower:.1})"))
    }),
    Command::new("top_moves", "[COLOR]", "The best moves and their win rates.", top_moves),
    Command::new("all_legal", "COLOR", "All legal moves.", |session, call| {
        let color = call.args.color(0)?;
        let game = session.engine.game();
        let is_legal = |point| game.is_legal(Move::new(color, point));
        Ok(vertices(&game.board().points().filter(|&p| is_legal(p)).collect::<Vec<_>>()))
    }),
    Command::new("is_legal", "COLOR VERTEX", "Is the move legal: 1 or 0.", |session, call| {
        let play = call.args.play(0, session.size())?;
        Ok(u8::from(session.engine.game().is_legal(play)).to_string())
    }),
    Command::new("list_stones", "COLOR", "The stones of a colour.", |session, call| {
        let color = call.args.color(0)?;
        let board = session.engine.game().board();
        Ok(vertices(&board.points().filter(|&p| board.is_stone(p, color)).collect::<Vec<_>>()))
    }),
    Command::new("get_komi", "", "White's compensation.", |session, _| {
        Ok(session.engine.game().komi().to_string())
    }),
    Command::new("get_handicap", "", "The number of handicap stones.", |session, _| {
        Ok(session.engine.game().handicap().to_string())
    }),
    Command::new("query_boardsize", "", "The size of the board.", |session, _| {
        Ok(session.size().to_string())
    }),
    Command::new("move_history", "", "The moves, the last first.", |session, _| {
        let line = |play: &Move| format!("{} {}", play.color, play.point);
        Ok(session.engine.game().moves().iter().rev().map(line).collect::<Vec<_>>().join("\n"))
    }),
    Command::new("last_move", "", "The last move.", |session, _| {
        let last = session.engine.game().moves().last();
        let last = last.ok_or_else(|| "no previous move known".to_owned())?;
        Ok(format!("{} {}", last.color, last.point))
    }),
    Command::new(
        "color",
        "VERTEX",
        "What is on a point: black, white or empty.",
        |session, call| {
            let point = call.args.point(0, session.size())?;
            let color = session.engine.game().board().cell(point).color();
            Ok(color.map_or_else(|| "empty".to_owned(), |color| color.to_string()))
        },
    ),
    Command::new("captures", "COLOR", "The stones that a colour has captured.", |session, call| {
        let color = call.args.color(0)?;
        Ok(session.engine.game().board().prisoners(color).to_string())
    }),
    Command::new("countlib", "VERTEX", "The liberties of a chain.", |session, call| {
        let point = call.args.point(0, session.size())?;
        let board = session.engine.game().board();
        if board.is_empty(point) {
            return Err("vertex must not be empty".to_owned());
        }
        Ok(board.liberty_count(point).to_string())
    }),
    Command::new("level", "LEVEL", "Plays like a person: 1 is 25k, 10 is 3d.", |session, call| {
        let level = call.args.parsed::<u32>(0)?;
        let rank = rank::of_level(level).ok_or_else(|| "give 1 to 10".to_owned())?;
        session.set_rank(Some(rank));
        Ok(String::new())
    }),
    Command::new(
        "tengen-rank",
        "[RANK|full]",
        "Plays like a person of a rank, 25k to 9d, or at full strength; alone, tells the rank.",
        |session, call| {
            let Some(text) = call.args.get(0) else {
                let rank = session.settings.rank;
                return Ok(rank.map_or_else(|| "full".to_owned(), |rank| rank.to_string()));
            };
            session.set_rank(rank::parse(text).map_err(|error| error.to_string())?);
            Ok(String::new())
        },
    ),
    Command::new(
        "set_random_seed",
        "SEED",
        "Sets the seed of the random numbers.",
        |session, call| {
            let seed: u64 = call.args.parsed(0)?;
            session.set_param("search.seed", &seed.to_string())?;
            Ok(String::new())
        },
    ),
    Command::new("get_random_seed", "", "The seed of the random numbers.", |session, _| {
        Ok(session.engine.params().search.seed.to_string())
    }),
    Command::new("clear_cache", "", "Forgets what earlier searches found.", |session, _| {
        session.engine.clear_search();
        session.forget();
        Ok(String::new())
    }),
    Command::new("echo", "TEXT", "Answers the text.", |_, call| Ok(call.args.text().to_owned())),
    Command::new("echo_err", "TEXT", "Answers the text, also on stderr.", |session, call| {
        session.chatter.say(call.args.text());
        Ok(call.args.text().to_owned())
    }),
    Command::new("help", "[NAME|all]", "What commands do.", help),
    Command::new("final_status", "VERTEX", "The status of a stone or point.", |session, call| {
        let point = call.args.point(0, session.size())?;
        Ok(status::of_point(session, point).to_owned())
    }),
];

fn top_moves(session: &mut Session, call: &mut Call) -> Reply {
    let color = call.args.get(0).map_or(Ok(session.to_play()), |_| call.args.color(0))?;
    let report = session.glance(call, color);
    let entry = |candidate: &crate::search::Candidate| {
        format!("{} {:.3}", candidate.point, candidate.winrate)
    };
    Ok(visited(&report).take(10).map(entry).collect::<Vec<_>>().join(" "))
}

fn help(session: &mut Session, call: &mut Call) -> Reply {
    match call.args.get(0) {
        None if session.settings.person => Ok(person::short_help(session)),
        None | Some("all") => {
            Ok(session.listed().map(Command::describe).collect::<Vec<_>>().join("\n"))
        }
        Some(name) => {
            let found = session.listed().find(|command| command.name == name);
            let found = found.ok_or_else(|| person::unknown_command(session, name))?;
            Ok(found.describe())
        }
    }
}
