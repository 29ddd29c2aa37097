//! Edits of the game's files during a game.

use super::Answer;
use super::host::Host;
use super::log_lines::log_of;
use crate::diagnostic::{Diagnostic, Diagnostics, Mark, render, shown};
use crate::model::Language;
use crate::phrases::{Phrases, filled};
use crate::playscript::RepeatedSession;
use crate::session::Game;
use crate::web::links::{self, Viewer};
use minijinja::context;
use minijinja::value::Value;
use std::path::PathBuf;

/// Result of an edit of the game's files.
pub(super) enum Saved {
    /// The files have mistakes, or the game cannot start under the new rules.
    Mistakes(String),
    /// The new rules were adopted. All choices are valid under them.
    Played,
    /// The new rules were adopted up to the first choice that is not valid under them. The old game is saved in the file `kept`.
    PlayedFrom { kept: PathBuf },
    /// The game is over, so it keeps its rules.
    Over,
    /// A choice is not valid under the new rules. Contains the host's message in each language, the new game, and the session up to this
    /// choice.
    Broken { why: [String; Language::ALL.len()], game: Game, remade: Box<RepeatedSession> },
}

/// Maximum number of log lines shown for a choice.
const LINES: usize = 4;

impl Host {
    /// Adopts the edited files if they have no mistakes and every choice so far is valid under the new rules. A finished game keeps its
    /// rules if it would not be over under the new ones. Records the result in [`Self::saved`].
    pub(super) fn reload(&mut self, edited: &Result<Game, Diagnostics>) {
        self.tokens.record_files_change();
        let game = edited.clone().and_then(|game| game.host(self.table.setup()).map(|_| game));
        let text = |found: &Diagnostic| render(found, false);
        self.saved = Some(match game {
            Err(mistakes) => Saved::Mistakes(mistakes.0.iter().map(text).collect::<Vec<_>>().join("\n\n")),
            Ok(game) => match self.table.replay_with(&game) {
                Err(why) => Saved::Mistakes(text(&self.open_to_all(&why, "the rules fail"))),
                Ok(RepeatedSession { broken: Some(why), .. }) if self.table.session().answers().is_empty() => {
                    Saved::Mistakes(text(&self.open_to_all(&why, "the rules fail")))
                }
                // All hands are revealed at the end of a game, so the game must not continue from an earlier point.
                Ok(remade) if self.is_over() && remade.session.outcome().is_none() => Saved::Over,
                Ok(mut remade) => {
                    if let Some(why) = remade.broken.take() {
                        let why = Language::ALL.map(|language| text(&self.broken(&why, remade.kept, language)));
                        Saved::Broken { why, game, remade: Box::new(remade) }
                    } else {
                        self.adopt_rules(&game, remade);
                        Saved::Played
                    }
                }
            },
        });
        self.show();
    }

    /// Reduces a fault in play to its place in the game's files. The message, the variables and the options of the fault may reveal hidden
    /// information.
    pub(super) fn open_to_all(&self, found: &Diagnostic, what: &str) -> Diagnostic {
        let file = shown(self.table.file());
        let of_game = found.marks.iter().filter(|mark| mark.place.source.path != file);
        let marks = of_game.map(|mark| Mark { note: String::new(), ..mark.clone() }).collect();
        let open = Diagnostic::error(found.code, format!("{what}; why may speak of what lies hidden"));
        let help = format!("`parlour run GAME --from {file}` prints all of it for the owner of that file");
        Diagnostic { marks, trace: found.trace.clone(), ..open.help(help) }
    }

    /// Reduces the message about a choice that is not valid under new rules to public information: its place and the public log.
    fn broken(&self, found: &Diagnostic, choice: usize, language: Language) -> Diagnostic {
        let file = shown(self.table.file());
        let at = found.marks.first().filter(|mark| mark.place.source.path == file);
        let found = match at {
            Some(mark) => {
                let (line, _) = mark.place.line_column();
                let why = format!("choice {}, `{file}:{line}`, cannot be made by the new rules", choice + 1);
                Diagnostic::error(found.code, why)
            }
            None => self.open_to_all(found, &format!("the new rules fail before choice {}", choice + 1)),
        };
        found
            .detail("what everybody's log says of the choice", self.public_log_lines(choice, language))
            .help("go on from there by the new rules, or keep the old ones")
    }

