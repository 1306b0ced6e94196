#include "core/base/threads/parallel.h"
#include "core/import/import_capture.h"
#include "tests/support/capture_dump.h"
#include "tests/support/python_script.h"
#include "tests/support/shared_data.h"
#include "tests/support/table_text.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

QString shown(const std::string& text) { return QString::fromStdString(text); }

}  // namespace

/// Summary tables from databases of real runs.
class TestRealDatabases : public QObject {
    Q_OBJECT

private slots:
    void realSums_data();
    void realSums();
    void realTwins_data();
    void realTwins();
};

void TestRealDatabases::realSums_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QStringList>("databases");
    const auto row = [](const char* folder, const QStringList& databases) {
        QTest::addRow("%s", folder) << QString::fromUtf8(folder) << databases;
    };
    const QString torch = QStringLiteral("ASCEND_PROFILER_OUTPUT/");
    for (int rank = 0; rank < 2; ++rank)
        row(("torch_db/level1/rank" + std::to_string(rank) + "_ascend_pt").c_str(),
            {torch + QStringLiteral("ascend_pytorch_profiler_%1.db").arg(rank), torch + QStringLiteral("analysis.db")});
    row("msprof_db", {QStringLiteral("msprof_0.db")});
    row("raw/small/expected",
        {QStringLiteral("msprof_20261121082146.db"), QStringLiteral("analyze/communication_analyzer.db")});
    row("raw/flip_ffts/expected",
        {QStringLiteral("msprof_20261121082149.db"), QStringLiteral("analyze/communication_analyzer.db")});
}

/// What a script that knows nothing of our code counts in the databases of real runs.
void TestRealDatabases::realSums() {
    QFETCH(QString, folder);
    QFETCH(QStringList, databases);
    const auto path = sharedData(folder.toStdString());
    if (!path) QSKIP(kNoSharedData);
    std::vector<std::filesystem::path> files;
    for (const QString& file : databases) files.push_back(*path / file.toStdString());
    const auto counted = nlohmann::json::parse(runScript("count_db_tables.py", files).value_or(""), nullptr, false);
    QVERIFY(counted.is_object() && !counted.empty());
    const auto result = importForTest(*path);
    QVERIFY(result.ok());
    const RowTables* rows = result.value()->ranks.at(0).rows.get();
    QVERIFY(rows != nullptr);
    for (const auto& [table, columns] : counted.items()) {
        const RowKind kind = kindOf(table);
        const RowTable* found = rows->find(kind);
        QVERIFY2(found != nullptr, table.c_str());
        for (const auto& [name, expected] : columns.items()) {
            std::uint64_t sum = 0;
            const std::size_t column = rowColumn(kind, name);
            for (std::size_t r = 0; r < found->size() && name != "rows"; ++r) {
                const auto value = found->integer(column, r);
                if (value)
                    sum += rowColumns(kind)[column].cell == RowCell::Text ? 1 : static_cast<std::uint64_t>(*value);
            }
            if (name == "rows") sum = found->size();
            QVERIFY2((sum & (~std::uint64_t{0} >> 1)) == expected.get<std::uint64_t>(), (table + "." + name).c_str());
        }
    }
}

void TestRealDatabases::realTwins_data() {
    QTest::addColumn<QString>("folder");
    for (const char* folder : {"raw/small/expected", "raw/flip_ffts/expected"})
        QTest::addRow("%s", folder) << QString::fromUtf8(folder);
}

/// Text and database of one input give the same rows; metrics apart, which the text rounds.
void TestRealDatabases::realTwins() {
    QFETCH(QString, folder);
    const auto path = sharedData(folder.toStdString());
    if (!path) QSKIP(kNoSharedData);
    WorkerArena arena(2);
    std::array<std::shared_ptr<const RowTables>, 2> rows;
    for (const bool preferText : {true, false}) {
        arena.run([&] {
            ProgressSlot progress;
            reader::ImportOptions options;
            options.preferText = preferText;
            const auto result = reader::importCapture(*path, options, progress, {});
            if (result.ok()) rows[preferText ? 0 : 1] = result.value()->ranks.at(0).rows;
        });
    }
    QVERIFY(rows[0] && rows[1]);
    for (const RowKind kind : {RowKind::Collective, RowKind::Bandwidth, RowKind::Packet, RowKind::Link})
        QCOMPARE(shown(tableText(rows[1].get(), kind)), shown(tableText(rows[0].get(), kind)));
    const RowTable &text = *rows[0]->find(RowKind::Kernel), &table = *rows[1]->find(RowKind::Kernel);
    QCOMPARE(table.size(), text.size());
    for (const char* name : {"kind", "name", "type", "accelerator_core", "stream", "ts", "dur", "wait", "block_num",
                             "input_shapes", "input_types", "input_formats", "output_shapes", "device_id"}) {
        const std::size_t column = rowColumn(RowKind::Kernel, name);
        const bool isText = rowColumns(RowKind::Kernel)[column].cell == RowCell::Text;
        for (std::size_t r = 0; r < text.size(); ++r) {
            const auto a = text.integer(column, r), b = table.integer(column, r);
            QVERIFY2(a.has_value() == b.has_value(), name);
            if (!a) continue;
            if (isText)
                QCOMPARE(shown(std::string(rows[1]->text(*table.text(column, r)))),
                         shown(std::string(rows[0]->text(*text.text(column, r)))));
            else QVERIFY2(*a == *b, (std::string(name) + ' ' + std::to_string(*a) + ' ' + std::to_string(*b)).c_str());
        }
    }
}

ALTI_TEST(TestRealDatabases)
#include "tst_real_databases.moc"
