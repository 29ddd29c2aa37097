//! Writing a game down as a playscript.

use super::play::{Play, PlayStatement, What};
use crate::diagnostic::Diagnostics;
use crate::model::{DecisionId, Language, Seat};
use crate::session::Decision;
use crate::session::{Act, ChooseError, EventKind, Game, Redeal, Session, Setup, Status};
use crate::wording::Row;
use crate::wording::Wording;
use std::collections::BTreeMap;

/// A game being written down while it is played.
#[derive(Debug, Clone)]
pub struct Recorder {
    statements: Vec<PlayStatement>,
    /// Whether the fingerprint and the changes of the table stand behind every choice.
    marked: bool,
    /// The table as it stands in the recording.
    rows: BTreeMap<String, String>,
    /// How many events have been looked at.
    seen: usize,
    /// The picks of a choice of several that is not complete.
    picked: Vec<String>,
}

/// How the note begins that says which round it is.
const ROUND: &str = "Round ";

/// Lines that list changes are not made longer than this.
const WIDEST: usize = 100;

impl Recorder {
    /// Begins the recording of a game that has just begun.
    pub fn begin(game: &Game, session: &Session, marked: bool) -> Self {
        let setup = session.setup();
        let names = session.model().all_seats().map(|seat| setup.name(seat).to_owned()).collect();
        let mut head = vec![What::Game(game.id().to_owned()), What::Players(names), What::Seed(setup.seed)];
        head.extend(setup.options.iter().map(|(name, value)| What::Option(name.clone(), value.clone())));
        head.extend(setup.sets.iter().map(|(path, value)| What::Set(path.clone(), value.clone())));
        let mut recorder = Self::after(head.into_iter().map(statement).collect(), marked);
        recorder.note_table(session, true);
        recorder
    }

