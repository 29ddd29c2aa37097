//! Lines of the log. For the page, each line is split into the acting seat, the sentence, and the moves.

use crate::model::{Language, Seat};
use crate::phrases::Phrases;
use crate::session::Session;
use crate::web::links::Viewer;
use crate::web::scene::wording_of;
use serde::Serialize;

/// Maximum number of log lines beside the table.
pub(super) const LATEST: usize = 60;

/// Sign between source and destination of moves, in every language.
const ARROW: &str = " → ";

/// Indentation of the rows of a drawn grid, which are shown in a monospaced font.
const DRAWN: usize = 6;

/// Renders the events of a session as log lines, as one viewer may read them, oldest first.
pub(super) fn log_of(session: &Session, viewer: Viewer, language: Language) -> Vec<LogLine> {
    let wording = wording_of(session, viewer, language);
    let names: Vec<&str> = session.model().all_seats().map(|seat| wording.seat(seat)).collect();
    let own = match viewer {
        Viewer::Seat(seat) => Some(Seat(seat)),
        Viewer::Onlooker | Viewer::Host => None,
    };
    let dash = Phrases::for_language(language).log.dash;
    let mut log: Vec<LogLine> = Vec::new();
    for line in &wording.narrate(session.events()) {
        let text = line.trim_start();
        let indent = line.len() - line.trim_start_matches(' ').len();
        let level = match indent {
            _ if line.starts_with('\n') => 0,
            2 => 1,
            DRAWN.. if text.contains("  ") => 3,
            _ => 2,
        };
        match log.last_mut() {
            Some(LogLine { level: 3, text: rows, .. }) if level == 3 => {
                rows.push('\n');
                rows.push_str(&line[DRAWN..]);
            }
            _ if level == 3 => log.push(LogLine { is_drawing: true, ..LogLine::new(3, &line[DRAWN..]) }),
            _ if indent >= DRAWN => log.push(LogLine { is_drawing: true, ..LogLine::new(2, text) }),
            _ if level == 2 => log.push(LogLine::parse(text, &names, dash).about(own, &names)),
            _ => log.push(LogLine::new(level, text)),
        }
    }
    for (at, line) in log.iter_mut().enumerate() {
        line.number = at + 1;
    }
    log
}

