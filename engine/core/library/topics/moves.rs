//! Moving, dealing, shuffling, turning and showing pieces.

use super::chance::draw_index_from_bag;
use super::seats::seats_of;
use super::zones::{check_has_order, component_of, only_space};
use crate::decision::{ASK_FIRST, Choice, EventKind, HandleList, Value, look};
use crate::diagnostic::sentence;
use crate::library::context::fault::{Answer, Failure, Fault, table_result};
use crate::library::context::permissions::Move;
use crate::library::context::plain::{check_plain, describe, describe_value, plain};
use crate::library::context::{Context, OBJECTS_PER_OPERATION};
use crate::library::effect::Effects;
use crate::library::entry::argument::FunctionArgument;
use crate::library::entry::builder::RegistryBuilder;
use crate::library::entry::caller::Caller;
use crate::library::pattern::NameRole;
use crate::library::unknown_name::unknown_quoted;
use crate::library::well_known::{MOVE_UNDER, SHUFFLE};
use crate::model::{ComponentId, Content, FamilyId, PieceId, Seat, SpaceId, ZoneId};
use crate::table::{End, Layout, Table, TableError};
use arcstr::ArcStr;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::sync::Arc;

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Moves");
    registry.effects(Effects::MOVES);
    register_moves(registry);
    registry.effects(Effects::CHANGES);
    register_simultaneous_moves(registry);
    registry.effects(Effects::CHANGES.union(Effects::DRAWS));
    register_shuffling(registry);
    registry.effects(Effects::CHANGES);
    register_passing(registry);
    register_drawing(registry);
    register_showing(registry);
}

fn register_moves(registry: &mut RegistryBuilder) {
    registry.function("move_to", "what:movable to:spot", "Moves a piece, several pieces, or all pieces of a zone or space to the top of a zone or space. Several pieces keep their order: the top one stays on top.", "deck.top.move_to(discard); discard.count() // 1", |ctx: &mut Context<'_>, what: Value, to: Value| -> Answer<()> {
        move_all(ctx, &what, &to, End::Top, None)
    });
    registry.function(
        "move_to",
        "what:movable to:spot side:side",
        "Like the function without `side`, but the pieces arrive face `\"up\"` or `\"down\"`.",
        "deck.top.move_to(discard, \"down\"); discard.top.is_up // false",
        |ctx: &mut Context<'_>, what: Value, to: Value, side: ArcStr| -> Answer<()> {
            let up = side_named(&side)?;
            move_all(ctx, &what, &to, End::Top, Some(up))
        },
    );
    registry.function(
        MOVE_UNDER,
        "what:movable to:spot",
        "Moves one or more pieces below the pieces of a zone or space, each piece below the previous one.",
        "deck.top.move_under(deck); deck.count() // 8",
        |ctx: &mut Context<'_>, what: Value, to: Value| -> Answer<()> {
            check_has_order(ctx, ctx.table.layout().zone_of(space_of(ctx, &to)?), MOVE_UNDER)?;
            move_all(ctx, &what, &to, End::Bottom, None)
        },
    );
    registry.mark_ordered();
}

fn register_simultaneous_moves(registry: &mut RegistryBuilder) {
    registry.function(
        "swap",
        "a b",
        "Exchanges the places of two pieces.",
        "deck.draw(discard); swap(deck.top, discard.top); discard.count() // 1",
        |ctx: &mut Context<'_>, a: PieceId, b: PieceId| -> Answer<()> {
            let (at_a, at_b) = (ctx.table.space_of(a), ctx.table.space_of(b));
            let moves = [(a, at_b), (b, at_a)];
            make_at_once(ctx, &moves.map(|(piece, to)| Move { piece, to, end: End::Top, up: None }))
        },
    );
    registry.function(
        "at_once",
        "moves:()=>any!asks!changes_otherwise",
        "Makes all moves of a function simultaneously: each move takes the pieces that were there before, and a seat that passes a piece on still knows the piece in its new place. The function may only move pieces, each at most once.",
        "deck.draw(discard); at_once(|| { deck.move_to(discard); discard.move_to(deck); }); deck.count() // 1",
        move_at_once,
    );
}

