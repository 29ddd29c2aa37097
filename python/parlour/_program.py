"""The program `parlour` that is installed with the module."""

import os
import signal
import sys
import threading

from ._parlour import run


def main() -> int:
    """Runs the program with the arguments of this process."""
    # The program does not return to Python while it runs, so Python could not handle an interruption.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run(["parlour", *sys.argv[1:]])


def attended() -> int:
    """Like `main`, for a program that ends when the parent process closes the other end of its standard input."""

    def end() -> None:
        # Nothing is ever written to this pipe. `sys.stdin` would be locked while it is read, and could not be closed at exit.
        os.read(0, 1)
        os._exit(1)

    threading.Thread(target=end, daemon=True).start()
    return main()


if __name__ == "__main__":
    sys.exit(main())
