#include "core/capture/targets/ssh_command.h"

#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

using namespace altiscope::capture;
namespace fs = std::filesystem;

namespace {

/// A folder of the environment that is another one until the end of a test.
class Variable {
public:
    Variable(const char* name, const fs::path& value) : m_name(name), m_before(qgetenv(name)) {
        qputenv(name, QByteArray::fromStdString(value.string()));
    }
    ~Variable() {
        if (m_before.isNull()) qunsetenv(m_name);
        else qputenv(m_name, m_before);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* m_name;
    QByteArray m_before;
};

}  // namespace

class TestSshCommand : public QObject {
    Q_OBJECT
    // Short: names of sockets are.
    QTemporaryDir m_folder{QStringLiteral(P_tmpdir "/alti-XXXXXX")};
    fs::path m_temporary = fs::path(m_folder.path().toStdString()) / "t";
    std::string m_expected = (m_temporary / ("altiscope-" + std::to_string(::getuid()))).string();
private slots:
    void initTestCase() { fs::create_directories(m_temporary); }
    void runtimeFolderFirst();
    void runtimeFolderThatCannotBeMade();
    void runtimeFolderThatOthersCanEnter();
    void linksAreNotFollowed();
};

void TestSshCommand::runtimeFolderFirst() {
    const fs::path runtime = m_temporary / "run";
    fs::create_directories(runtime);
    const Variable first("XDG_RUNTIME_DIR", runtime), second("TMPDIR", m_temporary);
    QCOMPARE(controlFolder(), (runtime / "altiscope").string());
    struct stat status {};
    QCOMPARE(::stat(controlFolder().c_str(), &status), 0);
    QCOMPARE(status.st_mode & 0777, mode_t{0700});
}

void TestSshCommand::runtimeFolderThatCannotBeMade() {
    std::ofstream(m_temporary / "file") << "no folder";
    const Variable first("XDG_RUNTIME_DIR", m_temporary / "file"), second("TMPDIR", m_temporary);
    QCOMPARE(controlFolder(), m_expected);
    struct stat status {};
    QCOMPARE(::stat(m_expected.c_str(), &status), 0);
    QCOMPARE(status.st_mode & 0777, mode_t{0700});
}

void TestSshCommand::runtimeFolderThatOthersCanEnter() {
    const fs::path runtime = m_temporary / "open";
    fs::create_directories(runtime / "altiscope");
    fs::permissions(runtime / "altiscope", fs::perms::owner_all | fs::perms::others_exec);
    const Variable first("XDG_RUNTIME_DIR", runtime), second("TMPDIR", m_temporary);
    QCOMPARE(controlFolder(), m_expected);
}

void TestSshCommand::linksAreNotFollowed() {
    const fs::path runtime = m_temporary / "link";
    fs::create_directories(runtime / "elsewhere");
    fs::permissions(runtime / "elsewhere", fs::perms::owner_all);
    fs::create_directory_symlink(runtime / "elsewhere", runtime / "altiscope");
    const Variable first("XDG_RUNTIME_DIR", runtime), second("TMPDIR", m_temporary);
    QCOMPARE(controlFolder(), m_expected);
}

ALTI_TEST(TestSshCommand)
#include "tst_ssh_command.moc"
