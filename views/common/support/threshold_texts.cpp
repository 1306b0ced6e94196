#include "views/common/support/threshold_texts.h"

#include "core/base/text/catalogue.h"
#include "core/base/text/percent_text.h"
#include "core/base/text/text.h"
#include "core/tables/filters/filter_expression.h"
#include "views/common/support/formatters.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// Bytes per ns are GB (10^9) per second.
constexpr double kNsPerSecond = 1e9;
/// Rules divide by some of them, and turn times into 64-bit integers.
constexpr double kMin = 1e-6, kMax = 1e15;

using ThresholdUnit = std::pair<double, const char*>;

/// In the largest unit in which the value is 1 or more.
QString inLargestUnit(double value, std::span<const ThresholdUnit> largestFirst) {
    for (const auto& [factor, name] : largestFirst) {
        if (value >= factor) return toQString(shortestNumber(value / factor)) + u' ' + QString::fromUtf8(name);
    }
    const auto& [factor, name] = largestFirst.back();
    return toQString(shortestNumber(value / factor)) + u' ' + QString::fromUtf8(name);
}

CellUnit unitOf(const ThresholdInfo& info) {
    if (info.unit == "ns") return CellUnit::Duration;
    if (info.unit == "bytes") return CellUnit::Bytes;
    if (info.unit == "bytes/ns") return CellUnit::Rate;
    if (info.unit == "share") return CellUnit::Share;
    return CellUnit::None;
}

}  // namespace

const ThresholdInfo* findThreshold(std::string_view name) {
    const auto infos = thresholdInfos();
    const auto found =
        std::find_if(infos.begin(), infos.end(), [name](const ThresholdInfo& info) { return info.name == name; });
    return found == infos.end() ? nullptr : &*found;
}

QString thresholdText(const ThresholdInfo& info, double value) {
    static constexpr std::array<ThresholdUnit, 4> kTimes{{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}};
    static constexpr std::array<ThresholdUnit, 4> kSizes{
        {{1073741824, "GiB"}, {1048576, "MiB"}, {1024, "KiB"}, {1, "B"}}};
    switch (unitOf(info)) {
    case CellUnit::Duration: return inLargestUnit(value, kTimes);
    case CellUnit::Bytes: return inLargestUnit(value, kSizes);
    case CellUnit::Rate: return toQString(shortestNumber(value)) + u" GB/s"_s;
    case CellUnit::Share: {
        // 0.07 * 100 is not 7 in binary.
        const QString percent = QString::number(value * 100, 'g', 12);
        return (percent.toDouble() / 100 == value ? percent : toQString(shortestNumber(value * 100))) +
               toQString(percentSign(catalogueLanguage()));
    }
    default: return toQString(shortestNumber(value));
    }
}

std::optional<double> thresholdValue(const ThresholdInfo& info, const QString& text) {
    const TableColumn column{.name = "value", .type = CellType::Real, .unit = unitOf(info)};
    QString compact = text.simplified();
    compact.remove(u' ');
    const ParsedFilter parsed = parseFilter("value = " + compact.toStdString(), {&column, 1});
    if (!parsed.root || parsed.root->kind != FilterNode::Kind::Compare || parsed.root->values.size() != 1)
        return std::nullopt;
    const FilterValue& number = parsed.root->values.front();
    if (number.kind != FilterValue::Kind::Real) return std::nullopt;
    const bool hasUnit = compact.back().isLetter();
    const double value = column.unit == CellUnit::Rate && hasUnit ? number.real / kNsPerSecond : number.real;
    const bool fits = value >= kMin && value <= (column.unit == CellUnit::Share ? 1 : kMax);
    return fits ? std::optional(value) : std::nullopt;
}

QString thresholdMeaning(const ThresholdInfo& info) {
    return toQString(catalogueText(info.meaning(), catalogueLanguage()));
}

}  // namespace altiscope
