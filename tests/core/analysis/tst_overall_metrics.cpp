#include "core/analysis/kernels/overall_metrics.h"
#include "core/analysis/steps/step_breakdown.h"
#include "core/base/threads/parallel.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>

using namespace altiscope;
using namespace altiscope::test;

namespace {

struct MadeTask {
    std::string name;
    std::int64_t begin = 0, end = 0;
    std::int64_t waitEnd = 0;  ///< Of a collective: it waits from its begin to here.
    std::size_t track = 0;
};

std::vector<MadeTask> madeTasks(std::mt19937& random, std::size_t track, const std::vector<std::string>& names,
                                std::int64_t length) {
    std::vector<MadeTask> tasks;
    for (std::int64_t at = static_cast<std::int64_t>(random() % 9); at < length;) {
        const std::int64_t end = at + 1 + static_cast<std::int64_t>(random() % 15);
        tasks.push_back({names[random() % names.size()], at, end,
                         at + static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(end - at + 1)), track});
        at = end + static_cast<std::int64_t>(random() % 12);
    }
    return tasks;
}

std::string lineOf(const std::string& track, const std::vector<MadeTask>& tasks, bool isWait = false) {
    std::string line = track + ":";
    for (const MadeTask& task : tasks) {
        if (isWait && task.waitEnd == task.begin) continue;
        line += ' ' + (isWait ? "Notify_Wait" : task.name) + '[' + std::to_string(task.begin) + ',' +
                std::to_string(isWait ? task.waitEnd : task.end) + ')';
    }
    return line + '\n';
}

/// Rows of kernels for the slices on streams; those of vectors by their names.
std::shared_ptr<const RowTables> kernelRows(const TraceStore& trace, const std::string& step = {}) {
    RowTablesBuilder builder;
    for (std::uint32_t i = 0; i < trace.sliceCount(); ++i) {
        if (trace.track({trace.runOf({i}).track}).kind != TrackKind::Hardware) continue;
        const std::string name(trace.name({i}));
        RowText row{{"slice_id", std::to_string(i)},
                    {"kind", "compute"},
                    {"name", name},
                    {"type", name},
                    {"accelerator_core", name == "Cast" || name == "Add" ? "AI_VECTOR_CORE" : "AI_CORE"},
                    {"ts", std::to_string(trace.begin({i}).value)},
                    {"dur", std::to_string(trace.duration({i}).value)}};
        if (!step.empty()) row.emplace_back("step", step);
        addRow(builder, RowKind::Kernel, row);
    }
    return builder.seal({}).value();
}

std::shared_ptr<CaptureStore> overallCapture(const std::string& text) {
    auto capture = std::make_shared<CaptureStore>();
    RankEntry& rank = capture->ranks.emplace_back();
    rank.info.rankId = 0;
    rank.trace = rankTrace(text);
    rank.rows = kernelRows(*rank.trace);
    return capture;
}

/// "Matmul/Forward/Cube": what a line stands for, by path.
std::string wordOf(const OverallLine& line) {
    static const char* const kWorks[] = {"FlashAttention", "PagedAttention", "Convolution", "Matmul",
                                         "Cube",           "Vector",         "TensorMove",  "Other"};
    static const char* const kPasses[] = {"Unknown", "Forward", "Backward"};
    static const char* const kParts[] = {"Unknown", "Cube", "Vector", "Format"};
    switch (line.kind) {
    case OverallKind::EndToEnd: return "all";
    case OverallKind::Computing: return "computing";
    case OverallKind::Work: return kWorks[static_cast<int>(line.of.work)];
    case OverallKind::Pass: return kPasses[static_cast<int>(line.of.pass)];
    case OverallKind::Part: return kParts[static_cast<int>(line.of.part)];
    case OverallKind::Communication: return "communication";
    case OverallKind::Group: return line.group;
    case OverallKind::Wait: return "wait";
    case OverallKind::Transit: return "transit";
    case OverallKind::Free: return "free";
    }
    return {};
}
std::map<std::string, std::int64_t> timesOfLines(const OverallMetrics& metrics) {
    std::map<std::string, std::int64_t> times;
    for (const OverallLine& line : metrics.lines) {
        std::string path = wordOf(line);
        for (const OverallLine* at = &line; at->depth > 0;) {
            at = &metrics.lines[at->parent];
            if (at->depth > 0) path = wordOf(*at) + '/' + path;
        }
        if (line.time > 0) times[path] = line.time;
    }
    return times;
}

}  // namespace

