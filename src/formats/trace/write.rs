//! Writing JSON for others: objects and lists as text, field by field, in the order they are given.

use std::fmt::Write as _;

use crate::formats::json;

/// A JSON object being written.
#[derive(Debug)]
pub(super) struct Object(String);

/// A JSON list being written.
#[derive(Debug)]
pub(super) struct List(String);

impl Object {
    pub(super) fn new() -> Self {
        Self("{".to_owned())
    }

    /// A field whose value is JSON already.
    pub(super) fn raw(&mut self, name: &str, json: &str) -> &mut Self {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(&json::string(name));
        self.0.push(':');
        self.0.push_str(json);
        self
    }

    /// A text.
    pub(super) fn text(&mut self, name: &str, text: &str) -> &mut Self {
        self.raw(name, &json::string(text))
    }

    /// A text, left out where it is empty.
    pub(super) fn filled(&mut self, name: &str, text: &str) -> &mut Self {
        if !text.is_empty() {
            self.text(name, text);
        }
        self
    }

    /// A number, left out where it is unknown.
    pub(super) fn count(&mut self, name: &str, n: Option<u64>) -> &mut Self {
        if let Some(n) = n {
            self.raw(name, &n.to_string());
        }
        self
    }

    /// A number, left out where it is unknown.
    pub(super) fn float(&mut self, name: &str, n: Option<f64>) -> &mut Self {
        if let Some(n) = n {
            self.raw(name, &number(n));
        }
        self
    }

    /// Whether it has no field.
    pub(super) fn is_empty(&self) -> bool {
        self.0.len() == 1
    }

    pub(super) fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

impl List {
    pub(super) fn new() -> Self {
        Self("[".to_owned())
    }

    /// An item that is JSON already.
    pub(super) fn raw(&mut self, json: &str) -> &mut Self {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(json);
        self
    }

    /// A list of texts.
    pub(super) fn texts<T: AsRef<str>>(texts: &[T]) -> String {
        let mut list = Self::new();
        for text in texts {
            list.raw(&json::string(text.as_ref()));
        }
        list.end()
    }

    /// Whether it has no item.
    pub(super) fn is_empty(&self) -> bool {
        self.0.len() == 1
    }

    pub(super) fn end(mut self) -> String {
        self.0.push(']');
        self.0
    }
}

/// A number as JSON; what is none is `null`.
pub(super) fn number(n: f64) -> String {
    if !n.is_finite() {
        return "null".to_owned();
    }
    serde_json::Number::from_f64(n).map_or_else(|| "null".to_owned(), |n| n.to_string())
}

/// JSON over several lines, for people.
pub(super) fn pretty(json: &str) -> Vec<u8> {
    let mut out = json::indented(json, 0);
    out.push('\n');
    out.into_bytes()
}

/// The seconds since 1970 of an RFC 3339 time, and their billionths; `None` for anything else.
pub(super) fn nanos(time: &str) -> Option<i128> {
    let (date, rest) = time.split_once(['T', 't', ' '])?;
    let mut date = date.splitn(3, '-');
    let whole = |text: Option<&str>| -> Option<i64> {
        let text = text?;
        let digits =
            !text.is_empty() && text.len() <= 4 && text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| text.parse().ok()).flatten()
    };
    let (year, month, day) = (
        whole(date.next())?,
        whole(date.next())?,
        whole(date.next())?,
    );
    let at = rest.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = rest.split_at_checked(at)?;
    let mut clock = clock.splitn(3, ':');
    let (hour, minute) = (whole(clock.next())?, whole(clock.next())?);
    let second = clock.next()?;
    let (second, part) = second.split_once('.').unwrap_or((second, "0"));
    let second = whole(Some(second))?;
    if part.is_empty() || part.len() > 9 || !part.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let part: i128 = format!("{part:0<9}").parse().ok()?;
    let fits = (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60;
    let offset = match zone {
        "Z" | "z" => 0,
        _ => {
            let sign = if zone.starts_with('-') { -1 } else { 1 };
            let (h, m) = zone.get(1..)?.split_once(':')?;
            sign * (whole(Some(h))? * 3600 + whole(Some(m))? * 60)
        }
    };
    fits.then(|| {
        let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
        i128::from(seconds) * 1_000_000_000 + part
    })
}

/// The RFC 3339 time, in UTC, so many billionths of a second after 1970; `None` outside the years 0 to 9999.
pub(super) fn rfc3339(nanos: i128) -> Option<String> {
    let seconds = i64::try_from(nanos.div_euclid(1_000_000_000)).ok()?;
    let part = nanos.rem_euclid(1_000_000_000);
    let (day, clock) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, date) = civil(day)?;
    if !(0..=9999).contains(&year) {
        return None;
    }
    let mut out = format!(
        "{year:04}-{month:02}-{date:02}T{:02}:{:02}:{:02}",
        clock / 3600,
        clock / 60 % 60,
        clock % 60
    );
    if part > 0 {
        let _ = write!(out, ".{}", format!("{part:09}").trim_end_matches('0'));
    }
    out.push('Z');
    Some(out)
}

/// Days from 1970-01-01 to a day of the Gregorian calendar. Years are counted from March, so that the leap day is the
/// last of its year.
const fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The day of the Gregorian calendar so many days after 1970-01-01.
fn civil(day: i64) -> Option<(i64, i64, i64)> {
    let day = day.checked_add(719_468)?;
    let (era, of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    Some((year, month, date))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_go_there_and_back() {
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T12:34:56Z", 951_827_696),
            ("2026-12-01T00:33:38.150604Z", 1_796_085_218),
            ("1969-12-31T23:59:59Z", -1),
        ] {
            let found = nanos(text).unwrap();
            assert_eq!(found.div_euclid(1_000_000_000), seconds, "{text}");
            assert_eq!(rfc3339(found).unwrap(), text);
        }
        assert_eq!(
            nanos("2026-12-01T02:00:00+02:00"),
            nanos("2026-12-01T00:00:00Z")
        );
        for wrong in [
            "",
            "now",
            "2026-13-01T00:00:00Z",
            "2026-12-01",
            "2026-12-01T00:00:00",
            "2026-12-01T00:00:0é",
        ] {
            assert_eq!(nanos(wrong), None, "{wrong}");
        }
    }
}
