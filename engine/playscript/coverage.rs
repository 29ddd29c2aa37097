//! Coverage: which parts of a game its playscripts reached.

use super::runner::Runner;
use crate::model::{ComponentId, Model, Setting, SpaceId, Value, ValueType};
use crate::session::{Choice, EventKind, INVARIANT};
use crate::table::{Holder, Member};
use std::collections::BTreeMap;

/// Kind of a declaration. The comment of each variant says when such a declaration counts as reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeclarationKind {
    /// A phase. Counts as reached when it begins.
    Phase,
    /// A decision. Counts as reached when it is answered, or if it is open at the end of the playscript.
    Decision,
    /// A component. Counts as reached when an event moves, turns, shows, chooses or names the component, one of its pieces or one of its
    /// zones, or sets a value that the component holds or that refers to it.
    Component,
    /// A value of an option. Counts as reached when a game is played with it.
    Option,
    /// An ending. Counts as reached when a game ends with it.
    Ending,
}

/// A line of the rules.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RuleLine {
    /// Path of the file, relative to the game's folder.
    pub path: String,
    /// Number of the line, from 1.
    pub line: usize,
}

/// Number of times that playscripts reached each declaration, line and function of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Coverage {
    /// Number of times each declaration was reached, by kind and name. Declarations that were never reached have 0.
    pub things: BTreeMap<(DeclarationKind, String), u64>,
    /// Number of times each line of the rules was run. Contains only lines on which a statement begins.
    pub lines: BTreeMap<RuleLine, u64>,
    /// Number of calls of each function in the rules, by the function's first line and name.
    pub functions: BTreeMap<(RuleLine, String), u64>,
}

impl Coverage {
    /// Adds the counts of other playscripts of the same game.
    pub fn add(&mut self, other: &Self) {
        add(&mut self.things, &other.things);
        add(&mut self.lines, &other.lines);
        add(&mut self.functions, &other.functions);
    }

    fn declare(&mut self, kind: DeclarationKind, name: impl Into<String>) {
        self.things.entry((kind, name.into())).or_default();
    }

    fn reach(&mut self, kind: DeclarationKind, name: impl Into<String>) {
        *self.things.entry((kind, name.into())).or_default() += 1;
    }
}

fn add<K: Clone + Ord>(counts: &mut BTreeMap<K, u64>, more: &BTreeMap<K, u64>) {
    for (key, count) in more {
        *counts.entry(key.clone()).or_default() += count;
    }
}

impl Runner<'_> {
    /// Returns the coverage of this scene; empty if play has not begun.
    pub(super) fn coverage(&self) -> Coverage {
        let mut coverage = Coverage::default();
        let (Some(session), Some(game)) = (&self.session, &self.game) else { return coverage };
        let model = session.model();
        declare(&mut coverage, model);
        for (option, values) in game.option_values() {
            for value in &values {
                coverage.declare(DeclarationKind::Option, format!("{option} = {value}"));
            }
            let value = model.options.get(option.as_str()).and_then(|option| option_value(&option.value));
            if let Some(value) = value.filter(|value| values.contains(value)) {
                coverage.reach(DeclarationKind::Option, format!("{option} = {value}"));
            }
        }
        if let Some(open) = session.decision() {
            coverage.reach(DeclarationKind::Decision, &*model.decisions[open.id.index()].id);
        }
        for event in session.events() {
            record_event(&mut coverage, model, &event.kind);
        }
        self.cover_lines(&mut coverage);
        coverage
    }

    fn cover_lines(&self, coverage: &mut Coverage) {
        let points = self.trace.iter().flat_map(|trace| &trace.points);
        let mut first: BTreeMap<&str, u64> = BTreeMap::new();
        for (point, hits) in points.filter(|(point, _)| !point.function.starts_with(INVARIANT)) {
            first.entry(&point.function).or_insert(*hits);
            let line = RuleLine { path: point.place.source.path.clone(), line: point.place.line_column().0 };
            let count = coverage.lines.entry(line).or_default();
            *count = (*count).max(*hits);
        }
        for (name, place) in self.session().functions() {
            if let Some(hits) = first.get(name.as_str()) {
                let line = RuleLine { path: place.source.path.clone(), line: place.line_column().0 };
                coverage.functions.insert((line, name), *hits);
            }
        }
    }
}

