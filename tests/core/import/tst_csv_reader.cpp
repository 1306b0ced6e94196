#include "core/import/contracts/table_reader.h"

#include "core/base/threads/parallel.h"
#include "core/import/csv/csv_borders.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <string>
#include <vector>

using namespace altiscope;

namespace {

constexpr auto K = RowKind::Kernel;

const reader::CsvFormat& formatOf(std::string_view name) {
    for (const reader::CsvFormat& format : reader::csvFormats()) {
        if (format.name == name) return format;
    }
    qFatal("no such format");
}

struct CsvOutcome {
    std::shared_ptr<const RowTables> tables;
    std::string error;
    Diagnostics diagnostics;

    /// Cells of a column joined by '|'; NULL where one is absent.
    std::string column(RowKind kind, std::string_view name) const {
        const RowTable* table = tables ? tables->find(kind) : nullptr;
        std::string text;
        for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
            const std::size_t number = rowColumn(kind, name);
            text += row == 0 ? "" : "|";
            const auto integer = table->integer(number, row);
            if (!integer) text += "NULL";
            else if (rowColumns(kind)[number].cell == RowCell::Text) text += tables->text(*table->text(number, row));
            else text += std::to_string(*integer);
        }
        return text;
    }
    /// "code count place" of each diagnostic, joined by "; ".
    std::string problems() const {
        std::string text;
        for (const Diagnostic& entry : diagnostics.entries())
            text += (text.empty() ? "" : "; ") + entry.code + ' ' + std::to_string(entry.count) + ' ' +
                    entry.places.front().text();
        return text;
    }
};

CsvOutcome readText(const std::string& text, std::string_view format = "kernel_details",
                    std::size_t chunkBytes = 1 << 20) {
    static QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("x.csv"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write");
    file.write(text.data(), static_cast<qint64>(text.size()));
    file.close();
    CsvOutcome outcome;
    WorkerArena arena(2);
    arena.run([&] {
        RowTablesBuilder builder;
        ProgressSlot progress;
        const CancelToken cancel;
        reader::TableContext context{builder, outcome.diagnostics, progress, cancel, chunkBytes};
        reader::SourceFile source;
        source.path = path.toStdString();
        source.name = "x.csv";
        source.size = text.size();
        const auto read = reader::readCsv(source, formatOf(format), context);
        if (read.failed()) outcome.error = read.error().code;
        outcome.tables = builder.seal({}).value();
    });
    return outcome;
}

const std::string kHeader = "Name,Start Time(us),Duration(us),Input Shapes,Stream ID,aiv_time(us)\n";

}  // namespace

