//! Serialization of maps as lists of pairs, sorted by key. JSON allows only strings as keys, and the order must be deterministic.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::hash::Hash;

/// Serializes a map.
pub(super) fn serialize<'m, M, K, V, S>(map: &'m M, serializer: S) -> Result<S::Ok, S::Error>
where
    &'m M: IntoIterator<Item = (&'m K, &'m V)>,
    K: Ord + Serialize + 'm,
    V: Serialize + 'm,
    S: Serializer,
{
    let mut pairs: Vec<(&K, &V)> = map.into_iter().collect();
    pairs.sort_by_key(|(key, _)| *key);
    pairs.serialize(serializer)
}

/// Deserializes a map.
pub(super) fn deserialize<'d, M, D>(deserializer: D) -> Result<M, D::Error>
where
    M: FromPairs,
    M::Key: DeserializeOwned,
    M::Item: DeserializeOwned,
    D: Deserializer<'d>,
{
    Ok(M::from_pairs(Vec::deserialize(deserializer)?))
}

/// A map that can be created from pairs.
pub(super) trait FromPairs {
    /// Type of the keys.
    type Key;
    /// Type of the values.
    type Item;
    /// Creates the map.
    fn from_pairs(pairs: Vec<(Self::Key, Self::Item)>) -> Self;
}

impl<K: Ord, V> FromPairs for BTreeMap<K, V> {
    type Key = K;
    type Item = V;
    fn from_pairs(pairs: Vec<(K, V)>) -> Self {
        pairs.into_iter().collect()
    }
}

/// A list sorted by key, for binary search.
impl<K: Ord, V> FromPairs for Vec<(K, V)> {
    type Key = K;
    type Item = V;
    fn from_pairs(mut pairs: Vec<(K, V)>) -> Self {
        pairs.sort_by(|(one, _), (other, _)| one.cmp(other));
        pairs
    }
}

impl<K: Hash + Eq, V> FromPairs for IndexMap<K, V, FxBuildHasher> {
    type Key = K;
    type Item = V;
    fn from_pairs(pairs: Vec<(K, V)>) -> Self {
        pairs.into_iter().collect()
    }
}

impl<K: Hash + Eq, V> FromPairs for FxHashMap<K, V> {
    type Key = K;
    type Item = V;
    fn from_pairs(pairs: Vec<(K, V)>) -> Self {
        pairs.into_iter().collect()
    }
}
