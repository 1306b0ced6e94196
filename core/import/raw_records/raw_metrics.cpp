#include "core/import/raw_records/raw_metrics.h"

#include "core/base/columns/keyed_sort.h"
#include "core/trace/raw/raw_layouts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::size_t kCounterSlots = RawCoreCount::kSlots;

using Formula = RawMetricPlan::Formula;
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

using enum RawMetricPlan::Formula;  // Not through the alias: clang 14 takes no alias here.
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

/// Whether a type of core never has a metric.
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

/// Value that cannot be computed since the number of cores, or their frequency, is not known.
constexpr double kUnknownMetric = std::numeric_limits<double>::quiet_NaN();

double microsecondsOf(const RawCoreCount& count, std::uint32_t blocks, std::int64_t cores, double hertz) {
    if (blocks == 0 || count.cycles <= 0) return 0;
    if (hertz <= 0 || cores <= 0) return kUnknownMetric;
    const auto rounds = (static_cast<std::int64_t>(blocks) + cores - 1) / cores;
    return count.cycles * 1e6 / hertz / static_cast<double>(blocks) * static_cast<double>(rounds);
}

double valueOf(const RawMetricPlan::Metric& metric, const RawCoreCount& count, double nominalHertz) {
    if (count.cycles <= 0 && metric.formula != Count) return 0;
    const auto counterOf = [&count](const RawMetricPlan::Term& term) {
        return term.weight == 0 ? 0 : count.counters[term.slot];
    };
    if (metric.formula == Miss) {
        const double a = counterOf(metric.terms[0]), b = counterOf(metric.terms[1]);
        return a == 0 || b == 0 ? 0 : (a / count.cycles) / (b / count.cycles);
    }
    double sum = 0, share = 0;  // of each term on its own: so the last digits are the vendor's
    for (const RawMetricPlan::Term& term : metric.terms) {
        sum += counterOf(term) * term.weight;
        share += counterOf(term) * term.weight / count.cycles;
    }
    switch (metric.formula) {
    case TimeAndRatio:
    case Ratio: return share;
    case Bandwidth: return nominalHertz <= 0 ? kUnknownMetric : sum / (count.cycles / nominalHertz) / 8589934592.0;
    case Miss:
    case Operations:
    case Count:
    case Amount: break;
    }
    return sum;
}

