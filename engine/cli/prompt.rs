//! Prompts for people at a terminal: numbered options, and a few commands.

use super::interruption::is_stopped;
use super::output::{Failure, Output};
use crate::desk::options::Options;
use crate::desk::parts::{Narrowing, NextPart};
use crate::desk::picking::{Picking, amount};
use crate::model::Language;
use crate::phrases::{Phrases, filled};
use crate::session::{Decision, Observation};
use crate::wording::Matches;
use std::io::{BufRead, IsTerminal, stdin, stdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// Maximum number of options listed at once.
const MAX_LISTED: usize = 30;

/// Single-letter commands, which cannot stand for parts of options.
const COMMANDS: [&str; 5] = ["l", "q", "s", "t", "u"];

/// Input of a person.
pub(super) enum Input {
    Option(usize),
    Table,
    Log,
    Why(String),
    Look(String),
    Undo,
    Save,
    /// The person leaves.
    Quit,
    /// The input has ended.
    Gone,
}

/// One line in a list of options.
enum Line<'a> {
    /// Index of an option.
    Option(usize),
    /// Part that several options share: its letters, its text, and the number of options that have it.
    Part(&'a str, &'a str, usize),
}

impl Line<'_> {
    /// Returns the width of the label before the line.
    fn width(&self) -> usize {
        match self {
            Self::Option(at) => (at + 1).to_string().len(),
            Self::Part(letters, ..) => letters.len(),
        }
    }
}

/// Returns the parts to be chosen next, each with its letters, text and options. The letters differ from all commands and from all words in
/// options.
fn parts_with_letters(narrowing: &Narrowing, options: &Options) -> Vec<(String, String, Vec<usize>)> {
    let parts = narrowing.next().into_iter().filter_map(|next| match next {
        NextPart::Option(_) => None,
        NextPart::Part(part, among) => Some((part.worded, among)),
    });
    let single = ('a'..='z').map(String::from);
    let double = ('a'..='z').flat_map(|first| ('a'..='z').map(move |second| format!("{first}{second}")));
    let free = single.chain(double).filter(|letters| !COMMANDS.contains(&&**letters) && !options.any_has(letters));
    free.zip(parts).map(|(letters, (worded, among))| (letters, worded, among)).collect()
}

/// Prompt for the people at the terminal.
pub(super) struct Prompt {
    language: Language,
    phrases: &'static Phrases,
    /// Whether there is a terminal that can be cleared.
    has_screen: bool,
    /// Typed lines. Another thread reads them, so that an interruption is noticed while nobody types.
    lines: Receiver<String>,
}

/// Interval at which the prompt checks for interruptions while it waits for a line.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Time within which an arriving line counts as typed before the person could read the screen.
const TYPE_AHEAD_WINDOW: Duration = Duration::from_millis(50);

/// Starts a thread that reads lines on demand until the end of input. Invalid UTF-8 is replaced.
fn spawn_reader() -> Receiver<String> {
    let (sender, lines) = sync_channel(0);
    // Without the thread nothing can be read, which is the same as the end of the input.
    let _ = crate::system::thread("input").spawn(move || {
        let mut line = Vec::new();
        while matches!(stdin().lock().read_until(b'\n', &mut line), Ok(1..)) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
            line.clear();
        }
    });
    lines
}

/// Replaces full-width digits with ASCII digits.
fn plain_digits(line: &str) -> String {
    let plain = |letter: char| match letter {
        '０'..='９' => char::from(b'0' + (letter as u32 - '０' as u32) as u8),
        other => other,
    };
    line.chars().map(plain).collect()
}

impl Prompt {
    pub(super) fn new(language: Language) -> Self {
        let has_screen = stdin().is_terminal() && stdout().is_terminal();
        Self { language, phrases: Phrases::for_language(language), has_screen, lines: spawn_reader() }
    }

    /// Asks whether to play the next game of a campaign. Returns `false` if the person quits or the input ends.
    pub(super) fn ask_next_game(&self, title: &str, output: &mut Output) -> Result<bool, Failure> {
        output.line(format!("\n{}", filled(self.phrases.prompt.next_game, &[("title", &title)])))?;
        self.wait_for_enter(output)
    }

    /// Clears the screen and waits for the next person. Returns whether the person pressed Enter.
    pub(super) fn hand_over(&self, name: &str, output: &mut Output) -> Result<bool, Failure> {
        if self.has_screen {
            output.clear_screen()?;
        }
        output.line(format!("\n{}", filled(self.phrases.prompt.your_turn, &[("name", &name)])))?;
        if self.has_screen {
            output.flush()?;
            self.drop_typed_ahead();
        }
        self.wait_for_enter(output)
    }

