/* The fast engine for processors with AVX2 */
#include "loop.h"
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define WIDTH 256
#define ADVANCE advance_avx2
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx2,bmi2,popcnt")
#endif
#include "fast.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
