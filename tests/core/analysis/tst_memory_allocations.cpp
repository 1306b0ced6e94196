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
    void nothing();
};

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
