"""Ridge Race with random players, by the rules of `ridge-race/README.md`, written in the straightforward way."""

import random

LENGTH = {2: 3, 3: 5, 4: 7, 5: 9, 6: 11, 7: 13, 8: 11, 9: 9, 10: 7, 11: 5, 12: 3}
CLIMBERS = 3
RIDGES_TO_WIN = 3


def play(players):
    """Plays a game. Returns the number of decisions and the ridges won by each player."""
    camps = [{ridge: 0 for ridge in LENGTH} for _ in range(players)]
    winner = {}
    decisions = 0
    player = 0
    while True:
        climbers = {}

        def can_advance(ridge):
            if ridge in winner:
                return False
            if ridge in climbers:
                return climbers[ridge] < LENGTH[ridge]
            return len(climbers) < CLIMBERS

        while True:
            a, b, c, d = [random.randint(1, 6) for _ in range(4)]
            pairs = {tuple(sorted(pair)) for pair in [(a + b, c + d), (a + c, b + d), (a + d, b + c)]}
            pairs = [pair for pair in sorted(pairs) if can_advance(pair[0]) or can_advance(pair[1])]
            if not pairs:
                climbers = {}
                break
            decisions += len(pairs) > 1
            for ridge in random.choice(pairs):
                if can_advance(ridge):
                    climbers[ridge] = climbers.get(ridge, camps[player][ridge]) + 1
            decisions += 1
            if random.choice(["climb", "camp"]) == "camp":
                break
        for ridge, height in climbers.items():
            camps[player][ridge] = height
            if height == LENGTH[ridge]:
                winner[ridge] = player
        won = [list(winner.values()).count(one) for one in range(players)]
        if won[player] >= RIDGES_TO_WIN:
            return decisions, won
        player = (player + 1) % players
