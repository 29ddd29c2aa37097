//! Reads zones: what may lie in them, who sees them, and their layout on the table.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::budget::{ENTRY, size_of_value};
use crate::loader::document::node::Node;
use crate::loader::keys::key::{Key, NameList};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::{too_many, unknown, word_twice, wrong_type};
use crate::loader::name::Scope;
use crate::loader::section::declared::{NewSpace, Start};
use crate::loader::section::draft::{Draft, text_of_id};
use crate::loader::section::zone_shape::{
    ACCEPTS, COPIES, FACE, FIRST_SEAT, IN_FORCE, LOOKS, MAX_SPACES, NAME, OVER, PER, QUIET, REFILL, SEEN_BY, SHOWN,
    SHOWS, STARTS_WITH, ZONE, ZoneShape,
};
use crate::model::{
    BOX, Content, FaceDownVisibility, Family, FamilyId, GridLook, Label, Per, Seat, Shape, Space, Text, Zone, ZoneId,
};
use crate::phrases::Phrases;
use indexmap::IndexMap;
use std::sync::Arc;

/// Maximum number of zones on the table.
const MAX_ZONES: usize = 8192;

impl Draft<'_> {
    /// Reads the section `zones` and creates the zones on the table.
    pub(in crate::loader) fn read_zones(&mut self) {
        self.read_zone_names();
        let names: Vec<Arc<str>> = self.declared.keys().cloned().collect();
        for (at, name) in names.iter().enumerate() {
            let (family, ground) = self.family(FamilyId::at(at), name);
            self.declare_names(FamilyId::at(at), &family, &ground);
            self.declared[at].spaces = ground.spaces;
            self.declared[at].spaces_of = ground.spaces_of;
            self.families.push(family);
        }
        // All families are needed here, because any grid may accept pieces with cells.
        self.determine_cell_shape();
        for at in 0..self.families.len() {
            if !self.lay_out(FamilyId::at(at)) {
                break;
            }
        }
    }

    fn family(&mut self, id: FamilyId, name: &Arc<str>) -> (Family, ZoneShape) {
        let Some(entry) = self.declared[id.index()].entry else { return (the_box(), ZoneShape::single(Shape::Bag)) };
        let ground = self.ground(name, &mut Vec::new());
        let plain = Family { id: name.clone(), name: text_of_id(name), ..the_box() };
        let Some(fields) = Fields::from_entry(self.report, name, entry, &ZONE) else { return (plain, ground) };
        let per = fields.get(&PER).map(|node| self.per(node)).unwrap_or_default();
        let seen_by = self.seen_by(&fields, ground.shape, &per);
        let face_up = fields.read(&FACE);
        let starts_with = self.contents(&fields, &STARTS_WITH);
        let accepts = self.contents(&fields, &ACCEPTS);
        self.check_accepted(&starts_with, &accepts);
        let family = Family {
            name: fields.text_or_id(&NAME, name),
            shape: ground.shape,
            copies: self.copies(name, &mut Vec::new()),
            face_up: face_up.unwrap_or_else(|| arrives_face_up(ground.shape, seen_by)),
            seen_by,
            shows_top: fields.read(&SHOWS).unwrap_or(false),
            in_force: fields.read(&IN_FORCE).unwrap_or(false),
            is_quiet: fields.read(&QUIET).unwrap_or(false),
            is_shown: fields.read(&SHOWN).unwrap_or(true),
            starts_with: starts_with.iter().map(|(content, _)| *content).collect(),
            accepts: accepts.iter().map(|(content, _)| *content).collect(),
            refill: self.refill(&fields, ground.shape),
            over: fields.read(&OVER).and_then(|(over, _)| self.family_id(over)),
            columns: ground.columns,
            rows: ground.rows,
            look: fields.read(&LOOKS).unwrap_or_default(),
            first_seat: fields.read(&FIRST_SEAT),
            printed: ground.fields.iter().map(|(name, (field_type, _))| (name.clone(), field_type.clone())).collect(),
            reads: ground.reads.clone(),
            per,
            ..plain
        };
        let starts = starts_with.into_iter().map(|(content, place)| Start { family: id, content, place });
        self.starts.extend(starts);
        (family, ground)
    }

    /// Determines whether the cells of pieces are squares or hexagons, from the grids that accept pieces with cells. Reports grids that
    /// disagree.
    fn determine_cell_shape(&mut self) {
        let takes = |family: &Family| {
            let has_cells = |component: &crate::model::Component| !component.cells.is_empty();
            let is_taken = |content: &Content| match content {
                Content::Kind(kind) => {
                    self.kinds[kind.index()].components.iter().any(|id| has_cells(&self.components[id.index()]))
                }
                Content::Component(component) => has_cells(&self.components[component.index()]),
            };
            family.accepts.is_empty() && self.components.iter().any(has_cells) || family.accepts.iter().any(is_taken)
        };
        let of_cells = |at: &usize| self.families[*at].shape.is_grid() && takes(&self.families[*at]);
        let grounds: Vec<usize> = (0..self.families.len()).filter(of_cells).collect();
        let Some(first) = grounds.first() else { return };
        let tessellation = self.families[*first].shape.tessellation();
        if let Some(other) = grounds.iter().find(|at| self.families[**at].shape.tessellation() != tessellation) {
            let [first, other] = [*first, *other].map(|at| (&*self.families[at].id, &self.declared[at].place));
            self.mistake(mixed_cells(first, other));
        }
        self.cells.tessellation = tessellation;
    }

    fn per(&self, node: &Node) -> Vec<Per> {
        let list = node.list().unwrap_or(std::slice::from_ref(node));
        let mut axes = Vec::new();
        for node in list {
            let Some(word) = node.text() else {
                self.mistake(wrong_type(PER.name, "`seat`, a kind, or a list of these", node));
                continue;
            };
            let found = if &**word == "seat" { Some(Per::Seat) } else { self.kind_id(word).map(Per::Kind) };
            match found {
                None => self.mistake(self.unknown_kind(word, &node.place, &["seat"])),
                Some(per) if axes.contains(&per) => self.mistake(word_twice(PER.name, word, &node.place)),
                Some(per) => axes.push(per),
            }
        }
        axes
    }

    fn seen_by(&self, fields: &Fields<'_>, shape: Shape, per: &[Per]) -> FaceDownVisibility {
        // An unknown word in `per` may be a misspelled `seat`.
        let has_owner = per.contains(&Per::Seat) || per.is_empty() && fields.get(&PER).is_some();
        let has_team = per.iter().any(|per| self.is_team_axis(*per));
        let by_shape = match (shape, has_owner, has_team) {
            (Shape::Hand, true, _) => FaceDownVisibility::Owner,
            (Shape::Hand, false, true) => FaceDownVisibility::Team,
            (Shape::Hand, false, false) => FaceDownVisibility::Everybody,
            _ => FaceDownVisibility::Nobody,
        };
        let Some(seen) = fields.read(&SEEN_BY) else { return by_shape };
        if let Some(node) = fields.get(&SEEN_BY).filter(|_| seen == FaceDownVisibility::Owner && !has_owner) {
            self.mistake(no_owner(fields.name, has_team, &node.place));
        }
        let is_team = seen == FaceDownVisibility::Team && !self.has_bad_teams();
        if let Some(node) = fields.get(&SEEN_BY).filter(|_| is_team) {
            if self.teams.is_empty() {
                self.mistake(no_teams(fields.name, &node.place));
            } else if !(has_owner || has_team) {
                self.mistake(no_team_owns(fields.name, &node.place));
            }
        }
        seen
    }

    fn contents(&self, fields: &Fields<'_>, key: &Key<NameList>) -> Vec<(Content, Place)> {
        let mut contents: Vec<(Content, Place)> = Vec::new();
        let words = fields.read(key).unwrap_or_default();
        for (word, place) in words.into_iter().take_while(|_| !self.report.is_full()) {
            let kind = self.kind_id(word).map(Content::Kind);
            match kind.or_else(|| self.component_id(word).map(Content::Component)) {
                None => {
                    let known = self.known_kinds().chain(self.known_components(None));
                    self.mistake(unknown("unknown-component", "kind or component", word, place, known));
                }
                Some(content) if contents.iter().any(|(known, _)| *known == content) => {
                    self.mistake(word_twice(key.name, word, place));
                }
                Some(content) => contents.push((content, place.clone())),
            }
        }
        contents
    }

    fn check_accepted(&self, starts_with: &[(Content, Place)], accepts: &[(Content, Place)]) {
        if accepts.is_empty() {
            return;
        }
        for (content, place) in starts_with {
            let kind = match content {
                Content::Kind(kind) => *kind,
                Content::Component(component) => self.components[component.index()].kind,
            };
            if !accepts.iter().any(|(accepted, _)| accepted == content || *accepted == Content::Kind(kind)) {
                self.mistake(not_accepted(self.content_name(*content), place, &accepts[0].1));
            }
        }
    }

    /// Returns the name of a kind or component.
    pub(in crate::loader) fn content_name(&self, content: Content) -> &str {
        match content {
            Content::Kind(kind) => self.kind_names.get_index(kind.index()).map_or("", |(name, _)| name),
            Content::Component(component) => &self.components[component.index()].id,
        }
    }

    fn refill(&self, fields: &Fields<'_>, shape: Shape) -> Option<FamilyId> {
        let (word, place) = fields.read(&REFILL)?;
        let id = self.known_zone(word, place)?;
        let other = self.declared[id.index()].entry.and_then(|entry| entry.node.table());
        let is_alike = other.is_some_and(|table| {
            !table.contains_key(COPIES.name) && per_words(PER.value_in(table)) == per_words(fields.get(&PER))
        });
        let is_single = is_alike && self.ground(word, &mut Vec::new()).shape.is_single();
        let fits = is_single && shape.is_single() && fields.get(&COPIES).is_none() && **word != *fields.name;
        if !fits {
            self.mistake(bad_refill(fields.name, word, place));
        }
        fits.then_some(id)
    }

    fn declare_names(&mut self, id: FamilyId, family: &Family, ground: &ZoneShape) {
        let place = self.declared[id.index()].place.clone();
        match family.per.first() {
            Some(Per::Seat) => self.names.declare(Scope::Seat, &family.id, "a zone of each seat", &place, self.report),
            Some(Per::Kind(kind)) => {
                self.names.declare(Scope::Kind(*kind), &family.id, "a zone of each component", &place, self.report);
            }
            None => {}
        }
        if family.shape.is_grid() {
            for name in self.cells.fields.keys() {
                self.names.declare(Scope::Space(id), name, "a field of cells", &place, self.report);
            }
        }
        for (name, (_, place)) in &ground.fields {
            self.names.declare(Scope::Space(id), name, "a field", place, self.report);
        }
    }

    /// Creates the zones of a family. Returns `false` and reports a mistake if a limit is exceeded.
    fn lay_out(&mut self, id: FamilyId) -> bool {
        let positions = self.positions(id);
        let spaces: usize = positions.iter().map(|position| self.spaces_at(id, position).len()).sum();
        let place = self.declared[id.index()].place.clone();
        if self.zones.len() + positions.len() > MAX_ZONES {
            self.mistake(too_many("zones", self.zones.len() + positions.len(), MAX_ZONES, Some(&place)));
            return false;
        }
        if self.spaces.len() + spaces > MAX_SPACES {
            self.mistake(too_many("spaces", self.spaces.len() + spaces, MAX_SPACES, Some(&place)));
            return false;
        }
        let size = |position: &Position| -> usize {
            let fields = self.spaces_at(id, position).iter().flat_map(|space| space.fields.values());
            fields.map(|value| ENTRY + size_of_value(value)).sum()
        };
        if !positions.iter().all(|position| self.charge(size(position), &place)) {
            return false;
        }
        let first = self.zones.len() as u16;
        for position in positions {
            self.add_zone(id, position);
        }
        self.families[id.index()].zones = first..self.zones.len() as u16;
        true
    }

    /// Returns the spaces of one zone of a family.
    fn spaces_at(&self, family: FamilyId, position: &Position) -> &[NewSpace] {
        let declared = &self.declared[family.index()];
        let own = position.component.and_then(|component| declared.spaces_of.get(&component));
        own.unwrap_or(&declared.spaces)
    }

    fn add_zone(&mut self, family: FamilyId, position: Position) {
        let first = self.spaces.len() as u16;
        let zone = ZoneId::at(self.zones.len());
        let new = self.spaces_at(family, &position);
        let spaces: Vec<Space> =
            new.iter().map(|space| Space { zone, label: space.label.clone(), fields: space.fields.clone() }).collect();
        self.spaces.extend(spaces);
        self.zones.push(Zone {
            family,
            seat: position.seat,
            of: position.component,
            others: position.others,
            copy: position.copy,
            spaces: first..self.spaces.len() as u16,
            path: position.path.into(),
        });
    }

    /// Returns the positions of all zones of a family. The last axis varies fastest.
    fn positions(&self, id: FamilyId) -> Vec<Position> {
        let family = &self.families[id.index()];
        let seats: Vec<Seat> = (0..self.seats).map(Seat).collect();
        let mut found =
            vec![Position { path: family.id.to_string(), seat: None, component: None, others: Vec::new(), copy: None }];
        for per in &family.per {
            found = match per {
                Per::Seat => along_axis(&found, &seats, |position, seat| position.seat = Some(*seat)),
                Per::Kind(kind) => along_axis(&found, &self.kinds[kind.index()].components, |position, component| {
                    position.push_label(&self.components[component.index()].id);
                    match position.component {
                        None => position.component = Some(*component),
                        Some(_) => position.others.push(*component),
                    }
                }),
            };
        }
        if let Some(copies) = &family.copies {
            let labels: Vec<(usize, &Label)> = copies.iter().enumerate().collect();
            found = along_axis(&found, &labels, |position, (copy, label)| {
                position.push_label(&label.to_string());
                position.copy = Some(*copy as u16);
            });
        }
        found
    }
}

