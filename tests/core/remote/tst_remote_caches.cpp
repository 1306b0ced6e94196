#include "core/remote/fetched_cache.h"
#include "core/remote/host_packs.h"
#include "core/remote/rank_files.h"

#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <chrono>
#include <filesystem>
#include <fstream>

using namespace altiscope::remote;
using Names = std::vector<std::string>;

class TestRemoteCaches : public QObject {
    Q_OBJECT
private slots:
    void whatIsFetchedStaysWithinALimit();
    void whatIsAboutToBeFetchedCountsToTheLimit();
    void whatAProcessHoldsIsNotRemoved();
    void aPartThatBeginsAnewCountsOnce();
    void aFolderOfSomebodyElseIsNotUsed();
    void packsOfAHostStayWithinALimit();
    void keysTellContentApart();
    void filesOfRanks_data();
    void filesOfRanks();
};

namespace {

std::string keyOf(char digit) { return std::string(kKeyDigits, digit); }

void makeEntry(const FetchedCache& cache, const std::string& key, int hoursAgo) {
    const auto pack = cache.entry(key) / "pack";
    std::filesystem::create_directories(pack);
    std::ofstream(pack / "x.altipack") << std::string(1000, 'x');
    std::filesystem::last_write_time(cache.entry(key),
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(hoursAgo));
}

}  // namespace

void TestRemoteCaches::whatIsFetchedStaysWithinALimit() {
    const QTemporaryDir folder;
    const FetchedCache cache(std::filesystem::path(folder.path().toStdString()) / "altiscope", 2500);
    QVERIFY(cache.isUsable());
    QCOMPARE(cache.folder().filename().string(), std::string("altiscope-remote"));
    makeEntry(cache, keyOf('a'), 3);
    makeEntry(cache, keyOf('b'), 1);
    makeEntry(cache, keyOf('c'), 2);
    std::filesystem::create_directory(cache.folder() / "mine");
    std::ofstream(cache.folder() / "mine" / "x") << std::string(9000, 'x');
    // The oldest one is in use.
    cache.sweep(keyOf('a'), 0);
    QVERIFY(std::filesystem::exists(cache.entry(keyOf('a'))));
    QVERIFY(std::filesystem::exists(cache.entry(keyOf('b'))));
    QVERIFY(!std::filesystem::exists(cache.entry(keyOf('c'))));
    QVERIFY(std::filesystem::exists(cache.folder() / "mine" / "x"));
    makeEntry(cache, keyOf('c'), 2);
    cache.touch(keyOf('c'));
    cache.sweep(keyOf('a'), 0);
    QVERIFY(std::filesystem::exists(cache.entry(keyOf('c'))));
    QVERIFY(!std::filesystem::exists(cache.entry(keyOf('b'))));
}

void TestRemoteCaches::whatIsAboutToBeFetchedCountsToTheLimit() {
    const QTemporaryDir folder;
    const FetchedCache cache(std::filesystem::path(folder.path().toStdString()) / "altiscope", 2500);
    QVERIFY(cache.isUsable());
    makeEntry(cache, keyOf('a'), 2);
    makeEntry(cache, keyOf('b'), 1);
    cache.sweep(keyOf('c'), 1000);
    QVERIFY(!std::filesystem::exists(cache.entry(keyOf('a'))));
    QVERIFY(std::filesystem::exists(cache.entry(keyOf('b'))));
}

void TestRemoteCaches::whatAProcessHoldsIsNotRemoved() {
    const QTemporaryDir folder;
    const FetchedCache cache(std::filesystem::path(folder.path().toStdString()) / "altiscope", 0);
    QVERIFY(cache.isUsable());
    makeEntry(cache, keyOf('a'), 2);
    makeEntry(cache, keyOf('b'), 1);
    cache.hold(keyOf('a'));
    cache.hold(keyOf('a'));
    cache.hold(keyOf('d'));
    cache.sweep(keyOf('c'), 1000);
    QVERIFY(std::filesystem::exists(cache.entry(keyOf('a'))));
    QVERIFY(!std::filesystem::exists(cache.entry(keyOf('b'))));
    makeEntry(cache, keyOf('b'), 1);
    QCOMPARE(cache.entries().size(), std::size_t{2});
    QCOMPARE(cache.entries()[0].content, std::string("x.altipack"));
    QCOMPARE(cache.clear(), std::size_t{1});
    QVERIFY(std::filesystem::exists(cache.entry(keyOf('a'))));
}

