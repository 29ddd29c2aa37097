#!/usr/bin/env python3
"""Plays a million games at random: at least a thousand of each game for each number of players and each value of each option. None may
fail, and the result of each thousand must have the digest that is recorded in `digests.txt`.

    tests/many/check.py PARLOUR [--record | GAME]

If a part of a game's name is given, only that game is played. A value of an option is tried with the defaults of all others, except for
options without which it would have no effect. Of a number, the minimum, the maximum, the default and the value after the minimum are tried;
of seats, all. The program refuses values that are not valid for a number of players; these are counted.
"""

import hashlib
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIGESTS = Path(__file__).with_name("digests.txt")
EACH = 1_000
ALL = 1_000_000
# Short games, which are played in equal parts to complete the million.
REST = [f"examples/games/{name}" for name in ["connect-four", "goofspiel", "kuhn-poker", "leduc-poker", "tic-tac-toe"]]
# Options with this prefix have an effect only together with another option.
NEEDED = {"tycoon_": "tycoons=on"}


def told(program, *arguments):
    """Runs the program. Returns its exit code, standard output and standard error."""
    done = subprocess.run([program, *arguments], capture_output=True, text=True, cwd=ROOT, check=False)
    return done.returncode, done.stdout, done.stderr


def values(option, players):
    """Returns the values of an option that are tried."""
    listed = option["values"]
    if listed == "seat":
        return [str(seat) for seat in range(1, players + 1)]
    if isinstance(listed, dict):
        least, most = listed["min"], listed["max"]
        return [str(number) for number in sorted({least, min(most, least + 1), option["default"] or least, most})]
    return [str(value) for value in listed]


def cases(program):
    """Yields each game with each number of players and each value of each option."""
    folders = sorted(path.parent for parent in ["games", "examples/games"] for path in (ROOT / parent).glob("*/game.toml"))
    for folder in folders:
        game = str(folder.relative_to(ROOT))
        code, info, error = told(program, "info", game, "--format", "json")
        assert code == 0, error
        info = json.loads(info)
        for players in range(info["players"]["min"], info["players"]["max"] + 1):
            yield game, players, None
            for option in info["options"]:
                for value in values(option, players):
                    if value != str(option["default"]):
                        yield game, players, f"{option['id']}={value}"


def play(program, case, games=EACH):
    """Returns a digest of the results of a number of games, or `None` if the option is not valid for this number of players."""
    game, players, option = case
    arguments = ["simulate", game, "--players", str(players), "--games", str(games), "--seed", "1", "--jobs", "1", "--format", "json"]
    if option:
        arguments += ["--option", option]
        needed = [other for start, other in NEEDED.items() if option.startswith(start) and option != other]
        arguments += [word for other in needed for word in ("--option", other)]
    code, found, error = told(program, *arguments)
    if code == 2:
        return None
    assert code == 0, f"{case}: ends with {code}\n{error}"
    found = json.loads(found)
    assert found["complete"], case
    # Times differ from run to run, and the wording of findings is not a result.
    del found["timing"]
    for batch in found["batches"]:
        for finding in batch["findings"]:
            del finding["text"]
    return hashlib.blake2b(json.dumps(found, sort_keys=True).encode(), digest_size=8).hexdigest()


def main():
    program = str(Path(sys.argv[1]).resolve())
    only = [argument for argument in sys.argv[2:] if argument != "--record"]
    all_cases = [case for case in cases(program) if not only or only[0] in case[0]]
    with ThreadPoolExecutor(2) as pool:
        digests = list(pool.map(lambda case: play(program, case), all_cases))
    played = [(case, digest) for case, digest in zip(all_cases, digests) if digest]
    lines = [f"{game} {players} {option or '-'} {digest}" for (game, players, option), digest in played]
    rest = 0 if only else max(ALL - EACH * len(played), EACH)
    if rest:
        rest = -(-rest // len(REST))
        lines += [f"{game} 2 {rest} {play(program, (game, 2, None), rest)}" for game in REST]
        rest *= len(REST)
    text = "\n".join(lines) + "\n"
    print(f"{EACH * len(played) + rest} games, {len(played)} cases, {len(all_cases) - len(played)} that do not suit")
    if "--record" in sys.argv:
        DIGESTS.write_text(text)
        return
    known = DIGESTS.read_text().splitlines()
    if only:
        known = [line for line in known if only[0] in line.split()[0] and not line.split()[2].isdigit()]
    unlike = sorted(set(known) ^ set(lines))
    if unlike:
        sys.exit("not as recorded:\n" + "\n".join(unlike))


if __name__ == "__main__":
    main()
