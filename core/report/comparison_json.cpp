#include "core/report/comparison_json.h"

#include "core/base/text/amount_text.h"
#include "core/base/text/json_text.h"
#include "core/base/text/printable_text.h"
#include "core/report/export/text_width.h"
#include "core/report/list_part_json.h"

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

/// [{"difference","by"}]: which differences follow from another one, by their places in the whole list.
ComparisonObject explainedJson(const Comparison& comparison, std::size_t first, std::size_t end) {
    ComparisonObject json = ComparisonObject::array();
    for (std::size_t i = first; i < end; ++i)
        if (const auto& cause = comparison.differences[i].cause) json.push_back({{"difference", i}, {"by", *cause}});
    return json;
}

/// [{"difference","side","count","steps","change"}]: some steps of a side that lie apart from all of the other; the
/// difference is null of the time of a step.
ComparisonObject apartJson(const Comparison& comparison, std::size_t first, std::size_t end) {
    ComparisonObject json = ComparisonObject::array();
    const auto add = [&](ComparisonObject difference, const std::optional<StepsApart>& apart) {
        if (!apart) return;
        json.push_back({{"difference", std::move(difference)},
                        {"side", apart->isCurrent ? "current" : "base"},
                        {"count", apart->count},
                        {"steps", apart->steps},
                        {"change", apart->change}});
    };
    add(nullptr, comparison.stepsApart);
    for (std::size_t i = first; i < end; ++i) add(i, comparison.differences[i].apart);
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

ComparisonObject orderSideJson(const OrderSide& side) {
    const auto orNull = [](const std::optional<std::int64_t>& value) {
        return value ? ComparisonObject(*value) : ComparisonObject(nullptr);
    };
    return {
        {"rank_id", orNull(side.rankId)}, {"step", orNull(side.step)}, {"kernels", side.kernels}, {"cut", side.isCut}};
}

ComparisonObject orderRowJson(const OrderRow& row) {
    const auto placeJson = [](const std::optional<std::size_t>& place) {
        return place ? ComparisonObject(*place) : ComparisonObject(nullptr);
    };
    const auto sliceJson = [](const std::optional<SliceId>& slice) {
        return slice ? ComparisonObject(slice->value) : ComparisonObject(nullptr);
    };
    ComparisonObject json;
    json["kind"] = orderKindName(row.kind);
    json["base_keys"] = row.base;
    json["current_keys"] = row.current;
    json["count"] = row.count;
    json["base"] = row.change.base;
    json["current"] = row.change.current;
    json["change"] = row.change.change;
    json["base_place"] = placeJson(row.basePlace);
    json["current_place"] = placeJson(row.currentPlace);
    json["base_slice_id"] = sliceJson(row.baseSlice);
    json["current_slice_id"] = sliceJson(row.currentSlice);
    return json;
}

/// The kernels of a step in their order.
ComparisonObject orderJson(const std::optional<OrderComparison>& order) {
    if (!order) return nullptr;
    ComparisonObject json;
    json["base"] = orderSideJson(order->base);
    json["current"] = orderSideJson(order->current);
    json["same"] = order->same;
    json["longest"] = order->isLongest;
    json["rows"] = ComparisonObject::array();
    for (const OrderRow& row : order->rows) json["rows"].push_back(orderRowJson(row));
    json["omitted"] = order->omitted;
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

/// "computing of rank 3", "link 0-1 HCCS"
std::string differenceName(const Difference& difference) {
    std::string name = difference.dimension == Dimension::Category
                           ? difference.key
                           : std::string(dimensionName(difference.dimension)) + " " + difference.key;
    if (difference.rankId) name += " of rank " + std::to_string(*difference.rankId);
    return name;
}

std::string signedAmount(const Difference& difference) {
    return (difference.change.change > 0 ? "+" : "") + amountText(difference.change.change, difference.unit);
}

/// Words for a difference that only one side has. A finding may be on the other side, too, below its thresholds.
std::string_view onlyInWords(const Difference& difference) {
    const bool isFinding = difference.dimension == Dimension::Finding;
    switch (difference.onlyIn) {
    case Difference::Side::Both: return {};
    case Difference::Side::Base: return isFinding ? " (found on the base alone)" : " (gone)";
    case Difference::Side::Current: return isFinding ? " (found on the current side alone)" : " (new)";
    }
    return {};
}

std::string lineOf(const Difference& difference) {
    const Change& change = difference.change;
    std::string line = change.significant ? "* " : change.isBeyondNoise() && !difference.cause ? "? " : "  ";
    addCell(line, signedAmount(difference), 12, true);
    const std::string interval =
        change.low ? amountText(*change.low, difference.unit) + " .. " + amountText(*change.high, difference.unit)
                   : "-";
    addCell(line, interval, 24);
    addCell(line, std::string(dimensionName(difference.dimension)), 11);
    if (difference.rankId) line += "rank " + std::to_string(*difference.rankId) + " ";
    line += difference.key;
    if (const std::string ranks = otherRanksText(difference); !ranks.empty()) line += " (ranks " + ranks + ")";
    line += onlyInWords(difference);
    return printableText(line) + "\n";
}

/// Differences that follow from another, in one line below it.
std::string followingLine(const Comparison& comparison, const std::vector<std::size_t>& following) {
    constexpr std::size_t kMaxNamed = 4;
    if (following.empty()) return {};
    std::string line = "                  from it follow ";
    for (std::size_t i = 0; i < following.size() && i < kMaxNamed; ++i) {
        const Difference& one = comparison.differences[following[i]];
        line += (i == 0 ? "" : ", ") + signedAmount(one) + " " + differenceName(one);
    }
    if (following.size() > kMaxNamed) line += " and " + std::to_string(following.size() - kMaxNamed) + " more";
    return printableText(line) + "\n";
}

std::string stepWords(const OrderSide& side) {
    std::string text = side.rankId ? "rank " + std::to_string(*side.rankId) : "the rank";
    return side.step ? text + ", step " + std::to_string(*side.step) : text;
}

std::string orderLine(const OrderRow& row) {
    std::string line = "  ";
    addCell(line, (row.change.change > 0 ? "+" : "") + timeText(row.change.change), 12, true);
    addCell(line, std::to_string(row.count) + " x", 8, true);
    addCell(line, std::string(orderKindName(row.kind)), 9);
    line += joinedKernelKeys(row.base);
    if (row.kind == OrderKind::Moved) return printableText(line) + "\n";
    if (!row.base.empty() && !row.current.empty()) line += " -> ";
    line += joinedKernelKeys(row.current);
    return printableText(line) + "\n";
}

/// Result of comparing the order of the kernels; empty where it is not known.
std::string orderText(const std::optional<OrderComparison>& order, std::uint64_t mostRows) {
    if (!order) return {};
    std::string text = "order of kernels, " + stepWords(order->base) + " of the base and " + stepWords(order->current) +
                       " of the current side: " + std::to_string(order->same) + " of " +
                       std::to_string(order->base.kernels) + " and " + std::to_string(order->current.kernels) +
                       " are the same\n";
    const std::size_t rows = boundsOf({.limit = mostRows}, order->rows.size()).second;
    for (std::size_t i = 0; i < rows; ++i) text += orderLine(order->rows[i]);
    const std::size_t further = order->rows.size() - rows + order->omitted;
    if (further > 0) text += "and " + std::to_string(further) + " further ones, see --json\n";
    if (order->base.isCut || order->current.isCut)
        text +=
            "only the first " + std::to_string(OrderComparison::kMaxStepKernels) + " kernels of a step were aligned\n";
    return text;
}

}  // namespace

std::string comparisonJson(const Comparison& comparison, ListPart part) {
    ComparisonObject json;
    json["schema"] = 1;
    json["base"] = comparison.base;
    json["current"] = comparison.current;
    json["sentence"] = comparisonSentence(comparison, "en");
    json["verdict"] = stepVerdictName(stepVerdict(comparison));
    json["common_work"] = comparison.commonWork ? ComparisonObject(*comparison.commonWork) : ComparisonObject(nullptr);
    json["step"] = comparison.step ? ComparisonObject::object() : ComparisonObject(nullptr);
    if (comparison.step) addChange(json["step"], *comparison.step);
    json["differences"] = ComparisonObject::array();
    const auto [first, end] = boundsOf(part, comparison.differences.size());
    for (std::size_t i = first; i < end; ++i) json["differences"].push_back(differenceJson(comparison.differences[i]));
    json["explained"] = explainedJson(comparison, first, end);
    json["steps_apart"] = apartJson(comparison, first, end);
    json["omitted"] = ComparisonObject::object();
    for (std::size_t i = 0; i < kDimensions; ++i)
        if (comparison.omitted[i] > 0)
            json["omitted"][dimensionName(static_cast<Dimension>(i))] = comparison.omitted[i];
    json["unrecorded"] = unrecordedJson(comparison);
    json["order"] = orderJson(comparison.order);
    if (!part.isAll()) json["lists"] = {{"differences", listPartJson(part, comparison.differences.size())}};
    // Names of kernels and paths may be any bytes.
    return dumpJson(json) + "\n";
}

std::string comparisonText(const Comparison& comparison, ListPart part) {
    std::string text = comparisonSentence(comparison, "en") + "\n";
    const auto sideText = [](std::size_t ranks, std::size_t steps, bool isRecording) {
        const auto counted = [](std::size_t count, const char* one) {
            return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
        };
        return counted(ranks, "rank") + ", " + (isRecording ? "no steps" : counted(steps, "step"));
    };
    text += "base: " + sideText(comparison.baseRanks, comparison.baseSteps, comparison.isBaseRecording) +
            "; current: " + sideText(comparison.currentRanks, comparison.currentSteps, comparison.isCurrentRecording) +
            "; * is significant, ? may be by chance\n";
    // A difference that follows from another one stands with that one.
    std::vector<std::size_t> causes;
    std::vector<std::vector<std::size_t>> following(comparison.differences.size());
    for (std::size_t i = 0; i < comparison.differences.size(); ++i) {
        if (const auto& cause = comparison.differences[i].cause) following[*cause].push_back(i);
        else causes.push_back(i);
    }
    const auto [first, end] = boundsOf(part, causes.size());
    for (std::size_t i = first; i < end; ++i) {
        text += lineOf(comparison.differences[causes[i]]);
        text += followingLine(comparison, following[causes[i]]);
    }
    const std::size_t omitted = std::accumulate(comparison.omitted.begin(), comparison.omitted.end(), std::size_t{0});
    if (end < causes.size() || omitted > 0)
        text += "and " + std::to_string(causes.size() - end + omitted) + " further differences, see --json";
    if (omitted > 0) text += ", which counts the " + std::to_string(omitted) + " smallest only";
    if (text.back() != '\n') text += "\n";
    return text + orderText(comparison.order, part.limit.value_or(comparison.differences.size()));
}

}  // namespace altiscope
