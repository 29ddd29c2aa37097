"""Progress of a batch on one line, in a terminal or a notebook."""

import sys


def bar(done: int, games: int) -> None:
    """Shows the number of finished games. Pass it as `progress=parlour.bar`."""
    width = 30
    full = width * done // max(games, 1)
    end = "\n" if done >= games else ""
    print(f"\r{'█' * full}{'·' * (width - full)} {done:,} of {games:,} games", end=end, file=sys.stderr, flush=True)
