#include "core/session/reading/load_estimate.h"

#include "core/store/file/mapped_file.h"

#include <algorithm>
#include <limits>
#include <thread>

#include <unistd.h>

namespace altiscope {

namespace {

constexpr double kBytesPerSecondAndCore = 280e6;
constexpr std::uint64_t kTracePerStore = 7;
constexpr double kSecondsUnasked = 15;

double bytesPerSecond() { return kBytesPerSecondAndCore * std::max(std::thread::hardware_concurrency(), 1U); }

}  // namespace

LoadEstimate estimateReading(std::uint64_t bytes, double share) {
    const double memory = static_cast<double>(bytes / kTracePerStore) * std::clamp(share, 0.0, 1.0);
    return {static_cast<double>(bytes) / bytesPerSecond(), static_cast<std::uint64_t>(memory)};
}

std::uint64_t memoryUnasked() {
    const auto memory = static_cast<std::uint64_t>(std::max(::sysconf(_SC_PHYS_PAGES), 0L)) *
                        static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return memory / 4;
}

void limitMemory(std::uint64_t bytes) { setResidentLimit(bytes == 0 ? memoryUnasked() : bytes); }

std::uint64_t autoLoadLimit() {
    const auto bySpeed = static_cast<std::uint64_t>(kSecondsUnasked * bytesPerSecond());
    return std::min(bySpeed, memoryUnasked() * kTracePerStore);
}

std::uint64_t autoLoadLimit(std::uint64_t memory) {
    if (memory == 0) return autoLoadLimit();
    return memory > std::numeric_limits<std::uint64_t>::max() / kTracePerStore
               ? std::numeric_limits<std::uint64_t>::max()
               : memory * kTracePerStore;
}

}  // namespace altiscope
