#include "tests/core/import/row_dump.h"
#include "tests/support/capture_dump.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

constexpr const char* kHeading =
    "ID,Event,Event Type,Name,Timestamp(ns),Process Id,Thread Id,Device Id,Ptr,Attr,Call Stack(Python),Call Stack(C)\n";

std::string row(const char* event, const char* kind, int time, int process, const char* device, const char* address,
                const std::string& attributes, const char* stack = "") {
    return std::string("1,") + event + ',' + kind + ",N/A," + std::to_string(time) + ',' + std::to_string(process) +
           ",1," + device + ',' + address + ",\"" + attributes + "\",\"" + stack + "\",\n";
}

std::string csvOf(const std::vector<std::string>& rows) {
    std::string text = kHeading;
    for (const std::string& one : rows) text += one;
    return text;
}

std::string problemsOf(const ImportResult& result) {
    return result.ok() ? dumpDiagnostics(result.value()->diagnostics) : "error " + result.error().code + '\n';
}

std::size_t rowsOf(const ImportResult& result, RowKind kind) {
    const RowTable* table = result.value()->ranks.at(0).rows->find(kind);
    return table == nullptr ? 0 : table->size();
}

}  // namespace

class TestMemscopeCsv : public QObject {
    Q_OBJECT

private slots:
    void dumpInCsvIsCalledNoJson_data();
    void dumpInCsvIsCalledNoJson();
    void releaseWithoutDeviceIsOfTheBlock();
    void processesOfOneFileDoNotMix();
    void whatIsWrongIsCounted();
    void samplesAreRead();
};

void TestMemscopeCsv::dumpInCsvIsCalledNoJson_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("isFolder");
    QTest::addRow("by its name") << QStringLiteral("memscope_dump_1.csv") << false;
    QTest::addRow("in a folder") << QStringLiteral("device_0/dump/leaks_dump_1.csv") << true;
    QTest::addRow("renamed") << QStringLiteral("baseline.csv") << false;
}

void TestMemscopeCsv::dumpInCsvIsCalledNoJson() {
    QFETCH(QString, name);
    QFETCH(bool, isFolder);
    const TestFolder folder;
    const auto file =
        folder.write(name.toStdString(),
                     csvOf({row("MALLOC", "HAL", 10, 7, "0", "0x1000", "{addr:0x1000,size:8192,MID:7}"),
                            row("MALLOC", "PTA", 20, 7, "0", "0x1000",
                                "{allocation_id:4,addr:0x1000,size:512,total:8192,used:512}", "a.py(1): f\nb.py(2): g"),
                            row("OP_LAUNCH", "ATEN_START", 30, 7, "0", "N/A", ""),
                            row("FREE", "PTA", 60, 7, "0", "0x1000", "{addr:0x1000,size:512,total:8192,used:0}")}));
    const auto result = importForTest(isFolder ? folder.path() : file);
    QCOMPARE(problemsOf(result), "info memscope.other_events " + name.toStdString() + " x1\n");
    QVERIFY(result.value()->ranks.at(0).info.source == SourceKind::Text);
    QCOMPARE(rowsOf(result, RowKind::Allocation), std::size_t{1});
    const std::string rows = dumpTables(*result.value());
    QVERIFY2(rows.find("allocation PTA|512|20|60") != std::string::npos, rows.c_str());
    QVERIFY2(rows.find("a.py(1): f") != std::string::npos, rows.c_str());
}

/// The driver's releases name none.
void TestMemscopeCsv::releaseWithoutDeviceIsOfTheBlock() {
    const TestFolder folder;
    const auto result = importForTest(
        folder.write("memscope_dump_1.csv", csvOf({row("MALLOC", "HAL", 10, 7, "1", "4096", "{size:8192}"),
                                                   row("FREE", "HAL", 20, 7, "N/A", "4096", "{size:8192}")})));
    QCOMPARE(problemsOf(result), std::string());
    QCOMPARE(rowsOf(result, RowKind::Allocation), std::size_t{1});
    const std::string rows = dumpTables(*result.value());
    QVERIFY2(rows.find("allocation HAL|8192|10|20") != std::string::npos, rows.c_str());
}

void TestMemscopeCsv::processesOfOneFileDoNotMix() {
    const TestFolder folder;
    const auto result = importForTest(
        folder.write("memscope_dump_1.csv", csvOf({row("MALLOC", "HAL", 10, 7, "0", "4096", "{size:8192}"),
                                                   row("MALLOC", "HAL", 11, 8, "0", "4096", "{size:512}"),
                                                   row("FREE", "HAL", 20, 7, "0", "4096", "{size:8192}")})));
    QCOMPARE(problemsOf(result), std::string("lost memscope.other_processes memscope_dump_1.csv x1\n"));
    QCOMPARE(rowsOf(result, RowKind::Allocation), std::size_t{1});
    QVERIFY(result.value()->ranks[0].info.state == RankState::Partial);
}

void TestMemscopeCsv::whatIsWrongIsCounted() {
    const TestFolder folder;
    const auto problems = [&](const std::string& content) {
        return problemsOf(importForTest(folder.write("memscope_dump_1.csv", content)));
    };
    QCOMPARE(problems(csvOf({row("MALLOC", "HAL", 10, 7, "0", "4096", "{owner:}"),
                             row("MALLOC", "HAL", 11, 7, "0", "no address", "{size:1}"),
                             row("MALLOC", "HAL", 12, 7, "0", "8192", "{size:512}")})),
             std::string("lost csv.missing_value memscope_dump_1.csv x2 row 2, row 3\n"));
    QCOMPARE(problems("ID,Event,Event Type\n1,MALLOC,HAL\n"),
             std::string("lost csv.no_column memscope_dump_1.csv x1\n"));
    const std::string cut = problems(csvOf({row("MALLOC", "HAL", 12, 7, "0", "8192", "{size:512}"), "2,MALLOC,HAL"}));
    QVERIFY2(cut.find("lost csv.cut memscope_dump_1.csv x1 row 3") != std::string::npos, cut.c_str());
    QVERIFY2(cut.find("memscope.other_processes") == std::string::npos, cut.c_str());
}

void TestMemscopeCsv::samplesAreRead() {
    const auto folder = sharedData("memscope");
    if (!folder) QSKIP(kNoSharedData);
    for (const auto& [name, events] : {std::pair("baseline.csv", 39), std::pair("leaks.csv", 40)}) {
        const auto result = importForTest(*folder / name);
        QVERIFY(result.ok());
        // A row after each allocation and release.
        QCOMPARE(rowsOf(result, RowKind::MemorySample), static_cast<std::size_t>(events));
        QVERIFY(!result.value()->diagnostics.anyLost());
    }
}

ALTI_TEST(TestMemscopeCsv)
#include "tst_memscope_csv.moc"
