"""The manifest: which study a store holds and what made it; no names of hosts, users or paths."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from debox import operators
from debox.store.errors import StoreError
from debox.store.schema import LATER_COLUMNS, SCHEMA_VERSION
from debox.study.study import Study

# Keys of the study that must not change in a store: else a configuration would have its run 0 twice.
FIXED_KEYS = ("name", "seed", "engine", "checkpoints")

LARGEST_MANIFEST = 2**24  # bytes of a manifest; those of studies have some thousands


def _versions() -> dict[str, str]:
    from importlib.metadata import version  # reads the packages' files: not for `import debox`

    from debox.version import __version__

    used = ("numpy", "duckdb", *(["numba"] if "numba" in sys.modules else []))  # it may compile operators from outside
    libraries = {name: version(name) for name in used}
    return {"debox": __version__, "python": platform.python_version(), **libraries}


def _platform() -> str:
    return f"{platform.system()} {platform.machine()}"


@dataclass(frozen=True)
class Manifest:
    """What a store is about: the study as it stands, and what its numbers depend on."""

    study: Study  # its operators need not be installed
    source: str  # digest of the code: see `fingerprints_in`
    schema_version: int = SCHEMA_VERSION
    versions: dict[str, str] = field(default_factory=_versions)
    platform: str = field(default_factory=_platform)
    also: tuple[dict[str, Any], ...] = ()  # other versions and platforms that wrote to the store

    def to_json(self) -> str:
        """The same text for the same manifest."""
        study = {name: value for name, value in self.study.as_dict().items() if value != [LATER_COLUMNS.get(name)]}
        entries = {**vars(self), "study": study}
        written = {name: value for name, value in entries.items() if name != "also" or value}
        return json.dumps(written, indent=2, sort_keys=True, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes, where: object) -> Manifest:
        """The manifest found at `where`; a StoreError, whatever is wrong with the text."""
        try:
            fields = _json_object(text)
            version = _typed_field(int, fields, "schema_version")
            if version == SCHEMA_VERSION:
                study = study_of(_typed_field(dict, fields, "study"), where)
                changed = {"study": study, "also": tuple(fields.get("also", ()))}
                return cls(**{**fields, **changed})._check_types()
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            message = f"{type(error).__name__}: {error}" if isinstance(error, KeyError | RecursionError) else error
            raise StoreError(f"{where} holds no manifest of a debox store ({message})") from None
        raise _schema_error(where, version, fields.get("versions"))

    def _check_types(self) -> Manifest:
        """This manifest; a ValueError if a field has a wrong type."""
        _typed_field(str, vars(self), "source")
        for number, maker in enumerate(self._makers()):
            _typed_field(str, maker, "platform")
            for name, version in _typed_field(dict, maker, "versions").items():
                if not isinstance(version, str):
                    raise ValueError(f"versions must be texts, got {version!r} for {name} in {number}")
        return self

    def extend(self, other: Manifest) -> Manifest:
        """This manifest after `other` writes to its store: with its study, and its versions and platform if new."""
        new = [maker for maker in other._makers() if maker not in self._makers()]
        fingerprints = {**fingerprints_in(self.source), **fingerprints_in(other.source)}
        source = [self.source.split(" ")[0], *(f"{name}={digits}" for name, digits in sorted(fingerprints.items()))]
        return replace(self, study=other.study, source=" ".join(source), also=(*self.also, *new))

    def _makers(self) -> list[dict[str, Any]]:
        return [{"versions": self.versions, "platform": self.platform}, *self.also]

    def refuse_other_study(self, other: Manifest, where: object) -> None:
        """Raise a StoreError if runs of `other` must not go into the store of this manifest."""
        for what in FIXED_KEYS:
            stored, new = getattr(self.study, what), getattr(other.study, what)
            if stored != new:
                raise StoreError(
                    f"{where} holds another study: {what} {stored!r}, not {new!r}; "
                    f"put {what} back, or choose another store"
                )
        if changed := self.changed_code(other.source):
            raise StoreError(
                f"{where} was written by other code ({'; '.join(changed)}; debox {self.versions.get('debox')}): "
                "its runs might not be the same; choose another store"
            )

    def changed_code(self, source: str) -> list[str]:
        """What has changed since the store was written, debox's own code or operators from outside, in words."""
        stored, new = ({"source": text.split(" ")[0], **fingerprints_in(text)} for text in (self.source, source))
        return [
            f"{name} {stored[name]}, now {new[name]}" for name in stored if stored[name] != new.get(name, stored[name])
        ]

    def changed_operators(self) -> list[str]:
        """Operators from outside that are installed, but are others than those that wrote the store, in words."""
        from debox.operators.outside import fingerprint

        messages = []
        for name, stored in fingerprints_in(self.source).items():
            slot, _, called = name.partition(":")
            operator = operators.find_or_none(slot, called) if slot in operators.SLOTS else None
            if operator in operators.OPERATORS or operator is None:
                continue
            if (now := fingerprint(operator)) != stored:
                messages.append(f"{slot} {called} has changed since it wrote the store: {stored}, now {now}")
        return messages


# `debox.study.work.source_digest` writes the text of `source`: the digest of debox's own code and, after a space each,
# every operator from outside as slot:name=fingerprint. It is parsed here, since a store is read without the engine, f0.
def fingerprints_in(source: str) -> dict[str, str]:
    """The fingerprint of each operator from outside in a source digest: strategy:mine → 0123456789abcdef."""
    return {name: digits for name, _, digits in (word.partition("=") for word in source.split(" ")[1:])}


def study_of(given: Mapping[str, Any], where: object) -> Study:
    """The study of the manifest at `where`; a StoreError if it is none: a file from elsewhere may hold anything."""
    try:
        return Study.stored(given)
    except (ValueError, TypeError, ArithmeticError) as error:
        raise StoreError(f"the manifest of {where} describes no study: {error}") from None


def _schema_error(where: object, version: int, versions: Any) -> StoreError:
    """The error about a store whose schema this debox does not read."""
    wrote = versions.get("debox", "unknown") if isinstance(versions, dict) else "unknown"
    return StoreError(
        f"{where} has schema version {version!r}, this debox reads version {SCHEMA_VERSION}: "
        f"use the debox that wrote it ({wrote}), or another store"
    )


def _json_object(text: str | bytes) -> dict[str, Any]:
    """The JSON object that a text is."""
    if len(text) > LARGEST_MANIFEST:
        raise ValueError(f"it is longer than {LARGEST_MANIFEST:,} bytes")
    parsed = json.loads(text)
    if not isinstance(parsed, dict):
        raise ValueError(f"a {type(parsed).__name__} instead of an object")
    json.dumps(parsed, ensure_ascii=False).encode()  # fails at half a surrogate pair, which cannot be written
    return parsed


def _typed_field(kind: type[Any], fields: dict[str, Any], name: str) -> Any:
    """A field, which must have this type."""
    if type(fields[name]) is not kind:
        raise ValueError(f"{name} must be of type {kind.__name__}, got {str(fields[name])[:40]!r}")
    return fields[name]
