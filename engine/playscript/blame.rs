//! From what does not hold in a play to the line of the rules that brought it about.

use super::expecting::words;
use super::failing::WENT_ANOTHER_WAY;
use super::runner::Runner;
use super::watch::Watch;
use crate::diagnostic::{Diagnostic, Mark, Place, Role};
use crate::model::{Seat, SpaceId};
use crate::session::{EventKind, Point, Session};
use crate::table::{Holder, Member};

/// The most functions that are listed.
const MOST_FUNCTIONS: usize = 12;

impl Runner<'_> {
    /// Notes what ran of the rules since the last act, if they are watched.
    pub(super) fn look(&mut self) {
        let Some(watch) = &mut self.watch else { return };
        if let Some(covered) = self.session.as_ref().and_then(Session::covered) {
            watch.add(covered);
        }
    }

    /// Adds to a failure the line of the rules that brought it about, or else the functions that ran. This is the same scene
    /// with rules that are watched, and `same` is how it failed there.
    pub(super) fn lead(&self, failure: &mut Diagnostic, same: &Diagnostic) {
        let Some(watch) = self.watch.as_ref().filter(|_| failure.code == same.code && self.session.is_some()) else {
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
            "not-offered" | "ambiguous" | "offered" | "offers" | "options" | "not-asked" => self.asked_at(watch),
            WENT_ANOTHER_WAY => self.change(watch, &text, true),
            "expect" | "sight" | "log" => self.change(watch, &text, false),
            "never-came" | "too-many" => None,
            _ => return,
        };
        if let Some(mark) = mark {
            failure.marks.push(mark);
            return;
        }
        let mut functions = watch.functions();
        let more = functions.len().saturating_sub(MOST_FUNCTIONS);
        functions.truncate(MOST_FUNCTIONS);
        if more > 0 {
            functions.push(format!("… and {more} more"));
        }
        *failure = std::mem::replace(failure, Diagnostic::error("", "")).detail("rules that ran last", functions);
    }

    /// The line that asks what is being asked.
    fn asked_at(&self, watch: &Watch) -> Option<Mark> {
        let open = self.session().decision()?;
        let quoted = format!("\"{}\"", self.session().model().decisions[open.id.index()].id);
        let asks = |point: &&Point| line_of(&point.place).contains(&quoted);
        let mut ran = watch.points.iter().filter(|(_, hits)| *hits > 0).map(|(point, _)| point);
        let point = ran.rfind(asks)?;
        Some(Mark { place: point.place.clone(), note: "asked here".to_owned() })
    }

    /// The line that last changed anything the text names, a value or what lies in a zone; or that first did since the last
    /// choice.
    fn change(&self, watch: &Watch, text: &str, first: bool) -> Option<Mark> {
        let session = self.session();
        let functions = session.functions();
        let mut named: Vec<String> = words(text).map(str::to_owned).collect();
        for (_, place) in functions.iter().filter(|(name, _)| words(text).any(|word| word == name)) {
            named.extend(words(body(place)).map(str::to_owned));
        }
        let meant = Meant { session, setup: &self.setup, named, text };
        let events = session.events();
        let cause = |at: usize| {
            let note = meant.note(&events[at].what)?;
            Some(Mark { place: watch.cause(at)?.place.clone(), note })
        };
        if first { (self.seen..events.len()).find_map(cause) } else { (0..events.len()).rev().find_map(cause) }
    }
}

/// What a text names.
struct Meant<'a> {
    session: &'a Session,
    setup: &'a crate::session::Setup,
    named: Vec<String>,
    text: &'a str,
}

impl Meant<'_> {
    fn names(&self, word: &str) -> bool {
        self.named.iter().any(|named| named == word)
    }

    /// Whether something of a seat is meant: of those that the text names, if it names any.
    fn is_of(&self, seat: Option<Seat>) -> bool {
        let Some(seat) = seat else { return true };
        let is_named = |seat: Seat| words(self.text).any(|word| word == self.setup.name(seat));
        is_named(seat) || !self.session.model().all_seats().any(is_named)
    }

    fn note(&self, what: &EventKind) -> Option<String> {
        let model = self.session.model();
        match what {
            EventKind::Set { value, holder, old, new, .. } => {
                let (whose, is_meant) = match holder {
                    Holder::Seat(seat) => (format!("{}.", self.setup.name(*seat)), self.is_of(Some(*seat))),
                    Holder::Component(component) => {
                        let id = &model.component(*component).id;
                        (format!("{id}."), !self.names_a_component() || self.names(id))
                    }
                    Holder::Pair(one, _) => match one {
                        Member::Seat(seat) => (format!("{}.", self.setup.name(*seat)), self.is_of(Some(*seat))),
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
                let zone = [*to, look.space].into_iter().find(|space| self.means_zone_of(*space))?;
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

    fn means_zone_of(&self, space: SpaceId) -> bool {
        let model = self.session.model();
        let zone = model.space(space).zone;
        self.names(&model.family_of(zone).id) && self.is_of(model.zone(zone).seat)
    }
}

/// The whole line a place stands in.
fn line_of(place: &Place) -> &str {
    let text = &place.source.text;
    let start = text[..place.span.start].rfind('\n').map_or(0, |at| at + 1);
    text[start..].lines().next().unwrap_or("")
}

/// The text of a function from its name on.
fn body(name: &Place) -> &str {
    let rest = &name.source.text[name.span.start..];
    rest.find("\nfn ").or_else(|| rest.find("\n///")).map_or(rest, |end| &rest[..end])
}
