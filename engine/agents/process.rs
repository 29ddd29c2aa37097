//! A program of its own that chooses: one line of JSON for each message, on its standard input and output.
//!
//! The protocol is described in `docs/src/agents.md`. What the program writes to standard error goes to ours, line by line, with the
//! characters that nobody sees written out.

use super::{events, message};
use crate::diagnostic::{Diagnostic, unseen_in_json, unseen_message, unseen_written_out};
use crate::model::Seat;
use crate::playscript::matching::{Match, find_in};
use crate::session::{GameOver, Halt, Heard, NoAnswer, Observation, Player};
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

/// How long a program has to end after it is asked to.
const PARTING: Duration = Duration::from_millis(500);

/// How often it is looked whether it has.
const PARTING_LOOKS: u32 = 50;

/// How often it is looked whether what is waited for is given up.
const LOOKS: Duration = Duration::from_millis(50);

/// The longest line that is read.
const LONGEST_LINE: u64 = 1 << 20;

/// So many lines wait to be heard; a program that writes more has to wait itself.
const LINES_WAITING: usize = 4;

/// The programs that run, by the numbers of their groups.
static PROGRAMS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Ends every program that plays, and what it has started: for a caller that ends this process at once.
pub fn end_programs() {
    PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner).drain(..).for_each(system::end_group);
}

/// Asks a program.
pub struct Process {
    command: String,
    /// A seed for the program's own random numbers.
    seed: u64,
    running: Option<Running>,
    /// The version of the protocol that the program speaks.
    protocol: u32,
    asked: u64,
    /// What it has been told of what has happened.
    heard: Heard,
    deadline: Duration,
    halt: Halt,
}

struct Running {
    child: Child,
    /// Messages for the thread that writes: a program that does not read keeps nobody else waiting.
    messages: Option<Sender<String>>,
    /// Whether the last message has been taken.
    taken: Arc<AtomicBool>,
    lines: Receiver<String>,
    /// Closed when all is shown that the program wrote to standard error.
    shown: Receiver<()>,
    deadline: Duration,
}

impl Process {
    /// A player who asks a program; it is started when it is first asked, and given a seed for random numbers of its own, which
    /// depends on a seed and a name alone.
    pub fn new(command: &str, seed: u64, stream: &str) -> Self {
        // 53 bits, so that whatever reads JSON keeps it.
        let seed = Chance::new(seed, stream).next_bits() >> 11;
        Self {
            command: command.to_owned(),
            seed,
            running: None,
            protocol: message::OLDEST,
            asked: 0,
            heard: Heard::default(),
            deadline: message::DEADLINE,
            halt: Halt::default(),
        }
    }

