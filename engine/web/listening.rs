//! Connections: each on its own, so many at once and no more, and none that takes its time to say what it wants.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// So many connections are open at once; whoever comes then waits.
const MOST: usize = 1_024;

/// How long a connection may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(10);

/// The largest head of a request, in bytes.
const LARGEST: usize = 16 * 1_024;

/// How often it is looked whether it is to end.
const LOOK: Duration = Duration::from_millis(100);

/// Serves until it is stopped.
pub(super) async fn serve(listener: TcpListener, router: Router, stop: &dyn Fn() -> bool) {
    let room = Arc::new(Semaphore::new(MOST));
    while !stop() {
        let Ok(Ok(place)) = timeout(LOOK, room.clone().acquire_owned()).await else { continue };
        let accepted = loop {
            match timeout(LOOK, listener.accept()).await {
                Ok(accepted) => break accepted,
                Err(_) if stop() => return,
                Err(_) => {}
            }
        };
        // What cannot be accepted has gone, or there are too many open files: others are served on.
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(LOOK).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(PATIENCE)
                .max_buf_size(LARGEST)
                .serve_connection(TokioIo::new(stream), service);
            // A connection that breaks concerns nobody else.
            let _ = connection.await;
            drop(place);
        });
    }
}
