#include "core/analysis/snapshot/memory_shortage.h"
#include "tests/core/analysis/snapshot_script.h"
#include "tests/support/test_main.h"

#include <memory>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kBase = std::int64_t{1} << 40;

MemoryShortage shortageOf(SnapshotScript& script) {
    const auto history = PoolHistory::make(script.snapshot(), {});
    const auto failed = failedRequests(history->snapshot(), {});
    return *memoryShortage(*history, failed.empty() ? history->snapshot().last() : failed.back(), {});
}

std::string remediesOf(const MemoryShortage& shortage, const DeviceSnapshot& snapshot) {
    std::string text;
    for (const ShortageRemedy& remedy : shortage.remedies) {
        switch (remedy.kind) {
        case ShortageRemedy::Kind::ExpandableSegments:
            text +=
                "expandable " + std::to_string(remedy.bytes / kMiB) + " MiB in " + std::to_string(remedy.count) + '\n';
            break;
        case ShortageRemedy::Kind::SplitLimit:
            text += "split limit for " + std::to_string(remedy.bytes / kMiB) + " MiB with " +
                    std::to_string(remedy.count) + '\n';
            break;
        case ShortageRemedy::Kind::FreeStack:
            text += "free " + std::string(snapshot.stackText(remedy.stack)) + ' ' +
                    std::to_string(remedy.bytes / kMiB) + " MiB\n";
            break;
        }
    }
    return text;
}

std::string remediesOf(SnapshotScript& script) {
    const auto history = PoolHistory::make(script.snapshot(), {});
    const auto failed = failedRequests(history->snapshot(), {});
    if (failed.empty()) return "none failed";
    return remediesOf(*memoryShortage(*history, failed.back(), {}), history->snapshot());
}

}  // namespace

/// Why a request failed: the pool then, and only what it proves.
class TestMemoryShortage : public QObject {
    Q_OBJECT
private slots:
    void thePoolIsThatOfTheFailure() {
        SnapshotScript script;
        script.segment(kBase, 100 * kMiB);
        script.alloc(kBase, 30 * kMiB - 100, "weights");
        script.alloc(kBase + 40 * kMiB, 30 * kMiB, "activations");
        script.outOfMemory(50 * kMiB);
        script.free(kBase + 40 * kMiB);
        const MemoryShortage shortage = shortageOf(script);
        QVERIFY(shortage.isFailure);
        QCOMPARE(shortage.requested, 50 * kMiB);
        QCOMPARE(shortage.pool.reserved, 100 * kMiB);
        QCOMPARE(shortage.pool.allocated, 60 * kMiB - 100);
        QCOMPARE(shortage.rounding, 100);
        QCOMPARE(shortage.pool.holes, std::size_t{2});
        QCOMPARE(shortage.pool.holeBytes, 40 * kMiB);
        QCOMPARE(shortage.pool.largestHole, 30 * kMiB);
        QCOMPARE(shortage.holders.size(), std::size_t{2});
        QCOMPARE(shortage.holders.front().bytes, 30 * kMiB);
    }

