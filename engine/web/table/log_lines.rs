//! The log as pages show it: each line names the seat that acts, and the moves of a sentence are folded.

use crate::model::{Language, Seat};
use crate::session::Session;
use crate::web::links::Viewer;
use crate::web::scene::wording_of;
use crate::wording::{LogLine, Wording};
use serde::Serialize;

/// Maximum number of log lines beside the table.
pub(super) const LATEST: usize = 60;

/// Renders the events of a session as log lines, as one viewer may read them, oldest first.
pub(super) fn log_of(session: &Session, viewer: Viewer, language: Language) -> Vec<LogEntry> {
    let wording = wording_of(session, viewer, language);
    let names: Vec<&str> = session.model().all_seats().map(|seat| wording.seat(seat)).collect();
    let own = match viewer {
        Viewer::Seat(seat) => Some(Seat(seat)),
        Viewer::Onlooker | Viewer::Host => None,
    };
    let lines = wording.log_lines(session.events());
    let mut log: Vec<LogEntry> =
        lines.iter().map(|line| LogEntry::new(line, &wording, &names).about(own, &names)).collect();
    for (at, line) in log.iter_mut().enumerate() {
        line.number = at + 1;
    }
    log
}

/// Groups the last `most` events of a log by rounds and phases, with the newest chapter and the newest event first. Leaves out drawings,
/// because the page shows the table itself.
pub(super) fn chapters(log: &[LogEntry], most: usize) -> Vec<Chapter> {
    let mut skipped = log.iter().filter(|line| line.level == Level::Event).count().saturating_sub(most);
    let mut chapters: Vec<Chapter> = Vec::new();
    let mut round = String::new();
    for line in log {
        match line.level {
            Level::Round => {
                round.clone_from(&line.text);
                chapters.push(Chapter { title: round.clone(), lines: Vec::new() });
            }
            Level::Phase => {
                let parts = [&round[..], &line.text].into_iter().filter(|part| !part.is_empty());
                let title = parts.collect::<Vec<_>>().join(" · ");
                match chapters.last_mut().filter(|chapter| chapter.lines.is_empty()) {
                    Some(chapter) => chapter.title = title,
                    None => chapters.push(Chapter { title, lines: Vec::new() }),
                }
            }
            Level::Drawing => {}
            Level::Event if skipped > 0 => skipped -= 1,
            Level::Event => {
                if chapters.is_empty() {
                    chapters.push(Chapter { title: round.clone(), lines: Vec::new() });
                }
                if let Some(chapter) = chapters.last_mut() {
                    match chapter.lines.last_mut().filter(|last| last.may_be_merged_with(line)) {
                        Some(last) => {
                            last.others.extend(line.seat.map(|seat| (seat, line.subject.clone())));
                            last.number = line.number;
                        }
                        None => chapter.lines.push(line.clone()),
                    }
                }
            }
        }
    }
    // The last chapter may have just begun, so it is kept even without lines.
    let last = chapters.len().saturating_sub(1);
    let mut at = 0;
    chapters.retain(|chapter| {
        at += 1;
        !chapter.lines.is_empty() || at > last
    });
    for chapter in &mut chapters {
        chapter.lines.reverse();
    }
    chapters.reverse();
    chapters
}

/// Lines of the log under one heading.
#[derive(Debug, Serialize)]
pub(super) struct Chapter {
    title: String,
    lines: Vec<LogEntry>,
}

/// Level of a line of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    Round,
    Phase,
    Event,
    Drawing,
}

/// A line of the log as a page shows it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct LogEntry {
    level: Level,
    /// Number of the line in the viewer's log, counted from 1. If several lines are merged, the number of the last one.
    number: usize,
    /// The whole line, or the rows of a drawing.
    pub(super) text: String,
    /// Index of the seat with whose name the line begins.
    seat: Option<usize>,
    /// Name of the seat as written in the line.
    subject: String,
    /// Seats of the following lines that are merged into this one, with their names. These lines say the same about another seat, for
    /// example that the seat passes.
    others: Vec<(usize, String)>,
    /// Whether another seat acts in the line and the line names the viewer's seat.
    is_about_viewer: bool,
    /// Rest of the sentence after the subject.
    sentence: String,
    /// Moves and changes that the line lists, as text.
    moves: String,
}

impl LogEntry {
    /// Creates the entry for a line of the log, in which the seats are called by `names`.
    pub(super) fn new(line: &LogLine, wording: &Wording, names: &[&str]) -> Self {
        let (level, sentence, moves) = match line {
            LogLine::Round(text) => (Level::Round, "", &**text),
            LogLine::Phase(text) => (Level::Phase, "", &**text),
            LogLine::Event { sentence, changes } => (Level::Event, &**sentence, &**changes),
            LogLine::Drawing(rows) => {
                return Self { level: Level::Drawing, text: rows.join("\n"), ..Self::event("", "", names) };
            }
        };
        Self { level, text: wording.text_of_line(line), ..Self::event(sentence, moves, names) }
    }

