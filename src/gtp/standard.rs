//! The commands of the GTP 2 specification.

use super::command::{Call, Command, Reply};
use super::input::Until;
use super::parse::SYNTAX_ERROR;
use super::session::Session;
use crate::engine::Choice;
use crate::game::{fixed_handicap, free_handicap};
use crate::search::{Limit, Request};
use crate::types::{Color, MAX_SIZE, MIN_SIZE, Move, Point};
use std::time::Duration;

/// The table.
pub const COMMANDS: &[Command] = &[
    Command::new("protocol_version", "", "The version of GTP, 2.", |_, _| Ok("2".to_owned())),
    Command::new("name", "", "The name of the program.", |session, _| {
        Ok(session.settings.name.clone().unwrap_or_else(|| "tengen".to_owned()))
    }),
    Command::new("version", "", "The version of the program.", |session, _| {
        let version = || env!("CARGO_PKG_VERSION").to_owned();
        Ok(session.settings.version.clone().unwrap_or_else(version))
    }),
    Command::new("known_command", "NAME", "Is there such a command?", |session, call| {
        let known = |name: &str| session.listed().any(|command| command.name == name);
        Ok(call.args.get(0).is_some_and(known).to_string())
    }),
    Command::new("list_commands", "", "All commands.", |session, _| {
        Ok(session.listed().map(|command| command.name).collect::<Vec<_>>().join("\n"))
    }),
    Command::new("quit", "", "Ends the program.", |session, _| {
        session.quit = true;
        Ok(String::new())
    }),
    Command::new("boardsize", "SIZE", "Changes the size and clears the board.", boardsize),
    Command::new("clear_board", "", "Begins a new game.", |session, _| {
        session.new_game(session.size());
        Ok(String::new())
    }),
    Command::new("komi", "KOMI", "Sets White's compensation.", komi),
    Command::new("play", "COLOR VERTEX", "Plays a move.", play),
    Command::new("genmove", "COLOR", "Chooses a move and plays it.", |session, call| {
        generate(session, call, true)
    }),
    Command::new("reg_genmove", "COLOR", "Chooses a move without playing it.", |session, call| {
        generate(session, call, false)
    }),
    Command::new("undo", "", "Takes back a move.", |session, _| {
        if session.engine.undo(1) { Ok(String::new()) } else { Err("cannot undo".to_owned()) }
    }),
    Command::new("fixed_handicap", "STONES", "Places handicap stones.", |session, call| {
        let stones = handicap_stones(session, call)?;
        let invalid = || "invalid number of stones".to_owned();
        let points = fixed_handicap(session.size(), stones).ok_or_else(invalid)?;
        place(session, &points)
    }),
    Command::new(
        "place_free_handicap",
        "STONES",
        "Places handicap stones where the program likes.",
        |session, call| {
            let stones = handicap_stones(session, call)?;
            let points = free_handicap(session.size(), stones);
            if stones < 2 || points.is_empty() {
                return Err("invalid number of stones".to_owned());
            }
            place(session, &points)
        },
    ),
    Command::new(
        "set_free_handicap",
        "VERTEX...",
        "Places these handicap stones.",
        |session, call| {
            check_empty(session)?;
            let bad = || "bad vertex list".to_owned();
            let point = |word: &str| Point::parse_gtp(word, session.size()).map_err(|_| bad());
            let points = call.args.words().map(point).collect::<Result<Vec<_>, _>>()?;
            if points.is_empty() || points.iter().any(|point| point.is_pass()) {
                return Err(bad());
            }
            session.engine.place_handicap(&points).map_err(|_| bad())?;
            Ok(String::new())
        },
    ),
    Command::new("cputime", "", "Seconds of processor time used so far.", |_, _| {
        let time = cpu_time::ProcessTime::now().as_duration();
        Ok(format!("{:.3}", time.as_secs_f64()))
    }),
    Command::new("final_score", "", "The result of the game.", |session, _| {
        let standing = session.engine.standing();
        Ok(session.engine.game().score(&standing).to_string())
    }),
    Command::new("showboard", "", "A diagram of the position.", |session, _| {
        let board = session.engine.game().board();
        let by = |color: Color| board.prisoners(color);
        Ok(format!(
            "\n{board}\n{} to play; prisoners: Black {}, White {}; komi {}; {} rules",
            board.to_play(),
            by(Color::Black),
            by(Color::White),
            session.engine.game().komi(),
            session.engine.game().rules(),
        ))
    }),
];

fn boardsize(session: &mut Session, call: &mut Call) -> Reply {
    let not_integer = |_| "boardsize not an integer".to_owned();
    let size: i64 = call.args.word(0)?.parse().map_err(not_integer)?;
    let other = call.args.get(1).map_or(Ok(size), |_| call.args.parsed(1))?;
    match usize::try_from(size) {
        Ok(size) if (MIN_SIZE..=MAX_SIZE).contains(&size) && other == size as i64 => {
            session.new_game(size);
            Ok(String::new())
        }
        _ => Err("unacceptable size".to_owned()),
    }
}

fn komi(session: &mut Session, call: &mut Call) -> Reply {
    let komi = call.args.float(0)? as f32;
    if !komi.is_finite() {
        return Err(SYNTAX_ERROR.to_owned());
    }
    session.settings.komi = Some(komi);
    session.engine.set_komi(komi);
    Ok(String::new())
}

fn play(session: &mut Session, call: &mut Call) -> Reply {
    let play = call.args.play(0, session.size())?;
    session.engine.play(play).map_err(|_| "illegal move".to_owned())?;
    Ok(String::new())
}

fn check_empty(session: &Session) -> Result<(), String> {
    let game = session.engine.game();
    let points = game.size() * game.size();
    if game.moves().is_empty() && game.board().empty_points().len() == points {
        Ok(())
    } else {
        Err("board not empty".to_owned())
    }
}

fn handicap_stones(session: &Session, call: &Call) -> Result<usize, String> {
    check_empty(session)?;
    call.args.parsed(0)
}

fn place(session: &mut Session, points: &[Point]) -> Reply {
    session.engine.place_handicap(points).map_err(|error| error.to_string())?;
    Ok(points.iter().map(Point::to_string).collect::<Vec<_>>().join(" "))
}

fn generate(session: &mut Session, call: &mut Call, play: bool) -> Reply {
    let color = call.args.color(0)?;
    let mut limit = session.engine.default_limit();
    if call.interrupted {
        let moment = Some(Duration::from_millis(20));
        limit = Limit { planned: moment, maximum: moment, ..Limit::default() };
    }
    let request = Request { limit, ..Request::default() };
    let interrupt = session.inbox.begin(Until::Told, call.arrived);
    let decision = session.engine.generate(color, &request, &interrupt, &mut |_| ());
    session.inbox.end();
    match decision.choice {
        Choice::Resign => Ok("resign".to_owned()),
        Choice::Play(point) => {
            if play {
                session.engine.play(Move::new(color, point)).map_err(|error| error.to_string())?;
            }
            Ok(point.to_string())
        }
    }
}
