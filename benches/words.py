#!/usr/bin/env python3
"""Measures the instructions per use of single words of the rule language, with callgrind.

For each word, a game is generated whose turn uses it fifty times. The count of the same turn without the word is subtracted. The pile
has 52 cards; the board has 64 squares with ten marks.
"""

import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

WORDS = {
    "a call of a function of the rules": "x = one_more(i);",
    "`card.rank`": "x = card.rank;",
    "`game.held`": "x = game.held;",
    "`[i, 2, 3]`": "x = [i, 2, 3];",
    "`#{ low: i, high: 2 }`": "x = #{ low: i, high: 2 };",
    "`list.push(i)`": "list.push(i); if list.len() > 30 { list = []; }",
    "`roll(6)`": "x = roll(6);",
    '`components("card").count()`': 'x = components("card").count();',
    "`card in deck.pieces`": "x = card in deck.pieces;",
    '`deck.pieces.where("suit", "red")`': 'x = deck.pieces.where("suit", "red");',
    '`deck.pieces.find("rank", 7)`': 'x = deck.pieces.find("rank", 7);',
    '`deck.pieces.count("suit", "red")`': 'x = deck.pieces.count("suit", "red");',
    '`deck.pieces.sum("rank")`': 'x = deck.pieces.sum("rank");',
    '`deck.pieces.with_most("rank")`': 'x = deck.pieces.with_most("rank");',
    '`deck.pieces.sort_by("rank")`': 'x = deck.pieces.sort_by("rank");',
    "`deck.pieces.filter(|one| one.rank > 5)`": "x = deck.pieces.filter(|one| one.rank > 5);",
    "`board.empty`": "x = board.empty;",
    "`space.line()`": "x = spot.line();",
    "`space.neighbors()`": "x = spot.neighbors();",
    "`card.move_to(…)`, twice": "card.move_to(aside); card.move_to(deck);",
}

USES = 50
DECISIONS = 40

GAME = """[game]
id = "words"
name = "Words"
players = { min = 2, max = 2 }
provenance = "own: a measure"

[zones.board]
shape = "grid"
columns = 8
rows = 8
accepts = ["mark"]

[zones.deck]
shape = "pile"
starts_with = ["card"]
accepts = ["card"]
seen_by = "everybody"

[zones.aside]
shape = "pile"
accepts = ["card"]
seen_by = "everybody"

[zones.supply]
per = "seat"
shape = "hand"
starts_with = ["mark"]
accepts = ["mark"]
seen_by = "everybody"

[values.game]
held = { type = "number" }

[decisions.go]
ask = "Go?"
tell = "{seat} goes {choice}"

[flow]
setup = ["set_up"]
round = ["play"]
rounds = 20

[phases.play]
steps = [{ each_seat = "turn" }]
"""

KINDS = """[kinds.mark]

[kinds.card]

[kinds.card.fields]
suit = "word"
rank = "number"

[[mark]]
id = "mark"
each = "seat"
count = 5
"""

RULES = """fn set_up() {
    let at = 0;
    for seat in seats {
        for mark in seat.supply.pieces {
            mark.move_to(board.empty[at]);
            at += 2;
        }
    }
}

fn turn(seat) {
    let x = ();
    let list = [];
    let card = deck.pieces[20];
    let spot = board.pieces[3].space;
    for i in 0..%d { %s }
    choose(seat, "go", ["left", "right"]);
}

fn one_more(i) { i + 1 }

fn score(seat) { 0 }
"""


def write(folder, code):
    """Writes a game whose turn repeats a piece of code."""
    suits = ("red", "blue", "green", "black")
    cards = [f'\n[[card]]\nid = "c{at}"\nsuit = "{suits[at % 4]}"\nrank = {at // 4 + 1}\n' for at in range(52)]
    for name, text in (
        ("game.toml", GAME),
        ("components/cards.toml", KINDS + "".join(cards)),
        ("rules/play.rhai", RULES % (USES, code)),
    ):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def instructions(program, folder):
    """Returns the number of instructions of a game."""
    out = folder / "counted"
    counting = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--toggle-collect=*playouts*counted*"]
    told = subprocess.run([*counting, program, str(folder), "2", "1"], check=True, capture_output=True, text=True).stdout
    assert int(told) == DECISIONS, told
    return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M)[1])


def main():
    building = ["cargo", "bench", "--quiet", "--locked", "--bench", "playouts", "--no-run", "--message-format=json"]
    built = subprocess.run(building, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    program = re.findall(r'"name":"playouts".*"executable":"([^"]*)"', built)[-1]
    with tempfile.TemporaryDirectory() as work:
        taken = {}
        for at, (word, code) in enumerate({"": "x = i;", **WORDS}.items()):
            folder = pathlib.Path(work) / str(at)
            write(folder, code)
            taken[word] = instructions(program, folder)
        for word in WORDS:
            print(f"{word}: {(taken[word] - taken['']) / (USES * DECISIONS):,.0f}")


if __name__ == "__main__":
    main()