    fn event(sentence: &str, moves: &str, names: &[&str]) -> Self {
        // If one name begins with another, the line begins with the longer one.
        let begins = names.iter().enumerate().filter(|(_, name)| sentence.starts_with(**name));
        let seat = begins.max_by_key(|(_, name)| name.len());
        let subject = seat.map_or("", |(_, name)| *name);
        Self {
            level: Level::Event,
            number: 0,
            text: String::new(),
            seat: seat.map(|(seat, _)| seat),
            subject: subject.to_owned(),
            others: Vec::new(),
            is_about_viewer: false,
            sentence: sentence[subject.len()..].to_owned(),
            moves: moves.to_owned(),
        }
    }

    /// Sets [`Self::is_about_viewer`] for a viewer in the seat `own`.
    pub(super) fn about(mut self, own: Option<Seat>, names: &[&str]) -> Self {
        let Some(name) = own.and_then(|seat| names.get(seat.index())) else { return self };
        let is_part_of_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        let is_named = |text: &str| {
            text.match_indices(name).any(|(at, _)| {
                let (before, after) = (&text[..at], &text[at + name.len()..]);
                // Only ASCII letters and digits count as part of the same word. In languages without spaces, other letters may directly
                // precede or follow a name.
                !(name.is_ascii()
                    && (is_part_of_word(before.chars().next_back().filter(char::is_ascii))
                        || is_part_of_word(after.chars().next().filter(char::is_ascii))))
            })
        };
        let is_of_other = self.seat.is_some() && self.seat != own.map(Seat::index);
        self.is_about_viewer = is_of_other && (is_named(&self.sentence) || is_named(&self.moves));
        self
    }

    /// Returns whether the line has a sentence besides its moves.
    pub(super) const fn has_sentence(&self) -> bool {
        !self.sentence.is_empty()
    }

    /// Returns whether `next` says the same about another seat. Neither line may have moves.
    fn may_be_merged_with(&self, next: &Self) -> bool {
        let seats = || self.seat.into_iter().chain(self.others.iter().map(|(seat, _)| *seat));
        let is_plain = |line: &Self| line.seat.is_some() && line.moves.is_empty();
        is_plain(self)
            && is_plain(next)
            && self.sentence == next.sentence
            && !seats().any(|seat| Some(seat) == next.seat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(text: &str) -> LogEntry {
        LogEntry { level: Level::Round, text: text.to_owned(), ..LogEntry::event("", "", &[]) }
    }

    #[test]
    fn log_lines_are_grouped_newest_first() {
        let event = |sentence: &str, moves: &str| LogEntry::event(sentence, moves, &["Ann", "Annabel"]);
        let phase = || LogEntry { level: Level::Phase, text: "Play".to_owned(), ..event("", "") };
        let log = [
            round("Round 1"),
            phase(),
            event("Ann plays 7", "Ann's Hand → Table: 7"),
            round("Round 2"),
            phase(),
            LogEntry { level: Level::Drawing, text: "1 2\n3 4".to_owned(), ..event("", "") },
            event("Annabel passes", ""),
            event("", "Ann's Hand → Box: 3"),
            round("Round 3"),
        ];
        let all = chapters(&log, 9);
        let titles: Vec<&str> = all.iter().map(|chapter| &*chapter.title).collect();
        assert_eq!(titles, ["Round 3", "Round 2 · Play", "Round 1 · Play"]);
        let [moved, passes] = &all[1].lines[..] else { panic!("{all:?}") };
        // Moves without a sentence belong to no seat.
        assert_eq!((moved.seat, &*moved.sentence, &*moved.moves), (None, "", "Ann's Hand → Box: 3"));
        assert_eq!((passes.seat, &*passes.subject, &*passes.sentence), (Some(1), "Annabel", " passes"));
        let plays = &all[2].lines[0];
        assert_eq!((plays.seat, &*plays.sentence, &*plays.moves), (Some(0), " plays 7", "Ann's Hand → Table: 7"));
        // Drawings do not count among the latest events.
        let latest: Vec<usize> = chapters(&log, 2).iter().map(|chapter| chapter.lines.len()).collect();
        assert_eq!(latest, [0, 2]);
    }

    #[test]
    fn equal_lines_of_seats_are_merged_and_lines_about_the_viewer_marked() {
        let names = ["Ann", "Ben", "Cho"];
        let line = |text: &str| LogEntry::event(text, "", &names).about(Some(Seat(1)), &names);
        let log = [
            round("Round 1"),
            line("Ann passes"),
            line("Cho passes"),
            line("Ann passes"),
            line("Ann robs Ben"),
            line("Ben robs Benjamin"),
        ];
        let lines = &chapters(&log, 9)[0].lines;
        let told: Vec<_> = lines.iter().map(|line| (&*line.subject, line.others.len(), line.is_about_viewer)).collect();
        assert_eq!(told, [("Ben", 0, false), ("Ann", 0, true), ("Ann", 0, false), ("Ann", 1, false)]);
        assert!(!line("Ann visits Benjamin").is_about_viewer);
    }
}
