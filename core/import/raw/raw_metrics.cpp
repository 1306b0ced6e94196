#include "core/import/raw/raw_metrics.h"

#include "core/base/parallel_sort.h"
#include "core/trace/raw_layouts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>

namespace altiscope::reader {

namespace {

constexpr std::size_t kCounterSlots = 8;

enum class Formula : std::uint8_t {
    TimeAndRatio,  ///< Two columns: the share of the cycles, and of the time.
    Ratio,
    Miss,       ///< One share over another.
    Bandwidth,  ///< Bytes per cycle.
    Operations,
    Count,
    Amount,  ///< KB.
};
struct Term {
    std::uint32_t event = 0;
    double weight = 1;
};
/// A metric: the sum of its terms. @see FORMAT.md for the table's source.
struct Metric {
    std::string_view name;
    Formula formula;
    std::array<Term, 5> terms;
};
struct MetricGroup {
    std::string_view name;
    std::span<const Metric> metrics;
};

using enum Formula;
constexpr Metric kPipe[] = {{"vec", TimeAndRatio, {{{0x8}}}},
                            {"mac", TimeAndRatio, {{{0xa}}}},
                            {"scalar", TimeAndRatio, {{{0x9}}}},
                            {"mte1", TimeAndRatio, {{{0xb}}}},
                            {"mte2", TimeAndRatio, {{{0xc}}}},
                            {"mte3", TimeAndRatio, {{{0xd}}}},
                            {"icache_miss_rate", Miss, {{{0x55}, {0x54}}}}};
constexpr Metric kPipeExct[] = {
    {"mac", TimeAndRatio, {{{0x416}, {0x417}}}}, {"scalar", TimeAndRatio, {{{0x9}}}},
    {"mte1", TimeAndRatio, {{{0x302}}}},         {"mte2", TimeAndRatio, {{{0xc}}}},
    {"fixpipe", TimeAndRatio, {{{0x303}}}},      {"icache_miss_rate", Miss, {{{0x55}, {0x54}}}}};
constexpr Metric kArithmetic[] = {
    {"mac_fp16_ratio", Ratio, {{{0x49}}}},
    {"mac_int8_ratio", Ratio, {{{0x4a}}}},
    {"vec_fp32_ratio", Ratio, {{{0x4b}}}},
    {"vec_fp16_ratio", Ratio, {{{0x4c}, {0x4d}}}},
    {"vec_int32_ratio", Ratio, {{{0x4e}}}},
    {"vec_misc_ratio", Ratio, {{{0x4f}}}},
    {"cube_fops", Operations, {{{0x49, 8192}, {0x4a, 16384}}}},
    {"vector_fops", Operations, {{{0x4c, 128}, {0x4d, 64}, {0x4b, 64}, {0x4e, 64}, {0x4f, 32}}}}};
constexpr Metric kMemory[] = {
    {"ub_read_bw", Bandwidth, {{{0x15, 1024}}}},     {"ub_write_bw", Bandwidth, {{{0x16, 1024}}}},
    {"l1_read_bw", Bandwidth, {{{0x31, 4096}}}},     {"l1_write_bw", Bandwidth, {{{0x32, 1024}}}},
    {"main_mem_read_bw", Bandwidth, {{{0x12, 64}}}}, {"main_mem_write_bw", Bandwidth, {{{0x13, 64}}}},
    {"l2_read_bw", Bandwidth, {{{0xf, 2048}}}},      {"l2_write_bw", Bandwidth, {{{0x10, 2048}}}}};
constexpr Metric kMemoryL0[] = {
    {"l0a_read_bw", Bandwidth, {{{0x1b, 4096}}}},      {"l0a_write_bw", Bandwidth, {{{0x1c, 4096}}}},
    {"l0b_read_bw", Bandwidth, {{{0x21, 4096}}}},      {"l0b_write_bw", Bandwidth, {{{0x22, 2048}}}},
    {"l0c_read_bw", Bandwidth, {{{0x27, 2048}}}},      {"l0c_write_bw", Bandwidth, {{{0x29, 2048}}}},
    {"l0c_read_bw_cube", Bandwidth, {{{0x28, 8192}}}}, {"l0c_write_bw_cube", Bandwidth, {{{0x2a, 8192}}}}};
constexpr Metric kMemoryUb[] = {{"ub_read_bw_vector", Bandwidth, {{{0x43, 256}}}},
                                {"ub_write_bw_vector", Bandwidth, {{{0x44, 256}}}},
                                {"ub_read_bw_scalar", Bandwidth, {{{0x37, 128}}}},
                                {"ub_write_bw_scalar", Bandwidth, {{{0x38, 128}}}}};
constexpr Metric kConflictMetrics[] = {{"vec_bankgroup_cflt_ratio", Ratio, {{{0x64}}}},
                                       {"vec_bank_cflt_ratio", Ratio, {{{0x65}}}},
                                       {"vec_resc_cflt_ratio", Ratio, {{{0x66}}}}};
constexpr Metric kL2CacheMetrics[] = {
    {"write_cache_hit", Count, {{{0x500}}}},   {"write_cache_miss_allocate", Count, {{{0x502}}}},
    {"r0_read_cache_hit", Count, {{{0x504}}}}, {"r0_read_cache_miss_allocate", Count, {{{0x506}}}},
    {"r1_read_cache_hit", Count, {{{0x508}}}}, {"r1_read_cache_miss_allocate", Count, {{{0x50a}}}}};
constexpr Metric kAccess[] = {{"read_main_memory_datas", Amount, {{{0x50d, 0.125}, {0x50e, 0.125}}}},
                              {"write_main_memory_datas", Amount, {{{0x50c, 0.125}}}},
                              {"GM_to_L1_datas", Amount, {{{0x32, 0.25}, {0x206, -0.25}}}},
                              {"L0C_to_L1_datas", Amount, {{{0x206, 0.125}}}},
                              {"L0C_to_GM_datas", Amount, {{{0x20c, 0.125}, {0x206, -0.125}}}},
                              {"GM_to_UB_datas", Amount, {{{0x3e, 0.125}}}},
                              {"UB_to_GM_datas", Amount, {{{0x3d, 0.125}}}}};
constexpr MetricGroup kGroups[] = {{"PipeUtilization", kPipe},
                                   {"PipeUtilizationExct", kPipeExct},
                                   {"ArithmeticUtilization", kArithmetic},
                                   {"Memory", kMemory},
                                   {"MemoryL0", kMemoryL0},
                                   {"MemoryUB", kMemoryUb},
                                   {"ResourceConflictRatio", kConflictMetrics},
                                   {"L2Cache", kL2CacheMetrics},
                                   {"MemoryAccess", kAccess}};

/// What a type of core never has.
bool isHidden(std::string_view name, bool isVector) {
    static constexpr std::string_view kOfVector[] = {"ub_read_bw", "ub_write_bw", "vector_fops", "ub_read_bw_vector",
                                                     "ub_write_bw_vector"};
    static constexpr std::string_view kOfCube[] = {"mac", "mte1", "l1_", "l0a_", "l0b_", "cube_fops", "fixpipe"};
    if (!isVector) {
        if (name == "vec" || name.starts_with("vec_") || name == "l0c_read_bw" || name == "l0c_write_bw") return true;
        return std::find(std::begin(kOfVector), std::end(kOfVector), name) != std::end(kOfVector);
    }
    if (name.ends_with("_bw_cube")) return true;
    return std::any_of(std::begin(kOfCube), std::end(kOfCube),
                       [name](std::string_view prefix) { return name.starts_with(prefix); });
}

std::span<const Metric> metricsOf(std::string_view group, bool isVector) {
    if (isVector && group == "PipeUtilizationExct") group = "PipeUtilization";
    const auto found = std::find_if(std::begin(kGroups), std::end(kGroups),
                                    [group](const MetricGroup& one) { return one.name == group; });
    return found == std::end(kGroups) ? std::span<const Metric>() : found->metrics;
}

/// What one type of core counted for a task.
struct CoreCount {
    double cycles = 0;
    std::array<double, kCounterSlots> counters{};
    std::uint32_t blocks = 0;
    std::int64_t cores = 0;
    double hertz = 0, nominalHertz = 0;
};

double counterOf(const CoreCount& count, const std::vector<std::uint32_t>& events, std::uint32_t event) {
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (events[i] == event) return count.counters[i];
    }
    return 0;
}

/// Of what cannot be computed since nothing says how many cores there are, or how fast they ran.
constexpr double kUnknownMetric = std::numeric_limits<double>::quiet_NaN();

double microsecondsOf(const CoreCount& count) {
    if (count.blocks == 0 || count.cycles <= 0) return 0;
    if (count.hertz <= 0 || count.cores <= 0) return kUnknownMetric;
    const auto rounds = (static_cast<std::int64_t>(count.blocks) + count.cores - 1) / count.cores;
    return count.cycles * 1e6 / count.hertz / static_cast<double>(count.blocks) * static_cast<double>(rounds);
}

double valueOf(const Metric& metric, const CoreCount& count, const std::vector<std::uint32_t>& events) {
    if (count.cycles <= 0) return 0;
    if (metric.formula == Miss) {
        const double a = counterOf(count, events, metric.terms[0].event),
                     b = counterOf(count, events, metric.terms[1].event);
        return a == 0 || b == 0 ? 0 : (a / count.cycles) / (b / count.cycles);
    }
    double sum = 0;
    for (const Term& term : metric.terms) {
        if (term.event != 0) sum += counterOf(count, events, term.event) * term.weight;
    }
    switch (metric.formula) {
    case TimeAndRatio:
    case Ratio: return sum / count.cycles;
    case Bandwidth:
        return count.nominalHertz <= 0 ? kUnknownMetric : sum / (count.cycles / count.nominalHertz) / 8589934592.0;
    case Miss:
    case Operations:
    case Count:
    case Amount: break;
    }
    return sum;
}

void addNames(std::string_view prefix, std::string_view total, std::string_view group, bool isVector,
              RawMetricForm form, std::vector<std::string>& names) {
    const auto metrics = metricsOf(group, isVector);
    if (metrics.empty()) return;
    names.push_back(form == RawMetricForm::Text ? std::string(total) : std::string(prefix) + "total_time");
    names.push_back(std::string(prefix) + "total_cycles");
    for (const Metric& metric : metrics) {
        if (form == RawMetricForm::Text && isHidden(metric.name, isVector)) continue;
        const std::string name = std::string(prefix) + std::string(metric.name);
        if (metric.formula != TimeAndRatio) {
            names.push_back(name);
            continue;
        }
        names.push_back(name + "_time");
        names.push_back(name + "_ratio");
    }
}

void addValues(const CoreCount& count, std::string_view group, bool isVector, const std::vector<std::uint32_t>& events,
               RawMetricForm form, std::vector<double>& values) {
    const auto metrics = metricsOf(group, isVector);
    if (metrics.empty()) return;
    static constexpr double kNsOfMicrosecond = 1000;
    const double total = microsecondsOf(count);
    const bool isText = form == RawMetricForm::Text;
    const auto addTime = [&values, isText](double us) {
        values.push_back(isText ? std::round(rawRounded(us) * kNsOfMicrosecond) : us * kNsOfMicrosecond);
    };
    addTime(total);
    values.push_back(count.cycles);
    for (const Metric& metric : metrics) {
        if (isText && isHidden(metric.name, isVector)) continue;
        const double value = valueOf(metric, count, events);
        if (metric.formula == TimeAndRatio) addTime(total * value);
        values.push_back(metric.formula == Count || !isText ? value : rawRounded(value));
    }
}

/// A record of counters, with the numbers of its task as the host has them.
struct CounterRecord {
    std::uint64_t end = 0;
    std::uint16_t stream = 0, task = 0;
    std::uint32_t context = 0xffffffff;
    std::uint8_t subtype = 0;
    bool isFftsPlus = false, isBlock = false, isVectorBlock = false;
    bool isMixed = false, isVector = false;  ///< Whose half the record fills.
    std::uint64_t number = 0;                ///< In the file.
    double cycles = 0;
    std::array<double, kCounterSlots> counters{};
    auto key() const { return std::tie(stream, task, context); }
};

/// nullopt: it is no record of counters.
std::optional<CounterRecord> counterRecord(const char* bytes, bool hasExpandedStreams) {
    static constexpr unsigned kWhole = 0x28, kBlock = 0x29, kFftsPlusType = 4, kMixCore = 6, kMixVector = 7;
    const RawRecord<kRawFftsProfile> record(bytes);
    const unsigned function = record.get<"function">() & 0x3fU;
    if (function != kWhole && function != kBlock) return std::nullopt;
    CounterRecord one;
    const RawTaskId id = foldedTask(record.get<"stream">(), record.get<"task">(), 0, hasExpandedStreams);
    one.stream = id.stream;
    one.task = id.task;
    one.isBlock = function == kBlock;
    const unsigned type = record.get<"ffts">() >> 13;
    one.subtype = record.get<"subtype">();
    one.isFftsPlus = type == kFftsPlusType;
    if (one.isFftsPlus) one.context = record.get<"context">();
    one.isVectorBlock = (record.get<"ffts">() & 1) != 0;
    one.isMixed = one.isFftsPlus && (one.subtype == kMixCore || one.subtype == kMixVector);
    one.isVector = !(type == 0 || (one.isFftsPlus && (one.subtype == 0 || one.subtype == kMixCore)));
    one.cycles = static_cast<double>(record.get<"cycles">());
    for (std::size_t i = 0; i < kCounterSlots; ++i) one.counters[i] = static_cast<double>(record.at<"counters">(i));
    one.end = record.get<"end">();
    return one;
}

double hertzAt(std::span<const RawFrequency> frequencies, std::uint64_t time, std::uint64_t nominal) {
    if (frequencies.empty()) return static_cast<double>(nominal);
    const auto behind = std::upper_bound(frequencies.begin(), frequencies.end(), time,
                                         [](std::uint64_t t, const RawFrequency& one) { return t < one.time; });
    return static_cast<double>(behind == frequencies.begin() ? nominal : (behind - 1)->hertz);
}

}  // namespace

