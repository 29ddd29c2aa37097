//! Texts for people who are about to take a choice back.

use crate::model::{Language, Model};
use crate::phrases::{Phrases, filled};
use crate::session::DisclosedFaces;
use crate::table::Layout;
use crate::wording::Wording;
use std::collections::BTreeMap;

/// Returns lines for a player who is about to take a choice back: which players have seen pieces of which zones since the choice, and
/// whether hidden information will be dealt anew.
pub(crate) fn remarks(model: &Model, wording: &Wording, disclosed: &DisclosedFaces, language: Language) -> Vec<String> {
    let Phrases { prompt, log, .. } = Phrases::for_language(language);
    let mut seen = BTreeMap::new();
    for shown in &disclosed.shown {
        *seen.entry(model.space(shown.space).zone).or_insert(0) |= shown.seats;
    }
    let line = |(zone, seats)| {
        let seats = model.all_seats().filter(|seat| seats & Layout::only(*seat) != 0);
        let names = seats.map(|seat| wording.seat(seat)).collect::<Vec<_>>().join(log.comma);
        filled(prompt.undo_shown, &[("place", &wording.zone_name(zone)), ("names", &names)])
    };
    let dealt = disclosed.is_any.then(|| prompt.undo_dealt.to_owned());
    seen.into_iter().map(line).chain(dealt).collect()
}
