//! A finished game as SGF, with what the programs said in the comments.

use super::bout::Played;
use super::outcome::GameResult;
use super::pairing::Fixture;
use crate::game::sgf::{Record, Setup};
use crate::types::{Color, Point};

/// What is said about a program in the record of a game.
#[derive(Clone, Copy, Debug)]
pub struct ProgramNote<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its command, with the seed of this game.
    pub command: &'a str,
    /// Its version.
    pub version: &'a str,
}

/// The record of a game between A and B.
pub fn record(
    played: &Played,
    fixture: &Fixture,
    handicap: &[Point],
    programs: [ProgramNote; 2],
    referee: &str,
) -> Record {
    let game = &played.game;
    let [black, white] = Color::BOTH.map(|color| programs[fixture.side(color)]);
    let row = &played.row;
    let result = |result: Option<GameResult>| match result {
        Some(result) if row.swapped => result.swapped().to_string(),
        Some(result) => result.to_string(),
        None => "?".to_owned(),
    };
    let (by_black, by_white) = match row.swapped {
        false => (row.result_a, row.result_b),
        true => (row.result_b, row.result_a),
    };
    let mut comment = format!(
        "Black command: {}\nWhite command: {}\nBlack version: {}\nWhite version: {}\n\
         Result[Black]: {}\nResult[White]: {}\n",
        black.command,
        white.command,
        black.version,
        white.version,
        result(by_black),
        result(by_white)
    );
    if referee != "-" {
        comment +=
            &format!("Referee: {referee}\nResult[Referee]: {}\n", result(row.result_referee));
    }
    if !fixture.opening.name.is_empty() {
        comment += &format!("Opening: {}\n", fixture.opening.name);
    }
    let [seed_black, seed_white] = Color::BOTH.map(|color| fixture.seeds[fixture.side(color)]);
    comment += &format!("Seed[Black]: {seed_black}\nSeed[White]: {seed_white}\n");
    if !row.message.is_empty() {
        comment += &format!("{}: {}\n", if row.error { "Error" } else { "Note" }, row.message);
    }
    let mut record = Record::new(game.size());
    record.komi = Some(game.komi());
    record.rules = Some(game.rules().name().to_owned());
    record.handicap = handicap.len();
    record.setup =
        handicap.iter().map(|&point| Setup { point, stone: Some(Color::Black) }).collect();
    record.setup.sort_by_key(|setup| setup.point);
    record.first_player = (!handicap.is_empty()).then_some(Color::White);
    record.black_name = Some(black.name.to_owned());
    record.white_name = Some(white.name.to_owned());
    record.game_name = Some(format!("game {}", row.game));
    record.result = Some(match played.result() {
        Some(result) => result.to_string(),
        None => "?".to_owned(),
    });
    record.comment = comment;
    for (&play, said) in game.moves().iter().zip(&played.comments) {
        record.push_move(play);
        if let (Some(step), false) = (record.steps.last_mut(), said.trim().is_empty()) {
            step.comment = clean(said);
        }
    }
    record
}

/// Text without control characters other than line breaks.
fn clean(text: &str) -> String {
    let letters = text.trim().chars();
    letters.filter(|&letter| letter == '\n' || letter == '\t' || !letter.is_control()).collect()
}
