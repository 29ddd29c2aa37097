//! Names that games cannot declare because every game has them.
//!
//! The list is frozen, so that existing games keep working. If the library adds a property or name later, a game's own declaration with the
//! same name takes precedence.

use crate::decision::Type;

/// Built-in properties of each type. A field, value or zone that a game declares for this type cannot have one of these names.
pub const RESERVED_PROPERTIES: [(Type, &[&str]); 5] = [
    (Type::Piece, &["cells", "component", "is_up", "kind", "owner", "shown", "space", "turned", "zone"]),
    (Type::Component, &["count", "id", "kind", "seats"]),
    (Type::Seat, &["is_eliminated", "number", "team"]),
    (Type::Space, &["bottom", "label", "owner", "pieces", "tile", "top", "x", "y", "zone"]),
    (Type::Zone, &["beyond", "bottom", "empty", "id", "label", "laid", "of", "pieces", "seat", "spaces", "top"]),
];

/// Built-in global names. A zone, value, param or option of a game cannot have one of these names.
pub const RESERVED_NAMES: [&str; 10] =
    ["active", "box", "first", "game", "players", "round", "rounds_left", "seats", "teams", "turn"];

/// Returns the reserved properties of a type.
pub fn reserved_properties(of: Type) -> &'static [&'static str] {
    RESERVED_PROPERTIES.iter().find(|(known, _)| *known == of).map_or(&[], |(_, names)| names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::built_in::{FACTS, NAMES};
    use crate::library::{Form, registry};

    #[test]
    fn reserved_properties_are_properties() {
        for (kind, names) in RESERVED_PROPERTIES {
            assert!(names.is_sorted(), "{kind:?}");
            for name in names {
                let is_property = registry()
                    .entries
                    .iter()
                    .any(|entry| entry.form == Form::Property && entry.types[0] == kind && entry.name == *name);
                let is_fact = FACTS.iter().any(|(of, _, fact, ..)| *of == kind && fact == name);
                assert!(is_property || is_fact, "{kind:?}.{name}");
            }
        }
    }

    #[test]
    fn names_of_every_game_are_reserved() {
        assert!(NAMES.iter().all(|(_, name, ..)| RESERVED_NAMES.contains(name)));
        assert!(RESERVED_NAMES.is_sorted());
    }
}
