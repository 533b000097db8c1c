/* Random numbers: NumPy's bit generators, by the layout of their bitgen_t, and two of NumPy's distributions.

   The distributions enter as pointers, so that nothing here needs NumPy's headers or libraries. */
#ifndef DEBOX_RNG_H
#define DEBOX_RNG_H
#include <stdint.h>

typedef int64_t i64;

#ifndef NUMPY_CORE_INCLUDE_NUMPY_RANDOM_BITGEN_H_ /* where NumPy's own header is included, it comes first */
typedef struct bitgen {
    void *state;
    uint64_t (*next_uint64)(void *state);
    uint32_t (*next_uint32)(void *state);
    double (*next_double)(void *state);
    uint64_t (*next_raw)(void *state);
} bitgen_t;
#endif

typedef struct {
    bitgen_t bits; /* a copy of NumPy's; first, so that a Rng is at the address of a bitgen_t */
    double (*normal)(bitgen_t *);                    /* N(0, 1) */
    i64 (*binomial)(bitgen_t *, double p, i64 n);    /* successes in n trials */
} Rng;

/* U(0, 1), without 1 */
static inline double uniform01(Rng *rng) { return rng->bits.next_double(rng->bits.state); }

/* Uniform on 0..k-1: floor(kU) (off by less than k/2^53) */
static inline i64 draw(i64 k, Rng *rng) { return (i64)(uniform01(rng) * k); }

#endif
