"""Types of arguments and results, for annotations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ._parlour import Decision

View: TypeAlias = dict[str, Any]
"""What a seat sees, as agent programs receive it: `round`, `phase`, `first`, `active`, `zones`, `values`."""

Table: TypeAlias = dict[str, list[Any]]
"""A table as a dictionary of columns, which pandas and polars can read."""

Agent: TypeAlias = str | Callable[[Decision, View], int]
"""The name of an agent, or a function that receives the decision and what its seat sees, and returns the index of an option."""

Setting: TypeAlias = Mapping[str, str | int | bool]
"""Names with the value that is chosen for each."""
