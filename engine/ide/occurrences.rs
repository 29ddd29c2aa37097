//! Finds the occurrences of all names of a game in data, rules and playscripts.

use super::game_knowledge::{GameKnowledge, Meaning, Occurrence, PlayFile, PlayText, RuleFile};
use super::scopes::{NameUse, expressions, name_uses, name_uses_in_statements};
use crate::analysis::language::Language;
use crate::analysis::names::PHASE;
use crate::decision::Type as Tag;
use crate::diagnostic::{Place, Source};
use crate::library::{CONSIDER, NameRole, RATE};
use crate::loader::{DataMeaning, DeclaredNameKind, name_in_path, outline};
use crate::model::{Model, Owner, Party, Per};
use crate::playscript::{Expect, PlayStatement, PlayUntil, StatementKind};
use crate::syntax::{BinaryOp, Expr, ExprKind, Name, Span, Statement, each_expr};
use std::ops::Range;
use std::sync::Arc;

/// Returns the occurrences of all names.
pub(super) fn occurrences(known: &GameKnowledge) -> Vec<Occurrence> {
    let mut finder = Finder { known, found: Vec::new() };
    finder.data();
    for file in &known.rules {
        finder.rules(file);
    }
    for play in &known.plays {
        finder.play(play);
    }
    finder.found
}

struct Finder<'k> {
    known: &'k GameKnowledge,
    found: Vec<Occurrence>,
}

impl<'k> Finder<'k> {
    fn add(&mut self, meaning: Meaning, name: &str, place: Place) {
        let full_place = place.clone();
        self.found.push(Occurrence { meaning, name: name.into(), place, is_declared: false, full_place });
    }

    fn game(&mut self, category: DeclaredNameKind, name: &str, place: Place) {
        self.add(Meaning::Game(category), name, place);
    }

    // ----- data

    fn data(&mut self) {
        for source in &self.known.data {
            for spot in outline(source, &self.known.model) {
                let text = spot.place.source.text[spot.place.span.clone()].to_owned();
                match spot.what {
                    DataMeaning::Key(..) => {}
                    DataMeaning::Declares(category) => self.found.push(Occurrence {
                        meaning: Meaning::Game(category),
                        name: text.into(),
                        place: spot.place,
                        is_declared: true,
                        full_place: spot.full_place,
                    }),
                    DataMeaning::Names(all) => {
                        if let Some(category) =
                            all.into_iter().find(|category| is_declared(self.known, *category, &text))
                        {
                            self.game(category, &text, spot.place);
                        }
                    }
                }
            }
        }
    }

    // ----- rules

    fn rules(&mut self, file: &'k RuleFile) {
        let at = |span: Span| Place { source: file.source.clone(), span: span.range() };
        for function in &file.tree.functions {
            self.found.push(Occurrence {
                meaning: Meaning::Game(DeclaredNameKind::Function),
                name: function.key.clone(),
                place: at(function.name.span),
                is_declared: true,
                full_place: at(function.doc.map_or(function.span, |doc| doc.to(function.span))),
            });
            if file.is_agent {
                self.decision_asked_for(&function.name, &at);
            }
            self.uses(name_uses(function), &at);
            for expr in expressions(function) {
                self.expr(expr, &at);
            }
        }
    }

    /// Adds the decision whose name is part of the name of an agent's function, such as `trade` in `rate_trade`.
    fn decision_asked_for(&mut self, function: &Name, at: &dyn Fn(Span) -> Place) {
        let begins = [RATE, CONSIDER].into_iter().find(|begins| function.text.starts_with(begins));
        let Some(begins) = begins else { return };
        let decision = &function.text[begins.len()..];
        if is_declared(self.known, DeclaredNameKind::Decision, decision) {
            let Place { source, span } = at(function.span);
            self.game(
                DeclaredNameKind::Decision,
                decision,
                Place { source, span: span.start + begins.len()..span.end },
            );
        }
    }

    /// Adds names that are used without a dot: variables, zones, params and options.
    fn uses(&mut self, uses: Vec<NameUse>, at: &dyn Fn(Span) -> Place) {
        for one in uses {
            let place = at(one.span);
            if let Some(declaration) = one.declaration {
                let full_place = place.clone();
                self.found.push(Occurrence {
                    // The span of the declaration identifies a variable within a file.
                    meaning: Meaning::Variable(to_play_span(declaration, &at(declaration)), one.is_param),
                    name: one.name,
                    place,
                    is_declared: declaration == one.span,
                    full_place,
                });
                continue;
            }
            let all = [DeclaredNameKind::Zone, DeclaredNameKind::Param, DeclaredNameKind::Option];
            if let Some(category) = all.into_iter().find(|category| is_declared(self.known, *category, &one.name)) {
                self.game(category, &one.name, place);
            }
        }
    }

