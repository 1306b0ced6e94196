#include "core/session/workspace/capture_identity.h"
#include "core/session/workspace/capture_link.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <filesystem>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

const std::string kOne = "00112233445566778899aabbccddeeff";

void put(const QString& file, const QByteArray& text) {
    QDir().mkpath(QFileInfo(file).absolutePath());
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(text);
}

std::string identityOf(const QString& path) {
    const auto found = identifyCapture(path.toStdString(), {});
    return found.ok() ? found.value() : found.error().code;
}

}  // namespace

class TestCaptureLink : public QObject {
    Q_OBJECT
private slots:
    void texts_data();
    void texts();
    void foreignTexts_data();
    void foreignTexts();
    void aCopiedFolderIsTheSame();
    void otherData_data();
    void otherData();
    void whatIsNotThereIsAnError();
};

void TestCaptureLink::texts_data() {
    QTest::addColumn<QString>("text");
    const QString base = u"altiscope:"_s + QString::fromStdString(kOne);
    for (const char* rest : {"", "/rank/0/slice/4398049367621", "/rank/12/range/-5-7", "/slice/0", "/range/-9--3",
                             "/rank/3/range/1736408883573888001-1736408883573888002", "/rank/7"})
        QTest::addRow("%s", rest) << base + QString::fromLatin1(rest);
}

void TestCaptureLink::texts() {
    QFETCH(QString, text);
    const auto link = linkFromText(text);
    QVERIFY(link);
    QCOMPARE(link->identity, kOne);
    QCOMPARE(linkText(*link), text);
    // As mail and browsers hand it over.
    QVERIFY(linkFromText(u"  "_s + QString(text).replace(u"altiscope:"_s, u"altiscope://"_s) + u"/\n"_s) == link);
}

void TestCaptureLink::foreignTexts_data() {
    QTest::addColumn<QString>("text");
    const QString base = u"altiscope:"_s + QString::fromStdString(kOne);
    QTest::addRow("nothing") << QString();
    QTest::addRow("another scheme") << u"https://"_s + QString::fromStdString(kOne);
    QTest::addRow("short identity") << u"altiscope:0011/rank/0"_s;
    QTest::addRow("path as identity") << u"altiscope:../../../../../../etc/passwd/xyz/rank/0"_s;
    for (const char* rest : {"/rank", "/rank/x", "/rank/0/slice/", "/rank/0/slice/-1", "/rank/0/slice/1/2",
                             "/slice/9223372036854775808", "/range/7", "/range/7-5", "/range/5-", "/range/1e3-2e3",
                             "/slice/1/rank/0", "/slice/+1", "/slice/ 1", "/where/1"})
        QTest::addRow("%s", rest) << base + QString::fromLatin1(rest);
    QTest::addRow("too long") << base + u"/rank/"_s + QString(300, u'1');
}

void TestCaptureLink::foreignTexts() {
    QFETCH(QString, text);
    QVERIFY(!linkFromText(text));
}

void TestCaptureLink::aCopiedFolderIsTheSame() {
    const QTemporaryDir folder;
    const QString first = folder.filePath(u"one/run_ascend_pt"_s), second = folder.filePath(u"two/other name"_s);
    put(first + u"/ASCEND_PROFILER_OUTPUT/trace_view.json"_s, QByteArray(300'000, 'x'));
    put(first + u"/profiler_info_0.json"_s, "{}");
    put(first + u"/PROF_1_2_A/device_0/data/stars_soc.data.0.slice_0"_s, "raw");
    std::filesystem::create_directories(second.toStdString());
    std::filesystem::copy(first.toStdString(), second.toStdString(), std::filesystem::copy_options::recursive);
    const std::string identity = identityOf(first);
    QVERIFY(isCaptureIdentity(identity));
    QCOMPARE(identityOf(second), identity);
    // What nothing reads, and what others add, changes nothing.
    put(second + u"/notes.md"_s, "mine");
    put(second + u"/.cache/x.json"_s, "{}");
    put(second + u"/cluster_analysis_output/cluster_step_trace_time.csv"_s, "a");
    std::filesystem::create_symlink("/etc/passwd", (second + u"/link.json"_s).toStdString());
    QCOMPARE(identityOf(second), identity);
}

void TestCaptureLink::otherData_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("text");
    QTest::addRow("another byte in the middle") << u"trace_view.json"_s << QByteArray("y");
    QTest::addRow("another size") << u"trace_view.json"_s << QByteArray(300'001, 'x');
    QTest::addRow("one more table") << u"op_statistic.csv"_s << QByteArray();
    QTest::addRow("raw data") << u"PROF_1_2_A/device_0/data/x"_s << QByteArray("r");
}

void TestCaptureLink::otherData() {
    QFETCH(QString, file);
    QFETCH(QByteArray, text);
    const QTemporaryDir folder;
    put(folder.filePath(u"trace_view.json"_s), QByteArray(300'000, 'x'));
    const std::string before = identityOf(folder.path());
    // Of a long file blocks are read; this one lies in the tenth of them.
    if (text == "y")
        text = QByteArray(300'000 / 17 * 9 + 10, 'x') + 'y' + QByteArray(300'000 - 300'000 / 17 * 9 - 11, 'x');
    put(folder.filePath(file), text);
    QVERIFY(identityOf(folder.path()) != before);
}

void TestCaptureLink::whatIsNotThereIsAnError() {
    QCOMPARE(identityOf(u"/nowhere/at all"_s), std::string("file.missing"));
    const CancelToken cancel;
    cancel.requestCancel();
    QVERIFY(identifyCapture("/tmp", cancel).cancelled());
}

ALTI_TEST(TestCaptureLink)
#include "tst_capture_link.moc"
