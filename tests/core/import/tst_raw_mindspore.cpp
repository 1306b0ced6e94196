#include "core/trace/raw/raw_layouts.h"
#include "tests/core/import/raw_bytes.h"
#include "tests/support/capture_dump.h"
#include "tests/support/raw_run.h"
#include "tests/support/test_main.h"

#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

constexpr std::uint64_t kFirstTick = 5'002'000, kNoFlow = ~std::uint64_t{0};
constexpr std::uint64_t kPython = 4242, kLauncher = 4243;
/// Of the host counter, 10 ns each, since the begin of the collection.
constexpr std::int64_t kWall = 1'767'225'600'000'000'000;

struct Event {
    std::uint64_t begin, end, thread = kPython, flow = kNoFlow;
    std::uint16_t module = 0, event = 0, stage = 0;
    bool isGraph = false, isStage = false, isStack = false;
};

std::string rangeOf(const Event& event, const std::string& name, const std::string& fullName) {
    RecordBytes<kRawMindsporeRange> record;
    record.set<"thread">(event.thread).set<"flow">(event.flow).set<"begin">(event.begin).set<"end">(event.end);
    record.set<"module">(event.module).set<"event">(event.event).set<"stage">(event.stage);
    record.set<"is_graph">(event.isGraph).set<"is_stage">(event.isStage).set<"is_stack">(event.isStack);
    return tlvBytes(1, record.text() + tlvBytes(13, name) + tlvBytes(14, fullName) + tlvBytes(17, "k:v;") +
                           tlvBytes(15, "Graph") + tlvBytes(16, "Ran"));
}

/// A rank of MindSpore of which nothing is analysed: one PROF folder and what the framework wrote.
struct MindsporeRun {
    /// @param others  Further files of FRAMEWORK: names and what is in them.
    explicit MindsporeRun(const std::string& ranges,
                          const std::vector<std::pair<std::string, std::string>>& others = {}) {
        RawRun run;
        run.hasFramework = false;
        const std::string rank = "host_1_20260101000000000_ascend_ms";
        folder.write(rank + "/profiler_info_3.json", R"({"ms_version": "2.4", "ms_profiler_info": {"rank_id": 3}})");
        folder.write(rank + "/FRAMEWORK/mindspore.op_range", ranges);
        for (const auto& [name, bytes] : others) folder.write(rank + "/FRAMEWORK/" + name, bytes);
        RawRunWriter(folder.path() / rank, run).write();
        result = importForTest(folder.path());
    }
    /// Lines of the rows that begin so.
    std::string rows(const std::string& begin) const {
        std::istringstream lines(dumpRows(*result.value()->ranks.at(0).trace));
        std::string found;
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with(begin)) found += line.substr(0, line.find(" @")) + '\n';
        }
        return found;
    }

    TestFolder folder;
    ImportResult result = Cancelled{};
};

/// A number as its bytes, the lowest first.
std::string littleEndian(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
    return text;
}
/// Layout by MindSpore's public source, written by hand.
std::string memoryOf(std::uint64_t time, std::uint64_t address, std::uint64_t size, std::uint64_t used,
                     std::uint64_t reserved, const std::string& owner) {
    std::string value = littleEndian(3, 4);
    for (const std::uint64_t one : {std::uint64_t{11}, std::uint64_t{22}, time, address, size, used, std::uint64_t{0},
                                    reserved, std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{0x55}})
        value += littleEndian(one, 8);
    return tlvBytes(13, value + littleEndian(7, 4) + std::string(4, '\0') + tlvBytes(13, owner));
}
/// Rows of a table of the first rank, by their cells.
std::string rowsOf(const MindsporeRun& run, RowKind kind, const std::vector<const char*>& columns) {
    const RowTables& tables = *run.result.value()->ranks.at(0).rows;
    const RowTable* table = tables.find(kind);
    std::string text;
    for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
        for (const char* column : columns) {
            const std::size_t place = rowColumn(kind, column);
            if (rowColumns(kind)[place].cell == RowCell::Text) {
                const auto id = table->text(place, row);
                text += id ? std::string(tables.text(*id)) : "-";
            } else {
                const auto number = table->integer(place, row);
                text += number ? std::to_string(*number) : "-";
            }
            text += ' ';
        }
        text += '\n';
    }
    return text;
}

