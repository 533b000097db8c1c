"""Damaged files of Optimizer.save: changed bytes, or changed content in a faultless archive. The seed says which."""

import copy
import json
import zipfile
from io import BytesIO

import numpy as np

NUMBERS = [-(2**63), -1, 0, 1, 2, 5, 6, 7, 8, 149, 624, 625, 2**31, 2**32, 2**63 - 1, 2**63, 2**64, 2**128, 10**30]
ODD = [
    *NUMBERS,
    None,
    True,
    False,
    0.5,
    -1.0,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "test",
    "PCG64",
    "MT19937",
    [],
    {},
]
ODD += [[0.5], [[0.0, 1.0]], {"state": 0}, "dismiss", "DE/rand/2/bin", [0] * 624]
TEXTS = [
    "",
    "null",
    "[" * 100_000,
    "9" * 10_000,
    '{"a":' * 50_000,
    "\x00",
    "{}",
    "NaN",
    '{"format": "debox optimizer 1"}',
]
TYPES = ["<i4", "<f4", ">f8", ">i8", "<u8", "<c16", "|b1", "<U3", "|S8", "<M8[s]", "O", "<f8", "<i8", "i4,f8"]
HEADERS = [
    (b"False", b"True "),
    (b"(7, 3)", b"(9, 9)"),
    (b"(7,)", b"(-1)"),
    (b"(3,), }", b"(99**99,)}"),
    (b"'<f8'", b"'|O8'"),
    (b"{'descr'", b"-" * 60 + b"{'descr'"),
    (b"\x93NUMPY\x01", b"\x93NUMPY\x03"),
]


def pick(rng, choices):
    return choices[int(rng.integers(len(choices)))]


def change_bytes(data, rng):
    """Some bytes changed, lost, repeated or cut off."""
    damaged = bytearray(data)
    for _ in range(int(rng.integers(1, 5))):
        at, length = int(rng.integers(len(damaged))), int(rng.integers(1, 9))
        way = int(rng.integers(5))
        if way == 0:
            damaged[at] ^= 1 << int(rng.integers(8))
        elif way == 1:
            damaged[at : at + length] = rng.bytes(length)
        elif way == 2:
            del damaged[at : at + length]
        elif way == 3:
            damaged[at:at] = damaged[at // 2 : at // 2 + length * 50]
        else:
            del damaged[max(at, 1) :]
    return bytes(damaged)


def change_content(data, rng):
    """Some fields changed, in an archive whose checksums are right."""
    with np.load(BytesIO(data)) as archive:
        arrays = {name: archive[name] for name in archive.files}
    state = json.loads(str(arrays.pop("state")))
    text = None
    for _ in range(int(rng.integers(1, 3))):
        way = int(rng.integers(8))
        if way < 3:
            change_state(state, rng)
        elif way == 3:
            text = pick(rng, TEXTS) if rng.random() < 0.3 else None
        else:
            change_arrays(arrays, rng)
    arrays["state"] = np.array(json.dumps(state) if text is None else text)
    return archived(arrays, rng)


def change_state(state, rng):
    """A value, key or item somewhere in it becomes something odd."""
    place = state
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return
        key = pick(rng, keys)
        if not isinstance(place[key], dict | list) or not place[key] or rng.random() < 0.2:
            break
        place = place[key]
    way = int(rng.integers(8))
    if way == 0:
        del place[key]
    elif way == 1 and isinstance(place, dict):
        place[pick(rng, ["init", "rng", "workers", "unknown", "self", "state", ""])] = pick(rng, ODD)
    elif way == 2 and isinstance(place[key], int | float):
        place[key] = place[key] + pick(rng, [-1, 1])
    else:
        place[key] = copy.deepcopy(pick(rng, ODD))


def change_arrays(arrays, rng):
    """One of them gets another value, type, shape or name, or is lost."""
    name = pick(rng, list(arrays))
    array = arrays[name]
    way = int(rng.integers(9))
    if way < 3 and array.size:
        numbers = [*NUMBERS[:-4], 0.5] if array.dtype.kind != "f" else [*NUMBERS, np.nan, np.inf, -np.inf, 1e308, 0.25]
        with np.errstate(all="ignore"):
            arrays[name] = array.copy()
            arrays[name].flat[int(rng.integers(array.size))] = np.array(pick(rng, numbers)).astype(array.dtype)
    elif way == 3:
        with np.errstate(all="ignore"):
            kind = pick(rng, TYPES)
            arrays[name] = np.zeros(array.shape, kind) if kind in ("i4,f8", "<M8[s]") else array.astype(kind)
    elif way == 4:
        shapes = [
            array[..., None],
            array.ravel(),
            *([array[:-1], array[:0], np.concatenate([array, array])] if array.ndim else []),
            *([array.ravel()[0]] if array.size else []),
            array.T,
            np.asfortranarray(array),
        ]
        arrays[name] = np.asarray(pick(rng, shapes))
    elif way == 5:
        del arrays[name]
    elif way == 6:
        arrays[pick(rng, ["_asked", "_f", "_P", "other", "../_P"])] = array
    elif array.ndim and array.size:
        rows = rng.permutation(len(array))
        arrays[name] = array[rows]


def archived(arrays, rng):
    """An .npz file of them; now and then an entry is compressed, occurs twice, or has another header."""
    file, way = BytesIO(), int(rng.integers(40))
    method = zipfile.ZIP_DEFLATED if way == 0 else zipfile.ZIP_STORED
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, array in arrays.items():
            entry = BytesIO()
            np.lib.format.write_array(entry, array, allow_pickle=True)
            content = entry.getvalue()
            if way == 1:
                content = content.replace(*pick(rng, HEADERS))
            elif way == 2:
                content = content[: int(rng.integers(len(content)))]
            archive.writestr(f"{name}.npy", content)
        if way == 3:
            archive.fp.flush()
            archive.filelist.append(copy.copy(archive.filelist[0]))
    return file.getvalue()
