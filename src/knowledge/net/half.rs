//! Numbers of 16 bits (IEEE 754 binary16), in which files keep parameters.

/// The nearest one, the even one of two that are as near; what is too large becomes infinite.
pub fn to_half(value: f32) -> u16 {
    let sign = (value.to_bits() >> 16) as u16 & 0x8000;
    let size = value.abs();
    let magnitude = if size < 6.103_515_6e-5 {
        (size * 16_777_216.0).round_ties_even() as u16 // parts of 2^-24
    } else if size < 65_520.0 {
        let bits = size.to_bits();
        let rounded = bits + 0xFFF + (bits >> 13 & 1);
        ((rounded - (112 << 23)) >> 13) as u16
    } else {
        0x7C00
    };
    sign | magnitude
}

/// Its value; what is no number in 16 bits becomes infinite.
pub fn from_half(half: u16) -> f32 {
    let (exponent, fraction) = (u32::from(half >> 10 & 0x1F), u32::from(half & 0x3FF));
    let size = match exponent {
        0 => fraction as f32 / 16_777_216.0,
        31 => f32::INFINITY,
        _ => f32::from_bits((exponent + 112) << 23 | fraction << 13),
    };
    if half & 0x8000 == 0 { size } else { -size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_finite_one_survives() {
        for half in (0..=u16::MAX).filter(|half| half >> 10 & 0x1F != 31) {
            assert_eq!(to_half(from_half(half)), half);
        }
    }

    #[test]
    fn numbers_go_to_the_nearest() {
        for (value, half) in [
            (1.0, 0x3C00),
            (-2.0, 0xC000),
            (65504.0, 0x7BFF),
            (65520.0, 0x7C00),
            (f32::NAN, 0x7C00),
            (1.0 + 1.0 / 2048.0, 0x3C00), // half way: to the even one
            (1.0 + 3.0 / 2048.0, 0x3C02),
            (6.0e-8, 0x0001),
            (1.0e-8, 0x0000),
        ] {
            assert_eq!(to_half(value) & 0x7FFF, half & 0x7FFF, "{value}");
        }
        assert!(from_half(0x7C01).is_infinite() && from_half(0xFC00) < 0.0);
    }
}
