#include "core/generate/records/step_truth.h"

#include "core/generate/model/operation_names.h"

#include <algorithm>
#include <array>
#include <cstdint>

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
    std::array<std::uint32_t, kMaxGroupSlots> ordinals{};
    for (std::size_t i = 0; i < record.tasks.size(); ++i) {
        const TaskSpec& task = *record.host.work[i].task;
        if (task.kind != TaskKind::Collective) continue;
        const std::uint32_t ordinal = ordinals[task.groupSlot]++;
        if (!isPointToPoint(task.operation)) continue;
        if (task.operation == CollectiveOperation::Receive)
            step.receiving.value += record.tasks[i].printedRange().length().value;
        const RankIdentity& identity = run.plan.identities[m_rank];
        const CollectiveTiming& timing =
            run.schedule.collective(identity.memberships[task.groupSlot]->group, record.unit, ordinal);
        step.bubble.value += (identity.clock.local(timing.ready) - record.tasks[i].start).value;
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
