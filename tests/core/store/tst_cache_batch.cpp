#include "core/store/cache/cache_batch.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <QTest>

#include <filesystem>
#include <fstream>
#include <string>

using namespace altiscope;
using altiscope::test::TestFolder;
using altiscope::test::traceFromText;
namespace fs = std::filesystem;

namespace {

std::string keyOf(int number) { return StoreCache::key(std::to_string(number)); }

/// Puts stores of one slice each, named by their numbers.
void putMany(const StoreCache& cache, int first, int last) {
    CacheBatch batch(cache, "/capture");
    for (int i = first; i < last; ++i) {
        const auto store = traceFromText("p1/t1: S" + std::to_string(i) + "[0,10)");
        QVERIFY(batch.put(keyOf(i), *store, "note " + std::to_string(i), nullptr, {}).ok());
    }
    QVERIFY(batch.finish({}).ok());
}

/// How many of the stores are found as they were put.
int countFound(const StoreCache& cache, int first, int last, const char* capture = "/capture") {
    const CacheBatch batch(cache, capture);
    int found = 0;
    for (int i = first; i < last; ++i) {
        const auto content = batch.find(keyOf(i), {});
        if (!content || content->note != "note " + std::to_string(i)) continue;
        const TraceStore& store = *content->store;
        if (store.sliceCount() == 1 && store.text(store.columns().name[0]) == "S" + std::to_string(i)) ++found;
    }
    return found;
}

std::size_t filesIn(const TestFolder& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
}

}  // namespace

class TestCacheBatch : public QObject {
    Q_OBJECT

private slots:
    void manySmallEntriesAreOneFile();
    void fewAreFilesOfTheirOwn();
    void formerEntriesStay();
    void damagedPackIsMadeAnew();
    void packOfAnotherNameIsNotBelieved();
    void cancelledWorkLeavesNothing();
};

void TestCacheBatch::manySmallEntriesAreOneFile() {
    const TestFolder folder;
    const StoreCache cache(folder.path());
    putMany(cache, 0, 100);
    QCOMPARE(filesIn(folder), std::size_t{1});
    QCOMPARE(countFound(cache, 0, 100), 100);
    QCOMPARE(countFound(cache, 0, 100, "/other"), 0);
    QCOMPARE(cache.entries().size(), std::size_t{1});
    QCOMPARE(cache.entries()[0].note, std::string("/capture\n{}"));
    QCOMPARE(cache.clear(), std::size_t{1});
    QCOMPARE(countFound(cache, 0, 100), 0);
}

void TestCacheBatch::fewAreFilesOfTheirOwn() {
    const TestFolder folder;
    const StoreCache cache(folder.path());
    putMany(cache, 0, 3);
    QCOMPARE(filesIn(folder), std::size_t{3});
    QCOMPARE(countFound(cache, 0, 3), 3);
    QCOMPARE(countFound(cache, 0, 3, "/other"), 3);
}

void TestCacheBatch::formerEntriesStay() {
    const TestFolder folder;
    const StoreCache cache(folder.path());
    putMany(cache, 0, 50);
    putMany(cache, 40, 90);
    QCOMPARE(filesIn(folder), std::size_t{1});
    QCOMPARE(countFound(cache, 0, 90), 90);
}

void TestCacheBatch::damagedPackIsMadeAnew() {
    const TestFolder folder;
    const StoreCache cache(folder.path());
    putMany(cache, 0, 20);
    const fs::path path = cache.entries()[0].path;
    std::ifstream in(path, std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), {});
    // Cut and flipped in steps that meet its header, its table and entries.
    for (std::size_t i = 8; i < whole.size(); i += i < 2000 ? 1 : 577) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << whole.substr(0, i);
        QCOMPARE(countFound(cache, 0, 20), 0);
        std::string flipped = whole;
        flipped[i] = static_cast<char>(flipped[i] ^ 0x10);
        std::ofstream(path, std::ios::binary | std::ios::trunc) << flipped;
        // Whatever is found is right; of entries only the one that was hit is gone.
        const int found = countFound(cache, 0, 20);
        QVERIFY2(found == 0 || found >= 19, std::to_string(i).c_str());
    }
    putMany(cache, 0, 20);
    QCOMPARE(countFound(cache, 0, 20), 20);
    QCOMPARE(filesIn(folder), std::size_t{1});
}

void TestCacheBatch::packOfAnotherNameIsNotBelieved() {
    const TestFolder folder;
    const StoreCache cache(folder.path());
    putMany(cache, 0, 20);
    const fs::path path = cache.entries()[0].path;
    CacheBatch other(cache, "/other");
    for (int i = 0; i < 20; ++i)
        QVERIFY(other.put(keyOf(100 + i), *traceFromText("p1/t1: S[0,10)"), "note", nullptr, {}).ok());
    QVERIFY(other.finish({}).ok());
    for (const auto& entry : cache.entries()) {
        if (entry.path != path) fs::copy_file(entry.path, path, fs::copy_options::overwrite_existing);
    }
    QCOMPARE(countFound(cache, 0, 20), 0);
    QCOMPARE(countFound(cache, 100, 120), 0);
}

void TestCacheBatch::cancelledWorkLeavesNothing() {
    const TestFolder folder;
    const StoreCache cache(folder.path());
    const CancelToken cancel;
    CacheBatch batch(cache, "/capture");
    for (int i = 0; i < 20; ++i)
        QVERIFY(batch.put(keyOf(i), *traceFromText("p1/t1: S[0,10)"), "note", nullptr, cancel).ok());
    cancel.requestCancel();
    QVERIFY(batch.put(keyOf(20), *traceFromText("p1/t1: S[0,10)"), "note", nullptr, cancel).cancelled());
    QVERIFY(batch.finish(cancel).cancelled());
    QCOMPARE(filesIn(folder), std::size_t{0});
}

ALTI_TEST(TestCacheBatch)
#include "tst_cache_batch.moc"
