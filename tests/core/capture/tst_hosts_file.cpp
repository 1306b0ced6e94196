#include "core/capture/targets/hosts_file.h"

#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>

using namespace altiscope::capture;
using Names = std::vector<std::string>;

class TestHostsFile : public QObject {
    Q_OBJECT
private slots:
    void hosts_data();
    void hosts();
    void aLineThatIsNoHostIsNamed_data();
    void aLineThatIsNoHostIsNamed();
    void longAndHostileLinesAreShownInPart();
    void tooManyHosts();
    void filesThatAreNone();
};

void TestHostsFile::hosts_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<Names>("names");
    QTest::newRow("DeepSpeed") << std::string("worker-1 slots=8\nworker-2 slots=8\n") << Names{"worker-1", "worker-2"};
    QTest::newRow("Open MPI") << std::string("10.0.0.1\tslots=8 max_slots=16\n10.0.0.2\n")
                              << Names{"10.0.0.1", "10.0.0.2"};
    QTest::newRow("a number alone") << std::string("a 8\nb 8") << Names{"a", "b"};
    QTest::newRow("users, ports, IPv6") << std::string("me@a:2222 slots=1\n[::1]:22\n")
                                        << Names{"me@a:2222", "[::1]:22"};
    QTest::newRow("comments, empty lines, blanks")
        << std::string("# all\n\n  a slots=8 # of Monday\n#b\n \t\n") << Names{"a"};
    QTest::newRow("ends of lines of Windows") << std::string("a slots=8\r\nb\r\n") << Names{"a", "b"};
    QTest::newRow("a host for each of its processes") << std::string("a\na\nb\na\n") << Names{"a", "b"};
    QTest::newRow("containers") << std::string("a/docker:box\n") << Names{"a/docker:box"};
}

void TestHostsFile::hosts() {
    QFETCH(std::string, text);
    const auto found = hostsOfText(text, "hostfile");
    QVERIFY(found.ok());
    QTEST(found.value(), "names");
}

void TestHostsFile::aLineThatIsNoHostIsNamed_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("line");
    QTest::newRow("an option of ssh") << std::string("a\n-oProxyCommand=x\n") << std::string("2");
    QTest::newRow("words for a shell") << std::string("$(id)\n") << std::string("1");
    QTest::newRow("/etc/hosts") << std::string("# hosts\n127.0.0.1 localhost\n") << std::string("2");
    QTest::newRow("two hosts in a line") << std::string("a b\n") << std::string("1");
    QTest::newRow("a list with commas") << std::string("a,b\n") << std::string("1");
    QTest::newRow("slots without a number") << std::string("a slots=\n") << std::string("1");
    QTest::newRow("no port") << std::string("a:99999\n") << std::string("1");
    QTest::newRow("zero bytes") << std::string("a\n\0b\n", 5) << std::string("2");
}

void TestHostsFile::aLineThatIsNoHostIsNamed() {
    QFETCH(std::string, text);
    QFETCH(std::string, line);
    const auto found = hostsOfText(text, "hostfile");
    QVERIFY(found.failed());
    QCOMPARE(found.error().code, std::string("capture.hosts.line"));
    QCOMPARE(found.error().parameters.at(0).second, line);
}

void TestHostsFile::longAndHostileLinesAreShownInPart() {
    const auto found = hostsOfText("a\n" + std::string(900'000, 'x') + " \x1b[2J\n", "hostfile");
    QVERIFY(found.failed());
    QVERIFY(found.error().parameters.at(1).second.size() < 100);
    // Where it ends it ends behind a letter.
    const auto cut = hostsOfText(std::string(79, 'x') + "\xc3\xa9 y\n", "hostfile");
    QVERIFY(cut.failed());
    QCOMPARE(cut.error().parameters.at(1).second, std::string(79, 'x') + "…");
}

void TestHostsFile::tooManyHosts() {
    std::string text;
    for (int i = 0; i < 1024; ++i) text += "h" + std::to_string(i) + "\n";
    QCOMPARE(hostsOfText(text, "hostfile").value().size(), std::size_t{1024});
    const auto found = hostsOfText(text + "h1024\n", "hostfile");
    QVERIFY(found.failed());
    QCOMPARE(found.error().code, std::string("capture.hosts.too_many"));
}

void TestHostsFile::filesThatAreNone() {
    const QTemporaryDir folder;
    const std::filesystem::path base = folder.path().toStdString();
    QVERIFY(hostsOfFile(base / "missing").failed());
    std::ofstream(base / "empty") << "# nobody\n";
    QCOMPARE(hostsOfFile(base / "empty").error().code, std::string("capture.hosts.none"));
    std::ofstream(base / "large") << std::string(std::size_t{2} << 20, '\n');
    QVERIFY(hostsOfFile(base / "large").failed());
    std::ofstream(base / "good") << "a slots=8\n";
    QCOMPARE(hostsOfFile(base / "good").value(), Names{"a"});
}

ALTI_TEST(TestHostsFile)
#include "tst_hosts_file.moc"
