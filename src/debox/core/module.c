/* debox._core: the one file of the core that knows Python. Runs are passed by their addresses (loop.py makes them). */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>
#include <time.h>
#include <numpy/random/distributions.h>
#include "fast.h"

#ifndef DEBOX_DIGEST
#define DEBOX_DIGEST ""
#endif

static Run *run_at(PyObject *address) { return PyLong_AsVoidPtr(address); }

static PyObject *py_propose(PyObject *module, PyObject *address) {
    Run *de = run_at(address);
    i64 trials;
    (void)module;
    if (!de) return NULL;
    Py_BEGIN_ALLOW_THREADS
    trials = propose(de);
    Py_END_ALLOW_THREADS
    return PyLong_FromLongLong(trials);
}

static PyObject *py_select(PyObject *module, PyObject *address) {
    Run *de = run_at(address);
    (void)module;
    if (!de) return NULL;
    Py_BEGIN_ALLOW_THREADS
    select_survivors(de);
    Py_END_ALLOW_THREADS
    return PyBool_FromLong(!de->failed);
}

/* Seconds by a clock that any thread may ask */
static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One generation on f0, where every evaluation is a fresh U(0, 1); is there another one before `until`? */
static int step_on_f0(Run *de, i64 until) {
    if (de->counts[EVALUATIONS] >= until || propose(de) <= 0) return 0;
    for (i64 i = 0; i < de->trials; i++)
        de->f_U[i] = de->fate == UNSEEN && de->infeasible[i] ? Py_HUGE_VAL : uniform01(&de->rng);
    select_survivors(de);
    return !de->failed && de->counts[EVALUATIONS] < until;
}

static PyObject *py_advance(PyObject *module, PyObject *args) {
    unsigned long long address;
    long long until;
    double ms;
    int more;
    (void)module;
    if (!PyArg_ParseTuple(args, "KLd", &address, &until, &ms)) return NULL;
    Run *de = (Run *)(uintptr_t)address;
    Py_BEGIN_ALLOW_THREADS
    double end = now() + 1e-3 * ms;
    do more = step_on_f0(de, until); while (more && now() < end);
    Py_END_ALLOW_THREADS
    return PyBool_FromLong(more);
}

/* ---- The fast engine ------------------------------------------------------------------------------------------------- */

#define WORK 65536 /* between two looks at the clock, some ms at most */
static const Width *chosen; /* the one state of the core */

static PyObject *py_advance_fast(PyObject *module, PyObject *args) {
    unsigned long long fast, run;
    long long until;
    double ms;
    int more;
    (void)module;
    if (!PyArg_ParseTuple(args, "KKLd", &fast, &run, &until, &ms)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    double end = now() + 1e-3 * ms;
    do more = advance_fast(chosen, (Fast *)(uintptr_t)fast, (Run *)(uintptr_t)run, until, WORK); while (more && now() < end);
    Py_END_ALLOW_THREADS
    return PyBool_FromLong(more);
}

static PyObject *py_use(PyObject *module, PyObject *args) {
    const char *name, *before = chosen->name;
    (void)module;
    if (!PyArg_ParseTuple(args, "s", &name)) return NULL;
    for (const Width *width = WIDTHS; width->name; width++)
        if (!strcmp(width->name, name) && width->works_here()) {
            chosen = width;
            return PyUnicode_FromString(before);
        }
    return PyErr_Format(PyExc_ValueError, "this processor does not know %s", name);
}

/* ---- What Python needs to know --------------------------------------------------------------------------------------- */

static i64 draw_binomial(bitgen_t *bits, double p, i64 n) {
    binomial_t setup = {0};
    return random_binomial(bits, p, n, &setup);
}

static int add_address(PyObject *table, const char *name, void (*address)(void)) {
    PyObject *number = PyLong_FromVoidPtr((void *)address);
    int failed = !number || PyDict_SetItemString(table, name, number) < 0;
    Py_XDECREF(number);
    return failed;
}

static int add_addresses(PyObject *module) {
    PyObject *table = PyDict_New();
    if (!table) return -1;
    int failed = add_address(table, "normal", (void (*)(void))random_standard_normal) ||
                 add_address(table, "binomial_distribution", (void (*)(void))draw_binomial);
    for (const Named *operator = OPERATORS; operator->name && !failed; operator++)
        failed = add_address(table, operator->name, operator->address);
    failed = failed || PyModule_AddObjectRef(module, "ADDRESSES", table) < 0;
    Py_DECREF(table);
    return failed ? -1 : 0;
}

static int fill(PyObject *module) {
    if (add_addresses(module) < 0) return -1;
    if (PyModule_AddIntConstant(module, "SIZE", sizeof(Run)) < 0) return -1;
    if (PyModule_AddIntConstant(module, "FAST_SIZE", sizeof(Fast)) < 0) return -1;
    for (chosen = WIDTHS; !chosen->works_here();) chosen++;
    return PyModule_AddStringConstant(module, "DIGEST", DEBOX_DIGEST);
}

static PyMethodDef METHODS[] = {
    {"propose", py_propose, METH_O, "Make the trials of the next generation of the run at this address; their number."},
    {"select", py_select, METH_O, "Take the values of the trials of the run at this address; did all operators work?"},
    {"advance", py_advance, METH_VARARGS, "Generations on f0 until so many evaluations, or ms, are over; more to do?"},
    {"advance_fast", py_advance_fast, METH_VARARGS, "The same by the fast engine."},
    {"use", py_use, METH_VARARGS, "Choose the vectors of the fast engine; returns those used before."},
    {NULL, NULL, 0, NULL},
};
static PyModuleDef_Slot SLOTS[] = {{Py_mod_exec, (void *)fill}, {0, NULL}};
static struct PyModuleDef MODULE = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "debox._core",
    .m_doc = "Differential Evolution in C.",
    .m_methods = METHODS,
    .m_slots = SLOTS,
};

PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&MODULE); }
