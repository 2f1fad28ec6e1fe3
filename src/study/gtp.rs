//! The study players as GTP programs: the commands that a match needs and no more.
//!
//! They give no `final_score`: they do not know which stones are dead, so a match with them names a referee
//! (`--referee area`, when both play to the end, or GNU Go).

use super::players::{PLAYERS, PlayerKind, find};
use super::settings::{NAMES, Settings};
use crate::frontend::gtp::PlayerRequest;
use crate::frontend::gtp::parse::{CommandLine, parse};
use crate::game::{Game, Rules};
use crate::input::{self, Found, nearest};
use crate::types::{Color, MAX_SIZE, MIN_SIZE, Move, Point, Rng};
use anyhow::{Context, anyhow};
use std::io::Write;

/// Most bytes of a file of settings.
const MAX_FILE: u64 = 1 << 20;

/// The commands.
const COMMANDS: [&str; 15] = [
    "protocol_version",
    "name",
    "version",
    "list_commands",
    "known_command",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "undo",
    "showboard",
    "fixed_handicap",
    "set_free_handicap",
];

/// A player at a board.
struct Session {
    player: &'static PlayerKind,
    settings: Settings,
    rng: Rng,
    game: Game,
}

/// The player and the settings that a command line asks for.
pub fn asked(request: &PlayerRequest) -> anyhow::Result<(&'static PlayerKind, Settings)> {
    let player = find(&request.name).ok_or_else(|| {
        let names: Vec<&str> = PLAYERS.iter().map(|player| player.name).collect();
        match nearest(&request.name, names.iter().copied()) {
            Some(name) => anyhow!("there is no player '{}'; did you mean '{name}'?", request.name),
            None => {
                anyhow!("there is no player '{}': give one of {}", request.name, names.join(", "))
            }
        }
    })?;
    let mut settings = player.settings();
    if let Some(file) = &request.params {
        let name = file.display();
        let text =
            input::read_text(file, MAX_FILE).with_context(|| format!("cannot read {name}"))?;
        settings.read(&text).map_err(|(line, error)| anyhow!("{name}, line {line}: {error}"))?;
    }
    if let Some(playouts) = request.playouts {
        settings.set("playouts", &playouts.to_string())?;
    }
    for assignment in &request.set {
        settings.assign(assignment)?;
    }
    Ok((player, settings))
}

/// Speaks GTP until `quit` or the end of the input.
pub fn run(request: &PlayerRequest) -> anyhow::Result<()> {
    let (player, settings) = asked(request)?;
    let game = Game::new(9, Rules::CHINESE);
    let mut session = Session { player, settings, rng: Rng::new(request.seed), game };
    let mut out = std::io::stdout().lock();
    let (mut lines, mut bytes) = (std::io::stdin().lock(), Vec::new());
    while input::read_line(&mut lines, &mut bytes)? != Found::End {
        let Some(CommandLine { id, name, args }) = parse(&bytes) else { continue };
        let words: Vec<&str> = args.words().collect();
        match session.answer(&name, &words) {
            Ok(text) => write!(out, "={id} {text}\n\n")?,
            Err(text) => write!(out, "?{id} {text}\n\n")?,
        }
        out.flush()?;
        if name == "quit" {
            break;
        }
    }
    Ok(())
}

