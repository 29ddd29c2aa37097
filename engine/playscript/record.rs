//! Recording of games as playscripts.

use super::play::{Play, PlayStatement, StatementKind};
use super::statements::format_line;
use crate::diagnostic::Diagnostics;
use crate::model::{DecisionId, Language, Seat};
use crate::session::{Act, Choice, ChooseError, Decision, EventKind, Game, Redeal, Session, Setup, Status};
use crate::wording::{Offer, PICK_SEPARATOR, Row, Wording};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Recording of a game in progress.
#[derive(Debug, Clone)]
pub struct Recorder {
    statements: Vec<PlayStatement>,
    /// Whether to add the fingerprint and the changes of the table after each choice.
    marked: bool,
    /// The table according to the recording so far.
    rows: BTreeMap<String, String>,
    /// Number of events that have been processed.
    seen: usize,
    /// Picks of an answer that is not complete yet.
    picked: Vec<String>,
}

/// State of a [`Recorder`], created by [`Recorder::mark`].
pub(crate) struct RecorderMark {
    statements: usize,
    rows: BTreeMap<String, String>,
    seen: usize,
    picked: Vec<String>,
}

/// Prefix of the notes that give the number of each new round.
const ROUND: &str = "Round ";

/// Approximate maximum width of `table` lines in characters.
const MAX_WIDTH: usize = 100;

impl Recorder {
    /// Starts the recording of a game that has just begun. If `marked` is set, each choice is recorded with a fingerprint and the changes
    /// of the table.
    pub fn begin(game: &Game, session: &Session, marked: bool) -> Self {
        let setup = session.setup();
        let names = session.model().all_seats().map(|seat| setup.name(seat).to_owned()).collect();
        let mut head = vec![
            StatementKind::Game(game.id().to_owned()),
            StatementKind::Players(names),
            StatementKind::Seed(setup.seed),
        ];
        head.extend(setup.options.iter().map(|(name, value)| StatementKind::Option(name.clone(), value.clone())));
        head.extend(setup.sets.iter().map(|(path, value)| StatementKind::Set(path.clone(), value.clone())));
        let mut recorder = Self::with_statements(head.into_iter().map(statement).collect(), marked);
        recorder.note_table(session, true);
        recorder
    }

    /// Continues a recording whose statements have led to `session`. `seen` is the number of events at the last choice.
    ///
    /// Round notes at the end are removed and written again, because an interruption may have cut them off.
    pub fn resume(mut statements: Vec<PlayStatement>, session: &Session, seen: usize) -> Self {
        while statements
            .pop_if(|last| matches!(&last.what, StatementKind::Note(text) if text.starts_with(ROUND)))
            .is_some()
        {}
        let has_begun = statements
            .iter()
            .any(|one| matches!(one.what, StatementKind::Choice { .. } | StatementKind::Redeal { .. }));
        let mut recorder = Self::with_statements(statements, true);
        for statement in &recorder.statements {
            if let StatementKind::Table { rows, .. } = &statement.what {
                recorder.rows.extend(rows.iter().filter(|(_, content)| !content.is_empty()).cloned());
                rows.iter().filter(|(_, content)| content.is_empty()).for_each(|(place, _)| {
                    recorder.rows.remove(place);
                });
            }
        }
        recorder.seen = if has_begun { seen } else { 0 };
        recorder.note_table(session, !has_begun);
        recorder
    }

    fn with_statements(statements: Vec<PlayStatement>, marked: bool) -> Self {
        Self { statements, marked, rows: BTreeMap::new(), seen: 0, picked: Vec::new() }
    }

    /// Adds a note at the end of the recording.
    pub fn note(&mut self, text: &str) {
        self.statements.push(statement(StatementKind::Note(text.to_owned())));
    }

    /// Returns the notes so far, each with the number of choices before it. Leaves out the notes that number the rounds.
    pub fn notes(&self) -> Vec<(usize, &str)> {
        let mut choices = 0;
        let mut found = Vec::new();
        for statement in &self.statements {
            match &statement.what {
                StatementKind::Choice { .. } => choices += 1,
                StatementKind::Note(text) if !text.starts_with(ROUND) => found.push((choices, text.as_str())),
                _ => {}
            }
        }
        found
    }

    /// Returns the number of choices recorded so far.
    pub fn choices(&self) -> usize {
        self.statements.iter().filter(|statement| matches!(statement.what, StatementKind::Choice { .. })).count()
    }

    /// Replaces the `agents` statement, which says who plays in each seat. Adds the statement if there is none.
    pub fn seat(&mut self, agents: Vec<String>) {
        self.statements.retain(|statement| !matches!(statement.what, StatementKind::Agents(_)));
        let last = self.statements.iter().rposition(|statement| statement.what.is_head());
        self.statements.insert(last.map_or(0, |last| last + 1), statement(StatementKind::Agents(agents)));
    }

