#include "core/import/raw_records/raw_samples.h"

#include "core/base/values/decimal.h"
#include "core/base/values/parse.h"
#include "core/base/values/time.h"
#include "core/import/raw_files/raw_lines.h"
#include "core/trace/raw/raw_layouts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>

namespace altiscope::reader {

namespace {

constexpr double kBytesOfMegabyte = 1024 * 1024;
constexpr std::int64_t kNsOfMicrosecondSample = 1000;

/// Three decimals, halves to the even one, as decimal numbers of Python are cut.
double threeDecimals(long double value) { return static_cast<double>(std::nearbyint(value * 1000)) / 1000; }

/// The numbers between spaces of a line; the first one may end with a colon.
std::vector<std::string_view> sampleWordsOf(std::string_view line) {
    static constexpr std::size_t kMax = 32;
    std::vector<std::string_view> words;
    while (words.size() < kMax) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (line.empty()) break;
        const std::string_view word = line.substr(0, line.find_first_of(" \t"));
        words.push_back(word);
        line.remove_prefix(word.size());
    }
    if (!words.empty() && words.front().ends_with(':')) words.front().remove_suffix(1);
    return words;
}

/// Whether a line that is no sample can be the head above them: words only.
bool isHeadOfSamples(std::string_view line) {
    const auto isPrinted = [](char c) { return c == '\t' || (c >= ' ' && c <= '~'); };
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    return std::all_of(line.begin(), line.end(), isPrinted) && !line.empty() && isLetter(line.front());
}

class SampleReader {
public:
    SampleReader(const RawDeviceFiles& files, const RawSettings& settings, RawContext& context)
        : m_files(files), m_settings(settings), m_context(context), m_start(settings.deviceStart()) {}

    DeviceSamples read() {
        m_samples.device = m_files.device;
        m_samples.begin = m_settings.wallBegin;
        m_samples.monotonicBegin = m_settings.monotonicBegin;
        m_samples.countsWrites = m_settings.cacheMode == "write";
        m_samples.qosNames = m_settings.qosNames;
        for (const RawFileSeries& series : m_files.series) {
            if (m_context.cancel.cancelled()) break;
            if (!isReadRawSample(series.stem, m_settings)) continue;
            if (series.stem == "llc.data") readLlc(series);
            else if (series.stem == "ddr.data") readDdr(series);
            else if (series.stem == "hccs.data") readHccs(series);
            else if (series.stem == "pcie.data") readPcie(series);
            else if (series.stem == "nic.data") readPorts(series, m_samples.nic);
            else if (series.stem == "roce.data") readPorts(series, m_samples.roce);
            else if (series.stem == "qos.data") readQos(series);
            else if (series.stem == "npu_module_mem.data") readModules(series);
            else readMemory(series);
        }
        return std::move(m_samples);
    }

private:
    /// @param take  (record): its time; nullopt for what is none.
    template <const RawLayout& layout, class Take>
    void each(const RawFileSeries& series, const Take& take) {
        RawTimeOrder order;
        eachRawRecord(series, layout.size, kNoRawMark, m_context, [&](const char* bytes, std::uint64_t) {
            if (isBlankRawRecord(bytes, layout.size)) return false;
            const std::optional<std::int64_t> time = take(RawRecord<layout>(bytes));
            if (time) order.add(*time);
            return time.has_value();
        });
        order.report(series, m_context.diagnostics);
    }
    template <class Sample>
    static void sortByTime(std::vector<Sample>& samples) {
        std::stable_sort(samples.begin(), samples.end(),
                         [](const Sample& a, const Sample& b) { return a.time < b.time; });
    }

    void readLlc(const RawFileSeries& series);
    void addLlc(std::uint32_t cache);
    void readDdr(const RawFileSeries& series);
    void readHccs(const RawFileSeries& series);
    void readPcie(const RawFileSeries& series);
    void readPorts(const RawFileSeries& series, std::vector<PortSample>& samples);
    void readQos(const RawFileSeries& series);
    void readMemory(const RawFileSeries& series);
    void readModules(const RawFileSeries& series);

    /// Counts of the eight events of a cache at a time.
    struct CacheCounts {
        std::array<std::uint64_t, 8> counts{};
        std::uint8_t known = 0;  ///< Bits.
    };

