//! `tengen analysis` as KaTrain and Ogatak use it.

use crate::harness;

use harness::Program;
use serde_json::{Value, json};
use std::collections::HashSet;

fn start(workers: &str) -> Program {
    let options = ["analysis", "-model", "net.bin.gz", "-config", "analysis.cfg"];
    let own = ["--analysis-threads", workers, "--memory", "16", "--seed", "1"];
    Program::new(&[&options[..], &own[..]].concat())
}

fn answer(program: &mut Program) -> Value {
    let line = program.line().expect("an answer");
    serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line}"))
}

fn ask(program: &mut Program, query: &Value) -> Value {
    program.send(&query.to_string());
    answer(program)
}

/// What KaTrain sends for a position.
fn katrain(id: &str, visits: u64) -> Value {
    json!({
        "id": id,
        "rules": "japanese",
        "priority": 0,
        "analyzeTurns": [3],
        "maxVisits": visits,
        "komi": 6.5,
        "boardXSize": 9,
        "boardYSize": 9,
        "includeOwnership": true,
        "includeMovesOwnership": false,
        "includePolicy": true,
        "initialStones": [],
        "initialPlayer": "B",
        "moves": [["B", "E5"], ["W", "C3"], ["B", "pass"]],
        "overrideSettings": {"reportAnalysisWinratesAs": "BLACK", "maxTime": 8.0},
    })
}

#[test]
fn katrain_gets_what_it_reads() {
    let mut program = start("1");
    let answer = ask(&mut program, &katrain("QUERY:1", 60));
    assert_eq!(answer["id"], "QUERY:1");
    assert_eq!(answer["turnNumber"], 3);
    assert_eq!(answer["isDuringSearch"], false);
    let root = &answer["rootInfo"];
    assert_eq!(root["currentPlayer"], "W");
    assert_eq!(root["visits"], 60);
    let winrate = root["winrate"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&winrate));
    assert!(root["scoreLead"].is_f64() && root["scoreStdev"].is_f64());
    let infos = answer["moveInfos"].as_array().unwrap();
    assert!(!infos.is_empty());
    for (order, info) in infos.iter().enumerate() {
        assert_eq!(info["order"], order);
        assert!(info["visits"].as_u64().unwrap() > 0);
        assert_eq!(info["pv"][0], info["move"]);
        for field in ["winrate", "scoreLead", "prior", "lcb"] {
            assert!(info[field].is_f64(), "{field}");
        }
    }
    assert_eq!(answer["ownership"].as_array().unwrap().len(), 81);
    let policy = answer["policy"].as_array().unwrap();
    assert_eq!(policy.len(), 82);
    let (e5, c3) = (4 * 9 + 4, 6 * 9 + 2);
    assert_eq!((policy[e5].as_f64(), policy[c3].as_f64()), (Some(-1.0), Some(-1.0)));
    let legal: f64 = policy.iter().filter_map(Value::as_f64).filter(|p| *p >= 0.0).sum();
    assert!((legal - 1.0).abs() < 1e-3, "{legal}");
}

#[test]
fn values_are_told_from_the_side_that_is_asked_for() {
    let mut program = start("1");
    // Black owns the whole board.
    let stones = ["C3", "C7", "G3", "G7", "E5", "E3", "E7", "C5", "G5", "D4", "F6"];
    let stones: Vec<Value> = stones.iter().map(|vertex| json!(["B", vertex])).collect();
    for (side, player, good) in [
        ("BLACK", "B", true),
        ("BLACK", "W", true),
        ("WHITE", "B", false),
        ("WHITE", "W", false),
        ("SIDETOMOVE", "B", true),
        ("SIDETOMOVE", "W", false),
    ] {
        let query = json!({
            "id": "x", "rules": "tromp-taylor", "komi": 0.5, "boardXSize": 9, "boardYSize": 9,
            "initialStones": stones, "initialPlayer": player, "moves": [], "maxVisits": 50,
            "includeOwnership": true, "overrideSettings": {"reportAnalysisWinratesAs": side},
        });
        let answer = ask(&mut program, &query);
        let root = &answer["rootInfo"];
        assert_eq!(root["winrate"].as_f64().unwrap() > 0.5, good, "{side} {player}: {root}");
        assert_eq!(root["scoreLead"].as_f64().unwrap() > 0.0, good, "{side} {player}: {root}");
        let center = answer["ownership"][40].as_f64().unwrap();
        assert_eq!(center > 0.0, good, "{side} {player}: {center}");
        let best = &answer["moveInfos"][0];
        assert_eq!(best["winrate"].as_f64().unwrap() > 0.5, good, "{side} {player}: {best}");
    }
}

