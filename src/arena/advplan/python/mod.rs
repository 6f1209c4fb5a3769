//! The numbers of `CPython` 3.12 on which the last digits depend (§1): its generator, its compensated `sum`, the exact
//! `statistics.mean`, and how it writes numbers.

mod mean;
mod random;

pub use mean::{Column, mean, mean_of};
pub use random::{Call, Dice, Draw, Random};

/// A number as Python holds it: a whole one stays whole and is written without a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Num {
    /// An `int` (or a `bool`, counted as 0 or 1).
    Int(i64),
    /// A `float`.
    Float(f64),
}

impl Num {
    /// The value.
    pub const fn get(self) -> f64 {
        match self {
            Self::Int(n) => n as f64,
            Self::Float(x) => x,
        }
    }

    /// How Python writes it.
    pub fn repr(self) -> String {
        match self {
            Self::Int(n) => n.to_string(),
            Self::Float(x) => repr(x),
        }
    }
}

/// How Python writes a float: the shortest digits that read back the same, with an exponent below 1e-4 and from 1e16.
pub fn repr(x: f64) -> String {
    if !x.is_finite() {
        let word = if x.is_nan() { "nan" } else { "inf" };
        return format!("{}{word}", if x < 0.0 { "-" } else { "" });
    }
    let text = format!("{x:e}");
    let Some((mantissa, exponent)) = text.split_once('e') else {
        return text;
    };
    match exponent.parse::<i32>() {
        Ok(e) if !(-4..16).contains(&e) => {
            let sign = if e < 0 { '-' } else { '+' };
            format!("{mantissa}e{sign}{:02}", e.abs())
        }
        _ => format!("{x:?}"),
    }
}

/// The built-in `sum` of floats: Neumaier's compensation, as from 3.12 on.
pub fn csum(values: impl IntoIterator<Item = f64>) -> f64 {
    sum(values.into_iter().map(Num::Float))
}

/// The built-in `sum`: whole numbers exactly until the first float; those met later are added uncompensated.
pub fn sum(values: impl IntoIterator<Item = Num>) -> f64 {
    let mut values = values.into_iter();
    let mut whole = 0_i64;
    let mut hi = loop {
        match values.next() {
            None => return whole as f64,
            Some(Num::Int(n)) => whole += n,
            Some(Num::Float(x)) => break whole as f64 + x,
        }
    };
    let mut lo = 0.0_f64;
    for value in values {
        match value {
            Num::Int(n) => hi += n as f64,
            Num::Float(x) => {
                let t = hi + x;
                lo += if hi.abs() >= x.abs() {
                    (hi - t) + x
                } else {
                    (x - t) + hi
                };
                hi = t;
            }
        }
    }
    if lo != 0.0 && lo.is_finite() {
        hi + lo
    } else {
        hi
    }
}

/// The place of the first greatest value, as `max` with a key finds it. `None` for nothing.
pub fn first_max(values: impl IntoIterator<Item = f64>) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (i, value) in values.into_iter().enumerate() {
        if best.is_none_or(|(_, b)| value > b) {
            best = Some((i, value));
        }
    }
    best.map(|(i, _)| i)
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::float_cmp,
        reason = "equal to the last bit is what is promised"
    )]

    use super::*;

    #[test]
    fn floats_are_written_as_python_writes_them() {
        for (x, text) in [
            (1.0, "1.0"),
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (0.590_000_000_000_000_1, "0.5900000000000001"),
            (0.0001, "0.0001"),
            (0.000_012_3, "1.23e-05"),
            (8.965_138_727_545_785e-5, "8.965138727545785e-05"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.5e-300, "1.5e-300"),
            (123_456_789_012_345_680.0, "1.2345678901234568e+17"),
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(repr(x), text);
        }
        assert_eq!(Num::Int(1).repr(), "1");
    }

    #[test]
    fn sums_are_compensated() {
        assert_eq!(csum([0.1; 10]), 1.0);
        assert_eq!(csum([1.0, 1e100, 1.0, -1e100]), 2.0);
        assert_eq!(csum([]), 0.0);
        let mixed = [Num::Int(2), Num::Float(0.1), Num::Int(1), Num::Float(0.2)];
        assert_eq!(sum(mixed), 3.300_000_000_000_000_3);
        assert_eq!(csum([f64::INFINITY, 1.0]), f64::INFINITY);
    }

    #[test]
    fn the_first_greatest_wins() {
        assert_eq!(first_max([0.1, 0.3, 0.3, 0.2]), Some(1));
        assert_eq!(first_max([]), None);
    }
}
