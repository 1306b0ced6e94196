#include "core/base/text/strict_json.h"
#include "tests/support/test_main.h"

using namespace altiscope;

class TestStrictJson : public QObject {
    Q_OBJECT

private slots:
    void bareWordsOfPython_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("strict");
        QTest::addRow("values") << QByteArray("{\"a\":NaN,\"b\":[-Infinity,Infinity]}")
                                << QByteArray("{\"a\":\"NaN\",\"b\":[\"-Infinity\",\"Infinity\"]}");
        QTest::addRow("inside strings they stay")
            << QByteArray("{\"NaN\":\"x\\\"NaN\"}") << QByteArray("{\"NaN\":\"x\\\"NaN\"}");
    }
    void bareWordsOfPython() {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, strict);
        QCOMPARE(QByteArray::fromStdString(strictJson(json.toStdString())), strict);
    }
};

ALTI_TEST(TestStrictJson)
#include "tst_strict_json.moc"
