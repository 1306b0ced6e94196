#include "core/import/raw_records/raw_stars_samples.h"

#include "core/trace/raw/raw_layouts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace altiscope::reader {

namespace {

class StarsSampleReader {
public:
    StarsSampleReader(const RawSettings& settings, RawContext& context, DeviceSamples& samples)
        : m_settings(settings), m_clock(settings.deviceClock()), m_context(context), m_samples(samples) {}

    bool addAccelerator(RawAccelerator one) {
        const auto time = m_clock.wall(one.time);
        if (!time) return false;
        one.sample.time = *time;
        m_samples.accelerators.push_back(one.sample);
        return true;
    }

    void read(const RawFileSeries& series) {
        std::uint64_t others = 0;
        eachRawRecord(series, kRawStars.size, kRawStarsMark, m_context, [&](const char* bytes, std::uint64_t) {
            static constexpr unsigned kQos = 0x18, kDie = 0x19, kAccelerator = 0x1a, kLink = 0x1b, kLevel = 0x1c,
                                      kLastTask = 0x29;
            const unsigned kind = RawRecord<kRawStars>(bytes).get<"kind">(), function = kind & 0x3f;
            switch (function) {
            case kQos: return addQos(RawRecord<kRawStarsQos>(bytes), others);
            case kDie: return addDie(RawRecord<kRawDieLink>(bytes));
            case kAccelerator: return addAccelerator(rawAccelerator(bytes, true));
            case kLink: return addLink(RawRecord<kRawChipLink>(bytes), kind >> 10, others);
            case kLevel: return addLevel(RawRecord<kRawChipLevel>(bytes));
            default: ++others; return function <= kLastTask;
            }
        });
        if (others > 0)
            m_context.diagnostics.add("raw.other_logs", Severity::Info, series.slices.front().name, {}, {}, others);
    }

private:
    bool addQos(const RawRecord<kRawStarsQos>& record, std::uint64_t& others) {
        const auto time = m_clock.wall(record.get<"time">());
        if (!time) return false;
        if (m_samples.qosNames.empty()) {
            ++others;
            return true;
        }
        QosSample& sample = m_samples.qos.emplace_back();
        sample.time = *time;
        for (std::size_t i = 0; i < sample.rates.size(); ++i) sample.rates[i] = record.at<"rates">(i);
        return true;
    }
    bool addDie(const RawRecord<kRawDieLink>& record) {
        static constexpr double kPerSecond = 1e9 / (1024 * 1024);
        const std::uint64_t count = record.get<"time">();
        const auto time = m_clock.wall(count);
        if (!time) return false;
        const std::uint32_t die = record.get<"die">();
        const double now = m_settings.deviceReal(count);
        const auto [before, isFirst] = m_before.try_emplace(die, now);
        // The time in which the bytes of a first record were exchanged is not known.
        if (isFirst || before->second >= now) return true;
        DieLinkSample& sample = m_samples.dieLinks.emplace_back();
        sample.time = *time;
        sample.die = die;
        for (std::size_t i = 0; i < DieLinkSample::kPaths; ++i)
            sample.rates[i] = static_cast<double>(record.at<"bytes">(i)) * kPerSecond / (now - before->second);
        before->second = now;
        return true;
    }
    bool addLink(const RawRecord<kRawChipLink>& record, unsigned kind, std::uint64_t& others) {
        static constexpr unsigned kPaLink = 0x3f, kPcie = 0x22, kLinkBits = 0x3f;
        const auto time = m_clock.wall(record.get<"time">());
        if (!time) return false;
        if (kind != kPaLink && kind != kPcie) {
            ++others;
            return true;
        }
        m_samples.chipLinks.push_back(
            {*time, kind == kPcie, record.get<"link">() & kLinkBits, record.at<"values">(0), record.at<"values">(1)});
        return true;
    }
    bool addLevel(const RawRecord<kRawChipLevel>& record) {
        static constexpr unsigned kLowBits = 3, kLow = 0x7, kHigh = 0xff;
        const auto time = m_clock.wall(record.get<"time">());
        if (!time) return false;
        const std::uint32_t levels = record.get<"levels">();
        m_samples.chipLevels.push_back({*time, levels & kLow, (levels >> kLowBits) & kHigh});
        return true;
    }

    const RawSettings& m_settings;
    const RawClock m_clock;
    RawContext& m_context;
    DeviceSamples& m_samples;
    std::map<std::uint32_t, double> m_before;  // when a die was seen last
};

}  // namespace

void addRawStarsSamples(const RawDeviceFiles& files, const RawSettings& settings,
                        const std::vector<RawAccelerator>& accelerators, RawContext& context, DeviceSamples& samples) {
    StarsSampleReader reader(settings, context, samples);
    std::uint64_t bad = 0;
    for (const RawAccelerator& one : accelerators) bad += reader.addAccelerator(one) ? 0 : 1;
    if (bad > 0) context.diagnostics.add("raw.bad_record", Severity::Lost, files.name + "/data", {}, {}, bad);
    for (const RawFileSeries& series : files.series) {
        if (isReadRawStarsSample(series.stem, settings)) reader.read(series);
    }
    std::stable_sort(samples.accelerators.begin(), samples.accelerators.end(),
                     [](const AcceleratorSample& a, const AcceleratorSample& b) {
                         return std::tie(a.time, a.accelerator) < std::tie(b.time, b.accelerator);
                     });
    std::stable_sort(samples.qos.begin(), samples.qos.end(),
                     [](const QosSample& a, const QosSample& b) { return a.time < b.time; });
}

bool isReadRawStarsSample(std::string_view stem, const RawSettings& settings) {
    return stem == "stars_soc_profile.data" && rawTaskLog(settings.platform) == RawTaskLog::Stars;
}

}  // namespace altiscope::reader
