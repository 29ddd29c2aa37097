//! Lists of handles that a script passes around: cheap to hand on, copied only when changed.

use smallvec::SmallVec;
use std::ops::Deref;
use std::sync::Arc;

/// Some pieces, spaces, zones, components or seats, in order.
#[derive(Debug, PartialEq, Eq)]
pub struct Several<T>(Arc<SmallVec<[T; 16]>>);

impl<T> Clone for Several<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for Several<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: Copy> Several<T> {
    /// The list, to be changed: copied first if anybody else holds it.
    pub(crate) fn to_mut(&mut self) -> &mut SmallVec<[T; 16]> {
        Arc::make_mut(&mut self.0)
    }
}

impl<T> Deref for Several<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> From<SmallVec<[T; 16]>> for Several<T> {
    fn from(items: SmallVec<[T; 16]>) -> Self {
        Self(Arc::new(items))
    }
}

impl<T> From<Vec<T>> for Several<T> {
    fn from(items: Vec<T>) -> Self {
        SmallVec::from_vec(items).into()
    }
}

impl<T> FromIterator<T> for Several<T> {
    /// Pieces lie in chains of chains, which an iterator goes through faster by itself than asked for one after the other.
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let items = items.into_iter();
        let mut all = SmallVec::with_capacity(items.size_hint().0);
        items.for_each(|item| all.push(item));
        Self(Arc::new(all))
    }
}

/// An iterator over several things that owns them, for the `for` loops of scripts.
#[derive(Debug)]
pub struct Items<T> {
    all: Several<T>,
    at: usize,
}

impl<T: Copy> Iterator for Items<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let item = self.all.get(self.at).copied();
        self.at += 1;
        item
    }
}

impl<T: Copy> IntoIterator for Several<T> {
    type Item = T;
    type IntoIter = Items<T>;

    fn into_iter(self) -> Items<T> {
        Items { all: self, at: 0 }
    }
}