    /// Reads a line. Returns `true` if the line is empty, which means agreement, and `false` for any other line and at the end of the
    /// input.
    pub(super) fn read_agreement(&self, output: &mut Output) -> Result<bool, Failure> {
        Ok(self.read(output)?.is_some_and(|line| line.trim().is_empty()))
    }

    /// Waits for Enter. Returns `false` if the person quits or the input ends.
    fn wait_for_enter(&self, output: &mut Output) -> Result<bool, Failure> {
        loop {
            let Some(line) = self.read(output)? else { return Ok(false) };
            match line.trim() {
                "" => return Ok(true),
                "quit" | "q" | "exit" => return Ok(false),
                _ => output.line(format!("  {}", self.phrases.prompt.only_enter))?,
            }
        }
    }

    /// Drops lines that were typed in advance.
    fn drop_typed_ahead(&self) {
        while !is_stopped() && self.lines.recv_timeout(TYPE_AHEAD_WINDOW).is_ok() {}
    }

    /// Prints the question and the options.
    pub(super) fn ask(
        &self,
        observation: &Observation<'_>,
        picking: Option<&Picking>,
        narrowing: Option<&Narrowing>,
        options: &Options,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let so_far = picking.map_or_else(
            || self.pick_progress_text(observation.decision()),
            |picking| picking.progress_text(self.language),
        );
        output.line(format!(
            "\n{}: {}{so_far}",
            observation.name(observation.seat()),
            observation.asked(self.language)
        ))?;
        self.offer(observation, narrowing, options, output)
    }

    /// Prints all options. If `narrowing` is given, prints the parts and single options that can be chosen next.
    fn offer(
        &self,
        observation: &Observation<'_>,
        narrowing: Option<&Narrowing>,
        options: &Options,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let Some(narrowing) = narrowing else {
            let all: Vec<Line> = (0..options.len().min(MAX_LISTED)).map(Line::Option).collect();
            return self.list(observation, options, &all, options.len(), output);
        };
        let Phrases { prompt, log, .. } = self.phrases;
        let (said, forced, count) = (narrowing.said(), narrowing.common_parts(), narrowing.left().len());
        let phrase = if said.is_empty() { prompt.by_parts } else { prompt.so_far };
        let said = said.join(log.comma);
        output.line(format!("  {}", filled(phrase, &[("count", &count), ("parts", &said)])))?;
        if !forced.is_empty() {
            output.line(format!("  {}", filled(prompt.same_in_all, &[("parts", &forced.join(log.comma))])))?;
        }
        let lettered = parts_with_letters(narrowing, options);
        let mut letters = lettered.iter();
        let line = |next| match next {
            NextPart::Option(at) => Some(Line::Option(at)),
            NextPart::Part(..) => letters.next().map(|(letters, said, left)| Line::Part(letters, said, left.len())),
        };
        let lines: Vec<Line> = narrowing.next().into_iter().filter_map(line).collect();
        self.list(observation, options, &lines, lines.len(), output)
    }

    /// Describes how many items must be picked and how many have been picked already. Returns an empty string if the decision is not a
    /// pick.
    fn pick_progress_text(&self, decision: &Decision) -> String {
        let Some((least, most)) = decision.picks else { return String::new() };
        let amount = amount(&self.phrases.prompt, least as usize, most as usize);
        let count = decision.picked.len();
        let phrase = if count == 0 { self.phrases.prompt.pick } else { self.phrases.prompt.pick_more };
        filled(phrase, &[("amount", &amount), ("count", &count)])
    }

