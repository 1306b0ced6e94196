#include "core/base/threads/parallel.h"
#include "core/import/import_capture.h"
#include "core/store/cache/store_cache.h"
#include "core/store/rows/row_table.h"
#include "tests/core/import/row_dump.h"
#include "tests/support/python_script.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <set>
#include <string>

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// What tests/support/count_tables.py, which knows nothing of our code, counts in the summary files of a folder.
/// @param rank  Among the files of MindSpore up to 2.3, which are those of several ranks.
nlohmann::json tablesByScript(const std::filesystem::path& folder, const std::string& rank) {
    return nlohmann::json::parse(runScript("count_tables.py", {folder, rank}).value_or(""), nullptr, false);
}

/// The rank with that number, else the first one.
RankEntry importedRank(const std::filesystem::path& folder, const StoreCache* cache, const std::string& number = "*") {
    WorkerArena arena(2);
    RankEntry entry;
    arena.run([&] {
        ProgressSlot progress;
        reader::ImportOptions options;
        options.cache = cache;
        options.preferText = true;
        const auto capture = reader::importCapture(folder, options, progress, {});
        if (!capture.ok()) return;
        entry = capture.value()->ranks.front();
        for (const RankEntry& rank : capture.value()->ranks) {
            if (rank.info.rankId && std::to_string(*rank.info.rankId) == number) entry = rank;
        }
    });
    return entry;
}

/// Rows of a table as texts, without order.
std::multiset<std::string> rowTexts(const RowTables& tables, RowKind kind) {
    std::multiset<std::string> rows;
    const RowTable* table = tables.find(kind);
    for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
        std::string text;
        for (std::size_t column = 0; column < rowColumns(kind).size(); ++column)
            text += cellText(tables, *table, column, row) + '|';
        rows.insert(std::move(text));
    }
    return rows;
}

/// FNV-1a.
std::uint64_t textHash(std::string_view text) {
    std::uint64_t value = 0xcbf29ce484222325U;
    for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return value;
}

