//! Parallel map.

/// Applies a function to several items on all cores. Results are in the order of the items.
#[cfg(feature = "system")]
pub fn in_parallel<T: Sync, R: Send>(things: &[T], run: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    use rayon::prelude::*;
    things.par_iter().map(run).collect()
}

/// Applies a function to several items one after the other, for builds without threads.
#[cfg(not(feature = "system"))]
pub fn in_parallel<T: Sync, R: Send>(things: &[T], run: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    things.iter().map(run).collect()
}
