//! Numbers as screens write them: without the zero before the point, with a true minus, whatever they are.

/// A number with so many digits after the point: `.654`, `−.034`, `1.000`; `NaN` and `inf` stay what they are.
pub fn figure(x: f64, digits: usize) -> String {
    if !x.is_finite() {
        let words = if x.is_nan() { "NaN" } else { "inf" };
        return if x < 0.0 {
            format!("−{words}")
        } else {
            words.to_owned()
        };
    }
    let text = format!("{:.digits$}", x.abs());
    let is_zero = text.chars().all(|c| matches!(c, '0' | '.'));
    let text = text
        .strip_prefix('0')
        .filter(|rest| rest.starts_with('.'))
        .map_or_else(|| text.clone(), str::to_owned);
    if x < 0.0 && !is_zero {
        format!("−{text}")
    } else {
        text
    }
}

/// The same with a plus where it is one.
pub fn signed(x: f64, digits: usize) -> String {
    let text = figure(x, digits);
    if x > 0.0 { format!("+{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short_and_true() {
        let all = [
            0.654,
            -0.0344,
            1.0,
            0.0,
            -0.0001,
            12.5,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ];
        let told: Vec<String> = all.iter().map(|x| figure(*x, 3)).collect();
        assert_eq!(
            told,
            [
                ".654", "−.034", "1.000", ".000", ".000", "12.500", "NaN", "inf", "−inf"
            ]
        );
        assert_eq!(
            [signed(0.01, 2), signed(-0.01, 2), signed(0.0, 2)],
            ["+.01", "−.01", ".00"]
        );
    }
}