/// The script's number for a column: a sum modulo 2^63, or how many cells hold a text; "column*row": values and texts
/// by their rows.
std::uint64_t columnSum(const RowTables& tables, const RowTable& table, std::string name) {
    static constexpr std::string_view kByRow = "*row";
    if (name == "rows") return table.size();
    const bool isByRow = name.ends_with(kByRow);
    if (isByRow) name.resize(name.size() - kByRow.size());
    const std::size_t column = rowColumn(table.kind(), name);
    const bool isText = rowColumns(table.kind())[column].cell == RowCell::Text;
    std::uint64_t sum = 0;
    for (std::size_t row = 0; row < table.size(); ++row) {
        const auto value = table.integer(column, row);
        if (!value) continue;
        const std::uint64_t amount = isText ? (isByRow ? textHash(tables.text(*table.text(column, row))) : 1)
                                            : static_cast<std::uint64_t>(*value);
        sum += isByRow ? amount * (row + 1) : amount;
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
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("rank");
        const QString torch = QStringLiteral("ASCEND_PROFILER_OUTPUT"), any = QStringLiteral("*");
        for (const char* folder : {"torch_text/level0/rank0_ascend_pt", "torch_text/level0/rank1_ascend_pt",
                                   "torch_text/level1/rank0_ascend_pt", "torch_text/level1/rank1_ascend_pt",
                                   "torch_cluster_level2/rank_0_ascend_pt", "torch_cluster_level2/rank_1_ascend_pt",
                                   "test_ranks/test_rank_0", "test_ranks/test_rank_1", "raw/torch/expected"})
            QTest::addRow("%s", folder) << QString::fromUtf8(folder) << torch << any;
        for (const char* folder : {"raw/small/expected", "raw/flip_ffts/expected"})
            QTest::addRow("%s", folder) << QString::fromUtf8(folder) << QStringLiteral("mindstudio_profiler_output")
                                        << any;
        QTest::addRow("mindspore_legacy/run_1")
            << QStringLiteral("mindspore_legacy/run_1") << QStringLiteral("profiler") << QStringLiteral("1");
        for (const char* rank : {"0", "1"})
            QTest::addRow("mindspore_legacy/cluster, rank %s", rank)
                << QStringLiteral("mindspore_legacy") << QStringLiteral("cluster") << QString::fromUtf8(rank);
    }
    void sums() {
        QFETCH(QString, folder);
        QFETCH(QString, output);
        QFETCH(QString, rank);
        const auto path = sharedData(folder.toStdString());
        if (!path) QSKIP(kNoSharedData);
        const nlohmann::json counted = tablesByScript(*path / output.toStdString(), rank.toStdString());
        QVERIFY(counted.is_object() && !counted.empty());
        QTemporaryDir cacheFolder;
        const StoreCache cache(cacheFolder.path().toStdString());
        // The second time from the cache.
        for (int opening = 0; opening < 2; ++opening) {
            const RankEntry imported =
                importedRank(folder == QStringLiteral("mindspore_legacy") ? *path / output.toStdString() : *path,
                             &cache, rank.toStdString());
            QVERIFY(imported.rows != nullptr);
            for (const auto& [table, columns] : counted.items()) {
                const RowTable* found = nullptr;
                for (const RowTable& one : imported.rows->tables())
                    found = rowKindName(one.kind()) == table ? &one : found;
                QVERIFY2(found != nullptr, table.c_str());
                for (const auto& [column, expected] : columns.items()) {
                    const std::string where = table + "." + column;
                    QVERIFY2(columnSum(*imported.rows, *found, column) == expected.get<std::uint64_t>(), where.c_str());
                }
            }
        }
    }

    /// communication.json, communication_matrix.json and step_trace_time.csv beside analysis.db hold the same.
    void textAndAnalysisDatabase_data() {
        QTest::addColumn<QString>("folder");
        for (const char* folder : {"torch_cluster_level2/rank_0_ascend_pt", "torch_cluster_level2/rank_1_ascend_pt"})
            QTest::addRow("%s", folder) << QString::fromUtf8(folder);
    }
    void textAndAnalysisDatabase() {
        QFETCH(QString, folder);
        const auto path = sharedData(folder.toStdString());
        if (!path) QSKIP(kNoSharedData);
        const QTemporaryDir alone;
        const std::filesystem::path copy = alone.path().toStdString() + "/rank_ascend_pt";
        std::filesystem::create_directories(copy / "ASCEND_PROFILER_OUTPUT");
        for (const auto& entry : std::filesystem::directory_iterator(*path)) {
            if (entry.is_regular_file()) std::filesystem::copy_file(entry.path(), copy / entry.path().filename());
        }
        std::filesystem::copy_file(*path / "ASCEND_PROFILER_OUTPUT/analysis.db",
                                   copy / "ASCEND_PROFILER_OUTPUT/analysis.db");
        const RankEntry text = importedRank(*path, nullptr), database = importedRank(copy, nullptr);
        QVERIFY(text.rows != nullptr && database.rows != nullptr);
        for (const RowKind kind : {RowKind::Collective, RowKind::Bandwidth, RowKind::Packet, RowKind::Link}) {
            std::multiset<std::string> fromText = rowTexts(*text.rows, kind),
                                       fromDatabase = rowTexts(*database.rows, kind);
            QVERIFY(!fromText.empty());
            for (const std::string& row : fromText)
                QVERIFY2(fromDatabase.contains(row), (std::string(rowKindName(kind)) + ' ' + row).c_str());
            QCOMPARE(fromDatabase.size(), fromText.size());
        }
    }

    /// Kernels that an old timeline counts from its first one on are on it, all of them.
    void legacyKernelsFindTheirSlices() {
        const auto path = sharedData("mindspore_legacy/run_1/profiler");
        if (!path) QSKIP(kNoSharedData);
        const RankEntry rank = importedRank(*path, nullptr);
        const RowTable& kernels = *rank.rows->find(RowKind::Kernel);
        QCOMPARE(kernels.presentCount(fixedColumn(RowKind::Kernel, "slice_id")), kernels.size());
        QCOMPARE(kernels.integer(fixedColumn(RowKind::Kernel, "ts"), 0), std::optional<std::int64_t>(0));
    }

    /// Starts of files differ by 1 ns at most, and every kernel of these runs is on the timeline.
    void kernelsFindTheirSlices() {
        const auto path = sharedData("torch_text/level1/rank0_ascend_pt");
        if (!path) QSKIP(kNoSharedData);
        const RankEntry rank = importedRank(*path, nullptr);
        const RowTable& kernels = *rank.rows->find(RowKind::Kernel);
        for (std::size_t row = 0; row < kernels.size(); ++row) {
            const auto slice = kernels.integer(fixedColumn(RowKind::Kernel, "slice_id"), row);
            QVERIFY(slice.has_value());
            const SliceIndex index{static_cast<std::uint32_t>(*slice)};
            QCOMPARE(rank.trace->name(index),
                     rank.rows->text(*kernels.text(fixedColumn(RowKind::Kernel, "name"), row)));
            QVERIFY(std::abs(rank.trace->begin(index).value -
                             *kernels.integer(fixedColumn(RowKind::Kernel, "ts"), row)) <= 1);
        }
    }
};

ALTI_TEST(TestRealTables)
#include "tst_real_tables.moc"