class TestOverallMetrics : public QObject {
    Q_OBJECT
private slots:
    void randomTasksMomentByMoment();
    void linesAddUpAndInstancesAreTheirs();
    void operatorsAroundTheLaunchDecide();
    void namesAreTakenByWholeWords();
    void cubeByMetricsBeforeCores();
    void withoutRowsOfKernels();
    void nothingToComputeFrom();

private:
    OverallMetrics metricsOf(const std::shared_ptr<const CaptureStore>& capture,
                             std::optional<std::vector<TimeRange>> times = {}) {
        std::optional<OverallMetrics> metrics;
        m_arena.run([&] { metrics = overallMetrics(capture, {{.rank = {0}, .steps = {}, .times = times}}, {}); });
        return *metrics;
    }
    WorkerArena m_arena{2};
};

void TestOverallMetrics::randomTasksMomentByMoment() {
    std::mt19937 random(29);
    const std::map<std::string, std::string> classes{{"MatMulV2", "Matmul/Forward/Cube"},
                                                     {"FlashAttentionScoreGrad", "FlashAttention/Backward/Cube"},
                                                     {"Cast", "Vector/Format"},
                                                     {"Add", "Vector/Vector"},
                                                     {"Dft", "Cube"}};
    std::vector<std::string> names;
    for (const auto& [name, of] : classes) names.push_back(name);
    for (int round = 0; round < 40; ++round) {
        std::vector<MadeTask> kernels, collectives;
        const std::string groups[] = {"Group 0 Communication", "Group 1 Communication"};
        std::string text;
        for (std::size_t stream = 0; stream < 2; ++stream) {
            const auto some = madeTasks(random, stream, names, 200);
            text += lineOf("Ascend Hardware/Stream " + std::to_string(stream), some);
            kernels.insert(kernels.end(), some.begin(), some.end());
        }
        for (std::size_t group = 0; group < 2; ++group) {
            const auto some = madeTasks(random, group, {"hcom_allReduce_"}, 250);
            // Planes are those of the group before them in their process.
            const std::string process = "Communication:" + std::to_string(group) + '/';
            text += lineOf(process + groups[group], some);
            text += lineOf(process + "Plane 0", some, true);
            collectives.insert(collectives.end(), some.begin(), some.end());
        }
        std::optional<std::vector<TimeRange>> times;
        if (round % 2 == 1) times = {{{{20}, {71}}, {{90}, {160}}}};
        const auto earlier = [](const MadeTask& a, const MadeTask& b) {
            return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
        };
        std::stable_sort(kernels.begin(), kernels.end(), earlier);
        std::stable_sort(collectives.begin(), collectives.end(), earlier);
        std::int64_t first = std::min(kernels.front().begin, collectives.front().begin), last = 0;
        for (const auto* tasks : {&kernels, &collectives}) {
            for (const MadeTask& task : *tasks) last = std::max(last, task.end);
        }
        std::map<std::string, std::int64_t> expected;
        for (std::int64_t t = first; t < last; ++t) {
            const bool isMeant = !times || std::any_of(times->begin(), times->end(), [&](const TimeRange& range) {
                return range.begin.value <= t && t < range.end.value;
            });
            if (!isMeant) continue;
            ++expected["all"];
            const auto runs = [&](const MadeTask& task) { return task.begin <= t && t < task.end; };
            const auto kernel = std::find_if(kernels.begin(), kernels.end(), runs);
            const auto collective = std::find_if(collectives.begin(), collectives.end(), runs);
            std::string path;
            if (kernel != kernels.end()) path = "computing/" + classes.at(kernel->name);
            else if (collective != collectives.end())
                path = "communication/" + groups[collective->track] + (t < collective->waitEnd ? "/wait" : "/transit");
            else path = "free";
            for (std::size_t at = path.find('/');; at = path.find('/', at + 1)) {
                ++expected[path.substr(0, at)];
                if (at == std::string::npos) break;
            }
        }
        auto found = timesOfLines(metricsOf(overallCapture(text), times));
        // A collective without a wait has no tasks here, and its time is not parted.
        const auto unparted = [](std::map<std::string, std::int64_t>& of) {
            std::erase_if(of, [](const auto& line) { return line.first.ends_with("/transit"); });
        };
        unparted(found);
        unparted(expected);
        QCOMPARE(found, expected);
    }
}

