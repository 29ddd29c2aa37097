//! Plays a game for its rulebook: captures the table after the setup, and the beginning of a game as an example.

use crate::agents;
use crate::decision::EventKind;
use crate::diagnostic::Source;
use crate::model::{KindId, Language, Model, Op, OptionType, Owner, Seat, Setting, SpaceId, Value, ValueId, ValueType};
use crate::paper::{Example, Marker, MarkerOf, SetPiece, SetTable, Variant};
use crate::phrases::Phrases;
use crate::playscript::{self, Cast, Play, StatementKind};
use crate::session::{Game, Opening, Session, Setup, Start, Status};
use crate::table::{Holder, View};
use crate::wording::{LogLine, Wording};
use std::sync::Arc;

/// Seed of the setup and, if the game has no recording, of the example game.
const SEED: u64 = 1;

/// Number of players of the example, unless the sheets are for a given number of players or the game does not allow this number.
const USUAL_PLAYERS: u8 = 3;

/// Maximum number of lines of an example.
const MAX_LINES: usize = 100;

/// Maximum number of lines of an example about the start of the game.
const MAX_START_LINES: usize = 14;

/// Returns the game with each other value of each option that is a word. Leaves out values with which the game has mistakes.
pub(super) fn variants(game: &Game, setup: &Setup, model: &Model) -> Vec<Variant> {
    let mut variants = Vec::new();
    for option in model.options.values() {
        let OptionType::Word(words) = &option.kind else { continue };
        for value in words.iter().filter(|word| option.value != Setting::Word((*word).clone())) {
            let mut setup = setup.clone();
            setup.options.retain(|(name, _)| **name != *option.id);
            setup.options.push((option.id.to_string(), value.to_string()));
            let Ok(layout) = game.layout(&setup) else { continue };
            variants.push(Variant { option: option.id.clone(), value: value.clone(), model: layout.model.clone() });
        }
    }
    variants
}

/// Returns the table after the setup or, if the setup cannot be run on its own, at the first decision of the game. Returns `None` if the
/// game cannot be played.
pub(super) fn set_table(game: &Game, setup: &Setup) -> Option<SetTable> {
    let setup = setup.clone().seed(SEED);
    let after_setup = session_after_setup(game, &setup);
    let is_after_setup = after_setup.is_some();
    let session = match after_setup {
        Some(session) => session,
        None => Session::start(game, &setup).ok()?,
    };
    let (model, view) = (session.model().clone(), session.view(Seat(0)));
    let spaces = (0..model.spaces.len()).map(|space| pieces(&model, &view, SpaceId::at(space))).collect();
    Some(SetTable { is_after_setup, spaces, markers: markers(&model, &view), values: values(&model, &view), model })
}

/// Runs only the setup. Returns `None` if there is no setup, if it contains anything but calls of functions, if it asks questions, or if it
/// fails.
fn session_after_setup(game: &Game, setup: &Setup) -> Option<Session> {
    let opening = Opening { start: Start::Nowhere, ..Opening::default() };
    let mut session = Session::open(game, setup, opening).ok()?;
    let model = session.model().clone();
    let mut calls = String::new();
    for op in model
        .flow
        .ops
        .iter()
        .take_while(|op| !matches!(op, Op::RoundBegins | Op::PhaseBegins { .. } | Op::FinishBegins | Op::Over))
    {
        match op {
            Op::Call(call) if !call.takes_seat => calls.extend([&*call.function, "(); "]),
            _ => return None,
        }
    }
    if calls.is_empty() {
        return None;
    }
    session.carry_out(&Arc::new(Source { path: "setup".to_owned(), text: calls }));
    matches!(session.status(), Status::Resting).then_some(session)
}

