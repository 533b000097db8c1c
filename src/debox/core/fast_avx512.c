/* The fast engine for processors with AVX-512 */
#include "loop.h"
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define WIDTH 512
#define ADVANCE advance_avx512
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512bw,avx512dq,avx512vl,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx512bw,avx512dq,avx512vl,bmi2,popcnt")
#endif
#include "fast.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
