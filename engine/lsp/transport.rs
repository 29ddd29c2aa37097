//! Messages over standard input and output. Sizes are checked before a message is read.

use lsp_server::{Connection, Message};
use std::io::{self, BufRead, Read};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;

/// Maximum size of a message in bytes. The largest text that an editor can open is a playscript of 16 MB.
const MAX_MESSAGE_BYTES: usize = 64 << 20;

/// Maximum number of commas outside of strings in a message, and thus about the maximum number of its values. A value of two bytes takes
/// more than sixty once it is parsed. Texts of files are single values.
const MAX_COMMAS: usize = 500_000;

/// Maximum length of a header line in bytes.
const MAX_HEADER_BYTES: u64 = 4 << 10;

/// Maximum number of header lines.
const MAX_HEADERS: usize = 32;

/// The threads that read and write messages.
pub(super) struct Transport {
    reader: JoinHandle<()>,
    writer: JoinHandle<io::Result<()>>,
    /// Reason why reading stopped. Set before the server notices the end of the messages.
    unread: Arc<OnceLock<io::Error>>,
}

impl Transport {
    /// Starts to read standard input and to write standard output.
    ///
    /// # Errors
    /// Returns the operating system's reason if a thread cannot be started.
    pub(super) fn start_on_stdio() -> io::Result<(Connection, Self)> {
        let (server, Connection { sender, receiver }) = Connection::memory();
        let writer = crate::system::thread("writer").spawn(move || {
            let mut output = io::stdout().lock();
            receiver.into_iter().try_for_each(|message: Message| message.write(&mut output))
        })?;
        let unread = Arc::new(OnceLock::new());
        let why = unread.clone();
        let reader = crate::system::thread("reader").spawn(move || {
            let mut input = io::stdin().lock();
            loop {
                match read(&mut input) {
                    Ok(Some(message)) => {
                        let is_exit = matches!(&message, Message::Notification(note) if note.method == "exit");
                        // Nobody receives messages after `exit`, or after the server has ended.
                        if sender.send(message).is_err() || is_exit {
                            return;
                        }
                    }
                    Ok(None) => return,
                    Err(error) => return drop(why.set(error)),
                }
            }
        })?;
        Ok((server, Self { reader, writer, unread }))
    }

    /// Returns the reason why reading stopped before the end of the input: a malformed message, or one that exceeds the limit.
    pub(super) fn read_error(&self) -> Option<String> {
        self.unread.get().map(ToString::to_string)
    }

    /// Waits until the threads that read and write messages have ended.
    ///
    /// # Errors
    /// Returns the reason why a message could not be written, or an error if a thread panicked.
    pub(super) fn join(self) -> io::Result<()> {
        let stopped = || io::Error::other("a thread of the server stopped");
        self.reader.join().map_err(|_| stopped())?;
        self.writer.join().unwrap_or_else(|_| Err(stopped()))
    }
}

/// Reads a message. Returns `None` at the end of the input.
fn read(input: &mut impl BufRead) -> io::Result<Option<Message>> {
    let mut size = None;
    let mut line = String::new();
    for at in 0.. {
        line.clear();
        if input.by_ref().take(MAX_HEADER_BYTES).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let Some(header) = line.strip_suffix("\r\n").filter(|_| at < MAX_HEADERS) else {
            return Err(refused("the lines before a message are none of the protocol".to_owned()));
        };
        if header.is_empty() {
            break;
        }
        if let Some((name, value)) = header.split_once(':')
            && name.eq_ignore_ascii_case("Content-Length")
        {
            size = value.trim().parse::<usize>().ok();
        }
    }
    let size = size.ok_or_else(|| refused("a message has no length".to_owned()))?;
    if size > MAX_MESSAGE_BYTES {
        let most = MAX_MESSAGE_BYTES >> 20;
        return Err(refused(format!("a message of {size} bytes is larger than {most} MB, the most that is read")));
    }
    let mut bytes = Vec::new();
    // Allocates for the bytes that arrive, not for the length that the header claims.
    if input.by_ref().take(size as u64).read_to_end(&mut bytes)? < size {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    if commas(&bytes) > MAX_COMMAS {
        return Err(refused(format!("a message has more than {MAX_COMMAS} values, the most that are read")));
    }
    serde_json::from_slice(&bytes)
        .map(Some)
        .map_err(|error| refused(format!("a message is not of the protocol: {error}")))
}

/// Returns the number of commas outside of strings in a JSON text.
fn commas(json: &[u8]) -> usize {
    let (mut count, mut is_in_string, mut is_escaped) = (0, false, false);
    for byte in json {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_in_string,
            b'"' => is_in_string = !is_in_string,
            b',' if !is_in_string => count += 1,
            _ => {}
        }
    }
    count
}

fn refused(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::{MAX_COMMAS, MAX_MESSAGE_BYTES, commas, read};
    use lsp_server::Message;

    fn read_all(text: &str) -> Result<Vec<Message>, String> {
        let mut input = text.as_bytes();
        let mut all = Vec::new();
        while let Some(message) = read(&mut input).map_err(|error| error.to_string())? {
            all.push(message);
        }
        Ok(all)
    }

    #[test]
    fn the_number_of_values_is_limited() {
        assert_eq!(commas(br#"[1, "a,b\",", {"c,": [2, 3]}]"#), 3);
        let framed = |params: &str| {
            let note = format!(r#"{{"jsonrpc":"2.0","method":"initialized","params":[{params}]}}"#);
            format!("Content-Length: {}\r\n\r\n{note}", note.len())
        };
        assert_eq!(read_all(&framed(&format!("\"{}\"", ",".repeat(MAX_COMMAS * 2)))).unwrap().len(), 1);
        let found = read_all(&framed(&format!("{}0", "0,".repeat(MAX_COMMAS + 1)))).unwrap_err();
        assert!(found.contains("more than 500000 values"), "{found}");
    }

    #[test]
    fn messages_are_read_one_after_the_other() {
        let note = r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#;
        let framed = format!("Content-Length: {}\r\nContent-Type: a\r\n\r\n{note}", note.len());
        assert_eq!(read_all(&framed.repeat(3)).unwrap().len(), 3);
        assert_eq!(read_all("").unwrap().len(), 0);
    }

    #[test]
    fn excessive_sizes_are_refused_before_reading() {
        for (text, why) in [
            ("Content-Length: 1000000000000000000\r\n\r\n", "larger than 64 MB"),
            ("Content-Length: 99999999999999999999999\r\n\r\n", "no length"),
            ("Content-Length: -1\r\n\r\n", "no length"),
            ("Content-Length: 9\r\n\r\n{}", "unexpected end of file"),
            ("\r\n", "no length"),
            ("Content-Length: 2\n\n{}", "none of the protocol"),
            ("Content-Length: 2\r\n\r\n{}", "not of the protocol"),
        ] {
            let found = read_all(text).unwrap_err();
            assert!(found.contains(why), "{text:?}: {found}");
        }
        assert!(read_all(&"a".repeat(1 << 20)).unwrap_err().contains("none of the protocol"));
        assert!(read_all(&"a: b\r\n".repeat(1000)).unwrap_err().contains("none of the protocol"));
        let announced = format!("Content-Length: {MAX_MESSAGE_BYTES}\r\n\r\n");
        assert!(read_all(&announced).is_err());
    }
}
