#include "core/report/deliverables/deliverable_input.h"

#include "core/base/parse.h"

#include <algorithm>

namespace altiscope {

DeliverableResult endDeliverable(DeliverableFile& file, const CancelToken& cancel) {
    if (cancel.cancelled()) return {DeliverableResult::State::Cancelled};
    if (file.keep()) return {};
    if (cancel.cancelled()) return {DeliverableResult::State::Cancelled};
    return {DeliverableResult::State::Failed, file.problem()};
}

TaskIndex::TaskIndex(const TaskRecords& records) : m_records(records) {
    for (std::uint32_t i = 0; i < records.tasks.size(); ++i) {
        if (records.tasks[i].pos) m_order.push_back(i);
    }
    std::sort(m_order.begin(), m_order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return *records.tasks[a].pos < *records.tasks[b].pos; });
}

const TaskRecord* TaskIndex::at(SourcePos pos) const {
    const auto found = std::lower_bound(m_order.begin(), m_order.end(), pos, [this](std::uint32_t i, SourcePos wanted) {
        return *m_records.tasks[i].pos < wanted;
    });
    return found == m_order.end() || *m_records.tasks[*found].pos != pos ? nullptr : &m_records.tasks[*found];
}

std::int64_t deviceOfTrack(const Track& track) {
    static constexpr std::string_view kPrefix = "NPU ";
    const std::string_view label = track.labels;
    if (!label.starts_with(kPrefix)) return 0;
    return wholeNumber<std::int64_t>(label.substr(kPrefix.size())).value_or(0);
}

std::int64_t deviceOfRank(const RankEntry& rank) { return rank.info.deviceId.value_or(0); }

}  // namespace altiscope
