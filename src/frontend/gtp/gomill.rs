//! Commands of the Gomill tools and of review programs built on them.

use super::command::Command;
use super::standard;
use super::think::Task;

/// The table.
pub const COMMANDS: &[Command] = &[
    Command::new(
        "gomill-explain_last_move",
        "",
        "What was thought about the last move generated.",
        |session, _| Ok(session.explanation.clone()),
    ),
    Command::new("gomill-describe_engine", "", "What the program is.", |session, _| {
        let game = session.engine.game();
        let params = session.engine.params();
        Ok(format!(
            "tengen {}\nMonte Carlo tree search\n{} rules, {}, seed {}",
            crate::version::BUILD,
            game.rules(),
            threads_in_words(params.search.threads.count()),
            params.search.seed,
        ))
    }),
    Command::new(
        "gomill-cpu_time",
        "",
        "Seconds of processor time used so far.",
        standard::cputime,
    ),
    Command::new(
        "gomill-genmove_ex",
        "COLOR [claim]",
        "Like genmove; without a colour, the extensions that are understood: none.",
        |session, call| match call.args.is_empty() {
            true => Ok(String::new()),
            false => standard::generate(session, call, &Task::default()),
        },
    ),
];

/// `1 thread`, `2 threads`.
pub fn threads_in_words(threads: usize) -> String {
    if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") }
}
