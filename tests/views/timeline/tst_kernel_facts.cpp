#include "views/timeline/panels/kernel_facts.h"

#include "core/session/session.h"
#include "core/store/rows/row_builder.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"
#include "views/timeline/panels/slice_text.h"

#include <QFile>
#include <QTemporaryDir>

using namespace altiscope;
using namespace Qt::StringLiterals;

/// What the details say of a kernel beside its slice.
class TestKernelFacts : public QObject {
    Q_OBJECT
private slots:
    void theRowOfTheSlice();
    void tensorsWithTypesAndFormats();
    void aTaskIsCalledByItsCollective();
};

void TestKernelFacts::theRowOfTheSlice() {
    const auto column = [](std::string_view name) { return rowColumn(RowKind::Kernel, name); };
    RowTablesBuilder builder;
    const std::size_t time = builder.extraColumn(RowKind::Kernel, "aicore_time"),
                      ratio = builder.extraColumn(RowKind::Kernel, "mac_ratio"),
                      none = builder.extraColumn(RowKind::Kernel, "vec_ratio");
    RowBatch batch = builder.batch(RowKind::Kernel);
    // More rows than a block has, most of them without a slice.
    for (int row = 0; row < 3000; ++row) {
        batch.addRow();
        batch.setText(column("name"), row == 2500 ? "MatMul" : "Other");
        if (row != 2500) continue;
        batch.setInteger(column("slice_id"), 1);
        batch.setText(column("type"), "MatMulV2");
        batch.setText(column("accelerator_core"), "AI_CORE");
        batch.setText(column("input_shapes"), "\"4,8;8,2\"");
        batch.setText(column("input_types"), "FLOAT16;FLOAT16");
        batch.setText(column("input_formats"), "ND;FRACTAL_NZ");
        batch.setInteger(column("block_num"), 20);
        batch.setInteger(column("wait"), 1500);
        batch.setReal(time, 12'500);
        batch.setReal(ratio, 0.25);
    }
    builder.commit(batch);
    RankEntry rank;
    rank.rows = builder.seal({}).value();
    QVERIFY(!kernelFactsOf(rank, {0}));
    QVERIFY(!kernelFactsOf(RankEntry{}, {1}));
    const auto facts = kernelFactsOf(rank, {1});
    QVERIFY(facts);
    QCOMPARE(facts->metrics.size(), std::size_t{2});
    Q_UNUSED(none);
    QStringList lines;
    for (const auto& [title, text] : kernelLines(*facts)) lines << title + u'=' + text;
    QCOMPARE(lines, (QStringList{u"Type=MatMulV2"_s, u"Core=AI_CORE"_s, u"Input 1=4,8 · FLOAT16 · ND"_s,
                                 u"Input 2=8,2 · FLOAT16 · FRACTAL_NZ"_s, u"Blocks=20"_s, u"Wait=1.50 µs"_s,
                                 u"aicore_time=12.5 µs"_s, u"mac_ratio=25 %"_s}));
}

void TestKernelFacts::tensorsWithTypesAndFormats() {
    const auto texts = [](const char* shapes, const char* types, const char* formats) {
        QStringList list;
        for (const QString& text : tensorTexts(shapes, types, formats)) list << text;
        return list;
    };
    QCOMPARE(texts("\"\"\"2,3\"\"\"", "INT32", ""), QStringList{u"2,3 · INT32"_s});
    // A scalar has no shape, but a type.
    QCOMPARE(texts("2;", "FLOAT;INT64", "ND;ND"), (QStringList{u"2 · FLOAT · ND"_s, u"INT64 · ND"_s}));
    QCOMPARE(texts("N/A", "N/A", "N/A"), QStringList());
    QCOMPARE(texts("", "", ""), QStringList());
}

void TestKernelFacts::aTaskIsCalledByItsCollective() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"trace.json"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"([
{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"Ascend Hardware"}},
{"ph":"M","name":"process_name","pid":2,"tid":0,"args":{"name":"HCCL"}},
{"ph":"M","name":"thread_name","pid":2,"tid":0,"args":{"name":"Group 1 Communication"}},
{"ph":"M","name":"thread_name","pid":2,"tid":1,"args":{"name":"Plane 0"}},
{"ph":"X","name":"hcom_allReduce__1","pid":2,"tid":0,"ts":"100.000","dur":50,"args":{"connection_id":7}},
{"ph":"X","name":"hcom_allGather__2","pid":2,"tid":0,"ts":"160.000","dur":50,"args":{"connection_id":8}},
{"ph":"X","name":"Notify_Wait","pid":2,"tid":1,"ts":"110.000","dur":5,"args":{"connection_id":7}},
{"ph":"X","name":"Notify Wait","pid":1,"tid":4,"ts":"110.000","dur":5,"args":{"Task Type":"Notify Wait","connection_id":7}},
{"ph":"X","name":"Memcpy","pid":1,"tid":4,"ts":"120.000","dur":5,"args":{"Task Type":"SDMA","connection_id":9}},
{"ph":"X","name":"EVENT","pid":1,"tid":4,"ts":"170.000","dur":5,"args":{"Task Type":"SDMA"}}
])");
    file.close();
    JobRunner runner(1);
    Session session(runner);
    session.open(path);
    QVERIFY(QTest::qWaitFor([&] { return session.captures().front().job == 0; }, 20'000));
    const CaptureStore& store = *session.captures().front().store;
    const TraceStore& trace = *store.ranks[0].trace;
    QStringList titles;
    for (std::uint32_t i = 0; i < trace.sliceCount(); ++i) {
        const auto facts = readSliceFacts(store, {1}, {0, trace.id({i})}, {});
        if (facts->track.kind == TrackKind::Hardware) titles << sliceTitle(*facts);
    }
    titles.sort();
    QCOMPARE(titles, (QStringList{u"EVENT"_s, u"Memcpy"_s, u"Notify Wait, task of hcom_allReduce__1"_s}));
    runner.shutdown();
}

ALTI_TEST(TestKernelFacts)
#include "tst_kernel_facts.moc"
