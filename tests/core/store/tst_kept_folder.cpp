#include "core/store/store_cache.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <filesystem>
#include <functional>

using namespace altiscope;
using altiscope::test::TestFolder;
namespace fs = std::filesystem;

namespace {

/// A scratch folder with one file of a cache.
fs::path scratchIn(const TestFolder& folder, const std::string& name = "scratch") {
    return folder.write(name + "/files/a/b.json", "12345").parent_path().parent_path().parent_path();
}

}  // namespace

class TestKeptFolder : public QObject {
    Q_OBJECT

private slots:
    void comesBackAsItWas();
    void changedFilesAreNotBelieved_data();
    void changedFilesAreNotBelieved();
    void nobodyRemovesWhatIsUsed();
    void firstOneWins();
    void largeFoldersAreNotKept();
    void leastRecentlyUsedGoes();
    void halfRemovedIsNoFolder();
};

void TestKeptFolder::comesBackAsItWas() {
    const TestFolder folder;
    const StoreCache cache(folder.path());
    QVERIFY(cache.findFolder("k") == nullptr);
    const fs::path scratch = scratchIn(folder);
    const auto kept = cache.putFolder("k", scratch, "path\n{note}");
    QVERIFY(kept != nullptr && !fs::exists(scratch));
    const auto found = cache.findFolder("k");
    QVERIFY(found != nullptr);
    QCOMPARE(found->note(), std::string("path\n{note}"));
    QCOMPARE(fs::file_size(found->files() / "a/b.json"), std::uintmax_t{5});
    QVERIFY(cache.findFolder("other") == nullptr);
    const auto entries = cache.entries();
    QCOMPARE(entries.size(), std::size_t{1});
    QCOMPARE(entries[0].note, std::string("path\n{note}"));
    QCOMPARE(entries[0].bytes, std::uint64_t{5});
}

void TestKeptFolder::changedFilesAreNotBelieved_data() {
    QTest::addColumn<int>("change");
    int number = 0;
    for (const char* clause : {"a file is cut", "a file is gone", "a file was touched", "a file more", "no label", "another key on the label"})
        QTest::addRow("%s", clause) << number++;
}

void TestKeptFolder::changedFilesAreNotBelieved() {
    QFETCH(int, change);
    const TestFolder folder;
    const StoreCache cache(folder.path());
    fs::path entry;
    {
        const auto kept = cache.putFolder("k", scratchIn(folder), "n");
        entry = kept->files().parent_path();
    }
    const fs::path file = entry / "files/a/b.json";
    const std::function<void()> changes[] = {
        [&] { fs::resize_file(file, 2); },
        [&] { fs::remove(file); },
        [&] { fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(1)); },
        [&] { folder.write(entry.filename().string() + "/files/c", "x"); },
        [&] { fs::remove(entry / "label"); },
        [&] { KeptFolder::label(entry, "other", "n"); },
    };
    changes[change]();
    QVERIFY(cache.findFolder("k") == nullptr);
    // And it can be kept again.
    QVERIFY(cache.putFolder("k", scratchIn(folder), "n") != nullptr);
    QVERIFY(cache.findFolder("k") != nullptr);
}

void TestKeptFolder::nobodyRemovesWhatIsUsed() {
    const TestFolder folder;
    const StoreCache cache(folder.path());
    auto kept = cache.putFolder("k", scratchIn(folder), "n");
    const fs::path entry = kept->files().parent_path();
    QVERIFY(!KeptFolder::remove(entry));
    QCOMPARE(cache.clear(), std::size_t{0});
    QVERIFY(fs::exists(entry / "files/a/b.json"));
    kept.reset();
    QCOMPARE(cache.clear(), std::size_t{1});
    QVERIFY(!fs::exists(entry));
}

void TestKeptFolder::firstOneWins() {
    const TestFolder folder;
    const StoreCache cache(folder.path());
    const auto first = cache.putFolder("k", scratchIn(folder, "s1"), "first");
    const auto second = cache.putFolder("k", scratchIn(folder, "s2"), "second");
    QVERIFY(second != nullptr);
    QCOMPARE(second->note(), std::string("first"));
    QVERIFY(!fs::exists(folder.path() / "s2"));
}

void TestKeptFolder::largeFoldersAreNotKept() {
    const TestFolder folder;
    const StoreCache cache(folder.path(), 19);  // a quarter is less than 5
    const fs::path scratch = scratchIn(folder);
    QVERIFY(cache.putFolder("k", scratch, "n") == nullptr);
    QVERIFY(fs::exists(scratch / "files/a/b.json"));
}

void TestKeptFolder::leastRecentlyUsedGoes() {
    const TestFolder folder;
    const StoreCache cache(folder.path(), 20);
    for (int i = 0; i < 5; ++i) {
        QVERIFY(cache.putFolder("k" + std::to_string(i), scratchIn(folder), "n") != nullptr);
        if (i == 0) continue;
        QTest::qSleep(20);
        QVERIFY(cache.findFolder("k0") != nullptr);
    }
    QVERIFY(cache.findFolder("k0") != nullptr);
    QVERIFY(cache.findFolder("k1") == nullptr);
    QVERIFY(cache.findFolder("k4") != nullptr);
}

void TestKeptFolder::halfRemovedIsNoFolder() {
    const TestFolder folder;
    const StoreCache cache(folder.path());
    folder.write("k.altifolder/files/a/b.json", "12");
    QVERIFY(cache.findFolder("k") == nullptr);
    QVERIFY(cache.entries().empty());
    QCOMPARE(cache.clear(), std::size_t{1});
    QVERIFY(!fs::exists(folder.path() / "k.altifolder"));
}

ALTI_TEST(TestKeptFolder)
#include "tst_kept_folder.moc"
