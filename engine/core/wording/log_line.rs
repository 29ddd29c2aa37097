//! Lines of the log.

use super::names::Wording;

/// A line of the log. [`Wording::lay_out`] lays it out for a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogLine {
    /// Heading of a round or of the end of the game, or the name of an ending.
    Round(String),
    /// Heading of a phase.
    Phase(String),
    /// An event, or several events in one line. One of the two texts may be empty.
    Event {
        /// A sentence about a seat or about the game.
        sentence: String,
        /// Moves and changes of values. If there is a sentence, it describes what caused them.
        changes: String,
    },
    /// Drawing of a grid: its title, its rows, and possibly a legend.
    Drawing(Vec<String>),
}

impl LogLine {
    /// Returns an event without moves or changes of values.
    pub(super) const fn sentence(sentence: String) -> Self {
        Self::Event { sentence, changes: String::new() }
    }
}

impl Wording {
    /// Returns the text of a line without indentation. The rows of a drawing are separated by line breaks.
    pub fn text_of_line(&self, line: &LogLine) -> String {
        match line {
            LogLine::Round(text) | LogLine::Phase(text) => text.clone(),
            LogLine::Event { sentence, changes } => {
                let dash = if sentence.is_empty() || changes.is_empty() { "" } else { self.log.dash };
                format!("{sentence}{dash}{changes}")
            }
            LogLine::Drawing(rows) => rows.join("\n"),
        }
    }

    /// Lays out a line for a terminal. Headings of rounds follow an empty line; other lines are indented.
    pub fn lay_out(&self, line: &LogLine) -> Vec<String> {
        match line {
            LogLine::Round(text) => vec![format!("\n{text}")],
            LogLine::Phase(text) => vec![format!("  {text}")],
            LogLine::Event { .. } => vec![format!("    {}", self.text_of_line(line))],
            LogLine::Drawing(rows) => {
                std::iter::once(String::new()).chain(rows.iter().map(|row| format!("    {row}"))).collect()
            }
        }
    }
}
