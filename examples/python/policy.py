"""A small policy network: rates the options of a decision, given what is on the table.

Its input is what every agent receives, the view and the options as playscripts write them, and it knows nothing about the game. Each
visible thing, and each word of an option, is hashed to one of many numbers (hashed features), for which a small network learns vectors.
"""

import random
import zlib

import numpy as np

SIZE, WIDTH = 1 << 12, 64
NONE = -1e9


def seen(view, seat):
    """Returns everything that is visible as a list of texts. Owners are relative to the seat that looks."""
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
    """Stacks arrays of numbers, padded with 0. Sizes are rounded up to powers of 2, so that there are few different shapes."""
    sizes = [1 << (most - 1).bit_length() for most in map(max, zip(*(array.shape for array in arrays)))]
    full = np.zeros((len(arrays), *sizes), int)
    for row, array in zip(full, arrays):
        row[tuple(map(slice, array.shape))] = array
    return full


def features(decision, view, seat, options):
    """Returns the hashed features of what is visible, and a row of features for each option. 0 stands for no feature."""
    number = lambda text: zlib.crc32(f"{decision} {text}".encode()) % (SIZE - 1) + 1
    things = np.array([number(thing) for thing in seen(view, seat)])
    return things, stacked([np.array([number(option), *map(number, option.split())]) for option in options])


def looks(weights, things, words, np=np):
    """Returns the rating of each option and the expected reward, for one decision or for many. `np` may be the module of JAX."""
    sums = lambda table, numbers: (table[numbers] * (numbers > 0)[..., None]).sum(-2)
    place = np.tanh(sums(weights["things"], things))
    each = np.tanh(sums(weights["words"], words) + (place @ weights["both"])[..., None, :])
    return np.where(words[..., 0] > 0, each @ weights["good"], NONE), place @ weights["expected"]


class Policy:
    """Draws an option with a probability that depends on its rating, or chooses the best one."""

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
        """Returns the index of the best-rated option."""
        return int(looks(self.weights, *features(decision, view, seat, options))[0].argmax())

    def draw(self, things, words):
        """Draws an option. A better rating makes it more likely."""
        goods = looks(self.weights, things, words)[0]
        return self.chance.choices(range(len(goods)), np.exp(goods - goods.max()))[0]

    def __call__(self, decision, view):
        """Makes the policy usable as an agent of the module."""
        return self.choose(decision.name, view, decision.seat, [option.written for option in decision.options])

    def save(self, path):
        np.savez_compressed(path, **{name: np.asarray(table, np.float32) for name, table in self.weights.items()})

    @classmethod
    def read(cls, path):
        return cls(dict(np.load(path)))
