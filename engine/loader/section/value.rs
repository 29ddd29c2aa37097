//! Reads values: state that changes during play.

use crate::diagnostic::{Diagnostic, Place, UnknownField};
use crate::loader::document::node::{Data, KeyedNode, Node, entries_without_provenance, is_by_players};
use crate::loader::document::tree::MAX_ENTRIES;
use crate::loader::keys::form::{Form, KeySpec, NameSet, TableSpec};
use crate::loader::keys::key::{
    self, Amount, DisplayText, Flag, Function, Key, NameList, OneOf, ReadValue, Word, Words, declare_table,
};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::{inverted_range, misplaced_key, too_many, unknown, unknown_or_name, wrong_type};
use crate::loader::name::{Scope, check_script_name};
use crate::loader::section::draft::{Draft, text_of_id};
use crate::loader::section::zone::no_teams;
use crate::model::{
    Derived, FaceDownVisibility, FamilyId, KindId, NamedFunction, OnPaper, Owner, Party, Per, ResetPeriod, Setting,
    Value, ValueType,
};
use std::sync::Arc;

/// Maximum number of slots of all values together.
const MAX_SLOTS: usize = 1 << 18;

/// Words for the types of values. The names of kinds and zones are types as well.
static VALUE_TYPES: [(&str, Option<ValueType>); 7] = [
    ("number", Some(ValueType::Number)),
    ("flag", Some(ValueType::Flag)),
    // The words are listed in the key `words`.
    ("word", None),
    ("seat", Some(ValueType::Seat)),
    ("component", Some(ValueType::Component(None))),
    ("space", Some(ValueType::Space(None))),
    ("piece", Some(ValueType::Piece)),
];

/// Words for the ways to record values on paper. The names of kinds are allowed as well.
const ON_PAPER: [(&str, OnPaper); 4] = [
    ("money", OnPaper::Money(None)),
    ("track", OnPaper::Track),
    ("written", OnPaper::Written),
    ("nothing", OnPaper::Nothing),
];

/// Form of the type of a value, or of a list's entries.
const ONE_TYPE: Form = Form::WordOrName(&VALUE_TYPES, &[NameSet::Kinds, NameSet::Zones]);

/// Maximum length of a list.
const MAX_LIST_LENGTH: i64 = 1_000;

/// Owners of values, with descriptions. The game's kinds can be owners as well.
pub(in crate::loader) const OWNERS: [(&str, &str); 4] = [
    ("game", "values of the game"),
    ("seat", "values of each seat"),
    ("piece", "values of pieces"),
    ("space", "values of spaces"),
];

/// Form of the values of one owner.
pub(in crate::loader) const VALUES: Form =
    Form::NamedForScripts(&Form::AnyOf(&[Form::Flag, Form::Amount, Form::Table(&VALUE)]));

declare_table! {
    pub(in crate::loader) const VALUE: TableSpec = TableSpec::new("a value", "values")
        .also(&[("default", &START.spec), ("value", &START.spec), ("values", &WORDS.spec),
            ("visible", &SEEN_BY.spec), ("zone", &IN.spec)]);

    const NAME: Key<DisplayText> = Key::text("name", "display name");
    const START: Key = Key::new(
        "start", "starting value; a space of a grid as column and row",
        Form::AnyOf(&[Form::Flag, Form::Amount, Form::Word, Form::Pair(&Form::Amount)]));
    const MIN: Key<Amount> = Key::amount("min", "minimum");
    const MAX: Key<Amount> = Key::amount("max", "maximum");
    const STOPS: Key<Flag> = Key::flag("stops", "whether it stops at its bounds instead of failing");
    const TYPE: Key = Key::new(
        "type", "type, unless `start` determines it: a kind for a component, a zone for a space; in brackets for a list",
        Form::AnyOf(&[ONE_TYPE, Form::Some(&ONE_TYPE)]));
    const MOST: Key<Amount> = Key::amount("most", "maximum number of entries of a list: 1 to 1,000");
    const PER: Key<Word> = Key::word(
        "per", "owners of the entries of a table: `seat`, or a kind", Form::WordOrName(&["seat"], &[NameSet::Kinds]));
    const WORDS: Key<Words> = Key::words("words", "possible words");
    const LASTS: Key<OneOf<ResetPeriod>> = Key::one_of(
        "lasts", "when it is reset to its starting value",
        &[("turn", ResetPeriod::Turn), ("phase", ResetPeriod::Phase), ("round", ResetPeriod::Round)]);
    const ON: Key<NameList> = Key::list(
        "on", "zones in which pieces have the value", &Form::Name(NameSet::Zones), "zones");
    const OF: Key<Word> = Key::word("of", "kind whose pieces have the value", Form::Name(NameSet::Kinds));
    const IN: Key<Word> = Key::word("in", "zone whose spaces have the value", Form::Name(NameSet::Zones));
    const SEEN_BY: Key<OneOf<FaceDownVisibility>> = Key::one_of(
        "seen_by", "who can see it", &FaceDownVisibility::WORDS);
    const QUIET: Key<Flag> = Key::flag("quiet", "whether its changes are omitted from the log");
    const SHOWN: Key<Flag> = key::SHOWN;
    const PAPER: Key<Word> = Key::word(
        "paper",
        "how printed games keep the value: with money, with a marker on a track, written down, or not at all; or a kind of component as money",
        Form::WordOrName(&ON_PAPER, &[NameSet::Kinds]));
    const READS: Key<Word> = Key::word("reads", "field of the spaces that is displayed instead of the label", Form::Word);
    const DERIVED: Key<Function> = Key::function(
        "derived", "function that computes it whenever the table is displayed; it cannot be set");
}