    /// Goes on with a recording whose statements have brought a session to where it is; `seen` is how many events there were
    /// at the last choice. What a cut has taken from its end is written again.
    pub fn resume(mut statements: Vec<PlayStatement>, session: &Session, seen: usize) -> Self {
        while statements.pop_if(|last| matches!(&last.what, What::Note(text) if text.starts_with(ROUND))).is_some() {}
        let has_begun = statements.iter().any(|one| matches!(one.what, What::Choice { .. } | What::Redeal { .. }));
        let mut recorder = Self::after(statements, true);
        for statement in &recorder.statements {
            if let What::Table { rows, .. } = &statement.what {
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

    fn after(statements: Vec<PlayStatement>, marked: bool) -> Self {
        Self { statements, marked, rows: BTreeMap::new(), seen: 0, picked: Vec::new() }
    }

    /// Writes a remark down behind what was chosen last.
    pub fn note(&mut self, text: &str) {
        self.statements.push(statement(What::Note(text.to_owned())));
    }

    /// The remarks so far, but for those that say which round it is, each with how many choices stand before it.
    pub fn notes(&self) -> Vec<(usize, &str)> {
        let mut choices = 0;
        let mut found = Vec::new();
        for statement in &self.statements {
            match &statement.what {
                What::Choice { .. } => choices += 1,
                What::Note(text) if !text.starts_with(ROUND) => found.push((choices, text.as_str())),
                _ => {}
            }
        }
        found
    }

    /// How many choices it holds.
    pub fn choices(&self) -> usize {
        self.statements.iter().filter(|statement| matches!(statement.what, What::Choice { .. })).count()
    }

    /// Says who sits where, in place of what it said of that.
    pub fn seat(&mut self, agents: Vec<String>) {
        self.statements.retain(|statement| !matches!(statement.what, What::Agents(_)));
        let last = self.statements.iter().rposition(|statement| statement.what.is_head());
        self.statements.insert(last.map_or(0, |last| last + 1), statement(What::Agents(agents)));
    }

    /// Answers the open decision with the option at a position, and writes that down.
    ///
    /// # Errors
    /// When there is no such option, or no decision.
    pub fn choose(&mut self, session: &mut Session, at: usize) -> Result<(), ChooseError> {
        self.note_rounds(session);
        let asked = session.decision().map(|open| (open.seat, open.id, open.picks.is_some()));
        let word = session.decision().filter(|open| at < open.count()).map(|open| written(session, open, at));
        session.choose(at)?;
        let (Some((seat, id, are_several)), Some(word)) = (asked, word) else { return Ok(()) };
        self.picked.push(word);
        // All that was picked is written down, what nobody was asked for with it.
        let whole = if are_several { picked_in_all(session, self.seen, (seat, id)) } else { None };
        let is_begun = |next: &Decision| are_several && whole.is_none() && (next.seat, next.id) == (seat, id);
        if session.decision().is_some_and(is_begun) {
            return Ok(());
        }
        let picked = std::mem::take(&mut self.picked).join(" + ");
        let has_failed = matches!(session.status(), Status::Failed(_));
        let is_marked = self.marked && !has_failed;
        self.statements.push(statement(What::Choice {
            seat: session.setup().name(seat).to_owned(),
            decision: session.model().decisions[id.index()].id.to_string(),
            answer: whole.filter(|whole| !whole.is_empty()).unwrap_or(picked),
            mark: is_marked.then(|| session.fingerprint()),
        }));
        if !has_failed {
            self.note_table(session, false);
        }
        Ok(())
    }

    /// Deals again what nobody knows, and writes that down.
    pub fn redeal(&mut self, session: &mut Session, redeal: &Redeal) {
        self.note_rounds(session);
        session.redeal(redeal);
        self.statements.push(statement(What::Redeal {
            seed: redeal.seed,
            by: redeal.by.map(|seat| session.setup().name(seat).to_owned()),
            consent: redeal.consent,
            mark: self.marked.then(|| session.fingerprint()),
        }));
        self.note_table(session, false);
    }

    /// Repeats an entry of a history, and writes it down.
    ///
    /// # Errors
    /// When an answer is none of the options, or no decision is open.
    pub fn repeat(&mut self, session: &mut Session, act: &Act) -> Result<(), ChooseError> {
        match act {
            Act::Answer(at) => self.choose(session, *at as usize),
            Act::Redeal(redeal) => {
                self.redeal(session, redeal);
                Ok(())
            }
        }
    }

    /// Writes down how the game ended, if it has.
    pub fn end(&mut self, session: &Session) {
        let Some(outcome) = session.outcome() else { return };
        let name = |seat| session.setup().name(seat).to_owned();
        let scores = outcome.standings.iter().map(|standing| (name(standing.seat), standing.score)).collect();
        let ending = session.model().endings[outcome.ending.index()].id.to_string();
        let mark = self.marked.then(|| session.fingerprint());
        self.statements.push(statement(What::End { ending: Some(ending), scores, mark }));
    }

    /// The recording so far.
    pub fn play(&self) -> Play {
        Play { head: self.statements.clone(), scenes: Vec::new() }
    }

    /// Says where in the game the next choice is.
    fn note_rounds(&mut self, session: &Session) {
        for event in session.events().since(self.seen) {
            if let EventKind::Round(round) = event.what {
                self.statements.push(statement(What::Note(format!("{ROUND}{round}"))));
            }
        }
        self.seen = session.events().len();
    }

    /// Says what has changed on the table since this was last said.
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
        let mut lines = lines(changes);
        if let Some(What::Table { mark, .. }) = lines.last_mut().filter(|_| with_mark) {
            *mark = Some(session.fingerprint());
        }
        self.statements.extend(lines.into_iter().map(statement));
        self.rows = now;
    }
}

/// Writes down the game that a list of answers leads through; `marked` adds the fingerprint after every choice.
///
/// # Errors
/// Every mistake in the game's files, and in the setup.
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

fn written(session: &Session, open: &Decision, at: usize) -> String {
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    wording.for_seat(open.seat).written(session.table(), open, &open.option(at))
}

/// What was picked in an answer that was given since there were so many events.
fn picked_in_all(session: &Session, begun: usize, asked: (Seat, DecisionId)) -> Option<String> {
    session.events().since(begun).find_map(|event| match &event.what {
        EventKind::Chose { seat, decision, choice, looks } if (*seat, *decision) == asked => {
            let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
            Some(wording.for_seat(*seat).written_picks(*seat, *decision, choice, looks).join(" + "))
        }
        _ => None,
    })
}

/// The whole table, in few letters.
fn rows(session: &Session) -> BTreeMap<String, String> {
    session.listing(None).iter().map(|row: &Row| (row.place.clone(), row.brief())).collect()
}

/// Statements that list changes, none of them too wide.
fn lines(changes: Vec<(String, String)>) -> Vec<What> {
    let mut lines: Vec<(usize, Vec<(String, String)>)> = Vec::new();
    for (place, content) in changes {
        let width = place.chars().count() + content.chars().count() + 4;
        match lines.last_mut() {
            Some((so_far, rows)) if *so_far + width <= WIDEST => {
                *so_far += width;
                rows.push((place, content));
            }
            _ => lines.push((width, vec![(place, content)])),
        }
    }
    lines.into_iter().map(|(_, rows)| What::Table { rows, mark: None }).collect()
}

fn statement(what: What) -> PlayStatement {
    PlayStatement { what, place: None }
}
