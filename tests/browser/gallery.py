"""Plays each game of the gallery to its end in a real browser, by clicking on the table, and checks the pages on the way.

    python gallery.py PARLOUR [FOLDER FOR SCREENSHOTS] [GAME]
"""

import sys
import tempfile
from pathlib import Path

from table import Table, browser, is_over, leaves, looks_well, moves, plays, question, sits_down, waits

# The agents of all seats, and settings that make a game shorter.
GAMES = {
    "backgammon": ["human,runner"],
    "checkers": ["human,careful"],
    "chess": ["human,greedy"],
    "cribbage": ["human,pegger"],
    "gin-rummy": ["human,collector", "--set", "params.target=25"],
    "go": ["human,builder"],
    "hearts": ["human,ducker,ducker,ducker", "--set", "params.target=50"],
    "nine-mens-morris": ["human,miller"],
    "othello": ["human,corners"],
}


def main() -> None:
    parlour, shots = sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else None
    wanted = sys.argv[3:] or list(GAMES)
    with tempfile.TemporaryDirectory() as profile:
        ann = browser(profile)
        moves(ann, False)
        try:
            for game in wanted:
                agents, *settings = GAMES[game]
                with Table(parlour, f"examples/gallery/{game}", "--seed", "7", "--agents", agents, *settings) as table:
                    sits_down(ann, table.links["Ann"])
                    waits(ann, lambda: question(ann), "somebody is asked")
                    looks_well(ann, f"{game}-begins", shots)
                    ways = plays([ann], 12)
                    waits(ann, lambda: question(ann) or is_over(ann), "it goes on")
                    looks_well(ann, game, shots)
                    for way, count in plays([ann], 10_000).items():
                        ways[way] = ways.get(way, 0) + count
                    assert is_over(ann), f"{game} comes to its end"
                    looks_well(ann, f"{game}-over", shots)
                    from_list = ways.get("from the list", 0)
                    assert 10 * from_list <= sum(ways.values()), f"{game} is played on the table and by what stands beside the question: {ways}"
                    leaves(ann)
                    print(f"{game}: {ways}", flush=True)
        finally:
            ann.quit()
    print("well-known games are played by clicking")


if __name__ == "__main__":
    main()