    void remedies_data() {
        QTest::addColumn<QString>("actual");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, SnapshotScript& script, const char* expected) {
            QTest::addRow("%s", name) << QString::fromStdString(remediesOf(script)) << QString::fromUtf8(expected);
        };
        {
            SnapshotScript script;
            script.segment(kBase, 100 * kMiB);
            script.alloc(kBase, 10 * kMiB, "a");
            row("no request failed", script, "none failed");
        }
        {
            SnapshotScript script;
            script.segment(kBase, 100 * kMiB);
            script.alloc(kBase, 10 * kMiB, "a");
            script.outOfMemory(60 * kMiB);
            row("there is room: the pool proves nothing", script, "");
        }
        {
            SnapshotScript script;
            for (int i = 0; i < 3; ++i) {
                script.segment(kBase + i * 200 * kMiB, 40 * kMiB);
                script.alloc(kBase + i * 200 * kMiB, 20 * kMiB, "pinned");
            }
            script.outOfMemory(50 * kMiB);
            row("holes are enough in all, and without their stack segments are empty", script,
                "expandable 60 MiB in 3\nfree pinned 60 MiB\n");
        }
        {
            SnapshotScript script;
            script.segment(kBase, 40 * kMiB, true);
            script.alloc(kBase + 20 * kMiB, 1 * kMiB, "middle");
            script.outOfMemory(35 * kMiB);
            row("expandable segments already", script, "free middle 1 MiB\n");
        }
        {
            SnapshotScript script;
            script.segment(kBase, 64 * kMiB);
            script.alloc(kBase + 30 * kMiB, 4 * kMiB, "small");
            script.segment(kBase + 200 * kMiB, 64 * kMiB);
            script.alloc(kBase + 200 * kMiB, 58 * kMiB, "large");
            script.outOfMemory(62 * kMiB);
            row("a small block splits a segment and has room elsewhere", script,
                "expandable 66 MiB in 3\nsplit limit for 64 MiB with 1\nfree small 4 MiB\nfree large 58 MiB\n");
        }
        {
            SnapshotScript script;
            script.segment(kBase, 64 * kMiB, false, 1);
            script.alloc(kBase + 30 * kMiB, 4 * kMiB, "one", 1);
            script.segment(kBase + 200 * kMiB, 64 * kMiB, false, 2);
            script.alloc(kBase + 230 * kMiB, 8 * kMiB, "two", 2);
            script.outOfMemory(61 * kMiB, 1);
            // Of the other stream only an empty segment is of use.
            row("holes of another stream do not count", script, "free one 4 MiB\nfree two 8 MiB\n");
        }
        for (const bool isExpandable : {false, true}) {
            SnapshotScript script;
            for (int i = 0; i < 3; ++i) {
                script.olderSegment(kBase + i * 200 * kMiB, 40 * kMiB, isExpandable, "(0, 0)");
                script.older(kBase + i * 200 * kMiB, 20 * kMiB, "pinned");
            }
            script.outOfMemory(50 * kMiB);
            row(isExpandable ? "the file says that they grow, the history is too short for it" : "and that they do not",
                script, isExpandable ? "free pinned 60 MiB\n" : "expandable 60 MiB in 3\nfree pinned 60 MiB\n");
        }
        {
            SnapshotScript script;
            for (int i = 0; i < 3; ++i) {
                script.olderSegment(kBase + i * 200 * kMiB, 40 * kMiB, false, "(0, 7)");
                script.older(kBase + i * 200 * kMiB, 20 * kMiB, "graph");
            }
            script.outOfMemory(50 * kMiB);
            row("what a graph's pool has is nobody else's", script, "");
        }
        {
            SnapshotScript script;
            script.segment(kBase, 40 * kMiB);
            script.alloc(kBase, 20 * kMiB, "a");
            script.outOfMemory(50 * kMiB, 0, 29 * kMiB);
            row("not enough with what the driver has left", script, "free a 20 MiB\n");
        }
        {
            SnapshotScript script;
            script.segment(kBase, 40 * kMiB);
            script.alloc(kBase, 20 * kMiB, "a");
            script.outOfMemory(50 * kMiB, 0, 30 * kMiB);
            row("enough with what the driver has left", script, "expandable 20 MiB in 1\nfree a 20 MiB\n");
        }
        {
            SnapshotScript script;
            script.segment(kBase, 40 * kMiB);
            script.alloc(kBase, 20 * kMiB, "a");
            script.outOfMemory(50 * kMiB, 0, 50 * kMiB);
            row("the driver has enough: the pool proves nothing", script, "");
        }
        {
            SnapshotScript script;
            script.segment(kBase, 40 * kMiB);
            script.alloc(kBase, 39 * kMiB, "a");
            script.outOfMemory(500 * kMiB);
            row("nothing would have been enough", script, "");
        }
    }
    void remedies() {
        QFETCH(const QString, actual);
        QFETCH(const QString, expected);
        QCOMPARE(actual, expected);
    }

    /// As dumps of msMemScope have it: rows of the host name no device and no segment, and an access changes nothing.
    void memoryOfTheHostIsADevice() {
        RowTablesBuilder builder;
        constexpr RowKind E = RowKind::SnapshotEvent, B = RowKind::SnapshotBlock;
        RowBatch events = builder.batch(E), blocks = builder.batch(B);
        const auto entry = [&](std::int64_t number, const char* action, std::int64_t allocated) {
            events.addRow();
            events.setInteger(fixedColumn(E, "event_id"), number);
            events.setText(fixedColumn(E, "action"), action);
            events.setInteger(fixedColumn(E, "address"), kBase);
            events.setInteger(fixedColumn(E, "size"), kMiB);
            events.setInteger(fixedColumn(E, "allocated"), allocated);
        };
        entry(0, "alloc", kMiB);
        entry(1, "access", kMiB);
        entry(2, "free_requested", 0);
        entry(3, "free_completed", 0);
        entry(0, "alloc", kMiB);
        events.setInteger(fixedColumn(E, "device_id"), 0);
        blocks.addRow();
        blocks.setInteger(fixedColumn(B, "address"), kBase);
        blocks.setInteger(fixedColumn(B, "size"), kMiB);
        blocks.setInteger(fixedColumn(B, "requested"), kMiB);
        blocks.setText(fixedColumn(B, "state"), "freed");
        blocks.setInteger(fixedColumn(B, "alloc_event"), 0);
        blocks.setInteger(fixedColumn(B, "free_event"), 3);
        builder.commit(events);
        builder.commit(blocks);
        const std::shared_ptr<const RowTables> rows = builder.seal({}).value();
        const std::vector<SnapshotRows> devices = snapshotDevices(*rows);
        QCOMPARE(devices.size(), std::size_t{2});
        QCOMPARE(devices[0].device, kSnapshotHost);
        QCOMPARE(devices[0].events, std::size_t{4});
        const auto history = PoolHistory::make(deviceSnapshot(rows, kSnapshotHost, nullptr, {}), {});
        const PoolState used = history->stateAt(1), released = history->stateAt(3);
        QCOMPARE(history->snapshot().activeAt(1), kMiB);
        QCOMPARE(used.allocated, kMiB);
        QCOMPARE(used.segments.size(), std::size_t{1});
        QCOMPARE(used.contradictions, std::uint64_t{0});
        QCOMPARE(released.segments.size(), std::size_t{0});
    }

    void differencesAreByStack() {
        SnapshotScript script;
        script.segment(kBase, 100 * kMiB);
        script.alloc(kBase, 10, "leaf\nroot");
        script.alloc(kBase + kMiB, 20, "other\nroot");
        const auto middle = static_cast<EventNumber>(script.events() - 1);
        script.alloc(kBase + 2 * kMiB, 30, "leaf\nroot");
        script.free(kBase + kMiB);
        const auto snapshot = script.snapshot();
        const auto changes = stackChanges(*snapshot, middle, *snapshot, snapshot->last());
        QCOMPARE(changes.size(), std::size_t{2});
        QCOMPARE(changes[0].stack, std::string_view("leaf\nroot"));
        QCOMPARE(changes[0].change(), 30);
        QCOMPARE(changes[1].change(), -20);
        QCOMPARE(changes[1].blocksAfter, std::uint64_t{0});
        // The tree has the root once, and what is allocated counts however short it was there.
        const auto frames = StackFrames::make(snapshot, {});
        const auto churn = stackTree(*frames, {StackQuery::What::Allocated, {0, snapshot->events}});
        QCOMPARE(churn->nodes.size(), std::size_t{4});
        QCOMPARE(churn->nodes[1].weight, 60);
        QCOMPARE(churn->nodes[2].weight, 40);
        QCOMPARE(churn->nodes[3].offset, 40);
        const auto kept = stackTree(*frames, {StackQuery::What::Kept, {}});
        QCOMPARE(kept->nodes[0].weight, 40);
        QCOMPARE(kept->nodes[0].count, std::uint64_t{2});
    }
};

ALTI_TEST(TestMemoryShortage)
#include "tst_memory_shortage.moc"
