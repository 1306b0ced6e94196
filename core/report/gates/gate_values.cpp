#include "core/report/gates/gate_values.h"

#include "core/analysis/steps/step_parts.h"
#include "core/compare/statistics.h"
#include "core/query/results/row_function.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <string>

namespace altiscope {

namespace {

using OptionalReal = std::optional<double>;
using OptionalGateNumber = std::optional<GateNumber>;

Result<OptionalGateNumber> numberOf(const Result<OptionalReal>& real) {
    if (!real.ok()) return real.as<OptionalGateNumber>();
    return real.value() ? OptionalGateNumber({*real.value(), {}}) : OptionalGateNumber();
}

OptionalReal realOf(const Value& value) {
    if (value.type == ValueType::Integer) return static_cast<double>(value.integer);
    if (value.type == ValueType::Real) return value.real;
    return std::nullopt;
}

OptionalReal statisticOf(const std::vector<double>& values, GateStatistic statistic) {
    if (values.empty()) return std::nullopt;
    switch (statistic) {
    case GateStatistic::Default:
    case GateStatistic::Mean: return meanOf(values);
    case GateStatistic::P50: return percentileOf(values, 0.5);
    case GateStatistic::P95: return percentileOf(values, 0.95);
    case GateStatistic::Max: return *std::max_element(values.begin(), values.end());
    }
    return std::nullopt;
}

/// Lower is better: the pool of the framework (core/import/csv/FORMAT.md section 6) before single ones, and these
/// before what the device reports.
std::size_t placeOfComponent(std::string_view component) {
    constexpr std::string_view kPools[] = {"PTA+GE", "PTA", "MindSpore"};
    const auto* found = std::find(std::begin(kPools), std::end(kPools), component);
    return static_cast<std::size_t>(found - std::begin(kPools));
}

/// The highest samples of a component of one rank.
struct ComponentPeaks {
    OptionalReal reserved, allocated;
    OptionalReal allocatedThen;  ///< At the peak of reserved.

