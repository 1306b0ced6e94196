#include "tests/core/generate/capture_reading.h"
#include "tests/core/import/row_dump.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

using Matches = std::function<bool(const std::string&)>;
Matches is(std::string text) {
    return [text = std::move(text)](const std::string& cell) { return cell == text; };
}
Matches holds(std::string text) {
    return [text = std::move(text)](const std::string& cell) { return cell.find(text) != std::string::npos; };
}

/// Cells of a column in the rows where another column matches.
std::vector<std::int64_t> cellsWhere(const RankEntry& rank, RowKind kind, std::string_view column,
                                     std::string_view where, const Matches& matches) {
    std::vector<std::int64_t> cells;
    const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(kind);
    for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
        if (matches(cellText(*rank.rows, *table, rowColumn(kind, where), row)))
            cells.push_back(table->integer(rowColumn(kind, column), row).value_or(-1));
    }
    return cells;
}

std::vector<std::int64_t> sorted(std::vector<std::int64_t> values) {
    std::sort(values.begin(), values.end());
    return values;
}

}  // namespace

/// Memory snapshots of a generated run, read back beside its memory files.
class TestSnapshotTwin : public QObject {
    Q_OBJECT
private slots:
    void allocationsAreThoseOfTheMemoryFiles_data() {
        QTest::addColumn<QString>("model");
        QTest::addRow("transformer") << "transformer";
        QTest::addRow("residual network") << "resnet";
    }
    void allocationsAreThoseOfTheMemoryFiles() {
        QFETCH(QString, model);
        const GeneratedCapture made({"--format=text", "--format=snapshot", "--model=" + model.toStdString(),
                                     "--ranks=2", "--steps=3", "--layers=2"});
        QVERIFY(made.summary.ok());
        const auto result = importForTest(made.path());
        QVERIFY(result.ok());
        QCOMPARE(result.value()->ranks.size(), std::size_t{2});
        for (const RankEntry& rank : result.value()->ranks) {
            QVERIFY(rank.trace != nullptr && rank.rows != nullptr);
            // Blocks of the graph engine, which has no streams, are not the framework's; the model is in no memory file.
            const Matches isOfFramework = [](const std::string& stream) { return stream != "-"; };
            auto sizes = cellsWhere(rank, RowKind::Allocation, "size", "stream", isOfFramework);
            QVERIFY(!sizes.empty());
            const auto blocks = cellsWhere(rank, RowKind::SnapshotBlock, "requested", "stack", holds("): build"));
            QVERIFY(!blocks.empty());
            sizes.insert(sizes.end(), blocks.begin(), blocks.end());
            QCOMPARE(sorted(cellsWhere(rank, RowKind::SnapshotEvent, "size", "action", is("alloc"))), sorted(sizes));

            const auto samples = cellsWhere(rank, RowKind::MemorySample, "allocated", "component", is("PTA"));
            const Matches all = [](const std::string&) { return true; };
            const auto totals = cellsWhere(rank, RowKind::SnapshotEvent, "allocated", "action", all);
            QCOMPARE(totals.back(), samples.back());
        }
        for (const Diagnostic& one : result.value()->diagnostics.entries())
            QVERIFY2(!one.code.starts_with("snapshot."), one.code.c_str());
    }

    void leaksKeepABlockInEachStep() {
        const GeneratedCapture made(
            {"--format=snapshot", "--ranks=1", "--steps=4", "--layers=2", "--plant=leak=8000000"});
        QVERIFY(made.summary.ok());
        const auto result = importForTest(made.path() / "memory_snapshot" / "snapshot_0.pickle");
        QVERIFY(result.ok());
        const RankEntry& rank = result.value()->ranks.front();
        QCOMPARE(*rank.info.rankId, std::int64_t{0});
        QCOMPARE(cellsWhere(rank, RowKind::SnapshotBlock, "requested", "stack", holds("keep_outputs")),
                 std::vector<std::int64_t>(4, 8'000'000));
        QCOMPARE(dumpDiagnostics(result.value()->diagnostics), std::string());
    }
};

ALTI_TEST(TestSnapshotTwin)
#include "tst_snapshot_twin.moc"
