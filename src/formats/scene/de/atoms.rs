//! The small parts of a graph: field names, words of the dialect, numbers, texts, boxes.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::Cx;
use crate::base::diag::Diagnostic;
use crate::formats::json;
use crate::plan::names::nearest;
use crate::sim::scene::Vec3;
use crate::sim::vocab::{Dialect, Prop, Rel, State};

/// Reads one of some known field names, or another.
pub(super) struct Key<'k>(pub(super) &'k [&'static str]);

pub(super) enum Field {
    Known(usize),
    Other(String),
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Field;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<Field, D::Error> {
        de.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Field;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field name")
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Field, E> {
        Ok(self
            .0
            .iter()
            .position(|name| *name == text)
            .map_or_else(|| Field::Other(text.to_owned()), Field::Known))
    }
}

/// Puts a value in its slot; a second one is an error.
pub(super) fn once<T, E: Error>(
    slot: &mut Option<T>,
    value: T,
    name: &'static str,
) -> Result<(), E> {
    if slot.replace(value).is_some() {
        return Err(E::duplicate_field(name));
    }
    Ok(())
}

pub(super) fn keep<'de, A: MapAccess<'de>>(
    map: &mut A,
    name: String,
) -> Result<(String, String), A::Error> {
    let raw: &RawValue = map.next_value()?;
    Ok((name, json::one_line(raw.get())))
}

/// A kind of word of a dialect.
pub(super) trait Kind {
    const ONE: &'static str;
    const MANY: &'static str;
    fn names(dialect: &Dialect) -> &'static [&'static str];
}

impl Kind for State {
    const ONE: &'static str = "state";
    const MANY: &'static str = "a list of states";
    fn names(dialect: &Dialect) -> &'static [&'static str] {
        dialect.published()
    }
}

impl Kind for Prop {
    const ONE: &'static str = "property";
    const MANY: &'static str = "a list of properties";
    fn names(dialect: &Dialect) -> &'static [&'static str] {
        dialect.properties
    }
}

impl Kind for Rel {
    const ONE: &'static str = "relation";
    const MANY: &'static str = "a list of relations";
    fn names(dialect: &Dialect) -> &'static [&'static str] {
        dialect.relations
    }
}

/// One word of a kind, as its bit.
pub(super) struct Word<'c, K>(&'c Cx, PhantomData<K>);

impl<'c, K> Word<'c, K> {
    pub(super) const fn new(cx: &'c Cx) -> Self {
        Self(cx, PhantomData)
    }
}

impl<'de, K: Kind> DeserializeSeed<'de> for Word<'_, K> {
    type Value = u8;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<u8, D::Error> {
        de.deserialize_str(self)
    }
}

impl<K: Kind> Visitor<'_> for Word<'_, K> {
    type Value = u8;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a {} in quotes", K::ONE)
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<u8, E> {
        let names = K::names(self.0.dialect);
        let at = |word: &str| names.iter().position(|n| *n == word);
        // The published loader upper-cases first.
        at(text)
            .or_else(|| at(&text.to_uppercase()))
            .map(|i| i as u8)
            .ok_or_else(|| unknown(K::ONE, text, names))
    }
}

fn unknown<E: Error>(what: &str, text: &str, names: &[&str]) -> E {
    let short: String = text.chars().take(64).collect();
    let cure = nearest(&short.to_uppercase(), names.iter().copied()).map_or_else(
        || format!("known are {}", names.join(", ")),
        |n| format!("did you mean {n}?"),
    );
    json::wrong(format!("unknown {what} {}", json::quote(text)), &cure)
}

/// A list of words of a kind, as bits.
pub(super) struct Words<'c, K>(&'c Cx, PhantomData<K>);

impl<'c, K> Words<'c, K> {
    pub(super) const fn new(cx: &'c Cx) -> Self {
        Self(cx, PhantomData)
    }
}

impl<'de, K: Kind> DeserializeSeed<'de> for Words<'_, K> {
    type Value = u32;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<u32, D::Error> {
        de.deserialize_seq(self)
    }
}

impl<'de, K: Kind> Visitor<'de> for Words<'_, K> {
    type Value = u32;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(K::MANY)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<u32, A::Error> {
        let mut bits = 0;
        while let Some(bit) = seq.next_element_seed(Word::<K>::new(self.0))? {
            bits |= 1 << bit;
        }
        Ok(bits)
    }
}

/// A whole number.
pub(super) struct Whole;

impl<'de> DeserializeSeed<'de> for Whole {
    type Value = i64;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<i64, D::Error> {
        de.deserialize_i64(self)
    }
}

impl Visitor<'_> for Whole {
    type Value = i64;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<i64, E> {
        Ok(value)
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<i64, E> {
        i64::try_from(value)
            .map_err(|_| json::wrong(format!("{value} is too large"), "use a smaller id"))
    }
}

/// A shared text.
pub(super) struct Text<'c>(pub(super) &'c Cx);

impl<'de> DeserializeSeed<'de> for Text<'_> {
    type Value = Arc<str>;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<Arc<str>, D::Error> {
        de.deserialize_str(self)
    }
}

impl Visitor<'_> for Text<'_> {
    type Value = Arc<str>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text in quotes")
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Arc<str>, E> {
        Ok(self.0.intern(text))
    }
}

/// A list of texts.
pub(super) struct Texts<'c>(pub(super) &'c Cx);

impl<'de> DeserializeSeed<'de> for Texts<'_> {
    type Value = Vec<Arc<str>>;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<Self::Value, D::Error> {
        de.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Texts<'_> {
    type Value = Vec<Arc<str>>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of texts")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(text) = seq.next_element_seed(Text(self.0))? {
            all.push(text);
        }
        Ok(all)
    }
}

/// Something, or null.
pub(super) struct Maybe<S>(pub(super) S);

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Maybe<S> {
    type Value = Option<S::Value>;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<Self::Value, D::Error> {
        de.deserialize_option(self)
    }
}

impl<'de, S: DeserializeSeed<'de>> Visitor<'de> for Maybe<S> {
    type Value = Option<S::Value>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or null")
    }
    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_some<D: Deserializer<'de>>(self, de: D) -> Result<Self::Value, D::Error> {
        self.0.deserialize(de).map(Some)
    }
}

/// Centre and size.
pub(super) struct Bounds<'c>(pub(super) &'c Cx);

impl<'de> DeserializeSeed<'de> for Bounds<'_> {
    type Value = (Vec3, Vec3);
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<Self::Value, D::Error> {
        de.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Bounds<'_> {
    type Value = (Vec3, Vec3);
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a box: an object with center and size, three numbers each")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut center, mut size) = (None, None);
        while let Some(field) = map.next_key_seed(Key(&["center", "size"]))? {
            match field {
                Field::Known(0) => once(&mut center, map.next_value()?, "center")?,
                Field::Known(_) => once(&mut size, map.next_value()?, "size")?,
                Field::Other(name) => {
                    map.next_value::<IgnoredAny>()?;
                    self.0.notes.borrow_mut().push(Diagnostic::warning(
                        "nodes",
                        format!(
                            "the field {} of a bounding_box is not kept",
                            json::quote(&name)
                        ),
                    ));
                }
            }
        }
        Ok((
            center.ok_or_else(|| Error::missing_field("center"))?,
            size.ok_or_else(|| Error::missing_field("size"))?,
        ))
    }
}
