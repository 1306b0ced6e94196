#include "core/report/deliverables/summary_files.h"

#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>

#include <cstdint>
#include <initializer_list>
#include <string>

using namespace altiscope;

namespace {

/// Tasks of operators of 2 us each, of one type.
TaskRecords recordsOf(const std::string& type, std::initializer_list<std::int64_t> begins) {
    TaskRecords records;
    records.texts = {type, "AI_CORE"};
    for (const std::int64_t begin : begins) {
        TaskRecord& task = records.tasks.emplace_back();
        task.begin = begin;
        task.end = begin + 2000;
        task.hasOp = true;
        task.opType = 0;
        task.opCore = 1;
    }
    return records;
}

QByteArray opStatistic(const TaskRecords& records, Dialect dialect) {
    const QTemporaryDir folder;
    const CancelToken cancel;
    const RankEntry rank;
    const DeliverableInput input{rank, records, dialect, folder.path().toStdString(), {}, cancel};
    if (writeOpStatistic(input).state != DeliverableResult::State::Written) return {};
    QFile file(folder.filePath(QStringLiteral("op_statistic.csv")));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestSummaryFiles : public QObject {
    Q_OBJECT
private slots:
    void kernelsOfTheFirstCollectionStayBesideASecondOne() {
        TaskRecords records = recordsOf("Add", {50, 2'000, 3'000, 1'000'002'000});
        records.collections = {{0, 1'000'001'000, 0}, {0, 1'000, 0}, {1, 5'000'000'000, 0}};
        // The task at 50 is of before the first collection.
        QCOMPARE(opStatistic(records, Dialect::Torch),
                 QByteArray("Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),"
                            "Ratio(%)\r\n0,Add,AI_CORE,3,6,2,2,2,100\r\n"));
    }

    void aCommaInATypeIsNoFurtherCell() {
        QCOMPARE(opStatistic(recordsOf("Mul<\"a\",b>", {0}), Dialect::Cann).split('\n').at(1),
                 QByteArray("0,\"Mul<\"\"a\"\",b>\",AI_CORE,1,2,2,2,2,100"));
    }
};

ALTI_TEST(TestSummaryFiles)
#include "tst_summary_files.moc"
