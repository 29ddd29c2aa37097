"""Trains a policy against random players in a Gymnasium environment, and saves it for `play_policy.py`.

    python train.py [GAME] [FILE] [--games 3000] [--players 2] [--seed 7]
"""

import argparse
import sys

import jax
import jax.numpy as jnp
import numpy as np
import optax

import parlour
import parlour.gymnasium
from policy import Policy, features, looks, stacked

DECISIONS = 128
"""Number of decisions per training step."""


def loss(weights, things, words, taken, rewards):
    """Loss of an actor-critic: a choice becomes more likely if the reward exceeds the expectation, and the expectation approaches the
    reward."""
    goods, expected = looks(weights, things, words, jnp)
    likely = jax.nn.log_softmax(goods)
    surprise = rewards - expected
    unsure = -(jnp.exp(likely) * likely).sum(axis=1)
    chosen = jnp.take_along_axis(likely, taken[:, None], axis=1)[:, 0]
    return (surprise**2 / 2 - chosen * jax.lax.stop_gradient(surprise) - 0.02 * unsure).mean()


def train(name, games, players, seed, rate=0.003, tell=lambda line: None):
    """Trains a policy with a number of games, in which it plays every seat in turn."""
    game, policy, adam = parlour.load(name), Policy(seed=seed), optax.adam(rate)
    envs = [parlour.gymnasium.env(game, players, seat=seat, agents="random") for seat in range(1, players + 1)]
    weights = jax.tree.map(lambda table: jnp.asarray(table, jnp.float32), policy.weights)

    @jax.jit
    def learn(weights, state, *batch):
        change, state = adam.update(jax.grad(loss)(weights, *batch), state)
        return optax.apply_updates(weights, change), state

    state, kept, brought = adam.init(weights), [], []
    for number in range(games):
        env, is_over, way = envs[number % players], False, []
        env.reset(seed=seed + number)
        while not is_over:
            asked = env.session.decision
            rows = features(asked.name, env.view(), env.seat, [option.written for option in asked.options])
            way.append((*rows, policy.draw(*rows)))
            _, reward, is_over, _, _ = env.step(way[-1][-1])
        kept += [(*step, reward) for step in way]
        brought.append(reward)
        while len(kept) >= DECISIONS:
            things, words, taken, rewards = zip(*kept[:DECISIONS])
            kept = kept[DECISIONS:]
            weights, state = learn(weights, state, stacked(things), stacked(words), np.array(taken), np.array(rewards))
            policy.weights = jax.tree.map(np.asarray, weights)
        if (number + 1) % 500 == 0:
            tell(f"{number + 1} games, mean reward {np.mean(brought[-500:]):+.2f}")
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
    # These games have seeds that were not used for training.
    tested = parlour.load(asked.game).simulate(400, agents=agents, seed=asked.seed + 1_000_000).summary()
    row = tested["measure"].index("win.1")
    print(f"wins {tested['value'][row]:.1%} (95 %: {tested['low'][row]:.1%} to {tested['high'][row]:.1%})")


if __name__ == "__main__":
    main()
