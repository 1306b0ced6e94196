#pragma once

#include "core/store/capture_store.h"
#include "core/store/rows/row_builder.h"
#include "core/store/seal/trace_builder.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

namespace altiscope::test {

/// The events of a rank from text that a reader can see, one line per track, process and thread by name:
///     "Ascend Hardware/Stream 1: MatMul[0,100) EVENT_WAIT[100,120)"
///     "Communication:NPU 1/Group 0 Communication: hcom_allReduce__586_0_1[0,100)"    a process of its own by its label
///     "Python/Thread 7: forward|python_function[0,100)"    with a category; threads of equal numbers are one in all
///     processes "flow HostToDevice CANN/Thread 7@10 -> Ascend Hardware/Stream 2@40"    both points of a flow, behind
///     its tracks
///     "counter AI Core Freq/AI Core Freq: MHz@0=1800 MHz@100=900"    samples of a counter
/// Times are ns.
inline std::shared_ptr<const TraceStore> rankTrace(std::string_view text) {
    TraceBuilder builder("test");
    TraceBuilder::Names names(builder);
    Segment segment;
    std::uint64_t offset = 0;
    std::map<std::string, std::string> pids;
    std::map<std::string, std::uint64_t> counts;
    std::map<std::string, decltype(names.thread("", ""))> tracks;
    const auto flowPoint = [&](const std::string& place, FlowPoint point, const std::string& category,
                               const FlowKey& key) {
        const std::size_t at = place.find('@');
        segment.flows.push_back({tracks.at(place.substr(0, at)), point, names.text(category),
                                 std::stoll(place.substr(at + 1)), key, SourcePos::make(0, ++offset)});
    };
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("flow ")) {
            const std::size_t category = line.find(' ', 5), arrow = line.find(" -> ");
            const FlowKey key = makeFlowKey(std::to_string(offset));
            flowPoint(line.substr(category + 1, arrow - category - 1), FlowPoint::Start, line.substr(5, category - 5),
                      key);
            flowPoint(line.substr(arrow + 4), FlowPoint::Finish, line.substr(5, category - 5), key);
            continue;
        }
        if (line.starts_with("counter ")) {
            const std::size_t slash = line.find('/'), colon = line.find(": ");
            const std::string process = line.substr(8, slash - 8);
            std::string& pid = pids[process];
            if (pid.empty()) pid = std::to_string(pids.size());
            builder.setProcessName(pid, process, SourcePos::make(0, offset));
            const auto track = names.counter(pid, line.substr(slash + 1, colon - slash - 1));
            std::istringstream items{line.substr(colon + 2)};
            for (std::string item; items >> item;) {
                const std::size_t at = item.find('@'), equals = item.find('=');
                segment.samples.push_back({track, names.text(item.substr(0, at)), std::stoll(item.substr(at + 1)),
                                           std::stod(item.substr(equals + 1)), SourcePos::make(0, ++offset)});
            }
            continue;
        }
        // By hand: expressions of the standard library nest as deep as the line is long.
        const std::size_t slash = line.find('/'), colon = line.find(": ");
        if (slash == std::string::npos || colon == std::string::npos || colon < slash)
            std::abort();  // a test's text that says nothing
        const std::string whole = line.substr(0, slash), thread = line.substr(slash + 1, colon - slash - 1);
        std::string& pid = pids[whole];
        if (pid.empty()) pid = std::to_string(pids.size());
        const std::string tid = thread.starts_with("Thread ") ? thread.substr(7) : std::to_string(counts[pid]++),
                          process = whole.substr(0, whole.find(':'));
        builder.setProcessName(pid, process, SourcePos::make(0, offset));
        if (process != whole)
            builder.setProcessLabels(pid, whole.substr(process.size() + 1), SourcePos::make(0, offset));
        builder.setThreadName(pid, tid, thread, SourcePos::make(0, offset));
        const auto track = names.thread(pid, tid);
        tracks.emplace(line.substr(0, colon), track);
        std::istringstream items{line.substr(colon + 2)};
        for (std::string item; items >> item;) {
            const std::size_t open = item.find('['), comma = item.find(',', open);
            if (comma == std::string::npos) std::abort();
            const std::int64_t begin = std::stoll(item.substr(open + 1)), end = std::stoll(item.substr(comma + 1));
            const std::size_t bar = std::min(item.find('|'), open);
            segment.slices.add(track, begin, end - begin, names.text(item.substr(0, bar)),
                               names.text(bar < open ? item.substr(bar + 1, open - bar - 1) : ""),
                               SourcePos::make(0, ++offset));
        }
    }
    builder.commit(SourcePos::make(0, 0), std::move(segment));
    Diagnostics diagnostics;
    return builder.seal("test", diagnostics, {}).value();
}

/// A row of texts and numbers by the names of columns: {{"name", "MatMul"}, {"dur", "100"}}; what reads as a number is
/// one.
using RowText = std::vector<std::pair<std::string, std::string>>;

inline void addRow(RowTablesBuilder& builder, RowKind kind, const RowText& cells) {
    RowBatch batch = builder.batch(kind);
    batch.addRow();
    for (const auto& [column, value] : cells) {
        const std::size_t place = rowColumn(kind, column);
        if (rowColumns(kind)[place].cell == RowCell::Text) batch.setText(place, value);
        else batch.setInteger(place, std::stoll(value));
    }
    builder.commit(batch);
}

/// Tables of one kind from rows.
inline std::shared_ptr<const RowTables> rowsOf(RowKind kind, const std::vector<RowText>& rows) {
    RowTablesBuilder builder;
    for (const RowText& row : rows) addRow(builder, kind, row);
    return builder.seal({}).value();
}

/// A row of `kernel` for each slice on the tracks of the device, in the order of the store; all of one step.
inline void addKernelRows(RowTablesBuilder& builder, const TraceStore& trace, std::int64_t step) {
    for (std::uint32_t i = 0; i < trace.sliceCount(); ++i) {
        if (trace.track({trace.runOf({i}).track}).kind != TrackKind::Hardware) continue;
        addRow(builder, RowKind::Kernel,
               {{"slice_id", std::to_string(i)},
                {"step", std::to_string(step)},
                {"kind", "compute"},
                {"name", std::string(trace.name({i}))},
                {"type", std::string(trace.name({i}))},
                {"accelerator_core", "AI_CORE"},
                {"ts", std::to_string(trace.begin({i}).value)},
                {"dur", std::to_string(trace.duration({i}).value)}});
    }
}

}  // namespace altiscope::test
