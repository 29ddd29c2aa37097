//! Compiles the flow: phases and steps become a list of instructions.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::node::{Data, KeyedNode, Node};
use crate::loader::keys::form::{Form, KeySpec, NameSet, Needs, TableSpec, WordList};
use crate::loader::keys::key::{Amount, DisplayText, Function, Key, OneOf, Word, declare_table};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::{unknown, unknown_word, wrong_type};
use crate::loader::name::{check_function_name, check_name};
use crate::loader::section::draft::{Draft, text_of_id};
use crate::model::{
    DecisionId, Ending, First, Flow, FlowCall, FlowFunctionName, Op, OptionType, Phase, PhaseId, TriggerOrder, Turns,
};
use indexmap::IndexMap;
use std::sync::Arc;

/// Maximum number of instructions.
const MAX_OPS: usize = 20_000;

/// Maximum number of rounds.
const MAX_ROUNDS: i64 = 1_000_000;

declare_table! {
    pub(in crate::loader) const FLOW: TableSpec = TableSpec::new("the flow", "flows")
        .also(&[("phases", &ROUND.spec), ("end", &FINISH.spec), ("start", &SETUP.spec)]);

    const SETUP: Key = Key::new("setup", "steps before the first round", Form::Steps);
    const ROUND: Key = Key::new(
        "round", "phases of a round, in order", Form::Some(&Form::Name(NameSet::Section("phases"))));
    const ROUNDS: Key<Amount> = Key::amount_within("rounds", "number of rounds", 1, MAX_ROUNDS);
    const ROUNDS_UNTIL: Key<Function> = Key::function(
        "until", "function that returns, after a round, whether it was the last");
    const FINISH: Key = Key::new("finish", "steps after the last round", Form::Steps);
    const FIRST: Key<Word> = Key::word(
        "first", "first seat: `first_seat`, `random`, or an option of type `seat`",
        Form::WordOrName(&FIRST_SEATS, &[NameSet::Section("options")]));
    const ENDING: Key<Word> = Key::word("ending", "ending when the flow is completed", Form::Name(NameSet::Section("endings")));
    const TRIGGERS: Key<OneOf<TriggerOrder>> = Key::one_of(
        "triggers", "order of waiting triggers: first triggered first, last triggered first, or in turn order",
        &Flow::TRIGGERS);
    const TRIGGER_CHOICE: Key<Word> = Key::word(
        "trigger_choice", "decision by which a seat chooses its next waiting trigger", Form::Name(NameSet::Section("decisions")));
}

/// Words for `first`.
static FIRST_SEATS: [(&str, First); 2] = [("first_seat", First::FirstSeat), ("random", First::Random)];

declare_table! {
    pub(in crate::loader) const PHASE: TableSpec = TableSpec::new("a phase", "phases")
        .needs(Needs::InBaseGame(&[&STEPS.spec])).also(&[("if", &WHEN.spec), ("step", &STEPS.spec)]);

    const NAME: Key<DisplayText> = Key::text("name", "display name of the phase");
    const STEPS: Key = Key::new("steps", "steps, in order", Form::Steps);
    const WHEN: Key<Function> = Key::function("when", "function that returns whether the phase takes place");
    const ORDER: Key<Function> = Key::function("order", "function that returns the seats in order");
}

declare_table! {
    /// A step has exactly one of the keys `each_seat`, `turns` and `run`, which determines its type.
    pub(in crate::loader) const STEP: TableSpec = TableSpec::new("a step", "steps")
        .also(&[("each_player", &EACH_SEAT.spec), ("while", &UNTIL.spec), ("turn", &TURNS.spec)]);

    const EACH_SEAT: Key = Key::new("each_seat", "steps for each seat once, in order", Form::Steps);
    const TURNS: Key = Key::new("turns", "steps in turns, seat after seat, until a condition holds", Form::Steps);
    const RUN: Key = Key::new("run", "steps repeated until a condition holds", Form::Steps);
    const UNTIL: Key<Function> = Key::function("until", "function that returns whether to stop");
}

/// Properties of the enclosing phase and steps.
#[derive(Clone, Default)]
struct Context {
    /// Function that determines the order of seats in the current phase.
    order: Option<Arc<str>>,
    /// Turns of the enclosing `turns` or `each_seat` step.
    turns: Turns,
}