#[test]
fn ogatak_asks_for_the_version_ponders_and_terminates() {
    let mut program = start("1");
    let version = ask(&mut program, &json!({"id": "v", "action": "query_version"}));
    assert_eq!((&version["id"], &version["action"]), (&json!("v"), &json!("query_version")));
    assert!(version["version"].as_str().unwrap().starts_with("1."));
    let models = ask(&mut program, &json!({"id": "m", "action": "query_models"}));
    assert_eq!((&models["id"], &models["action"]), (&json!("m"), &json!("query_models")));
    assert!(models["models"].is_array(), "{models}");
    let query = json!({
        "id": "node_1:1", "rules": "chinese", "komi": 7.5, "boardXSize": 19, "boardYSize": 19,
        "maxVisits": 1_000_000, "reportDuringSearchEvery": 0.05, "includeOwnership": true,
        "overrideSettings": {"reportAnalysisWinratesAs": "SIDETOMOVE", "wideRootNoise": 0},
        "initialStones": [], "moves": [["B", "Q16"]],
    });
    let first = ask(&mut program, &query);
    assert_eq!(first["isDuringSearch"], true);
    assert_eq!(first["turnNumber"], 1);
    let stop = json!({"id": "stop!", "action": "terminate", "terminateId": "node_1:1"});
    program.send(&stop.to_string());
    let (mut receipt, mut last) = (false, false);
    while !(receipt && last) {
        let answer = answer(&mut program);
        match answer["id"].as_str() {
            Some("stop!") => {
                assert_eq!(answer, stop);
                receipt = true;
            }
            _ => last = answer["isDuringSearch"] == false,
        }
    }
}

#[test]
fn several_positions_are_analyzed_and_each_gets_one_final_answer() {
    let mut program = start("3");
    let query = json!({
        "id": "game", "rules": {"ko": "SIMPLE", "scoring": "AREA", "whiteHandicapBonus": "N"},
        "boardXSize": 9, "boardYSize": 9, "maxVisits": 20, "analyzeTurns": [0, 1, 2, 3, 4],
        "priorities": [1, 2, 3, 4, 5], "initialStones": [["B", "C3"], ["B", "G7"]],
        "initialPlayer": "W", "moves": [["W", "E5"], ["B", "C7"], ["W", "G3"], ["B", "E7"]],
    });
    program.send(&query.to_string());
    let mut turns = HashSet::new();
    for _ in 0..5 {
        let answer = answer(&mut program);
        assert_eq!(answer["isDuringSearch"], false);
        let turn = answer["turnNumber"].as_u64().unwrap();
        let player = if turn.is_multiple_of(2) { "W" } else { "B" };
        assert_eq!(answer["rootInfo"]["currentPlayer"], player);
        assert!(turns.insert(turn));
    }
    // All that was asked is answered before it ends.
    program.send(&katrain("last", 30).to_string());
    program.close_input();
    assert_eq!(answer(&mut program)["id"], "last");
    assert_eq!(program.line(), None);
    assert!(program.wait().success());
}

#[test]
fn the_most_urgent_comes_first() {
    let mut program = start("1");
    let mut slow = katrain("slow", 1_000_000);
    slow["reportDuringSearchEvery"] = json!(0.02);
    let first = ask(&mut program, &slow);
    assert_eq!(first["isDuringSearch"], true);
    for (id, priority) in [("a", 0), ("b", 5), ("c", 9), ("d", 5)] {
        let mut query = katrain(id, 10);
        query["priority"] = json!(priority);
        program.send(&query.to_string());
    }
    program.send(&json!({"id": "t", "action": "terminate", "terminateId": "slow"}).to_string());
    let mut order = Vec::new();
    while order.len() < 5 {
        let answer = answer(&mut program);
        if answer["isDuringSearch"] == false {
            order.push(answer["id"].as_str().unwrap().to_owned());
        }
    }
    assert_eq!(order, ["slow", "c", "b", "d", "a"]);
}

