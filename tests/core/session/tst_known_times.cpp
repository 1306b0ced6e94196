#include "core/session/reading/known_times.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

using namespace altiscope;

namespace {

CaptureStore captureOf(const std::string& path, const std::string& trace, std::vector<Step> steps) {
    CaptureStore capture;
    RankEntry& rank = capture.ranks.emplace_back();
    rank.info.path = path;
    rank.trace = test::traceFromText(trace);
    rank.steps = std::move(steps);
    return capture;
}

/// "[0,10) 4:[1,2) 5:[3,4)"
QString text(const KnownTimes& known) {
    const auto rangeText = [](const TimeRange& range) {
        return QStringLiteral("[%1,%2)").arg(range.begin.value).arg(range.end.value);
    };
    QString line = known.range ? rangeText(*known.range) : QStringLiteral("-");
    for (const Step& step : known.steps)
        line += QStringLiteral(" %1:%2").arg(step.number).arg(step.range ? rangeText(*step.range) : QString());
    return line;
}

}  // namespace

class TestKnownTimes : public QObject {
    Q_OBJECT
private slots:
    /// Windows of a rank that were read one after the other, in any order, and other ranks.
    void whatIsReadAddsUp() {
        const CaptureStore parts[] = {
            captureOf("rank0", "p1/t1: A[100,200)", {{4, TimeRange{{90}, {150}}}, {5, TimeRange{{150}, {210}}}}),
            captureOf("rank0", "p1/t1: A[120,160)", {{5, TimeRange{{140}, {160}}}, {6, std::nullopt}}),
            captureOf("rank1", "p1/t1: A[50,60)", {{4, TimeRange{{40}, {70}}}}),
            captureOf("rank3", "p1/t1: A[70,80)", {})};
        for (const bool isBackwards : {false, true}) {
            RankTimes times;
            QVERIFY(!times.origin());
            QCOMPARE(text(times.of("rank0")), QStringLiteral("-"));
            for (int i = 0; i < 4; ++i) times.add(parts[isBackwards ? 3 - i : i]);
            QCOMPARE(text(times.of("rank0")), QStringLiteral("[100,200) 4:[90,150) 5:[140,210)"));
            QCOMPARE(text(times.of("rank1")), QStringLiteral("[50,60) 4:[40,70)"));
            // Of a rank of which nothing was read, what all others tell.
            QCOMPARE(text(times.of("rank2")), QStringLiteral("[50,200) 4:[40,150) 5:[140,210)"));
            QCOMPARE(times.origin()->value, std::int64_t{50});
        }
    }
};

ALTI_TEST(TestKnownTimes)
#include "tst_known_times.moc"
