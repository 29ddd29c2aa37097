//! Tessellations: how the spaces of a grid are formed and arranged.

/// Form and arrangement of a grid's spaces.
///
/// No `match` on it has a wildcard, so the compiler names each place that must handle a new tessellation.
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
    /// With a corner at the top; neighbors share rows.
    Pointy,
    /// With an edge at the top; neighbors share columns.
    Flat,
}

impl Tessellation {
    /// All tessellations, the most common one first.
    pub const ALL: [Self; 3] = [Self::Square, Self::Hex(HexOrientation::Pointy), Self::Hex(HexOrientation::Flat)];
}