fn declare(coverage: &mut Coverage, model: &Model) {
    model.phases.iter().for_each(|phase| coverage.declare(DeclarationKind::Phase, &*phase.id));
    model.decisions.iter().for_each(|decision| coverage.declare(DeclarationKind::Decision, &*decision.id));
    model.components.iter().for_each(|component| coverage.declare(DeclarationKind::Component, &*component.id));
    model.endings.iter().for_each(|ending| coverage.declare(DeclarationKind::Ending, &*ending.id));
}

fn record_event(coverage: &mut Coverage, model: &Model, what: &EventKind) {
    let component = |id: ComponentId| &*model.component(id).id;
    let owner = |space: SpaceId| model.zone(model.space(space).zone).of;
    let named = |leaf: &Choice| match leaf {
        Choice::Component(id) => Some(*id),
        Choice::Zone(zone) => model.zone(*zone).of,
        Choice::Space(space) => owner(*space),
        _ => None,
    };
    match what {
        EventKind::Phase(phase) => coverage.reach(DeclarationKind::Phase, &*model.phases[phase.index()].id),
        EventKind::Ended(ending) => coverage.reach(DeclarationKind::Ending, &*model.endings[ending.index()].id),
        EventKind::Moved { look, to } => {
            coverage.reach(DeclarationKind::Component, component(look.component));
            for id in owner(look.space).into_iter().chain(owner(*to)) {
                coverage.reach(DeclarationKind::Component, component(id));
            }
        }
        EventKind::Shown { look, .. } | EventKind::Turned { look, .. } => {
            coverage.reach(DeclarationKind::Component, component(look.component));
        }
        EventKind::Chose { decision, choice, appearances, .. } => {
            coverage.reach(DeclarationKind::Decision, &*model.decisions[decision.index()].id);
            appearances
                .iter()
                .for_each(|(_, look)| coverage.reach(DeclarationKind::Component, component(look.component)));
            choice.each_leaf(&mut |leaf| {
                if let Some(id) = named(leaf) {
                    coverage.reach(DeclarationKind::Component, component(id));
                }
            });
        }
        EventKind::Set { value, holder, look, new, .. } => {
            if matches!(model.value(*value).kind, ValueType::Component(_)) && *new != Value::NOTHING {
                coverage.reach(DeclarationKind::Component, component(ComponentId(*new as u16)));
            }
            let held = match holder {
                Holder::Component(id)
                | Holder::Pair(_, Member::Component(id))
                | Holder::Pair(Member::Component(id), _) => Some(*id),
                Holder::Space(space) => owner(*space),
                _ => None,
            };
            if let Some(id) = held {
                coverage.reach(DeclarationKind::Component, component(id));
            }
            if let Some(look) = look {
                coverage.reach(DeclarationKind::Component, component(look.component));
            }
        }
        EventKind::Said { facts, appearances, .. } => {
            appearances
                .iter()
                .for_each(|(_, look)| coverage.reach(DeclarationKind::Component, component(look.component)));
            for (_, fact) in facts.iter() {
                fact.each_leaf(&mut |leaf| {
                    if let Some(id) = named(leaf) {
                        coverage.reach(DeclarationKind::Component, component(id));
                    }
                });
            }
        }
        _ => {}
    }
}

/// Formats the value of an option as in settings. Returns `None` for lists and tables.
fn option_value(setting: &Setting) -> Option<String> {
    match setting {
        Setting::Number(number) => Some(number.to_string()),
        Setting::Word(word) => Some(word.to_string()),
        Setting::Seat(seat) => Some(seat.number().to_string()),
        Setting::Flag(flag) => Some(if *flag { "yes" } else { "no" }.to_owned()),
        Setting::Nothing => Some("none".to_owned()),
        Setting::List(_) | Setting::Table(_) => None,
    }
}
