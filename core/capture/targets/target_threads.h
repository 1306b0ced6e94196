#pragma once

#include <cstddef>
#include <functional>

namespace altiscope::capture {

inline constexpr std::size_t kMaxTargetThreads = 64;

/// Calls work(i) for each i in [0, count), which waits for hosts, on up to `atOnce` threads including the caller's;
/// returns when all are done.
/// @param work  Must not throw.
void forEachTarget(std::size_t count, const std::function<void(std::size_t)>& work,
                   std::size_t atOnce = kMaxTargetThreads);

}  // namespace altiscope::capture
