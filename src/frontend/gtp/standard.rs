//! The commands of the GTP 2 specification.

use super::analyze::found;
use super::command::{Call, Command, Reply};
use super::parse::SYNTAX_ERROR;
use super::session::Session;
use super::status;
use super::think::Task;
use crate::frontend::client_komi;
use crate::game::{fixed_handicap, free_handicap};
use crate::time::TimeSystem;
use crate::types::{Color, MAX_SIZE, MIN_SIZE, Point};
use std::time::Duration;

/// The table.
pub const COMMANDS: &[Command] = &[
    Command::new("protocol_version", "", "The version of GTP, 2.", |_, _| Ok("2".to_owned())),
    Command::new("name", "", "The name of the program.", |session, _| {
        Ok(session.settings.name.clone().unwrap_or_else(|| "tengen".to_owned()))
    }),
    Command::new("version", "", "The version of the program.", |session, _| {
        let version = || crate::version::BUILD.to_owned();
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
    Command::new("play", "COLOR VERTEX", "Plays a move.", |session, call| {
        let play = call.args.play(0, session.size())?;
        session.play(play, call.arrived)?;
        Ok(String::new())
    }),
    Command::new("genmove", "COLOR", "Chooses a move and plays it.", |session, call| {
        generate(session, call, &Task::default())
    }),
    Command::new("reg_genmove", "COLOR", "Chooses a move without playing it.", reg_genmove),
    Command::new("undo", "", "Takes back a move.", |session, _| session.undo(1)),
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
    Command::new("set_free_handicap", "VERTEX...", "Places these handicap stones.", set_handicap),
    Command::new(
        "time_settings",
        "MAIN PERIOD STONES",
        "Sets the time limits in seconds and starts the clocks.",
        |session, call| {
            let (main, period) = (seconds(call, 0)?, seconds(call, 1)?);
            session.clock.set_system(TimeSystem::from_gtp(main, period, call.args.parsed(2)?));
            Ok(String::new())
        },
    ),
    Command::new(
        "time_left",
        "COLOR TIME STONES",
        "Tells what is left on a clock.",
        |session, call| {
            let (color, time) = (call.args.color(0)?, seconds(call, 1)?);
            let count = call.args.get(2).map_or(Ok(0), |_| call.args.parsed(2))?;
            session.clock.set_left(color, time, count, call.arrived);
            Ok(String::new())
        },
    ),
    Command::new("final_score", "", "The result of the game.", |session, _| {
        let standing = status::standing(session);
        Ok(session.engine.game().score(&standing).to_string())
    }),
    Command::new(
        "final_status_list",
        "alive|dead|seki|black_territory|white_territory|dame",
        "The stones or points of a status, a chain or region a line.",
        |session, call| status::list(session, call.args.word(0)?),
    ),
    Command::new("showboard", "", "A diagram of the position.", showboard),
];

/// Changes the size, if it is one that there is.
pub fn boardsize(session: &mut Session, call: &mut Call) -> Reply {
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
    let komi = client_komi(call.args.float(0)?).map_err(|must| format!("komi {must}"))?;
    session.set_komi(komi);
    Ok(String::new())
}

/// Chooses and plays a move.
pub fn generate(session: &mut Session, call: &mut Call, task: &Task) -> Reply {
    let color = call.args.color(0)?;
    let decision = session.choose(call, color, task);
    let decision = decision.ok_or_else(|| "cancelled".to_owned())?;
    Ok(session.commit(color, &decision))
}

fn reg_genmove(session: &mut Session, call: &mut Call) -> Reply {
    let color = call.args.color(0)?;
    Ok(found(session, call, color, &Task::default()))
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
    session.forget();
    Ok(super::info::vertices(points))
}

/// One stone is enough: LizGoban tries with one.
fn set_handicap(session: &mut Session, call: &mut Call) -> Reply {
    check_empty(session)?;
    let bad = || "bad vertex list".to_owned();
    let point = |word: &str| Point::parse_gtp(word, session.size()).map_err(|_| bad());
    let points = call.args.words().map(point).collect::<Result<Vec<_>, _>>()?;
    if points.is_empty() || points.iter().any(|point| point.is_pass()) {
        return Err(bad());
    }
    session.engine.place_handicap(&points).map_err(|_| bad())?;
    session.forget();
    Ok(String::new())
}

/// A time of zero or more seconds.
pub fn seconds(call: &Call, index: usize) -> Result<Duration, String> {
    let seconds = call.args.float(index)?;
    if seconds < 0.0 {
        return Err(SYNTAX_ERROR.to_owned());
    }
    Ok(Duration::from_secs_f64(seconds.min(1e9)))
}

fn showboard(session: &mut Session, _: &mut Call) -> Reply {
    let game = session.engine.game();
    let board = game.board();
    let mut text = format!(
        "\n{board}\n{} to play, move {}; prisoners: Black {}, White {}\nkomi {}, {} rules",
        board.to_play(),
        game.moves().len() + 1,
        board.prisoners(Color::Black),
        board.prisoners(Color::White),
        game.komi(),
        game.rules(),
    );
    if game.handicap() > 0 {
        text.push_str(&format!(", handicap {}", game.handicap()));
    }
    Ok(text)
}

/// Processor time of all threads.
pub fn cputime(_: &mut Session, _: &mut Call) -> Reply {
    let time = cpu_time::ProcessTime::now().as_duration();
    Ok(format!("{:.3}", time.as_secs_f64()))
}
