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
#include <cpuid.h>
enum { POPCNT = 1 << 23, OSXSAVE = 1 << 27 }; /* of cpuid 1 */
enum { AVX2 = 1 << 5, BMI2 = 1 << 8, AVX512F = 1 << 16, AVX512DQ = 1 << 17, AVX512BW = 1 << 30 }; /* of cpuid 7 */
#define AVX512VL 0x80000000

/* Has the processor these features, and does the operating system keep these registers? */
static int has(uint32_t features, uint32_t registers)
{
    uint32_t a, b, c, d, kept;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & POPCNT) || !(c & OSXSAVE)) return 0;
    __asm__("xgetbv" : "=a"(kept), "=d"(d) : "c"(0));
    return (kept & registers) == registers && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & features) == features;
}

static int has_avx2(void) { return has(AVX2 | BMI2, 0x06); }
static int has_avx512(void) { return has(AVX512F | AVX512DQ | AVX512BW | AVX512VL | BMI2, 0xE6); }
#endif

const Width WIDTHS[] = {
#ifdef HAS_WIDE_VECTORS
    {"avx512", advance_avx512, has_avx512},
    {"avx2", advance_avx2, has_avx2},
#endif
    {"baseline", advance_baseline, always},
    {NULL, NULL, NULL},
};
