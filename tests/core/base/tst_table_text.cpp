#include "core/base/text/table_text.h"

#include "tests/support/test_main.h"

#include <limits>

using namespace altiscope;

class TestTableText : public QObject {
    Q_OBJECT
private slots:
    void fields_data();
    void fields();
    void infinitiesReadBack();
    void hexadecimal();
};

void TestTableText::fields_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("field");
    QTest::newRow("plain") << QByteArray("aten::mul") << QByteArray("aten::mul");
    QTest::newRow("empty is not NULL") << QByteArray() << QByteArray("\"\"");
    QTest::newRow("comma") << QByteArray("a,b") << QByteArray("\"a,b\"");
    QTest::newRow("quotes are doubled") << QByteArray("a\"b") << QByteArray("\"a\"\"b\"");
    QTest::newRow("line") << QByteArray("a\nb") << QByteArray("\"a\nb\"");
    QTest::newRow("blank in front") << QByteArray(" a") << QByteArray("\" a\"");
    QTest::newRow("blank at the end") << QByteArray("a ") << QByteArray("\"a \"");
    QTest::newRow("blank inside") << QByteArray("a b") << QByteArray("a b");
    QTest::newRow("no UTF-8") << QByteArray("a\xff") << QByteArray("a\xef\xbf\xbd");
    QTest::newRow("no UTF-8, quoted") << QByteArray("a\xff,") << QByteArray("\"a\xef\xbf\xbd,\"");
}

void TestTableText::fields() {
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, field);
    QCOMPARE(QByteArray::fromStdString(csvField(text.toStdString())), field);
}

void TestTableText::infinitiesReadBack() {
    QCOMPARE(realText(std::numeric_limits<double>::infinity()), std::string("1e999"));
    QCOMPARE(realText(-std::numeric_limits<double>::infinity()), std::string("-1e999"));
    QCOMPARE(realText(0.1), std::string("0.1"));
}

void TestTableText::hexadecimal() {
    QCOMPARE(hexText(std::string_view("\x00\x9f\xff", 3)), std::string("009fff"));
    QCOMPARE(hexNumber(std::uint64_t{0x1'2345'6789'abcd}), std::string("000123456789abcd"));
}

ALTI_TEST(TestTableText)

#include "tst_table_text.moc"
