//! What a GTP program can do wrong. In a match it loses the game by it, in a measurement the position.

use thiserror::Error;

/// The kinds of faults, each counted apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// A move that the rules forbid.
    IllegalMove,
    /// The program ended.
    Crash,
    /// The program did not answer.
    Hang,
    /// The flag fell.
    Time,
    /// An answer that is no move, or a legal move refused.
    Protocol,
}

impl FaultKind {
    /// All kinds, in the order in which they are reported.
    pub const ALL: [FaultKind; 5] = [
        FaultKind::IllegalMove,
        FaultKind::Crash,
        FaultKind::Hang,
        FaultKind::Time,
        FaultKind::Protocol,
    ];

    /// The name in reports and tables.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::IllegalMove => "illegal move",
            FaultKind::Crash => "crash",
            FaultKind::Hang => "hang",
            FaultKind::Time => "time",
            FaultKind::Protocol => "protocol",
        }
    }
}

/// A fault of one program.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}: {text}", kind.name())]
pub struct Fault {
    /// What kind.
    pub kind: FaultKind,
    /// What happened.
    pub text: String,
}

impl Fault {
    /// A fault from its parts.
    pub fn new(kind: FaultKind, text: impl Into<String>) -> Fault {
        Fault { kind, text: text.into() }
    }

    /// Reads what `to_string` wrote.
    pub fn parse(text: &str) -> Option<Fault> {
        let (name, rest) = text.split_once(':')?;
        let kind = FaultKind::ALL.into_iter().find(|kind| kind.name() == name.trim())?;
        Some(Fault::new(kind, rest.trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_read_and_written() {
        for kind in FaultKind::ALL {
            let fault = Fault::new(kind, "what: happened");
            assert_eq!(Fault::parse(&fault.to_string()), Some(fault));
        }
        assert_eq!(Fault::parse("move limit"), None);
    }
}
