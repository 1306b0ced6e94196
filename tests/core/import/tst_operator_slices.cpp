#include "core/import/csv/operator_slices.h"

#include "tests/support/capture_dump.h"
#include "tests/support/shared_data.h"
#include "tests/support/table_text.h"
#include "tests/support/test_main.h"

#include <QRegularExpression>
#include <QTest>

#include <string>

using namespace altiscope;
using namespace altiscope::test;

namespace {

const std::string kOutput = "r_ascend_pt/ASCEND_PROFILER_OUTPUT/";

/// A step, an operator that calls another, and one on another thread that begins between them.
const char* const kTrace = R"([{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"Python"}},
{"ph":"X","cat":"cpu_op","name":"ProfilerStep#5","pid":1,"tid":7,"ts":"1.000","dur":20},
{"ph":"X","cat":"cpu_op","name":"outer","pid":1,"tid":7,"ts":"2.000","dur":10.0004},
{"ph":"X","cat":"cpu_op","name":"inner","pid":1,"tid":7,"ts":"4.000","dur":2},
{"ph":"X","cat":"cpu_op","name":"other","pid":1,"tid":8,"ts":"3.000","dur":50},
{"ph":"X","cat":"python_function","name":"inner","pid":1,"tid":7,"ts":"4.500","dur":2}])";

const char* const kHeader =
    "Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Total Duration(us)\n";

}  // namespace

/// Rows of operator_details.csv and the slices that they are about; rows of databases are in tst_db_tables.
class TestOperatorSlices : public QObject {
    Q_OBJECT
private slots:
    void rows_data() {
        QTest::addColumn<QString>("csv");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* clause, const char* csv, const char* expected) {
            QTest::addRow("%s", clause) << QString::fromUtf8(csv) << QString::fromUtf8(expected);
        };
        row("by order, name and duration", "outer,,,8,10.001,1\nother,,,50,50,0\ninner,,,2,2,1\n",
            "slice step=5 name=outer thread=Thread 7 ts=2000 dur=10001 self_dur=8000 device_dur=1000\n"
            "slice step=5 name=other thread=Thread 8 ts=3000 dur=50000 self_dur=50000 device_dur=0\n"
            "slice step=5 name=inner thread=Thread 7 ts=4000 dur=2000 self_dur=2000 device_dur=1000\n");
        row("another name, another duration", "outer,,,8,10.002,1\nOther,,,50,50,0\ninner,,,2,2,1\n",
            "name=outer dur=10002 self_dur=8000 device_dur=1000\nname=Other dur=50000 self_dur=50000 device_dur=0\n"
            "slice step=5 name=inner thread=Thread 7 ts=4000 dur=2000 self_dur=2000 device_dur=1000\n");
        row("not as many rows as slices", "outer,,,8,10,1\nother,,,50,50,0\n",
            "name=outer dur=10000 self_dur=8000 device_dur=1000\nname=other dur=50000 self_dur=50000 device_dur=0\n");
    }
    void rows() {
        QFETCH(QString, csv);
        QFETCH(QString, expected);
        const TestFolder folder;
        folder.write(kOutput + "trace_view.json", kTrace);
        folder.write(kOutput + "operator_details.csv", kHeader + csv.toStdString());
        const auto result = importForTest(folder.path());
        QVERIFY(result.ok());
        static const QRegularExpression kSlice(QStringLiteral("slice_id=\\d+ "));
        QCOMPARE(QString::fromStdString(tableText(result.value()->ranks.at(0).rows.get(), RowKind::Operator))
                     .replace(kSlice, QStringLiteral("slice ")),
                 expected);
    }

    /// Every operator of real runs is on their timelines.
    void realRuns_data() {
        QTest::addColumn<QString>("folder");
        for (const char* folder : {"torch_text/level0/rank0_ascend_pt", "torch_text/level1/rank1_ascend_pt",
                                   "torch_db/level1/rank0_ascend_pt", "raw/torch/expected"})
            QTest::addRow("%s", folder) << QString::fromUtf8(folder);
    }
    void realRuns() {
        QFETCH(QString, folder);
        const auto path = sharedData(folder.toStdString());
        if (!path) QSKIP(kNoSharedData);
        const auto result = importForTest(*path);
        const RankEntry& rank = result.value()->ranks.at(0);
        const RowTable& table = *rank.rows->find(RowKind::Operator);
        QVERIFY(table.size() > 10);
        for (std::size_t row = 0; row < table.size(); ++row) {
            const auto slice = table.integer(fixedColumn(RowKind::Operator, "slice_id"), row);
            QVERIFY2(slice, std::to_string(row).c_str());
            const SliceIndex index{static_cast<std::uint32_t>(*slice)};
            QCOMPARE(rank.trace->begin(index).value, *table.integer(fixedColumn(RowKind::Operator, "ts"), row));
            QVERIFY(std::string(rank.trace->category(index)) == "cpu_op");
        }
    }
};

ALTI_TEST(TestOperatorSlices)
#include "tst_operator_slices.moc"
