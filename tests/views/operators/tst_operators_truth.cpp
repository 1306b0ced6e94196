#include "core/base/threads/parallel.h"
#include "core/generate/generate_capture.h"
#include "core/generate/options/generate_options.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/operators/operator_numbers.h"

#include <sqlite3.h>

#include <QDir>
#include <QFile>
#include <QHash>
#include <QStringList>
#include <QTemporaryDir>

#include <map>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

/// Type, core; or name, type, core; or name, type, core, shapes.
using Key = QStringList;

struct Sums {
    std::uint64_t count = 0;
    std::int64_t total = 0, min = 0, max = 0, wait = 0;

    void add(std::int64_t length, std::int64_t waited) {
        min = count == 0 ? length : std::min(min, length);
        max = count == 0 ? length : std::max(max, length);
        ++count;
        total += length;
        wait += waited;
    }
    bool operator==(const Sums&) const = default;
};

using Table = std::map<Key, Sums>;

/// Cells of a line of a CSV; quotes may hold commas.
QStringList cellsOf(const QString& line) {
    QStringList cells{QString()};
    bool isQuoted = false;
    for (const QChar letter : line) {
        if (letter == u'"') isQuoted = !isQuoted;
        else if (letter == u',' && !isQuoted) cells << QString();
        else cells.back() += letter;
    }
    for (QString& cell : cells) cell = cell.trimmed();
    return cells;
}

std::vector<QHash<QString, QString>> csvRows(const QString& path) {
    QFile file(path);
    std::vector<QHash<QString, QString>> rows;
    if (!file.open(QIODevice::ReadOnly)) return rows;
    const QStringList lines = QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts);
    const QStringList names = cellsOf(lines.value(0).trimmed());
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const QStringList cells = cellsOf(lines[i].trimmed());
        auto& row = rows.emplace_back();
        for (qsizetype column = 0; column < names.size(); ++column) row[names[column]] = cells.value(column);
    }
    return rows;
}

/// Microseconds as ns, halves up.
std::int64_t roundedNs(const QString& text) { return std::llround(text.toDouble() * 1000); }

bool isCollective(const QString& core) { return core == u"HCCL"_s || core == u"COMMUNICATION"_s; }

QString nothingIfAbsent(const QString& cell) { return cell == u"N/A"_s ? QString() : cell; }

Key keyFor(KernelGrouping grouping, const QString& name, const QString& type, const QString& core,
           const QString& shapes) {
    if (grouping == KernelGrouping::Type) return {type, core};
    if (grouping == KernelGrouping::Name) return {name, type, core};
    return {name, type, core, shapes};
}

Table fromCsv(const QString& path, KernelGrouping grouping) {
    Table table;
    for (const auto& row : csvRows(path)) {
        const QString core = nothingIfAbsent(row[u"Accelerator Core"_s]);
        const bool skipped = isCollective(core) || row[u"Name"_s].startsWith(u"hcom_"_s);
        if (skipped) continue;
        table[keyFor(grouping, row[u"Name"_s], nothingIfAbsent(row[u"Type"_s]), core,
                     nothingIfAbsent(row[u"Input Shapes"_s]))]
            .add(roundedNs(row[u"Duration(us)"_s]), roundedNs(row[u"Wait Time(us)"_s]));
    }
    return table;
}

