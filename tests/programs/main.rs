//! Tests of the programs: GTP, analysis, matches, measures, as their users start them.

mod analysis;
mod arena_elo;
mod arena_faults;
mod arena_gnugo;
mod arena_match;
mod arena_regress;
mod arena_resume;
mod cluster;
mod command_line;
mod documents;
mod endings_gnugo;
mod endings_lists;
mod gtp_clock;
mod gtp_fuzz;
mod gtp_process;
mod gtp_transcripts;
mod harness;
mod helpers;
mod input;
mod label;
mod measure;
mod net_training;
mod play;
mod rank;
mod review;
#[cfg(feature = "study")]
mod study;
mod third_party;
mod web;
