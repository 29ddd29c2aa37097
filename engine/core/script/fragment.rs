//! Script fragments outside the rule files, such as `expect` and `do` in playscripts: checking, compiling and running them.

use super::host::{Host, collect_functions, known_names};
use super::machine::Machine;
use super::rule_file::{fragment_mistakes, to_diagnostic};
use super::types;
use crate::analysis::infer;
use crate::analysis::names::Names;
pub use crate::analysis::names::{PHASE, STANDING};
use crate::analysis::program;
use crate::decision::Value;
use crate::diagnostic::{Diagnostic, Place, Severity, Source, UnknownField, did_you_mean};
use crate::library::context::facts::owned_names;
use crate::library::context::names::names;
use crate::library::{Form, State, registry};
use crate::syntax::{
    Block, File, Function, Name, OwnFunctions, ScriptEngine, Span, bind_statements, parse, parse_statements,
};
use crate::vm::Run;
use std::sync::{Arc, PoisonError};

/// Maximum number of sets of names that are kept. Callers use only a few sets of additional names.
const MAX_KEPT_NAMES: usize = 8;

impl Host {
    /// Evaluates a fragment.
    ///
    /// # Errors
    /// Returns the first error in the fragment, or the fault that stopped it.
    pub(super) fn eval(
        &self,
        state: &mut State,
        source: &Arc<Source>,
        names: &[(String, Value)],
    ) -> Result<Value, Diagnostic> {
        let (machine, mut run) = self.prepare_fragment(source, names)?;
        machine.resume(state, &mut run).into_value().map_err(|fault| self.with_spelling_help(source, names, fault))
    }

    /// Compiles a fragment and prepares a run of it. `own` are the names that exist only in the fragment, with their values.
    ///
    /// # Errors
    /// Returns the first error in the fragment.
    pub(super) fn prepare_fragment(
        &self,
        source: &Arc<Source>,
        own: &[(String, Value)],
    ) -> Result<(Arc<Machine>, Run), Diagnostic> {
        let names: Vec<String> = own.iter().map(|(name, _)| name.clone()).collect();
        if let Some(mistake) = fragment_mistakes(source, &self.fragment_names(&names)).into_iter().next() {
            return Err(mistake);
        }
        if let Some(refusal) = self.fragment_parser(&names).first_error(source, &source.text) {
            return Err(to_diagnostic(refusal));
        }
        let names: Vec<Arc<str>> = names.iter().map(|name| name.as_str().into()).collect();
        let (machine, number) =
            self.machine().with_fragment(source, &names, &self.own_functions()).map_err(|mut found| found.remove(0))?;
        let given: Vec<Value> = own.iter().map(|(_, value)| value.clone()).collect();
        let run = machine.run_by_index(number, &given);
        Ok((Arc::new(machine), run))
    }

    /// Replaces a fault at an unknown name in a fragment with an error that suggests a similar known name. Returns other faults unchanged.
    pub(super) fn with_spelling_help(
        &self,
        source: &Arc<Source>,
        own: &[(String, Value)],
        found: Diagnostic,
    ) -> Diagnostic {
        let Some(mark) = found.marks.first().filter(|mark| Arc::ptr_eq(&mark.place.source, source)) else {
            return found;
        };
        let Some(word) = source.text.get(mark.place.span.clone()) else { return found };
        let is_name = word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        let known = self.all_names();
        let Some(help) = did_you_mean(word, known.iter().map(String::as_str)) else { return found };
        if !is_name || known.iter().chain(own.iter().map(|(name, _)| name)).any(|name| name == word) {
            return found;
        }
        let place = mark.place.clone();
        let is_call = source.text[place.span.end..].starts_with('(');
        if source.text[..place.span.start].trim_end().ends_with('.') && !is_call {
            return UnknownField::of_nothing(word).help(help).at(place);
        }
        let code = if is_call { "unknown-function" } else { "unknown-name" };
        Diagnostic::error(code, format!("there is no `{word}`")).mark(place, "not a name known here").help(help)
    }

    /// Returns all names that scripts can use: those of rule functions, library functions and properties, and facts.
    fn all_names(&self) -> Vec<String> {
        let own = self.functions().iter().map(|function| function.name.clone());
        let words = Self::vocabulary().into_iter().filter(|word| word.form != Form::Operator).map(|word| word.name);
        let owned = owned_names(&self.model).into_iter().map(|(name, _)| name);
        own.chain(words).chain(owned).collect()
    }

