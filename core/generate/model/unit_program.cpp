#include "core/generate/model/unit_program.h"

#include <algorithm>

namespace altiscope::generate {

TextId TextTable::idOf(std::string_view text) {
    if (const auto known = m_ids.find(text); known != m_ids.end()) return TextId{known->second};
    const auto id = static_cast<std::uint32_t>(m_texts.size());
    m_texts.emplace_back(text);
    m_ids.emplace(m_texts.back(), id);  // A deque never moves its elements.
    return TextId{id};
}

namespace {

void addUnitTimes(UnitCounts& sum, const UnitCounts& unit, std::uint64_t times) {
    sum.pythonFrames += unit.pythonFrames * times;
    sum.launches += unit.launches * times;
    sum.sequences += unit.sequences * times;
    sum.connections += unit.connections * times;
    for (std::size_t i = 0; i < sum.collectives.size(); ++i) sum.collectives[i] += unit.collectives[i] * times;
    for (std::size_t i = 0; i < sum.tasks.size(); ++i) sum.tasks[i] += unit.tasks[i] * times;
}

}  // namespace

UnitCounts RunProgram::countsBefore(std::uint32_t stage, std::uint64_t step, std::uint32_t microBatch) const {
    UnitCounts sum;
    const auto addUnits = [&](std::uint32_t first, std::uint32_t end, std::uint64_t times) {
        // All units between the first and the last of a step are the same program.
        if (first == 0 && end > 0) addUnitTimes(sum, unit(stage, 0).counts, times);
        const std::uint32_t middleEnd = std::min(end, microBatches - 1);
        if (middleEnd > std::max(first, 1U))
            addUnitTimes(sum, unit(stage, 1).counts, times * (middleEnd - std::max(first, 1U)));
        if (end == microBatches && microBatches > 1) addUnitTimes(sum, unit(stage, microBatches - 1).counts, times);
    };
    addUnits(0, microBatches, step);
    addUnits(0, microBatch, 1);
    return sum;
}

}  // namespace altiscope::generate
