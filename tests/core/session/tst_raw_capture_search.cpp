#include "core/session/reading/raw_capture_search.h"

#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>
#include <string>

using namespace altiscope;

class TestRawCaptureSearch : public QObject {
    Q_OBJECT

    QTemporaryDir m_temp;

    std::filesystem::path root() const { return m_temp.path().toStdString(); }
    /// The captures, then what is lost, with the folder.
    QString found(const RawSearchLimits& limits) const {
        const CancelToken cancel;
        const RawCaptures captures = findRawCaptures(root(), cancel, limits);
        const std::filesystem::path real = std::filesystem::canonical(root());
        std::string text;
        for (const RawCaptureFolder& one : captures.folders) text += one.path.lexically_relative(real).string() + ' ';
        for (const Diagnostic& one : captures.lost.entries()) text += '|' + one.code + ' ' + one.file;
        return QString::fromStdString(text);
    }

private slots:
    void initTestCase() {
        for (const char* folder : {"0/PROF_1/host", "a_junk", "b/PROF_1/device_0", "c/1/2/3/PROF_1/host", "c/empty"})
            std::filesystem::create_directories(root() / folder);
        for (int i = 0; i < 40; ++i) std::ofstream(root() / "a_junk" / std::to_string(i)) << i;
        std::filesystem::create_directory_symlink(root() / "b", root() / "link");
    }

    void byPath() { QCOMPARE(found({}), QStringLiteral("0/PROF_1 b/PROF_1 c/1/2/3/PROF_1 ")); }
    void aFullFolderThatEndsTheSearchIsReported() {
        QCOMPARE(found({64, 30}), QStringLiteral("0/PROF_1 |raw_analysis.search_cut a_junk"));
    }
    void foldersThatAreTooDeepAreReported() {
        QCOMPARE(found({3, 1000}), QStringLiteral("0/PROF_1 b/PROF_1 |raw_analysis.too_deep c/1/2"));
    }
};

ALTI_TEST(TestRawCaptureSearch)
#include "tst_raw_capture_search.moc"
