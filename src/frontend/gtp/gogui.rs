//! GoGui's commands, and what its analyze window can show of the engine.
//!
//! The list of analyze commands is checked by a test: GoGui rejects the whole list for one line
//! with a slash too many.

use super::command::{Call, Command, Reply};
use super::graphics::{self, Live};
use super::info::{for_black, rounded, vertices, visited};
use super::parse::SYNTAX_ERROR;
use super::session::Session;
use super::think::estimated_score;
use crate::params::{Parameter, Params};
use crate::search::{Candidate, Report};
use crate::types::{Color, Move, Point};

/// The table.
pub const COMMANDS: &[Command] = &[
    Command::new("gogui-analyze_commands", "", "What GoGui's analyze window can show.", |_, _| {
        Ok(analyze_commands())
    }),
    Command::new(
        "gogui-interrupt",
        "",
        "Promises that a line '# interrupt' ends the running command.",
        |_, _| Ok(String::new()),
    ),
    Command::new(
        "gogui-play_sequence",
        "COLOR VERTEX ...",
        "Plays moves, all or none.",
        play_sequence,
    ),
    Command::new("gogui-setup", "COLOR VERTEX ...", "Sets up stones.", |session, call| {
        let stones = stones(session, call)?;
        let to_play = session.to_play();
        session.engine.set_up(&stones, to_play).map_err(|error| error.to_string())?;
        session.forget();
        Ok(String::new())
    }),
    Command::new("gogui-setup_player", "COLOR", "Gives the turn to a colour.", |session, call| {
        session.engine.set_to_play(call.args.color(0)?);
        session.forget();
        Ok(String::new())
    }),
    Command::new("gogui-title", "", "What GoGui's window is called.", |session, _| {
        let game = session.engine.game();
        Ok(match &session.opponent {
            Some(name) => format!("tengen against {name}"),
            None => format!("tengen, {0}x{0}, {1} rules", game.size(), game.rules()),
        })
    }),
    Command::new("gogui-version", "VERSION", "Tells the version of GoGui.", |_, _| {
        Ok(String::new())
    }),
    Command::new("tengen-best_moves", "", "The best moves, for GoGui.", |session, call| {
        Ok(graphics::best_moves(&glance(session, call)))
    }),
    Command::new(
        "tengen-winrates",
        "",
        "Moves with their win rates in percent.",
        |session, call| Ok(pairs(&glance(session, call), |c| format!("{:.1}", 100.0 * c.winrate))),
    ),
    Command::new("tengen-scores", "", "Moves with their mean scores.", |session, call| {
        Ok(pairs(&glance(session, call), |c| format!("{:+.1}", rounded(c.score, 10.0))))
    }),
    Command::new("tengen-visit_counts", "", "Moves with their visits.", |session, call| {
        Ok(pairs(&glance(session, call), |c| c.visits.to_string()))
    }),
    Command::new("tengen-variation", "", "The expected continuation.", |session, call| {
        let report = glance(session, call);
        Ok(graphics::alternating(report.to_play, report.variation()))
    }),
    Command::new("tengen-visits", "", "The share of visits at every point.", |session, call| {
        let report = glance(session, call);
        let most = report.candidates.iter().map(|c| c.visits).max().unwrap_or(0).max(1) as f64;
        let map = graphics::spread(&report, |c| c.visits as f64 / most);
        Ok(graphics::board_of(session.size(), |point| map[point]))
    }),
    Command::new(
        "tengen-ownership",
        "",
        "Who owns every point, Black positive.",
        |session, call| {
            let report = glance(session, call);
            Ok(graphics::board_of(session.size(), |point| report.ownership[point]))
        },
    ),
    Command::new("tengen-influence", "", "Ownership and score, for GoGui.", |session, call| {
        Ok(graphics::ownership(&glance(session, call), session.size()))
    }),
    Command::new("tengen-criticality", "", "How much every point matters.", |session, call| {
        let report = glance(session, call);
        Ok(graphics::board_of(session.size(), |point| report.criticality[point]))
    }),
    Command::new("tengen-priors", "", "Moves with what the model expects.", |session, call| {
        let report = glance(session, call);
        let mut expected: Vec<&Candidate> = report.candidates.iter().collect();
        expected.sort_by(|a, b| b.prior.total_cmp(&a.prior));
        let pair = |c: &&Candidate| format!("{} {:.1}", c.point, 100.0 * c.prior);
        let on_board = expected.iter().filter(|c| !c.point.is_pass()).take(20);
        Ok(on_board.map(pair).collect::<Vec<_>>().join(" "))
    }),
    Command::new(
        "tengen-prior_board",
        "",
        "What the model expects, as colours.",
        |session, call| {
            let report = glance(session, call);
            let best = report.candidates.iter().map(|c| c.prior).fold(1e-9, f64::max);
            let map = graphics::spread(&report, |c| c.prior / best);
            Ok(graphics::text_board(session.size(), |point| {
                (map[point] > 0.0).then(|| graphics::heat(f64::from(map[point]).sqrt()))
            }))
        },
    ),
    Command::new("tengen-rave", "", "Moves with their RAVE values in percent.", |session, call| {
        let report = glance(session, call);
        let visited = report.candidates.iter().filter(|c| c.rave_visits > 0.0);
        let on_board = visited.filter(|c| !c.point.is_pass());
        let pair = |c: &Candidate| format!("{} {:.0}", c.point, 100.0 * c.rave_winrate);
        Ok(on_board.map(pair).collect::<Vec<_>>().join(" "))
    }),
    Command::new("tengen-safe_territory", "", "Points held unconditionally.", |session, _| {
        let assessment = session.assess();
        Ok(graphics::text_board(session.size(), |point| {
            let holds = |color: &&Color| assessment.secure[**color].contains(point);
            let holder = Color::BOTH.iter().find(holds);
            holder.map(|color| color.letter().to_ascii_lowercase().to_string())
        }))
    }),
    Command::new("tengen-unsettled", "", "Stones whose life is not settled.", |session, _| {
        let unsettled = session.assess().unsettled;
        let board = session.engine.game().board();
        let stones: Vec<Point> = unsettled.iter().flat_map(|&head| board.chain(head)).collect();
        Ok(vertices(&stones))
    }),
    Command::new("tengen-statistics", "", "Figures of the search.", |session, call| {
        let report = glance(session, call);
        Ok(statistics(&report))
    }),
    Command::new("tengen-winrate", "", "The win rate of the player to move.", |session, call| {
        Ok(format!("{:.4}", glance(session, call).winrate))
    }),
    Command::new("tengen-score", "", "The expected score of Black.", |session, call| {
        Ok(format!("{:.2}", for_black(&glance(session, call)).1))
    }),
    Command::new(
        "tengen-live_gfx",
        "[live_gfx none|best|variation|ownership]",
        "What GoGui draws while the engine thinks.",
        live_graphics,
    ),
    Command::new(
        "tengen-param",
        "GROUP [NAME VALUE]",
        "The parameters of a group, or sets one.",
        parameters,
    ),
];

