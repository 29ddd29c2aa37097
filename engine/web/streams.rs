//! Streams that report changes of a page. Their number is limited per link and in total. When a limit is exceeded, the oldest stream is
//! closed. A browser that still shows the page opens a new stream by itself.

use super::links::Viewer;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use tokio::sync::oneshot;

/// Maximum total number of open streams. The remaining connections are left for requests.
const MOST: usize = 768;

/// Maximum number of streams per link of a seat or the host.
const MAX_PER_SEAT: usize = 8;

/// Maximum number of streams of the onlookers' link, which many people share.
const MAX_FOR_ONLOOKERS: usize = 64;

/// Senders of the streams of one link, oldest first. A stream ends when its sender is dropped.
type OpenStreams = VecDeque<oneshot::Sender<()>>;

/// Open streams, keyed by table and viewer.
#[derive(Default)]
pub(super) struct Streams(Mutex<BTreeMap<(String, Viewer), OpenStreams>>);

impl Streams {
    /// Registers a stream, and closes the oldest one if there are too many. The returned receiver becomes ready when the stream must end.
    pub(super) fn open(&self, table: &str, viewer: Viewer) -> oneshot::Receiver<()> {
        let (open, ends) = oneshot::channel();
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, streams| {
            streams.retain(|stream| !stream.is_closed());
            !streams.is_empty()
        });
        let most = if viewer == Viewer::Onlooker { MAX_FOR_ONLOOKERS } else { MAX_PER_SEAT };
        let own = all.entry((table.to_owned(), viewer)).or_default();
        if own.len() == most {
            own.pop_front();
        }
        own.push_back(open);
        // When there are too many streams in total, the oldest stream of the link with the most streams is closed.
        if all.values().map(VecDeque::len).sum::<usize>() > MOST
            && let Some(most) = all.values_mut().max_by_key(|streams| streams.len())
        {
            most.pop_front();
        }
        ends
    }

    /// Closes all streams of a link.
    pub(super) fn close(&self, table: &str, viewer: Viewer) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.remove(&(table.to_owned(), viewer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_streams_are_limited_per_link_and_in_total() {
        let streams = Streams::default();
        let is_open =
            |stream: &mut oneshot::Receiver<()>| stream.try_recv() == Err(oneshot::error::TryRecvError::Empty);
        let mut own: Vec<_> = (0..MAX_PER_SEAT).map(|_| streams.open("table", Viewer::Seat(0))).collect();
        assert!(own.iter_mut().all(is_open));
        // A stream that its reader has closed makes room for another.
        drop(own.remove(3));
        own.push(streams.open("table", Viewer::Seat(0)));
        assert!(own.iter_mut().all(is_open));
        own.push(streams.open("table", Viewer::Seat(0)));
        let open: Vec<bool> = own.iter_mut().map(is_open).collect();
        assert!(!open[0] && open[1..].iter().all(|open| *open), "{open:?}");
        // Onlookers of many tables take no streams from players.
        let watches = |number: usize| streams.open(&format!("table-{}", number / MAX_FOR_ONLOOKERS), Viewer::Onlooker);
        let mut watching: Vec<_> = (0..MOST).map(watches).collect();
        assert_eq!(watching.iter_mut().map(is_open).filter(|open| *open).count(), MOST - MAX_PER_SEAT);
        assert_eq!(own.iter_mut().map(is_open).filter(|open| *open).count(), MAX_PER_SEAT);
    }
}
