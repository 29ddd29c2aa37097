//! State of one game in progress: where every piece lies, who knows its face, values, and randomness. Cheap to clone.
//!
//! A table does not depend on scripts, files or threads. It performs operations on ids and reports violations as a
//! [`TableError`]. The error has no source position; the caller adds it.

mod chance;
mod disclosures;
mod fingerprint;
mod grid;
mod knowledge;
mod layout;
mod path_search;
mod position;
mod reads;
mod seat_set;
mod space_set;
#[cfg(test)]
mod tests;
mod value;

pub use chance::{Chance, Fixed, Stream, ThrowResult};
pub use disclosures::Disclosure;
pub(crate) use fingerprint::mix_hash as mixed;
pub use grid::effects::{JoinedRegion, PlacementEffect};
pub use grid::geometry::Direction;
pub use grid::picture::{Picture, PicturedCell, PicturedSpace, PlacedPiece};
pub use grid::placement::{Placement, Placements, RelativePosition};
pub(crate) use grid::region::nearest_first;
pub use knowledge::imagine::Undealt;
pub use knowledge::learned::{Condition, Judge, JudgeSource, LearnedCondition, NoJudge};
pub use knowledge::view::{DerivedNumber, HiddenPieces, ReferencedPiece, Section, View, VisiblePiece};
pub use layout::Layout;
pub(crate) use path_search::{cheapest_first, longest_path, longest_trail};
pub use position::{Loop, Position};
pub use seat_set::SeatSet;
pub(crate) use value::holder_of;
pub use value::{Holder, Member};

use crate::model::{ComponentId, Content, FieldValue, Model, PieceId, Seat, SpaceId, ZoneId};
use disclosures::Disclosures;
use knowledge::learned::Learned;
use knowledge::mix::Mixes;
use reads::Reads;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};
use space_set::SpaceSet;
use std::sync::Arc;

/// Reason why the table rejects an operation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The zone does not accept pieces of this component.
    #[error("`{zone}` does not accept `{component}`")]
    NotAccepted {
        /// The zone.
        zone: String,
        /// The component.
        component: String,
    },
    /// A piece would lie beyond the edge of a grid.
    #[error("`{component}` does not fit on `{zone}[{space}]`: the grid ends")]
    OffGrid {
        /// The grid.
        zone: String,
        /// The component.
        component: String,
        /// The space.
        space: String,
    },
    /// A value would leave its bounds.
    #[error("`{value}` cannot be {number}: it goes from {bounds}")]
    OutOfBounds {
        /// Name of the value.
        value: String,
        /// Number that was rejected.
        number: i64,
        /// Formatted bounds of the value.
        bounds: String,
    },
    /// A list would exceed its maximum length.
    #[error("`{value}` cannot have {length} entries: it has at most {most}")]
    TooLong {
        /// Name of the value.
        value: String,
        /// Requested length.
        length: usize,
        /// Maximum length.
        most: u16,
    },
}

/// Null link: no piece above or below.
const NONE: u16 = u16::MAX;

/// One of the two ends of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Upper end, from which pieces are drawn.
    Top,
    /// Lower end.
    Bottom,
}

/// A piece, identified by its handle. A shuffle moves `face` from one handle to another, and `up` along with it. All other fields describe
/// the place of the handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    at: SpaceId,
    above: u16,
    below: u16,
    known: SeatSet,
    mix: u16,
    up: bool,
    turned: u8,
    /// Seats that have seen the current rotation, or the shown face of a die.
    turn_known: SeatSet,
    /// Layer of a piece that covers several spaces. On the same grid, higher layers lie above lower ones.
    layer: i16,
    /// Sequence number of the placement that put the piece on its grid. Later placements have larger numbers.
    laid: u16,
    /// Kind or component of a hidden face, if a script has made it public.
    narrowed: Option<Content>,
    face: ShuffledFace,
}

/// Identity of a face: its component, and the seat that determines its color.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct FaceIdentity {
    component: ComponentId,
    owner: Option<Seat>,
}

/// The part of a piece that a shuffle moves to another handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ShuffledFace {
    identity: FaceIdentity,
    /// Handle that had this face at the last checkpoint.
    origin: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stack {
    top: u16,
    bottom: u16,
    height: u16,
}

