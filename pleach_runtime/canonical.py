"""The one JSON text of a value: what digests are made of. Which values are digested is said elsewhere."""

from __future__ import annotations

import json
from typing import Final

from pleach_runtime.errors import InvalidRequest

_JSON: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False, ensure_ascii=False)


def canonical_json(value: object) -> bytes:
    """Return the JSON text of a value: keys in order, no blanks, UTF-8. 1, 1.0, "1" and true are four texts.

    Halves of surrogate pairs are kept apart from each other and from the pair, though no wire may carry them.

    Raises:
        InvalidRequest: if JSON cannot say the value: NaN, an infinity, another type, or nested without end.
    """
    try:
        return _JSON.encode(value).encode("utf-8", "surrogatepass")
    except (ValueError, TypeError, RecursionError) as error:
        raise InvalidRequest(f"a request holds what JSON cannot say: {error}") from error