fn glance(session: &mut Session, call: &Call) -> Report {
    session.glance(call, session.to_play())
}

/// What the analyze window offers: type, label, command.
const PANELS: &[(&str, &str, &str)] = &[
    ("gfx", "Best Moves", "tengen-best_moves"),
    ("pspairs", "Win Rates", "tengen-winrates"),
    ("pspairs", "Scores", "tengen-scores"),
    ("pspairs", "Visit Counts", "tengen-visit_counts"),
    ("var", "Principal Variation", "tengen-variation"),
    ("dboard", "Visits", "tengen-visits"),
    ("dboard", "Ownership", "tengen-ownership"),
    ("gfx", "Ownership and Score", "tengen-influence"),
    ("dboard", "Criticality", "tengen-criticality"),
    ("pspairs", "Model Priors", "tengen-priors"),
    ("cboard", "Model Priors as Colors", "tengen-prior_board"),
    ("pspairs", "RAVE Values", "tengen-rave"),
    ("bwboard", "Safe Territory", "tengen-safe_territory"),
    ("plist", "Unsettled Stones", "tengen-unsettled"),
    ("hstring", "Search Statistics", "tengen-statistics"),
    ("hstring", "Playout Statistics", "tengen-playout_statistics"),
    ("dboard", "Playout Ownership", "tengen-playout_ownership"),
    ("var", "Playout Moves", "tengen-playout"),
    ("string", "Score Estimate", "estimate_score"),
    ("string", "Final Score", "final_score"),
    ("plist", "Dead Stones", "final_status_list dead"),
    ("plist", "Stones in Seki", "final_status_list seki"),
    ("string", "Explain Last Move", "gomill-explain_last_move"),
    ("plist", "All Legal", "all_legal %c"),
    ("string", "Rules", "kata-get-rules"),
    ("none", "Set Rules", "kata-set-rules %s"),
    ("none", "Clear Search", "clear_cache"),
    ("param", "Live Graphics", "tengen-live_gfx"),
];

