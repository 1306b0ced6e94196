#include "core/trace/data_kinds.h"
#include "tests/support/test_main.h"

#include <algorithm>

using namespace altiscope;

class TestDataKinds : public QObject {
    Q_OBJECT
private slots:
    void valuesThatRecordTheData_data() {
        QTest::addColumn<QByteArray>("what");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<bool>("isOn");
        const auto row = [](const char* what, const char* value, bool isOn) {
            QTest::addRow("%s %s", what, value) << QByteArray(what) << QByteArray(value) << isOn;
        };
        row("communication", "Level0", false);
        row("communication", "Level1", true);
        row("communication", "Level2", true);
        row("kernels", "[\"CPU\"]", false);
        row("kernels", "[\"CPU\", \"NPU\"]", true);
        row("host_system", "[]", false);
        row("host_system", "", false);
        row("host_system", "[\"cpu\"]", true);
        row("gc", "null", false);
        row("ai_core_metrics", "AiCoreNone", false);
        row("ai_core_metrics", "ACL_AICORE_NONE", false);
        row("ai_core_metrics", "PipeUtilization", true);
    }
    void valuesThatRecordTheData() {
        QFETCH(QByteArray, what);
        QFETCH(QByteArray, value);
        const auto kinds = dataKinds();
        const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                       [&](const DataKind& one) { return one.what() == what.toStdString(); });
        QVERIFY(kind != kinds.end());
        QTEST(kind->isOn(value.toStdString()), "isOn");
    }
};

ALTI_TEST(TestDataKinds)
#include "tst_data_kinds.moc"