/// Position of a zone within its family, along the axes of `per` and `copies`.
#[derive(Debug, Clone)]
struct Position {
    path: String,
    seat: Option<Seat>,
    component: Option<crate::model::ComponentId>,
    others: Vec<crate::model::ComponentId>,
    copy: Option<u16>,
}

impl Position {
    fn push_label(&mut self, label: &str) {
        self.path.push('[');
        // Longer names are invalid and reported elsewhere. Cutting them off limits the memory for paths.
        self.path.extend(label.chars().take(100));
        self.path.push(']');
    }
}

/// Returns every position combined with every step along one more axis.
fn along_axis<T>(found: &[Position], steps: &[T], extend: impl Fn(&mut Position, &T)) -> Vec<Position> {
    let all = found.iter().flat_map(|position| steps.iter().map(|step| (position.clone(), step)));
    // One position more than the limit shows that there are too many.
    let taken = all.take(MAX_ZONES + 1).map(|(mut position, step)| {
        extend(&mut position, step);
        position
    });
    taken.collect()
}

/// Returns whether pieces arrive in a zone face up by default.
fn arrives_face_up(shape: Shape, seen_by: FaceDownVisibility) -> bool {
    match shape {
        Shape::Bag => false,
        Shape::Hand => seen_by == FaceDownVisibility::Everybody,
        _ => true,
    }
}

