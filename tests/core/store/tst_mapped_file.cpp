#include "core/base/files/file.h"
#include "core/store/file/mapped_file.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

#include <unistd.h>

using namespace altiscope;
using altiscope::test::TestFolder;

namespace {

/// Bytes of files in the memory of this process.
std::uint64_t residentFiles() {
    std::uint64_t size = 0, resident = 0, shared = 0;
    std::ifstream("/proc/self/statm") >> size >> resident >> shared;
    return shared * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

class TestMappedFile : public QObject {
    Q_OBJECT
private slots:
    void cleanup() { setResidentLimit(0); }
    void memoryIsGivenBackAboveTheLimitAlone();
    void filesThatTakeLittleStay();
};

void TestMappedFile::memoryIsGivenBackAboveTheLimitAlone() {
    constexpr std::size_t kBytes = std::size_t{64} << 20;
    const TestFolder folder;
    const auto path = folder.path() / "file";
    std::ofstream(path, std::ios::binary) << std::string(kBytes, 'x');
    const auto file = MappedFile::open(path);
    QVERIFY(file != nullptr);
    const auto count = [&] { return std::count(file->bytes().begin(), file->bytes().end(), 'x'); };
    QCOMPARE(count(), static_cast<std::ptrdiff_t>(kBytes));
    const std::uint64_t before = residentFiles();
    QVERIFY(before >= kBytes);
    QVERIFY2(!keepBelowResidentLimit(), "there is no limit");
    setResidentLimit(std::uint64_t{1} << 40);
    QVERIFY(!keepBelowResidentLimit());
    QVERIFY(residentFiles() >= kBytes);
    setResidentLimit(std::uint64_t{1} << 20);
    QVERIFY(keepBelowResidentLimit());
    QVERIFY2(residentFiles() + kBytes / 2 < before, "the file lies on the disk alone");
    QCOMPARE(count(), static_cast<std::ptrdiff_t>(kBytes));
}

void TestMappedFile::filesThatTakeLittleStay() {
    const TestFolder folder;
    const auto path = folder.path() / "file";
    std::ofstream(path, std::ios::binary) << "x";
    const auto file = MappedFile::open(path);
    // What takes memory are no files: giving these back would only cost time.
    std::string heap(std::size_t{512} << 20, 'x');
    setResidentLimit(heap.size());
    QVERIFY(!keepBelowResidentLimit());
    QCOMPARE(heap.back(), 'x');
}

ALTI_TEST(TestMappedFile)
#include "tst_mapped_file.moc"
