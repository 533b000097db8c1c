"""How debox compiles its inner loops with Numba: a page for readers who have not used Numba before.

**A kernel** is a plain Python function marked with ``@kernel``: an operator such as binomial crossover, or a loop such
as Algorithm 1. It uses only numbers, arrays, tuples and other kernels, which is what Numba can turn into machine code.
Marking leaves the function as it is. So tests call a kernel with numbers computed by hand, a debugger steps through it,
and importing debox neither imports Numba nor compiles anything.

**At first use** `bind(kernel, *args)` gives the machine code for arguments of these types. Numba infers from the types
of the arguments the type of every variable, and compiles the kernel and all kernels that it calls; stderr says what is
being compiled. Other types are another compilation. The result is called directly, without looking at types again, so
it must be called with arguments of the types that it was bound to. No option lets the compiler change numbers
(`OPTIONS`): debox's own operators and loops give the same results compiled and interpreted, to the bit. A kernel from
outside may call functions such as exp or sin, whose last bits differ; it is held to the same results within rounding
(registry/checks/compiled.py).

**A pointer** is the address of the machine code of a kernel together with the types of its arguments and its result.
`pointer(function, role)` makes one for the function of an operator, or for f0; its role, such as "crossover", says the
types. `counter(kernel, *args)` makes one for a kernel that returns a whole number, or True or False as 1 or 0. The loop
takes its operators as pointers, in arguments: thus the loop is compiled once, which takes seconds, and serves every
configuration. Were the operators part of the loop, each combination of them would have to be compiled. The price is a
call that the compiler cannot see through, and that loses exceptions: whoever calls a loop does it in a block of
`raise_lost_errors`, which raises them at its end.

**Specialising** is for places where that price is too high, in the innermost loops. `specialise(kernel, name=other)`
gives a copy of a kernel in which a name means another kernel, also in the kernels that it calls; the compiler sees
through the call. There are two kinds of such names. ``formula`` in de/variation.py, ``propose`` and ``build`` in
de/algorithm.py are placeholders: called by themselves, compiled or not, they raise a RuntimeError, since going on
without a mutation, or with the loop of another configuration, would silently give wrong numbers. ``next_generation`` or
``draw_K`` are kernels that are right for most configurations; `assemble.loop_for`, which alone fills the place of
``propose`` and with it that of ``build``, replaces them where a configuration has others.

**Native code.** `native` marks a kernel whose instructions are written by hand, `borrow` is one of them: it gives the
same arrays without the counting of references, by which Numba knows when to free an array, and which takes a fifth of a
run. The caller must keep the arrays alive until the kernel returns, and a kernel must not return or store what it
borrowed. Else memory is used after it was freed: a crash, or wrong numbers.

**On disk.** Machine code is kept in ``~/.cache/debox``, or in the folder that DEBOX_CACHE_DIR names, and is loaded by
the next process. It cannot be out of date: its folder is named after the state of debox's kernel sources, and its file
is used only for the same processor, versions of Python, Numba and NumPy, signature, options, source file and
*fingerprint*, which covers every kernel called and every value compiled in, wherever they come from. A kernel that uses
something whose changes cannot be seen is not kept. Since machine code is run as it is found, the folder must be one
that nobody else can write to, and each file has a checksum.

**Without compiling.** With DEBOX_JIT=0 or NUMBA_DISABLE_JIT=1 in the environment, or inside ``with interpreted():``,
`bind` and `pointer` give the Python functions themselves: slow, and easy to debug.

The user's own objective, if it is compiled with Numba (`is_compiled`), enters the loop through `objective`.

This package is the only place that imports Numba and knows its options. One job per file: marking, compiling (with
library, switch, locks, interrupts, progress), binding, pointers (with pointer_type, lost_errors), specialising,
native_code, objectives; and for what is kept on disk fingerprint, cache, folder, private.
"""

from debox.jit.binding import bind
from debox.jit.compiling import dispatcher_of
from debox.jit.library import OPTIONS, is_compiled
from debox.jit.lost_errors import raise_lost_errors
from debox.jit.marking import kernel
from debox.jit.native_code import borrow, native
from debox.jit.objectives import objective, raise_as_objective_error, why_not_compiled
from debox.jit.pointers import counter, pointer
from debox.jit.specialising import specialise
from debox.jit.switch import interpreted, is_interpreted

__all__ = [
    "OPTIONS",
    "bind",
    "borrow",
    "counter",
    "dispatcher_of",
    "interpreted",
    "is_compiled",
    "is_interpreted",
    "kernel",
    "native",
    "objective",
    "pointer",
    "raise_as_objective_error",
    "raise_lost_errors",
    "specialise",
    "why_not_compiled",
]
