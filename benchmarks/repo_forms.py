"""The texts that generated repositories are made of. Names in braces are filled in; see `generate_repo.py`."""

from __future__ import annotations

from typing import Final

FIXED: Final = {
    "pyproject.toml": '[tool.pleach-lint]\nseams = ["shop/seams"]\n',
    "shop/__init__.py": "",
    "shop/seams/__init__.py": """
        from dataclasses import dataclass
        from typing import Generic, Literal, TypeVar

        CallClass = Literal["utility", "reasoning", "converse", "synthesize"]
        ClassT_co = TypeVar("ClassT_co", bound=CallClass, covariant=True)


        @dataclass(frozen=True)
        class ProviderSeam(Generic[ClassT_co]):
            call_class: ClassT_co


        SynthesizeSeam = ProviderSeam[Literal["synthesize"]]
        """,
    "shop/models.py": """
        from shop.seams import CallClass


        def resolve_model(call_class: CallClass):
            return call_class


        def ask(prompt, lane):
            return resolve_model(call_class=lane), prompt
        """,
    "shop/lanes.py": "FAST = 'utility'\nFINAL = 'synthesize'\n",
}
"""Modules that every repository has."""

HEAD: Final = """
    import logging
    from dataclasses import dataclass, field

    log = logging.getLogger(__name__)
    """
SEAM_HEAD: Final = """
    from typing import Literal

    from shop import lanes
    from shop.models import ask, resolve_model
    from shop.seams import ProviderSeam, SynthesizeSeam
    """
BLOCK_FORMS: Final = (
    '''
    def {name}(items, limit={number}):
        """{verb} each {noun} up to a limit, and count what is left over."""
        kept, left = [], 0
        for item in sorted(items, key=lambda each: each.{noun}_id):
            if item.weight > limit or item.state in ("lost", "late"):
                left += 1
                log.debug("left out %s of {noun}", item)
                continue
            kept.append({{"id": item.{noun}_id, "weight": item.weight * {number}, "kind": "{noun}"}})
        return kept, left
    ''',
    '''
    @dataclass
    class {title}:
        """What is known of one {noun}."""

        {noun}_id: int
        weight: float = {number}.5
        notes: list[str] = field(default_factory=list)

        def {verb}(self, other, *, strict=False):
            if strict and other.{noun}_id != self.{noun}_id:
                raise ValueError(f"{{other!r}} is another {noun}")
            self.notes.extend(note.strip() for note in other.notes if note)
            self.weight = max(self.weight, other.weight, {number})
            return self
    ''',
    '''
    async def {name}(session, ids):
        """Ask for every {noun}, a few at a time."""
        found = {{}}
        for start in range(0, len(ids), {number}):
            answer = await session.get("/{noun}s", params={{"ids": ",".join(map(str, ids[start : start + {number}]))}})
            found.update((row["id"], row) for row in answer.json()["{noun}s"] if row.get("type") != "{verb}")
        return found
    ''',
)
CLEAN_FORMS: Final = (
    "def {name}(prompt, seam: SynthesizeSeam):\n    return resolve_model(seam.call_class), prompt\n",
    'def {name}(item):\n    return item["type"] == "reasoning" and item.stage != "synthesize"\n',
)
"""Uses of seams and of the words that are no leaks."""

LEAK_FORMS: Final = (
    'def {name}(prompt):\n    return resolve_model(call_class=@@PCH001@@"{word}"), prompt\n',
    'LANE_{number} = @@PCH001@@"{word}"\n\n\ndef {name}(prompt, lane=LANE_{number}):\n    return ask(prompt, lane)\n',
    "def {name}(prompt):\n    return ask(prompt, @@PCH001@@lanes.FAST) or ask(prompt, lane=@@PCH001@@lanes.FINAL)\n",
    'def {name}(rows):\n    return [row for row in rows if row.call_class == @@PCH002@@"{word}"]\n',
    'def {name}(seam: ProviderSeam[Literal[@@PCH003@@"{word}"]]):\n    return seam\n',
    '{upper} = {{@@PCH004@@"utility": {number}, @@PCH004@@"synthesize": {number} * 2}}\n',
    "{upper} = @@PCH005@@\"SELECT id FROM calls WHERE call_class = '{word}' LIMIT {number}\"\n",
)
"""Leaks, each with the code of its rule between marks just before the place where it is reported."""
