#include "core/capture/targets/ssh_hosts.h"

#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>

using namespace altiscope::capture;
using Names = std::vector<std::string>;

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
}

}  // namespace

class TestSshHosts : public QObject {
    Q_OBJECT
private slots:
    void names_data();
    void names();
    void includedFiles();
    void filesThatIncludeEachOther();
    void whatIsNotThere();
};

void TestSshHosts::names_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<Names>("names");
    QTest::newRow("words of Host lines, in order")
        << std::string("Host b a\n  User me\nHost c\n") << Names{"b", "a", "c"};
    QTest::newRow("each once") << std::string("Host a b\nHost a\n") << Names{"a", "b"};
    QTest::newRow("keywords in any case, blanks before them") << std::string("  hOsT\ta\n") << Names{"a"};
    QTest::newRow("an equals sign") << std::string("Host=a\nHost = b\n") << Names{"a", "b"};
    QTest::newRow("quotes") << std::string("Host \"a\" b\n") << Names{"a", "b"};
    QTest::newRow("comments") << std::string("# Host x\nHost a # b\n") << Names{"a"};
    QTest::newRow("patterns are no hosts") << std::string("Host * a? !b c\n") << Names{"c"};
    QTest::newRow("what ssh could take for an option") << std::string("Host -oProxyCommand=x a\n") << Names{"a"};
    QTest::newRow("this machine's own name") << std::string("Host local a\n") << Names{"a"};
    QTest::newRow("other keywords") << std::string("HostName x\nMatch host y\nHost\n") << Names{};
    QTest::newRow("ends of lines of Windows, no last one") << std::string("Host a\r\nHost b") << Names{"a", "b"};
}

void TestSshHosts::names() {
    QFETCH(std::string, text);
    const QTemporaryDir folder;
    const std::filesystem::path config = folder.filePath(QStringLiteral("config")).toStdString();
    write(config, text);
    QTEST(sshHosts(config, config.parent_path()), "names");
}

void TestSshHosts::includedFiles() {
    const QTemporaryDir folder;
    const std::filesystem::path base = folder.path().toStdString();
    write(base / "config", "Host first\nInclude conf.d/*.conf none\nHost last\n");
    write(base / "conf.d" / "1.conf", "Host one\n");
    write(base / "conf.d" / "2.conf", "Include " + (base / "whole").string() + "\n");
    write(base / "whole", "Host two\n");
    QCOMPARE(sshHosts(base / "config", base), (Names{"first", "one", "two", "last"}));
}

void TestSshHosts::filesThatIncludeEachOther() {
    const QTemporaryDir folder;
    const std::filesystem::path base = folder.path().toStdString();
    write(base / "config", "Host a\nInclude config config\n");
    QCOMPARE(sshHosts(base / "config", base), (Names{"a"}));
}

void TestSshHosts::whatIsNotThere() {
    const QTemporaryDir folder;
    const std::filesystem::path base = folder.path().toStdString();
    QCOMPARE(sshHosts(base / "missing", base), Names{});
    QCOMPARE(sshHosts(base, base), Names{});
}

ALTI_TEST(TestSshHosts)
#include "tst_ssh_hosts.moc"
