//! Agents that are external programs. Each message is a line of JSON on the program's standard input or output.
//!
//! The protocol is documented in `docs/src/agents.md`. Standard error of the program is copied line by line to standard error of this
//! process, with invisible characters escaped.

use super::{events, message};
use crate::diagnostic::{Diagnostic, escape_unseen, find_invisible_in_json, unseen_message};
use crate::model::Seat;
use crate::playscript::matching::{Match, find_in};
use crate::session::{EventPosition, GameOver, Halt, NoAnswer, Observation, Player};
use crate::system;
use crate::table::Chance;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Time for a program to exit after the last message, before it is killed.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);

/// Number of times within [`EXIT_TIMEOUT`] that the exit status is polled.
const EXIT_POLLS: u32 = 50;

/// Interval at which the halt signal is polled while waiting for a program.
const HALT_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Maximum length of a line in bytes.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// Number of output lines that are buffered. When the buffer is full, no more output is read.
const BUFFERED_LINES: usize = 4;

/// Process group ids of the running programs.
static PROGRAMS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Kills all running agent programs and their children. Meant for callers that exit this process immediately, without running destructors.
pub fn end_programs() {
    PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner).drain(..).for_each(system::end_group);
}

/// Agent whose choices are made by an external program.
pub struct Process {
    command: String,
    /// Seed for the program's own random numbers.
    seed: u64,
    running: Option<Running>,
    /// Protocol version that the program speaks.
    protocol: u32,
    /// Number of decisions sent, which is also the id of the last one.
    asked: u64,
    /// Position in the event log up to which the program has been informed.
    heard: EventPosition,
    deadline: Duration,
    halt: Halt,
}

struct Running {
    child: Child,
    /// Queue of the writer thread. A separate thread is needed because writing blocks if the program does not read.
    messages: Option<Sender<String>>,
    /// Whether the writer thread is done with the last message.
    is_written: Arc<AtomicBool>,
    lines: Receiver<String>,
    /// Channel that disconnects when the program's standard error has been copied completely.
    stderr_done: Receiver<()>,
    deadline: Duration,
}

impl Process {
    /// Creates the agent. The program starts when the agent is first asked for a decision. The program's seed depends only on `seed` and
    /// `stream`.
    pub fn new(command: &str, seed: u64, stream: &str) -> Self {
        // JSON parsers that read numbers as floats keep only 53 bits of an integer.
        let seed = Chance::new(seed, stream).next_bits() >> 11;
        Self {
            command: command.to_owned(),
            seed,
            running: None,
            protocol: message::OLDEST,
            asked: 0,
            heard: EventPosition::default(),
            deadline: message::DEADLINE,
            halt: Halt::default(),
        }
    }

    /// Sets the time limit for each message.
    #[must_use]
    pub const fn with_deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    fn fault(&self, what: impl std::fmt::Display) -> String {
        format!("`cmd:{}` {what}", self.command)
    }

    fn not_started(&self, error: &std::io::Error) -> NoAnswer {
        let found = Diagnostic::error("no-answer", self.fault(format!("does not start: {error}")));
        let program = self.command.split_whitespace().next().unwrap_or_default();
        let is_here = !program.contains('/') && std::path::Path::new(program).is_file();
        let help = format!(
            "write `./{program}` for a program in this folder, or put an interpreter before a script, as `cmd:python3 {program}`"
        );
        Box::new(if is_here { found.help(help) } else { found }).into()
    }

    /// Returns whether the program speaks a version of the protocol that includes events.
    const fn sends_events(&self) -> bool {
        self.protocol >= 2
    }

    fn start(&mut self, observation: &Observation<'_>) -> Result<(), NoAnswer> {
        if self.running.is_some() {
            return Ok(());
        }
        self.running = Some(Running::start(&self.command, self.deadline).map_err(|error| self.not_started(&error))?);
        let answer = self.exchange(&message::hello_message(observation, self.seed, self.deadline))?;
        if answer["type"] != "hello" {
            return Err(self
                .fault(format!("answers `hello` with {}", truncate_for_message(&answer.to_string())))
                .into());
        }
        let spoken =
            answer.get("protocol").map_or(Some(message::OLDEST), |spoken| u32::try_from(spoken.as_u64()?).ok());
        let spoken = spoken.filter(|spoken| (message::OLDEST..=message::PROTOCOL).contains(spoken));
        if let Some(spoken) = spoken {
            self.protocol = spoken;
        } else {
            let (spoken, ours) = (truncate_for_message(&answer["protocol"].to_string()), message::PROTOCOL);
            let found = Diagnostic::error("no-answer", self.fault(format!("speaks protocol {spoken}")));
            let help =
                format!("this program speaks protocol {ours}: the greeting must say `\"protocol\":{ours}` or omit it");
            return Err(Box::new(found.help(help)).into());
        }
        Ok(())
    }

