#include "core/analysis/snapshot/block_uses.h"
#include "tests/core/analysis/snapshot_script.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <random>

using namespace altiscope;
using namespace altiscope::test;

/// Uses of a block among the entries of its life, against a look at all entries.
class TestBlockUses : public QObject {
    Q_OBJECT
private slots:
    void usesOfABlock();
    void againstEveryEntry();
};

void TestBlockUses::usesOfABlock() {
    SnapshotScript script;
    script.segment(0x1000, 0x10000);
    script.access(0x1000);  // before it is there
    script.alloc(0x1000, 100);
    script.alloc(0x2000, 100);
    script.access(0x1000 + 99);  // entry 4
    script.access(0x1000 + 100);
    script.access(0x2000);
    script.access(0x1000);  // entry 7
    script.access(0x1000);  // entry 8
    script.free(0x1000);
    script.alloc(0x1000, 100);
    script.access(0x1000);  // entry 12
    script.alloc(0x3000, 100);
    const auto snapshot = script.snapshot();
    QCOMPARE(snapshot->blocks.size(), std::size_t{4});
    const auto uses = blockUses(*snapshot, 0, {});
    QVERIFY(uses);
    QCOMPARE(uses->first, 4);
    QCOMPARE(uses->last, 8);
    QCOMPARE(uses->count, std::uint64_t{3});
    QVERIFY((uses->idle == EventRange{4, 7}));
    // The next block at the address, which is there at the end, and one that nobody uses.
    const auto next = blockUses(*snapshot, 2, {});
    QVERIFY(next && next->first == 12 && next->last == 12 && next->count == 1 && next->idle == EventRange{});
    QVERIFY(!blockUses(*snapshot, 3, {}) && !blockUses(*snapshot, 99, {}) && !blockUses(*snapshot, kNoBlock, {}));
    SnapshotScript without;
    without.segment(0x1000, 0x1000);
    without.alloc(0x1000, 100);
    QVERIFY(!blockUses(*without.snapshot(), 0, {}));
}

void TestBlockUses::againstEveryEntry() {
    std::mt19937 random(2);
    SnapshotScript script;
    script.segment(0, 1 << 20);
    for (int i = 0; i < 4000; ++i) {
        const std::int64_t address = static_cast<std::int64_t>(random() % 20) * 512;
        script.time = 1000 + i * 10 + static_cast<std::int64_t>(random() % 10);
        if (random() % 3 != 0) script.access(address + static_cast<std::int64_t>(random() % 512));
        else if (script.live().contains(address)) script.free(address);
        else script.alloc(address, 512);
    }
    const auto snapshot = script.snapshot();
    std::size_t used = 0;
    for (BlockNumber number = 0; number < snapshot->blocks.size(); ++number) {
        const BlockLife& block = snapshot->blocks[number];
        std::vector<EventNumber> expected;
        for (EventNumber at = 0; at < snapshot->events; ++at) {
            const SnapshotEntryView entry = snapshot->entry(at);
            if (snapshot->actionText(at) == "access" && block.isThereAt(at) && entry.address >= block.address &&
                entry.address < block.address + block.bytes)
                expected.push_back(at);
        }
        const auto uses = blockUses(*snapshot, number, {});
        QCOMPARE(uses.has_value(), !expected.empty());
        if (!uses) continue;
        ++used;
        QCOMPARE(uses->first, expected.front());
        QCOMPARE(uses->last, expected.back());
        QCOMPARE(uses->count, expected.size());
        std::int64_t longest = 0;
        for (std::size_t i = 1; i < expected.size(); ++i)
            longest = std::max(longest, (*snapshot->timeAt(expected[i]) - *snapshot->timeAt(expected[i - 1])).value);
        if (expected.size() == 1) QVERIFY(uses->idle == EventRange{});
        else QCOMPARE((*snapshot->timeAt(uses->idle.end) - *snapshot->timeAt(uses->idle.begin)).value, longest);
    }
    QVERIFY(used > 100);
}

ALTI_TEST(TestBlockUses)
#include "tst_block_uses.moc"
