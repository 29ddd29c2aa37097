"""Games of OpenSpiel with its own random players."""

import random

import pyspiel

# Names of the games here, with the names in OpenSpiel and its parameters.
NAMES = {
    "backgammon": ("backgammon", {"scoring_type": "full_scoring"}),
    "breakthrough": ("breakthrough", {}),
    "checkers": ("checkers", {}),
    "chess": ("chess", {}),
    "connect-four": ("connect_four", {}),
    "cribbage": ("cribbage", {}),
    "gin-rummy": ("gin_rummy", {}),
    "go": ("go", {"board_size": 9, "komi": 7.5}),
    # 13 cards, secret bids, prizes in random order
    "goofspiel": ("goofspiel", {"imp_info": True, "num_cards": 13, "points_order": "random"}),
    "hearts": ("hearts", {"qs_breaks_hearts": False}),
    "kuhn-poker": ("kuhn_poker", {}),
    "leduc-poker": ("leduc_poker", {}),
    "nine-mens-morris": ("nine_mens_morris", {}),
    "othello": ("othello", {}),
    "tic-tac-toe": ("tic_tac_toe", {}),
}
GAMES = {}
BOTS = [pyspiel.make_uniform_random_bot(player, 17 + player) for player in range(4)]


def game_of(name):
    if name not in GAMES:
        theirs, parameters = NAMES[name]
        load = pyspiel.load_game_as_turn_based if name == "goofspiel" else pyspiel.load_game
        GAMES[name] = load(theirs, parameters)
    return GAMES[name]


def play(name):
    """Plays a game completely in the C++ code of the library."""
    game = game_of(name)
    pyspiel.evaluate_bots(game.new_initial_state(), BOTS[: game.num_players()], random.getrandbits(31))


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
