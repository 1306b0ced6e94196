#include "core/base/threads/parallel.h"
#include "core/store/columns/home_range.h"
#include "core/store/rows/row_builder.h"
#include "tests/support/test_main.h"
#include "views/memory/data/rank_memory.h"

using namespace altiscope;

namespace {

std::shared_ptr<const RankMemory> memoryAt(const std::vector<std::int64_t>& times) {
    RowTablesBuilder builder;
    RowBatch samples = builder.batch(RowKind::MemorySample);
    for (const std::int64_t time : times) {
        samples.addRow();
        samples.setText(fixedColumn(RowKind::MemorySample, "component"), "PTA");
        samples.setInteger(fixedColumn(RowKind::MemorySample, "ts"), time);
        samples.setInteger(fixedColumn(RowKind::MemorySample, "allocated"), 1024);
    }
    builder.commit(samples);
    auto capture = std::make_shared<CaptureStore>();
    capture->ranks.emplace_back().rows = builder.seal({}).value();
    std::shared_ptr<const RankMemory> memory;
    WorkerArena arena(2);
    arena.run([&] { memory = rankMemory(capture, {0}, false, {}, {}); });
    return memory;
}

}  // namespace

class TestRankMemory : public QObject {
    Q_OBJECT
private slots:
    void aSampleAtZeroDoesNotStretchThePlot() {
        const auto memory = memoryAt({0, kDay, kDay + 10, kDay + 30});
        QCOMPARE(memory->reach.home, (TimeRange{{kDay}, {kDay + 30}}));
        QCOMPARE(memory->reach.data, (TimeRange{{0}, {kDay + 30}}));  // it can still be reached
        QCOMPARE(memory->reach.strayTimes, std::uint64_t{1});
        QVERIFY(memoryGaps(*memory->capture, {}, memory.get()).join(QChar(u'|')).contains(QStringLiteral("1 time")));
    }
    void clocksFromZeroAreClocksToo() {
        const auto memory = memoryAt({0, 5, 10, kDay});
        QCOMPARE(memory->reach.home, (TimeRange{{0}, {10}}));
        QCOMPARE(memory->reach.strayTimes, std::uint64_t{1});
        const auto all = memoryAt({0, 5, 10});
        QCOMPARE(all->reach.home, all->reach.data);
        QCOMPARE(all->reach.strayTimes, std::uint64_t{0});
        QVERIFY(!memoryGaps(*all->capture, {}, all.get()).join(QChar(u'|')).contains(QStringLiteral("clock")));
    }

private:
    static constexpr std::int64_t kDay = kFirstTimeOfDay + 1'000'000'000;
};

ALTI_TEST(TestRankMemory)
#include "tst_rank_memory.moc"
