#include "core/pack/pack_sums.h"

#include "core/base/text/json_text.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace altiscope::pack {

namespace {

void addSteps(const RowTables& rows, std::vector<PackedStep>& steps) {
    constexpr RowKind kKind = RowKind::StepBreakdown;
    const RowTable* table = rows.find(kKind);
    if (table == nullptr) return;
    for (std::size_t row = 0; row < table->size(); ++row) {
        PackedStep& step = steps.emplace_back();
        step.number = table->integer(fixedColumn(kKind, "step"), row);
        const auto origin = table->text(fixedColumn(kKind, "origin"), row);
        step.isComputed = origin && rows.text(*origin) == "computed";
        for (std::size_t i = 0; i < kStepSums.size(); ++i)
            step.sums[i] = table->integer(rowColumn(kKind, kStepSums[i]), row);
    }
}

nlohmann::json cellOrNull(const std::optional<std::int64_t>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
}

/// nullopt for anything but null and a whole number within 63 bits; `isNumber` becomes false then.
std::optional<std::int64_t> numberOf(const nlohmann::json& value, bool& isNumber) {
    if (value.is_null()) return std::nullopt;
    const bool isWide = value.is_number_unsigned() && !std::in_range<std::int64_t>(value.get<std::uint64_t>());
    isNumber = isNumber && value.is_number_integer() && !isWide;
    return isNumber ? std::optional(value.get<std::int64_t>()) : std::nullopt;
}

}  // namespace

PackedRankSums sumsOf(const RankEntry& rank, const RowTables* computed) {
    PackedRankSums sums;
    const auto count = [&sums](std::string_view table, std::uint64_t rows) {
        if (rows > 0) sums.rows[std::string(table)] += rows;
    };
    if (rank.trace != nullptr) {
        const TraceColumns& columns = rank.trace->columns();
        count("track", columns.tracks.size());
        count("slice", columns.begin.size());
        count("instant", columns.instantTime.size());
        count("counter", columns.sampleTime.size());
        count("flow", columns.flowPos.size());
        count("name_stat", columns.nameStats.size());
        const TimeRange range = rank.trace->homeRange();
        if (range != TimeRange{}) sums.range = range;
    }
    count("step", rank.steps.size());
    count("metadata", rank.info.metadata.size());
    if (rank.rows != nullptr) {
        for (const RowTable& table : rank.rows->tables()) count(rowKindName(table.kind()), table.size());
        addSteps(*rank.rows, sums.steps);
    }
    if (computed != nullptr) addSteps(*computed, sums.steps);
    return sums;
}

std::string sumsToJson(const std::vector<PackedRankSums>& sums) {
    nlohmann::json list = nlohmann::json::array();
    for (const PackedRankSums& rank : sums) {
        nlohmann::json steps = nlohmann::json::array();
        for (const PackedStep& step : rank.steps) {
            nlohmann::json one = {cellOrNull(step.number), step.isComputed};
            for (const auto& sum : step.sums) one.push_back(cellOrNull(sum));
            steps.push_back(std::move(one));
        }
        list.push_back({{"begin", rank.range ? nlohmann::json(rank.range->begin.value) : nlohmann::json()},
                        {"end", rank.range ? nlohmann::json(rank.range->end.value) : nlohmann::json()},
                        {"rows", rank.rows},
                        {"steps", std::move(steps)}});
    }
    return dumpJson(list);
}

std::optional<std::vector<PackedRankSums>> sumsFromJson(std::string_view text) {
    const nlohmann::json json = parseJson(text);
    if (!json.is_array()) return std::nullopt;
    std::vector<PackedRankSums> all;
    bool isSound = true;
    try {
        for (const nlohmann::json& one : json) {
            PackedRankSums& rank = all.emplace_back();
            const auto begin = numberOf(one.at("begin"), isSound), end = numberOf(one.at("end"), isSound);
            if (begin && end && isTraceTime(*begin) && isTraceTime(*end) && *begin <= *end)
                rank.range = TimeRange{{*begin}, {*end}};
            for (const auto& [table, rows] : one.at("rows").items()) {
                const auto count = numberOf(rows, isSound);
                if (!count || *count < 0) return std::nullopt;
                rank.rows[table] = static_cast<std::uint64_t>(*count);
            }
            for (const nlohmann::json& row : one.at("steps")) {
                PackedStep& step = rank.steps.emplace_back();
                step.number = numberOf(row.at(0), isSound);
                step.isComputed = row.at(1).get<bool>();
                for (std::size_t i = 0; i < kStepSums.size(); ++i) step.sums[i] = numberOf(row.at(i + 2), isSound);
            }
        }
    } catch (const nlohmann::json::exception&) { return std::nullopt; }
    return isSound ? std::optional(std::move(all)) : std::nullopt;
}

}  // namespace altiscope::pack
