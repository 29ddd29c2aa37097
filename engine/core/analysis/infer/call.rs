//! Types of calls: of rule functions, of library functions, and of functions named by fields.

use super::super::blame::Site;
use super::super::mistakes;
use super::super::symbols::FieldFunction;
use super::super::types::{ALL_IDS, IdSet, Tags, Type, Types, accepted, one_of};
use super::inference::{LinkUse, Tree};
use super::operand::Operand;
use super::walk::Walk;
use crate::analysis::language::Language;
use crate::decision::Type as Tag;
use crate::diagnostic::{Diagnostic, Severity};
use crate::library::{BuiltinCode, Effects, Entry, LoopCode, NameRole, Pattern, SAY};
use crate::syntax::{CALL, CallForm, Expr, ExprKind, Name, Statement};
use smallvec::SmallVec;

/// Name of the parameter for the facts that fill the placeholders of a question.
const FACTS: &str = "facts";

/// Name of the parameter for the field that lists the two ends of links.
const ENDS: &str = "ends";

/// Types bound to the variables of a pattern in one call, and the type of the first argument.
#[derive(Debug, Clone)]
pub(super) struct Bound {
    first: Type,
    variables: SmallVec<[(char, Type); 3]>,
    /// Type of the fact that an argument names.
    fact: Option<Type>,
    /// Whether named facts are facts of the first argument itself rather than of its elements.
    is_thing: bool,
    /// Types of the words that name the two parts of a pair.
    names: SmallVec<[Type; 2]>,
    /// Type of the set of options.
    options: Type,
}

impl Bound {
    pub(super) fn new(first: Type) -> Self {
        Self {
            first,
            variables: SmallVec::new(),
            fact: None,
            is_thing: false,
            names: SmallVec::new(),
            options: Type::NEVER,
        }
    }

    /// Joins a type to the type of a pattern variable.
    pub(super) fn bind(&mut self, letter: char, ty: Type, types: &mut Types) {
        match self.variables.iter_mut().find(|(known, _)| *known == letter) {
            Some((_, known)) => *known = types.join(*known, ty),
            None => self.variables.push((letter, ty)),
        }
    }

    /// Replaces the type of a pattern variable with a narrower type.
    pub(super) fn narrow(&mut self, letter: char, left: Type) {
        if let Some((_, known)) = self.variables.iter_mut().find(|(known, _)| *known == letter) {
            *known = left;
        }
    }

    fn variable(&self, letter: char) -> Option<Type> {
        self.variables.iter().find(|(known, _)| *known == letter).map(|(_, ty)| *ty)
    }
}

/// Meaning of a call whose name is also the name of a field that names functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallMeaning {
    /// A call of the functions that the field names.
    Field,
    /// A call of a library function.
    Library,
    /// A call of the field's functions for some things, and of a library function for others.
    Both,
}

/// Argument of a call. The value before the dot counts as the first argument.
#[derive(Clone, Copy)]
struct Argument<'a> {
    expr: &'a Expr,
    kind: ArgumentKind<'a>,
}

#[derive(Clone, Copy)]
enum ArgumentKind<'a> {
    /// A value with its type.
    Value(Type),
    /// A closure literal, as its parameters and its body.
    Closure(&'a [Name], &'a Statement),
}

impl<'a> Argument<'a> {
    fn value(expr: &'a Expr, ty: Type) -> Self {
        Self { expr, kind: ArgumentKind::Value(ty) }
    }

    fn ty(self) -> Type {
        match self.kind {
            ArgumentKind::Value(ty) => ty,
            ArgumentKind::Closure(..) => Type::FUNCTION,
        }
    }

    fn operand(self) -> Operand<'a> {
        Operand { expr: self.expr, ty: self.ty() }
    }
}

