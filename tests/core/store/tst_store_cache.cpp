#include "core/store/store_cache.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <QFile>
#include <QTemporaryDir>

#include <filesystem>
#include <fstream>

using namespace altiscope;
using altiscope::test::dumpSlices;
using altiscope::test::traceFromText;

namespace {

const char* kTrace = "p1/t1: A[0,100) B[10,40) C[20,30) !mark[50]\n"
                     "p1/t2: X[5,60)\n"
                     "p1/c:Read r[5]=1.5 r[10]=2\n"
                     "flow cat:9 p1/t1@12 -> p1/t2@20";

std::string everything(const TraceStore& store) {
    std::string text = dumpSlices(store);
    for (const Track& track : store.tracks()) text += std::to_string(track.id.value) + track.process + track.name + "\n";
    for (const double value : store.columns().sampleValue) text += std::to_string(value) + " ";
    for (const auto flow : store.columns().flowTo) text += std::to_string(flow) + " ";
    for (const auto name : store.columns().instantName) text += std::string(store.text(name)) + " ";
    return text;
}

} // namespace

class TestStoreCache : public QObject {
    Q_OBJECT
    QTemporaryDir m_temp;
    std::filesystem::path folder(const char* name) const { return std::filesystem::path(m_temp.path().toStdString()) / name; }

private slots:
    void storesComeBackAsTheyWere() {
        const StoreCache cache(folder("roundtrip"));
        const auto store = traceFromText(kTrace);
        QVERIFY(!cache.find("k").has_value());
        QVERIFY(cache.put("k", *store, "my note").ok());
        const auto found = cache.find("k");
        QVERIFY(found.has_value());
        QCOMPARE(found->note, std::string("my note"));
        QCOMPARE(everything(*found->store), everything(*store));
        QCOMPARE(cache.entries().size(), std::size_t{1});
        QCOMPARE(cache.entries()[0].note, std::string("my note"));
        // A mapped entry outlives its file.
        QCOMPARE(cache.clear(), std::size_t{1});
        QCOMPARE(everything(*found->store), everything(*store));
        QVERIFY(!cache.find("k").has_value());
    }

    void damagedEntriesAreNotBelieved() {
        const StoreCache cache(folder("damage"));
        QVERIFY(cache.put("k", *traceFromText(kTrace), "note").ok());
        const auto path = cache.entries()[0].path;
        std::ifstream in(path, std::ios::binary);
        const std::string whole((std::istreambuf_iterator<char>(in)), {});
        const auto write = [&](const std::string& bytes) {
            std::ofstream out(path, std::ios::binary | std::ios::trunc);
            out << bytes;
        };
        // Cut and flipped at every byte; padding between sections may change without harm.
        std::size_t survived = 0;
        for (std::size_t i = 0; i < whole.size(); ++i) {
            write(whole.substr(0, i));
            QVERIFY(!cache.find("k").has_value());
            std::string flipped = whole;
            flipped[i] = static_cast<char>(flipped[i] ^ 0x10);
            write(flipped);
            const auto found = cache.find("k");
            if (found) {
                ++survived;
                QCOMPARE(everything(*found->store), everything(*traceFromText(kTrace)));
            }
        }
        QVERIFY(survived < whole.size() / 2);
        write(whole + "x");
        QVERIFY(!cache.find("k").has_value());
    }

    void entryUnderAnothersNameIsNotBelieved() {
        const StoreCache cache(folder("swapped"));
        QVERIFY(cache.put("one", *traceFromText(kTrace), "note").ok());
        std::filesystem::copy_file(folder("swapped") / "one.altistore", folder("swapped") / "two.altistore");
        for (const auto& entry : cache.entries()) QCOMPARE(entry.note, std::string(entry.path.stem() == "one" ? "note" : ""));
        QVERIFY(!cache.find("two").has_value());
        QVERIFY(!std::filesystem::exists(folder("swapped") / "two.altistore"));
        QVERIFY(cache.find("one").has_value());
    }

