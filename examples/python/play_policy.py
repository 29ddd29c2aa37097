"""Runs a trained policy as an agent program: `parlour play examples/games/leduc-poker --agents human,"cmd:python3 play_policy.py
policy.npz"`."""

import json
import sys

from policy import Policy

policy = Policy.read(sys.argv[1])
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "protocol": 1, "name": "a trained policy"}
    elif message["type"] == "decide":
        at = policy.choose(message["decision"], message["view"], message["seat"], message["options"])
        answer = {"type": "choose", "id": message["id"], "option": at}
    else:
        break
    print(json.dumps(answer), flush=True)
