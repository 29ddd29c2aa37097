//! One game in progress: where every piece lies, who knows it, values, chance. Cheap to clone.
//!
//! The table knows no scripts, no files and no threads. It does what it is told, in terms of ids, and refuses with a
//! [`TableError`], which names no place in a file: the caller knows that.

mod chance;
mod disclosures;
mod fingerprint;
mod grid;
mod knowledge;
mod layout;
mod position;
mod reads;
mod seat_set;
#[cfg(test)]
mod tests;
mod value;
mod ways;

pub use chance::{Chance, Fixed, Stream, Thrown};
pub use disclosures::Disclosure;
pub(crate) use fingerprint::fact as mixed;
pub use grid::effects::{Joined, PlacementEffect};
pub use grid::geometry::Direction;
pub use grid::picture::{Picture, PicturedCell, PicturedSpace, PlacedPiece};
pub use grid::placement::{Placement, Placements, Way};
pub(crate) use grid::region::nearest_first;
pub use knowledge::imagine::Undealt;
pub use knowledge::learned::{Condition, Judge, Judges, Lesson, NoJudge};
pub use knowledge::view::{DerivedNumber, Hidden, Pointed, Section, Seen, View};
pub use layout::Layout;
pub use position::{Loop, Position};
pub use seat_set::SeatSet;
pub(crate) use value::holder_of;
pub use value::{Holder, Member};
pub(crate) use ways::{cheapest_first, longest_path, longest_trail};

use crate::model::{ComponentId, Content, FieldValue, Model, PieceId, Seat, SpaceId, ZoneId};
use disclosures::Disclosures;
use knowledge::learned::Learned;
use knowledge::mix::Mixes;
use reads::Reads;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::sync::Arc;

/// What the table refuses to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The zone does not take such a piece.
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
        /// The value.
        value: String,
        /// What it was to be set to.
        number: i64,
        /// Its bounds in words.
        bounds: String,
    },
    /// A list would have more entries than it may.
    #[error("`{value}` cannot have {length} entries: it has at most {most}")]
    TooLong {
        /// The value.
        value: String,
        /// How many it was to have.
        length: usize,
        /// How many it may have.
        most: u16,
    },
}

/// No piece: the end of a stack.
const NONE: u16 = u16::MAX;

/// Which end of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The upper end, which is drawn from.
    Top,
    /// The lower end.
    Bottom,
}

/// A piece: the first half belongs to its place, the second half (its face) moves when a mix is shuffled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    at: SpaceId,
    above: u16,
    below: u16,
    known: SeatSet,
    mix: u16,
    up: bool,
    turned: u8,
    /// The seats that have seen how it is turned now.
    turn_known: SeatSet,
    /// How far above the others of its grid it lies, if it takes up spaces.
    layer: i16,
    /// When it came onto its grid.
    laid: u16,
    /// What a script has made public of it.
    narrowed: Option<Content>,
    face: ShuffledFace,
}

/// What tells one face from another: the component, and whose color it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Print {
    component: ComponentId,
    owner: Option<Seat>,
}

/// What a shuffle moves from piece to piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ShuffledFace {
    print: Print,
    /// The handle that had this face at the last checkpoint.
    origin: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stack {
    top: u16,
    bottom: u16,
    height: u16,
}

/// How everything lies, and who knows it, once the box is opened.
#[derive(Debug)]
pub(in crate::table) struct Opened {
    pieces: Vec<Piece>,
    stacks: Vec<Stack>,
    values: Vec<i64>,
    mixes: Mixes,
    tops: Vec<grid::topmost::Top>,
}

