//! What a match came to: sums over the rows of its table, as text and as JSON.

use super::bout::MOVE_LIMIT;
use super::pairing::Pairing;
use super::table::{DecidedBy, Row};
use crate::game::sgf::Margin;
use crate::types::Color;
use crate::workshop::tools::fault::FaultKind;
use crate::workshop::tools::statistics::{Mean, Sprt, Tally, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// One program's side of a match.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct SideReport {
    /// Its name.
    pub name: String,
    /// Its command.
    pub command: String,
    /// Games won.
    pub wins: u32,
    /// Games lost by a fault, by kind.
    pub forfeits: BTreeMap<&'static str, u32>,
    /// Seconds per move.
    pub seconds_per_move: f64,
    /// Processor seconds per move.
    pub cpu_seconds_per_move: f64,
}

/// What the sequential test says.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SprtReport {
    /// The test.
    #[serde(flatten)]
    pub test: Sprt,
    /// Log-likelihood ratio.
    pub llr: f64,
    /// What it says.
    pub accepted: Verdict,
}

/// A match in figures.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MatchReport {
    /// Program A.
    pub a: SideReport,
    /// Program B.
    pub b: SideReport,
    /// Games played.
    pub games: u32,
    /// Drawn games.
    pub draws: u32,
    /// Games without a result.
    pub no_result: u32,
    /// Decided because the programs agree.
    pub by_agreement: u32,
    /// Decided by the referee.
    pub by_referee: u32,
    /// Decided by resignation.
    pub by_resignation: u32,
    /// Decided by a fault.
    pub by_forfeit: u32,
    /// Stopped at the move limit.
    pub move_limit: u32,
    /// Games with the moves of an earlier one; they say nothing new and do not count below.
    pub duplicates: u32,
    /// A's share of the points.
    pub score: Option<f64>,
    /// Its 95 % interval.
    pub score_interval: (f64, f64),
    /// Elo of A minus Elo of B; not a number in JSON if one side won everything.
    pub elo: Option<f64>,
    /// Its 95 % interval.
    pub elo_interval: (f64, f64),
    /// Probability that A is stronger.
    pub los: f64,
    /// Moves of a game, the opening included.
    pub average_length: Option<f64>,
    /// Points by which A won, lost games negative, over the games that were counted.
    pub margin: Mean,
    /// The sequential test.
    pub sprt: Option<SprtReport>,
    #[serde(skip)]
    tally: Tally,
}

impl MatchReport {
    /// Sums up a match. The pairing tells who was asked for how many of the moves.
    pub fn new(
        rows: &[Row],
        pairing: &Pairing,
        sides: [(&str, &str); 2],
        sprt: Option<&Sprt>,
    ) -> MatchReport {
        let side = |(name, command): (&str, &str)| SideReport {
            name: name.to_owned(),
            command: command.to_owned(),
            forfeits: FaultKind::ALL.iter().map(|kind| (kind.name(), 0)).collect(),
            ..SideReport::default()
        };
        let [mut a, mut b] = sides.map(side);
        let (mut moves, mut seconds, mut cpu_seconds) = ([0; 2], [0.0; 2], [0.0; 2]);
        let mut decisions = [0; 5];
        let (mut draws, mut duplicates, mut move_limit, mut length) = (0, 0, 0, 0u64);
        let tally = tally(rows);
        for row in rows {
            length += u64::from(row.length);
            decisions[row.decision() as usize] += 1;
            duplicates += u32::from(row.duplicate.is_some());
            move_limit += u32::from(row.message == MOVE_LIMIT);
            match row.score() {
                Some(1.0) => a.wins += 1,
                Some(0.0) => b.wins += 1,
                Some(_) => draws += 1,
                None => {}
            }
            if let (Some(fault), Some(score)) = (row.fault(), row.score()) {
                let loser = if score < 0.5 { &mut a } else { &mut b };
                *loser.forfeits.entry(fault.kind.name()).or_default() += 1;
            }
            let asked = moves_asked(row, pairing);
            for side in [0, 1] {
                moves[side] += asked[side];
                seconds[side] += row.seconds[side];
                cpu_seconds[side] += row.cpu_seconds[side];
            }
        }
        for (index, side) in [&mut a, &mut b].into_iter().enumerate() {
            let moves = moves[index].max(1) as f64;
            side.seconds_per_move = seconds[index] / moves;
            side.cpu_seconds_per_move = cpu_seconds[index] / moves;
        }
        let count = |decision: DecidedBy| decisions[decision as usize];
        MatchReport {
            a,
            b,
            games: rows.len() as u32,
            draws,
            no_result: count(DecidedBy::None),
            by_agreement: count(DecidedBy::Agreement),
            by_referee: count(DecidedBy::Referee),
            by_resignation: count(DecidedBy::Resignation),
            by_forfeit: count(DecidedBy::Forfeit),
            move_limit,
            duplicates,
            score: tally.score(),
            score_interval: tally.interval(),
            elo: tally.elo(),
            elo_interval: tally.elo_interval(),
            los: tally.los(),
            average_length: (!rows.is_empty()).then(|| length as f64 / rows.len() as f64),
            margin: Mean::of(margins(rows).into_iter()),
            sprt: sprt.map(|sprt| SprtReport {
                test: *sprt,
                llr: sprt.llr(&tally),
                accepted: sprt.verdict(&tally),
            }),
            tally,
        }
    }

