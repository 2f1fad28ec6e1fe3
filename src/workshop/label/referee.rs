//! A program that speaks KataGo's JSON analysis protocol, as a referee.

use super::positions::Asked;
use crate::input::{Found, read_line};
use crate::types::{Color, Point, points};
use crate::workshop::tools::group::Group;
use crate::workshop::tools::pipe::Pipe;
use crate::workshop::tools::words::executable;
use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::BufReader;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Lines of the referee that wait to be read.
const WAITING_LINES: usize = 256;

/// What a referee says of a position; values from Black's side.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    pub winrate: f64,
    pub lead: f64,
    /// Moves with their probability.
    pub policy: Vec<(Point, f64)>,
    /// Owners row by row from the top left: 1 is Black's, -1 White's.
    pub owners: Vec<f64>,
}

/// A running referee.
pub struct Referee {
    /// Ends with the referee, and with it all that it has started.
    _group: Group,
    input: Pipe,
    lines: Receiver<Vec<u8>>,
    visits: u64,
    timeout: Duration,
    asked: u64,
}

impl Referee {
    /// Starts the program.
    pub fn start(words: &[String], visits: u64, timeout: Duration) -> anyhow::Result<Referee> {
        let (program, arguments) =
            words.split_first().context("--referee is empty; give a command")?;
        let mut command = Command::new(executable(program));
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let (group, pipes) = Group::start(&mut command)
            .with_context(|| format!("cannot start the referee '{program}'"))?;
        let (Some(input), Some(output), _) = pipes else {
            bail!("the referee has no standard input and output");
        };
        let input = Pipe::new(input).context("the referee cannot be written to")?;
        let (sender, lines) = sync_channel(WAITING_LINES);
        thread::spawn(move || {
            let (mut output, mut line) = (BufReader::new(output), Vec::new());
            while let Ok(Found::Line | Found::TooLong) = read_line(&mut output, &mut line) {
                if sender.send(std::mem::take(&mut line)).is_err() {
                    return;
                }
            }
        });
        Ok(Referee { _group: group, input, lines, visits, timeout, asked: 0 })
    }

    /// Judges positions, all at once; the answers are in their order.
    pub fn judge(&mut self, positions: &[Asked]) -> anyhow::Result<Vec<Judged>> {
        let first = self.asked;
        for asked in positions {
            let query = format!("{}\n", query(self.asked, asked, self.visits));
            let written = self.input.write(query.as_bytes(), Instant::now() + self.timeout);
            written.context("the referee does not read")?;
            self.asked += 1;
        }
        let mut answers: HashMap<u64, Judged> = HashMap::new();
        while answers.len() < positions.len() {
            let line = match self.lines.recv_timeout(self.timeout) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => bail!("the referee does not answer"),
                Err(RecvTimeoutError::Disconnected) => bail!("the referee has ended"),
            };
            let Ok(answer) = serde_json::from_slice::<Value>(&line) else { continue };
            if let Some(error) = answer.get("error") {
                bail!("the referee refuses a position: {error}");
            }
            let id = answer["id"].as_str().and_then(|id| id.parse::<u64>().ok());
            let Some(id) = id.filter(|id| (first..self.asked).contains(id)) else { continue };
            if answer["isDuringSearch"] == json!(true) || answer.get("warning").is_some() {
                continue;
            }
            answers.insert(id, read(&answer, positions[(id - first) as usize].size)?);
        }
        (first..self.asked).map(|id| answers.remove(&id).context("an answer is missing")).collect()
    }
}

fn query(id: u64, asked: &Asked, visits: u64) -> Value {
    let letter = |color: Color| color.letter().to_string();
    let moves: Vec<[String; 2]> =
        asked.moves.iter().map(|play| [letter(play.color), play.point.to_string()]).collect();
    json!({
        "id": id.to_string(),
        "moves": moves,
        "initialPlayer": letter(asked.moves.first().map_or(asked.to_play, |play| play.color)),
        "rules": "tromp-taylor",
        "komi": asked.komi,
        "boardXSize": asked.size,
        "boardYSize": asked.size,
        "maxVisits": visits,
        "includeOwnership": true,
        "includePolicy": true,
        "overrideSettings": { "reportAnalysisWinratesAs": "BLACK" },
    })
}

fn read(answer: &Value, size: usize) -> anyhow::Result<Judged> {
    let number = |value: &Value, name: &str| {
        let number = value.as_f64().filter(|number| number.is_finite());
        number.with_context(|| format!("the referee's answer has no {name}"))
    };
    let root = &answer["rootInfo"];
    let winrate = number(&root["winrate"], "winrate")?;
    ensure!((0.0..=1.0).contains(&winrate), "the referee's winrate is {winrate}");
    let list = |name: &str, count: usize| -> anyhow::Result<Vec<f64>> {
        let values = answer[name].as_array().filter(|values| values.len() == count);
        let values = values.with_context(|| format!("the referee's answer has no {name}"))?;
        values.iter().map(|value| number(value, name)).collect()
    };
    let owners = list("ownership", size * size)?;
    let policy = list("policy", size * size + 1)?;
    // The rows of the answer begin at the top, where `points` begins at the bottom.
    let mut from_top: Vec<Point> = points(size).collect();
    from_top.sort_by_key(|point| (size - point.row(), point.column()));
    let moves = from_top.into_iter().chain([Point::PASS]).zip(policy);
    let policy = moves.filter(|&(_, probability)| probability > 0.0).collect();
    Ok(Judged { winrate, lead: number(&root["scoreLead"], "scoreLead")?, policy, owners })
}
