//! Reads targets: desired ranges for statistics measured over many games.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::node::{Data, KeyedNode, Node};
use crate::loader::keys::form::{Form, TableSpec};
use crate::loader::keys::key::{Key, declare_table};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::{unknown, wrong_type};
use crate::loader::section::draft::Draft;
use crate::model::{Ending, Figure, FigureGroup, Target, Winners};
use std::sync::Arc;

/// Description of a figure's target. The figures themselves are defined together with the measures.
pub(in crate::loader) const FIGURE: &str = "target range of this figure";

/// Groups of figures, with a description of each.
pub(in crate::loader) const GROUPS: [(&str, &str); 5] = [
    (FigureGroup::Ending.word(), "share of games with an ending"),
    (FigureGroup::Tally.word(), "mean of a counter of the rules"),
    (FigureGroup::Attempts.word(), "mean number of games of a campaign that play a scenario"),
    (FigureGroup::ScenarioWon.word(), "share of campaigns that win a scenario"),
    (FigureGroup::Carried.word(), "mean of what campaigns carry over from a scenario, by names such as `frost.food`"),
];

/// Form of a target.
pub(in crate::loader) const TARGET: Form = Form::AnyOf(&[Form::Number, Form::Table(&BOUNDS)]);

declare_table! {
    const BOUNDS: TableSpec = TableSpec::new("a target", "targets")
        .also(&[("least", &MIN.spec), ("from", &MIN.spec), ("most", &MAX.spec), ("to", &MAX.spec),
            ("max_gap", &MAX.spec)]);

    const MIN: Key = Key::new("min", "minimum of the figure", Form::Number);
    const MAX: Key = Key::new("max", "maximum of the figure", Form::Number);
}

fn is_group(word: &str) -> bool {
    GROUPS.iter().any(|(group, _)| *group == word)
}

impl Draft<'_> {
    /// Reads the section `targets`.
    pub(in crate::loader) fn targets(&self, endings: &[Ending]) -> Vec<Target> {
        let mut targets = Vec::new();
        for (name, entry) in self.section("targets") {
            match &**name {
                word if is_group(word) => self.read_group(name, entry, endings, &mut targets),
                word if Figure::from_word(word) == Some(Figure::Success) && endings.iter().any(is_competitive) => {
                    self.mistake(success_of_rivals(&entry.key));
                }
                word if Figure::from_word(word).is_some() => targets.extend(self.target(name.clone(), name, entry)),
                word => {
                    let known = Figure::words().into_iter().chain(GROUPS.map(|(group, _)| group));
                    self.mistake(unknown("unknown-target", "figure to set a target for", word, &entry.key, known));
                }
            }
        }
        targets
    }

    /// Reads the targets of a group of figures, such as those of endings.
    fn read_group(&self, group: &Arc<str>, entry: &KeyedNode, endings: &[Ending], targets: &mut Vec<Target>) {
        let Some(table) = entry.node.table() else {
            let example = format!("a table of names, as `{group} = {{ some_name = 0.1 }}`");
            return self.mistake(wrong_type(group, &example, &entry.node));
        };
        for (name, entry) in table {
            if &**group == "ending" && endings.iter().all(|ending| ending.id != *name) {
                let known = endings.iter().map(|ending| &*ending.id);
                self.mistake(unknown("unknown-ending", "ending", name, &entry.key, known));
                continue;
            }
            targets.extend(self.target(format!("{group}.{name}").into(), name, entry));
        }
    }

    /// Reads a target. A single number is a maximum; a table has `min`, `max` or both.
    fn target(&self, figure: Arc<str>, name: &str, entry: &KeyedNode) -> Option<Target> {
        if let Some(max) = millionths(&entry.node) {
            self.check_bound(&figure, name, max, &entry.node);
            return Some(Target { figure, min: None, max: Some(max) });
        }
        if entry.node.table().is_none() {
            self.mistake(wrong_type(name, "a number, or a table with `min` and `max`", &entry.node));
            return None;
        }
        let fields = Fields::from_entry(self.report, name, entry, &BOUNDS)?;
        let bound = |key: &Key| {
            let node = fields.get(key)?;
            let number = millionths(node);
            match number {
                None => self.mistake(wrong_type(key.name, "a number", node)),
                Some(number) => self.check_bound(&figure, name, number, node),
            }
            number
        };
        let (min, max) = (bound(&MIN), bound(&MAX));
        if min.zip(max).is_some_and(|(min, max)| min > max) {
            self.mistake(empty_range(name, &entry.node));
        }
        Some(Target { figure, min, max })
    }

    /// Reports a bound outside the range of the figure: 0 to 1 for shares, and at least 0 for most other figures.
    fn check_bound(&self, figure: &str, name: &str, bound: i64, node: &Node) {
        if Target::is_share(figure) && !(0..=Target::UNIT).contains(&bound) {
            self.mistake(not_a_share(name, bound, node));
        } else if bound < 0 && !Target::may_be_negative(figure) {
            let found = Diagnostic::error("out-of-range", format!("`{name}` is never less than 0"));
            self.mistake(found.mark(node.place.clone(), "is negative"));
        }
    }
}

/// Converts a number to millionths. Returns `None` if the node is not a number, or on overflow.
fn millionths(node: &Node) -> Option<i64> {
    match node.data {
        Data::Number(number) => number.checked_mul(Target::UNIT),
        Data::Fraction(millionths) => Some(millionths),
        _ => None,
    }
}

/// Returns whether an ending ranks the seats, so that only the best seats win.
fn is_competitive(ending: &Ending) -> bool {
    ending.winners == Winners::Best
}

fn success_of_rivals(place: &Place) -> Diagnostic {
    Diagnostic::error("unknown-target", "`success` is a figure of games that all players win or lose together")
        .mark(place.clone(), "has endings that some win and others lose")
        .help("write `winners = \"everybody\"` or `winners = \"nobody\"` for every ending, or leave the target out")
}

fn empty_range(name: &str, node: &Node) -> Diagnostic {
    Diagnostic::error("out-of-range", format!("no figure is at least the `min` and at most the `max` of `{name}`"))
        .mark(node.place.clone(), "`min` is larger than `max`")
}

fn not_a_share(name: &str, bound: i64, node: &Node) -> Diagnostic {
    let found = Diagnostic::error("out-of-range", format!("`{name}` is a share: a number from 0 to 1"))
        .mark(node.place.clone(), "out of range");
    let percent = bound / Target::UNIT;
    if (1..100).contains(&percent) && bound % Target::UNIT == 0 {
        return found.help(format!("write {percent} % as `0.{percent:02}`"));
    }
    found
}
