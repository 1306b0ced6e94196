#include "core/capture/methods/value.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <string>

using namespace altiscope::capture;

namespace {

std::string nested(int levels) {
    std::string text;
    for (int i = 0; i < levels; ++i) text += "{\"a\":";
    return text + '1' + std::string(static_cast<std::size_t>(levels), '}');
}

}  // namespace

class TestCaptureValues : public QObject {
    Q_OBJECT

private slots:
    /// What reads and writes a value recurses.
    void aValueThatIsFarTooDeepIsNone() {
        QVERIFY(valueOfJson(nested(64)));
        QVERIFY(!valueOfJson(nested(65)));
        QVERIFY(!valueOfJson(nested(100'000)));
    }

    void jsonOfEachTypeIsAValue() {
        QVERIFY(valueOfJson("1") == Value(std::int64_t{1}));
        QVERIFY(valueOfJson("\"x\"") == Value(std::string("x")));
        QVERIFY(valueOfJson("true") == Value(true));
        QVERIFY(!valueOfJson("{"));
    }
};

ALTI_TEST(TestCaptureValues)
#include "tst_values.moc"
