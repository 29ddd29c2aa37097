"""The program `parlour`, as it is installed with the module."""

import signal
import sys

from ._parlour import run


def main() -> int:
    """Runs the program with the arguments that it was called with."""
    # The program does not come back to Python while it runs: an interruption is its own matter.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run(["parlour", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
