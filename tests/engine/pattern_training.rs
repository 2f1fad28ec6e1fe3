//! The trainers on made-up games: they learn, with a seed they do so deterministically, and an
//! interrupted training ends with the same model. And the figures of `tengen predict`, by hand.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use tengen::board::Board;
use tengen::knowledge::{Dictionary, Kind, Model, features};
use tengen::types::{Point, Rng};
use tengen::workshop::train::dataset::Source;
use tengen::workshop::train::evaluate::evaluate;
use tengen::workshop::train::fbt::{Fbt, Gradient, Loss, Settings, Steps};
use tengen::workshop::train::harvest::{Thresholds, harvest};
use tengen::workshop::train::learner::{Learner, Plan, Progress, train};
use tengen::workshop::train::lfr::fit_scale;
use tengen::workshop::train::lmp::ShapeLmp;
use tengen::workshop::train::lmp_teams::TeamLmp;
use tengen::workshop::train::mm::Mm;
use tengen::workshop::train::position::Position;

/// Games in the made-up collections.
const GAMES: usize = 60;

/// Games on 7x7 whose players answer next to the last move three times of four, or else anywhere.
fn games(folder: &TempDir, name: &str, seed: u64) -> PathBuf {
    let mut rng = Rng::new(seed);
    let mut text = String::new();
    for _ in 0..GAMES {
        text += "(;SZ[7]";
        let mut board = Board::new(7);
        for number in 0..24 {
            let color = board.to_play();
            let legal: Vec<Point> = board
                .empty_points()
                .iter()
                .copied()
                .filter(|&point| board.is_legal(color, point) && !board.is_eye(color, point))
                .collect();
            let last = board.last_move();
            let near: Vec<Point> = legal
                .iter()
                .copied()
                .filter(|point| !last.is_pass() && last.neighbors().contains(point))
                .collect();
            let choice = if near.is_empty() || rng.chance(65536 / 4) { &legal } else { &near };
            let Some(&point) = choice.get(rng.below(choice.len() as u32) as usize) else { break };
            let letter = |index: usize| char::from(b'a' + index as u8);
            let player = if number % 2 == 0 { 'B' } else { 'W' };
            text +=
                &format!(";{player}[{}{}]", letter(point.column() - 1), letter(7 - point.row()));
            board.play_observed(color, point, &mut ());
        }
        text += ")\n";
    }
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn plan(games: &Path) -> Plan {
    Plan {
        source: Source { seed: 5, ..Source::new(&[games.to_path_buf()]) },
        games: GAMES,
        passes: 2,
        rate: 0.8,
        threads: 1,
        seed: 5,
        validation: None,
        validate_every: 1000,
        patience: 9,
        options: String::new(),
        checkpoint: None,
    }
}

fn patterns(games: &Path) -> Dictionary {
    let thresholds = Thresholds { played: 8, seen: 20, every: 7, both: true };
    harvest(&Source::new(&[games.to_path_buf()]), thresholds).unwrap()
}

fn settings(loss: Loss, gradient: Gradient) -> Settings {
    Settings {
        factors: 4,
        rate: 0.1,
        vector_rate: 0.05,
        decay: 1e-5,
        vector_decay: 1e-5,
        gradient,
        draws: 20,
        loss,
        features_only: false,
        pattern_vectors: false,
        steps: Steps::Adagrad,
    }
}

/// All trainers, and `fbt` with all its gradients.
fn learners(patterns: &Dictionary) -> Vec<(&'static str, Box<dyn Learner>)> {
    let start = Model::blank(Kind::Fbt, 0, patterns.clone());
    let fbt = |loss, gradient| -> Box<dyn Learner> {
        Box::new(Fbt::<8>::new(settings(loss, gradient), &start, 3))
    };
    vec![
        ("mm", Box::new(Mm::new(patterns, 5.0, 8, 500))),
        ("lmp", Box::new(ShapeLmp::new(1.0))),
        ("lmp-teams", Box::new(TeamLmp::new(patterns, 10.0))),
        ("lfr", fbt(Loss::Squared, Gradient::Pruned)),
        ("fbt", fbt(Loss::Softmax, Gradient::Pruned)),
        ("fbt exact", fbt(Loss::Softmax, Gradient::Exact)),
        ("fbt sampled", fbt(Loss::Softmax, Gradient::Sampled)),
    ]
}

#[test]
fn every_trainer_learns_what_the_players_do() {
    let folder = tempfile::tempdir().unwrap();
    let learned = games(&folder, "learn.sgfs", 1);
    let fresh = Source::new(&[games(&folder, "fresh.sgfs", 2)]);
    let patterns = patterns(&learned);
    assert!(patterns.len() > 50, "{} patterns", patterns.len());
    let chance = evaluate(&Model::blank(Kind::Fbt, 0, patterns.clone()), &fresh, usize::MAX);
    let chance = chance.unwrap().mean_log_probability();
    assert!((-4.0..-3.0).contains(&chance), "log of one in 20 to 50 moves: {chance}");
    for (name, mut learner) in learners(&patterns) {
        let mut model = train(&mut *learner, &plan(&learned), |_| ()).unwrap();
        if name == "lfr" {
            model.scale = fit_scale(&model, &Source::new(std::slice::from_ref(&learned))).unwrap();
        }
        let accuracy = evaluate(&model, &fresh, usize::MAX).unwrap();
        // One of up to four neighbours three times of four: a quarter of the moves can be guessed.
        // 3x3 shapes alone do not know the last move, only that moves touch stones.
        let (first, fifth, least) =
            if name == "lmp" { (0.1, 0.25, 0.1) } else { (0.15, 0.55, 0.4) };
        assert!(accuracy.top(1) > first, "{name}: top-1 {}", accuracy.top(1));
        assert!(accuracy.top(5) > fifth, "{name}: top-5 {}", accuracy.top(5));
        let gain = accuracy.mean_log_probability() - chance;
        assert!(gain > least, "{name}: {gain} better than chance");
    }
}

#[test]
fn a_seed_decides_everything_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let learned = games(&folder, "learn.sgfs", 1);
    let patterns = patterns(&learned);
    let trained = |plan: &Plan| -> Vec<(&'static str, Vec<u8>)> {
        let train = |(name, mut learner): (&'static str, Box<dyn Learner>)| {
            (name, train(&mut *learner, plan, |_| ()).unwrap().to_bytes())
        };
        learners(&patterns).into_iter().map(train).collect()
    };
    let once = trained(&plan(&learned));
    assert!(once == trained(&plan(&learned)), "the same again");
    assert!(once == trained(&Plan { threads: 3, ..plan(&learned) }), "on three threads");
    let other = trained(&Plan { seed: 6, ..plan(&learned) });
    for ((name, model), (_, other)) in once.iter().zip(&other) {
        assert!(model != other, "{name}: another seed draws other positions");
    }
}

