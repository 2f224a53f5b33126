"""Digests of requests: equal exactly when two requests would be answered from the same place."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pleach_runtime.request import Message, SeamRequest
    from pleach_runtime.routing import ResolvedModel
    from pleach_runtime.seams.classes import CallClass

_REQUEST: Final = b"pleach-request/1\0"
_FINGERPRINT: Final = b"pleach-fp/1\0"
_JSON: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)


def request_digest(request: SeamRequest) -> bytes:
    """Return the SHA-256 of a request, metadata apart: the order of keys does not matter, and 1 is not "1".

    Raises:
        ValueError: if a parameter or message holds NaN or an infinity, which JSON cannot say.
    """
    digest = hashlib.sha256(_REQUEST + (_canonical(request.params) if request.params else b"{}"))
    for message in request.messages:
        digest.update(_message_digest(message))
    return digest.digest()


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
    return _FINGERPRINT + _canonical([resolved.call_class, resolved.family, resolved.model]) + b"\0"


def _message_digest(message: Message) -> bytes:
    tools = [tool.model_dump() for tool in message.tool_calls]
    return hashlib.sha256(_canonical([message.role, message.content, tools, message.tool_call_id])).digest()


def _canonical(value: object) -> bytes:
    return _JSON.encode(value).encode()