fn register_shuffling(registry: &mut RegistryBuilder) {
    registry.function(
        SHUFFLE,
        "place:spot",
        "Shuffles the pieces of a zone or space. Each piece keeps its side: face-up pieces are seen in their new places, and hidden pieces stay hidden. Values of the pieces return to their starting values, and rotations are reset.",
        "deck.shuffle(); deck.count() // 8",
        |ctx: &mut Context<'_>, place: Value| -> Answer<()> {

                ctx.check_may_change()?;
                let space = space_of(ctx, &place)?;
                check_has_order(ctx, ctx.table.layout().zone_of(space), SHUFFLE)?;
                ctx.spend(ctx.table.height(space))?;
                shuffle(ctx, space)?;
                ctx.note(|_| EventKind::Shuffled(space));
                Ok(())

        },
    );
    registry.mark_ordered();
}

fn register_passing(registry: &mut RegistryBuilder) {
    registry.function(
        "pass_left",
        "seats:seats|list<seat> zone:seat_zone",
        "Each of the seats passes all pieces in its zone with this name to the next of the seats, clockwise. All seats pass at the same time. Players still know the pieces that they passed on.",
        "deck.draw(2, first.hand); seats.pass_left(\"hand\"); next(first).hand.count() // 2",
        |ctx: &mut Context<'_>, seats: Value, zone: ArcStr| -> Answer<()> { pass_zones(ctx, &seats_of(&seats)?, &zone, true) },
    );
    registry.function(
        "pass_left",
        "answers:answers<piece|pieces|()> zone:seat_zone",
        "Moves the pieces that each seat chose in `together` to the next seat's zone with this name, clockwise. All pieces move at the same time.",
        "deck.draw(2, first.hand); let all = together(seats, |seat| seat.hand.pieces.take(1)); all.pass_left(\"hand\"); next(first).hand.count() // 1",
        |ctx: &mut Context<'_>, chosen: Arc<Vec<(Seat, Value)>>, zone: ArcStr| -> Answer<()> {
            pass_chosen(ctx, &chosen, &zone, true)
        },
    );
    registry.function(
        "pass_right",
        "seats:seats|list<seat> zone:seat_zone",
        "Like `pass_left`, but to the previous seat, counter-clockwise.",
        "deck.draw(2, next(first).hand); seats.pass_right(\"hand\"); first.hand.count() // 2",
        |ctx: &mut Context<'_>, seats: Value, zone: ArcStr| -> Answer<()> {
            pass_zones(ctx, &seats_of(&seats)?, &zone, false)
        },
    );
    registry.function(
        "pass_right",
        "answers:answers<piece|pieces|()> zone:seat_zone",
        "Like `pass_left`, but to the previous seat, counter-clockwise.",
        "",
        |ctx: &mut Context<'_>, chosen: Arc<Vec<(Seat, Value)>>, zone: ArcStr| -> Answer<()> {
            pass_chosen(ctx, &chosen, &zone, false)
        },
    );
}

