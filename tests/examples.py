"""How many examples a property test tries: few and always the same in the default run, many new ones in `make fuzz`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from hypothesis import settings

TIMES = int(os.environ.get("FUZZ", "1"))
Test = TypeVar("Test", bound=Callable[..., Any])


def examples(few: int) -> Callable[[Test], Test]:
    """So many examples, FUZZ times as many when that is set; `make fuzz` finds the test by its mark."""

    def mark(test: Test) -> Test:
        marked: Test = pytest.mark.generated(settings(max_examples=few * TIMES, deadline=None)(test))
        return marked

    return mark
