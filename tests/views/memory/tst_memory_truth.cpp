#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"
#include "tests/views/memory/memory_files.h"
#include "tests/views/overview/golden_captures.h"
#include "views/memory/data/rank_memory.h"

#include "core/analysis/memory/memory_allocations.h"
#include "core/base/threads/parallel.h"

#include <sqlite3.h>

#include <QDir>

#include <map>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

using Number = std::optional<std::int64_t>;

struct Peaks {
    std::uint64_t samples = 0;
    Number allocated, reserved, active;

    void add(Number a, Number r, Number c) {
        ++samples;
        const auto raise = [](Number& peak, Number value) {
            if (value && (!peak || *value > *peak)) peak = value;
        };
        raise(allocated, a);
        raise(reserved, r);
        raise(active, c);
    }
    bool operator==(const Peaks&) const = default;
};

struct LiveBytes {
    std::int64_t bytes = 0;
    std::uint64_t count = 0;
    bool operator==(const LiveBytes&) const = default;
};

struct Expected {
    std::map<std::string, Peaks> pools, modules;
    std::map<std::string, LiveBytes> alive;  // at `at`
    std::uint64_t allocations = 0, unreleased = 0;
};

struct FileAllocation {
    std::string name;
    Number size, allocated, released;
};

void addAllocation(Expected& expected, const FileAllocation& row, std::int64_t at) {
    ++expected.allocations;
    if (!row.released) ++expected.unreleased;
    if (row.size.value_or(0) <= 0 || row.allocated.value_or(at) > at || (row.released && *row.released <= at)) return;
    LiveBytes& selected = expected.alive[row.name];
    selected.bytes += *row.size;
    ++selected.count;
}

Expected fromText(const QString& folder, std::int64_t at) {
    Expected expected;
    for (const TextRow& row : textRows(folder + u"/memory_record.csv"_s)) {
        expected.pools[row[u"Component"_s].toStdString()].add(bytesOf(row[u"Total Allocated(MB)"_s], kMiB),
                                                              bytesOf(row[u"Total Reserved(MB)"_s], kMiB),
                                                              bytesOf(row[u"Total Active(MB)"_s], kMiB));
    }
    for (const TextRow& row : textRows(folder + u"/npu_module_mem.csv"_s))
        expected.modules[row[u"Component"_s].toStdString()].add({}, bytesOf(row[u"Total Reserved(MB)"_s], kMiB), {});
    for (const TextRow& row : textRows(folder + u"/operator_memory.csv"_s))
        addAllocation(expected,
                      {row[u"Name"_s].toStdString(), bytesOf(row[u"Size(KB)"_s], kKiB),
                       nsOf(row[u"Allocation Time(us)"_s]), nsOf(row[u"Release Time(us)"_s])},
                      at);
    return expected;
}

/// Rows of a database, a list of cells each.
class DbFile {
public:
    explicit DbFile(const QString& path) {
        sqlite3_open_v2((u"file:"_s + path + u"?immutable=1"_s).toUtf8().constData(), &m_db,
                        SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    }
    ~DbFile() { sqlite3_close(m_db); }
    DbFile(const DbFile&) = delete;
    DbFile& operator=(const DbFile&) = delete;

    template <class Take>
    void rows(const char* sql, Take take) {
        sqlite3_stmt* statement = nullptr;
        if (sqlite3_prepare_v2(m_db, sql, -1, &statement, nullptr) != SQLITE_OK) return;
        while (sqlite3_step(statement) == SQLITE_ROW) take(statement);
        sqlite3_finalize(statement);
    }

private:
    sqlite3* m_db = nullptr;
};

Number numberAt(sqlite3_stmt* row, int column) {
    return sqlite3_column_type(row, column) == SQLITE_NULL ? std::nullopt : Number(sqlite3_column_int64(row, column));
}

std::string textAt(sqlite3_stmt* row, int column) {
    const auto* text = sqlite3_column_text(row, column);
    return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text));
}

Expected fromDb(const QString& path, std::int64_t at) {
    Expected expected;
    DbFile db(path);
    // The graph engine knows nothing of what is active: its zeros stand where the text has nothing.
    db.rows("SELECT s.value, totalAllocated, totalReserved, iif(s.value = 'GE', NULL, totalActive) FROM MEMORY_RECORD "
            "m JOIN STRING_IDS s ON s.id = m.component",
            [&](sqlite3_stmt* row) {
                expected.pools[textAt(row, 0)].add(numberAt(row, 1), numberAt(row, 2), numberAt(row, 3));
            });
    db.rows("SELECT n.hbm FROM NPU_MEM n JOIN STRING_IDS s ON s.id = n.type WHERE s.value = 'app'",
            [&](sqlite3_stmt* row) { expected.pools["APP"].add({}, numberAt(row, 0), {}); });
    db.rows("SELECT e.name, totalReserved FROM NPU_MODULE_MEM m JOIN ENUM_MODULE e ON e.id = m.moduleId",
            [&](sqlite3_stmt* row) { expected.modules[textAt(row, 0)].add({}, numberAt(row, 1), {}); });
    db.rows(
        "SELECT s.value, size, allocationTime, releaseTime FROM OP_MEMORY o LEFT JOIN STRING_IDS s ON s.id = o.name",
        [&](sqlite3_stmt* row) {
            addAllocation(expected, {textAt(row, 0), numberAt(row, 1), numberAt(row, 2), numberAt(row, 3)}, at);
        });
    return expected;
}

}  // namespace

