"""Result: what a run found, a dictionary whose entries are attributes, too, as SciPy's OptimizeResult."""

from __future__ import annotations

from typing import Any


class Result(dict[str, Any]):
    """What `minimize` returns: `result.x` is `result["x"]`.

    Examples
    --------
    >>> import debox
    >>> result = debox.minimize(lambda x: x[0] ** 2, [(-1, 2)], budget=1000, rng=1)
    >>> result.nfev, result["nfev"]
    (1000, 1000)
    """

    def __getattr__(self, name: str) -> Any:
        if name not in self:
            raise AttributeError(f"a result has no {name!r}; it has {', '.join(self)}")
        return self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __delattr__(self, name: str) -> None:
        del self[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        indent = "\n" + " " * (width + 2)
        return "\n".join(f"{name:>{width}}: {str(value).replace(chr(10), indent)}" for name, value in self.items())
