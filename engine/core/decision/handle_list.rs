//! Shared lists of handles: cheap to clone, copied on write.

use smallvec::SmallVec;
use std::ops::Deref;
use std::sync::Arc;

/// An ordered list of pieces, spaces, zones, components or seats. Clones share the storage until one of them is changed.
// Most queries of rules find nothing, so an empty list needs no storage.
#[derive(Debug)]
pub struct HandleList<T>(Option<Arc<SmallVec<[T; 16]>>>);

impl<T: PartialEq> PartialEq for HandleList<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for HandleList<T> {}

impl<T> Clone for HandleList<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for HandleList<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Copy> HandleList<T> {
    /// Returns a mutable reference to the list's elements. Copies the list first if it is shared.
    pub(crate) fn to_mut(&mut self) -> &mut SmallVec<[T; 16]> {
        Arc::make_mut(self.0.get_or_insert_default())
    }
}

impl<T> Deref for HandleList<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        self.0.as_ref().map_or(&[], |items| items)
    }
}

impl<T> From<SmallVec<[T; 16]>> for HandleList<T> {
    #[inline]
    fn from(items: SmallVec<[T; 16]>) -> Self {
        Self((!items.is_empty()).then(|| Arc::new(items)))
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
        all.into()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emptied_list_equals_a_new_one() {
        let mut emptied: HandleList<u16> = [7].into_iter().collect();
        emptied.to_mut().clear();
        assert_eq!(emptied, HandleList::default());
        assert_eq!(emptied, std::iter::empty().collect());
        emptied.to_mut().push(7);
        assert_eq!(emptied[..], [7]);
    }
}
