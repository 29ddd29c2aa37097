//! Rule functions as a rulebook describes them: by their doc comments, in the order in which they are called.

use crate::diagnostic::Source;
use crate::model::{DecisionId, Language, Model, SCORING, capitalized, split_section, text_in_language};
use crate::phrases::{Phrases, filled};
use crate::syntax::{Function, Lexeme, lexemes, parse};
use crate::wording::Wording;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Maximum call depth at which the comments of called functions are quoted.
const MAX_CALL_DEPTH: usize = 6;

/// Name prefix of functions that check the rules instead of stating them.
const INVARIANT: &str = "invariant_";

/// First words of comments on functions that only return a fact. These comments are not quoted where the function is called.
const QUERIES: [&str; 4] = ["whether ", "how ", "what ", "which "];

/// A function of the rules.
pub(super) struct RuleFunction {
    name: String,
    /// Chapter that the comment names, such as `Prices` in `Prices 6.2: a step up …`.
    topic: Option<String>,
    /// The chapter in English, by which variants are found in every language.
    english_topic: Option<String>,
    /// The comment without its chapter.
    said: String,
    /// Whether the comment describes a fact that the function returns, according to [`QUERIES`], or is a condition of the flow.
    is_query: bool,
    /// Names that occur in the function, such as those of zones and params.
    names: BTreeSet<String>,
    /// String literals in the function, some of which are ids of decisions.
    quoted: Vec<String>,
    /// Names of the called functions and methods, found as names followed by a parenthesis.
    called: Vec<String>,
}

/// All functions of a game's rules.
pub(super) struct RuleFunctions<'m> {
    model: &'m Model,
    wording: &'m Wording,
    language: Language,
    all: Vec<RuleFunction>,
    /// English titles of variants. Functions whose comments name one of them as their chapter are needed only in this variant.
    variants: BTreeSet<String>,
}

impl<'m> RuleFunctions<'m> {
    /// Parses the functions of all scripts, in file order. `conditions` are the names of the functions that the flow asks for orders and
    /// conditions.
    pub(super) fn new(model: &'m Model, wording: &'m Wording, conditions: &[&str], variants: BTreeSet<String>) -> Self {
        let language = wording.language();
        let of_script = |script: &Arc<Source>| {
            let functions = parse(script, &mut 0).tree.functions.into_iter();
            functions.map(|function| rule_function(&script.text, &function, language)).collect::<Vec<_>>()
        };
        let mut all: Vec<RuleFunction> = model.scripts.iter().flat_map(of_script).collect();
        for function in &mut all {
            function.is_query |= conditions.contains(&&*function.name);
        }
        Self { model, wording, language, all, variants }
    }

    /// Returns the variant to which a function belongs.
    pub(super) fn variant_of(&self, name: &str) -> Option<&str> {
        self.find(name).and_then(|at| self.variant_at(at))
    }

    fn variant_at(&self, at: usize) -> Option<&str> {
        let function = &self.all[at];
        let is_variant = function.english_topic.as_ref().is_some_and(|topic| self.variants.contains(topic));
        function.topic.as_deref().filter(|_| is_variant)
    }

    /// Returns the variant to which something called `id` belongs: all functions that mention `id` belong to the variant. Invariants do
    /// not count.
    pub(super) fn variant_that_mentions(&self, id: &str) -> Option<&str> {
        let functions = self.all.iter().enumerate();
        let mut variants = functions
            .filter(|(_, function)| function.names.contains(id) && !function.name.starts_with(INVARIANT))
            .map(|(at, _)| self.variant_at(at));
        let first = variants.next()??;
        variants.all(|other| other == Some(first)).then_some(first)
    }

    /// Returns whether only steps of the setup mention `id`.
    pub(super) fn is_only_in_setup(&self, id: &str, setup: &[&str]) -> bool {
        let mut mentions = self.all.iter().filter(|function| function.names.contains(id)).peekable();
        mentions.peek().is_some() && mentions.all(|function| setup.contains(&&*function.name))
    }

    /// Returns the comments of the functions of a variant, in file order. `titles` are in English. Leaves out the steps of the game, and
    /// functions that only return a fact.
    pub(super) fn texts_of_variant(&self, titles: &[String], steps: &[&str]) -> Vec<&str> {
        let is_of = |at: usize| self.all[at].english_topic.as_ref().is_some_and(|topic| titles.contains(topic));
        let said = self.all.iter().enumerate().filter(|(at, function)| {
            is_of(*at) && !function.is_query && !function.said.is_empty() && !steps.contains(&&*function.name)
        });
        said.map(|(_, function)| &*function.said).collect()
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.all.iter().position(|function| function.name == name)
    }

