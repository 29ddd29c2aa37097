//! Checks names in quotes and after dots: they must exist, and values must be compared with words that they can have.

use super::super::foreign_names::foreign_name_help;
use super::super::mistakes::{self, FieldUse, TextCategory};
use super::super::types::{Tags, Type};
use super::access::THINGS;
use super::operand::Operand;
use super::walk::Walk;
use crate::decision::Type as Tag;
use crate::diagnostic::{Diagnostic, did_you_mean, how_to_give, is_one_slip_from};
use crate::library::{BuiltIn, Entry, FIRST, LAST, NameRole, Pattern, built_in};
use crate::model::NOTHING;
use crate::syntax::{Block, Expr, ExprKind, Name, Span, Statement, StatementKind};
use std::sync::Arc;

impl<'a> Walk<'_, 'a> {
    // ----- after dots

    /// Returns whether any value has a fact, property or part with this name.
    pub(super) fn is_property(&self, name: &str) -> bool {
        self.inference.is_property(name)
    }

    /// Creates the diagnostic for a name after a dot that things with the given tags do not have. Empty tags mean that no thing has the
    /// name.
    pub(super) fn missing_property(&self, name: &Name, ty: Type, owners: Tags, used: FieldUse) -> Diagnostic {
        let here = self.place(name.span);
        let language = self.inference.language;
        let text = &*name.text;
        let is_of = |tag: Tag| owners.is_empty() || tag == Tag::Any || owners.has(tag);
        let functions =
            language.functions(text).iter().filter(|word| word.types.first().is_some_and(|tag| is_of(*tag)));
        let function = functions.min_by_key(|word| word.params.len());
        if let Some(word) = function.filter(|_| used == FieldUse::Called) {
            return mistakes::not_called_behind(here, text, word.params.len() > 1);
        }
        let (of_kind, having) = self.of_other_kinds(text, ty, owners).unzip();
        let found = mistakes::unknown_field(text, owners, of_kind.as_deref(), here);
        let what = self
            .inference
            .symbols
            .vocabulary
            .global_description(text)
            .or_else(|| language.name(text).map(|_| "the engine's"));
        let alone = what.map(|what| format!("write `{text}` alone: {what} is nobody's own"));
        let kind = owners.iter().next();
        let end = match (text, kind.filter(|kind| owners == Tags::new(&[*kind]))) {
            (FIRST, Some(Tag::List)) => Some("the first entry is `list[0]`".to_owned()),
            (LAST, Some(Tag::List)) => Some("the last entry is `list[-1]`".to_owned()),
            (FIRST, Some(Tag::Answers)) => Some("answers are found by who gave them: `answers[seat]`".to_owned()),
            _ => None,
        };
        let derived = self.inference.symbols.derived().iter().find(|derived| *derived.value == *text);
        let call = derived.map(|derived| {
            let given = if derived.given.is_some() { "…" } else { "" };
            format!("call `{}({given})`: `{text}` is derived, and for people to see", derived.function)
        });
        let help = end
            .or(alone)
            .or(call)
            .or_else(|| foreign_name_help(text).filter(|_| used == FieldUse::Called))
            .or(having)
            .or_else(|| self.other_zones(text).filter(|_| owners.has(Tag::Space)))
            .or_else(|| did_you_mean(text, self.properties_of(owners).iter().map(|name| &**name)))
            .or_else(|| self.owner(text))
            .or_else(|| match kind {
                Some(kind) => how_to_give(kind.word(), text),
                // The owner is unknown, but most of the values that games declare belong to seats.
                None => Some(format!("where a seat is to have it, {}", how_to_give(Tag::Seat.word(), text)?)),
            });
        help.into_iter().fold(found, Diagnostic::help)
    }

    /// Like [`Walk::missing_property`], but for a value that may be a map with arbitrary parts.
    pub(super) fn missing_part(&self, name: &Name, holder: Type, used: FieldUse) -> Diagnostic {
        let used = if self.is_map(holder) { FieldUse::AsPart } else { used };
        let found = self.missing_property(name, Type::ANY, Tags::NONE, used);
        let of_seat = how_to_give(Tag::Seat.word(), &name.text);
        let is_of_seat = found.help.as_ref().zip(of_seat).is_some_and(|(help, of_seat)| help.ends_with(&of_seat));
        if self.is_map(holder) && is_of_seat {
            return found.help(format!("give it where the map is made: `#{{ …, {}: … }}`", name.text));
        }
        found
    }

    /// Returns a description of the things without a property, and a help text that names the kinds with the property. Returns `None`
    /// unless the things are components or pieces, and only other kinds have the property.
    fn of_other_kinds(&self, name: &str, ty: Type, owners: Tags) -> Option<(String, String)> {
        let tag = [Tag::Component, Tag::Piece].into_iter().find(|tag| owners == Tags::new(&[*tag]))?;
        let symbols = &self.inference.symbols;
        let ids = self.inference.types.ids_of(ty, tag);
        let facts = symbols.facts(name).iter().filter(|fact| fact.owner == tag);
        let having = facts.fold(0, |all, fact| all | fact.ids);
        let (own, others) = (symbols.kind_names(ids), symbols.kind_names(having));
        if own.is_empty() || others.is_empty() || ids & having != 0 {
            return None;
        }
        let others = others.join("` or `");
        let of_kind = format!("{} of kind `{}`", tag.one(), own.join("` or `"));
        Some((of_kind, format!("ask {} of kind `{others}` for its `{name}`", tag.one())))
    }

    /// Returns the names that can follow a dot after values with the given tags. Empty tags mean any value.
    pub(super) fn properties_of(&self, owners: Tags) -> Vec<Arc<str>> {
        let Self { inference, .. } = self;
        let is_of = |tag: Tag| owners.is_empty() || owners.has(tag);
        let mut names: Vec<Arc<str>> = Vec::new();
        for tag in Tags::ALL.iter().filter(|tag| is_of(*tag)) {
            names.extend(inference.symbols.fact_names(tag).map(Arc::from));
            names.extend(inference.language.property_names(tag).map(Arc::from));
        }
        if owners.is_empty() {
            names.extend(inference.parts.iter().map(|name| Arc::from(*name)));
            names.extend(inference.symbols.vocabulary.parts.iter().cloned());
        }
        names.sort();
        names
    }

    /// Returns a help text that names the zones whose spaces have a property with this name.
    fn other_zones(&self, name: &str) -> Option<String> {
        let symbols = &self.inference.symbols;
        let having =
            symbols.facts(name).iter().filter(|fact| fact.owner == Tag::Space).fold(0, |all, fact| all | fact.ids);
        let zones: Vec<&str> = symbols.zones(having).map(|(name, _)| &**name).collect();
        (!zones.is_empty()).then(|| format!("ask a space of `{}` for its `{name}`", zones.join("` or `")))
    }

    /// Returns a help text that names a type of thing that has a property with this name.
    fn owner(&self, name: &str) -> Option<String> {
        let kinds = [Tag::Seat, Tag::Piece, Tag::Component, Tag::Space, Tag::Zone, Tag::Game];
        let has = |tag: &Tag| {
            self.has_fact(*tag, name) || self.inference.language.property_names(*tag).any(|one| one == name)
        };
        let kind = kinds.into_iter().find(has)?;
        Some(format!("ask {} for its `{name}`", kind.one()))
    }

    fn has_fact(&self, owner: Tag, name: &str) -> bool {
        let facts = self.inference.symbols.facts(name);
        facts.iter().any(|fact| fact.owner == owner) || self.inference.language.fact(owner, name).is_some()
    }

    // ----- in quotes

    /// Checks the quoted names that are passed to a function of the library.
    pub(super) fn check_quoted(&mut self, all: &[&'static Entry], arguments: &[&'a Expr], first: Type) {
        if !self.reports {
            return;
        }
        // If all forms write their first parameter as a union of types, the argument is a single thing. A quoted fact is then a fact of the
        // thing itself, not of its elements.
        let is_thing = all.iter().all(|one| one.takes.first().is_some_and(|first| matches!(first, Pattern::Union(_))));
        let one = if is_thing { first } else { self.element_type(first) };
        let tags = self.tags(one);
        let owner = THINGS.into_iter().find(|tag| tags == Tags::new(&[*tag]));
        for (at, expr) in arguments.iter().enumerate() {
            let words: Vec<_> = all.iter().filter(|one| takes_text(one, at)).collect();
            let Some(roles) = words.first().map(|one| one.takes[at].roles()) else { continue };
            if roles.is_empty() || words.iter().any(|one| one.takes[at].roles() != roles) {
                continue;
            }
            for (word, span) in quoted(expr) {
                self.check_word(&roles, owner, word, span);
            }
        }
        self.check_compared(all, arguments, owner);
    }

    fn check_word(&mut self, roles: &[NameRole], owner: Option<Tag>, word: &str, span: Span) {
        let names: Vec<Arc<str>> = match roles {
            // Any name is allowed.
            [NameRole::Part] => return,
            [role] if role.is_fact() => {
                let mut all =
                    THINGS.into_iter().filter(|tag| owner.is_none_or(|owner| owner == *tag) && *tag != Tag::Game);
                if all.any(|tag| self.has_fact(tag, word)) {
                    return;
                }
                let is_part =
                    self.inference.parts.contains(word) || self.inference.symbols.vocabulary.parts.contains(word);
                let found = mistakes::unknown_fact(word, owner, is_part, self.place(span));
                if owner.is_none() && is_part {
                    return self.report(found);
                }
                let owner = owner.map_or(Tags::NONE, |owner| Tags::new(&[owner]));
                let known = self.properties_of(owner);
                let help = did_you_mean(word, known.iter().map(|name| &**name))
                    .or_else(|| how_to_give(owner.iter().next()?.word(), word));
                return self.report(help.into_iter().fold(found, Diagnostic::help));
            }
            roles => {
                roles.iter().flat_map(|role| self.inference.symbols.vocabulary.quoted(*role).iter().cloned()).collect()
            }
        };
        if !names.iter().any(|name| **name == *word) {
            let found = mistakes::unknown_quoted(roles, word, &names, self.place(span));
            self.report(found);
        }
    }

    /// Checks `where("fact", "word")`: the word must be one that the fact can have.
    fn check_compared(&mut self, all: &[&'static Entry], arguments: &[&'a Expr], owner: Option<Tag>) {
        let param = |wanted: &Pattern| all.iter().find_map(|one| one.takes.iter().position(|takes| takes == wanted));
        let (Some(name), Some(compared)) = (param(&Pattern::Name(NameRole::Fact)), param(&Pattern::Comparable)) else {
            return;
        };
        if let (Some(ExprKind::Text(name)), Some(compared)) =
            (arguments.get(name).map(|expr| &expr.kind), arguments.get(compared))
        {
            let words = self.words_of_fact(owner, name);
            self.check_among(name, words, compared);
            self.check_printed(owner, name, compared);
        }
    }

    /// Checks `x.state = "…"` and `x.kind == "…"`: the word must be one that the value, field or option can have.
    pub(super) fn check_word_of(&mut self, thing: &'a Expr, word: &'a Expr) {
        if !self.reports {
            return;
        }
        match &thing.kind {
            ExprKind::Name(name) if self.env.find(name).is_none() => {
                let words = self.inference.symbols.vocabulary.words_of_option(name);
                self.check_among(name, words, word);
            }
            ExprKind::Field { receiver: of, name, .. } => {
                let holder = self.silent_type(of);
                let tags = self.tags(holder);
                let of = THINGS.into_iter().find(|tag| tags == Tags::new(&[*tag]));
                let words = self.words_of_fact(of, &name.text);
                self.check_among(&name.text, words, word);
                self.check_printed(of, &name.text, word);
            }
            _ => {}
        }
    }

    fn words_of_fact(&self, owner: Option<Tag>, name: &str) -> Option<Vec<Arc<str>>> {
        let names = &self.inference.symbols.vocabulary;
        if names.parts.contains(name) || self.inference.parts.contains(name) {
            return None;
        }
        let facts =
            self.inference.symbols.facts(name).iter().filter(|fact| owner.is_none_or(|owner| owner == fact.owner));
        if facts.clone().any(|fact| fact.accepts.is_none()) {
            return None;
        }
        let is_kind = |owner: Tag| built_in(owner, name) == Some(BuiltIn::Kind);
        let has_kind = is_kind(owner.unwrap_or(Tag::Piece));
        match (has_kind, facts.count()) {
            (true, 0) => Some(names.quoted(NameRole::Kind).to_vec()),
            (true, _) | (_, 0) => None,
            (false, _) => names.words(owner, name),
        }
    }

    /// Checks a word that is compared with a field: in some variant, a row must have this word in the field.
    fn check_printed(&mut self, owner: Option<Tag>, name: &str, compared: &Expr) {
        let symbols = &self.inference.symbols;
        let mut facts = symbols.facts(name).iter().filter(|fact| owner.is_none_or(|owner| owner == fact.owner));
        let is_printed = facts.all(|fact| fact.accepts.is_none() && matches!(fact.owner, Tag::Piece | Tag::Component));
        let is_part = symbols.vocabulary.parts.contains(name) || self.inference.parts.contains(name);
        let Some(words) = symbols.vocabulary.printed(name).filter(|_| is_printed && !is_part) else { return };
        for (word, span) in quoted(compared) {
            if *word != *NOTHING && !words.iter().any(|known| **known == *word) {
                let found = mistakes::unprinted_word(name, word, &words, self.place(span));
                self.report(found);
            }
        }
    }

    fn check_among(&mut self, name: &str, words: Option<Vec<Arc<str>>>, to: &Expr) {
        let Some(words) = words else { return };
        for (word, span) in quoted(to) {
            if !words.iter().any(|known| **known == *word) {
                let found = mistakes::unknown_word(name, word, &words, self.place(span));
                self.report(found);
            }
        }
    }

    /// Checks `say("text", #{…})`: the map must contain all placeholders of the announcement.
    pub(super) fn check_announcement(&mut self, arguments: &[&'a Expr]) {
        let [text, given, ..] = arguments else { return };
        let ExprKind::Map(given) = &given.kind else { return };
        let given: Vec<&str> = given.iter().map(|(name, _)| &*name.text).collect();
        self.check_filled(TextCategory::Text, text, &given);
    }

    /// Checks `confirm(seat, "decision", #{…})`: the map must contain all placeholders of the question. `facts` is the argument with the
    /// map, if the call has one.
    pub(super) fn check_question(&mut self, arguments: &[&'a Expr], facts: Option<Operand<'a>>) {
        let [_, decision, ..] = arguments else { return };
        let given: Vec<Arc<str>> = match facts {
            None => Vec::new(),
            Some(facts) => {
                let types = &self.inference.types;
                let shapes = types.shapes(facts.ty);
                if !types.is_known(facts.ty) || types.is_open_map(facts.ty) || shapes.is_empty() {
                    return;
                }
                if shapes.iter().any(|id| types.shape(*id).rest.is_some()) {
                    return;
                }
                shapes.iter().flat_map(|id| types.shape(*id).parts.iter().map(|(name, _)| name.clone())).collect()
            }
        };
        let given: Vec<&str> = given.iter().map(|name| &**name).collect();
        self.check_filled(TextCategory::Question, decision, &given);
    }

    /// Checks that `given` contains all placeholders of the named announcements or questions.
    fn check_filled(&mut self, kind: TextCategory, names: &Expr, given: &[&str]) {
        for (name, span) in quoted(names) {
            let vocabulary = &self.inference.symbols.vocabulary;
            let rooms = match kind {
                TextCategory::Text => vocabulary.rooms(name),
                TextCategory::Question => vocabulary.about(name),
            };
            // A placeholder that another language spells correctly is reported at the text.
            let is_slip =
                |room: &str| rooms.iter().any(|other| given.contains(&&**other) && is_one_slip_from(room, other));
            if let Some(room) = rooms.iter().find(|room| !given.contains(&&***room) && !is_slip(room)) {
                let idle = given.iter().copied().filter(|name| !rooms.iter().any(|room| **room == **name));
                let found = mistakes::unfilled_text(kind, name, room, (given, idle), self.place(span));
                self.report(found);
            }
        }
    }

    /// Reports an assignment to a name that the game declares.
    pub(super) fn check_name_set(&mut self, name: &str, span: Span) {
        if self.env.find(name).is_none() && self.inference.symbols.global(name).is_some() {
            self.report(mistakes::fixed_name(name, self.place(span)));
        }
    }
}

/// Returns whether the argument at index `at` may be a quoted name or a list of quoted names. Arguments of core-type functions are never
/// names.
fn takes_text(word: &Entry, at: usize) -> bool {
    !word.is_own() && matches!(word.types[at], Tag::Text | Tag::List | Tag::Any)
}

/// Returns the string literals that an argument may evaluate to: the argument itself, the entries of a list, or the results of a block or
/// an `if`.
fn quoted(expr: &Expr) -> Vec<(&str, Span)> {
    match &expr.kind {
        ExprKind::Text(word) => vec![(word, expr.span)],
        ExprKind::List(entries) => entries.iter().flat_map(quoted).collect(),
        ExprKind::Block(block) => quoted_in_block(block),
        ExprKind::If { then, otherwise, .. } => {
            quoted_in_block(then).into_iter().chain(otherwise.iter().flat_map(|otherwise| quoted(otherwise))).collect()
        }
        _ => Vec::new(),
    }
}

fn quoted_in_block(block: &Block) -> Vec<(&str, Span)> {
    match block.statements.last() {
        Some(Statement { kind: StatementKind::Expr(expr), .. }) => quoted(expr),
        _ => Vec::new(),
    }
}