    fn expr(&mut self, expr: &'k Expr, at: &dyn Fn(Span) -> Place) {
        match &expr.kind {
            ExprKind::Field { receiver: of, name, .. } => self.field(of, name, at),
            ExprKind::Call { name, arguments } => {
                self.call(name, at);
                let all: Vec<&Expr> = arguments.iter().collect();
                self.quoted(&name.text, &all, at);
            }
            ExprKind::OwnCall { name, key, .. } => self.game(DeclaredNameKind::Function, key, at(name.span)),
            ExprKind::Method { receiver: of, name, arguments, .. } => {
                if is_declared(self.known, DeclaredNameKind::Field, &name.text) && !is_of_library(&name.text) {
                    self.game(DeclaredNameKind::Field, &name.text, at(name.span));
                } else {
                    self.call(name, at);
                }
                let all: Vec<&Expr> = std::iter::once(&**of).chain(arguments).collect();
                self.quoted(&name.text, &all, at);
            }
            ExprKind::Binary { op: BinaryOp::Equal | BinaryOp::Unequal, left, right, .. } => {
                self.compared(left, right, at);
                self.compared(right, left, at);
            }
            _ => {}
        }
    }

    /// Adds the quoted name of a phase that is compared with the current phase.
    fn compared(&mut self, one: &Expr, other: &'k Expr, at: &dyn Fn(Span) -> Place) {
        if matches!(&one.kind, ExprKind::Name(name) if **name == *PHASE)
            && let ExprKind::Text(text) = &other.kind
            && is_declared(self.known, DeclaredNameKind::Phase, text)
        {
            self.game(DeclaredNameKind::Phase, text, unquoted(at(other.span)));
        }
    }

    /// Adds the name of a called function if the library has a function of this name.
    fn call(&mut self, name: &Name, at: &dyn Fn(Span) -> Place) {
        if is_of_library(&name.text) {
            self.add(Meaning::Library, &name.text, at(name.span));
        }
    }

    fn field(&mut self, object: &Expr, name: &Name, at: &dyn Fn(Span) -> Place) {
        if let Some(meaning) = self.meaning_of_field(object, &name.text) {
            self.game(meaning, &name.text, at(name.span));
        }
    }

    /// Returns the kind of declaration that a member after a dot refers to, depending on the type of the object.
    fn meaning_of_field(&self, object: &Expr, name: &str) -> Option<DeclaredNameKind> {
        let possible: Vec<DeclaredNameKind> =
            [DeclaredNameKind::Value, DeclaredNameKind::Zone, DeclaredNameKind::Field]
                .into_iter()
                .filter(|category| is_declared(self.known, *category, name))
                .collect();
        if possible.is_empty() {
            return None;
        }
        let owners = self.known.inspection.owners(object, name);
        if owners.is_empty() {
            return None;
        }
        let has = |category: &DeclaredNameKind| owners.iter().any(|tag| has_member(self.known, *tag, *category, name));
        possible.into_iter().find(has)
    }