/// One game in progress.
#[derive(Debug, Clone)]
pub struct Table {
    layout: Arc<Layout>,
    pieces: Vec<Piece>,
    stacks: Vec<Stack>,
    values: Vec<i64>,
    mixes: Mixes,
    /// What seats have learned of hidden pieces, where anything was.
    learned: Option<Arc<Learned>>,
    /// What seats have come to know, where that is counted.
    disclosures: Option<Arc<Disclosures>>,
    /// The topmost square of every space; empty in games whose pieces have no squares.
    tops: Vec<grid::topmost::Top>,
    reads: Reads,
    /// The seats that lost track of something since reads were last forgotten.
    lost_track: SeatSet,
    /// The hands and bags that seats were shown and go on looking at, with these seats.
    looked_at: SmallVec<[(SpaceId, SeatSet); 1]>,
    /// Whether faces were shuffled since the last checkpoint.
    is_shuffled: bool,
    /// While something is tried out on this copy: the table as it stands, which alone says who knows what.
    tried: Option<Arc<Self>>,
    /// The first slots of values that rules do not set: they were arranged by hand.
    held: Option<Arc<FxHashSet<usize>>>,
    /// What values of pieces were when these left the zones they keep them in during this step, each by its slot.
    last_known: FxHashMap<usize, i64>,
    /// Whether rules read these.
    recalls: bool,
    /// The session's randomness.
    pub chance: Chance,
    /// Where the flow stands.
    pub position: Position,
}

/// What is kept track of at a table.
pub(crate) struct Track(Mixes);

impl Table {
    /// The opened box: every piece where it starts, every face known. It is unpacked once for a game.
    pub fn new(layout: Arc<Layout>, chance: Chance) -> Self {
        let opened = layout.opened.get_or_init(|| Self::unpacked(layout.clone()));
        Self {
            pieces: opened.pieces.clone(),
            stacks: opened.stacks.clone(),
            values: opened.values.clone(),
            mixes: opened.mixes.clone(),
            learned: None,
            disclosures: None,
            tops: opened.tops.clone(),
            reads: Reads::default(),
            lost_track: 0,
            looked_at: SmallVec::new(),
            is_shuffled: false,
            tried: None,
            held: None,
            last_known: FxHashMap::default(),
            recalls: false,
            chance,
            position: Position::default(),
            layout,
        }
    }

    /// Bytes that a copy takes, estimated: the same on every machine.
    pub(crate) fn size(&self) -> usize {
        self.pieces.len() * 64 + self.stacks.len() * 8 + self.values.len() * 8 + self.tops.len() * 8 + 1024
    }