/// Groups the last `most` lines of a log by rounds and phases, with the newest chapter and the newest line first.
pub(super) fn chapters(log: &[LogLine], most: usize) -> Vec<Chapter> {
    let is_counted = |line: &&LogLine| line.level > 1 && !line.is_drawing;
    let mut skipped = log.iter().filter(is_counted).count().saturating_sub(most);
    let mut chapters: Vec<Chapter> = Vec::new();
    let mut round = String::new();
    for line in log {
        match line.level {
            0 => {
                round.clone_from(&line.text);
                chapters.push(Chapter { title: round.clone(), lines: Vec::new() });
            }
            1 => {
                let parts = [&round[..], &line.text].into_iter().filter(|part| !part.is_empty());
                let title = parts.collect::<Vec<_>>().join(" · ");
                match chapters.last_mut().filter(|chapter| chapter.lines.is_empty()) {
                    Some(chapter) => chapter.title = title,
                    None => chapters.push(Chapter { title, lines: Vec::new() }),
                }
            }
            _ if line.is_drawing => {
                let above = chapters.last_mut().and_then(|chapter| chapter.lines.last_mut());
                if let Some(LogLine { rows, .. }) = above {
                    if !rows.is_empty() {
                        rows.push('\n');
                    }
                    rows.push_str(&line.text);
                }
            }
            _ if skipped > 0 => skipped -= 1,
            _ => {
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
    lines: Vec<LogLine>,
}

/// A line of the log.
#[derive(Debug, Clone, Serialize)]
pub(super) struct LogLine {
    /// Level of the line: 0 for a round, 1 for a phase, 2 for an event, 3 for the rows of a grid.
    pub(super) level: u8,
    /// Number of the line in the viewer's log, counted from 1. If several lines are merged, the number of the last one.
    number: usize,
    /// The whole line.
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
    /// Moves that the line lists, as text.
    moves: String,
    /// Drawing of a grid below the line, with its legend.
    rows: String,
    /// Whether the line is part of the drawing of a grid.
    is_drawing: bool,
}

impl LogLine {
    fn new(level: u8, text: &str) -> Self {
        let (subject, sentence, moves, rows, others) = Default::default();
        let text = text.to_owned();
        Self {
            level,
            number: 0,
            text,
            seat: None,
            subject,
            others,
            is_about_viewer: false,
            sentence,
            moves,
            rows,
            is_drawing: false,
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

    /// Returns whether `next` says the same about another seat. Neither line may have moves or a drawing.
    fn may_be_merged_with(&self, next: &Self) -> bool {
        let seats = || self.seat.into_iter().chain(self.others.iter().map(|(seat, _)| *seat));
        let is_plain = |line: &Self| line.seat.is_some() && line.moves.is_empty() && line.rows.is_empty();
        is_plain(self)
            && is_plain(next)
            && self.sentence == next.sentence
            && !seats().any(|seat| Some(seat) == next.seat)
    }

    /// Splits a line into the subject, the sentence, and the moves after the dash.
    pub(super) fn parse(text: &str, names: &[&str], dash: &str) -> Self {
        if !text.contains(dash) && text.contains(ARROW) {
            // The line lists moves without a sentence.
            return Self { moves: text.to_owned(), ..Self::new(2, text) };
        }
        let (said, moves) = text.split_once(dash).unwrap_or((text, ""));
        // If one name begins with another, the line begins with the longer one.
        let begins = names.iter().enumerate().filter(|(_, name)| said.starts_with(**name));
        let seat = begins.max_by_key(|(_, name)| name.len());
        let subject = seat.map_or("", |(_, name)| *name);
        Self {
            seat: seat.map(|(seat, _)| seat),
            subject: subject.to_owned(),
            sentence: said[subject.len()..].to_owned(),
            moves: moves.to_owned(),
            ..Self::new(2, text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_lines_are_parsed_and_grouped_newest_first() {
        let line = |text: &str| LogLine::parse(text, &["Ann", "Annabel"], " — ");
        let drawn = |text: &str| LogLine { is_drawing: true, ..LogLine::new(3, text) };
        let log = [
            LogLine::new(0, "Round 1"),
            LogLine::new(1, "Play"),
            line("Ann plays 7 — Ann's Hand → Table: 7"),
            LogLine::new(0, "Round 2"),
            LogLine::new(1, "Play"),
            line("Board"),
            drawn("1 2"),
            drawn("3 4"),
            line("Annabel passes"),
            line("Ann's Hand → Box: 3"),
            LogLine::new(0, "Round 3"),
        ];
        let all = chapters(&log, 9);
        let titles: Vec<&str> = all.iter().map(|chapter| &*chapter.title).collect();
        assert_eq!(titles, ["Round 3", "Round 2 · Play", "Round 1 · Play"]);
        let [moved, passes, board] = &all[1].lines[..] else { panic!("{all:?}") };
        // Moves without a sentence belong to no seat.
        assert_eq!((moved.seat, &*moved.sentence, &*moved.moves), (None, "", "Ann's Hand → Box: 3"));
        assert_eq!((passes.seat, &*passes.subject, &*passes.sentence), (Some(1), "Annabel", " passes"));
        assert_eq!((board.seat, &*board.rows), (None, "1 2\n3 4"));
        let plays = &all[2].lines[0];
        assert_eq!((plays.seat, &*plays.sentence, &*plays.moves), (Some(0), " plays 7", "Ann's Hand → Table: 7"));
        // Drawings do not count among the latest lines.
        let latest: Vec<usize> = chapters(&log, 3).iter().map(|chapter| chapter.lines.len()).collect();
        assert_eq!(latest, [0, 3]);
    }

    #[test]
    fn equal_lines_of_seats_are_merged_and_lines_about_the_viewer_marked() {
        let names = ["Ann", "Ben", "Cho"];
        let line = |text: &str| LogLine::parse(text, &names, " — ").about(Some(Seat(1)), &names);
        let log = [
            LogLine::new(0, "Round 1"),
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
