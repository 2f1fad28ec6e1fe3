//! Model files, gammas and checkpoints are read without trust: whatever the bytes are, the answer is a
//! model or a clear error, never a panic or a huge allocation.

use allocation_counter::measure;
use std::path::Path;
use tengen::board::Board;
use tengen::knowledge::{
    Dictionary, Gammas, Kind, Model, ModelError, Scratch, gammas::canonical_surroundings,
};
use tengen::knowledge::{MAX_FACTORS, features};
use tengen::types::Rng;
use tengen::workshop::train::dataset::Source;
use tengen::workshop::train::learner::{Plan, train};
use tengen::workshop::train::lmp_teams::TeamLmp;

/// Bytes of the header: magic, version, length and checksum of the body.
const HEADER: usize = 28;
/// No file of this test may make the reader hold more than this.
const MEMORY: u64 = 24 << 20;

/// Puts a right header before a body, written from the description of the format.
fn seal(magic: &[u8], body: &[u8]) -> Vec<u8> {
    let mut sum = 0xCBF2_9CE4_8422_2325u64;
    for &byte in body {
        sum = (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    }
    let length = (body.len() as u64).to_le_bytes();
    [magic, &2u32.to_le_bytes(), &length, &sum.to_le_bytes(), body].concat()
}

/// A model with random weights and patterns.
fn model(factors: usize, patterns: u32) -> Model {
    let mut rng = Rng::new(u64::from(patterns) + 7);
    let mut random =
        |count: usize| -> Vec<f32> { (0..count).map(|_| rng.unit() as f32 * 4.0 - 2.0).collect() };
    let weights = random(features::COUNT);
    let vectors = random(features::COUNT * factors);
    let values = random(patterns as usize);
    let entries: Vec<(u32, f32)> =
        (1..=patterns).zip(values).map(|(i, value)| (i * 1_234_567, value)).collect();
    Model::new(Kind::Fbt, weights, factors, vectors, Dictionary::from_sorted(entries.into_iter()))
}

fn some_gammas() -> Gammas {
    let mut gammas = Gammas::default();
    for (i, index) in [77usize, 4242, 70_000, 999_999].into_iter().enumerate() {
        gammas.shape[canonical_surroundings(index)] = 1.5 + i as f32;
    }
    gammas.locals[0] = 12.0;
    gammas
}

/// The body of a file behind its header.
fn body(bytes: &[u8]) -> &[u8] {
    &bytes[HEADER..]
}

/// If the bytes are a model, it must work; an error must say something.
fn must_not_harm(result: &Result<Model, ModelError>, board: &Board, scratch: &mut Scratch) {
    match result {
        Ok(model) => {
            let moves = model.evaluate(board, scratch);
            assert!(moves.iter().all(|m| m.1 >= 0.0 && m.1 <= 1.0));
        }
        Err(error) => assert!(error.to_string().len() > 10),
    }
}

#[test]
fn models_round_trip() {
    for (factors, patterns) in [(0, 0), (0, 40), (3, 5), (8, 3000), (16, 1)] {
        let model = model(factors, patterns);
        let bytes = model.to_bytes();
        assert_eq!(seal(b"TENGENPM", body(&bytes)), bytes, "the header is as described");
        let read = Model::parse(&bytes).unwrap();
        assert_eq!((read.kind, read.factors()), (Kind::Fbt, factors));
        assert_eq!(read.patterns().len(), patterns as usize);
        // Two halves of a step of 16-bit and 8-bit numbers up to 2.
        for (a, b) in model.weights().iter().zip(read.weights()) {
            assert!((a - b).abs() <= 2.0 / 65534.0 + 1e-6, "{a} {b}");
        }
        for (a, b) in model.vectors().iter().zip(read.vectors()) {
            assert!((a - b).abs() <= 2.0 / 254.0 + 1e-6, "{a} {b}");
        }
        for ((_, a), (_, b)) in model.patterns().iter().zip(read.patterns().iter()) {
            assert_eq!(a.key, b.key);
            assert!((a.weight - b.weight).abs() <= 2.0 / 254.0 + 1e-6);
        }
        let again = Model::parse(&read.to_bytes()).unwrap();
        for (a, b) in again.weights().iter().zip(read.weights()) {
            assert!((a - b).abs() < 1e-6, "written again it is the same");
        }
    }
}

#[test]
fn files_are_written_whole_and_read_plain() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tgm");
    let model = model(2, 10);
    model.save(&path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), model.to_bytes());
    assert_eq!(Model::load(&path).unwrap().patterns().len(), 10);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    let missing = Model::load(&folder.path().join("none.tgm")).unwrap_err().to_string();
    assert!(missing.contains("none.tgm"), "{missing}");
}

