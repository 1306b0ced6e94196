#pragma once

namespace altiscope {

/// Tell the thread sanitizer about an order between threads that it cannot see, because a library that it does not
/// watch (oneTBB, Qt) makes it: everything before handOver(token) happens before everything after takeOver(token) on
/// another thread. They order nothing themselves, and are empty in other builds. Any address that both sides know may
/// be the token.
#ifdef ALTI_THREAD_SANITIZER
// Said by the build, for a file that is itself not watched.
#elif defined(__SANITIZE_THREAD__)
#define ALTI_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ALTI_THREAD_SANITIZER 1
#endif
#endif

#ifdef ALTI_THREAD_SANITIZER
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
inline void handOver(const void* token) { __tsan_release(const_cast<void*>(token)); }
inline void takeOver(const void* token) { __tsan_acquire(const_cast<void*>(token)); }
#else
inline void handOver(const void*) {}
inline void takeOver(const void*) {}
#endif

}  // namespace altiscope