/// A trainer that dies after so many positions.
struct Mortal {
    inner: Box<dyn Learner>,
    left: usize,
}

impl Learner for Mortal {
    fn learn(&mut self, position: &Position, progress: Progress) -> f32 {
        assert!(self.left > 0, "killed on purpose");
        self.left -= 1;
        self.inner.learn(position, progress)
    }

    fn end_pass(&mut self) {
        self.inner.end_pass();
    }

    fn resumes_within_a_pass(&self) -> bool {
        self.inner.resumes_within_a_pass()
    }

    fn repeats_positions(&self) -> bool {
        self.inner.repeats_positions()
    }

    fn model(&self) -> Model {
        self.inner.model()
    }

    fn state(&self) -> Vec<u8> {
        self.inner.state()
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        self.inner.restore(state)
    }
}

#[test]
fn killed_and_restarted_gives_the_same_model() {
    let folder = tempfile::tempdir().unwrap();
    let learned = games(&folder, "learn.sgfs", 1);
    let validation = Some(Source::new(&[games(&folder, "fresh.sgfs", 2)]));
    let patterns = patterns(&learned);
    let positions = GAMES * 24 * 8 / 10;
    for (index, (name, mut whole)) in learners(&patterns).into_iter().enumerate() {
        let plan = Plan { validation: validation.clone(), ..plan(&learned) };
        let expected = train(&mut *whole, &plan, |_| ()).unwrap().to_bytes();
        let path = folder.path().join(format!("{index}.ckpt"));
        let plan = Plan { checkpoint: Some((path.clone(), 7)), ..plan };
        // It dies in the first pass, then in the second, then comes to the end.
        for (attempt, left) in [positions / 3, positions, usize::MAX].into_iter().enumerate() {
            let inner = learners(&patterns).swap_remove(index).1;
            let mut mortal = Mortal { inner, left };
            let result = catch_unwind(AssertUnwindSafe(|| train(&mut mortal, &plan, |_| ())));
            match result {
                Ok(model) => {
                    assert_eq!(attempt, 2, "{name}");
                    assert!(model.unwrap().to_bytes() == expected, "{name}: another model");
                }
                Err(_) => assert!(attempt < 2 && (path.exists() || attempt == 0), "{name}"),
            }
        }
    }
}

