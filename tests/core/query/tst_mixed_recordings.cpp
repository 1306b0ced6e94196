#include "core/analysis/steps/steps.h"
#include "core/query/schema/schema.h"
#include "tests/core/query/query_support.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kStep = 10 * kMs;
constexpr int kSteps = 2;

std::string microseconds(std::int64_t ns) {
    const std::string fraction = std::to_string(1000 + ns % 1000).substr(1);
    return std::to_string(ns / 1000) + '.' + fraction;
}

/// What one rank did in 20 ms from `begin` on, and the files in which its profiler would tell it.
class Recording {
public:
    Recording(std::int64_t begin, unsigned seed) : m_begin(begin) {
        std::mt19937 random(seed);
        for (std::int64_t step = 0; step < kSteps; ++step) {
            std::int64_t now = begin + step * kStep + kMs;
            for (int i = 0; i < 8; ++i) {
                const std::int64_t length = 100'000 + random() % 700'000;
                (i % 4 == 3 ? m_collectives : m_kernels).push_back({step + 5, now, length});
                now += length + random() % 100'000;
            }
        }
    }

    std::vector<std::string> events() const {
        std::vector<std::string> events;
        for (std::int64_t step = 0; step < kSteps; ++step)
            events.push_back(
                slice("ProfilerStep#" + std::to_string(step + 5), 1, 1, m_begin + step * kStep, kStep - kMs));
        for (const Work& kernel : m_kernels) events.push_back(slice("MatMul", 2, 3, kernel.begin, kernel.length));
        for (std::size_t i = 0; i < m_collectives.size(); ++i) {
            const Work& one = m_collectives[i];
            events.push_back(slice(nameOf(i), 3, 4, one.begin, one.length));
            events.push_back(slice("Notify_Wait", 3, 5, one.begin, one.length / 3));
            events.push_back(slice("Memcpy", 3, 5, one.begin + one.length / 3, one.length / 3));
        }
        return events;
    }
    std::string kernelRows() const {
        std::string text;
        for (const Work& kernel : m_kernels)
            text += std::to_string(kernel.step) + ",MatMul,MatMul,AI_CORE," + microseconds(kernel.begin) + ',' +
                    microseconds(kernel.length) + ",0\n";
        return text;
    }
    std::string collectives() const {
        std::string text;
        for (std::int64_t step = 5; step < 5 + kSteps; ++step) {
            text += (text.empty() ? "{" : ",") + ("\"step" + std::to_string(step)) + "\":{\"p2p\":{},\"collective\":{";
            bool isFirst = true;
            for (std::size_t i = 0; i < m_collectives.size(); ++i) {
                const Work& one = m_collectives[i];
                if (one.step != step) continue;
                text += (isFirst ? "\"" : ",\"") + nameOf(i) + "@17\":{\"Communication Time Info\":{" +
                        "\"Start Timestamp(us)\":" + microseconds(one.begin) +
                        ",\"Elapse Time(ms)\":" + std::to_string(static_cast<double>(one.length) / kMs) +
                        ",\"Transit Time(ms)\":0.01,\"Wait Time(ms)\":0.02,\"Synchronization Time(ms)\":0.02,"
                        "\"Idle Time(ms)\":0},\"Communication Bandwidth Info\":{}}";
                isFirst = false;
            }
            text += "}}";
        }
        return text + '}';
    }
    std::string samples() const {
        std::string text = "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,"
                           "Device Type\n";
        for (int i = 0; i < 10; ++i)
            text +=
                "PTA," + microseconds(m_begin + i * 2 * kMs) + ',' + std::to_string(100 + 50 * i) + ",2000,1,1,NPU:0\n";
        return text;
    }
    std::string stepTimes() const {
        return "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
               "Communication(Not Overlapped and Exclude "
               "Receive),Preparing\n0,5,3000,1000,0,1000,4000,8000,0,1000,1000\n"
               "0,6,3000,1000,0,1000,4000,8000,0,1000,1000\n";
    }

    static std::string slice(const std::string& name, int process, int thread, std::int64_t begin,
                             std::int64_t length) {
        return "{\"ph\":\"X\",\"name\":\"" + name + "\",\"pid\":" + std::to_string(process) +
               ",\"tid\":" + std::to_string(thread) + ",\"ts\":\"" + microseconds(begin) +
               "\",\"dur\":" + microseconds(length) + '}';
    }

private:
    struct Work {
        std::int64_t step, begin, length;
    };
    static std::string nameOf(std::size_t i) { return "hcom_allReduce__17_" + std::to_string(i) + "_1"; }

