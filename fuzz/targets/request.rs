//! Sends arbitrary bytes to the server of a table. The server must answer with HTTP or close the connection, and continue to run.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::OnceLock;
use std::time::Duration;

static SERVED: OnceLock<SocketAddr> = OnceLock::new();

/// Returns the address of a table's server. The first call starts the server, which runs until the process ends.
fn served() -> SocketAddr {
    *SERVED.get_or_init(|| {
        let port = 20_000 + (std::process::id() % 20_000) as u16;
        let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/games/kuhn-poker");
        let save = std::env::temp_dir().join(format!("parlour-fuzz-{}.play", std::process::id()));
        let words =
            ["parlour", "serve", game, "--players", "2", "--port", &port.to_string(), "--save"].map(OsString::from);
        let words: Vec<OsString> = words.into_iter().chain([save.into_os_string()]).collect();
        std::thread::spawn(move || parlour::cli::run(words));
        let place = SocketAddr::from(([127, 0, 0, 1], port));
        while TcpStream::connect(place).is_err() {
            std::thread::sleep(Duration::from_millis(50));
        }
        place
    })
}

fuzz_target!(|bytes: &[u8]| {
    let mut stream = TcpStream::connect(served()).expect("it goes on serving");
    stream.set_read_timeout(Some(Duration::from_millis(200))).expect("a socket has a timeout");
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let mut answer = Vec::new();
    let _ = stream.take(1 << 20).read_to_end(&mut answer);
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1."), "an answer is one");
});
