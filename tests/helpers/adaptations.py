"""Tables of runs with several adaptations."""

import numpy as np


def with_adaptations(table, **added):
    """The rows of a table once for each adaptation, its number added to POIS: ``with_adaptations(table, JADE=0.1)``"""
    rows = len(table["pois"])
    columns = {name: np.concatenate([column] * len(added)) for name, column in table.items()}
    more = np.repeat(list(added.values()), rows)
    columns |= {name: column + more for name, column in columns.items() if name.startswith("pois")}
    donors = np.full(rows * len(added), "not-target", object)
    return columns | {"donors": donors, "adaptation": np.repeat(np.array(list(added), object), rows)}
