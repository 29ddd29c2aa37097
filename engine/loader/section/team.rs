//! Reads teams: seats that play together. Each team is also a component of the kind `team`, so everything that works for components also
//! works for teams.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::node::{KeyedNode, Node};
use crate::loader::document::tree::declared_twice;
use crate::loader::keys::form::{Form, Needs, TableSpec};
use crate::loader::keys::key::{DisplayText, Key, declare_table};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::{out_of_range, unknown_word, wrong_type};
use crate::loader::name::check_id;
use crate::loader::section::draft::Draft;
use crate::model::{Component, ComponentId, KindId, MAX_SEATS, Per, Seat, TEAM, Team};
use indexmap::IndexMap;
use std::sync::Arc;

/// Word for all seats that no other team lists.
const REST: [&str; 1] = ["rest"];

const SEAT_NUMBERS: Form = Form::AnyOf(&[Form::List(&Form::Between(1, MAX_SEATS as i64)), Form::OneOf(&REST)]);

declare_table! {
    pub(in crate::loader) const TEAM_TABLE: TableSpec = TableSpec::new("a team", "teams")
        .needs(Needs::InBaseGame(&[&SEATS.spec])).also(&[("players", &SEATS.spec), ("members", &SEATS.spec)]);

    const NAME: Key<DisplayText> = Key::text("name", "display name");
    const SEATS: Key = Key::new("seats", "numbers of its seats, or `\"rest\"`", Form::ByPlayers(&SEAT_NUMBERS));
}

