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
