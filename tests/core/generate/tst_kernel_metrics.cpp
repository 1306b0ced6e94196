#include "core/generate/ranks/cluster_writer.h"
#include "core/generate/records/kernel_metrics.h"
#include "core/generate/records/unit_record.h"
#include "tests/support/test_main.h"

#include <tuple>

using namespace altiscope;
using namespace altiscope::generate;

class TestKernelMetrics : public QObject {
    Q_OBJECT

private slots:
    /// The profiler counts in the cores of the device: what the AI CPU runs has no counters.
    void whatNoCoreRunsHasNone() {
        for (const auto& [core, isCounted] : {std::pair(CoreKind::Cube, true),
                                              {CoreKind::Vector, true},
                                              {CoreKind::MixCube, true},
                                              {CoreKind::MixVector, true},
                                              {CoreKind::Random, false},
                                              {CoreKind::AiCpu, false}}) {
            Run run;
            run.program.kernels.emplace_back().core = core;
            TaskSpec task;
            task.index = 0;
            DeviceWork work;
            work.task = &task;
            QCOMPARE(kernelMetrics(run, 0, work, DurationNs{10'000}).has_value(), isCounted);
        }
    }

    /// All steps of a small run, few of one with many ranks.
    void stepsOfClusterFiles() {
        for (const auto& [ranks, steps, detailed] : {std::tuple(16U, 5U, 5U),
                                                     {1024U, 8U, 8U},
                                                     {1024U, 9U, 8U},
                                                     {4096U, 9U, 2U},
                                                     {8192U, 9U, 2U},
                                                     {8192U, 1U, 1U}}) {
            RunPlan plan;
            plan.ranks = ranks;
            plan.steps = steps;
            QCOMPARE(clusterCommunicationSteps(plan), detailed);
        }
    }
};

ALTI_TEST(TestKernelMetrics)
#include "tst_kernel_metrics.moc"
