"""Trains a policy against random players, and saves it for `play_policy.py`.

    python train.py [GAME] [FILE] [--games 3000] [--players 2] [--seed 7]
"""

import argparse
import sys

import parlour
from policy import Policy


def train(name, games, players, seed, rate=0.3, tell=lambda line: None):
    """A policy after so many games, sitting in every seat in turn."""
    game, policy = parlour.load(name), Policy(seed=seed)
    expected = 0.0
    for number in range(games):
        policy.trace = []
        seat = number % players + 1
        agents = {other: policy if other == seat else "random" for other in range(1, players + 1)}
        session = game.start(players, seed + number, agents=agents)
        reward = session.returns[seat - 1]
        policy.learn(reward - expected, rate)
        expected += 0.01 * (reward - expected)
        if (number + 1) % 500 == 0:
            tell(f"{number + 1} games, mean reward {expected:+.2f}")
    policy.trace = None
    return policy


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("game", nargs="?", default="examples/games/leduc-poker")
    words.add_argument("file", nargs="?", default="policy.npz")
    words.add_argument("--games", type=int, default=3000)
    words.add_argument("--players", type=int, default=2)
    words.add_argument("--seed", type=int, default=7)
    asked = words.parse_args()
    policy = train(asked.game, asked.games, asked.players, asked.seed, tell=lambda line: print(line, file=sys.stderr))
    policy.save(asked.file)
    agents = [policy] + ["random"] * (asked.players - 1)
    # Seeds that it has not learned from.
    tested = parlour.load(asked.game).simulate(400, agents=agents, seed=asked.seed + 1_000_000).summary()
    row = tested["measure"].index("win.1")
    print(f"wins {tested['value'][row]:.1%} (95 %: {tested['low'][row]:.1%} to {tested['high'][row]:.1%})")


if __name__ == "__main__":
    main()
