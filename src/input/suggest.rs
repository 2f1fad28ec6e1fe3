//! Did you mean: the known name nearest to one that is not known.

use strsim::damerau_levenshtein;

/// The nearest of some names, if one is near: a third of the letters may be wrong, missing, added
/// or exchanged with their neighbour. (Jaro's measure, which clap uses, sees nothing of `gtp` in
/// `gpt`.)
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: String = word.chars().take(60).collect::<String>().to_lowercase();
    let allowed = (word.chars().count() / 3).max(1);
    let distance = |name: &'a str| (damerau_levenshtein(&word, &name.to_lowercase()), name);
    let best = names.into_iter().map(distance).min_by_key(|&(distance, _)| distance);
    best.filter(|&(distance, _)| distance <= allowed).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let names = ["gtp", "match", "bench", "params", "perft"];
        for (word, expected) in [
            ("gpt", Some("gtp")),
            ("GTP", Some("gtp")),
            ("mach", Some("match")),
            ("parms", Some("params")),
            ("hello", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, names), expected, "{word}");
        }
        assert_eq!(nearest("gtp", []), None);
    }
}