void TestRemoteCaches::aPartThatBeginsAnewCountsOnce() {
    altiscope::ProgressSlot progress;
    CountedPart part(progress);
    for (int attempt = 0; attempt < 2; ++attempt) {
        part.setTotal(100);
        part.reach(60);
    }
    part.reach(1000);
    QCOMPARE(progress.sample().total, std::uint64_t{100});
    QCOMPARE(progress.sample().done, std::uint64_t{100});
}

void TestRemoteCaches::aFolderOfSomebodyElseIsNotUsed() {
    const QTemporaryDir folder;
    const FetchedCache cache(std::filesystem::path(folder.path().toStdString()) / "altiscope");
    std::filesystem::create_directory(cache.folder());
    std::filesystem::permissions(cache.folder(), std::filesystem::perms::all);
    QVERIFY(!cache.isUsable());
    QVERIFY(!FetchedCache({}).isUsable());
}

void TestRemoteCaches::packsOfAHostStayWithinALimit() {
    const HostCache cache{"/c",
                          {{"pack", keyOf('a'), "", 600, 40},
                           {"program", "pack1-store1-amd64", "", 5000, 35},
                           {"pack", keyOf('b'), "", 600, 30},
                           {"pack", keyOf('c'), "", 600, 20},
                           {"pack", keyOf('d'), "", 600, 10}}};
    const auto beyond = entriesBeyond(cache, 1300, keyOf('d'));
    QCOMPARE(beyond.size(), std::size_t{1});
    QCOMPARE(beyond[0].name, keyOf('c'));
    QVERIFY(entriesBeyond(cache, 2400, {}).empty());
}

void TestRemoteCaches::keysTellContentApart() {
    HostLook look;
    look.path = "/a";
    look.files = {{"x", 1, "10.5"}, {"y", 2, "11.0"}};
    const std::string key = sourceKey(look, {"pack", "1", ""});
    QVERIFY(isSourceKey(key));
    QCOMPARE(sourceKey(look, {"pack", "1", ""}), key);
    QVERIFY(sourceKey(look, {"pack", "1", "0"}) != key);
    HostLook other = look;
    other.files[1].time = "11.1";
    QVERIFY(sourceKey(other, {"pack", "1", ""}) != key);
    other = look;
    other.files[0] = {"x1", 0, "10.5"};
    QVERIFY(sourceKey(other, {"pack", "1", ""}) != key);
    other = look;
    other.path = "/b";
    QVERIFY(sourceKey(other, {"pack", "1", ""}) != key);
    for (const char* text : {"", "..", "../aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "A0000000000000000000000000000000"})
        QVERIFY(!isSourceKey(text));
}

void TestRemoteCaches::filesOfRanks_data() {
    QTest::addColumn<Names>("files");
    QTest::addColumn<Names>("chosen");
    QTest::newRow("torch_npu") << Names{"a_ascend_pt/profiler_info_0.json", "a_ascend_pt/x/t.json",
                                        "b_ascend_pt/profiler_info_1.json", "b_ascend_pt/x/t.json", "notes.txt"}
                               << Names{"b_ascend_pt/profiler_info_1.json", "b_ascend_pt/x/t.json", "notes.txt"};
    QTest::newRow("names of folders") << Names{"rank_0/x", "rank_1/x", "rank_10/x"} << Names{"rank_1/x"};
    QTest::newRow("MindSpore") << Names{"rank-0_2025_ascend_ms/x", "rank-1_2025_ascend_ms/x"}
                               << Names{"rank-1_2025_ascend_ms/x"};
    QTest::newRow("the folder itself") << Names{"profiler_info_1.json", "x"} << Names{"profiler_info_1.json", "x"};
    QTest::newRow("another folder itself") << Names{"profiler_info_0.json", "y/x"} << Names{};
    QTest::newRow("none of them") << Names{"rank_0/x", "y"} << Names{};
    QTest::newRow("names that say nothing") << Names{"a/x", "profiler_info_.json"} << Names{};
}

void TestRemoteCaches::filesOfRanks() {
    QFETCH(Names, files);
    QFETCH(Names, chosen);
    std::vector<HostFile> list;
    for (const std::string& name : files) list.push_back({name, 1, "0"});
    const auto found = altiscope::remote::filesOfRanks(list, {1});
    QCOMPARE(found.has_value(), !chosen.empty());
    Names names;
    if (found)
        for (const HostFile& file : *found) names.push_back(file.name);
    QCOMPARE(names, chosen);
}

ALTI_TEST(TestRemoteCaches)
#include "tst_remote_caches.moc"
