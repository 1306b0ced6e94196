#include "core/store/recording_parts.h"

#include "tests/core/import/row_dump.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <string>
#include <utility>

using namespace altiscope;
using namespace altiscope::test;

namespace {

constexpr const char* kOutput = "rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/";

/// A trace of 2024 with a step of 10 ms and two kernels in it.
constexpr const char* kTraceOf2024 =
    R"([{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"Python"}},{"ph":"M","name":"process_name","pid":2,"tid":0,"args":{"name":"Ascend Hardware"}},)"
    R"({"ph":"X","name":"ProfilerStep#5","pid":1,"tid":1,"ts":"1736412474000000.000","dur":10000},)"
    R"({"ph":"X","name":"MatMul","pid":2,"tid":3,"ts":"1736412474002000.000","dur":1000},{"ph":"X","name":"Add","pid":2,"tid":3,"ts":"1736412474003500.000","dur":500}])";

std::string kernelsAt(const std::string& seconds) {
    return "Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us)\n5,MatMul,MatMul,AI_CORE," +
           seconds + "002000.000,1000,0\n5,Add,Add,AI_VECTOR_CORE," + seconds + "003500.000,500,500\n";
}

QString diagnosticsOf(const CaptureStore& capture) {
    return QString::fromStdString(dumpDiagnostics(capture.diagnostics));
}

}  // namespace

/// Files of different recordings in one folder.
class TestOtherRecording : public QObject {
    Q_OBJECT
private slots:
    /// Kernels of 2023 beside a trace of 2024 gave a step that was prepared for minus 53 days, and no word.
    void kernelsOfAnotherYear() {
        const TestFolder folder;
        folder.write(std::string(kOutput) + "trace_view.json", kTraceOf2024);
        folder.write(std::string(kOutput) + "kernel_details.csv", kernelsAt("1692340024"));
        const auto capture = importForTest(folder.path()).value();
        QCOMPARE(diagnosticsOf(*capture),
                 QStringLiteral(
                     "info files.other_recording rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv x2\n"));
        const RankEntry& rank = capture->ranks.at(0);
        QCOMPARE(rank.rows->find(RowKind::Kernel)->size(), std::size_t{2});
        QCOMPARE(rank.info.state, RankState::Ok);
        QVERIFY(isOfAnotherRecording(rank, RowKind::Kernel));
        QVERIFY(kernelsOfTimeline(rank) == nullptr);
    }

    void memoryOfAnotherYear() {
        const TestFolder folder;
        folder.write(std::string(kOutput) + "trace_view.json", kTraceOf2024);
        folder.write(std::string(kOutput) + "kernel_details.csv", kernelsAt("1736412474"));
        folder.write(std::string(kOutput) + "memory_record.csv",
                     "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream "
                     "Ptr,Device Type\nPTA,1692340024000000.0,1,2,1,1,NPU:0\n");
        QCOMPARE(
            diagnosticsOf(*importForTest(folder.path()).value()),
            QStringLiteral("info files.other_recording rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/memory_record.csv x1\n"));
    }

    void collectivesOfAnotherYear() {
        const auto collectives = [](const std::string& seconds) {
            return "{\"step5\":{\"p2p\":{},\"collective\":{\"hcom_allReduce__1_0_1@17\":{\"Communication Time Info\":{"
                   "\"Start Timestamp(us)\":" +
                   seconds +
                   ",\"Elapse Time(ms)\":1,\"Transit Time(ms)\":0.5,\"Wait Time(ms)\":0.25,\"Synchronization "
                   "Time(ms)\":0.25,\"Idle Time(ms)\":0.25},\"Communication Bandwidth Info\":{}}}}}";
        };
        const QString said =
            QStringLiteral("info files.other_recording rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/communication.json x1\n");
        // A start that was never set tells nothing.
        for (const auto& [start, text] :
             {std::pair{"1692340024003000.0", said}, {"1736412474003000.0", QString()}, {"0", QString()}}) {
            const TestFolder folder;
            folder.write(std::string(kOutput) + "trace_view.json", kTraceOf2024);
            folder.write(std::string(kOutput) + "communication.json", collectives(start));
            const auto capture = importForTest(folder.path()).value();
            QCOMPARE(diagnosticsOf(*capture), text);
            QCOMPARE(isOfAnotherRecording(capture->ranks.at(0), RowKind::Collective), !text.isEmpty());
        }
    }

