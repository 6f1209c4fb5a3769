//! What calls cost: a table of prices, the shipped one with the user's own over it.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;
use std::path::Path;

use serde::Deserialize;

use crate::agent::chat::Usage;
use crate::base::diag::Diagnostic;

/// The shipped table.
const SHIPPED: &str = include_str!("../../../assets/prices.toml");

/// An amount of money in billionths of a dollar: whole numbers add up to the same in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost(pub u64);

impl Cost {
    /// The amount in dollars.
    pub fn dollars(self) -> f64 {
        self.0 as f64 / 1e9
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0.saturating_add(other.0);
    }
}

impl fmt::Display for Cost {
    /// Dollars with four decimals, rounded up: what cost something never shows as nothing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.0.div_ceil(100_000);
        write!(f, "${}.{:04}", parts / 10_000, parts % 10_000)
    }
}

/// The price of a model in billionths of a dollar a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Price {
    input: u64,
    output: u64,
    cached: u64,
}

/// A table of prices by model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prices(BTreeMap<String, Price>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    model: Vec<Row>,
}

/// A row as it is written, in dollars a million tokens.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: toml::Spanned<String>,
    input: f64,
    output: f64,
    /// Tokens from the endpoint's cache; as `input` where it is not said.
    cached: Option<f64>,
    /// When the price was read, and where. For people.
    #[serde(rename = "date")]
    _date: Option<String>,
    #[serde(rename = "source")]
    _source: Option<String>,
}

impl Prices {
    /// The shipped prices, and the findings about them: none in a program that passed its tests.
    pub fn shipped() -> (Self, Option<Diagnostic>) {
        match Self::parse(SHIPPED) {
            Ok(prices) => (prices, None),
            Err(fault) => (Self::default(), Some(fault.in_file("assets/prices.toml"))),
        }
    }

    /// The shipped prices with those of the user's file over them, model by model.
    ///
    /// # Errors
    /// The file cannot be read, or what is wrong in it with its line.
    pub fn with_file(path: &Path) -> Result<Self, Diagnostic> {
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|err| {
            Diagnostic::error("", format!("the prices cannot be read: {err}")).in_file(&shown)
        })?;
        let own = Self::parse(&text).map_err(|fault| fault.in_file(&shown))?;
        let (mut prices, _) = Self::shipped();
        prices.0.extend(own.0);
        Ok(prices)
    }

    /// Reads a table.
    ///
    /// # Errors
    /// What is wrong in it with its line.
    pub fn parse(text: &str) -> Result<Self, Diagnostic> {
        let line = |at: usize| text.bytes().take(at).filter(|b| *b == b'\n').count() as u32 + 1;
        let table: Table = toml::from_str(text).map_err(|err| {
            let at = err.span().map_or(1, |span| line(span.start));
            let why = err.message().lines().next().unwrap_or_default();
            Diagnostic::error("model", why).at(at, None)
        })?;
        let mut prices = BTreeMap::new();
        for row in table.model {
            let at = line(row.name.span().start);
            let name = row.name.into_inner();
            #[expect(
                clippy::cast_sign_loss,
                reason = "checked to be in a range of positive numbers"
            )]
            let per_token = |field: &str, dollars: f64| {
                // A dollar a million tokens is a thousand billionths a token.
                let fits = (0.0..=1e6).contains(&dollars);
                fits.then(|| (dollars * 1000.0).round() as u64)
                    .ok_or_else(|| {
                        Diagnostic::error(field, format!("{name}: {dollars} is no price"))
                            .help("write dollars a million tokens")
                            .at(at, None)
                    })
            };
            let price = Price {
                input: per_token("input", row.input)?,
                output: per_token("output", row.output)?,
                cached: per_token("cached", row.cached.unwrap_or(row.input))?,
            };
            if prices.insert(name.clone(), price).is_some() {
                return Err(Diagnostic::error("name", format!("{name} has two prices"))
                    .help("leave one of them")
                    .at(at, None));
            }
        }
        Ok(Self(prices))
    }

    /// What the tokens cost; `None` where the model has no price here. A model dated in its name
    /// (`NAME-2026-01-31`, `NAME-20260131`) costs what the undated one does.
    pub fn cost(&self, model: &str, usage: Usage) -> Option<Cost> {
        let price = self.0.get(model).or_else(|| self.0.get(undated(model)?))?;
        let cached = usage.cached.min(usage.input);
        let parts = [
            (usage.input - cached, price.input),
            (cached, price.cached),
            (usage.output, price.output),
        ];
        let mut cost = Cost::default();
        for (tokens, each) in parts {
            cost += Cost(tokens.saturating_mul(each));
        }
        Some(cost)
    }
}

/// The name without the date at its end.
fn undated(model: &str) -> Option<&str> {
    ["-dddd-dd-dd", "-dddddddd"].into_iter().find_map(|shape| {
        let at = model.len().checked_sub(shape.len())?;
        let date = model.get(at..)?;
        let fits = date.chars().zip(shape.chars()).all(|(c, want)| match want {
            'd' => c.is_ascii_digit(),
            _ => c == want,
        });
        model.get(..at).filter(|_| fits)
    })
}

#[cfg(test)]
mod tests;