impl Draft<'_> {
    /// Reads the section `values`. `pieces` is the number of pieces in the game. Returns the stored values, the derived values, and the
    /// number of slots of the stored ones.
    pub(in crate::loader) fn read_values(&mut self, pieces: usize) -> (Vec<Value>, Vec<Derived>, usize) {
        let (mut values, mut derived): (Vec<Value>, Vec<Derived>) = (Vec::new(), Vec::new());
        let mut slots = 0;
        for (owner, entry) in self.section("values") {
            let Some(table) = entry.node.table() else {
                self.mistake(wrong_type(owner, "a table of values", &entry.node));
                continue;
            };
            if !self.is_owner(owner, &entry.key) {
                continue;
            }
            for (name, entry) in entries_without_provenance(table) {
                if values.len() + derived.len() == MAX_ENTRIES {
                    self.mistake(too_many("values", MAX_ENTRIES + 1, MAX_ENTRIES, Some(&entry.key)));
                    return (values, derived, slots);
                }
                check_script_name(name, "a value", &entry.key, self.report);
                if entry.node.table().is_some_and(|table| table.contains_key(DERIVED.name)) {
                    if let Some(found) = self.derived(owner, name, entry) {
                        self.declare_value_name(&found.id, found.owner, &entry.key);
                        derived.push(found);
                    }
                    continue;
                }
                let Some(value) = self.value(owner, name, entry) else { continue };
                self.declare_value_name(&value.id, value.owner, &entry.key);
                let value = Value { slot: slots, slots: self.holders(value.owner, pieces) * value.width, ..value };
                slots += value.slots;
                values.push(value);
            }
        }
        if slots > MAX_SLOTS {
            self.mistake(too_many("values", slots, MAX_SLOTS, None));
        }
        (values, derived, slots)
    }

    fn is_owner(&self, word: &str, place: &Place) -> bool {
        let is_known = OWNERS.iter().any(|(owner, _)| *owner == word) || self.kind_id(word).is_some();
        if !is_known {
            self.mistake(self.unknown_kind(word, place, &OWNERS));
        }
        is_known
    }

    fn value(&self, owner: &str, name: &Arc<str>, entry: &KeyedNode) -> Option<Value> {
        let plain = Value {
            id: name.clone(),
            name: text_of_id(name),
            owner: self.simple_owner(owner),
            kind: ValueType::Number,
            most: None,
            start: 0,
            min: None,
            max: None,
            stops: false,
            lasts: ResetPeriod::Game,
            on: Vec::new(),
            seen_by: FaceDownVisibility::Everybody,
            is_quiet: false,
            is_shown: true,
            on_paper: None,
            reads: None,
            slot: 0,
            slots: 0,
            width: 1,
        };
        if entry.node.table().is_none_or(is_by_players) {
            return self.plain_value(plain, owner, entry);
        }
        let fields = Fields::from_entry(self.report, name, entry, &VALUE)?;
        let listed = fields.get(&TYPE).and_then(Node::list);
        let kind = self.value_type(&fields, listed)?;
        let (min, max) = self.value_bounds(&fields, &kind);
        let start = if listed.is_some() {
            fields.refuse(&[&START], "a list starts empty");
            0
        } else {
            self.initial(&fields, &kind, min, max)
        };
        let most = self.max_entries(&fields, listed.is_some());
        if listed.is_some() && most.is_none() {
            return None;
        }
        let owned_by = self.owner(owner, &fields)?;
        let owned_by = self.pair_owner(owner, owned_by, &fields)?;
        if owner == "piece" && (most.is_some() || kind == ValueType::Piece) {
            self.mistake(unsupported_piece_value(name, &entry.key));
            return None;
        }
        Some(Value {
            name: fields.text_or_id(&NAME, name),
            owner: owned_by,
            start,
            min,
            max,
            stops: fields.read(&STOPS).unwrap_or(false),
            lasts: fields.read(&LASTS).unwrap_or(ResetPeriod::Game),
            on: self.piece_zones(&fields, owner),
            seen_by: self.value_seen_by(&fields, owned_by),
            is_quiet: fields.read(&QUIET).unwrap_or(false),
            is_shown: fields.read(&SHOWN).unwrap_or(true),
            on_paper: self.on_paper(&fields, &kind),
            reads: self.reads(&fields, &kind),
            kind,
            most,
            width: most.map_or(1, |most| usize::from(most) + 1),
            ..plain
        })
    }

    /// Returns how a value is recorded on paper. Only numbers can be recorded with money or on tracks.
    fn on_paper(&self, fields: &Fields<'_>, kind: &ValueType) -> Option<OnPaper> {
        let (word, place) = fields.read(&PAPER)?;
        let known = ON_PAPER.iter().find(|(known, _)| *known == &**word).map(|(_, on_paper)| *on_paper);
        let Some(found) = known.or_else(|| self.kind_id(word).map(|kind| OnPaper::Money(Some(kind)))) else {
            self.mistake(self.unknown_kind(word, place, &ON_PAPER));
            return None;
        };
        if matches!(found, OnPaper::Money(_) | OnPaper::Track) && *kind != ValueType::Number {
            fields.refuse(&[&PAPER], "only numbers are kept with money or on a track");
            return None;
        }
        Some(found)
    }

    /// Reads a value that a function of the rules computes.
    fn derived(&self, owner: &str, name: &Arc<str>, entry: &KeyedNode) -> Option<Derived> {
        let fields = Fields::from_entry(self.report, name, entry, &VALUE)?;
        let allowed = [NAME.name, DERIVED.name, OF.name, ON.name];
        let keys: Vec<&KeySpec> = VALUE.keys.iter().filter(|key| !allowed.contains(&key.name)).collect();
        fields.refuse(&keys, "a derived value is the number that its function returns");
        if owner == "space" {
            fields.refuse(&[&DERIVED], "spaces have no derived values");
            return None;
        }
        let owned_by = self.owner(owner, &fields)?;
        let (function, place) = fields.read(&DERIVED)?;
        Some(Derived {
            id: name.clone(),
            name: fields.text_or_id(&NAME, name),
            owner: owned_by,
            on: self.piece_zones(&fields, owner),
            named: NamedFunction {
                field: format!("values.{owner}.{name}.derived").into(),
                function: function.clone(),
                place: place.clone(),
            },
        })
    }

    /// Reads a value whose declaration consists only of its initial state.
    fn plain_value(&self, plain: Value, owner: &str, entry: &KeyedNode) -> Option<Value> {
        if owner == "space" {
            self.mistake(missing_zone(&plain.id, &entry.key));
            return None;
        }
        match entry.node.data {
            Data::Flag(flag) => Some(Value { kind: ValueType::Flag, start: i64::from(flag), ..plain }),
            _ => Some(Value { start: self.amount(&plain.id, &entry.node)?, ..plain }),
        }
    }

    fn simple_owner(&self, word: &str) -> Owner {
        match word {
            "seat" => Owner::Seat,
            "piece" => Owner::Piece(None),
            _ => self.kind_id(word).map_or(Owner::Game, Owner::Component),
        }
    }

    /// Returns who sees a value. Reports `owner` and `team` for values that belong to no seat or team: values of the game, of components,
    /// and of spaces in zones without an owner.
    fn value_seen_by(&self, fields: &Fields<'_>, owner: Owner) -> FaceDownVisibility {
        let Some(seen) = fields.read(&SEEN_BY) else {
            return FaceDownVisibility::Everybody;
        };
        let whose = match owner {
            Owner::Seat | Owner::Piece(_) => None,
            Owner::Game => Some("the game as a whole"),
            Owner::Component(_) => Some("a component"),
            Owner::Pair(one, other) => ([one, other].iter().all(|party| *party != Party::Seat)).then_some("components"),
            Owner::Space(family) => {
                (!self.families[family.index()].per.contains(&Per::Seat)).then_some("spaces that belong to no seat")
            }
        };
        let Some(node) = fields.get(&SEEN_BY) else { return seen };
        let is_team_axis = match owner {
            Owner::Component(kind) | Owner::Pair(Party::Component(kind), _) => self.is_team_axis(Per::Kind(kind)),
            Owner::Space(family) => self.families[family.index()].per.iter().any(|per| self.is_team_axis(*per)),
            _ => false,
        };
        match (seen, whose) {
            (FaceDownVisibility::Team, _) if self.has_bad_teams() => {}
            (FaceDownVisibility::Team, _) if self.teams.is_empty() => self.mistake(no_teams(fields.name, &node.place)),
            (FaceDownVisibility::Team, Some(_)) if is_team_axis => {}
            (FaceDownVisibility::Owner | FaceDownVisibility::Team, Some(whose)) => {
                self.mistake(no_owner(fields.name, whose, is_team_axis, &node.place));
            }
            _ => {}
        }
        seen
    }

    /// Returns the owner of a value. If the declaration has a key `per`, the value is a table with an entry for each pair of owners.
    fn pair_owner(&self, word: &str, owner: Owner, fields: &Fields<'_>) -> Option<Owner> {
        if fields.get(&PER).is_none() {
            return Some(owner);
        }
        let one = match owner {
            Owner::Seat => Party::Seat,
            Owner::Component(kind) => Party::Component(kind),
            _ => {
                let why =
                    format!("`{word}` cannot have a table: tables have entries for seats or components of a kind");
                fields.refuse(&[&PER], &why);
                return None;
            }
        };
        let (per, place) = fields.read(&PER)?;
        let other = if &**per == "seat" {
            Party::Seat
        } else if let Some(kind) = self.kind_id(per) {
            Party::Component(kind)
        } else {
            self.mistake(self.unknown_kind(per, place, &["seat"]));
            return None;
        };
        Some(Owner::Pair(one, other))
    }

    /// Returns the maximum length of a list. Returns `None` and reports a mistake if the length is missing or out of range. For other
    /// types, returns `None` and reports `most` if it is present.
    fn max_entries(&self, fields: &Fields<'_>, is_list: bool) -> Option<u16> {
        if !is_list {
            fields.refuse(&[&MOST], "only lists have entries: write the type in brackets, `type = [\"number\"]`");
            return None;
        }
        let node = fields.require(&MOST)?;
        let most = self.read_amount(fields, &MOST)?;
        if !(1..=MAX_LIST_LENGTH).contains(&most) {
            self.mistake(
                Diagnostic::error(
                    "out-of-range",
                    format!("a list has 1 to {MAX_LIST_LENGTH} entries at most, not {most}"),
                )
                .mark(node.place.clone(), "too few or too many"),
            );
            return None;
        }
        Some(most as u16)
    }

    fn owner(&self, word: &str, fields: &Fields<'_>) -> Option<Owner> {
        if word != "piece" {
            fields.refuse(&[&OF, &ON], "only a value of pieces has `of` or `on`");
        }
        if word != "space" {
            fields.refuse(&[&IN], "only a value of spaces has `in`");
            let kind = if word == "piece" { fields.read(&OF) } else { None };
            return match kind {
                None => Some(self.simple_owner(word)),
                Some((kind, place)) => self.known_kind(kind, place).map(|kind| Owner::Piece(Some(kind))),
            };
        }
        if fields.get(&IN).is_none() {
            self.mistake(missing_zone(fields.name, fields.place));
            return None;
        }
        let (zone, place) = fields.read(&IN)?;
        self.known_zone(zone, place).map(Owner::Space)
    }

    fn known_kind(&self, word: &str, place: &Place) -> Option<KindId> {
        let found = self.kind_id(word);
        if found.is_none() {
            self.mistake(unknown("unknown-kind", "kind", word, place, self.known_kinds()));
        }
        found
    }

    /// Returns the id of the zone called `word`. Reports an unknown zone.
    pub(in crate::loader) fn known_zone(&self, word: &str, place: &Place) -> Option<FamilyId> {
        let found = self.family_id(word);
        if found.is_none() {
            self.mistake(self.unknown_zone(word, place));
        }
        found
    }

    fn value_type(&self, fields: &Fields<'_>, listed: Option<&[Node]>) -> Option<ValueType> {
        let typed = fields.get(&TYPE);
        let one = match listed {
            None => typed,
            Some([one]) => Some(one),
            Some(_) => {
                self.mistake(wrong_type(TYPE.name, "a list with one type, that of its entries", typed?));
                return None;
            }
        };
        if fields.get(&WORDS).is_some() {
            if one.is_some_and(|node| node.text().is_none_or(|word| &**word != "word")) {
                fields.refuse(&[&TYPE], "a value with `words` is one of these words");
            }
            return fields.read(&WORDS).map(ValueType::Word);
        }
        if let Some(one) = one {
            return self.named_type(fields, one);
        }
        let Some(start) = fields.get(&START) else {
            self.mistake(no_type(fields.name, fields.place));
            return None;
        };
        match &start.data {
            Data::Flag(_) => Some(ValueType::Flag),
            Data::Text(word) if self.is_number_option(word) => Some(ValueType::Number),
            Data::Text(word) if !self.params.contains_key(word) => {
                self.mistake(match word.parse::<i64>() {
                    Ok(number) => quoted_start(number, &start.place),
                    Err(_) => with_type_help(self.unknown_param(word, &start.place)),
                });
                None
            }
            Data::Text(word) if matches!(self.params[word].value, Setting::Flag(_)) => Some(ValueType::Flag),
            _ => Some(ValueType::Number),
        }
    }

    /// Returns whether a word is the name of a number option.
    fn is_number_option(&self, word: &str) -> bool {
        self.options.get(word).is_some_and(|option| matches!(option.value, Setting::Number(_)))
    }

    fn named_type(&self, fields: &Fields<'_>, node: &Node) -> Option<ValueType> {
        let (word, place) = Word.read(TYPE.name, node, self.report)?;
        if let Some((_, plain)) = VALUE_TYPES.iter().find(|(known, _)| *known == &**word) {
            if plain.is_none() {
                fields.require(&WORDS);
            }
            return plain.clone();
        }
        let zone = || self.family_id(word).map(|zone| ValueType::Space(Some(zone)));
        self.kind_id(word).map(|kind| ValueType::Component(Some(kind))).or_else(zone).or_else(|| {
            let names = self.known_kinds().chain(self.known_zones());
            self.mistake(unknown_or_name("unknown-type", "type", word, place, &VALUE_TYPES, names, "a kind or zone"));
            None
        })
    }

    fn value_bounds(&self, fields: &Fields<'_>, kind: &ValueType) -> (Option<i64>, Option<i64>) {
        if *kind != ValueType::Number {
            fields.refuse(&[&MIN, &MAX, &STOPS], "only a number has bounds");
            return (None, None);
        }
        let (min, max) = (self.read_amount(fields, &MIN), self.read_amount(fields, &MAX));
        if let (Some(low), Some(high), Some(node)) = (min, max, fields.get(&MIN))
            && low > high
        {
            self.mistake(inverted_range(low, high, &node.place));
            return (None, None);
        }
        if let (None, None, Some(entry)) = (fields.get(&MIN), fields.get(&MAX), fields.entry(&STOPS)) {
            self.mistake(misplaced_key(STOPS.name, &entry.key, "`stops` needs `min` or `max`"));
        }
        (min, max)
    }

    /// Returns the field that is displayed instead of a space's label, for a value whose type is a space of a zone. Reports an unknown
    /// field. Also reports the key `reads` for values of other types.
    fn reads(&self, fields: &Fields<'_>, kind: &ValueType) -> Option<Arc<str>> {
        let ValueType::Space(Some(family)) = kind else {
            fields.refuse(&[&READS], "`reads` is only for values whose type is a space of a zone");
            return None;
        };
        let (word, place) = fields.read(&READS)?;
        let spaces = self.families[family.index()].zones.clone().flat_map(|zone| {
            let spaces = self.zones[usize::from(zone)].spaces.clone();
            spaces.map(|space| &self.spaces[usize::from(space)])
        });
        let known: Vec<&str> = spaces.flat_map(|space| space.fields.keys().map(|name| &**name)).collect();
        if !known.contains(&&**word) {
            self.mistake(UnknownField::of_one("a space", word).suggest(word, known).at(place.clone()));
            return None;
        }
        Some(word.clone())
    }

    fn piece_zones(&self, fields: &Fields<'_>, owner: &str) -> Vec<FamilyId> {
        let zones = if owner == "piece" { fields.read(&ON) } else { None };
        zones.into_iter().flatten().filter_map(|(zone, place)| self.known_zone(zone, place)).collect()
    }

    fn declare_value_name(&mut self, name: &Arc<str>, owner: Owner, place: &Place) {
        let (scopes, what): (Vec<Scope>, &'static str) = match owner {
            Owner::Game => (Vec::new(), "a value"),
            Owner::Seat => (vec![Scope::Seat], "a value of seats"),
            Owner::Component(kind) => (vec![Scope::Kind(kind)], "a value of components"),
            Owner::Piece(Some(kind)) => (vec![Scope::Kind(kind)], "a value of pieces"),
            Owner::Piece(None) => {
                ((0..self.kinds.len()).map(|kind| Scope::Kind(KindId::at(kind))).collect(), "a value of pieces")
            }
            Owner::Space(zone) => (vec![Scope::Space(zone)], "a value of spaces"),
            Owner::Pair(Party::Seat, _) => (vec![Scope::Seat], "a table of seats"),
            Owner::Pair(Party::Component(kind), _) => (vec![Scope::Kind(kind)], "a table of components"),
        };
        for scope in scopes {
            self.names.declare(scope, name, what, place, self.report);
        }
    }

    /// Returns the number of holders of a value. Each holder has its own copy of the value.
    fn holders(&self, owner: Owner, pieces: usize) -> usize {
        let members = |party: Party| match party {
            Party::Seat => usize::from(self.seats),
            Party::Component(kind) => self.kinds[kind.index()].components.len(),
        };
        match owner {
            Owner::Pair(one, other) => members(one) * members(other),
            Owner::Game => 1,
            Owner::Seat => usize::from(self.seats),
            Owner::Component(kind) => self.kinds[kind.index()].components.len(),
            Owner::Piece(_) => pieces,
            Owner::Space(zone) => {
                let zones = self.families[zone.index()].zones.clone();
                zones.map(|zone| self.zones[usize::from(zone)].spaces.len()).sum()
            }
        }
    }
}

