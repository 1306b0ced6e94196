#include "core/report/comparison_json.h"

#include "core/base/printable_text.h"
#include "core/findings/rule_support.h"
#include "core/report/text_width.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace altiscope {

namespace {

using ComparisonObject = nlohmann::ordered_json;

void addChange(ComparisonObject& json, const Change& change) {
    const auto orNull = [](const std::optional<std::int64_t>& value) {
        return value ? ComparisonObject(*value) : ComparisonObject(nullptr);
    };
    json["base"] = change.base;
    json["current"] = change.current;
    json["change"] = change.change;
    json["low"] = orNull(change.low);
    json["high"] = orNull(change.high);
    json["significant"] = change.significant;
}

ComparisonObject sideJson(Difference::Side side) {
    switch (side) {
    case Difference::Side::Both: return nullptr;
    case Difference::Side::Base: return "base";
    case Difference::Side::Current: return "current";
    }
    return nullptr;
}

ComparisonObject differenceJson(const Difference& difference) {
    ComparisonObject json;
    json["dimension"] = dimensionName(difference.dimension);
    json["key"] = difference.key;
    json["rank_id"] = difference.rankId ? ComparisonObject(*difference.rankId) : ComparisonObject(nullptr);
    json["unit"] = differenceUnitName(difference.unit);
    addChange(json, difference.change);
    json["only_in"] = sideJson(difference.onlyIn);
    return json;
}

/// [{"dimension","side","quantities"}]: what is left out since a side has no data for it.
ComparisonObject unrecordedJson(const Comparison& comparison) {
    ComparisonObject json = ComparisonObject::array();
    for (std::size_t i = 0; i < kDimensions; ++i)
        for (const std::size_t side : {0, 1})
            if (comparison.unrecorded[i][side] > 0)
                json.push_back({{"dimension", dimensionName(static_cast<Dimension>(i))},
                                {"side", side == 0 ? "base" : "current"},
                                {"quantities", comparison.unrecorded[i][side]}});
    return json;
}

std::string amountText(std::int64_t amount, DifferenceUnit unit) {
    switch (unit) {
    case DifferenceUnit::Nanoseconds: return timeText(amount);
    case DifferenceUnit::Bytes: return bytesText(amount);
    case DifferenceUnit::Count: return std::to_string(amount);
    }
    return {};
}

void addCell(std::string& line, const std::string& text, std::size_t width, bool right = false) {
    const std::size_t blanks = width - std::min(width, textWidth(text));
    line += right ? std::string(blanks, ' ') + text + "  " : text + std::string(blanks, ' ') + "  ";
}

std::string lineOf(const Difference& difference) {
    const Change& change = difference.change;
    std::string line = change.significant ? "* " : "  ";
    addCell(line, (change.change > 0 ? "+" : "") + amountText(change.change, difference.unit), 12, true);
    const std::string interval =
        change.low ? amountText(*change.low, difference.unit) + " .. " + amountText(*change.high, difference.unit)
                   : "-";
    addCell(line, interval, 24);
    addCell(line, std::string(dimensionName(difference.dimension)), 10);
    if (difference.rankId) line += "rank " + std::to_string(*difference.rankId) + " ";
    line += difference.key;
    if (difference.onlyIn == Difference::Side::Base) line += " (gone)";
    if (difference.onlyIn == Difference::Side::Current) line += " (new)";
    return printableText(line) + "\n";
}

}  // namespace

std::string comparisonJson(const Comparison& comparison) {
    ComparisonObject json;
    json["schema"] = 1;
    json["base"] = comparison.base;
    json["current"] = comparison.current;
    json["sentence"] = comparisonSentence(comparison, "en");
    json["step"] = comparison.step ? ComparisonObject::object() : ComparisonObject(nullptr);
    if (comparison.step) addChange(json["step"], *comparison.step);
    json["differences"] = ComparisonObject::array();
    for (const Difference& difference : comparison.differences)
        json["differences"].push_back(differenceJson(difference));
    json["omitted"] = ComparisonObject::object();
    for (std::size_t i = 0; i < kDimensions; ++i)
        if (comparison.omitted[i] > 0)
            json["omitted"][dimensionName(static_cast<Dimension>(i))] = comparison.omitted[i];
    json["unrecorded"] = unrecordedJson(comparison);
    // Names of kernels and paths may be any bytes.
    return json.dump(-1, ' ', false, ComparisonObject::error_handler_t::replace) + "\n";
}

std::string comparisonText(const Comparison& comparison, std::size_t mostRows) {
    std::string text = comparisonSentence(comparison, "en") + "\n";
    text += "base: " + std::to_string(comparison.baseRanks) + " ranks, " + std::to_string(comparison.baseSteps) +
            " steps; current: " + std::to_string(comparison.currentRanks) + " ranks, " +
            std::to_string(comparison.currentSteps) + " steps; * is significant\n";
    const std::size_t rows = std::min(mostRows, comparison.differences.size());
    for (std::size_t i = 0; i < rows; ++i) text += lineOf(comparison.differences[i]);
    const std::size_t omitted = std::accumulate(comparison.omitted.begin(), comparison.omitted.end(), std::size_t{0});
    if (rows < comparison.differences.size() || omitted > 0)
        text += "and " + std::to_string(comparison.differences.size() - rows + omitted) +
                " further differences, see --json";
    if (omitted > 0) text += ", which counts the " + std::to_string(omitted) + " smallest only";
    if (text.back() != '\n') text += "\n";
    return text;
}

}  // namespace altiscope
