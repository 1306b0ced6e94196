#include "core/store/columns/trace_store.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

std::string named(const std::string& what, const std::string& name, const std::string& rest = {}) {
    return R"({"ph":"M","name":")" + what + R"(","pid":5,"tid":1,"args":{"name":")" + name + "\"}" + rest + "}";
}

std::string slice(const std::string& name, int time) {
    return R"({"ph":"X","name":")" + name + R"(","pid":5,"tid":1,"ts":)" + std::to_string(time) + R"(,"dur":2})";
}

std::string joined(const std::vector<std::string>& records) {
    std::string text = "[";
    for (const std::string& record : records) text += (text.size() > 1 ? ",\n" : "") + record;
    return text + "]";
}

/// "process/thread: slices", a line for each track, sorted.
std::string slicesByProcess(const ImportResult& result) {
    if (!result.ok()) return "error " + result.error().code;
    const TraceStore& store = *result.value()->ranks.at(0).trace;
    std::set<std::string> lines;
    for (std::uint32_t track = 0; track < store.tracks().size(); ++track) {
        std::string line = store.tracks()[track].process + '/' + store.tracks()[track].thread + ':';
        const TrackExtent& extent = store.extent({track});
        for (std::uint32_t i = 0; i < extent.sliceCount; ++i)
            line += ' ' + std::string(store.name({extent.firstSlice + i}));
        lines.insert(line);
    }
    std::string all;
    for (const std::string& line : lines) all += line + '\n';
    return all;
}

}  // namespace

class TestReusedPids : public QObject {
    Q_OBJECT

private slots:
    void slicesGetTheNameOfALaterProcess_data();
    void slicesGetTheNameOfALaterProcess();
    void tracksOfOnePidHaveIdsOfTheirOwn();
};

void TestReusedPids::slicesGetTheNameOfALaterProcess_data() {
    QTest::addColumn<QString>("trace");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* clause, const std::vector<std::string>& records, const char* expected) {
        QTest::addRow("%s", clause) << QString::fromStdString(joined(records)) << QString::fromUtf8(expected);
    };
    row("two processes",
        {named("process_name", "A"), named("thread_name", "t"), slice("a", 1), named("process_name", "B"),
         named("thread_name", "u"), slice("b", 5)},
        "A/t: a\nB/u: b\n");
    row("one thread's name", {named("process_name", "A"), slice("a", 1), named("process_name", "B"), slice("b", 5)},
        "A/Thread 1: a\nB/Thread 1: b\n");
    row("the first one again",
        {named("process_name", "A"), slice("a", 1), named("process_name", "B"), slice("b", 5),
         named("process_name", "A"), slice("c", 9)},
        "A/Thread 1: a c\nB/Thread 1: b\n");
    row("a name that is repeated",
        {named("process_name", "A"), slice("a", 1), named("process_name", "A"), slice("b", 5)}, "A/Thread 1: a b\n");
    row("the name at the end", {slice("a", 1), slice("b", 5), named("process_name", "A")}, "A/Thread 1: a b\n");
    row("begun before the name changed",
        {named("process_name", "A"), R"({"ph":"B","name":"a","pid":5,"tid":1,"ts":1})", named("process_name", "B"),
         R"({"ph":"E","pid":5,"tid":1,"ts":4})", slice("b", 5)},
        "A/Thread 1: a\nB/Thread 1: b\n");
}

void TestReusedPids::slicesGetTheNameOfALaterProcess() {
    QFETCH(QString, trace);
    QFETCH(QString, expected);
    const TestFolder folder;
    // Also where the parts are read by several workers.
    for (const std::size_t chunk : {std::size_t{1} << 20, std::size_t{64}}) {
        const auto result = importForTest(folder.write("t.json", trace.toStdString()), {.chunkBytes = chunk});
        QCOMPARE(QString::fromStdString(slicesByProcess(result)), expected);
        QVERIFY(result.value()->diagnostics.entries().empty());
    }
}

void TestReusedPids::tracksOfOnePidHaveIdsOfTheirOwn() {
    const TestFolder folder;
    const auto idsOf = [&](const std::vector<std::string>& records) {
        const auto result = importForTest(folder.write("t.json", joined(records)));
        std::set<std::int64_t> ids;
        for (const Track& track : result.value()->ranks.at(0).trace->tracks()) ids.insert(track.id.value);
        return ids;
    };
    const auto alone = idsOf({named("process_name", "A"), slice("a", 1)});
    const auto both = idsOf({named("process_name", "A"), slice("a", 1), named("process_name", "B"), slice("b", 5)});
    QCOMPARE(both.size(), std::size_t{2});
    // The first one keeps its own.
    QVERIFY(both.contains(*alone.begin()));
}

ALTI_TEST(TestReusedPids)
#include "tst_reused_pids.moc"