fn the_box() -> Family {
    Family {
        id: BOX.into(),
        name: Text::in_every_language(|language| Phrases::for_language(language).names.the_box),
        shape: Shape::Bag,
        per: Vec::new(),
        copies: None,
        face_up: false,
        seen_by: FaceDownVisibility::Nobody,
        shows_top: false,
        in_force: false,
        is_quiet: false,
        is_shown: true,
        starts_with: Vec::new(),
        accepts: Vec::new(),
        refill: None,
        over: None,
        columns: 1,
        rows: 1,
        look: GridLook::Squares,
        first_seat: None,
        printed: IndexMap::new(),
        reads: None,
        zones: 0..0,
    }
}

fn no_owner(name: &str, has_team: bool, place: &Place) -> Diagnostic {
    Diagnostic::error("no-owner", format!("`{name}` belongs to no seat, so it has no owner who could see it"))
        .mark(place.clone(), "whose?")
        .help(if has_team {
            "write `seen_by = \"team\"`"
        } else {
            "add `per = \"seat\"`, or write `everybody` or `nobody`"
        })
}

/// Creates the diagnostic for `seen_by = "team"` in a game without teams.
pub(in crate::loader) fn no_teams(name: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("no-owner", format!("`{name}` is visible to a team, but the game has no teams"))
        .mark(place.clone(), "which team?")
        .help("declare teams as `[teams.red]` with `seats = [1, 3]`, or write `owner`")
}