/// Returns the pieces on a space from the bottom up. Pieces that the viewer cannot tell apart show only their backs.
fn pieces(model: &Model, view: &View<'_>, space: SpaceId) -> Vec<SetPiece> {
    let kind_of_back =
        |back: &str| model.kinds.iter().position(|kind| *kind.back == *back).map_or(KindId::at(0), KindId::at);
    let seen = view.seen(space);
    let mut pieces: Vec<SetPiece> = seen
        .iter()
        .map(|piece| SetPiece { face: piece.face, back: kind_of_back(piece.back), is_up: piece.up })
        .collect();
    let family = model.family_of(model.space(space).zone);
    let back = family.accepts.first().map(|content| match content {
        crate::model::Content::Kind(kind) => *kind,
        crate::model::Content::Component(id) => model.component(*id).kind,
    });
    let hidden = SetPiece { face: None, back: back.unwrap_or(KindId::at(0)), is_up: false };
    pieces.extend(std::iter::repeat_n(hidden, view.height(space).saturating_sub(seen.len())));
    pieces
}

/// Returns a marker for each space that a value of the game, a seat or a component refers to. Leaves out list values.
fn markers(model: &Model, view: &View<'_>) -> Vec<Marker> {
    let mut markers = Vec::new();
    for (at, value) in model.values.iter().enumerate() {
        if !matches!(value.kind, ValueType::Space(_)) || value.is_held() || matches!(value.owner, Owner::Piece(_)) {
            continue;
        }
        for holder in view.holders(ValueId::at(at)) {
            let Some(raw) = view.value(ValueId::at(at), holder).filter(|raw| *raw != Value::NOTHING) else { continue };
            let of = match holder {
                Holder::Seat(seat) => MarkerOf::Seat(seat),
                Holder::Component(id) => MarkerOf::Component(id),
                _ => MarkerOf::Game,
            };
            markers.push(Marker { space: SpaceId(raw as u16), of });
        }
    }
    markers
}

/// Returns the first player's current amount of each numeric seat value. Leaves out values that the table or the log hides.
fn values(model: &Model, view: &View<'_>) -> Vec<(ValueId, i64)> {
    let numbers = model
        .values
        .iter()
        .enumerate()
        .filter(|(_, value)| value.owner == Owner::Seat && value.is_number() && value.is_shown && !value.is_quiet);
    numbers.filter_map(|(at, _)| Some((ValueId::at(at), view.value(ValueId::at(at), Holder::Seat(Seat(0)))?))).collect()
}

/// Returns the log of the first round of an example game, which the game's first agent plays. Without agents, the example is a recording
/// that comes with the game or, if there is none, a game played at random. Returns `None` if the game cannot be played, or if nobody has to
/// decide anything.
pub(super) fn example(game: &Game, setup: &Setup, players: Option<u8>, language: Language) -> Option<Example> {
    let allowed = game.players();
    let wanted = players.unwrap_or_else(|| USUAL_PLAYERS.clamp(*allowed.start(), *allowed.end()));
    let setup = Setup { seats: wanted, ..setup.clone() };
    let own = game.agents().first().map(|agent| crate::diagnostic::Role::Agent.name(&agent.path).to_owned());
    let by_agent = own.and_then(|agent| played(game, &setup, &agent));
    let session = by_agent.or_else(|| recorded(game, &setup)).or_else(|| played(game, &setup, "random"))?;
    let wording = Wording::new(session.model().clone(), session.setup().clone(), language);
    let is_asked = session.events().iter().any(|event| matches!(event.kind, EventKind::Chose { .. }));
    if !is_asked {
        return None;
    }
    let mut rounds = 0;
    let events = session.events().iter().take_while(|event| {
        rounds += usize::from(matches!(event.kind, EventKind::Round(_)));
        rounds < 2
    });
    let events = events.filter(|event| !matches!(event.kind, EventKind::Pictured(_) | EventKind::Shuffled(_)));
    let seats: Vec<&str> = session.model().all_seats().map(|seat| wording.seat(seat)).collect();
    let log = brief(wording.log_lines(events), &seats, language);
    let mut lines: Vec<String> =
        log.iter().flat_map(|line| wording.lay_out(line)).map(|line| without_ids(&line)).collect();
    if lines.len() > MAX_LINES {
        lines.truncate(MAX_LINES);
        lines.push("    …".to_owned());
    }
    Some(Example { players: session.setup().seats, lines })
}

