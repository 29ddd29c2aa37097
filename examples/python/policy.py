"""A small policy that learns: which options are good, where what stands on the table.

It goes by what every agent is told, the view and the options as plays write them, and knows no game: each thing that is seen, alone
and beside each option, is one of many numbers (hashed features), and an option is as good as the sum of its own.
"""

import math
import random
import zlib
from pathlib import Path

import numpy as np

SIZE = 1 << 16


def seen(view, seat):
    """What is seen, each thing a text: seats are told from the one that looks."""
    whose = lambda number: "-" if number is None else "own" if number == seat else "other"
    things = [f"phase {view['phase']}"]
    for zone in view["zones"]:
        for space in zone["spaces"]:
            for piece in space["pieces"]:
                face = piece.get("component")
                if face is not None:
                    things.append(f"{whose(zone['seat'])} {zone['zone'].split('[')[0]} {space['space']} {face}")
    for name, held in view["values"].items():
        for of, value in held.items():
            of = whose(int(of)) if of.isdigit() else of
            if not isinstance(value, (dict, list)):
                things.append(f"{of} {name} {value}")
    return things


def features(decision, view, seat, options):
    """For each option the numbers that speak of it."""
    context = [f"{decision}|{thing}" for thing in seen(view, seat)]
    def of(option):
        texts = [f"{decision}={option}"] + [f"{thing}={option}" for thing in context]
        return np.array([zlib.crc32(text.encode()) % SIZE for text in texts])
    return [of(option) for option in options]


class Policy:
    """Chooses in proportion to how good options look, or the best."""

    def __init__(self, weights=None, seed=0):
        self.weights = np.zeros(SIZE) if weights is None else weights
        self.chance = random.Random(seed)
        self.trace = None

    def chances(self, rows):
        goods = np.array([self.weights[row].sum() / math.sqrt(len(row)) for row in rows])
        likely = np.exp(goods - goods.max())
        return likely / likely.sum()

    def choose(self, decision, view, seat, options):
        rows = features(decision, view, seat, options)
        likely = self.chances(rows)
        if self.trace is None:
            return int(likely.argmax())
        at = self.chance.choices(range(len(rows)), likely)[0]
        self.trace.append((rows, likely, at))
        return at

    def __call__(self, decision, view):
        """As an agent of the module."""
        return self.choose(decision.name, view, decision.seat, [option.written for option in decision.options])

    def learn(self, reward, rate):
        """Makes what was chosen likelier where it brought more than expected (REINFORCE, Williams 1992)."""
        for rows, likely, at in self.trace:
            for number, row in enumerate(rows):
                change = rate * reward * (float(number == at) - likely[number]) / math.sqrt(len(row))
                np.add.at(self.weights, row, change)
        self.trace = []

    def save(self, path):
        np.savez_compressed(path, weights=self.weights.astype(np.float32))

    @classmethod
    def read(cls, path):
        return cls(np.load(Path(path))["weights"].astype(float))