#[test]
fn every_truncation_and_every_changed_byte_is_noticed() {
    let bytes = model(0, 12).to_bytes();
    let gammas = some_gammas().to_bytes();
    for cut in 0..bytes.len() {
        assert!(Model::parse(&bytes[..cut]).is_err(), "cut to {cut}");
    }
    for cut in 0..gammas.len() {
        assert!(Gammas::parse(&gammas[..cut]).is_err(), "cut to {cut}");
    }
    assert!(matches!(Model::parse(&[&bytes[..], &[0]].concat()), Err(ModelError::Length)));
    assert!(matches!(Gammas::parse(&[&gammas[..], &[0]].concat()), Err(ModelError::Length)));
    let mut rng = Rng::new(3);
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << rng.below(8);
        assert!(Model::parse(&changed).is_err(), "byte {at}");
    }
    for at in 0..gammas.len() {
        let mut changed = gammas.clone();
        changed[at] ^= 1 << rng.below(8);
        assert!(Gammas::parse(&changed).is_err(), "byte {at}");
    }
    // The two kinds are not mistaken for each other, nor is anything else.
    assert!(matches!(Model::parse(&gammas), Err(ModelError::NotAModel)));
    assert!(matches!(Gammas::parse(&bytes), Err(ModelError::NotAModel)));
    assert!(matches!(Model::parse(b"(;GM[1]SZ[19])"), Err(ModelError::NotAModel)));
    let mut newer = bytes.clone();
    newer[8] = 9;
    assert!(matches!(Model::parse(&newer), Err(ModelError::Version(9))));
}

#[test]
fn every_shortened_body_with_a_right_checksum_is_refused() {
    for factors in [0, 1] {
        let bytes = model(factors, 12).to_bytes();
        for cut in 0..bytes.len() - HEADER {
            let short = seal(b"TENGENPM", &body(&bytes)[..cut]);
            assert!(matches!(Model::parse(&short), Err(ModelError::Length)), "cut to {cut}");
        }
    }
    let gammas = some_gammas().to_bytes();
    for cut in 0..gammas.len() - HEADER {
        assert!(Gammas::parse(&seal(b"TENGENPG", &body(&gammas)[..cut])).is_err());
    }
}

