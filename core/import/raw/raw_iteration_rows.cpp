#include "core/import/raw/raw_iteration_rows.h"

#include "core/base/text/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace altiscope::reader {

namespace {

using IterationJson = nlohmann::ordered_json;

/// Numbers of slices within their kind: an iteration has three.
constexpr std::uint64_t kFirstIterationNumber = std::uint64_t{1} << 33,
                        kFirstReductionNumber = kFirstIterationNumber + (std::uint64_t{1} << 32),
                        kFirstFetchNumber = kFirstReductionNumber + (std::uint64_t{1} << 31), kPartsOfIteration = 3;

std::string iterationTimeOf(std::int64_t ns) {
    static constexpr std::int64_t kNsOfUs = 1000;
    const std::string rest = std::to_string(ns % kNsOfUs);
    return std::to_string(ns / kNsOfUs) + '.' + std::string(3 - rest.size(), '0') + rest;
}

double lengthOf(std::int64_t ns) { return static_cast<double>(ns) / 1000; }

IterationJson iterationArguments(const IterationRecord& one, std::uint64_t part) {
    const auto time = [](std::int64_t ns) { return ns == 0 ? std::string("N/A") : iterationTimeOf(ns); };
    IterationJson object;
    object["Iteration ID"] = one.index;
    if (part != 2) object["FP Start"] = time(one.forward);
    object["BP End"] = time(one.backward);
    if (part != 1) object["Iteration End"] = iterationTimeOf(one.end);
    if (part == 0) object["Iteration Time(us)"] = lengthOf(one.length);
    else if (part == 1) object["FP_BP Time(us)"] = lengthOf(one.passes);
    else object["Iteration Refresh(us)"] = lengthOf(one.refresh);
    return object;
}

}  // namespace

void numberReductions(std::vector<DeviceSamples*> devices) {
    std::stable_sort(devices.begin(), devices.end(), [](const DeviceSamples* a, const DeviceSamples* b) {
        return std::to_string(a->device) < std::to_string(b->device);
    });
    std::uint64_t next = 0;
    for (DeviceSamples* device : devices) {
        device->firstReduction = next;
        next += device->hasEqualReductions ? 0 : device->reductions.size();
    }
}

void addRawIterationRows(const DeviceSamples& samples, unsigned kind, RawSink& sink, Segment& segment) {
    const auto trackOf = [&](std::uint32_t model) {
        return sink.tracks.thread(DbLayer::Hardware, samples.device, iterationThread(model),
                                  [model] { return "Step Trace(Model ID:" + std::to_string(model) + ')'; });
    };
    const auto add = [&](std::uint32_t model, std::int64_t begin, std::int64_t length, const std::string& name,
                         std::string_view category, std::uint64_t number) {
        segment.slices.add(trackOf(model), begin, length, sink.names.text(name), sink.names.text(category),
                           rawPosition(sink.file.number, kind, number));
    };
    for (std::size_t i = 0; i < samples.iterations.size(); ++i) {
        const IterationRecord& one = samples.iterations[i];
        const std::string index = std::to_string(one.index);
        const std::uint64_t number = kFirstIterationNumber + kPartsOfIteration * i;
        add(one.model, one.begin(), one.length, "Iteration " + index, "Iteration Time", number);
        if (!one.hasPasses()) continue;
        add(one.model, one.forward, one.passes, "FP_BP Time " + index, "FP_BP Time", number + 1);
        add(one.model, one.backward, one.refresh, "Iteration Refresh " + index, "Iteration Refresh", number + 2);
    }
    for (std::size_t i = 0; i < samples.reductions.size(); ++i) {
        const ReductionRecord& one = samples.reductions[i];
        const std::string name =
            "Reduce_" + std::to_string(one.index) + '_' + std::to_string(samples.firstReduction + i);
        add(one.model, one.begin, one.end - one.begin, name, "Reduce", kFirstReductionNumber + i);
    }
    for (std::size_t i = 0; i < samples.dataFetches.size(); ++i) {
        const DataFetchRecord& one = samples.dataFetches[i];
        add(one.model, one.begin, one.end - one.begin, "GetNext", "GetNext Time", kFirstFetchNumber + i);
    }
}

std::string rawIterationArguments(const DeviceSamples& samples, std::uint64_t number) {
    IterationJson object = IterationJson::object();
    if (number >= kFirstFetchNumber) {
        const std::uint64_t place = number - kFirstFetchNumber;
        if (place >= samples.dataFetches.size()) return "{}";
        const DataFetchRecord& one = samples.dataFetches[place];
        object["GetNext Start"] = iterationTimeOf(one.begin);
        object["GetNext End"] = iterationTimeOf(one.end);
        object["GetNext Time(us)"] = lengthOf(one.end - one.begin);
    } else if (number >= kFirstReductionNumber) {
        const std::uint64_t place = number - kFirstReductionNumber;
        if (place >= samples.reductions.size()) return "{}";
        const ReductionRecord& one = samples.reductions[place];
        const std::string count = std::to_string(samples.firstReduction + place);
        object["Iteration ID"] = one.index;
        object["Reduce Start " + count] = std::to_string(one.begin);
        object["Reduce End " + count] = std::to_string(one.end);
    } else if (number >= kFirstIterationNumber) {
        const std::uint64_t place = number - kFirstIterationNumber;
        if (place / kPartsOfIteration >= samples.iterations.size()) return "{}";
        object = iterationArguments(samples.iterations[place / kPartsOfIteration], place % kPartsOfIteration);
    }
    return dumpJson(object);
}

}  // namespace altiscope::reader
