//! Exponentials that give the same bits on every machine.
//!
//! The functions of the standard library call the system's mathematical library, and two systems
//! round differently. What the network says becomes part of a search whose signature must not
//! depend on the machine, so these are made of additions and multiplications alone, whose results
//! are defined to the last bit.

/// 1 / n! for the series of the exponential.
const TERMS: [f64; 11] = {
    let mut terms = [1.0; 11];
    let mut n = 1;
    while n < terms.len() {
        terms[n] = terms[n - 1] / n as f64;
        n += 1;
    }
    terms
};

/// e to the power x, right to about seven digits; x is limited to -80..=80.
pub fn exp(x: f32) -> f32 {
    let x = f64::from(x.clamp(-80.0, 80.0));
    let power = (x * std::f64::consts::LOG2_E).round_ties_even();
    let rest = x - power * std::f64::consts::LN_2;
    let series = TERMS.iter().rev().fold(0.0, |sum, term| sum * rest + term);
    // The power is within -116..=116, so this is the bit pattern of a normal number.
    let scale = f64::from_bits(((1023 + power as i64) as u64) << 52);
    (series * scale) as f32
}

/// The natural logarithm of a positive number, right to about six digits.
pub fn ln(x: f32) -> f32 {
    let bits = f64::from(x.max(f32::MIN_POSITIVE)).to_bits();
    let mut power = (bits >> 52) as i64 - 1023;
    let mut rest = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    if rest > std::f64::consts::SQRT_2 {
        (rest, power) = (rest / 2.0, power + 1);
    }
    // ln r = 2 artanh(z) with z = (r - 1) / (r + 1), which is below 0.172.
    let z = (rest - 1.0) / (rest + 1.0);
    let square = z * z;
    let series = [9.0, 7.0, 5.0, 3.0, 1.0].iter().fold(0.0, |sum, n| sum * square + 1.0 / n);
    (power as f64 * std::f64::consts::LN_2 + 2.0 * z * series) as f32
}

/// The hyperbolic tangent.
pub fn tanh(x: f32) -> f32 {
    let e = exp(2.0 * x);
    (e - 1.0) / (e + 1.0)
}

/// The logistic function: a number as a probability.
pub fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_agree_with_the_system_s() {
        for n in -8000..=8000 {
            let x = n as f32 * 0.01;
            let (own, system) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((own / system - 1.0).abs() < 1e-7, "{x}: {own} {system}");
            assert!((tanh(x) - x.tanh()).abs() < 3e-7, "{x}");
            assert!((logistic(x) - 1.0 / (1.0 + (-x).exp())).abs() < 3e-7, "{x}");
        }
        assert_eq!((tanh(0.0), logistic(0.0), exp(0.0)), (0.0, 0.5, 1.0));
        assert_eq!((tanh(1e9), tanh(-1e9), logistic(1e9)), (1.0, -1.0, 1.0));
    }
}