    fn unpacked(layout: Arc<Layout>) -> Opened {
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
            face: ShuffledFace { print: Print { component: new.component, owner: new.owner }, origin: handle as u16 },
        });
        let mut table = Self {
            pieces: pieces.collect(),
            stacks,
            values: value::starts(&model),
            mixes: Mixes::default(),
            learned: None,
            disclosures: None,
            tops: vec![grid::topmost::Top::NOTHING; if model.cells.prints.is_empty() { 0 } else { model.spaces.len() }],
            reads: Reads::default(),
            lost_track: 0,
            looked_at: SmallVec::new(),
            is_shuffled: false,
            tried: None,
            held: None,
            last_known: FxHashMap::default(),
            recalls: false,
            chance: Chance::new(0, "table"),
            position: Position::default(),
            layout,
        };
        for piece in 0..table.pieces.len() {
            table.link(PieceId::at(piece), table.pieces[piece].at, End::Top);
            table.laid_down(PieceId::at(piece), End::Top);
        }
        table.begin_hidden();
        let Self { pieces, stacks, values, mixes, tops, .. } = table;
        Opened { pieces, stacks, values, mixes, tops }
    }

    /// The game.
    pub fn model(&self) -> &Arc<Model> {
        &self.layout.model
    }

    /// What never changes about this table.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    // ----- asking

    /// What is printed on a piece.
    #[inline]
    pub fn component(&self, piece: PieceId) -> ComponentId {
        self.note_read(piece);
        self.print(piece).component
    }

    /// Whose color a piece has, if its component is one for each seat.
    pub fn owner(&self, piece: PieceId) -> Option<Seat> {
        self.note_read(piece);
        self.print(piece).owner
    }

    /// The same for what goes on below the rules, who learn nothing by it.
    fn print(&self, piece: PieceId) -> Print {
        self.pieces[piece.index()].face.print
    }

    #[inline]
    fn note_read(&self, piece: PieceId) {
        let known = self.pieces[piece.index()].known;
        // What is seen on a table on which something is tried out, nobody has seen.
        let known = known & self.tried.as_ref().map_or(known, |tried| tried.pieces[piece.index()].known);
        self.reads.note(self.layout.everybody & !known);
    }

    /// What everybody keeps track of, to be compared with what it is later.
    pub(crate) fn track(&self) -> Track {
        Track(self.mixes.clone())
    }

    /// Whether nobody has lost track of anything since then: what a piece was known by is known now.
    pub(crate) fn has_kept(&self, track: &Track) -> bool {
        self.mixes.is_same(&track.0)
    }

    /// Notes that something else was told that these seats do not know.
    pub(crate) fn note_unknown_to(&self, seats: SeatSet) {
        self.reads.note(seats & self.layout.everybody);
    }

    /// Whether a seat knows all that was read of this table since reads were last forgotten: then whatever was made of it would have been
    /// made of every table that the seat cannot tell from this one.
    pub(crate) fn is_read_as_known(&self, seat: Seat) -> bool {
        self.reads.unknown_to() & Layout::only(seat) == 0
    }

    /// Whether a seat has kept track of everything since reads were last forgotten: what it knew a piece by, it knows it by now.
    pub(crate) fn is_kept_track_of(&self, seat: Seat) -> bool {
        self.lost_track & Layout::only(seat) == 0
    }

    /// Returns the component and owner of a piece; `None` if the seat does not know its face, or faces have moved since the checkpoint.
    pub(crate) fn known_face(&self, piece: PieceId, seat: Seat) -> Option<(ComponentId, Option<Seat>)> {
        let is_known = !self.is_shuffled && self.knowers(piece) & Layout::only(seat) != 0;
        is_known.then(|| (self.print(piece).component, self.print(piece).owner))
    }

    /// Whether a piece has a face, whoever knows it.
    pub(crate) fn has_face(&self, piece: PieceId, (component, owner): (ComponentId, Option<Seat>)) -> bool {
        self.print(piece) == Print { component, owner }
    }

    /// Looks at a table for what is told, and not for what rules make of it: what is read meanwhile does not count.
    pub(crate) fn aside<R>(&self, look: impl FnOnce(&Self) -> R) -> R {
        let before = self.reads.unknown_to();
        let found = look(self);
        self.reads.set(before);
        found
    }

    /// From here on something is tried out on a copy; the table as it stands is given back. What is seen on the copy is learned by
    /// nobody: a read there counts as one of what was known before.
    pub(crate) fn begin_trial(&mut self) -> Arc<Self> {
        let copy = self.clone();
        let stands = Arc::new(std::mem::replace(self, copy));
        self.tried.get_or_insert_with(|| stands.clone());
        stands
    }

    /// Goes back to the table as it stands; what was read of the copy has been read.
    pub(crate) fn end_trial(&mut self, stands: Arc<Self>) {
        stands.reads.note(self.reads.unknown_to());
        self.tried = None;
        *self = Arc::unwrap_or_clone(stands);
    }

    /// From here on reads are noted anew, and what is lost track of.
    pub(crate) fn forget_reads(&mut self) {
        self.reads.set(0);
        self.lost_track = 0;
    }

    /// The seats in play, clockwise from one on: that one first, unless it has been eliminated.
    pub fn seats_from(&self, from: Seat) -> impl Iterator<Item = Seat> + '_ {
        let seats = self.model().seats;
        let around = (0..seats).map(move |step| Seat((from.0 + step) % seats));
        around.filter(|seat| self.position.is_in_play(*seat))
    }

    /// The space a piece lies on.
    pub fn space_of(&self, piece: PieceId) -> SpaceId {
        self.pieces[piece.index()].at
    }

    /// The zone a piece lies in.
    pub fn zone_of(&self, piece: PieceId) -> ZoneId {
        self.layout.zone_of(self.space_of(piece))
    }

    /// Whether a piece lies face up.
    pub fn is_up(&self, piece: PieceId) -> bool {
        self.pieces[piece.index()].up
    }

    /// The seats that know which face a die shows; how other pieces are turned, everybody sees.
    pub fn turn_knowers(&self, piece: PieceId) -> SeatSet {
        if !self.is_die(piece) {
            return self.layout.everybody;
        }
        self.watchers(piece) | self.knowers(piece) & self.pieces[piece.index()].turn_known
    }

    /// The seats that know how two pieces are turned, and that they are turned alike.
    pub(crate) fn same_turn_to(&self, a: PieceId, b: PieceId) -> SeatSet {
        if self.pieces[a.index()].turned == self.pieces[b.index()].turned {
            self.turn_knowers(a) & self.turn_knowers(b)
        } else {
            0
        }
    }

    /// A face of a die: of several that show the same the first, so that dice which show the same are alike.
    fn face_of(&self, piece: PieceId, turned: u8) -> u8 {
        let faces = &self.model().component(self.print(piece).component).faces;
        let shown = faces.get(usize::from(turned));
        shown.and_then(|shown| faces.iter().position(|face| face == shown)).map_or(turned, |at| at as u8)
    }

    fn is_die(&self, piece: PieceId) -> bool {
        !self.model().component(self.print(piece).component).faces.is_empty()
    }

    /// How often a piece is turned clockwise (0 to 3, on hexagons 0 to 5), or which face a die shows (from 0).
    pub fn turned(&self, piece: PieceId) -> u8 {
        if self.is_die(piece) {
            let known = self.turn_knowers(piece);
            let known = known & self.tried.as_ref().map_or(known, |tried| tried.turn_knowers(piece));
            self.reads.note(self.layout.everybody & !known);
        }
        self.pieces[piece.index()].turned
    }

    /// What a die shows.
    pub fn shown(&self, piece: PieceId) -> Option<&FieldValue> {
        self.model().component(self.component(piece)).faces.get(self.turned(piece) as usize)
    }

    /// How many pieces lie on a space.
    pub fn height(&self, space: SpaceId) -> usize {
        self.stacks[space.index()].height as usize
    }

    /// The uppermost piece of a space.
    pub fn top(&self, space: SpaceId) -> Option<PieceId> {
        piece(self.stacks[space.index()].top)
    }

    /// The lowest piece of a space.
    pub fn bottom(&self, space: SpaceId) -> Option<PieceId> {
        piece(self.stacks[space.index()].bottom)
    }

    /// The pieces of a space, from the top down.
    pub fn stack(&self, space: SpaceId) -> impl Iterator<Item = PieceId> + '_ {
        self.down_from(self.top(space))
    }

    /// The pieces of a space, from the bottom up.
    pub fn stack_from_bottom(&self, space: SpaceId) -> impl Iterator<Item = PieceId> + '_ {
        std::iter::successors(self.bottom(space), |at| piece(self.pieces[at.index()].above))
    }

    /// How many pieces lie below one on its space. It is looked for from both sides: most are near an end.
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

    /// The spaces of a zone, in order.
    pub fn spaces(&self, zone: ZoneId) -> impl DoubleEndedIterator<Item = SpaceId> + use<> {
        self.model().zone(zone).spaces.clone().map(SpaceId)
    }

    /// How many pieces lie in a zone.
    pub fn count(&self, zone: ZoneId) -> usize {
        self.stacks_of(zone).iter().map(|stack| usize::from(stack.height)).sum()
    }

    /// The pieces of a zone: space by space, each from the top down.
    pub fn pieces(&self, zone: ZoneId) -> impl Iterator<Item = PieceId> + '_ {
        self.stacks_of(zone).iter().filter(|stack| stack.height > 0).flat_map(|stack| self.down_from(piece(stack.top)))
    }

    /// What lies on the spaces of a zone, in order.
    fn stacks_of(&self, zone: ZoneId) -> &[Stack] {
        let spaces = &self.layout.model.zone(zone).spaces;
        &self.stacks[usize::from(spaces.start)..usize::from(spaces.end)]
    }

    /// A piece and those that lie below it.
    fn down_from(&self, top: Option<PieceId>) -> impl Iterator<Item = PieceId> + '_ {
        std::iter::successors(top, |at| piece(self.pieces[at.index()].below))
    }

    /// Every handle there is.
    pub fn all_pieces(&self) -> impl Iterator<Item = PieceId> + use<> {
        (0..self.pieces.len()).map(PieceId::at)
    }

    /// Whether a zone may ever hold a component.
    pub fn accepts(&self, zone: ZoneId, component: ComponentId) -> bool {
        self.model().accepts(zone, component)
    }

    // ----- doing

    /// Moves a piece to an end of a space, face up or down as said, or as pieces arrive in that zone.
    ///
    /// # Errors
    /// [`TableError::NotAccepted`], or [`TableError::OffGrid`] for a piece that takes up spaces.
    pub fn move_piece(&mut self, piece: PieceId, to: SpaceId, end: End, up: Option<bool>) -> Result<(), TableError> {
        self.check_inside(piece, to, self.pieces[piece.index()].turned)?;
        self.move_turned(piece, to, end, up, None)?;
        self.lose_track_of(piece);
        Ok(())
    }

    /// The same, but the piece is not yet mixed with others that lie there: [`Table::lose_track_of`] does that once all that
    /// move at once have moved.
    ///
    /// # Errors
    /// As [`Table::move_piece`].
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
        let component = self.print(piece).component;
        if !self.accepts(zone, component) {
            return Err(TableError::NotAccepted {
                zone: self.model().zone(zone).path.to_string(),
                component: self.model().component(component).id.to_string(),
            });
        }
        let left = self.space_of(piece);
        let lifted = self.lifted(piece);
        let has_hidden = !self.layout.hidden_of_pieces.is_empty();
        let saw = has_hidden.then(|| self.seers_of_hidden_values(piece));
        self.unlink(piece);
        self.link(piece, to, end);
        if let Some(turned) = turned {
            self.pieces[piece.index()].turned = turned;
        } else if !lifted.is_empty() && !self.layout.is_ground(zone) {
            self.pieces[piece.index()].turned = 0;
        }
        self.show_again(&lifted);
        self.laid_down(piece, end);
        self.pieces[piece.index()].up = up.unwrap_or(self.layout.traits_of(zone).face_up);
        self.reset_values_left_behind(piece, left, zone);
        self.uncover(left);
        self.see(piece, self.watchers(piece));
        if let Some(saw) = saw {
            // What it had is not told to them any more, and may change.
            let see = self.seers_of_hidden_values(piece);
            saw.into_iter().zip(see).for_each(|(saw, see)| self.lost_track |= saw & !see);
        }
        Ok(())
    }

    /// Turns a piece face up or face down where it lies.
    pub fn turn_over(&mut self, piece: PieceId, up: bool) {
        self.pieces[piece.index()].up = up;
        self.see(piece, self.watchers(piece));
        self.lose_track_of(piece);
    }

    /// Mixes a piece that came face down with the others of a hand or bag, for all who do not see in.
    pub fn lose_track_of(&mut self, piece: PieceId) {
        if !self.is_up(piece) {
            self.lose_track(self.space_of(piece));
        }
    }

    /// Turns a piece on the spot (0 to 3, on hexagons 0 to 5), or a die to a face: to the first of those that show the same.
    pub fn set_turned(&mut self, piece: PieceId, turned: u8) {
        let turned = self.face_of(piece, turned);
        let mut spaces = self.lifted(piece);
        self.pieces[piece.index()].turned = turned;
        self.pieces[piece.index()].turn_known = self.watchers(piece);
        spaces.extend(self.lifted(piece));
        self.show_again(&spaces);
    }

    /// Lets seats look at a piece.
    pub fn show(&mut self, piece: PieceId, seats: SeatSet) {
        self.see(piece, seats);
    }

    /// Puts the pieces of a space in random order, each on the side it lies on; seats that do not see them lose track of them.
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
        let mut faces = self.in_random_order(space, &handles);
        if let Some(wanted) = self.chance.fixed_shuffle(space) {
            let missing = put_on_top(&mut faces, wanted);
            if !missing.is_empty() {
                self.chance.fix().shuffles.push((space, missing));
            }
        }
        // Every piece keeps its side, wherever in the order it goes.
        let is_mixed = sides.iter().any(|(_, up)| *up != sides[0].1);
        for (handle, face) in handles.iter().zip(faces) {
            let piece = &mut self.pieces[handle.index()];
            if is_mixed && let Some((_, up)) = sides.iter().find(|(origin, _)| *origin == face.origin) {
                piece.up = *up;
            }
            piece.face = face;
        }
        for &handle in &handles {
            self.see(handle, self.watchers(handle));
        }
        self.show_again(&self.spaces_of_ground(space));
    }

    /// Every handle gets a random rank by what it was in the opened box: one card more in the deck leaves the order of the
    /// others as it was. What is on the pieces now has no say, so that a world dealt again is shuffled as this one was.
    fn in_random_order(&mut self, space: SpaceId, handles: &[PieceId]) -> Vec<ShuffledFace> {
        let shuffle = self.chance.event_bits(self.layout.shuffles_of(space));
        let rank = |handle: PieceId| shuffle.of(self.layout.births[handle.index()]).rank();
        let mut ranked: Vec<(u64, ShuffledFace)> =
            handles.iter().map(|&handle| (rank(handle), self.pieces[handle.index()].face)).collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, face)| face).collect()
    }

    /// Notes that a checkpoint is taken now: faces are traced back to here.
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
        let stack = &mut self.stacks[at.index()];
        stack.height -= 1;
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

