"""`PleachError`, the base of every error of the runtime."""

from __future__ import annotations


def _restore(cls: type[PleachError], args: tuple[object, ...], state: dict[str, object]) -> PleachError:
    error = cls.__new__(cls, *args)
    error.__dict__.update(state)
    return error


class PleachError(Exception):
    """Base of every error of the runtime."""

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by attributes: `Exception` alone would call the constructor without its keywords."""
        return _restore, (type(self), self.args, self.__dict__.copy())

    def __str__(self) -> str:
        """Name the facts: the ids, and both values where two disagree."""
        return self._message()

    def _message(self) -> str:
        return super().__str__()