    const RawDeviceFiles& m_files;
    const RawSettings& m_settings;
    RawContext& m_context;
    const std::int64_t m_start;
    DeviceSamples m_samples;
    std::map<std::pair<std::uint32_t, std::int64_t>, CacheCounts> m_caches;  // by cache and time
};

void SampleReader::readLlc(const RawFileSeries& series) {
    // The same eight of reads and of writes: all, hits of all, ...; two of each kind of a request.
    static constexpr std::array<std::uint32_t, 8> kReads{0, 1, 2, 0x13, 0x20, 0x22, 0x34, 0x36},
        kWrites{0, 1, 3, 0x14, 0x21, 0x23, 0x35, 0x37};
    const std::array<std::uint32_t, 8>& events = m_samples.countsWrites ? kWrites : kReads;
    std::uint64_t repeated = 0;
    const auto add = [&](std::optional<std::int64_t> time, std::uint64_t count, std::uint32_t event,
                         std::uint32_t cache) -> std::optional<std::int64_t> {
        const auto place = std::find(events.begin(), events.end(), event);
        if (!time || place == events.end()) return std::nullopt;
        CacheCounts& counts = m_caches[{cache, *time}];
        const auto number = static_cast<std::size_t>(place - events.begin());
        repeated += counts.known >> number & 1U;
        counts.counts[number] = count;
        counts.known = static_cast<std::uint8_t>(counts.known | 1U << number);
        return time;
    };
    if (m_settings.isVersion2) {
        each<kRawLlcWall>(series, [&](const RawRecord<kRawLlcWall>& record) {
            const std::uint64_t time = record.get<"time">();
            return add(time < static_cast<std::uint64_t>(kMaxTimeNs) ? rawRealTime(static_cast<std::int64_t>(time))
                                                                     : std::nullopt,
                       record.get<"count">(), record.get<"event">(), record.get<"cache">());
        });
    } else {
        each<kRawLlc>(series, [&](const RawRecord<kRawLlc>& record) {
            return add(m_settings.wallOfSample(record.get<"time">()), record.get<"count">(), record.get<"event">(),
                       record.get<"cache">());
        });
    }
    if (repeated > 0)
        m_context.diagnostics.add("raw.repeated", Severity::Lost, m_files.name + "/data", {}, {{"what", "llc.data"}},
                                  repeated);
    // So many caches of each generation are known to the vendor's program.
    const std::uint32_t caches = rawTaskLog(m_settings.platform) == RawTaskLog::Stars ? 2 : 4;
    for (std::uint32_t cache = 0; cache < caches; ++cache) addLlc(cache);
    std::uint64_t others = 0;
    for (const auto& [key, counts] : m_caches) others += key.first >= caches ? 1 : 0;
    if (others > 0)
        m_context.diagnostics.add("raw.not_read", Severity::Lost, m_files.name + "/data", {},
                                  {{"what", "llc.data: " + std::to_string(others)}});
}

void SampleReader::addLlc(std::uint32_t cache) {
    static constexpr long double kLine = 64;
    bool isFirst = true;
    std::int64_t before = 0;
    for (auto at = m_caches.lower_bound({cache, INT64_MIN}); at != m_caches.end() && at->first.first == cache; ++at) {
        const CacheCounts& one = at->second;
        const auto sumOf = [&one](std::initializer_list<unsigned> events) {
            std::optional<long double> sum = 0;
            for (const unsigned event : events) {
                if ((one.known >> event & 1) == 0) return std::optional<long double>();
                *sum += static_cast<long double>(one.counts[event]);
            }
            return sum;
        };
        LlcSample sample{at->first.second, cache, 0, 0};
        const auto hits = sumOf({2, 3, 5, 7}), all = sumOf({4, 6}), lines = sumOf({0, 1});
        if (hits && all && *all > 0) sample.hitRate = threeDecimals(*hits / *all);
        // The vendor divides the time by the bytes of a line once more.
        const auto seconds = static_cast<long double>(static_cast<double>(sample.time - before) / 64.0 / 1e9);
        if (!isFirst && lines && seconds > 0)
            sample.megabytesPerSecond =
                threeDecimals(*lines * kLine / static_cast<long double>(kBytesOfMegabyte) / seconds);
        m_samples.llc.push_back(sample);
        before = sample.time;
        isFirst = false;
    }
}

void SampleReader::readDdr(const RawFileSeries& series) {
    static constexpr std::uint32_t kOfAll = 0xffffffff, kMaxKinds = 1;
    // Bits that a transfer moves.
    static constexpr double kBits = 256, kBitsOfByte = 8;
    struct Counts {
        double read = 0, write = 0;
    };
    std::map<std::int64_t, Counts> times;
    each<kRawDdr>(series, [&](const RawRecord<kRawDdr>& record) -> std::optional<std::int64_t> {
        // Exact: the vendor keeps these without the wall clock's offset.
        const std::int64_t time = m_start + std::int64_t{record.get<"time">()} * kNsOfMicrosecondSample;
        if (time <= 0 || time > kMaxTimeNs || record.get<"kind">() > kMaxKinds) return std::nullopt;
        Counts& counts = times[time];
        if (record.get<"master">() == kOfAll)
            (record.get<"kind">() == 0 ? counts.read : counts.write) += static_cast<double>(record.get<"count">());
        return time;
    });
    std::int64_t before = m_start;
    for (const auto& [time, counts] : times) {
        const auto passed = static_cast<double>(time - before);
        const auto rate = [passed](double count) {
            return passed == 0 ? 0 : count * kBits / (passed * kBytesOfMegabyte * kBitsOfByte) * 1e9;
        };
        m_samples.ddr.push_back({time, rate(counts.read), rate(counts.write)});
        before = time;
    }
}

void SampleReader::readHccs(const RawFileSeries& series) {
    struct Amounts {
        std::int64_t time, sent, received;
    };
    std::vector<Amounts> found;
    RawTimeOrder order;
    eachRawLine(series, "raw.bad_record", m_context, [&](std::string_view line, bool isFirst) {
        const std::vector<std::string_view> words = sampleWordsOf(line);
        const auto time = words.size() == 3 ? parseReal(words[0]) : std::nullopt;
        const auto sent = words.size() == 3 ? wholeNumber(words[1]) : std::nullopt,
                   received = words.size() == 3 ? wholeNumber(words[2]) : std::nullopt;
        if (!time || !sent || !received || std::fabs(*time) > 4e18) return isFirst && isHeadOfSamples(line);
        order.add(static_cast<std::int64_t>(*time));
        found.push_back({static_cast<std::int64_t>(*time), *sent, *received});
        return true;
    });
    order.report(series, m_context.diagnostics);
    std::stable_sort(found.begin(), found.end(), [](const Amounts& a, const Amounts& b) { return a.time < b.time; });
    // Without a sign: the difference of any two amounts.
    const auto rate = [](std::int64_t from, std::int64_t to, std::int64_t passed) {
        const std::uint64_t amount = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
        const double seconds = static_cast<double>(passed) / (1e9 / 1024 / 1024);
        return passed == 0 ? 0 : threeDecimals(static_cast<long double>(amount) / static_cast<long double>(seconds));
    };
    std::vector<HccsSample>& samples = m_samples.hccs;
    std::uint64_t falls = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        // The last one is compared with the first one, and the last sample then dropped, as the vendor does it.
        const Amounts &before = found[i], &one = found[(i + 1) % found.size()];
        if (one.sent < before.sent || one.received < before.received) {
            if (i + 1 < found.size()) ++falls;
            continue;
        }
        const auto wall = m_settings.wallOfDevice(one.time);
        if (!wall) continue;
        const std::int64_t passed = one.time - before.time;
        samples.push_back({*wall, rate(before.sent, one.sent, passed), rate(before.received, one.received, passed)});
    }
    if (falls > 0) m_context.diagnostics.add("raw.falls", Severity::Lost, series.slices.front().name, {}, {}, falls);
    if (samples.size() > 1) samples.pop_back();
}