#[test]
fn waiting_positions_are_terminated_without_results() {
    let mut program = start("1");
    let mut slow = katrain("slow", 1_000_000);
    slow["reportDuringSearchEvery"] = json!(0.02);
    ask(&mut program, &slow);
    let mut game = katrain("game", 10);
    game["analyzeTurns"] = json!([0, 1, 2]);
    program.send(&game.to_string());
    let some =
        json!({"id": "t1", "action": "terminate", "terminateId": "game", "turnNumbers": [1]});
    program.send(&some.to_string());
    program.send(&json!({"id": "t2", "action": "terminate_all"}).to_string());
    let mut without = Vec::new();
    let mut receipts = 0;
    let mut finished = false;
    while receipts < 2 || without.len() < 3 || !finished {
        let answer = answer(&mut program);
        if answer["noResults"] == true {
            assert_eq!((&answer["id"], &answer["isDuringSearch"]), (&json!("game"), &json!(false)));
            without.push(answer["turnNumber"].as_u64().unwrap());
        }
        receipts += usize::from(answer.get("action").is_some());
        finished |= answer["id"] == "slow" && answer["isDuringSearch"] == false;
    }
    assert_eq!(without, [1, 0, 2]);
    let cleared = json!({"id": "c", "action": "clear_cache"});
    assert_eq!(ask(&mut program, &cleared), cleared);
}

#[test]
fn avoided_moves_are_not_considered() {
    let mut program = start("1");
    let mut query = katrain("q", 60);
    query["avoidMoves"] = json!([{"player": "W", "moves": ["E6", "pass"], "untilDepth": 1}]);
    let answer = ask(&mut program, &query);
    let moves: Vec<&Value> =
        answer["moveInfos"].as_array().unwrap().iter().map(|info| &info["move"]).collect();
    assert!(!moves.contains(&&json!("E6")) && !moves.contains(&&json!("pass")), "{moves:?}");
    query["avoidMoves"] = json!([]);
    query["allowMoves"] = json!([{"player": "W", "moves": ["E6"], "untilDepth": 1}]);
    let answer = ask(&mut program, &query);
    assert_eq!(answer["moveInfos"].as_array().unwrap().len(), 1);
    assert_eq!(answer["moveInfos"][0]["move"], "E6");
}

#[test]
fn bad_queries_name_the_field_and_nothing_ends() {
    let mut program = start("1");
    let changed = |field: &str, value: Value| {
        let mut query = katrain("bad", 10);
        query[field] = value;
        query
    };
    for (field, value) in [
        ("boardXSize", json!(37)),
        ("boardYSize", json!(13)),
        ("moves", json!([["B", "K10"]])),
        ("moves", json!([["B", "E5"], ["W", "E5"]])),
        ("moves", json!("E5")),
        ("analyzeTurns", json!([99])),
        ("analyzeTurns", json!(["x"])),
        ("rules", json!("chess")),
        ("rules", json!(7)),
        ("komi", json!("much")),
        ("komi", json!(1e38)),
        ("maxVisits", json!(0)),
        ("initialStones", json!([["B", "E5"], ["B", "E5"]])),
        ("initialPlayer", json!("Green")),
        ("priority", json!("high")),
        ("priorities", json!([1, 2, 3])),
        ("avoidMoves", json!([{"player": "B"}])),
        ("overrideSettings", json!({"maxTime": "long"})),
        ("overrideSettings", json!({"search.threads": 0})),
        ("includePolicy", json!("yes")),
    ] {
        let answer = ask(&mut program, &changed(field, value.clone()));
        assert_eq!(answer["field"], field, "{value}: {answer}");
        assert_eq!(answer["id"], "bad");
        assert!(answer["error"].is_string());
    }
    let illegal = ask(&mut program, &changed("moves", json!([["B", "E5"], ["W", "E5"]])));
    assert!(illegal["error"].as_str().unwrap().contains("Illegal move"));
    for line in ["x", "[]", "7", "{\"id\":"] {
        program.send(line);
        assert!(answer(&mut program)["error"].is_string(), "{line}");
    }
    program.send("");
    program.send_bytes(b"\xff\xfe\n");
    assert!(answer(&mut program)["error"].is_string());
    let no_id = ask(&mut program, &json!({"rules": "chinese"}));
    assert_eq!(no_id["field"], "id");
    assert_eq!(ask(&mut program, &katrain("good", 10))["id"], "good");
}