    void leastRecentlyUsedGoFirst() {
        const auto store = traceFromText(kTrace);
        const StoreCache unlimited(folder("lru"));
        QVERIFY(unlimited.put("a", *store, "a").ok());
        const std::uint64_t size = unlimited.entries()[0].bytes;
        const StoreCache cache(folder("lru"), size * 2 + size / 2);
        const auto age = [&](const char* key, int minutes) {
            std::filesystem::last_write_time(folder("lru") / (std::string(key) + ".altistore"),
                                             std::filesystem::file_time_type::clock::now() - std::chrono::minutes(minutes));
        };
        QVERIFY(cache.put("b", *store, "b").ok());
        age("a", 20);
        age("b", 10);
        QVERIFY(cache.find("a").has_value());  // now b is the oldest
        QVERIFY(cache.put("c", *store, "c").ok());
        QVERIFY(!cache.find("b").has_value());
        QVERIFY(cache.find("a").has_value());
        QVERIFY(cache.find("c").has_value());
    }

    void foreignFilesAreLeftAlone() {
        const StoreCache cache(folder("foreign"));
        QVERIFY(cache.put("k", *traceFromText(kTrace), "note").ok());
        std::ofstream(folder("foreign") / "letter.txt") << "mine";
        std::ofstream(folder("foreign") / "k.altistore.tmp.123.abcdef") << "half";
        QCOMPARE(cache.entries().size(), std::size_t{1});
        QCOMPARE(cache.clear(), std::size_t{1});
        QVERIFY(std::filesystem::exists(folder("foreign") / "letter.txt"));
        QVERIFY(!std::filesystem::exists(folder("foreign") / "k.altistore.tmp.123.abcdef"));
    }

    void scratchOfAKilledProgramGoes() {
        const StoreCache cache(folder("scratch"));
        std::filesystem::create_directories(folder("scratch") / "scratch-2147483646-abcdef");
        std::ofstream(folder("scratch") / "scratch-2147483646-abcdef" / "copy.db") << "half";
        std::filesystem::create_directories(folder("scratch") / StoreCache::scratchPattern());
        QCOMPARE(cache.clear(), std::size_t{0});
        QVERIFY(!std::filesystem::exists(folder("scratch") / "scratch-2147483646-abcdef"));
        QVERIFY2(std::filesystem::exists(folder("scratch") / StoreCache::scratchPattern()), "a living program needs its own");
    }

    void unwritableFolderIsSaid() {
        std::ofstream(folder("afile")) << "x";
        const StoreCache cache(folder("afile") / "below");
        QCOMPARE(cache.put("k", *traceFromText(kTrace), "").error().code, std::string("cache.not_written"));
        QVERIFY(cache.entries().empty());
        QCOMPARE(cache.clear(), std::size_t{0});
    }

    void failedWriteLeavesNothing() {
        const StoreCache cache(folder("nowrite"));
        std::filesystem::create_directories(folder("nowrite") / "k.altistore");  // a folder stands where the entry should go
        QCOMPARE(cache.put("k", *traceFromText(kTrace), "").error().code, std::string("cache.not_written"));
        std::size_t files = 0;
        for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder("nowrite"))) ++files;
        QCOMPARE(files, std::size_t{1});
    }

    void fingerprintFollowsTheFile() {
        const auto path = folder("source");
        std::ofstream(path) << std::string(300000, 'a');
        const auto of = [&] { return StoreCache::fingerprint(ReadOnlyFile::open(path).value()).value(); };
        const std::string first = of();
        QCOMPARE(of(), first);
        const auto time = std::filesystem::last_write_time(path);
        std::fstream(path, std::ios::in | std::ios::out).seekp(100) << 'b';
        std::filesystem::last_write_time(path, time);  // same size, same time, other content
        QVERIFY(of() != first);
        QVERIFY(StoreCache::key("a") != StoreCache::key("b"));
        QCOMPARE(StoreCache::key("a").size(), std::size_t{32});
    }
};

ALTI_TEST(TestStoreCache)
#include "tst_store_cache.moc"
