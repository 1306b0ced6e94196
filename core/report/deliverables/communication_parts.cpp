#include "core/report/deliverables/communication_parts.h"

#include "core/base/text.h"
#include "core/report/deliverables/number_text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace altiscope {

namespace {

bool isPointToPoint(std::string_view name) {
    static constexpr std::string_view kNames[] = {"hcom_send", "hcom_receive", "hcom_batchsendrecv"};
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return std::any_of(std::begin(kNames), std::end(kNames),
                       [&lower](std::string_view prefix) { return lower.starts_with(prefix); });
}

void addTo(StepCollectives& step, const CollectiveRecord& record) {
    if (record.name.starts_with("total")) return;
    (isPointToPoint(record.name) ? step.pointToPoint : step.collective).push_back(&record);
}

}  // namespace

std::vector<StepCollectives> collectivesBySteps(const DeliverableInput& input) {
    std::vector<StepCollectives> steps;
    for (const Step& step : input.rank.steps) steps.push_back({"step" + std::to_string(step.number), {}, {}});
    if (steps.empty()) steps.push_back({"step", {}, {}});
    // The rows of the table know their steps; of the same name each begins at another time.
    std::map<std::pair<std::string_view, std::int64_t>, std::int64_t> numbers;
    const NamedCells rows(input.rank, RowKind::Collective);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto name = rows.text("op_name", row);
        const auto begin = rows.integer("ts", row), step = rows.integer("step", row);
        if (name && begin && step) numbers.try_emplace({*name, *begin}, *step);
    }
    for (const CollectiveRecord& record : input.tasks.collectives) {
        if (steps.size() == 1) {
            addTo(steps.front(), record);
            continue;
        }
        const auto number = numbers.find({record.name, record.begin});
        if (number == numbers.end()) continue;
        for (std::size_t i = 0; i < input.rank.steps.size(); ++i) {
            if (input.rank.steps[i].number != number->second) continue;
            addTo(steps[i], record);
            break;
        }
    }
    return steps;
}

void JsonMembers::add(std::string_view key, std::string_view json) {
    if (!m_text.empty()) m_text += ", ";
    m_text += jsonQuoted(key);
    m_text += ": ";
    m_text += json;
}

void JsonMembers::addNumber(std::string_view key, double value) { add(key, exactText(value)); }

std::string sumText(double value, bool isTouched) { return isTouched ? exactText(value) : "0"; }

double fourDigits(double value) { return numberOf(fixedText(value, 4)); }

}  // namespace altiscope
