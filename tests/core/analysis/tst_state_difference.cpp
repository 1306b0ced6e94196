#include "core/analysis/snapshot/state_difference.h"
#include "tests/core/analysis/snapshot_script.h"
#include "tests/support/test_main.h"

#include <memory>
#include <string>

using namespace altiscope;
using namespace altiscope::test;

namespace {

constexpr std::int64_t kBase = std::int64_t{1} << 40, kKiB = 1024;

std::shared_ptr<const DeviceSnapshot> deviceOf(SnapshotScript& script) {
    return deviceSnapshot(script.rows(), 0, nullptr, {});
}

/// "-A 2048" for a block at the offset A (in KiB) that is gone, "+A 2048" for a new one.
std::string listOf(const DeviceSnapshot& before, EventNumber beforeAt, const DeviceSnapshot& after,
                   EventNumber afterAt) {
    std::string text;
    for (const LoneBlock& one : blocksOfOneState(before, beforeAt, after, afterAt)) {
        const BlockLife& block = (one.isAfter ? after : before).blocks[one.block];
        text += (text.empty() ? "" : ", ") + std::string(one.isAfter ? "+" : "-") +
                std::to_string((block.address - kBase) / kKiB) + ' ' + std::to_string(one.bytes);
    }
    return text;
}

/// One run: 64 KiB at 0 (kept), 2 KiB at 64 (released after the first state), then 4 KiB at 64.
void firstPart(SnapshotScript& script) {
    script.time = 1000;
    script.segment(kBase, 128 * kKiB);
    script.time = 2000;
    script.alloc(kBase, 64 * kKiB, "weights");
    script.time = 3000;
    script.alloc(kBase + 64 * kKiB, 2 * kKiB, "activation");
}

}  // namespace

class TestStateDifference : public QObject {
    Q_OBJECT
private slots:
    void blocksOfTwoMoments() {
        SnapshotScript script;
        firstPart(script);
        const auto first = static_cast<EventNumber>(script.events() - 1);
        script.time = 4000;
        script.free(kBase + 64 * kKiB);
        script.alloc(kBase + 64 * kKiB, 4 * kKiB, "activation");
        const auto device = deviceOf(script);
        QCOMPARE(listOf(*device, first, *device, device->last()), std::string("+64 4096, -64 2048"));
        QCOMPARE(listOf(*device, device->last(), *device, first), std::string("-64 4096, +64 2048"));
        QCOMPARE(listOf(*device, first, *device, first), std::string());
    }

    void aBlockThatTwoSnapshotsHoldIsTheSame() {
        SnapshotScript early, late;
        for (SnapshotScript* script : {&early, &late}) firstPart(*script);
        late.time = 4000;
        late.alloc(kBase + 96 * kKiB, 8 * kKiB, "leak");
        const auto before = deviceOf(early), after = deviceOf(late);
        QCOMPARE(listOf(*before, before->last(), *after, after->last()), std::string("+96 8192"));
    }

    /// A block that each step allocates anew at the same place is another one, if times are recorded.
    void aBlockOfAnotherTimeIsAnotherOne() {
        SnapshotScript early, late;
        firstPart(early);
        firstPart(late);
        late.time = 5000;
        late.free(kBase + 64 * kKiB);
        late.alloc(kBase + 64 * kKiB, 2 * kKiB, "activation");
        auto before = deviceOf(early), after = deviceOf(late);
        QCOMPARE(listOf(*before, before->last(), *after, after->last()), std::string("-64 2048, +64 2048"));
    }

    void withoutTimesPlaceSizeAndStackCount() {
        SnapshotScript early, late;
        for (SnapshotScript* script : {&early, &late}) {
            script->segment(kBase, 128 * kKiB);
            script->alloc(kBase, 64 * kKiB, "weights");
        }
        early.alloc(kBase + 64 * kKiB, 2 * kKiB, "a");
        late.alloc(kBase + 64 * kKiB, 2 * kKiB, "b");
        const auto before = deviceOf(early), after = deviceOf(late);
        QCOMPARE(listOf(*before, before->last(), *after, after->last()), std::string("-64 2048, +64 2048"));
    }

    /// The parts of a pool add up to what is reserved, by hand: 1000 bytes take 1024, 2000 wait and take 2048.
    void partsAddUpToWhatIsReserved() {
        SnapshotScript script;
        script.segment(kBase, 128 * kKiB);
        script.alloc(kBase, 1000, "a");
        script.alloc(kBase + 64 * kKiB, 2000, "b");
        script.request(kBase + 64 * kKiB);
        const auto waiting = static_cast<EventNumber>(script.events() - 1);
        script.complete(kBase + 64 * kKiB);
        const auto device = deviceOf(script);
        const auto pool = PoolHistory::make(device, {});
        const PoolShares shares = poolShares(pool->stateAt(waiting));
        QCOMPARE(shares, (PoolShares{1000, 2000, 24 + 48, 128 * kKiB - 1024 - 2048, 128 * kKiB}));
        const PoolShares empty = poolShares(pool->stateAt(0));
        QCOMPARE(empty, (PoolShares{0, 0, 0, 128 * kKiB, 128 * kKiB}));
        for (std::size_t i = 0; i < kPoolShares; ++i) QVERIFY(!poolShareName(static_cast<PoolShare>(i)).empty());
    }
};

ALTI_TEST(TestStateDifference)
#include "tst_state_difference.moc"
