//! Sums of independent subgames (Lew chapter 5): why a linear model fails, and thermographs that do not.
//!
//! [`game`] is the toy sum G + H + I with its 45 states and the optimal play; [`linear`] learns 11 weights by Monte Carlo
//! policy iteration (Algorithm 2) and TD(lambda) (Algorithm 3); [`thermograph`] computes thermographs exactly (5.1,
//! 5.2) and by triangles (5.7); [`cgtd`] learns triangles from playouts (Algorithms 4 to 6); [`strategy`] plays by them.

pub mod cgtd;
pub mod game;
pub mod linear;
pub mod strategy;
pub mod thermograph;
