//! Shared lists of handles: cheap to clone, copied on write.

use smallvec::SmallVec;
use std::ops::Deref;
use std::sync::Arc;

/// An ordered list of pieces, spaces, zones, components or seats. Clones share the storage until one of them is changed.
#[derive(Debug, PartialEq, Eq)]
pub struct HandleList<T>(Arc<SmallVec<[T; 16]>>);

impl<T> Clone for HandleList<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for HandleList<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: Copy> HandleList<T> {
    /// Returns a mutable reference to the list's elements. Copies the list first if it is shared.
    pub(crate) fn to_mut(&mut self) -> &mut SmallVec<[T; 16]> {
        Arc::make_mut(&mut self.0)
    }
}

impl<T> Deref for HandleList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> From<SmallVec<[T; 16]>> for HandleList<T> {
    fn from(items: SmallVec<[T; 16]>) -> Self {
        Self(Arc::new(items))
    }
}

impl<T> From<Vec<T>> for HandleList<T> {
    fn from(items: Vec<T>) -> Self {
        SmallVec::from_vec(items).into()
    }
}

impl<T> FromIterator<T> for HandleList<T> {
    /// Uses internal iteration (`for_each`), which is faster than `next` for the nested chains that iterate over pieces.
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let items = items.into_iter();
        let mut all = SmallVec::with_capacity(items.size_hint().0);
        items.for_each(|item| all.push(item));
        Self(Arc::new(all))
    }
}

/// Owning iterator over a shared list, for the `for` loops of scripts.
#[derive(Debug)]
pub struct Items<T> {
    all: HandleList<T>,
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

impl<T: Copy> IntoIterator for HandleList<T> {
    type Item = T;
    type IntoIter = Items<T>;

    fn into_iter(self) -> Items<T> {
        Items { all: self, at: 0 }
    }
}