fn register_drawing(registry: &mut RegistryBuilder) {
    registry.function("draw", "from to:spot -> one", "Draws the top piece of a pile, or a random piece of a bag, to the top of a zone or space and returns it. If there is none, this is a fault; use `draw_up_to` if this can happen. An empty pile with `refill` is refilled first.", "deck.draw(first.hand); first.hand.count() // 1", |ctx: &mut Context<'_>, from: ZoneId, to: Value| -> Answer<PieceId> {

            let drawn = draw(ctx, &Draw::new(from, 1), &to)?;
            Ok(*drawn.first().expect("a draw that comes short is a fault"))

    });
    registry.function(
        "draw",
        "from count to:spot -> several",
        "Draws `count` pieces one by one, as `draw` does, and returns them. If there are fewer, this is a fault.",
        "deck.draw(3, first.hand).count() // 3",
        |ctx: &mut Context<'_>, from: ZoneId, count: i64, to: Value| -> Answer<HandleList<PieceId>> {
            draw(ctx, &Draw::new(from, count), &to)
        },
    );
    registry.function(
        "draw",
        "from count to:spot side:side -> several",
        "Like the function without `side`, but the pieces arrive face `\"up\"` or `\"down\"`.",
        "deck.draw(2, discard, \"down\"); discard.top.is_up // false",
        |ctx: &mut Context<'_>, from: ZoneId, count: i64, to: Value, side: ArcStr| -> Answer<HandleList<PieceId>> {
            let drawing = Draw { up: Some(side_named(&side)?), ..Draw::new(from, count) };
            draw(ctx, &drawing, &to)
        },
    );
    registry.function(
        "draw_up_to",
        "from count to:spot -> several",
        "Draws `count` pieces, or all pieces if there are fewer, and returns them.",
        "deck.draw_up_to(9, first.hand).count() // 8",
        |ctx: &mut Context<'_>, from: ZoneId, count: i64, to: Value| -> Answer<HandleList<PieceId>> {
            draw(ctx, &Draw { may_be_short: true, ..Draw::new(from, count) }, &to)
        },
    );
    registry.function(
        "draw_up_to",
        "from count to:spot side:side -> several",
        "Like the function without `side`, but the pieces arrive face `\"up\"` or `\"down\"`.",
        "deck.draw_up_to(9, discard, \"down\"); discard.top.is_up // false",
        |ctx: &mut Context<'_>, from: ZoneId, count: i64, to: Value, side: ArcStr| -> Answer<HandleList<PieceId>> {
            let drawing = Draw { up: Some(side_named(&side)?), may_be_short: true, ..Draw::new(from, count) };
            draw(ctx, &drawing, &to)
        },
    );
}

fn register_showing(registry: &mut RegistryBuilder) {
    registry.function(
        "turn_up",
        "what:movable",
        "Turns a piece, several pieces, or all pieces of a zone or space face up.",
        "deck.top.turn_up(); deck.top.is_up // true",
        |ctx: &mut Context<'_>, what: Value| -> Answer<()> { turn(ctx, &what, true) },
    );
    registry.function(
        "turn_down",
        "what:movable",
        "Turns a piece, several pieces, or all pieces of a zone or space face down.",
        "deck.top.turn_down(); deck.top.is_up // false",
        |ctx: &mut Context<'_>, what: Value| -> Answer<()> { turn(ctx, &what, false) },
    );
    registry.function(
        "reveal",
        "what:movable",
        "Shows a piece, several pieces, or all pieces of a zone or space to everybody, without turning them over.",
        "deck.top.reveal(); deck.top.is_up // false",
        |ctx: &mut Context<'_>, what: Value| -> Answer<()> {
            let everybody = ctx.table.layout().everybody;
            show(ctx, &what, everybody)
        },
    );
    registry.function(
        "show",
        "what:movable seat",
        "Lets one seat look at a piece, several pieces, or all pieces of a zone or space.",
        "deck.top.show(first); deck.top.is_up // false",
        |ctx: &mut Context<'_>, what: Value, seat: Seat| -> Answer<()> { show(ctx, &what, Layout::only(seat)) },
    );
    registry.function(
        "narrow",
        "zone content:component_id|kind|component",
        "Makes it public that all pieces that are now in a zone belong to a certain kind or component.",
        "deck.draw(first.hand); first.hand.narrow(\"card\"); first.hand.count() // 1",
        |ctx: &mut Context<'_>, zone: ZoneId, content: Value| -> Answer<()> { narrow(ctx, zone, &content) },
    );
}

/// Converts a place to a space. The place is a space, or a zone with a single space.
pub(super) fn space_of(ctx: &Context<'_>, place: &Value) -> Answer<SpaceId> {
    match place {
        Value::Zone(zone) => only_space(ctx, zone.get()),
        Value::Space(space) => Ok(space.get()),
        Value::Nothing => Err(sentence::not_a_place("`()` is", Some(ASK_FIRST)).into()),
        other => {
            check_plain(other)?;
            Err(sentence::not_a_place(&format!("{} is", describe_value(other)), None).into())
        }
    }
}

