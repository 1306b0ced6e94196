#pragma once

#include <algorithm>
#include <cstddef>

namespace altiscope {

// Under a sanitizer everything takes ten times as long, and finds what it finds with less: tests that go through every
// byte, seed or size take some of them there, and all of them in the optimised build.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::size_t kStride = 7;
#elif defined(__has_feature)  // clang
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr std::size_t kStride = 7;
#else
inline constexpr std::size_t kStride = 1;
#endif
#else
inline constexpr std::size_t kStride = 1;
#endif

/// How many of `times` repetitions a test makes.
constexpr int repetitions(int times) { return std::max(1, times / static_cast<int>(kStride)); }

}  // namespace altiscope
