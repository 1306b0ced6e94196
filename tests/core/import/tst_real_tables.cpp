#include "core/base/parallel.h"
#include "core/import/import_capture.h"
#include "core/store/row_table.h"
#include "core/store/store_cache.h"
#include "tests/support/python_script.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <string>

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// What tests/support/count_tables.py, which knows nothing of our code, counts in the summary files of a folder.
nlohmann::json tablesByScript(const std::filesystem::path& folder) {
    return nlohmann::json::parse(askScript("count_tables.py", {folder}).value_or(""), nullptr, false);
}

RankEntry importedRank(const std::filesystem::path& folder, const StoreCache* cache) {
    WorkerArena arena(2);
    RankEntry entry;
    arena.run([&] {
        ProgressSlot progress;
        reader::ImportOptions options;
        options.cache = cache;
        const auto capture = reader::importCapture(folder, options, progress, {});
        if (capture.ok()) entry = capture.value()->ranks.front();
    });
    return entry;
}

/// The script's number for a column: a sum modulo 2^63, or how many cells hold a text.
std::uint64_t columnSum(const RowTable& table, const std::string& name) {
    if (name == "rows") return table.size();
    const std::size_t column = rowColumn(table.kind(), name);
    std::uint64_t sum = 0;
    for (std::size_t row = 0; row < table.size(); ++row) {
        const auto value = table.integer(column, row);
        if (value) sum += rowColumns(table.kind())[column].cell == RowCell::Text ? 1 : static_cast<std::uint64_t>(*value);
    }
    return sum & (~std::uint64_t{0} >> 1);
}

}  // namespace

/// Summary files of real runs.
class TestRealTables : public QObject {
    Q_OBJECT
private slots:
    void sums_data() {
        QTest::addColumn<QString>("folder");
        for (const char* folder :
             {"torch_text/level0/rank0_ascend_pt", "torch_text/level0/rank1_ascend_pt", "torch_text/level1/rank0_ascend_pt",
              "torch_text/level1/rank1_ascend_pt", "torch_cluster_level2/rank_0_ascend_pt", "torch_cluster_level2/rank_1_ascend_pt",
              "test_ranks/test_rank_0", "test_ranks/test_rank_1", "raw/torch/expected"})
            QTest::addRow("%s", folder) << QString::fromUtf8(folder);
    }
    void sums() {
        QFETCH(QString, folder);
        const auto path = sharedData(folder.toStdString());
        if (!path) QSKIP(kNoSharedData);
        const nlohmann::json counted = tablesByScript(*path / "ASCEND_PROFILER_OUTPUT");
        QVERIFY(counted.is_object() && !counted.empty());
        QTemporaryDir cacheFolder;
        const StoreCache cache(cacheFolder.path().toStdString());
        // The second time from the cache.
        for (int opening = 0; opening < 2; ++opening) {
            const RankEntry rank = importedRank(*path, &cache);
            QVERIFY(rank.rows != nullptr);
            for (const auto& [table, columns] : counted.items()) {
                const RowTable* found = nullptr;
                for (const RowTable& one : rank.rows->tables()) found = rowKindName(one.kind()) == table ? &one : found;
                QVERIFY2(found != nullptr, table.c_str());
                for (const auto& [column, expected] : columns.items()) {
                    const std::string where = table + "." + column;
                    QVERIFY2(columnSum(*found, column) == expected.get<std::uint64_t>(), where.c_str());
                }
            }
        }
    }

    /// Starts of files differ by 1 ns at most, and every kernel of these runs is on the timeline.
    void kernelsFindTheirSlices() {
        const auto path = sharedData("torch_text/level1/rank0_ascend_pt");
        if (!path) QSKIP(kNoSharedData);
        const RankEntry rank = importedRank(*path, nullptr);
        const RowTable& kernels = *rank.rows->find(RowKind::Kernel);
        for (std::size_t row = 0; row < kernels.size(); ++row) {
            const auto slice = kernels.integer(rowColumn(RowKind::Kernel, "slice_id"), row);
            QVERIFY(slice.has_value());
            const SliceIndex index{static_cast<std::uint32_t>(*slice)};
            QCOMPARE(rank.trace->name(index), rank.rows->text(*kernels.text(rowColumn(RowKind::Kernel, "name"), row)));
            QVERIFY(std::abs(rank.trace->begin(index).value - *kernels.integer(rowColumn(RowKind::Kernel, "ts"), row)) <= 1);
        }
    }
};

ALTI_TEST(TestRealTables)
#include "tst_real_tables.moc"
