//! Search for invisible characters in JSON, without building a document.

use crate::diagnostic::find_invisible;
use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Returns the first invisible character in the strings and keys of a JSON document. Stops at the first syntax error.
pub(super) fn unseen_in_json_text(text: &str) -> Option<char> {
    let mut found = None;
    // Syntax errors are reported by the parser later.
    let _ = StringScan(&mut found).deserialize(&mut serde_json::Deserializer::from_str(text));
    found
}

/// Visitor that examines all strings, and stops with an error at the first invisible character.
struct StringScan<'a>(&'a mut Option<char>);

impl StringScan<'_> {
    fn check<E: Error>(&mut self, text: &str) -> Result<(), E> {
        *self.0 = find_invisible(text).map(|(_, character)| character);
        if self.0.is_some() { Err(E::custom("an unseen character")) } else { Ok(()) }
    }
}

impl<'de> DeserializeSeed<'de> for StringScan<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for StringScan<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i128<E>(self, _: i128) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u128<E>(self, _: u128) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(mut self, text: &str) -> Result<(), E> {
        self.check(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<(), A::Error> {
        while all.next_element_seed(StringScan(&mut *self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut parts: A) -> Result<(), A::Error> {
        while parts.next_key_seed(StringScan(&mut *self.0))?.is_some() {
            parts.next_value_seed(StringScan(&mut *self.0))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::unseen_in_json_text;

    #[test]
    fn finds_unseen_characters_in_keys_and_strings() {
        for text in [r#"{"a":[1,-2,1.5,true,null,"b\u202e"]}"#, r#"{"a\u0007":1}"#, r#"["\u200b""#] {
            assert!(unseen_in_json_text(text).is_some(), "{text}");
        }
        for text in [r#"{"a":[1,-2,1e400,"b"]}"#, "", "no JSON", "170141183460469231731687303715884105727"] {
            assert_eq!(unseen_in_json_text(text), None, "{text}");
        }
    }
}