/// A declared phase, before it is compiled.
struct PhasePlan<'n> {
    steps: Option<&'n Node>,
    when: Option<Arc<str>>,
    order: Option<Arc<str>>,
}

impl<'a> Draft<'a> {
    /// Reads the sections `phases` and `flow`.
    pub(in crate::loader) fn flow(&self, endings: &[Ending]) -> (Vec<Phase>, Flow) {
        let (phases, plans) = self.phases();
        let entry = self.tree.root.get("flow");
        let fields = entry.and_then(|entry| Fields::from_entry(self.report, "flow", entry, &FLOW));
        let flow = self.compile(fields.as_ref(), &plans, endings);
        if entry.is_none() && !self.tree.is_misspelled("flow") {
            self.mistake(no_flow(self.tree.beginning()));
        }
        (phases, flow)
    }

    fn compile(
        &self,
        fields: Option<&Fields<'_>>,
        plans: &IndexMap<Arc<str>, PhasePlan<'_>>,
        endings: &[Ending],
    ) -> Flow {
        let get = |key: &KeySpec| fields.and_then(|fields| fields.get(key));
        let mut ops = Vec::new();
        self.steps(get(&SETUP), &Context::default(), &mut ops);
        let has_rounds = get(&ROUND).is_some();
        if let Some(round) = get(&ROUND) {
            self.round(round, plans, &mut ops);
        }
        let finish = ops.len();
        ops.push(Op::FinishBegins);
        self.steps(get(&FINISH), &Context::default(), &mut ops);
        ops.push(Op::Over);
        if ops.len() > MAX_OPS {
            self.mistake(too_long(fields.map(|fields| fields.place)));
        }
        if let Some(fields) = fields.filter(|_| !has_rounds) {
            fields.refuse(&[&ROUNDS, &ROUNDS_UNTIL], "a flow without `round` has no rounds to count");
        }
        let rounds = fields.and_then(|fields| self.read_amount(fields, &ROUNDS));
        let can_run_out = !has_rounds || get(&ROUNDS).is_some() || get(&ROUNDS_UNTIL).is_some();
        let named = fields.and_then(|fields| fields.read(&ENDING));
        let rounds_until = fields.and_then(|fields| self.function(fields, &ROUNDS_UNTIL));
        Flow {
            finish: finish.min(MAX_OPS) as u16,
            ops,
            rounds,
            rounds_until,
            named: self.take_recorded(),
            place: fields.map(|fields| fields.place.clone()),
            first: fields.map_or(First::FirstSeat, |fields| self.first(fields)),
            ending: self.final_ending(endings, named, can_run_out, fields.map(|fields| fields.place)),
            triggers: fields.and_then(|fields| fields.read(&TRIGGERS)).unwrap_or_default(),
            trigger_choice: fields.and_then(|fields| self.trigger_choice(fields)),
        }
    }

    fn phases(&self) -> (Vec<Phase>, IndexMap<Arc<str>, PhasePlan<'a>>) {
        let mut phases = Vec::new();
        let mut plans = IndexMap::new();
        for (name, entry) in self.section("phases") {
            check_name(name, "a phase", &entry.key, self.report);
            let (phase, plan) = self.phase(name, entry);
            phases.push(phase);
            plans.insert(name.clone(), plan);
        }
        (phases, plans)
    }

    fn phase(&self, name: &'a Arc<str>, entry: &'a KeyedNode) -> (Phase, PhasePlan<'a>) {
        let fields = Fields::from_entry(self.report, name, entry, &PHASE);
        let fields = fields.as_ref();
        let title = fields.map_or_else(|| text_of_id(name), |fields| fields.text_or_id(&NAME, name));
        let plan = PhasePlan {
            steps: fields.and_then(|fields| fields.require(&STEPS)),
            when: fields.and_then(|fields| self.function(fields, &WHEN)),
            order: fields.and_then(|fields| self.function(fields, &ORDER)),
        };
        // The phase is compiled here only for its diagnostics, because there may be no round that runs the phase.
        self.steps(plan.steps, &Context::default(), &mut Vec::new());
        (Phase { id: name.clone(), name: title }, plan)
    }

