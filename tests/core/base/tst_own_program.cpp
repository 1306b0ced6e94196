#include "core/base/files/own_program.h"

#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace altiscope;
namespace fs = std::filesystem;

class TestOwnProgram : public QObject {
    Q_OBJECT
private slots:
    void theLoaderOfARelocatableFolderIsNotTheProgram() {
        const QTemporaryDir temp;
        const fs::path folder = fs::path(temp.path().toStdString()) / "altiscope cli";
        fs::create_directories(folder / "lib");
        const auto loader = folder / "lib" / "ld-linux-x86-64.so.2";
        QCOMPARE(programOf(loader).string(), loader.string());
        std::ofstream(folder / "lib" / "altiscope-cli") << "x";
        QCOMPARE(programOf(loader).string(), loader.string());
        std::ofstream(folder / "altiscope-cli") << "x";
        QCOMPARE(programOf(loader).string(), (folder / "altiscope-cli").string());
        const auto program = folder / "lib" / "altiscope-cli";
        QCOMPARE(programOf(program).string(), program.string());
        QCOMPARE(programOf({}).string(), std::string());
    }

    void thisProcess() { QCOMPARE(ownProgram().string(), fs::read_symlink("/proc/self/exe").string()); }
};

ALTI_TEST(TestOwnProgram)
#include "tst_own_program.moc"
