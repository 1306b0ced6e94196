#include "core/generate/records/counter_samples.h"

#include "core/generate/records/memory_history.h"
#include "core/generate/support/noise.h"

#include <algorithm>

namespace altiscope::generate {

namespace {

constexpr std::uint64_t kCounterDomain = 31;
constexpr std::int64_t kMs = 1'000'000;
/// Periods and first samples after the profiler's start, as the sampling threads of the device keep them.
struct Rhythm {
    std::int64_t firstNs;
    std::int64_t periodNs;
};
constexpr Rhythm kAppRhythm{70'000, 20 * kMs};
constexpr Rhythm kHbmRhythm{150'000, 20 * kMs};
constexpr Rhythm kDeviceRhythm{304'000, 20 * kMs};
constexpr Rhythm kCacheRhythm{10'213'000, 20 * kMs};
constexpr Rhythm kQosRhythm{64'131'661, 200'000};
constexpr Rhythm kAcceleratorRhythm{72'462'008, 20'480'000};

/// Calls add(time, n) for the sampling points within the window.
template <class Add>
void forSamples(TimeNs profilerStart, const TimeRange& window, Rhythm rhythm, const Add& add) {
    const std::int64_t origin = profilerStart.value + rhythm.firstNs;
    const std::int64_t begin = window.begin.value - origin;
    std::int64_t n = begin <= 0 ? 0 : (begin + rhythm.periodNs - 1) / rhythm.periodNs;
    for (; origin + n * rhythm.periodNs < window.end.value; ++n)
        add(TimeNs{origin + n * rhythm.periodNs}, static_cast<std::uint64_t>(n));
}

/// Answers for ascending times whether a kernel ran.
class BusyCursor {
public:
    explicit BusyCursor(const std::vector<OverlapSlice>& overlap) : m_overlap(overlap) {}

    bool busyAt(TimeNs time) {
        while (m_next < m_overlap.size() && m_overlap[m_next].range.begin <= time) {
            const OverlapSlice& slice = m_overlap[m_next++];
            if (slice.lane == OverlapLane::Computing) m_until = std::max(m_until, slice.range.end);
        }
        return time < m_until;
    }

private:
    const std::vector<OverlapSlice>& m_overlap;
    std::size_t m_next = 0;
    TimeNs m_until;
};

class CounterWriter {
public:
    CounterWriter(const Run& run, std::uint32_t rank, const UnitRecord& record)
        : m_run(run), m_rank(rank), m_start(run.plan.startOf(rank)), m_record(record) {}

    std::vector<CounterSample> write() {
        frequency();
        memory();
        bandwidth();
        quality();
        accelerators();
        std::stable_sort(m_samples.begin(), m_samples.end(),
                         [](const CounterSample& a, const CounterSample& b) { return a.time < b.time; });
        return std::move(m_samples);
    }

private:
    Noise noiseOf(CounterKind kind, std::uint64_t n) const {
        return Noise(mixedKey({m_run.plan.seed, kCounterDomain, m_rank, static_cast<std::uint64_t>(kind), n}));
    }

    void add(TimeNs time, CounterKind kind, std::uint32_t index, std::int64_t value) {
        m_samples.push_back({time, kind, index, value});
    }

    void frequency() {
        // A point where it changes and one at the end of the run.
        const std::uint64_t step = m_record.unit / m_run.program.microBatches;
        const std::int64_t mhz = coreMhz(m_run.plan, m_rank, step);
        if (m_record.unit == 0) add(m_start, CounterKind::CoreFrequency, 0, mhz);
        const bool firstOfStep = m_record.unit % m_run.program.microBatches == 0;
        if (firstOfStep && step > 0 && mhz != std::int64_t{coreMhz(m_run.plan, m_rank, step - 1)})
            add(m_record.window.begin, CounterKind::CoreFrequency, 0, mhz);
        if (m_record.unit + 1 == m_run.plan.units()) {
            add(TimeNs{(m_record.window.end.value - kMs) / 1000 * 1000}, CounterKind::CoreFrequency, kLastFrequency,
                mhz);
        }
    }

    void memory() {
        for (const TimeNs time : memorySampleTimes(m_start, m_record.window)) {
            const auto kb = static_cast<std::int64_t>(processBlocks(m_run, m_record, time) * kBlockBytes / 1024);
            addMemory(time, CounterKind::AppMemory, kb);
        }
        forSamples(m_start, m_record.window, kDeviceRhythm, [&](TimeNs time, std::uint64_t) {
            constexpr std::int64_t kDriverKb = 242'204;
            const auto kb = static_cast<std::int64_t>(processBlocks(m_run, m_record, time) * kBlockBytes / 1024);
            addMemory(time, CounterKind::DeviceMemory, kb + kDriverKb);
        });
    }

    void addMemory(TimeNs time, CounterKind kind, std::int64_t kb) {
        add(time, kind, 0, 0);
        add(time, kind, 1, kb);
        add(time, kind, 2, kb);
    }

    void bandwidth() {
        BusyCursor busy(m_record.overlap);
        forSamples(m_start, m_record.window, kHbmRhythm, [&](TimeNs time, std::uint64_t n) {
            const std::uint32_t typical = busy.busyAt(time) ? 96'000 : 40;
            Noise noise = noiseOf(CounterKind::HbmRead, n);
            for (std::uint32_t unit = 0; unit < kHbmUnits; ++unit) {
                const std::int64_t reading = noise.hostTime(typical) * kHbmResolution;
                add(time, CounterKind::HbmRead, unit, reading + noise.below(kHbmResolution));
                const std::int64_t writing = noise.hostTime(typical * 3 / 4) * kHbmResolution;
                add(time, CounterKind::HbmWrite, unit, writing + noise.below(kHbmResolution));
            }
        });
        BusyCursor cacheBusy(m_record.overlap);
        forSamples(m_start, m_record.window, kCacheRhythm, [&](TimeNs time, std::uint64_t n) {
            const bool works = cacheBusy.busyAt(time);
            Noise noise = noiseOf(CounterKind::CacheThroughput, n);
            for (std::uint32_t unit = 0; unit < kCacheUnits; ++unit) {
                add(time, CounterKind::CacheThroughput, unit,
                    works ? noise.hostTime(unit == 0 ? 64'000'000 : 900'000) : 0);
                add(time, CounterKind::CacheHitRate, unit, works ? 600 + noise.below(300) : unit == 0 ? 875 : 0);
            }
        });
    }

    void quality() {
        BusyCursor busy(m_record.overlap);
        forSamples(m_start, m_record.window, kQosRhythm, [&](TimeNs time, std::uint64_t n) {
            Noise noise = noiseOf(CounterKind::Qos, n);
            const std::int64_t value = busy.busyAt(time) ? noise.hostTime(74'000) : noise.below(300);
            add(time + DurationNs{noise.below(900)}, CounterKind::Qos, 0, value);
        });
    }

    void accelerators() {
        forSamples(m_start, m_record.window, kAcceleratorRhythm, [&](TimeNs time, std::uint64_t n) {
            Noise noise = noiseOf(CounterKind::AccReadBandwidth, n);
            for (std::uint32_t i = 0; i < kAccelerators + kAccelerators / 2 + 1; ++i) {
                const TimeNs at = time + DurationNs{i * 45};
                const std::uint32_t accelerator = i % kAccelerators;
                const std::int64_t reading = accelerator >= 20 ? noise.below(3) : 0;
                add(at, CounterKind::AccReadBandwidth, accelerator, reading);
                add(at, CounterKind::AccWriteBandwidth, accelerator, reading / 2);
                add(at, CounterKind::AccReadOutstanding, accelerator, reading);
                add(at, CounterKind::AccWriteOutstanding, accelerator, 0);
            }
            add(time + DurationNs{8'360}, CounterKind::MataLevel, 0, 0);
            add(time + DurationNs{8'360}, CounterKind::BufferLevel, 0, 0);
        });
    }

    const Run& m_run;
    std::uint32_t m_rank;
    TimeNs m_start;
    const UnitRecord& m_record;
    std::vector<CounterSample> m_samples;
};

}  // namespace

std::vector<TimeNs> memorySampleTimes(TimeNs profilerStart, const TimeRange& window) {
    std::vector<TimeNs> times;
    forSamples(profilerStart, window, kAppRhythm, [&times](TimeNs time, std::uint64_t) { times.push_back(time); });
    return times;
}

std::uint64_t processBlocks(const Run& run, const UnitRecord& record, TimeNs time) {
    std::uint64_t reserved = reservedBefore(run, record.stage, record.unit);
    const auto end = std::upper_bound(record.memory.begin(), record.memory.end(), time,
                                      [](TimeNs t, const MemoryRow& row) { return t < row.time; });
    for (auto row = end; row != record.memory.begin();) {
        --row;
        if (row->pool != MemoryPool::Framework) continue;
        reserved = row->reserved;
        break;
    }
    const MemoryLevels& levels = run.memory[record.stage];
    return levels.process + levels.graphReserved + reserved;
}

std::vector<CounterSample> counterSamples(const Run& run, std::uint32_t rank, const UnitRecord& record) {
    return CounterWriter(run, rank, record).write();
}

}  // namespace altiscope::generate
