#include "core/analysis/facts/memory_usage.h"
#include "core/base/threads/parallel.h"
#include "core/store/rows/row_builder.h"
#include "tests/support/test_main.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace altiscope;

namespace {

struct Sample {
    std::int64_t time, allocated, reserved;
};
struct Allocation {
    const char* name;
    std::int64_t size, begin;
    std::optional<std::int64_t> end;
    double firstUse = -1, idle = -1, unusedEnd = -1;
};

MemoryUsage usageOf(const std::vector<Sample>& samples, const std::vector<Allocation>& allocations) {
    RowTablesBuilder builder;
    constexpr RowKind S = RowKind::MemorySample, A = RowKind::Allocation;
    const std::size_t first = builder.extraColumn(A, "first_use"), idle = builder.extraColumn(A, "longest_idle"),
                      last = builder.extraColumn(A, "unused_end");
    RowBatch sampleRows = builder.batch(S), rows = builder.batch(A);
    for (const Sample& one : samples) {
        sampleRows.addRow();
        sampleRows.setText(fixedColumn(S, "component"), "PTA");
        sampleRows.setInteger(fixedColumn(S, "ts"), one.time);
        sampleRows.setInteger(fixedColumn(S, "allocated"), one.allocated);
        sampleRows.setInteger(fixedColumn(S, "reserved"), one.reserved);
    }
    for (const Allocation& one : allocations) {
        rows.addRow();
        rows.setText(fixedColumn(A, "name"), one.name);
        rows.setInteger(fixedColumn(A, "size"), one.size);
        rows.setInteger(fixedColumn(A, "alloc_ts"), one.begin);
        if (one.end) rows.setInteger(fixedColumn(A, "release_ts"), *one.end);
        if (one.firstUse >= 0) rows.setReal(first, one.firstUse);
        if (one.idle >= 0) rows.setReal(idle, one.idle);
        if (one.unusedEnd >= 0) rows.setReal(last, one.unusedEnd);
    }
    if (sampleRows.size() > 0) builder.commit(sampleRows);
    builder.commit(rows);
    CaptureStore capture;
    capture.ranks.emplace_back();
    WorkerArena arena(1);
    std::vector<MemoryUsage> usage;
    arena.run([&] {
        capture.ranks[0].rows = builder.seal({}).value();
        CaptureFacts facts;
        facts.ranks.resize(1);
        for (const std::int64_t begin : {100, 200, 300}) {
            StepFacts& step = facts.ranks[0].steps.emplace_back();
            step.range = {{begin}, {begin + 100}};
        }
        usage = memoryUsage(capture, facts, {});
    });
    return usage.at(0);
}

std::string namesOf(const std::vector<NamedBytes>& names) {
    std::string text;
    for (const NamedBytes& one : names) text += one.name + ' ' + std::to_string(one.bytes) + ' ';
    return text;
}

}  // namespace

/// How memory was used, by samples and allocations that can be counted by hand.
class TestMemoryUsage : public QObject {
    Q_OBJECT
private slots:
    void stepsHaveTheirPeaksAndNames() {
        // A level holds until the next sample; samples need not come in order.
        const MemoryUsage usage =
            usageOf({{50, 10, 40}, {150, 30, 40}, {160, 12, 40}, {250, 70, 90}, {245, 60, 90}, {270, 15, 90}},
                    {{"a", 20, 150, 160},
                     {"big", 50, 245, 270},
                     {"b", 8, 250, 270},
                     {"early", 5, 210, 249},
                     {"kept", 2, 130, std::nullopt},
                     {"kept", 3, 260, std::nullopt},
                     {"soon", 9, 190, 299}});
        const PoolUse& pool = usage.pools.at(0);
        QVERIFY((pool.highestInSteps == std::vector<std::int64_t>{30, 70, 15}));
        QVERIFY((pool.atEnds == std::vector<std::int64_t>{12, 15, 15}));
        QCOMPARE(pool.atBegin, std::int64_t{10});
        QCOMPARE(pool.highestAllocated, std::int64_t{70});
        QCOMPARE(pool.highestReserved, std::int64_t{90});
        QCOMPARE(namesOf(pool.atHighest), std::string("big 50 b 8 "));
        QCOMPARE(namesOf(pool.kept), std::string("kept 5 "));
    }

    void unusedAllocationsCountOnce() {
        constexpr std::int64_t kMb = kMinUnusedBytes, kMs = kMinUnusedNs;
        const MemoryUsage usage = usageOf({}, {{"late", 4 * kMb, 0, 10 * kMs, 0.0, 0.0, 6e6},
                                               {"early", 2 * kMb, 0, 10 * kMs, 7e6, 0.0, 0.0},
                                               {"idle", kMb, 0, 10 * kMs, 1e6, 6e6, 3e6},
                                               {"half", kMb, 0, 10 * kMs, 5e6, 0.0, 0.0},
                                               {"small", kMb - 1, 0, 10 * kMs, 9e6, 0.0, 0.0},
                                               {"short", kMb, 0, kMs, 9e5, 0.0, 0.0},
                                               {"held", kMb, 0, std::nullopt, 9e6, 0.0, -1},
                                               {"unknown", kMb, 0, 10 * kMs}});
        QCOMPARE(usage.unused.late, std::uint64_t{1});
        QCOMPARE(usage.unused.early, std::uint64_t{1});
        QCOMPARE(usage.unused.idle, std::uint64_t{1});
        QCOMPARE(usage.unused.lateBytes, 4 * kMb);
        QCOMPARE(usage.unused.earlyBytes, 2 * kMb);
        QCOMPARE(usage.unused.idleBytes, kMb);
        QCOMPARE(usage.unused.name, std::string("late"));
    }
};

ALTI_TEST(TestMemoryUsage)
#include "tst_memory_usage.moc"
