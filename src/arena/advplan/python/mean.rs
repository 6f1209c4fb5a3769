//! `statistics.mean`: the exact sum of all values, divided once and rounded once, to the nearest and to even.
//!
//! A [`Column`] holds values as whole multiples of a common power of two, so that resampling adds 128-bit numbers;
//! values too far apart for that are summed limb by limb over the whole range of a float.

use crate::arena::advplan::python::Num;

/// The exponent of the lowest bit a float can have.
const LOWEST: i32 = -1074;

/// A float as an odd or even whole number times a power of two.
fn parts(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as u16;
    let fraction = (bits & 0x000f_ffff_ffff_ffff).cast_signed();
    let (mantissa, exponent) = if exponent == 0 {
        (fraction, LOWEST)
    } else {
        (fraction | (1 << 52), i32::from(exponent) + LOWEST - 1)
    };
    (if x < 0.0 { -mantissa } else { mantissa }, exponent)
}

/// Two to a power from -1074 to 1023.
fn power(e: i32) -> f64 {
    if e >= -1022 {
        f64::from_bits(u64::from((e.min(1023) + 1023).unsigned_abs()) << 52)
    } else {
        f64::from_bits(1 << (e.max(LOWEST) - LOWEST))
    }
}

/// `q * 2^unit`, and a little more if `rest`, rounded to the nearest float. `q` has at least 56 bits or is exact.
fn round(q: u128, rest: bool, unit: i32) -> f64 {
    let bits = (u128::BITS - q.leading_zeros()).cast_signed();
    let drop = (bits - 53).max(LOWEST - unit).max(0);
    if drop >= 127 {
        return 0.0;
    }
    let mut kept = q >> drop;
    if drop > 0 {
        let below = q & ((1 << drop) - 1);
        let half = 1_u128 << (drop - 1);
        if below > half || (below == half && (rest || kept & 1 == 1)) {
            kept += 1;
        }
    }
    kept as f64 * power(unit + drop)
}

/// `sum * 2^unit / n`, rounded once.
fn divide(sum: i128, n: u64, unit: i32) -> f64 {
    if sum == 0 || n == 0 {
        return 0.0;
    }
    let size = sum.unsigned_abs();
    let bits = (u128::BITS - size.leading_zeros()).cast_signed();
    let shift = (56 + (u64::BITS - n.leading_zeros()).cast_signed() - bits).max(0);
    let wide = size << shift;
    let n = u128::from(n);
    let x = round(wide / n, !wide.is_multiple_of(n), unit - shift);
    if sum < 0 { -x } else { x }
}

/// Values whose means over many samples are wanted.
#[derive(Clone, Debug)]
pub struct Column {
    values: Vec<Num>,
    /// Whether all are whole.
    whole: bool,
    /// The values as multiples of `2^unit`, unless they are too far apart.
    scaled: Option<(Vec<i128>, i32)>,
}

impl Column {
    /// A column of numbers.
    pub fn new(values: Vec<Num>) -> Self {
        let whole = values.iter().all(|v| matches!(v, Num::Int(_)));
        let scaled = Self::scale(&values);
        Self {
            values,
            whole,
            scaled,
        }
    }

    /// A column of floats.
    pub fn floats(values: impl IntoIterator<Item = f64>) -> Self {
        Self::new(values.into_iter().map(Num::Float).collect())
    }

