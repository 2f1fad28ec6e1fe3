//! Command lines: text to words and back.
//!
//! Users write an engine as one string (`--a "gnugo --mode gtp --level 8"`); it is cut into words
//! here, by the quoting rules of a shell but without its expansions.

use anyhow::{Result, anyhow, ensure};
use std::path::{Path, PathBuf};

/// Splits a command line into words as a shell does: at white space outside quotes; `'...'` keeps
/// everything, `"..."` and `\` as usual.
pub fn split_words(line: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = line.chars();
    let unfinished = || anyhow!("the command {line:?} has a quote without its partner");
    while let Some(letter) = letters.next() {
        match letter {
            _ if letter.is_whitespace() => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next().ok_or_else(unfinished)? {
                        '\'' => break,
                        letter => word.push(letter),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next().ok_or_else(unfinished)? {
                        '"' => break,
                        '\\' => match letters.next().ok_or_else(unfinished)? {
                            letter @ ('"' | '\\') => word.push(letter),
                            letter => word.extend(['\\', letter]),
                        },
                        letter => word.push(letter),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(letters.next().ok_or_else(unfinished)?),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    ensure!(!words.is_empty(), "the command of the program is empty");
    Ok(words)
}

/// The words as one command line that [`split_words`] reads back.
pub fn join_words(words: &[String]) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_=+./:,%@".contains(letter);
    let quoted: Vec<String> = words
        .iter()
        .map(|word| match word {
            _ if !word.is_empty() && word.chars().all(plain) => word.clone(),
            _ => format!("'{}'", word.replace('\'', "'\\''")),
        })
        .collect();
    quoted.join(" ")
}

/// The beginning of a text for a message.
pub fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// The name by which commands mean this program.
const OWN_NAME: &str = "tengen";

/// What to start for the first word of a command. `tengen` is this very program, so that commands
/// work as they are written before it is installed, and measure this build and no other.
pub fn executable(word: &str) -> PathBuf {
    let own = || {
        let path = std::env::current_exe().ok()?;
        let stem = path.file_stem()?.to_string_lossy().into_owned();
        // The library may be part of another program, which is not meant.
        stem.starts_with(OWN_NAME).then_some(path)
    };
    let meant = if word == OWN_NAME { own() } else { None };
    meant.unwrap_or_else(|| PathBuf::from(word))
}

/// The words of a command as the measuring tools start it: a tengen that is not told how many
/// threads to use takes one. Its default, all cores, is for players; games at once would fight
/// for the cores, and nothing could be repeated.
pub fn with_one_thread(mut words: Vec<String>) -> Vec<String> {
    let is_tengen = words
        .first()
        .and_then(|word| Path::new(word).file_stem())
        .is_some_and(|stem| stem == OWN_NAME);
    let plays = words.get(1).is_none_or(|word| word == "gtp" || word.starts_with('-'));
    let told = |word: &String| {
        word.starts_with("--threads")
            || word.starts_with("--params")
            || word.contains("search.threads")
    };
    if is_tengen && plays && !words.iter().any(told) {
        words.extend(["--threads", "1"].map(str::to_owned));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tengen_takes_one_thread_unless_told() {
        let threads = |line: &str| with_one_thread(split_words(line).unwrap()).join(" ");
        for line in ["tengen", "tengen gtp", "./tengen --playouts 5", "/a/b/tengen gtp --time 1"] {
            assert_eq!(threads(line), format!("{line} --threads 1"));
        }
        for line in [
            "gnugo --mode gtp",
            "tengen --threads 2",
            "tengen gtp --threads=auto",
            "tengen gtp --set search.threads=3",
            "tengen gtp --params tuned",
            "tengen analysis",
            "sh -c tengen",
        ] {
            assert_eq!(threads(line), line);
        }
    }

    #[test]
    fn only_the_bare_name_is_this_program() {
        let own = std::env::current_exe().unwrap();
        assert_eq!(executable("tengen"), own);
        for other in ["gnugo", "./tengen", "/usr/bin/tengen", "tengen2"] {
            assert_eq!(executable(other), Path::new(other));
        }
    }

    #[test]
    fn words_are_split_like_a_shell_does() {
        let split = |line: &str| split_words(line).unwrap();
        assert_eq!(split("gnugo  --mode gtp\t"), ["gnugo", "--mode", "gtp"]);
        assert_eq!(
            split(r#"sh -c 'a "b" \c' x\ y "q \" \\ \n" """#),
            ["sh", "-c", r#"a "b" \c"#, "x y", r#"q " \ \n"#, ""]
        );
        for line in ["a 'b", "a \"b", "a \\"] {
            let error = split_words(line).unwrap_err().to_string();
            assert_eq!(error, format!("the command {line:?} has a quote without its partner"));
        }
        assert!(split_words("  ").is_err());
        for line in ["a b", "a 'b c' ''", r#"a "it's" \\ \""#] {
            let words = split(line);
            assert_eq!(split(&join_words(&words)), words);
        }
    }
}