    /// Events whose time was never set made any two recordings meet.
    void timesThatWereNeverSetDoNotJoinRecordings() {
        {
            const TestFolder folder;
            std::string trace = kTraceOf2024;
            trace.insert(trace.size() - 1, R"(,{"ph":"X","name":"Zero","pid":2,"tid":3,"ts":"0","dur":1})");
            folder.write(std::string(kOutput) + "trace_view.json", trace);
            folder.write(std::string(kOutput) + "kernel_details.csv", kernelsAt("1692340024"));
            const auto capture = importForTest(folder.path()).value();
            QVERIFY(isOfAnotherRecording(capture->ranks.at(0), RowKind::Kernel));
            QVERIFY(diagnosticsOf(*capture).contains(QLatin1String("info far_event")));
        }
        const TestFolder folder;
        folder.write(std::string(kOutput) + "trace_view.json", kTraceOf2024);
        folder.write(std::string(kOutput) + "kernel_details.csv",
                     kernelsAt("1792340024") + "5,Zero,Zero,AI_CORE,0,1,0\n");
        QVERIFY(isOfAnotherRecording(importForTest(folder.path()).value()->ranks.at(0), RowKind::Kernel));
    }

    /// With a window the time of what was not kept counts too.
    void aWindowOfTheTimeline() {
        constexpr std::int64_t kStepBegin = 1'736'412'474'000'000'000;
        for (const char* seconds : {"1736412474", "1692340024"}) {
            const TestFolder folder;
            folder.write(std::string(kOutput) + "trace_view.json", kTraceOf2024);
            folder.write(std::string(kOutput) + "kernel_details.csv", kernelsAt(seconds));
            // The kernel begins at 2 ms.
            for (const std::int64_t end : {1'000'000, 5'000'000, -5'000'000}) {
                ImportTestOptions options;
                options.ranks.window = TimeRange{{kStepBegin - 9'000'000}, {kStepBegin + end}};
                const auto capture = importForTest(folder.path(), options).value();
                const bool isOther = std::string(seconds) == "1692340024";
                QCOMPARE(isOfAnotherRecording(capture->ranks.at(0), RowKind::Kernel), isOther);
                QCOMPARE(diagnosticsOf(*capture).contains(QLatin1String("files.other_recording")), isOther);
            }
        }
    }

    /// Kernels beyond the ends of a timeline that has the others are named, and not computed with.
    void kernelsBeyondTheTimeline() {
        const TestFolder folder;
        folder.write(std::string(kOutput) + "trace_view.json", kTraceOf2024);
        folder.write(std::string(kOutput) + "kernel_details.csv",
                     kernelsAt("1736412474") + kernelsAt("1692340024").substr(kernelsAt("").find('\n') + 1));
        const auto capture = importForTest(folder.path()).value();
        QCOMPARE(
            diagnosticsOf(*capture),
            QStringLiteral("info files.kernels_elsewhere rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv "
                           "x2\n"));
        QCOMPARE(capture->state, CaptureStore::State::Ok);
    }

    /// Of one recording, also where the files only touch, or the kernels are a little off.
    void filesOfOneRecording() {
        for (const char* seconds : {"1736412474", "1736412473"}) {
            const TestFolder folder;
            folder.write(std::string(kOutput) + "trace_view.json", kTraceOf2024);
            std::string kernels = kernelsAt(seconds);
            if (std::string(seconds) == "1736412473") kernels += "5,Late,Late,AI_CORE,1736412474010000.000,1,0\n";
            folder.write(std::string(kOutput) + "kernel_details.csv", kernels);
            const auto capture = importForTest(folder.path()).value();
            // What lies before the timeline is reported.
            const bool isBefore = std::string(seconds) == "1736412473";
            QCOMPARE(
                diagnosticsOf(*capture),
                isBefore
                    ? QStringLiteral(
                          "info files.kernels_elsewhere rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv x2\n"
                          "info files.kernels_unplaced rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv x1\n")
                    : QString());
            QVERIFY(kernelsOfTimeline(capture->ranks.at(0)) != nullptr);
        }
    }
};

ALTI_TEST(TestOtherRecording)
#include "tst_other_recording.moc"