#[test]
fn every_query_gets_an_answer_under_its_id() {
    let mut program = start("1");
    let mut query = katrain("q", 10);
    query["analyzeTurns"] = json!([]);
    let answer_to_none = ask(&mut program, &query);
    assert_eq!(
        (&answer_to_none["id"], &answer_to_none["field"]),
        (&json!("q"), &json!("analyzeTurns"))
    );
    assert!(answer_to_none["error"].is_string());
    // A client that has nothing to say may say so.
    let mut silent = katrain("silent", 10);
    for field in ["analyzeTurns", "priorities", "initialStones", "avoidMoves", "overrideSettings"] {
        silent[field] = Value::Null;
    }
    assert!(ask(&mut program, &silent)["moveInfos"].is_array());
    // A number that no computer holds spoils the line, wherever it stands, but not the id.
    for line in [
        r#"{"id":"huge","rules":"chinese","komi":1e400,"boardXSize":9,"boardYSize":9,"moves":[]}"#,
        r#"{"komi":-1e999,"moves":[[1e400]],"id":"huge"}"#,
    ] {
        program.send(line);
        let refused = answer(&mut program);
        assert_eq!(refused["id"], "huge", "{refused}");
        assert!(refused["error"].as_str().unwrap().contains("number out of range"), "{refused}");
    }
    // A turn that is named twice is answered once.
    query["analyzeTurns"] = json!([1, 2, 1]);
    assert_eq!(ask(&mut program, &query)["turnNumber"], 1);
    assert_eq!(answer(&mut program)["turnNumber"], 2);
    assert_eq!(ask(&mut program, &katrain("good", 10))["id"], "good");
}

#[test]
fn of_two_queries_with_one_id_the_longer_can_still_be_ended() {
    let mut program = start("2");
    let mut slow = katrain("same", 10_000_000);
    slow["overrideSettings"] = json!({"maxTime": 3600.0});
    slow["reportDuringSearchEvery"] = json!(0.02);
    assert_eq!(ask(&mut program, &slow)["isDuringSearch"], true);
    program.send(&katrain("same", 10).to_string());
    let ended = |program: &mut Program| loop {
        let answer = answer(program);
        if answer["isDuringSearch"] == false {
            return answer["rootInfo"]["visits"].as_u64().unwrap();
        }
    };
    assert_eq!(ended(&mut program), 10);
    let stop = json!({"id": "stop", "action": "terminate", "terminateId": "same"});
    program.send(&stop.to_string());
    assert!(ended(&mut program) > 0);
}

#[test]
fn fields_and_settings_that_are_not_understood_are_warned_of() {
    let mut program = start("1");
    let mut odd = katrain("odd", 10);
    odd["overrideSettings"] = json!({"nonsense": 3, "wideRootNoise": 0.04});
    odd["maxVisit"] = json!(7);
    for _ in 0..2 {
        program.send(&odd.to_string());
        let warned: Vec<Value> = (0..2).map(|_| answer(&mut program)).collect();
        for (warning, field) in warned.iter().zip(["maxVisit", "overrideSettings"]) {
            assert_eq!((&warning["id"], &warning["field"]), (&json!("odd"), &json!(field)));
            assert!(warning["warning"].is_string() && warning.get("error").is_none(), "{warning}");
        }
        assert_eq!(answer(&mut program)["isDuringSearch"], false);
    }
    // What clients send as a matter of course gets its answer and nothing else.
    let mut usual = katrain("usual", 10);
    usual["overrideSettings"]["wideRootNoise"] = json!(0.04);
    usual["includeMovesOwnership"] = json!(true);
    usual["includePVVisits"] = json!(true);
    assert_eq!(ask(&mut program, &usual)["isDuringSearch"], false);
}