    /// Answers the open decision with the option at index `at`, and records the choice once the answer is complete.
    ///
    /// # Errors
    /// Fails if there is no such option, or no open decision.
    pub fn choose(&mut self, session: &mut Session, at: usize) -> Result<(), ChooseError> {
        self.note_rounds(session);
        let asked = session.decision().map(|open| (open.seat, open.id, open.picks.is_some()));
        let word = session.decision().filter(|open| at < open.count()).map(|open| option_text(session, open, at));
        let things = session.decision().map(|open| thing_texts(session, open)).unwrap_or_default();
        session.choose(at)?;
        let (Some((seat, id, has_picks)), Some(word)) = (asked, word) else { return Ok(()) };
        self.picked.push(word);
        // The recorded answer includes picks that were made automatically.
        let complete_answer = if has_picks { all_picks(session, self.seen, (seat, id), &things) } else { None };
        let is_begun = |next: &Decision| has_picks && complete_answer.is_none() && (next.seat, next.id) == (seat, id);
        if session.decision().is_some_and(is_begun) {
            return Ok(());
        }
        let picked = std::mem::take(&mut self.picked).join(PICK_SEPARATOR);
        let has_failed = matches!(session.status(), Status::Failed(_));
        let is_marked = self.marked && !has_failed;
        self.statements.push(statement(StatementKind::Choice {
            seat: session.setup().name(seat).to_owned(),
            decision: session.model().decisions[id.index()].id.to_string(),
            answer: complete_answer.filter(|complete_answer| !complete_answer.is_empty()).unwrap_or(picked),
            mark: is_marked.then(|| session.fingerprint()),
        }));
        if !has_failed {
            self.note_table(session, false);
        }
        Ok(())
    }

    /// Returns the current state, to which [`Self::roll_back`] can return.
    pub(crate) fn mark(&self) -> RecorderMark {
        let (rows, picked) = (self.rows.clone(), self.picked.clone());
        RecorderMark { statements: self.statements.len(), rows, seen: self.seen, picked }
    }

    /// Drops everything that was recorded since a mark.
    pub(crate) fn roll_back(&mut self, mark: RecorderMark) {
        self.statements.truncate(mark.statements);
        (self.rows, self.seen, self.picked) = (mark.rows, mark.seen, mark.picked);
    }

    /// Deals hidden pieces again and records the redeal.
    pub fn redeal(&mut self, session: &mut Session, redeal: &Redeal) {
        self.note_rounds(session);
        session.redeal(redeal);
        self.statements.push(statement(StatementKind::Redeal {
            seed: redeal.seed,
            by: redeal.by.map(|seat| session.setup().name(seat).to_owned()),
            consent: redeal.consent,
            mark: self.marked.then(|| session.fingerprint()),
        }));
        self.note_table(session, false);
    }

    /// Repeats an entry of a session's history and records it.
    ///
    /// # Errors
    /// Fails if the answer is not an option, or no decision is open.
    pub fn repeat(&mut self, session: &mut Session, act: &Act) -> Result<(), ChooseError> {
        match act {
            Act::Answer(at) => self.choose(session, *at as usize),
            Act::Redeal(redeal) => {
                self.redeal(session, redeal);
                Ok(())
            }
        }
    }

    /// Records the result if the game is over.
    pub fn end(&mut self, session: &Session) {
        self.statements.extend(self.result(session));
    }

    /// Returns the `end` statement, or `None` if the game is not over.
    fn result(&self, session: &Session) -> Option<PlayStatement> {
        let outcome = session.outcome()?;
        let name = |seat| session.setup().name(seat).to_owned();
        let scores = outcome.standings.iter().map(|standing| (name(standing.seat), standing.score)).collect();
        let ending = session.model().endings[outcome.ending.index()].id.to_string();
        let mark = self.marked.then(|| session.fingerprint());
        Some(statement(StatementKind::End { ending: Some(ending), scores, mark }))
    }

    /// Returns the number of statements so far.
    pub(crate) const fn statement_count(&self) -> usize {
        self.statements.len()
    }

    /// Formats the recording of `session` from the statement at index `first` on, with the result if the game is over. If `first` is 0, the
    /// output begins with the `format` line.
    pub(crate) fn text_since(&self, first: usize, session: &Session) -> String {
        let mut text = if first == 0 { format!("{}\n", format_line()) } else { String::new() };
        for statement in self.statements[first..].iter().chain(&self.result(session)) {
            writeln!(text, "{}", statement.what).expect("a string takes every line");
        }
        text
    }

    /// Returns the recording so far.
    pub fn play(&self) -> Play {
        Play { head: self.statements.clone(), scenes: Vec::new() }
    }

