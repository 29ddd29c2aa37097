//! The flow of a game in lines that people can read.

use crate::model::{First, Flow, Language, Model, Op};

/// The flow, line by line; each level is indented by two columns.
pub(super) fn lines(model: &Model, language: Language) -> Vec<String> {
    let mut written = Written { model, language, lines: Vec::new(), depth: 0 };
    written.first(&model.flow);
    if !matches!(model.flow.ops.first(), Some(Op::RoundBegins | Op::FinishBegins)) {
        written.line(written.ours("setup", "設置"));
        written.depth = 1;
    }
    for at in 0..model.flow.ops.len() {
        written.op(at);
    }
    written.lines
}

struct Written<'a> {
    model: &'a Model,
    language: Language,
    lines: Vec<String>,
    depth: usize,
}

impl Written<'_> {
    fn ours(&self, english: &'static str, chinese: &'static str) -> &'static str {
        match self.language {
            Language::English => english,
            Language::TraditionalChinese => chinese,
        }
    }

    fn line(&mut self, text: &str) {
        self.lines.push(format!("{}{text}", "  ".repeat(self.depth)));
    }

    /// A line with others below it.
    fn open(&mut self, text: &str) {
        self.line(text);
        self.depth += 1;
    }

    fn first(&mut self, flow: &Flow) {
        let by_lot = self.ours("by lot", "抽籤決定");
        let who = match &flow.first {
            First::FirstSeat => self.ours("the first seat", "第一個座位").to_owned(),
            First::Random => by_lot.to_owned(),
            First::Option(option) => format!("{} `{option}`, {by_lot}", self.ours("option", "選項")),
        };
        self.line(&format!("{}: {who}", self.ours("begins", "起始")));
    }

    fn op(&mut self, at: usize) {
        let flow = &self.model.flow;
        match &flow.ops[at] {
            Op::Call(call) => {
                let seat = if call.takes_seat { "(seat)" } else { "" };
                self.line(&format!("{}{seat}", call.function));
            }
            Op::EachSeat { order, .. } => {
                let order = order
                    .as_ref()
                    .map(|order| format!(" ({} {order})", self.ours("order", "順序")))
                    .unwrap_or_default();
                self.open(&format!("{}{order}", self.ours("each seat", "每位玩家")));
            }
            Op::Turns { .. } => self.repeated(self.ours("turns", "輪流"), at),
            Op::Run => self.repeated(self.ours("again and again", "重複"), at),
            Op::PhaseBegins { phase, when, .. } => {
                let phase = &self.model.phases[phase.index()];
                let when =
                    when.as_ref().map(|when| format!(" ({} {when})", self.ours("when", "條件"))).unwrap_or_default();
                self.open(&format!("{} — {}{when}", phase.id, phase.name.get(self.language)));
            }
            Op::NextSeat { .. } | Op::NextTurn { .. } | Op::Repeat { .. } | Op::PhaseEnds => {
                self.depth = self.depth.saturating_sub(1);
            }
            Op::RoundBegins => {
                self.depth = 0;
                let rounds = self.rounds();
                self.open(&rounds);
            }
            Op::FinishBegins => {
                self.depth = 0;
                if !matches!(flow.ops.get(at + 1), Some(Op::Over)) {
                    self.open(self.ours("finish", "結算"));
                }
            }
            Op::Until { .. } | Op::RoundEnds { .. } | Op::Over => {}
        }
    }

    fn repeated(&mut self, what: &'static str, at: usize) {
        let until = match self.model.flow.ops.get(at + 1) {
            Some(Op::Until { function: Some(function), .. }) => format!(" {} {function}", self.ours("until", "直到")),
            _ => String::new(),
        };
        self.open(&format!("{what}{until}"));
    }

    fn rounds(&self) -> String {
        let flow = &self.model.flow;
        let round = self.ours("each round", "每回合");
        let limits = [
            flow.rounds.map(|rounds| format!("{rounds} {}", self.ours("rounds", "回合"))),
            flow.rounds_until.as_ref().map(|until| format!("{} {until}", self.ours("until", "直到"))),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        if limits.is_empty() { round.to_owned() } else { format!("{round} ({})", limits.join(", ")) }
    }
}