#[test]
fn moves_come_with_owners_and_visits_of_their_variations() {
    let mut program = start("1");
    // White's three stones are Black's if Black plays E5, and White's if White does.
    let black = [
        "A7", "C7", "D7", "A6", "B6", "C6", "D6", "A5", "A4", "B4", "C4", "D4", "B3", "D3", "A2",
        "C2", "D2", "B1", "D1",
    ];
    let white =
        ["E7", "E6", "G6", "B5", "C5", "D5", "F5", "E4", "G4", "E3", "F3", "E2", "G2", "E1", "F1"];
    let stones = |color: &'static str, list: &[&str]| -> Vec<Value> {
        list.iter().map(|vertex| json!([color, vertex])).collect()
    };
    let all = [stones("B", &black), stones("W", &white)].concat();
    let mut query = json!({
        "id": "owners", "rules": "chinese", "komi": 3.5, "boardXSize": 7, "boardYSize": 7,
        "initialStones": all,
        "initialPlayer": "B", "moves": [], "maxVisits": 600, "includeMovesOwnership": true,
        "includeMovesOwnershipStdev": true, "includePVVisits": true, "analysisPVLen": 2,
        "includeOwnership": true, "includeOwnershipStdev": true,
        "overrideSettings": {"reportAnalysisWinratesAs": "BLACK"},
    });
    let told = ask(&mut program, &query);
    let stone = 2 * 7 + 2; // C5
    let infos = told["moveInfos"].as_array().unwrap();
    let taken = infos[0]["ownership"][stone].as_f64().unwrap();
    assert_eq!(infos[0]["move"], "E5");
    assert!(taken > 0.9, "{taken}");
    for info in infos {
        for field in ["ownership", "ownershipStdev"] {
            assert_eq!(info[field].as_array().unwrap().len(), 49, "{field}");
        }
        assert!(info["ownership"][stone].as_f64().unwrap() <= taken, "{}", info["move"]);
        let length = info["pv"].as_array().unwrap().len();
        assert!(length <= 3);
        assert_eq!(info["pvVisits"].as_array().unwrap().len(), length);
        assert_eq!(info["pvEdgeVisits"], info["pvVisits"]);
        assert_eq!(info["pvVisits"][0], info["visits"]);
    }
    let spread = told["ownershipStdev"].as_array().unwrap();
    assert_eq!(spread.len(), 49);
    assert!(spread.iter().all(|value| (0.0..=1.0).contains(&value.as_f64().unwrap())));
    // From White's side everything is the other way round.
    query["overrideSettings"] = json!({"reportAnalysisWinratesAs": "WHITE"});
    let told = ask(&mut program, &query);
    assert!(told["moveInfos"][0]["ownership"][stone].as_f64().unwrap() < -0.9);
    for field in ["includeMovesOwnership", "includeMovesOwnershipStdev", "includePVVisits"] {
        query[field] = json!(false);
    }
    let told = ask(&mut program, &query);
    let info = told["moveInfos"][0].as_object().unwrap();
    for field in ["ownership", "ownershipStdev", "pvVisits", "pvEdgeVisits"] {
        assert!(!info.contains_key(field), "{field}");
    }
}

#[test]
fn moves_with_few_visits_are_no_wonders() {
    let mut program = start("1");
    let told = ask(&mut program, &katrain("short", 40));
    let root = told["rootInfo"]["winrate"].as_f64().unwrap();
    let infos = told["moveInfos"].as_array().unwrap();
    let few: Vec<&Value> = infos.iter().filter(|info| info["visits"].as_u64() < Some(3)).collect();
    assert!(!few.is_empty());
    for info in few {
        let winrate = info["winrate"].as_f64().unwrap();
        assert!((winrate - root).abs() < 0.2, "{winrate} beside {root}");
        assert!(info["lcb"].as_f64().unwrap() >= winrate, "White's lower bound from Black's side");
    }
}

#[test]
fn who_allows_nothing_gets_an_error_and_no_figures() {
    let mut program = start("1");
    let only = |moves: &[&str]| json!([{"player": "W", "moves": moves, "untilDepth": 1}]);
    let (occupied, free) = (only(&["E5"]), only(&["D4"]));
    for (allow, avoid) in [(&occupied, &json!([])), (&free, &free)] {
        let mut query = katrain("none", 20);
        query["allowMoves"] = allow.clone();
        query["avoidMoves"] = avoid.clone();
        let told = ask(&mut program, &query);
        assert_eq!((&told["id"], &told["turnNumber"]), (&json!("none"), &json!(3)), "{told}");
        assert!(told["error"].as_str().unwrap().contains("leave no legal move"), "{told}");
        assert!(told["rootInfo"].is_null(), "{told}");
    }
    let mut query = katrain("one", 20);
    query["allowMoves"] = free;
    assert_eq!(ask(&mut program, &query)["moveInfos"][0]["move"], "D4");
}