#[test]
fn hostile_counts_are_refused_without_allocating() {
    let bytes = model(1, 12).to_bytes();
    let write = |at: usize, value: &[u8]| {
        let mut body = body(&bytes).to_vec();
        body[at..at + value.len()].copy_from_slice(value);
        seal(b"TENGENPM", &body)
    };
    let patterns = 6; // after kind, factors and scale
    let gammas = some_gammas().to_bytes();
    let mut many = body(&gammas).to_vec();
    let count = 1 + 2 * 11;
    many[count..count + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let mut long = bytes.clone();
    long[12..20].copy_from_slice(&u64::MAX.to_le_bytes());
    let refused = measure(|| {
        let hostile = [
            write(patterns, &u32::MAX.to_le_bytes()),
            write(patterns, &(u32::MAX / 2).to_le_bytes()),
            write(patterns, &13u32.to_le_bytes()),
            write(1, &[MAX_FACTORS as u8]),
            long.clone(),
        ];
        for file in &hostile {
            assert!(matches!(Model::parse(file), Err(ModelError::Length)));
        }
        assert!(matches!(Model::parse(&write(0, &[9])), Err(ModelError::Content(_))));
        assert!(matches!(Model::parse(&write(1, &[255])), Err(ModelError::Content(_))));
        assert!(matches!(
            Model::parse(&write(10, &[255; 2])),
            Err(ModelError::Content(_) | ModelError::Length)
        ));
        for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            let file = write(2, &scale.to_le_bytes());
            assert!(matches!(Model::parse(&file), Err(ModelError::Content(_))));
        }
        assert!(matches!(Gammas::parse(&seal(b"TENGENPG", &many)), Err(ModelError::Length)));
    });
    assert!(refused.bytes_max < MEMORY, "{} bytes", refused.bytes_max);
}

#[test]
fn pattern_keys_must_ascend_and_fit() {
    let bytes = model(0, 0).to_bytes();
    let with_patterns = |count: u32, tail: &[u8]| {
        let mut body = body(&bytes).to_vec();
        body[6..10].copy_from_slice(&count.to_le_bytes());
        body.extend(tail);
        Model::parse(&seal(b"TENGENPM", &body))
    };
    assert_eq!(with_patterns(2, &[5, 1, 0x81, 1, 2]).unwrap().patterns().len(), 2);
    assert!(matches!(with_patterns(1, &[0, 1]), Err(ModelError::Content(_))), "key 0");
    assert!(matches!(with_patterns(2, &[5, 1, 0, 1]), Err(ModelError::Content(_))), "twice");
    let large = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0];
    assert!(matches!(with_patterns(1, &large), Err(ModelError::Content(_))), "key of 42 bits");
    assert!(with_patterns(1, &[0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 1]).is_ok(), "the largest key");
    let beyond = [0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 1, 1, 1];
    assert!(matches!(with_patterns(2, &beyond), Err(ModelError::Content(_))), "beyond it");
}

#[test]
fn fuzzed_models_and_gammas_are_harmless() {
    let mut rng = Rng::new(2024);
    let board = Board::new(9);
    let mut scratch = Scratch::new();
    let seeds = [model(0, 30).to_bytes(), model(2, 200).to_bytes()];
    let gammas = some_gammas().to_bytes();
    let mut good = 0;
    for round in 0..600 {
        let mut bytes = body(&seeds[round % 2]).to_vec();
        spoil(&mut bytes, &mut rng);
        let file = seal(b"TENGENPM", &bytes);
        let mut result = None;
        let info = measure(|| result = Some(Model::parse(&file)));
        assert!(info.bytes_max < MEMORY, "round {round}: {} bytes", info.bytes_max);
        if let Some(result) = &result {
            good += usize::from(result.is_ok());
            must_not_harm(result, &board, &mut scratch);
        }
    }
    assert!(good > 20, "some changes only change weights, so the loop reaches every part: {good}");
    for round in 0..60 {
        let mut bytes = body(&gammas).to_vec();
        spoil(&mut bytes, &mut rng);
        let file = seal(b"TENGENPG", &bytes);
        let info = measure(|| match Gammas::parse(&file) {
            Ok(gammas) => assert!(gammas.shape.iter().all(|g| g.is_finite() && *g > 0.0)),
            Err(error) => assert!(error.to_string().len() > 10),
        });
        assert!(info.bytes_max < MEMORY, "round {round}: {} bytes", info.bytes_max);
    }
}

