#include "core/tables/overview/operator_durations.h"

#include "core/store/rows/row_builder.h"
#include "tests/support/test_main.h"

using namespace altiscope;

class TestOperatorDurations : public QObject {
    Q_OBJECT
private slots:
    void ofTypeCoreAndContext();
    void stopsWhenAsked();

private:
    /// On ranks 0 and 1, in steps 5 and 6: Add, MatMul and a MatMul on another core, 10 ns apart.
    static CaptureStore capture() {
        CaptureStore store;
        constexpr RowKind kKind = RowKind::Kernel;
        for (std::int64_t rank = 0; rank < 2; ++rank) {
            RowTablesBuilder builder;
            RowBatch batch = builder.batch(kKind);
            for (std::int64_t step = 5; step <= 6; ++step) {
                std::int64_t ts = 100 * step;
                for (const auto& [type, core] : {std::pair{"Add", "AI_VECTOR_CORE"}, std::pair{"MatMul", "AI_CORE"},
                                                 std::pair{"MatMul", "MIX_AIC"}}) {
                    batch.addRow();
                    batch.setText(fixedColumn(kKind, "type"), type);
                    batch.setText(fixedColumn(kKind, "accelerator_core"), core);
                    batch.setInteger(fixedColumn(kKind, "step"), step);
                    batch.setInteger(fixedColumn(kKind, "ts"), ts += 10);
                    batch.setInteger(fixedColumn(kKind, "dur"), ts + rank);
                }
            }
            batch.addRow();  // Nothing is known of it but its type.
            batch.setText(fixedColumn(kKind, "type"), "MatMul");
            builder.commit(batch);
            RankEntry& entry = store.ranks.emplace_back();
            entry.info.rankId = rank;
            entry.rows = builder.seal({}).value();
        }
        store.ranks.emplace_back().info.rankId = 2;  // Without rows.
        return store;
    }
};

void TestOperatorDurations::ofTypeCoreAndContext() {
    const CaptureStore store = capture();
    const auto read = [&](const ContextFilter& context, std::string_view type, std::string_view core) {
        return *operatorDurations(store, context, type, core, {});
    };
    using Times = std::vector<std::int64_t>;
    QCOMPARE(read({}, "Add", ""), (Times{510, 610, 511, 611}));
    QCOMPARE(read({}, "MatMul", "AI_CORE"), (Times{520, 620, 521, 621}));
    QCOMPARE(read({}, "MatMul", "").size(), std::size_t{8});
    QCOMPARE(read({}, "Conv", ""), Times{});
    QCOMPARE(read({}, "Add", "no such core"), Times{});
    QCOMPARE(read({.ranks = {1}, .devices = {}, .steps = {6}, .range = {}}, "Add", ""), (Times{611}));
    // Those that overlap it: the ones of step 5 go on until 1020 and later.
    QCOMPARE(read({.ranks = {0}, .devices = {}, .steps = {}, .range = TimeRange{{0}, {600}}}, "Add", ""), (Times{510}));
    QCOMPARE(read({.ranks = {0}, .devices = {}, .steps = {}, .range = TimeRange{{1100}, {1200}}}, "Add", ""),
             (Times{610}));
}

void TestOperatorDurations::stopsWhenAsked() {
    CancelToken token;
    token.requestCancel();
    QVERIFY(!operatorDurations(capture(), {}, "Add", "", token));
}

ALTI_TEST(TestOperatorDurations)
#include "tst_operator_durations.moc"
