#!/usr/bin/env python3
"""An agent that chooses at random and passes only when it must: a skeleton for agents of your own.

    parlour arena stockpile --agents "cmd:python3 examples/agents/random_agent.py,random,random"

Messages are one line of JSON each, on standard input and output. docs/src/agents.md describes all of them. Standard error is shown to
people.
"""

import json
import random
import sys


def choose(question, chance):
    """Returns the index of an option. `question` contains "decision", "options" and "view". Change this function to write your own
    agent."""
    worth_trying = [at for at, option in enumerate(question["options"]) if option not in ("pass", "done")]
    return chance.choice(worth_trying or range(len(question["options"])))


def main():
    chance = random.Random()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            chance.seed(message["seed"])
            answer = {"type": "hello", "protocol": 1, "name": "random"}
        elif message["type"] == "decide":
            answer = {"type": "choose", "id": message["id"], "option": choose(message, chance)}
        else:
            return
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
