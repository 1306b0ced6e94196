#include "core/base/threads/parallel.h"
#include "core/pack/group_rows.h"
#include "core/pack/row_bounds.h"
#include "core/pack/text_map.h"
#include "core/store/file/sound_columns.h"
#include "core/store/rows/row_builder.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

using namespace altiscope;
using altiscope::test::traceFromText;

namespace {

std::shared_ptr<const RowTables> rowsOf(const std::function<void(RowTablesBuilder&)>& fill) {
    WorkerArena arena;
    std::shared_ptr<const RowTables> rows;
    arena.run([&] {
        RowTablesBuilder builder;
        fill(builder);
        auto sealed = builder.seal({});
        if (sealed.ok()) rows = sealed.value();
    });
    return rows;
}

std::shared_ptr<const RowTables> operators(std::uint32_t slice) {
    return rowsOf([slice](RowTablesBuilder& builder) {
        RowBatch batch = builder.batch(RowKind::Operator);
        for (const char* name : {"b", "a"}) {
            batch.addRow();
            batch.setInteger(fixedColumn(RowKind::Operator, "slice_id"), slice);
            batch.setText(fixedColumn(RowKind::Operator, "name"), name);
            batch.setText(fixedColumn(RowKind::Operator, "call_stack"), "x.py(1): secret");
        }
        builder.commit(batch);
    });
}

bool holdsText(const StringPool& texts, std::string_view text) { return texts.find(text).has_value(); }

}  // namespace

class TestTextMap : public QObject {
    Q_OBJECT
private slots:
    void textsOfATrace() {
        const auto before = traceFromText("p1/t1: A[0,100) B[10,40) A[50,60)\np1/c:C r[5]=1 s[6]=2\np1/t1: !m[50]");
        const auto after = pack::withTexts(*before, [](std::string_view text) {
            return text == "A" ? std::string("z") : text == "B" ? std::string("y") : std::string(text);
        });
        QVERIFY(isSound(after->columns(), {}));
        QCOMPARE(after->sliceCount(), before->sliceCount());
        for (std::uint32_t i = 0; i < after->sliceCount(); ++i) {
            QCOMPARE(after->name(SliceIndex{i}) == "z", before->name(SliceIndex{i}) == "A");
            QVERIFY(after->begin(SliceIndex{i}) == before->begin(SliceIndex{i}));
        }
        QVERIFY(!holdsText(after->texts(), "A"));
        // Sums of names are found by number, ascending.
        const auto stats = after->columns().nameStats.span();
        QCOMPARE(stats.size(), before->columns().nameStats.size());
        for (std::size_t i = 1; i < stats.size(); ++i)
            QVERIFY(stats[i - 1].track < stats[i].track || stats[i - 1].name.value < stats[i].name.value);
    }

    void twoNamesThatBecomeOneAreAddedUp() {
        const auto before = traceFromText("p1/t1: A[0,100) B[200,240)");
        const auto after = pack::withTexts(*before, [](std::string_view text) {
            return text == "A" || text == "B" ? std::string("x") : std::string(text);
        });
        QCOMPARE(after->columns().nameStats.size(), std::size_t{1});
        QCOMPARE(after->columns().nameStats[0].count, std::uint64_t{2});
        QCOMPARE(after->columns().nameStats[0].total, std::int64_t{140});
        QCOMPARE(after->columns().nameStats[0].minimum, std::int64_t{40});
    }

    void textsOfRows() {
        const auto after =
            pack::withTexts(*operators(0), [](std::string_view text) { return "_" + std::string(text); });
        const RowTable* table = after->find(RowKind::Operator);
        const std::size_t name = fixedColumn(RowKind::Operator, "name");
        QCOMPARE(std::string(after->text(*table->text(name, 0))), std::string("_b"));
        QCOMPARE(std::string(after->text(*table->text(name, 1))), std::string("_a"));
        QVERIFY(!table->text(fixedColumn(RowKind::Operator, "thread"), 0));
    }