/// What the page shows of real captures against what a few lines make of the files themselves.
class TestMemoryTruth : public QObject {
    Q_OBJECT
private slots:
    void realFiles_data();
    void realFiles();
};

void TestMemoryTruth::realFiles_data() {
    QTest::addColumn<QString>("capture");
    QTest::addColumn<QString>("rank");  // its folder or database in the capture
    for (const char* level : {"level0", "level1"}) {
        for (const int rank : {0, 1})
            QTest::addRow("torch_text %s rank %d", level, rank)
                << u"torch_text/%1/rank%2_ascend_pt"_s.arg(QLatin1String(level)).arg(rank) << QString();
    }
    QTest::newRow("torch_cluster_level2") << u"torch_cluster_level2/rank_0_ascend_pt"_s << QString();
    QTest::newRow("old columns") << u"test_ranks/test_rank_0"_s << QString();
    QTest::newRow("damaged stamps") << u"test_ranks/test_rank_1"_s << QString();
    for (const int rank : {0, 1})
        QTest::addRow("torch_db rank %d", rank) << u"torch_db/level1"_s << QString::number(rank);
}

void TestMemoryTruth::realFiles() {
    QFETCH(QString, capture);
    QFETCH(QString, rank);
    const QString shared = qEnvironmentVariable("ALTI_SHARED_DATA");
    const QString path = shared + u'/' + capture;
    if (!QDir(path).exists()) QSKIP(kNoSharedData);
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = openAndWait(session, path);
    QVERIFY(id != kNoCapture);
    const auto store = session.capture(id)->store;
    std::uint32_t place = 0;
    QString database;
    if (!rank.isEmpty()) {
        while (place + 1 < store->ranks.size() && store->ranks[place].info.rankId != rank.toLongLong()) ++place;
        QDir folder(path + u'/' + QString::fromStdString(store->ranks[place].info.path));
        for (const QString& inner : {QString(), u"ASCEND_PROFILER_OUTPUT"_s}) {
            for (const QString& name :
                 QDir(folder.filePath(inner)).entryList({u"ascend_pytorch_profiler*.db"_s}, QDir::Files))
                database = QDir(folder.filePath(inner)).filePath(name);
        }
        if (database.isEmpty()) database = path + u'/' + QString::fromStdString(store->ranks[place].info.path);
        QVERIFY2(QFile::exists(database), qPrintable(database));
    }
    std::shared_ptr<const RankMemory> shown;
    std::optional<AliveMemory> alive;
    WorkerArena arena(2);
    arena.run([&] {
        shown = rankMemory(store, {place}, false, {}, {});
        if (shown->peak) alive = aliveAt(*shown->entry().rows, shown->peak->at, shown->leading->device(), {});
    });
    QVERIFY(shown && shown->peak && alive);
    const std::int64_t at = shown->peak->at.value;
    const Expected expected =
        database.isEmpty() ? fromText(path + u"/ASCEND_PROFILER_OUTPUT"_s, at) : fromDb(database, at);
    QVERIFY(!expected.pools.empty());

    std::map<std::string, Peaks> pools, modules;
    const auto value = [](const std::optional<MemoryPeakPoint>& point) {
        return point ? Number(point->value) : Number();
    };
    for (const ComponentPeak& peak : shown->peaks)
        (peak.isModule ? modules : pools)[peak.owner.component] = {peak.samples, value(peak.allocated),
                                                                   value(peak.reserved), value(peak.active)};
    for (const auto& [component, peaks] : expected.pools) {
        QVERIFY2(pools.contains(component), component.c_str());
        QCOMPARE(pools[component].samples, peaks.samples);
        QCOMPARE(pools[component].allocated, peaks.allocated);
        QCOMPARE(pools[component].reserved, peaks.reserved);
        QCOMPARE(pools[component].active, peaks.active);
    }
    QCOMPARE(pools.size(), expected.pools.size());
    QVERIFY(modules == expected.modules);
    QCOMPARE(shown->allocations, expected.allocations);
    std::map<std::string, LiveBytes> selected;
    for (const MemoryHolder& holder : alive->holders) selected[holder.name] = {holder.bytes, holder.count};
    QCOMPARE(selected.size(), expected.alive.size());
    QVERIFY(selected == expected.alive);
    arena.run([&] {
        const RowTable* table = shown->entry().rows->find(RowKind::Allocation);
        const std::size_t unreleased =
            table == nullptr ? 0
                             : allocationRows(*table, {.touched = {}, .aliveAt = {}, .unreleased = true}, {})->size();
        QCOMPARE(unreleased, expected.unreleased);
    });
}

ALTI_TEST(TestMemoryTruth)
#include "tst_memory_truth.moc"
