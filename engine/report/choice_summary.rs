//! First screen of a choice map: the decisions of each phase, colored by how much they matter, and the findings.

use super::batch_report::NotableGame;
use super::finding::{Finding, Weight};
use super::names;
use super::number::{grouped, percent};
use super::summary::rounded;
use crate::model::{Language, Model, PhaseId};
use crate::simulation::{ChoiceClass, ChoiceMap, DecisionChoices, ExaminedQuestion};
use serde::Serialize;

/// Maximum number of verdicts on the first screen.
const MAX_VERDICTS: usize = 5;

/// A decision in the choice map.
#[derive(Debug, Clone, Serialize)]
struct MapBox {
    /// Id of the page element that shows the examples of the decision.
    target: String,
    name: String,
    class: &'static str,
    /// How often the decision is asked, as a phrase.
    times: String,
    /// Width in the map, relative to the other decisions.
    width: f64,
    examples: Vec<MapExample>,
}

/// An occurrence of a decision, with the options and their win shares.
#[derive(Debug, Clone, Serialize)]
struct MapExample {
    title: String,
    options: Vec<(String, String)>,
    /// The playscript up to the question; `None` if it could not be written.
    game: Option<NotableGame>,
}

/// The decisions of a phase.
#[derive(Debug, Clone, Serialize)]
struct MapPhase {
    name: String,
    width: f64,
    boxes: Vec<MapBox>,
}

/// The first screen of a choice map.
#[derive(Debug, Clone, Serialize)]
pub(super) struct MapSummary {
    heading: String,
    verdicts: Vec<Finding>,
    phases: Vec<MapPhase>,
}

/// Playscripts of the examples of each decision, in the order of the decisions and of their examples.
pub type ExampleGames = Vec<Vec<Option<NotableGame>>>;

impl MapSummary {
    /// Summarizes a choice map. `games` are the playscripts of the examples.
    pub(super) fn new(model: &Model, agents: &[String], map: &ChoiceMap, games: &ExampleGames) -> Self {
        let players = if model.seats == 1 { "1 player".to_owned() } else { format!("{} players", model.seats) };
        let heading = format!("{players} · {} games · {}", grouped(map.games as i64), agents.join(", "));
        let mut verdicts = choice_findings(model, map);
        verdicts.truncate(MAX_VERDICTS);
        Self { heading, verdicts, phases: map_phases(model, map, games) }
    }
}

/// Returns the findings about the decisions of a game: options that are never worth taking, equivalent options, and decisions that make no
/// difference. The last findings list the other decisions by class.
pub fn choice_findings(model: &Model, map: &ChoiceMap) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut add = |weight: Weight, text: String| found.push(Finding { weight, about: "choices", text });
    for choices in &map.decisions {
        let decision = names::decision(model, choices.decision.0);
        for option in &choices.dominated {
            let points = -option.difference.value * 100.0;
            add(
                Weight::Finding,
                format!(
                    "{decision}: {} is never worth taking: {points:.0} percentage points of wins behind the best other option.",
                    option.name
                ),
            );
        }
        for same in &choices.duplicates {
            let [one, other] = &same.names;
            let worlds = grouped(same.worlds as i64);
            add(
                Weight::Finding,
                format!("{decision}: {one} and {other} are the same: equal results in all {worlds} worlds."),
            );
        }
        if choices.class == ChoiceClass::Equal {
            let most = (choices.spread.interval.high * 100.0).max(0.0);
            add(
                Weight::Finding,
                format!(
                    "{decision}: it makes no difference what is taken (at most {most:.1} percentage points of wins)."
                ),
            );
        }
    }
    let of_class = |class: ChoiceClass| {
        let all = map.decisions.iter().filter(|choices| choices.class == class);
        all.map(|choices| names::decision(model, choices.decision.0)).collect::<Vec<_>>()
    };
    for (class, text) in [
        (ChoiceClass::Real, "Real choices"),
        (ChoiceClass::Obvious, "One option stands out"),
        (ChoiceClass::Forced, "Hardly ever a choice"),
        (ChoiceClass::Unclear, "Unclear, more games would tell"),
    ] {
        let decisions = of_class(class);
        if !decisions.is_empty() {
            add(Weight::Note, format!("{text}: {}.", decisions.join("; ")));
        }
    }
    found
}

fn map_phases(model: &Model, map: &ChoiceMap, games: &ExampleGames) -> Vec<MapPhase> {
    let mut order: Vec<Option<PhaseId>> = map.decisions.iter().map(|choices| choices.phase).collect();
    order.sort_unstable_by_key(|phase| phase.map(|phase| phase.0));
    order.dedup();
    let new = |phase: Option<PhaseId>| {
        let own = map.decisions.iter().zip(games).filter(|(choices, _)| choices.phase == phase);
        let boxes: Vec<MapBox> = own.map(|(choices, games)| map_box(model, map, choices, games)).collect();
        let name = phase.map_or("Before and after the rounds", |phase| {
            model.phases[usize::from(phase.0)].name.get(Language::English)
        });
        MapPhase { name: name.to_owned(), width: boxes.iter().map(|one| one.width).sum(), boxes }
    };
    order.into_iter().map(new).collect()
}

fn map_box(model: &Model, map: &ChoiceMap, choices: &DecisionChoices, games: &[Option<NotableGame>]) -> MapBox {
    let per_game = choices.asked as f64 / map.games.max(1) as f64;
    let times = match forced_share(choices) {
        forced if forced > 0.005 => format!("{per_game:.1} a game, {} more forced", rounded(forced)),
        _ => format!("{per_game:.1} a game"),
    };
    let last = choices.examples.len().saturating_sub(1);
    let example = |(at, question): (usize, &ExaminedQuestion)| {
        let which = match at {
            0 => "Largest difference",
            at if at == last => "Smallest difference",
            _ => "Middle",
        };
        let (points, seat) = (question.spread * 100.0, question.seat.number());
        MapExample {
            title: format!(
                "{which}: {points:.0} percentage points between the best and the worst option, for seat {seat}"
            ),
            options: question.options.iter().map(|option| (option.name.clone(), percent(option.value))).collect(),
            game: games.get(at).cloned().flatten(),
        }
    };
    MapBox {
        target: format!("choice-{}", choices.decision.0),
        name: names::decision(model, choices.decision.0),
        class: choices.class.word(),
        times,
        // The square root keeps rare decisions readable next to frequent ones.
        width: per_game.max(0.05).sqrt(),
        examples: choices.examples.iter().enumerate().map(example).collect(),
    }
}

/// Returns the share of a decision's occurrences that had only one option.
pub(super) fn forced_share(choices: &DecisionChoices) -> f64 {
    choices.forced as f64 / (choices.asked + choices.forced).max(1) as f64
}
