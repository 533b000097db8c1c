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
#define WORK 65536 /* of the fast engine between two looks at the clock: some ms at most */

static const Width *chosen; /* for the fast engine: the one state of the core */

#define METHOD(name, given) static PyObject *py_##name(PyObject *Py_UNUSED(module), PyObject *given)

/* Call a function with the run at this address */
#define CALL(name, function) \
    METHOD(name, address) { \
        Run *de = PyLong_AsVoidPtr(address); \
        i64 result; \
        if (!de) return NULL; \
        Py_BEGIN_ALLOW_THREADS \
        result = function(de); \
        Py_END_ALLOW_THREADS \
        return PyLong_FromLongLong(result); \
    }
CALL(propose, propose)
CALL(select, select_survivors)

/* Seconds by a clock that any thread may ask */
static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

METHOD(advance, given) {
    unsigned long long run, fast;
    long long until;
    double ms;
    if (!PyArg_ParseTuple(given, "KKLd", &run, &fast, &until, &ms)) return NULL;
    Run *de = (Run *)(uintptr_t)run;
    Fast *s = (Fast *)(uintptr_t)fast;
    int more;
    Py_BEGIN_ALLOW_THREADS
    double end = now() + 1e-3 * ms;
    do more = s ? advance_fast(chosen, s, de, until, WORK) : step_on_f0(de, until); while (more && now() < end);
    Py_END_ALLOW_THREADS
    return PyBool_FromLong(more);
}

METHOD(use, given) {
    const char *name, *before = chosen->name;
    if (!PyArg_ParseTuple(given, "s", &name)) return NULL;
    for (const Width *width = WIDTHS; width->name; width++)
        if (!strcmp(width->name, name) && width->works_here()) {
            chosen = width;
            return PyUnicode_FromString(before);
        }
    return PyErr_Format(PyExc_ValueError, "this processor does not know %s", name);
}

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

/* What Python needs to know: where the C functions are, the fields of the structs, the digest of the sources */
static int fill(PyObject *module) {
    PyObject *table = PyDict_New();
    for (chosen = WIDTHS; !chosen->works_here();) chosen++;
    int failed = !table || add_address(table, "normal", (void (*)(void))random_standard_normal) ||
                 add_address(table, "binomial_distribution", (void (*)(void))draw_binomial);
    for (const Named *operator = OPERATORS; operator->name && !failed; operator++)
        failed = add_address(table, operator->name, operator->address);
    failed = failed || PyModule_AddObjectRef(module, "ADDRESSES", table) < 0 ||
             PyModule_AddStringConstant(module, "RUN", fields_of_Run()) < 0 ||
             PyModule_AddStringConstant(module, "FAST", fields_of_Fast()) < 0 ||
             PyModule_AddStringConstant(module, "DIGEST", DEBOX_DIGEST) < 0;
    Py_XDECREF(table);
    return failed ? -1 : 0;
}

static PyMethodDef METHODS[] = {
    {"propose", py_propose, METH_O, "Make the trials of the next generation: their number, 0 at the end, -1 if it failed."},
    {"select", py_select, METH_O, "Take the values of the trials: the number of marks passed, or -1 if an operator failed."},
    {"advance", py_advance, METH_VARARGS,
     "Do a run on f0 up to an evaluation, or for some ms; is there more to do? fast: the address of the tables of the "
     "fast engine, 0 for Algorithm 1, which does whole generations."},
    {"use", py_use, METH_VARARGS, "Choose the vectors of the fast engine, avx512, avx2 or baseline; those before."},
    {NULL, NULL, 0, NULL},
};
static PyModuleDef_Slot SLOTS[] = {{Py_mod_exec, (void *)fill}, {0, NULL}};
static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, .m_name = "debox._core", .m_doc = "Differential Evolution in C.",
                                    .m_methods = METHODS, .m_slots = SLOTS};

PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&MODULE); }
