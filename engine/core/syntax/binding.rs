//! Binding of calls: determines once, by name and number of arguments, to which function a call refers.
//!
//! The parser does not know which functions a game has, so it parses every call as [`ExprKind::Call`] or [`ExprKind::Method`]. Binding
//! converts the calls of the game's own functions to [`ExprKind::OwnCall`]. The remaining calls are calls of the library. A function of the
//! game therefore hides a library function with the same name and number of arguments, and code that searches for a library function by
//! name never finds a function of the game.

use super::parser::parse;
use super::tree::{Block, CallForm, Expr, ExprKind, File, Function, Segment, Statement, StatementKind};
use crate::diagnostic::Source;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The functions that a game defines itself, for binding calls.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnFunctions {
    by_name: FxHashMap<Arc<str>, Vec<OwnFunction>>,
}

/// A function to which a call may refer.
#[derive(Debug, Clone, PartialEq, Eq)]
struct OwnFunction {
    /// Number of parameters; `None` if the parameters could not be parsed.
    arity: Option<usize>,
    key: Arc<str>,
}

impl OwnFunctions {
    /// Collects the functions of rule files.
    pub fn of_rules<'f>(files: impl IntoIterator<Item = &'f File>) -> Self {
        let mut own = Self::default();
        files.into_iter().flat_map(|file| &file.functions).for_each(|function| own.add(function));
        own
    }

    /// Adds a function, which takes precedence over earlier functions with the same name and number of parameters.
    fn add(&mut self, function: &Function) {
        let arity = function.has_params.then_some(function.params.len());
        let known = self.by_name.entry(function.name.text.clone()).or_default();
        known.insert(0, OwnFunction { arity, key: function.key.clone() });
    }

    /// Returns whether a function called `name` exists, regardless of its number of parameters.
    pub fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Returns the key of the function that a call refers to; `None` if it is not a function of the game. `arguments` includes the
    /// receiver.
    pub fn find(&self, name: &str, arguments: usize) -> Option<&Arc<str>> {
        let known = self.by_name.get(name)?;
        known.iter().find(|one| one.arity.is_none_or(|arity| arity == arguments)).map(|one| &one.key)
    }
}

/// Binds the calls in rule files. Each file may call the functions of every file. Returns the functions of all files.
pub fn bind_rules(files: &mut [&mut File]) -> OwnFunctions {
    let own = OwnFunctions::of_rules(files.iter().map(|file| &**file));
    for file in files {
        bind_file(file, &own);
    }
    own
}

/// Binds the calls in an agent's file. A function of this file hides a rule function with the same name and number of parameters, and gets
/// a separate key if any rule function has its name. Returns the functions that the file can call.
pub fn bind_agent(file: &mut File, rules: &OwnFunctions) -> OwnFunctions {
    let mut own = rules.clone();
    for function in &mut file.functions {
        if rules.has(&function.name.text) {
            // Names cannot contain spaces, so no other function has this key.
            function.key = format!("{} (agent)", function.name.text).into();
        }
        own.add(function);
    }
    bind_file(file, &own);
    own
}

/// Parses rule files and binds their calls. Syntax errors are ignored.
pub(crate) fn parse_rules(sources: &[Arc<Source>]) -> Vec<File> {
    let mut ids = 0;
    let mut files: Vec<File> = sources.iter().map(|source| parse(source, &mut ids).tree).collect();
    bind_rules(&mut files.iter_mut().collect::<Vec<_>>());
    files
}

/// Binds the calls in statements outside of files, such as the code in a playscript.
pub fn bind_statements(statements: &mut [Statement], own: &OwnFunctions) {
    for statement in statements {
        bind_statement(statement, own);
    }
}

/// Binds the calls in a file to the functions in `own`.
pub fn bind_file(file: &mut File, own: &OwnFunctions) {
    for function in &mut file.functions {
        bind_block(&mut function.body, own);
    }
    bind_statements(&mut file.statements, own);
}

fn bind_block(block: &mut Block, own: &OwnFunctions) {
    bind_statements(&mut block.statements, own);
}

fn bind_statement(statement: &mut Statement, own: &OwnFunctions) {
    match &mut statement.kind {
        StatementKind::Let { value, .. } | StatementKind::Return(value) | StatementKind::Break(value) => {
            bind_exprs(value, own);
        }
        StatementKind::Assign { target, value, .. } => bind_exprs([target, value], own),
        StatementKind::Expr(expr) => bind_expr(expr, own),
        StatementKind::Continue => {}
    }
}

fn bind_exprs<'e>(exprs: impl IntoIterator<Item = &'e mut Expr>, own: &OwnFunctions) {
    exprs.into_iter().for_each(|expr| bind_expr(expr, own));
}

