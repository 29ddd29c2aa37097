"""Plays games on command, one command per line. `cargo bench --bench rivals` compares the engine with it.

    games GAME PLAYERS COUNT     prints a line for each game: number of decisions, then the score of each player
    time GAME PLAYERS SECONDS    plays for this long; prints the number of games and the processor time
    pace GAME PLAYERS SECONDS    plays for this long; prints the number of games and of decisions
    spiel                        prints 1 if OpenSpiel is installed, otherwise 0
    length NAME COUNT            prints the number of decisions of games in OpenSpiel; 0 if it does not have the game
    spiel-time NAME SECONDS      like time, with OpenSpiel
"""

import random
import sys
import time
from importlib import import_module

sys.dont_write_bytecode = True


def timed(play, argument, seconds):
    begin = time.process_time()
    games = 0
    while True:
        for _ in range(10):
            play(argument)
        games += 10
        spent = time.process_time() - begin
        if spent >= seconds:
            return f"{games} {spent}"


def counted(play, players, seconds):
    begin = time.process_time()
    games, decisions = 0, 0
    while time.process_time() - begin < seconds or games == 0:
        decisions += play(players)[0]
        games += 1
    return f"{games} {decisions}"


def answer(command, *words):
    if command == "games":
        name, players, count = words
        module = import_module(name)
        for _ in range(int(count)):
            decisions, scores = module.play(int(players))
            yield " ".join(str(number) for number in [decisions, *scores])
    elif command == "time":
        name, players, seconds = words
        yield timed(import_module(name).play, int(players), float(seconds))
    elif command == "pace":
        name, players, seconds = words
        yield counted(import_module(name).play, int(players), float(seconds))
    elif command == "spiel":
        try:
            import_module("spiel")
            yield "1"
        except ImportError:
            yield "0"
    elif command == "length":
        name, count = words
        spiel = import_module("spiel")
        is_known = name in spiel.NAMES
        yield str(sum(spiel.decisions(name) for _ in range(int(count))) if is_known else 0)
    elif command == "spiel-time":
        name, seconds = words
        yield timed(import_module("spiel").play, name, float(seconds))
    else:
        raise SystemExit(f"no such command: {command}")


random.seed(7)
for line in sys.stdin:
    for said in answer(*line.split()):
        print(said, flush=True)