double rawRounded(double value) {
    if (std::isnan(value)) return value;
    if (!std::isfinite(value)) return 0;
    return std::floor((value + value * 3e-16) * 1000 + 0.5) / 1000;
}

RawMetricNames rawMetricNames(const RawSettings& settings, RawMetricForm form) {
    RawMetricNames names;
    addNames("aic_", "aicore_time", settings.coreMetrics, false, form, names.core);
    addNames("aiv_", "aiv_time", settings.vectorMetrics, true, form, names.vector);
    names.hasUse = std::find(names.core.begin(), names.core.end(), "aic_mac_ratio") != names.core.end();
    return names;
}

std::vector<RawTaskMetrics> readRawMetrics(const RawDeviceFiles& files, const RawSettings& settings,
                                           const std::vector<RawFrequency>& frequencies,
                                           const std::vector<RawDeviceTask>& tasks,
                                           const std::vector<RawTaskBlocks>& blocks, bool hasExpandedStreams,
                                           RawContext& context, RawMetricForm form) {
    std::vector<CounterRecord> wholes, parts;
    for (const RawFamily& family : files.families) {
        if (family.stem != "ffts_profile.data") continue;
        eachRawRecord(family, kRawFftsProfile.size, std::nullopt, 0, context,
                      [&](const char* bytes, std::uint64_t number) {
                          auto one = counterRecord(bytes, hasExpandedStreams);
                          if (!one) return false;
                          one->number = number;
                          (one->isBlock ? parts : wholes).push_back(*one);
                          return true;
                      });
    }
    std::vector<RawTaskMetrics> found;
    if (wholes.empty()) return found;
    const auto byKey = [](const CounterRecord& a, const CounterRecord& b) {
        return std::tie(a.stream, a.task, a.context, a.end, a.number) <
               std::tie(b.stream, b.task, b.context, b.end, b.number);
    };
    parallelSort(std::span(wholes), byKey, context.cancel);
    parallelSort(std::span(parts), byKey, context.cancel);
    if (context.cancel.cancelled()) return found;
    const auto keyOfTask = [](const RawDeviceTask& task) { return std::tie(task.stream, task.task, task.context); };
    // A record is of the task of its numbers during which it was made; the round of the numbers follows from that.
    const auto recordsOf = [&](const std::vector<CounterRecord>& records, const RawDeviceTask& task) {
        const auto less = [&](const CounterRecord& a, std::uint64_t end) {
            return std::tuple_cat(a.key(), std::tie(a.end)) < std::tuple_cat(keyOfTask(task), std::tie(end));
        };
        const auto first = std::lower_bound(records.begin(), records.end(), task.begin, less);
        const auto last =
            std::upper_bound(first, records.end(), task.end, [&](std::uint64_t end, const CounterRecord& a) {
                return std::tuple_cat(keyOfTask(task), std::tie(end)) < std::tuple_cat(a.key(), std::tie(a.end));
            });
        return std::span(first, last);
    };
    // Where a change to 0 was recorded, none of them is believed.
    const bool hasZero =
        std::any_of(frequencies.begin(), frequencies.end(), [](const RawFrequency& one) { return one.hertz == 0; });
    const std::span<const RawFrequency> believed = hasZero ? std::span<const RawFrequency>() : frequencies;
    // Tasks of the same numbers at the same time would share all records of their blocks.
    std::size_t room = 4096 + 16 * parts.size();
    std::size_t used = 0, unknown = 0;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        if (context.cancel.cancelled()) return found;
        const auto records = recordsOf(wholes, tasks[i]);
        if (records.empty()) continue;
        used += records.size();
        const CounterRecord& one = records.front();
        CoreCount own, other;
        own.cycles = one.cycles;
        own.counters = one.counters;
        own.blocks = blocks[i].blocks;
        own.hertz = other.hertz = hertzAt(believed, one.end, settings.coreHertz);
        own.nominalHertz = other.nominalHertz = static_cast<double>(settings.coreHertz);
        if (one.isMixed) {
            other.blocks = blocks[i].mixed;
            std::uint32_t taken = 0;
            const auto partsOfTask = recordsOf(parts, tasks[i]);
            const auto looked = partsOfTask.first(std::min(partsOfTask.size(), room));
            room -= looked.size();
            for (const CounterRecord& part : looked) {
                if (part.subtype != one.subtype || part.isVectorBlock == one.isVector) continue;
                if (taken++ == blocks[i].mixed) break;
                other.cycles += part.cycles;
                for (std::size_t k = 0; k < kCounterSlots; ++k) other.counters[k] += part.counters[k];
            }
        }
        CoreCount& core = one.isVector ? other : own;
        CoreCount& vector = one.isVector ? own : other;
        core.cores = settings.cores;
        vector.cores = settings.vectorCores;
        RawTaskMetrics& metrics = found.emplace_back();
        metrics.task = i;
        metrics.coreCycles = core.cycles;
        addValues(core, settings.coreMetrics, false, settings.coreEvents, form, metrics.values);
        addValues(vector, settings.vectorMetrics, true, settings.vectorEvents, form, metrics.values);
        if (std::any_of(metrics.values.begin(), metrics.values.end(), [](double one) { return std::isnan(one); }))
            ++unknown;
    }
    if (unknown > 0) context.diagnostics.add("raw.unknown_cores", Severity::Lost, files.name, {}, {}, unknown);
    if (used < wholes.size())
        context.diagnostics.add("raw.outside", Severity::Info, files.name + "/data", {}, {}, wholes.size() - used);
    return found;
}

}  // namespace altiscope::reader