/// Brings the faces wanted to the end of a list that runs from the bottom up, the first one wanted last; returns those
/// that are not in it.
fn put_on_top(faces: &mut [ShuffledFace], mut wanted: Vec<ComponentId>) -> Vec<ComponentId> {
    let mut end = faces.len();
    wanted.retain(|component| {
        let found = faces[..end].iter().rposition(|face| face.print.component == *component);
        if let Some(at) = found {
            end -= 1;
            faces.swap(at, end);
        }
        found.is_none()
    });
    wanted
}

fn piece(handle: u16) -> Option<PieceId> {
    (handle != NONE).then_some(PieceId(handle))
}

impl Table {
    /// From here on disclosures are counted. A table that is only played on, or imagined, does without.
    pub(crate) fn count_disclosures(&mut self) {
        self.disclosures.get_or_insert_default();
    }

    /// Counts that seats come to know a face that `before` knew already.
    pub(in crate::table) fn note_disclosed(&mut self, space: SpaceId, seats: SeatSet, before: SeatSet) {
        let Some(disclosures) = &mut self.disclosures else { return };
        let disclosures = Arc::make_mut(disclosures);
        disclosures.count += 1;
        if before != 0 {
            disclosures.add(space, seats);
        }
    }

    /// Counts something that cannot be undone without being dealt again, such as a condition that seats have learned.
    pub(crate) fn note_disclosure(&mut self) {
        if let Some(disclosures) = &mut self.disclosures {
            Arc::make_mut(disclosures).count += 1;
        }
    }

    /// Whether anything was disclosed, or left to chance, since this game stood as an earlier table does.
    pub(crate) fn has_disclosed_since(&self, earlier: &Self) -> bool {
        let count = |table: &Self| table.disclosures.as_ref().map(|disclosures| disclosures.count);
        count(self) != count(earlier) || self.chance != earlier.chance
    }

    /// The faces that seats have seen since an earlier table, and that some other seat knew before.
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