    /// Adds quoted names in arguments of functions of the library.
    fn quoted(&mut self, function: &str, arguments: &[&'k Expr], at: &dyn Fn(Span) -> Place) {
        let words = Language::standard().functions(function).iter();
        let fitting: Vec<_> = words.filter(|word| word.takes.len() == arguments.len()).collect();
        for (number, argument) in arguments.iter().enumerate() {
            let roles: Vec<NameRole> = fitting.iter().flat_map(|word| word.takes[number].roles()).collect();
            for (text, span) in texts_in(argument) {
                let meant = roles.iter().flat_map(|role| meanings(*role)).copied();
                let mut meant = meant.filter(|category| is_declared(self.known, *category, text));
                if let Some(category) = meant.next() {
                    self.game(category, text, unquoted(at(span)));
                }
            }
        }
    }

    // ----- playscripts

    fn play(&mut self, file: &'k PlayFile) {
        for text in &file.texts {
            let moved = |span: Span| Place {
                source: file.source.clone(),
                span: span.start as usize + text.offset..span.end as usize + text.offset,
            };
            self.text(text, &moved);
        }
        let Some(play) = &file.play else { return };
        let statements = play.head.iter().chain(play.scenes.iter().flat_map(|scene| &scene.statements));
        for statement in statements {
            self.line(statement);
        }
    }

    fn text(&mut self, text: &'k PlayText, at: &dyn Fn(Span) -> Place) {
        self.uses(name_uses_in_statements(&text.statements), at);
        let statements: &'k [Statement] = &text.statements;
        let mut all = Vec::new();
        each_expr(statements, &mut |expr| all.push(expr));
        for expr in all {
            self.expr(expr, at);
        }
    }

    fn line(&mut self, statement: &PlayStatement) {
        let Some(place) = &statement.place else { return };
        let line = PlayLine { source: &place.source, span: place.span.clone() };
        self.components(&line, statement);
        match &statement.what {
            StatementKind::Option(name, _) => self.word(&line, DeclaredNameKind::Option, name, "option"),
            StatementKind::Set(path, _) => self.path(&line, path),
            StatementKind::Start { phase, .. } | StatementKind::Auto(PlayUntil::Phase(phase), _) => {
                self.word(&line, DeclaredNameKind::Phase, phase, "");
            }
            StatementKind::Auto(PlayUntil::Decision(decision), _) | StatementKind::Offers { decision, .. } => {
                self.word(&line, DeclaredNameKind::Decision, decision, "");
            }
            StatementKind::Choice { decision, answer, .. }
            | StatementKind::Forced { decision, answer, .. }
            | StatementKind::Reject { decision, answer, .. }
            | StatementKind::Allows { decision, answer, .. } => {
                self.word(&line, DeclaredNameKind::Decision, decision, ":");
                self.zones(&line, answer);
            }
            StatementKind::NextShuffle(spot, _) | StatementKind::NextDraw(Some(spot), _) => self.zones(&line, spot),
            StatementKind::Expect(expect) => self.expect(&line, expect),
            StatementKind::Table { rows, .. } => {
                for (spot, _) in rows {
                    self.zones(&line, spot);
                }
            }
            StatementKind::End { ending: Some(ending), .. } => {
                self.word(&line, DeclaredNameKind::Ending, ending, "end");
            }
            // Code is handled like rules. The other statements contain no names except names of components, which `components` adds.
            StatementKind::Arrange(_)
            | StatementKind::Do(_)
            | StatementKind::Game(_)
            | StatementKind::Players(_)
            | StatementKind::Seed(_)
            | StatementKind::Agents(_)
            | StatementKind::Auto(PlayUntil::Round(_) | PlayUntil::End, _)
            | StatementKind::Roll(..)
            | StatementKind::NextDraw(None, _)
            | StatementKind::NextFirst(_)
            | StatementKind::End { ending: None, .. }
            | StatementKind::Redeal { .. }
            | StatementKind::Note(_) => {}
        }
    }

    /// Adds the names of components in a line of a playscript, unless the statement cannot mention pieces.
    fn components(&mut self, line: &PlayLine<'_>, statement: &PlayStatement) {
        match &statement.what {
            StatementKind::Do(_)
            | StatementKind::Arrange(_)
            | StatementKind::Note(_)
            | StatementKind::Set(..)
            | StatementKind::Players(_)
            | StatementKind::Game(_) => return,
            StatementKind::Expect(expect) if !names_pieces(expect) => return,
            _ => {}
        }
        let text = &line.source.text[line.span.clone()];
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        for span in runs_of(text, is_part) {
            if is_declared(self.known, DeclaredNameKind::Component, &text[span.clone()]) {
                let at = line.span.start;
                let place = Place { source: line.source.clone(), span: at + span.start..at + span.end };
                self.game(DeclaredNameKind::Component, &text[span], place);
            }
        }
    }

    fn expect(&mut self, line: &PlayLine<'_>, expect: &Expect) {
        match expect {
            Expect::Not(inner) => self.expect(line, inner),
            Expect::Asked(_, Some(decision)) | Expect::Options { decision, .. } => {
                self.word(line, DeclaredNameKind::Decision, decision, ":");
            }
            Expect::Phase(phase) => self.word(line, DeclaredNameKind::Phase, phase, "phase"),
            Expect::Ending(ending) => self.word(line, DeclaredNameKind::Ending, ending, "ending"),
            // Code is handled like rules. The other expectations contain only names of players, counters and components.
            Expect::That(_)
            | Expect::Asked(_, None)
            | Expect::Tally(..)
            | Expect::Rank(..)
            | Expect::Winners(_)
            | Expect::Score(..)
            | Expect::Log(..)
            | Expect::Sight { .. } => {}
        }
    }

    /// Adds the first occurrence of `word`, as a whole word, after `behind` in a line.
    fn word(&mut self, line: &PlayLine<'_>, category: DeclaredNameKind, word: &str, behind: &str) {
        if let Some(place) = line.find(word, behind) {
            self.game(category, word, place);
        }
    }

    /// Adds the names in the path of `set`.
    fn path(&mut self, line: &PlayLine<'_>, path: &str) {
        let parts: Vec<&str> = path.split('.').collect();
        let row_names =
            vec![(0, DeclaredNameKind::Kind), (1, DeclaredNameKind::Component), (2, DeclaredNameKind::Field)];
        let named = name_in_path(&parts).map_or(row_names, |one| vec![one]);
        let Some(path_place) = line.find(path, "set") else { return };
        for (at, category) in named {
            let Some(name) = parts.get(at).filter(|name| is_declared(self.known, category, name)) else { return };
            let start = path_place.span.start + parts[..at].iter().map(|part| part.len() + 1).sum::<usize>();
            let place = Place { source: path_place.source.clone(), span: start..start + name.len() };
            self.game(category, name, place);
        }
    }

    /// Adds the names of zones and values in the last occurrence of `text` in a line.
    fn zones(&mut self, line: &PlayLine<'_>, text: &str) {
        if text.is_empty() {
            return;
        }
        let line_text = &line.source.text[line.span.clone()];
        let Some(offset) = line_text.rfind(text).map(|at| line.span.start + at) else { return };
        for span in word_spans(text) {
            let (word, behind) = (&text[span.clone()], &text[span.end..]);
            let all = [DeclaredNameKind::Zone, DeclaredNameKind::Value];
            let is_part = behind.starts_with('=');
            let is_other = is_part || is_declared(self.known, DeclaredNameKind::Component, word);
            if let Some(category) =
                all.into_iter().find(|category| !is_other && is_declared(self.known, *category, word))
            {
                let place = Place { source: line.source.clone(), span: offset + span.start..offset + span.end };
                self.game(category, word, place);
            }
        }
    }
}

/// Returns whether an expectation can contain names of components. Code and text of the log are excluded.
fn names_pieces(expect: &Expect) -> bool {
    match expect {
        Expect::Not(inner) => names_pieces(inner),
        Expect::That(_) | Expect::Log(..) => false,
        _ => true,
    }
}

/// Returns whether the library has a function of this name.
fn is_of_library(name: &str) -> bool {
    !Language::standard().functions(name).is_empty()
}

/// A line of a playscript.
struct PlayLine<'a> {
    source: &'a Arc<Source>,
    span: Range<usize>,
}

