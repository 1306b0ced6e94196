#include "core/generate/ranks/capture_truth.h"

#include "core/base/text/json_text.h"
#include "core/base/text/text_buffer.h"
#include "core/generate/options/plant_options.h"
#include "core/generate/records/memory_history.h"
#include "core/generate/records/rank_tracks.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

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

/// @param hasBubble  The run has a pipeline.
Json stepsJson(const std::vector<StepTruth>& steps, bool hasBubble) {
    Json list = Json::array();
    for (const StepTruth& step : steps) {
        list.push_back({{"step", step.step},
                        {"start_ts", step.host.begin.value},
                        {"end_ts", step.host.end.value},
                        {"computing", step.computing.value},
                        {"communication", step.communication.value},
                        {"not_overlapped", step.notOverlapped.value},
                        {"free", step.free.value}});
        if (hasBubble) list.back()["bubble"] = step.bubble.value;
    }
    return list;
}

DurationNs clockOffset(const Run& run, std::uint32_t rank) {
    const std::int64_t begin = run.plan.startOf(rank).value;
    const TimeNs middle{begin + (run.schedule.end(rank).value - begin) / 2};
    return run.plan.identities[rank].clock.job(middle) - middle;
}

Json rankJson(const Run& run, const RankTruth& rank) {
    const RankTracks tracks(run.plan.identities[rank.rank]);
    return {{"rank_id", rank.rank},
            {"clock_offset_ns", clockOffset(run, rank.rank).value},
            {"tracks", tracksJson(tracks, rank.trace)},
            {"flows", rank.trace.flows},
            {"counters", rank.trace.counters},
            {"steps", stepsJson(rank.steps, run.plan.model.pipelineParallel > 1)},
            {"peak_reserved", rank.peakReserved}};
}

/// A file of JSON that is written value by value, one a line.
class JsonLines {
public:
    explicit JsonLines(OutputStream& stream) : m_stream(stream) {}

    void begin(std::string_view text) {
        m_text.add(text);
        m_first = true;
    }
    void value(const Json& json) {
        m_text.add(m_first ? "\n" : ",\n");
        m_first = false;
        m_text.add(dumpJson(json));
        constexpr std::size_t kFlushBytes = std::size_t{1} << 20U;
        if (m_text.size() >= kFlushBytes) flush();
    }
    Result<Done> end(std::string_view text) {
        m_text.add(text);
        flush();
        return m_state.ok() ? m_stream.close() : m_state;
    }

private:
    void flush() {
        if (m_state.ok()) m_state = m_stream.write(m_text.view());
        m_text.clear();
    }

    OutputStream& m_stream;
    TextBuffer m_text;
    bool m_first = true;
    Result<Done> m_state{Done{}};
};

/// What a fault takes of memory: of each step, or once.
std::optional<std::uint64_t> plantedBytes(const Plant& plant) {
    const auto rounded = [&plant](std::uint64_t unit) { return (plant.amount + unit - 1) / unit * unit; };
    switch (plant.kind) {
    case FaultKind::Leak: return rounded(kBlockBytes);
    case FaultKind::Fragmentation: return rounded(kSideHole * kBlockBytes);
    case FaultKind::Oom: return plant.amount;
    default: return std::nullopt;
    }
}

/// What a fault makes a step of its rank longer, at most: the host's time as far as the device waits for it, a
/// collective's as far as nothing hides it.
std::int64_t plantedNs(const Plant& plant, const StepTruth& step, DeviceTime added) {
    switch (plant.kind) {
    case FaultKind::HostBound: return std::min(added.roundedNs(), step.free.value);
    case FaultKind::FailSlow:
        return plant.part == SlowPart::Host ? std::min(added.roundedNs(), step.free.value) : added.roundedNs();
    case FaultKind::SmallPackets: return std::min(added.roundedNs(), step.notOverlapped.value);
    default: return added.roundedNs();
    }
}

void addPlants(const Run& run, std::size_t number, const std::vector<RankTruth>& ranks, JsonLines& out) {
    const Plant& plant = run.plan.conditions.plants[number];
    // These cost memory and no time.
    const std::optional<std::uint64_t> bytes = plantedBytes(plant);
    for (const RankTruth& rank : ranks) {
        for (const StepTruth& step : rank.steps) {
            if (!bytes && step.planted[number].ticks == 0) continue;
            // Holes are there from the first step on, a request fails in the last one.
            if (plant.kind == FaultKind::Fragmentation && &step != &rank.steps.front()) continue;
            if (plant.kind == FaultKind::Oom && &step != &rank.steps.back()) continue;
            Json json{{"fault", faultName(plant.kind)},
                      {"rank", rank.rank},
                      {"step", step.step},
                      {"ns", bytes ? 0 : plantedNs(plant, step, step.planted[number])},
                      {"gain", step.gains[number].value}};
            if (bytes) json["bytes"] = *bytes;
            if (plant.kind == FaultKind::FailSlow) json["cause"] = slowPartName(plant.part);
            out.value(json);
        }
    }
}

}  // namespace

Result<Done> writeTruth(const GenerateOptions& options, const Run& run, const std::vector<RankTruth>& ranks,
                        OutputTarget& target) {
    const Result<std::unique_ptr<OutputStream>> stream = target.open("truth.json");
    if (!stream.ok()) return stream.as<Done>();
    JsonLines out(*stream.value());
    out.begin("{\"schema\":1,\n\"args\":" + dumpJson(Json(options.words)) + ",\n\"ranks\":[");
    for (const RankTruth& rank : ranks) out.value(rankJson(run, rank));
    out.begin("],\n\"links\":[");
    for (const RankTruth& rank : ranks) {
        for (const auto& [ends, sum] : rank.links)
            out.value({{"src", ends.first}, {"dst", ends.second}, {"size", sum.first}, {"transit", sum.second}});
    }
    out.begin("],\n\"plants\":[");
    for (std::size_t i = 0; i < run.plan.conditions.plants.size(); ++i) addPlants(run, i, ranks, out);
    return out.end("]}\n");
}

TruthCollector::TruthCollector(const Run& run, std::uint32_t rank, RankTruth& truth)
    : m_run(run), m_truth(truth), m_steps(rank) {
    truth.rank = rank;
}

std::optional<StepCommunication> TruthCollector::add(const UnitRecord& record, StepCommunication&& communication) {
    m_steps.add(m_run, record);
    for (const MemoryRow& row : record.memory) {
        if (row.pool != MemoryPool::Framework) continue;
        m_truth.peakReserved = std::max(m_truth.peakReserved, row.reserved * kBlockBytes);
    }
    m_step.add(std::move(communication));
    if (record.stepRange.end.value == 0) return std::nullopt;
    addLinks();
    return std::exchange(m_step, {});
}

/// Rounded as they are printed.
void TruthCollector::addLinks() {
    for (const auto& [key, calls] : m_step.links) {
        const PlannedGroup& group = m_run.plan.groups[key.group];
        DeviceTime total;
        auto& sum = m_truth.links[{group.members[key.source], group.members[key.target]}];
        for (const LinkTransfer& call : calls) {
            sum.first += call.bytes;
            total.ticks += call.ticks;
        }
        sum.second += total.roundedNs();
    }
}

}  // namespace altiscope::generate
