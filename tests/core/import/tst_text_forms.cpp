#include "core/base/threads/parallel.h"
#include "core/import/contracts/table_reader.h"
#include "core/import/csv/csv_records.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <QString>
#include <QStringConverter>
#include <QTest>

#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// A text in one of the forms in which it may stand in a file.
std::string formOf(const std::string& utf8, const QString& form) {
    if (form == QStringLiteral("utf8 mark")) return "\xEF\xBB\xBF" + utf8;
    if (!form.startsWith(QStringLiteral("utf16"))) return utf8;
    const auto encoding = form.contains(QStringLiteral("be")) ? QStringConverter::Utf16BE : QStringConverter::Utf16LE;
    QStringEncoder encoder(encoding, form.endsWith(QStringLiteral("mark")) ? QStringConverter::Flag::WriteBom
                                                                           : QStringConverter::Flag::Default);
    const QByteArray bytes = encoder(QString::fromStdString(utf8));
    return bytes.toStdString();
}

const char* const kForms[] = {"utf8 mark", "utf16 le", "utf16 be", "utf16 le mark", "utf16 be mark"};

std::string withEnds(std::string text, const std::string& lineEnd) {
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += lineEnd.size())
        text.replace(at, 1, lineEnd);
    return text;
}

struct TableOutcome {
    std::shared_ptr<const RowTables> tables;
    Diagnostics diagnostics;

    std::string rows() const {
        const RowTable* table = tables ? tables->find(RowKind::Kernel) : nullptr;
        std::string text;
        for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
            for (const char* column : {"name", "wait", "ts", "dur"}) {
                const std::size_t number = rowColumn(RowKind::Kernel, column);
                const auto integer = table->integer(number, row);
                if (!integer) text += "-";
                else
                    text += rowColumns(RowKind::Kernel)[number].cell == RowCell::Text
                                ? tables->text(*table->text(number, row))
                                : std::to_string(*integer);
                text += column[0] == 'd' ? '\n' : ' ';
            }
        }
        return text;
    }
};

TableOutcome readKernels(const std::string& text, std::size_t chunkBytes) {
    const TestFolder folder;
    TableOutcome outcome;
    reader::SourceFile source;
    source.path = folder.write("kernel_details.csv", text);
    source.name = "kernel_details.csv";
    WorkerArena arena(2);
    arena.run([&] {
        RowTablesBuilder builder;
        ProgressSlot progress;
        const CancelToken cancel;
        reader::TableContext context{builder, outcome.diagnostics, progress, cancel, chunkBytes};
        for (const reader::CsvFormat& format : reader::csvFormats()) {
            if (format.name != "kernel_details") continue;
            const auto read = readCsv(source, format, context);
            if (!read.ok()) qFatal("%s", read.error().code.c_str());
        }
        outcome.tables = builder.seal(cancel).value();
    });
    return outcome;
}

const std::string kKernels = "Name,Wait Time(us),Start Time(us),Duration(us)\n"
                             "\"a, \u7b97\u5b50\",1,1.5,2\n"
                             "b,N/A,2.5,\"3\"\n"
                             "\"two\nlines\",NA,4.5,5\n"
                             "c,0,6.5,7\n";

}  // namespace

class TestTextForms : public QObject {
    Q_OBJECT

private slots:
    void traceIsReadInEveryForm_data() {
        QTest::addColumn<QString>("form");
        for (const char* form : kForms) QTest::addRow("%s", form) << QString::fromUtf8(form);
    }
    void traceIsReadInEveryForm() {
        QFETCH(QString, form);
        std::string text = "[";
        for (int i = 0; i < 3000; ++i) {
            text += std::string(i == 0 ? "" : ",\n") + "{\"ph\":\"X\",\"name\":\"\u7b97\U0001F600" + std::to_string(i) +
                    "\",\"pid\":1,\"tid\":1,\"ts\":" + std::to_string(10 * i) + ",\"dur\":5,\"args\":{\"n\":\"\u5b50" +
                    std::to_string(i) + "\"}}";
        }
        text += "]";
        const TestFolder folder;
        const auto plain = importForTest(folder.write("plain/trace_view.json", text));
        const auto path = folder.write("formed/trace_view.json", formOf(text, form));
        const bool isConverted = form.startsWith(QStringLiteral("utf16"));
        for (const std::size_t chunk : {std::size_t{100}, std::size_t{70000}, std::size_t{4} << 20}) {
            const auto formed = importForTest(path, {.threads = 2, .chunkBytes = chunk});
            QVERIFY(formed.ok());
            QCOMPARE(formed.value()->ranks.front().trace->sliceCount(), std::uint64_t{3000});
            // With places of the text, so only equal where these are.
            if (isConverted)
                QCOMPARE(dumpRows(*formed.value()->ranks.front().trace), dumpRows(*plain.value()->ranks.front().trace));
            QCOMPARE(dumpDiagnostics(formed.value()->diagnostics),
                     std::string(isConverted ? "info text.utf16 trace_view.json x1\n" : ""));
            const RankEntry& rank = formed.value()->ranks.front();
            const SourcePos last = rank.trace->columns().pos[2999];
            QCOMPARE(rank.arguments->arguments(last).value(), std::string("{\"n\":\"\u5b502999\"}"));
        }
    }

