#pragma once

#include <cstdio>
#include <cstdlib>

/// A rule that our own code must keep. Aborts in debug builds; release builds trust it.
#ifndef NDEBUG
#define ALTI_ASSERT(condition)                                                                                         \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::fprintf(stderr, "%s:%d: broken rule: %s\n", __FILE__, __LINE__, #condition);                          \
            std::abort();                                                                                              \
        }                                                                                                              \
    } while (false)
#else
#define ALTI_ASSERT(condition) static_cast<void>(0)
#endif
