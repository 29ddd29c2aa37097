//! Types of assignments to variables, parts of maps, entries of lists, and values of things.

use super::super::mistakes::{self, FieldUse};
use super::super::types::{Shape, Tags, Type};
use super::call::Bound;
use super::environment::{Variable, root_of};
use super::operand::Operand;
use super::operator::is_literal;
use super::walk::Walk;
use crate::decision::Type as Tag;
use crate::library::{Effects, Form, ListCode, Pattern, TextCode, builtin_codes};
use crate::syntax::{BinaryOp, Expr, ExprKind, Name, Span, Statement};
use std::sync::Arc;

impl<'a> Walk<'_, 'a> {
    pub(super) fn assign(&mut self, target: &'a Expr, op: Option<BinaryOp>, op_span: Span, value: &'a Expr) {
        let value_type = self.expr(value);
        match &target.kind {
            ExprKind::Name(name) => self.check_name_set(name, target.span),
            _ if op.is_none() => self.check_word_of(target, value),
            _ => {}
        }
        let ty = match op {
            None => value_type,
            Some(op) => {
                let before = self.expr(target);
                let (target, value) = (Operand { expr: target, ty: before }, Operand { expr: value, ty: value_type });
                self.operator_result(op, op_span, target, value)
            }
        };
        if self.env.is_dead {
            return;
        }
        self.record_change(target);
        self.set(target, ty, Some((value, op.is_some())));
    }

    /// Records the effect of changing `place`. The change affects the table if `place` is a value of a thing, or a part of such a value.
    pub(super) fn record_change(&mut self, place: &'a Expr) {
        match &place.kind {
            ExprKind::Field { receiver: of, name, .. } => {
                let holder = self.silent_type(of);
                if self.is_map(holder) {
                    return self.record_change(of);
                }
                let is_set = self.inference.types.is_known(holder) && self.has_value(holder, &name.text);
                self.record_effects(name.span, if is_set { Effects::CHANGES_OTHERWISE } else { Effects::NONE });
            }
            ExprKind::Index { receiver: of, index, .. } => {
                let holder = self.silent_type(of);
                if self.inference.types.is_known(holder) && self.tags(holder) == Tags::new(&[Tag::Entries]) {
                    return self.record_effects(index.span, Effects::CHANGES_OTHERWISE);
                }
                self.record_change(of);
            }
            _ => {}
        }
    }

    /// Returns whether a type has maps as its only alternative.
    pub(super) fn is_map(&self, ty: Type) -> bool {
        self.inference.types.is_known(ty) && self.tags(ty) == Tags::new(&[Tag::Map])
    }

    /// Returns whether all alternatives of a type, except `()`, have a value with this name.
    fn has_value(&self, holder: Type, name: &str) -> bool {
        let facts = self.inference.symbols.facts(name);
        let has = |tag: Tag| {
            let ids = self.inference.types.ids_of(holder, tag);
            facts.iter().any(|fact| fact.owner == tag && fact.accepts.is_some() && (ids == 0 || fact.ids & ids != 0))
        };
        let mut tags = self.tags(holder).iter().filter(|tag| *tag != Tag::Nothing).peekable();
        tags.peek().is_some() && tags.all(has)
    }

    /// Sets the type of an expression that can be assigned to. `value` is the assigned expression, with a flag that says whether the
    /// assignment also reads the target. `value` is `None` if only a part of the target has changed.
    pub(super) fn set(&mut self, target: &'a Expr, ty: Type, value: Option<(&'a Expr, bool)>) {
        match &target.kind {
            ExprKind::Name(name) => {
                if value.is_some() {
                    self.env.forget(name);
                } else {
                    self.env.forget_facts(name);
                }
                if let Some(at) = self.env.find(name) {
                    let variable = self.env.variables[at];
                    // If only a part has changed, everything else that is known about the variable stays valid.
                    let new = if value.is_some() { self.new_variable(variable.name, ty) } else { variable };
                    self.env.variables[at] = Variable { ty, param: None, ..new };
                }
            }
            ExprKind::Field { receiver: of, name, .. } => self.set_part(target, of, name, ty, value),
            ExprKind::Index { receiver: of, index, .. } => {
                if value.is_some() {
                    self.env.forget_asked(self.text(target.span));
                }
                self.set_entry(of, index, ty, value);
            }
            _ => {}
        }
        if value.is_some()
            && !self.begins_empty(ty)
            && let Some(at) = root_of(target).and_then(|root| self.env.find(root))
        {
            self.env.variables[at].parts_begin_empty = false;
        }
    }

    fn set_part(
        &mut self,
        target: &'a Expr,
        object: &'a Expr,
        name: &'a Name,
        ty: Type,
        value: Option<(&'a Expr, bool)>,
    ) {
        let holder = self.silent_type(object);
        self.env.forget(&name.text);
        let is_open = !self.inference.types.is_known(holder) || self.tags(holder).has(Tag::Map);
        if is_open && self.reports && value.is_some() && !self.is_property(&name.text) {
            let found = match self.parts_of(holder) {
                Some(parts) => mistakes::added_part(&name.text, &parts, self.place(name.span)),
                None => self.missing_part(name, holder, FieldUse::AsPart),
            };
            self.report(found);
        }
        if !self.inference.types.is_known(holder) {
            return;
        }
        if self.tags(holder).has(Tag::Map) {
            let changed = self.types().change_maps(holder, &mut |_, shape| vec![with_part(shape, &name.text, ty)]);
            self.set(object, changed, None);
        }
        let Some((value, is_changed)) = value else { return };
        self.set_value(target, Operand { expr: object, ty: holder }, name, Operand { expr: value, ty }, is_changed);
    }

    /// Returns the names of a map's parts. Returns `None` if the value may be something other than a map, or if its parts are unknown.
    fn parts_of(&self, holder: Type) -> Option<Vec<Arc<str>>> {
        let types = &self.inference.types;
        let parts = types.shapes(holder).into_iter().flat_map(|id| &types.shape(id).parts);
        let parts: Vec<Arc<str>> = parts.map(|(name, _)| name.clone()).collect();
        Some(parts).filter(|parts| self.is_map(holder) && !parts.is_empty())
    }

    /// Checks `thing.value = …`: the thing must have the value, and the value must accept the assigned type.
    fn set_value(
        &mut self,
        target: &'a Expr,
        owner: Operand<'a>,
        name: &'a Name,
        value: Operand<'a>,
        is_changed: bool,
    ) {
        let (holder, ty) = (owner.ty, value.ty);
        let mut takes: Option<Type> = None;
        let (mut bad, mut fixed) = (Tags::NONE, Tags::NONE);
        for tag in self.tags(holder).iter().filter(|tag| *tag != Tag::Map) {
            let facts: Vec<_> =
                self.inference.symbols.facts(&name.text).iter().filter(|fact| fact.owner == tag).cloned().collect();
            let ids = self.inference.types.ids_of(holder, tag);
            let is_here = |fact: &&super::super::symbols::Fact| ids == 0 || fact.ids & ids != 0;
            let values: Vec<Type> = facts.iter().filter(is_here).filter_map(|fact| fact.accepts).collect();
            if values.is_empty() {
                let one = self.types().restrict(holder, Tags::new(&[tag]));
                let has = self.property_of(one, &name.text).1.is_empty();
                let kept = Tags::new(&[tag]);
                if has {
                    fixed = fixed.or(kept);
                } else {
                    bad = bad.or(kept);
                }
                continue;
            }
            let all = self.types().join_all(values);
            takes = Some(self.join_types(takes.unwrap_or(Type::NEVER), all));
        }
        // With `+=` and similar operators, reading the target has already reported the mistake.
        if !bad.is_empty() && !is_changed {
            let found = if bad.has(Tag::Nothing) {
                mistakes::nothing_here(&name.text, self.tags(holder), self.place(name.span))
            } else {
                self.missing_property(name, holder, bad, FieldUse::AsPart)
            };
            return self.report_for(owner.expr, bad, found);
        }
        if !fixed.is_empty() {
            let is_table = self.property_of(holder, &name.text).0;
            let is_table = self.tags(is_table).has(Tag::Entries);
            let mistake = if is_table { mistakes::fixed_table } else { mistakes::fixed_field };
            let found = mistake(&name.text, fixed, self.place(name.span));
            return self.report_for(owner.expr, fixed, found);
        }
        let Some(takes) = takes else { return };
        if !self.inference.types.is_known(ty) || !self.check_accepted(&name.text, takes, ty, value.expr) {
            return;
        }
        let there = self.tags(ty).without(Tags::new(&[Tag::Nothing]));
        if !is_changed && !there.is_empty() {
            let text = self.text(target.span);
            self.env.learn(text, ty);
        }
    }

    fn set_entry(&mut self, object: &'a Expr, index: &'a Expr, ty: Type, value: Option<(&'a Expr, bool)>) {
        let (holder, at) = (self.silent_type(object), self.silent_type(index));
        if !self.inference.types.is_known(holder) {
            return;
        }
        if let Some((_, is_changed)) = value {
            let bad = self.bad(holder, Tags::new(&[Tag::List, Tag::Map, Tag::Entries]));
            if !bad.is_empty() {
                let found = mistakes::not_set(self.tags(holder), bad, self.place(index.span));
                return self.report_for(object, bad, found);
            }
            // With `+=` and similar operators, the index was already checked when the target was read.
            if !is_changed {
                self.index(object, index, false);
            }
        }
        if let (Some((value, _)), true) = (value, self.tags(holder).has(Tag::Entries)) {
            let ids = self.inference.types.ids_of(holder, Tag::Entries);
            let tables: Vec<_> = self.inference.symbols.tables(ids).cloned().collect();
            let takes: Vec<Type> = tables.iter().map(|table| table.accepts).collect();
            let takes = self.types().join_all(takes);
            if let Some(table) = tables.first() {
                self.check_accepted(&table.name, takes, ty, value);
            }
            return;
        }
        let mut changed = holder;
        if self.tags(holder).has(Tag::List) {
            let entries = self.inference.types.entries(holder).unwrap_or(Type::NEVER);
            let entries = self.join_types(entries, ty);
            changed = self.types().with_entries(changed, entries);
        }
        if self.tags(holder).has(Tag::Map) {
            let names = self.inference.types.known_words(at);
            changed = self.types().change_maps(changed, &mut |types, shape| {
                if let Some(names) = &names {
                    names.iter().map(|name| with_part(shape.clone(), name, ty)).collect()
                } else {
                    let rest = types.join(shape.rest.unwrap_or(Type::NEVER), ty);
                    vec![Shape { rest: Some(rest), ..shape }]
                }
            });
        }
        self.set(object, changed, None);
    }

    /// Reports an assigned value that the target does not accept, or an assigned list with entries that the target does not accept. Returns
    /// whether everything is accepted.
    fn check_accepted(&mut self, name: &str, takes: Type, ty: Type, value: &'a Expr) -> bool {
        let wrong = self.inference.types.certain_mistakes(ty, self.tags(ty).without(self.tags(takes)));
        if !wrong.is_empty() {
            let literal = is_literal(value).then(|| self.text(value.span));
            let takes = self.inference.types.in_words(takes);
            let found = mistakes::wrong_value(name, &takes, wrong, literal, self.place(value.span));
            self.report_for(value, wrong, found);
            return false;
        }
        let entries = self.inference.types.entries(takes).zip(self.inference.types.entries(ty));
        let Some((wanted, entries_type)) = entries else { return true };
        let wrong = self.wrong_entries(wanted, entries_type);
        if !wrong.is_empty() {
            let found =
                mistakes::wrong_entry(name, &self.inference.types.in_words(wanted), wrong, self.place(value.span));
            self.report_for(value, wrong, found);
        }
        wrong.is_empty()
    }

    /// Returns the tags of a list's entries that are certain mistakes because the target does not accept them.
    fn wrong_entries(&self, wanted: Type, entries: Type) -> Tags {
        if entries == Type::NEVER || !self.inference.types.is_known(entries) {
            return Tags::NONE;
        }
        self.inference.types.certain_mistakes(entries, self.tags(entries).without(self.tags(wanted)))
    }

    /// Checks that an item added to a list value has a type that the list accepts.
    fn check_added(&mut self, name: &'a Name, place: &'a Expr, added: Type) {
        let (called, takes): (Arc<str>, Vec<Type>) = match &place.kind {
            ExprKind::Field { receiver: of, name, .. } => {
                let holder = self.silent_type(of);
                let facts = self.inference.symbols.facts(&name.text).iter();
                let here = facts.filter(|fact| self.tags(holder).has(fact.owner));
                (name.text.clone(), here.filter_map(|fact| fact.accepts).collect())
            }
            ExprKind::Index { receiver: of, .. } => {
                let holder = self.silent_type(of);
                let ids = self.inference.types.ids_of(holder, Tag::Entries);
                let tables: Vec<_> = self.inference.symbols.tables(ids).cloned().collect();
                let Some(table) = tables.first() else { return };
                (table.name.clone(), tables.iter().map(|table| table.accepts).collect())
            }
            _ => return,
        };
        let takes = self.types().join_all(takes);
        let Some(wanted) = self.inference.types.entries(takes) else { return };
        let wrong = self.wrong_entries(wanted, added);
        if !wrong.is_empty() {
            let found =
                mistakes::wrong_entry(&called, &self.inference.types.in_words(wanted), wrong, self.place(name.span));
            self.report(found);
        }
    }

    /// Returns the type of an expression without reporting mistakes.
    pub(super) fn silent_type(&mut self, expr: &'a Expr) -> Type {
        let reports = std::mem::replace(&mut self.reports, false);
        let ty = self.expr(expr);
        self.reports = reports;
        ty
    }

    /// Narrows the entries of a list after `retain`, by the condition of the closure.
    pub(super) fn narrow_retained(
        &mut self,
        place: Option<&'a Expr>,
        list: Type,
        params: &'a [Name],
        body: &'a Statement,
    ) {
        let (Some(place), Some(entries)) = (place, self.inference.types.entries(list)) else { return };
        if self.tags(list) == Tags::new(&[Tag::List])
            && let Some(left) = self.type_if_accepted(params, body, &[entries])
        {
            let left = self.types().list(left);
            self.set(place, left, None);
        }
    }

    /// After a call that changes the value before the dot, updates the type of this value. Also checks the items that the call adds.
    pub(super) fn update_changed(&mut self, name: &'a Name, place: Option<&'a Expr>, first: Type, others: &[Type]) {
        let Some(place) = place else { return };
        if !self.inference.types.is_known(first) {
            return;
        }
        let Some(own) = builtin_codes(Form::Function, &name.text) else { return };
        // The result of trimming a known word is unknown.
        if own.text == Some(TextCode::Trim) && self.tags(first).has(Tag::Text) {
            let trimmed = self.join_types(first, Type::TEXT);
            return self.set(place, trimmed, None);
        }
        let added = match (own.list, others) {
            (Some(ListCode::Push), [item]) | (Some(ListCode::Insert), [_, item]) => *item,
            (Some(ListCode::Append), [more]) | (Some(ListCode::Splice), [.., more]) => {
                self.inference.types.entries(*more).unwrap_or(Type::ANY)
            }
            _ => return,
        };
        self.check_added(name, place, added);
        let mut changed = first;
        if self.tags(first).has(Tag::List) {
            let entries = self.inference.types.entries(first).unwrap_or(Type::NEVER);
            let entries = self.join_types(entries, added);
            changed = self.types().with_entries(first, entries);
        } else {
            // A set of things can receive things of other kinds.
            let added = self.types().list(added);
            let several = self.pattern_type(&Pattern::Several, &Bound::new(added));
            if self.inference.types.is_known(several) {
                changed = self.join_types(changed, several);
            }
        }
        self.set(place, changed, None);
    }
}

fn with_part(mut shape: Shape, name: &str, ty: Type) -> Shape {
    if let Some((_, part)) = shape.parts.iter_mut().find(|(known, _)| **known == *name) {
        *part = ty;
    } else {
        shape.parts.push((Arc::from(name), ty));
        shape.parts.sort_by(|a, b| a.0.cmp(&b.0));
    }
    shape
}
