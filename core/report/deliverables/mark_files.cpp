#include "core/report/deliverables/mark_files.h"

#include "core/report/deliverables/number_text.h"

#include <algorithm>
#include <map>
#include <string>

namespace altiscope {

namespace {

constexpr const char* kNoCellText = "N/A";

}  // namespace

MarkConnections::MarkConnections(const TaskRecords& records) {
    for (const MarkRecord& mark : records.marks) {
        if (mark.number != MarkRecord::kNoNumber) m_connections.emplace_back(mark.pos, markConnection(mark));
    }
    for (const DeviceSamples& device : records.samples) {
        for (const StreamMark& mark : device.marks)
            m_connections.emplace_back(mark.pos, streamMarkConnection(mark.number));
    }
    std::sort(m_connections.begin(), m_connections.end());
}

std::optional<std::int64_t> MarkConnections::at(SourcePos pos) const {
    const auto found = std::lower_bound(m_connections.begin(), m_connections.end(), pos,
                                        [](const auto& one, SourcePos wanted) { return one.first < wanted; });
    return found == m_connections.end() || found->first != pos ? std::nullopt : std::optional(found->second);
}

DeliverableResult writeMarkTable(const DeliverableInput& input) {
    if (input.tasks.marks.empty()) return {DeliverableResult::State::Nothing};
    std::map<std::uint64_t, std::vector<std::pair<std::int64_t, const StreamMark*>>> streams;  // by number
    for (const DeviceSamples& device : input.tasks.samples) {
        for (const StreamMark& mark : device.marks) streams[mark.number].emplace_back(device.device, &mark);
    }
    std::vector<const MarkRecord*> marks;
    for (const MarkRecord& mark : input.tasks.marks) marks.push_back(&mark);
    std::stable_sort(marks.begin(), marks.end(), [](const MarkRecord* a, const MarkRecord* b) {
        return microsecondsText(a->begin) < microsecondsText(b->begin);
    });
    const std::vector<std::string> header{"Device_id",
                                          "pid",
                                          "tid",
                                          "category",
                                          "event_type",
                                          "payload_type",
                                          "payload_value",
                                          "Start_time(us)",
                                          "End_time(us)",
                                          "message_type",
                                          "message",
                                          "domain",
                                          "Device Start_time(us)",
                                          "Device End_time(us)"};
    DeliverableTable table(input, "msprof_tx", header, marks.size());
    for (const MarkRecord* mark : marks) {
        const bool isNumbered = mark->number != MarkRecord::kNoNumber;
        const auto number = [isNumbered](std::uint64_t value) {
            return isNumbered ? std::string(kNoCellText) : std::to_string(value);
        };
        std::vector<std::string> cells{"host",
                                       std::to_string(mark->process),
                                       std::to_string(mark->thread),
                                       number(mark->category),
                                       std::string(markKindName(mark->kind)),
                                       number(mark->payloadType),
                                       number(mark->payload),
                                       timeCell(printedTime(mark->begin, input.tasks.host)),
                                       timeCell(printedTime(mark->end, input.tasks.host)),
                                       number(mark->messageType),
                                       mark->message,
                                       isNumbered ? mark->domain : std::string(kNoCellText),
                                       kNoCellText,
                                       kNoCellText};
        const auto found = isNumbered ? streams.find(mark->number) : streams.end();
        if (found == streams.end()) {
            table.line(cells);
            continue;
        }
        for (const auto& [device, stream] : found->second) {
            cells.front() = std::to_string(device);
            cells[cells.size() - 2] = timeCell(printedTime(stream->begin, input.tasks, device));
            cells.back() = timeCell(printedTime(stream->end, input.tasks, device));
            table.line(cells);
        }
    }
    return table.end();
}

}  // namespace altiscope