    /// Adds a note for each round that has begun since the last choice.
    fn note_rounds(&mut self, session: &Session) {
        for event in session.events().since(self.seen) {
            if let EventKind::Round(round) = event.kind {
                self.statements.push(statement(StatementKind::Note(format!("{ROUND}{round}"))));
            }
        }
        self.seen = session.events().len();
    }

    /// Adds `table` statements with the changes of the table since the last call. If `with_mark` is set, the last of these statements gets
    /// the fingerprint.
    fn note_table(&mut self, session: &Session, with_mark: bool) {
        if !self.marked {
            return;
        }
        let now = rows(session);
        let gone =
            self.rows.keys().filter(|place| !now.contains_key(*place)).map(|place| (place.clone(), String::new()));
        let changed = now.iter().filter(|(place, content)| self.rows.get(*place) != Some(*content));
        let changes: Vec<(String, String)> =
            changed.map(|(place, content)| (place.clone(), content.clone())).chain(gone).collect();
        let mut lines = table_statements(changes);
        if let Some(StatementKind::Table { mark, .. }) = lines.last_mut().filter(|_| with_mark) {
            *mark = Some(session.fingerprint());
        }
        self.statements.extend(lines.into_iter().map(statement));
        self.rows = now;
    }
}

/// Records the game that a list of answers leads to, up to the first answer that is not accepted. If `marked` is set, adds the fingerprint
/// of the table after each choice.
///
/// # Errors
/// Returns all mistakes in the game's files and in the setup.
pub fn record(game: &Game, setup: &Setup, answers: &[u64], marked: bool) -> Result<Play, Diagnostics> {
    let mut session = Session::start(game, setup)?;
    let mut recorder = Recorder::begin(game, &session, marked);
    for &answer in answers {
        if recorder.choose(&mut session, answer as usize).is_err() {
            break;
        }
    }
    recorder.end(&session);
    Ok(recorder.play())
}

fn option_text(session: &Session, open: &Decision, at: usize) -> String {
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    wording.for_seat(open.seat).written(session.table(), open, &open.option(at))
}

/// Returns the offered texts of the words and lists that a selection is made from, which may be in quotes.
fn thing_texts(session: &Session, open: &Decision) -> Vec<(Choice, String)> {
    let is_thing = |choice: &&Choice| matches!(choice, Choice::Word(_) | Choice::Many(_));
    let all = if open.picks.is_none() {
        Vec::new()
    } else if open.among.is_empty() {
        (0..open.options.len()).map(|at| open.option(at)).chain(open.picked.iter().cloned()).collect()
    } else {
        open.among.to_vec()
    };
    if !all.iter().any(|choice| is_thing(&choice)) {
        return Vec::new();
    }
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    let offer = Offer::new(wording.for_seat(open.seat), session.table(), open);
    all.iter().filter(is_thing).map(|choice| (choice.clone(), offer.written(choice))).collect()
}

/// Returns all picks of the first complete answer that a player gave to a decision since event `begun`, joined as in playscripts. `things`
/// are the offered texts of words and lists.
fn all_picks(
    session: &Session,
    begun: usize,
    asked: (Seat, DecisionId),
    things: &[(Choice, String)],
) -> Option<String> {
    session.events().since(begun).find_map(|event| match &event.kind {
        EventKind::Chose { seat, decision, choice, appearances } if (*seat, *decision) == asked => {
            let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
            let mut picks = wording.for_seat(*seat).written_picks(*seat, *decision, choice, appearances);
            if let Choice::Many(picked) = choice {
                for (text, pick) in picks.iter_mut().zip(picked.iter()) {
                    if let Some((_, offered)) = things.iter().find(|(thing, _)| thing == pick) {
                        text.clone_from(offered);
                    }
                }
            }
            Some(picks.join(PICK_SEPARATOR))
        }
        _ => None,
    })
}

/// Returns the whole table as a map from each place to its contents in short form.
fn rows(session: &Session) -> BTreeMap<String, String> {
    session.listing(None).iter().map(|row: &Row| (row.place.clone(), row.brief())).collect()
}

/// Distributes changes over `table` statements of about [`MAX_WIDTH`] characters at most. Only a single change may be wider.
fn table_statements(changes: Vec<(String, String)>) -> Vec<StatementKind> {
    let mut lines: Vec<(usize, Vec<(String, String)>)> = Vec::new();
    for (place, content) in changes {
        let width = place.chars().count() + content.chars().count() + 4;
        match lines.last_mut() {
            Some((so_far, rows)) if *so_far + width <= MAX_WIDTH => {
                *so_far += width;
                rows.push((place, content));
            }
            _ => lines.push((width, vec![(place, content)])),
        }
    }
    lines.into_iter().map(|(_, rows)| StatementKind::Table { rows, mark: None }).collect()
}

fn statement(what: StatementKind) -> PlayStatement {
    PlayStatement { what, place: None }
}