void SampleReader::readPcie(const RawFileSeries& series) {
    std::int64_t last = INT64_MIN;
    std::uint64_t idle = 0;
    each<kRawPcie>(series, [&](const RawRecord<kRawPcie>& record) -> std::optional<std::int64_t> {
        const std::uint64_t stamp = record.get<"time">();
        const auto wall = stamp < static_cast<std::uint64_t>(INT64_MAX)
                              ? m_settings.wallOfDevice(static_cast<std::int64_t>(stamp))
                              : std::nullopt;
        if (!wall) return std::nullopt;
        PcieSample sample{*wall, {}};
        for (std::size_t i = 0; i < PcieSample::kPaths * 3; ++i) sample.values[i / 3][i % 3] = record.at<"values">(i);
        if (*wall >= last) m_samples.lastPcie = sample;
        last = std::max(last, *wall);
        // A smallest value above the largest one: nothing was sent.
        const auto& posted = sample.values[PcieSample::SentPosted];
        if (posted[1] >= posted[0]) m_samples.pcie.push_back(sample);
        else ++idle;
        return wall;
    });
    if (idle > 0)
        m_context.diagnostics.add("raw.idle_samples", Severity::Info, series.slices.front().name, {}, {}, idle);
    sortByTime(m_samples.pcie);
}