void TestOverallMetrics::linesAddUpAndInstancesAreTheirs() {
    std::mt19937 random(31);
    const auto capture = overallCapture(
        lineOf("Ascend Hardware/Stream 1", madeTasks(random, 0, {"MatMulV2", "Add", "Conv2D", "Cast"}, 3000)) +
        lineOf("Ascend Hardware/Stream 2", madeTasks(random, 0, {"MatMulV2", "Add"}, 3000)) +
        lineOf("Communication/Group 0 Communication", madeTasks(random, 0, {"hcom_allReduce_"}, 3500)));
    const OverallMetrics metrics = metricsOf(capture);
    QVERIFY(metrics.lines.size() > 8);
    std::vector<std::int64_t> children(metrics.lines.size());
    for (std::size_t i = 1; i < metrics.lines.size(); ++i) children[metrics.lines[i].parent] += metrics.lines[i].time;
    for (std::size_t i = 0; i < metrics.lines.size(); ++i) {
        if (children[i] > 0) QCOMPARE(children[i], metrics.lines[i].time);
        const auto instances = overallInstances(metrics, i, 1'000'000, {});
        std::int64_t sum = 0;
        for (const OverallInstance& instance : instances->list) sum += instance.time;
        QCOMPARE(sum, metrics.lines[i].time);
        if (i > 0) QCOMPARE(instances->all, metrics.lines[i].count);
        const auto few = overallInstances(metrics, i, 3, {});
        QCOMPARE(few->all, instances->all);
        QCOMPARE(few->list.size(), std::min<std::size_t>(3, instances->list.size()));
        for (std::size_t at = 0; at < few->list.size(); ++at) QCOMPARE(few->list[at].time, instances->list[at].time);
    }
    // The same as the breakdown of the whole recording.
    const auto activity = readDeviceActivity(capture->ranks[0], {});
    const auto rows = computeBreakdown(*activity);
    QCOMPARE(rows.size(), std::size_t{1});
    const auto times = timesOfLines(metrics);
    QCOMPARE(times.at("computing"), *rows[0].computing);
    QCOMPARE(times.at("communication"), *rows[0].exposed);
    QCOMPARE(times.at("free"), *rows[0].free);
    QCOMPARE(times.at("all"), rows[0].endToEnd());
}

void TestOverallMetrics::operatorsAroundTheLaunchDecide() {
    const auto capture = overallCapture(
        "Python/Thread 7: aten::conv2d[0,100) aten::_convolution[10,90) aclnnCast[20,30) aclnnAdd[200,210) "
        "aten::linear[300,400) aten::addmm[310,390)\n"
        "Python/Thread 9: autograd::engine::evaluate_function:ConvolutionBackward0[500,600) "
        "aten::convolution_backward[510,590) aten::rsub[700,800) aten::matmul[710,790)\n"
        "Ascend Hardware/Stream 2: Cast[1000,1010) Add[1020,1030) MatMulV2[1040,1050) Conv2DBackpropFilter[1060,1070) "
        "Add[1080,1090) MatMulV2[1100,1110)\n"
        "flow async_npu Python/Thread 7@20 -> Ascend Hardware/Stream 2@1000\n"
        "flow async_npu Python/Thread 7@200 -> Ascend Hardware/Stream 2@1020\n"
        "flow async_npu Python/Thread 7@310 -> Ascend Hardware/Stream 2@1040\n"
        "flow async_npu Python/Thread 9@510 -> Ascend Hardware/Stream 2@1060\n"
        "flow async_npu Python/Thread 9@710 -> Ascend Hardware/Stream 2@1100\n"
        "flow fwdbwd Python/Thread 7@300 -> Python/Thread 9@700\n");
    const auto times = timesOfLines(metricsOf(capture));
    // A cast within a convolution is the convolution's; where a flow leads to from the forward pass is backward.
    QCOMPARE(times.at("computing/Convolution/Forward/Vector"), 10);
    QCOMPARE(times.at("computing/Convolution/Backward/Cube"), 10);
    QCOMPARE(times.at("computing/Matmul/Forward/Cube"), 10);
    QCOMPARE(times.at("computing/Matmul/Backward/Cube"), 10);
    QCOMPARE(times.at("computing/Vector/Vector"), 20);
    QCOMPARE(times.at("free"), 50);
}

