#include "core/base/text/printable_text.h"
#include "core/base/text/table_text.h"
#include "core/report/export/result_writer.h"
#include "core/report/export/text_width.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

using namespace altiscope;

namespace {

Value null() { return {}; }
Value integer(std::int64_t number) {
    Value value;
    value.type = ValueType::Integer;
    value.integer = number;
    return value;
}
Value real(double number) {
    Value value;
    value.type = ValueType::Real;
    value.real = number;
    return value;
}
Value text(std::string_view bytes) { return {.type = ValueType::Text, .bytes = bytes}; }
Value blob(std::string_view bytes) { return {.type = ValueType::Blob, .bytes = bytes}; }

std::string written(ResultFormat format, const std::vector<std::string>& columns,
                    const std::vector<std::vector<Value>>& rows) {
    std::string output;
    const auto writer = makeResultWriter(format, [&output](std::string_view part) {
        output += part;
        return true;
    });
    writer->begin(columns);
    for (const auto& row : rows) writer->row(row);
    writer->finish();
    return output;
}

std::string oneJson(const Value& value) {
    const std::string all = written(ResultFormat::Json, {"v"}, {{value}});
    return all.substr(7, all.size() - 11);  // [\n{"v": ... }\n]\n
}

std::string oneCsv(const Value& value) {
    const std::string all = written(ResultFormat::Csv, {"v", "w"}, {{value, integer(1)}});
    return all.substr(5, all.size() - 9);  // v,w\r\n ... ,1\r\n
}

}  // namespace

