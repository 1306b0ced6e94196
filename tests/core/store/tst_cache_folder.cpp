#include "core/store/cache/store_cache.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <filesystem>
#include <functional>
#include <memory>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace altiscope;
using altiscope::test::TestFolder;
namespace fs = std::filesystem;

namespace {

using Scratch = std::shared_ptr<const ScratchFolder>;

/// A scratch folder with one file in a cache.
Scratch scratchIn(const TestFolder& cache) {
    std::error_code error;
    Scratch scratch = ScratchFolder::make(cache.path(), {}, error);
    cache.write(scratch->path().filename().string() + "/files/a/b.json", "12345");
    return scratch;
}

std::shared_ptr<const CacheFolder> keep(const StoreCache& cache, const TestFolder& folder, const std::string& key,
                                        const char* note = "n") {
    return cache.putFolder(StoreCache::key(key), *scratchIn(folder), note);
}

}  // namespace

class TestCacheFolder : public QObject {
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
    void foldersOfTheUserStay();
};

void TestCacheFolder::comesBackAsItWas() {
    const TestFolder folder;
    const StoreCache cache(folder.path());
    QVERIFY(cache.findFolder(StoreCache::key("k")) == nullptr);
    const Scratch scratch = scratchIn(folder);
    const auto kept = cache.putFolder(StoreCache::key("k"), *scratch, "path\n{note}");
    QVERIFY(kept != nullptr && !fs::exists(scratch->path()));
    const auto found = cache.findFolder(StoreCache::key("k"));
    QVERIFY(found != nullptr);
    QCOMPARE(found->note(), std::string("path\n{note}"));
    QCOMPARE(fs::file_size(found->files() / "a/b.json"), std::uintmax_t{5});
    QVERIFY(cache.findFolder(StoreCache::key("other")) == nullptr);
    const auto entries = cache.entries();
    QCOMPARE(entries.size(), std::size_t{1});
    QCOMPARE(entries[0].note, std::string("path\n{note}"));
    QCOMPARE(entries[0].bytes, std::uint64_t{5});
}

void TestCacheFolder::changedFilesAreNotBelieved_data() {
    QTest::addColumn<int>("change");
    int number = 0;
    for (const char* clause : {"a file is cut", "a file is gone", "a file was touched", "a file more", "no label",
                               "another key on the label"})
        QTest::addRow("%s", clause) << number++;
}

void TestCacheFolder::changedFilesAreNotBelieved() {
    QFETCH(int, change);
    const TestFolder folder;
    const StoreCache cache(folder.path());
    fs::path entry;
    {
        const auto kept = keep(cache, folder, "k");
        entry = kept->files().parent_path();
    }
    const fs::path file = entry / "files/a/b.json";
    const std::function<void()> changes[] = {
        [&] { fs::resize_file(file, 2); },
        [&] { fs::remove(file); },
        [&] { fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(1)); },
        [&] { folder.write(entry.filename().string() + "/files/c", "x"); },
        [&] { fs::remove(entry / "label"); },
        [&] { CacheFolder::label(entry, "other", "n"); },
    };
    changes[change]();
    QVERIFY(cache.findFolder(StoreCache::key("k")) == nullptr);
    // And it can be kept again.
    QVERIFY(keep(cache, folder, "k") != nullptr);
    QVERIFY(cache.findFolder(StoreCache::key("k")) != nullptr);
}

void TestCacheFolder::nobodyRemovesWhatIsUsed() {
    const TestFolder folder;
    const StoreCache cache(folder.path());
    auto kept = keep(cache, folder, "k");
    const fs::path entry = kept->files().parent_path();
    QVERIFY(!CacheFolder::remove(entry));
    QCOMPARE(cache.clear(), std::size_t{0});
    QVERIFY(fs::exists(entry / "files/a/b.json"));
    kept.reset();
    QCOMPARE(cache.clear(), std::size_t{1});
    QVERIFY(!fs::exists(entry));
}

void TestCacheFolder::firstOneWins() {
    const TestFolder folder;
    const StoreCache cache(folder.path());
    const auto first = keep(cache, folder, "k", "first");
    const Scratch late = scratchIn(folder);
    const auto second = cache.putFolder(StoreCache::key("k"), *late, "second");
    QVERIFY(second != nullptr);
    QCOMPARE(second->note(), std::string("first"));
    QVERIFY(!fs::exists(late->path()));
}

void TestCacheFolder::largeFoldersAreNotKept() {
    const TestFolder folder;
    const StoreCache cache(folder.path(), 19);  // a quarter is less than 5
    const Scratch scratch = scratchIn(folder);
    QVERIFY(cache.putFolder(StoreCache::key("k"), *scratch, "n") == nullptr);
    QVERIFY(fs::exists(scratch->path() / "files/a/b.json"));
}

void TestCacheFolder::leastRecentlyUsedGoes() {
    const TestFolder folder;
    const StoreCache cache(folder.path(), 20);
    for (int i = 0; i < 5; ++i) {
        QVERIFY(keep(cache, folder, "k" + std::to_string(i)) != nullptr);
        if (i == 0) continue;
        QTest::qSleep(20);
        QVERIFY(cache.findFolder(StoreCache::key("k0")) != nullptr);
    }
    QVERIFY(cache.findFolder(StoreCache::key("k0")) != nullptr);
    QVERIFY(cache.findFolder(StoreCache::key("k1")) == nullptr);
    QVERIFY(cache.findFolder(StoreCache::key("k4")) != nullptr);
}

void TestCacheFolder::halfRemovedIsNoFolder() {
    const TestFolder folder;
    const StoreCache cache(folder.path());
    const fs::path entry = folder.path() / (StoreCache::key("k") + ".altifolder");
    // By a process that was killed before it had removed all.
    const pid_t child = ::fork();
    if (child == 0) {
        const auto kept = keep(cache, folder, "k");
        fs::remove(entry / "label");
        ::_exit(0);
    }
    int status = 1;
    ::waitpid(child, &status, 0);
    QCOMPARE(status, 0);
    QVERIFY(fs::exists(entry / "files/a/b.json"));
    QVERIFY(cache.findFolder(StoreCache::key("k")) == nullptr);
    QVERIFY(cache.entries().empty());
    cache.clear();
    QVERIFY(!fs::exists(entry));
}

void TestCacheFolder::foldersOfTheUserStay() {
    const TestFolder folder;
    const StoreCache cache(folder.path());
    const std::string name = StoreCache::key("k") + ".altifolder";
    const fs::path letter = folder.write(name + "/files/letter.txt", "mine"),
                   label = folder.write(name + "/label", StoreCache::key("k") + "\n4\n0\nnote");
    QVERIFY(cache.findFolder(StoreCache::key("k")) == nullptr);
    QVERIFY(keep(cache, folder, "k") == nullptr);
    QCOMPARE(cache.clear(), std::size_t{0});
    QVERIFY(fs::exists(letter) && fs::exists(label));
    fs::remove(label);
    QCOMPARE(::mkfifo(label.c_str(), 0600), 0);
    QVERIFY(cache.findFolder(StoreCache::key("k")) == nullptr);
    QVERIFY(cache.entries().empty());
}

ALTI_TEST(TestCacheFolder)
#include "tst_cache_folder.moc"
