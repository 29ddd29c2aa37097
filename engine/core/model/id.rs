//! Ids: typed indices into the lists of a model.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($inner:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $inner);

        impl $name {
            /// Returns the id as an index into its list.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// Returns the id of the item at an index of its list.
            ///
            /// # Panics
            /// Panics if the index does not fit into the id. The loader's limits keep every list shorter than that.
            pub fn at(index: usize) -> Self {
                Self(<$inner>::try_from(index).expect("the loader limits how many things a game has"))
            }
        }
    )*};
}

ids! {
    /// A seat at the table, counted from 0 in seating order.
    Seat(u8);
    /// Id of a class of components.
    KindId(u16);
    /// Id of a row of the component list.
    ComponentId(u16);
    /// Id of a field name.
    FieldId(u16);
    /// Id of a declared zone: a single zone, or a family of similar zones.
    FamilyId(u16);
    /// Id of a zone on the table.
    ZoneId(u16);
    /// Id of a space in a zone.
    SpaceId(u16);
    /// Id of a physical copy of a component. Shuffling a mix changes which component an id stands for, but not where the piece with this id
    /// lies.
    PieceId(u16);
    /// Id of a declared value.
    ValueId(u16);
    /// Id of a declared phase.
    PhaseId(u16);
    /// Id of a declared decision.
    DecisionId(u16);
    /// Id of a declared ending.
    EndingId(u16);
    /// Id of a declared announcement.
    SayId(u16);
}

impl Seat {
    /// Returns the number of the seat as shown to people, counted from 1.
    pub const fn number(self) -> i64 {
        self.0 as i64 + 1
    }
}