    /// Returns the comment of a function, or its display name if it has no comment.
    pub(super) fn sentence(&self, name: &str) -> String {
        let said = self.find(name).map(|at| self.all[at].said.clone()).filter(|said| !said.is_empty());
        said.unwrap_or_else(|| self.wording.named_word(name))
    }

    /// Like [`RuleFunctions::sentence`], but as a clause for use within a sentence: in lower case, and without the final period and a
    /// first word "whether".
    pub(super) fn clause(&self, name: &str) -> String {
        let sentence = self.sentence(name);
        let clause = uncapitalized(sentence.trim_end_matches(['.', '\u{3002}']));
        clause.strip_prefix("whether ").map_or(clause.clone(), str::to_owned)
    }

    /// Returns whether the rules have a function called `name`, and the function has a comment.
    pub(super) fn has_comment(&self, name: &str) -> bool {
        self.find(name).is_some_and(|at| !self.all[at].said.is_empty())
    }

    /// Returns the indices of the functions that a function calls, without duplicates, in call order. Leaves out the function itself, and
    /// the functions for scoring.
    fn calls(&self, at: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for name in &self.all[at].called {
            if let Some(called) = self.find(name)
                && called != at
                && !found.contains(&called)
                && !SCORING.contains(&&*self.all[called].name)
            {
                found.push(called);
            }
        }
        found
    }

    /// Adds a function, and all functions that it calls directly or indirectly, to `reached`.
    fn reach(&self, at: usize, reached: &mut BTreeSet<usize>) {
        if !reached.insert(at) {
            return;
        }
        for called in self.calls(at) {
            self.reach(called, reached);
        }
    }

    /// Returns the procedures: functions whose comment names a chapter and that several sections reach. Steps and functions that only
    /// return a fact do not count. Each section is a list of function names.
    pub(super) fn procedures(&self, sections: &[Vec<&str>]) -> BTreeSet<usize> {
        let own: BTreeSet<usize> = sections.iter().flatten().filter_map(|name| self.find(name)).collect();
        let reached = sections.iter().map(|names| {
            let mut reached = BTreeSet::new();
            names.iter().filter_map(|name| self.find(name)).for_each(|at| self.reach(at, &mut reached));
            reached
        });
        let mut counts = vec![0; self.all.len()];
        reached.flatten().for_each(|at| counts[at] += 1);
        let is_procedure = |at: &usize| {
            let function = &self.all[*at];
            counts[*at] > 1
                && !own.contains(at)
                && function.topic.is_some()
                && self.variant_at(*at).is_none()
                && !function.said.is_empty()
                && !function.is_query
        };
        (0..self.all.len()).filter(is_procedure).collect()
    }

    /// Returns the text of a function: its comment, and the comments of the functions that it calls. Refers to procedures by their chapter
    /// instead of quoting them. Leaves out functions in `said`.
    pub(super) fn text(&self, name: &str, procedures: &BTreeSet<usize>, said: &mut BTreeSet<usize>) -> String {
        let mut text = Text { sentences: Vec::new(), topics: Vec::new() };
        if let Some(at) = self.find(name) {
            self.collect(at, (procedures, 0), said, &mut text);
        }
        self.joined(&text)
    }

    /// Returns the chapters of the procedures, each with its texts, in file order. Does not repeat the comments of `steps`.
    pub(super) fn chapters(&self, procedures: &BTreeSet<usize>, steps: &[&str]) -> Vec<(String, Vec<String>)> {
        let mut chapters: Vec<(String, Vec<String>)> = Vec::new();
        let mut said: BTreeSet<usize> = steps.iter().filter_map(|name| self.find(name)).collect();
        for at in procedures {
            let Some(topic) = &self.all[*at].topic else { continue };
            let mut text = Text { sentences: vec![self.all[*at].said.clone()], topics: vec![topic.clone()] };
            said.insert(*at);
            for called in self.calls(*at) {
                self.collect(called, (procedures, 1), &mut said, &mut text);
            }
            text.topics.remove(0);
            let text = self.joined(&text);
            match chapters.iter_mut().find(|(known, _)| known == topic) {
                Some((_, texts)) => texts.push(text),
                None => chapters.push((topic.clone(), vec![text])),
            }
        }
        chapters
    }

