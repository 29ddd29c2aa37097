//! Specifications of the top-level sections of a game's files.

use crate::diagnostic::Role;
use crate::loader::keys::form::{Form, Needs, TableSpec};
use crate::loader::keys::key::{Key, declare_table};
use crate::loader::section::areas::TABLE;
use crate::loader::section::automa::AUTOMA;
use crate::loader::section::campaign::CAMPAIGN;
use crate::loader::section::cell::SYMBOL;
use crate::loader::section::component::ROW;
use crate::loader::section::decision::DECISION;
use crate::loader::section::ending::ENDING;
use crate::loader::section::flow::{FLOW, PHASE};
use crate::loader::section::identity::IDENTITY;
use crate::loader::section::kind::KIND;
use crate::loader::section::option::OPTION;
use crate::loader::section::param::PARAMS;
use crate::loader::section::target::TARGET;
use crate::loader::section::team::TEAM_TABLE;
use crate::loader::section::value::VALUES;
use crate::loader::section::zone_shape::ZONE;

declare_table! {
    /// The sections of `game.toml`.
    pub(in crate::loader) const GAME: TableSpec = TableSpec::new("`game.toml`", "game files")
        .needs(Needs::Always(&[&GAME_SECTION.spec, &FLOW_SECTION.spec]));

    const GAME_SECTION: Key = Key::new("game", "name, id and players of the game", Form::Table(&IDENTITY));
    const OPTIONS: Key = Key::new(
        "options", "options that players choose before a game", Form::NamedForScripts(&Form::Table(&OPTION)));
    const CAMPAIGN_SECTION: Key = Key::new(
        "campaign", "a series of games, and what is carried over from one to the next", Form::Table(&CAMPAIGN));
    const PARAMS_SECTION: Key = Key::new("params", "the numbers to tweak", Form::NamedForScripts(&PARAMS));
    const KINDS: Key = Key::new("kinds", "the kinds of components", Form::NamedForScripts(&Form::Table(&KIND)));
    const CELLS: Key = Key::new("cells", "symbols for the cells of pieces", Form::Named(&Form::Table(&SYMBOL)));
    const TEAMS: Key = Key::new(
        "teams", "teams: seats that play and win together", Form::Named(&Form::Table(&TEAM_TABLE)));
    const AUTOMA_SECTION: Key = Key::new(
        "automa", "seats without a player, for which the rules choose", Form::Table(&AUTOMA));
    const ZONES: Key = Key::new("zones", "zones: where pieces lie", Form::NamedForScripts(&Form::Table(&ZONE)));
    const VALUES_SECTION: Key = Key::new("values", "values that change during play, by owner", Form::Values(&VALUES));
    const ALTERED: Key = Key::new(
        "altered", "numbers, flags and words that pieces in force can alter", Form::Named(&Form::Text));
    const DECISIONS: Key = Key::new("decisions", "decisions of players", Form::Named(&Form::Table(&DECISION)));
    const PHASES: Key = Key::new("phases", "phases of a round", Form::Named(&Form::Table(&PHASE)));
    const FLOW_SECTION: Key = Key::new("flow", "the order of play", Form::Table(&FLOW));
    const ENDINGS: Key = Key::new(
        "endings", "endings of the game", Form::Named(&Form::AnyOf(&[Form::Text, Form::Table(&ENDING)])));
    const SAYS: Key = Key::new("says", "texts that the rules announce", Form::Named(&Form::Text));
    const WORDS: Key = Key::new("words", "display names of words in the rules", Form::Named(&Form::Text));
    const TARGETS_SECTION: Key = Key::new(
        "targets", "target ranges for statistics of many games", Form::Targets(&TARGET));
    const EXPECTED: Key = Key::new(
        "expected",
        "known advantages, which reports do not list as findings: for a kind or decision, the field on which the advantage depends; for a component, its direction",
        Form::Named(&Form::Word));
    const TABLE_SECTION: Key = Key::new(
        "table", "where zones and values are shown on the table; automatic by default", Form::Table(&TABLE));
}

/// The sections of a component file. The rows of kinds are allowed as well.
pub(in crate::loader) const COMPONENTS: TableSpec = TableSpec {
    keys: &[KINDS.spec, CELLS.spec],
    ..TableSpec::new("a component file", "component files").with_others(&ROWS)
};

/// The sections of an overlay. The rows of kinds are allowed as well.
pub(in crate::loader) const OVERLAY: TableSpec = TableSpec {
    // All sections of `game.toml` except the first three: an overlay cannot change the identity, the options or the campaign.
    keys: GAME.keys.split_at(3).1,
    ..TableSpec::new("an overlay", "overlays").with_others(&ROWS)
};

/// Form of the rows of a kind: a list of tables.
pub(in crate::loader) const ROWS: Form = Form::List(&Form::Table(&ROW));

/// Returns the specification of the TOML files that have a role. Returns `None` if files with this role are not TOML.
pub(in crate::loader) fn sections_of(role: Role) -> Option<&'static TableSpec> {
    match role {
        Role::Game => Some(&GAME),
        Role::Components => Some(&COMPONENTS),
        Role::Overlay => Some(&OVERLAY),
        Role::Agent | Role::Face | Role::Play | Role::Rules => None,
    }
}