    void tableIsReadInEveryForm_data() {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("lineEnd");
        for (const char* form : {"utf8", "utf8 mark", "utf16 le", "utf16 be", "utf16 le mark", "utf16 be mark"}) {
            QTest::addRow("%s LF", form) << QString::fromUtf8(form) << QStringLiteral("\n");
            QTest::addRow("%s CR LF", form) << QString::fromUtf8(form) << QStringLiteral("\r\n");
            QTest::addRow("%s CR", form) << QString::fromUtf8(form) << QStringLiteral("\r");
        }
    }
    void tableIsReadInEveryForm() {
        QFETCH(QString, form);
        QFETCH(QString, lineEnd);
        const std::string end = lineEnd.toStdString();
        const std::string text = formOf(withEnds(kKernels, end), form);
        const std::string wanted =
            "a, \u7b97\u5b50 1000 1500 2000\nb - 2500 3000\ntwo" + end + "lines - 4500 5000\nc 0 6500 7000\n";
        for (const std::size_t chunk : {std::size_t{1}, std::size_t{5}, std::size_t{40}, std::size_t{1} << 20}) {
            const TableOutcome outcome = readKernels(text, chunk);
            QCOMPARE(QByteArray::fromStdString(outcome.rows()), QByteArray::fromStdString(wanted));
            QCOMPARE(dumpDiagnostics(outcome.diagnostics), std::string());
        }
    }

    /// All rows were lost: without a line feed the whole file was its own header.
    void rowsAfterCarriageReturnsAreNumberedAndCutLikeOthers() {
        const TableOutcome outcome =
            readKernels("Name,Wait Time(us),Start Time(us),Duration(us)\ra,x,1,2\rb,1,3,4\rc,5", 1 << 20);
        QCOMPARE(outcome.rows(), std::string("a - 1000 2000\nb 1000 3000 4000\n"));
        QCOMPARE(dumpDiagnostics(outcome.diagnostics),
                 std::string("repaired csv.bad_number kernel_details.csv x1 row 2\n"
                             "lost csv.cut kernel_details.csv x1 row 4\n"));
    }

    /// A record that has all its cells ends there; within others it is a character like any.
    void loneCarriageReturnAmongLineFeeds() {
        const TableOutcome outcome =
            readKernels("Name,Start Time(us),Duration(us)\r\na\rb,1,2\r\nc,3,4\rd,5,\"6\"\re,7,8\r\nf,9,10\n", 1 << 20);
        QCOMPARE(outcome.rows(),
                 std::string("a\rb - 1000 2000\nc - 3000 4000\nd - 5000 6000\ne - 7000 8000\nf - 9000 10000\n"));
        QCOMPARE(dumpDiagnostics(outcome.diagnostics), std::string());
    }

    void smallTablesEndTheirRecordsAlike_data() {
        QTest::addColumn<QString>("lineEnd");
        for (const char* end : {"\n", "\r\n", "\r"})
            QTest::addRow("%d", static_cast<int>(qstrlen(end)) * 100 + end[0]) << QString::fromLatin1(end);
    }
    void smallTablesEndTheirRecordsAlike() {
        QFETCH(QString, lineEnd);
        const TestFolder folder;
        reader::SourceFile source;
        source.path = folder.write("x.csv", withEnds("a,b\n1,\"2\n3\"\n\n4,5\n", lineEnd.toStdString()));
        source.name = "x.csv";
        ProgressSlot progress;
        std::string seen;
        const auto read = reader::eachCsvRecord(source, nullptr, progress, {}, [&](reader::CsvRecord& record) {
            seen += std::to_string(record.row) + ":" + record.cells[0] + ";" + record.cells[1] +
                    (record.isLast ? " last|" : "|");
        });
        QVERIFY(read.ok());
        QCOMPARE(seen, "1:a;b|2:1;2" + lineEnd.toStdString() + "3|4:4;5|");
    }
};

ALTI_TEST(TestTextForms)
#include "tst_text_forms.moc"
