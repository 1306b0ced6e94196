#include "core/import/mindspore/legacy_clock.h"

#include "tests/core/import/row_dump.h"
#include "tests/support/capture_dump.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

// ns since the system's start: the first AI CPU operator, long before any kernel
constexpr std::int64_t kStart = 154'901'853'050'000;

struct LegacyKernel {
    std::string name;
    std::int64_t ts, dur;
};

/// A run of MindSpore up to 2.3 as its writer makes it: the timeline counts from the first event that it shows.
struct LegacyRun {
    std::vector<LegacyKernel> kernels, aiCpu, intervals;
    std::vector<std::pair<std::int64_t, std::int64_t>> steps;

    explicit LegacyRun(unsigned seed = 1) {
        std::mt19937 random(seed);
        const auto jitter = [&random](std::int64_t most) {
            return static_cast<std::int64_t>(random() % static_cast<unsigned>(most)) * 10;
        };
        aiCpu.push_back({"InitData", kStart, 160'000});
        std::int64_t now = kStart + 6'042'139'000 + static_cast<std::int64_t>(seed) * 7'000'000;
        for (int step = 0; step < 5; ++step) {
            aiCpu.push_back({"GetNext", now, 518'000});
            now += 770'560;
            const std::int64_t begin = now;
            for (int i = 0; i < 40; ++i) {
                const std::int64_t dur = 1'000 + jitter(400);
                kernels.push_back({"Default/network/Mul-op" + std::to_string(i % 25), now, dur});
                now += dur + 200 + jitter(300);
            }
            intervals.push_back({"stream_520_parallel_0", begin + 5'000, now - begin - 9'000});
            steps.emplace_back(begin, now);
            now += 2'000'000 / 1000 * 1000;
            now -= now % 1000;
        }
    }

    static std::string decimal(std::int64_t ns, int digits) {
        char text[64];
        std::int64_t power = 1;
        for (int i = 0; i < digits; ++i) power *= 10;
        std::snprintf(text, sizeof text, "%lld.%0*lld", static_cast<long long>(ns / power), digits,
                      static_cast<long long>(ns % power));
        return text;
    }
    std::string kernelList(std::size_t from = 0) const {
        std::string text = "op_name, stream_id, start_time(ms), duration(ms)\n";
        for (std::size_t i = from; i < kernels.size(); ++i)
            text += kernels[i].name + ",519," + decimal(kernels[i].ts / 10, 5) + ',' + decimal(kernels[i].dur / 10, 5) +
                    '\n';
        return text;
    }
    std::string aiCpuList() const {
        std::string text = "serial_number,kernel_type,total_time,dispatch_time,execution_time,run_start,run_end\n";
        for (const auto& one : aiCpu)
            text += "1," + one.name + ",7.9,0.1,0.2," + std::to_string(one.ts / 1000) + ',' +
                    std::to_string((one.ts + one.dur) / 1000) + '\n';
        return text;
    }
    std::string aiCpuText() const {
        std::string text = "serial_number node_type_name total_time(ms) dispatch_time(ms) run_start run_end\n";
        for (const auto& one : aiCpu)
            text += "1 " + one.name + " 7.9 0.1 " + std::to_string(one.ts / 1000) + ' ' +
                    std::to_string((one.ts + one.dur) / 1000) + '\n';
        return text + "AI CPU Total Time(ms): 9.694000\n";
    }
    std::string stepList() const {
        std::string text = "step_num,start_point,end_point,total,fp_point,bp_point,stream_520_parallel_0_start_point,"
                           "stream_520_parallel_0_end_point,stream_520_parallel_0\n";
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const auto tick = [](std::int64_t ns) { return std::to_string(ns / 10); };
            text += std::to_string(i + 1) + ',' + tick(steps[i].first) + ',' + tick(steps[i].second) + ",0," +
                    tick(steps[i].first) + ",0," + tick(intervals[i].ts) + ',' +
                    tick(intervals[i].ts + intervals[i].dur) + ",0\n";
        }
        return text + "0,0,0,0,0,0,0,0,0\n";
    }
    /// @param from  The first kernel that it shows; what comes before is not there.
    std::string timeline(std::int64_t origin, std::size_t from = 0, bool hasIntervals = true) const {
        std::string text = "[";
        const auto add = [&](const std::string& name, std::int64_t ts, std::int64_t dur, int pid) {
            if (ts < origin) return;
            char line[256];
            // Float noise as those writers leave it.
            std::snprintf(line, sizeof line,
                          "%s{\"name\":\"%s\",\"ph\":\"X\",\"tid\":\"519\",\"ts\":%.10f,\"dur\":%.6f,\"pid\":%d}",
                          text.size() > 1 ? "," : "", name.c_str(), static_cast<double>(ts - origin) / 1000 + 5e-6,
                          static_cast<double>(dur) / 1000, pid);
            text += line;
        };
        for (const auto& one : aiCpu) add(one.name, one.ts, one.dur, 9000);
        for (std::size_t i = from; i < kernels.size(); ++i)
            add(kernels[i].name.substr(kernels[i].name.rfind('/') + 1), kernels[i].ts, kernels[i].dur, 1);
        for (const auto& one : intervals) {
            if (hasIntervals) add(one.name, one.ts, one.dur, 10000);
        }
        return text + ']';
    }
};

struct Imported {
    std::size_t kernels = 0, withTime = 0, withSlice = 0, wrongTime = 0;
    std::vector<Step> steps;
    std::string diagnostics;
    CaptureStore::State state = CaptureStore::State::Failed;
};

Imported importOf(const std::filesystem::path& folder) {
    Imported result;
    const auto capture = importForTest(folder);
    if (!capture.ok()) return result;
    const RankEntry& rank = capture.value()->ranks.at(0);
    constexpr auto K = RowKind::Kernel;
    const RowTable* kernels = rank.rows ? rank.rows->find(K) : nullptr;
    for (std::size_t row = 0; kernels != nullptr && row < kernels->size(); ++row) {
        ++result.kernels;
        result.withTime += kernels->integer(fixedColumn(K, "ts"), row) ? 1 : 0;
        const auto slice = kernels->integer(fixedColumn(K, "slice_id"), row);
        if (!slice) continue;
        ++result.withSlice;
        const SliceIndex index{static_cast<std::uint32_t>(*slice)};
        const bool isNear =
            std::abs(rank.trace->begin(index).value - *kernels->integer(fixedColumn(K, "ts"), row)) <= 501;
        const bool isNamed =
            rank.rows->text(*kernels->text(fixedColumn(K, "name"), row)).ends_with(rank.trace->name(index));
        result.wrongTime += isNear && isNamed ? 0 : 1;
    }
    result.steps = rank.steps;
    result.diagnostics = dumpDiagnostics(capture.value()->diagnostics);
    result.state = capture.value()->state;
    return result;
}

/// Steps lie where the run has them, counted from the timeline's origin.
bool areSteps(const std::vector<Step>& steps, const LegacyRun& run, std::int64_t origin, std::int64_t tolerance) {
    if (steps.size() != run.steps.size()) return false;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!steps[i].range) return false;
        const std::int64_t begin = steps[i].range->begin.value - (run.steps[i].first - origin),
                           end = steps[i].range->end.value - (run.steps[i].second - origin);
        if (std::abs(begin) > tolerance || std::abs(end) > tolerance) return false;
    }
    return true;
}

/// Without notes on events that lie far from the others: those of AI CPU do here.
QString shownText(const std::string& text) {
    QString shown;
    for (const QString& line : QString::fromStdString(text).split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        if (!line.startsWith(QLatin1String("info far_event "))) shown += line + QLatin1Char('\n');
    }
    return shown;
}

}  // namespace