void SampleReader::readPorts(const RawFileSeries& series, std::vector<PortSample>& samples) {
    static constexpr std::size_t kColumns = 14;  // and the port, where there are several
    RawTimeOrder order;
    std::uint64_t withoutBandwidth = 0;
    eachRawLine(series, "raw.bad_record", m_context, [&](std::string_view line, bool isFirst) {
        const std::vector<std::string_view> words = sampleWordsOf(line);
        const bool isHead = isFirst && isHeadOfSamples(line);
        if (words.size() < kColumns || words.size() > kColumns + 1) return isHead;
        std::array<double, kColumns + 1> numbers{};
        for (std::size_t i = 0; i < std::min(words.size(), numbers.size()); ++i) {
            const auto number = parseReal(words[i]);
            if (!number || std::fabs(*number) > 4e18 || (i > 0 && *number < 0)) return isHead;
            numbers[i] = *number;
        }
        const auto wall = m_settings.wallOfDevice(static_cast<std::int64_t>(numbers[0]));
        if (!wall) return false;
        order.add(*wall);
        const auto whole = [&](std::size_t place) { return static_cast<std::uint64_t>(numbers[place]); };
        const auto way = [&](std::size_t place) {
            return PortSample::Way{numbers[place],   numbers[place + 1], whole(place + 2),
                                   whole(place + 3), whole(place + 4),   whole(place + 5)};
        };
        samples.push_back({*wall, whole(1), way(2), way(8), static_cast<std::uint32_t>(whole(kColumns))});
        withoutBandwidth += whole(1) == 0 ? 1 : 0;
        return true;
    });
    if (withoutBandwidth > 0)
        m_context.diagnostics.add("raw.no_bandwidth", Severity::Info, series.slices.front().name, {}, {},
                                  withoutBandwidth);
    order.report(series, m_context.diagnostics);
    sortByTime(samples);
}

void SampleReader::readQos(const RawFileSeries& series) {
    const RawClock clock = m_settings.deviceClock();
    each<kRawQos>(series, [&](const RawRecord<kRawQos>& record) -> std::optional<std::int64_t> {
        const auto wall = clock.wall(record.get<"time">());
        if (!wall) return std::nullopt;
        QosSample sample{*wall, {}};
        for (std::size_t i = 0; i < sample.rates.size(); ++i) sample.rates[i] = record.at<"rates">(i);
        m_samples.qos.push_back(sample);
        return wall;
    });
    sortByTime(m_samples.qos);
}

void SampleReader::readMemory(const RawFileSeries& series) {
    each<kRawNpuMemory>(series, [&](const RawRecord<kRawNpuMemory>& record) -> std::optional<std::int64_t> {
        const std::uint64_t stamp = m_settings.isVersion2 ? record.get<"late_time">() : record.get<"time">();
        const auto time = m_settings.wallOfSample(stamp);
        const std::uint32_t kind = record.get<"kind">();
        if (!time || kind > 1) return std::nullopt;
        m_samples.memory.push_back({*time, kind == 1, record.get<"ddr">(), record.get<"hbm">()});
        return time;
    });
}

void SampleReader::readModules(const RawFileSeries& series) {
    const RawClock clock = m_settings.hostClock();
    each<kRawModuleMemory>(series, [&](const RawRecord<kRawModuleMemory>& record) -> std::optional<std::int64_t> {
        const auto wall = clock.wall(record.get<"time">());
        if (!wall) return std::nullopt;
        const std::uint64_t bytes = record.get<"bytes">();
        // A sum of releases alone, below 0.
        m_samples.modules.push_back(
            {*wall, record.get<"module">(), bytes > INT64_MAX ? -1 : static_cast<std::int64_t>(bytes)});
        return wall;
    });
}

}  // namespace

DeviceSamples readRawSamples(const RawDeviceFiles& files, const RawSettings& settings, RawContext& context) {
    return SampleReader(files, settings, context).read();
}

bool isReadRawSample(std::string_view stem, const RawSettings& settings) {
    // Records that the vendor's program reads for no chip of a generation may have another form there.
    const bool isStars = rawTaskLog(settings.platform) == RawTaskLog::Stars;
    if (stem == "llc.data") return settings.cacheMode == "read" || settings.cacheMode == "write";
    if (stem == "ddr.data") return !isStars;
    if (stem == "qos.data") return isStars && !settings.qosNames.empty();
    if (stem == "hccs.data" || stem == "pcie.data") return settings.deviceMonotonic.has_value();
    if (stem == "nic.data" || stem == "roce.data")
        return (isStars || settings.platform == "1") && settings.deviceMonotonic.has_value();
    return stem == "npu_mem.app" || stem == "npu_mem.data" || stem == "npu_module_mem.data";
}

}  // namespace altiscope::reader