class TestResultWriter : public QObject {
    Q_OBJECT
private slots:
    /// Names that a spreadsheet would run.
    void cellsThatBeginLikeFormulasAreGuarded() {
        const std::string longOne = '=' + std::string(200'000, 'x');
        for (const std::string one : {"=cmd|' /C calc'!A0", "+1", "-2+3", "@SUM(1)", "\t=1", "\r=1", "\n=1"}) {
            const std::string plain = written(ResultFormat::Csv, {"a", "b"}, {{text(one), integer(-1)}}),
                              guarded = written(ResultFormat::SpreadsheetCsv, {"a", "b"}, {{text(one), integer(-1)}});
            QVERIFY2(plain.find('\'' + one.substr(0, 1)) == std::string::npos, one.c_str());
            QVERIFY2(guarded == "a,b\r\n'" + one + ",-1\r\n" || guarded == "a,b\r\n\"'" + one + "\",-1\r\n",
                     one.c_str());
        }
        QCOMPARE(written(ResultFormat::SpreadsheetCsv, {"=a"}, {{text(longOne)}, {text("a=")}, {text("")}, {null()}}),
                 "'=a\r\n\"'" + longOne + "\"\r\na=\r\n\"\"\r\n\"\"\r\n");
    }

    void values_data() {
        QTest::addColumn<Value>("value");
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("csv");
        const auto add = [](const char* clause, Value value, QByteArray json, QByteArray csv) {
            QTest::addRow("%s", clause) << value << json << csv;
        };
        add("NULL", null(), "null", "");
        add("integer above 2^53", integer(9007199254740993), "9007199254740993", "9007199254740993");
        add("greatest integer", integer(std::numeric_limits<std::int64_t>::max()), "9223372036854775807",
            "9223372036854775807");
        add("least integer", integer(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808",
            "-9223372036854775808");
        add("real, shortest", real(0.1), "0.1", "0.1");
        add("real, all its digits", real(0.1 + 0.2), "0.30000000000000004", "0.30000000000000004");
        add("real without fraction", real(5), "5", "5");
        add("large real", real(1e300), "1e+300", "1e+300");
        add("infinity reads back", real(std::numeric_limits<double>::infinity()), "1e999", "1e999");
        add("minus infinity", real(-std::numeric_limits<double>::infinity()), "-1e999", "-1e999");
        add("text", text("aten::mm"), "\"aten::mm\"", "aten::mm");
        add("empty text is not NULL", text(""), "\"\"", "\"\"");
        add("quotes", text("a\"b"), "\"a\\\"b\"", "\"a\"\"b\"");
        add("comma", text("a,b"), "\"a,b\"", "\"a,b\"");
        add("newline", text("a\r\nb"), "\"a\\r\\nb\"", "\"a\r\nb\"");
        add("backslash", text("a\\b"), "\"a\\\\b\"", "a\\b");
        add("control characters", text(std::string_view("a\0\x1b", 3)), "\"a\\u0000\\u001b\"",
            QByteArray("a\0\x1b", 3));
        add("a blank at the begin", text(" a"), "\" a\"", "\" a\"");
        add("a blank at the end", text("a "), "\"a \"", "\"a \"");
        add("blanks at the ends", text(" a "), "\" a \"", "\" a \"");
        add("Chinese", text("算子"), "\"算子\"", "算子");
        add("bad UTF-8", text("a\xff"), "\"a\xef\xbf\xbd\"", "a\xef\xbf\xbd");
        add("blob", blob(std::string_view("\x00\xff\x0a", 3)), "\"00ff0a\"", "00ff0a");
        add("empty blob", blob(""), "\"\"", "");
    }
    void values() {
        QFETCH(Value, value);
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, csv);
        QCOMPARE(QByteArray::fromStdString(oneJson(value)), json);
        QCOMPARE(QByteArray::fromStdString(oneCsv(value)), csv);
    }

    void jsonIsOneArray() {
        QCOMPARE(written(ResultFormat::Json, {"b", "a"}, {{integer(1), null()}, {integer(2), text("x")}}),
                 std::string("[\n{\"b\":1,\"a\":null},\n{\"b\":2,\"a\":\"x\"}\n]\n"));
        QCOMPARE(written(ResultFormat::Json, {"a"}, {}), std::string("[]\n"));
    }

    void csvHasAHeader() {
        QCOMPARE(written(ResultFormat::Csv, {"a", "b c", "d,e"}, {{integer(1), null(), null()}}),
                 std::string("a,b c,\"d,e\"\r\n1,,\r\n"));
        QCOMPARE(written(ResultFormat::Csv, {"a"}, {}), std::string("a\r\n"));
        // A reader would skip an empty line.
        QCOMPARE(written(ResultFormat::Csv, {"a"}, {{null()}}), std::string("a\r\n\"\"\r\n"));
    }

    void repeatedNames_data() {
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<QStringList>("expected");
        const auto add = [](const char* names, const char* expected) {
            QTest::addRow("%s", names) << QString::fromLatin1(names).split(QLatin1Char(' '))
                                       << QString::fromLatin1(expected).split(QLatin1Char(' '));
        };
        add("a b c", "a b c");
        add("a a", "a a_2");
        add("a b a a", "a b a_2 a_3");
        add("a a a_2", "a a_2 a_2_2");
        add("a_2 a a", "a_2 a a_3");
    }
    void repeatedNames() {
        QFETCH(QStringList, names);
        QFETCH(QStringList, expected);
        std::vector<std::string> words;
        for (const QString& name : names) words.push_back(name.toStdString());
        QStringList got;
        for (const std::string& name : distinctNames(words)) got << QString::fromStdString(name);
        QCOMPARE(got, expected);
    }

    void tableIsAligned() {
        QCOMPARE(written(ResultFormat::Table, {"name", "n"},
                         {{text("算子"), integer(5)}, {text("a\nb\x1b"), integer(1234)}, {null(), null()}}),
                 std::string("name         n\n"
                             "--------  ----\n"
                             "算子         5\n"
                             "a\\nb\\x1b  1234\n"
                             "NULL      NULL\n"));
        QCOMPARE(written(ResultFormat::Table, {"a"}, {}), std::string("a\n-\n"));
    }

    void tableDoesNotHoldAllRows() {
        std::size_t parts = 0;
        const auto writer = makeResultWriter(ResultFormat::Table, [&parts](std::string_view) { return ++parts > 0; });
        const std::vector<std::string> columns{"a"};
        writer->begin(columns);
        for (std::size_t i = 0; i < ResultWriter::kTableRows; ++i) writer->row(std::vector<Value>{integer(1)});
        QCOMPARE(parts, ResultWriter::kTableRows + 2);
        writer->row(std::vector<Value>{text("wider than all before")});
        QCOMPARE(parts, ResultWriter::kTableRows + 3);
    }

    void longTextsStickOut() {
        const std::string longText(200, 'x');
        const std::string table =
            written(ResultFormat::Table, {"a", "b"}, {{text(longText), text("y")}, {text("z"), text("y")}});
        QVERIFY(table.find(longText + "  y\n") != std::string::npos);
        QVERIFY(table.find("z" + std::string(61, ' ') + "y\n") != std::string::npos);
    }

    void stopsWhenNothingCanBeWritten_data() {
        QTest::addColumn<int>("format");
        for (const auto format : {ResultFormat::Table, ResultFormat::Csv, ResultFormat::Json})
            QTest::addRow("format %d", static_cast<int>(format)) << static_cast<int>(format);
    }
    void stopsWhenNothingCanBeWritten() {
        QFETCH(int, format);
        const auto writer = makeResultWriter(static_cast<ResultFormat>(format), [](std::string_view) { return false; });
        const std::vector<std::string> columns{"a"};
        bool goesOn = writer->begin(columns);
        for (std::size_t i = 0; i < ResultWriter::kTableRows; ++i) goesOn = writer->row(std::vector<Value>{integer(1)});
        QVERIFY(!goesOn);
    }

    void formatsByName() {
        QVERIFY(resultFormat("table") == ResultFormat::Table);
        QVERIFY(resultFormat("csv") == ResultFormat::Csv);
        QVERIFY(resultFormat("json") == ResultFormat::Json);
        QVERIFY(resultFormat("arrow") == ResultFormat::Arrow);
        QVERIFY(!resultFormat("JSON"));
        QVERIFY(!resultFormat(""));
    }

    void widths_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("width");
        QTest::addRow("ASCII") << QByteArray("abc") << 3;
        QTest::addRow("empty") << QByteArray("") << 0;
        QTest::addRow("Chinese") << QByteArray("算子abc") << 7;
        QTest::addRow("Japanese, Korean") << QByteArray("かな한글") << 8;
        QTest::addRow("full width letter") << QByteArray("Ａ") << 2;
        QTest::addRow("accent of its own") << QByteArray("e\xcc\x81") << 1;
        QTest::addRow("umlaut") << QByteArray("ä") << 1;
        QTest::addRow("emoji") << QByteArray("🚀") << 2;
        // The last of a range, and the first behind it.
        QTest::addRow("Hangul filler") << QByteArray("\xe1\x85\x9f") << 2;
        QTest::addRow("behind the Hangul filler") << QByteArray("\xe1\x85\xa0") << 1;
        QTest::addRow("last combining mark") << QByteArray("\xcd\xaf") << 0;
        QTest::addRow("behind the combining marks") << QByteArray("\xcd\xb0") << 1;
        QTest::addRow("box drawing") << QByteArray("│─") << 2;
    }
    void widths() {
        QFETCH(QByteArray, text);
        QFETCH(int, width);
        QCOMPARE(static_cast<int>(textWidth(text.toStdString())), width);
    }

