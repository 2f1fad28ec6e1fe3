//! Command lines: text to words and back.
//!
//! Users write an engine as one string (`--a "gnugo --mode gtp --level 8"`); it is cut into words
//! here, by the quoting rules of a shell but without its expansions.

use thiserror::Error;

/// A command line that has no words.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WordsError {
    /// No word in it.
    #[error("the command of the program is empty")]
    Empty,
    /// A quote without its partner.
    #[error("the command {0:?} has a quote without its partner")]
    Quote(String),
}

/// Splits a command line into words as a shell does: at white space outside quotes; `'...'` keeps
/// everything, `"..."` and `\` as usual.
pub fn split_words(line: &str) -> Result<Vec<String>, WordsError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = line.chars();
    let unfinished = || WordsError::Quote(line.to_owned());
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
    if words.is_empty() { Err(WordsError::Empty) } else { Ok(words) }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_like_a_shell_does() {
        let split = |line: &str| split_words(line).unwrap();
        assert_eq!(split("gnugo  --mode gtp\t"), ["gnugo", "--mode", "gtp"]);
        assert_eq!(
            split(r#"sh -c 'a "b" \c' x\ y "q \" \\ \n" """#),
            ["sh", "-c", r#"a "b" \c"#, "x y", r#"q " \ \n"#, ""]
        );
        for line in ["a 'b", "a \"b", "a \\"] {
            assert_eq!(split_words(line), Err(WordsError::Quote(line.to_owned())));
        }
        assert_eq!(split_words("  "), Err(WordsError::Empty));
        for line in ["a b", "a 'b c' ''", r#"a "it's" \\ \""#] {
            let words = split(line);
            assert_eq!(split(&join_words(&words)), words);
        }
    }
}