    /// Returns whether `name` is a global name of scripts. Built-in names count too, and so do names that exist only with other options.
    pub fn has_name(&self, name: &str) -> bool {
        names(&self.model).iter().any(|(known, _)| known == name)
    }

    /// Returns the errors in the fragments of a playscript. `own` are the names that exist only in these fragments.
    pub fn mistakes_in(&self, texts: &[Arc<Source>], own: &[String]) -> Vec<Diagnostic> {
        let engine_parser = self.fragment_parser(own);
        let known = self.fragment_names(own);
        let (mut found, mut functions) = (Vec::new(), self.functions().to_vec());
        let mut read: Vec<&Arc<Source>> = Vec::new();
        for source in texts {
            let mistakes = fragment_mistakes(source, &known);
            if !mistakes.is_empty() {
                found.extend(mistakes);
                continue;
            }
            match engine_parser.first_error(source, &source.text) {
                None => {
                    let file = parse(source, &mut 0).tree;
                    collect_functions(&file.functions, source, &mut functions, &mut found);
                    read.push(source);
                }
                Some(refusal) => found.push(to_diagnostic(refusal)),
            }
        }
        let functions = self.own_functions();
        let trees: Vec<File> = texts.iter().map(|source| as_function(source, own, &functions)).collect();
        let is_read = |source: &Arc<Source>| read.iter().any(|text| Arc::ptr_eq(text, source));
        let beside = texts.iter().zip(&trees).filter(|(source, _)| is_read(source));
        let mut files = self.read();
        files.extend(beside.map(|(source, tree)| program::ParsedFile { source, tree, is_agent: false, unread: &[] }));
        found.extend(types::mistakes_of_texts(&self.model, &files));
        self.add_types(texts, &trees, own, &mut found);
        found.retain(|found| found.severity == Severity::Error);
        found.sort_by(|a, b| a.order().cmp(&b.order()));
        found.dedup();
        found
    }

    /// Adds the type errors in fragments to `found`. Also removes all errors outside these fragments from `found`.
    fn add_types(&self, texts: &[Arc<Source>], trees: &[File], own: &[String], found: &mut Vec<Diagnostic>) {
        let read: Vec<infer::Text<'_>> = texts
            .iter()
            .zip(trees)
            .map(|(source, tree)| infer::Text { source, statements: &tree.functions[0].body.statements, own })
            .collect();
        types::add_mistakes_in(self.types(), &read, found);
        let is_here = |place: &Place| texts.iter().any(|text| Arc::ptr_eq(text, &place.source));
        found.retain(|found| found.marks.first().is_none_or(|mark| is_here(&mark.place)));
    }

    /// Creates a parser of the script engine that knows the global names and the names in `own`.
    fn fragment_parser(&self, own: &[String]) -> ScriptEngine {
        let names = names(&self.model);
        ScriptEngine::new(names.iter().map(|(name, _)| name).chain(own).map(String::as_str))
    }

    /// Returns all names that a fragment may use, including those in `own`. A playscript may have thousands of fragments, so the
    /// names are collected only once.
    fn fragment_names(&self, own: &[String]) -> Arc<Names> {
        let mut known = self.fragment_names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(names) = known.get(own) {
            return names.clone();
        }
        let names = known_names(&self.model, &names(&self.model), &registry().entries);
        let names = Arc::new(Names {
            global: names.global.iter().chain(own).cloned().collect(),
            functions: self.functions().iter().map(|function| function.name.clone()).collect(),
            ..names
        });
        if known.len() == MAX_KEPT_NAMES {
            known.clear();
        }
        known.insert(own.to_vec(), names.clone());
        names
    }
}

/// Wraps a fragment in an unnamed function for the analysis. The names in `own` become its parameters.
fn as_function(source: &Arc<Source>, own: &[String], functions: &OwnFunctions) -> File {
    let span = Span::new(0, source.text.len());
    let name = |text: &str| Name { text: text.into(), span: Span::default() };
    let mut body = Block { statements: parse_statements(source, &mut 0).tree, span };
    bind_statements(&mut body.statements, functions);
    let params = own.iter().map(|own| name(own)).collect();
    File {
        functions: vec![Function { name: name(""), key: "".into(), params, has_params: true, body, doc: None, span }],
        statements: Vec::new(),
    }
}