impl Session {
    fn answer(&mut self, name: &str, arguments: &[&str]) -> Result<String, String> {
        let first = arguments.first().copied().unwrap_or_default();
        let size = self.game.size();
        match name {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok(format!("tengen {}", self.player.name)),
            "version" => Ok(crate::version::BUILD.to_owned()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "known_command" => Ok(COMMANDS.contains(&first).to_string()),
            "quit" => Ok(String::new()),
            "boardsize" => {
                let size = first.parse().ok().filter(|n| (MIN_SIZE..=MAX_SIZE).contains(n));
                self.clear(size.ok_or("unacceptable size")?)
            }
            "clear_board" => self.clear(size),
            "komi" => {
                let komi = first.parse().ok().filter(|komi: &f32| komi.is_finite());
                self.game.set_komi(komi.ok_or("komi not a float")?);
                Ok(String::new())
            }
            "play" => {
                let play =
                    Move::parse_gtp(&arguments.join(" "), size).map_err(|e| e.to_string())?;
                self.game.play(play).map_err(|_| "illegal move".to_owned())?;
                Ok(String::new())
            }
            "genmove" => self.genmove(first),
            "undo" => match self.game.undo(1) {
                true => Ok(String::new()),
                false => Err("cannot undo".to_owned()),
            },
            "showboard" => Ok(format!("\n{}", self.game.board())),
            "fixed_handicap" => {
                let stones = first.parse().map_err(|_| "handicap not an integer")?;
                let points = crate::game::fixed_handicap(size, stones).ok_or("invalid handicap")?;
                self.handicap(&points)
            }
            "set_free_handicap" => {
                let read = |text: &&str| Point::parse_gtp(text, size).map_err(|e| e.to_string());
                let points: Vec<Point> = arguments.iter().map(read).collect::<Result<_, _>>()?;
                self.handicap(&points)
            }
            _ => Err("unknown command".to_owned()),
        }
    }

    fn clear(&mut self, size: usize) -> Result<String, String> {
        let komi = self.game.komi();
        self.game = Game::new(size, Rules::CHINESE);
        self.game.set_komi(komi);
        Ok(String::new())
    }

    fn handicap(&mut self, points: &[Point]) -> Result<String, String> {
        self.game.place_handicap(points).map_err(|error| error.to_string())?;
        let names: Vec<String> = points.iter().map(Point::to_string).collect();
        Ok(names.join(" "))
    }

    fn genmove(&mut self, color: &str) -> Result<String, String> {
        let color: Color = Color::parse_gtp(color).ok_or("invalid color")?;
        self.game.set_to_play(color);
        let point = self.player.choose(&self.game, &self.settings, &mut self.rng);
        self.game.play(Move::new(color, point)).map_err(|error| error.to_string())?;
        Ok(point.to_string())
    }
}

/// The players and their settings in words.
pub fn describe() -> String {
    let mut text = String::from("players (tengen gtp --player NAME [--set SETTING=VALUE]):\n");
    for player in PLAYERS {
        text += &format!("  {:<12}{}\n", player.name, player.about);
    }
    text += "settings of the players:\n";
    for (name, about) in NAMES {
        text += &format!("  {name:<14}{about}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_plays_and_refuses() {
        let player = find("random").unwrap();
        let game = Game::new(9, Rules::CHINESE);
        let mut session = Session { player, settings: player.settings(), rng: Rng::new(1), game };
        let mut ask = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            session.answer(words[0], &words[1..])
        };
        assert_eq!(ask("boardsize 5"), Ok(String::new()));
        assert_eq!(ask("play b C3"), Ok(String::new()));
        assert_eq!(ask("play w C3"), Err("illegal move".to_owned()));
        assert!(ask("genmove w").is_ok_and(|point| point != "C3" && point != "PASS"));
        assert_eq!(ask("final_score"), Err("unknown command".to_owned()));
        assert_eq!(ask("known_command final_score"), Ok("false".to_owned()));
        assert_eq!(ask("boardsize 50"), Err("unacceptable size".to_owned()));
        assert!(ask("undo").is_ok() && ask("undo").is_ok() && ask("undo").is_err());
    }

    #[test]
    fn names_do_not_touch_their_text() {
        let text = describe();
        for name in NAMES.iter().map(|setting| setting.0).chain(PLAYERS.iter().map(|p| p.name)) {
            assert!(text.contains(&format!("\n  {name} ")), "{name} in\n{text}");
        }
    }

    #[test]
    fn unknown_players_get_a_sentence() {
        let request = |name: &str| PlayerRequest { name: name.to_owned(), ..Default::default() };
        let error = asked(&request("goyi")).unwrap_err().to_string();
        assert_eq!(error, "there is no player 'goyi'; did you mean 'goyui'?");
        let error = asked(&request("alphago")).unwrap_err().to_string();
        assert!(error.starts_with("there is no player 'alphago': give one of goyui, uct, "));
    }
}
