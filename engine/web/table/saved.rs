//! Files of the game that are saved while it is played.

use super::Answer;
use super::host::Host;
use crate::diagnostic::{Diagnostic, Diagnostics, render};
use crate::model::Language;
use crate::phrases::Phrases;
use crate::playscript::Remade;
use crate::session::Game;
use crate::web::links::Viewer;
use minijinja::context;
use minijinja::value::Value;

/// What became of files that were saved.
pub(super) enum Saved {
    /// They have mistakes.
    Mistakes(String),
    /// The game goes on by them: from where a choice did not hold, or with all choices.
    Played { from_there: bool },
    /// By them a choice does not hold: why, and the game up to there.
    Broken { why: String, game: Game, remade: Box<Remade> },
}

impl Host {
    /// Plays on by the files as they are, if every choice so far holds by them.
    pub(super) fn reload(&mut self, edited: &Result<Game, Diagnostics>) {
        let game = edited.clone().and_then(|game| game.host(self.table.setup()).map(|_| game));
        let told = |found: &Diagnostic| render(found, false);
        self.saved = Some(match game {
            Err(mistakes) => Saved::Mistakes(mistakes.0.iter().map(told).collect::<Vec<_>>().join("\n\n")),
            Ok(game) => match self.table.remade(&game) {
                Err(why) => Saved::Mistakes(told(&why)),
                Ok(Remade { broken: Some(why), .. }) if self.table.session().answers().is_empty() => {
                    Saved::Mistakes(told(&why))
                }
                Ok(mut remade) => match remade.broken.take() {
                    Some(why) => Saved::Broken { why: told(&why), game, remade: Box::new(remade) },
                    None => self.adopt(&game, remade, false),
                },
            },
        });
        self.show();
    }

    pub(super) fn adopt(&mut self, game: &Game, remade: Remade, from_there: bool) -> Saved {
        let adopted = self.table.adopt(game, remade);
        self.fault = adopted.err().map(|why| why.message);
        self.undo = None;
        self.rules += 1;
        self.publish();
        self.shown.faces().clear();
        self.question_changes();
        Saved::Played { from_there }
    }

    /// What the host decides where a choice does not hold.
    pub(super) fn decide(&mut self, viewer: Viewer, is_new: bool) -> Answer {
        if viewer == Viewer::Host {
            match self.saved.take() {
                Some(Saved::Broken { game, remade, .. }) if is_new => {
                    // What was chosen since does not come with it.
                    let saved = self.adopt(&game, *remade, true);
                    self.saved = Some(saved);
                }
                Some(Saved::Broken { .. }) => {}
                other => self.saved = other,
            }
            self.show();
        }
        Answer::Done
    }

    /// What a viewer is told of files that were saved. Which choice does not hold the host is told alone: it may have been secret.
    pub(super) fn saved_part(&self, viewer: Viewer, language: Language) -> Option<Value> {
        let web = &Phrases::of(language).web;
        let is_host = viewer == Viewer::Host;
        Some(match self.saved.as_ref()? {
            Saved::Mistakes(told) => context! { text => web.files_wrong, told, decides => false },
            Saved::Played { from_there: true } => {
                context! { text => web.rules_new_from_there, told => "", decides => false }
            }
            Saved::Played { .. } => context! { text => web.rules_new, told => "", decides => false },
            Saved::Broken { why, .. } => {
                context! { text => web.choice_broken, told => if is_host { why } else { "" }, decides => is_host }
            }
        })
    }
}