/// Shortens a log for readers of an example. Sentences about actions do not list the pieces that the action moves. Moves without a sentence
/// are kept only at the beginning of a phase, where pieces are dealt; before the first round, only moves to `seats` are. Such moves become
/// one line for each place, without the place from which the pieces come.
fn brief(lines: Vec<LogLine>, seats: &[&str], language: Language) -> Vec<LogLine> {
    let phrases = Phrases::for_language(language);
    let log = &phrases.log;
    let begins = lines.iter().position(|line| matches!(line, LogLine::Round(_))).unwrap_or(0);
    // A move names both places before the pieces, such as `Deck → Hand: 7`. A change of a value has the arrow after the name.
    let colon = log.colon.trim_end();
    let is_move = |part: &str| part.split_once(colon).is_some_and(|(places, _)| places.contains('→'));
    let event = |sentence: String, changes: String| LogLine::Event { sentence, changes };
    let (mut kept, mut is_first) = (Vec::new(), true);
    for (at, line) in lines.into_iter().enumerate() {
        match line {
            LogLine::Event { sentence, changes } if !sentence.is_empty() => {
                is_first &= changes.is_empty();
                let results: Vec<&str> = changes.split(log.semicolon).filter(|part| !is_move(part)).collect();
                kept.push(event(sentence, results.join(log.semicolon)));
            }
            LogLine::Event { changes, .. } => {
                if is_move(&changes) {
                    let dealt = if is_first || at < begins { dealt_pieces(&changes, language) } else { Vec::new() };
                    let dealt = dealt
                        .into_iter()
                        .filter(|(place, _)| at >= begins || seats.iter().any(|seat| place.starts_with(seat)));
                    kept.extend(dealt.map(|(place, pieces)| {
                        event(format!("{place}{}{}", log.colon, pieces.join(log.comma)), String::new())
                    }));
                } else {
                    kept.push(event(changes, String::new()));
                }
            }
            LogLine::Round(_) | LogLine::Phase(_) | LogLine::Drawing(_) => {
                if at == begins {
                    kept.truncate(MAX_START_LINES);
                    if !kept.is_empty() {
                        kept.insert(0, LogLine::Round(phrases.book.start_of_example.to_owned()));
                    }
                }
                is_first = true;
                kept.push(line);
            }
        }
    }
    kept
}

/// Parses moves such as `Deck → Ann's hand: 5, 7; Ben's hand: 9`. Returns the destinations, each with its pieces. Merges the spaces of a
/// zone, whose names follow in parentheses.
fn dealt_pieces(changes: &str, language: Language) -> Vec<(String, Vec<String>)> {
    let log = &Phrases::for_language(language).log;
    let mut places: Vec<(String, Vec<String>)> = Vec::new();
    for part in changes.split(log.semicolon) {
        let part = part.split_once('→').map_or(part, |(_, to)| to).trim();
        let Some((place, pieces)) = part.split_once(log.colon) else { continue };
        let place = place.split_once(['(', '\u{ff08}']).map_or(place, |(zone, _)| zone).trim();
        match places.iter_mut().find(|(known, _)| known == place) {
            Some((_, known)) => known.push(pieces.to_owned()),
            None => places.push((place.to_owned(), vec![pieces.to_owned()])),
        }
    }
    places
}

