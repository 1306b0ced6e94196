#include "core/import/files/folder_listing.h"
#include "tests/support/archive_builder.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <array>
#include <cstring>
#include <filesystem>
#include <string>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace altiscope;
using namespace altiscope::test;

namespace {

constexpr const char* kTrace = "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1}]";

void makeFifo(const std::filesystem::path& path) {
    if (::mkfifo(path.c_str(), 0600) != 0) qFatal("cannot make a pipe");
}

void makeSocket(const std::filesystem::path& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.string().size() >= sizeof address.sun_path) qFatal("path too long");
    std::strcpy(address.sun_path, path.c_str());
    const int file = ::socket(AF_UNIX, SOCK_STREAM, 0);
    if (::bind(file, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) qFatal("cannot make a socket");
    ::close(file);
}

}  // namespace

class TestSpecialFiles : public QObject {
    Q_OBJECT

private slots:
    /// Where upper and lower case are one, these would be part of the capture, or stand in its place.
    void otherLettersAreALoss_data() {
        QTest::addColumn<QStringList>("others");
        QTest::addColumn<QString>("reported");
        const auto row = [](const char* clause, const QStringList& others, const char* reported) {
            QTest::addRow("%s", clause) << others << QString::fromUtf8(reported);
        };
        const QString rank = QStringLiteral("r_ascend_pt/");
        row("a second output", {rank + QStringLiteral("ascend_profiler_output/trace_view.json")},
            "lost scan.other_spelling r_ascend_pt/ascend_profiler_output x1\n");
        row("a second output in other letters throughout",
            {rank + QStringLiteral("Ascend_Profiler_Output/Kernel_Details.csv")},
            "lost scan.other_spelling r_ascend_pt/Ascend_Profiler_Output x1\n");
        row("a file of the user beside the rank", {QStringLiteral("Dataset.csv")}, "");
        row("a table", {rank + QStringLiteral("ASCEND_PROFILER_OUTPUT/STEP_TRACE_TIME.CSV")},
            "lost scan.other_spelling r_ascend_pt/ASCEND_PROFILER_OUTPUT/STEP_TRACE_TIME.CSV x1\n");
        row("a timeline beside the right one", {rank + QStringLiteral("ASCEND_PROFILER_OUTPUT/Trace_View.json")},
            "lost scan.other_spelling r_ascend_pt/ASCEND_PROFILER_OUTPUT/Trace_View.json x1\n");
        row("nothing of a capture in it",
            {rank + QStringLiteral("ascend_profiler_output/notes.txt"), rank + QStringLiteral("Notes.csv")}, "");
        row("a folder that is no rank's", {QStringLiteral("old/ascend_profiler_output/trace_view.json")}, "");
        row("a timeline that its content tells", {QStringLiteral("old/Trace.json")}, "");
    }
    void otherLettersAreALoss() {
        QFETCH(QStringList, others);
        QFETCH(QString, reported);
        const TestFolder folder;
        folder.write("r_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", kTrace);
        for (const QString& other : others) folder.write(other.toStdString(), kTrace);
        const auto capture = importForTest(folder.path()).value();
        QCOMPARE(QString::fromStdString(dumpDiagnostics(capture->diagnostics)), reported);
    }
    /// The output of a rank alone, but in other letters.
    void anOutputInOtherLettersAlone() {
        const TestFolder folder;
        folder.write("r_ascend_pt/ascend_profiler_output/trace_view.json", kTrace);
        folder.write("s_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", kTrace);
        const auto capture = importForTest(folder.path()).value();
        QVERIFY(dumpDiagnostics(capture->diagnostics)
                    .find("lost scan.other_spelling r_ascend_pt/ascend_profiler_output x1\n") != std::string::npos);
    }

    void inPlaceOfAFileIsALoss_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("kind");
        for (const char* name : {"kernel_details.csv", "communication.json", "analysis.db", "profiler_info_0.json"}) {
            for (const char* kind : {"FIFO", "socket", "folder"})
                QTest::addRow("%s as %s", kind, name) << QString::fromUtf8(name) << QString::fromUtf8(kind);
        }
    }
    void inPlaceOfAFileIsALoss() {
        QFETCH(QString, name);
        QFETCH(QString, kind);
        const TestFolder folder;
        folder.write("trace_view.json", kTrace);
        const auto path = folder.path() / name.toStdString();
        if (kind == QStringLiteral("FIFO")) makeFifo(path);
        else if (kind == QStringLiteral("socket")) makeSocket(path);
        else std::filesystem::create_directory(path);
        const auto imported = importForTest(folder.path());
        QVERIFY(imported.ok());
        QVERIFY(imported.value()->state == CaptureStore::State::Partial);
        const std::string code = kind == QStringLiteral("folder") ? "scan.folder_for_file" : "scan.special_file";
        const auto said = imported.value()->diagnostics.about(name.toStdString()).entries();
        QCOMPARE(said.size(), std::size_t{1});
        QCOMPARE(said.front().code, code);
        QVERIFY(said.front().severity == Severity::Lost);
        QCOMPARE(said.front().count, std::uint64_t{1});
        if (kind != QStringLiteral("folder"))
            QVERIFY(said.front().message("en").find(kind.toStdString()) != std::string::npos);
        // The timeline is still there.
        QCOMPARE(imported.value()->ranks.front().trace->sliceCount(), std::uint64_t{1});
    }

    void elsewhereIsOnlyMentioned() {
        const TestFolder folder;
        folder.write("trace_view.json", kTrace);
        makeFifo(folder.path() / "control");
        const auto imported = importForTest(folder.path());
        QVERIFY(imported.value()->state == CaptureStore::State::Ok);
        QCOMPARE(dumpDiagnostics(imported.value()->diagnostics.about("control")),
                 std::string("info scan.special_file control x1\n"));
    }

    /// Programs that unpack "trace_view.json.zip" may make "trace_view.json/trace_view.json".
    void folderAroundItsFileIsNoLoss() {
        const TestFolder folder;
        folder.write("trace_view.json/trace_view.json", kTrace);
        const auto imported = importForTest(folder.path());
        QVERIFY(imported.value()->state == CaptureStore::State::Ok);
    }

    void asCapture_data() {
        QTest::addColumn<QString>("kind");
        QTest::addRow("pipe") << QStringLiteral("FIFO");
        QTest::addRow("socket") << QStringLiteral("socket");
        QTest::addRow("device") << QStringLiteral("device");
    }
    void asCapture() {
        QFETCH(QString, kind);
        const TestFolder folder;
        std::filesystem::path path = folder.path() / "trace_view.json";
        if (kind == QStringLiteral("FIFO")) makeFifo(path);
        else if (kind == QStringLiteral("socket")) makeSocket(path);
        else path = "/dev/zero";
        const auto imported = importForTest(path);
        QVERIFY(imported.failed());
        QCOMPARE(imported.error().code, std::string("file.special"));
        QCOMPARE(imported.error().parameters.front().second, kind.toStdString());
    }
};

ALTI_TEST(TestSpecialFiles)
#include "tst_special_files.moc"