/// Everything that is computed when the box is opened. It is kept so that each new game can copy it.
#[derive(Debug)]
pub(in crate::table) struct InitialState {
    pieces: Vec<Piece>,
    stacks: Vec<Stack>,
    occupied: SpaceSet,
    counts: ZoneCounts,
    values: Vec<i64>,
    mixes: Mixes,
    tops: Vec<grid::topmost::Top>,
    covered: SpaceSet,
}

/// Number of pieces in each zone. Up to 48 zones take no allocation.
type ZoneCounts = SmallVec<[u16; 48]>;

/// One game in progress.
#[derive(Debug, Clone)]
pub struct Table {
    layout: Arc<Layout>,
    pieces: Vec<Piece>,
    stacks: Vec<Stack>,
    /// Spaces with a piece.
    occupied: SpaceSet,
    counts: ZoneCounts,
    values: Vec<i64>,
    mixes: Mixes,
    /// Conditions on hidden pieces that seats have learned without seeing the pieces. `None` if there are no such conditions yet.
    learned: Option<Arc<Learned>>,
    /// Counts of disclosures; `None` if they are not being counted.
    disclosures: Option<Arc<Disclosures>>,
    /// Topmost square of every space. Empty in games without pieces that cover several spaces.
    tops: Vec<grid::topmost::Top>,
    /// Spaces with a topmost square.
    covered: SpaceSet,
    reads: Reads,
    /// Seats that have lost track of a piece since reads were last forgotten.
    lost_track: SeatSet,
    /// Hands and bags that are being shown, each with the seats that look at them.
    looked_at: SmallVec<[(SpaceId, SeatSet); 1]>,
    /// Whether faces were shuffled since the last checkpoint.
    is_shuffled: bool,
    /// Original table, if this table is a trial copy. A read on the copy counts as known only for seats that know the result on the
    /// original.
    trial_original: Option<Arc<Self>>,
    /// First slot of each value that was set by hand and that the rules therefore cannot change.
    pinned: Option<Arc<FxHashSet<usize>>>,
    /// Last values of pieces, by slot. The pieces lost these values during the current step, because they left the zones in which they have
    /// the values.
    last_known: FxHashMap<usize, i64>,
    /// Whether rules currently read `last_known` (see [`Table::set_recalling`]).
    recalls_last_known: bool,
    /// Random number generator of the session.
    pub chance: Chance,
    /// Position in the flow.
    pub position: Position,
}

/// Snapshot of the mixes, see [`Table::track`].
pub(crate) struct Track(Mixes);

impl Table {
    /// Creates a table with an opened box: every piece is at its start, and everybody knows every face.
    ///
    /// The box is opened only once per layout. Later tables copy the result.
    pub fn new(layout: Arc<Layout>, chance: Chance) -> Self {
        let opened = layout.opened.get_or_init(|| Self::unpack(layout.clone()));
        Self {
            pieces: opened.pieces.clone(),
            stacks: opened.stacks.clone(),
            occupied: opened.occupied.clone(),
            counts: opened.counts.clone(),
            values: opened.values.clone(),
            mixes: opened.mixes.clone(),
            learned: None,
            disclosures: None,
            tops: opened.tops.clone(),
            covered: opened.covered.clone(),
            reads: Reads::default(),
            lost_track: 0,
            looked_at: SmallVec::new(),
            is_shuffled: false,
            trial_original: None,
            pinned: None,
            last_known: FxHashMap::default(),
            recalls_last_known: false,
            chance,
            position: Position::default(),
            layout,
        }
    }

    /// Estimates the number of bytes that a copy takes. The estimate does not depend on the machine. It leaves out data that a copy shares
    /// with the original, such as learned conditions.
    pub fn size(&self) -> usize {
        let last_known = self.last_known.len() * 24;
        self.pieces.len() * 64 + self.stacks.len() * 8 + self.values.len() * 8 + self.tops.len() * 8 + last_known + 1024
    }