class TestCsvReader : public QObject {
    Q_OBJECT
private slots:
    void records_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("names");
        QTest::addColumn<QByteArray>("starts");
        QTest::addColumn<QByteArray>("problems");
        const auto row = [](const char* what, const std::string& body, const char* names, const char* starts,
                            const char* problems) {
            QTest::newRow(what) << QByteArray::fromStdString(kHeader + body) << QByteArray(names) << QByteArray(starts)
                                << QByteArray(problems);
        };
        row("plain", "a,1.5,2,,3,0.1\nb,2.0005,2,,3,0.1\n", "a|b", "1500|2001", "");
        row("mixed line ends and tabs", "a,1736408883704643.212\t,2\t,,3,0.1\r\nb, 1 ,2,,3,0.1\n", "a|b",
            "1736408883704643212|1000", "");
        row("no last line end", "a,1,2,,3,0.1\nb,2,2,,3,0.1", "a|b", "1000|2000", "csv.no_line_end 1 row 3");
        row("empty lines", "\na,1,2,,3,0.1\n\r\n\nb,2,2,,3,0.1\n", "a|b", "1000|2000", "");
        row("a cell of several lines", "\"a\nx,\"\"y\",1,2,,3,0.1\nb,2,2,,3,0.1\n", "a\nx,\"y|b", "1000|2000", "");
        row("a doubled quote before a line end inside a cell", "\"a\"\"\ny\",1,2,,3,0.1\nb,2,2,,3,0.1\n", "a\"\ny|b",
            "1000|2000", "");
        row("absent values", "a,1,2,N/A,N/A,N/A\nb,2,2,None,-,null\n", "a|b", "1000|2000", "");
        row("NA, null and n/a", "NA,1,2,NA,NA,NA\nnull,2,2,null,n/a,NULL\n", "NA|null", "1000|2000",
            "csv.bad_number 2 row 3");
        row("a lone CR between rows", "a,1,2,,3,0.1\rb,2,2,,3,0.1\n", "a|b", "1000|2000", "");
        row("text where a number is expected", "a,1,2,,x,0.1\nb,2,2,,3,y\n", "a|b", "1000|2000",
            "csv.bad_number 2 row 2");
        row("not a number", "a,1,2,,3,NaN\n", "a", "1000", "csv.bad_number 1 row 2");
        row("huge", "a,1,2,,99999999999999999999,1e999\n", "a", "1000", "csv.out_of_range 2 row 2");
        row("no start", "a,,2,,3,0.1\nb,2,2,,3,0.1\n", "b", "2000", "csv.missing_value 1 row 2");
        row("short", "a,1,2\nb,2,2,,3,0.1\n", "a|b", "1000|2000", "csv.short_record 1 row 2");
        row("long", "a,1,2,,3,0.1,9\n", "a", "1000", "csv.long_record 1 row 2");
        row("a comma at the end", "a,1,2,,3,0.1,\nb,2,2,,3,0.1, ,\n", "a|b", "1000|2000", "");
        row("cut, with what it needs", "a,1,2,,3,0.1\nb,2,2,\"1", "a|b", "1000|2000", "csv.cut 1 row 3");
        row("cut inside what it needs", "a,1,2,,3,0.1\nb,17364088837046", "a", "1000", "csv.cut 1 row 3");
        row("a damaged stamp", "a,1.69512E+15,2,,3,0.1\n", "a", "1695120000000000000", "csv.low_precision 1 row 2");
        row("quotes at both ends of a cell", "\"\"\"a,b\"\"\",1,2,,3,0.1\n", "\"a,b\"", "1000", "");
        row("quotes at both ends and inside", "\"\"\"a\"\",\"\"b\"\"\",1,2,,3,0.1\n", "\"a\",\"b\"", "1000", "");
        row("nothing but quotes", "\"\"\"\",1,2,,3,0.1\n\"\"\"\"\"\",2,2,,3,0.1\n\"\"\"\"\"\"\"\",3,2,,3,0.1\n",
            "\"|\"\"|\"\"\"", "1000|2000|3000", "");
        row("text behind a closing quote", "\"a\"b,1,2,,3,0.1\n\"\"\"c\"\"\" ,2,2,,3,0.1\n", "ab|\"c\"", "1000|2000",
            "");
        row("numbers of other forms", "a,+1,2,,03,0.1\nb,2.,2,, 3 ,.1\nc,3.0004999,2,,3.0,1e-1\n", "a|b|c",
            "1000|2000|3000", "");
        row("a stamp beyond all time", "a,4611686018427388,2,,3,0.1\nb,4611686018427387.903,2,,3,0.1\n", "b",
            "4611686018427387903", "csv.missing_value 1 row 2; csv.out_of_range 1 row 2");
        row("GBK", "\xc4\xe3,1,2,,3,0.1\n", "\xe4\xbd\xa0", "1000", "csv.gbk 1 row 2");
        row("bytes of no encoding", "\xff\xfe,1,2,,3,0.1\n", "\xef\xbf\xbd\xef\xbf\xbd", "1000",
            "csv.invalid_utf8 1 row 2");
        row("a quote inside a cell", "a\"b,1,2,,3,0.1\n", "a\"b", "1000", "");
    }
    void records() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, names);
        QFETCH(QByteArray, starts);
        QFETCH(QByteArray, problems);
        for (const std::size_t chunk : {std::size_t{1} << 20, std::size_t{7}, std::size_t{1}}) {
            const CsvOutcome outcome = readText(text.toStdString(), "kernel_details", chunk);
            QCOMPARE(outcome.error, std::string());
            QCOMPARE(QByteArray::fromStdString(outcome.column(K, "name")), names);
            QCOMPARE(QByteArray::fromStdString(outcome.column(K, "ts")), starts);
            QCOMPARE(QByteArray::fromStdString(outcome.problems()), problems);
        }
    }

    void lineEnds() {
        using reader::CsvBorders;
        // What nobody can tell yet: a file that is not whole may go on with a line feed.
        QVERIFY(!CsvBorders::lineEndOf("a,b", false) && !CsvBorders::lineEndOf("a,b\r", false));
        for (const bool isLast : {false, true}) {
            QCOMPARE(CsvBorders::lineEndOf("a,b\nc\r", isLast), std::optional('\n'));
            QCOMPARE(CsvBorders::lineEndOf("a,b\r\nc\r\n", isLast), std::optional('\n'));
            QCOMPARE(CsvBorders::lineEndOf("a,b\rc\n", isLast), std::optional('\r'));
            QCOMPARE(CsvBorders::lineEndOf("a,b\rc", isLast), std::optional('\r'));
        }
        QCOMPARE(CsvBorders::lineEndOf("a,b\r", true), std::optional('\r'));
        QCOMPARE(CsvBorders::lineEndOf("a,b", true), std::optional('\n'));
    }

    /// The square of a time in us is 10^6 times as much in ns, however the number is written.
    void variancesAreSquaresOfTimes() {
        const CsvOutcome outcome = readText("Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance\n"
                                            "acl,a,9,4,2.25,1.5,3,2.25\nacl,b,9,4,2.25,1.5,3,0.225e1\n",
                                            "api_statistic");
        QCOMPARE(outcome.problems(), std::string());
        const RowTable& table = *outcome.tables->find(RowKind::ApiStat);
        for (const std::size_t row : {0U, 1U}) {
            QCOMPARE(table.real(fixedColumn(RowKind::ApiStat, "variance"), row), std::optional(2'250'000.0));
            QCOMPARE(table.real(fixedColumn(RowKind::ApiStat, "avg"), row), std::optional(2250.0));
            QCOMPARE(table.integer(fixedColumn(RowKind::ApiStat, "min"), row), std::optional<std::int64_t>(1500));
        }
    }

    void theFirstBadCellIsShown() {
        const CsvOutcome outcome = readText(kHeader + "a,1,2,,first,0.1\nb,2,2,,second,y\n");
        const Diagnostic entry = outcome.diagnostics.entries().at(0);
        QCOMPARE(entry.count, std::uint64_t{3});
        QVERIFY2(entry.message("en").find("first") != std::string::npos, entry.message("en").c_str());
        QVERIFY2(entry.message("en").find("Stream ID") != std::string::npos, entry.message("en").c_str());
    }

    void shapesLoseOneMorePairOfQuotes() {
        const CsvOutcome outcome = readText(kHeader + "a,1,2,\"\"\"32,3;4\"\"\",3,0.1\n");
        QCOMPARE(outcome.column(K, "input_shapes"), std::string("32,3;4"));
    }

    void metricsAreNsWithoutTheirUnit() {
        const CsvOutcome outcome = readText(kHeader + "a,1,2,,3,5.211\nb,2,2,,3,N/A\n");
        const RowTable& table = *outcome.tables->find(K);
        QCOMPARE(table.extras(), std::vector<std::string>{"aiv_time"});
        QCOMPARE(table.real(rowColumns(K).size(), 0), std::optional<double>(5211));
        QCOMPARE(table.real(rowColumns(K).size(), 1), std::optional<double>());
    }

    void kinds() {
        const std::string header = "Name,Type,Accelerator Core,Start Time(us),Duration(us)\n";
        const CsvOutcome outcome = readText(
            header + "hcom_x,hcom_x_,HCCL,1,1\nhcom_y,N/A,N/A,2,1\nMatMul,N/A,N/A,3,1\nhcom_z,t,AI_CORE,4,1\n");
        QCOMPARE(outcome.column(K, "kind"), std::string("communication|communication|compute|compute"));
    }

    void headers() {
        QCOMPARE(readText("Name,Duration(us)\na,1\n").error, std::string("csv.no_column"));
        QCOMPARE(readText("").problems(), std::string("csv.empty 1 "));
        QCOMPARE(readText(kHeader).tables, nullptr);
        // Nothing but a header whose line ends in CR alone.
        QCOMPARE(readText("Name,Start Time(us),Duration(us)\r").problems(), std::string());
        const CsvOutcome marked = readText("\xEF\xBB\xBF"
                                           "Op Name,Task Start Time(us),Task Duration(us)\na,1,2\n",
                                           "op_summary");
        QCOMPARE(marked.column(K, "ts"), std::string("1000"));
        QCOMPARE(readText("Name,Name,Start Time(us),Duration(us)\na,b,1,2\n").problems(),
                 std::string("csv.repeated_column 1 row 1"));
    }

    /// "Step ID" of MindSpore was called a damaged "Step Id" of torch_npu.
    void aHeadingThatNobodyKnowsIsBelieved() {
        for (const char* header : {"Rtep,Computing,Overlapped,Free,Stage,Bubble", "Step,Computing,Overlapped,Freg,A,B",
                                   "Step,Computing,Overlapped,Free,Stage,Quite New"}) {
            const CsvOutcome outcome = readText(std::string(header) + "\n1,2,3,4,5,6\n", "step_trace_time");
            QCOMPARE(outcome.error + outcome.problems(), std::string());
            QCOMPARE(outcome.column(RowKind::StepBreakdown, "computing"), std::string("2000"));
        }
    }

    /// The records after it have fewer cells than what is taken for the header.
    void aRecordThatBecamePartOfTheHeaderIsReported() {
        const std::string header = "Step,Computing,Overlapped,Free", records = "1,2,3,4\n5,6,7,8\n";
        QCOMPARE(readText(header + '\n' + records, "step_trace_time").problems(), std::string());
        for (const char end : {',', '*', 'J'}) {
            const CsvOutcome outcome = readText(header + end + records, "step_trace_time");
            QVERIFY2(outcome.problems().find("csv.short_record 1 row 2") != std::string::npos,
                     outcome.problems().c_str());
        }
    }

    void aLengthBelowZeroIsNone() {
        const CsvOutcome steps =
            readText("Step,Computing,Free,Preparing\n1,5,-6,-0.0000000001\n2,7,8,9\n", "step_trace_time");
        QCOMPARE(steps.column(RowKind::StepBreakdown, "free"), std::string("NULL|8000"));
        QCOMPARE(steps.column(RowKind::StepBreakdown, "preparing"), std::string("0|9000"));
        QCOMPARE(steps.problems(), std::string("csv.out_of_range 1 row 2"));
        const CsvOutcome calls = readText("API Name,Time(us),Avg(us),Variance\na,-1,-2,-3\n", "api_statistic");
        QCOMPARE(calls.column(RowKind::ApiStat, "total"), std::string("NULL"));
        QCOMPARE(calls.column(RowKind::ApiStat, "variance"), std::string("NULL"));
        QCOMPARE(calls.problems(), std::string("csv.out_of_range 3 row 2"));
        const CsvOutcome parts =
            readText("Step,Computing,Stage,Communication(Not Overlapped and Exclude Receive),Preparing\n"
                     "1,5,-6,-7,-8\n",
                     "step_trace_time");
        QCOMPARE(parts.column(RowKind::StepBreakdown, "stage"), std::string("-6000"));
        QCOMPARE(parts.column(RowKind::StepBreakdown, "not_overlapped_excl_receive"), std::string("-7000"));
        QCOMPARE(parts.column(RowKind::StepBreakdown, "preparing"), std::string("-8000"));
        QCOMPARE(parts.problems(), std::string());
        // A time stamp may lie before 1970.
        QCOMPARE(readText("Name,Start Time(us),Duration(us)\na,-1,2\n").column(K, "ts"), std::string("-1000"));
    }

    /// Sums over steps had such a step twice.
    void aStepOfADeviceThatStandsTwice() {
        const std::string header = "Device_id,Step,Computing,Free\n";
        for (const std::size_t chunk : {std::size_t{1} << 20, std::size_t{7}, std::size_t{1}}) {
            const CsvOutcome steps =
                readText(header + "0,1,5,6\n1,1,7,8\n0,2,9,1\n0,step1,50,60\n0,,1,1\n0,,2,2\n0,3,,1\n0,3,4,1\n",
                         "step_trace_time", chunk);
            QCOMPARE(steps.column(RowKind::StepBreakdown, "computing"), std::string("5000|7000|9000|1000|4000"));
            QCOMPARE(steps.problems(), std::string("csv.missing_value 1 row 8; csv.repeated_row 2 row 5"));
        }
        QCOMPARE(readText(header + "0,x,1,1\n0,y,2,2\n0,,3,3\n", "step_trace_time").problems(),
                 std::string("csv.bad_number 2 row 2"));
        // Of other tables rows may be alike.
        QCOMPARE(readText(kHeader + "a,1,2,,3,0.1\na,1,2,,3,0.1\n").column(K, "name"), std::string("a|a"));
    }

    void totalsAndCountsBelowZeroAreNone() {
        const CsvOutcome samples = readText("Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB)\n"
                                            "PTA,1,-1,2\nPTA,2,1,-0.5\n",
                                            "memory_record");
        QCOMPARE(samples.column(RowKind::MemorySample, "allocated"), std::string("NULL|1048576"));
        QCOMPARE(samples.column(RowKind::MemorySample, "reserved"), std::string("2097152|NULL"));
        QCOMPARE(samples.problems(), std::string("csv.out_of_range 2 row 2"));
        // The size of a release without an allocation, and what a module released.
        const CsvOutcome allocations = readText("Name,Size(KB),Release Time(us),Release Total Active(MB)\n"
                                                "a,-1,1,2\nb,1,1,-2\n",
                                                "operator_memory");
        QCOMPARE(allocations.column(RowKind::Allocation, "size"), std::string("-1024|1024"));
        QCOMPARE(allocations.problems(), std::string("csv.out_of_range 1 row 3"));
        QCOMPARE(readText("Component,Timestamp(us),Total Reserved(KB)\nHCCL,1,-1\n", "npu_module_mem").problems(),
                 std::string());
        QCOMPARE(readText("Op Name,Size(KB)\na,-1\n", "static_op_mem").problems(),
                 std::string("csv.missing_value 1 row 2; csv.out_of_range 1 row 2"));
        QCOMPARE(readText("OP Type,Count,Total Time(us)\nAdd,-4,1\n", "op_statistic").problems(),
                 std::string("csv.out_of_range 1 row 2"));
    }

    void unitsAndRowsOfOneKey() {
        const auto problems = [](const char* text, const char* format) { return readText(text, format).problems(); };
        QCOMPARE(problems("Component,Timestamp(us),Total Reserved\nPTA,1,2\n", "memory_record"),
                 std::string("csv.no_unit 1 row 1"));
        QCOMPARE(problems("Name,Start Time(us),Duration(us),aiv_time,cube_ratio\na,1,2,3,4\n", "kernel_details"),
                 std::string("csv.no_unit 1 row 1"));
        QCOMPARE(problems("Device_id,OP Type,Core Type,Count,Total Time(us)\n0,Add,A,1,1\n1,Add,A,1,1\n0,Add,B,1,1\n"
                          "0,Add,A,5,5\n",
                          "op_statistic"),
                 std::string("csv.repeated_row 1 row 5"));
        QCOMPARE(problems("kernel_type,total_time,execution_frequency,percent\nAdd,1,1,50\nSub,1,1,50\nAdd,1,1,50\n",
                          "aicore_intermediate"),
                 std::string("csv.repeated_row 1 row 4"));
        // Two models of a graph may run the same operator for the same time.
        QCOMPARE(problems("Model Name,OP Type,Core Type,Count,Total Time(us)\n1,Cast,A,1,3.2\n2,Cast,A,1,3.2\n",
                          "op_statistic"),
                 std::string());
    }

    void limits() {
        const CsvOutcome endless =
            readText(kHeader + "a,1,2,,3,0.1\n" + std::string(std::size_t{20} << 20, 'x'), "kernel_details", 1 << 16);
        QCOMPARE(endless.error, std::string("csv.record_too_large"));
        QCOMPARE(endless.column(K, "name"), std::string("a"));
        std::string header = "Name,Start Time(us),Duration(us)", row = "a,1,2";
        for (int i = 0; i < 600; ++i) {
            header += ",m" + std::to_string(i);
            row += ",1";
        }
        QCOMPARE(readText(header + '\n' + row + '\n').tables->find(K)->extras().size(), std::size_t{512});
    }

    /// Whatever is cut off, nothing fails, and complete records before the cut stay.
    void cutAtEveryByte() {
        const std::string text = kHeader + "a,1,2,\"\"\"1,2\"\"\",3,0.1\r\n\"b\nc\",2,2,,3,0.2\nd,3,2,,3,0.3\n";
        for (std::size_t length = 0; length <= text.size(); ++length) {
            const CsvOutcome outcome = readText(text.substr(0, length));
            const bool hasFirst = length > text.find("0.1");
            QVERIFY2(!hasFirst || outcome.column(K, "name").starts_with("a"), qPrintable(QString::number(length)));
            for (const std::size_t chunk : {std::size_t{3}, std::size_t{11}}) {
                const CsvOutcome parts = readText(text.substr(0, length), "kernel_details", chunk);
                QCOMPARE(parts.column(K, "name"), outcome.column(K, "name"));
                QCOMPARE(parts.problems(), outcome.problems());
            }
        }
    }
};

ALTI_TEST(TestCsvReader)
#include "tst_csv_reader.moc"