/// Returns the pieces that an argument represents: a piece, several pieces, or all pieces of a zone or space from the
/// top down.
pub(super) fn pieces_of(ctx: &Context<'_>, what: &Value) -> Answer<SmallVec<[PieceId; 16]>> {
    fn collect(ctx: &Context<'_>, what: &Value, found: &mut SmallVec<[PieceId; 16]>) -> Answer<()> {
        match what {
            Value::Piece(piece) => found.push(piece.get()),
            Value::Pieces(pieces) => found.extend_from_slice(pieces),
            Value::Zone(zone) => found.extend(ctx.table.pieces(zone.get())),
            Value::Space(space) => found.extend(ctx.table.stack(space.get())),
            Value::Zones(zones) => zones.iter().for_each(|zone| found.extend(ctx.table.pieces(*zone))),
            Value::Spaces(spaces) => spaces.iter().for_each(|space| found.extend(ctx.table.stack(*space))),
            Value::List(all) => return all.iter().try_for_each(|one| collect(ctx, one, found)),
            Value::Seats(set) if set.is_empty() => {}
            Value::Components(set) if set.is_empty() => {}
            Value::Nothing => {
                let fault = Fault::new("nothing-here", "there is no piece: nothing was found", "is `()`");
                return Err(fault.help(ASK_FIRST).into());
            }
            other => {
                check_plain(other)?;
                let one = match other {
                    Value::Seats(set) => Value::from(set.first().copied()),
                    Value::Components(set) => Value::from(set.first().copied()),
                    other => other.clone(),
                };
                return Err(sentence::not_a_piece(&format!("{} is", describe_value(&one))).into());
            }
        }
        Ok(())
    }
    let mut found = SmallVec::new();
    collect(ctx, what, &mut found)?;
    ctx.charge(found.len());
    Ok(found)
}

/// Names of the sides of a piece. The flag tells whether the piece is face up.
const SIDES: [(&str, bool); 2] = [("up", true), ("down", false)];

/// Iterates over the names of the sides of a piece.
pub(super) fn side_names() -> impl Iterator<Item = &'static str> {
    SIDES.iter().map(|(name, _)| *name)
}

fn side_named(side: &str) -> Answer<bool> {
    let found = SIDES.iter().find(|(name, _)| *name == side).map(|(_, up)| *up);
    found.ok_or_else(|| unknown_quoted(&[NameRole::Side], side, side_names()).into())
}

fn move_all(ctx: &mut Context<'_>, what: &Value, to: &Value, end: End, up: Option<bool>) -> Answer<()> {
    let to = space_of(ctx, to)?;
    if let Value::Piece(piece) = what {
        return make_or_collect(ctx, Move { piece: piece.get(), to, end, up });
    }
    let mut pieces = pieces_of(ctx, what)?;
    // Pieces that go on top are moved from the bottom piece up, so that they keep their order.
    if end == End::Top {
        pieces.reverse();
    }
    let is_unordered =
        matches!(what, Value::Zone(zone) if ctx.table.model().family_of(zone.get()).shape.is_unordered());
    pieces.iter().try_for_each(|piece| make_or_collect(ctx, Move { piece: *piece, to, end, up }))?;
    // A list may be in an order that a player has chosen. The order in a hand or bag has no meaning.
    if is_unordered && ctx.permissions.at_once.is_none() {
        note_laid_together(ctx, &pieces, to);
    }
    Ok(())
}

/// Records each pair of different components among these pieces that both set some quantity, if pieces in the zone of `to` are in force.
/// Call this for pieces that were laid in one space together, in an order that nobody chose.
fn note_laid_together(ctx: &mut Context<'_>, pieces: &[PieceId], to: SpaceId) {
    let zone = ctx.table.layout().zone_of(to);
    if pieces.len() < 2 || ctx.answers.is_rerunning() || !ctx.table.model().family_of(zone).in_force {
        return;
    }
    let model = ctx.table.model().clone();
    let sets = |component: ComponentId| model.component(component).alters.iter().any(|one| one.set.is_some());
    let setters: Vec<(PieceId, ComponentId)> = ctx.table.without_recording_reads(|table| {
        let with_component = pieces.iter().map(|piece| (*piece, table.component(*piece)));
        with_component.filter(|(_, component)| sets(*component)).collect()
    });
    for (at, (one, component)) in setters.iter().enumerate().take(MAX_COMPARED_SETTERS) {
        let others = setters[at + 1..].iter().filter(|(_, other)| other != component).take(MAX_COMPARED_SETTERS);
        ctx.journal.laid_together.extend(others.map(|(other, _)| [*one, *other]));
    }
}