fn no_team_owns(name: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("no-owner", format!("`{name}` belongs to no team or seat, so no team could see it"))
        .mark(place.clone(), "which team?")
        .help("add `per = \"team\"` or `per = \"seat\"`, or write `everybody` or `nobody`")
}

fn not_accepted(name: &str, place: &Place, accepts: &Place) -> Diagnostic {
    Diagnostic::error("not-accepted", format!("the zone starts with `{name}`, which it does not accept"))
        .mark(place.clone(), "put here at the start")
        .mark(accepts.clone(), "what is accepted")
}

fn bad_refill(name: &str, other: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("bad-refill", format!("`{name}` cannot be refilled from `{other}`"))
        .mark(place.clone(), "both must be a single pile, hand or bag, with the same `per`")
}

fn mixed_cells((first, at_first): (&str, &Place), (other, at_other): (&str, &Place)) -> Diagnostic {
    let message =
        format!("pieces with cells may lie on `{first}` and on `{other}`, whose spaces have different shapes");
    Diagnostic::error("mixed-cells", message)
        .mark(at_other.clone(), "a different shape")
        .mark(at_first.clone(), "rotations and neighbors of cells differ here")
        .help("use `accepts` so that pieces with cells only lie on squares, or on hexagons of the same orientation")
}

/// Returns the words in `per`, with `None` for each entry that is not a string.
fn per_words(per: Option<&Node>) -> Vec<Option<&Arc<str>>> {
    per.map_or_else(Vec::new, |node| node.list().unwrap_or(std::slice::from_ref(node)).iter().map(Node::text).collect())
}
