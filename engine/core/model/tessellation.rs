//! Tessellations: the shape and arrangement of the spaces of a grid.

/// Shape and arrangement of a grid's spaces.
///
/// No `match` on this type has a wildcard, so the compiler finds each place that must handle a new tessellation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tessellation {
    /// Squares in columns and rows, each with four neighbors.
    #[default]
    Square,
    /// Hexagons in axial coordinates (column and row), each with six neighbors.
    Hex(HexOrientation),
}

/// Orientation of hexagons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HexOrientation {
    /// Hexagons that have a corner at the top. Neighbors share rows.
    Pointy,
    /// Hexagons that have an edge at the top. Neighbors share columns.
    Flat,
}

impl Tessellation {
    /// All tessellations, the most common one first.
    pub const ALL: [Self; 3] = [Self::Square, Self::Hex(HexOrientation::Pointy), Self::Hex(HexOrientation::Flat)];
}