    fn scale(values: &[Num]) -> Option<(Vec<i128>, i32)> {
        let floats: Vec<f64> = values.iter().map(|v| v.get()).collect();
        if !floats.iter().all(|x| x.is_finite()) {
            return None;
        }
        let split: Vec<(i64, i32)> = floats.iter().map(|&x| parts(x)).collect();
        let nonzero = || split.iter().filter(|(m, _)| *m != 0);
        let unit = nonzero()
            .map(|(m, e)| e + m.trailing_zeros().cast_signed())
            .min();
        let top = nonzero().map(|(_, e)| e + 53).max();
        let (Some(unit), Some(top)) = (unit, top) else {
            return Some((vec![0; values.len()], 0));
        };
        // A sample is as long as the column: sums stay below 2^126.
        let room = usize::BITS - values.len().leading_zeros();
        if top - unit + room.cast_signed() > 126 {
            return None;
        }
        let scaled = split.iter().map(|&(m, e)| {
            if m == 0 {
                return 0;
            }
            let shift = e - unit;
            if shift >= 0 {
                i128::from(m) << shift
            } else {
                i128::from(m >> -shift)
            }
        });
        Some((scaled.collect(), unit))
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The mean of all values; of none, 0.
    pub fn mean(&self) -> Num {
        match &self.scaled {
            Some((scaled, unit)) => self.finish(scaled.iter().sum(), scaled.len(), *unit),
            None => self.far(self.values.iter().map(|v| v.get())),
        }
    }

    /// The mean of the values at these places, at most as many as there are values. Places beyond the end count as 0.
    pub fn mean_at(&self, places: &[u32]) -> Num {
        if let Some((scaled, unit)) = &self.scaled {
            let at = |&i: &u32| scaled.get(i as usize).copied().unwrap_or(0);
            self.finish(places.iter().map(at).sum(), places.len(), *unit)
        } else {
            let at = |&i: &u32| self.values.get(i as usize).map_or(0.0, |v| v.get());
            self.far(places.iter().map(at))
        }
    }

    /// Whether all values are the same.
    pub fn is_constant(&self) -> bool {
        let first = self.values.first();
        self.values.iter().all(|v| Some(v) == first)
    }

    /// The means of samples as long as the column, one after the other in these places.
    pub fn means_at(&self, places: &[u32]) -> Vec<Num> {
        let n = self.len().max(1);
        let samples = places.chunks_exact(n);
        // Sums that fit in 64 bits are added as such.
        let room = usize::BITS - n.leading_zeros();
        let narrow = self.scaled.as_ref().and_then(|(scaled, unit)| {
            let values = scaled.iter().map(|v| i64::try_from(*v).ok());
            let values: Option<Vec<i64>> = values.collect();
            let values = values?;
            let most = values.iter().map(|v| v.unsigned_abs()).max()?;
            let bits = u64::BITS - most.leading_zeros();
            (bits + room < u64::BITS).then_some((values, *unit))
        });
        let Some((values, unit)) = narrow else {
            return samples.map(|at| self.mean_at(at)).collect();
        };
        let at = |&i: &u32| values.get(i as usize).copied().unwrap_or(0);
        samples
            .map(|sample| {
                let sum: i64 = sample.iter().map(at).sum();
                self.finish(i128::from(sum), n, unit)
            })
            .collect()
    }

    fn finish(&self, sum: i128, n: usize, unit: i32) -> Num {
        self.told(divide(sum, n as u64, unit))
    }

    fn far(&self, values: impl Iterator<Item = f64>) -> Num {
        self.told(exact(values))
    }

    /// A whole mean of whole numbers stays whole.
    fn told(&self, x: f64) -> Num {
        if self.whole && x.fract() == 0.0 {
            Num::Int(x as i64)
        } else {
            Num::Float(x)
        }
    }
}

/// The mean of floats.
pub fn mean(values: &[f64]) -> f64 {
    Column::floats(values.iter().copied()).mean().get()
}

/// The mean of numbers of either kind.
pub fn mean_of(values: impl IntoIterator<Item = Num>) -> Num {
    Column::new(values.into_iter().collect()).mean()
}

/// Limbs of 32 bits over the whole range of a float, with room for carries.
const LIMBS: usize = TOP.unsigned_abs() as usize;

/// Their number, as an exponent in units of 32.
const TOP: i32 = 70;

/// The mean of any floats, limb by limb.
fn exact(values: impl Iterator<Item = f64>) -> f64 {
    let mut limbs = [0_i64; LIMBS];
    let (mut n, mut plain, mut finite) = (0_u64, 0.0, true);
    for x in values {
        n += 1;
        plain += x;
        finite &= x.is_finite();
        if !x.is_finite() {
            continue;
        }
        let (mantissa, exponent) = parts(x);
        let place = (exponent - LOWEST).unsigned_abs() as usize;
        let mut wide = u128::from(mantissa.unsigned_abs()) << (place % 32);
        for limb in limbs.iter_mut().skip(place / 32).take(3) {
            let digit = (wide & 0xffff_ffff) as i64;
            *limb += if mantissa < 0 { -digit } else { digit };
            wide >>= 32;
        }
        if n.is_multiple_of(1 << 24) {
            carry(&mut limbs);
        }
    }
    if n == 0 || !finite {
        return if n == 0 { 0.0 } else { plain / n as f64 };
    }
    carry(&mut limbs);
    let negative = limbs[LIMBS - 1] < 0;
    if negative {
        for limb in &mut limbs {
            *limb = -*limb;
        }
        carry(&mut limbs);
    }
    // Long division from the top; the first limbs of the quotient decide, the rest only whether it was exact.
    let (mut remainder, mut q, mut taken, mut rest) = (0_u128, 0_u128, 0, false);
    let mut unit = LOWEST;
    // Three limbs more below the lowest bit of a float, for what is left over there.
    let below = std::iter::repeat_n(0, 3);
    let downwards = limbs.iter().rev().copied().chain(below);
    for (i, limb) in (-3..TOP).rev().zip(downwards) {
        let wide = (remainder << 32) | u128::from(limb.unsigned_abs());
        let digit = wide / u128::from(n);
        remainder = wide % u128::from(n);
        if taken < 3 && (digit > 0 || taken > 0) {
            q = (q << 32) | digit;
            unit = LOWEST + 32 * i;
            taken += 1;
        } else {
            rest |= digit != 0;
        }
    }
    rest |= remainder != 0;
    let x = round(q, rest, unit);
    if negative { -x } else { x }
}

/// Brings every limb but the highest into 0 to 2^32.
fn carry(limbs: &mut [i64; LIMBS]) {
    let mut over = 0_i64;
    for (i, limb) in limbs.iter_mut().enumerate() {
        *limb += over;
        if i + 1 < LIMBS {
            over = *limb >> 32;
            *limb &= 0xffff_ffff;
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::float_cmp,
        reason = "equal to the last bit is what is promised"
    )]

    use super::*;
    use crate::arena::advplan::python::Random;

    #[test]
    fn means_are_exact_and_rounded_once() {
        assert_eq!(mean(&[0.1; 10]), 0.1);
        assert_eq!(mean(&[1e16, 1.0, -1e16]), 1.0 / 3.0);
        assert_eq!(mean(&[1e300, 1.0, -1e300]), 1.0 / 3.0);
        assert_eq!(mean(&[-0.1, -0.2, -0.4]), -0.233_333_333_333_333_34);
        assert_eq!(mean(&[5e-324, 5e-324, 0.0]), 5e-324);
        assert_eq!(mean(&[5e-324, 0.0]), 0.0);
        assert_eq!(mean(&[1.7e308, 1.7e308]), 1.7e308);
        assert_eq!(mean(&[]), 0.0);
        assert!(mean(&[f64::NAN, 1.0]).is_nan());
        assert_eq!(mean(&[f64::INFINITY, 1.0]), f64::INFINITY);
    }

    #[test]
    fn whole_means_of_whole_numbers_stay_whole() {
        let ints = |list: &[i64]| mean_of(list.iter().map(|&n| Num::Int(n)));
        assert_eq!(ints(&[1, 1, 1]), Num::Int(1));
        assert_eq!(ints(&[1, 2]), Num::Float(1.5));
        assert_eq!(mean_of([Num::Int(1), Num::Float(1.0)]), Num::Float(1.0));
    }

    #[test]
    fn both_ways_to_sum_agree() {
        let mut g = Random::new(3);
        for _ in 0..300 {
            let values: Vec<f64> = (0..7)
                .map(|_| g.uniform(-1.0, 1.0) * power(g.below(40).cast_signed() - 20))
                .collect();
            let column = Column::floats(values.iter().copied());
            assert!(column.scaled.is_some());
            assert_eq!(
                column.mean().get(),
                exact(values.iter().copied()),
                "{values:?}"
            );
            let places = [0, 3, 3, 6, 1];
            let picked = places.iter().map(|&i| values[i as usize]);
            assert_eq!(column.mean_at(&places).get(), exact(picked));
        }
    }
}
