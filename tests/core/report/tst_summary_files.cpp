#include "core/report/deliverables/summary_files.h"

#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

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
        task.duration = 2000;
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
        for (TaskRecord& task : records.tasks) task.collection = task.begin < 1'000'000'000 ? 1 : 0;
        // The task at 50 is of before the first collection.
        QCOMPARE(opStatistic(records, Dialect::Torch),
                 QByteArray("Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),"
                            "Ratio(%)\r\n0,Add,AI_CORE,3,6,2,2,2,100\r\n"));
    }

    /// Such a one counted where another collection of the device had begun before it.
    void aTaskBeforeItsOwnCollectionCountsNowhere() {
        TaskRecords records = recordsOf("Add", {2'000, 1'000'000'000, 1'000'002'000});
        records.collections = {{0, 1'000, 0}, {0, 1'000'001'000, 0}};
        for (TaskRecord& task : records.tasks) task.collection = task.begin == 2'000 ? 0 : 1;
        QCOMPARE(opStatistic(records, Dialect::Cann).split('\n').at(1), QByteArray("0,Add,AI_CORE,2,4,2,2,2,100"));
    }

    void aLongTableOfMsprofIsCutIntoFiles() {
        const QTemporaryDir folder;
        TaskRecords records = recordsOf("Add", {1'000, 2'000, 3'000, 4'000, 5'000});
        records.collections = {{0, 0, 0}};
        const CancelToken cancel;
        const RankEntry rank;
        const auto filesOf = [&](Dialect dialect, std::size_t rows) {
            DeliverableInput input{rank, records, dialect, folder.path().toStdString(), "_20260101000000", cancel};
            input.rowsOfTable = rows;
            return writeTaskTimes(input).files;
        };
        QCOMPARE(filesOf(Dialect::Torch, 2), std::vector<std::string>());
        QCOMPARE(filesOf(Dialect::Cann, 5), std::vector<std::string>());
        const std::vector<std::string> files = filesOf(Dialect::Cann, 2);
        QCOMPARE(files.size(), std::size_t{3});
        QCOMPARE(files.back(), std::string("task_time_slice_2_20260101000000.csv"));
        QStringList counts;
        for (const std::string& name : files) {
            QFile file(folder.filePath(QString::fromStdString(name)));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray text = file.readAll();
            QVERIFY(text.startsWith("Device_id,kernel_name,"));
            counts << QString::number(text.count('\n'));
        }
        QCOMPARE(counts.join(QLatin1Char(' ')), QStringLiteral("3 3 2"));
    }

    void aCommaInATypeIsNoFurtherCell() {
        QCOMPARE(opStatistic(recordsOf("Mul<\"a\",b>", {0}), Dialect::Cann).split('\n').at(1),
                 QByteArray("0,\"Mul<\"\"a\"\",b>\",AI_CORE,1,2,2,2,2,100"));
    }
};

ALTI_TEST(TestSummaryFiles)
#include "tst_summary_files.moc"
