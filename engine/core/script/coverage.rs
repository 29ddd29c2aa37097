//! Coverage of the rules: which statements ran, and which of them caused an event.
//!
//! To measure coverage, rules are compiled with an additional instruction before each statement. Otherwise they run at
//! full speed.

use super::function_log::FunctionLog;
use super::rule_file::RuleFile;
use crate::diagnostic::{Place, Source};
use crate::library::context::journal::CauseRecorder;
use crate::syntax::{self, Expr, ExprKind, Node, Span, Statement};
use crate::vm::Watched;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Statement whose executions are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// Place of the statement.
    pub place: Place,
    /// Name of the function that contains the statement.
    pub function: Arc<str>,
}

/// Kind of record that is kept while rules run.
#[derive(Debug, Clone)]
pub(super) enum Recording {
    /// Nothing.
    Nothing,
    /// How often each statement ran.
    Statements(Arc<Coverage>),
    /// Which functions ran.
    Functions(Arc<FunctionLog>),
}

impl Recording {
    /// Registers what is recorded in `files`, which must be the first files of the program. Returns `None` if nothing is recorded.
    pub(super) fn watch(&self, files: &[RuleFile]) -> Option<Watched> {
        match self {
            Self::Nothing => None,
            Self::Statements(coverage) => {
                let sources: Vec<Arc<Source>> = files.iter().map(|file| file.source().clone()).collect();
                Some(coverage.watch(&sources))
            }
            Self::Functions(log) => Some(log.watch(files)),
        }
    }

    /// Records that the watched statement or function at index `point` starts.
    pub(super) fn reached(&self, point: usize) {
        match self {
            Self::Nothing => {}
            Self::Statements(coverage) => coverage.reached(point),
            Self::Functions(log) => log.reached(point),
        }
    }

    /// Returns the coverage counters, if statements are recorded.
    pub(super) fn coverage(&self) -> Option<&Arc<Coverage>> {
        match self {
            Self::Statements(coverage) => Some(coverage),
            _ => None,
        }
    }
}

/// Coverage counters of one game.
#[derive(Debug, Default)]
pub(super) struct Coverage(Mutex<Counters>);

#[derive(Debug, Default)]
struct Counters {
    points: Vec<Point>,
    hits: Vec<u64>,
    last: Option<usize>,
    /// Pairs of the index of an event and the index of the statement that caused the event.
    causes: Vec<(usize, usize)>,
}

/// Coverage recorded since the previous query.
#[derive(Debug, Clone, Default)]
pub struct CoverageDelta {
    /// All statements with their execution counts.
    pub points: Vec<(Point, u64)>,
    /// Pairs of the index of an event and the index in `points` of the statement that caused the event.
    pub causes: Vec<(usize, usize)>,
    /// Index in `points` of the statement that ran last.
    pub last: Option<usize>,
}

impl Coverage {
    /// Registers the statements of `sources`, which must be the first sources of the program.
    pub(super) fn watch(&self, sources: &[Arc<Source>]) -> Watched {
        let (mut counters, mut watched) = (self.counters(), Watched::default());
        for (number, source) in sources.iter().enumerate() {
            for (span, function) in statements(source) {
                watched.insert((number as u16, span.range().start), counters.points.len() as u32);
                let place = Place { source: source.clone(), span: first_line_range(&source.text, span) };
                counters.points.push(Point { place, function });
            }
        }
        let count = counters.points.len();
        counters.hits.resize(count, 0);
        watched
    }

    /// Counts one execution of the statement at index `point`.
    pub(super) fn reached(&self, point: usize) {
        let mut counters = self.counters();
        counters.hits[point] += 1;
        counters.last = Some(point);
    }

    /// Returns and resets the counters.
    pub(super) fn take(&self) -> CoverageDelta {
        let mut counters = self.counters();
        let fresh = vec![0; counters.hits.len()];
        let hits = std::mem::replace(&mut counters.hits, fresh);
        CoverageDelta {
            points: counters.points.iter().cloned().zip(hits).collect(),
            causes: std::mem::take(&mut counters.causes),
            last: counters.last.take(),
        }
    }

