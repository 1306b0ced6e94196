#include "core/generate/capture_truth.h"

#include "core/base/text_buffer.h"
#include "core/generate/plant_options.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace altiscope::generate {

namespace {

using Json = nlohmann::ordered_json;

Json tracksJson(const RankTracks& tracks, const TraceTally& tally) {
    Json list = Json::array();
    std::map<std::pair<std::string, std::string>, std::size_t> places;
    for (std::size_t i = 0; i < tally.tracks.size(); ++i) {
        const TrackSum& sum = tally.tracks[i];
        if (sum.slices == 0) continue;
        const TraceTrack& track = tracks.tracks()[i];
        const std::string process(processName(track.process));
        const auto [place, isNew] = places.emplace(std::pair(process, track.name), list.size());
        if (isNew) list.push_back({{"process", process}, {"thread", track.name}, {"slices", 0}, {"dur", 0}});
        Json& entry = list[place->second];
        entry["slices"] = entry["slices"].get<std::uint64_t>() + sum.slices;
        entry["dur"] = entry["dur"].get<std::int64_t>() + sum.durationNs;
    }
    return list;
}

Json stepsJson(const std::vector<StepTruth>& steps) {
    Json list = Json::array();
    for (const StepTruth& step : steps) {
        list.push_back({{"step", step.step},
                        {"start_ts", step.host.begin.value},
                        {"end_ts", step.host.end.value},
                        {"computing", step.computing.value},
                        {"communication", step.communication.value},
                        {"not_overlapped", step.notOverlapped.value},
                        {"free", step.free.value}});
    }
    return list;
}

DurationNs clockOffset(const Run& run, std::uint32_t rank) {
    const std::int64_t begin = run.plan.startOf(rank).value;
    const TimeNs middle{begin + (run.schedule.end(rank).value - begin) / 2};
    return run.plan.identities[rank].clock.job(middle) - middle;
}

Json plantsJson(const Run& run, const std::vector<RankTruth>& ranks) {
    Json list = Json::array();
    for (std::size_t i = 0; i < run.plan.conditions.plants.size(); ++i) {
        const Plant& plant = run.plan.conditions.plants[i];
        const std::string_view fault = faultName(plant.kind);
        for (const RankTruth& rank : ranks) {
            for (const StepTruth& step : rank.steps) {
                // A leak costs memory and no time.
                const bool leaks = plant.kind == FaultKind::Leak;
                if (!leaks && step.planted[i].ticks == 0) continue;
                list.push_back({{"fault", fault},
                                {"rank", rank.rank},
                                {"step", step.step},
                                {"ns", leaks ? 0 : step.planted[i].roundedNs()}});
                if (leaks) list.back()["bytes"] = (plant.amount + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
            }
        }
    }
    return list;
}

}  // namespace

std::string truthJson(const GenerateOptions& options, const Run& run, const std::vector<RankTruth>& ranks) {
    const RunPlan& plan = run.plan;
    Json truth;
    truth["schema"] = 1;
    truth["args"] = options.words;
    truth["ranks"] = Json::array();
    truth["links"] = Json::array();
    for (const RankTruth& rank : ranks) {
        const RankTracks tracks(plan.identities[rank.rank]);
        truth["ranks"].push_back({{"rank_id", rank.rank},
                                  {"clock_offset_ns", clockOffset(run, rank.rank).value},
                                  {"tracks", tracksJson(tracks, rank.trace)},
                                  {"flows", rank.trace.flows},
                                  {"counters", rank.trace.counters},
                                  {"steps", stepsJson(rank.steps)},
                                  {"peak_reserved", rank.peakReserved}});
        for (const auto& [ends, sum] : rank.links) {
            truth["links"].push_back(
                {{"src", ends.first}, {"dst", ends.second}, {"size", sum.first}, {"transit", sum.second}});
        }
    }
    truth["plants"] = plantsJson(run, ranks);
    return truth.dump(1) + "\n";
}

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
    constexpr std::size_t kBubble = 6;
    const StepTimes times = stepTimesOf(step);
    out.addNumber(step.step);
    for (std::size_t i = 0; i < times.size(); ++i) {
        out.add(',');
        // Where nothing was received there is an integer zero.
        if (i == kBubble && times[i] == 0) out.add('0');
        else out.addTrimmed(times[i], 3);
    }
    out.add("\r\n");
}

void StepCollector::add(const UnitRecord& record) {
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
                                slice.range.begin == m_run.schedule.unit(m_rank, record.unit - 1).lastBusy;
            (before ? m_steps[m_steps.size() - 2] : step).free.value += length.value;
            continue;
        }
        }
        if (step.device.begin.value == 0) step.device.begin = slice.range.begin;
        step.device.end = std::max(step.device.end, slice.range.end);
    }
    if (record.stepRange.end.value != 0) step.host = record.stepRange;
}

void addLinks(const Run& run, const StepCommunication& communication, RankTruth& truth) {
    for (const auto& [key, calls] : communication.links) {
        const CommunicationGroup& group = run.plan.groups[key.group];
        DeviceTime total;
        auto& sum = truth.links[{group.members[key.source], group.members[key.target]}];
        for (const LinkCall& call : calls) {
            sum.first += call.bytes;
            total.ticks += call.ticks;
        }
        sum.second += total.roundedNs();
    }
}

}  // namespace altiscope::generate