impl<'a> Walk<'_, 'a> {
    /// Infers the type of a call that binding has not resolved to a function of the game. `receiver` is the expression before the dot, with
    /// a flag that is set for `?.`.
    pub(super) fn call(&mut self, name: &'a Name, receiver: Option<(&'a Expr, bool)>, passed: &'a [Expr]) -> Type {
        let total = passed.len() + usize::from(receiver.is_some());
        // Arguments are evaluated before the value in front of the dot.
        let mut arguments: Vec<Argument<'a>> = Vec::new();
        for expr in passed {
            arguments.push(self.argument(expr));
        }
        let mut may_be_nothing = false;
        if let Some((receiver, is_optional)) = receiver {
            let ty = self.operand_type(receiver);
            may_be_nothing = is_optional && self.inference.types.may_be_nothing(ty);
            if is_optional {
                self.record_check(receiver, ty);
            }
            let ty = if is_optional { self.types().without_nothing(ty) } else { ty };
            arguments.insert(0, Argument::value(receiver, ty));
        }
        // A function of the game that is called with a wrong number of arguments is reported in `calls.rs`.
        let is_misnumbered = || {
            self.inference.by_key.contains_key(&*name.text)
                && !self.inference.language.functions(&name.text).iter().any(|word| word.takes.len() == total)
        };
        if self.env.is_dead || is_misnumbered() {
            self.analyze_uncalled_closures(&arguments);
            return Type::ANY;
        }
        let result = match self.meaning_of_call(name, &arguments) {
            CallMeaning::Field => self.call_of_field(name, &arguments),
            CallMeaning::Library => self.call_of_library(name, &arguments, receiver.is_some()),
            CallMeaning::Both => {
                self.analyze_uncalled_closures(&arguments);
                if self.inference.types.is_known(arguments[0].ty()) {
                    let found = mistakes::two_meanings(&name.text, self.place(name.span));
                    self.report(found);
                }
                Type::ANY
            }
        };
        if may_be_nothing { self.join_types(result, Type::NOTHING) } else { result }
    }

    /// Decides whether a call refers to the functions that a field names, or to a library function of the same name. If the first argument
    /// is a thing that has the field, the call refers to the field's functions. If the argument may also be a value that only the library
    /// function accepts, the call has both meanings.
    fn meaning_of_call(&mut self, name: &Name, arguments: &[Argument<'a>]) -> CallMeaning {
        let Some(first) = arguments.first().map(|first| first.ty()) else { return CallMeaning::Library };
        let Some(named) = self.inference.symbols.named_by(&name.text).map(<[_]>::to_vec) else {
            return CallMeaning::Library;
        };
        let words = self.inference.language.functions(&name.text).iter();
        let words = words.filter(|word| word.takes.len() == arguments.len());
        let accepted = words.fold(Tags::NONE, |tags, word| tags.or(accepted(&word.takes[0])));
        if accepted.is_empty() {
            return CallMeaning::Field;
        }
        let (mut kinds, mut zones, mut maps) = (0, 0, Tags::NONE);
        for by in &named {
            kinds |= by.kinds;
            zones |= by.zones;
            maps = if by.in_record { Tags::new(&[Tag::Map]) } else { maps };
        }
        if !self.inference.types.is_known(first) {
            return CallMeaning::Both;
        }
        let all = self.tags(first);
        let ids_of = |tag| if all.has(tag) { self.inference.types.ids_of(first, tag) } else { 0 };
        let symbols = &self.inference.symbols;
        let of_kinds = ids_of(Tag::Piece) | ids_of(Tag::Component);
        let is_field = of_kinds & kinds != 0 || ids_of(Tag::Space) & zones != 0 || !all.and(maps).is_empty();
        let takes = |tag| accepted.has(tag) && all.has(tag);
        let is_other_thing = (takes(Tag::Piece) || takes(Tag::Component))
            && !symbols.kind_names(of_kinds & !kinds).is_empty()
            || takes(Tag::Space) && symbols.zones(ids_of(Tag::Space) & !zones).next().is_some();
        let rest = all.without(Tags::new(&[Tag::Piece, Tag::Component, Tag::Space, Tag::Nothing])).without(maps);
        match (is_field, is_other_thing || !rest.and(accepted).is_empty()) {
            (true, true) => CallMeaning::Both,
            (true, false) => CallMeaning::Field,
            (false, _) => CallMeaning::Library,
        }
    }

    fn argument(&mut self, expr: &'a Expr) -> Argument<'a> {
        match &expr.kind {
            ExprKind::Closure { params, body } => Argument { expr, kind: ArgumentKind::Closure(params, body) },
            _ => Argument::value(expr, self.operand_type(expr)),
        }
    }

    /// Analyzes the closures among the arguments with unknown parameter types, because it is unknown who calls them.
    fn analyze_uncalled_closures(&mut self, arguments: &[Argument<'a>]) {
        for argument in arguments {
            if let ArgumentKind::Closure(params, body) = argument.kind {
                self.closure(params, body, &[]);
            }
        }
    }

    // ----- functions of the rules

    /// Infers the type of a call of the game's function with the key `key`.
    pub(super) fn call_of_rules(&mut self, key: &'a str, passed: &'a [Expr], form: CallForm) -> Type {
        let arguments: Vec<Argument<'a>> = passed.iter().map(|expr| self.argument(expr)).collect();
        self.analyze_uncalled_closures(&arguments);
        let mut types: Vec<Type> = arguments.iter().map(|argument| argument.ty()).collect();
        let mut may_be_nothing = false;
        if let (CallForm::OptionalMethod, Some(receiver)) = (form, passed.first()) {
            may_be_nothing = self.inference.types.may_be_nothing(types[0]);
            self.record_check(receiver, types[0]);
            types[0] = self.types().without_nothing(types[0]);
        }
        let Some(at) = self.inference.by_key.get(key).copied() else { return Type::ANY };
        if self.inference.functions[at].params.len() != types.len() {
            return Type::ANY;
        }
        if self.env.is_dead {
            return Type::NEVER;
        }
        if self.reports {
            self.inference.sites.push(Site {
                caller: self.at,
                called: at,
                arguments: Some(passed),
                types: types.clone(),
            });
        }
        let result = self.called_with(at, &types);
        self.record_callee_checks(at, passed, &types);
        if self.inference.never_returning.contains(key) && !may_be_nothing {
            self.env.is_dead = true;
            return Type::NEVER;
        }
        if may_be_nothing { self.join_types(result, Type::NOTHING) } else { result }
    }

    fn called_with(&mut self, at: usize, types: &[Type]) -> Type {
        self.inference.record_call(at, types);
        let caller = self.at;
        let known = &mut self.inference.functions[at];
        known.callers.insert(caller);
        known.result
    }

    /// Infers the type of `thing.field(arguments)`, which calls the functions that the field names.
    fn call_of_field(&mut self, name: &'a Name, arguments: &[Argument<'a>]) -> Type {
        self.analyze_uncalled_closures(arguments);
        let types: Vec<Type> = arguments.iter().map(|argument| argument.ty()).collect();
        let thing = types[0];
        let named = self.inference.symbols.named_by(&name.text).unwrap_or_default().to_vec();
        let names = |tags: &[Tag], is_one: &dyn Fn(&FieldFunction) -> bool| {
            if named.iter().any(is_one) { Tags::new(tags) } else { Tags::NONE }
        };
        let takes = names(&[Tag::Piece, Tag::Component], &|by| by.kinds != 0)
            .or(names(&[Tag::Space], &|by| by.zones != 0))
            .or(names(&[Tag::Map], &|by| by.in_record));
        let bad = self.bad(thing, takes);
        if !bad.is_empty() {
            let found = if bad.has(Tag::Nothing) {
                mistakes::nothing_here(&name.text, self.tags(thing), self.place(name.span))
            } else {
                mistakes::no_function_for(&name.text, bad, takes, self.place(name.span))
            };
            self.report_for(arguments[0].expr, bad, found);
        }
        let (mut result, mut is_called) = (Type::NEVER, thing == Type::NEVER);
        let mut misnumbered: Vec<(usize, IdSet)> = Vec::new();
        let mut fitting_kinds: IdSet = 0;
        for by in named {
            let Some(at) = self.inference.by_key.get(&*by.function).copied() else { continue };
            let first = if by.in_record {
                self.types().restrict(thing, Tags::new(&[Tag::Map]))
            } else {
                let pieces = self.types().restrict_kinds(thing, Tag::Piece, by.kinds);
                let both = self.types().restrict_kinds(pieces, Tag::Component, by.kinds);
                let all = self.types().restrict_kinds(both, Tag::Space, by.zones);
                self.types().restrict(all, Tags::new(&[Tag::Piece, Tag::Component, Tag::Space]))
            };
            if self.inference.types.is_known(thing) && self.tags(first).is_empty() {
                continue;
            }
            let first = if self.inference.types.is_known(thing) { first } else { self.all_naming_things(&by) };
            let all: Vec<Type> = std::iter::once(first).chain(types[1..].iter().copied()).collect();
            if self.inference.functions[at].params.len() != all.len() {
                if misnumbered.iter().all(|(known, _)| *known != at) {
                    misnumbered.push((at, by.kinds));
                }
            } else if !self.env.is_dead {
                if self.reports {
                    self.inference.sites.push(Site {
                        caller: self.at,
                        called: at,
                        arguments: None,
                        types: all.clone(),
                    });
                }
                let one = self.called_with(at, &all);
                result = self.join_types(result, one);
                is_called = true;
                fitting_kinds |= by.kinds;
            }
        }
        // Different kinds can name different functions, and the type often does not show the kind of the thing, because most zones hold
        // pieces of any kind. If a function of one kind fits the call, functions of other kinds are therefore not reported.
        misnumbered.retain(|(_, kinds)| !is_called || kinds & fitting_kinds != 0);
        self.report_misnumbered(name, types.len(), &misnumbered, is_called);
        match result {
            Type::NEVER if is_called => Type::NEVER,
            Type::NEVER => Type::ANY,
            // If the field of a thing does not name a function, the call returns `()`.
            result => self.join_types(result, Type::PERHAPS),
        }
    }

    /// Reports functions that a field names but that do not take `total` arguments. If `has_fitting` is set, the call is correct for other
    /// things, and the diagnostic is a warning.
    fn report_misnumbered(&mut self, field: &Name, total: usize, functions: &[(usize, IdSet)], has_fitting: bool) {
        for (at, _) in functions {
            let known = &self.inference.functions[*at];
            let Tree::Function(function) = known.tree else { continue };
            let (takes, place) = (known.params.len(), self.inference.place(known.source, function.name.span));
            let here = self.place(field.span);
            let found = mistakes::wrong_number_for_field(&function.name.text, takes, &field.text, total, here, place);
            self.report(if has_fitting { Diagnostic { severity: Severity::Warning, ..found } } else { found });
        }
    }

    /// Records that a trigger calls the functions named by a field. The arguments are a piece and then `more`.
    fn record_triggered(&mut self, field: &str, more: &[Type]) {
        for by in self.inference.symbols.named_by(field).unwrap_or_default().to_vec() {
            let Some(at) = self.inference.by_key.get(&*by.function).copied() else { continue };
            let piece = self.types().thing(Tag::Piece, by.kinds);
            let all: Vec<Type> = std::iter::once(piece).chain(more.iter().copied()).collect();
            if self.inference.functions[at].params.len() == all.len() && !self.env.is_dead {
                if self.reports {
                    let types = all.clone();
                    self.inference.sites.push(Site { caller: self.at, called: at, arguments: None, types });
                }
                self.called_with(at, &all);
            }
        }
    }

    /// Returns the type of all things whose field names the function.
    fn all_naming_things(&mut self, by: &FieldFunction) -> Type {
        if by.in_record {
            return Type::MAP;
        }
        let piece = self.types().thing(Tag::Piece, by.kinds);
        let component = self.types().thing(Tag::Component, by.kinds);
        let space = self.types().thing(Tag::Space, by.zones);
        self.types().join_all([piece, component, space])
    }

    // ----- functions of the library

    fn call_of_library(&mut self, name: &'a Name, arguments: &[Argument<'a>], has_receiver: bool) -> Type {
        let total = arguments.len();
        let words = self.inference.language.functions(&name.text).iter().copied();
        let all: SmallVec<[&'static Entry; 8]> = words.filter(|word| word.takes.len() == total).collect();
        if all.is_empty() {
            self.analyze_uncalled_closures(arguments);
            if &*name.text == CALL && has_receiver {
                self.check_stored_closure(name, arguments[0].operand(), total - 1);
                for argument in &arguments[1..] {
                    self.record_check(argument.expr, argument.ty());
                }
            }
            return Type::ANY;
        }
        // The first argument has no type yet. Closures are analyzed later, when the types of their arguments are known.
        if let Some(Argument { kind: ArgumentKind::Value(Type::NEVER), .. }) = arguments.first() {
            return Type::NEVER;
        }
        let fits: SmallVec<[&'static Entry; 8]> =
            all.iter().copied().filter(|one| (0..total).all(|at| self.may_take(one, at, arguments))).collect();
        let exprs: Vec<&'a Expr> = arguments.iter().map(|argument| argument.expr).collect();
        if let Some(first) = arguments.first() {
            self.check_quoted(if fits.is_empty() { &all } else { &fits }, &exprs, first.ty());
        }
        if self.reports && &*name.text == SAY {
            self.check_announcement(&exprs);
        }
        let poses_decision =
            |one: &&Entry| one.takes.get(1).is_some_and(|second| second.roles().contains(&NameRole::Decision));
        if self.reports && !fits.is_empty() && all.iter().any(poses_decision) {
            let facts = fits.iter().find_map(|one| one.params.iter().position(|param| *param == FACTS));
            let facts = facts.map(|at| arguments[at].operand());
            self.check_question(&exprs, facts);
        }
        if fits.is_empty() {
            self.analyze_uncalled_closures(arguments);
            self.report_misfit(name, arguments, &all, has_receiver);
            return Type::NEVER;
        }
        if let Some(at) = (1..total).find(|at| fits.iter().all(|one| one.takes[*at] == Pattern::Sought)) {
            self.check_containment(arguments[at].operand(), arguments[0].operand());
        }
        self.record_link_use(&fits, &exprs, arguments);
        let effects = fits.iter().map(|one| one.effects).reduce(Effects::intersection).unwrap_or_default();
        self.record_effects(name.span, effects);
        let place = exprs.first().copied();
        if let Some(place) = place.filter(|_| effects.has(Effects::IN_PLACE)) {
            self.record_change(place);
        }
        for at in 0..total {
            if matches!(arguments[at].kind, ArgumentKind::Value(_)) {
                self.check_argument(name, at, &fits, arguments, has_receiver);
            }
        }
        let types: Vec<Type> = arguments.iter().map(|argument| argument.ty()).collect();
        if let Some(field) = Language::event_named(fits[0], &exprs) {
            self.record_triggered(field, &types[1..]);
        }
        let mut result = Type::NEVER;
        for one in &fits {
            let returned = self.result_of(one, name, arguments);
            result = self.join_types(result, returned);
        }
        if fits.iter().all(|one| one.returns == Pattern::Never) {
            self.env.is_dead = true;
            return Type::NEVER;
        }
        if let Some(at) = fits[0].takes.iter().position(|takes| *takes == Pattern::Holds) {
            self.assume(exprs[at], true);
        }
        if let Some((first, rest)) = types.split_first() {
            self.update_changed(name, place, *first, rest);
            let is_retain = fits[0].code == Some(BuiltinCode::Loop(LoopCode::Retain));
            if let (true, Some(ArgumentKind::Closure(params, body))) =
                (is_retain, arguments.get(1).map(|second| second.kind))
            {
                self.narrow_retained(place, *first, params, body);
            }
        }
        result
    }

    /// Records the use of a field from which a library function reads the two ends of links. Does nothing for other calls.
    fn record_link_use(&mut self, fits: &[&'static Entry], exprs: &[&'a Expr], arguments: &[Argument<'a>]) {
        let Some(at) = fits[0].params.iter().position(|param| *param == ENDS).filter(|_| self.reports) else { return };
        let (ExprKind::Text(field), links) = (&exprs[at].kind, arguments[0].ty()) else { return };
        let one = self.element_type(links);
        let tag = [Tag::Component, Tag::Piece].into_iter().find(|tag| self.tags(one) == Tags::new(&[*tag]));
        let Some(tag) = tag.filter(|_| self.inference.types.is_known(one)) else { return };
        let kinds = self.inference.symbols.kind_names(self.inference.types.ids_of(one, tag));
        let (is_components, place) = (tag == Tag::Component, self.place(exprs[at].span));
        let found = LinkUse { kinds, is_components, field: field.clone(), place };
        if !self.env.is_dead && !self.inference.link_uses.contains(&found) {
            self.inference.link_uses.push(found);
        }
    }

    /// Returns whether `one` belongs to a function of the core types (such as lists, texts and maps) that has more than one form.
    fn has_other_forms(&self, one: &Entry) -> bool {
        let forms = self.inference.language.functions(&one.name).iter();
        one.is_own() && forms.filter(|other| other.is_own()).count() > 1
    }

    /// Returns whether the form `one` accepts at least one alternative of the type of the argument at index `at`.
    fn may_take(&mut self, one: &'static Entry, at: usize, arguments: &[Argument<'a>]) -> bool {
        let pattern = &one.takes[at];
        match arguments[at].kind {
            ArgumentKind::Closure(params, _) => function_in(pattern).is_some_and(|(wanted, _)| {
                // Forms that differ only in the closure are selected by the number of its parameters.
                wanted.len() == params.len() || !self.has_other_forms(one)
            }),
            ArgumentKind::Value(ty) => {
                let bound = Bound::new(arguments[0].ty());
                let tags = self.tags(ty);
                if !self.inference.types.is_known(ty) || tags.is_empty() {
                    return true;
                }
                self.rejected_tags(pattern, at, ty, &bound) != tags
            }
        }
    }

    /// Returns the tags of an argument that a pattern does not accept. A list is rejected because of its entries only if none of their tags
    /// is accepted.
    fn rejected_tags(&mut self, pattern: &Pattern, at: usize, ty: Type, bound: &Bound) -> Tags {
        let bad = if at == 0 { self.tags(ty).without(accepted(pattern)) } else { self.refused(pattern, ty, bound) };
        if self.incompatible_entries(pattern, ty).is_some() { bad.or(Tags::new(&[Tag::List])) } else { bad }
    }

    /// Returns the accepted tags and the actual tags of a list's entries if they have no tag in common.
    fn incompatible_entries(&self, pattern: &Pattern, ty: Type) -> Option<(Tags, Tags)> {
        let types = &self.inference.types;
        let entries = types.entries(ty).filter(|entries| types.is_known(*entries))?;
        let wanted = entries_in(pattern)?;
        let tags = types.tags(entries).without(Tags::new(&[Tag::Nothing]));
        (!tags.is_empty() && tags.and(wanted).is_empty()).then_some((wanted, tags))
    }

    /// Creates the diagnostic for a list whose entries have the wrong type. Returns `None` for any other mistake.
    fn wrong_list(
        &self,
        name: &'a Name,
        at: usize,
        argument: Argument<'a>,
        forms: &[&'static Entry],
        bad: Tags,
    ) -> Option<Diagnostic> {
        if bad != Tags::new(&[Tag::List]) {
            return None;
        }
        let (wanted, entries) =
            forms.iter().find_map(|one| self.incompatible_entries(&one.takes[at], argument.ty()))?;
        let param = forms[0].params[at].as_str();
        Some(mistakes::wrong_entries(&name.text, param, wanted, entries, self.place(argument.expr.span)))
    }

    /// Reports alternatives of an argument's type that none of the forms in `fits` accepts.
    fn check_argument(
        &mut self,
        name: &'a Name,
        at: usize,
        fits: &[&'static Entry],
        arguments: &[Argument<'a>],
        has_receiver: bool,
    ) {
        let Operand { expr, ty } = arguments[at].operand();
        if !self.inference.types.is_known(ty) {
            return;
        }
        let bound = Bound::new(arguments[0].ty());
        let mut bad = self.tags(ty);
        for one in fits {
            let pattern = &one.takes[at];
            bad = bad.and(self.rejected_tags(pattern, at, ty, &bound));
        }
        let bad = self.inference.types.certain_mistakes(ty, bad);
        if bad.is_empty() {
            return;
        }
        let is_receiver = at == 0 && has_receiver;
        let found = if is_receiver && bad.has(Tag::Nothing) {
            mistakes::nothing_here(&name.text, self.tags(ty), self.place(name.span))
        } else if let Some(found) = self.wrong_list(name, at, arguments[at], fits, bad) {
            found
        } else {
            let wanted = self.accepted_tags(fits, at, &bound);
            let forms: Vec<&[String]> = fits.iter().map(|one| &*one.params).collect();
            let here = if is_receiver { self.place(name.span) } else { self.place(expr.span) };
            let instead = self.replacement_help(expr, wanted);
            mistakes::wrong_argument(&name.text, &forms, at, wanted, bad, here, instead)
        };
        self.report_for(expr, bad, found);
    }

    fn accepted_tags(&mut self, fits: &[&'static Entry], at: usize, bound: &Bound) -> Tags {
        let mut wanted = Tags::NONE;
        for one in fits {
            wanted = wanted.or(self.accepted(&one.takes[at], bound));
        }
        wanted
    }

    /// Reports the argument that is most likely wrong, if no form of a function accepts all arguments.
    fn report_misfit(
        &mut self,
        name: &'a Name,
        arguments: &[Argument<'a>],
        all: &[&'static Entry],
        has_receiver: bool,
    ) {
        let misfits = |walk: &mut Self, one: &'static Entry| -> Vec<usize> {
            (0..arguments.len()).filter(|at| !walk.may_take(one, *at, arguments)).collect()
        };
        let mut counted: Vec<(&'static Entry, Vec<usize>)> = all.iter().map(|one| (*one, misfits(self, one))).collect();
        // If some form accepts the value before the dot, the mistake is in another argument.
        if has_receiver && counted.iter().any(|(_, misfits)| misfits[0] != 0) {
            counted.retain(|(_, misfits)| misfits[0] != 0);
        }
        let Some(least) = counted.iter().map(|(_, misfits)| misfits.len()).min() else { return };
        let best: Vec<&(&'static Entry, Vec<usize>)> =
            counted.iter().filter(|(_, misfits)| misfits.len() == least).collect();
        // A closure with the wrong number of parameters is a more likely mistake than a wrong value before the dot.
        let is_closure = |at: &usize| matches!(arguments[*at].kind, ArgumentKind::Closure(..));
        let at = best.iter().map(|(_, misfits)| misfits[0]).find(is_closure).unwrap_or(best[0].1[0]);
        let forms: Vec<&'static Entry> =
            best.iter().filter(|(_, misfits)| misfits[0] == at).map(|(one, _)| *one).collect();
        let Operand { expr, ty } = arguments[at].operand();
        let tags = self.tags(ty);
        let is_receiver = at == 0 && has_receiver;
        if let Some((one, order)) = self.swapped_arguments(&forms, arguments, usize::from(has_receiver)) {
            let here = self.place(arguments[order.0].expr.span);
            let found = mistakes::out_of_order(&name.text, &one.params, order, here);
            return self.report(found);
        }
        let here = if is_receiver { self.place(name.span) } else { self.place(expr.span) };
        if let ArgumentKind::Closure(params, _) = arguments[at].kind
            && let Some((wanted, _)) = forms.iter().find_map(|one| function_in(&one.takes[at]))
        {
            self.report(mistakes::wrong_function(&name.text, wanted.len(), params.len(), here));
            return;
        }
        let found = if is_receiver && tags.has(Tag::Nothing) {
            mistakes::nothing_here(&name.text, tags, here)
        } else if let Some(found) = self.wrong_list(name, at, arguments[at], &forms, tags) {
            found
        } else {
            let bound = Bound::new(arguments[0].ty());
            let wanted = self.accepted_tags(&forms, at, &bound);
            let params: Vec<&[String]> = forms.iter().map(|one| &*one.params).collect();
            let instead = self.replacement_help(expr, wanted);
            mistakes::wrong_argument(&name.text, &params, at, wanted, tags, here, instead)
        };
        self.report_for(expr, tags, found);
    }

    /// Returns a form and the indices of two arguments, if all arguments would fit after swapping these two. The value before the dot is
    /// never swapped.
    fn swapped_arguments(
        &mut self,
        forms: &[&'static Entry],
        arguments: &[Argument<'a>],
        from: usize,
    ) -> Option<(&'static Entry, (usize, usize))> {
        for form in forms {
            for one in from..arguments.len() {
                for other in one + 1..arguments.len() {
                    let mut all = arguments.to_vec();
                    all.swap(one, other);
                    let is_certain = |at: usize| {
                        let ty = arguments[at].ty();
                        self.inference.types.is_known(ty) && ty != Type::NEVER
                    };
                    if is_certain(one) && is_certain(other) && (0..all.len()).all(|at| self.may_take(form, at, &all)) {
                        return Some((*form, (one, other)));
                    }
                }
            }
        }
        None
    }

    /// Returns a help text with a replacement for an argument, if a replacement is known.
    pub(super) fn replacement_help(&self, argument: &Expr, wanted: Tags) -> Option<String> {
        match &argument.kind {
            ExprKind::Text(text) if wanted.has(Tag::Number) && is_number(text) => Some(format!("write `{text}`")),
            ExprKind::Text(text) => {
                let ty = self.inference.symbols.global(text)?;
                let fits = !self.tags(ty).and(wanted).is_empty();
                fits.then(|| format!("write `{text}` without quotes"))
            }
            ExprKind::Number(_) if wanted.has(Tag::Seat) => {
                Some("name a seat: `seat`, `first`, `active`, or one of `seats`".to_owned())
            }
            _ => None,
        }
    }

    /// Returns the result type of a library call, and analyzes the closures among the arguments.
    fn result_of(&mut self, one: &'static Entry, name: &'a Name, arguments: &[Argument<'a>]) -> Type {
        let first = arguments.first().map_or(Type::NEVER, |first| first.ty());
        let first = if self.inference.types.is_known(first) && !arguments.is_empty() {
            let tags = accepted(&one.takes[0]);
            self.types().restrict(first, tags)
        } else {
            first
        };
        // If a signature writes its first parameter as a union of types, the argument is a single thing. A named fact is then a fact of the
        // thing itself, not of its elements.
        let is_thing = matches!(one.takes.first(), Some(Pattern::Union(_)));
        let mut bound = Bound { is_thing, ..Bound::new(first) };
        for (at, pattern) in one.takes.iter().enumerate() {
            let Argument { expr, kind } = arguments[at];
            match kind {
                ArgumentKind::Value(ty) => self.bind(pattern, ty, expr, &mut bound),
                ArgumentKind::Closure(params, body) => {
                    self.bind_closure(one, at, params, body, expr, &mut bound);
                    let is_of_entries =
                        function_in(pattern).is_some_and(|(takes, _)| takes.first() == Some(&Pattern::Variable('T')));
                    if let Some(each) = params.first().filter(|_| is_of_entries) {
                        self.record_loop_check(arguments[0].expr, first, std::slice::from_ref(body), &each.text);
                    }
                }
            }
        }
        self.record_options(one, name, arguments, &bound);
        if self.reports && one.returns == Pattern::Product {
            self.check_parts(one, arguments[0].expr, first);
        }
        let result = self.pattern_type(&one.returns, &bound);
        self.named_result(one, arguments, result)
    }

    /// Records the type of a decision's options, and the place where the decision is asked.
    fn record_options(&mut self, one: &'static Entry, name: &'a Name, arguments: &[Argument<'a>], bound: &Bound) {
        let Some(at) = one.takes.iter().position(|takes| *takes == Pattern::Name(NameRole::Decision)) else { return };
        let chosen = bound.variable('T').unwrap_or_else(|| self.inference.types.plain(&one.returns));
        let chosen = self.inference.types.soften_nothing(chosen);
        // The seat may be allowed to pass. The result is then `()`.
        let chosen = self.join_types(chosen, Type::PERHAPS);
        let Some(names) = self.inference.types.known_words(arguments[at].ty()) else { return };
        let place = self.place(name.span);
        for decision in names.iter() {
            let known = self.inference.options.get(decision).copied().unwrap_or(Type::NEVER);
            let joined = self.join_types(known, chosen);
            self.inference.options.insert(decision.clone(), joined);
            if self.reports {
                let (asked, place) = (self.inference.asked_at.entry(decision.clone()).or_default(), place.clone());
                if !asked.contains(&place) {
                    asked.push(place);
                }
            }
        }
    }

    /// Adjusts the result type of `component("id")`, `components("kind")` and `altered("name", …)` to the given name.
    fn named_result(&mut self, one: &'static Entry, arguments: &[Argument<'a>], result: Type) -> Type {
        let Some(Pattern::Name(role)) = one.takes.first() else { return result };
        let words = self.inference.types.known_words(arguments[0].ty());
        let Some(words) = words else { return result };
        match role {
            NameRole::Component => {
                let ids = words.iter().fold(0, |ids, id| ids | self.inference.symbols.component(id).unwrap_or(ALL_IDS));
                self.types().restrict_kinds(result, Tag::Component, ids)
            }
            NameRole::Kind => {
                let ids = words.iter().fold(0, |ids, kind| ids | self.inference.symbols.kind(kind).unwrap_or(ALL_IDS));
                self.types().restrict_kinds(result, Tag::Components, ids)
            }
            NameRole::Alteration => {
                let set: Vec<Type> = words.iter().map(|word| self.inference.symbols.alteration_type(word)).collect();
                let set = self.types().join_all(set);
                if one.returns == Pattern::Variable('T') { self.join_types(result, set) } else { result }
            }
            _ => result,
        }
    }

    /// Binds the variables of a pattern to the parts of an argument's type that they match. Also checks arguments that name a measure, and
    /// arguments that are compared with a fact.
    pub(super) fn bind(&mut self, pattern: &Pattern, ty: Type, expr: &'a Expr, bound: &mut Bound) {
        match pattern {
            Pattern::Variable(letter) => bound.bind(*letter, ty, &mut self.inference.types),
            Pattern::ListOf(inner) => {
                let entries = self.inference.types.entries(ty).unwrap_or(if self.inference.types.is_known(ty) {
                    Type::NEVER
                } else {
                    Type::ANY
                });
                self.bind(inner, entries, expr, bound);
            }
            Pattern::OptionsOf(inner) => {
                let chosen = self.inference.types.option_type(ty).unwrap_or(Type::ANY);
                self.bind(inner, chosen, expr, bound);
            }
            Pattern::Choices(inner) => {
                bound.options = self.join_types(bound.options, ty);
                let one = self.element_type(ty);
                self.bind(inner, one, expr, bound);
            }
            Pattern::Union(all) => {
                let plain = all.iter().find(|one| function_in(one).is_none());
                if let Some(plain) = plain {
                    self.bind(plain, ty, expr, bound);
                }
            }
            Pattern::Name(NameRole::Fact) => bound.fact = Some(self.named_fact(ty, bound)),
            Pattern::Name(NameRole::Measure) => self.check_measure(ty, expr, bound),
            Pattern::Name(NameRole::Part) => bound.names.push(ty),
            Pattern::Comparable => self.check_comparable(ty, expr, bound),
            _ => {}
        }
    }

    /// Returns the type of the fact whose name has the type `name`. If several names are possible, joins the types of their facts. Unknown
    /// names have the type `ANY`.
    fn named_fact(&mut self, name: Type, bound: &Bound) -> Type {
        let Some(names) = self.inference.types.known_words(name) else { return Type::ANY };
        let one = if bound.is_thing { bound.first } else { self.element_type(bound.first) };
        if !self.inference.types.is_known(one) {
            return Type::ANY;
        }
        let mut facts = Type::NEVER;
        for name in names.iter() {
            let (fact, _, _) = self.property_of(one, name);
            facts = self.join_types(facts, if fact == Type::NEVER { Type::ANY } else { fact });
        }
        facts
    }

    /// Checks `sum("fact")`: the fact must be a number for at least some elements.
    fn check_measure(&mut self, name: Type, expr: &'a Expr, bound: &Bound) {
        let fact = self.named_fact(name, bound);
        let tags = self.tags(fact);
        if !self.reports || !self.inference.types.is_known(fact) || tags.is_empty() || tags.has(Tag::Number) {
            return;
        }
        let Some(names) = self.inference.types.known_words(name) else { return };
        let one = self.element_type(bound.first);
        let mut numbers = self.properties_of(self.tags(one));
        numbers.retain(|name| self.property_of(one, name).0 == Type::NUMBER);
        let found = mistakes::not_a_number(&names.join("` or `"), tags, &numbers, self.place(expr.span));
        self.report_for(expr, self.tags(name), found);
    }

    /// Checks `where("fact", value)`: the value must be one that the fact can have.
    fn check_comparable(&mut self, ty: Type, expr: &'a Expr, bound: &Bound) {
        let Some(fact) = bound.fact else { return };
        let is_list = self.tags(ty).has(Tag::List) && !self.tags(fact).has(Tag::List);
        if is_list || !self.inference.types.is_known(ty) || self.inference.types.overlap(fact, ty) {
            return;
        }
        let sets = Tags::new(&[Tag::Seats, Tag::Zones, Tag::Spaces, Tag::Components, Tag::Pieces]);
        if !self.tags(ty).and(sets).is_empty() {
            return;
        }
        let here = self.place(expr.span);
        let difference = self.inference.symbols.describe_difference(fact, ty, &self.inference.types);
        let found = if let Some((one, other)) = difference {
            mistakes::never_of_one_kind(&one, &other, here)
        } else {
            let found = mistakes::never_alike(self.tags(fact), self.tags(ty), true, here);
            self.component_help(expr, self.tags(fact)).into_iter().fold(found, Diagnostic::help)
        };
        self.report_for(expr, self.tags(ty), found);
    }

    // ----- patterns

    /// Returns the tags that a pattern accepts.
    pub(super) fn accepted(&mut self, pattern: &Pattern, bound: &Bound) -> Tags {
        match pattern {
            Pattern::One => {
                let one = self.element_type(bound.first);
                if self.inference.types.is_known(one) { self.tags(one) } else { Tags::ALL }
            }
            Pattern::Several => {
                let several = self.subset_type(bound.first);
                if self.inference.types.is_known(several) { self.tags(several) } else { Tags::ALL }
            }
            Pattern::Same => self.tags(bound.first),
            Pattern::Perhaps(inner) => self.accepted(inner, bound),
            Pattern::Union(all) => {
                let mut tags = Tags::NONE;
                for one in all {
                    tags = tags.or(self.accepted(one, bound));
                }
                tags
            }
            other => accepted(other),
        }
    }

    /// Returns the tags of a type that a pattern certainly does not accept.
    pub(super) fn refused(&mut self, pattern: &Pattern, ty: Type, bound: &Bound) -> Tags {
        if !self.inference.types.is_known(ty) {
            return Tags::NONE;
        }
        let accepted = self.accepted(pattern, bound);
        self.inference.types.certain_mistakes(ty, self.tags(ty).without(accepted))
    }

    /// Returns the type of the values that a pattern describes.
    pub(super) fn pattern_type(&mut self, pattern: &Pattern, bound: &Bound) -> Type {
        match pattern {
            Pattern::Of(tag) => self.types().most_general(*tag),
            Pattern::ListOf(inner) => {
                let entries = self.pattern_type(inner, bound);
                self.types().list(entries)
            }
            Pattern::OptionsOf(inner) => {
                let chosen = self.pattern_type(inner, bound);
                self.types().options(chosen)
            }
            Pattern::AnswersOf(inner) => {
                let answered = self.pattern_type(inner, bound);
                self.types().answers(answered)
            }
            Pattern::Choices(_) | Pattern::Comparable | Pattern::Sought => Type::ANY,
            Pattern::Parts(parts) => {
                let parts = parts.iter().map(|(name, part)| (name.as_str().into(), self.pattern_type(part, bound)));
                let parts = parts.collect();
                self.types().map(parts, None)
            }
            Pattern::Function(..) => Type::FUNCTION,
            Pattern::Name(_) => Type::TEXT,
            Pattern::Never => Type::NEVER,
            Pattern::Holds => Type::FLAG,
            Pattern::One => self.element_type(bound.first),
            Pattern::Several => self.subset_type(bound.first),
            Pattern::Held => self.contents_type(bound.first),
            Pattern::Place | Pattern::Places => {
                let ids = self.zones_of(bound.first);
                let ids = if ids == 0 { ALL_IDS } else { ids };
                let tag = if *pattern == Pattern::Place { Tag::Space } else { Tag::Spaces };
                self.types().thing(tag, ids)
            }
            Pattern::Next => {
                let ids = self.zones_of(bound.first);
                let ids = if ids == 0 { ALL_IDS } else { ids };
                let space = self.types().thing(Tag::Space, ids);
                let rings = self.inference.symbols.zones(ids).filter(|(_, zone)| zone.is_ring).count();
                match self.inference.symbols.zones(ids).count() {
                    all if rings == all => space,
                    _ if rings == 0 => self.join_types(space, Type::NOTHING),
                    _ => self.join_types(space, Type::PERHAPS),
                }
            }
            Pattern::Same => bound.first,
            Pattern::Fact => bound.fact.unwrap_or(Type::ANY),
            Pattern::Product => self.product(bound.first),
            Pattern::Pair => self.pair(bound),
            Pattern::Picked => self.subset_of_options(bound),
            Pattern::Variable(letter) => bound.variable(*letter).unwrap_or(Type::ANY),
            Pattern::Perhaps(inner) => {
                let inner = self.pattern_type(inner, bound);
                self.join_types(inner, Type::PERHAPS)
            }
            Pattern::Union(all) => {
                let all: Vec<Type> = all.iter().map(|one| self.pattern_type(one, bound)).collect();
                self.types().join_all(all)
            }
        }
    }

    /// Returns the type of `each_of(#{…})`: options that are maps with one element of each part.
    fn product(&mut self, parts: Type) -> Type {
        if self.inference.types.is_open_map(parts) || !self.inference.types.is_known(parts) {
            return self.types().options(Type::MAP);
        }
        let mut chosen = Type::NEVER;
        for id in self.inference.types.shapes(parts) {
            let shape = self.inference.types.shape(id).clone();
            let mut one = Vec::new();
            for (name, part) in shape.parts {
                one.push((name, self.element_type(part)));
            }
            let rest = shape.rest.map(|rest| self.element_type(rest));
            let map = self.types().map(one, rest);
            chosen = self.join_types(chosen, map);
        }
        self.types().options(chosen)
    }

    /// Checks `each_of(#{…})`: every part must be a collection to choose from.
    fn check_parts(&mut self, one: &'static Entry, expr: &'a Expr, parts: Type) {
        let wanted = accepted(&Pattern::parse("choices<any>"));
        for id in self.inference.types.shapes(parts) {
            for (name, part) in self.inference.types.shape(id).parts.clone() {
                let bad = self.bad(part, wanted);
                if bad.is_empty() {
                    continue;
                }
                let of_part = match &expr.kind {
                    ExprKind::Map(all) => all.iter().find(|(known, _)| known.text == name).map(|(_, value)| value),
                    _ => None,
                };
                let blamed = of_part.unwrap_or(expr);
                let found =
                    mistakes::wrong_argument(&one.name, &[&one.params], 0, wanted, bad, self.place(blamed.span), None);
                match of_part {
                    Some(value) => self.report_for(value, bad, found),
                    None => self.report(found),
                }
            }
        }
    }

    /// Returns the type of a subset of the options in `bound`.
    fn subset_of_options(&mut self, bound: &Bound) -> Type {
        if !self.inference.types.is_known(bound.options) {
            return Type::ANY;
        }
        let mut picked = Type::NEVER;
        for tag in self.tags(bound.options).iter() {
            let several = if tag == Tag::Zone || one_of(tag).is_some() {
                let options = self.types().restrict(bound.options, Tags::new(&[tag]));
                self.subset_type(options)
            } else {
                let entries = bound.variable('T').unwrap_or(Type::ANY);
                self.types().list(entries)
            };
            picked = self.join_types(picked, several);
        }
        picked
    }

    /// Returns the type of `pairs_of("a", "b", …)`: options that are maps with two parts. The type contains one map for each combination of
    /// possible names.
    fn pair(&mut self, bound: &Bound) -> Type {
        let named = |at: usize| bound.names.get(at).and_then(|names| self.inference.types.known_words(*names));
        let (Some(firsts), Some(seconds)) = (named(0), named(1)) else { return self.types().options(Type::MAP) };
        let (one, other) = (bound.variable('T').unwrap_or(Type::ANY), bound.variable('U').unwrap_or(Type::ANY));
        let mut chosen = Type::NEVER;
        for first in firsts.iter() {
            for second in seconds.iter() {
                let map = self.types().map(vec![(first.clone(), one), (second.clone(), other)], None);
                chosen = self.join_types(chosen, map);
            }
        }
        self.types().options(chosen)
    }
}

/// Returns the tags that a pattern accepts for the entries of a list. Returns `None` if the pattern accepts no list, or lists with any
/// entries.
fn entries_in(pattern: &Pattern) -> Option<Tags> {
    match pattern {
        Pattern::ListOf(inner) => Some(accepted(inner)),
        Pattern::Union(all) if !accepts_any_list(all) => all.iter().find_map(entries_in),
        _ => None,
    }
}

/// Returns whether at least one of several patterns accepts lists with any entries.
fn accepts_any_list(all: &[Pattern]) -> bool {
    all.iter().any(|one| !matches!(one, Pattern::ListOf(_)) && accepted(one).has(Tag::List))
}

/// Returns the parameter patterns and the result pattern of the closure that a pattern accepts. Returns `None` if the pattern accepts no
/// closure.
pub(super) fn function_in(pattern: &Pattern) -> Option<(&[Pattern], &Pattern)> {
    match pattern {
        Pattern::Function(takes, result, _) => Some((takes, result)),
        Pattern::Union(all) => all.iter().find_map(function_in),
        _ => None,
    }
}

/// Returns whether a string consists of decimal digits.
pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}
