//! From a [`Record`] to SGF text.
//!
//! sgf-parse prints the properties, so what it escapes is what it reads. Stones are the exception:
//! it keeps them in a hash set and would print them in another order every time.

use super::{Action, Record, Setup, Step};
use crate::types::{Color, Point};
use sgf_parse::go::{self, Prop};
use sgf_parse::{SimpleText, Text};
use std::fmt::Write;

/// Nodes per line of the file.
const NODES_PER_LINE: usize = 10;

impl Record {
    /// The record as an FF\[4\] file in UTF-8.
    pub fn to_sgf(&self) -> String {
        let mut out = String::from("(;");
        let mut put = |property: Prop| write!(out, "{property}").expect("strings take all text");
        put(Prop::GM(1));
        put(Prop::FF(4));
        put(Prop::CA("UTF-8".into()));
        put(Prop::AP(("tengen".into(), env!("CARGO_PKG_VERSION").into())));
        // Prop::SZ prints 19:19, which the format forbids for square boards.
        put(Prop::Unknown("SZ".to_owned(), vec![self.size.to_string()]));
        if let Some(komi) = self.komi {
            // By way of text, so that 6.3 does not become 6.300000190734863.
            put(Prop::KM(komi.to_string().parse().unwrap_or_default()));
        }
        if self.handicap > 0 {
            put(Prop::HA(self.handicap as i64));
        }
        let line = |make: fn(SimpleText) -> Prop, text: &Option<String>| {
            text.as_deref().map(|text| make(text.into()))
        };
        let info = [
            line(Prop::RU, &self.rules),
            line(Prop::GN, &self.game_name),
            line(Prop::EV, &self.event),
            line(Prop::RO, &self.round),
            line(Prop::PC, &self.place),
            line(Prop::DT, &self.date),
            line(Prop::PB, &self.black_name),
            line(Prop::BR, &self.black_rank),
            line(Prop::PW, &self.white_name),
            line(Prop::WR, &self.white_rank),
            line(Prop::RE, &self.result),
        ];
        info.into_iter().flatten().for_each(&mut put);
        stones(&self.setup, self.size).for_each(&mut put);
        self.first_player.map(player).into_iter().for_each(&mut put);
        comment(&self.comment).into_iter().for_each(&mut put);
        for (number, step) in self.steps.iter().enumerate() {
            out.push_str(if number % NODES_PER_LINE == 0 { "\n;" } else { ";" });
            let mut put =
                |property: Prop| write!(out, "{property}").expect("strings take all text");
            self.step(step).into_iter().for_each(&mut put);
        }
        out.push_str(")\n");
        out
    }

    fn step(&self, step: &Step) -> Vec<Prop> {
        let mut properties = match &step.action {
            Action::Play(play) => vec![match play.color {
                Color::Black => Prop::B(self.sgf_move(play.point)),
                Color::White => Prop::W(self.sgf_move(play.point)),
            }],
            Action::Setup { stones: changed, to_play } => {
                stones(changed, self.size).chain(to_play.map(player)).collect()
            }
        };
        properties.extend(comment(&step.comment));
        properties
    }

    fn sgf_move(&self, point: Point) -> go::Move {
        if point.is_pass() {
            return go::Move::Pass;
        }
        let (x, y) = (point.column() - 1, self.size - point.row());
        go::Move::Move(go::Point { x: x as u8, y: y as u8 })
    }
}

fn player(color: Color) -> Prop {
    Prop::PL(match color {
        Color::Black => sgf_parse::Color::Black,
        Color::White => sgf_parse::Color::White,
    })
}

fn comment(text: &str) -> Option<Prop> {
    (!text.is_empty()).then(|| Prop::C(Text { text: text.to_owned() }))
}

/// `AB`, `AW` and `AE`, each with its points in order.
fn stones(setup: &[Setup], size: usize) -> impl Iterator<Item = Prop> + '_ {
    [("AB", Some(Color::Black)), ("AW", Some(Color::White)), ("AE", None)].into_iter().filter_map(
        move |(name, stone)| {
            let named = setup.iter().filter(|setup| setup.stone == stone);
            let points: Vec<String> = named.map(|setup| setup.point.to_sgf(size)).collect();
            (!points.is_empty()).then(|| Prop::Unknown(name.to_owned(), points))
        },
    )
}
