//! Maps as lists of pairs in order of their keys: JSON has only words for keys, and order must not hang on a hash.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::hash::Hash;

/// Writes a map.
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

/// Reads a map.
pub(super) fn deserialize<'d, M, D>(deserializer: D) -> Result<M, D::Error>
where
    M: Pairs,
    M::Key: DeserializeOwned,
    M::Item: DeserializeOwned,
    D: Deserializer<'d>,
{
    Ok(M::from_pairs(Vec::deserialize(deserializer)?))
}

/// A map that can be made of pairs.
pub(super) trait Pairs {
    /// What its keys are.
    type Key;
    /// What it holds.
    type Item;
    /// The map of some pairs.
    fn from_pairs(pairs: Vec<(Self::Key, Self::Item)>) -> Self;
}

impl<K: Ord, V> Pairs for BTreeMap<K, V> {
    type Key = K;
    type Item = V;
    fn from_pairs(pairs: Vec<(K, V)>) -> Self {
        pairs.into_iter().collect()
    }
}

/// A list in order of its keys, which are looked for in it.
impl<K: Ord, V> Pairs for Vec<(K, V)> {
    type Key = K;
    type Item = V;
    fn from_pairs(mut pairs: Vec<(K, V)>) -> Self {
        pairs.sort_by(|(one, _), (other, _)| one.cmp(other));
        pairs
    }
}

impl<K: Hash + Eq, V> Pairs for IndexMap<K, V, FxBuildHasher> {
    type Key = K;
    type Item = V;
    fn from_pairs(pairs: Vec<(K, V)>) -> Self {
        pairs.into_iter().collect()
    }
}

impl<K: Hash + Eq, V> Pairs for FxHashMap<K, V> {
    type Key = K;
    type Item = V;
    fn from_pairs(pairs: Vec<(K, V)>) -> Self {
        pairs.into_iter().collect()
    }
}