/// @param events  By slot.
RawMetricPlan planOf(std::string_view group, bool isVector, const std::vector<std::uint32_t>& events,
                     std::int64_t cores, RawMetricForm form) {
    RawMetricPlan plan;
    plan.cores = cores;
    const auto metrics = metricsOf(group, isVector);
    plan.isCounted = !metrics.empty();
    for (const Metric& metric : metrics) {
        if (form == RawMetricForm::Text && isHidden(metric.name, isVector)) continue;
        RawMetricPlan::Metric& one = plan.metrics.emplace_back();
        one.formula = metric.formula;
        for (std::size_t i = 0; i < metric.terms.size(); ++i) {
            const auto slot = std::find(events.begin(), events.end(), metric.terms[i].event);
            if (metric.terms[i].event != 0 && slot != events.end())
                one.terms[i] = {static_cast<std::size_t>(slot - events.begin()), metric.terms[i].weight};
        }
    }
    return plan;
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

/// A time or a share as it is written.
struct MetricForm {
    bool isText;
    double time(double us) const {
        static constexpr double kNsOfMicrosecond = 1000;
        return isText ? std::round(rawRounded(us) * kNsOfMicrosecond) : us * kNsOfMicrosecond;
    }
    double other(double value, Formula formula) const {
        return formula == Count || !isText ? value : rawRounded(value);
    }
};

/// A record of counters, with the numbers of its task as the host has them.
struct CounterRecord {
    std::uint64_t end = 0;
    std::uint16_t stream = 0, task = 0;
    std::uint32_t context = 0xffffffff;
    std::uint8_t subtype = 0;
    bool isFftsPlus = false, isBlock = false, isVectorBlock = false;
    bool isMixed = false, isVector = false;  ///< Whose half the record fills.
    RawCoreCount count;
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
    one.count.cycles = static_cast<double>(record.get<"cycles">());
    for (std::size_t i = 0; i < kCounterSlots; ++i)
        one.count.counters[i] = static_cast<double>(record.at<"counters">(i));
    one.end = record.get<"end">();
    return one;
}

double hertzAt(std::span<const RawFrequency> frequencies, std::uint64_t time, std::uint64_t nominal) {
    if (frequencies.empty()) return static_cast<double>(nominal);
    const auto after = std::upper_bound(frequencies.begin(), frequencies.end(), time,
                                        [](std::uint64_t t, const RawFrequency& one) { return t < one.time; });
    return static_cast<double>(after == frequencies.begin() ? nominal : (after - 1)->hertz);
}

/// By their tasks' numbers, then by end.
void sortCounters(std::vector<CounterRecord>& records, const CancelToken& cancel) {
    const auto keyOf = [](const CounterRecord& one) {
        return (std::uint64_t{one.stream} << 48) | (std::uint64_t{one.task} << 32) | one.context;
    };
    const auto isOutOfOrder = [&](const CounterRecord& later, const CounterRecord& earlier) {
        return std::pair(keyOf(later), later.end) < std::pair(keyOf(earlier), earlier.end);
    };
    if (std::is_sorted(records.begin(), records.end(), isOutOfOrder)) return;
    std::vector<KeyedNumber> order = sortedNumbers(
        records.size(), [&](std::size_t i) { return records[i].end; }, cancel);
    for (KeyedNumber& one : order) one.key = keyOf(records[one.number]);
    sortByKey(order, cancel);
    std::vector<CounterRecord> sorted;
    sorted.reserve(records.size());
    for (const KeyedNumber& one : order) sorted.push_back(records[one.number]);
    records = std::move(sorted);
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

const RawCoreCount& RawMetrics::count(std::size_t number, bool isVector) const {
    static constexpr RawCoreCount kNothing;
    const OfTask& one = m_tasks[number];
    if (one.isVector == isVector) return one.own;
    return one.other < 0 ? kNothing : m_others[static_cast<std::size_t>(one.other)];
}

void RawMetrics::values(std::size_t number, std::vector<double>& values) const {
    values.clear();
    const OfTask& one = m_tasks[number];
    const MetricForm form{m_isText};
    for (const RawMetricPlan* plan : {&m_core, &m_vector}) {
        if (!plan->isCounted) continue;
        const bool isVector = plan == &m_vector;
        const RawCoreCount& counted = count(number, isVector);
        const double total =
            microsecondsOf(counted, isVector == one.isVector ? one.blocks : one.otherBlocks, plan->cores, one.hertz);
        values.push_back(form.time(total));
        values.push_back(counted.cycles);
        for (const RawMetricPlan::Metric& metric : plan->metrics) {
            const double value = valueOf(metric, counted, m_nominalHertz);
            if (metric.formula == TimeAndRatio) values.push_back(form.time(total * value));
            values.push_back(form.other(value, metric.formula));
        }
    }
}

/// Finds the tasks of records.
class RawMetricsReader {
public:
    RawMetricsReader(const RawDeviceFiles& files, const RawSettings& settings,
                     const std::vector<RawFrequency>& frequencies, RawContext& context)
        : m_files(files), m_settings(settings), m_context(context) {
        // Where a change to 0 was recorded, none of them is believed.
        const bool hasZero =
            std::any_of(frequencies.begin(), frequencies.end(), [](const RawFrequency& one) { return one.hertz == 0; });
        if (!hasZero) m_frequencies = frequencies;
    }

    RawMetrics read(const std::vector<RawDeviceTask>& tasks, const std::vector<RawTaskBlocks>& blocks,
                    bool hasExpandedStreams, RawMetricForm form) {
        RawMetrics metrics;
        readRecords(hasExpandedStreams);
        if (m_wholes.empty()) return metrics;
        sortCounters(m_wholes, m_context.cancel);
        sortCounters(m_parts, m_context.cancel);
        if (m_context.cancel.cancelled()) return metrics;
        metrics.m_isText = form == RawMetricForm::Text;
        metrics.m_nominalHertz = static_cast<double>(m_settings.coreHertz);
        metrics.m_core = planOf(m_settings.coreMetrics, false, m_settings.coreEvents, m_settings.cores, form);
        metrics.m_vector =
            planOf(m_settings.vectorMetrics, true, m_settings.vectorEvents, m_settings.vectorCores, form);
        metrics.m_tasks.reserve(std::min(m_wholes.size(), tasks.size()));
        // Tasks of the same numbers at the same time would share all records of their blocks.
        m_room = 4096 + 16 * m_parts.size();
        std::size_t used = 0, unknown = 0;
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            if (m_context.cancel.cancelled()) return metrics;
            const auto records = recordsOf(m_wholes, m_lastWhole, tasks[i]);
            if (records.empty()) continue;
            used += records.size();
            addTask(i, records.front(), tasks[i], blocks[i], metrics);
            if (isUnknown(metrics, metrics.size() - 1)) ++unknown;
        }
        if (unknown > 0) m_context.diagnostics.add("raw.unknown_cores", Severity::Lost, m_files.name, {}, {}, unknown);
        if (used < m_wholes.size())
            m_context.diagnostics.add("raw.outside", Severity::Info, m_files.name + "/data", {}, {},
                                      m_wholes.size() - used);
        return metrics;
    }

private:
    using Records = std::vector<CounterRecord>;

    void readRecords(bool hasExpandedStreams) {
        for (const RawFileSeries& series : m_files.series) {
            if (series.stem != "ffts_profile.data") continue;
            m_wholes.reserve(m_wholes.size() + roomForRaw(series, kRawFftsProfile.size));
            eachRawRecord(series, kRawFftsProfile.size, kNoRawMark, m_context, [&](const char* bytes, std::uint64_t) {
                const auto one = counterRecord(bytes, hasExpandedStreams);
                if (!one) return false;
                (one->isBlock ? m_parts : m_wholes).push_back(*one);
                return true;
            });
        }
    }
    /// A record is of the task of its numbers during which it was made; the round of the numbers follows from that.
    /// @param last  Where the last search ended: neighbouring tasks often have neighbouring records.
    static std::span<const CounterRecord> recordsOf(const Records& records, std::size_t& last,
                                                    const RawDeviceTask& task) {
        const auto keyOfTask = std::tie(task.stream, task.task, task.context);
        const auto isBefore = [&](const CounterRecord& one) {
            return std::tuple_cat(one.key(), std::tie(one.end)) < std::tuple_cat(keyOfTask, std::tie(task.begin));
        };
        const bool isHere = last <= records.size() && (last == 0 || isBefore(records[last - 1])) &&
                            (last == records.size() || !isBefore(records[last]));
        auto first = records.begin() + static_cast<std::ptrdiff_t>(last);
        if (!isHere) first = std::partition_point(records.begin(), records.end(), isBefore);
        const auto isInside = [&](const CounterRecord& one) { return one.key() == keyOfTask && one.end <= task.end; };
        static constexpr int kNearby = 4;
        auto end = first;
        for (int i = 0; i < kNearby && end != records.end() && isInside(*end); ++i) ++end;
        if (end - first == kNearby) end = std::partition_point(end, records.end(), isInside);
        last = static_cast<std::size_t>(end - records.begin());
        return std::span(first, end);
    }
    void addTask(std::size_t place, const CounterRecord& one, const RawDeviceTask& task, const RawTaskBlocks& blocks,
                 RawMetrics& metrics) {
        RawMetrics::OfTask& added = metrics.m_tasks.emplace_back();
        added.task = place;
        added.own = one.count;
        added.isVector = one.isVector;
        added.blocks = blocks.blocks;
        added.hertz = hertzAt(m_frequencies, one.end, m_settings.coreHertz);
        if (!one.isMixed) return;
        added.otherBlocks = blocks.mixed;
        std::uint32_t taken = 0;
        const auto ofTask = recordsOf(m_parts, m_lastPart, task);
        const auto looked = ofTask.first(std::min(ofTask.size(), m_room));
        m_room -= looked.size();
        RawCoreCount other;
        for (const CounterRecord& part : looked) {
            if (part.subtype != one.subtype || part.isVectorBlock == one.isVector) continue;
            if (taken++ == blocks.mixed) break;
            other.cycles += part.count.cycles;
            for (std::size_t k = 0; k < kCounterSlots; ++k) other.counters[k] += part.count.counters[k];
        }
        added.other = static_cast<std::int64_t>(metrics.m_others.size());
        metrics.m_others.push_back(other);
    }
    /// Whether one of its values cannot be known.
    static bool isUnknown(const RawMetrics& metrics, std::size_t number) {
        const RawMetrics::OfTask& one = metrics.m_tasks[number];
        const auto ofCore = [&](const RawMetricPlan& plan, bool isVector) {
            if (!plan.isCounted || metrics.count(number, isVector).cycles <= 0) return false;
            const std::uint32_t blocks = isVector == one.isVector ? one.blocks : one.otherBlocks;
            if (blocks > 0 && (one.hertz <= 0 || plan.cores <= 0)) return true;
            return metrics.m_nominalHertz <= 0 &&
                   std::any_of(plan.metrics.begin(), plan.metrics.end(),
                               [](const RawMetricPlan::Metric& metric) { return metric.formula == Bandwidth; });
        };
        return ofCore(metrics.m_core, false) || ofCore(metrics.m_vector, true);
    }

    const RawDeviceFiles& m_files;
    const RawSettings& m_settings;
    RawContext& m_context;
    std::span<const RawFrequency> m_frequencies;
    Records m_wholes, m_parts;
    std::size_t m_lastWhole = 0, m_lastPart = 0, m_room = 0;
};

RawMetrics readRawMetrics(const RawDeviceFiles& files, const RawSettings& settings,
                          const std::vector<RawFrequency>& frequencies, const std::vector<RawDeviceTask>& tasks,
                          const std::vector<RawTaskBlocks>& blocks, bool hasExpandedStreams, RawContext& context,
                          RawMetricForm form) {
    return RawMetricsReader(files, settings, frequencies, context).read(tasks, blocks, hasExpandedStreams, form);
}

}  // namespace altiscope::reader
