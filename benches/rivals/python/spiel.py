"""Games of OpenSpiel with its own random players."""

import random

import pyspiel

NAMES = {
    "breakthrough": "breakthrough",
    "connect-four": "connect_four",
    "goofspiel": "goofspiel",
    "kuhn-poker": "kuhn_poker",
    "leduc-poker": "leduc_poker",
    "tic-tac-toe": "tic_tac_toe",
}
GAMES = {}
BOTS = [pyspiel.make_uniform_random_bot(player, 17 + player) for player in range(2)]


def game_of(name):
    if name not in GAMES:
        if name == "goofspiel":  # 13 cards, secret bids, prizes in random order
            rules = {"imp_info": True, "num_cards": 13, "points_order": "random"}
            GAMES[name] = pyspiel.load_game_as_turn_based(NAMES[name], rules)
        else:
            GAMES[name] = pyspiel.load_game(NAMES[name])
    return GAMES[name]


def play(name):
    """Plays a game completely in the C++ code of the library."""
    pyspiel.evaluate_bots(game_of(name).new_initial_state(), BOTS, random.getrandbits(31))


def decisions(name):
    """Plays a game and returns the number of decisions with more than one option."""
    state = game_of(name).new_initial_state()
    count = 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes())
            state.apply_action(random.choices(actions, weights)[0])
        else:
            actions = state.legal_actions()
            count += len(actions) > 1
            state.apply_action(random.choice(actions))
    return count