    /// Sends a message and waits for the reply.
    fn exchange(&mut self, message: &Value) -> Result<Value, String> {
        let running = self.running.as_mut().expect("the program was started");
        running.send(message);
        let heard = running.receive_line(&self.halt);
        if self.halt.is_called() {
            // Stop the program, so that a late reply is not taken for the answer to the next decision. The next decision starts it again.
            self.taken_up(0);
        }
        let line = heard.map_err(|what| self.fault(what))?;
        let answer: Value = serde_json::from_str(&line)
            .map_err(|_| self.fault(format!("writes a line that is not JSON: {}", truncate_for_message(&line))))?;
        match find_invisible_in_json(&answer) {
            Some(character) => {
                Err(self.fault(format!("writes a line that cannot be shown: {}", unseen_message(character))))
            }
            None => Ok(answer),
        }
    }
}

impl Player for Process {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        self.start(observation)?;
        self.asked += 1;
        let mut message = message::decide(observation, self.asked, self.deadline);
        if self.sends_events() {
            let (log, news) = observation.news(&mut self.heard);
            message["log"] = log.into();
            message["events"] = news.into_iter().map(events::json).collect();
        }
        let answer = self.exchange(&message)?;
        let considered = observation.decision().considered();
        let count = considered.len();
        let at = match &answer["option"] {
            Value::String(text) => match find_in(&observation.written(), text) {
                Match::One(at) => Some(at),
                Match::Several(_) | Match::None => None,
            },
            number => {
                let number = number.as_u64().and_then(|at| usize::try_from(at).ok()).filter(|at| *at < count);
                number.map(|number| considered.position(number))
            }
        };
        let is_answer = answer["type"] == "choose" && answer["id"] == self.asked;
        match at {
            Some(at) if is_answer => Ok(at),
            _ => {
                let given = truncate_for_message(&answer.to_string());
                let message = format!("answers question {} of {count} options with {given}", self.asked);
                let wanted = json!({ "type": "choose", "id": self.asked, "option": count - 1 });
                let help = format!("options are numbered from 0: the last one is {wanted}");
                let found = Diagnostic::error("no-answer", self.fault(message)).help(help);
                Err(Box::new(found).into())
            }
        }
    }

    fn heeds(&mut self, halt: &Halt) {
        self.halt = halt.clone();
    }

    fn hears(&self) -> bool {
        true
    }

    fn over(&mut self, over: &GameOver<'_>, seat: Seat) {
        if self.sends_events()
            && let Some(running) = &mut self.running
        {
            running.send(&events::game_over(over, seat, &mut self.heard));
        }
    }

    fn taken_up(&mut self, _answered: usize) {
        // The protocol has no message for taking answers back, so the program is restarted and informed from the beginning.
        self.heard = EventPosition::default();
        if let Some(running) = self.running.take() {
            running.end();
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
    fn start(command: &str, deadline: Duration) -> std::io::Result<Self> {
        let mut words = command.split_whitespace();
        let mut program = Command::new(words.next().unwrap_or_default());
        program.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        system::start_own_group(&mut program);
        let mut child = program.spawn()?;
        PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner).push(child.id());
        let input = child.stdin.take().expect("its input is a pipe");
        let output = child.stdout.take().expect("its output is a pipe");
        let errors = child.stderr.take().expect("its standard error is a pipe");
        let is_written = Arc::new(AtomicBool::new(true));
        let messages = Some(spawn_writer(input, is_written.clone())?);
        let (lines, stderr_done) = (spawn_reader(output)?, spawn_stderr_copier(errors)?);
        Ok(Self { child, messages, is_written, lines, stderr_done, deadline })
    }

    /// Queues a message for writing.
    fn send(&mut self, message: &Value) {
        self.is_written.store(false, Ordering::SeqCst);
        if let Some(messages) = &self.messages {
            // If the program has closed its input, the missing reply will be reported.
            let _ = messages.send(format!("{message}\n"));
        }
    }

    fn receive_line(&mut self, halt: &Halt) -> Result<String, String> {
        let seconds = self.deadline.as_secs_f64();
        let mut left = self.deadline;
        // Time is counted in poll intervals and not measured, so on a busy machine the wait can be longer than the deadline.
        let heard = loop {
            let heard = self.lines.recv_timeout(left.min(HALT_POLL_INTERVAL));
            left = left.saturating_sub(HALT_POLL_INTERVAL);
            if heard != Err(RecvTimeoutError::Timeout) || left.is_zero() || halt.is_called() {
                break heard;
            }
        };
        heard.map_err(|error| match error {
            RecvTimeoutError::Timeout if !self.is_written.load(Ordering::SeqCst) => {
                format!("has not read a question for {seconds} s")
            }
            RecvTimeoutError::Timeout => format!("has not answered for {seconds} s"),
            RecvTimeoutError::Disconnected => self.exit_message().unwrap_or_else(|| "has closed its output".to_owned()),
        })
    }

    /// Returns a message that describes how the program exited. Returns `None` if it is still running after a short wait.
    fn exit_message(&mut self) -> Option<String> {
        let status = self.wait_for_exit();
        status.map(|status| format!("has ended ({status})"))
    }

    /// Waits up to [`EXIT_TIMEOUT`] for the program to exit. Returns its exit status, or `None` if it is still running.
    fn wait_for_exit(&mut self) -> Option<std::process::ExitStatus> {
        for _ in 0..EXIT_POLLS {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            // Discard output, because a program blocked in writing would never exit.
            self.lines.try_iter().take(BUFFERED_LINES).for_each(drop);
            std::thread::sleep(EXIT_TIMEOUT / EXIT_POLLS);
        }
        None
    }

    /// Sends the last message, waits for the program to exit, and kills it if it does not. Kills its remaining children in any case.
    fn end(mut self) {
        self.send(&message::bye_message());
        // Closing the queue makes the writer thread close the program's input after the last message.
        self.messages = None;
        if self.wait_for_exit().is_none() {
            // Fails if the program has just exited, which is fine.
            let _ = self.child.kill();
        }
        system::end_group(self.child.id());
        let _ = self.child.wait();
        // Nothing is ever sent: the channel disconnects when standard error has been copied. The wait times out, because another process
        // may keep the pipe open.
        let _ = self.stderr_done.recv_timeout(EXIT_TIMEOUT);
        PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner).retain(|number| *number != self.child.id());
    }
}

