//! Finds results of public rolls that are stored in hidden values. Everybody knows the result, so the value is not secret.

use super::mistakes::told_roll;
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::library::ROLL;
use crate::model::Model;
use crate::syntax::{Expr, ExprKind, File, Function, Name, Node, Statement, StatementKind, each_expr_in, each_node};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Returns the names of values that are hidden from some seat. Names that a public value also has are left out.
pub(crate) fn hidden_values(model: &Model) -> BTreeSet<Arc<str>> {
    let all = || std::iter::once(model).chain(model.variants_with_more_names().iter().map(|model| &**model));
    let named = |is_public: bool| {
        let values = all().flat_map(|model| &model.values).filter(move |value| value.is_public() == is_public);
        values.map(|value| value.id.clone()).collect::<BTreeSet<_>>()
    };
    &named(false) - &named(true)
}

/// Reports public rolls whose results are stored in hidden values. The results are followed through variables, calls and conditions.
pub(crate) fn stored_public_rolls<'a>(
    files: impl Iterator<Item = (&'a Arc<Source>, &'a File)>,
    hidden: &BTreeSet<Arc<str>>,
) -> Vec<Diagnostic> {
    if hidden.is_empty() {
        return Vec::new();
    }
    let functions: Vec<(&Arc<Source>, &Function)> =
        files.flat_map(|(source, file)| file.functions.iter().map(move |function| (source, function))).collect();
    let mut flow = RollFlow::default();
    // Functions may call each other in any order, so the analysis is repeated until it finds nothing new. `follow` is the first operand of
    // `||`, so that it is never skipped.
    while functions.iter().fold(false, |is_new, (source, function)| flow.follow(source, function) || is_new) {}
    functions.iter().flat_map(|(source, function)| flow.hidden_rolls(source, function, hidden)).collect()
}

/// A public roll: the file, and the name of the function in the call.
type Roll<'a> = (&'a Arc<Source>, &'a Name);

/// Functions whose arguments or return values depend on public rolls.
#[derive(Default)]
struct RollFlow<'a> {
    /// Rolls that influence return values, by key of the function.
    results: BTreeMap<&'a str, Roll<'a>>,
    /// Rolls that influence arguments, by key of the function and index of the parameter.
    arguments: BTreeMap<(&'a str, usize), Roll<'a>>,
}

type Variables<'a> = BTreeMap<&'a str, Roll<'a>>;

impl<'a> RollFlow<'a> {
    /// Analyzes a function. Returns whether anything new was found.
    fn follow(&mut self, source: &'a Arc<Source>, function: &'a Function) -> bool {
        let known = self.results.len() + self.arguments.len();
        let variables = self.variables(source, function);
        let mut results: Vec<&Expr> = Vec::new();
        function.each_node(&mut |node| match node {
            Node::Statement(Statement { kind: StatementKind::Return(Some(value)), .. }) => results.push(value),
            Node::Expr(expr) => {
                let (key, passed): (&str, &[Expr]) = match &expr.kind {
                    ExprKind::OwnCall { key, arguments, .. } => (key, arguments),
                    _ => return,
                };
                for (at, argument) in passed.iter().enumerate() {
                    if let Some(roll) = self.roll_in(source, argument, &variables) {
                        self.arguments.entry((key, at)).or_insert(roll);
                    }
                }
            }
            _ => {}
        });
        if let Some(Statement { kind: StatementKind::Expr(last), .. }) = function.body.statements.last() {
            results.push(last);
        }
        if let Some(roll) = results.into_iter().find_map(|value| self.roll_in(source, value, &variables)) {
            self.results.entry(&*function.key).or_insert(roll);
        }
        self.results.len() + self.arguments.len() > known
    }

    /// Returns the variables of a function that depend on a public roll, each with this roll.
    fn variables(&self, source: &'a Arc<Source>, function: &'a Function) -> Variables<'a> {
        let params = function.params.iter().enumerate();
        let argument = |(at, name): (usize, &'a Name)| {
            let roll = self.arguments.get(&(&*function.key, at))?;
            Some((&*name.text, *roll))
        };
        let mut variables: Variables<'a> = params.filter_map(argument).collect();
        function.each_node(&mut |node| {
            let Node::Statement(statement) = node else { return };
            let (name, value) = match &statement.kind {
                StatementKind::Let { name, value: Some(value) } => (&*name.text, value),
                StatementKind::Assign { target: Expr { kind: ExprKind::Name(name), .. }, value, .. } => {
                    (&**name, value)
                }
                _ => return,
            };
            if let Some(roll) = self.roll_in(source, value, &variables) {
                variables.entry(name).or_insert(roll);
            }
        });
        variables
    }

    /// Returns a roll that an expression depends on, if there is one.
    fn roll_in(&self, source: &'a Arc<Source>, expr: &'a Expr, variables: &Variables<'a>) -> Option<Roll<'a>> {
        let mut found = None;
        each_expr_in(expr, &mut |inner| {
            let roll = match &inner.kind {
                ExprKind::Call { name, arguments } if &*name.text == ROLL => {
                    (arguments.len() == 1).then_some((source, name))
                }
                ExprKind::OwnCall { key, .. } => self.results.get(&**key).copied(),
                ExprKind::Name(name) => variables.get(&**name).copied(),
                _ => None,
            };
            found = found.or(roll);
        });
        found
    }

    /// Returns diagnostics for hidden values that a function sets to the result of a public roll, or sets under a condition that depends on
    /// one.
    fn hidden_rolls(
        &self,
        source: &'a Arc<Source>,
        function: &'a Function,
        hidden: &BTreeSet<Arc<str>>,
    ) -> Vec<Diagnostic> {
        let variables = self.variables(source, function);
        let mut found: BTreeMap<usize, (&Name, Roll<'_>)> = BTreeMap::new();
        let hidden_target = |statement: &'a Statement| match &statement.kind {
            StatementKind::Assign { target: Expr { kind: ExprKind::Field { name, .. }, .. }, value, .. } => {
                hidden.contains(&name.text).then_some((name, value))
            }
            StatementKind::Assign {
                target: Expr { kind: ExprKind::Index { receiver: of, .. }, .. }, value, ..
            } => match &of.kind {
                ExprKind::Field { name, .. } => hidden.contains(&name.text).then_some((name, value)),
                _ => None,
            },
            _ => None,
        };
        function.each_node(&mut |node| match node {
            Node::Statement(statement) => {
                if let Some((name, value)) = hidden_target(statement)
                    && let Some(roll) = self.roll_in(source, value, &variables)
                {
                    found.entry(name.span.range().start).or_insert((name, roll));
                }
            }
            Node::Expr(Expr { kind: ExprKind::If { condition, then, otherwise }, .. }) => {
                let Some(roll) = self.roll_in(source, condition, &variables) else { return };
                let mut record = |node: Node<'a>| {
                    if let Node::Statement(statement) = node
                        && let Some((name, _)) = hidden_target(statement)
                    {
                        found.entry(name.span.range().start).or_insert((name, roll));
                    }
                };
                each_node(&then.statements, &mut record);
                if let Some(Expr { kind: ExprKind::Block(block), .. }) = otherwise.as_deref() {
                    each_node(&block.statements, &mut record);
                }
            }
            _ => {}
        });
        found.into_values().map(|(value, roll)| public_roll((source, value), roll)).collect()
    }
}

fn public_roll(value: (&Arc<Source>, &Name), roll: Roll<'_>) -> Diagnostic {
    let place = |(source, name): (&Arc<Source>, &Name)| Place { source: source.clone(), span: name.span.range() };
    told_roll(&value.1.text, place(value), place(roll))
}
