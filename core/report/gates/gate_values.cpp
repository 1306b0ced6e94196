#include "core/report/gates/gate_values.h"

#include "core/compare/statistics.h"
#include "core/query/row_function.h"

#include <algorithm>
#include <map>
#include <string>

namespace altiscope {

namespace {

using OptionalReal = std::optional<double>;

OptionalReal realOf(const Value& value) {
    if (value.type == ValueType::Integer) return static_cast<double>(value.integer);
    if (value.type == ValueType::Real) return value.real;
    return std::nullopt;
}

std::optional<std::int64_t> partOf(const StepTimes& step, std::string_view name) {
    if (name == "computing") return step.computing;
    if (name == "communication") return step.communication;
    if (name == "exposed_communication") return step.exposed;
    if (name == "free") return step.free;
    if (name == "bubble") return step.bubble;
    if (name == "preparing") return step.preparing;
    return step.time();
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

constexpr std::string_view kSlowestLink =
    "SELECT min(bandwidth) FROM (SELECT sum(size) * 1.0 / sum(transit) AS bandwidth FROM link, (SELECT max(selection = "
    "'total') AS totals FROM link) WHERE selection = CASE totals WHEN 1 THEN 'total' ELSE 'single' END AND src_rank <> "
    "dst_rank AND size > 0 AND transit > 0 GROUP BY src_rank, dst_rank, transport)";

}  // namespace

Result<OptionalReal> GateValues::of(const GateMetric& metric) {
    switch (metric.kind) {
    case GateMetric::Kind::StepPart: return stepPart(metric);
    case GateMetric::Kind::PeakReserved:
    case GateMetric::Kind::PeakAllocated:
    case GateMetric::Kind::Fragmentation: return memory(metric);
    case GateMetric::Kind::SlowLinkMin: return single(std::string(kSlowestLink));
    // Names of rules are words of ours.
    case GateMetric::Kind::FindingCount:
        return single("SELECT count(*) FROM finding WHERE rule = '" + metric.name + "'");
    case GateMetric::Kind::FindingRecoverable:
        return single("SELECT coalesce(sum(recoverable), 0) FROM finding WHERE rule = '" + metric.name + "'");
    case GateMetric::Kind::Lost:
        return single("SELECT coalesce(sum(count), 0) FROM diagnostic WHERE severity = 'lost'");
    case GateMetric::Kind::Sql: return single(metric.name);
    case GateMetric::Kind::SignificantCount: return OptionalReal();
    }
    return OptionalReal();
}

Result<OptionalReal> GateValues::single(const std::string& sql) {
    std::size_t rows = 0;
    OptionalReal number;
    bool isNumber = true;
    RowFunction sink([&](std::span<const Value> row) {
        number = realOf(row[0]);
        isNumber = row.size() == 1 && (number || row[0].type == ValueType::Null);
        return ++rows < 2 && isNumber;
    });
    const auto done = m_side.database->run(sql, sink, m_cancel);
    if (!done.ok()) return done.as<OptionalReal>();
    if (rows > 1 || !isNumber) return Error{"gate.not_a_number", {}, {}, {{"sql", sql}}};
    return number;
}

Result<OptionalReal> GateValues::stepPart(const GateMetric& metric) {
    if (!m_steps) {
        auto steps = readStepTimes(*m_side.database, m_cancel);
        if (!steps.ok()) return steps.as<OptionalReal>();
        m_steps = std::move(steps).value();
    }
    std::vector<double> values;
    for (const StepTimes& step : *m_steps) {
        const auto part = partOf(step, metric.name), whole = step.time();
        if (!part || !isChosen(m_side.ranks, step.rankId) || !isChosen(m_side.steps, step.step)) continue;
        if (!metric.isRatio) values.push_back(static_cast<double>(*part));
        else if (whole && *whole > 0) values.push_back(static_cast<double>(*part) / static_cast<double>(*whole));
    }
    return statisticOf(values, metric.statistic);
}

Result<Done> GateValues::readMemory() {
    std::map<std::optional<std::int64_t>, std::pair<std::size_t, RankMemory>> ranks;
    RowFunction sink([&](std::span<const Value> row) {
        const auto rank = integerOf(row[0]);
        const OptionalReal reserved = realOf(row[2]), allocated = realOf(row[4]);
        if (!isChosen(m_side.ranks, rank) || (!reserved && !allocated)) return true;
        const std::size_t place = placeOfComponent(row[1].bytes);
        RankMemory memory{reserved.value_or(0), allocated.value_or(0), {}};
        if (const OptionalReal then = realOf(row[3]); then && memory.reserved > 0)
            memory.fragmentation = (memory.reserved - *then) / memory.reserved;
        const auto known = ranks.find(rank);
        if (known == ranks.end() || place < known->second.first ||
            (place == known->second.first && memory.reserved > known->second.second.reserved))
            ranks[rank] = {place, memory};
        return true;
    });
    // With a single max() SQLite takes other columns from its row: what was allocated at the peak of reserved.
    const auto done = m_side.database->run(
        "SELECT a.rank_id, a.component, a.reserved, a.allocated, b.allocated FROM (SELECT rank_id, component, "
        "max(reserved) AS reserved, allocated FROM memory_sample GROUP BY rank_id, component) a JOIN (SELECT rank_id, "
        "component, max(allocated) AS allocated FROM memory_sample GROUP BY rank_id, component) b ON a.rank_id IS "
        "b.rank_id AND a.component IS b.component",
        sink, m_cancel);
    if (!done.ok()) return done.as<Done>();
    m_memory.emplace();
    for (const auto& [rank, memory] : ranks) m_memory->push_back(memory.second);
    return Done{};
}

Result<OptionalReal> GateValues::memory(const GateMetric& metric) {
    if (!m_memory) {
        const auto done = readMemory();
        if (!done.ok()) return done.as<OptionalReal>();
    }
    std::vector<double> values;
    for (const RankMemory& rank : *m_memory) {
        if (metric.kind == GateMetric::Kind::PeakReserved) values.push_back(rank.reserved);
        if (metric.kind == GateMetric::Kind::PeakAllocated) values.push_back(rank.allocated);
        if (metric.kind == GateMetric::Kind::Fragmentation && rank.fragmentation) values.push_back(*rank.fragmentation);
    }
    // A peak is that of the rank that has the highest.
    const bool isDefault = metric.statistic == GateStatistic::Default;
    return statisticOf(values, isDefault ? GateStatistic::Max : metric.statistic);
}

}  // namespace altiscope