    fn unpack(layout: Arc<Layout>) -> InitialState {
        let model = layout.model.clone();
        let stacks = vec![Stack { top: NONE, bottom: NONE, height: 0 }; model.spaces.len()];
        let pieces = model.pieces.iter().enumerate().map(|(handle, new)| Piece {
            at: model.zone(new.zone).space(),
            above: NONE,
            below: NONE,
            known: layout.everybody,
            mix: Mixes::NONE,
            up: layout.traits_of(new.zone).face_up,
            turned: 0,
            turn_known: layout.everybody,
            layer: 0,
            laid: 0,
            narrowed: None,
            face: ShuffledFace {
                identity: FaceIdentity { component: new.component, owner: new.owner },
                origin: handle as u16,
            },
        });
        let squares = if model.cells.prints.is_empty() { 0 } else { model.spaces.len() };
        let mut table = Self {
            pieces: pieces.collect(),
            stacks,
            occupied: SpaceSet::new(model.spaces.len()),
            counts: smallvec![0; model.zones.len()],
            values: value::start_values(&model),
            mixes: Mixes::default(),
            learned: None,
            disclosures: None,
            tops: vec![grid::topmost::Top::NOTHING; squares],
            covered: SpaceSet::new(squares),
            reads: Reads::default(),
            lost_track: 0,
            looked_at: SmallVec::new(),
            is_shuffled: false,
            trial_original: None,
            pinned: None,
            last_known: FxHashMap::default(),
            recalls_last_known: false,
            chance: Chance::new(0, "table"),
            position: Position::default(),
            layout,
        };
        for piece in 0..table.pieces.len() {
            table.link(PieceId::at(piece), table.pieces[piece].at, End::Top);
            table.assign_layer(PieceId::at(piece), End::Top);
        }
        table.begin_hidden();
        let Self { pieces, stacks, occupied, counts, values, mixes, tops, covered, .. } = table;
        InitialState { pieces, stacks, occupied, counts, values, mixes, tops, covered }
    }

    /// Returns the game's model.
    pub fn model(&self) -> &Arc<Model> {
        &self.layout.model
    }

    /// Returns the immutable part of the table.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    // ----- queries

    /// Returns the component of a piece, and records the read.
    #[inline]
    pub fn component(&self, piece: PieceId) -> ComponentId {
        self.note_read(piece);
        self.identity(piece).component
    }

    /// Returns the seat that determines a piece's color; `None` if its component does not come in seat colors.
    #[inline]
    pub fn owner(&self, piece: PieceId) -> Option<Seat> {
        self.note_read(piece);
        self.identity(piece).owner
    }

    /// Returns the face of a piece without recording a read. Use it only where rules cannot observe the result.
    #[inline]
    fn identity(&self, piece: PieceId) -> FaceIdentity {
        self.pieces[piece.index()].face.identity
    }

    #[inline]
    fn note_read(&self, piece: PieceId) {
        let known = self.pieces[piece.index()].known;
        // On a trial copy, nobody has really seen anything: only knowledge of the original counts.
        let known = known & self.trial_original.as_ref().map_or(known, |original| original.pieces[piece.index()].known);
        self.reads.note(self.layout.everybody & !known);
    }

    /// Takes a snapshot for [`Table::has_kept_track_since`].
    pub(crate) fn track(&self) -> Track {
        Track(self.mixes.clone())
    }

    /// Returns whether no mix has changed since the snapshot. If so, nobody has lost track of a piece, and pieces can still be recognized
    /// by what was known about them.
    pub(crate) fn has_kept_track_since(&self, track: &Track) -> bool {
        self.mixes.is_same(&track.0)
    }

    /// Records a read of a hidden value, or of other information that is neither a face nor a die. `seats` are the seats that do not know
    /// this information.
    pub(crate) fn note_unknown_to(&self, seats: SeatSet) {
        self.reads.note(seats & self.layout.everybody);
    }

    /// Returns whether `seat` knows everything that was read since reads were last forgotten.
    ///
    /// If so, the same computation has the same result on every table that the seat cannot distinguish from this one.
    pub(crate) fn is_read_as_known(&self, seat: Seat) -> bool {
        self.reads.unknown_to() & Layout::only(seat) == 0
    }

    /// Returns whether `seat` has not lost track of any piece since reads were last forgotten.
    pub(crate) fn is_kept_track_of(&self, seat: Seat) -> bool {
        self.lost_track & Layout::only(seat) == 0
    }