/// Removes the ids in parentheses that follow names of places. The ids help authors to tell places with the same name apart, but mean
/// nothing to players.
fn without_ids(line: &str) -> String {
    let (mut kept, mut rest) = (String::new(), line);
    while let Some((at, open)) = rest.char_indices().find(|(_, letter)| matches!(letter, '(' | '\u{ff08}')) {
        let inner = &rest[at + open.len_utf8()..];
        let Some((end, close)) = inner.char_indices().find(|(_, letter)| matches!(letter, ')' | '\u{ff09}')) else {
            break;
        };
        let id = &inner[..end];
        let is_id = id.contains('_') && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let after = at + open.len_utf8() + end + close.len_utf8();
        kept.push_str(if is_id { rest[..at].trim_end() } else { &rest[..after] });
        rest = &rest[after..];
    }
    kept + rest
}

/// Replays the first recording that has the same options and number of players as `setup`, and no changed data.
fn recorded(game: &Game, setup: &Setup) -> Option<Session> {
    let layout = game.layout(setup).ok()?;
    let find = |_: &str| Ok(game.clone());
    let cast = Cast { game: &find, agent: &agents::in_play, covering: false };
    let plays = layout.model.plays.iter().filter_map(|source| playscript::parse(source).ok());
    let is_like = |play: &Play| {
        let changes = play.head.iter().filter_map(|statement| match &statement.what {
            StatementKind::Option(name, value) => Some((name.clone(), value.clone())),
            _ => None,
        });
        let is_changed = play.head.iter().any(|statement| matches!(statement.what, StatementKind::Set(..)));
        let names = play.head.iter().find_map(|statement| match &statement.what {
            StatementKind::Players(names) => Some(names.len()),
            _ => None,
        });
        playscript::is_recording(play)
            && names == Some(usize::from(setup.seats))
            && !is_changed
            && changes.collect::<Vec<_>>() == setup.options
    };
    let play = plays.into_iter().find(is_like)?;
    playscript::resume(&play, &cast).ok().map(|resumed| resumed.session)
}

/// Plays the first round with an agent.
fn played(game: &Game, setup: &Setup, agent: &str) -> Option<Session> {
    let setup = setup.clone().seed(SEED);
    let own = game.agents();
    let mut players = (0..usize::from(setup.seats))
        .map(|seat| agents::in_play(own, agent, SEED, seat))
        .collect::<Result<Vec<_>, _>>()
        .ok()?;
    let mut session = Session::start(game, &setup).ok()?;
    for _ in 0..1_000 {
        let rounds = session.events().iter().filter(|event| matches!(event.kind, EventKind::Round(_))).count();
        let Some(observation) = session.observation().filter(|_| rounds < 2) else { break };
        let at = players[observation.seat().index()].choose(&observation).ok()?;
        session.choose(at).ok()?;
    }
    Some(session)
}

#[cfg(test)]
mod tests {
    use super::{brief, without_ids};
    use crate::model::Language;
    use crate::wording::LogLine;

    #[test]
    fn an_example_has_no_ids_and_no_moves_after_sentences() {
        assert_eq!(
            without_ids("Ann sends a boy: second space (at_w2), first (2) (x"),
            "Ann sends a boy: second space, first (2) (x"
        );
        let event = |sentence: &str, changes: &str| LogLine::Event {
            sentence: sentence.to_owned(),
            changes: changes.to_owned(),
        };
        let headings = || [LogLine::Round("Round 1".to_owned()), LogLine::Phase("Supply".to_owned())];
        let mut lines = vec![event("Ann begins", ""), event("", "Deck → Ben's Hand: rook; Pile: king")];
        lines.extend(headings());
        lines.extend([
            event("", "Deck → Pile (left): card; Pile (right): coin; Table: queen"),
            event("Ann bids 3", "Hand → Track: meeple; cash 5 → 2"),
            event("", "Pile → Deck: card"),
        ]);
        let mut expected = vec![LogLine::Round("The start".to_owned())];
        expected.extend([event("Ann begins", ""), event("Ben's Hand: rook", "")]);
        expected.extend(headings());
        expected.extend([event("Pile: card, coin", ""), event("Table: queen", ""), event("Ann bids 3", "cash 5 → 2")]);
        assert_eq!(brief(lines, &["Ann", "Ben"], Language::English), expected);
    }
}