/// The clock of timelines of MindSpore up to 2.3.
class TestLegacyClock : public QObject {
    Q_OBJECT
private slots:
    /// Steps were told 6 s too early and no kernel had a slice, because the timeline began with an AI CPU operator, not
    /// with a kernel.
    void timelineThatBeginsBeforeTheFirstKernel() {
        const LegacyRun run;
        const TestFolder folder;
        folder.write("p/ascend_timeline_display_1.json", run.timeline(kStart));
        folder.write("p/output_timeline_data_1.txt", run.kernelList());
        folder.write("p/aicpu_intermediate_1.csv", run.aiCpuList());
        folder.write("p/step_trace_raw_1_detail_time.csv", run.stepList());
        const Imported all = importOf(folder.path());
        QCOMPARE(shownText(all.diagnostics), QString());
        QCOMPARE(all.kernels, run.kernels.size() + run.aiCpu.size());
        QCOMPARE(all.withSlice, all.kernels);
        QCOMPARE(all.wrongTime, std::size_t{0});
        QVERIFY(areSteps(all.steps, run, kStart, 0));
    }

    void filesThatLackAPart_data() {
        QTest::addColumn<QString>("kernels");
        QTest::addColumn<QString>("aiCpu");
        QTest::addColumn<QString>("timeline");
        QTest::addColumn<QString>("counter");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("found");
        QTest::addColumn<int>("tolerance");
        QTest::addColumn<qlonglong>("origin");
        QTest::addColumn<QString>("diagnostics");
        const LegacyRun run;
        const auto q = [](const std::string& text) { return QString::fromStdString(text); };
        const QString kernels = q(run.kernelList()), aiCpu = q(run.aiCpuList()), timeline = q(run.timeline(kStart));
        const int all = static_cast<int>(run.kernels.size()), ai = static_cast<int>(run.aiCpu.size());
        const auto row = [&](const char* name, const QString& k, const QString& a, const QString& t, const QString& c,
                             int rows, int found, int tolerance, std::int64_t origin, const QString& said) {
            QTest::addRow("%s", name) << k << a << t << c << rows << found << tolerance
                                      << static_cast<qlonglong>(origin) << said;
        };
        row("the first kernels are not listed", q(run.kernelList(17)), aiCpu, timeline, {}, all - 17 + ai,
            all - 17 + ai, 0, kStart, {});
        row("the first kernels are not on the timeline", kernels, aiCpu, q(run.timeline(kStart, 17)), {}, all + ai,
            all - 17 + ai, 0, kStart, QStringLiteral("info legacy.no_slice p/output_timeline_data_1.txt x17 row 2\n"));
        row("the timeline begins in the middle", kernels, aiCpu, q(run.timeline(run.kernels[90].ts, 90)), {}, all + ai,
            all - 90 + ai - 4, 0, run.kernels[90].ts,
            QStringLiteral("info legacy.no_slice p/aicpu_intermediate_1.csv x4 row 2\ninfo legacy.no_slice "
                           "p/output_timeline_data_1.txt x90 row 2\n"
                           "info legacy.no_slice p/step_trace_raw_1_detail_time.csv x3 row 2\n"));
        row("the timeline counts from somewhere else", kernels, aiCpu, q(run.timeline(kStart - 123'456'780)), {},
            all + ai, all + ai, 0, kStart - 123'456'780, {});
        row("the timeline has the clock of the files", kernels, aiCpu, q(run.timeline(0)), {}, all + ai, all + ai, 0, 0,
            {});
        row("kernels alone", kernels, {}, q(run.timeline(kStart, 0, false)), {}, all, all, 0, kStart,
            QStringLiteral("info legacy.no_slice p/step_trace_raw_1_detail_time.csv x5 row 2\n"));
        row("AI CPU operators alone, in whole us", {}, aiCpu, q(run.timeline(kStart, 0, false)), {}, ai, ai, 501,
            kStart, QStringLiteral("info legacy.no_slice p/step_trace_raw_1_detail_time.csv x5 row 2\n"));
        row("intervals of the steps alone", {}, {}, timeline, {}, 0, 0, 0, kStart, {});
        row("a stated origin alone", {}, {}, q(run.timeline(kStart, 0, false)), QStringLiteral("15490185305000.0\n"), 0,
            0, 0, kStart, {});
    }
    void filesThatLackAPart() {
        QFETCH(QString, kernels);
        QFETCH(QString, aiCpu);
        QFETCH(QString, timeline);
        QFETCH(QString, counter);
        QFETCH(qlonglong, origin);
        const LegacyRun run;
        const TestFolder folder;
        const auto write = [&](const std::string& name, const QString& content) {
            if (!content.isEmpty()) folder.write("p/" + name, content.toStdString());
        };
        write("timeline_display_1.json", timeline);
        write("output_timeline_data_1.txt", kernels);
        write("aicpu_intermediate_1.csv", aiCpu);
        write("min_cycle_counter_1.txt", counter);
        folder.write("p/step_trace_raw_1_detail_time.csv", run.stepList());
        const Imported all = importOf(folder.path());
        QTEST(shownText(all.diagnostics), "diagnostics");
        QTEST(static_cast<int>(all.kernels), "rows");
        QTEST(static_cast<int>(all.withSlice), "found");
        QCOMPARE(all.wrongTime, std::size_t{0});
        QFETCH(int, tolerance);
        QVERIFY(areSteps(all.steps, run, origin, tolerance));
    }