/// Maximum number of pieces in [`note_laid_together`] that are paired with later pieces, and maximum number of pairs for each of them. More
/// pairs would only repeat the warning.
const MAX_COMPARED_SETTERS: usize = 16;

/// Makes a move. While simultaneous moves are being collected, only adds it to the collected moves.
fn make_or_collect(ctx: &mut Context<'_>, to_make: Move) -> Answer<()> {
    let Move { piece, to, end, up } = to_make;
    let Some(moves) = &mut ctx.permissions.at_once else { return move_one(ctx, piece, to, end, up) };
    if moves.iter().any(|other| other.piece == piece) {
        let what = describe(&Choice::Piece(piece));
        let fault = Fault::new("moved-twice", format!("{what} is moved twice at once"), "moved already");
        return Err(fault.help("in `at_once` everything lies where it lay before; move it further afterwards").into());
    }
    moves.push(to_make);
    let count = moves.len();
    ctx.charge(count / OBJECTS_PER_OPERATION);
    Ok(())
}

/// Collects the moves that a closure makes, and then makes them simultaneously.
fn move_at_once(ctx: &mut Caller<'_, '_>, _moves: FunctionArgument) -> Answer<()> {
    ctx.check_may_change()?;
    let before = (ctx.permissions.may_ask, ctx.permissions.may_change);
    (ctx.permissions.may_ask, ctx.permissions.may_change) = (false, false);
    ctx.permissions.at_once = Some(Vec::new());
    let called = ctx.call_closure::<Value>(&[]);
    (ctx.permissions.may_ask, ctx.permissions.may_change) = before;
    let moves = ctx.permissions.at_once.take().unwrap_or_default();
    called.map(drop)?;
    make_at_once(ctx, &moves)
}

/// Makes moves simultaneously. Seats lose track of pieces only after all moves, so that the order of the moves does not
/// matter.
fn make_at_once(ctx: &mut Context<'_>, moves: &[Move]) -> Answer<()> {
    for Move { piece, to, end, up } in moves {
        make_move(ctx, *piece, *to, |table| table.move_apart(*piece, *to, *end, *up))?;
    }
    for moved in moves {
        ctx.table.lose_track_of(moved.piece);
    }
    Ok(())
}

/// Returns the family called `name`, whose zones must exist once per seat.
fn zone_of_each(ctx: &Context<'_>, name: &str) -> Answer<FamilyId> {
    let model = ctx.table.model();
    let is_meant = |id: &FamilyId| model.family(*id).is_one_per_seat();
    model.find_family(name).filter(is_meant).ok_or_else(|| {
        let known = model.families.iter().filter(|family| family.is_one_per_seat()).map(|family| &*family.id);
        unknown_quoted(&[NameRole::Zone], name, known).into()
    })
}

/// Passes all pieces in each seat's zone `name` to the seat's left or right neighbor.
fn pass_zones(ctx: &mut Context<'_>, seats: &HandleList<Seat>, name: &str, is_left: bool) -> Answer<()> {
    let family = zone_of_each(ctx, name)?;
    let first = ctx.table.model().family(family).zones.start;
    let own = seats.iter().map(|seat| (*seat, Value::from(ZoneId(first + u16::from(seat.0))))).collect::<Vec<_>>();
    pass_around(ctx, seats, own, family, is_left)
}

/// Passes the pieces that each seat has chosen to the seat's left or right neighbor.
fn pass_chosen(ctx: &mut Context<'_>, chosen: &[(Seat, Value)], name: &str, is_left: bool) -> Answer<()> {
    let family = zone_of_each(ctx, name)?;
    let own = chosen.iter().filter(|(_, what)| *what != Value::Nothing).cloned().collect::<Vec<_>>();
    let seats: HandleList<Seat> = chosen.iter().map(|(seat, _)| *seat).collect();
    pass_around(ctx, &seats, own, family, is_left)
}