    /// The running score in a few words.
    pub fn short(rows: &[Row]) -> String {
        let tally = tally(rows);
        let Some(score) = tally.score() else { return "no result yet".to_owned() };
        let (low, high) = tally.interval();
        format!(
            "A {} - {} B, {:.1} % ({:.1} .. {:.1})",
            tally.wins,
            tally.losses,
            100.0 * score,
            100.0 * low,
            100.0 * high
        )
    }

    /// One figure per line.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "{name}: {value}");
        };
        line("A", self.a.name.clone());
        line("B", self.b.name.clone());
        line("games", self.games.to_string());
        line("wins A", self.a.wins.to_string());
        line("wins B", self.b.wins.to_string());
        line("draws", self.draws.to_string());
        line("no result", self.no_result.to_string());
        line("by agreement", self.by_agreement.to_string());
        line("by referee", self.by_referee.to_string());
        line("by resignation", self.by_resignation.to_string());
        line("by forfeit", self.by_forfeit.to_string());
        for (name, side) in [("A", &self.a), ("B", &self.b)] {
            for kind in FaultKind::ALL.map(FaultKind::name) {
                line(&format!("forfeits {name} {kind}"), side.forfeits[kind].to_string());
            }
        }
        line("move limit", self.move_limit.to_string());
        line("duplicates", self.duplicates.to_string());
        if let Some(score) = self.score {
            let (low, high) = self.score_interval;
            line("score A", format!("{:.2} %", 100.0 * score));
            line("score A 95 %", format!("{:.2} .. {:.2} %", 100.0 * low, 100.0 * high));
        }
        if let Some(elo) = self.elo {
            let (low, high) = self.elo_interval;
            line("elo A - B", format!("{elo:+.1}"));
            line("elo A - B 95 %", format!("{low:+.1} .. {high:+.1}"));
            line("los A", format!("{:.2} %", 100.0 * self.los));
        }
        if self.margin.count > 1 {
            let (low, high) = self.margin.interval();
            line("margin A", format!("{:+.2} points", self.margin.mean));
            line("margin A 95 %", format!("{low:+.2} .. {high:+.2} points"));
            line("games with a margin", self.margin.count.to_string());
        }
        if let Some(length) = self.average_length {
            line("average length", format!("{length:.1} moves"));
        }
        for (name, side) in [("A", &self.a), ("B", &self.b)] {
            line(&format!("time {name}"), format!("{:.6} s/move", side.seconds_per_move));
            line(&format!("cpu {name}"), format!("{:.6} s/move", side.cpu_seconds_per_move));
        }
        if let Some(SprtReport { test, llr, accepted }) = &self.sprt {
            let Sprt { elo0, elo1, lower, upper } = test;
            let verdict = match accepted {
                Verdict::AcceptH0 => format!("A is {elo0:+} rather than {elo1:+} Elo stronger"),
                Verdict::AcceptH1 => format!("A is {elo1:+} rather than {elo0:+} Elo stronger"),
                Verdict::Continue => "undecided".to_owned(),
            };
            line("sprt", verdict);
            line("sprt llr", format!("{llr:.2} ({lower:.2} .. {upper:.2})"));
        }
        text
    }
}

/// A's results in games that say something new.
pub fn tally(rows: &[Row]) -> Tally {
    let mut tally = Tally::default();
    for score in rows.iter().filter(|row| row.duplicate.is_none()).filter_map(Row::score) {
        tally.add(score);
    }
    tally
}

/// A's margins in the games that were counted and say something new.
pub fn margins(rows: &[Row]) -> Vec<f64> {
    let new = rows.iter().filter(|row| row.duplicate.is_none());
    let counted = new.filter_map(Row::result).filter_map(|result| match result.margin {
        Margin::Points(points) => {
            Some(f64::from(points) * (2.0 * result.score(Color::Black) - 1.0))
        }
        _ => None,
    });
    counted.collect()
}

