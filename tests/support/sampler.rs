//! Small game that uses every kind of zone, value and component, for tests of scripts.

#![allow(dead_code, reason = "each test program uses a part of it")]

/// `game.toml`: three seats, a deck of eight cards, a discard pile, hands, three lots, a track, a board, a map for tiles and a die.
pub(crate) const GAME: &str = r#"
[game]
id = "sampler"
name = "Sampler"
players = { min = 3, max = 3 }

[options.length]
values = ["short", "long"]

[params]
bonus = 10
prices = [1, 2, 3]

[zones.deck]
shape = "pile"
starts_with = ["card"]
face = "down"
refill = "discard"
[zones.discard]
shape = "pile"
[zones.hand]
per = "seat"
shape = "hand"
[zones.lots]
shape = "pile"
copies = 3
[zones.track]
shape = "row"
spaces = 5
[zones.board]
shape = "grid"
columns = 3
rows = 3
[zones.map]
shape = "grid"
columns = [-2, 3]
rows = [-2, 3]
[zones.tiles]
shape = "pile"
starts_with = ["tile"]
[zones.cup]
shape = "pile"
starts_with = ["die"]

[values.game]
trend = 0
mood = { words = ["calm", "wild"], start = "calm" }
[values.seat]
cash = { start = 5, min = 0 }
[values.card]
taps = 0

[decisions.pick]
ask = "Pick one"
[decisions.bid]
ask = "Bid"
parts = { lot = "lots", price = "number" }
[decisions.sure]
ask = "Sure?"

[flow]
setup = ["set_up"]
round = ["play"]
rounds = 1
ending = "over"

[phases.play]
steps = [{ each_seat = "turn_of" }]

[endings]
over = "The game is over"
broke = "Somebody is broke"

[says]
pays = "{seat} pays {price}"

[options.weather]
values = ["dry", "wet"]
overlay = { wet = "overlays/wet.toml" }

[zones.charms]
per = "seat"
shape = "hand"
in_force = true

[altered]
upkeep = "What a seat pays"

[values.piece]
secret = { start = 0, seen_by = "nobody" }

[values.game.marked]
type = "piece"
[values.seat.sold]
start = 0
per = "card"
[values.seat.bids]
type = ["number"]
most = 5
max = 99
[values.seat.aim]
type = "piece"
"#;

/// Components: cards, tiles, a die and lanes.
pub(crate) const COMPONENTS: &str = r##"
[cells]
F = { land = "field", size = 1, color = "#c8d86a" }
W = { land = "wood", size = 1, color = "#3d6b35" }
"*" = { size = 2 }
[kinds.card]
fields = { struck = { type = "function", default = "nothing" } }
[[card]]
id = "ace"
suit = "red"
points = 11
alters = [{ what = "upkeep", add = 3 }]
fits = ["red", "blue"]
[[card]]
id = "king"
suit = "red"
points = 5
fits = ["red"]
count = 3
[[card]]
id = "two"
suit = "blue"
points = 2
alters = [{ what = "upkeep", color = ["red", "green"], set = 0 }]
fits = ["blue"]
count = 2
[[card]]
id = "one"
suit = "blue"
points = 1
alters = [{ what = "upkeep", set = 9 }]
fits = ["blue"]
count = 2
[[tile]]
id = "grove"
cells = ["W F", "F W*"]
roads = ["die"]
[[tile]]
id = "clover"
cells = ["F F", "F W"]
roads = ["grove"]
count = 2
[[die]]
id = "die"
faces = [1, 2, 3]
[[lane]]
id = "low"
ends = ["grove", "clover"]
length = 2
count = 0
[[lane]]
id = "high"
ends = ["clover", "die"]
length = 3
count = 0
"##;

/// Overlay of the option `weather = wet`.
pub(crate) const WET: &str = r#"
[zones.attic]
shape = "pile"
[values.seat]
patience = 3
[decisions.rest]
ask = "Rest?"
[[card]]
id = "joker"
suit = "green"
points = 20
fits = ["red"]
"#;

/// Returns the files of the game with the given rules.
pub(crate) fn texts(rules: &str) -> Vec<(String, String)> {
    let files = [
        ("game.toml", GAME),
        ("components/cards.toml", COMPONENTS),
        ("overlays/wet.toml", WET),
        ("rules/play.rhai", rules),
    ];
    files.map(|(path, text)| (path.to_owned(), text.to_owned())).to_vec()
}