/// The seats that a team declares.
enum DeclaredSeats<'a> {
    /// Listed seats with their places.
    Named(Vec<(Seat, &'a Place)>),
    /// All seats that no other team lists.
    Rest(&'a Place),
}

impl<'a> Draft<'a> {
    /// Returns the section `teams`, unless it is empty.
    pub(in crate::loader) fn teams_entry(&self) -> Option<&'a KeyedNode> {
        let tree = self.tree;
        tree.section("teams").next()?;
        tree.root.get("teams")
    }

    /// Adds the kind `team` after all other kinds.
    pub(in crate::loader) fn add_kind_of_teams(&mut self) {
        let Some(entry) = self.teams_entry() else { return };
        match self.kind_names.get(TEAM) {
            Some(place) => self.mistake(reserved_kind(place, &entry.key)),
            None => drop(self.kind_names.insert(TEAM.into(), entry.key.clone())),
        }
    }

    /// Reads the section `teams`.
    pub(in crate::loader) fn read_teams(&mut self) {
        let (Some(section), Some(kind)) = (self.teams_entry(), self.kind_id(TEAM)) else { return };
        let mut shares: Vec<(ComponentId, DeclaredSeats<'a>)> = Vec::new();
        for (name, entry) in self.section("teams") {
            check_id(name, "a team", &entry.key, self.report);
            let Some(fields) = Fields::from_entry(self.report, name, entry, &TEAM_TABLE) else { continue };
            if let Some((_, first)) = self.component_names.get(name) {
                self.mistake(declared_twice("the component", name, &entry.key, first));
                continue;
            }
            let share = fields.require(&SEATS).and_then(|node| self.declared_seats(node));
            let component = Self::team_component(name, kind, &fields);
            let id = ComponentId::at(self.components.len());
            self.component_names.insert(name.clone(), (id, entry.key.clone()));
            self.components.push(component);
            shares.extend(share.map(|share| (id, share)));
        }
        // If a team could not be read, seats without a team may belong to that team, so they are not reported.
        if shares.len() == self.section("teams").len() {
            self.teams = self.distribute_seats(&shares, &section.key);
        }
    }

    /// Returns whether an axis of zones has one zone for each team.
    pub(in crate::loader) fn is_team_axis(&self, per: Per) -> bool {
        self.teams_entry().is_some() && matches!(per, Per::Kind(kind) if self.kind_id(TEAM) == Some(kind))
    }

    /// Returns whether teams are declared but could not be read. Declarations that depend on teams cannot be checked then.
    pub(in crate::loader) fn has_bad_teams(&self) -> bool {
        self.teams.is_empty() && self.teams_entry().is_some()
    }

    fn team_component(name: &Arc<str>, kind: KindId, fields: &Fields<'_>) -> Component {
        Component {
            id: name.clone(),
            name: fields.text_or_id(&NAME, name),
            kind,
            // A team has no pieces.
            count: 0,
            each_seat: false,
            fields: IndexMap::new(),
            faces: Vec::new(),
            cells: Vec::new(),
            alters: Vec::new(),
        }
    }

    /// Reads the seats of a team for this number of players.
    fn declared_seats(&self, node: &'a Node) -> Option<DeclaredSeats<'a>> {
        let node: &'a Node = self.for_players(SEATS.name, node)?;
        if let Some(word) = node.text() {
            if **word != *REST[0] {
                self.mistake(unknown_word(SEATS.name, word, &node.place, REST));
                return None;
            }
            return Some(DeclaredSeats::Rest(&node.place));
        }
        let Some(list) = node.list() else {
            self.mistake(wrong_type(SEATS.name, "a list of numbers of seats, or `\"rest\"`", node));
            return None;
        };
        let numbers: Vec<Option<(i64, &Place)>> = list.iter().map(|node| self.number_of_seat(node)).collect();
        let numbers: Vec<(i64, &Place)> = numbers.into_iter().collect::<Option<_>>()?;
        // The same list may apply to several numbers of players, so it may contain seats that do not exist with fewer players.
        let here = numbers.into_iter().filter(|(number, _)| *number <= i64::from(self.seats));
        let named = here.map(|(number, place)| (Seat(number as u8 - 1), place)).collect();
        Some(DeclaredSeats::Named(named))
    }

    /// Returns the number of a seat, counted from 1, with its place. Reports a value that is not the number of a seat.
    pub(in crate::loader) fn number_of_seat<'n>(&self, node: &'n Node) -> Option<(i64, &'n Place)> {
        let most = i64::from(*self.players.end());
        let Some(number) = node.number() else {
            self.mistake(wrong_type(SEATS.name, "a list of numbers of seats, or `\"rest\"`", node));
            return None;
        };
        if !(1..=most).contains(&number) {
            self.mistake(out_of_range(SEATS.name, number, 1, most, &node.place));
            return None;
        }
        Some((number, &node.place))
    }

    /// Returns the teams that have seats. Reports seats in no team or in two teams, and a second team with `rest`.
    fn distribute_seats(&self, shares: &[(ComponentId, DeclaredSeats<'a>)], section: &Place) -> Vec<Team> {
        let mut assigned: Vec<(Seat, &Place)> = Vec::new();
        let mut rest: Option<&Place> = None;
        for (_, share) in shares {
            match share {
                DeclaredSeats::Rest(place) => {
                    if let Some(first) = rest.replace(place) {
                        self.mistake(two_rests(place, first));
                    }
                }
                DeclaredSeats::Named(named) => {
                    for (seat, place) in named {
                        match assigned.iter().find(|(known, _)| known == seat) {
                            Some((_, first)) => self.mistake(two_teams(*seat, place, first)),
                            None => assigned.push((*seat, place)),
                        }
                    }
                }
            }
        }
        let left: Vec<Seat> =
            (0..self.seats).map(Seat).filter(|seat| assigned.iter().all(|(known, _)| known != seat)).collect();
        if let (None, Some(seat)) = (rest, left.first()) {
            self.mistake(no_team(*seat, self.seats, section));
        }
        let team = |(component, share): &(ComponentId, DeclaredSeats<'a>)| {
            let seats = match share {
                DeclaredSeats::Rest(_) => left.clone(),
                DeclaredSeats::Named(named) => {
                    let mut seats: Vec<Seat> = named.iter().map(|(seat, _)| *seat).collect();
                    seats.sort_unstable();
                    seats
                }
            };
            Team { component: *component, seats }
        };
        shares.iter().map(team).filter(|team| !team.seats.is_empty()).collect()
    }
}

fn reserved_kind(place: &Place, teams: &Place) -> Diagnostic {
    Diagnostic::error("reserved-name", format!("the name `{TEAM}` is the kind of the teams declared in `[teams]`"))
        .mark(place.clone(), "a reserved name")
        .mark(teams.clone(), "teams are of this kind")
        .help(format!("write `{TEAM}_` or another name"))
}

fn two_teams(seat: Seat, place: &Place, first: &Place) -> Diagnostic {
    Diagnostic::error("two-teams", format!("seat {} is in teams twice", seat.number()))
        .mark(place.clone(), "the second time")
        .mark(first.clone(), "the first time")
        .help("put every seat into one team only")
}

fn two_rests(place: &Place, first: &Place) -> Diagnostic {
    Diagnostic::error("two-teams", "two teams have `seats = \"rest\"`")
        .mark(place.clone(), "the second one")
        .mark(first.clone(), "the first one")
        .help("list the seats of one of them: `seats = [1, 3]`")
}

fn no_team(seat: Seat, players: u8, teams: &Place) -> Diagnostic {
    let message = format!("with {players} players seat {} is in no team", seat.number());
    Diagnostic::error("no-team", message)
        .mark(teams.clone(), "seats of the teams")
        .help(format!("add {} to the `seats` of a team, or write `seats = \"rest\"` in one", seat.number()))
}