/// Passes pieces simultaneously to the left or right neighbor among the given seats. Skips other seats and eliminated seats.
fn pass_around(
    ctx: &mut Context<'_>,
    seats: &HandleList<Seat>,
    own: Vec<(Seat, Value)>,
    into: FamilyId,
    is_left: bool,
) -> Answer<()> {
    ctx.check_may_change()?;
    let mut around: Vec<Seat> = seats.iter().copied().filter(|seat| ctx.table.position.is_in_play(*seat)).collect();
    around.sort_unstable();
    around.dedup();
    let first = ctx.table.model().family(into).zones.start;
    let mut moves: Vec<Move> = Vec::new();
    for (seat, what) in own.into_iter().filter(|(seat, _)| around.contains(seat)) {
        let at = around.iter().position(|other| *other == seat).expect("it is one of them");
        let step = if is_left { 1 } else { around.len() - 1 };
        let next = around[(at + step) % around.len()];
        let to = only_space(ctx, ZoneId(first + u16::from(next.0)))?;
        let pieces = pieces_of(ctx, &what)?;
        moves.extend(pieces.into_iter().rev().map(|piece| Move { piece, to, end: End::Top, up: None }));
    }
    moves.retain(|moved| ctx.table.space_of(moved.piece) != moved.to);
    let count = moves.len();
    if count > 0 {
        ctx.note(|_| EventKind::Passed { into, is_left, count });
    }
    make_at_once(ctx, &moves)
}

/// Operations charged for a move.
pub(super) const MOVE_COST: usize = 4;

/// Number of pieces in the source and destination stacks, taken together, that a move can visit for one operation. Visiting this many
/// pieces takes longer than other operations, but a game that deals many cards to growing hands must not exceed the budget.
const STACK_PIECES_PER_OPERATION: usize = 1024;

/// Moves a piece and records the move.
pub(super) fn move_one(ctx: &mut Context<'_>, piece: PieceId, to: SpaceId, end: End, up: Option<bool>) -> Answer<()> {
    make_move(ctx, piece, to, |table| table.move_piece(piece, to, end, up))
}

fn make_move(
    ctx: &mut Context<'_>,
    piece: PieceId,
    to: SpaceId,
    make: impl FnOnce(&mut Table) -> Result<(), TableError>,
) -> Answer<()> {
    ctx.check_may_change()?;
    let heights = ctx.table.height(ctx.table.space_of(piece)) + ctx.table.height(to);
    ctx.spend(MOVE_COST + heights / STACK_PIECES_PER_OPERATION)?;
    let before = ctx.is_noting().then(|| look(&ctx.table, piece));
    let from = ctx.table.space_of(piece);
    table_result(make(&mut ctx.table))?;
    if !ctx.journal.laid_together.is_empty() {
        ctx.journal.laid_together.retain(|pair| !pair.contains(&piece));
    }
    report_move(ctx, piece, from, to);
    ctx.note(|table| {
        let mut seen = look(table, piece);
        if let Some(before) = before {
            seen.set_origin(&before);
        }
        EventKind::Moved { look: seen, to }
    });
    Ok(())
}

/// Reports a move to the observer.
pub(super) fn report_move(ctx: &Context<'_>, piece: PieceId, from: SpaceId, to: SpaceId) {
    ctx.observe(|observer| {
        let (component, owner) =
            ctx.table.without_recording_reads(|table| (table.component(piece), table.owner(piece)));
        observer.moved(component, owner, from, to);
    });
}

/// Parameters of a draw.
struct Draw {
    from: ZoneId,
    count: i64,
    up: Option<bool>,
    /// Whether drawing fewer pieces than requested is allowed.
    may_be_short: bool,
}

impl Draw {
    const fn new(from: ZoneId, count: i64) -> Self {
        Self { from, count, up: None, may_be_short: false }
    }
}

