//! Regression suites as GNU Go and GoGui write them: GTP commands, and what they should answer.
//!
//! ```text
//! loadsgf games/ladder.sgf 42
//! 10 reg_genmove black
//! #? [C3|D4]*
//! ```
//!
//! A command with an id is a test. `#? [regex]` below it says what the whole answer must match,
//! `[!regex]` what it must not, a trailing `*` that the test is known to fail. A test without a
//! pattern passes when the command succeeds. Letter case does not matter, because GTP vertices have
//! none: `[PASS]` is met by `pass`.

use anyhow::{Context, Result};
use regex::{Regex, RegexBuilder};

/// What an answer must be.
#[derive(Clone, Debug)]
pub struct Expectation {
    regex: Regex,
    negated: bool,
    /// The text in brackets.
    pub text: String,
    /// Marked with `*`: a failure surprises nobody.
    pub known_to_fail: bool,
}

impl Expectation {
    /// Reads what follows `#?`; `None` if nothing does.
    fn parse(text: &str, line: usize) -> Result<Option<Expectation>> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let (pattern, known_to_fail) = match text.strip_suffix('*') {
            Some(pattern) => (pattern.trim_end(), true),
            None => (text, false),
        };
        let inner = pattern.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let inner = inner
            .with_context(|| format!("line {line}: the pattern {text} is not in [brackets]"))?
            .trim();
        let (pattern, negated) = match inner.strip_prefix('!') {
            Some(pattern) => (pattern, true),
            None => (inner, false),
        };
        let regex = RegexBuilder::new(&format!(r"\A(?:{pattern})\z"))
            .case_insensitive(true)
            .multi_line(true)
            .dot_matches_new_line(true)
            .build()
            .ok()
            .with_context(|| {
                format!("line {line}: [{inner}] is no regular expression that is understood here")
            })?;
        Ok(Some(Expectation { regex, negated, text: inner.to_owned(), known_to_fail }))
    }

    /// Is this answer right?
    pub fn is_met_by(&self, answer: &str) -> bool {
        self.regex.is_match(answer.trim()) != self.negated
    }
}

/// A command of a suite.
#[derive(Clone, Debug)]
pub struct Step {
    /// Line number, from 1.
    pub line: usize,
    /// The digits before the command.
    pub id: Option<String>,
    /// The command without its id.
    pub command: String,
    /// What it must answer.
    pub expectation: Option<Expectation>,
    /// Is it a test? It is with an id or a pattern.
    pub is_test: bool,
}

impl Step {
    /// The line to send.
    pub fn to_gtp(&self) -> String {
        match &self.id {
            Some(id) => format!("{id} {}", self.command),
            None => self.command.clone(),
        }
    }
}

/// Reads a suite.
pub fn parse_suite(text: &str) -> Result<Vec<Step>> {
    let mut steps: Vec<Step> = Vec::new();
    let mut open = false; // a pattern may still follow the last command
    // Some editors put a mark before UTF-8.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, line) in text.lines().enumerate() {
        let (line, number) = (line.trim(), index + 1);
        if let Some(pattern) = line.strip_prefix("#?") {
            let step = steps.last_mut().filter(|_| open);
            let step = step
                .with_context(|| format!("line {number}: a pattern without a command before it"))?;
            step.expectation = Expectation::parse(pattern, number)?;
            step.is_test |= step.expectation.is_some();
            open = false;
        } else if !line.is_empty() && !line.starts_with('#') {
            let words = line.replace('\t', " ");
            let (id, command) = match words.split_once(' ') {
                Some((first, rest)) if first.bytes().all(|byte| byte.is_ascii_digit()) => {
                    (Some(first.to_owned()), rest.trim().to_owned())
                }
                _ => (None, words),
            };
            let is_test = id.is_some();
            steps.push(Step { line: number, id, command, expectation: None, is_test });
            open = true;
        }
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_is_read() {
        let suite = "# comment\n\nloadsgf x.sgf 3\n10 reg_genmove black\n#? [C3|D4]*\n\
                     20\treg_genmove  w\n# between\n#? [!PASS]\nfinal_score\n#? [W\\+0\\.5]\n30 undo\n\
                     40 name\n#?\n";
        let steps = parse_suite(suite).unwrap();
        let ids: Vec<_> = steps.iter().map(|step| step.id.as_deref().unwrap_or("-")).collect();
        assert_eq!(ids, ["-", "10", "20", "-", "30", "40"]);
        let tests: Vec<bool> = steps.iter().map(|step| step.is_test).collect();
        assert_eq!(tests, [false, true, true, true, true, true]);
        assert_eq!(steps[1].to_gtp(), "10 reg_genmove black");
        assert_eq!(steps[1].line, 4);
        let first = steps[1].expectation.as_ref().unwrap();
        assert!(first.known_to_fail && first.text == "C3|D4");
        assert!(first.is_met_by("C3") && first.is_met_by("d4\n") && !first.is_met_by("C33"));
        let second = steps[2].expectation.as_ref().unwrap();
        assert!(!second.known_to_fail && second.is_met_by("D4") && !second.is_met_by("pass"));
        let third = steps[3].expectation.as_ref().unwrap();
        assert!(third.is_met_by("W+0.5") && !third.is_met_by("W+00.5"));
        assert!(steps[4].expectation.is_none() && steps[5].expectation.is_none());
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_command() {
        let steps = parse_suite("\u{feff}10 name\n").unwrap();
        assert_eq!((steps[0].to_gtp(), steps[0].is_test), ("10 name".to_owned(), true));
    }

    #[test]
    fn patterns_match_the_whole_answer() {
        let met = |pattern: &str, answer: &str| {
            Expectation::parse(pattern, 1).unwrap().unwrap().is_met_by(answer)
        };
        assert!(met("[]", "") && !met("[]", "x") && met("[ D4 ]", "D4"));
        assert!(met("[A1 B2]", "A1 B2") && !met("[A1]", "A1 B2"));
        assert!(met("[!A1|B2]", "C3") && !met("[!A1|B2]", "B2") && !met("[!(A1|B2)]", "A1"));
        assert!(met("[.*B2.*]", "A1\nB2\nC3"));
        assert!(met("[[A-C][1-3]]", "b2"));
    }

    #[test]
    fn bad_suites_are_refused() {
        let error = |text| parse_suite(text).unwrap_err().to_string();
        assert_eq!(error("#? [A1]"), "line 1: a pattern without a command before it");
        assert_eq!(
            error("1 name\n#? [a]\n#? [b]"),
            "line 3: a pattern without a command before it"
        );
        assert_eq!(error("1 name\n#? A1"), "line 2: the pattern A1 is not in [brackets]");
        assert_eq!(
            error("1 name\n#? [(A1]"),
            "line 2: [(A1] is no regular expression that is understood here"
        );
    }
}