    /// Adds the comments of a function and of the functions that it calls to `text`. Refers to a procedure by its chapter instead. `said`
    /// contains the functions whose comments were quoted before.
    fn collect(
        &self,
        at: usize,
        (procedures, depth): (&BTreeSet<usize>, usize),
        said: &mut BTreeSet<usize>,
        text: &mut Text,
    ) {
        let function = &self.all[at];
        if depth > 0 && self.variant_at(at).is_some() {
            return;
        }
        if let Some(topic) = function.topic.as_ref().filter(|_| procedures.contains(&at)) {
            if !text.topics.contains(topic) {
                text.topics.push(topic.clone());
                text.sentences.push(self.reference(topic));
            }
            return;
        }
        if function.name.starts_with(INVARIANT) || depth > MAX_CALL_DEPTH || !said.insert(at) {
            return;
        }
        if function.said.is_empty() {
            text.sentences.extend(self.questions(function));
        } else if depth == 0 || !function.is_query {
            text.sentences.push(function.said.clone());
        }
        for called in self.calls(at) {
            self.collect(called, (procedures, depth + 1), said, text);
        }
    }

    fn joined(&self, text: &Text) -> String {
        text.sentences.join(self.language.between_lines())
    }

    fn reference(&self, topic: &str) -> String {
        filled(Phrases::for_language(self.language).book.see, &[("topic", &topic)])
    }

    /// Returns the questions of the decisions whose ids occur in a function.
    fn questions(&self, function: &RuleFunction) -> Vec<String> {
        let named = |id: &str| function.quoted.iter().any(|said| said == id);
        let all = self.model.decisions.iter().enumerate().filter(|(_, decision)| named(&decision.id));
        let phrases = Phrases::for_language(self.language);
        all.map(|(at, decision)| {
            let quoted = |text: &str| filled(phrases.paper.quoted, &[("what", &text)]);
            let ask = quoted(&self.wording.question(DecisionId::at(at), None));
            match &decision.pass {
                Some(pass) => format!("{ask} {} {}", phrases.paper.may_pass, quoted(pass.get(self.language))),
                None => ask,
            }
        })
        .collect()
    }
}

/// Sentences of a text, and the chapters that it refers to.
struct Text {
    sentences: Vec<String>,
    topics: Vec<String>,
}

fn rule_function(text: &str, function: &Function, language: Language) -> RuleFunction {
    let doc = function.doc.as_ref().map_or("", |doc| &text[doc.range()]);
    let lines: Vec<&str> = doc.lines().map(|line| line.trim_start().trim_start_matches('/').trim()).collect();
    let code = &text[function.span.range()];
    let whole = text_in_language(&lines, language);
    let (topic, said) = split_section(&whole);
    let english = text_in_language(&lines, Language::English);
    let (english_topic, fact) = split_section(&english);
    let fact = fact.to_lowercase();
    RuleFunction {
        name: function.name.text.to_string(),
        topic: topic.map(str::to_owned),
        english_topic: english_topic.map(str::to_owned),
        said: capitalized(said),
        is_query: QUERIES.iter().any(|query| fact.starts_with(query)),
        names: lexemes(code).into_iter().filter_map(|(what, _)| word(&what)).collect(),
        quoted: lexemes(code).into_iter().filter_map(|(what, _)| string_literal(what)).collect(),
        called: called_names(code),
    }
}

/// Returns the names that are followed by a parenthesis, in order.
fn called_names(code: &str) -> Vec<String> {
    let lexemes = lexemes(code);
    let pairs = lexemes.windows(2);
    let names = pairs.filter_map(|pair| match [&pair[0].0, &pair[1].0] {
        [Lexeme::Word(name), Lexeme::Symbol("(")] => Some((*name).to_owned()),
        _ => None,
    });
    names.collect()
}

fn word(what: &Lexeme<'_>) -> Option<String> {
    if let Lexeme::Word(name) = what { Some((*name).to_owned()) } else { None }
}

/// Returns the text with its first letter in lower case, unless the second letter is a capital, too.
pub(super) fn uncapitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next();
    let is_name = letters.clone().next().is_some_and(char::is_uppercase);
    match first {
        Some(first) if !is_name => first.to_lowercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}

fn string_literal(what: Lexeme<'_>) -> Option<String> {
    if let Lexeme::Quoted(said) = what { Some(said) } else { None }
}
