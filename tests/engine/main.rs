//! Tests of the library: rules, boards, records, endings, models, training, and the shape of the source.

mod allocation;
mod board_stress;
mod clock;
mod cluster;
mod collection;
mod endings_play;
mod endings_suite;
mod fuzz;
mod pattern_format;
mod pattern_training;
mod perft;
mod rank;
mod rooms;
mod sgf;
mod sgf_many;
