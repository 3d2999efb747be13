//! Half precision numbers: stored, never computed with.

/// An IEEE half precision number, as 16 bits.
///
/// ```
/// use prowess_embed::F16;
///
/// assert_eq!(F16::from_f32(0.1).to_f32(), 0.099_975_586);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct F16(pub u16);

impl F16 {
    /// The same number; exact.
    pub fn to_f32(self) -> f32 {
        let sign = u32::from(self.0 & 0x8000) << 16;
        let exponent = u32::from(self.0 >> 10) & 0x1F;
        let fraction = u32::from(self.0 & 0x3FF);
        let magnitude = match exponent {
            // Zero and subnormal: a whole number of 2^-24.
            0 => return f32::from_bits(sign | (fraction as f32 * f32::from_bits(0x3380_0000)).to_bits()),
            0x1F => 0x7F80_0000 | (fraction << 13),
            _ => ((exponent + 112) << 23) | (fraction << 13),
        };
        f32::from_bits(sign | magnitude)
    }

    /// The nearest half, ties to even; what is too large becomes infinite.
    pub fn from_f32(number: f32) -> Self {
        let bits = number.to_bits();
        let sign = ((bits >> 16) & 0x8000) as u16;
        let magnitude = bits & 0x7FFF_FFFF;
        let half = match magnitude {
            0x7F80_0001.. => 0x7E00,
            // From halfway between the largest half and the next power of two.
            0x477F_F000.. => 0x7C00,
            // Normal: move the exponent, drop 13 bits of the fraction.
            0x3880_0000.. => round_shift(magnitude - (112 << 23), 13),
            // Subnormal: count in steps of 2^-24.
            0x3300_0000.. => round_shift((magnitude & 0x007F_FFFF) | 0x0080_0000, 126 - (magnitude >> 23)),
            _ => 0,
        };
        Self(sign | half)
    }
}

/// Shifts right and rounds to nearest, ties to even. The result fits 16 bits for every call above.
#[expect(clippy::cast_possible_truncation, reason = "callers pass what fits after the shift")]
fn round_shift(bits: u32, shift: u32) -> u16 {
    let kept = bits >> shift;
    let rest = bits & ((1 << shift) - 1);
    let half = 1 << (shift - 1);
    let up = rest > half || (rest == half && kept & 1 == 1);
    (kept + u32::from(up)) as u16
}

#[cfg(test)]
mod tests {
    use super::F16;

    #[test]
    fn every_half_survives_the_round_trip() {
        for bits in 0..=u16::MAX {
            let number = F16(bits).to_f32();
            if number.is_nan() {
                assert!(F16::from_f32(number).to_f32().is_nan());
            } else {
                assert_eq!(F16::from_f32(number).0, bits, "{number}");
            }
        }
    }

    #[test]
    fn known_values() {
        assert_eq!(F16(0x3C00).to_f32(), 1.0);
        assert_eq!(F16(0xC000).to_f32(), -2.0);
        assert_eq!(F16(0x7BFF).to_f32(), 65504.0);
        assert_eq!(F16(0x0001).to_f32(), 2.0_f32.powi(-24));
        assert_eq!(F16(0x7C00).to_f32(), f32::INFINITY);
        assert_eq!(F16::from_f32(65519.0).0, 0x7BFF);
        assert_eq!(F16::from_f32(65520.0).0, 0x7C00);
        assert_eq!(F16::from_f32(2.0_f32.powi(-25)).0, 0, "halfway goes to the even neighbour");
        assert_eq!(F16::from_f32(1.0 + 2.0_f32.powi(-11)).0, 0x3C00);
        assert_eq!(F16::from_f32(1.0 + 3.0 * 2.0_f32.powi(-11)).0, 0x3C02);
    }

    #[test]
    fn rounds_to_the_nearest() {
        let mut previous = F16(0).to_f32();
        for bits in 1..0x7C00 {
            let next = F16(bits).to_f32();
            let below = previous + (next - previous) * 0.25;
            let above = previous + (next - previous) * 0.75;
            assert_eq!(F16::from_f32(below).0, bits - 1);
            assert_eq!(F16::from_f32(above).0, bits);
            previous = next;
        }
    }
}