    /// Without anything in common steps have no times, and that is said.
    void nothingTellsTheClock() {
        const LegacyRun run;
        const TestFolder folder;
        folder.write("p/timeline_display_1.json", run.timeline(kStart, 0, false));
        folder.write("p/step_trace_raw_1_detail_time.csv", run.stepList().substr(0, run.stepList().find(",stream")) +
                                                               '\n' + "1,15490789606875,15490791977780,1,0,0\n");
        const Imported all = importOf(folder.path());
        QCOMPARE(shownText(all.diagnostics),
                 QStringLiteral("info legacy.clock_unknown p/step_trace_raw_1_detail_time.csv x1\n"));
        QCOMPARE(all.steps.size(), std::size_t{1});
        QVERIFY(!all.steps[0].range);
    }

    /// Kernels of another run of the same network are not put on slices that are not theirs.
    void kernelsOfAnotherRun() {
        const LegacyRun run(1), other(2);
        const TestFolder folder;
        folder.write("p/timeline_display_1.json", run.timeline(kStart, 0, false));
        folder.write("p/output_timeline_data_1.txt", other.kernelList());
        const Imported all = importOf(folder.path());
        QCOMPARE(shownText(all.diagnostics),
                 QStringLiteral("lost legacy.clock_differs p/output_timeline_data_1.txt x200 row 2\n"));
        QCOMPARE(all.kernels, other.kernels.size());
        QCOMPARE(all.withSlice, std::size_t{0});
        QCOMPARE(all.state, CaptureStore::State::Partial);
    }

