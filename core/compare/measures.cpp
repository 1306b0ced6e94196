#include "core/compare/measures.h"

#include "core/query/row_function.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <tuple>

namespace altiscope {

namespace {

/// Of communication the part that a step waits for: all of it counts by type of collective.
using PartOfStep = OptionalNumber (*)(const StepTimes&);
constexpr std::pair<std::string_view, PartOfStep> kCategories[] = {
    {"step", [](const StepTimes& step) { return step.time(); }},
    {"computing", [](const StepTimes& step) { return step.computing; }},
    {"exposed_communication", [](const StepTimes& step) { return step.exposed; }},
    {"free", [](const StepTimes& step) { return step.free; }},
    {"bubble", [](const StepTimes& step) { return step.bubble; }},
    {"preparing", [](const StepTimes& step) { return step.preparing; }},
};

/// "hcom_allReduce__586_0_1" -> "hcom_allReduce"
std::string_view typeOfCollective(std::string_view name) { return name.substr(0, name.find("__")); }

}  // namespace

MeasuredPart::MeasuredPart(const ComparisonSide& side, std::vector<StepTimes> times) : m_side(side) {
    std::set<OptionalNumber> steps;
    for (const StepTimes& row : times) {
        if (!isChosen(side.ranks, row.rankId) || !isChosen(side.steps, row.step)) continue;
        steps.insert(row.step);
        m_times.push_back(row);
    }
    // What no step holds stands for all only where nothing else is known.
    if (steps.size() > 1) steps.erase(OptionalNumber());
    for (const OptionalNumber& step : steps) m_steps.emplace(step, m_steps.size());
    for (std::size_t rank = 0; rank < side.capture->ranks.size(); ++rank)
        if (isChosen(side.ranks, side.capture->ranks[rank].info.rankId)) m_ranks.push_back(rank);
}

std::optional<std::size_t> MeasuredPart::step(OptionalNumber number) const {
    const auto found = m_steps.find(number);
    return found == m_steps.end() ? std::nullopt : std::optional(found->second);
}

bool MeasuredPart::hasRank(OptionalNumber rank) const { return isChosen(m_side.ranks, rank); }

void Measures::add(const MeasureKey& key, const std::vector<double>& sums) {
    const std::lock_guard lock(m_mutex);
    std::vector<double>& values = m_measures[key].values;
    values.resize(std::max(values.size(), sums.size()), 0);
    for (std::size_t i = 0; i < sums.size(); ++i) values[i] += sums[i];
}

void Measures::set(const MeasureKey& key, double value) {
    const std::lock_guard lock(m_mutex);
    m_measures[key].values = {value};
}

void measureCategories(const MeasuredPart& part, Measures& to) {
    for (const auto& [name, partOf] : kCategories) {
        std::map<OptionalNumber, std::vector<double>> byRank;
        std::vector<double> sums(part.stepCount(), 0), rows(part.stepCount(), 0);
        for (const StepTimes& row : part.times()) {
            const auto step = part.step(row.step);
            const OptionalNumber value = partOf(row);
            if (!step || !value) continue;
            sums[*step] += static_cast<double>(*value);
            ++rows[*step];
            auto& ofRank = byRank[row.rankId];
            ofRank.resize(part.stepCount(), 0);
            ofRank[*step] += static_cast<double>(*value);
        }
        // A step that one rank alone did not record is still the mean of the others.
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] /= std::max(1.0, rows[i]);
        if (!byRank.empty()) to.add({.dimension = Dimension::Category, .rankId = {}, .key = std::string(name)}, sums);
        if (name == "step" || byRank.size() < 2) continue;
        for (const auto& [rank, values] : byRank)
            if (rank) to.add({.dimension = Dimension::Category, .rankId = rank, .key = std::string(name)}, values);
    }
}

Result<Done> measureCollectives(const ComparisonSide& side, const MeasuredPart& part, Measures& to,
                                const CancelToken& cancel) {
    // Ranks that have computed rows count with these alone.
    std::map<OptionalNumber, std::map<std::string, std::map<std::string, std::vector<double>, std::less<>>>> ranks;
    RowFunction sink([&](std::span<const Value> row) {
        const OptionalNumber rank = integerOf(row[0]), elapsed = integerOf(row[4]);
        const auto step = part.step(integerOf(row[1]));
        if (!part.hasRank(rank)) return true;
        auto& types = ranks[rank][std::string(row[2].bytes)];
        if (!step || !elapsed) return true;
        auto& sums = types[std::string(typeOfCollective(row[3].bytes))];
        sums.resize(part.stepCount(), 0);
        sums[*step] += static_cast<double>(*elapsed);
        return true;
    });
    const auto done =
        side.database->run("SELECT rank_id, step, origin, op_name, elapsed FROM collective", sink, cancel);
    if (!done.ok()) return done.as<Done>();
    for (const auto& [rank, origins] : ranks)
        for (const auto& [type, sums] : origins.begin()->second)
            to.add({.dimension = Dimension::Collective, .rankId = {}, .key = type}, sums);
    return Done{};
}

Result<Done> measureFindings(const ComparisonSide& side, const MeasuredPart& part, Measures& to,
                             const CancelToken& cancel) {
    std::map<std::tuple<std::string, OptionalNumber, DifferenceUnit>, double> sums;
    RowFunction sink([&](std::span<const Value> row) {
        const OptionalNumber rank = integerOf(row[1]), recoverable = integerOf(row[2]);
        if (rank && !part.hasRank(rank)) return true;
        const auto unit = recoverable ? DifferenceUnit::Nanoseconds : DifferenceUnit::Count;
        sums[{std::string(row[0].bytes), rank, unit}] += recoverable ? static_cast<double>(*recoverable) : 1;
        return true;
    });
    const auto done = side.database->run("SELECT rule, rank_id, recoverable FROM finding", sink, cancel);
    if (!done.ok()) return done.as<Done>();
    for (const auto& [key, value] : sums)
        to.set({.dimension = Dimension::Finding,
                .unit = std::get<2>(key),
                .rankId = std::get<1>(key),
                .key = std::get<0>(key)},
               value);
    return Done{};
}

}  // namespace altiscope