    fn round(&self, node: &Node, plans: &IndexMap<Arc<str>, PhasePlan<'_>>, ops: &mut Vec<Op>) {
        let Some(list) = node.list().filter(|list| !list.is_empty()) else {
            return self.mistake(wrong_type(ROUND.name, "a list of at least one phase", node));
        };
        let begin = ops.len() as u16;
        ops.push(Op::RoundBegins);
        for node in list {
            if ops.len() > MAX_OPS {
                break;
            }
            let Some(word) = node.text() else {
                self.mistake(wrong_type(ROUND.name, "a list of phases", node));
                continue;
            };
            let Some((at, _, plan)) = plans.get_full(word) else {
                let known = plans.keys().map(|name| &**name);
                self.mistake(unknown("unknown-phase", "phase", word, &node.place, known));
                continue;
            };
            self.phase_ops(PhaseId::at(at), plan, ops);
        }
        ops.push(Op::RoundEnds { begin });
    }

    fn phase_ops(&self, phase: PhaseId, plan: &PhasePlan<'_>, ops: &mut Vec<Op>) {
        let at = ops.len();
        ops.push(Op::PhaseBegins { phase, when: plan.when.clone(), end: 0 });
        let context = Context { order: plan.order.clone(), turns: Turns::None };
        self.steps(plan.steps, &context, ops);
        ops.push(Op::PhaseEnds);
        jump_to_here(ops, at);
    }

    /// Compiles a step, or a list of steps.
    fn steps(&self, node: Option<&Node>, context: &Context, ops: &mut Vec<Op>) {
        let Some(node) = node else { return };
        for step in node.list().unwrap_or(std::slice::from_ref(node)) {
            if ops.len() > MAX_OPS {
                return;
            }
            match &step.data {
                Data::Text(function) => {
                    check_function_name(function, &step.place, self.report);
                    let takes_seat = context.turns != Turns::None;
                    let call = FlowCall { function: function.clone(), takes_seat };
                    self.record_function(FlowFunctionName {
                        call: call.clone(),
                        is_step: true,
                        turns: context.turns,
                        place: step.place.clone(),
                    });
                    ops.push(Op::Call(call));
                }
                Data::Table(_) => self.step(step, context, ops),
                _ => {
                    self.mistake(wrong_type("step", "a function, or a table with `each_seat`, `turns` or `run`", step));
                }
            }
        }
    }

    fn step(&self, node: &Node, context: &Context, ops: &mut Vec<Op>) {
        let Some(fields) = Fields::from_node(self.report, "step", &node.place, node, &STEP) else { return };
        let kinds = [&EACH_SEAT, &TURNS, &RUN];
        let given: Vec<(&Key, &Node)> = kinds.iter().filter_map(|key| Some((*key, fields.get(key)?))).collect();
        let [(kind, body)] = given[..] else {
            if !kinds.iter().any(|key| fields.is_misspelled(key)) {
                self.mistake(ambiguous_step(given.is_empty(), &node.place));
            }
            return;
        };
        // `max` keeps an enclosing `turns`: a step of `each_seat` within `turns` can still give away the next turn.
        let within = |turns: Turns| Context { turns: context.turns.max(turns), ..context.clone() };
        if kind.name == EACH_SEAT.name {
            fields.refuse(&[&UNTIL], "`each_seat` visits each seat once and needs no `until`");
            self.compile_each_seat(body, &within(Turns::Once), ops);
        } else if kind.name == TURNS.name {
            ops.push(Op::Turns { order: context.order.clone() });
            let again = |body| Op::NextTurn { body };
            self.compile_loop(body, self.function(&fields, &UNTIL), &within(Turns::Endless), again, ops);
        } else {
            fields.require(&UNTIL);
            ops.push(Op::Run);
            let again = |body| Op::Repeat { body };
            self.compile_loop(body, self.function(&fields, &UNTIL), context, again, ops);
        }
    }

    fn compile_each_seat(&self, body: &Node, context: &Context, ops: &mut Vec<Op>) {
        let at = ops.len();
        // `jump_to_here` sets the end when the body has been compiled.
        ops.push(Op::EachSeat { order: context.order.clone(), end: 0 });
        self.steps(Some(body), context, ops);
        ops.push(Op::NextSeat { body: (at + 1).min(MAX_OPS) as u16 });
        jump_to_here(ops, at);
    }

