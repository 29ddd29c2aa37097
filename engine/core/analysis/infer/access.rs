//! Types of field access (`a.b`) and index access (`a[b]`).

use super::super::mistakes::{self, FieldUse};
use super::super::types::{ALL_IDS, Tags, Type, set_tag_of};
use super::call::Bound;
use super::operand::Operand;
use super::walk::Walk;
use crate::decision::Type as Tag;
use crate::syntax::{Expr, Name};
use std::sync::Arc;

/// Tags of the types whose values have facts.
pub(super) const THINGS: [Tag; 6] = [Tag::Piece, Tag::Component, Tag::Seat, Tag::Space, Tag::Zone, Tag::Game];

impl<'a> Walk<'_, 'a> {
    /// Infers the type of `object.name`, or of `object?.name` if `is_optional` is set.
    pub(super) fn field(&mut self, object: &'a Expr, name: &'a Name, is_optional: bool) -> Type {
        let ty = self.operand_type(object);
        if is_optional {
            self.check_top_check(object);
            self.record_check(object, ty);
        }
        let asked = if is_optional { self.types().without_nothing(ty) } else { ty };
        let found = self.property(asked, object, name);
        if is_optional && self.inference.types.may_be_nothing(ty) {
            return self.join_types(found, Type::NOTHING);
        }
        found
    }

    /// Returns the type of the property `name`. Reports a mistake if an alternative of `ty` does not have the property.
    fn property(&mut self, ty: Type, object: &'a Expr, name: &'a Name) -> Type {
        if name.text.is_empty() {
            return Type::ANY;
        }
        let is_open = !self.inference.types.is_known(ty) || self.inference.types.is_open_map(ty) || ty == Type::NEVER;
        if is_open && self.reports && !self.is_property(&name.text) {
            let found = self.missing_part(name, ty, FieldUse::Called);
            self.report(found);
        }
        if !self.inference.types.is_known(ty) {
            return Type::ANY;
        }
        let (found, bad, lacks) = self.property_of(ty, &name.text);
        if lacks {
            let shapes = self.inference.types.shapes(ty);
            let parts: Vec<Arc<str>> = shapes
                .iter()
                .flat_map(|id| self.inference.types.shape(*id).parts.iter().map(|(name, _)| name.clone()))
                .collect();
            let found = mistakes::unknown_part(&name.text, &parts, self.place(name.span));
            self.report_for(object, Tags::new(&[Tag::Map]), found);
        }
        let bad = self.inference.types.certain_mistakes(ty, bad);
        if !bad.is_empty() {
            let mistake = if bad.has(Tag::Nothing) {
                mistakes::nothing_here(&name.text, self.tags(ty), self.place(name.span))
            } else if found != Type::NEVER && !self.tags(ty).without(bad).is_empty() {
                let words = self.inference.types.known_words(ty);
                mistakes::field_of_some(&name.text, bad, words.as_deref(), self.place(name.span))
            } else {
                self.missing_property(name, ty, bad, FieldUse::Called)
            };
            self.report_for(object, bad, mistake);
        }
        found
    }

    /// Returns the type of a property, the tags of the alternatives of `ty` that lack the property, and whether `ty` includes maps that
    /// lack it.
    pub(super) fn property_of(&mut self, ty: Type, name: &str) -> (Type, Tags, bool) {
        let (mut found, mut bad, mut lacks) = (Type::NEVER, Tags::NONE, false);
        for tag in self.tags(ty).iter() {
            let one = if tag == Tag::Map {
                let part = self.part(ty, name);
                lacks |= part.is_none();
                part
            } else {
                let one = self.property_of_tag(ty, tag, name);
                if one.is_none() {
                    bad = bad.or(Tags::new(&[tag]));
                }
                one
            };
            found = self.join_types(found, one.unwrap_or(Type::NEVER));
        }
        (found, bad, lacks)
    }

    fn property_of_tag(&mut self, ty: Type, tag: Tag, name: &str) -> Option<Type> {
        if THINGS.contains(&tag) {
            let ids = self.inference.types.ids_of(ty, tag);
            let ids = if [Tag::Seat, Tag::Game].contains(&tag) { ALL_IDS } else { ids };
            let inference = &mut *self.inference;
            if let Some((fact, _)) = inference.symbols.fact(tag, ids, name, &mut inference.types) {
                return Some(fact);
            }
        }
        let words = self.inference.language.properties(name);
        let word = words.iter().copied().find(|word| word.types[0] == tag)?;
        let first = self.types().restrict(ty, Tags::new(&[tag]));
        Some(self.pattern_type(&word.returns, &Bound::new(first)))
    }

    /// Returns the type of a part of a map. Returns `None` if no map of this type has the part.
    pub(super) fn part(&mut self, ty: Type, name: &str) -> Option<Type> {
        if self.inference.types.is_open_map(ty) {
            return Some(Type::ANY);
        }
        let mut found: Option<Type> = None;
        for id in self.inference.types.shapes(ty) {
            let shape = self.inference.types.shape(id);
            let part = shape.parts.iter().find(|(known, _)| **known == *name).map(|(_, part)| *part).or(shape.rest);
            if let Some(part) = part {
                found = Some(self.join_types(found.unwrap_or(Type::NEVER), part));
            }
        }
        // A map without known parts may get this part later.
        found.or_else(|| self.inference.types.shapes(ty).is_empty().then_some(Type::ANY))
    }

    /// Infers the type of an index access that is read. If the index is a constant string, reports it unless the map has a part with this
    /// name.
    pub(super) fn read_index(&mut self, object: &'a Expr, index: &'a Expr, is_optional: bool) -> Type {
        let (index, object) = self.index_operands(object, index);
        let found = self.index_type(object, index, is_optional);
        self.check_part_name(object, index);
        found
    }

    /// Returns the type of an index access that is assigned to. Unlike [`read_index`](Self::read_index), does not check that the map has a
    /// part of this name.
    pub(super) fn index(&mut self, object: &'a Expr, index: &'a Expr, is_optional: bool) -> Type {
        let (index, object) = self.index_operands(object, index);
        self.index_type(object, index, is_optional)
    }

    /// Infers the types of the index and of the indexed expression, in this order.
    fn index_operands(&mut self, object: &'a Expr, index: &'a Expr) -> (Operand<'a>, Operand<'a>) {
        let index = Operand { expr: index, ty: self.operand_type(index) };
        (index, Operand { expr: object, ty: self.operand_type(object) })
    }

    fn index_type(&mut self, object: Operand<'a>, index: Operand<'a>, is_optional: bool) -> Type {
        let (ty, at) = (object.ty, index.ty);
        if is_optional {
            self.record_check(object.expr, ty);
        }
        let asked = if is_optional { self.types().without_nothing(ty) } else { ty };
        if !self.inference.types.is_known(asked) {
            return Type::ANY;
        }
        if asked == Type::NEVER || at == Type::NEVER {
            return Type::NEVER;
        }
        let (mut found, mut bad) = (Type::NEVER, Tags::NONE);
        for tag in self.tags(asked).iter() {
            match self.entry(asked, tag, at) {
                Some(entry) => found = self.join_types(found, entry),
                None => bad = bad.or(Tags::new(&[tag])),
            }
        }
        let bad = self.inference.types.certain_mistakes(asked, bad);
        if !bad.is_empty() {
            let mistake = mistakes::not_indexed(self.tags(asked), bad, self.tags(at), self.place(index.expr.span));
            self.report_for(object.expr, bad, mistake);
        }
        if is_optional && self.inference.types.may_be_nothing(ty) {
            return self.join_types(found, Type::NOTHING);
        }
        found
    }

    /// Reports a constant string index that does not name a part of the map.
    fn check_part_name(&mut self, object: Operand<'a>, index: Operand<'a>) {
        let (ty, at) = (object.ty, index.ty);
        if !self.reports || self.tags(ty).without(Tags::new(&[Tag::Nothing])) != Tags::new(&[Tag::Map]) {
            return;
        }
        let Some(names) = self.inference.types.known_words(at).filter(|_| self.tags(at) == Tags::new(&[Tag::Text]))
        else {
            return;
        };
        if names.iter().any(|name| self.part(ty, name).is_some()) {
            return;
        }
        let shapes = self.inference.types.shapes(ty);
        let parts =
            shapes.iter().flat_map(|id| self.inference.types.shape(*id).parts.iter().map(|part| part.0.clone()));
        let parts: Vec<Arc<str>> = parts.collect();
        let found = mistakes::unknown_part(&names.join("` or `"), &parts, self.place(index.expr.span));
        self.report_for(object.expr, Tags::new(&[Tag::Map]), found);
    }

    /// Returns the type of an entry for the alternative of `ty` with the tag `tag`. Returns `None` if this alternative cannot be indexed by
    /// `at`.
    fn entry(&mut self, ty: Type, tag: Tag, at: Type) -> Option<Type> {
        let takes = |walk: &Self, wanted: Tag| {
            !walk.inference.types.is_known(at) || walk.tags(at).has(wanted) || walk.tags(at).is_empty()
        };
        match tag {
            Tag::List => takes(self, Tag::Number).then(|| self.inference.types.entries(ty).unwrap_or(Type::ANY)),
            Tag::Entries => self.table_entry(ty, at),
            Tag::Text => takes(self, Tag::Number).then_some(Type::TEXT),
            Tag::Map => takes(self, Tag::Text).then(|| self.named_parts(ty, at)),
            Tag::Zones if self.zone_keys(ty).is_none_or(|keys| accepts_any(self, at, keys)) => {
                let ids = self.inference.types.ids_of(ty, Tag::Zones);
                let is_one = self.inference.symbols.zones(ids).all(|(_, zone)| zone.axes <= 1);
                Some(if is_one { self.types().thing(Tag::Zone, ids) } else { Type::ANY })
            }
            Tag::Zones => None,
            tag => {
                let indices: Vec<_> = self.inference.language.indices().to_vec();
                let first = self.types().restrict(ty, Tags::new(&[tag]));
                let mut bound = Bound::new(first);
                if let Some(answered) = self.inference.types.answered(ty) {
                    bound.bind('T', answered, &mut self.inference.types);
                }
                let is_open = !self.inference.types.is_known(at);
                let mut of_tag = indices.into_iter().filter(|word| word.types[0] == tag);
                let word = of_tag.find(|word| is_open || self.refused(&word.takes[1], at, &bound) != self.tags(at))?;
                Some(self.pattern_type(&word.returns, &bound))
            }
        }
    }

    /// Returns the tags of the values that can index a set of zones, such as labels of copies, other zones, seats and components. Returns
    /// `None` if the tags are unknown.
    fn zone_keys(&self, zones: Type) -> Option<Tags> {
        let types = &self.inference.types;
        let mut keys = Tags::NONE;
        for (_, zone) in self.inference.symbols.zones(types.ids_of(zones, Tag::Zones)) {
            let copies = zone.labels.copies;
            if !types.is_known(copies) {
                return None;
            }
            keys = keys.or(types.tags(copies).without(Tags::new(&[Tag::Nothing])));
            if !keys.is_empty() {
                keys = keys.or(Tags::new(&[Tag::Zone, Tag::Space]));
            }
            if zone.per_seat {
                keys = keys.or(Tags::new(&[Tag::Seat]));
            }
            if zone.per_kinds != 0 {
                keys = keys.or(Tags::new(&[Tag::Component, Tag::Piece, Tag::Text]));
            }
        }
        Some(keys).filter(|keys| !keys.is_empty())
    }

    /// Returns the type of an entry of a table. Returns `None` if no table has keys of the type `at`.
    fn table_entry(&mut self, ty: Type, at: Type) -> Option<Type> {
        let ids = self.inference.types.ids_of(ty, Tag::Entries);
        let tables: Vec<(Type, Type)> = self.inference.symbols.tables(ids).map(|table| (table.key, table.ty)).collect();
        let fitting = tables.iter().filter(|(key, _)| self.inference.types.overlap(*key, at));
        let all: Vec<Type> = fitting.map(|(_, entry)| *entry).collect();
        (!all.is_empty()).then(|| self.types().join_weakly(&all))
    }

    /// Returns the type of the map part that an index of type `at` names. If the name is unknown, joins the types of all parts.
    fn named_parts(&mut self, ty: Type, at: Type) -> Type {
        if let Some(names) = self.inference.types.known_words(at) {
            let parts: Vec<Type> = names.iter().map(|name| self.part(ty, name).unwrap_or(Type::ANY)).collect();
            return self.types().join_all(parts);
        }
        let mut all = Vec::new();
        for id in self.inference.types.shapes(ty) {
            let shape = self.inference.types.shape(id);
            all.extend(shape.parts.iter().map(|(_, part)| *part).chain(shape.rest));
        }
        if all.is_empty() || self.inference.types.is_open_map(ty) {
            return Type::ANY;
        }
        self.types().join_all(all)
    }

    // ----- elements of collections and places

    /// Returns the type of one element of a collection or place.
    pub(super) fn element_type(&mut self, ty: Type) -> Type {
        let mut found = Type::NEVER;
        for tag in self.tags(ty).iter() {
            let one = match tag {
                Tag::Any => Type::ANY,
                Tag::Zone | Tag::Space => {
                    let ids = self.inference.types.ids_of(ty, tag);
                    let kinds = self.inference.symbols.pieces_in(ids);
                    self.types().thing(Tag::Piece, kinds)
                }
                Tag::List => self.inference.types.entries(ty).unwrap_or(Type::ANY),
                Tag::Options => self.inference.types.option_type(ty).unwrap_or(Type::ANY),
                Tag::Range => Type::NUMBER,
                Tag::Seats => Type::SEAT,
                several => match super::super::types::one_of(several) {
                    Some(one) => {
                        let ids = self.inference.types.ids_of(ty, several);
                        self.types().thing(one, ids)
                    }
                    None => Type::NEVER,
                },
            };
            found = self.join_types(found, one);
        }
        found
    }

    /// Returns the type of a subset of the elements of a collection or place.
    pub(super) fn subset_type(&mut self, ty: Type) -> Type {
        let one = self.element_type(ty);
        let mut found = if self.inference.types.is_known(one) { Type::NEVER } else { Type::ANY };
        for tag in self.tags(one).iter() {
            if let Some(several) = set_tag_of(tag) {
                let ids = self.inference.types.ids_of(one, tag);
                let several = if tag == Tag::Seat { Type::SEATS } else { self.types().thing(several, ids) };
                found = self.join_types(found, several);
            }
        }
        found
    }

    /// Returns the type of the pieces in zones or spaces.
    pub(super) fn contents_type(&mut self, ty: Type) -> Type {
        let ids = self.zones_of(ty);
        let kinds = self.inference.symbols.pieces_in(ids);
        self.types().thing(Tag::Pieces, kinds)
    }

    /// Returns the ids of the zones in a type: the zones themselves, and the zones that contain the spaces.
    pub(super) fn zones_of(&self, ty: Type) -> super::super::types::IdSet {
        let types = &self.inference.types;
        [Tag::Zone, Tag::Zones, Tag::Space, Tag::Spaces].iter().fold(0, |ids, tag| ids | types.ids_of(ty, *tag))
    }
}

fn accepts_any(walk: &Walk<'_, '_>, at: Type, wanted: Tags) -> bool {
    !walk.inference.types.is_known(at) || walk.tags(at).is_empty() || !walk.tags(at).and(wanted).is_empty()
}