    /// Returns the component and owner of a piece; `None` if the seat does not know its face, or if pieces have been shuffled since the
    /// checkpoint.
    pub(crate) fn known_face(&self, piece: PieceId, seat: Seat) -> Option<(ComponentId, Option<Seat>)> {
        let is_known = !self.is_shuffled && self.knowers(piece) & Layout::only(seat) != 0;
        is_known.then(|| (self.identity(piece).component, self.identity(piece).owner))
    }

    /// Returns whether a piece has a given face, without recording a read.
    pub(crate) fn has_face(&self, piece: PieceId, (component, owner): (ComponentId, Option<Seat>)) -> bool {
        self.identity(piece) == FaceIdentity { component, owner }
    }

    /// Runs `look` without recording its reads, for output that is not part of the rules' computation.
    pub(crate) fn without_recording_reads<R>(&self, look: impl FnOnce(&Self) -> R) -> R {
        self.reads.without_recording(|| look(self))
    }

    /// Turns this table into a trial copy and returns the original.
    ///
    /// Nobody gains knowledge from the copy: a read on the copy counts as known only for seats that knew the result before the trial.
    pub(crate) fn begin_trial(&mut self) -> Arc<Self> {
        let copy = self.clone();
        let original = Arc::new(std::mem::replace(self, copy));
        self.trial_original.get_or_insert_with(|| original.clone());
        original
    }

    /// Restores the original table after a trial. Reads of the copy are added to the reads of the original.
    pub(crate) fn end_trial(&mut self, original: Arc<Self>) {
        original.reads.add(&self.reads);
        self.trial_original = None;
        *self = Arc::unwrap_or_clone(original);
    }

    /// Resets the records of reads and of seats that have lost track of a piece.
    pub(crate) fn forget_reads(&mut self) {
        self.reads.forget();
        self.lost_track = 0;
    }

    /// Resets the record of reads, but not that of seats that have lost track of a piece.
    pub(crate) fn ignore_reads(&self) {
        self.reads.forget();
    }

