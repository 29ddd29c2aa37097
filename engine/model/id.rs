//! Small numbers that stand for the things of a game.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($inner:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $inner);

        impl $name {
            /// The position in the list this id points into.
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of the thing at a position of its list.
            ///
            /// # Panics
            /// When the position does not fit: the loader's limits keep every list shorter.
            pub fn at(index: usize) -> Self {
                Self(<$inner>::try_from(index).expect("the loader limits how many things a game has"))
            }
        }
    )*};
}

ids! {
    /// A place at the table, counted from 0 in order of seating.
    Seat(u8);
    /// A class of components.
    KindId(u16);
    /// A row of the component list.
    ComponentId(u16);
    /// A field name that components of some kind have.
    FieldId(u16);
    /// A declared zone: one zone, or a family of alike zones.
    FamilyId(u16);
    /// One zone on the table.
    ZoneId(u16);
    /// One space of one zone.
    SpaceId(u16);
    /// One physical copy of a component: a handle that stays with a place, not with a face, when a mix is shuffled.
    PieceId(u16);
    /// A declared value.
    ValueId(u16);
    /// A declared phase.
    PhaseId(u16);
    /// A declared decision.
    DecisionId(u16);
    /// A declared ending.
    EndingId(u16);
    /// A declared text that a script may say.
    SayId(u16);
}

impl Seat {
    /// The number people use, from 1.
    pub const fn number(self) -> i64 {
        self.0 as i64 + 1
    }
}
