#include "core/generate/records/step_truth.h"

#include <algorithm>

namespace altiscope::generate {

std::string_view stepTraceHeader() {
    return "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
           "Communication(Not Overlapped and Exclude Receive),Preparing\r\n";
}

StepTimes stepTimesOf(const StepTruth& step) {
    const std::int64_t bubble = step.receiving.value;
    return {step.computing.value,
            step.notOverlapped.value,
            step.communication.value - step.notOverlapped.value,
            step.communication.value,
            step.free.value,
            step.device.length().value - bubble,
            bubble,
            std::max<std::int64_t>(step.notOverlapped.value - bubble, 0),
            (step.device.begin - step.host.begin).value};
}

void addStepTrace(const StepTruth& step, TextBuffer& out) {
    const StepTimes times = stepTimesOf(step);
    out.addNumber(step.step);
    for (std::size_t i = 0; i < times.size(); ++i) {
        out.add(',');
        // Where nothing was received there is an integer zero.
        if (i == kBubbleTime && times[i] == 0) out.add('0');
        else out.addTrimmed(times[i], 3);
    }
    out.add("\r\n");
}

void StepCollector::add(const Run& run, const UnitRecord& record) {
    const bool newStep = m_steps.empty() || m_steps.back().step != record.step;
    if (newStep) m_steps.emplace_back().step = record.step;
    StepTruth& step = m_steps.back();
    step.planted.resize(record.host.planted.size());
    for (std::size_t i = 0; i < step.planted.size(); ++i) step.planted[i].ticks += record.host.planted[i].ticks;
    for (std::size_t i = 0; i < record.tasks.size(); ++i) {
        const TaskSpec& task = *record.host.work[i].task;
        if (task.kind == TaskKind::Collective && task.operation == CollectiveOperation::Receive)
            step.receiving.value += record.tasks[i].printedRange().length().value;
    }
    for (const OverlapSlice& slice : record.overlap) {
        const DurationNs length = slice.range.length();
        switch (slice.lane) {
        case OverlapLane::Computing: step.computing.value += length.value; break;
        case OverlapLane::Communication: step.communication.value += length.value; break;
        case OverlapLane::NotOverlapped: step.notOverlapped.value += length.value; break;
        case OverlapLane::Free: {
            // The pause between two steps began in the one before, whose range lasts until its host part ends.
            const bool before = newStep && m_steps.size() > 1 &&
                                slice.range.begin == run.schedule.unit(m_rank, record.unit - 1).lastBusy;
            (before ? m_steps[m_steps.size() - 2] : step).free.value += length.value;
            continue;
        }
        }
        if (step.device.begin.value == 0) step.device.begin = slice.range.begin;
        step.device.end = std::max(step.device.end, slice.range.end);
    }
    if (record.stepRange.end.value != 0) step.host = record.stepRange;
}

}  // namespace altiscope::generate
