//! What is set: variables, parts of maps, entries of lists, values of things.

use super::super::mistakes::{self, Used};
use super::super::types::{Shape, Tags, Type};
use super::call::Bound;
use super::environment::{Variable, root_of};
use super::operator::is_literal;
use super::walk::Walk;
use crate::decision::Type as Tag;
use crate::library::{Effects, Form, ListCode, Pattern, TextCode, builtin_codes};
use crate::syntax::{BinaryOp, Expr, ExprKind, Name, Span, Statement};
use std::sync::Arc;

impl<'a> Walk<'_, 'a> {
    pub(super) fn assign(&mut self, target: &'a Expr, op: Option<BinaryOp>, op_span: Span, value: &'a Expr) {
        let given = self.expr(value);
        match &target.kind {
            ExprKind::Name(name) => self.check_name_set(name, target.span),
            _ if op.is_none() => self.check_meant(target, value),
            _ => {}
        }
        let is = match op {
            None => given,
            Some(op) => {
                let before = self.expr(target);
                self.operate((op, op_span), (target, before), (value, given))
            }
        };
        if self.env.is_dead {
            return;
        }
        self.touched(target);
        self.set(target, is, Some((value, op.is_some())));
    }

    /// Notes where a value of something is set, or what is in one: that changes the table.
    pub(super) fn touched(&mut self, place: &'a Expr) {
        match &place.kind {
            ExprKind::Field { of, name, .. } => {
                let holder = self.silent(of);
                if self.is_map(holder) {
                    return self.touched(of);
                }
                let is_set = self.inference.types.is_known(holder) && self.has_value(holder, &name.text);
                self.acts(name.span, if is_set { Effects::CHANGES_OTHERWISE } else { Effects::NONE });
            }
            ExprKind::Index { of, index, .. } => {
                let holder = self.silent(of);
                if self.inference.types.is_known(holder) && self.tags(holder) == Tags::of(&[Tag::Entries]) {
                    return self.acts(index.span, Effects::CHANGES_OTHERWISE);
                }
                self.touched(of);
            }
            _ => {}
        }
    }

    /// Whether something is a map and nothing else.
    pub(super) fn is_map(&self, is: Type) -> bool {
        self.inference.types.is_known(is) && self.tags(is) == Tags::of(&[Tag::Map])
    }

    /// Whether all that something may be has a value of a name.
    fn has_value(&self, holder: Type, name: &str) -> bool {
        let facts = self.inference.symbols.facts(name);
        let has = |tag: Tag| {
            let which = self.inference.types.which(holder, tag);
            facts.iter().any(|fact| fact.of == tag && fact.takes.is_some() && (which == 0 || fact.which & which != 0))
        };
        let mut tags = self.tags(holder).iter().filter(|tag| *tag != Tag::Nothing).peekable();
        tags.peek().is_some() && tags.all(has)
    }

    /// Gives a place another type.
    pub(super) fn set(&mut self, target: &'a Expr, is: Type, value: Option<(&'a Expr, bool)>) {
        match &target.kind {
            ExprKind::Name(name) => {
                if value.is_some() {
                    self.env.forget(name);
                } else {
                    self.env.forget_facts(name);
                }
                if let Some(at) = self.env.find(name) {
                    let variable = self.env.variables[at];
                    // What is changed in a part begins with what it did.
                    let given = if value.is_some() { self.given_to(variable.name, is) } else { variable };
                    self.env.variables[at] = Variable { is, param: None, ..given };
                }
            }
            ExprKind::Field { of, name, .. } => self.set_part(target, of, name, is, value),
            ExprKind::Index { of, index, .. } => {
                if value.is_some() {
                    self.env.forget_asked(self.text(target.span));
                }
                self.set_entry(of, index, is, value);
            }
            _ => {}
        }
        if value.is_some()
            && !self.begins_empty(is)
            && let Some(at) = root_of(target).and_then(|root| self.env.find(root))
        {
            self.env.variables[at].parts_begin_empty = false;
        }
    }

    fn set_part(&mut self, target: &'a Expr, of: &'a Expr, name: &'a Name, is: Type, value: Option<(&'a Expr, bool)>) {
        let holder = self.silent(of);
        self.env.forget(&name.text);
        let is_open = !self.inference.types.is_known(holder) || self.tags(holder).has(Tag::Map);
        if is_open && self.tells && value.is_some() && !self.is_property(&name.text) {
            let found = match self.parts_of(holder) {
                Some(parts) => mistakes::added_part(&name.text, &parts, self.place(name.span)),
                None => self.lacking_part(name, holder, Used::AsPart),
            };
            self.report(found);
        }
        if !self.inference.types.is_known(holder) {
            return;
        }
        if self.tags(holder).has(Tag::Map) {
            let changed = self.types().change_maps(holder, &mut |_, shape| vec![with_part(shape, &name.text, is)]);
            self.set(of, changed, None);
        }
        let Some((value, is_changed)) = value else { return };
        self.set_value(target, (of, holder), name, (value, is, is_changed));
    }

    /// The names of the parts of what is a map that rules have made, and nothing else.
    fn parts_of(&self, holder: Type) -> Option<Vec<Arc<str>>> {
        let types = &self.inference.types;
        let parts = types.shapes(holder).into_iter().flat_map(|id| &types.shape(id).parts);
        let parts: Vec<Arc<str>> = parts.map(|(name, _)| name.clone()).collect();
        Some(parts).filter(|parts| self.is_map(holder) && !parts.is_empty())
    }

    /// `thing.value = is`.
    fn set_value(
        &mut self,
        target: &'a Expr,
        (of, holder): (&'a Expr, Type),
        name: &'a Name,
        (value, is, is_changed): (&'a Expr, Type, bool),
    ) {
        let mut takes: Option<Type> = None;
        let (mut bad, mut fixed) = (Tags::NONE, Tags::NONE);
        for tag in self.tags(holder).iter().filter(|tag| *tag != Tag::Map) {
            let facts: Vec<_> =
                self.inference.symbols.facts(&name.text).iter().filter(|fact| fact.of == tag).cloned().collect();
            let which = self.inference.types.which(holder, tag);
            let is_here = |fact: &&super::super::symbols::Fact| which == 0 || fact.which & which != 0;
            let values: Vec<Type> = facts.iter().filter(is_here).filter_map(|fact| fact.takes).collect();
            if values.is_empty() {
                let one = self.types().keep(holder, Tags::of(&[tag]));
                let has = self.property_of(one, &name.text).1.is_empty();
                let kept = Tags::of(&[tag]);
                if has {
                    fixed = fixed.or(kept);
                } else {
                    bad = bad.or(kept);
                }
                continue;
            }
            let all = self.types().join_all(values);
            takes = Some(self.types_join(takes.unwrap_or(Type::NEVER), all));
        }
        // What a changed value lacks has been told where it is read.
        if !bad.is_empty() && !is_changed {
            let found = if bad.has(Tag::Nothing) {
                mistakes::nothing_here(&name.text, self.tags(holder), self.place(name.span))
            } else {
                self.lacking(name, (holder, bad), Used::AsPart)
            };
            return self.report_for(of, bad, found);
        }
        if !fixed.is_empty() {
            let is_table = self.property_of(holder, &name.text).0;
            let is_table = self.tags(is_table).has(Tag::Entries);
            let mistake = if is_table { mistakes::fixed_table } else { mistakes::fixed_field };
            let found = mistake(&name.text, fixed, self.place(name.span));
            return self.report_for(of, fixed, found);
        }
        let Some(takes) = takes else { return };
        if !self.inference.types.is_known(is) || !self.check_taken(&name.text, takes, is, value) {
            return;
        }
        let there = self.tags(is).but(Tags::of(&[Tag::Nothing]));
        if !is_changed && !there.is_empty() {
            let text = self.text(target.span);
            self.env.learn(text, is);
        }
    }

    fn set_entry(&mut self, of: &'a Expr, index: &'a Expr, is: Type, value: Option<(&'a Expr, bool)>) {
        let (holder, at) = (self.silent(of), self.silent(index));
        if !self.inference.types.is_known(holder) {
            return;
        }
        if let Some((_, is_changed)) = value {
            let bad = self.bad(holder, Tags::of(&[Tag::List, Tag::Map, Tag::Entries]));
            if !bad.is_empty() {
                let found = mistakes::not_set((self.tags(holder), bad), self.place(index.span));
                return self.report_for(of, bad, found);
            }
            // What is changed has been looked at where it is read.
            if !is_changed {
                self.index(of, index, false);
            }
        }
        if let (Some((value, _)), true) = (value, self.tags(holder).has(Tag::Entries)) {
            let which = self.inference.types.which(holder, Tag::Entries);
            let tables: Vec<_> = self.inference.symbols.tables(which).cloned().collect();
            let takes: Vec<Type> = tables.iter().map(|table| table.takes).collect();
            let takes = self.types().join_all(takes);
            if let Some(table) = tables.first() {
                self.check_taken(&table.name, takes, is, value);
            }
            return;
        }
        let mut changed = holder;
        if self.tags(holder).has(Tag::List) {
            let entries = self.inference.types.entries(holder).unwrap_or(Type::NEVER);
            let entries = self.types_join(entries, is);
            changed = self.types().with_entries(changed, entries);
        }
        if self.tags(holder).has(Tag::Map) {
            let names = self.inference.types.known_words(at);
            changed = self.types().change_maps(changed, &mut |types, shape| {
                if let Some(names) = &names {
                    names.iter().map(|name| with_part(shape.clone(), name, is)).collect()
                } else {
                    let rest = types.join(shape.rest.unwrap_or(Type::NEVER), is);
                    vec![Shape { rest: Some(rest), ..shape }]
                }
            });
        }
        self.set(of, changed, None);
    }

    /// Tells where a value is set to what it cannot be, or to a list with such entries; whether it may be that.
    fn check_taken(&mut self, name: &str, takes: Type, is: Type, value: &'a Expr) -> bool {
        let wrong = self.inference.types.wrong(is, self.tags(is).but(self.tags(takes)));
        if !wrong.is_empty() {
            let written = is_literal(value).then(|| self.text(value.span));
            let takes = self.inference.types.in_words(takes);
            let found = mistakes::wrong_value(name, &takes, wrong, written, self.place(value.span));
            self.report_for(value, wrong, found);
            return false;
        }
        let entries = self.inference.types.entries(takes).zip(self.inference.types.entries(is));
        let Some((wanted, given)) = entries else { return true };
        let wrong = self.wrong_entries(wanted, given);
        if !wrong.is_empty() {
            let found =
                mistakes::wrong_entry(name, &self.inference.types.in_words(wanted), wrong, self.place(value.span));
            self.report_for(value, wrong, found);
        }
        wrong.is_empty()
    }

    /// What entries of a list are for certain that they cannot be.
    fn wrong_entries(&self, wanted: Type, given: Type) -> Tags {
        if given == Type::NEVER || !self.inference.types.is_known(given) {
            return Tags::NONE;
        }
        self.inference.types.wrong(given, self.tags(given).but(self.tags(wanted)))
    }

    /// What is added to a list that is a value of something has to be what its entries may be.
    fn check_added(&mut self, name: &'a Name, place: &'a Expr, added: Type) {
        let (called, takes): (Arc<str>, Vec<Type>) = match &place.kind {
            ExprKind::Field { of, name, .. } => {
                let holder = self.silent(of);
                let facts = self.inference.symbols.facts(&name.text).iter();
                let here = facts.filter(|fact| self.tags(holder).has(fact.of));
                (name.text.clone(), here.filter_map(|fact| fact.takes).collect())
            }
            ExprKind::Index { of, .. } => {
                let holder = self.silent(of);
                let which = self.inference.types.which(holder, Tag::Entries);
                let tables: Vec<_> = self.inference.symbols.tables(which).cloned().collect();
                let Some(table) = tables.first() else { return };
                (table.name.clone(), tables.iter().map(|table| table.takes).collect())
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

    /// The type of an expression, without telling anything again.
    pub(super) fn silent(&mut self, expr: &'a Expr) -> Type {
        let tells = std::mem::replace(&mut self.tells, false);
        let is = self.expr(expr);
        self.tells = tells;
        is
    }

    /// What is left in a list, of which a function says what stays.
    pub(super) fn retained(
        &mut self,
        (place, list): (Option<&'a Expr>, Type),
        params: &'a [Name],
        body: &'a Statement,
    ) {
        let (Some(place), Some(entries)) = (place, self.inference.types.entries(list)) else { return };
        if self.tags(list) == Tags::of(&[Tag::List])
            && let Some(left) = self.accepted_by(params, body, &[entries])
        {
            let left = self.types().list(left);
            self.set(place, left, None);
        }
    }

    /// What a function has changed of what stands before its dot.
    pub(super) fn changed(&mut self, name: &'a Name, place: Option<&'a Expr>, first: Type, given: &[Type]) {
        let Some(place) = place else { return };
        if !self.inference.types.is_known(first) {
            return;
        }
        let Some(own) = builtin_codes(Form::Function, &name.text) else { return };
        // Which words a text is once it is cut is not known.
        if own.text == Some(TextCode::Trim) && self.tags(first).has(Tag::Text) {
            let trimmed = self.types_join(first, Type::TEXT);
            return self.set(place, trimmed, None);
        }
        let added = match (own.list, given) {
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
            let entries = self.types_join(entries, added);
            changed = self.types().with_entries(first, entries);
        } else {
            // A set takes in things of other kinds.
            let added = self.types().list(added);
            let several = self.pattern_type(&Pattern::Several, &Bound::of(added));
            if self.inference.types.is_known(several) {
                changed = self.types_join(changed, several);
            }
        }
        self.set(place, changed, None);
    }
}

fn with_part(mut shape: Shape, name: &str, is: Type) -> Shape {
    if let Some((_, part)) = shape.parts.iter_mut().find(|(known, _)| **known == *name) {
        *part = is;
    } else {
        shape.parts.push((Arc::from(name), is));
        shape.parts.sort_by(|a, b| a.0.cmp(&b.0));
    }
    shape
}