    /// Returns the first public log lines about a choice, at most [`LINES`].
    fn public_log_lines(&self, choice: usize, language: Language) -> Vec<String> {
        let heard = |answers: usize| -> Option<Vec<String>> {
            let mut session = self.table.session().fork();
            session.undo_to(answers).ok()?;
            Some(log_of(&session, Viewer::Host, language).into_iter().map(|line| line.text).collect())
        };
        let both = self.table.answers_of(choice).and_then(|(before, with)| Some((heard(before)?, heard(with)?)));
        let (before, with) = both.unwrap_or_default();
        let known = before.iter().zip(&with).take_while(|(one, other)| one == other).count();
        with.into_iter().skip(known).take(LINES).collect()
    }

    fn is_over(&self) -> bool {
        self.table.session().outcome().is_some()
    }

    /// Replaces the rules of the table, and drops an open request to take back a choice.
    pub(super) fn adopt_rules(&mut self, game: &Game, remade: RepeatedSession) {
        let adopted = links::seed().and_then(|seed| self.table.replace_rules(game, remade, seed));
        self.fault = adopted.err().map(|why| why.message);
        (self.undo, self.held) = (None, None);
        self.tokens.record_rules_change();
        self.publish();
        self.shown.faces().clear();
        self.refresh_question();
    }

    /// Carries out the host's decision about a choice that is not valid under edited rules. Ignores other viewers.
    pub(super) fn decide(&mut self, viewer: Viewer, language: Language, is_new: bool, token: &str) -> Answer {
        if viewer != Viewer::Host {
            return Answer::Done;
        }
        if token != self.tokens.edit() {
            return Answer::Refused(Phrases::for_language(language).web.stale.to_owned());
        }
        let mut answer = Answer::Done;
        self.saved = match self.saved.take() {
            Some(Saved::Broken { .. }) if is_new && self.is_over() => Some(Saved::Over),
            Some(Saved::Broken { why, game, remade }) if is_new => match self.table.save_copy() {
                Ok(kept) => {
                    // The game loses the later choices, but the copy contains them.
                    self.adopt_rules(&game, *remade);
                    Some(Saved::PlayedFrom { kept })
                }
                Err(refusal) => {
                    answer = Answer::Refused(refusal.message);
                    Some(Saved::Broken { why, game, remade })
                }
            },
            Some(Saved::Broken { .. }) => None,
            other => other,
        };
        self.show();
        answer
    }

    /// Returns the template values of the last edit's result. Only the host sees which choice is not valid.
    pub(super) fn saved_part(&self, viewer: Viewer, language: Language) -> Option<Value> {
        let web = &Phrases::for_language(language).web;
        let is_host = viewer == Viewer::Host;
        Some(match self.saved.as_ref()? {
            Saved::Mistakes(detail) => context! { text => web.files_wrong, detail, decides => false },
            Saved::PlayedFrom { kept } => {
                let detail =
                    if is_host { filled(web.kept_as_it_was, &[("file", &shown(kept))]) } else { String::new() };
                context! { text => web.rules_new_from_there, detail, decides => false }
            }
            Saved::Over => context! { text => web.over_no_rules, detail => "", decides => false },
            Saved::Played => context! { text => web.rules_new, detail => "", decides => false },
            Saved::Broken { why, remade, .. } => {
                let detail = if is_host { &why[language as usize] } else { "" };
                // A count that includes hidden answers would tell viewers that somebody has answered.
                let choices = self.table.choices().saturating_sub(self.table.session().pending_answers());
                let dropped = filled(web.choices_go, &[("count", &choices.saturating_sub(remade.kept))]);
                let token = self.tokens.edit();
                context! { text => web.choice_broken, detail, dropped, decides => is_host, token }
            }
        })
    }
}
