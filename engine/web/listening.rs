//! Limits on connections: their number, and the time that each connection has to send the head of a request. When the maximum number is
//! reached, a new connection replaces the one with the oldest heartbeat. Connections that listen to a stream are not replaced.

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;
use tokio::time::timeout;

/// Maximum number of open connections.
const MOST: usize = 1_024;

/// Timeout for the head of a request.
const PATIENCE: Duration = Duration::from_secs(10);

/// Maximum size of the head of a request, in bytes.
const LARGEST: usize = 16 * 1_024;

/// Interval at which the stop condition is checked.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Connections that may be closed, keyed by the number of their last heartbeat.
#[derive(Default)]
struct Crowd {
    heartbeats: AtomicU64,
    quiet: Mutex<BTreeMap<u64, Arc<OnceLock<AbortHandle>>>>,
}

impl Crowd {
    fn lock_quiet(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<OnceLock<AbortHandle>>>> {
        self.quiet.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the connection with the oldest heartbeat.
    fn send_one_away(&self) {
        let first = self.lock_quiet().pop_first();
        if let Some(task) = first.as_ref().and_then(|(_, task)| task.get()) {
            task.abort();
        }
    }
}

/// An open connection.
pub(super) struct Guest {
    crowd: Arc<Crowd>,
    task: Arc<OnceLock<AbortHandle>>,
    /// Number of the connection's last heartbeat.
    heartbeat: AtomicU64,
    /// Whether the connection is listening to a stream.
    listens: AtomicBool,
}

impl Guest {
    /// Records a heartbeat: a new connection, a request or a response.
    fn record_heartbeat(&self) {
        self.is_not_sent_away();
        if self.listens.load(Ordering::SeqCst) {
            return;
        }
        let heartbeat = self.crowd.heartbeats.fetch_add(1, Ordering::SeqCst);
        self.heartbeat.store(heartbeat, Ordering::SeqCst);
        self.crowd.lock_quiet().insert(heartbeat, self.task.clone());
    }

    fn is_not_sent_away(&self) {
        self.crowd.lock_quiet().remove(&self.heartbeat.load(Ordering::SeqCst));
    }

    /// Marks the connection as listening to a stream until the returned guard is dropped. A listening connection is not closed, although it
    /// has no heartbeats.
    pub(super) fn keep_open(self: Arc<Self>) -> ListeningMark {
        self.listens.store(true, Ordering::SeqCst);
        self.is_not_sent_away();
        ListeningMark(self)
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.is_not_sent_away();
    }
}

/// Guard that marks a connection as listening to a stream until the guard is dropped.
pub(super) struct ListeningMark(Arc<Guest>);

impl Drop for ListeningMark {
    fn drop(&mut self) {
        self.0.listens.store(false, Ordering::SeqCst);
        self.0.record_heartbeat();
    }
}

/// Serves requests until `stop` returns true.
pub(super) async fn serve(listener: TcpListener, router: Router, stop: &dyn Fn() -> bool) {
    let room = Arc::new(Semaphore::new(MOST));
    let crowd = Arc::new(Crowd::default());
    while !stop() {
        let Ok(accepted) = timeout(STOP_CHECK_INTERVAL, listener.accept()).await else { continue };
        // Either the new connection is gone already, or too many files are open. The other connections are still
        // served.
        let Ok((stream, _)) = accepted else {
            crowd.send_one_away();
            tokio::time::sleep(STOP_CHECK_INTERVAL).await;
            continue;
        };
        let place = loop {
            if room.available_permits() == 0 {
                crowd.send_one_away();
            }
            match timeout(STOP_CHECK_INTERVAL, room.clone().acquire_owned()).await {
                Ok(Ok(place)) => break place,
                _ if stop() => return,
                _ => {}
            }
        };
        let _ = stream.set_nodelay(true);
        let task = Arc::new(OnceLock::new());
        let guest = Arc::new(Guest {
            crowd: crowd.clone(),
            task: task.clone(),
            heartbeat: AtomicU64::new(u64::MAX),
            listens: AtomicBool::new(false),
        });
        guest.record_heartbeat();
        let router = TowerToHyperService::new(router.clone());
        let service = service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
            guest.record_heartbeat();
            let own = guest.clone();
            request.extensions_mut().insert(guest.clone());
            let answer = router.call(request);
            async move {
                let answer = answer.await;
                own.record_heartbeat();
                answer
            }
        });
        let serving = tokio::spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(PATIENCE)
                .max_buf_size(LARGEST)
                .serve_connection(TokioIo::new(stream), service);
            // A broken connection does not affect the others.
            let _ = connection.await;
            drop(place);
        });
        let _ = task.set(serving.abort_handle());
    }
}
