//! Tables of options and components: how often they were taken, and who wins with them.

use super::names;
use crate::model::{Language, Model};
use crate::simulation::{Contrast, Estimate, Fared, Figures, false_discovery, is_difference, wilson};

/// One option or component.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemRow {
    /// What it is called.
    pub name: String,
    /// Its word in files.
    pub id: String,
    /// The decision it is an option of, or the kind it belongs to.
    pub group: String,
    /// Questions that offered it; moves of a component.
    pub offered: u64,
    /// Questions answered with it; how often a piece of it came to a seat.
    pub picked: u64,
    /// How many of the questions that offered it would be answered with it by lot, at the mean number of their decision's options.
    pub by_lot: f64,
    /// The share of questions that offered it and were answered with it.
    pub pick_share: Option<Estimate>,
    /// The win share of seats with it.
    pub with: Option<Estimate>,
    /// The win share of seats without it.
    pub without: Option<Estimate>,
    /// The difference, and the share of false findings that calling it a finding would bring.
    pub difference: Option<(Estimate, f64)>,
    /// The difference from its kind, and the same.
    pub kin: Option<(Estimate, f64)>,
}

impl ItemRow {
    /// Whether winning differs with it and without it.
    pub fn is_finding(&self) -> bool {
        self.difference.as_ref().is_some_and(|(difference, chance)| is_difference(difference, *chance))
    }

    /// Whether it is weaker or stronger than its kind.
    pub fn is_odd_one(&self) -> bool {
        self.kin.as_ref().is_some_and(|(difference, chance)| is_difference(difference, *chance))
    }
}

/// Fewer games than this say nothing of a difference.
const FEWEST: u64 = 30;

/// Every option, by decision.
pub fn options(model: &Model, figures: &Figures) -> Vec<ItemRow> {
    let mut keys: Vec<_> = figures.options.iter().collect();
    keys.sort_by_key(|(key, _)| *key);
    let rows = keys.into_iter().map(|(key, fared)| {
        let picks = wilson(fared.picked as f64, fared.offered);
        let value = fared.picked as f64 / fared.offered.max(1) as f64;
        let options = figures.questions.get(&key.decision).and_then(|question| question.options.mean()).unwrap_or(1.0);
        let part = key.part.as_ref().map(|part| format!("{part}=")).unwrap_or_default();
        ItemRow {
            name: names::option(model, key),
            id: format!("{}.{part}{}", model.decisions[key.decision as usize].id, names::thing(model, &key.thing)),
            group: names::decision(model, key.decision),
            by_lot: fared.offered as f64 / options.max(1.0),
            pick_share: Some(Estimate { value, interval: picks, count: fared.offered }),
            ..row(fared, figures)
        }
    });
    judged(rows.collect())
}

/// Every component that moved, by kind; with the difference from its kind where there are others of it.
pub fn components(model: &Model, figures: &Figures) -> Vec<ItemRow> {
    let mut keys: Vec<_> = figures.components.iter().collect();
    keys.sort_by_key(|(key, _)| (model.components[**key as usize].kind, **key));
    let rows = keys.into_iter().map(|(at, fared)| {
        let component = &model.components[*at as usize];
        let kind = &model.kinds[component.kind.index()];
        ItemRow {
            name: names::component(model, *at),
            id: component.id.to_string(),
            group: kind.name.get(Language::English).to_owned(),
            kin: figures.kinds.get(&component.kind.0).and_then(|kind| against(fared, kind, figures)),
            ..row(fared, figures)
        }
    });
    let mut rows = judged(rows.collect());
    let chances: Vec<f64> = rows.iter().filter_map(|row| row.kin.as_ref()).map(|(_, chance)| *chance).collect();
    let adjusted = false_discovery(&chances);
    let kins = rows.iter_mut().filter_map(|row| row.kin.as_mut());
    kins.zip(adjusted).for_each(|((_, chance), adjusted)| *chance = adjusted);
    rows
}

fn row(fared: &Fared, figures: &Figures) -> ItemRow {
    let unit = figures.whole_win();
    let enough = fared.games >= FEWEST && fared.contrast.with() >= FEWEST && fared.contrast.without() >= FEWEST;
    ItemRow {
        name: String::new(),
        id: String::new(),
        group: String::new(),
        offered: fared.offered,
        picked: fared.picked,
        by_lot: 0.0,
        pick_share: None,
        with: fared.contrast.share_with(unit),
        without: fared.contrast.share_without(unit),
        difference: fared.contrast.difference(unit).filter(|_| enough),
        kin: None,
    }
}

/// How much more seats with a component win than seats with its kind.
fn against(fared: &Fared, kind: &Contrast, figures: &Figures) -> Option<(Estimate, f64)> {
    if fared.games < FEWEST || fared.contrast.with() < FEWEST || fared.contrast.with() == kind.with() {
        return None;
    }
    fared.contrast.against(kind, &fared.kin, figures.whole_win())
}

/// The same rows, their chances weighed by how many there are.
fn judged(mut rows: Vec<ItemRow>) -> Vec<ItemRow> {
    let chances: Vec<f64> = rows.iter().filter_map(|row| row.difference.as_ref()).map(|(_, chance)| *chance).collect();
    let adjusted = false_discovery(&chances);
    let differences = rows.iter_mut().filter_map(|row| row.difference.as_mut());
    differences.zip(adjusted).for_each(|((_, chance), adjusted)| *chance = adjusted);
    rows
}