    /// Returns the seats in play, clockwise, beginning with `from`. Eliminated seats are left out, even `from`.
    pub fn seats_from(&self, from: Seat) -> impl Iterator<Item = Seat> + '_ {
        let seats = self.model().seats;
        let around = (0..seats).map(move |step| Seat((from.0 + step) % seats));
        around.filter(|seat| self.position.is_in_play(*seat))
    }

    /// Returns the space of a piece.
    #[inline]
    pub fn space_of(&self, piece: PieceId) -> SpaceId {
        self.pieces[piece.index()].at
    }

    /// Returns the zone of a piece.
    #[inline]
    pub fn zone_of(&self, piece: PieceId) -> ZoneId {
        self.layout.zone_of(self.space_of(piece))
    }

    /// Returns whether a piece lies face up.
    #[inline]
    pub fn is_up(&self, piece: PieceId) -> bool {
        self.pieces[piece.index()].up
    }

    /// Returns the seats that know which face a die shows. For other pieces, whose rotation is visible, returns all
    /// seats.
    pub fn turn_knowers(&self, piece: PieceId) -> SeatSet {
        if !self.is_die(piece) {
            return self.layout.everybody;
        }
        self.watchers(piece) | self.knowers(piece) & self.pieces[piece.index()].turn_known
    }

    /// Returns the seats that know the rotations of both pieces. Empty if the rotations differ.
    pub(crate) fn same_turn_to(&self, a: PieceId, b: PieceId) -> SeatSet {
        if self.pieces[a.index()].turned == self.pieces[b.index()].turned {
            self.turn_knowers(a) & self.turn_knowers(b)
        } else {
            0
        }
    }

    /// Returns the index of the first face of a die that equals its face at index `turned`. As a result, dice that show equal faces compare
    /// as equal.
    fn face_of(&self, piece: PieceId, turned: u8) -> u8 {
        let faces = &self.model().component(self.identity(piece).component).faces;
        let shown = faces.get(usize::from(turned));
        shown.and_then(|shown| faces.iter().position(|face| face == shown)).map_or(turned, |at| at as u8)
    }

    fn is_die(&self, piece: PieceId) -> bool {
        !self.model().component(self.identity(piece).component).faces.is_empty()
    }

    /// Returns the number of clockwise turns of a piece (0 to 3; on hexagons 0 to 5), or the index of the face that a die shows.
    pub fn turned(&self, piece: PieceId) -> u8 {
        if self.is_die(piece) {
            let known = self.turn_knowers(piece);
            let known = known & self.trial_original.as_ref().map_or(known, |original| original.turn_knowers(piece));
            self.reads.note(self.layout.everybody & !known);
        }
        self.pieces[piece.index()].turned
    }

    /// Returns the value that a die shows; `None` for other pieces.
    pub fn shown(&self, piece: PieceId) -> Option<&FieldValue> {
        self.model().component(self.component(piece)).faces.get(self.turned(piece) as usize)
    }

    /// Returns the number of pieces on a space.
    #[inline]
    pub fn height(&self, space: SpaceId) -> usize {
        self.stacks[space.index()].height as usize
    }

    /// Returns the uppermost piece of a space.
    #[inline]
    pub fn top(&self, space: SpaceId) -> Option<PieceId> {
        piece(self.stacks[space.index()].top)
    }

    /// Returns the lowest piece of a space.
    #[inline]
    pub fn bottom(&self, space: SpaceId) -> Option<PieceId> {
        piece(self.stacks[space.index()].bottom)
    }

    /// Iterates over the pieces of a space, top first.
    #[inline]
    pub fn stack(&self, space: SpaceId) -> impl Iterator<Item = PieceId> + '_ {
        self.down_from(self.top(space))
    }

    /// Iterates over the pieces of a space, bottom first.
    pub fn stack_from_bottom(&self, space: SpaceId) -> impl Iterator<Item = PieceId> + '_ {
        std::iter::successors(self.bottom(space), |at| piece(self.pieces[at.index()].above))
    }

    /// Returns the number of pieces below a piece on its space. Walks up and down from the piece at the same time and stops at the nearer
    /// end of the stack, since most pieces are near one end.
    pub(crate) fn depth(&self, piece: PieceId) -> usize {
        let links = |handle: u16| &self.pieces[usize::from(handle)];
        let (mut up, mut down) = (piece.0, piece.0);
        let mut steps = 0;
        loop {
            down = links(down).below;
            if down == NONE {
                return steps;
            }
            up = links(up).above;
            if up == NONE {
                return self.height(self.space_of(piece)) - 1 - steps;
            }
            steps += 1;
        }
    }

    /// Iterates over the spaces of a zone, in order.
    #[inline]
    pub fn spaces(&self, zone: ZoneId) -> impl DoubleEndedIterator<Item = SpaceId> + use<> {
        self.layout.spaces_of(zone).map(SpaceId)
    }

    /// Returns the number of pieces in a zone.
    #[inline]
    pub fn count(&self, zone: ZoneId) -> usize {
        usize::from(self.counts[zone.index()])
    }

    /// Iterates over the pieces of a zone, space by space, each from the top down.
    #[inline]
    pub fn pieces(&self, zone: ZoneId) -> impl Iterator<Item = PieceId> + '_ {
        ZonePieces { table: self, left: self.count(zone), next: NONE, from: self.layout.spaces_of(zone).start }
    }

    /// Returns the last occupied space of a zone; `None` if the zone is empty.
    pub fn last_occupied(&self, zone: ZoneId) -> Option<SpaceId> {
        self.occupied.last_in(self.layout.spaces_of(zone))
    }

    /// Iterates over the piece `top` and the pieces below it, from the top down.
    #[inline]
    fn down_from(&self, top: Option<PieceId>) -> impl Iterator<Item = PieceId> + '_ {
        std::iter::successors(top, |at| piece(self.pieces[at.index()].below))
    }

    /// Iterates over all pieces of the game.
    pub fn all_pieces(&self) -> impl Iterator<Item = PieceId> + use<> {
        (0..self.pieces.len()).map(PieceId::at)
    }

    /// Returns whether a zone may hold a component.
    pub fn accepts(&self, zone: ZoneId, component: ComponentId) -> bool {
        self.model().accepts(zone, component)
    }

    // ----- changes

    /// Moves a piece to one end of a space. `up` says whether it lies face up afterwards; `None` uses the default of
    /// the zone.
    ///
    /// # Errors
    /// Returns [`TableError::NotAccepted`], or [`TableError::OffGrid`] for a piece that would lie beyond the edge of a
    /// grid.
    pub fn move_piece(&mut self, piece: PieceId, to: SpaceId, end: End, up: Option<bool>) -> Result<(), TableError> {
        self.check_inside(piece, to, self.pieces[piece.index()].turned)?;
        self.move_turned(piece, to, end, up, None)?;
        self.lose_track_of(piece);
        Ok(())
    }

    /// Like [`Table::move_piece`], but seats do not lose track of the piece yet. Call [`Table::lose_track_of`] for the piece once all
    /// pieces of a simultaneous move have arrived.
    ///
    /// # Errors
    /// Same as [`Table::move_piece`].
    pub fn move_apart(&mut self, piece: PieceId, to: SpaceId, end: End, up: Option<bool>) -> Result<(), TableError> {
        self.check_inside(piece, to, self.pieces[piece.index()].turned)?;
        self.move_turned(piece, to, end, up, None)
    }

    fn move_turned(
        &mut self,
        piece: PieceId,
        to: SpaceId,
        end: End,
        up: Option<bool>,
        turned: Option<u8>,
    ) -> Result<(), TableError> {
        let zone = self.layout.zone_of(to);
        let component = self.identity(piece).component;
        if !self.accepts(zone, component) {
            return Err(TableError::NotAccepted {
                zone: self.model().zone(zone).path.to_string(),
                component: self.model().component(component).id.to_string(),
            });
        }
        let left = self.space_of(piece);
        let lifted = self.footprint(piece);
        let has_hidden = !self.layout.hidden_piece_values.is_empty();
        let saw = has_hidden.then(|| self.seers_of_hidden_values(piece));
        self.unlink(piece);
        self.link(piece, to, end);
        if let Some(turned) = turned {
            self.pieces[piece.index()].turned = turned;
        } else if !lifted.is_empty() && !self.layout.is_ground(zone) {
            self.pieces[piece.index()].turned = 0;
        }
        self.update_tops(&lifted);
        self.assign_layer(piece, end);
        self.pieces[piece.index()].up = up.unwrap_or(self.layout.traits_of(zone).face_up);
        self.reset_values_left_behind(piece, left, zone);
        self.uncover(left);
        self.reveal_to(piece, self.watchers(piece));
        if let Some(saw) = saw {
            // Seats that saw a hidden value of the piece before the move, but not after it, have lost track of the value.
            let see = self.seers_of_hidden_values(piece);
            saw.into_iter().zip(see).for_each(|(saw, see)| self.lost_track |= saw & !see);
        }
        Ok(())
    }

    /// Turns a piece face up or face down without moving it.
    pub fn turn_over(&mut self, piece: PieceId, up: bool) {
        self.pieces[piece.index()].up = up;
        self.reveal_to(piece, self.watchers(piece));
        self.lose_track_of(piece);
    }

    /// Makes a face-down piece indistinguishable from the other pieces of its hand or bag, for all seats that do not
    /// see into it.
    pub fn lose_track_of(&mut self, piece: PieceId) {
        if !self.is_up(piece) {
            self.lose_track(self.space_of(piece));
        }
    }

    /// Sets the rotation of a piece (0 to 3; on hexagons 0 to 5), or the face of a die. Equal faces of a die are
    /// normalized to the first one.
    pub fn set_turned(&mut self, piece: PieceId, turned: u8) {
        let turned = self.face_of(piece, turned);
        let mut spaces = self.footprint(piece);
        self.pieces[piece.index()].turned = turned;
        self.pieces[piece.index()].turn_known = self.watchers(piece);
        spaces.extend(self.footprint(piece));
        self.update_tops(&spaces);
    }

    /// Shows the face of a piece to `seats`.
    pub fn show(&mut self, piece: PieceId, seats: SeatSet) {
        self.reveal_to(piece, seats);
    }

    /// Shuffles the pieces of a space. Face-up pieces stay face up, and face-down pieces stay face down. Rotations and values of the pieces
    /// are reset. Seats that do not see the pieces lose track of them.
    pub fn shuffle(&mut self, space: SpaceId) {
        let handles: Vec<PieceId> = self.stack_from_bottom(space).collect();
        if handles.len() < 2 {
            return;
        }
        let sides: Vec<(u16, bool)> = handles
            .iter()
            .map(|handle| &self.pieces[handle.index()])
            .map(|piece| (piece.face.origin, piece.up))
            .collect();
        for &handle in &handles {
            self.forget_piece_values(handle);
            self.pieces[handle.index()].turned = 0;
            self.pieces[handle.index()].turn_known = self.layout.everybody;
        }
        self.mix(&handles);
        self.is_shuffled = true;
        let mut faces = self.shuffled_faces(space, &handles);
        if let Some(wanted) = self.chance.fixed_shuffle(space) {
            let missing = put_on_top(&mut faces, wanted);
            if !missing.is_empty() {
                self.chance.fix().shuffles.push((space, missing));
            }
        }
        // Which side is up belongs to the piece and not to its place in the stack, so it moves with the face.
        let is_mixed = sides.iter().any(|(_, up)| *up != sides[0].1);
        for (handle, face) in handles.iter().zip(faces) {
            let piece = &mut self.pieces[handle.index()];
            if is_mixed && let Some((_, up)) = sides.iter().find(|(origin, _)| *origin == face.origin) {
                piece.up = *up;
            }
            piece.face = face;
        }
        for &handle in &handles {
            self.reveal_to(handle, self.watchers(handle));
        }
        self.update_tops(&self.spaces_of_grid(space));
    }

    /// Returns the faces in random order.
    ///
    /// The random rank of a handle depends only on the piece that had this handle at the start of the game. One more card in the deck
    /// therefore does not change the order of the others. The current faces do not matter, so that an imagined world is shuffled like the
    /// real table.
    fn shuffled_faces(&mut self, space: SpaceId, handles: &[PieceId]) -> Vec<ShuffledFace> {
        let shuffle = self.chance.event_bits(self.layout.stream_of_space(space));
        let rank = |handle: PieceId| shuffle.substream(self.layout.piece_streams[handle.index()]).rank();
        let mut ranked: Vec<(u64, ShuffledFace)> =
            handles.iter().map(|&handle| (rank(handle), self.pieces[handle.index()].face)).collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, face)| face).collect()
    }

    /// Makes the current state the checkpoint to which the `origin` of each face refers.
    pub fn mark_checkpoint(&mut self) {
        if !std::mem::take(&mut self.is_shuffled) {
            return;
        }
        for (handle, piece) in self.pieces.iter_mut().enumerate() {
            piece.face.origin = handle as u16;
        }
    }

    fn link(&mut self, piece: PieceId, space: SpaceId, end: End) {
        let stack = self.stacks[space.index()];
        let (above, below) = match end {
            End::Top => (NONE, stack.top),
            End::Bottom => (stack.bottom, NONE),
        };
        let handle = piece.0;
        let entry = &mut self.pieces[piece.index()];
        (entry.at, entry.above, entry.below) = (space, above, below);
        self.counts[self.layout.zone_of(space).index()] += 1;
        self.occupied.insert(space);
        let stack = &mut self.stacks[space.index()];
        stack.height += 1;
        if above == NONE {
            stack.top = handle;
        } else {
            self.pieces[above as usize].below = handle;
        }
        if below == NONE {
            self.stacks[space.index()].bottom = handle;
        } else {
            self.pieces[below as usize].above = handle;
        }
    }

    fn unlink(&mut self, piece: PieceId) {
        let Piece { at, above, below, .. } = self.pieces[piece.index()];
        self.counts[self.layout.zone_of(at).index()] -= 1;
        let stack = &mut self.stacks[at.index()];
        stack.height -= 1;
        if stack.height == 0 {
            self.occupied.remove(at);
        }
        if above == NONE {
            stack.top = below;
        } else {
            self.pieces[above as usize].below = below;
        }
        if below == NONE {
            self.stacks[at.index()].bottom = above;
        } else {
            self.pieces[below as usize].above = above;
        }
    }
}