fn bind_expr(expr: &mut Expr, own: &OwnFunctions) {
    match &mut expr.kind {
        ExprKind::Missing
        | ExprKind::Unit
        | ExprKind::Flag(_)
        | ExprKind::Number(_)
        | ExprKind::Text(_)
        | ExprKind::Name(_) => {}
        ExprKind::Template(segments) => {
            for segment in segments {
                if let Segment::Code(block) = segment {
                    bind_block(block, own);
                }
            }
        }
        ExprKind::List(items) => bind_exprs(items, own),
        ExprKind::Map(parts) => bind_exprs(parts.iter_mut().map(|(_, value)| value), own),
        ExprKind::Field { receiver: of, .. } | ExprKind::Unary { operand: of, .. } => bind_expr(of, own),
        ExprKind::Index { receiver: of, index, .. } => bind_exprs([&mut **of, &mut **index], own),
        ExprKind::Call { arguments, .. } | ExprKind::OwnCall { arguments, .. } => bind_exprs(arguments, own),
        ExprKind::Method { receiver: of, arguments, .. } => {
            bind_expr(of, own);
            bind_exprs(arguments, own);
        }
        ExprKind::Binary { left, right, .. } => bind_exprs([&mut **left, &mut **right], own),
        ExprKind::Closure { body, .. } => bind_statement(body, own),
        ExprKind::Block(block) => bind_block(block, own),
        ExprKind::If { condition, then, otherwise } => {
            bind_expr(condition, own);
            bind_block(then, own);
            bind_exprs(otherwise.as_deref_mut(), own);
        }
        ExprKind::Switch { subject, cases } => {
            bind_expr(subject, own);
            for case in cases {
                bind_exprs(case.patterns.iter_mut().chain(&mut case.condition), own);
                bind_statement(&mut case.body, own);
            }
        }
        ExprKind::While { condition, body } => {
            bind_exprs(condition.as_deref_mut(), own);
            bind_block(body, own);
        }
        ExprKind::DoWhile { body, condition } => {
            bind_block(body, own);
            bind_expr(condition, own);
        }
        ExprKind::For { list, body, .. } => {
            bind_expr(list, own);
            bind_block(body, own);
        }
    }
    bind_call(&mut expr.kind, own);
}

/// Converts a call of one of the game's functions to [`ExprKind::OwnCall`].
fn bind_call(kind: &mut ExprKind, own: &OwnFunctions) {
    let key = match kind {
        ExprKind::Call { name, arguments } => own.find(&name.text, arguments.len()),
        ExprKind::Method { name, arguments, .. } => own.find(&name.text, arguments.len() + 1),
        _ => None,
    };
    let Some(key) = key.cloned() else { return };
    *kind = match std::mem::replace(kind, ExprKind::Missing) {
        ExprKind::Call { name, arguments } => ExprKind::OwnCall { name, key, arguments, form: CallForm::Plain },
        ExprKind::Method { receiver, name, mut arguments, is_optional } => {
            arguments.insert(0, *receiver);
            let form = if is_optional { CallForm::OptionalMethod } else { CallForm::Method };
            ExprKind::OwnCall { name, key, arguments, form }
        }
        other => other,
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::each_expr;

    fn read(text: &str) -> File {
        parse(&Arc::new(Source { path: "rules/a.rhai".to_owned(), text: text.to_owned() }), &mut 0).tree
    }

    /// Returns the keys of the game's functions, and the names of the library functions, that `function` calls.
    fn calls(function: &Function) -> (Vec<String>, Vec<String>) {
        let (mut own, mut library) = (Vec::new(), Vec::new());
        each_expr(&function.body.statements, &mut |expr| match &expr.kind {
            ExprKind::OwnCall { key, .. } => own.push(key.to_string()),
            ExprKind::Call { name, .. } | ExprKind::Method { name, .. } => library.push(name.text.to_string()),
            _ => {}
        });
        (own, library)
    }

    #[test]
    fn number_of_arguments_counts_the_receiver() {
        let mut file =
            read("fn total(a, b) { a + b }\nfn f(x) { total(x, 1); x.total(1); x?.total(2); x.total(); total(x); }");
        bind_rules(&mut [&mut file]);
        let (own, library) = calls(&file.functions[1]);
        assert_eq!(own, ["total", "total", "total"]);
        assert_eq!(library, ["total", "total"]);
    }

    #[test]
    fn an_agents_function_hides_that_of_the_rules_for_the_agent_only() {
        let mut rules = read("fn worth(x) { x }\nfn twice(x) { worth(worth(x)) }");
        let known = bind_rules(&mut [&mut rules]);
        let mut agent = read("fn worth(x) { x }\nfn rate(x) { worth(x) + twice(x) }");
        bind_agent(&mut agent, &known);
        assert_eq!(calls(&rules.functions[1]).0, ["worth", "worth"]);
        assert_eq!(calls(&agent.functions[1]).0, ["worth (agent)", "twice"]);
    }
}