    /// The same with another time for each message.
    #[must_use]
    pub const fn within(mut self, deadline: Duration) -> Self {
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
            "a program in this folder is `./{program}`; a script has its language before it, as `cmd:python3 {program}`"
        );
        Box::new(if is_here { found.help(help) } else { found }).into()
    }

    /// Whether the program is told what has happened since it was asked.
    const fn tells_news(&self) -> bool {
        self.protocol >= 2
    }

    fn start(&mut self, observation: &Observation<'_>) -> Result<(), NoAnswer> {
        if self.running.is_some() {
            return Ok(());
        }
        self.running = Some(Running::start(&self.command, self.deadline).map_err(|error| self.not_started(&error))?);
        let answer = self.exchange(&message::hello(observation, self.seed, self.deadline))?;
        if answer["type"] != "hello" {
            return Err(self.fault(format!("answers `hello` with {}", shortened(&answer.to_string()))).into());
        }
        let spoken =
            answer.get("protocol").map_or(Some(message::OLDEST), |spoken| u32::try_from(spoken.as_u64()?).ok());
        let spoken = spoken.filter(|spoken| (message::OLDEST..=message::PROTOCOL).contains(spoken));
        if let Some(spoken) = spoken {
            self.protocol = spoken;
        } else {
            let (spoken, ours) = (shortened(&answer["protocol"].to_string()), message::PROTOCOL);
            let found = Diagnostic::error("no-answer", self.fault(format!("speaks protocol {spoken}")));
            let help = format!("this is protocol {ours}: the greeting says `\"protocol\":{ours}`, or nothing of it");
            return Err(Box::new(found.help(help)).into());
        }
        Ok(())
    }

    /// Sends a message and waits for the answer.
    fn exchange(&mut self, message: &Value) -> Result<Value, String> {
        let running = self.running.as_mut().expect("the program was started");
        running.send(message);
        let heard = running.hear(&self.halt);
        if self.halt.is_called() {
            // What it answers later is no answer to the next decision.
            self.taken_up(0);
        }
        let line = heard.map_err(|what| self.fault(what))?;
        let answer: Value = serde_json::from_str(&line)
            .map_err(|_| self.fault(format!("writes a line that is not JSON: {}", shortened(&line))))?;
        match unseen_in_json(&answer) {
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
        if self.tells_news() {
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
                let given = shortened(&answer.to_string());
                let message = format!("answers question {} of {count} options with {given}", self.asked);
                let wanted = json!({ "type": "choose", "id": self.asked, "option": count - 1 });
                let help = format!("options are counted from 0: the last one is chosen with {wanted}");
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
        if self.tells_news()
            && let Some(running) = &mut self.running
        {
            running.send(&events::over(over, seat, &mut self.heard));
        }
    }

    fn taken_up(&mut self, _answered: usize) {
        // A program knows nothing of what is taken back: it begins anew, and is told all.
        self.heard = Heard::default();
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
        system::apart(&mut program);
        let mut child = program.spawn()?;
        PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner).push(child.id());
        let input = child.stdin.take().expect("its input is a pipe");
        let output = child.stdout.take().expect("its output is a pipe");
        let errors = child.stderr.take().expect("its standard error is a pipe");
        let taken = Arc::new(AtomicBool::new(true));
        let messages = Some(writer(input, taken.clone())?);
        Ok(Self { child, messages, taken, lines: reader(output)?, shown: shower(errors)?, deadline })
    }

    /// Hands a message over to be written.
    fn send(&mut self, message: &Value) {
        self.taken.store(false, Ordering::SeqCst);
        if let Some(messages) = &self.messages {
            // A program that has closed its input is noticed when it does not answer.
            let _ = messages.send(format!("{message}\n"));
        }
    }

    fn hear(&mut self, halt: &Halt) -> Result<String, String> {
        let seconds = self.deadline.as_secs_f64();
        let mut left = self.deadline;
        let heard = loop {
            let heard = self.lines.recv_timeout(left.min(LOOKS));
            left = left.saturating_sub(LOOKS);
            if heard != Err(RecvTimeoutError::Timeout) || left.is_zero() || halt.is_called() {
                break heard;
            }
        };
        heard.map_err(|error| match error {
            RecvTimeoutError::Timeout if !self.taken.load(Ordering::SeqCst) => {
                format!("does not read what it is asked for {seconds} s")
            }
            RecvTimeoutError::Timeout => format!("is silent for {seconds} s"),
            RecvTimeoutError::Disconnected => self.parting().unwrap_or_else(|| "has closed its output".to_owned()),
        })
    }

    /// How the program has ended, if it has, or does at once.
    fn parting(&mut self) -> Option<String> {
        let status = self.ended();
        status.map(|status| format!("has ended ({status})"))
    }

    /// Waits for the end of the program, but not for long, whatever it goes on to write.
    fn ended(&mut self) -> Option<std::process::ExitStatus> {
        for _ in 0..PARTING_LOOKS {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            // A few lines are taken and forgotten, so that a program that still writes comes to its end.
            self.lines.try_iter().take(LINES_WAITING).for_each(drop);
            std::thread::sleep(PARTING / PARTING_LOOKS);
        }
        None
    }

    /// Tells the program that it is over, and ends it if it does not end by itself, and whatever it has left running.
    fn end(mut self) {
        self.send(&message::bye());
        // The thread that writes closes the program's input behind the last message.
        self.messages = None;
        if self.ended().is_none() {
            // It may have ended just now.
            let _ = self.child.kill();
        }
        system::end_group(self.child.id());
        let _ = self.child.wait();
        // Nothing is ever sent: this waits until all errors are shown, but not long, as another process may still hold the pipe.
        let _ = self.shown.recv_timeout(PARTING);
        PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner).retain(|number| *number != self.child.id());
    }
}

/// Writes messages one after the other, until there are no more or nobody takes them.
fn writer(mut input: ChildStdin, taken: Arc<AtomicBool>) -> std::io::Result<Sender<String>> {
    let (sender, messages) = channel::<String>();
    std::thread::Builder::new().name("agent input".to_owned()).spawn(move || {
        for message in messages {
            let written = input.write_all(message.as_bytes()).and_then(|()| input.flush());
            taken.store(true, Ordering::SeqCst);
            if written.is_err() {
                return;
            }
        }
    })?;
    Ok(sender)
}

/// Reads lines, a few ahead of the thread that hears them.
fn reader(output: ChildStdout) -> std::io::Result<Receiver<String>> {
    let (sender, lines) = sync_channel(LINES_WAITING);
    std::thread::Builder::new().name("agent output".to_owned()).spawn(move || {
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
    Ok(lines)
}

/// Shows what a program writes to standard error, until there is no more.
fn shower(errors: ChildStderr) -> std::io::Result<Receiver<()>> {
    let (sender, shown) = channel();
    std::thread::Builder::new().name("agent errors".to_owned()).spawn(move || {
        let _open = sender;
        let mut reader = BufReader::new(errors);
        let mut line = Vec::new();
        while let Ok(1..) = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            let text = String::from_utf8_lossy(&line);
            // A user who has closed our standard error does not want to know.
            let _ = std::io::stderr().write_all(written_out(&text).as_bytes());
            line.clear();
        }
    })?;
    Ok(shown)
}

/// A text with the characters written out that nobody sees.
fn written_out(text: &str) -> Cow<'_, str> {
    unseen_written_out(text, |character| character.escape_default().to_string())
}

/// A text that fits a message.
fn shortened(text: &str) -> String {
    const MOST: usize = 120;
    let text = &written_out(text);
    if text.chars().count() <= MOST {
        text.to_string()
    } else {
        format!("{}…", text.chars().take(MOST).collect::<String>())
    }
}