fn quoted_start(number: i64, place: &Place) -> Diagnostic {
    Diagnostic::error("wrong-type", "`start` is a number in quotes, which is a text")
        .mark(place.clone(), "not a number")
        .help(format!("write `{number}`"))
}

/// Adds a help message to a diagnostic about an unknown param in `start`, because the declaration may lack `type` or `words`.
fn with_type_help(found: Diagnostic) -> Diagnostic {
    if found.help.is_some() { found } else { found.help("add `type` or `words`") }
}

fn unsupported_piece_value(name: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("misplaced-key", "pieces have no values that are lists or pieces")
        .mark(place.clone(), format!("`{name}` is a value of pieces"))
        .help("make it a value of the game, a seat, a component or a space")
}

fn no_type(name: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("missing-key", "a value needs `start` or `type`")
        .mark(place.clone(), format!("the type of `{name}` is unknown"))
}

fn missing_zone(name: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("missing-key", "a value of spaces needs `in`, the zone they are in")
        .mark(place.clone(), format!("`{name}` has no `in`"))
}

fn no_owner(name: &str, whose: &str, is_team_axis: bool, place: &Place) -> Diagnostic {
    let message = format!("`{name}` is a value of {whose}, which has no owner who could see it");
    let help = if is_team_axis { "write `seen_by = \"team\"`" } else { "write `everybody` or `nobody`" };
    Diagnostic::error("no-owner", message).mark(place.clone(), "whose?").help(help)
}
