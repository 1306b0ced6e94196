#pragma once

#include "core/base/values/time.h"
#include "core/generate/ranks/profiler_facts.h"

#include <cstdint>

namespace altiscope::generate {

/// Times of a rank as counts of its host's counter, which counts 10 ns, and of its device's, which counts ns: so that a
/// device's times are exactly those of the text export.
class RawClocks {
public:
    RawClocks(const Run& run, std::uint32_t rank)
        : m_start(run.plan.startOf(rank)), m_profiler(profilerStart(run, rank)) {}

    static constexpr std::int64_t kNsPerHostCount = 10;
    static constexpr std::uint64_t kHostMegahertz = 100, kDeviceMegahertz = 1000;
    static constexpr std::uint64_t kDeviceStart = 7'000'000'000'000;

    std::uint64_t host(TimeNs time) const {
        const std::int64_t passed = (time - m_start).value;
        const std::int64_t counts = passed / kNsPerHostCount - (passed % kNsPerHostCount < 0 ? 1 : 0);
        return m_profiler.count + static_cast<std::uint64_t>(counts);
    }
    std::uint64_t device(TimeNs time) const {
        return kDeviceStart + static_cast<std::uint64_t>((time - m_start).value);
    }

    TimeNs start() const { return m_start; }
    const ProfilerStart& profiler() const { return m_profiler; }

private:
    TimeNs m_start;
    ProfilerStart m_profiler;
};

}  // namespace altiscope::generate
