#include "core/capture/session/diagnosis.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace altiscope;
using namespace altiscope::capture;

class TestDiagnosis : public QObject {
    Q_OBJECT
private slots:
    void causes_data();
    void causes();
};

void TestDiagnosis::causes_data() {
    QTest::addColumn<QString>("watcherLine");
    QTest::addColumn<QString>("watchers");  // "R": runs, "x": gone, "n": has looked since
    QTest::addColumn<bool>("isLogged");
    QTest::addColumn<int>("seconds");
    QTest::addColumn<QString>("code");
    QTest::addRow("a start step that is over, at once") << "it is not effective"
                                                        << "0" << true << 0 << "capture.diagnosis.step_over";
    QTest::addRow("invalid for MindSpore, at once") << "not valid"
                                                    << "" << false << 0 << "capture.diagnosis.step_over";
    QTest::addRow("nobody has looked, too early") << ""
                                                  << "" << true << 9 << "";
    QTest::addRow("nobody has looked") << ""
                                       << "" << true << 10 << "capture.diagnosis.nobody_looks";
    QTest::addRow("all processes gone") << ""
                                        << "0x 1x" << true << 10 << "capture.diagnosis.job_gone";
    QTest::addRow("one process runs, too early") << ""
                                                 << "0x 1" << true << 59 << "";
    QTest::addRow("runs and does not look") << ""
                                            << "0x 1" << true << 60 << "capture.diagnosis.slow_poll";
    QTest::addRow("has looked and waits") << ""
                                          << "0 1n" << true << 60 << "capture.diagnosis.waits";
    QTest::addRow("other ranks") << ""
                                 << "7 8x" << true << 10 << "capture.diagnosis.rank_not_listed";
    QTest::addRow("a tool without logs, too early") << ""
                                                    << "" << false << 59 << "";
    QTest::addRow("a tool without logs") << ""
                                         << "" << false << 60 << "capture.event.not_effective";
}

void TestDiagnosis::causes() {
    QFETCH(const QString, watcherLine);
    QFETCH(const QString, watchers);
    QFETCH(const bool, isLogged);
    QFETCH(const int, seconds);
    QFETCH(const QString, code);
    Listing listing;
    listing.watcherLine = watcherLine.toStdString();
    for (const QString& word : watchers.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        listing.watchers.push_back(
            {word.first(1).toInt(), word.contains(QLatin1Char('x')), word.contains(QLatin1Char('n'))});
    }
    const auto cause = diagnosis(listing, {"/config", isLogged, {0, 1}, std::chrono::seconds(seconds)});
    QCOMPARE(cause ? QString::fromStdString(cause->code) : QString(), code);
}

ALTI_TEST(TestDiagnosis)
#include "tst_diagnosis.moc"
