"""Measures the speed of random games of Stockpile with four players on one thread: by the program, as a batch, and decision by decision.

    python benches/python_module.py [GAMES] [PROGRAM]

Without PROGRAM, the program of the module is used. Each is run three times alternately, and the best time counts.
"""

import random
import subprocess
import sys
import time

import parlour

GAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 400
PROGRAM = sys.argv[2:] or [sys.executable, "-m", "parlour"]


def seconds(play):
    begin = time.process_time()
    play()
    return time.process_time() - begin


def program(games):
    """Processor time of the program itself. The time of a run with fewer games is subtracted, because it contains the startup."""
    import resource

    def run(count):
        words = ["simulate", "stockpile", "--players", "4", "--games", str(count), "--seed", "7", "--jobs", "1", "--agents", "random"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*PROGRAM, *words], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return run(games + 1) - run(1)


def decisions(game, games):
    for seed in range(games):
        chance = random.Random(seed)
        session = game.start(4, seed)
        while (asked := session.decision) is not None:
            session.choose(int(chance.random() * len(asked)))


def main():
    game = parlour.load("stockpile")
    decisions(game, 2)
    ways = {
        "the program": lambda: program(GAMES),
        "a batch": lambda: seconds(lambda: game.simulate(GAMES, players=4, seed=7, threads=1)),
        "decision by decision": lambda: seconds(lambda: decisions(game, GAMES)),
    }
    best = {name: float("inf") for name in ways}
    for _ in range(3):
        for name, way in ways.items():
            best[name] = min(best[name], way())
    for name, taken in best.items():
        print(f"{name:22} {1000 * taken / GAMES:7.3f} ms a game, {best['the program'] / taken:.2f} of the program's speed")


if __name__ == "__main__":
    main()
