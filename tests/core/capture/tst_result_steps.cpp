#include "core/capture/session/result_steps.h"

#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>

using namespace altiscope::capture;
namespace fs = std::filesystem;

class TestResultSteps : public QObject {
    Q_OBJECT
private slots:
    void stepsAreRead_data();
    void stepsAreRead();
    void aLinkIsNotFollowed();
};

void TestResultSteps::stepsAreRead_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("first");  // -1: none
    QTest::addColumn<qint64>("end");
    const QString table = QStringLiteral("ASCEND_PROFILER_OUTPUT/step_trace_time.csv");
    QTest::newRow("the table") << table << QByteArray("Device_id,Step,Computing\n0,41,1.5\n0,42,1.5\n") << 41LL << 43LL;
    QTest::newRow("a table without numbers")
        << table << QByteArray("Device_id,Step,Computing\n0,,1.5\n") << -1LL << 0LL;
    QTest::newRow("another table") << table << QByteArray("a,b\n1,2\n") << -1LL << 0LL;
    QTest::newRow("the trace") << QStringLiteral("ASCEND_PROFILER_OUTPUT/trace_view.json")
                               << QByteArray("[{\"name\":\"ProfilerStep#7\"},{\"name\":\"ProfilerStep#8\"}]") << 7LL
                               << 9LL;
    QTest::newRow("a database") << QStringLiteral("ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db")
                                << QByteArray("SQLite\0\1ProfilerStep#12\0", 24) << 12LL << 13LL;
    QTest::newRow("raw") << QStringLiteral("FRAMEWORK/torch.op_range") << QByteArray("xProfilerStep#3 ") << 3LL << 4LL;
    QTest::newRow("cut") << QStringLiteral("FRAMEWORK/torch.op_range") << QByteArray("ProfilerStep#3") << -1LL << 0LL;
    QTest::newRow("a number beyond all") << QStringLiteral("FRAMEWORK/torch.op_range")
                                         << QByteArray("ProfilerStep#99999999999999999999999 ") << -1LL << 0LL;
}

void TestResultSteps::stepsAreRead() {
    QFETCH(const QString, file);
    QFETCH(const QByteArray, text);
    const QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / file.toStdString();
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary).write(text.constData(), text.size());
    const auto steps = stepsOfResult(folder.path().toStdString());
    QTEST(static_cast<qint64>(steps ? steps->first : -1), "first");
    QTEST(static_cast<qint64>(steps ? steps->second : 0), "end");
}

void TestResultSteps::aLinkIsNotFollowed() {
    const QTemporaryDir folder;
    const fs::path base = folder.path().toStdString();
    fs::create_directories(base / "FRAMEWORK");
    std::ofstream(base / "other") << "ProfilerStep#3 ";
    fs::create_symlink("../other", base / "FRAMEWORK/torch.op_range");
    QVERIFY(!stepsOfResult(base));
    QVERIFY(!stepsOfResult(base / "nowhere"));
}

ALTI_TEST(TestResultSteps)
#include "tst_result_steps.moc"