void TestOverallMetrics::namesAreTakenByWholeWords() {
    QCOMPARE(workOfOperator("aten::mm"), KernelWork::Matmul);
    QCOMPARE(workOfOperator("aten::bmm"), KernelWork::Matmul);
    QCOMPARE(workOfOperator("aten::comm"), KernelWork::Other);
    QCOMPARE(workOfOperator("aten::common_mm_helper"), KernelWork::Other);
    QCOMPARE(workOfOperator("aten::_convolution"), KernelWork::Convolution);
    QCOMPARE(workOfOperator("aten::conv2d"), KernelWork::Convolution);
    QCOMPARE(workOfOperator("aten::convert"), KernelWork::Other);
    QCOMPARE(workOfOperator("npu::npu_fusion_attention"), KernelWork::FlashAttention);
    QCOMPARE(workOfOperator("FlashAttnFunc"), KernelWork::FlashAttention);
    QCOMPARE(workOfType("FlashAttentionScoreGrad"), KernelWork::FlashAttention);
    QCOMPARE(workOfType("BatchMatMulV2"), KernelWork::Matmul);
    QCOMPARE(workOfType("DepthwiseConv"), KernelWork::Other);
    QVERIFY(isBackwardName("aten::convolution_backward"));
    QVERIFY(isBackwardName("MmBackward0"));
    QVERIFY(isBackwardName("FlashAttentionScoreGrad"));
    QVERIFY(isBackwardName("Conv2DBackpropInput"));
    QVERIFY(!isBackwardName("aten::fallback"));
    QVERIFY(!isBackwardName("Gradient"));
    QVERIFY(!isBackwardName("aten::requires_gradual"));
    QVERIFY(!isBackwardName("playback"));
}

void TestOverallMetrics::cubeByMetricsBeforeCores() {
    RankEntry rank;
    RowTablesBuilder builder;
    const std::size_t mac = builder.extraColumn(RowKind::Kernel, "aic_mac_time");
    RowBatch batch = builder.batch(RowKind::Kernel);
    const std::pair<const char*, double> kernels[] = {
        {"AI_CORE", 0}, {"AI_CORE", 3.5}, {"MIX_AIC", -1}, {"AI_CPU", -1}};
    for (const auto& [core, time] : kernels) {
        batch.addRow();
        batch.setText(fixedColumn(RowKind::Kernel, "name"), "Square");
        batch.setText(fixedColumn(RowKind::Kernel, "accelerator_core"), core);
        if (time >= 0) batch.setReal(mac, time);
    }
    builder.commit(batch);
    rank.rows = builder.seal({}).value();
    const KernelClasses classes(rank, {});
    QCOMPARE(classes.of(0).work, KernelWork::Vector);
    QCOMPARE(classes.of(1).work, KernelWork::Cube);
    QCOMPARE(classes.of(2).work, KernelWork::Cube);
    QCOMPARE(classes.of(3).work, KernelWork::Other);
}

void TestOverallMetrics::withoutRowsOfKernels() {
    auto capture = std::make_shared<CaptureStore>();
    capture->ranks.emplace_back().trace =
        rankTrace("Ascend Hardware/Stream 1: MatMul[0,10) EVENT_WAIT[10,20) Add[30,40)\n");
    const OverallMetrics metrics = metricsOf(capture);
    QVERIFY(!metrics.hasClasses);
    const auto times = timesOfLines(metrics);
    QCOMPARE(times.at("computing"), 20);
    QCOMPARE(times.at("computing/Other"), 20);
    QCOMPARE(times.at("free"), 20);
}

void TestOverallMetrics::nothingToComputeFrom() {
    auto capture = std::make_shared<CaptureStore>();
    capture->ranks.emplace_back();
    QVERIFY(metricsOf(capture).lines.empty());
    const auto some = overallCapture("Ascend Hardware/Stream 1: MatMul[0,10)\n");
    QVERIFY(metricsOf(some, std::vector<TimeRange>{{{100}, {200}}}).lines.empty());
}

ALTI_TEST(TestOverallMetrics)
#include "tst_overall_metrics.moc"
