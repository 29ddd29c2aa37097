"""The program `parlour`, as it is installed with the module."""

import os
import signal
import sys
import threading

from ._parlour import run


def main() -> int:
    """Runs the program with the arguments that it was called with."""
    # The program does not come back to Python while it runs: an interruption is its own matter.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run(["parlour", *sys.argv[1:]])


def attended() -> int:
    """The same for a program that holds the other end of its standard input: when that one has gone, it ends."""

    def end() -> None:
        # Nothing is ever written there. `sys.stdin` is locked while it is read, and could not be closed at the end.
        os.read(0, 1)
        os._exit(1)

    threading.Thread(target=end, daemon=True).start()
    return main()


if __name__ == "__main__":
    sys.exit(main())