    void add(OptionalReal reservedNow, OptionalReal allocatedNow) {
        // nullopt is less than any number.
        if (reservedNow > reserved) {
            reserved = reservedNow;
            allocatedThen = allocatedNow;
        }
        allocated = std::max(allocated, allocatedNow);
    }
    OptionalReal fragmentation() const {
        if (!reserved || !allocatedThen || *reserved <= 0) return std::nullopt;
        return (*reserved - *allocatedThen) / *reserved;
    }
};

/// On the host's clock, of each rank by begin.
using StepRanges = std::map<OptionalNumber, std::vector<TimeRange>>;

StepRanges chosenSteps(const ComparisonSide& side) {
    StepRanges ranges;
    if (!side.steps) return ranges;
    for (const RankEntry& rank : side.capture->ranks)
        for (const Step& step : rank.steps)
            if (step.range && isChosen(side.steps, step.number)) ranges[rank.info.rankId].push_back(*step.range);
    for (auto& [rank, ofRank] : ranges)
        std::sort(ofRank.begin(), ofRank.end(),
                  [](const TimeRange& a, const TimeRange& b) { return a.begin.value < b.begin.value; });
    return ranges;
}

bool liesIn(const StepRanges& steps, OptionalNumber rank, OptionalNumber time) {
    const auto found = steps.find(rank);
    if (found == steps.end() || !time) return false;
    const auto after = std::upper_bound(found->second.begin(), found->second.end(), *time,
                                        [](std::int64_t t, const TimeRange& range) { return t < range.begin.value; });
    return after != found->second.begin() && *time < std::prev(after)->end.value;
}

/// Transfers that move less than 1 MiB each have no bandwidth: the start takes most of their time.
constexpr std::string_view kSlowestLink =
    "SELECT min(bandwidth) FROM (SELECT sum(size) * 1.0 / sum(transit) AS bandwidth FROM link s JOIN (SELECT "
    "recording, max(selection = 'total') AS totals FROM link GROUP BY recording) t ON s.recording IS t.recording WHERE "
    "selection = CASE totals WHEN 1 THEN 'total' ELSE 'single' END AND src_rank <> dst_rank AND size >= 1048576 AND "
    "transit > 0 GROUP BY s.recording, src_rank, dst_rank, transport)";

}  // namespace

Result<OptionalGateNumber> GateValues::of(const GateMetric& metric) {
    switch (metric.kind) {
    case GateMetric::Kind::StepPart: return numberOf(stepPart(metric));
    case GateMetric::Kind::PeakReserved:
    case GateMetric::Kind::PeakAllocated:
    case GateMetric::Kind::Fragmentation: return numberOf(memory(metric));
    case GateMetric::Kind::SlowLinkMin: return single(std::string(kSlowestLink));
    // Names of rules are words of ours.
    case GateMetric::Kind::FindingCount:
        return single("SELECT count(*) FROM finding WHERE rule = '" + metric.name + "'");
    case GateMetric::Kind::FindingRecoverable:
        // Steps of one recording do not gain what those of another do.
        if (const auto mixed = severalRecordings(m_side)) return *mixed;
        // Without findings it is 0; findings that state none leave it open.
        return single("SELECT CASE count(*) WHEN 0 THEN 0 ELSE sum(recoverable) END FROM finding WHERE rule = '" +
                      metric.name + "'");
    case GateMetric::Kind::Lost:
        return single("SELECT coalesce(sum(count), 0) FROM diagnostic WHERE severity = 'lost'");
    case GateMetric::Kind::Sql: return single(metric.name);
    case GateMetric::Kind::SignificantCount: return OptionalGateNumber();
    }
    return OptionalGateNumber();
}

Result<OptionalGateNumber> GateValues::single(const std::string& sql) {
    std::size_t rows = 0;
    OptionalGateNumber number;
    bool isNumber = true;
    RowFunction sink([&](std::span<const Value> row) {
        number.reset();
        if (const OptionalReal real = realOf(row[0])) number = {*real, integerOf(row[0])};
        isNumber = row.size() == 1 && (number || row[0].type == ValueType::Null);
        return ++rows < 2 && isNumber;
    });
    const auto done = m_side.database->run(sql, sink, m_cancel);
    if (!done.ok()) return done.as<OptionalGateNumber>();
    if (rows > 1 || !isNumber) return Error{"gate.not_a_number", {}, {}, {{"sql", sql}}};
    return number;
}

Result<OptionalReal> GateValues::stepPart(const GateMetric& metric) {
    if (const auto mixed = severalRecordings(m_side)) return *mixed;
    if (!m_steps) {
        auto steps = readStepTimes(*m_side.database, m_cancel);
        if (!steps.ok()) return steps.as<OptionalReal>();
        m_steps = std::move(steps).value();
    }
    std::vector<double> values;
    for (const StepTimes& step : *m_steps) {
        const auto part = step.part(*stepPartOf(metric.name)), whole = step.time();
        if (!part || !isChosen(m_side.ranks, step.rankId) || !isChosen(m_side.steps, step.step)) continue;
        if (!metric.isRatio) values.push_back(static_cast<double>(*part));
        else if (whole && *whole > 0) values.push_back(static_cast<double>(*part) / static_cast<double>(*whole));
    }
    return statisticOf(values, metric.statistic);
}

Result<Done> GateValues::readMemory() {
    const StepRanges steps = chosenSteps(m_side);
    std::map<OptionalNumber, std::map<std::string, ComponentPeaks, std::less<>>> ranks;
    RowFunction sink([&](std::span<const Value> row) {
        const OptionalNumber rank = integerOf(row[0]);
        if (!isChosen(m_side.ranks, rank)) return true;
        if (m_side.steps && !liesIn(steps, rank, integerOf(row[2]))) return true;
        auto& components = ranks[rank];
        auto component = components.find(row[1].bytes);
        if (component == components.end()) component = components.emplace(row[1].bytes, ComponentPeaks()).first;
        component->second.add(realOf(row[3]), realOf(row[4]));
        return true;
    });
    const auto done =
        m_side.database->run("SELECT rank_id, component, ts, reserved, allocated FROM memory_sample", sink, m_cancel);
    if (!done.ok()) return done.as<Done>();
    m_memory.emplace();
    for (const auto& [rank, components] : ranks) {
        const ComponentPeaks* chosen = nullptr;
        std::size_t chosenPlace = 0;
        for (const auto& [name, peaks] : components) {
            if (!peaks.reserved && !peaks.allocated) continue;
            const std::size_t place = placeOfComponent(name);
            const bool isBetter =
                chosen == nullptr || place < chosenPlace || (place == chosenPlace && peaks.reserved > chosen->reserved);
            if (!isBetter) continue;
            chosen = &peaks;
            chosenPlace = place;
        }
        if (chosen != nullptr) m_memory->push_back({chosen->reserved, chosen->allocated, chosen->fragmentation()});
    }
    return Done{};
}

Result<OptionalReal> GateValues::memory(const GateMetric& metric) {
    if (const auto mixed = severalRecordings(m_side)) return *mixed;
    if (!m_memory) {
        const auto done = readMemory();
        if (!done.ok()) return done.as<OptionalReal>();
    }
    std::vector<double> values;
    for (const RankMemory& rank : *m_memory) {
        const OptionalReal value = metric.kind == GateMetric::Kind::PeakReserved    ? rank.reserved
                                   : metric.kind == GateMetric::Kind::PeakAllocated ? rank.allocated
                                                                                    : rank.fragmentation;
        if (value) values.push_back(*value);
    }
    // A peak is that of the rank that has the highest.
    const bool isDefault = metric.statistic == GateStatistic::Default;
    return statisticOf(values, isDefault ? GateStatistic::Max : metric.statistic);
}

}  // namespace altiscope
