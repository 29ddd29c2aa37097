//! Page of a choice map: the decisions of each phase, colored by how much they matter, and examples of each decision.

use super::choice_summary::{ExampleGames, MapSummary, forced_share};
use super::grid::{Cell, SortableTable, count, maybe, word};
use super::heading::Heading;
use super::names;
use super::number::percent;
use super::page::{Part, bots, render};
use crate::model::{Language, Model};
use crate::simulation::{ChoiceMap, Estimate, MeasureKind};

/// Name of the tab that shows the table of all decisions.
const DECISIONS: &str = "Decisions";

/// Name of the tab that shows the options that are never worth taking, and the equivalent options.
const OPTIONS: &str = "Options";

/// Renders the page of a choice map. `games` are the playscripts of the examples.
pub fn choices_page(
    title: &str,
    model: &Model,
    agents: &[String],
    map: &ChoiceMap,
    games: &ExampleGames,
    provenance: &[(String, String)],
) -> String {
    let part = Part {
        id: "choices".to_owned(),
        title: "Choices".to_owned(),
        incomplete: String::new(),
        findings: Vec::new(),
        expected: Vec::new(),
        summary: None,
        comparison: None,
        sweep: None,
        map: Some(MapSummary::new(model, agents, map, games)),
        tabs: vec![DECISIONS, OPTIONS],
        plots: Vec::new(),
        tables: vec![decision_table(model, map), option_table(model, map)],
        stories: Vec::new(),
    };
    render(title, "Which decisions matter", &bots(agents), &[part], provenance)
}

fn decision_table(model: &Model, map: &ChoiceMap) -> SortableTable {
    let heads = [
        Heading::text("phase"),
        Heading::text("decision"),
        Heading::text("choice"),
        Heading::number("asked a game"),
        Heading::number("one option only"),
        Heading::number("best against worst"),
        Heading::number("best against second"),
        Heading::number("questions examined"),
    ];
    let mut grid = SortableTable::new("Decisions", "choices", heads).with_tab(DECISIONS);
    "Differences of the win share of the seat that is asked, with 95 % intervals.".clone_into(&mut grid.text);
    for choices in &map.decisions {
        let phase = choices.phase.map_or("", |phase| model.phases[usize::from(phase.0)].name.get(Language::English));
        let per_game = choices.asked as f64 / map.games.max(1) as f64;
        let shown = |estimate: &Estimate| maybe(Some(estimate).filter(|found| found.count > 1), MeasureKind::Share);
        grid.rows.push(vec![
            word(phase),
            word(names::decision(model, choices.decision.0)),
            word(choices.class.word()),
            Cell { text: format!("{per_game:.2}"), sort: Some(per_game) },
            Cell { text: percent(forced_share(choices)), sort: Some(forced_share(choices)) },
            shown(&choices.spread),
            shown(&choices.lead),
            count(choices.spread.count),
        ]);
    }
    grid
}

fn option_table(model: &Model, map: &ChoiceMap) -> SortableTable {
    let heads = [
        Heading::text("decision"),
        Heading::text("option"),
        Heading::text("what was found"),
        Heading::number("against the best other"),
        Heading::number("worlds or questions"),
    ];
    let mut grid =
        SortableTable::new("Options that are never worth taking, or the same", "choices", heads).with_tab(OPTIONS);
    for choices in &map.decisions {
        let decision = names::decision(model, choices.decision.0);
        for option in &choices.dominated {
            grid.rows.push(vec![
                word(decision.clone()),
                word(option.name.clone()),
                word("never worth taking"),
                maybe(Some(&option.difference), MeasureKind::Share),
                count(option.difference.count),
            ]);
        }
        for same in &choices.duplicates {
            grid.rows.push(vec![
                word(decision.clone()),
                word(same.names.join(" and ")),
                word("the same"),
                word(""),
                count(same.worlds),
            ]);
        }
    }
    if grid.rows.is_empty() {
        "None were found.".clone_into(&mut grid.text);
    }
    grid
}
