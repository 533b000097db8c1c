"""The manifest: which study a store holds and what made it; no names of hosts, users or paths."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict, dataclass, field
from typing import Any

from debox.store.errors import StoreError
from debox.store.schema import SCHEMA_VERSION
from debox.version import __version__

# What a store has one value of: with two, a configuration would have its run 0 twice.
SAME_THROUGHOUT = ("name", "seed", "engine", "checkpoints")


def _versions() -> dict[str, str]:
    from importlib.metadata import version  # reads the packages' files: not for `import debox`

    libraries = {name: version(name) for name in ("numpy", "numba", "duckdb")}
    return {"debox": __version__, "python": platform.python_version(), **libraries}


def _platform() -> str:
    return f"{platform.system()} {platform.machine()}"


@dataclass(frozen=True)
class Manifest:
    """What a store is about: the study as written, and what its numbers depend on."""

    study: dict[str, Any]  # its name and seed at least
    source: str  # digest of the kernels' source
    schema_version: int = SCHEMA_VERSION
    versions: dict[str, str] = field(default_factory=_versions)
    platform: str = field(default_factory=_platform)

    def to_json(self) -> str:
        """The same text for the same manifest."""
        return json.dumps(asdict(self), indent=2, sort_keys=True, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes, where: object) -> Manifest:
        """The manifest found at `where`, if this debox can read it."""
        try:
            found = json.loads(text)
            schema_version = found["schema_version"]
            if schema_version == SCHEMA_VERSION:
                return cls(**found)
        except (ValueError, KeyError, TypeError) as error:
            raise StoreError(f"{where} holds no manifest of a debox store ({error})") from None
        raise StoreError(
            f"{where} has schema version {schema_version!r}, this debox reads version {SCHEMA_VERSION}: "
            f"use the debox that wrote it ({found.get('versions', {}).get('debox', 'unknown')}), or another store"
        )

    def refuse_another(self, other: Manifest, where: object) -> None:
        """Runs of `other` must not go into the store of this manifest unless they belong together."""
        for what in SAME_THROUGHOUT:
            here, there = self.study.get(what), other.study.get(what)
            if here != there:
                raise StoreError(
                    f"{where} holds another study: {what} {here!r}, not {there!r}; "
                    f"put {what} back, or choose another store"
                )
        if self.source != other.source:
            raise StoreError(
                f"{where} was written by other kernels (source {self.source}, debox {self.versions.get('debox')}; "
                f"now {other.source}): their runs would not be the same; choose another store"
            )