fn draw(ctx: &mut Context<'_>, drawing: &Draw, to: &Value) -> Answer<HandleList<PieceId>> {
    ctx.check_may_change()?;
    let (pile, to) = (only_space(ctx, drawing.from)?, space_of(ctx, to)?);
    let (mut drawn, mut hidden) = (Vec::new(), Vec::new());
    for _ in 0..drawing.count {
        if ctx.table.height(pile) == 0 {
            refill(ctx, drawing.from, pile, &drawn)?;
        }
        // A piece that was just put back on the pile must not be drawn again.
        let again: &[PieceId] = if to == pile { &drawn } else { &[] };
        match next_piece_to_draw(ctx, drawing.from, pile, again)? {
            Some(piece) => {
                if ctx.table.knowers(piece) == 0 {
                    hidden.push(piece);
                }
                move_one(ctx, piece, to, End::Top, drawing.up)?;
                drawn.push(piece);
            }
            None if drawing.may_be_short => break,
            None => return Err(too_few(ctx, drawing, drawn.len())),
        }
    }
    // Only pieces that nobody knew are recorded: a player who knows a piece in the pile may have chosen its place there.
    note_laid_together(ctx, &hidden, to);
    Ok(drawn.into_iter().collect())
}

/// Returns the next piece to draw: the top piece of a pile, or a random piece of a bag. Pieces in `drawn` are skipped. Returns `None` if no
/// other piece is left.
///
/// Drawing from a bag makes its pieces indistinguishable.
fn next_piece_to_draw(
    ctx: &mut Context<'_>,
    from: ZoneId,
    pile: SpaceId,
    drawn: &[PieceId],
) -> Answer<Option<PieceId>> {
    if !drawn.is_empty() {
        ctx.spend(ctx.table.height(pile) / OBJECTS_PER_OPERATION + drawn.len() / OBJECTS_PER_OPERATION)?;
    }
    if ctx.table.height(pile) <= drawn.len() {
        return Ok(None);
    }
    if !ctx.table.model().family_of(from).is_bag() {
        return Ok(ctx.table.stack(pile).nth(drawn.len()));
    }
    ctx.spend(ctx.table.height(pile) / OBJECTS_PER_OPERATION)?;
    ctx.table.lose_track(pile);
    let drawn: FxHashSet<PieceId> = drawn.iter().copied().collect();
    let pieces: Vec<PieceId> = ctx.table.stack(pile).filter(|piece| !drawn.contains(piece)).collect();
    draw_index_from_bag(ctx, from, &pieces).map(|at| Some(pieces[at]))
}

/// Creates the fault for a zone with fewer pieces than requested.
fn too_few(ctx: &Context<'_>, drawing: &Draw, drawn: usize) -> Box<Failure> {
    let path = &ctx.table.model().zone(drawing.from).path;
    let there = match drawn {
        0 => "no piece".to_owned(),
        1 => "only 1 piece".to_owned(),
        more => format!("only {more} pieces"),
    };
    let message = format!("{} to be drawn from `{path}`, which had {there}", drawing.count);
    Fault::new("too-few", message, "more than is there")
        .help(format!("write `{path}.draw_up_to({}, …)` where as many are meant as there are", drawing.count))
        .into()
}

/// Shuffles the refill pile into an empty pile. If both exist once per seat or component, the refill pile of the same seat or component is
/// used.
///
/// Pieces drawn by the current call stay where they are, so that no piece is drawn twice.
fn refill(ctx: &mut Context<'_>, zone: ZoneId, pile: SpaceId, drawn: &[PieceId]) -> Answer<()> {
    let model = ctx.table.model().clone();
    let Some(source) = model.family_of(zone).refill else { return Ok(()) };
    let place = zone.0 - model.family_of(zone).zones.start;
    let source = ZoneId(model.family(source).zones.start + place);
    ctx.spend(drawn.len() / OBJECTS_PER_OPERATION)?;
    let drawn: FxHashSet<PieceId> = drawn.iter().copied().collect();
    let pieces: Vec<PieceId> = ctx.table.pieces(source).filter(|piece| !drawn.contains(piece)).collect();
    if pieces.is_empty() {
        return Ok(());
    }
    // This event says that the whole refill pile is shuffled in, so it is recorded only if no drawn piece stays behind. The individual
    // moves are recorded in any case.
    if pieces.len() == ctx.table.pieces(source).count() {
        ctx.note(|_| EventKind::Refilled { zone, from: source });
    }
    for piece in pieces {
        move_one(ctx, piece, pile, End::Top, None)?;
    }
    shuffle(ctx, pile)
}

