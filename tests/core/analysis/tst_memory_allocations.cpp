#include "core/analysis/memory/memory_allocations.h"
#include "tests/core/analysis/memory_rows.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <map>
#include <random>

using namespace altiscope;
using namespace altiscope::test;

namespace {

std::vector<AllocationRow> randomAllocations(std::size_t count) {
    std::mt19937 random(8);
    std::vector<AllocationRow> rows;
    for (std::size_t i = 0; i < count; ++i) {
        AllocationRow row{.name = "op" + std::to_string(random() % 5),
                          .size = static_cast<std::int64_t>(random() % 100)};
        row.allocated = static_cast<std::int64_t>(i) + static_cast<std::int64_t>(random() % 20);
        if (random() % 10 != 0) row.released = *row.allocated + static_cast<std::int64_t>(random() % 300);
        if (random() % 40 == 0) row.allocated.reset();
        if (random() % 60 == 0) row.size = -5;
        if (random() % 60 == 0) row.size.reset();
        rows.push_back(row);
    }
    return rows;
}

bool alive(const AllocationRow& row, std::int64_t at) {
    return row.allocated.value_or(at) <= at && (!row.released || *row.released > at);
}

}  // namespace

/// What is alive, and which allocations belong to a time, against a look at every row.
class TestMemoryAllocations : public QObject {
    Q_OBJECT
private slots:
    void aliveByOperator();
    void anAllocationIsAliveFromItsTimeOn();
    void rowsThatAreAskedFor();
    void limitsOfUses();
    void nothing();
};

/// Each limit alone and both kinds of it, at and above the border.
void TestMemoryAllocations::limitsOfUses() {
    struct Row {
        std::int64_t begin, end;  // end 0: not released
        double first, idle, late;
    };
    // Lives of 100, but for the last two: one is not released, of the other no use is recorded.
    const std::vector<Row> rows{{0, 100, 30, 10, 20}, {0, 100, 31, 10, 20}, {0, 100, 5, 31, 20},
                                {0, 100, 5, 10, 31},  {0, 0, 60, 10, -1},   {0, 100, -1, -1, -1}};
    WorkerArena arena(2);
    std::shared_ptr<const RowTables> tables;
    arena.run([&] {
        RowTablesBuilder builder;
        const std::size_t first = builder.extraColumn(RowKind::Allocation, "first_use"),
                          idle = builder.extraColumn(RowKind::Allocation, "longest_idle"),
                          late = builder.extraColumn(RowKind::Allocation, "unused_end");
        RowBatch batch = builder.batch(RowKind::Allocation);
        for (const Row& row : rows) {
            batch.addRow();
            setCell(batch, "size", 1);
            setCell(batch, "alloc_ts", row.begin);
            if (row.end > 0) setCell(batch, "release_ts", row.end);
            if (row.first >= 0) batch.setReal(first, row.first);
            if (row.idle >= 0) batch.setReal(idle, row.idle);
            if (row.late >= 0) batch.setReal(late, row.late);
        }
        builder.commit(batch);
        tables = builder.seal({}).value();
    });
    const auto found = [&](const IdleLimits& limits) {
        std::string text;
        const auto chosen =
            allocationRows(*tables->find(RowKind::Allocation), {.touched = {}, .aliveAt = {}, .limits = limits}, {});
        for (const std::uint32_t row : *chosen) text += std::to_string(row);
        return text;
    };
    QCOMPARE(found({.early = {{}, 0.3}, .late = {}, .idle = {}}), std::string("1"));
    QCOMPARE(found({.early = {{30}, 0}, .late = {}, .idle = {}}), std::string("14"));
    QCOMPARE(found({.early = {{55}, 0.3}, .late = {}, .idle = {}}), std::string("14"));
    QCOMPARE(found({.early = {}, .late = {{}, 0.3}, .idle = {}}), std::string("3"));
    QCOMPARE(found({.early = {}, .late = {{19}, 0}, .idle = {}}), std::string("0123"));
    QCOMPARE(found({.early = {}, .late = {}, .idle = {{}, 0.3}}), std::string("2"));
    QCOMPARE(found({.early = {{}, 0.3}, .late = {{}, 0.3}, .idle = {{}, 0.3}}), std::string("123"));
    // 0, and all of a life, limit nothing.
    QCOMPARE(found({.early = {{0}, 0}, .late = {{}, 1}, .idle = {{}, 0}}), std::string());
    QVERIFY((IdleLimits{{{0}, 0}, {{}, 1}, {}}).isOff() && !(IdleLimits{{{1}, 0}, {}, {}}).isOff());
    // Without recorded uses no row exceeds anything.
    const auto none = allocationTable({{"a", 1, 0, 100}});
    QVERIFY(allocationRows(*none->find(RowKind::Allocation),
                           {.touched = {}, .aliveAt = {}, .limits = IdleLimits{{{1}, 0}, {}, {}}}, {})
                ->empty());
}