/// Changes one to eight bytes, most often near the front where the counts are, and now and then
/// cuts the end off or repeats a part.
fn spoil(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..1 + rng.below(8) {
        let reach = if rng.chance(32768) { 32 } else { bytes.len() as u32 };
        let at = rng.below(reach.min(bytes.len() as u32)) as usize;
        bytes[at] = [0, 0xFF, 0x80, rng.bits() as u8][rng.below(4) as usize];
    }
    if rng.chance(6554) {
        bytes.truncate(1 + rng.below(bytes.len() as u32) as usize);
    }
    if rng.chance(6554) {
        let part = bytes[bytes.len() / 2..].to_vec();
        bytes.extend(part);
    }
}

#[test]
fn damaged_checkpoints_are_refused_with_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.sgfs");
    std::fs::write(&games, "(;SZ[5];B[cc];W[cb];B[bb])\n(;SZ[5];B[cc];W[cd];B[dd])\n").unwrap();
    let path = folder.path().join("x.ckpt");
    let patterns = Dictionary::default();
    train(&mut TeamLmp::new(&patterns, 10.0), &plan(&games, &path), |_| ()).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let result = train(&mut TeamLmp::new(&patterns, 10.0), &plan(&games, &path), |_| ());
        result.err().map(|error| format!("{error:#}"))
    };
    assert_eq!(refused(&bytes), None, "the whole one is taken up");
    let mut rng = Rng::new(11);
    for cut in (0..60).chain((60..bytes.len()).step_by(4999)) {
        let error = refused(&bytes[..cut]).unwrap();
        assert!(error.contains("x.ckpt' to start anew"), "{error}");
        let sealed = seal(b"TENGENCP", &bytes[HEADER..][..cut.min(bytes.len() - HEADER - 4)]);
        assert!(refused(&sealed).is_some(), "a checkpoint of {cut} bytes with a right checksum");
    }
    for _ in 0..50 {
        let mut changed = bytes.clone();
        changed[rng.below(bytes.len() as u32) as usize] ^= 1 << rng.below(8);
        assert!(refused(&changed).is_some());
    }
    // The number of bytes of the best model, as large as can be.
    let mut hostile = bytes[HEADER..].to_vec();
    hostile[40..48].copy_from_slice(&u64::MAX.to_le_bytes());
    let info = measure(|| assert!(refused(&seal(b"TENGENCP", &hostile)).is_some()));
    assert!(info.bytes_max < MEMORY, "{} bytes", info.bytes_max);
}

fn plan(games: &Path, checkpoint: &Path) -> Plan {
    Plan {
        source: Source::new(&[games.to_path_buf()]),
        games: 2,
        passes: 1,
        rate: 1.0,
        threads: 1,
        seed: 1,
        validation: None,
        validate_every: 100,
        patience: 1,
        options: String::new(),
        checkpoint: Some((checkpoint.to_path_buf(), 1)),
    }
}

#[test]
fn the_shipped_models_load_and_their_manifests_name_them() {
    for (name, size) in [("tree19", 19), ("tree9", 9)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("patterns").join(name);
        let model = Model::load(&path.with_extension("tgm")).unwrap();
        assert_eq!(model.weights(), Model::embedded(size).weights());
        assert!(model.patterns().len() > 10_000);
        check_manifest(&path);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("patterns/playout");
    let gammas = Gammas::load(&path.with_extension("tgm")).unwrap();
    assert_eq!(gammas, *Gammas::embedded());
    check_manifest(&path);
}

fn check_manifest(path: &Path) {
    let text = std::fs::read_to_string(path.with_extension("json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let name = path.with_extension("tgm").file_name().unwrap().to_string_lossy().into_owned();
    assert_eq!(manifest["model"], name.as_str());
    for field in ["command", "date", "program"] {
        assert!(manifest[field].as_str().is_some_and(|text| !text.is_empty()), "{name}: {field}");
    }
    assert!(manifest["games"].as_u64().is_some_and(|games| games > 1000));
    assert!(manifest["seed"].is_u64());
    assert!(manifest["accuracy"]["top"]["1"].as_f64().is_some_and(|top| top > 15.0));
    assert!(!text.contains("/home") && !text.contains("/tmp"), "{name}: no machine's folders");
}
