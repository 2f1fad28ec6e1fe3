//! What the client of the Computer Go Server sends.

use super::command::{Call, Command, Reply};
use super::info::{from_top_left, rounded, vertices, visited};
use super::session::Session;
use super::think::Task;
use crate::search::{Candidate, Report};
use serde_json::{Value, json};

/// The table.
pub const COMMANDS: &[Command] = &[
    Command::new("cgos-opponent_name", "NAME", "Tells the opponent's name.", |session, call| {
        session.opponent = Some(call.args.text().to_owned()).filter(|name| !name.is_empty());
        Ok(String::new())
    }),
    Command::new("cgos-opponent_rating", "ELO", "Tells the opponent's rating.", |_, _| {
        Ok(String::new()) // it plays as well as it can against everybody
    }),
    Command::new(
        "cgos-gameover",
        "RESULT",
        "The game is over: no more pondering.",
        |session, call| {
            session.pondering = None;
            session.clock.pause();
            log::info!("result: {}", call.args.text());
            Ok(String::new())
        },
    ),
    Command::new(
        "cgos-genmove_analyze",
        "COLOR",
        "Chooses and plays a move; a line of JSON tells what a search found.",
        genmove_analyze,
    ),
];

/// Candidates in the JSON; the server stores every line in the game record.
const SHOWN: usize = 10;

fn genmove_analyze(session: &mut Session, call: &mut Call) -> Reply {
    let color = call.args.color(0)?;
    session.begin_stream(call);
    let decision = session.choose(call, color, &Task::default());
    let decision = decision.ok_or_else(|| "cancelled".to_owned())?;
    let size = session.size();
    let answer = session.commit(color, &decision);
    // The server takes a move without a line of JSON; invented figures it would store in the record.
    if decision.report.visits > 0 {
        let analysis = analysis(&decision.report, size, &session.explanation);
        let written = session.output.stream(&analysis.to_string());
        session.note(written);
    }
    Ok(format!("play {answer}"))
}

/// The JSON of "GTP tournament game expansion" 0.1. The variation of a move does not repeat it.
fn analysis(report: &Report, size: usize, comment: &str) -> Value {
    let round = |value: f64| rounded(value, 1e4); // enough for the viewer
    let entry = |candidate: &Candidate| {
        json!({
            "move": candidate.point.to_string(),
            "winrate": round(candidate.winrate),
            "score": round(candidate.score),
            "prior": round(candidate.prior),
            "visits": candidate.visits,
            "pv": vertices(candidate.variation.get(1..).unwrap_or_default()),
        })
    };
    let moves: Vec<Value> = visited(report).take(SHOWN).map(entry).collect();
    let sign = report.to_play.sign() as f32;
    let owners = from_top_left(size).map(|point| ownership_char(report.ownership[point] * sign));
    json!({
        "winrate": round(report.winrate),
        "score": round(report.score),
        "visits": report.visits,
        "moves": moves,
        "ownership": owners.collect::<String>(),
        "comment": comment,
    })
}

/// One of 63 characters from -1, the opponent's, to 1, the player's.
fn ownership_char(owner: f32) -> char {
    const CHARS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+";
    let index = ((owner.clamp(-1.0, 1.0) + 1.0) / 2.0 * 62.0).round() as usize;
    char::from(CHARS[index.min(62)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ownership_is_one_of_63_characters() {
        assert_eq!(ownership_char(-1.0), 'A');
        assert_eq!(ownership_char(0.0), 'f');
        assert_eq!(ownership_char(1.0), '+');
        assert_eq!(ownership_char(7.0), '+');
    }
}
