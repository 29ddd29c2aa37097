//! Tables of options and components: how often they were taken, and who wins with them.

use super::expected::{Stands, expect};
use super::item_row::ItemRow;
use super::names;
use crate::model::{Language, Model};
use crate::simulation::{Contrast, Difference, Estimate, Fared, Figures, Weighed, weigh, wilson};

/// Fewer games than this say nothing of a difference.
const FEWEST: u64 = 30;

/// Every option, by decision.
pub fn options(model: &Model, figures: &Figures) -> Vec<ItemRow> {
    let mut keys: Vec<_> = figures.options.iter().collect();
    keys.sort_by_key(|(key, _)| *key);
    let stands: Vec<Stands<'_>> = keys.iter().map(|(key, _)| Stands::Option(key)).collect();
    let rows = keys.into_iter().map(|(key, fared)| {
        let picks = wilson(fared.picked as f64, fared.offered);
        let value = fared.picked as f64 / fared.offered.max(1) as f64;
        let options = figures.questions.get(&key.decision).and_then(|question| question.options.mean()).unwrap_or(1.0);
        let part = key.part.as_ref().map(|part| format!("{part}=")).unwrap_or_default();
        let row = ItemRow {
            name: names::option(model, key),
            id: format!("{}.{part}{}", model.decisions[key.decision as usize].id, names::id(model, &key.thing)),
            group: names::decision(model, key.decision),
            by_lot: fared.offered as f64 / options.max(1.0),
            pick_share: Some(Estimate { value, interval: picks, count: fared.offered }),
            ..row(fared, figures)
        };
        (row, difference(fared, figures))
    });
    let (mut rows, differences): (Vec<ItemRow>, Vec<Option<Difference>>) = rows.unzip();
    weighed(&differences, &mut rows, |row| &mut row.difference);
    expect(model, &mut rows, &stands);
    rows
}

/// Every component that moved, by kind; with the difference from its kind where there are others of it.
pub fn components(model: &Model, figures: &Figures) -> Vec<ItemRow> {
    let mut keys: Vec<_> = figures.components.iter().collect();
    keys.sort_by_key(|(key, _)| (model.components[**key as usize].kind, **key));
    let stands: Vec<Stands<'_>> = keys.iter().map(|(at, _)| Stands::Component(**at)).collect();
    let rows = keys.into_iter().map(|(at, fared)| {
        let component = &model.components[*at as usize];
        let kind = &model.kinds[component.kind.index()];
        let row = ItemRow {
            name: names::component(model, *at),
            id: component.id.to_string(),
            group: kind.name.get(Language::English).to_owned(),
            ..row(fared, figures)
        };
        let kin = figures.kinds.get(&component.kind.0).and_then(|kind| against(fared, kind, figures));
        (row, (difference(fared, figures), kin))
    });
    let (mut rows, differences): (Vec<ItemRow>, Vec<_>) = rows.unzip();
    let (differences, kins): (Vec<Option<Difference>>, Vec<Option<Difference>>) = differences.into_iter().unzip();
    weighed(&differences, &mut rows, |row| &mut row.difference);
    weighed(&kins, &mut rows, |row| &mut row.kin);
    expect(model, &mut rows, &stands);
    rows
}

fn row(fared: &Fared, figures: &Figures) -> ItemRow {
    let unit = figures.whole_win();
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
        difference: None,
        kin: None,
        expected: None,
    }
}

/// How much more seats with it win than seats without it.
fn difference(fared: &Fared, figures: &Figures) -> Option<Difference> {
    let enough = fared.games >= FEWEST && fared.contrast.with() >= FEWEST && fared.contrast.without() >= FEWEST;
    fared.contrast.difference(figures.whole_win()).filter(|_| enough)
}

/// How much more seats with a component win than seats with its kind.
fn against(fared: &Fared, kind: &Contrast, figures: &Figures) -> Option<Difference> {
    if fared.games < FEWEST || fared.contrast.with() < FEWEST || fared.contrast.with() == kind.with() {
        return None;
    }
    fared.kin.against(kind).difference(figures.whole_win())
}

/// Puts the differences that there are into their rows, weighed among each other.
fn weighed(
    differences: &[Option<Difference>],
    rows: &mut [ItemRow],
    place: impl Fn(&mut ItemRow) -> &mut Option<Weighed>,
) {
    let known: Vec<Difference> = differences.iter().flatten().copied().collect();
    let mut weighed = weigh(&known).into_iter();
    for (row, _) in rows.iter_mut().zip(differences).filter(|(_, difference)| difference.is_some()) {
        *place(row) = weighed.next();
    }
}