#[test]
fn checkpoints_of_other_trainings_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let learned = games(&folder, "learn.sgfs", 1);
    let checkpoint = Some((folder.path().join("x.ckpt"), 10));
    let first = Plan { checkpoint, passes: 1, ..plan(&learned) };
    let none = Dictionary::default();
    let begin = |plan: &Plan| train(&mut TeamLmp::new(&none, 10.0), plan, |_| ());
    let expected = begin(&first).unwrap().to_bytes();
    // A copy of the games under another name is the same training.
    let copy = folder.path().join("copy.sgfs");
    std::fs::copy(&learned, &copy).unwrap();
    let renamed = Source { files: vec![copy], ..first.source.clone() };
    let same = [first.clone(), Plan { threads: 3, source: renamed, ..first.clone() }];
    for plan in same {
        assert!(begin(&plan).unwrap().to_bytes() == expected);
    }
    let other = Source { files: vec![games(&folder, "other.sgfs", 2)], ..first.source.clone() };
    let few = Source { limit: 20, ..first.source.clone() };
    for (plan, says) in [
        (Plan { source: other.clone(), ..first.clone() }, "another training, with other games"),
        (Plan { validation: Some(other.clone()), ..first.clone() }, "other options and games"),
        (Plan { seed: 6, ..first.clone() }, "another training, with other options"),
        (Plan { passes: 2, ..first.clone() }, "another training, with other options"),
        (Plan { rate: 0.5, ..first.clone() }, "another training, with other options"),
        (Plan { source: few, ..first.clone() }, "another training, with other options"),
        (Plan { options: "rate 2".into(), ..first.clone() }, "with other options"),
        (Plan { seed: 6, source: other, ..first.clone() }, "with other options and games"),
    ] {
        let error = begin(&plan).unwrap_err().to_string();
        assert!(error.contains(says) && error.contains("to start anew"), "{says}: {error}");
    }
    let error = train(&mut TeamLmp::new(&patterns(&learned), 10.0), &first, |_| ()).unwrap_err();
    assert!(error.to_string().contains("does not fit this trainer"), "{error}");
}

#[test]
fn a_command_goes_on_from_its_own_checkpoint_only() {
    let folder = tempfile::tempdir().unwrap();
    let collection = games(&folder, "learn.sgfs", 1).to_string_lossy().into_owned();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let run = |method: &str, more: &[&str]| {
        let (out, checkpoint) = (path("x.tgm"), path(&format!("{method}.ckpt")));
        let output = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(["train", method, &collection, "--small", "--out", &out])
            .args(["--threads", "1", "--checkpoint", &checkpoint])
            .args(more)
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for method in ["mm", "lmp", "lmp-teams", "lfr", "fbt"] {
        assert_eq!(run(method, &[]), (Some(0), String::new()), "{method}");
        assert!(Path::new(&path(&format!("{method}.ckpt"))).exists(), "{method}");
        // Where and how often things are written does not matter ...
        let again = run(method, &["--validate-every", "7", "--checkpoint-every", "5"]);
        assert_eq!(again.0, Some(0), "{method}: {}", again.1);
        // ... what is learned does.
        for change in [["--seed", "2"], ["--prior", "3"], ["--rate", "0.3"], ["--limit", "30"]] {
            let (code, error) = run(method, &change);
            assert_eq!(code, Some(2), "{method} {change:?}");
            assert!(error.contains("checkpoint of another training"), "{method}: {error}");
        }
    }
    for method in ["playout", "harvest"] {
        let (code, error) = run(method, &[]);
        assert_eq!(code, Some(2), "{method}");
        assert!(error.contains("keeps no checkpoint: leave --checkpoint out"), "{error}");
    }
}

#[test]
fn beliefs_are_printed_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let collection = games(&folder, "learn.sgfs", 1).to_string_lossy().into_owned();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    for method in ["lmp", "lmp-teams"] {
        let (out, file) = (path("x.tgm"), path("beliefs.tsv"));
        let arguments = ["train", method, &collection, "--small", "--out", &out];
        let text = tengen(&[&arguments[..], &["--beliefs", &file, "--prior", "1"]].concat());
        assert!(text.contains("\nalpha\tbeta\tgamma\tfeature\n"), "{text}");
        let written = std::fs::read_to_string(&file).unwrap();
        let mut alphas = 0.0;
        for line in written.lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            let number = |index: usize| fields[index].parse::<f64>().unwrap();
            assert!((number(0) / number(1) / number(2) - 1.0).abs() < 0.2, "{line}");
            alphas += number(0) - 1.0;
        }
        if method == "lmp" {
            // One choice a position, 24 in each of the games.
            assert!((alphas - (GAMES * 24) as f64).abs() < 1.0, "{alphas}");
        }
    }
    let output = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["train", "fbt", &collection, "--out", &path("x.tgm"), "--beliefs", "b.tsv"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
}