fn analyze_commands() -> String {
    let panel = |(kind, label, command): &(&str, &str, &str)| format!("{kind}/{label}/{command}");
    let mut lines: Vec<String> = PANELS.iter().map(panel).collect();
    for group in groups() {
        let mut label = group.to_owned();
        label[..1].make_ascii_uppercase();
        lines.push(format!("param/Parameters: {label}/tengen-param {group}"));
    }
    lines.join("\n")
}

/// The groups of parameters, in the order of their declaration.
fn groups() -> Vec<&'static str> {
    let group = |parameter: &Parameter| parameter.name.split('.').next().unwrap_or_default();
    let mut groups: Vec<&str> = Params::TABLE.iter().map(group).collect();
    groups.dedup();
    groups
}

/// GoGui's settings dialog: without a name, every parameter of the group with its type and value;
/// with a name and a value, sets it.
fn parameters(session: &mut Session, call: &mut Call) -> Reply {
    let group = call.args.word(0)?;
    if !groups().contains(&group) {
        return Err(format!("no such group; there are {}", groups().join(", ")));
    }
    let full = |name: &str| format!("{group}.{name}");
    match (call.args.get(1), call.args.get(2)) {
        (None, _) => {
            let line = |parameter: &Parameter| {
                let name = parameter.name.strip_prefix(&full(""))?;
                let value = (parameter.get)(session.engine.params());
                Some(match (parameter.choices)()[..] {
                    ["true", "false"] => format!("[bool] {name} {}", u8::from(value == "true")),
                    [] => format!("[string] {name} {value}"),
                    ref choices => format!("[list/{}] {name} {value}", choices.join("/")),
                })
            };
            Ok(Params::TABLE.iter().filter_map(line).collect::<Vec<_>>().join("\n"))
        }
        (Some(name), Some(value)) => {
            session.set_param(&full(name), value)?;
            Ok(String::new())
        }
        (Some(name), None) => {
            let parameter = Params::find(&full(name)).map_err(|error| error.to_string())?;
            Ok((parameter.get)(session.engine.params()))
        }
    }
}

fn live_graphics(session: &mut Session, call: &mut Call) -> Reply {
    let name_of = |live: Live| Live::ALL.iter().find(|(_, known)| *known == live);
    match (call.args.get(0), call.args.get(1)) {
        (None, _) => {
            let names = Live::ALL.map(|(name, _)| name).join("/");
            let current = name_of(session.live).map_or("none", |(name, _)| name);
            Ok(format!("[list/{names}] live_gfx {current}"))
        }
        (Some("live_gfx"), Some(name)) | (Some(name), None) => {
            let found = Live::ALL.iter().find(|(known, _)| *known == name);
            session.live = found.ok_or_else(|| SYNTAX_ERROR.to_owned())?.1;
            Ok(String::new())
        }
        _ => Err(SYNTAX_ERROR.to_owned()),
    }
}