/// Shuffles a stack. Fails if a playscript has predetermined top pieces that are not in the stack.
fn shuffle(ctx: &mut Context<'_>, space: SpaceId) -> Answer<()> {
    ctx.permissions.check_may_draw()?;
    let fixed = ctx.table.chance.fixed().and_then(|fixed| fixed.shuffles.iter().find(|(known, _)| *known == space));
    if let Some((_, wanted)) = fixed {
        let mut there: Vec<ComponentId> = ctx.table.stack(space).map(|piece| ctx.table.component(piece)).collect();
        let mut missing: Vec<&str> = Vec::new();
        for component in wanted {
            match there.iter().position(|other| other == component) {
                Some(at) => drop(there.swap_remove(at)),
                None => missing.push(&ctx.table.model().component(*component).id),
            }
        }
        if !missing.is_empty() {
            let missing = missing.join("`, `");
            let message =
                format!("this shuffle was fixed to have `{missing}` on top, which is not among what is shuffled");
            return Err(Fault::new("not-among", message, "shuffled here").into());
        }
    }
    ctx.table.shuffle(space);
    let zone = ctx.table.layout().zone_of(space);
    if !ctx.answers.is_rerunning() && ctx.table.is_order_seen(space) {
        let family = ctx.table.model().zone(zone).family;
        if !ctx.journal.seen_orders.contains(&family) {
            ctx.journal.seen_orders.push(family);
        }
    }
    Ok(())
}

fn turn(ctx: &mut Context<'_>, what: &Value, up: bool) -> Answer<()> {
    ctx.check_may_change()?;
    for piece in pieces_of(ctx, what)? {
        if ctx.table.is_up(piece) != up {
            let space = ctx.table.space_of(piece);
            ctx.spend(ctx.table.height(space) / OBJECTS_PER_OPERATION)?;
            ctx.table.turn_over(piece, up);
            ctx.note(|table| EventKind::Shown { look: look(table, piece), is_turned: true, by: table.position.active });
        }
    }
    Ok(())
}

/// Shows pieces to `seats` without moving them. If the pieces are in a hand or bag, those of `seats` that do not normally see into it later
/// lose track of which piece is which (see `Table::look_away`).
fn show(ctx: &mut Context<'_>, what: &Value, seats: u16) -> Answer<()> {
    ctx.check_may_change()?;
    let pieces = pieces_of(ctx, what)?;
    for &piece in &pieces {
        ctx.spend_look(piece)?;
        ctx.table.show(piece, seats);
        ctx.note_to(seats, |table| EventKind::Shown {
            look: look(table, piece),
            is_turned: false,
            by: table.position.active,
        });
    }
    let mut spaces: Vec<SpaceId> = pieces.iter().map(|piece| ctx.table.space_of(*piece)).collect();
    spaces.sort_unstable();
    spaces.dedup();
    for space in spaces {
        ctx.spend(ctx.table.height(space) / OBJECTS_PER_OPERATION)?;
        ctx.table.look_on(space, seats);
    }
    Ok(())
}

fn narrow(ctx: &mut Context<'_>, zone: ZoneId, content: &Value) -> Answer<()> {
    ctx.check_may_change()?;
    ctx.spend(ctx.table.count(zone) / OBJECTS_PER_OPERATION)?;
    let kind = match plain(content)? {
        Choice::Word(word) => ctx.table.model().find_kind(&word),
        _ => None,
    };
    let content = match kind {
        Some(kind) => Content::Kind(kind),
        None => Content::Component(component_of(ctx, content)?),
    };
    let model = ctx.table.model();
    let fits = |piece: PieceId| match content {
        Content::Kind(kind) => model.component(ctx.table.component(piece)).kind == kind,
        Content::Component(component) => ctx.table.component(piece) == component,
    };
    if !ctx.table.without_recording_reads(|table| table.pieces(zone).all(fits)) {
        let path = model.zone(zone).path.clone();
        let fault = Fault::new(
            "not-narrow",
            format!("not every piece in `{path}` is of that kind"),
            "this would tell the players something untrue",
        );
        return Err(fault.into());
    }
    ctx.table.narrow(zone, content);
    Ok(())
}