/// How many moves A and B were asked for.
fn moves_asked(row: &Row, pairing: &Pairing) -> [u64; 2] {
    let fixture = pairing.fixture(row.game);
    let opening = &fixture.opening.moves;
    let first = match opening.last() {
        Some(play) => play.color.opponent(),
        None if pairing.handicap.is_empty() => Color::Black,
        None => Color::White,
    };
    let played = u64::from(row.length).saturating_sub(opening.len() as u64);
    let mut moves = [0; 2];
    moves[fixture.side(first)] = played.div_ceil(2);
    moves[fixture.side(first.opponent())] = played / 2;
    // A resignation and most faults are answers too.
    if matches!(row.decision(), DecidedBy::Resignation | DecidedBy::Forfeit) {
        moves[usize::from(row.score() == Some(1.0))] += 1;
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::super::outcome::GameResult;
    use super::*;

    fn pairing() -> Pairing {
        Pairing { random_plies: 3, ..Pairing::plain() }
    }

    fn row(game: u32, result: &str) -> Row {
        let result = GameResult::parse(result);
        Row {
            game,
            results: [result; 2],
            swapped: game % 2 == 1,
            length: 53,
            seconds: [1.0, 2.0],
            cpu_seconds: [0.5, 4.0],
            ..Row::default()
        }
    }

    #[test]
    fn a_match_is_summed_up() {
        let forfeit = Row {
            results: [None; 2],
            result_referee: GameResult::parse("W+F"),
            error: true,
            message: "crash: ended".to_owned(),
            ..row(2, "?")
        };
        let referee = Row {
            result_referee: GameResult::parse("B+4"),
            results: ["B+3", "W+1"].map(GameResult::parse),
            ..row(3, "B+3")
        };
        let unknown = Row { result_referee: None, game: 4, swapped: false, ..referee.clone() };
        let duplicate = Row { duplicate: Some(0), message: MOVE_LIMIT.to_owned(), ..row(5, "B+1") };
        let rows =
            [row(0, "B+1"), row(1, "W+R"), forfeit, referee, unknown, duplicate, row(6, "0")];
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05);
        let sides = [("x", "x -1"), ("y", "y -2")];
        let report = MatchReport::new(&rows, &pairing(), sides, Some(&sprt));
        assert_eq!((report.games, report.a.wins, report.b.wins, report.draws), (7, 3, 2, 1));
        assert_eq!((report.no_result, report.duplicates, report.move_limit), (1, 1, 1));
        let ways = (report.by_agreement, report.by_referee, report.by_resignation);
        assert_eq!((ways, report.by_forfeit), ((3, 1, 1), 1));
        assert_eq!((report.a.forfeits["crash"], report.b.forfeits["crash"]), (1, 0));
        // The duplicate does not count in the score: 2 wins, 2 losses, 1 draw.
        assert_eq!(report.score, Some(0.5));
        assert_eq!(report.average_length, Some(53.0));
        // B+1, the referee's B+4 and the draw have margins; resignation, forfeit and duplicate have none.
        assert_eq!(margins(&rows), [1.0, 4.0, 0.0]);
        // 3 of 53 moves are the opening; White is to play after it: 25 each, and the resignation
        // of A in game 1 and its crash in game 2.
        assert!((report.a.cpu_seconds_per_move - 7.0 * 0.5 / (7.0 * 25.0 + 2.0)).abs() < 1e-12);
        assert!((report.b.cpu_seconds_per_move - 4.0 / 25.0).abs() < 1e-12);
        assert_eq!(report.sprt.as_ref().unwrap().accepted, Verdict::Continue);
        let text = report.to_text();
        for needle in [
            "games: 7\n",
            "wins A: 3\n",
            "forfeits A crash: 1\n",
            "score A: 50.00 %\n",
            "average length: 53.0 moves\n",
            "margin A: +1.67 points\n",
            "sprt: undecided\n",
        ] {
            assert!(text.contains(needle), "{needle} is missing in\n{text}");
        }
        let json = serde_json::to_string(&report).unwrap();
        assert!(json.contains("\"by_forfeit\":1") && json.contains("\"illegal move\":0"));
    }

    #[test]
    fn clean_sweeps_and_empty_matches_have_reports() {
        let sides = [("x", ""), ("y", "")];
        let rows: Vec<Row> = (0..10).map(|game| row(game, "B+1")).collect();
        let report = MatchReport::new(&rows, &pairing(), sides, None);
        assert!(report.to_text().contains("elo A - B: +inf\n"), "{}", report.to_text());
        assert!(serde_json::to_string(&report).unwrap().contains("\"elo\":null"));
        let report = MatchReport::new(&[], &pairing(), sides, None);
        assert!(!report.to_text().contains("NaN"));
        assert_eq!(MatchReport::short(&[]), "no result yet");
        assert_eq!(MatchReport::short(&rows[..3]), "A 3 - 0 B, 100.0 % (43.9 .. 100.0)");
    }
}
