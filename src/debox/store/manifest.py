"""The manifest: which study a store holds and what made it; no names of hosts, users or paths."""

from __future__ import annotations

import json
import platform
import sys
from dataclasses import dataclass, field, replace
from typing import Any

from debox.store.errors import StoreError
from debox.store.schema import LATER_COLUMNS, SCHEMA_VERSION
from debox.study.study import Study

# Keys of the study that must not change in a store: else a configuration would have its run 0 twice.
FIXED_KEYS = ("name", "seed", "engine", "checkpoints")


def _versions() -> dict[str, str]:
    from importlib.metadata import version  # reads the packages' files: not for `import debox`

    from debox.version import __version__

    used = ("numpy", "duckdb", *(["numba"] if "numba" in sys.modules else []))  # it may compile operators from outside
    return {"debox": __version__, "python": platform.python_version(), **{name: version(name) for name in used}}


@dataclass(frozen=True)
class Manifest:
    """What a store is about: the study as it stands, and what made its numbers."""

    study: Study  # its operators need not be installed
    schema_version: int = field(default=SCHEMA_VERSION, kw_only=True)
    versions: dict[str, str] = field(default_factory=_versions, kw_only=True)
    platform: str = field(default_factory=lambda: f"{platform.system()} {platform.machine()}", kw_only=True)
    also: tuple[dict[str, Any], ...] = field(default=(), kw_only=True)  # others that wrote: versions and platform

    def to_json(self) -> str:
        """The same text for the same manifest."""
        study = {name: value for name, value in self.study.as_dict().items() if value != [LATER_COLUMNS.get(name)]}
        written = {name: value for name, value in vars(self).items() if name != "also" or value}
        return json.dumps({**written, "study": study}, indent=2, sort_keys=True, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes, where: object) -> Manifest:
        """The manifest found at `where`; a StoreError, whatever is wrong with the text."""
        try:
            fields = json.loads(text)
            if fields["schema_version"] == SCHEMA_VERSION:
                makers: list[dict[str, Any]] = [  # as text, whatever a file from elsewhere holds for them
                    {"versions": {str(k): str(v) for k, v in m["versions"].items()}, "platform": str(m["platform"])}
                    for m in (fields, *fields.get("also", ()))
                ]
                return cls(Study.stored(fields["study"]), **makers[0], also=tuple(makers[1:]))
        except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
            message = f"{type(error).__name__}: {error}"
            todo = "if it is damaged, delete manifest.json and run its study again, which keeps the parts"
            raise StoreError(f"{where} holds no manifest of a debox store ({message}); {todo}") from None
        raise StoreError(
            f"{where} has schema version {fields['schema_version']!r}, this debox reads version {SCHEMA_VERSION}: use "
            f"the debox that wrote it ({fields.get('versions')}), or another store"
        )

    def makers(self) -> list[dict[str, Any]]:
        """Versions and platform of each that wrote to the store."""
        return [{"versions": self.versions, "platform": self.platform}, *self.also]

    def extend(self, other: Manifest) -> Manifest:
        """This manifest after `other` writes to its store: with its study, and its versions and platform if new."""
        new = [maker for maker in other.makers() if maker not in self.makers()]
        return replace(self, study=other.study, also=(*self.also, *new))

    def refuse_other_study(self, other: Manifest, where: object) -> None:
        """Raise a StoreError if runs of `other` must not go into the store of this manifest."""
        for key in FIXED_KEYS:
            stored, new = getattr(self.study, key), getattr(other.study, key)
            if stored != new:
                why = f"{where} holds another study: {key} {stored!r}, not {new!r}"
                raise StoreError(f"{why}; put {key} back, or choose another store")
