//! Finds the line of the rules that caused a scene to fail.

use super::errors::WENT_ANOTHER_WAY;
use super::expectations::words;
use super::rule_trace::RuleTrace;
use super::runner::Runner;
use crate::diagnostic::{Diagnostic, Mark, Place, Role};
use crate::model::{Seat, SpaceId};
use crate::session::{EventKind, Point, Session};
use crate::table::{Holder, Member};

/// Maximum number of functions listed in a diagnostic.
const MAX_FUNCTIONS: usize = 12;

impl Runner<'_> {
    /// Adds to the trace the statements that ran since the last action, if tracing is on.
    pub(super) fn update_trace(&mut self) {
        let Some(trace) = &mut self.trace else { return };
        if let Some(covered) = self.session.as_ref().and_then(Session::take_coverage) {
            trace.add(covered);
        }
    }

    /// Adds to `failure` the line of the rules that caused it, or else the functions that ran last.
    ///
    /// `self` is a second run of the scene with traced rules, and `same` is its failure.
    pub(super) fn add_cause(&self, failure: &mut Diagnostic, same: &Diagnostic) {
        let Some(trace) = self.trace.as_ref().filter(|_| failure.code == same.code && self.session.is_some()) else {
            return;
        };
        let in_rules = failure.marks.iter().any(|mark| mark.place.source.role() == Some(Role::Rules));
        let Some(first) = failure.marks.first().filter(|_| !in_rules) else { return };
        let mut text = first.place.source.text[first.place.span.clone()].to_owned();
        if failure.code == WENT_ANOTHER_WAY {
            text = failure
                .details
                .iter()
                .flat_map(|detail| &detail.lines)
                .filter_map(|line| line.split("  ").next())
                .fold(String::new(), |text, place| text + " " + place);
        }
        let mark = match failure.code {
            "not-offered" | "ambiguous" | "offered" | "offers" | "options" | "not-asked" => self.question_line(trace),
            WENT_ANOTHER_WAY => self.change_line(trace, &text, true),
            "expect" | "sight" | "log" => self.change_line(trace, &text, false),
            "never-came" | "too-many" => None,
            _ => return,
        };
        if let Some(mark) = mark {
            failure.marks.push(mark);
            return;
        }
        let mut functions = trace.functions();
        let more = functions.len().saturating_sub(MAX_FUNCTIONS);
        functions.truncate(MAX_FUNCTIONS);
        if more > 0 {
            functions.push(format!("… and {more} more"));
        }
        *failure = std::mem::replace(failure, Diagnostic::error("", "")).detail("rules that ran last", functions);
    }

    /// Returns the line of the rules that asks the open decision: the last line in the source that ran and contains the decision's id in
    /// quotes.
    fn question_line(&self, trace: &RuleTrace) -> Option<Mark> {
        let open = self.session().decision()?;
        let quoted = format!("\"{}\"", self.session().model().decisions[open.id.index()].id);
        let asks = |point: &&Point| line_of(&point.place).contains(&quoted);
        let mut ran = trace.points.iter().filter(|(_, hits)| *hits > 0).map(|(point, _)| point);
        let point = ran.rfind(asks)?;
        Some(Mark { place: point.place.clone(), note: "asked here".to_owned() })
    }

    /// Returns the line that last changed a value or zone that `text` names, either directly or in a function whose name it contains. If
    /// `first` is set, returns the line that made the first such change since the last choice instead.
    fn change_line(&self, trace: &RuleTrace, text: &str, first: bool) -> Option<Mark> {
        let session = self.session();
        let functions = session.functions();
        let mut named: Vec<String> = words(text).map(str::to_owned).collect();
        for (_, place) in functions.iter().filter(|(name, _)| words(text).any(|word| word == name)) {
            named.extend(words(body(place)).map(str::to_owned));
        }
        let references = References { session, setup: &self.setup, named, text };
        let events = session.events();
        let cause = |at: usize| {
            let note = references.describe_change(&events[at].kind)?;
            Some(Mark { place: trace.cause_of(at)?.place.clone(), note })
        };
        if first { (self.seen..events.len()).find_map(cause) } else { (0..events.len()).rev().find_map(cause) }
    }
}

/// Names in an expectation, with the session and the setup that resolve them.
struct References<'a> {
    session: &'a Session,
    setup: &'a crate::session::Setup,
    named: Vec<String>,
    text: &'a str,
}

impl References<'_> {
    fn names(&self, word: &str) -> bool {
        self.named.iter().any(|named| named == word)
    }

    /// Returns whether the text refers to objects of `seat`. If the text names seats, it refers only to objects of these seats. Objects
    /// without a seat are always included.
    fn includes_seat(&self, seat: Option<Seat>) -> bool {
        let Some(seat) = seat else { return true };
        let is_named = |seat: Seat| words(self.text).any(|word| word == self.setup.name(seat));
        is_named(seat) || !self.session.model().all_seats().any(is_named)
    }

    fn describe_change(&self, what: &EventKind) -> Option<String> {
        let model = self.session.model();
        match what {
            EventKind::Set { value, holder, old, new, .. } => {
                let (whose, is_meant) = match holder {
                    Holder::Seat(seat) => (format!("{}.", self.setup.name(*seat)), self.includes_seat(Some(*seat))),
                    Holder::Component(component) => {
                        let id = &model.component(*component).id;
                        (format!("{id}."), !self.names_a_component() || self.names(id))
                    }
                    Holder::Pair(one, _) => match one {
                        Member::Seat(seat) => (format!("{}.", self.setup.name(*seat)), self.includes_seat(Some(*seat))),
                        Member::Component(component) => (format!("{}.", model.component(*component).id), true),
                    },
                    _ => (String::new(), true),
                };
                let id = &model.value(*value).id;
                let is_number = model.value(*value).is_number();
                let change = if is_number { format!(" went from {old} to {new}") } else { " changed".to_owned() };
                (is_meant && self.names(id)).then(|| format!("`{whose}{id}`{change} here"))
            }
            EventKind::Moved { look, to } => {
                let zone = [*to, look.space].into_iter().find(|space| self.names_zone_of(*space))?;
                let verb = if zone == *to { "came to" } else { "left" };
                let found = model.zone(model.space(zone).zone);
                let whose = found.seat.map_or_else(String::new, |seat| format!("{}.", self.setup.name(seat)));
                Some(format!("`{}` {verb} `{whose}{}` here", model.component(look.component).id, found.path))
            }
            _ => None,
        }
    }

    fn names_a_component(&self) -> bool {
        self.session.model().components.iter().any(|component| self.names(&component.id))
    }

    fn names_zone_of(&self, space: SpaceId) -> bool {
        let model = self.session.model();
        let zone = model.space(space).zone;
        self.names(&model.family_of(zone).id) && self.includes_seat(model.zone(zone).seat)
    }
}

/// Returns the source line in which a place begins.
fn line_of(place: &Place) -> &str {
    let text = &place.source.text;
    let start = text[..place.span.start].rfind('\n').map_or(0, |at| at + 1);
    text[start..].lines().next().unwrap_or("")
}

/// Returns the source of a function, beginning at its name.
fn body(name: &Place) -> &str {
    let rest = &name.source.text[name.span.start..];
    rest.find("\nfn ").or_else(|| rest.find("\n///")).map_or(rest, |end| &rest[..end])
}
