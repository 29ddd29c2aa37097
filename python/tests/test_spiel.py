"""Runs algorithms of OpenSpiel that need no chance nodes on games of Parlour."""

import numpy as np
import pytest

import parlour
import parlour.gymnasium
import parlour.pettingzoo
import parlour.spiel

pytest.importorskip("pyspiel")

from open_spiel.python import policy, rl_environment  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    expected_game_score,
    external_sampling_mccfr,
    mcts,
    outcome_sampling_mccfr,
    tabular_qlearner,
)


def test_mcts_of_openspiel_wins_a_game_that_is_nearly_won():
    game = parlour.spiel.load_game("tic-tac-toe")
    state = game.new_initial_state(seed=1)
    bot = mcts.MCTSBot(game, 2, 200, mcts.RandomRolloutEvaluator(2, np.random.RandomState(1)), random_state=np.random.RandomState(1))
    while not state.is_terminal():
        state.apply_action(bot.step(state) if state.current_player() == 0 else state.legal_actions()[0])
    assert state.returns()[0] == 1


def test_the_environment_of_openspiel_plays_with_a_learner():
    env = rl_environment.Environment(parlour.spiel.load_game("leduc-poker"))
    learners = [tabular_qlearner.QLearner(player, env.action_spec()["num_actions"]) for player in range(2)]
    for _ in range(5):
        step = env.reset()
        while not step.last():
            step = env.step([learners[step.observations["current_player"]].step(step).action])
        for learner in learners:
            learner.step(step)
        assert sum(step.rewards) == 0


def test_policies_of_openspiel_are_evaluated():
    game = parlour.spiel.load_game("kuhn-poker", seeds=range(3))
    table = policy.TabularPolicy(game)
    assert len(table.states) > 4
    value = expected_game_score.policy_value(game.new_initial_state(seed=1), [table, table])
    assert sum(value) == pytest.approx(0)


@pytest.mark.parametrize("solver", [external_sampling_mccfr.ExternalSamplingSolver, outcome_sampling_mccfr.OutcomeSamplingSolver])
def test_sampling_mccfr_of_openspiel_learns(solver):
    game = parlour.spiel.load_game("kuhn-poker", seeds=range(20))
    learner = solver(game)
    for _ in range(20):
        learner.iteration()
    state = game.new_initial_state(seed=3)
    probabilities = learner.average_policy().action_probabilities(state)
    assert set(probabilities) == set(state.legal_actions()) and sum(probabilities.values()) == pytest.approx(1)


def test_a_state_goes_into_a_text_and_comes_back():
    game = parlour.spiel.load_game("leduc-poker")
    state = game.new_initial_state(seed=5)
    child = state.child(0)
    assert state.history() == [] and child.history() == [0]
    again = game.deserialize_state(child.serialize())
    assert str(again) == str(child) and again.information_state_string(0) == child.information_state_string(0)
    assert [str(one) for one in parlour.spiel.load_game("leduc-poker", seeds=[3, 4]).new_initial_states()] == ["seed=3", "seed=4"]


def test_what_seats_get_is_a_win_a_score_or_a_margin():
    got = {}
    for reward in ("win", "score", "margin"):
        state = parlour.spiel.load_game("leduc-poker", reward=reward).new_initial_state(seed=2)
        assert state.returns() == [0, 0]
        while not state.is_terminal():
            state.apply_action(0)
        got[reward] = state.returns()
    one, two = got["score"]
    assert got["margin"] == [one - two, two - one] and got["score"] == [float(score) for score in state.session.scores]
    with pytest.raises(ValueError, match="'win', 'score' and 'margin'"):
        parlour.spiel.load_game("leduc-poker", reward="points")


def wide(make):
    """An environment whose first decision fits and whose later ones do not."""
    return make("stockpile", players=2, max_options=16)


def test_an_answer_that_leads_to_too_many_options_is_not_applied():
    state = wide(parlour.spiel.load_game).new_initial_state
    for seed in range(200):
        try:
            begun = state(seed)
            for _ in range(40):
                before = begun.history()
                begun.apply_action(begun.legal_actions()[0])
        except parlour.OverflowError:
            if "begun" in locals() and begun.session.seed == seed:
                assert begun.history() == before
                return
        except parlour.ChoiceError:
            continue
    pytest.fail("no decision had more than 16 options")


def test_an_action_is_a_whole_number():
    state = parlour.spiel.load_game("leduc-poker").new_initial_state(seed=1)
    single, several = parlour.gymnasium.env("leduc-poker"), parlour.pettingzoo.env("leduc-poker")
    single.reset(seed=1)
    several.reset(seed=1)
    for step in (state.apply_action, single.step, several.step):
        with pytest.raises(TypeError):
            step(0.9)
        step(np.int64(0))


def test_gymnasium_tells_which_actions_are_offered():
    env = parlour.gymnasium.env("leduc-poker")
    observation, _ = env.reset(seed=1)
    masks = env.action_masks()
    assert masks.dtype == bool and list(masks) == [bool(one) for one in observation["action_mask"]]