std::string stamp(std::uint64_t count) {
    return std::to_string(kWall + (static_cast<std::int64_t>(count) - 5'000'000) * 10);
}

}  // namespace

/// Raw data of MindSpore: what the host did, named as the text export names it, and how it led to kernels.
class TestRawMindspore : public QObject {
    Q_OBJECT
private slots:
    void namesOfEvents() {
        const MindsporeRun run(
            rangeOf({.begin = 5'000'100, .end = 5'000'200, .module = 2, .event = 4}, "Add", "Default/Add") +
            rangeOf({.begin = 5'000'300, .end = 5'000'400, .stage = 3, .isStage = true}, "", "") +
            rangeOf({.begin = 5'000'500, .end = 5'000'600, .isGraph = true}, "Mul", "x") +
            rangeOf({.begin = 5'000'700, .end = 5'000'800, .isStack = true}, "train.py(1): f", "x") +
            rangeOf({.begin = 5'000'900, .end = 5'000'900, .module = 99, .event = 999}, "Now", "n"));
        QVERIFY(run.result.ok());
        const std::string slice = "slice 1/4242 d0 ";
        QCOMPARE(QString::fromStdString(run.rows("slice 1/")),
                 QString::fromStdString(slice + "RuntimeFramework::KernelLaunch::Default/Add [" + stamp(5'000'100) +
                                        ",+1000)\n" + slice + "RunGraph [" + stamp(5'000'300) + ",+1000)\n" + slice +
                                        "Graph::Ran::Mul [" + stamp(5'000'500) + ",+1000)\n" + slice +
                                        "train.py(1): f [" + stamp(5'000'700) + ",+1000) cat=python_function\n"));
        QCOMPARE(QString::fromStdString(run.rows("instant 1/")),
                 QString::fromStdString("instant 1/4242 Default::Default::n " + stamp(5'000'900) + '\n'));
        const RankEntry& rank = run.result.value()->ranks.at(0);
        QCOMPARE(rank.info.rankId.value_or(-1), 3);
        QVERIFY(rank.info.framework == Framework::MindSpore);
    }

    /// Launches of the first two kernels; one flow with both ends, and one of which two ends are there.
    void flowsOfEvents() {
        std::string ranges;
        for (std::uint64_t i = 0; i < 2; ++i)
            ranges += rangeOf({.begin = kFirstTick + i * 2000,
                               .end = kFirstTick + i * 2000 + 1800,
                               .thread = kLauncher,
                               .flow = 7 + i,
                               .module = 4,
                               .event = 4},
                              "MatMul", "Default/MatMul");
        ranges += rangeOf({.begin = 5'000'100, .end = 5'000'101, .flow = 7}, "flow", "flow");
        ranges += rangeOf({.begin = 5'000'200, .end = 5'000'201, .flow = 8}, "flow", "flow");
        ranges += rangeOf({.begin = 5'000'210, .end = 5'000'211, .flow = 8}, "flow", "flow");
        const MindsporeRun run(ranges);
        QVERIFY(run.result.ok());
        const TraceStore& trace = *run.result.value()->ranks.at(0).trace;
        std::multiset<std::string> categories;
        for (std::size_t i = 0; i < trace.flowCount(); ++i) categories.insert(std::string(trace.flowCategory(i)));
        QCOMPARE(categories.count("async_mindspore"), std::size_t{1});
        QCOMPARE(categories.count("async_npu"), std::size_t{2});
    }

