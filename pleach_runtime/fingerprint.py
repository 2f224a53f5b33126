"""Digests of requests: equal exactly when two requests would be answered from the same place."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pleach_runtime.canonical import canonical_json
from pleach_runtime.request import Message

if TYPE_CHECKING:
    from pleach_runtime.request import SeamRequest
    from pleach_runtime.routing import ResolvedModel
    from pleach_runtime.seams.classes import CallClass

_REQUEST: Final = b"pleach-request/1\0"
_FINGERPRINT: Final = b"pleach-fp/1\0"


def request_digest(request: SeamRequest) -> bytes:
    """Return the SHA-256 of a request, metadata apart: the order of keys does not matter, and 1 is not "1".

    Raises:
        InvalidRequest: if JSON cannot say a parameter or a message.
    """
    params = canonical_json(request.params) if request.params else b"{}"
    return hashlib.sha256(b"".join((_REQUEST, params, *map(Message.digest, request.messages)))).digest()


def fingerprint(request: bytes, resolved: ResolvedModel[CallClass]) -> str:
    """Return the hex SHA-256 of a request as routed: the class, the family and the model are part of it.

    Source: the documentation of Pleach, "callClass in the fingerprint".

    Args:
        request: what `request_digest` returned.
        resolved: where the call goes.
    """
    return hashlib.sha256(_route_key(resolved) + request).hexdigest()


@lru_cache(maxsize=256)
def _route_key(resolved: ResolvedModel[CallClass]) -> bytes:
    return _FINGERPRINT + canonical_json([resolved.call_class, resolved.family, resolved.model]) + b"\0"