    std::int64_t m_begin;
    std::vector<Work> m_kernels, m_collectives;
};

std::string named(const char* kind, int process, int thread, const char* name) {
    return std::string("{\"ph\":\"M\",\"name\":\"") + kind + "_name\",\"pid\":" + std::to_string(process) +
           ",\"tid\":" + std::to_string(thread) + ",\"args\":{\"name\":\"" + name + "\"}}";
}

std::string timeline(const std::vector<std::string>& events) {
    std::string text = '[' + named("process", 1, 0, "Python") + ',' + named("process", 2, 0, "Ascend Hardware") + ',' +
                       named("process", 3, 0, "Communication") + ',' + named("thread", 3, 4, "Group 17 Communication") +
                       ',' + named("thread", 3, 5, "Plane 0");
    for (const std::string& event : events) text += ",\n" + event;
    return text + ']';
}

/// Begins that belong to different recordings, or to none: two years, a little later, the system's start, nothing.
constexpr std::int64_t kBegins[] = {1'736'412'474'000'000'000, 1'736'412'474'005'000'000, 1'692'340'024'000'000'000,
                                    5'000'000'000'000, 0};

/// Two ranks, each with files of recordings that chance puts together.
void writeMixture(const TestFolder& folder, std::mt19937& random) {
    for (int rank = 0; rank < 2; ++rank) {
        const std::string output = "rank" + std::to_string(rank) + "_ascend_pt/ASCEND_PROFILER_OUTPUT/";
        const auto any = [&] {
            const std::int64_t begin = kBegins[random() % std::size(kBegins)];
            return Recording(begin, random() % 4);
        };
        const auto isChance = [&](unsigned one) { return random() % one == 0; };
        std::vector<std::string> events = any().events();
        // A few events of something else: never set, or set by another clock.
        if (isChance(3)) events.push_back(Recording::slice("MatMul", 2, 3, kBegins[random() % 5], 5'000));
        if (isChance(4)) events.push_back(Recording::slice("hcom_allReduce__17_9_1", 3, 4, 0, 5'000));
        // A file of kernels that stands alone and holds two recordings is one of a long run to everybody.
        const bool hasTimeline = !isChance(6);
        if (hasTimeline) folder.write(output + "trace_view.json", timeline(events));
        if (!isChance(5)) {
            std::string rows = any().kernelRows();
            if (hasTimeline && isChance(3)) rows += any().kernelRows();
            folder.write(output + "kernel_details.csv",
                         "Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us)\n" + rows);
        }
        if (!isChance(5)) folder.write(output + "communication.json", any().collectives());
        if (!isChance(5)) folder.write(output + "memory_record.csv", any().samples());
        if (!isChance(5)) folder.write(output + "step_trace_time.csv", any().stepTimes());
    }
}

/// With the steps that the session would find in the timelines.
std::shared_ptr<const CaptureStore> withSteps(const CaptureStore& imported) {
    auto capture = std::make_shared<CaptureStore>(imported);
    for (RankEntry& rank : capture->ranks) {
        if (rank.trace != nullptr && rank.steps.empty()) rank.steps = findSteps(*rank.trace);
    }
    return capture;
}

}  // namespace

/// Files of several recordings in one folder, and times that were never set: whatever chance mixes, no sum is negative
/// or longer than what was recorded.
class TestMixedRecordings : public QObject {
    Q_OBJECT
private slots:
    void noAbsurdSumLeavesTheAnalysis_data() {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed < 11; ++seed) QTest::addRow("seed %u", seed) << seed;
    }
    void noAbsurdSumLeavesTheAnalysis() {
        // Two recordings of 20 ms that overlap last 25 ms; findings sum over two ranks and two steps.
        const std::string kMax = std::to_string(25 * kMs), kMaxOfAll = std::to_string(100 * kMs);
        QFETCH(unsigned, seed);
        std::mt19937 random(seed);
        std::size_t computed = 0;
        for (int round = 0; round < 10; ++round) {
            const TestFolder folder;
            writeMixture(folder, random);
            const auto imported = importForTest(folder.path());
            QVERIFY(imported.ok());
            const QueryDatabase database(withSteps(*imported.value()));
            for (const char* column : {"computing", "communication", "not_overlapped", "overlapped", "free", "stage",
                                       "bubble", "not_overlapped_excl_receive", "preparing"}) {
                const std::string absurd = runSql(database, std::string("SELECT rank_id, step, ") + column +
                                                                " FROM step_breakdown WHERE origin = 'computed' AND (" +
                                                                column + " < 0 OR " + column + " > " + kMax + ")");
                QVERIFY2(absurd.empty(), (std::string(column) + ", round " + std::to_string(round) + ": " + absurd +
                                          '\n' + dumpDiagnostics(imported.value()->diagnostics))
                                             .c_str());
            }
            for (const char* column : {"elapsed", "transit", "wait", "synchronization", "idle"}) {
                const std::string absurd =
                    runSql(database, std::string("SELECT rank_id, op_name, ") + column + " FROM collective WHERE " +
                                         column + " < 0 OR " + column + " > " + kMax);
                QVERIFY2(absurd.empty(), absurd.c_str());
            }
            const std::string findings = runSql(database, "SELECT rule, rank_id, recoverable FROM finding WHERE "
                                                          "recoverable < 0 OR recoverable > " +
                                                              kMaxOfAll);
            QVERIFY2(findings.empty(), findings.c_str());
            computed += std::stoul(runSql(database, "SELECT count(*) FROM step_breakdown WHERE origin = 'computed'"));
        }
        QVERIFY(computed > 20);
    }

    /// Roles of a run with the same rank numbers: a sum grouped by rank and recording never mixes both.
    void rowsOfRolesWithOneRankNumberAreToldApart() {
        const TestFolder folder;
        for (const std::string role : {"actor", "rollout"}) {
            const std::string output = role + "/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/";
            const Recording recording(kBegins[0], role == "actor" ? 1 : 2);
            folder.write(output + "trace_view.json", timeline(recording.events()));
            folder.write(output + "kernel_details.csv",
                         "Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us)\n" +
                             recording.kernelRows());
            folder.write(output + "communication.json", recording.collectives());
            folder.write(output + "memory_record.csv", recording.samples());
            folder.write(output + "step_trace_time.csv", recording.stepTimes());
        }
        const auto imported = importForTest(folder.path());
        QVERIFY(imported.ok());
        const QueryDatabase database(withSteps(*imported.value()));
        std::set<std::string> filled;
        for (const TableInfo& table : tableSchema()) {
            if (columnNumber(table, "rank_id") < 0) continue;
            const std::string name(table.name);
            // The last one, so that statements that count columns stay right.
            QCOMPARE(table.columns.back().name, std::string_view("recording"));
            const std::string recordings =
                runSql(database, "SELECT DISTINCT recording FROM \"" + name + "\" WHERE rank_id = 0 ORDER BY 1");
            // Rules need not find something in both.
            const bool isOfOne = table.name == "finding" && (recordings == "actor" || recordings == "rollout");
            QVERIFY2(recordings.empty() || isOfOne || recordings == "actor\nrollout", (name + recordings).c_str());
            if (!recordings.empty()) filled.insert(name);
        }
        for (const char* name : {"rank", "track", "slice", "step", "kernel", "op_stat", "name_stat", "memory_sample",
                                 "step_breakdown", "collective"})
            QVERIFY2(filled.contains(name), name);
        // Each row has the recording of its own folder.
        QCOMPARE(runSql(database, "SELECT count(*) FROM rank WHERE instr(path, recording) <> 1"), std::string("0"));
        QCOMPARE(runSql(database, "SELECT count(*) FROM kernel k JOIN slice s USING(slice_id) WHERE k.recording <> "
                                  "s.recording"),
                 std::string("0"));
        QCOMPARE(runSql(database, "SELECT recording, sum(dur) FROM kernel GROUP BY 1 ORDER BY 1"),
                 runSql(database,
                        "SELECT recording, sum(total) FROM op_stat WHERE origin = 'computed' GROUP BY 1 ORDER "
                        "BY 1"));
    }

    void oneRecordingHasNoName() {
        const TestFolder folder;
        folder.write("rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json",
                     timeline(Recording(kBegins[0], 1).events()));
        const auto imported = importForTest(folder.path());
        QVERIFY(imported.ok());
        QCOMPARE(
            runSql(QueryDatabase(withSteps(*imported.value())), "SELECT count(recording), count(*) > 0 FROM slice"),
            std::string("0|1"));
    }
};

ALTI_TEST(TestMixedRecordings)
#include "tst_mixed_recordings.moc"