    void withoutStacks() {
        const auto whole = traceFromText("p1/t1: A[0,100) B[10,40)\np1/t2: frame[0,90) inner[5,9)\np1/t3: C[3,9)");
        TraceColumns columns = whole->columns();
        columns.tracks[1].kind = TrackKind::Stack;
        const TraceStore before(columns, false);
        std::shared_ptr<const RowTables> rows = operators(4);
        const auto after = pack::withoutStacks(before, rows);
        QVERIFY(isSound(after->columns(), {}));
        QCOMPARE(after->tracks().size(), std::size_t{2});
        QCOMPARE(after->sliceCount(), std::size_t{3});
        QCOMPARE(std::string(after->name(SliceIndex{2})), std::string("C"));
        QVERIFY(after->parent(SliceIndex{1}).value == 0);
        QVERIFY(after->findSlice(whole->id(SliceIndex{4})).has_value());
        QVERIFY(!holdsText(after->texts(), "inner"));
        QCOMPARE(rows->find(RowKind::Operator)->integer(0, 0), std::optional<std::int64_t>(2));
        const auto left = pack::withoutStacks(*rows);
        QVERIFY(!left->find(RowKind::Operator)->text(fixedColumn(RowKind::Operator, "call_stack"), 0));
        QVERIFY(!holdsText(left->texts(), "x.py(1): secret"));
        QVERIFY(holdsText(left->texts(), "a"));
    }

    void timesOfRowsAreBounded() {
        constexpr std::int64_t kLarge = std::numeric_limits<std::int64_t>::max();
        const auto rows = rowsOf([](RowTablesBuilder& builder) {
            RowBatch batch = builder.batch(RowKind::Kernel);
            for (const std::int64_t time : {std::int64_t{5}, kLarge, kMaxTimeNs, kMaxTimeNs + 1, -kMaxTimeNs - 1}) {
                batch.addRow();
                batch.setInteger(fixedColumn(RowKind::Kernel, "ts"), time);
                batch.setInteger(fixedColumn(RowKind::Kernel, "stream"), kLarge);
                batch.setInteger(fixedColumn(RowKind::Kernel, "device_id"), time == 5 ? 7 : 1 << 30);
            }
            builder.commit(batch);
        });
        std::uint64_t beyond = 0;
        const auto bounded = pack::boundedRows(rows, beyond);
        QCOMPARE(beyond, std::uint64_t{7});
        const RowTable* table = bounded->find(RowKind::Kernel);
        const auto cell = [table](std::string_view column, std::size_t row) {
            return table->integer(rowColumn(RowKind::Kernel, column), row);
        };
        QCOMPARE(cell("ts", 0), std::optional<std::int64_t>(5));
        QVERIFY(!cell("ts", 1) && !cell("ts", 3) && !cell("ts", 4));
        QCOMPARE(cell("ts", 2), std::optional<std::int64_t>(kMaxTimeNs));
        QCOMPARE(cell("stream", 1), std::optional<std::int64_t>(kLarge));
        QVERIFY(!cell("device_id", 1));
        QVERIFY(pack::boundedRows(bounded, beyond) == bounded && beyond == 0);
    }

    void equalGroupsCountOnce() {
        const auto groups = [](const char* name) {
            return rowsOf([name](RowTablesBuilder& builder) {
                RowBatch batch = builder.batch(RowKind::CommGroup);
                for (const char* one : {"tp", name}) {
                    batch.addRow();
                    batch.setText(fixedColumn(RowKind::CommGroup, "group_name"), one);
                }
                builder.commit(batch);
            });
        };
        const std::shared_ptr<const RowTables> several[] = {groups("dp"), nullptr, groups("pp"), groups("dp")};
        WorkerArena arena;
        std::shared_ptr<const RowTables> merged;
        arena.run([&] { merged = pack::mergedGroups(several, {}); });
        const RowTable* table = merged->find(RowKind::CommGroup);
        QCOMPARE(table->size(), std::size_t{3});
        QCOMPARE(std::string(merged->text(*table->text(0, 2))), std::string("pp"));
    }
};

ALTI_TEST(TestTextMap)
#include "tst_text_map.moc"
