//! Sentences of the log of whole games: a sentence is complete before the next answer or step, and effects name their card.

use crate::case::cases_of_long_tests;
use crate::random_walk::walk;
use parlour::model::Language;
use parlour::session::{Event, EventKind};
use parlour::wording::Wording;

/// Maximum number of sentences that are compared per game. Each comparison narrates the log up to this sentence.
const MAX_COMPARED: usize = 40;

/// Returns whether an event ends the sentence of the answer before it.
const fn ends_sentence(event: &Event) -> bool {
    matches!(
        event.kind,
        EventKind::Chose { .. }
            | EventKind::Step
            | EventKind::Round(_)
            | EventKind::Phase(_)
            | EventKind::Finish
            | EventKind::Ended(_)
    )
}

/// Returns whether an event begins or ends the effect of a card.
const fn is_effect_bound(event: &Event) -> bool {
    matches!(event.kind, EventKind::Triggered { .. } | EventKind::Called { .. } | EventKind::EffectEnded)
}

/// Returns the index of the first event after `at` for which `ends` holds.
fn end_after(events: &[Event], at: usize, ends: impl Fn(&Event) -> bool) -> usize {
    (at + 1..events.len()).find(|at| ends(&events[*at])).unwrap_or(events.len())
}

#[test]
fn later_events_do_not_change_sentences_about_answers() {
    let mut compared = 0;
    for case in cases_of_long_tests() {
        let session = walk(&case, 4, |_, _| {});
        let events: Vec<Event> = session.events().iter().cloned().collect();
        let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
        let all = wording.narrate(&events);
        let answers = (0..events.len()).filter(|at| matches!(events[*at].kind, EventKind::Chose { .. }));
        for at in answers.take(MAX_COMPARED) {
            let end = end_after(&events, at, ends_sentence);
            let so_far = wording.narrate(&events[..end]);
            assert!(all.starts_with(&so_far), "{case}: {:?} became {:?}", so_far.last(), all.get(so_far.len() - 1));
            compared += 1;
        }
    }
    assert!(compared > 1_000, "only {compared} sentences");
}

#[test]
fn lines_about_effects_name_the_card() {
    let mut named = 0;
    for case in cases_of_long_tests() {
        let session = walk(&case, 4, |_, _| {});
        let events: Vec<Event> = session.events().iter().cloned().collect();
        let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
        for at in 0..events.len() {
            let (EventKind::Triggered { look } | EventKind::Called { look }) = &events[at].kind else { continue };
            let card = wording.component(look.component);
            let before = wording.narrate(&events[..at]).len();
            let end = end_after(&events, at, |event| ends_sentence(event) || is_effect_bound(event));
            let told = wording.narrate(&events[..end]);
            for line in told[before.min(told.len())..].iter().filter(|line| !line.starts_with('\n')) {
                assert!(line.contains(card), "{case}: an effect of `{card}` is told as {line:?}");
                named += 1;
            }
        }
    }
    assert!(named > 10, "only {named} lines");
}
