"""How far a batch is, on one line: in a terminal and in a notebook."""

import sys


def bar(done: int, games: int) -> None:
    """Shows how many games are done: give it as `progress=parlour.bar`."""
    width = 30
    full = width * done // max(games, 1)
    end = "\n" if done >= games else ""
    print(f"\r{'█' * full}{'·' * (width - full)} {done:,} of {games:,} games", end=end, file=sys.stderr, flush=True)
