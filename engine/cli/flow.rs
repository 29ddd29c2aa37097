//! The flow of a game as indented text.

use crate::model::{First, Flow, Language, Model, Op, TriggerOrder};
use crate::phrases::{self, Phrases, filled};

/// Renders the flow as lines. Each level is indented by two columns.
pub(super) fn lines(model: &Model, language: Language) -> Vec<String> {
    let mut text =
        FlowText { model, language, flow: &Phrases::for_language(language).flow, lines: Vec::new(), depth: 0 };
    text.first(&model.flow);
    text.write_triggers(&model.flow);
    if !matches!(model.flow.ops.first(), Some(Op::RoundBegins | Op::FinishBegins)) {
        text.line(text.flow.setup);
        text.depth = 1;
    }
    for at in 0..model.flow.ops.len() {
        text.write_op(at);
    }
    text.lines
}

struct FlowText<'a> {
    model: &'a Model,
    language: Language,
    flow: &'static phrases::Flow,
    lines: Vec<String>,
    depth: usize,
}

impl FlowText<'_> {
    fn line(&mut self, text: &str) {
        self.lines.push(format!("{}{text}", "  ".repeat(self.depth)));
    }

    /// Adds a line and indents the following ones.
    fn open_block(&mut self, text: &str) {
        self.line(text);
        self.depth += 1;
    }

    fn first(&mut self, flow: &Flow) {
        let who = match &flow.first {
            First::FirstSeat => self.flow.first_seat.to_owned(),
            First::Random => self.flow.at_random.to_owned(),
            First::Option(option) => filled(self.flow.option_or_random, &[("option", option)]),
        };
        self.line(&filled(self.flow.begins, &[("who", &who)]));
    }

    /// Describes the order of triggers, unless it is the default.
    fn write_triggers(&mut self, flow: &Flow) {
        match flow.triggers {
            TriggerOrder::FirstIn => {}
            TriggerOrder::LastIn => self.line(self.flow.triggered_last),
            TriggerOrder::TurnOrder => self.line(self.flow.triggered_in_turn),
        }
        if let Some(decision) = flow.trigger_choice {
            let id = &self.model.decisions[decision.index()].id;
            self.line(&filled(self.flow.triggered_by_choice, &[("decision", id)]));
        }
    }

    fn write_op(&mut self, at: usize) {
        let flow = &self.model.flow;
        match &flow.ops[at] {
            Op::Call(call) => {
                let seat = if call.takes_seat { "(seat)" } else { "" };
                self.line(&format!("{}{seat}", call.function));
            }
            Op::EachSeat { order, .. } => {
                let order = order.as_ref().map(|order| format!(" ({} {order})", self.flow.order)).unwrap_or_default();
                self.open_block(&format!("{}{order}", self.flow.each_seat));
            }
            Op::Turns { .. } => self.open_loop(self.flow.turns, at),
            Op::Run => self.open_loop(self.flow.again, at),
            Op::PhaseBegins { phase, when, .. } => {
                let phase = &self.model.phases[phase.index()];
                let when = when.as_ref().map(|when| format!(" ({} {when})", self.flow.when)).unwrap_or_default();
                self.open_block(&format!("{} — {}{when}", phase.id, phase.name.get(self.language)));
            }
            Op::NextSeat { .. } | Op::NextTurn { .. } | Op::Repeat { .. } | Op::PhaseEnds => {
                self.depth = self.depth.saturating_sub(1);
            }
            Op::RoundBegins => {
                self.depth = 0;
                let rounds = self.rounds();
                self.open_block(&rounds);
            }
            Op::FinishBegins => {
                self.depth = 0;
                if !matches!(flow.ops.get(at + 1), Some(Op::Over)) {
                    self.open_block(self.flow.finish);
                }
            }
            Op::Until { .. } | Op::RoundEnds { .. } | Op::Over => {}
        }
    }

    fn open_loop(&mut self, what: &'static str, at: usize) {
        let until = match self.model.flow.ops.get(at + 1) {
            Some(Op::Until { function: Some(function), .. }) => format!(" {} {function}", self.flow.until),
            _ => String::new(),
        };
        self.open_block(&format!("{what}{until}"));
    }

    fn rounds(&self) -> String {
        let flow = &self.model.flow;
        let round = self.flow.each_round;
        let limits = [
            flow.rounds.map(|rounds| filled(self.flow.rounds, &[("number", &rounds)])),
            flow.rounds_until.as_ref().map(|until| format!("{} {until}", self.flow.until)),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        if limits.is_empty() { round.to_owned() } else { format!("{round} ({})", limits.join(", ")) }
    }
}