    /// Steps and AI CPU operators that agree with the timeline do not make kernels of another recording agree too.
    void kernelsAloneAreOfAnotherRun() {
        LegacyRun run;
        const std::int64_t first = run.steps.front().first / 1000 * 1000;
        for (int i = 0; i < 400; ++i) run.aiCpu.push_back({"PrintRow", first + i * 17'000, 5'000});
        LegacyRun other = run;
        // Still within the timeline, and on no kernel of its name.
        for (LegacyKernel& kernel : other.kernels) kernel.ts += 777'770;
        const TestFolder folder;
        folder.write("p/timeline_display_1.json", run.timeline(kStart));
        folder.write("p/output_timeline_data_1.txt", other.kernelList());
        folder.write("p/aicpu_intermediate_1.csv", run.aiCpuList());
        folder.write("p/step_trace_raw_1_detail_time.csv", run.stepList());
        const Imported all = importOf(folder.path());
        QCOMPARE(shownText(all.diagnostics),
                 QStringLiteral("lost legacy.clock_differs p/output_timeline_data_1.txt x200 row 2\n"));
        QCOMPARE(all.kernels, run.kernels.size() + run.aiCpu.size());
        QCOMPARE(all.withSlice, run.aiCpu.size());
        QCOMPARE(all.withTime, run.aiCpu.size());
        QCOMPARE(all.wrongTime, std::size_t{0});
        QVERIFY(areSteps(all.steps, run, kStart, 0));
    }

