//! What kgsGtp sends. It drops an engine that answers anything unexpected.

use super::command::{Call, Command, Listing, Reply};
use super::parse::SYNTAX_ERROR;
use super::session::Session;
use super::standard;
use super::think::Task;
use crate::game::Rules;
use crate::time::TimeSystem;

/// The table.
pub const COMMANDS: &[Command] = &[
    Command::new(
        "kgs-rules",
        "japanese|chinese|aga|new_zealand",
        "Sets the rules.",
        |session, call| {
            // KGS may send more words; they are ignored.
            let rules =
                Rules::parse(call.args.word(0)?).ok_or_else(|| "unknown rules".to_owned())?;
            session.set_rules(rules);
            Ok(String::new())
        },
    ),
    Command::new(
        "kgs-time_settings",
        "none|absolute MAIN|canadian MAIN PERIOD STONES|byoyomi MAIN PERIOD PERIODS",
        "Sets the time limits in seconds and starts the clocks.",
        |session, call| {
            let system = time_system(call)?;
            session.clock.set_system(system);
            Ok(String::new())
        },
    ),
    Command::new(
        "kgs-genmove_cleanup",
        "COLOR",
        "Like genmove, but captures all dead stones before it passes.",
        |session, call| {
            let task = Task { cleanup: true, ..Task::default() };
            standard::generate(session, call, &task)
        },
    ),
    Command::new("kgs-game_over", "", "The game is over: no more pondering.", |session, _| {
        session.pondering = None;
        session.clock.pause();
        Ok(String::new())
    }),
    Command {
        name: "kgs-chat",
        usage: "game|private NAME MESSAGE",
        doc: "Answers somebody who speaks to the program.",
        listing: Listing::KgsChat,
        run: chat,
    },
];

/// The time systems of KGS.
pub fn time_system(call: &Call) -> Result<TimeSystem, String> {
    let main = || standard::seconds(call, 1);
    let period = || standard::seconds(call, 2);
    let count = || call.args.parsed::<u32>(3);
    let check = |sound: bool, system: TimeSystem| {
        if sound { Ok(system) } else { Err(SYNTAX_ERROR.to_owned()) }
    };
    match call.args.word(0)? {
        "none" => Ok(TimeSystem::None),
        "absolute" => Ok(TimeSystem::Absolute { main: main()? }),
        "canadian" => {
            let (main, period, stones) = (main()?, period()?, count()?);
            check(stones > 0 && !period.is_zero(), TimeSystem::Canadian { main, period, stones })
        }
        "byoyomi" => {
            let (main, period, periods) = (main()?, period()?, count()?);
            check(periods > 0 && !period.is_zero(), TimeSystem::Byoyomi { main, period, periods })
        }
        _ => Err("unknown time system".to_owned()),
    }
}

fn chat(session: &mut Session, call: &mut Call) -> Reply {
    let mut words = call.args.words().skip(2);
    let asks = words.any(|word| {
        let word = word.to_ascii_lowercase();
        ["winrate", "score", "variation", "pv"].iter().any(|topic| word.contains(topic))
    });
    match (asks, session.explanation.as_str()) {
        (true, "") => Ok("I have not thought about a move yet.".to_owned()),
        (true, explanation) => Ok(explanation.to_owned()),
        (false, _) => Ok("I am tengen, a program. Ask me for my winrate.".to_owned()),
    }
}
