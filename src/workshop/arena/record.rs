//! A finished game as SGF, with what the programs said in the comments.

use super::bout::Played;
use super::contest::About;
use super::options::Plan;
use super::outcome::GameResult;
use super::pairing::Fixture;
use super::team::Team;
use crate::game::sgf::{Record, Setup};
use crate::types::Color;
use crate::workshop::tools::date::today;

/// The record of a game between A and B.
pub(super) fn sgf_of(
    plan: &Plan,
    about: &About,
    played: &Played,
    fixture: &Fixture,
    team: &Team,
) -> String {
    let (game, row) = (&played.game, &played.row);
    let [black, white] = Color::BOTH.map(|color| fixture.side(color));
    // With the seed of this game, where the program was started for it.
    let command = |side: usize| match &team.players[side] {
        Some(player) => player.command.clone(),
        None => plan.programs[side].command(),
    };
    let result = |result: Option<GameResult>| match result {
        Some(result) if row.swapped => result.swapped().to_string(),
        Some(result) => result.to_string(),
        None => "?".to_owned(),
    };
    let mut comment = format!(
        "Black command: {}\nWhite command: {}\nBlack version: {}\nWhite version: {}\n\
         Result[Black]: {}\nResult[White]: {}\n",
        command(black),
        command(white),
        about.versions[black],
        about.versions[white],
        result(row.results[black]),
        result(row.results[white])
    );
    let referee = plan.referee.name();
    if referee != "-" {
        comment +=
            &format!("Referee: {referee}\nResult[Referee]: {}\n", result(row.result_referee));
    }
    if !fixture.opening.name.is_empty() {
        comment += &format!("Opening: {}\n", fixture.opening.name);
    }
    let [seed_black, seed_white] = [black, white].map(|side| fixture.seeds[side]);
    comment += &format!("Seed[Black]: {seed_black}\nSeed[White]: {seed_white}\n");
    if !row.message.is_empty() {
        comment += &format!("{}: {}\n", if row.error { "Error" } else { "Note" }, row.message);
    }
    let handicap = &plan.conditions.handicap;
    let mut record = Record::new(game.size());
    record.komi = Some(game.komi());
    record.rules = Some(game.rules().name().to_owned());
    record.handicap = handicap.len();
    record.setup =
        handicap.iter().map(|&point| Setup { point, stone: Some(Color::Black) }).collect();
    record.setup.sort_by_key(|setup| setup.point);
    record.first_player = (!handicap.is_empty()).then_some(Color::White);
    record.black_name = Some(about.labels[black].clone());
    record.white_name = Some(about.labels[white].clone());
    record.game_name = Some(format!("game {}", row.game));
    record.date = Some(today());
    record.result = Some(result(row.result()));
    record.comment = comment;
    for (&play, said) in game.moves().iter().zip(&played.comments) {
        record.push_move(play);
        if let (Some(step), false) = (record.steps.last_mut(), said.trim().is_empty()) {
            step.comment = clean(said);
        }
    }
    record.to_sgf()
}

/// Text without control characters other than line breaks.
fn clean(text: &str) -> String {
    let letters = text.trim().chars();
    letters.filter(|&letter| letter == '\n' || letter == '\t' || !letter.is_control()).collect()
}
