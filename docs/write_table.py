"""Write the tables of operators, of a study's keys and of a store's columns into the pages that show them."""

import re
from pathlib import Path

from debox import operators
from debox.store.schema import COLUMNS
from debox.study.fields import FIELDS

ROOT = Path(__file__).parents[1]


def operator_table() -> str:
    """Debox's own operators, a table for each slot; a bar inside a cell is escaped."""
    tables = []
    for slot in operators.SLOTS:
        cells = [
            (", ".join(dict.fromkeys((o.name, o.short))), o.formula) for o in operators.OPERATORS if o.slot == slot
        ]
        rows = [f"| {' | '.join(text.replace('|', chr(92) + '|') for text in row)} |" for row in cells]
        tables.append("\n".join([f"| {slot} | what it does |", "|---|---|", *rows]))
    return "\n\n".join(tables)


def keys() -> str:
    """What a study file may say."""
    rows = [f"| {name} | {field.meaning} | {default(field.default)} |" for name, field in FIELDS.items()]
    return "\n".join(["| key | meaning | default |", "|---|---|---|", *rows])


def default(value: object) -> str:
    """A default as TOML writes it."""
    if isinstance(value, tuple):
        return ", ".join(one if isinstance(one, str) else f"{one:.3g}" for one in value)
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def columns() -> str:
    """What a store holds of every run."""
    rows = [f"| {column.name} | {column.type} | {column.meaning} |" for column in COLUMNS]
    return "\n".join(["| column | type | meaning |", "|---|---|---|", *rows])


def recipe_table() -> str:
    """The recipes: their parts, and N for some numbers of variables."""
    sizes = (10, 30, 100)
    rows = [
        f"| {name} | `{recipe.text}` | {', '.join(str(recipe.population(n, 10_000 * n)) for n in sizes)} |"
        for name, recipe in operators.RECIPES.items()
    ]
    return "\n".join([f"| name | in full | N for n = {', '.join(map(str, sizes))} |", "|---|---|---|", *rows])


TABLES = {
    "operators": ("docs/operators.md", operator_table),
    "recipes": ("docs/operators.md", recipe_table),
    "keys": ("docs/studies.md", keys),
    "columns": ("docs/studies.md", columns),
}


def with_table(text: str, mark: str, table: str) -> str:
    """The page with this table between its marks."""
    begin, end = rf"(<!-- {mark}.*?-->\n)", rf"(<!-- end of {mark} -->)"
    return re.sub(f"{begin}.*?{end}", lambda m: f"{m[1]}{table}\n{m[2]}", text, flags=re.DOTALL)


if __name__ == "__main__":
    for mark, (name, table) in TABLES.items():
        page = ROOT / name
        page.write_text(with_table(page.read_text(), mark, table()))
