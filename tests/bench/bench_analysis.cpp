// How fast computed results are: a rank of N slices all of which are kernels and collectives for the step breakdown,
// and a rank of N slices as they are recorded (one kernel on twenty slices of the host) for everything that the rules
// need. Usage: bench_analysis [SLICES]   prints one JSON object with milliseconds.
#include "core/analysis/capture_analysis.h"
#include "core/analysis/steps/step_breakdown.h"
#include "core/base/threads/parallel.h"
#include "core/findings/run_rules.h"
#include "core/store/rows/row_builder.h"
#include "core/store/seal/trace_builder.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace altiscope;

namespace {

constexpr std::uint64_t kSegment = 65536;
constexpr std::int64_t kPeriod = 10'000;  // ns between two kernels
constexpr std::uint64_t kSteps = 20;

/// Every `deviceEvery`-th slice is one of the device; of these each 100th is a collective that overlaps some kernels.
void fill(TraceBuilder& builder, std::uint64_t first, std::uint64_t last, std::uint64_t deviceEvery) {
    TraceBuilder::Names names(builder);
    Segment segment;
    for (std::uint64_t i = first; i < last; ++i) {
        const auto place = static_cast<std::int64_t>(i / deviceEvery) * kPeriod;
        const SourcePos pos = SourcePos::make(0, i * 200);
        if (i % deviceEvery != 0) {
            const auto part =
                static_cast<std::int64_t>(i % deviceEvery) * (kPeriod / static_cast<std::int64_t>(deviceEvery));
            const std::string name = i % 7 == 0 ? "Enqueue" : "aten::op_" + std::to_string(i % 5000);
            segment.slices.add(names.thread("1", "1"), place + part, 300, names.text(name), names.text("cpu_op"), pos);
        } else if (i / deviceEvery % 100 == 50) {
            segment.slices.add(names.thread("3", "0"), place, 25'000, names.text("hcom_allReduce__586_0_1"),
                               names.text(""), pos);
        } else {
            segment.slices.add(names.thread("2", "2"), place, 8'000, names.text("kernel_" + std::to_string(i % 2000)),
                               names.text(""), pos);
        }
    }
    builder.commit(SourcePos::make(0, first * 200), std::move(segment));
}

/// The rows of `kernel` for the slices of the device, in order of time.
std::shared_ptr<const RowTables> kernelRows(const TraceStore& trace) {
    constexpr auto K = RowKind::Kernel;
    RowTablesBuilder builder;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (trace.tracks()[t].kind != TrackKind::Hardware) continue;
        const TrackExtent& extent = trace.extent({t});
        RowBatch rows = builder.batch(K);
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            rows.addRow();
            rows.setInteger(fixedColumn(K, "slice_id"), i);
            rows.setInteger(fixedColumn(K, "step"),
                            static_cast<std::int64_t>((i - extent.firstSlice) * kSteps / extent.sliceCount));
            rows.setText(fixedColumn(K, "kind"), "compute");
            rows.setText(fixedColumn(K, "name"), trace.name({i}));
            rows.setText(fixedColumn(K, "type"), "MatMul");
            rows.setText(fixedColumn(K, "accelerator_core"), "AI_CORE");
            rows.setInteger(fixedColumn(K, "ts"), trace.begin({i}).value);
            rows.setInteger(fixedColumn(K, "dur"), trace.duration({i}).value);
        }
        builder.commit(rows);
    }
    return builder.seal({}).value();
}

std::shared_ptr<const CaptureStore> makeCapture(std::uint64_t slices, std::uint64_t deviceEvery) {
    TraceBuilder builder("bench");
    builder.setProcessName("1", "Python", SourcePos::make(0, 1));
    builder.setProcessName("2", "Ascend Hardware", SourcePos::make(0, 2));
    builder.setProcessName("3", "Communication", SourcePos::make(0, 3));
    builder.setThreadName("3", "0", "Group 0 Communication", SourcePos::make(0, 4));
    parallelFor((slices + kSegment - 1) / kSegment, [&](std::size_t s) {
        fill(builder, s * kSegment, std::min<std::uint64_t>(slices, (s + 1) * kSegment), deviceEvery);
    });
    auto capture = std::make_shared<CaptureStore>();
    RankEntry& rank = capture->ranks.emplace_back();
    rank.info.rankId = 0;
    rank.trace = builder.seal({"bench"}, capture->diagnostics, {}).value();
    rank.rows = kernelRows(*rank.trace);
    return capture;
}

/// The least of some runs, in ms.
template <class Work>
double milliseconds(Work work) {
    double min = 1e9;
    for (int run = 0; run < 5; ++run) {
        const auto start = std::chrono::steady_clock::now();
        work();
        min =
            std::min(min, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    return min;
}

}  // namespace

int main(int argc, char** argv) {
    const std::uint64_t slices = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
    WorkerArena arena;
    arena.run([&] {
        double breakdown = 0, rules = 0, rows = 0;
        std::size_t steps = 0, findings = 0;
        {
            const auto capture = makeCapture(slices, 1);
            breakdown =
                milliseconds([&] { steps = computeBreakdown(*readDeviceActivity(capture->ranks[0], {})).size(); });
        }
        constexpr std::uint64_t kHostSlices = 21;
        const auto capture = makeCapture(slices, kHostSlices);
        rules = milliseconds([&] { findings = runRules(*CaptureAnalysis(capture).facts({}), {}).size(); });
        rows = milliseconds([&] { static_cast<void>(CaptureAnalysis(capture).rank({0}, {})); });
        std::printf("{\"slices\": %llu, \"steps\": %zu, \"findings\": %zu, \"breakdown_ms\": %.0f, \"rules_ms\": %.0f, "
                    "\"rows_ms\": %.0f}\n",
                    static_cast<unsigned long long>(slices), steps, findings, breakdown, rules, rows);
    });
    return 0;
}