/// `A1 text B2 text` for the visited moves.
fn pairs(report: &Report, text: impl Fn(&Candidate) -> String) -> String {
    let pair = |c: &Candidate| format!("{} {}", c.point, text(c));
    graphics::on_board(report).map(pair).collect::<Vec<_>>().join(" ")
}

fn statistics(report: &Report) -> String {
    let (winrate, _) = for_black(report);
    let speed = report.playouts as f64 / report.elapsed.as_secs_f64().max(1e-6);
    let mut lines = vec![
        format!("player to move: {}", report.to_play),
        format!("win rate of Black: {:.1} %", 100.0 * winrate),
        format!("score: {}", estimated_score(report)),
        format!("standard deviation of the score: {:.1} points", report.score_deviation),
        format!("visits: {}", report.visits),
        format!("playouts of the last search: {}", report.playouts),
        format!("time of the last search: {:.2} s", report.elapsed.as_secs_f64()),
        format!("speed: {speed:.0} playouts/s"),
        format!("extra komi: {:+.1} points", report.extra_komi),
        format!("moves considered: {}", visited(report).count()),
        format!("expected: {}", vertices(report.variation())),
    ];
    lines.push(format!(
        "{:>5} {:>9} {:>7} {:>6} {:>6} {:>6} {:>6}",
        "move", "visits", "win %", "lcb %", "score", "prior", "rave %"
    ));
    for c in visited(report).take(10) {
        lines.push(format!(
            "{:>5} {:>9} {:>7.1} {:>6.1} {:>+6.1} {:>6.3} {:>6.1}",
            c.point.to_string(),
            c.visits,
            100.0 * c.winrate,
            100.0 * c.lower_bound,
            c.score,
            c.prior,
            100.0 * c.rave_winrate
        ));
    }
    lines.join("\n")
}

/// Colours and vertices in pairs.
fn moves(session: &Session, call: &Call) -> Result<Vec<Move>, String> {
    let words: Vec<&str> = call.args.words().collect();
    let parse = |pair: &[&str]| Move::parse_gtp(&pair.join(" "), session.size());
    let moves: Result<Vec<Move>, _> = words.chunks(2).map(parse).collect();
    moves.map_err(|_| SYNTAX_ERROR.to_owned())
}

/// Colours and points in pairs.
pub fn stones(session: &Session, call: &Call) -> Result<Vec<Move>, String> {
    let stones = moves(session, call)?;
    if stones.iter().any(|stone| stone.point.is_pass()) {
        return Err(SYNTAX_ERROR.to_owned());
    }
    Ok(stones)
}

fn play_sequence(session: &mut Session, call: &mut Call) -> Reply {
    let moves = moves(session, call)?;
    // Tried on a copy, so that nothing has changed if one of them is illegal.
    let mut game = session.engine.game().clone();
    for &play in &moves {
        game.play(play).map_err(|_| format!("illegal move {}", play.to_gtp()))?;
    }
    for &play in &moves {
        session.play(play, call.arrived)?;
    }
    Ok(String::new())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::gtp::command;

    #[test]
    fn the_analyze_commands_are_what_gogui_accepts() {
        const TYPES: [&str; 12] = [
            "bwboard", "cboard", "dboard", "gfx", "hstring", "none", "param", "plist", "pspairs",
            "sboard", "string", "var",
        ];
        let text = analyze_commands();
        let mut labels = Vec::new();
        for line in text.lines() {
            let fields: Vec<&str> = line.split('/').collect();
            let [kind, label, name] = fields[..] else {
                panic!("{line}");
            };
            assert!(TYPES.contains(&kind), "{line}");
            let name = name.split(' ').next().unwrap();
            assert!(command::all().any(|command| command.name == name), "{line}");
            labels.push(label);
        }
        let count = labels.len();
        labels.sort_unstable();
        labels.dedup();
        assert_eq!(labels.len(), count, "GoGui drops labels that appear twice");
    }
}
