"""The C core, debox._core, the files of data/ that wheels carry, and the links of the package's metadata.

All other settings are in pyproject.toml; there, tool.debox says where debox is public.

Without a C compiler the install goes through and debox says at its first use how to get the core.
DEBOX_CORE=required makes a failed build an error.
"""

import hashlib
import os
import re
import shutil
import tomllib
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


LOCAL = r"(?!https?:|mailto:|#)"  # begins the target of a link that leads to a file of the repository


def readme(text: str, address: str) -> str:
    """The README for a package index: links to files of the repository get its address; without one they become text.

    Pictures of the repository are left out where they have no address. Code stays as it is.
    """
    parts = re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
    parts[::2] = [with_address(part, address) if address else without_links(part) for part in parts[::2]]
    return "".join(parts)


def with_address(text: str, address: str) -> str:
    """Markdown and HTML whose links to files of the repository have its address."""
    page, raw = f"{address}/blob/main/", f"{address}/raw/main/"
    text = re.sub(rf"(!\[[^]]*\]\(){LOCAL}", rf"\g<1>{raw}", text)
    text = re.sub(rf"(\]\(){LOCAL}", rf"\g<1>{page}", text)
    text = re.sub(rf'\b((?:src|srcset)="){LOCAL}', rf"\g<1>{raw}", text)
    return re.sub(rf'\b(href="){LOCAL}', rf"\g<1>{page}", text)


def without_links(text: str) -> str:
    """Markdown and HTML without pictures and links that lead to files of the repository."""
    text = re.sub(r"<picture>.*?</picture>", "", text, flags=re.DOTALL)
    text = re.sub(rf'<img\b[^>]*\bsrc="{LOCAL}[^>]*>', "", text)
    text = re.sub(rf"!\[[^]]*\]\({LOCAL}[^)]*\)", "", text)
    text = re.sub(rf"\[([^]]*)\]\({LOCAL}[^)]*\)", r"\1", text)
    text = re.sub(rf'<a\b[^>]*\bhref="{LOCAL}[^>]*>(.*?)</a>', r"\1", text, flags=re.DOTALL)
    return re.sub(r"\n{3,}", "\n\n", text)


def urls(address: str, documentation: str) -> dict[str, str]:
    """What [project.urls] would say."""
    page = f"{address}/blob/main/"
    pages = {"Source": address, "Documentation": f"{page}docs/index.md", "Changelog": f"{page}CHANGELOG.md"}
    return (pages if address else {}) | ({"Documentation": documentation} if documentation else {})


def public(name: str, value: object) -> str:
    """An address in tool.debox, without a slash at its end: links begin with it."""
    if not isinstance(value, str) or not re.fullmatch(
        r"(https?://[\w.-]+(:\d+)?(/[\w.~-]+)*/?)?(?<!\.git)(?<!\.git/)", value
    ):
        raise ValueError(
            f"tool.debox.{name} in pyproject.toml must be empty or a web address such as https://example.org/debox, "
            f"without .git, ? or # at its end, got {value!r}"
        )
    return value.rstrip("/")


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
if __name__ == "__main__":
    SETTINGS = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["tool"]["debox"]
    PUBLIC = {name: public(name, value) for name, value in SETTINGS.items()}
    setup(
        long_description=readme(Path("README.md").read_text(encoding="utf-8"), PUBLIC["address"]),
        long_description_content_type="text/markdown",
        project_urls=urls(**PUBLIC),
        ext_modules=[core],
        cmdclass={"build_ext": BuildCore, "build_py": CopyData},
        options={"bdist_wheel": {"py_limited_api": "cp311"}},
    )