/// Waits are not in a database.
Table fromDatabase(const QString& path, KernelGrouping grouping) {
    Table table;
    sqlite3* db = nullptr;
    sqlite3_open_v2((u"file:"_s + path + u"?immutable=1"_s).toUtf8().constData(), &db,
                    SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    sqlite3_stmt* statement = nullptr;
    const char* sql = "SELECT n.value, o.value, t.value, s.value, k.endNs - k.startNs FROM COMPUTE_TASK_INFO c JOIN "
                      "TASK k USING (globalTaskId) JOIN STRING_IDS n ON n.id = c.name "
                      "JOIN STRING_IDS o ON o.id = c.opType JOIN STRING_IDS t ON t.id = c.taskType LEFT JOIN "
                      "STRING_IDS s ON s.id = c.inputShapes";
    if (sqlite3_prepare_v2(db, sql, -1, &statement, nullptr) == SQLITE_OK) {
        const auto text = [&](int column) {
            return QString::fromUtf8(reinterpret_cast<const char*>(sqlite3_column_text(statement, column)));
        };
        while (sqlite3_step(statement) == SQLITE_ROW)
            table[keyFor(grouping, text(0), text(1), text(2), nothingIfAbsent(text(3)).remove(u'"'))].add(
                sqlite3_column_int64(statement, 4), 0);
    }
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return table;
}

Table shownTable(const OperatorNumbers& numbers, bool withWaits) {
    Table table;
    const KernelGroups& groups = *numbers.groups;
    for (const KernelGroup& group : groups.groups) {
        const KernelSignature& key = groups.keys[group.key];
        const auto text = [&](std::uint32_t number) {
            return QString::fromUtf8(groups.index->text(number).data(),
                                     static_cast<qsizetype>(groups.index->text(number).size()))
                .remove(u'"');
        };
        table[keyFor(groups.grouping, text(key.name), text(key.type), text(key.core), text(key.shapes))] = {
            group.time.count, group.time.total, group.time.min, group.time.max, withWaits ? group.wait : 0};
    }
    return table;
}

std::shared_ptr<const OperatorNumbers> numbersOf(const std::shared_ptr<const CaptureStore>& store,
                                                 std::optional<RankIndex> rank, KernelGrouping grouping) {
    std::shared_ptr<const OperatorNumbers> numbers;
    WorkerArena arena(2);
    arena.run([&] {
        numbers =
            operatorNumbers({{.capture = {1}, .store = store, .context = {}, .marked = {}, .rank = rank, .origin = {}},
                             {grouping, KernelSplit::None}},
                            nullptr, [](const auto&) {}, {});
    });
    return numbers;
}

QString differences(const Table& shown, const Table& expected) {
    QStringList text;
    for (const auto& [key, sums] : expected) {
        const auto found = shown.find(key);
        if (found == shown.end()) text << key.join(u'|') + u" is missing"_s;
        else if (!(found->second == sums))
            text << u"%1: %2 %3 %4, expected %5 %6 %7"_s.arg(key.join(u'|'))
                        .arg(found->second.count)
                        .arg(found->second.total)
                        .arg(found->second.wait)
                        .arg(sums.count)
                        .arg(sums.total)
                        .arg(sums.wait);
    }
    for (const auto& [key, sums] : shown) {
        if (!expected.contains(key)) text << key.join(u'|') + u" is too many"_s;
    }
    return text.join(u'\n');
}

}  // namespace

/// What the page shows of real captures against what a few lines make of the files themselves.
class TestOperatorsTruth : public QObject {
    Q_OBJECT
private slots:
    void realKernels_data();
    void realKernels();
    void realDatabase();
    void profilersStatistics_data();
    void profilersStatistics();
    void withoutTheProfilersStatistics();
};

void TestOperatorsTruth::realKernels_data() {
    QTest::addColumn<QString>("capture");
    QTest::addColumn<int>("grouping");
    const char* captures[] = {"torch_text/level0/rank0_ascend_pt",
                              "torch_text/level1/rank0_ascend_pt",
                              "torch_text/level1/rank1_ascend_pt",
                              "torch_cluster_level2/rank_0_ascend_pt",
                              "test_ranks/test_rank_0",
                              "test_ranks/test_rank_1"};
    for (const char* capture : captures) {
        for (const KernelGrouping grouping : {KernelGrouping::Type, KernelGrouping::Name, KernelGrouping::NameAndShape})
            QTest::newRow(
                qPrintable(u"%1, grouping %2"_s.arg(QString::fromLatin1(capture)).arg(static_cast<int>(grouping))))
                << QString::fromLatin1(capture) << static_cast<int>(grouping);
    }
}

