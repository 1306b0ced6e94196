#include "core/analysis/facts/fact_readers.h"
#include "core/store/rows/row_builder.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

struct Block {
    const char* stack;
    std::int64_t event, bytes;
    const char* state = "active_allocated";
    std::int64_t device = 0;
    std::int64_t freed = -1;
};

/// Blocks, and a history of this many entries on devices 0 and 1.
std::shared_ptr<const RowTables> tablesOf(std::vector<Block> blocks, std::int64_t entries) {
    // Those of a device are neighbours.
    std::stable_sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) { return a.device < b.device; });
    RowTablesBuilder builder;
    constexpr RowKind E = RowKind::SnapshotEvent, B = RowKind::SnapshotBlock;
    RowBatch events = builder.batch(E), rows = builder.batch(B);
    for (std::int64_t device = 0; device < 2; ++device) {
        for (std::int64_t event = 0; event < entries; ++event) {
            events.addRow();
            events.setInteger(fixedColumn(E, "device_id"), device);
            events.setInteger(fixedColumn(E, "event_id"), event);
        }
    }
    for (const Block& block : blocks) {
        rows.addRow();
        rows.setInteger(fixedColumn(B, "device_id"), block.device);
        rows.setInteger(fixedColumn(B, "requested"), block.bytes);
        rows.setInteger(fixedColumn(B, "alloc_event"), block.event);
        rows.setText(fixedColumn(B, "state"), block.state);
        rows.setText(fixedColumn(B, "stack"), block.stack);
        if (block.freed >= 0) rows.setInteger(fixedColumn(B, "free_event"), block.freed);
    }
    builder.commit(events);
    builder.commit(rows);
    return builder.seal({}).value();
}

/// @param givesBack  Whether after each of the blocks, as in a step of a training, three layers allocate what is released
/// then. Else each layer releases at once what it needs.
std::string keptStacksOf(std::vector<Block> blocks, bool givesBack = true) {
    const std::vector<Block> kept = blocks;
    for (const Block& one : kept) {
        for (std::int64_t layer = 0; layer < 3; ++layer) {
            const std::int64_t at = one.event + 1 + 2 * layer;
            blocks.push_back({"activation", at, 8, "freed", one.device, givesBack ? one.event + 7 + layer : at + 1});
            blocks.push_back({"scratch", at + 1, 8, "freed", one.device, at + 2});
        }
    }
    RankFacts facts;
    readSnapshotFacts(tablesOf(blocks, 2000), {}, facts, {});
    std::string text;
    for (const KeptStack& stack : facts.keptStacks)
        text += std::to_string(stack.device) + ' ' + stack.stack + ' ' + std::to_string(stack.blocks) + " x " +
                std::to_string(stack.blockBytes) + " = " + std::to_string(stack.bytes) +
                (stack.fit > 0.99 ? " line" : "") + '\n';
    return text;
}

}  // namespace

