#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <string>

using namespace altiscope;
using namespace altiscope::test;

namespace {

std::string slice(const std::string& name, int ts, const std::string& args) {
    return "{\"ph\":\"X\",\"name\":\"" + name + "\",\"pid\":1,\"tid\":1,\"ts\":" + std::to_string(ts) +
           ",\"dur\":1,\"args\":" + args + "}";
}

std::string nested(int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
}

std::string dumpOf(const std::string& text) {
    const TestFolder folder;
    return dumpImport(importForTest(folder.write("t.json", text)));
}

/// Where the second of two records begins in the texts below.
std::string secondByte() { return std::to_string(std::string("[,\n").size() + slice("a", 1, "{}").size()); }

}  // namespace

class TestLimits : public QObject {
    Q_OBJECT

private slots:
    /// One character more than the limit, one less, and far below it.
    void recordOfMegabytes_data() {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<bool>("isRead");
        static constexpr qint64 kLimit = 16 << 20;
        QTest::addRow("15 MB") << qint64{15'000'000} << true;
        QTest::addRow("the limit") << kLimit - 1 << true;
        QTest::addRow("above") << kLimit + 1 << false;
        QTest::addRow("40 MB") << qint64{40'000'000} << false;
    }
    void recordOfMegabytes() {
        QFETCH(qint64, bytes);
        QFETCH(bool, isRead);
        const std::size_t frame = slice("b", 2, "{\"x\":\"\"}").size();
        const std::string big =
            slice("b", 2, "{\"x\":\"" + std::string(static_cast<std::size_t>(bytes) - frame, 'y') + "\"}");
        const std::string out = dumpOf("[" + slice("a", 1, "{}") + ",\n" + big + ",\n" + slice("c", 3, "{}") + "]");
        QVERIFY(out.find("slice 1/1 d0 a ") != std::string::npos && out.find("slice 1/1 d0 c ") != std::string::npos);
        QCOMPARE(out.find("slice 1/1 d0 b ") != std::string::npos, isRead);
        QCOMPARE(out.find("lost record_too_large t.json x1 byte " + secondByte()) != std::string::npos, !isRead);
        QVERIFY(out.find("broken_record") == std::string::npos);
    }

    void nestingOfARecord_data() {
        QTest::addColumn<int>("depth");
        QTest::addColumn<bool>("isRead");
        QTest::addRow("64") << 64 << true;
        for (const int depth : {65, 66, 67, 1000, 100000}) QTest::addRow("%d", depth) << depth << false;
    }
    void nestingOfARecord() {
        QFETCH(int, depth);
        QFETCH(bool, isRead);
        const std::string out = dumpOf("[" + slice("a", 1, "{}") + ",\n" + slice("b", 2, nested(depth)) + ",\n" +
                                       slice("c", 3, "{}") + "]");
        QVERIFY(out.find("slice 1/1 d0 a ") != std::string::npos && out.find("slice 1/1 d0 c ") != std::string::npos);
        QCOMPARE(out.find("slice 1/1 d0 b ") != std::string::npos, isRead);
        QCOMPARE(out.find("lost record_too_deep t.json x1 byte " + secondByte()) != std::string::npos, !isRead);
        QVERIFY(out.find("broken_record") == std::string::npos);
    }

    /// The sentence names the limit.
    void limitsAreNamed() {
        const TestFolder folder;
        const auto imported =
            importForTest(folder.write("t.json", "[" + slice("a", 1, "{}") + ",\n" + slice("b", 2, nested(70)) + "]"));
        QVERIFY(imported.value()->diagnostics.entries().front().message("en").find("64") != std::string::npos);
    }

    void metadataNestedTooDeep() {
        const TestFolder folder;
        folder.write("trace_view.json", "[" + slice("a", 1, "{}") + "]");
        folder.write("profiler_info_0.json", "{\"a\":" + nested(100) + "}");
        const auto imported = importForTest(folder.path());
        QCOMPARE(dumpDiagnostics(imported.value()->diagnostics),
                 std::string("lost json.too_deep profiler_info_0.json x1 byte 70\n"));
    }

    void valueInFrontOfTheEventsIsTooLarge() {
        const TestFolder folder;
        const auto path = folder.write("t.json", "{\"notes\":\"" + std::string(std::size_t{17} << 20, 'y') +
                                                     "\",\"traceEvents\":[" + slice("a", 1, "{}") + "]}");
        const auto imported = importForTest(path);
        QVERIFY(imported.failed());
        QCOMPARE(imported.error().code, std::string("trace.head_too_large"));
        QCOMPARE(imported.error().place, std::string("byte 9"));
        QCOMPARE(imported.error().parameters.front().second, std::string("16777216"));
    }

    /// Times were left out from the year 2043 on.
    void timesUpTo2116_data() {
        QTest::addColumn<QString>("us");
        QTest::addColumn<bool>("isRead");
        QTest::addRow("2043") << QStringLiteral("2305843009213694") << true;
        QTest::addRow("2100") << QStringLiteral("4102444800000000.001") << true;
        QTest::addRow("2^62 ns - 1") << QStringLiteral("4611686018427387.903") << true;
        QTest::addRow("2^62 ns") << QStringLiteral("4611686018427387.904") << false;
        QTest::addRow("2^63 ns") << QStringLiteral("9223372036854775.808") << false;
    }
    void timesUpTo2116() {
        QFETCH(QString, us);
        QFETCH(bool, isRead);
        const std::string out =
            dumpOf("[{\"ph\":\"i\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":" + us.toStdString() + "}]");
        QCOMPARE(out.find("instant 1/1 a ") != std::string::npos, isRead);
        QCOMPARE(out.find("lost out_of_range t.json x1 byte 1") != std::string::npos, !isRead);
    }

    /// One event at time 0 stretched the time that is shown to all the years since 1970, without a word.
    void eventFarFromAllOthersIsNamed_data() {
        QTest::addColumn<int>("others");
        for (const int others : {3, 10, 200}) QTest::addRow("%d others", others) << others;
    }
    void eventFarFromAllOthersIsNamed() {
        QFETCH(int, others);
        std::string text = "[";
        for (int i = 0; i < others; ++i) text += slice("a", 1'000'000'000 + 10 * i, "{}") + ",\n";
        const std::size_t place = text.size();
        const TestFolder folder;
        const auto imported = importForTest(folder.write("t.json", text + slice("zero", 0, "{}") + "]"));
        const TraceStore& trace = *imported.value()->ranks.front().trace;
        QCOMPARE(trace.sliceCount(), static_cast<std::uint64_t>(others) + 1);
        QCOMPARE(trace.homeRange().begin.value, std::int64_t{1'000'000'000'000});
        QCOMPARE(dumpDiagnostics(imported.value()->diagnostics),
                 "info far_event t.json x1 byte " + std::to_string(place) + "\n");
        QVERIFY(imported.value()->state == CaptureStore::State::Ok);
    }

    /// What begins in time and ends beyond it keeps its begin.
    void endsBeyondTime() {
        const std::string out =
            dumpOf("[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":4611686018427387,\"dur\":1000}]");
        QVERIFY(out.find("slice 1/1 d0 a [4611686018427387000,+0)") != std::string::npos);
        QVERIFY(out.find("repaired duration_out_of_range t.json x1 byte 1") != std::string::npos);
    }
};

ALTI_TEST(TestLimits)
#include "tst_limits.moc"
