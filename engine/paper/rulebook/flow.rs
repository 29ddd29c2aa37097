//! The order of play as a tree of steps, which a rulebook describes in prose.

use crate::model::{Op, PhaseId};

/// A step of the flow, or a group of repeated steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    /// A call of a function.
    Call(String),
    /// Steps that each player takes once, in turn order or in the order that a function returns.
    EachSeat { order: Option<String>, body: Vec<Self> },
    /// Turns, in turn order or in the order that the function `order` returns. They are repeated until the condition `until` holds, if it
    /// is given.
    Turns { order: Option<String>, until: Option<String>, body: Vec<Self> },
    /// Steps that are repeated until the condition `until` holds, if it is given.
    Again { until: Option<String>, body: Vec<Self> },
}

/// A phase with its steps, or steps outside of phases.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct PhaseSteps {
    /// The phase; `None` for steps outside of phases.
    pub(super) phase: Option<PhaseId>,
    /// Function that returns whether the phase takes place.
    pub(super) when: Option<String>,
    /// Steps of the phase.
    pub(super) steps: Vec<Node>,
}

/// The order of play.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Course {
    /// Steps before the first round or phase.
    pub(super) setup: Vec<Node>,
    /// Phases, in order.
    pub(super) phases: Vec<PhaseSteps>,
    /// Whether the phases are repeated in rounds.
    pub(super) has_rounds: bool,
    /// Steps after the last round.
    pub(super) finish: Vec<Node>,
}

impl Node {
    /// Appends to `found` the names of the functions that return the orders and conditions of the step, including nested steps.
    fn conditions<'n>(&'n self, found: &mut Vec<&'n str>) {
        let (order, until, body) = match self {
            Self::Call(_) => return,
            Self::EachSeat { order, body } => (order, &None, body),
            Self::Turns { order, until, body } => (order, until, body),
            Self::Again { until, body } => (&None, until, body),
        };
        found.extend(order.as_deref().into_iter().chain(until.as_deref()));
        for node in body {
            node.conditions(found);
        }
    }

    /// Appends to `found` the names of the functions that the step calls, including nested steps. Leaves out the functions for orders and
    /// conditions.
    pub(super) fn functions<'n>(&'n self, found: &mut Vec<&'n str>) {
        match self {
            Self::Call(function) => found.push(function),
            Self::EachSeat { body, .. } | Self::Turns { body, .. } | Self::Again { body, .. } => {
                for node in body {
                    node.functions(found);
                }
            }
        }
    }
}

impl Course {
    /// Returns the names of the functions that return orders and conditions.
    pub(super) fn conditions(&self) -> Vec<&str> {
        let mut found: Vec<&str> = self.phases.iter().filter_map(|phase| phase.when.as_deref()).collect();
        let phases = self.phases.iter().map(|phase| &phase.steps);
        phases.chain([&self.setup, &self.finish]).flatten().for_each(|node| node.conditions(&mut found));
        found
    }

    /// Creates the order of play from the instructions of a flow.
    pub(super) fn new(ops: &[Op]) -> Self {
        let mut course = Self::default();
        let (mut at, mut is_finish) = (0, false);
        while at < ops.len() {
            match &ops[at] {
                Op::PhaseBegins { phase, when, .. } => {
                    let when = when.as_ref().map(ToString::to_string);
                    course.phases.push(PhaseSteps { phase: Some(*phase), when, steps: Vec::new() });
                    at += 1;
                    let steps = steps(ops, &mut at);
                    course.phases.last_mut().expect("it was just added").steps = steps;
                }
                Op::RoundBegins => {
                    course.has_rounds = true;
                    at += 1;
                }
                Op::FinishBegins => {
                    is_finish = true;
                    at += 1;
                }
                Op::Call(_) | Op::EachSeat { .. } | Op::Turns { .. } | Op::Run => {
                    let steps = steps(ops, &mut at);
                    if is_finish {
                        course.finish.extend(steps);
                    } else if course.has_rounds || !course.phases.is_empty() {
                        course.phases.push(PhaseSteps { phase: None, when: None, steps });
                    } else {
                        course.setup.extend(steps);
                    }
                }
                _ => at += 1,
            }
        }
        course
    }
}

/// Parses steps up to the end of their loop or section. Leaves `at` after the end of the loop, or at the beginning of the next section.
fn steps(ops: &[Op], at: &mut usize) -> Vec<Node> {
    let mut found = Vec::new();
    let name = |function: &Option<std::sync::Arc<str>>| function.as_ref().map(ToString::to_string);
    while let Some(op) = ops.get(*at) {
        let until = match ops.get(*at + 1) {
            Some(Op::Until { function, .. }) => name(function),
            _ => None,
        };
        *at += 1;
        match op {
            Op::Call(call) => found.push(Node::Call(call.function.to_string())),
            Op::EachSeat { order, .. } => found.push(Node::EachSeat { order: name(order), body: steps(ops, at) }),
            Op::Turns { order } => found.push(Node::Turns { order: name(order), until, body: steps(ops, at) }),
            Op::Run => found.push(Node::Again { until, body: steps(ops, at) }),
            Op::Until { .. } => {}
            Op::NextSeat { .. } | Op::NextTurn { .. } | Op::Repeat { .. } => return found,
            _ => {
                // The next section begins here. The caller parses it.
                *at -= 1;
                return found;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Course, Node};
    use crate::model::{FlowCall, Op};

    fn call(name: &str) -> Op {
        Op::Call(FlowCall { function: name.into(), takes_seat: false })
    }

    #[test]
    fn loops_are_nested() {
        let ops = [
            call("shuffle"),
            Op::RoundBegins,
            Op::PhaseBegins { phase: crate::model::PhaseId::at(0), when: None, end: 9 },
            Op::Run,
            Op::Until { function: Some("done".into()), end: 8 },
            Op::EachSeat { order: None, end: 8 },
            call("draw"),
            Op::NextSeat { body: 6 },
            Op::Repeat { body: 4 },
            Op::PhaseEnds,
            Op::RoundEnds { begin: 1 },
            Op::FinishBegins,
            call("count"),
            Op::Over,
        ];
        let course = Course::new(&ops);
        assert_eq!(
            (course.setup, course.finish),
            (vec![Node::Call("shuffle".into())], vec![Node::Call("count".into())])
        );
        let each = Node::EachSeat { order: None, body: vec![Node::Call("draw".into())] };
        assert_eq!(course.phases[0].steps, [Node::Again { until: Some("done".into()), body: vec![each] }]);
        assert!(course.has_rounds && course.phases.len() == 1);
    }
}
