//! Generated games in which one quantity has a given size.

use parlour::session::Game;

/// Series of games in which one quantity grows.
pub(crate) struct Series {
    pub(crate) name: &'static str,
    /// Description: the quantity that grows, and the actions of a turn.
    pub(crate) about: &'static str,
    pub(crate) sizes: &'static [usize],
    /// Parameters of the game for a size.
    parameters: fn(usize) -> Parameters,
    /// Number of decisions that are played before the measurement, for a size.
    pub(crate) after: fn(usize) -> usize,
}

/// Parameters of a generated game.
struct Parameters {
    cards: usize,
    hand: usize,
    zones: usize,
    seats: usize,
    /// Script of a turn.
    turn: &'static str,
}

/// Script of a turn: the seat chooses one of three numbers, and a card is moved and returned.
const PLAIN: &str =
    "let n = choose_number(seat, \"pick\", 1, 3); deck.draw(1, slot[n]); slot[n].move_to(deck); seat.money += n;";

const SMALL: Parameters = Parameters { cards: 50, hand: 3, zones: 3, seats: 2, turn: PLAIN };

pub(crate) const SERIES: [Series; 9] = [
    Series {
        name: "pieces, unlooked at",
        about: "cards in a deck; a turn draws one and puts it back",
        sizes: &[50, 150, 500, 1500, 5000],
        parameters: |size| Parameters { cards: size, ..SMALL },
        after: |_| 10,
    },
    Series {
        name: "pieces, counted",
        about: "cards in a deck; a turn counts those of one kind among them all",
        sizes: &[50, 150, 500, 1500, 5000],
        parameters: |size| Parameters {
            cards: size,
            turn: "let n = choose_number(seat, \"pick\", 1, 3); seat.money += deck.count(\"worth\", n);",
            ..SMALL
        },
        after: |_| 10,
    },
    Series {
        name: "cards in hand, offered",
        about: "cards in each hand; a turn offers all of them, and one is shown and taken back",
        sizes: &[3, 10, 30, 100, 300, 1000],
        parameters: |size| Parameters {
            cards: 2 * size + 50,
            hand: size,
            turn: "let card = choose(seat, \"play\", seat.hand); card.move_to(discard); discard.move_to(seat.hand);",
            ..SMALL
        },
        after: |_| 10,
    },
    Series {
        name: "cards in hand, unlooked at",
        about: "cards in each hand; a turn draws a card of the deck and puts it back",
        sizes: &[3, 10, 30, 100, 300, 1000],
        parameters: |size| Parameters { cards: 2 * size + 50, hand: size, ..SMALL },
        after: |_| 10,
    },
    Series {
        name: "zones",
        about: "piles; a turn moves a card to one of the first three of them and back",
        sizes: &[3, 10, 30, 100, 300],
        parameters: |size| Parameters { zones: size, ..SMALL },
        after: |_| 10,
    },
    Series {
        name: "seats",
        about: "players in turn; a turn looks at its own seat",
        sizes: &[2, 4, 8, 16],
        parameters: |size| Parameters { seats: size, cards: 100, ..SMALL },
        after: |_| 10,
    },
    Series {
        name: "rounds",
        about: "rounds that have been played, of four decisions; a turn is two questions",
        sizes: &[3, 10, 30, 100, 300, 1000, 2500],
        parameters: |_| Parameters {
            turn: "for again in 0..2 { let n = choose_number(seat, \"pick\", 1, 3); seat.money += n; }",
            ..SMALL
        },
        after: |size| 4 * size,
    },
    Series {
        name: "log",
        about: "decisions that have been made and stand in the log",
        sizes: &[10, 30, 100, 300, 1000, 3000, 10000],
        parameters: |_| SMALL,
        after: |size| size,
    },
    Series {
        name: "log of one step",
        about: "decisions that have been made in the step that goes on",
        sizes: &[10, 30, 100, 300, 1000, 3000, 10000],
        parameters: |_| Parameters {
            turn: "while true { let n = choose_number(seat, \"pick\", 1, 3); seat.money += n; }",
            ..SMALL
        },
        after: |size| size,
    },
];

/// Generates the game of a series for a size.
pub(crate) fn game(series: &Series, size: usize) -> Game {
    let parameters = (series.parameters)(size);
    let files = [
        ("game.toml", toml(&parameters)),
        ("components/cards.toml", cards(&parameters)),
        ("rules/turn.rhai", rules(&parameters)),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text));
    parlour::load_texts("synthetic", files).unwrap_or_else(|found| panic!("{found}"))
}

fn toml(parameters: &Parameters) -> String {
    format!(
        r#"
[game]
format = 1
id = "synthetic"
players = {{ min = {seats}, max = {seats} }}

[params.hand_size]
value = {hand}

[zones.deck]
shape = "pile"
starts_with = ["card"]
face = "down"

[zones.hand]
shape = "hand"
per = "seat"

[zones.slot]
shape = "pile"
copies = {zones}

[zones.discard]
shape = "pile"

[values.seat]
money = {{ start = 0 }}

[decisions.pick]
ask = "Which number?"
tell = "{{seat}} picks {{choice}}"

[decisions.play]
ask = "Which card?"
tell = "{{seat}} plays {{choice}}"

[flow]
setup = ["deal"]
round = ["play"]
rounds = 99999

[phases.play]
steps = [{{ each_seat = "turn" }}]

[endings]
calendar = "The calendar is full"
"#,
        seats = parameters.seats,
        hand = parameters.hand,
        zones = parameters.zones,
    )
}

/// Returns the TOML of fifty different cards, with enough copies for the number of cards in `parameters`.
fn cards(parameters: &Parameters) -> String {
    let card = |at: usize| {
        let count = (parameters.cards + 49 - at) / 50;
        format!("[[card]]\nid = \"card_{at}\"\nworth = {}\ncount = {count}\n\n", at % 5)
    };
    (0..50).map(card).collect()
}

fn rules(parameters: &Parameters) -> String {
    format!(
        r"
/// Shuffles the deck and deals a hand to each seat.
fn deal() {{
    deck.shuffle();
    for seat in seats {{ deck.draw(hand_size, seat.hand); }}
}}

/// Plays one turn.
fn turn(seat) {{ {} }}

/// Returns the seat's money as its score.
fn score(seat) {{ seat.money }}
",
        parameters.turn
    )
}
