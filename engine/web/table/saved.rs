//! Files of the game that are saved while it is played.

use super::Answer;
use super::host::Host;
use super::showing::log_of;
use crate::diagnostic::{Diagnostic, Diagnostics, Mark, render, shown};
use crate::model::Language;
use crate::phrases::{Phrases, filled};
use crate::playscript::Repeated;
use crate::session::Game;
use crate::web::links::{self, Viewer};
use minijinja::context;
use minijinja::value::Value;
use std::path::PathBuf;

/// What became of files that were saved.
pub(super) enum Saved {
    /// They have mistakes.
    Mistakes(String),
    /// The game goes on by them with all choices.
    Played,
    /// The game goes on by them from where a choice did not hold; as it was, it is kept in a file beside.
    PlayedFrom { kept: PathBuf },
    /// The game is over and stays as it was played.
    Over,
    /// By them a choice does not hold: what the host sees of it in each language, and the game up to there.
    Broken { why: [String; Language::ALL.len()], game: Game, remade: Box<Repeated> },
}

/// So many lines are shown of what everybody heard of a choice.
const LINES: usize = 4;

impl Host {
    /// Plays on by the files as they are, if every choice so far holds by them.
    pub(super) fn reload(&mut self, edited: &Result<Game, Diagnostics>) {
        self.tokens.files_change();
        let game = edited.clone().and_then(|game| game.host(self.table.setup()).map(|_| game));
        let text = |found: &Diagnostic| render(found, false);
        self.saved = Some(match game {
            Err(mistakes) => Saved::Mistakes(mistakes.0.iter().map(text).collect::<Vec<_>>().join("\n\n")),
            Ok(game) => match self.table.replay_with(&game) {
                Err(why) => Saved::Mistakes(text(&self.open_to_all(&why, "the rules fail"))),
                Ok(Repeated { broken: Some(why), .. }) if self.table.session().answers().is_empty() => {
                    Saved::Mistakes(text(&self.open_to_all(&why, "the rules fail")))
                }
                // Hands are open by now: nothing goes back to before the end.
                Ok(remade) if self.is_over() && remade.session.outcome().is_none() => Saved::Over,
                Ok(mut remade) => {
                    if let Some(why) = remade.broken.take() {
                        let why = Language::ALL.map(|language| text(&self.broken(&why, remade.kept, language)));
                        Saved::Broken { why, game, remade: Box::new(remade) }
                    } else {
                        self.adopt(&game, remade);
                        Saved::Played
                    }
                }
            },
        });
        self.show();
    }

    /// A mistake that came up in play, as everybody may see it: where in the files of the game. Its message, variables, options and
    /// the command that plays it again may speak of what lies hidden.
    pub(super) fn open_to_all(&self, found: &Diagnostic, what: &str) -> Diagnostic {
        let file = shown(self.table.file());
        let of_game = found.marks.iter().filter(|mark| mark.place.source.path != file);
        let marks = of_game.map(|mark| Mark { note: String::new(), ..mark.clone() }).collect();
        let open = Diagnostic::error(found.code, format!("{what}; why may speak of what lies hidden"));
        let help = format!("`parlour run GAME --from {file}` prints all of it for the owner of that file");
        Diagnostic { marks, trace: found.trace.clone(), ..open.help(help) }
    }

    /// Why a choice does not hold, as everybody may see it: the line says what was chosen, and the options are what the seat has.
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
            .detail("what everybody's log says of the choice", self.heard_of(choice, language))
            .help("go on from there by the new rules, or keep the old ones")
    }

    /// What everybody heard of a choice.
    fn heard_of(&self, choice: usize, language: Language) -> Vec<String> {
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

    pub(super) fn adopt(&mut self, game: &Game, remade: Repeated) {
        let adopted = links::seed().and_then(|seed| self.table.replace_rules(game, remade, seed));
        self.fault = adopted.err().map(|why| why.message);
        (self.undo, self.held) = (None, None);
        self.tokens.rules_change();
        self.publish();
        self.shown.faces().clear();
        self.question_changes();
    }

    /// What the host decides where a choice does not hold.
    pub(super) fn decide(&mut self, viewer: Viewer, language: Language, is_new: bool, token: &str) -> Answer {
        if viewer != Viewer::Host {
            return Answer::Done;
        }
        if token != self.tokens.edit() {
            return Answer::Refused(Phrases::of(language).web.stale.to_owned());
        }
        let mut answer = Answer::Done;
        self.saved = match self.saved.take() {
            Some(Saved::Broken { .. }) if is_new && self.is_over() => Some(Saved::Over),
            Some(Saved::Broken { why, game, remade }) if is_new => match self.table.save_copy() {
                Ok(kept) => {
                    // What was chosen since does not come with it.
                    self.adopt(&game, *remade);
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

    /// What a viewer sees of files that were saved. Which choice does not hold is shown to the host alone, who decides.
    pub(super) fn saved_part(&self, viewer: Viewer, language: Language) -> Option<Value> {
        let web = &Phrases::of(language).web;
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
                // Nobody counts answers that are hidden until all have answered.
                let choices = self.table.choices().saturating_sub(self.table.session().pending_answers());
                let dropped = filled(web.choices_go, &[("count", &choices.saturating_sub(remade.kept))]);
                let token = self.tokens.edit();
                context! { text => web.choice_broken, detail, dropped, decides => is_host, token }
            }
        })
    }
}