    /// Steps of another recording have no place on a clock that the kernels tell.
    void stepsAloneAreOfAnotherRun() {
        const LegacyRun run;
        LegacyRun other = run;
        for (auto& [begin, end] : other.steps) begin += 1'000'000'000'000, end += 1'000'000'000'000;
        for (LegacyKernel& interval : other.intervals) interval.ts += 1'000'000'000'000;
        const TestFolder folder;
        folder.write("p/timeline_display_1.json", run.timeline(kStart));
        folder.write("p/output_timeline_data_1.txt", run.kernelList());
        folder.write("p/step_trace_raw_1_detail_time.csv", other.stepList());
        const Imported all = importOf(folder.path());
        QCOMPARE(shownText(all.diagnostics),
                 QStringLiteral("info legacy.no_slice p/step_trace_raw_1_detail_time.csv x5 row 2\n"
                                "lost legacy.steps_elsewhere p/step_trace_raw_1_detail_time.csv x5\n"));
        QCOMPARE(all.withSlice, run.kernels.size());
        QCOMPARE(all.state, CaptureStore::State::Partial);
        QCOMPARE(all.steps.size(), std::size_t{5});
        for (const Step& step : all.steps) QVERIFY(!step.range);
    }

    /// A clock agrees where more than half of what lies within the timeline is on a slice.
    void halfOfTheEventsAreNoAgreement() {
        std::string text = "p1/t1:";
        std::vector<std::int64_t> begins;
        for (std::int64_t i = 0; i < 10; ++i) {
            begins.push_back(i * 10'000 + i * i * 370);
            text += " A[" + std::to_string(begins.back()) + ',' + std::to_string(begins.back() + 100) + ')';
        }
        const auto trace = traceFromText(text);
        const reader::LegacySlices slices(*trace);
        for (const auto& [right, fit] :
             {std::pair(6, reader::LegacyClock::Fit::Agrees), {5, reader::LegacyClock::Fit::Differs}}) {
            reader::LegacyEvents events{.file = "kernels", .isKernels = true, .tolerance = 10, .events = {}};
            for (int i = 0; i < 10; ++i) {
                // Those that are not right are off by times of their own.
                const std::int64_t off = i < right ? 0 : -(1'777 + i * 131);
                events.events.push_back(
                    {"A", kStart + begins[static_cast<std::size_t>(i)] + off, 100, static_cast<std::uint64_t>(i) + 2});
            }
            const reader::LegacyClock clock = reader::legacyClock({events}, {}, slices);
            QCOMPARE(static_cast<int>(clock.fit), static_cast<int>(fit));
            if (fit == reader::LegacyClock::Fit::Agrees) QCOMPARE(clock.origin, kStart);
        }
    }

    /// The text table of AI CPU operators is read where the CSV file is not there; with both it is the same once.
    void aiCpuOperatorsAreKernels() {
        const LegacyRun run;
        for (const bool hasBoth : {false, true}) {
            const TestFolder folder;
            folder.write("p/timeline_display_1.json", run.timeline(kStart));
            folder.write("p/output_data_preprocess_aicpu_1.txt", run.aiCpuText());
            if (hasBoth) folder.write("p/aicpu_intermediate_1.csv", run.aiCpuList());
            const auto capture = importForTest(folder.path());
            const std::string rows = dumpTables(*capture.value());
            QCOMPARE(std::count(rows.begin(), rows.end(), '\n'), static_cast<std::ptrdiff_t>(run.aiCpu.size()));
            QVERIFY2(rows.starts_with("1 kernel 200|-|compute|InitData|InitData|AI_CPU|-|0|160000|"), rows.c_str());
        }
        const TestFolder folder;
        folder.write("p/timeline_display_1.json", run.timeline(kStart));
        folder.write("p/aicpu_intermediate_1.csv", "serial_number,kernel_type,run_start,run_end\n1,A,5,4\n2,B,5,6\n");
        QCOMPARE(shownText(dumpDiagnostics(importForTest(folder.path()).value()->diagnostics)),
                 QStringLiteral("lost table.broken p/aicpu_intermediate_1.csv x1 row 2\n"));
    }

    /// What flops_{rank}.txt tells of kernels stands beside them.
    void flopsAreMetricsOfKernels() {
        const LegacyRun run;
        const TestFolder folder;
        folder.write("p/output_timeline_data_1.txt", run.kernelList());
        folder.write("p/flops_1.txt", "full_kernel_name, FLOPs, FLOPS, FLOPS utilization\nDefault/network/Mul-op0, "
                                      "12.5, 3, 0.25\nDefault/network/Mul-op1, x, 3, 1\n");
        const auto capture = importForTest(folder.path());
        QCOMPARE(shownText(dumpDiagnostics(capture.value()->diagnostics)),
                 QStringLiteral("lost table.broken p/flops_1.txt x1 row 3\n"));
        const RowTable& kernels = *capture.value()->ranks.at(0).rows->find(RowKind::Kernel);
        QCOMPARE(kernels.extras(), (std::vector<std::string>{"FLOPs", "FLOPS", "FLOPS utilization"}));
        const std::size_t first = rowColumns(RowKind::Kernel).size();
        QCOMPARE(kernels.presentCount(first), std::size_t{10});
        QCOMPARE(kernels.real(first, 25), std::optional(12.5));
        QCOMPARE(kernels.real(first + 2, 0), std::optional(0.25));
        QVERIFY(!kernels.real(first, 1));
    }

    /// A real run, and copies of it that lack parts: every kernel that both files have is on its slice.
    void realRun() {
        const auto path = sharedData("mindspore_legacy/run_1/profiler");
        if (!path) QSKIP(kNoSharedData);
        const auto text = [&](const char* name) {
            std::ifstream file(*path / name, std::ios::binary);
            return std::string(std::istreambuf_iterator<char>(file), {});
        };
        const std::string kernels = text("output_timeline_data_1.txt"),
                          steps = text("step_trace_raw_1_detail_time.csv"), timeline = text("timeline_display_1.json");
        const Imported whole = importOf(*path);
        QCOMPARE(whole.kernels, std::size_t{2817});
        QCOMPARE(whole.withSlice, whole.kernels);
        QVERIFY(!whole.steps.empty() && whole.steps.front().range);
        // 300 kernels less in the list.
        std::istringstream lines(kernels);
        std::string cut, line;
        for (int i = 0; std::getline(lines, line); ++i) cut += i == 0 || i > 300 ? line + '\n' : std::string();
        // The timeline from some later time on.
        const std::size_t middle = timeline.find("{\"name\"", timeline.size() / 3);
        for (const auto& [name, list, shown, expected] :
             {std::tuple("cut list", cut, timeline, std::size_t{2517}),
              {"cut timeline", kernels, '[' + timeline.substr(middle), std::size_t{0}}}) {
            const TestFolder folder;
            folder.write("profiler/output_timeline_data_1.txt", list);
            folder.write("profiler/step_trace_raw_1_detail_time.csv", steps);
            folder.write("profiler/timeline_display_1.json", shown);
            const Imported part = importOf(folder.path());
            QVERIFY2(expected == 0 ? part.withSlice > 1000 : part.withSlice == expected, name);
            QCOMPARE(part.wrongTime, std::size_t{0});
            QCOMPARE(part.steps.size(), whole.steps.size());
            for (std::size_t i = 0; i < part.steps.size(); ++i)
                QCOMPARE(part.steps[i].range->begin.value, whole.steps[i].range->begin.value);
        }
    }
};

ALTI_TEST(TestLegacyClock)
#include "tst_legacy_clock.moc"
