//! Variables of templates: the fields of a component, and a few general ones.

use crate::model::{Component, ComponentId, FieldType, FieldValue, KindId, Model, Seat};
use crate::wording::Wording;
use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// General variables in templates of fronts.
pub(super) const GENERAL_VARIABLES: [&str; 11] =
    ["alters", "cells", "count", "faces", "id", "kind", "kind_name", "language", "name", "seat", "seat_name"];

/// Variables in templates of backs.
pub(super) const BACK_VARIABLES: [&str; 4] = ["back", "kind", "kind_name", "language"];

/// Functions in templates.
pub(super) const FUNCTIONS: [&str; 1] = ["range"];

/// Attributes that every component has when a field refers to it.
const GENERAL_ATTRIBUTES: [&str; 4] = ["id", "kind", "kind_name", "name"];

/// Component that a field refers to. It is rendered as its name, and its fields are its attributes.
pub(super) struct ReferredComponent {
    model: Arc<Model>,
    wording: Wording,
    id: ComponentId,
}

impl fmt::Debug for ReferredComponent {
    fn fmt(&self, form: &mut fmt::Formatter<'_>) -> fmt::Result {
        form.write_str(&self.model.component(self.id).id)
    }
}

impl Object for ReferredComponent {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Map
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let component = self.model.component(self.id);
        let kind = self.model.kind_of(self.id);
        let key = key.as_str()?;
        if let Some(field) = self.model.find_field(key).and_then(|field| component.fields.get(&field)) {
            return Some(value(&self.model, &self.wording, field));
        }
        match key {
            "id" => Some(Value::from(&*component.id)),
            "name" => Some(Value::from(self.wording.component(self.id))),
            "kind" => Some(Value::from(&*kind.id)),
            "kind_name" => Some(Value::from(self.wording.kind_name(component.kind))),
            _ => None,
        }
    }

    /// Makes the template engine compare components by their ids only.
    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Values(vec![Value::from("id")])
    }

    fn render(self: &Arc<Self>, form: &mut fmt::Formatter<'_>) -> fmt::Result {
        form.write_str(self.wording.component(self.id))
    }
}

/// Converts a field to a template value.
pub(super) fn value(model: &Arc<Model>, wording: &Wording, field: &FieldValue) -> Value {
    match field {
        FieldValue::Nothing => Value::from(()),
        FieldValue::Number(number) => Value::from(*number),
        FieldValue::Flag(flag) => Value::from(*flag),
        FieldValue::Word(word) | FieldValue::Function(word) => Value::from(&**word),
        FieldValue::Component(id) => {
            Value::from_object(ReferredComponent { model: model.clone(), wording: wording.clone(), id: *id })
        }
        FieldValue::List(list) => list.iter().map(|one| value(model, wording, one)).collect(),
        FieldValue::Record(parts) => {
            let parts = parts.iter().map(|(name, one)| (name.to_string(), value(model, wording, one)));
            Value::from(parts.collect::<BTreeMap<String, Value>>())
        }
    }
}

/// Returns the variables for the template of a front. Fields take precedence over general variables of the same name.
pub(super) fn front_variables(
    model: &Arc<Model>,
    wording: &Wording,
    language: &str,
    id: ComponentId,
    owner: Option<Seat>,
    alters: Vec<String>,
) -> BTreeMap<String, Value> {
    let component = model.component(id);
    let mut all = BTreeMap::new();
    let mut put = |name: &str, value: Value| all.insert(name.to_owned(), value);
    let cells = model.cells.rows(&component.cells);
    put("alters", alters.into_iter().map(Value::from).collect());
    put("cells", cells.iter().map(|row| row.split(' ').map(Value::from).collect::<Value>()).collect());
    put("count", Value::from(count_of(model, component)));
    put("faces", component.faces.iter().map(|one| value(model, wording, one)).collect());
    put("id", Value::from(&*component.id));
    put("kind", Value::from(&*model.kind_of(id).id));
    put("kind_name", Value::from(wording.kind_name(component.kind)));
    put("language", Value::from(language));
    put("name", Value::from(wording.component(id)));
    put("seat", owner.map_or(Value::from(()), |seat| Value::from(seat.number())));
    put("seat_name", owner.map_or(Value::from(()), |seat| Value::from(wording.seat(seat))));
    for (field, one) in &component.fields {
        put(&model.fields[field.index()], value(model, wording, one));
    }
    all
}

/// Returns the variables for the template of a back.
pub(super) fn back_variables(
    model: &Model,
    wording: &Wording,
    language: &str,
    kind: KindId,
) -> BTreeMap<String, Value> {
    let declared_kind = &model.kinds[kind.index()];
    let all = [
        ("back", Value::from(wording.named_word(&declared_kind.back))),
        ("kind", Value::from(&*declared_kind.id)),
        ("kind_name", Value::from(wording.kind_name(kind))),
        ("language", Value::from(language)),
    ];
    all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Returns the attributes that values of a field type have in templates. Returns `None` for types whose attributes are not checked.
pub(super) fn attributes_of<'m>(model: &'m Model, of: &'m FieldType) -> Option<Vec<&'m str>> {
    match of {
        FieldType::Component(Some(kind)) => {
            let fields = model.kinds[kind.index()].fields.keys().map(|field| &*model.fields[field.index()]);
            Some(GENERAL_ATTRIBUTES.into_iter().chain(fields).collect())
        }
        FieldType::Record(parts) => Some(parts.keys().map(|part| &**part).collect()),
        _ => None,
    }
}

/// Returns the number of copies of a component, over all seats.
pub(super) fn count_of(model: &Model, component: &Component) -> u32 {
    u32::from(component.count) * if component.each_seat { u32::from(model.seats) } else { 1 }
}