    /// Compiles a loop. `again` creates the instruction at its end, given the index of its beginning.
    fn compile_loop(
        &self,
        body: &Node,
        function: Option<Arc<str>>,
        context: &Context,
        again: fn(u16) -> Op,
        ops: &mut Vec<Op>,
    ) {
        let at = ops.len();
        ops.push(Op::Until { function, end: 0 });
        self.steps(Some(body), context, ops);
        ops.push(again(at.min(MAX_OPS) as u16));
        jump_to_here(ops, at);
    }

    /// Returns the name of the function at a key, if present, and records that the function is used.
    pub(in crate::loader) fn function(&self, fields: &Fields<'_>, key: &Key<Function>) -> Option<Arc<str>> {
        let (word, place) = fields.read(key)?;
        let call = FlowCall { function: word.clone(), takes_seat: false };
        self.record_function(FlowFunctionName { call, is_step: false, turns: Turns::None, place: place.clone() });
        Some(word.clone())
    }

    /// Records the use of a function.
    fn record_function(&self, named: FlowFunctionName) {
        self.named.borrow_mut().push(named);
    }

    /// Returns all recorded uses of functions, sorted by place. Removes duplicates, because the steps of a phase are compiled more than
    /// once.
    fn take_recorded(&self) -> Vec<FlowFunctionName> {
        let mut named = self.named.take();
        named.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
        named.dedup();
        named
    }

    fn trigger_choice(&self, fields: &Fields<'_>) -> Option<DecisionId> {
        let (word, place) = fields.read(&TRIGGER_CHOICE)?;
        let known = self.section("decisions");
        let found = known.iter().position(|(name, _)| *name == word);
        if found.is_none() {
            self.mistake(unknown("unknown-decision", "decision", word, place, known.iter().map(|(name, _)| &***name)));
        }
        found.map(DecisionId::at)
    }

    fn first(&self, fields: &Fields<'_>) -> First {
        let Some((word, place)) = fields.read(&FIRST) else { return First::FirstSeat };
        if let Some((_, first)) = FIRST_SEATS.iter().find(|(known, _)| *known == &**word) {
            return first.clone();
        }
        let seats = self.options.iter().filter(|(_, option)| option.kind == OptionType::Seat);
        let known: Vec<&str> = FIRST_SEATS.words().into_iter().chain(seats.map(|(name, _)| &**name)).collect();
        if !known.contains(&&**word) {
            self.mistake(unknown_word(FIRST.name, word, place, known));
        }
        First::Option(word.clone())
    }
}

/// Sets the jump target of the instruction at index `at` to the current end of the list.
fn jump_to_here(ops: &mut [Op], at: usize) {
    let here = ops.len().min(usize::from(u16::MAX)) as u16;
    if let Op::EachSeat { end, .. } | Op::Until { end, .. } | Op::PhaseBegins { end, .. } = &mut ops[at] {
        *end = here;
    }
}

/// Returns the sort key of a recorded function.
fn sort_key(named: &FlowFunctionName) -> (&str, usize, bool) {
    (&named.place.source.path, named.place.span.start, named.call.takes_seat)
}

/// Headline of the diagnostic for a missing flow.
const NO_FLOW: &str = "`game.toml` has no table `flow`";

/// Returns whether a diagnostic is about a missing flow.
pub(in crate::loader) fn is_no_flow(found: &Diagnostic) -> bool {
    found.message == NO_FLOW
}

fn no_flow(place: Place) -> Diagnostic {
    Diagnostic::error("missing-key", NO_FLOW)
        .mark(place, "no `[flow]` in this file")
        .help("add `[flow]` with `setup`, `round` and `finish`")
}

fn too_long(place: Option<&Place>) -> Diagnostic {
    let found = Diagnostic::error("too-many", format!("the flow has more than {MAX_OPS} steps"));
    match place {
        Some(place) => found.mark(place.clone(), "too long, with the steps of its phases"),
        None => found,
    }
}

fn ambiguous_step(is_empty: bool, place: &Place) -> Diagnostic {
    let note = if is_empty { "none of them" } else { "more than one of them" };
    Diagnostic::error("bad-step", "a step has one of `each_seat`, `turns` and `run`").mark(place.clone(), note)
}
