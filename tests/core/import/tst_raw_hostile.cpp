#include "core/import/raw_files/raw_files.h"
#include "core/import/raw_host/raw_node_lists.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <sys/stat.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::reader;
using namespace altiscope::test;

namespace {

std::string listed(const TestFolder& folder) {
    Diagnostics diagnostics;
    const RawFiles files = listRawFiles(folder.path(), ".", diagnostics, {});
    std::string text;
    for (const RawSlice* slice : files.all()) text += slice->name + '\n';
    return text + dumpDiagnostics(diagnostics);
}

}  // namespace

/// Raw data that was made to harm whoever reads it.
class TestRawHostile : public QObject {
    Q_OBJECT
private slots:
    void recordsOfAnOperatorKeepTheirOrder() {
        struct Described {
            std::uint64_t op;
        };
        const std::vector<Described> records{{5}, {3}, {5}, {9}, {3}};
        const std::vector<std::uint32_t> ofNode{4, 0, 1, 2}, alone{3};
        RawRecordsByName byName;
        const auto found = [&](std::int64_t node, const std::vector<std::uint32_t>& numbers, std::uint64_t name) {
            const auto found5 = byName.of(node, name, numbers, records);
            return std::vector<std::uint32_t>(found5.begin(), found5.end());
        };
        QVERIFY((found(0, ofNode, 5) == std::vector<std::uint32_t>{0, 2}));
        QVERIFY((found(0, ofNode, 3) == std::vector<std::uint32_t>{4, 1}));
        QVERIFY(found(0, ofNode, 9).empty());
        QVERIFY(found(1, alone, 9) == alone);
        QVERIFY(found(1, alone, 5).empty());
    }

    void whatStandsInPlaceOfASliceIsReported() {
        const TestFolder folder;
        folder.write("host/data/unaging.api_event.data.slice_0", "x");
        folder.write("elsewhere", "x");
        const std::filesystem::path data = folder.path() / "host/data";
        QCOMPARE(::mkfifo((data / "unaging.api_event.data.slice_1").c_str(), 0600), 0);
        std::filesystem::create_symlink("../../elsewhere", data / "unaging.compact.task_track.slice_0");
        std::filesystem::create_directory(data / "unaging.additional.hash_dic.slice_0");
        std::filesystem::create_directory(data / "no_slice");
        QCOMPARE(QString::fromStdString(listed(folder)),
                 QStringLiteral("host/data/unaging.api_event.data.slice_0\n"
                                "lost scan.folder_for_file host/data/unaging.additional.hash_dic.slice_0 x1\n"
                                "lost scan.special_file host/data/unaging.api_event.data.slice_1 x1\n"
                                "lost raw.link_skipped host/data/unaging.compact.task_track.slice_0 x1\n"));
    }

    /// Numbers at the end of their range; under a sanitizer also what they are added to.
    void numbersOfSlicesHaveALimit() {
        QCOMPARE(rawFileName("a.slice_9223372036854775807").slice, std::int64_t{1} << 32);
        const TestFolder folder;
        folder.write("host/data/a.slice_9223372036854775807", "x");
        folder.write("host/data/a.slice_09223372036854775807", "x");
        QVERIFY(listed(folder).find("raw.slice_missing") != std::string::npos);
    }

    void whatIsNotReadIsNamedInPart() {
        std::set<std::string> names;
        for (int i = 0; i < 20'000; ++i) names.insert(std::to_string(i) + std::string(200, 'x'));
        Diagnostics diagnostics;
        reportNotRead(names, "host", diagnostics);
        const Diagnostic reported = diagnostics.entries().at(0);
        QCOMPARE(reported.count, std::uint64_t{20'000});
        QVERIFY(reported.message("en").size() < 10'000);
    }
};

ALTI_TEST(TestRawHostile)
#include "tst_raw_hostile.moc"