/// Moves the `wanted` faces to the top, which is the end of `faces`. The first wanted face ends up topmost. Returns the
/// components that were not found.
fn put_on_top(faces: &mut [ShuffledFace], mut wanted: Vec<ComponentId>) -> Vec<ComponentId> {
    let mut end = faces.len();
    wanted.retain(|component| {
        let found = faces[..end].iter().rposition(|face| face.identity.component == *component);
        if let Some(at) = found {
            end -= 1;
            faces.swap(at, end);
        }
        found.is_none()
    });
    wanted
}

#[inline]
fn piece(handle: u16) -> Option<PieceId> {
    (handle != NONE).then_some(PieceId(handle))
}

/// Iterator over the pieces of a zone, space by space, each from the top down.
struct ZonePieces<'t> {
    table: &'t Table,
    /// Number of pieces that have not been returned yet.
    left: usize,
    /// Next piece on the current space; [`NONE`] if there is none.
    next: u16,
    /// Id of the space from which the search for the next occupied space starts.
    from: u16,
}

impl Iterator for ZonePieces<'_> {
    type Item = PieceId;

    #[inline]
    fn next(&mut self) -> Option<PieceId> {
        self.left = self.left.checked_sub(1)?;
        if self.next == NONE {
            let space = self.table.occupied.first_from(self.from)?;
            self.from = space.0 + 1;
            self.next = self.table.stacks[space.index()].top;
        }
        let piece = piece(self.next)?;
        self.next = self.table.pieces[piece.index()].below;
        Some(piece)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for ZonePieces<'_> {}

impl Table {
    /// Starts counting disclosures. Playouts and imagined tables do not count them.
    pub(crate) fn count_disclosures(&mut self) {
        self.disclosures.get_or_insert_default();
    }

    /// Counts a disclosure: `seats` have learned a face on `space`. `before` are the seats that already knew the face.
    pub(in crate::table) fn note_disclosed(&mut self, space: SpaceId, seats: SeatSet, before: SeatSet) {
        let Some(disclosures) = &mut self.disclosures else { return };
        let disclosures = Arc::make_mut(disclosures);
        disclosures.count += 1;
        if before != 0 {
            disclosures.add(space, seats);
        }
    }

    /// Counts an event that undo cannot revert without a new deal, such as a condition that seats have learned.
    pub(crate) fn note_disclosure(&mut self) {
        if let Some(disclosures) = &mut self.disclosures {
            Arc::make_mut(disclosures).count += 1;
        }
    }

    /// Begins an answer. Reads before it do not count as reads of the rules, since pages and logs read too.
    pub(crate) fn begin_answer(&mut self) {
        self.reads.begin_answer();
    }

    /// Ends an answer. Counts a disclosure if, since [`Self::begin_answer`], the rules have read something that some seat does not know.
    /// The visible effects of the rules may depend on it, so players could draw conclusions from them.
    ///
    /// Whether there was such a read is public itself, because the rules depend on public facts alone until the first one.
    pub(crate) fn end_answer(&mut self) {
        if self.reads.is_any_hidden_since_answer() {
            self.note_disclosure();
        }
    }

    /// Replaces the disclosure counts with those of another table of the same game.
    pub(crate) fn take_disclosures(&mut self, other: &Self) {
        self.disclosures.clone_from(&other.disclosures);
    }

    /// Returns whether anything was disclosed or drawn at random since `earlier`, which is a past state of this game.
    pub(crate) fn has_disclosed_since(&self, earlier: &Self) -> bool {
        let count = |table: &Self| table.disclosures.as_ref().map(|disclosures| disclosures.count);
        count(self) != count(earlier) || self.chance != earlier.chance
    }

    /// Returns those disclosures of already known faces whose count has grown since `earlier`.
    pub(crate) fn known_faces_shown_since(&self, earlier: &Self) -> Vec<Disclosure> {
        let known =
            |table: &Self| table.disclosures.as_ref().map_or(Vec::new(), |disclosures| disclosures.known.clone());
        let before = known(earlier);
        let count_before = |entry: &Disclosure| {
            before
                .iter()
                .find(|known| (known.space, known.seats) == (entry.space, entry.seats))
                .map_or(0, |known| known.count)
        };
        known(self).into_iter().filter(|entry| entry.count > count_before(entry)).collect()
    }
}
