"""A small policy: which options look good, where what stands on the table.

It goes by what every agent is told, the view and the options as plays write them, and knows no game: each thing that is seen, and each
word of an option, is one of many numbers (hashed features), for which a small network learns what they stand for.
"""

import random
import zlib

import numpy as np

SIZE, WIDTH = 1 << 12, 64
NONE = -1e9


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


def stacked(arrays):
    """Arrays of numbers as one, filled up with 0; sizes are powers of 2, so that few are different."""
    sizes = [1 << (most - 1).bit_length() for most in map(max, zip(*(array.shape for array in arrays)))]
    full = np.zeros((len(arrays), *sizes), int)
    for row, array in zip(full, arrays):
        row[tuple(map(slice, array.shape))] = array
    return full


def features(decision, view, seat, options):
    """The numbers of what is seen, and a row of those of each option; 0 is none."""
    number = lambda text: zlib.crc32(f"{decision} {text}".encode()) % (SIZE - 1) + 1
    things = np.array([number(thing) for thing in seen(view, seat)])
    return things, stacked([np.array([number(option), *map(number, option.split())]) for option in options])


def looks(weights, things, words, np=np):
    """How good each option looks, and what is expected, of one decision or of many: `np` may be JAX's."""
    sums = lambda table, numbers: (table[numbers] * (numbers > 0)[..., None]).sum(-2)
    place = np.tanh(sums(weights["things"], things))
    each = np.tanh(sums(weights["words"], words) + (place @ weights["both"])[..., None, :])
    return np.where(words[..., 0] > 0, each @ weights["good"], NONE), place @ weights["expected"]


class Policy:
    """Chooses in proportion to how good options look, or the best."""

    def __init__(self, weights=None, seed=0):
        draw = np.random.default_rng(seed).normal
        self.weights = weights or {
            "things": draw(0, 0.1, (SIZE, WIDTH)),
            "words": draw(0, 0.1, (SIZE, WIDTH)),
            "both": draw(0, WIDTH**-0.5, (WIDTH, WIDTH)),
            "good": np.zeros(WIDTH),
            "expected": np.zeros(WIDTH),
        }
        self.chance = random.Random(seed)

    def choose(self, decision, view, seat, options):
        """The option that looks best."""
        return int(looks(self.weights, *features(decision, view, seat, options))[0].argmax())

    def draw(self, things, words):
        """An option, the likelier the better it looks."""
        goods = looks(self.weights, things, words)[0]
        return self.chance.choices(range(len(goods)), np.exp(goods - goods.max()))[0]

    def __call__(self, decision, view):
        """As an agent of the module."""
        return self.choose(decision.name, view, decision.seat, [option.written for option in decision.options])

    def save(self, path):
        np.savez_compressed(path, **{name: np.asarray(table, np.float32) for name, table in self.weights.items()})

    @classmethod
    def read(cls, path):
        return cls(dict(np.load(path)))
