//! Several things at once.

/// Does something with each of several things, on every core; the results come in the order of the things.
pub fn in_parallel<T: Sync, R: Send>(things: &[T], run: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    use rayon::prelude::*;
    things.par_iter().map(run).collect()
}