/// What a memory snapshot says of call stacks that keep their blocks.
class TestSnapshotFacts : public QObject {
    Q_OBJECT
private slots:
    void keptStacks_data() {
        QTest::addColumn<QString>("actual");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* clause, const std::vector<Block>& blocks, const char* expected) {
            QTest::addRow("%s", clause) << QString::fromStdString(keptStacksOf(blocks))
                                        << QString::fromLatin1(expected);
        };
        row("a block again and again", {{"f", 100, 8}, {"f", 700, 8}, {"f", 1300, 8}, {"f", 1900, 8}},
            "0 f 4 x 8 = 32 line\n");
        row("by bytes, devices apart",
            {{"f", 0, 8},
             {"f", 900, 8},
             {"f", 1800, 8},
             {"f", 0, 9, "active_allocated", 1},
             {"f", 900, 9, "active_allocated", 1},
             {"f", 1800, 9, "active_allocated", 1}},
            "1 f 3 x 9 = 27 line\n0 f 3 x 8 = 24 line\n");
        row("what it releases lives shorter than what it keeps",
            {{"f", 0, 8}, {"f", 600, 8}, {"f", 1200, 8}, {"f", 950, 8, "freed", 0, 1000}}, "0 f 3 x 8 = 24 line\n");
        row("the newest may be released as the others were",
            {{"f", 0, 8}, {"f", 600, 8}, {"f", 1200, 8}, {"f", 950, 8, "freed", 0, 1400}}, "");
        row("a cache that releases the oldest",
            {{"f", 0, 8, "freed", 0, 1000},
             {"f", 500, 8, "freed", 0, 1500},
             {"f", 1000, 8},
             {"f", 1400, 8},
             {"f", 1900, 8}},
            "");
        row("two are too few", {{"f", 0, 8}, {"f", 1800, 8}}, "");
        row("all at the beginning", {{"f", 0, 8}, {"f", 10, 8}, {"f", 20, 8}, {"f", 990, 8}}, "");
        row("over half of the history", {{"f", 0, 8}, {"f", 10, 8}, {"f", 1000, 8}}, "0 f 3 x 8 = 24\n");
        row("not in use any more", {{"f", 0, 8, "inactive"}, {"f", 900, 8, "inactive"}, {"f", 1800, 8, "inactive"}},
            "");
    }
    void nothingIsSaidOfTheLayersOfAPass() {
        const std::vector<Block> blocks = {{"f", 100, 8}, {"f", 700, 8}, {"f", 1300, 8}, {"f", 1900, 8}};
        QCOMPARE(keptStacksOf(blocks, false), std::string());
        QVERIFY(!keptStacksOf(blocks).empty());
    }

    void keptStacks() {
        QFETCH(QString, actual);
        QFETCH(QString, expected);
        QCOMPARE(actual, expected);
    }

    void theFirstRequestMayFail() {
        RowTablesBuilder builder;
        constexpr RowKind E = RowKind::SnapshotEvent;
        RowBatch events = builder.batch(E);
        events.addRow();
        events.setInteger(fixedColumn(E, "device_id"), 0);
        events.setInteger(fixedColumn(E, "event_id"), 0);
        events.setInteger(fixedColumn(E, "size"), std::int64_t{1} << 40);
        events.setText(fixedColumn(E, "action"), "oom");
        builder.commit(events);
        RankFacts facts;
        readSnapshotFacts(builder.seal({}).value(), {}, facts, {});
        QVERIFY(facts.outOfMemory.has_value());
        QCOMPARE(facts.outOfMemory->holes, std::size_t{0});
    }

    void outOfMemory_data() {
        QTest::addColumn<QStringList>("actions");
        QTest::addColumn<bool>("isFound");
        QTest::addRow("at the end") << QStringList{u"alloc"_s, u"oom"_s} << true;
        QTest::addRow("only a mark follows") << QStringList{u"alloc"_s, u"oom"_s, u"snapshot"_s} << true;
        QTest::addRow("the program marks something") << QStringList{u"alloc"_s, u"oom"_s, u"user_defined"_s} << true;
        QTest::addRow("memory changed later") << QStringList{u"alloc"_s, u"oom"_s, u"free_requested"_s} << true;
        QTest::addRow("none") << QStringList{u"alloc"_s} << false;
    }
    void outOfMemory() {
        QFETCH(QStringList, actions);
        QFETCH(bool, isFound);
        constexpr std::int64_t kKiB = 1024;
        RowTablesBuilder builder;
        constexpr RowKind E = RowKind::SnapshotEvent, B = RowKind::SnapshotBlock;
        RowBatch events = builder.batch(E), rows = builder.batch(B);
        for (int i = 0; i < actions.size(); ++i) {
            events.addRow();
            events.setInteger(fixedColumn(E, "device_id"), 3);
            events.setInteger(fixedColumn(E, "event_id"), i);
            events.setInteger(fixedColumn(E, "size"), (100 + i) * kKiB);
            events.setInteger(fixedColumn(E, "allocated"), 70);
            events.setInteger(fixedColumn(E, "reserved"), 190);
            events.setText(fixedColumn(E, "action"), actions[i].toStdString());
        }
        std::int64_t address = 0x1000;
        const auto block = [&](const char* state, std::int64_t size, std::int64_t requested, const char* stack,
                               std::optional<std::int64_t> event = {}) {
            rows.addRow();
            if (event) rows.setInteger(fixedColumn(B, "alloc_event"), *event);
            rows.setInteger(fixedColumn(B, "segment_address"), 0x1000);
            rows.setInteger(fixedColumn(B, "address"), address);
            address += size * kKiB;
            rows.setInteger(fixedColumn(B, "device_id"), 3);
            rows.setInteger(fixedColumn(B, "size"), size * kKiB);
            rows.setInteger(fixedColumn(B, "requested"), requested * kKiB);
            rows.setText(fixedColumn(B, "state"), state);
            rows.setText(fixedColumn(B, "stack"), stack);
        };
        block("active_allocated", 40, 30, "f");
        block("inactive", 90, 90, "f");
        block("active_allocated", 20, 20, "g");
        block("inactive", 20, 1, "g");
        block("active_allocated", 20, 20, "g");
        // A workspace, which the file calls inactive.
        block("inactive", 30, 30, "w", 0);
        block("freed", 900, 900, "h");
        builder.commit(events);
        builder.commit(rows);
        RankFacts facts;
        readSnapshotFacts(builder.seal({}).value(), {}, facts, {});
        QCOMPARE(facts.outOfMemory.has_value(), isFound);
        if (!isFound) return;
        const OutOfMemory& failed = *facts.outOfMemory;
        QCOMPARE(failed.device, std::int64_t{3});
        QCOMPARE(failed.event, std::int64_t{1});
        QCOMPARE(failed.requested, 101 * kKiB);
        QCOMPARE(failed.allocated, std::int64_t{70});
        QCOMPARE(failed.reserved, std::int64_t{190});
        QCOMPARE(failed.holes, std::uint64_t{2});
        QCOMPARE(failed.holeBytes, 110 * kKiB);
        QCOMPARE(failed.largestHole, 90 * kKiB);
        QCOMPARE(failed.stack, std::string("g"));
        QCOMPARE(failed.stackBytes, 40 * kKiB);
        QVERIFY(failed.isFragmented);
    }

    void thePoolIsThatOfTheFailedRequest() {
        // While the exception goes up, f gives back what it has: then there are holes that were none.
        RowTablesBuilder builder;
        constexpr RowKind E = RowKind::SnapshotEvent, B = RowKind::SnapshotBlock;
        RowBatch events = builder.batch(E), rows = builder.batch(B);
        const char* const actions[] = {"snapshot", "oom", "free_requested", "free_completed"};
        for (int i = 0; i < 4; ++i) {
            events.addRow();
            events.setInteger(fixedColumn(E, "device_id"), 0);
            events.setInteger(fixedColumn(E, "event_id"), i);
            events.setInteger(fixedColumn(E, "address"), 0x1000);
            events.setInteger(fixedColumn(E, "size"), 1000);
            events.setText(fixedColumn(E, "action"), actions[i]);
        }
        const auto block = [&](const char* state, std::int64_t address, std::int64_t requested, const char* stack) {
            rows.addRow();
            rows.setInteger(fixedColumn(B, "device_id"), 0);
            rows.setInteger(fixedColumn(B, "segment_address"), 0x1000);
            rows.setInteger(fixedColumn(B, "address"), address);
            rows.setInteger(fixedColumn(B, "requested"), requested);
            rows.setText(fixedColumn(B, "state"), state);
            rows.setText(fixedColumn(B, "stack"), stack);
        };
        constexpr std::size_t kSize = fixedColumn(B, "size");
        block("inactive", 0x1000, 0, "f");
        rows.setInteger(kSize, 1024);
        block("active_allocated", 0x1400, 512, "g");
        rows.setInteger(kSize, 512);
        block("inactive", 0x1600, 0, "");
        rows.setInteger(kSize, 2560);
        block("freed", 0x1000, 1000, "f");
        rows.setInteger(fixedColumn(B, "free_event"), 3);
        builder.commit(events);
        builder.commit(rows);
        RankFacts facts;
        readSnapshotFacts(builder.seal({}).value(), {}, facts, {});
        QVERIFY(facts.outOfMemory.has_value());
        const OutOfMemory& failed = *facts.outOfMemory;
        QCOMPARE(failed.event, std::int64_t{1});
        QCOMPARE(failed.holes, std::uint64_t{1});
        QCOMPARE(failed.holeBytes, std::int64_t{2560});
        QCOMPARE(failed.stack, std::string("f"));
        QCOMPARE(failed.stackBytes, std::int64_t{1000});
    }
};

ALTI_TEST(TestSnapshotFacts)
#include "tst_snapshot_facts.moc"
