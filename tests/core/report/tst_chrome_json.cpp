#include "core/report/export/chrome_json.h"
#include "tests/support/test_main.h"

using namespace altiscope;

class TestChromeJson : public QObject {
    Q_OBJECT

private slots:
    void ids_data() {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<QByteArray>("json");
        QTest::addRow("number") << QByteArray("42") << QByteArray("42");
        QTest::addRow("negative number") << QByteArray("-7") << QByteArray("-7");
        QTest::addRow("above 2^53") << QByteArray("9007199254740993") << QByteArray("\"9007199254740993\"");
        QTest::addRow("zeros in front") << QByteArray("007") << QByteArray("\"007\"");
        QTest::addRow("minus zero") << QByteArray("-0") << QByteArray("\"-0\"");
        QTest::addRow("text") << QByteArray("a\"b") << QByteArray("\"a\\\"b\"");
        QTest::addRow("empty") << QByteArray("") << QByteArray("\"\"");
    }
    void ids() {
        QFETCH(QByteArray, id);
        QFETCH(QByteArray, json);
        QCOMPARE(QByteArray::fromStdString(chromeId(id.toStdString())), json);
    }

    void events() {
        TextBuffer text;
        ChromeWriter writer(text);
        writer.metadata("process_name", {"7", {}}, "name", "P");
        writer.metadata("thread_sort_index", {"7", "1"}, "sort_index", std::int64_t{-3});
        writer.slice({"A\n", "", "good", {1736412474714258990}, {31840}, "{\"k\":1}"}, {"7", "1"});
        writer.instant("mark", {"7", "1"}, {-1}, {});
        writer.flowEnd(false, "c", 9, {"7", "1"}, {5});
        writer.beginCounter("M", "7", {1000});
        writer.counterValue("a", 0.1);
        writer.counterValue("b", -25);
        writer.endCounter();
        QCOMPARE(
            QByteArray::fromStdString(std::string(text.view())),
            QByteArray(
                ",\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":7,\"args\":{\"name\":\"P\"}}"
                ",\n{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":7,\"tid\":1,\"args\":{\"sort_index\":-3}}"
                ",\n{\"ph\":\"X\",\"name\":\"A\\n\",\"pid\":7,\"tid\":1,\"ts\":1736412474714258.990,\"dur\":31.840,"
                "\"cname\":\"good\",\"args\":{\"k\":1}}"
                ",\n{\"ph\":\"i\",\"name\":\"mark\",\"pid\":7,\"tid\":1,\"ts\":-0.001,\"s\":\"t\"}"
                ",\n{\"ph\":\"f\",\"name\":\"c\",\"pid\":7,\"tid\":1,\"ts\":0.005,\"cat\":\"c\",\"bp\":\"e\",\"id\":9}"
                ",\n{\"ph\":\"C\",\"name\":\"M\",\"pid\":7,\"ts\":1.000,\"args\":{\"a\":0.1,\"b\":-25.0}}"));
    }
};

ALTI_TEST(TestChromeJson)
#include "tst_chrome_json.moc"
