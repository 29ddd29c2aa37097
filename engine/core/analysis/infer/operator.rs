//! Types of binary operators.

use super::super::mistakes;
use super::super::types::{Tags, Type, accepted, one_of};
use super::call::{Bound, is_number};
use super::operand::Operand;
use super::walk::Walk;
use crate::decision::Type as Tag;
use crate::diagnostic::{Diagnostic, Severity};
use crate::library::{BOTTOM, Entry, Pattern, RATE, TOP};
use crate::syntax::{BinaryOp, Expr, ExprKind, Span};

/// Types of places that have a top and a bottom.
const PLACES: [Tag; 2] = [Tag::Zone, Tag::Space];

/// Types whose values are never `()`, unless `()` is another alternative of the union.
const NEVER_NOTHING: [Tag; 9] =
    [Tag::Number, Tag::Seat, Tag::Zone, Tag::Space, Tag::Seats, Tag::Zones, Tag::Spaces, Tag::Components, Tag::Pieces];

impl<'a> Walk<'_, 'a> {
    /// Infers the type of a binary operation and reports operands that do not fit. The right operand of `&&`, `||` and `??` may not be
    /// evaluated, so only its checks for `()` are kept.
    pub(super) fn binary(&mut self, op: BinaryOp, op_span: Span, left: &'a Expr, right: &'a Expr) -> Type {
        match op {
            BinaryOp::And | BinaryOp::Or => {
                self.condition(left);
                let before = self.env.clone();
                self.assume(left, op == BinaryOp::And);
                self.condition(right);
                let right = std::mem::replace(&mut self.env, before);
                self.env.add_checks(&right);
                return Type::FLAG;
            }
            BinaryOp::Coalesce => {
                let ty = self.expr(left);
                self.check_top_check(left);
                self.record_check(left, ty);
                let before = self.env.clone();
                let default = self.expr(right);
                let right = std::mem::replace(&mut self.env, before);
                self.env.add_checks(&right);
                let there = self.types().without_nothing(ty);
                return self.join_types(there, default);
            }
            _ => {}
        }
        let left = Operand { expr: left, ty: self.operand_type(left) };
        let right = Operand { expr: right, ty: self.operand_type(right) };
        if self.env.is_dead {
            return Type::NEVER;
        }
        if !matches!(op, BinaryOp::In | BinaryOp::NotIn) && self.report_quoted_number(left, right) {
            let form = self.form(op.symbol(), &[Tag::Number, Tag::Number]);
            return form.map_or(Type::ANY, |form| self.fixed_result(form));
        }
        self.operator_result(op, op_span, left, right)
    }

    /// Reports a quoted number if the other operand is a number. Returns whether a mistake was reported.
    fn report_quoted_number(&mut self, left: Operand<'a>, right: Operand<'a>) -> bool {
        for (operand, other) in [(left, right), (right, left)] {
            if let ExprKind::Text(word) = &operand.expr.kind
                && is_number(word)
                && self.tags(other.ty) == Tags::new(&[Tag::Number])
            {
                let found = mistakes::quoted_number(word, self.place(operand.expr.span));
                self.report(found);
                return true;
            }
        }
        false
    }

    /// Returns the result type of an operator. Reports operands that the operator does not accept.
    pub(super) fn operator_result(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        left: Operand<'a>,
        right: Operand<'a>,
    ) -> Type {
        match op {
            BinaryOp::Equal | BinaryOp::Unequal => {
                for (operand, other) in [(left, right), (right, left)] {
                    self.check_word_of(operand.expr, other.expr);
                }
                for (operand, other) in [(left, right), (right, left)] {
                    if matches!(other.expr.kind, ExprKind::Unit) {
                        self.check_top_check(operand.expr);
                        self.check_redundant_check(operand);
                        self.record_check(operand.expr, operand.ty);
                    }
                }
                self.check_comparison(op, op_span, left, right);
                Type::FLAG
            }
            BinaryOp::In | BinaryOp::NotIn => {
                self.check_containment(left, right);
                Type::FLAG
            }
            op if op.is_ordering() => {
                self.check_ordering(op, op_span, left, right);
                Type::FLAG
            }
            BinaryOp::Add => self.add_result(op_span, left, right),
            op => {
                self.check_operands(op, op_span, left, right);
                let form = self.inference.language.operators(op.symbol(), 2).next();
                form.map_or(Type::ANY, |form| self.fixed_result(form))
            }
        }
    }

    /// Returns the form of an operator that accepts operands with these tags.
    fn form(&self, symbol: &str, tags: &[Tag]) -> Option<&'static Entry> {
        let accepts = |(accepted, tag): (&Tag, &Tag)| [*tag, Tag::Any].contains(accepted);
        let mut forms = self.inference.language.operators(symbol, tags.len());
        forms.find(|form| form.types.iter().zip(tags).all(accepts))
    }

    /// Returns the result type of an operator form whose result does not depend on the operands.
    pub(super) fn fixed_result(&mut self, form: &Entry) -> Type {
        self.pattern_type(&form.returns, &Bound::new(Type::ANY))
    }

    /// Reports a check whether the top or bottom of a zone or space is `()`. The check is useless, because reading the top or bottom of an
    /// empty place is a fault.
    pub(super) fn check_top_check(&mut self, expr: &'a Expr) {
        let ExprKind::Field { receiver: of, name, .. } = &expr.kind else { return };
        if !matches!(&*name.text, TOP | BOTTOM) {
            return;
        }
        let ty = self.type_without_reports(of);
        let tags = self.tags(ty);
        if self.inference.types.is_known(ty) && !tags.is_empty() && tags.without(Tags::new(&PLACES)).is_empty() {
            let found = mistakes::always_there(self.text(of.span), &name.text, self.place(name.span));
            self.report(found);
        }
    }

    /// Reports a check for `()` of a value that is never `()`. Values that a condition has already checked or narrowed are not reported.
    /// Neither are parameters, since a function may check them for future callers, unless the engine calls the function.
    fn check_redundant_check(&mut self, Operand { expr, ty }: Operand<'a>) {
        let types = &self.inference.types;
        let tags = types.tags(ty);
        if tags.is_empty() || !tags.without(Tags::new(&NEVER_NOTHING)).is_empty() || types.may_be_nothing(ty) {
            return;
        }
        let is_asked = match &expr.kind {
            ExprKind::Name(name) => match self.env.find(name).map(|at| self.env.variables[at]) {
                Some(variable) => {
                    variable.question.is_asked() || variable.param.is_some() && !self.is_called_by_engine()
                }
                None => self.env.fact(name).is_some(),
            },
            _ => self.env.fact(self.text(expr.span)).is_some(),
        };
        if !is_asked {
            let found = mistakes::never_nothing(self.text(expr.span), tags, self.place(expr.span));
            self.report(found);
        }
    }

    /// Returns whether the flow calls the function, or an agent uses the function to rate options.
    fn is_called_by_engine(&self) -> bool {
        let known = &self.inference.functions[self.at];
        let is_of_flow = self.inference.symbols.called().iter().any(|called| *called.function == *known.name);
        is_of_flow || known.is_agent && known.name.starts_with(RATE)
    }

    /// Reports the first operand with tags that an operator does not accept.
    fn check_operands(&mut self, op: BinaryOp, op_span: Span, left: Operand<'a>, right: Operand<'a>) {
        for (at, operand) in [left, right].into_iter().enumerate() {
            let bad = self.bad(operand.ty, self.inference.language.operand(op.symbol(), 2, at));
            if !bad.is_empty() {
                let (tags, others) = (self.tags_for_message(left.ty), self.tags_for_message(right.ty));
                let found = mistakes::wrong_operands(op.symbol(), tags, others, self.place(op_span));
                return self.report_for(operand.expr, bad, found);
            }
        }
    }

    /// Returns the tags of a type for messages. An unknown type has the tag `Any`.
    fn tags_for_message(&self, ty: Type) -> Tags {
        if self.inference.types.is_known(ty) { self.tags(ty) } else { Tags::new(&[Tag::Any]) }
    }

    fn check_comparison(&mut self, op: BinaryOp, op_span: Span, left: Operand<'a>, right: Operand<'a>) {
        self.check_impossible_word(left, right.expr);
        self.check_impossible_word(right, left.expr);
        let (one, other) = (left.ty, right.ty);
        let types = &self.inference.types;
        if !types.is_known(one) || !types.is_known(other) || one == Type::NEVER || other == Type::NEVER {
            return;
        }
        if let Some((one, other)) = self.unlike_entries(one, other) {
            let found = mistakes::never_alike_lists(one, other, op == BinaryOp::Equal, self.place(op_span));
            return self.report(found);
        }
        let types = &self.inference.types;
        // A value of any type can be compared with `()`.
        let is_question = |ty: Type| types.tags(ty).without(Tags::new(&[Tag::Nothing])).is_empty();
        if types.overlap(one, other) || is_question(one) || is_question(other) {
            return;
        }
        let (tags, others) = (self.tags(one), self.tags(other));
        if !tags.and(others).is_empty() {
            return self.check_kinds(left, right, op_span);
        }
        // A parameter may be either a zone or a space, so it may be compared with both.
        let places = Tags::new(&PLACES);
        if tags.or(others).without(places).is_empty() && (self.is_param(left.expr) || self.is_param(right.expr)) {
            return;
        }
        let found = mistakes::never_alike(tags, others, op == BinaryOp::Equal, self.place(op_span));
        let found = self.text_help([(left.expr, tags), (right.expr, others)]).into_iter().fold(found, Diagnostic::help);
        let (blamed, bad) = if is_literal(left.expr) { (right, others) } else { (left, tags) };
        self.report_for(blamed.expr, bad, found);
    }

    /// Returns a help text for a string literal where a component is expected, if the string is also the id of a component. In that case,
    /// the words of a field were probably read as components.
    pub(super) fn component_help(&self, word: &Expr, others: Tags) -> Option<String> {
        let ExprKind::Text(id) = &word.kind else { return None };
        (others == Tags::new(&[Tag::Component]) && self.is_component(id)).then(|| {
            format!(
                "`{id}` is also a component: write `component(\"{id}\")`, or, if words are meant, declare the field as `word`"
            )
        })
    }

    /// Returns a help text for a comparison of a text with a component or a number.
    fn text_help(&self, sides: [(&Expr, Tags); 2]) -> Option<String> {
        let has_only = |at: usize, tag: Tag| sides[at].1 == Tags::new(&[tag]);
        let text = (0..2).find(|at| has_only(*at, Tag::Text))?;
        let (text_kind, other_kind) = (&sides[text].0.kind, &sides[1 - text].0.kind);
        if let Some(help) = self.component_help(sides[text].0, sides[1 - text].1) {
            return Some(help);
        }
        match (text_kind, other_kind) {
            (ExprKind::Text(_), _) => None,
            (_, ExprKind::Number(number)) => Some(format!("write the number in quotes: `\"{number}\"`")),
            _ if has_only(1 - text, Tag::Component) => {
                Some("compare a fact of the component with the text, as its `kind`".to_owned())
            }
            _ => None,
        }
    }

    fn is_component(&self, id: &str) -> bool {
        self.inference.symbols.component(id).is_some()
    }

    /// Reports a comparison of components or pieces that have no possible kind in common. Operands that begin with a parameter are skipped,
    /// because the parameter may be a thing of any kind.
    fn check_kinds(&mut self, left: Operand<'a>, right: Operand<'a>, here: Span) {
        if self.inference.types.overlap(left.ty, right.ty) {
            return;
        }
        let (one, other) = (self.types().without_nothing(left.ty), self.types().without_nothing(right.ty));
        let is_of_kinds = |tag: Tag| matches!(tag, Tag::Component | Tag::Piece);
        if self.tags(one).iter().all(is_of_kinds)
            && !(self.is_of_param(left.expr) || self.is_of_param(right.expr))
            && !self.inference.types.overlap(one, other)
            && let Some((one, other)) = self.inference.symbols.describe_difference(one, other, &self.inference.types)
        {
            let found = mistakes::never_of_one_kind(&one, &other, self.place(here));
            self.report(found);
        }
    }

    /// Returns the tags of the entries of two lists, if they have none in common.
    fn unlike_entries(&self, one: Type, other: Type) -> Option<(Tags, Tags)> {
        let types = &self.inference.types;
        let list = Tags::new(&[Tag::List]);
        if types.tags(one) != list || types.tags(other) != list {
            return None;
        }
        let (one, other) = types.entries(one).zip(types.entries(other))?;
        let (tags, others) = (types.tags(one), types.tags(other));
        let is_unlike = !types.overlap(one, other) && tags.and(others).is_empty();
        (is_unlike && !tags.is_empty() && !others.is_empty()).then_some((tags, others))
    }

    /// Reports a comparison with a word that the expression can never be, if its possible words come from the rules themselves: chosen
    /// options, parts of maps, or variables. Words from the game's files are checked elsewhere.
    ///
    /// Calls and index accesses that a condition has narrowed are skipped, because their values may have changed since. Future callers may
    /// pass other words for a parameter. A parameter is therefore reported only if the word is probably misspelled, or if the engine calls
    /// the function.
    pub(super) fn check_impossible_word(&mut self, Operand { expr, ty }: Operand<'a>, compared: &'a Expr) {
        let ExprKind::Text(word) = &compared.kind else { return };
        let Some(words) = self.inference.types.known_words(ty).filter(|words| !words.contains(word)) else { return };
        let is_own = match &expr.kind {
            ExprKind::Name(name) => {
                self.env.find(name).is_some() && (!self.is_param(expr) || self.is_called_by_engine())
            }
            ExprKind::Field { receiver: of, .. } => {
                let holder = self.silent_type(of);
                self.tags(holder).without(Tags::new(&[Tag::Map, Tag::Nothing])).is_empty()
            }
            ExprKind::Text(_) => false,
            _ => self.env.fact(self.text(expr.span)).is_none(),
        };
        if !self.inference.types.is_known(ty) {
            return;
        }
        let found = mistakes::unknown_word(self.text(expr.span), word, &words, self.place(compared.span));
        if is_own {
            self.report(found);
        } else if words.len() > 1
            && self.is_param(expr)
            && found.help.as_ref().is_some_and(|help| help.starts_with("did you mean"))
        {
            // A function may handle words that no caller passes. But if such a word is similar to a word that a caller passes, it is
            // probably misspelled.
            self.report(Diagnostic { severity: Severity::Warning, ..found });
        }
    }

    fn check_ordering(&mut self, op: BinaryOp, op_span: Span, left: Operand<'a>, right: Operand<'a>) {
        let types = &self.inference.types;
        let ordered = self.inference.language.operand(op.symbol(), 2, 0);
        for (operand, other_type) in [(left, right.ty), (right, left.ty)] {
            let ty = operand.ty;
            if !types.is_known(ty) || ty == Type::NEVER {
                continue;
            }
            // Both operands must have the same ordered type: a number is compared only with a number.
            let wanted = if types.is_known(other_type) && !types.tags(other_type).and(ordered).is_empty() {
                types.tags(other_type).and(ordered)
            } else {
                ordered
            };
            let bad = types.certain_mistakes(ty, types.tags(ty).without(wanted));
            if !bad.is_empty() {
                let (tags, others) = (self.tags_for_message(left.ty), self.tags_for_message(right.ty));
                let found = mistakes::wrong_operands(op.symbol(), tags, others, self.place(op_span));
                return self.report_for(operand.expr, bad, found);
            }
        }
    }

    fn add_result(&mut self, op_span: Span, left: Operand<'a>, right: Operand<'a>) -> Type {
        let (one, other) = (left.ty, right.ty);
        let types = &self.inference.types;
        // An operand that has no type yet, or is only `()` so far, may get another type later.
        if types.tags(one).is_empty() || types.tags(other).is_empty() {
            return Type::NEVER;
        }
        if !types.is_known(one) || !types.is_known(other) {
            let is_text = |ty: Type| types.is_known(ty) && types.tags(ty) == Tags::new(&[Tag::Text]);
            return if is_text(one) || is_text(other) { Type::TEXT } else { Type::ANY };
        }
        let (ones, others) = (self.tags(one), self.tags(other));
        let mut result = Type::NEVER;
        let (mut bad_left, mut bad_right) = (ones, others);
        for tag in ones.iter() {
            for beside in others.iter() {
                if let Some(sum) = self.sum_of_tags(one, tag, other, beside) {
                    result = self.join_types(result, sum);
                    bad_left = bad_left.without(Tags::new(&[tag]));
                    bad_right = bad_right.without(Tags::new(&[beside]));
                }
            }
        }
        // If the right operand is always `()`, the mistake is in the right operand.
        let is_right = bad_left.is_empty() || others == Tags::new(&[Tag::Nothing]);
        let (blamed, bad) = if is_right { (right, bad_right) } else { (left, bad_left) };
        let bad = self.inference.types.certain_mistakes(blamed.ty, bad);
        if !bad.is_empty() {
            let found = mistakes::wrong_operands("+", ones, others, self.place(op_span));
            self.report_for(blamed.expr, bad, found);
        }
        // If an operand is weak, the sum is weak too. If no combination of operands is valid, the sum is `NEVER`, so that it does not widen
        // the type of a variable in a loop.
        let is_weak = self.inference.types.is_weak(one) || self.inference.types.is_weak(other);
        if is_weak { self.types().weaken(result) } else { result }
    }

    fn sum_of_tags(&mut self, one: Type, tag: Tag, other: Type, other_tag: Tag) -> Option<Type> {
        let form = self.form(BinaryOp::Add.symbol(), &[tag, other_tag])?;
        Some(match form.result {
            Tag::Text => self.concatenated_words(one, other),
            Tag::List => {
                let inner = |ty: Type| self.inference.types.entries(ty).unwrap_or(Type::NEVER);
                let (one, other) = (inner(one), inner(other));
                let entries = self.join_types(one, other);
                self.types().list(entries)
            }
            Tag::Options => {
                let inner = |ty: Type| self.inference.types.option_type(ty).unwrap_or(Type::NEVER);
                let (one, other) = (inner(one), inner(other));
                let chosen = self.join_types(one, other);
                self.types().options(chosen)
            }
            several if several != Tag::Seats && one_of(several).is_some() => {
                let ids = self.inference.types.ids_of(one, tag) | self.inference.types.ids_of(other, other_tag);
                self.types().thing(several, ids)
            }
            _ => self.fixed_result(form),
        })
    }

    /// Returns the type of two concatenated texts: all combinations of words if the words of both texts are known, otherwise any text.
    fn concatenated_words(&mut self, one: Type, other: Type) -> Type {
        let types = &self.inference.types;
        let text = Tags::new(&[Tag::Text]);
        if types.tags(one) != text || types.tags(other) != text {
            return Type::TEXT;
        }
        let (Some(firsts), Some(seconds)) = (types.known_words(one), types.known_words(other)) else {
            return Type::TEXT;
        };
        let all = firsts.iter().flat_map(|first| seconds.iter().map(move |second| format!("{first}{second}").into()));
        let all: Vec<_> = all.collect();
        self.types().words(all)
    }

    /// Checks `item in container`, and calls of functions that search a container.
    pub(super) fn check_containment(&mut self, item: Operand<'a>, container: Operand<'a>) {
        let (item_type, container_type) = (item.ty, container.ty);
        // Searching a list for `()` is allowed. Searching any other container for `()` is a fault at run time.
        if self.tags(container_type).has(Tag::List) || !self.inference.types.is_known(container_type) {
            self.record_check(item.expr, item_type);
        }
        if matches!(item.expr.kind, ExprKind::Unit) {
            self.record_entry_check(container.expr, container_type);
        }
        if !self.inference.types.is_known(container_type) || container_type == Type::NEVER {
            return;
        }
        let mut holds_none = Tags::NONE;
        let mut entry_type = Type::NEVER;
        for tag in self.tags(container_type).iter() {
            let mut forms = self.inference.language.operators(BinaryOp::In.symbol(), 2);
            let Some(form) = forms.find(|form| accepted(&form.takes[1]).has(tag)) else {
                holds_none = holds_none.or(Tags::new(&[tag]));
                continue;
            };
            let one = match tag {
                Tag::List => self.inference.types.entries(container_type).unwrap_or(Type::ANY),
                _ if form.takes[0] == Pattern::Of(Tag::Any) => {
                    let several = self.types().restrict(container_type, Tags::new(&[tag]));
                    self.element_type(several)
                }
                _ => self.pattern_type(&form.takes[0], &Bound::new(container_type)),
            };
            entry_type = self.join_types(entry_type, one);
        }
        let holds_none = self.inference.types.certain_mistakes(container_type, holds_none);
        if !holds_none.is_empty() {
            let found = mistakes::holds_nothing(holds_none, self.place(container.expr.span));
            return self.report_for(container.expr, holds_none, found);
        }
        if let ExprKind::List(entries) = &container.expr.kind {
            for entry in entries {
                self.check_impossible_word(item, entry);
            }
        }
        let types = &self.inference.types;
        if !types.is_known(entry_type)
            || !types.is_known(item_type)
            || entry_type == Type::NEVER
            || item_type == Type::NEVER
        {
            return;
        }
        // A list may be searched for `()`. If the item and the entries have a type in common, the search may succeed.
        let bad = types.tags(item_type).without(types.tags(entry_type)).without(Tags::new(&[Tag::Nothing]));
        if !bad.is_empty() && types.tags(item_type).and(types.tags(entry_type)).is_empty() {
            let here = self.place(item.expr.span);
            let found =
                mistakes::never_in(types.tags(item_type), types.tags(container_type), types.tags(entry_type), here);
            let help = self.component_help(item.expr, self.tags(entry_type));
            return self.report_for(item.expr, bad, help.into_iter().fold(found, Diagnostic::help));
        }
        self.check_kinds(item, Operand { ty: entry_type, ..container }, item.expr.span);
    }
}

/// Returns whether an expression is a number, text, flag, list or map literal.
pub(super) fn is_literal(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Flag(_) | ExprKind::List(_) | ExprKind::Map(_)
    )
}