    /// Prints options and parts as a list of at most [`MAX_LISTED`] lines. Options are printed with their costs, if the rules state them.
    fn list(
        &self,
        observation: &Observation<'_>,
        options: &Options,
        lines: &[Line<'_>],
        count: usize,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let decision = observation.decision();
        let width = lines.iter().take(MAX_LISTED).map(Line::width).max().unwrap_or(1);
        for line in lines.iter().take(MAX_LISTED) {
            let at = match line {
                Line::Option(at) => at,
                Line::Part(letters, said, count) => {
                    let line = filled(self.phrases.prompt.part, &[("part", said), ("count", count)]);
                    output.line(format!("  {letters:>width$}  {line}"))?;
                    continue;
                }
            };
            let costs =
                decision.picks.is_none().then(|| observation.worded_costs(&decision.option(*at), self.language));
            let costs = costs.flatten().map_or_else(String::new, |costs| format!("{}{costs}", self.phrases.log.dash));
            output.line(format!("  {}{}{costs}", options.head(*at, width), options.worded.get(*at)))?;
        }
        if count > MAX_LISTED {
            let more = count - MAX_LISTED;
            output.line(format!("  {}", filled(self.phrases.prompt.more_options, &[("count", &more)])))?;
        }
        Ok(())
    }

    /// Reads input until it is a valid option or command.
    pub(super) fn answer(
        &self,
        observation: &Observation<'_>,
        narrowing: &mut Option<Narrowing>,
        options: &Options,
        output: &mut Output,
    ) -> Result<Input, Failure> {
        loop {
            let Some(line) = self.read(output)? else { return Ok(Input::Gone) };
            let line = plain_digits(line.trim());
            let line = line.as_str();
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            match (word.to_lowercase().as_str(), rest.trim()) {
                ("", _) => self.offer(observation, narrowing.as_ref(), options, output)?,
                ("back", "") if narrowing.as_mut().is_some_and(Narrowing::back) => {
                    self.offer(observation, narrowing.as_ref(), options, output)?;
                }
                ("?" | "help", _) => self.help(output)?,
                ("table" | "t", "") => return Ok(Input::Table),
                ("log" | "l", "") => return Ok(Input::Log),
                ("undo" | "u", "") => return Ok(Input::Undo),
                ("save" | "s", "") => return Ok(Input::Save),
                ("quit" | "q" | "exit", "") => return Ok(Input::Quit),
                ("look", "") => output.line(format!("  {}", self.phrases.prompt.look_at_what))?,
                ("look", text) => return Ok(Input::Look(text.to_owned())),
                ("why", text) => return Ok(Input::Why(text.to_owned())),
                _ => {
                    if let Some(at) = self.find(observation, narrowing, options, line, output)? {
                        return Ok(Input::Option(at));
                    }
                }
            }
        }
    }

    /// Finds an option by its number or text. If several match, narrows the choice or lists them.
    fn find(
        &self,
        observation: &Observation<'_>,
        narrowing: &mut Option<Narrowing>,
        options: &Options,
        line: &str,
        output: &mut Output,
    ) -> Result<Option<usize>, Failure> {
        let count = options.len();
        if let Some(at) = options.named(line) {
            return Ok(Some(at));
        }
        let mut count_of_fits = 0;
        let found = match narrowing {
            None => {
                let Matches { count, first } = options.fits(line);
                count_of_fits = count;
                first
            }
            Some(narrowing) => {
                let mut parts = parts_with_letters(narrowing, options).into_iter();
                if let Some((_, said, left)) = parts.find(|(letters, ..)| *letters == line.to_lowercase()) {
                    narrowing.narrow(said, left);
                    self.offer(observation, Some(narrowing), options, output)?;
                    return Ok(None);
                }
                let left = options.with_among(line, &narrowing.left());
                if left.is_empty() { options.with(line) } else { left }
            }
        };
        match found.as_slice() {
            [at] => Ok(Some(*at)),
            [] => {
                let message = filled(self.phrases.prompt.none_fits, &[("count", &count), ("line", &line)]);
                output.line(format!("  {message}"))?;
                Ok(None)
            }
            several => {
                let Some(narrowing) = narrowing else {
                    let lines: Vec<Line> = several.iter().copied().map(Line::Option).collect();
                    return self.list(observation, options, &lines, count_of_fits, output).map(|()| None);
                };
                if narrowing.left() != several {
                    narrowing.narrow(line.to_owned(), several.to_vec());
                }
                self.offer(observation, Some(narrowing), options, output).map(|()| None)
            }
        }
    }

    fn help(&self, output: &mut Output) -> Result<(), Failure> {
        self.phrases.prompt.help.lines().try_for_each(|line| output.line(format!("  {line}")))
    }

    /// Reads a line; `None` at the end of input or on an interruption.
    fn read(&self, output: &mut Output) -> Result<Option<String>, Failure> {
        output.write("> ")?;
        output.flush()?;
        let line = loop {
            // Lines may arrive without a pause, so an interruption is noticed before each of them.
            if is_stopped() {
                break None;
            }
            match self.lines.recv_timeout(POLL_INTERVAL) {
                Ok(line) => break Some(line),
                Err(RecvTimeoutError::Disconnected) => break None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        if !self.has_screen || line.is_none() {
            output.line("")?;
        }
        Ok(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_width_digits_are_converted_to_ascii() {
        assert_eq!(plain_digits("２ and 10"), "2 and 10");
    }

    #[test]
    fn lines_typed_in_advance_are_dropped() {
        let (sender, lines) = sync_channel(0);
        let phrases = Phrases::for_language(Language::English);
        let prompt = Prompt { language: Language::English, phrases, has_screen: true, lines };
        let (begin, begun) = sync_channel(0);
        let typing = std::thread::spawn(move || {
            sender.send("1".to_owned()).unwrap();
            sender.send("2".to_owned()).unwrap();
            begun.recv().unwrap();
            sender.send("3".to_owned()).unwrap();
        });
        prompt.drop_typed_ahead();
        begin.send(()).unwrap();
        assert_eq!(prompt.lines.recv().as_deref(), Ok("3"));
        typing.join().unwrap();
    }
}