impl PlayLine<'_> {
    /// Finds the first occurrence of `word` after `behind`. Only whole words match.
    fn find(&self, word: &str, behind: &str) -> Option<Place> {
        let text = &self.source.text[self.span.clone()];
        let from = text.find(behind)? + behind.len();
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let found = text[from..].match_indices(word).map(|(at, _)| from + at).find(|at| {
            let before = text[..*at].chars().next_back().is_some_and(is_part);
            let after = text[at + word.len()..].chars().next().is_some_and(is_part);
            !before && !after
        })?;
        let start = self.span.start + found;
        Some(Place { source: self.source.clone(), span: start..start + word.len() })
    }
}

/// Returns the spans of the words in a string.
fn word_spans(text: &str) -> Vec<Range<usize>> {
    runs_of(text, |c| c.is_alphanumeric() || c == '_')
}

/// Returns the spans of the maximal runs of characters that satisfy `is_part`.
fn runs_of(text: &str, is_part: impl Fn(char) -> bool) -> Vec<Range<usize>> {
    let (mut found, mut start) = (Vec::new(), None);
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, is_part(c)) {
            (None, true) => start = Some(at),
            (Some(begun), false) => {
                found.push(begun..at);
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Returns the string literals in an argument, which may be nested in lists, with their spans.
fn texts_in(argument: &Expr) -> Vec<(&str, Span)> {
    match &argument.kind {
        ExprKind::Text(text) => vec![(text, argument.span)],
        ExprKind::List(items) => items.iter().flat_map(texts_in).collect(),
        _ => Vec::new(),
    }
}

/// Returns a place without the double quotes at its ends, if there are any.
fn unquoted(place: Place) -> Place {
    let text = &place.source.text[place.span.clone()];
    let is_quoted = text.len() > 1 && text.starts_with('"') && text.ends_with('"');
    let span = if is_quoted { place.span.start + 1..place.span.end - 1 } else { place.span.clone() };
    Place { source: place.source, span }
}

/// Converts a span of code within a playscript to a span of the playscript.
fn to_play_span(span: Span, place: &Place) -> Span {
    debug_assert_eq!(span.range().len(), place.span.len());
    Span::new(place.span.start, place.span.end)
}

/// Returns the kinds of declarations that a quoted name in a role can refer to.
pub(super) fn meanings(role: NameRole) -> &'static [DeclaredNameKind] {
    match role {
        NameRole::Announcement => &[DeclaredNameKind::Announcement],
        NameRole::Component => &[DeclaredNameKind::Component],
        NameRole::Decision => &[DeclaredNameKind::Decision],
        NameRole::Ending => &[DeclaredNameKind::Ending],
        NameRole::Event => &[DeclaredNameKind::Field],
        NameRole::Fact | NameRole::Measure => {
            &[DeclaredNameKind::Field, DeclaredNameKind::Value, DeclaredNameKind::Zone]
        }
        NameRole::Kind => &[DeclaredNameKind::Kind],
        NameRole::Alteration => &[DeclaredNameKind::Alteration],
        NameRole::Zone => &[DeclaredNameKind::Zone],
        _ => &[],
    }
}

/// Returns whether the game declares `name` as a name of this kind.
pub(super) fn is_declared(known: &GameKnowledge, category: DeclaredNameKind, name: &str) -> bool {
    if category == DeclaredNameKind::Function {
        return known.rules.iter().any(|file| file.tree.functions.iter().any(|one| *one.name.text == *name));
    }
    known.models().any(|model| named(model, category).any(|known| **known == *name))
}

/// Returns all declared names of this kind. Functions are not listed, because they are declared in rules.
pub(super) fn named(model: &Model, category: DeclaredNameKind) -> Box<dyn Iterator<Item = &Arc<str>> + '_> {
    match category {
        DeclaredNameKind::Zone => Box::new(model.families.iter().map(|family| &family.id)),
        DeclaredNameKind::Param => Box::new(model.params.keys()),
        DeclaredNameKind::Option => Box::new(model.options.keys()),
        DeclaredNameKind::Value => Box::new(model.values.iter().map(|value| &value.id)),
        DeclaredNameKind::Field => {
            let printed = model.families.iter().flat_map(|family| family.printed.keys());
            Box::new(model.fields.iter().chain(printed).chain(model.cells.fields.keys()))
        }
        DeclaredNameKind::Kind => Box::new(model.kinds.iter().map(|kind| &kind.id)),
        DeclaredNameKind::Component => Box::new(model.components.iter().map(|component| &component.id)),
        DeclaredNameKind::Decision => Box::new(model.decisions.iter().map(|decision| &decision.id)),
        DeclaredNameKind::Phase => Box::new(model.phases.iter().map(|phase| &phase.id)),
        DeclaredNameKind::Ending => Box::new(model.endings.iter().map(|ending| &ending.id)),
        DeclaredNameKind::Announcement => Box::new(model.says.iter().map(|say| &say.id)),
        DeclaredNameKind::Alteration => Box::new(model.altered.keys()),
        DeclaredNameKind::Function => Box::new(std::iter::empty()),
    }
}

/// Returns whether objects of a type can have a zone, value or field of this name. Assumes that pieces, components and spaces can have
/// every declared field.
fn has_member(known: &GameKnowledge, tag: Tag, category: DeclaredNameKind, name: &str) -> bool {
    known.models().any(|model| match category {
        DeclaredNameKind::Zone => model.families.iter().any(|family| {
            *family.id == *name
                && match family.per.first() {
                    Some(Per::Seat) => tag == Tag::Seat,
                    Some(Per::Kind(_)) => tag == Tag::Component,
                    None => false,
                }
        }),
        DeclaredNameKind::Value => model.values.iter().any(|value| {
            *value.id == *name
                && match value.owner {
                    Owner::Game => tag == Tag::Game,
                    Owner::Seat | Owner::Pair(Party::Seat, _) => tag == Tag::Seat,
                    Owner::Component(_) | Owner::Pair(Party::Component(_), _) => tag == Tag::Component,
                    Owner::Piece(_) => tag == Tag::Piece,
                    Owner::Space(_) => tag == Tag::Space,
                }
        }),
        _ => matches!(tag, Tag::Piece | Tag::Component | Tag::Space),
    })
}