void TestOperatorsTruth::realKernels() {
    QFETCH(QString, capture);
    QFETCH(int, grouping);
    const auto path = sharedData(capture.toStdString());
    if (!path) QSKIP(kNoSharedData);
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = openAndWait(session, QString::fromStdString(path->string()));
    QVERIFY(id != kNoCapture);
    const auto numbers = numbersOf(session.capture(id)->store, std::nullopt, static_cast<KernelGrouping>(grouping));
    const Table expected =
        fromCsv(QString::fromStdString(path->string()) + u"/ASCEND_PROFILER_OUTPUT/kernel_details.csv"_s,
                static_cast<KernelGrouping>(grouping));
    QVERIFY(!expected.empty());
    const QString wrong = differences(shownTable(*numbers, true), expected);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

void TestOperatorsTruth::realDatabase() {
    const auto path = sharedData("torch_db/level1");
    if (!path) QSKIP(kNoSharedData);
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = openAndWait(session, QString::fromStdString(path->string()));
    QVERIFY(id != kNoCapture);
    const auto store = session.capture(id)->store;
    for (RankIndex rank; rank.value < store->ranks.size(); ++rank.value) {
        const auto number = store->ranks[rank.value].info.rankId.value();
        const QString file = QString::fromStdString(path->string()) +
                             u"/rank%1_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_%1.db"_s.arg(number);
        for (const KernelGrouping grouping :
             {KernelGrouping::Type, KernelGrouping::Name, KernelGrouping::NameAndShape}) {
            const Table expected = fromDatabase(file, grouping);
            QVERIFY(!expected.empty());
            const QString wrong = differences(shownTable(*numbersOf(store, rank, grouping), false), expected);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        }
    }
}

void TestOperatorsTruth::profilersStatistics_data() {
    QTest::addColumn<QString>("capture");
    for (const char* capture : {"torch_text/level1/rank0_ascend_pt", "torch_text/level1/rank1_ascend_pt",
                                "torch_cluster_level2/rank_0_ascend_pt"})
        QTest::newRow(capture) << QString::fromLatin1(capture);
}

/// Counts, least and greatest are equal; totals and averages as far as three digits behind the point carry.
void compareWithStatistics(const OperatorNumbers& numbers, const QString& file) {
    const auto rows = csvRows(file);
    QVERIFY(!rows.empty());
    const Table shown = shownTable(numbers, false);
    QCOMPARE(shown.size(), rows.size());
    for (const auto& row : rows) {
        const auto found = shown.find({row[u"OP Type"_s], row[u"Core Type"_s]});
        QVERIFY2(found != shown.end(), qPrintable(row[u"OP Type"_s]));
        QCOMPARE(found->second.count, row[u"Count"_s].toULongLong());
        QCOMPARE(found->second.min, roundedNs(row[u"Min Time(us)"_s]));
        QCOMPARE(found->second.max, roundedNs(row[u"Max Time(us)"_s]));
        QVERIFY2(std::abs(found->second.total - roundedNs(row[u"Total Time(us)"_s])) <=
                     static_cast<std::int64_t>(found->second.count),
                 qPrintable(row[u"OP Type"_s]));
    }
}

void TestOperatorsTruth::profilersStatistics() {
    QFETCH(QString, capture);
    const auto path = sharedData(capture.toStdString());
    if (!path) QSKIP(kNoSharedData);
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = openAndWait(session, QString::fromStdString(path->string()));
    QVERIFY(id != kNoCapture);
    compareWithStatistics(*numbersOf(session.capture(id)->store, std::nullopt, KernelGrouping::Type),
                          QString::fromStdString(path->string()) + u"/ASCEND_PROFILER_OUTPUT/op_statistic.csv"_s);
}

void TestOperatorsTruth::withoutTheProfilersStatistics() {
    const QTemporaryDir folder;
    const std::string capture = folder.filePath(u"capture"_s).toStdString();
    ProgressSlot progress;
    const std::vector<std::string> words{capture, "--ranks", "2", "--steps", "3", "--layers", "2"};
    const auto options = generate::parseGenerateOptions(words);
    QVERIFY(options.ok() && generate::generateCapture(options.value(), progress, {}).ok());
    QStringList kept;
    for (const int rank : {0, 1}) {
        const QString file =
            QString::fromStdString(capture) + u"/rank%1_ascend_pt/ASCEND_PROFILER_OUTPUT/op_statistic.csv"_s.arg(rank);
        kept << folder.filePath(u"op_statistic_%1.csv"_s.arg(rank));
        QVERIFY(QFile::rename(file, kept.back()));
    }
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = openAndWait(session, QString::fromStdString(capture));
    QVERIFY(id != kNoCapture);
    const auto store = session.capture(id)->store;
    for (std::uint32_t rank = 0; rank < 2; ++rank)
        compareWithStatistics(*numbersOf(store, RankIndex{rank}, KernelGrouping::Type),
                              kept[static_cast<qsizetype>(rank)]);
}

ALTI_TEST(TestOperatorsTruth)
#include "tst_operators_truth.moc"