    void printable_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        QTest::addRow("plain") << QByteArray("a 算") << QByteArray("a 算");
        QTest::addRow("line ends") << QByteArray("a\r\nb\tc") << QByteArray("a\\r\\nb\\tc");
        QTest::addRow("escape sequence") << QByteArray("\x1b[2J") << QByteArray("\\x1b[2J");
        QTest::addRow("eight-bit control") << QByteArray("\xc2\x9b") << QByteArray("\\x9b");
        QTest::addRow("delete, NUL") << QByteArray("\x7f\0", 2) << QByteArray("\\x7f\\x00");
        QTest::addRow("turned around") << QByteArray("gpj.\xe2\x80\xaetxt.exe\xe2\x80\xac")
                                       << QByteArray("gpj.\\u202etxt.exe\\u202c");
        QTest::addRow("isolates and marks") << QByteArray("\xe2\x81\xa6\xe2\x81\xa9\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c")
                                            << QByteArray("\\u2066\\u2069\\u200e\\u200f\\u061c");
        QTest::addRow("line separators") << QByteArray("a\xe2\x80\xa8"
                                                       "b\xe2\x80\xa9")
                                         << QByteArray("a\\u2028b\\u2029");
        QTest::addRow("hidden letters") << QByteArray("\xf3\xa0\x81\x81") << QByteArray("\\U000e0041");
        QTest::addRow("joined emoji, Hebrew, Arabic")
            << QByteArray("\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa9 \xd7\x90\xd8\xa7")
            << QByteArray("\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa9 \xd7\x90\xd8\xa7");
        QTest::addRow("invisible") << QByteArray("a\xe2\x80\x8b"
                                                 "b\xc2\xad\xcd\x8f")
                                   << QByteArray("a\\u200bb\\xad\\u034f");
        // They would cover the lines above and below.
        QTest::addRow("stacked marks") << QByteArray("Z\xcc\x80\xcc\x81\xcc\x82\xcc\x83\xcc\x84g\xcc\x80")
                                       << QByteArray("Z\xcc\x80\xcc\x81\xcc\x82\\u0303\\u0304g\xcc\x80");
        QTest::addRow("Thai, Vietnamese") << QByteArray("\xe0\xb8\x99\xe0\xb9\x89\xe0\xb8\xb3 e\xcc\x82\xcc\x81")
                                          << QByteArray("\xe0\xb8\x99\xe0\xb9\x89\xe0\xb8\xb3 e\xcc\x82\xcc\x81");
        QTest::addRow("bad UTF-8") << QByteArray("\xe7\xae") << QByteArray("\xef\xbf\xbd\xef\xbf\xbd");
    }
    void printable() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        QCOMPARE(QByteArray::fromStdString(printableText(text.toStdString())), expected);
    }

    /// Writers hold a value once, in SQLite, and pieces of it.
    void longValuesAreWrittenInPieces_data() {
        QTest::addColumn<ResultFormat>("format");
        QTest::newRow("table") << ResultFormat::Table;
        QTest::newRow("csv") << ResultFormat::Csv;
        QTest::newRow("json") << ResultFormat::Json;
    }
    void longValuesAreWrittenInPieces() {
        QFETCH(ResultFormat, format);
        std::string content(5'000'000, 'x');
        for (std::size_t i = 0; i + 3 < content.size(); i += 1001) content.replace(i, 3, "\xe7\xae\x97");
        Value value{.type = ValueType::Text, .bytes = content};
        Value blob{.type = ValueType::Blob, .bytes = content};
        std::size_t longest = 0;
        std::string output;
        const auto writer = makeResultWriter(format, [&](std::string_view part) {
            longest = std::max(longest, part.size());
            output += part;
            return true;
        });
        writer->begin(std::vector<std::string>{"a", "b"});
        for (int i = 0; i < 3; ++i) QVERIFY(writer->row(std::vector<Value>{value, blob}));
        writer->finish();
        QVERIFY2(longest < 1'000'000, qPrintable(QString::number(longest)));
        std::size_t found = 0;
        for (std::size_t at = output.find(content); at != std::string::npos;
             at = output.find(content, at + content.size()))
            ++found;
        QCOMPARE(found, 3U);
        found = 0;
        const std::string hex = hexText(content);
        for (std::size_t at = output.find(hex); at != std::string::npos; at = output.find(hex, at + hex.size()))
            ++found;
        QCOMPARE(found, 3U);
    }
};

ALTI_TEST(TestResultWriter)
#include "tst_result_writer.moc"
