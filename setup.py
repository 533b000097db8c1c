"""The C core, debox._core, and the files of data/ that wheels carry; all other settings are in pyproject.toml.

Without a C compiler the install goes through and debox says at its first use how to get the core.
DEBOX_CORE=required makes a failed build an error.
"""

import hashlib
import os
import shutil
from pathlib import Path

import numpy as np
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

CORE = Path("src", "debox", "core")
SOURCES = sorted(str(path) for path in CORE.glob("*.[ch]"))
IN_WHEELS = ("paper.npz", "readings.parquet")
FLAGS = {
    "unix": ["-std=c11", "-O3", "-g0", "-ffp-contract=off", "-fvisibility=hidden", "-Wall", "-Wextra"],
    "mingw32": ["-std=c11", "-O3", "-g0", "-ffp-contract=off"],
    "msvc": ["/std:c11", "/O2", "/fp:precise"],
}


def digest() -> str:
    """16 hex digits of the C sources, compiled into the core: tests compare them with the tree."""
    content = b"".join(Path(source).read_bytes() for source in SOURCES)
    return hashlib.sha256(content).hexdigest()[:16]


class BuildCore(build_ext):
    """Adds the flags of the compiler at hand: no fused products, for the same bits everywhere."""

    def build_extension(self, extension: Extension) -> None:
        extension.extra_compile_args += FLAGS.get(self.compiler.compiler_type, [])
        super().build_extension(extension)


class CopyData(build_py):
    """Copies what wheels carry of data/, which stays beside the package in a clone."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            folder = Path(self.build_lib, "debox", "data")
            shutil.rmtree(folder, ignore_errors=True)  # of an earlier build
            folder.mkdir(parents=True, exist_ok=True)
            for name in IN_WHEELS:
                shutil.copyfile(Path("data", name), folder / name)


core = Extension(
    "debox._core",
    sources=[source for source in SOURCES if source.endswith(".c")],
    depends=[source for source in SOURCES if source.endswith(".h")],
    include_dirs=[np.get_include()],
    library_dirs=[str(Path(np.__file__).parent / "random" / "lib")],
    libraries=["npyrandom"] if os.name == "nt" else ["npyrandom", "m"],
    define_macros=[("Py_LIMITED_API", "0x030B0000"), ("DEBOX_DIGEST", f'"{digest()}"')],
    py_limited_api=True,
    optional=os.environ.get("DEBOX_CORE") != "required",
)
setup(
    ext_modules=[core],
    cmdclass={"build_ext": BuildCore, "build_py": CopyData},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
