/* The fast engine for every processor, and the choice between it and those with wider vectors */
#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define WIDTH 128
#else
#define WIDTH 0 /* whatever the compiler makes of it */
#endif
#define ADVANCE advance_baseline
#include "fast.h"

static int always(void) { return 1; }

#ifdef HAS_WIDE_VECTORS
static int has_avx512(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

static int has_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
#endif

const Width WIDTHS[] = {
#ifdef HAS_WIDE_VECTORS
    {"avx512", advance_avx512, has_avx512},
    {"avx2", advance_avx2, has_avx2},
#endif
    {"baseline", advance_baseline, always},
    {NULL, NULL, NULL},
};
