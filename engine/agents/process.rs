//! A program of its own that chooses: one line of JSON for each message, on its standard input and output.
//!
//! The protocol is told in `docs/src/agents.md`. What the program writes to standard error goes to ours.

use super::message;
use crate::session::{Outlook, Player};
use crate::table::Chance;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How long a program may think about one message.
pub(super) const DEADLINE: Duration = Duration::from_secs(10);

/// How long a program has to end after it is told to.
const PARTING: Duration = Duration::from_millis(500);

/// How often it is looked whether it has.
const PARTING_LOOKS: u32 = 50;

/// The longest line that is read.
const LONGEST_LINE: u64 = 1 << 20;

/// Asks a program.
pub struct Process {
    command: String,
    /// A number for the program's own lots.
    lots: u64,
    running: Option<Running>,
    asked: u64,
}

struct Running {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Process {
    /// A player who asks a program; it is started when it is first asked, and given a number for lots of its own, which
    /// depends on a seed and a name alone.
    pub fn new(command: &str, seed: u64, stream: &str) -> Self {
        // 53 bits, so that whatever reads JSON keeps it.
        let lots = Chance::new(seed, stream).next_bits() >> 11;
        Self { command: command.to_owned(), lots, running: None, asked: 0 }
    }

    fn fault(&self, what: impl std::fmt::Display) -> String {
        format!("`cmd:{}` {what}", self.command)
    }

    fn start(&mut self, outlook: &Outlook<'_>) -> Result<(), String> {
        if self.running.is_some() {
            return Ok(());
        }
        self.running =
            Some(Running::start(&self.command).map_err(|error| self.fault(format!("does not start: {error}")))?);
        let answer = self.exchange(&message::hello(outlook, self.lots, DEADLINE))?;
        if answer["type"] != "hello" {
            return Err(self.fault(format!("answers `hello` with {answer}")));
        }
        Ok(())
    }

    /// Sends a message and waits for the answer.
    fn exchange(&mut self, message: &Value) -> Result<Value, String> {
        let running = self.running.as_mut().expect("the program was started");
        let line = match running.send(message) {
            Ok(()) => running.hear(),
            Err(error) => Err(running.parting().unwrap_or_else(|| format!("takes no message: {error}"))),
        };
        let line = line.map_err(|what| self.fault(what))?;
        serde_json::from_str(&line)
            .map_err(|_| self.fault(format!("writes a line that is not JSON: {}", shortened(&line))))
    }
}

impl Player for Process {
    fn choose(&mut self, outlook: &Outlook<'_>) -> Result<usize, String> {
        self.start(outlook)?;
        self.asked += 1;
        let answer = self.exchange(&message::decide(outlook, self.asked, DEADLINE))?;
        let count = outlook.decision().count();
        let at = answer["option"].as_u64().and_then(|at| usize::try_from(at).ok()).filter(|at| *at < count);
        let is_answer = answer["type"] == "choose" && answer["id"] == self.asked;
        match at {
            Some(at) if is_answer => Ok(at),
            _ => Err(self.fault(format!(
                "answers question {} of {count} options with {}",
                self.asked,
                shortened(&answer.to_string())
            ))),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.end();
        }
    }
}

impl Running {
    fn start(command: &str) -> std::io::Result<Self> {
        let mut words = command.split_whitespace();
        let mut child = Command::new(words.next().unwrap_or_default())
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take().expect("its output is a pipe");
        let (sender, lines) = channel();
        std::thread::Builder::new().name("agent".to_owned()).spawn(move || {
            let mut reader = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
                let Ok(1..) = read else { return };
                if sender.send(String::from_utf8_lossy(&line).trim().to_owned()).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { child, input, lines })
    }

    fn send(&mut self, message: &Value) -> std::io::Result<()> {
        let input = self.input.as_mut().expect("its input is open until the end");
        writeln!(input, "{message}")?;
        input.flush()
    }

    fn hear(&mut self) -> Result<String, String> {
        self.lines.recv_timeout(DEADLINE).map_err(|error| match error {
            RecvTimeoutError::Timeout => format!("is silent for {} s", DEADLINE.as_secs()),
            RecvTimeoutError::Disconnected => self.parting().unwrap_or_else(|| "has closed its output".to_owned()),
        })
    }

    /// How the program has ended, if it has, or does at once.
    fn parting(&mut self) -> Option<String> {
        while self.lines.recv_timeout(PARTING).is_ok() {}
        // A program that has closed its output may be on its way out.
        let mut status = self.child.try_wait();
        for _ in 0..PARTING_LOOKS {
            if !matches!(status, Ok(None)) {
                break;
            }
            std::thread::sleep(PARTING / PARTING_LOOKS);
            status = self.child.try_wait();
        }
        status.ok().flatten().map(|status| format!("has ended ({status})"))
    }

    /// Tells the program that it is over, and ends it if it does not end by itself.
    fn end(mut self) {
        // Whoever has ended already hears nothing, which is well.
        let _ = self.send(&message::bye());
        self.input = None;
        while self.lines.recv_timeout(PARTING).is_ok() {}
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

/// A text that fits a message.
fn shortened(text: &str) -> String {
    const MOST: usize = 120;
    if text.chars().count() <= MOST {
        text.to_owned()
    } else {
        format!("{}…", text.chars().take(MOST).collect::<String>())
    }
}
