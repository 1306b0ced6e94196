#include "core/analysis/memory/memory_peaks.h"
#include "tests/core/analysis/memory_rows.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

using namespace altiscope;
using namespace altiscope::test;

namespace {

MemorySeriesSet setOf(const std::vector<SampleRow>& rows) { return memorySeries(sampleRows(rows), false, {}).value(); }

/// "9@20"; "-" without one.
QString text(const std::optional<MemoryPeakPoint>& point) {
    return point ? QStringLiteral("%1@%2").arg(point->value).arg(point->at.value) : QStringLiteral("-");
}

}  // namespace

class TestMemoryPeaks : public QObject {
    Q_OBJECT
private slots:
    void theFirstOfEqualPeaks() {
        // Component, time, allocated, reserved.
        const auto set = setOf({{"PTA", 10, 5, 20}, {"PTA", 20, 9, 30}, {"PTA", 30, 9, 30}, {"PTA", 40, 2, 10}});
        const std::vector<TimeRange> apart{{{0}, {15}}, {{15}, {25}}, {{25}, {45}}};
        for (const auto& times : {std::optional<std::vector<TimeRange>>(), std::optional(apart)}) {
            const auto peaks = componentPeaks(set, times);
            QCOMPARE(peaks.size(), std::size_t{1});
            QCOMPARE(peaks[0].samples, std::uint64_t{4});
            QCOMPARE(text(peaks[0].allocated), QStringLiteral("9@20"));
            QCOMPARE(text(peaks[0].reserved), QStringLiteral("30@20"));
            QCOMPARE(text(peaks[0].active), QStringLiteral("-"));
            QCOMPARE(text(peaks[0].fragmentation), QStringLiteral("800000000@40"));
            QCOMPARE(peaks[0].allocatedThen, Cell(9));
            QCOMPARE(text(leadingPeak(*leadingSeries(set), times)), QStringLiteral("9@20"));
        }
    }

    void theEndOfARangeIsOutside() {
        const auto set = setOf({{"PTA", 10, 5, 20}, {"PTA", 20, 9, 30}});
        for (const auto& [end, peak] : {std::pair(20, "5@10"), {21, "9@20"}}) {
            const std::vector<TimeRange> times{{{10}, {end}}};
            QCOMPARE(text(componentPeaks(set, times).at(0).allocated), QString::fromUtf8(peak));
        }
        QVERIFY(componentPeaks(set, std::vector<TimeRange>{{{11}, {20}}}).empty());
    }

    void modulesInAnyOrder() {
        const auto module = [](const char* name, const char* ts, const char* reserved) {
            return RowText{{"component", name}, {"ts", ts}, {"reserved", reserved}};
        };
        const auto rows = test::rowsOf(RowKind::ModuleMemory, {module("HCCL", "30", "7"), module("HCCL", "20", "7"),
                                                               module("HCCL", "25", "6"), module("GE", "10", "-4")});
        const auto peaks = modulePeaks(*rows, std::nullopt, {});
        QCOMPARE(peaks.size(), std::size_t{2});
        for (const ComponentPeak& peak : peaks) {
            QVERIFY(peak.isModule);
            QCOMPARE(text(peak.reserved),
                     peak.owner.component == "HCCL" ? QStringLiteral("7@20") : QStringLiteral("-"));
        }
        const auto late = modulePeaks(*rows, std::vector<TimeRange>{{{25}, {31}}}, {});
        QCOMPARE(late.size(), std::size_t{1});
        QCOMPARE(late[0].samples, std::uint64_t{2});
        QCOMPARE(text(late[0].reserved), QStringLiteral("7@30"));
    }

    void theSeriesThatTellsMostLeads() {
        const auto leads = [](const std::vector<SampleRow>& rows) {
            return std::string(leadingSeries(setOf(rows))->component());
        };
        QCOMPARE((leads({{"GE", 1, 1, 1}, {"PTA", 1, 1, 1}, {"PTA+GE", 1, 1, 1}})), std::string("PTA+GE"));
        QCOMPARE((leads({{"GE", 1, 1, 1}, {"PTA", 1, 1, 1}})), std::string("PTA"));
        QCOMPARE((leads({{"GE", 1, 1, 1}, {"PTA", 1, {}, 1}})), std::string("GE"));
        QVERIFY(leadingSeries({}) == nullptr);
    }
};

ALTI_TEST(TestMemoryPeaks)
#include "tst_memory_peaks.moc"
