#include "views/timeline/panels/go_to.h"

#include "tests/support/test_main.h"

using namespace altiscope;

class TestGoTo : public QObject {
    Q_OBJECT
private slots:
    void reads_data();
    void reads();
};

void TestGoTo::reads_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("target");
    const std::pair<const char*, const char*> cases[] = {{"1.25 s", "t 1250001000"},
                                                         {"350ms", "t 350001000"},
                                                         {"12 us", "t 13000"},
                                                         {"12 µs", "t 13000"},
                                                         {"5ns", "t 1005"},
                                                         {"2 min", "t 120000001000"},
                                                         {"-1 us", "t 0"},
                                                         {"1,000 ns", "t 2000"},
                                                         {"0.1 ns", "t 1000"},
                                                         {"#42", "s 42"},
                                                         {"# 7", "s 7"},
                                                         {"#-1", ""},
                                                         {"#x", ""},
                                                         {"5000", "t 5300"},
                                                         {"1.5 h", "t 5400000001000"},
                                                         {"50.5", ""},
                                                         {"", ""},
                                                         {"abc", ""},
                                                         {"1e3", "t 1300"},
                                                         {"9e18 s", ""},
                                                         {"s", ""},
                                                         {"1736408883573888001", "t 1736408883573888301"}};
    for (const auto& [text, target] : cases)
        QTest::addRow("%s", text) << QString::fromUtf8(text) << QString::fromUtf8(target);
}

void TestGoTo::reads() {
    QFETCH(QString, text);
    // The axis begins at 1000; the capture stands 300 later than its own clock.
    const auto target = readGoTo(text, {1000}, {300});
    QString got;
    if (target) {
        const auto* time = std::get_if<TimeNs>(&*target);
        got = time != nullptr ? QStringLiteral("t %1").arg(time->value)
                              : QStringLiteral("s %1").arg(std::get<SliceId>(*target).value);
    }
    QTEST(got, "target");
}

ALTI_TEST(TestGoTo)
#include "tst_go_to.moc"
