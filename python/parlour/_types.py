"""What is passed and returned, for annotations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ._parlour import Decision

View: TypeAlias = dict[str, Any]
"""What a seat sees, as programs of their own get it: `round`, `phase`, `first`, `active`, `zones`, `values`."""

Table: TypeAlias = dict[str, list[Any]]
"""A table as a dictionary of columns, which pandas and polars read."""

Agent: TypeAlias = str | Callable[[Decision, View], int]
"""An agent by its name, or a function that gets the decision and what its seat sees, and returns the position of an option."""

Setting: TypeAlias = Mapping[str, str | int | bool]
"""Names with what is chosen for each."""
