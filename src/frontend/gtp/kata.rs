//! Commands of KataGo and Leela Zero beside analysis: rules, parameters, time, positions.

use super::command::{Call, Command, Reply};
use super::gogui::stones;
use super::input::Until;
use super::parse::parse_float;
use super::session::Session;
use super::{graphics, kgs, standard};
use crate::game::{Game, HandicapBonus, KoRule, Rules, Scoring};
use crate::params::Params;
use crate::search::{Limit, Request};
use crate::time::TimeSystem;
use crate::types::{Color, Point};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// The table.
pub const COMMANDS: &[Command] = &[
    Command::new(
        "rectangular_boardsize",
        "WIDTH HEIGHT",
        "Changes the size and clears the board; it must be square.",
        |session, call| {
            call.args.word(1)?;
            standard::boardsize(session, call)
        },
    ),
    Command::new(
        "set_position",
        "COLOR VERTEX ...",
        "Begins a game from a position.",
        set_position,
    ),
    Command::new("kata-get-rules", "", "The rules as JSON.", |session, _| {
        Ok(Value::Object(current_rules(session)).to_string())
    }),
    Command::new("kata-set-rules", "NAME|JSON", "Sets the rules.", |session, call| {
        let text = call.args.text();
        let mut fields = named_rules(text, current_rules(session))?;
        if session.strict_passing && !text.starts_with('{') {
            // A client that names the rules of a game does not know how the server counts it.
            fields.insert("friendlyPassOk".to_owned(), Value::Bool(false));
        }
        set_rules(session, &fields)
    }),
    Command::new("kata-set-rule", "FIELD VALUE", "Changes one field of the rules.", set_rule),
    Command::new("kata-get-param", "NAME", "The value of a parameter.", |session, call| {
        let name = own_name(call.args.word(0)?);
        if name == "search.threads" && call.args.get(0) != Some(name) {
            // Clients of KataGo expect a number here, not `auto`.
            return Ok(session.engine.params().search.threads.count().to_string());
        }
        let parameter = Params::find(name).map_err(|error| error.to_string())?;
        Ok((parameter.get)(session.engine.params()))
    }),
    Command::new("kata-set-param", "NAME VALUE", "Sets a parameter.", |session, call| {
        let (name, value) = (call.args.word(0)?, call.args.word(1)?);
        let value = own_value(name, value);
        session.set_param(own_name(name), &value)?;
        Ok(String::new())
    }),
    Command::new("kata-list-params", "", "The names of all parameters.", |_, _| {
        let kata = ALIASES.iter().map(|(kata, _)| *kata);
        let own = Params::TABLE.iter().map(|parameter| parameter.name);
        Ok(kata.chain(own).collect::<Vec<_>>().join(" "))
    }),
    Command::new(
        "kata-time_settings",
        "none|absolute MAIN|byoyomi MAIN PERIOD PERIODS|canadian MAIN PERIOD STONES|\
         fischer MAIN INCREMENT|fischer-capped MAIN INCREMENT LIMIT MOVE_LIMIT",
        "Sets the time limits in seconds and starts the clocks.",
        time_settings,
    ),
    Command::new("kata-list_time_settings", "", "The time systems that are understood.", |_, _| {
        Ok("none absolute byoyomi canadian fischer fischer-capped".to_owned())
    }),
    Command::new("kata-benchmark", "PLAYOUTS", "Measures the speed here.", benchmark),
    Command::new("heatmap", "", "What the model expects, in thousandths.", heatmap),
];

/// Our parameters under KataGo's names.
const ALIASES: [(&str, &str); 5] = [
    ("maxVisits", "search.playouts"),
    ("maxTime", "search.time"),
    ("numSearchThreads", "search.threads"),
    ("ponderingEnabled", "search.ponder"),
    ("lagBuffer", "clock.lag"),
];

fn own_name(name: &str) -> &str {
    ALIASES.iter().find(|(kata, _)| *kata == name).map_or(name, |(_, own)| own)
}

/// KataGo's way to say no limit is a huge number.
fn own_value(name: &str, value: &str) -> String {
    let number = parse_float(value);
    match (name, number) {
        ("maxVisits", Some(visits)) if visits >= 1e9 => "0".to_owned(),
        ("maxTime", Some(time)) => time.clamp(0.001, 86400.0).to_string(),
        _ => value.to_owned(),
    }
}

fn set_position(session: &mut Session, call: &mut Call) -> Reply {
    let stones = stones(session, call)?;
    let old = session.engine.game();
    let mut game = Game::new(old.size(), old.rules());
    game.set_komi(old.komi());
    game.set_up(&stones, Color::Black).map_err(|error| error.to_string())?;
    session.replace_game(game);
    session.clock.restart();
    Ok(String::new())
}