    fn counters(&self) -> MutexGuard<'_, Counters> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CauseRecorder for Coverage {
    fn record_cause(&self, event: usize) {
        let mut counters = self.counters();
        if let Some(last) = counters.last {
            counters.causes.push((event, last));
        }
    }
}

/// Returns the range from the start of a statement to the first semicolon, line break or opening brace.
fn first_line_range(text: &str, span: Span) -> Range<usize> {
    let whole = &text[span.range()];
    let end = whole.find([';', '\n', '{']).unwrap_or(whole.len());
    let start = span.range().start;
    start..start + whole[..end].trim_end().len().max(whole.chars().next().map_or(0, char::len_utf8))
}

/// Returns the statements of all functions, each with the name of its function.
///
/// An `else if` counts as a statement. The body of a `switch` case or a closure without braces counts only if it starts on a new line.
fn statements(source: &Arc<Source>) -> Vec<(Span, Arc<str>)> {
    let tree = syntax::parse(source, &mut 0).tree;
    let mut found = Vec::new();
    let is_apart = |body: &Statement, of: &Expr| {
        let (text, start) = (&source.text, body.span.range().start);
        text[of.span.range().start..start].contains('\n') && !text[start..].starts_with('{')
    };
    for function in &tree.functions {
        let mut note = |span: Span| found.push((span, function.name.text.clone()));
        function.each_node(&mut |node| match node {
            Node::Block(block) if source.text[block.span.range()].starts_with('{') => {
                block.statements.iter().for_each(|statement| note(statement.span));
            }
            Node::Expr(whole) => match &whole.kind {
                ExprKind::If { otherwise: Some(otherwise), .. } if matches!(otherwise.kind, ExprKind::If { .. }) => {
                    note(otherwise.span);
                }
                ExprKind::Closure { body, .. } if is_apart(body, whole) => note(body.span),
                ExprKind::Switch { cases, .. } => {
                    cases.iter().filter(|case| is_apart(&case.body, whole)).for_each(|case| note(case.body.span));
                }
                _ => {}
            },
            _ => {}
        });
    }
    found.sort_by_key(|(span, _)| span.start);
    found
}

#[cfg(test)]
mod tests {
    use super::statements;
    use crate::diagnostic::Source;
    use std::sync::Arc;

    fn source(text: &str) -> Arc<Source> {
        Arc::new(Source { path: String::new(), text: text.to_owned() })
    }

    fn begins(text: &str) -> Vec<&str> {
        let starts = statements(&source(text)).into_iter().map(|(span, _)| span.range().start);
        starts.map(|at| text[at..].split([';', '{', '\n', ' ']).next().unwrap_or("")).collect()
    }

    #[test]
    fn a_statement_begins_after_a_brace_or_a_semicolon() {
        let text =
            "/// One; two {\nfn f(a) {\n    let x = #{ a: 1, b: [2] };\n    g(\";{\"); // h;\n    x\n}\nfn g(b) {}\n";
        assert_eq!(begins(text), ["let", "g(\"", "x"]);
        assert!(statements(&source(text)).iter().all(|(_, function)| &**function == "f"));
    }

    #[test]
    fn statements_in_blocks_and_branches_are_found() {
        assert_eq!(begins("fn f() { if a { b; } else if c { d } else { e } g }"), ["if", "b", "if", "d", "e", "g"]);
        assert_eq!(begins("fn f() { let x = if a { 1 } else { 2 }; for i in l { i } }"), ["let", "1", "2", "for", "i"]);
        assert_eq!(begins("fn f() { do { a; } while b; loop { c } }"), ["do", "a", "loop", "c"]);
        assert_eq!(begins("fn f() { l.map(|x| { x + 1 }).sum() }"), ["l.map(|x|", "x"]);
    }

    #[test]
    fn bodies_on_a_new_line_are_statements() {
        assert_eq!(begins("fn f() { l.filter(|x|\n x > 1).map(|x| x) }"), ["l.filter(|x|", "x"]);
        assert_eq!(begins("fn f() { switch a {\n 1 => b,\n 2 => { c } } }"), ["switch", "b,", "c"]);
    }

    #[test]
    fn switch_cases_are_statements_only_in_braces() {
        assert_eq!(begins("fn f() { switch a { 1 => b, 2 => { c; d }, _ => () } e }"), ["switch", "c", "d", "e"]);
    }
}
