#include "core/analysis/slices/slice_details.h"
#include "core/analysis/steps/steps.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

using namespace altiscope;
using altiscope::test::traceFromText;

namespace {

/// Gives each record an answer that a test can see.
class FixedArguments : public ArgumentSource {
public:
    explicit FixedArguments(Result<std::string> result) : m_result(std::move(result)) {}
    Result<std::string> arguments(SourcePos) const override { return m_result; }

private:
    Result<std::string> m_result;
};

CaptureStore captureOf(const std::string& text, Result<std::string> arguments) {
    CaptureStore capture;
    capture.ranks.emplace_back();
    capture.ranks[0].trace = traceFromText(text);
    capture.ranks[0].arguments = std::make_shared<FixedArguments>(std::move(arguments));
    return capture;
}

}  // namespace

class TestSliceDetails : public QObject {
    Q_OBJECT
private slots:
    void arguments_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("expected");  // key=text
        QTest::addRow("order of the source") << QByteArray("{\"b\":1,\"a\":\"x\"}") << QByteArray("b=1;a=x;");
        QTest::addRow("numbers beyond 64 bits") << QByteArray("{\"id\": 40006882869110636543, \"f\": 1.50}")
                                                << QByteArray("id=40006882869110636543;f=1.50;");
        QTest::addRow("nested values stay text")
            << QByteArray("{\"a\":{\"x\":[1,\"},{\"]},\"b\":null}") << QByteArray("a={\"x\":[1,\"},{\"]};b=null;");
        QTest::addRow("escapes") << QByteArray("{\"k\\\"1\":\"a\\nb\\\\\"}") << QByteArray("k\"1=a\nb\\;");
        QTest::addRow("empty object") << QByteArray("{}") << QByteArray("");
        QTest::addRow("blanks") << QByteArray(" { \"a\" : 1 , \"b\" : [ ] } ") << QByteArray("a=1;b=[ ];");
        QTest::addRow("no object") << QByteArray("[1,2]") << QByteArray("");
        QTest::addRow("broken") << QByteArray("{\"a\":") << QByteArray("");
        QTest::addRow("nothing") << QByteArray("") << QByteArray("");
    }
    void arguments() {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, expected);
        std::string got;
        for (const Argument& argument : splitArguments(json.toStdString()))
            got += argument.key + "=" + argument.text + ";";
        QCOMPARE(QByteArray::fromStdString(got), expected);
    }

    void describesASlice() {
        const CaptureStore capture =
            captureOf("p1/t1: A[0,100) B[10,40)\np1/t2: X[50,60)\nflow f:1 p1/t1@10 -> p1/t2@50",
                      std::string("{\"Input Dims\":\"2,3\",\"Call stack\":\"a.py(1): f;\\r\\nb.py(2): g\"}"));
        const TraceStore& store = *capture.ranks[0].trace;
        const SliceDetails b = describeSlice(capture, {0, {1}});
        QCOMPARE(b.name, std::string("B"));
        QCOMPARE(b.depth, 1U);
        QCOMPARE(b.duration.value, 30);
        QCOMPARE(store.name(b.parent), std::string_view("A"));
        QCOMPARE(b.arguments.size(), std::size_t{1});
        QCOMPARE(b.arguments[0].text, std::string("2,3"));
        QCOMPARE(b.callStack, (std::vector<std::string>{"a.py(1): f", "b.py(2): g"}));
        QCOMPARE(b.links.size(), std::size_t{1});
        QVERIFY(b.links[0].outgoing);
        QCOMPARE(store.name(b.links[0].slice), std::string_view("X"));
        QCOMPARE(b.links[0].time.value, 50);
        const SliceDetails x = describeSlice(capture, {0, b.links[0].slice});
        QVERIFY(!x.links[0].outgoing);
        QCOMPARE(x.links[0].slice.value, 1U);
        QCOMPARE(findSlice(capture, keyOf(capture, {0, {1}}))->slice.value, 1U);
        QVERIFY(!findSlice(capture, {7, {1}}).has_value());
    }

    void unreadableSourceIsSaid() {
        const CaptureStore capture = captureOf("p1/t1: A[0,100)", Error{"args.source_changed", "f", "", {}});
        const SliceDetails details = describeSlice(capture, {0, {0}});
        QCOMPARE(details.argumentsProblem, std::string("args.source_changed"));
        QCOMPARE(details.name, std::string("A"));
    }

    void aCancelledDescriptionReadsNoArguments() {
        const CaptureStore capture = captureOf("p1/t1: A[0,100)", std::string("{\"a\":1}"));
        const CancelToken cancel;
        cancel.requestCancel();
        const SliceDetails details = describeSlice(capture, {0, {0}}, cancel);
        QVERIFY(details.arguments.empty());
        QVERIFY(details.argumentsProblem.empty());
        QCOMPARE(describeSlice(capture, {0, {0}}).arguments.size(), std::size_t{1});
    }

    void stepsByNumber() {
        const auto store =
            traceFromText("p1/t1: ProfilerStep#12[100,200) ProfilerStep#5[0,90) ProfilerStep#x[0,5) ProfilerSte[1,2)\n"
                          "p1/t2: ProfilerStep#5[3,60)");
        const std::vector<Step> steps = findSteps(*store);
        QCOMPARE(steps.size(), std::size_t{2});
        QCOMPARE(steps[0].number, 5);
        QCOMPARE(*steps[0].range, (TimeRange{{0}, {90}}));  // the longest of the number's slices
        QCOMPARE(steps[1].number, 12);
    }
};

ALTI_TEST(TestSliceDetails)
#include "tst_slice_details.moc"