/// The rules in force, and with them whether dead stones are agreed on.
fn current_rules(session: &Session) -> Map<String, Value> {
    rules_json(session.engine.game().rules(), !session.passes_strictly())
}

/// Under KataGo's rules it is a rule whether one may pass before dead stones are captured.
fn set_rules(session: &mut Session, fields: &Map<String, Value>) -> Reply {
    session.set_rules(rules_from_json(fields)?);
    let friendly = fields.get("friendlyPassOk").and_then(Value::as_bool).unwrap_or(true);
    session.set_passing(friendly)?;
    // What was asked for holds until the client itself says that dead stones are agreed on.
    session.strict_passing &= !friendly;
    Ok(String::new())
}

fn set_rule(session: &mut Session, call: &mut Call) -> Reply {
    let (field, value) = (call.args.word(0)?, call.args.word(1)?);
    let value = match value {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        text => Value::String(text.to_owned()),
    };
    let mut fields = current_rules(session);
    if fields.insert(field.to_owned(), value).is_none() {
        return Err(format!("unknown field {field}"));
    }
    if field == "scoring" {
        fields.remove("tax"); // goes with the scoring
    }
    set_rules(session, &fields)
}

/// The rules as KataGo writes them. Suicide is never allowed here; territory scoring counts
/// nothing in seki.
fn rules_json(rules: Rules, friendly: bool) -> Map<String, Value> {
    let ko = match rules.ko {
        KoRule::Simple => "SIMPLE",
        KoRule::Positional => "POSITIONAL",
        KoRule::Situational => "SITUATIONAL",
    };
    let (scoring, tax) = match rules.scoring {
        Scoring::Area => ("AREA", "NONE"),
        Scoring::Territory => ("TERRITORY", "SEKI"),
    };
    let bonus = match rules.handicap_bonus {
        HandicapBonus::None => "0",
        HandicapBonus::Stones => "N",
        HandicapBonus::StonesButOne => "N-1",
    };
    let value = json!({
        "friendlyPassOk": friendly,
        "hasButton": false,
        "ko": ko,
        "scoring": scoring,
        "suicide": false,
        "tax": tax,
        "whiteHandicapBonus": bonus,
    });
    value.as_object().cloned().unwrap_or_default()
}

/// Rules by name, or as JSON, where fields that are not named are those of Tromp and Taylor.
pub fn parse_rules(text: &str) -> Result<Rules, String> {
    rules_from_json(&named_rules(text, rules_json(Rules::TROMP_TAYLOR, false))?)
}

/// The fields of rules given by name, or as JSON on top of other rules.
fn named_rules(text: &str, mut fields: Map<String, Value>) -> Result<Map<String, Value>, String> {
    if !text.starts_with('{') {
        let rules = Rules::parse(text).ok_or_else(|| "unknown rules".to_owned())?;
        return Ok(rules_json(rules, rules != Rules::TROMP_TAYLOR));
    }
    let given: Map<String, Value> =
        serde_json::from_str(text).map_err(|_| "the rules are not valid JSON".to_owned())?;
    // Older names of KataGo's.
    let own_name = |field: String| match field.as_str() {
        "koRule" => "ko".to_owned(),
        "scoringRule" => "scoring".to_owned(),
        "taxRule" => "tax".to_owned(),
        "multiStoneSuicideLegal" => "suicide".to_owned(),
        _ => field,
    };
    let given: Map<String, Value> =
        given.into_iter().map(|(field, value)| (own_name(field), value)).collect();
    if given.contains_key("scoring") {
        fields.remove("tax"); // goes with the scoring
    }
    fields.extend(given);
    Ok(fields)
}

/// Suicide may be allowed by the rules, though it is never played here. Other rules that cannot be kept
/// are refused.
fn rules_from_json(fields: &Map<String, Value>) -> Result<Rules, String> {
    let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default();
    let unknown = |name: &str| Err(format!("{name} {} is not supported", text(name)));
    let known = rules_json(Rules::default(), true);
    if let Some(field) = fields.keys().find(|&field| !known.contains_key(field) && field != "komi")
    {
        return Err(format!("unknown field {field}"));
    }
    let ko = match text("ko") {
        "SIMPLE" => KoRule::Simple,
        "POSITIONAL" => KoRule::Positional,
        "SITUATIONAL" => KoRule::Situational,
        _ => return unknown("ko"),
    };
    let scoring = match (text("scoring"), text("tax")) {
        ("AREA", "NONE" | "") => Scoring::Area,
        ("TERRITORY", "SEKI" | "") => Scoring::Territory,
        ("AREA" | "TERRITORY", _) => return unknown("tax"),
        _ => return unknown("scoring"),
    };
    let handicap_bonus = match text("whiteHandicapBonus") {
        "0" => HandicapBonus::None,
        "N" => HandicapBonus::Stones,
        "N-1" => HandicapBonus::StonesButOne,
        _ => return unknown("whiteHandicapBonus"),
    };
    if fields.get("hasButton").and_then(Value::as_bool) == Some(true) {
        return Err("hasButton true is not supported".to_owned());
    }
    Ok(Rules { ko, scoring, handicap_bonus })
}

