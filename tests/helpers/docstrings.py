"""Reads docstrings in the manner of numpydoc, and says what they leave out."""

import ast
import inspect
import re
import textwrap

import debox

OF_ARGUMENTS = ("ValueError", "TypeError")  # which the help of debox describes once for all functions
PARAMETER = re.compile(r"^([*\w]+(?:, [*\w]+)*) : (\S.*)$", re.MULTILINE)
REFERENCE = re.compile(r"^([*\w]+(?:, [*\w]+)*)\n    (?:As in|Those of) `(\w+)`\.$", re.MULTILINE)


def sections(docstring):
    """Title → text of each section, one that is underlined; the summary has the title ""."""
    pieces = re.split(r"^(\w[\w ]*)\n-{3,}\n", inspect.cleandoc(docstring or ""), flags=re.MULTILINE)
    return {"": pieces[0].strip(), **dict(zip(pieces[1::2], pieces[2::2], strict=True))}


def described(section):
    """Name → type of every parameter that a section describes."""
    return {name: kind for names, kind in PARAMETER.findall(section) for name in names.split(", ")}


def referred(section):
    """Name → the public function to whose help a section refers for this parameter."""
    return {name: to for names, to in REFERENCE.findall(section) for name in names.split(", ")}


def described_elsewhere(section):
    """Name → type of the parameters that the functions referred to describe; of **options, that these are optional."""
    found = {}
    for name, to in referred(section).items():
        theirs = described(sections(inspect.getdoc(getattr(debox, to)))["Parameters"])
        found |= {name: "optional"} if name.startswith("**") else {name: theirs[name]} if name in theirs else {}
    return found


def entries(function):
    """Name → type and meaning of every parameter that a docstring describes."""
    written = sections(inspect.getdoc(function)).get("Parameters", "")
    pieces = PARAMETER.split(written)  # before them; names, type, meaning; names, type, meaning …
    found = zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True)
    return {name: (kind, meaning.strip()) for names, kind, meaning in found for name in names.split(", ")}


def arguments(function):
    """Those of a signature that a caller may give, by name; errors are caught, not made."""
    if inspect.isclass(function) and issubclass(function, Exception):
        return {}
    found = inspect.signature(function).parameters.values()
    return {p.name: p for p in found if p.name not in ("self", "cls") and p.annotation not in ("Never", "NoReturn")}


def may_be_left_out(parameter):
    """Has an argument a default? None is one only if its type has None: keys that a study needs have none."""
    is_needed = parameter.default is None and not re.search("None|Any", str(parameter.annotation))
    return parameter.default is not parameter.empty and not is_needed


def raises(function):
    """Has the function, or the constructor of a class, a line that raises something else than errors of arguments?"""
    code = function.__init__ if inspect.isclass(function) else inspect.unwrap(function)
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(code)))
    except (OSError, TypeError):  # a constructor that dataclass or object made
        return False
    raised = (
        node.exc.func for node in ast.walk(tree) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
    )
    return any(getattr(error, "id", "") not in OF_ARGUMENTS for error in raised)


def shortcomings(function):
    """What the docstring of a function, a method or a class does not say."""
    written = sections(inspect.getdoc(function))
    if not written[""]:
        yield "a summary"
    parameters = written.get("Parameters", "")
    here = described(parameters) | described_elsewhere(parameters)
    named = here | described(written.get("Attributes", ""))
    taken = arguments(function)
    for name, parameter in taken.items():
        plain = {name, f"*{name}", f"**{name}"} & named.keys()
        if not plain:
            yield f"the argument {name}"
        elif may_be_left_out(parameter) and not re.search("default|optional", named[plain.pop()]):
            yield f"the default of {name}"
    for name in here.keys() - {*taken, *(f"**{name}" for name in taken)}:
        yield f"what {name} is, which is no argument"
    is_method = "." in function.__qualname__  # its class has an example, its first line says what it returns
    is_function = not inspect.isclass(function) and not is_method
    if is_function and inspect.signature(function).return_annotation not in ("None", None):
        yield from [] if written.keys() & {"Returns", "Yields"} else ["Returns"]
    if "Raises" not in written and raises(function):
        yield "Raises"
    if ">>> " not in written.get("Examples", "") and not is_method:
        yield "Examples"