void TestMemoryAllocations::aliveByOperator() {
    const auto rows = randomAllocations(5000);
    const auto table = allocationTable(rows);
    for (const std::int64_t at : {-1, 0, 7, 500, 2048, 4999, 100'000}) {
        struct Sums {
            std::int64_t bytes = 0, largest = 0, oldest = 0;
            std::uint64_t count = 0, unreleased = 0;
        };
        std::map<std::string, Sums> expected;
        std::int64_t bytes = 0;
        for (const AllocationRow& row : rows) {
            if (!row.size || *row.size <= 0 || !alive(row, at)) continue;
            const auto [place, isNew] = expected.try_emplace(row.name);
            Sums& sums = place->second;
            sums.oldest = isNew ? row.allocated.value_or(at) : std::min(sums.oldest, row.allocated.value_or(at));
            sums.bytes += *row.size;
            sums.largest = std::max(sums.largest, *row.size);
            ++sums.count;
            if (!row.released) ++sums.unreleased;
            bytes += *row.size;
        }
        const auto found = aliveAt(*table, {at}, {}, {});
        QVERIFY(found);
        QCOMPARE(found->bytes, bytes);
        QCOMPARE(found->holders.size(), expected.size());
        for (std::size_t i = 0; i < found->holders.size(); ++i) {
            const MemoryHolder& holder = found->holders[i];
            if (i > 0) QVERIFY(found->holders[i - 1].bytes >= holder.bytes);
            const Sums& sums = expected[holder.name];
            QCOMPARE(holder.bytes, sums.bytes);
            QCOMPARE(holder.largest, sums.largest);
            QCOMPARE(holder.count, sums.count);
            QCOMPARE(holder.unreleased, sums.unreleased);
            QCOMPARE(holder.oldest.value, sums.oldest);
        }
    }
}

void TestMemoryAllocations::anAllocationIsAliveFromItsTimeOn() {
    // Rows without holes, the first of which begins at that very time.
    const auto table = allocationTable({{"a", 5, 100, 200}, {"b", 7, 101, 200}});
    for (const auto& [at, bytes] :
         {std::pair<std::int64_t, std::int64_t>(99, 0), {100, 5}, {101, 12}, {199, 12}, {200, 0}})
        QCOMPARE(aliveAt(*table, {at}, {}, {})->bytes, bytes);
}

void TestMemoryAllocations::rowsThatAreAskedFor() {
    const auto rows = randomAllocations(5000);
    const auto tables = allocationTable(rows);
    const RowTable& table = *tables->find(RowKind::Allocation);
    const std::vector<TimeRange> times{{{100}, {150}}, {{151}, {152}}, {{3000}, {4000}}};
    const auto inTimes = [&times](Cell at) {
        return at && std::any_of(times.begin(), times.end(), [&](const TimeRange& range) {
                   return range.begin.value <= *at && *at < range.end.value;
               });
    };
    for (int which = 0; which < 8; ++which) {
        AllocationQuery query;
        if (which & 1) query.touched = times;
        if (which & 2) query.aliveAt = TimeNs{3100};
        query.unreleased = (which & 4) != 0;
        std::vector<std::uint32_t> expected;
        for (std::uint32_t i = 0; i < rows.size(); ++i) {
            if (query.touched && !inTimes(rows[i].allocated) && !inTimes(rows[i].released)) continue;
            if (query.aliveAt && !alive(rows[i], 3100)) continue;
            if (query.unreleased && rows[i].released) continue;
            expected.push_back(i);
        }
        QVERIFY(which == 7 || !expected.empty());
        QCOMPARE(*allocationRows(table, query, {}), expected);
    }
}

void TestMemoryAllocations::nothing() {
    const auto samples = sampleRows({{"PTA", 1, 1, 1, 1, {}}});
    const auto found = aliveAt(*samples, {5}, {}, {});
    QVERIFY(found && found->holders.empty());
    CancelToken cancelled;
    cancelled.requestCancel();
    QVERIFY(!aliveAt(*allocationTable({{"a", 1, 1, 2}}), {1}, {}, cancelled));
}

ALTI_TEST(TestMemoryAllocations)
#include "tst_memory_allocations.moc"