    /// Memory of the pool, shapes of operators and what the CPU ran, each in its own file.
    void otherFiles() {
        const auto at = static_cast<std::uint64_t>(kWall);
        const std::string released = memoryOf(at + 300, 0x10, ~std::uint64_t{0}, 1000, 4096, "");
        const MindsporeRun run(
            rangeOf({.begin = 5'000'100, .end = 5'000'200}, "Add", "Add"),
            {{"mindspore.memory_usage", memoryOf(at + 100, 0x10, 512, 1512, 4096, "Default/Add") +
                                            memoryOf(at + 200, 0x20, 1000, 2512, 4096, "Default/Mul") + released +
                                            released.substr(0, 40)},
             {"mindspore.record_shapes",
              tlvBytes(3, tlvBytes(0, "Add") + tlvBytes(1, "[2,3];[3]") + tlvBytes(2, "Float32;Int32")) +
                  tlvBytes(3, tlvBytes(1, "[1]"))},
             {"cpu_op_execute_timestamp_3.txt", "Default/Cpu;Sort;x;" + std::to_string(at + 500) + ",0.25,77 " +
                                                    std::to_string(at + 900'000) + ",1,78 1,2\nnothing\n"}});
        QVERIFY(run.result.ok());
        const auto is = [](const std::string& found, const std::string& wanted) {
            QCOMPARE(QString::fromStdString(found), QString::fromStdString(wanted));
        };
        const std::string begin = std::to_string(at + 100), second = std::to_string(at + 200),
                          end = std::to_string(at + 300);
        is(rowsOf(run, RowKind::Allocation, {"name", "size", "alloc_ts", "release_ts", "alloc_allocated", "device_id"}),
           "Default/Add 512 " + begin + ' ' + end + " 1512 3 \nDefault/Mul 1000 " + second + " - 2512 3 \n");
        is(rowsOf(run, RowKind::MemorySample, {"component", "ts", "allocated", "reserved"}),
           "MindSpore " + begin + " 1512 4096 \nMindSpore " + second + " 2512 4096 \nMindSpore " + end +
               " 1000 4096 \n");
        is(rowsOf(run, RowKind::Operator, {"name", "input_shapes", "input_types", "ts"}),
           "Add [2,3];[3] Float32;Int32 - \n");
        const std::string slices = run.rows("slice 2/");
        QVERIFY2(slices.find("slice 2/77 d0 Default/Cpu [" + std::to_string(at + 500) + ",+250000)") !=
                         std::string::npos &&
                     slices.find("slice 2/78 d0 Default/Cpu [") != std::string::npos,
                 slices.c_str());
        const std::string reported = dumpDiagnostics(run.result.value()->diagnostics);
        for (const char* one : {"lost raw.cut", "mindspore.record_shapes x1", "cpu_op_execute_timestamp_3.txt x2"})
            QVERIFY2(reported.find(one) != std::string::npos, reported.c_str());
        QVERIFY2(reported.find("raw.not_read") == std::string::npos, reported.c_str());
    }

    /// Records of neither form, and times that are none, are reported.
    void damagedRecords() {
        const std::string good = rangeOf({.begin = 5'000'100, .end = 5'000'200}, "Add", "Add");
        const MindsporeRun run(good + tlvBytes(1, "short") + tlvBytes(2, good) +
                               rangeOf({.begin = 5'000'300, .end = 5'000'200}, "Add", "Add") + good.substr(0, 20));
        QVERIFY(run.result.ok());
        const std::string reported = dumpDiagnostics(run.result.value()->diagnostics);
        for (const char* one : {"lost raw.bad_record", "lost raw.bad_time", "lost raw.cut"})
            QVERIFY2(reported.find(one) != std::string::npos, reported.c_str());
        // A record within another one has the fields of neither.
        for (const char* one : {"mindspore.op_range x1 byte 108\n", "mindspore.op_range x2\n"})
            QVERIFY2(reported.find(one) != std::string::npos, reported.c_str());
    }
};

ALTI_TEST(TestRawMindspore)
#include "tst_raw_mindspore.moc"