/// Spawns a thread that writes queued messages to the program until the queue is closed or writing fails.
fn spawn_writer(mut input: ChildStdin, is_written: Arc<AtomicBool>) -> std::io::Result<Sender<String>> {
    let (sender, messages) = channel::<String>();
    system::thread("agent input").spawn(move || {
        for message in messages {
            let written = input.write_all(message.as_bytes()).and_then(|()| input.flush());
            is_written.store(true, Ordering::SeqCst);
            if written.is_err() {
                return;
            }
        }
    })?;
    Ok(sender)
}

/// Spawns a thread that reads lines from the program, up to [`BUFFERED_LINES`] ahead of the receiver.
fn spawn_reader(output: ChildStdout) -> std::io::Result<Receiver<String>> {
    let (sender, lines) = sync_channel(BUFFERED_LINES);
    system::thread("agent output").spawn(move || {
        let mut reader = BufReader::new(output);
        loop {
            let mut line = Vec::new();
            let read = reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line);
            let Ok(1..) = read else { return };
            if sender.send(String::from_utf8_lossy(&line).trim().to_owned()).is_err() {
                return;
            }
        }
    })?;
    Ok(lines)
}

/// Spawns a thread that copies the program's standard error to ours. The returned channel disconnects at the end.
fn spawn_stderr_copier(errors: ChildStderr) -> std::io::Result<Receiver<()>> {
    let (sender, done) = channel();
    system::thread("agent errors").spawn(move || {
        // Dropped when the thread ends, which disconnects the channel.
        let _open = sender;
        let mut reader = BufReader::new(errors);
        let mut line = Vec::new();
        while let Ok(1..) = reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line) {
            let text = String::from_utf8_lossy(&line);
            // Ignore the error if our own standard error is closed.
            let _ = std::io::stderr().write_all(escape_invisible(&text).as_bytes());
            line.clear();
        }
    })?;
    Ok(done)
}

/// Escapes invisible characters.
fn escape_invisible(text: &str) -> Cow<'_, str> {
    escape_unseen(text, |character| character.escape_default().to_string())
}

/// Escapes invisible characters and truncates the result, for messages about a program's answers.
fn truncate_for_message(text: &str) -> String {
    const MAX_CHARS: usize = 120;
    let text = &escape_invisible(text);
    if text.chars().count() <= MAX_CHARS {
        text.to_string()
    } else {
        format!("{}…", text.chars().take(MAX_CHARS).collect::<String>())
    }
}
