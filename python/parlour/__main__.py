"""Runs the program as `python -m parlour`."""

import sys

from ._program import main

sys.exit(main())