fn tengen(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tengen")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A figure from the JSON of `tengen predict`.
fn figure(figures: &serde_json::Value, name: &str) -> f64 {
    let found = figures.as_array().unwrap().iter().find(|figure| figure["name"] == name);
    found.unwrap_or_else(|| panic!("no figure '{name}'"))["value"].as_f64().unwrap()
}

#[test]
fn the_figures_of_predict_are_right() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    // A model that knows nothing but that passes are good: e^3 against 1.
    let mut weights = vec![0.0; features::COUNT];
    for id in features::PASS.first..features::PASS.first + features::PASS.values {
        weights[usize::from(id)] = 3.0;
    }
    let model = Model::new(Kind::Mm, weights, 0, Vec::new(), Dictionary::default());
    model.save(Path::new(&path("pass.tgm"))).unwrap();
    // Two moves and then passes to move 31; then a game on 3x3 that begins with a pass.
    let passes: String = (2..31).map(|n| if n % 2 == 0 { ";B[]" } else { ";W[]" }).collect();
    let text = format!("(;SZ[9];B[ee];W[cc]{passes};W[gg])\n(;SZ[3];B[];W[bb])\n");
    std::fs::write(path("games.sgfs"), text).unwrap();
    let svg = path("curve");
    let text = tengen(&[
        "predict",
        &path("games.sgfs"),
        "--model",
        &path("pass.tgm"),
        "--json",
        "--svg",
        &svg,
    ]);
    let figures: serde_json::Value = serde_json::from_str(&text).unwrap();
    // 9x9: ee and cc and gg tie with all other points behind the pass; 29 passes come first.
    // 3x3: the pass is first; bb ties with nine points behind the pass, so it has rank 10.
    let value = |name: &str| figure(&figures, name);
    assert_eq!((value("games"), value("positions")), (2.0, 34.0));
    let percent = |hits: f64| (hits / 34.0 * 1e4).round() / 100.0;
    for n in [1, 2, 3, 5] {
        assert_eq!(value(&format!("top-{n}")), percent(30.0));
    }
    assert_eq!((value("top-10"), value("top-20")), (percent(31.0), percent(31.0)));
    // Moves 1 to 30: 28 passes of 30 on 9x9 and one of two on 3x3. Later: one pass, one gg.
    assert_eq!(value("top-1 moves 1-30"), (29.0f64 / 32.0 * 1e4).round() / 100.0);
    assert_eq!(value("top-1 moves 31-60"), 50.0);
    let pass = 3f64.exp();
    // Every empty point is legal for both sides all the time: 81, 80 and then 79 of them.
    let nine = -(81.0 + pass).ln() - (80.0 + pass).ln() - (79.0 + pass).ln()
        + 29.0 * (3.0 - (79.0 + pass).ln());
    let three = 3.0 - 2.0 * (9.0 + pass).ln();
    let expected = (nine + three) / 34.0;
    assert!((value("mean log-probability") - expected).abs() < 1e-4, "{expected}");
    assert!(value("time per position") > 0.0);
    for name in ["curve-rank.svg", "curve-phase.svg"] {
        let picture = std::fs::read_to_string(path(name)).unwrap();
        assert!(picture.starts_with("<svg") && picture.contains("pass.tgm"));
    }
    let lines = tengen(&["predict", &path("games.sgfs"), "--model", &path("pass.tgm")]);
    assert!(lines.lines().any(|line| line == "top-1: 88.2 %"), "{lines}");
}

#[test]
fn held_out_games_are_measured_and_the_manifest_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let collection = games(&folder, "learn.sgfs", 1);
    let collection = collection.to_string_lossy();
    let out = folder.path().join("x.tgm").to_string_lossy().into_owned();
    let curve = folder.path().join("x.svg").to_string_lossy().into_owned();
    let arguments = ["train", "fbt", &collection, "--hold-out", "5", "--small", "--out", &out];
    let text = tengen(&[&arguments[..], &["--threads", "1", "--svg", &curve]].concat());
    assert!(text.contains("games: 48\n"), "{text}");
    let manifest = std::fs::read_to_string(folder.path().join("x.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["model"], "x.tgm");
    assert_eq!(manifest["data"][0], "learn.sgfs");
    assert_eq!(manifest["games"], 48);
    assert_eq!(manifest["hold_out"], 5);
    assert_eq!(manifest["accuracy"]["games"], 12);
    let command = manifest["command"].as_str().unwrap();
    assert!(command.starts_with("tengen train fbt learn.sgfs --hold-out 5"), "{command}");
    let predicted = tengen(&["predict", &collection, "--model", &out, "--hold-out", "5", "--json"]);
    let predicted: serde_json::Value = serde_json::from_str(&predicted).unwrap();
    assert_eq!(figure(&predicted, "games"), 12.0);
    assert_eq!(figure(&predicted, "top-1"), manifest["accuracy"]["top"]["1"].as_f64().unwrap());
    assert!(std::fs::read_to_string(&curve).unwrap().contains("Learning curve"));
}