fn time_settings(session: &mut Session, call: &mut Call) -> Reply {
    let fischer = |cap, per_move| -> Result<TimeSystem, String> {
        let (main, increment) = (standard::seconds(call, 1)?, standard::seconds(call, 2)?);
        Ok(TimeSystem::Fischer { main, increment, cap, per_move })
    };
    // A negative limit means none.
    let limit = |index: usize| -> Result<Option<Duration>, String> {
        let seconds = call.args.float(index)?;
        Ok((seconds >= 0.0).then(|| Duration::from_secs_f64(seconds.min(1e9))))
    };
    let system = match call.args.word(0)? {
        "fischer" => fischer(None, None)?,
        "fischer-capped" => fischer(limit(3)?, limit(4)?)?,
        _ => kgs::time_system(call)?,
    };
    session.clock.set_system(system);
    Ok(String::new())
}

fn benchmark(session: &mut Session, call: &mut Call) -> Reply {
    let playouts: u64 = call.args.parsed(0)?;
    if !(1..=10_000_000).contains(&playouts) {
        return Err("give 1 to 10000000 playouts".to_owned());
    }
    let limit = Limit { playouts: Some(playouts), ..Limit::default() };
    let request = Request { limit, ..Request::default() };
    let color = session.to_play();
    session.engine.clear_search();
    let interrupt = session.inbox.begin(Until::Told, call.arrived);
    let report = session.engine.analyze(color, &request, &interrupt, &mut |_| ());
    session.inbox.end();
    session.forget();
    let seconds = report.elapsed.as_secs_f64().max(1e-6);
    let threads = session.engine.params().search.threads.count();
    Ok(format!(
        "{size}x{size} {threads} threads: {playouts} playouts, {seconds:.3} s, {speed:.0} playouts/s",
        size = session.size(),
        playouts = report.playouts,
        speed = report.playouts as f64 / seconds,
    ))
}

fn heatmap(session: &mut Session, call: &mut Call) -> Reply {
    let report = session.glance(call, session.to_play());
    let map = graphics::spread(&report, |candidate| candidate.prior);
    let thousandths = |point: Point| (1000.0 * map[point]).round() as u32;
    let rows = graphics::rows(session.size(), |point| format!("{:3}", thousandths(point)));
    let pass = thousandths(Point::PASS);
    Ok(format!("\n{rows}\npass: {pass}\nwinrate: {:.6}", report.winrate))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_round_trip_as_json() {
        for (name, rules) in Rules::NAMED {
            let text = Value::Object(rules_json(rules, true)).to_string();
            assert_eq!(parse_rules(&text), Ok(rules), "{name}");
            assert_eq!(parse_rules(name), Ok(rules), "{name}");
        }
        let japanese = r#"{"scoring":"TERRITORY","ko":"SIMPLE","whiteHandicapBonus":"0"}"#;
        assert_eq!(parse_rules(japanese), Ok(Rules::JAPANESE));
        let older = r#"{"scoringRule":"TERRITORY","koRule":"SIMPLE","whiteHandicapBonus":"0"}"#;
        assert_eq!(parse_rules(older), Ok(Rules::JAPANESE));
        let strict = |text: &str| {
            let fields = named_rules(text, rules_json(Rules::CHINESE, true)).unwrap();
            fields["friendlyPassOk"] == json!(false)
        };
        assert!(strict("tromp-taylor") && !strict("chinese"));
        assert!(strict(r#"{"friendlyPassOk":false}"#) && !strict(r#"{"ko":"SIMPLE"}"#));
    }

    #[test]
    fn rules_that_cannot_be_kept_are_refused() {
        for text in [
            r#"{"hasButton":true}"#,
            r#"{"tax":"ALL"}"#,
            r#"{"ko":"EAGER"}"#,
            r#"{"scoring":"TERRITORY","tax":"NONE"}"#,
            r#"{"gravity":true}"#,
            r#"{"ko":"#,
            "stone-scoring",
            "",
        ] {
            assert!(parse_rules(text).is_err(), "{text}");
        }
        assert_eq!(parse_rules(r#"{"suicide":true}"#), Ok(Rules::TROMP_TAYLOR));
    }
}
