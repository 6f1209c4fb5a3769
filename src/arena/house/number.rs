//! Scores in files: JSON has no number for what is not finite, so that is written as text and read back the same.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serializer};

#[derive(Deserialize)]
#[serde(untagged)]
enum Either<'t> {
    Number(f64),
    Text(&'t str),
}

/// Writes a score.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer>(score: &f64, to: S) -> Result<S::Ok, S::Error> {
    let word = match *score {
        x if x.is_nan() => "NaN",
        f64::INFINITY => "Infinity",
        f64::NEG_INFINITY => "-Infinity",
        x => return to.serialize_f64(x),
    };
    to.serialize_str(word)
}

/// Reads a score.
///
/// # Errors
/// It is neither a number nor one of the three words.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    match Either::deserialize(from) {
        Ok(Either::Number(x)) => Ok(x),
        Ok(Either::Text("NaN")) => Ok(f64::NAN),
        Ok(Either::Text("Infinity")) => Ok(f64::INFINITY),
        Ok(Either::Text("-Infinity")) => Ok(f64::NEG_INFINITY),
        Ok(Either::Text(_)) | Err(_) => Err(D::Error::custom(
            "a score is a number, \"NaN\", \"Infinity\" or \"-Infinity\"",
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    #[derive(Debug, Serialize, Deserialize)]
    struct One(#[serde(with = "super")] f64);

    #[test]
    fn every_score_comes_back() {
        for (x, text) in [
            (0.1 + 0.2, "0.30000000000000004"),
            (f64::INFINITY, "\"Infinity\""),
            (f64::NEG_INFINITY, "\"-Infinity\""),
            (f64::NAN, "\"NaN\""),
        ] {
            let written = serde_json::to_string(&One(x)).unwrap();
            assert_eq!(written, text);
            let One(back) = serde_json::from_str(&written).unwrap();
            assert_eq!(back.to_bits(), x.to_bits());
        }
        for wrong in ["\"nan\"", "true", "null", "[1]"] {
            let error = serde_json::from_str::<One>(wrong).unwrap_err().to_string();
            assert!(error.starts_with("a score is a number"), "{error}");
        }
    }
}
