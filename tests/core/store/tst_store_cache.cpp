#include "core/store/cache/private_folder.h"
#include "core/store/cache/store_cache.h"
#include "core/store/file/store_sections.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <QFile>
#include <QTemporaryDir>

#include <xxhash.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

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
    for (const Track& track : store.tracks())
        text += std::to_string(track.id.value) + track.process + track.name + "\n";
    for (const double value : store.columns().sampleValue) text += std::to_string(value) + " ";
    for (const auto flow : store.columns().flowTo) text += std::to_string(flow) + " ";
    for (const auto name : store.columns().instantName) text += std::string(store.text(name)) + " ";
    return text;
}

StoreFileHeader headerOf(const std::string& file) {
    StoreFileHeader header;
    std::memcpy(&header, file.data(), sizeof header);
    return header;
}

SectionEntry entryOf(const std::string& file, std::uint32_t number) {
    SectionEntry entry;
    std::memcpy(&entry, file.data() + sizeof(StoreFileHeader) + number * sizeof entry, sizeof entry);
    return entry;
}

/// What somebody who knows the format writes: see StoreFileHeader.
std::string withChecksums(std::string file) {
    StoreFileHeader header = headerOf(file);
    for (std::uint32_t s = 0; s < header.sections; ++s) {
        SectionEntry entry = entryOf(file, s);
        entry.checksum = XXH3_64bits(file.data() + entry.offset, entry.bytes);
        std::memcpy(file.data() + sizeof header + s * sizeof entry, &entry, sizeof entry);
    }
    header.checksum = 0;
    std::memcpy(file.data(), &header, sizeof header);
    header.checksum = XXH3_64bits(file.data(), sizeof header + header.sections * sizeof(SectionEntry));
    std::memcpy(file.data(), &header, sizeof header);
    return file;
}

/// The name that an entry has in the folder.
std::string nameOf(const char* key) { return StoreCache::key(key) + ".altistore"; }

}  // namespace

class TestStoreCache : public QObject {
    Q_OBJECT
    QTemporaryDir m_temp;
    std::filesystem::path folder(const char* name) const {
        return std::filesystem::path(m_temp.path().toStdString()) / name;
    }

private slots:
    void storesComeBackAsTheyWere() {
        const StoreCache cache(folder("roundtrip"));
        const auto store = traceFromText(kTrace);
        QVERIFY(!cache.find(StoreCache::key("k")).has_value());
        QVERIFY(cache.put(StoreCache::key("k"), *store, "my note").ok());
        const auto found = cache.find(StoreCache::key("k"));
        QVERIFY(found.has_value());
        QCOMPARE(found->note, std::string("my note"));
        QCOMPARE(everything(*found->store), everything(*store));
        QCOMPARE(cache.entries().size(), std::size_t{1});
        QCOMPARE(cache.entries()[0].note, std::string("my note"));
        // A mapped entry outlives its file.
        QCOMPARE(cache.clear(), std::size_t{1});
        QCOMPARE(everything(*found->store), everything(*store));
        QVERIFY(!cache.find(StoreCache::key("k")).has_value());
    }

    void damagedEntriesAreNotBelieved() {
        const StoreCache cache(folder("damage"));
        QVERIFY(cache.put(StoreCache::key("k"), *traceFromText(kTrace), "note").ok());
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
            QVERIFY(!cache.find(StoreCache::key("k")).has_value());
            std::string flipped = whole;
            flipped[i] = static_cast<char>(flipped[i] ^ 0x10);
            write(flipped);
            const auto found = cache.find(StoreCache::key("k"));
            if (found) {
                ++survived;
                QCOMPARE(everything(*found->store), everything(*traceFromText(kTrace)));
            }
        }
        QVERIFY(survived < whole.size() / 2);
        write(whole + "x");
        QVERIFY(!cache.find(StoreCache::key("k")).has_value());
    }

    /// Right checksums around wrong numbers: refused, or as good as any; never read beyond a column. Each number of the
    /// file in turn, under a sanitizer.
    void forgedEntriesAreNotBelieved() {
        const StoreCache cache(folder("forged"));
        QVERIFY(cache.put(StoreCache::key("k"), *traceFromText(kTrace), "note").ok());
        const auto path = cache.entries()[0].path;
        std::ifstream in(path, std::ios::binary);
        const std::string whole((std::istreambuf_iterator<char>(in)), {});
        std::size_t refused = 0, tried = 0, wrongName = 0;
        for (std::uint32_t s = 0; s < headerOf(whole).sections; ++s) {
            const SectionEntry entry = entryOf(whole, s);
            if (entry.number == static_cast<std::uint32_t>(StoreSection::Note)) continue;
            for (std::uint64_t at = 0; at + 4 <= entry.bytes; at += 4) {
                for (const std::uint32_t number : {0xffffffffU, 0x7fffffffU, 0x80000000U, 5000U}) {
                    std::string bytes = whole;
                    std::memcpy(bytes.data() + entry.offset + at, &number, sizeof number);
                    std::ofstream(path, std::ios::binary | std::ios::trunc) << withChecksums(bytes);
                    const auto found = cache.find(StoreCache::key("k"));
                    ++tried;
                    if (!found) ++refused;
                    else QVERIFY(everything(*found->store).size() > 10);
                    static constexpr std::uint32_t kNames = 4;  // number of that column, see visitColumns
                    if (found && entry.number == kNames) ++wrongName;
                }
            }
        }
        QCOMPARE(wrongName, std::size_t{0});
        QVERIFY(tried > 500 && refused > tried / 3);
        std::ofstream(path, std::ios::binary | std::ios::trunc) << withChecksums(whole);
        QVERIFY2(cache.find(StoreCache::key("k")).has_value(), "the checksums of this test are right");
    }

    void foldersAreForThisUserAlone() {
        const auto modeOf = [](const std::filesystem::path& path) {
            struct stat status {};
            return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 0777U : 0U;
        };
        const mode_t before = ::umask(0);
        const StoreCache cache(folder("own") / "deep/");
        QVERIFY(cache.put(StoreCache::key("k"), *traceFromText(kTrace), "note").ok());
        ::umask(before);
        QCOMPARE(modeOf(folder("own") / "deep"), 0700U);
        QCOMPARE(modeOf(cache.entries()[0].path), 0600U);
        QVERIFY(isPrivateFolder(folder("own") / "deep") && isPrivateFolder(folder("own") / "absent"));
        for (const mode_t mode : {0770U, 0707U, 01777U}) {
            ::chmod((folder("own") / "deep").c_str(), mode);
            QVERIFY(!isPrivateFolder(folder("own") / "deep"));
        }
        ::chmod((folder("own") / "deep").c_str(), 0755);
        QVERIFY(isPrivateFolder(folder("own") / "deep"));
        if (::geteuid() != 0) QVERIFY(!isPrivateFolder("/"));
    }

    void entryUnderAnothersNameIsNotBelieved() {
        const StoreCache cache(folder("swapped"));
        QVERIFY(cache.put(StoreCache::key("one"), *traceFromText(kTrace), "note").ok());
        std::filesystem::copy_file(folder("swapped") / nameOf("one"), folder("swapped") / nameOf("two"));
        for (const auto& entry : cache.entries())
            QCOMPARE(entry.note, std::string(entry.path.filename() == nameOf("one") ? "note" : ""));
        QVERIFY(!cache.find(StoreCache::key("two")).has_value());
        QVERIFY(!std::filesystem::exists(folder("swapped") / nameOf("two")));
        QVERIFY(cache.find(StoreCache::key("one")).has_value());
    }

    void leastRecentlyUsedGoFirst() {
        const auto store = traceFromText(kTrace);
        const StoreCache unlimited(folder("lru"));
        QVERIFY(unlimited.put(StoreCache::key("a"), *store, "a").ok());
        const std::uint64_t size = unlimited.entries()[0].bytes;
        const StoreCache cache(folder("lru"), size * 2 + size / 2);
        const auto age = [&](const char* key, int minutes) {
            std::filesystem::last_write_time(folder("lru") / nameOf(key),
                                             std::filesystem::file_time_type::clock::now() -
                                                 std::chrono::minutes(minutes));
        };
        QVERIFY(cache.put(StoreCache::key("b"), *store, "b").ok());
        age("a", 20);
        age("b", 10);
        QVERIFY(cache.find(StoreCache::key("a")).has_value());  // now b is the oldest
        QVERIFY(cache.put(StoreCache::key("c"), *store, "c").ok());
        QVERIFY(!cache.find(StoreCache::key("b")).has_value());
        QVERIFY(cache.find(StoreCache::key("a")).has_value());
        QVERIFY(cache.find(StoreCache::key("c")).has_value());
    }

    void theListBeginsWithTheLastUsed() {
        const StoreCache cache(folder("listed"));
        const auto store = traceFromText(kTrace);
        const std::string notes[] = {"b", "c", "a"};
        for (int i = 0; i < 3; ++i) {
            const std::string& note = notes[i];
            QVERIFY(cache.put(StoreCache::key(note), *store, note).ok());
            std::filesystem::last_write_time(folder("listed") / nameOf(note.c_str()),
                                             std::filesystem::file_time_type::clock::now() -
                                                 std::chrono::minutes(10 * (i + 1)));
        }
        std::string listed;
        for (const StoreCache::Entry& entry : cache.entries()) listed += entry.note;
        QCOMPARE(listed, std::string("bca"));
    }

    void filesOfTheUserStay_data() {
        QTest::addColumn<QByteArray>("name");
        const std::string entry = nameOf("k"), other = nameOf("other");
        QTest::newRow("a letter") << QByteArray("letter.txt");
        QTest::newRow("the ending of an entry") << QByteArray("letters.altistore");
        QTest::newRow("the ending of a folder") << QByteArray("letters.altifolder");
        QTest::newRow("the name of another entry") << QByteArray::fromStdString(other);
        QTest::newRow("the name of the entry itself") << QByteArray::fromStdString(entry);
        QTest::newRow("a temporary file") << QByteArray::fromStdString(other + ".tmp.2147483646.12");
        QTest::newRow("a temporary file of something else") << QByteArray("letters.altistore.tmp.2147483646.12");
        QTest::newRow("a scratch folder") << QByteArray("scratch-2147483646-letter");
    }

    /// Old and new ones, by put, find, eviction and clear.
    void filesOfTheUserStay() {
        QFETCH(QByteArray, name);
        const auto place = folder("foreign") / QTest::currentDataTag();
        const std::filesystem::path file = place / name.toStdString(), copy = file.string() + ".letters";
        std::filesystem::create_directories(copy);
        std::ofstream(file) << "my letter";
        std::filesystem::last_write_time(file,
                                         std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * 400));
        const auto store = traceFromText(kTrace);
        const StoreCache cache(place, 10'000);
        QVERIFY(cache.put(StoreCache::key("k"), *store, "note").ok());
        QVERIFY(cache.find(StoreCache::key("k")).has_value());
        QCOMPARE(cache.entries().size(), std::size_t{1});
        for (int i = 0; i < 8; ++i) QVERIFY(cache.put(StoreCache::key(std::to_string(i)), *store, "note").ok());
        QVERIFY2(cache.entries().size() < 9, "some had to go");
        cache.clear();
        QVERIFY(cache.entries().empty());
        std::ifstream in(file);
        QCOMPARE(std::string((std::istreambuf_iterator<char>(in)), {}), std::string("my letter"));
        QVERIFY(std::filesystem::is_directory(copy));
    }

    /// Opening a pipe waits for somebody who writes.
    void whatIsNoFileCountsAsNotThere_data() {
        QTest::addColumn<int>("kind");
        int number = 0;
        for (const char* clause :
             {"a pipe", "a socket", "a folder", "a link to itself", "a link to a file", "a link to nowhere"})
            QTest::addRow("%s", clause) << number++;
    }

    void whatIsNoFileCountsAsNotThere() {
        QFETCH(int, kind);
        const auto place = folder("odd") / std::to_string(kind);
        std::filesystem::create_directories(place);
        std::ofstream(place / "letter") << "my letter";
        const auto entry = place / nameOf("k");
        if (kind == 0) QCOMPARE(::mkfifo(entry.c_str(), 0600), 0);
        if (kind == 1) QCOMPARE(::mknod(entry.c_str(), S_IFSOCK | 0600, 0), 0);
        if (kind == 2) std::filesystem::create_directory(entry);
        if (kind == 3) std::filesystem::create_symlink(entry, entry);
        if (kind == 4) std::filesystem::create_symlink(place / "letter", entry);
        if (kind == 5) std::filesystem::create_symlink(place / "nowhere", entry);
        const StoreCache cache(place);
        QVERIFY(!cache.find(StoreCache::key("k")).has_value());
        QVERIFY(cache.entries().empty());
        QVERIFY(cache.put(StoreCache::key("k"), *traceFromText(kTrace), "note").ok());
        QVERIFY2(cache.find(StoreCache::key("k")).has_value(), "it has found a place beside");
        QVERIFY(cache.findFolder(StoreCache::key("k")) == nullptr);
        QCOMPARE(cache.clear(), std::size_t{1});
        QVERIFY(std::filesystem::exists(std::filesystem::symlink_status(entry)));
        QCOMPARE(std::filesystem::file_size(place / "letter"), std::uintmax_t{9});
        QVERIFY(!std::filesystem::exists(place / "nowhere"));
    }

    void leftOversOfKilledProgramsGo() {
        const auto place = folder("left");
        const StoreCache cache(place);
        QVERIFY(cache.put(StoreCache::key("k"), *traceFromText(kTrace), "note").ok());
        const std::string dead = ".tmp.2147483646.77", living = ".tmp." + std::to_string(::getpid()) + ".77";
        for (const std::string& ending : {dead, living})
            std::filesystem::copy_file(place / nameOf("k"), place / (nameOf("k") + ending));
        QCOMPARE(cache.clear(), std::size_t{1});
        QVERIFY(!std::filesystem::exists(place / (nameOf("k") + dead)));
        QVERIFY2(std::filesystem::exists(place / (nameOf("k") + living)), "somebody writes it");
    }

    void cancelledWorkLeavesNothing() {
        const StoreCache cache(folder("cancel"));
        const auto store = traceFromText(kTrace);
        const CancelToken cancel;
        cancel.requestCancel();
        QVERIFY(cache.put(StoreCache::key("k"), *store, "note", nullptr, cancel).cancelled());
        QVERIFY(std::filesystem::is_empty(folder("cancel")));
        QVERIFY(cache.put(StoreCache::key("k"), *store, "note").ok());
        QVERIFY(!cache.find(StoreCache::key("k"), cancel).has_value());
        QVERIFY2(cache.find(StoreCache::key("k")).has_value(), "the entry is as good as before");
    }

    void unwritableFolderIsSaid() {
        std::ofstream(folder("afile")) << "x";
        const StoreCache cache(folder("afile") / "below");
        QCOMPARE(cache.put(StoreCache::key("k"), *traceFromText(kTrace), "").error().code,
                 std::string("cache.not_written"));
        QVERIFY(cache.entries().empty());
        QCOMPARE(cache.clear(), std::size_t{0});
    }

    void failedWriteLeavesNothing() {
        const StoreCache cache(folder("nowrite"));
        // Folders stand wherever the entry could go.
        for (const char* ending : {".altistore", "-1.altistore", "-2.altistore"})
            std::filesystem::create_directories(folder("nowrite") / (StoreCache::key("k") + ending));
        QCOMPARE(cache.put(StoreCache::key("k"), *traceFromText(kTrace), "").error().code,
                 std::string("cache.not_written"));
        std::size_t files = 0;
        for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder("nowrite"))) ++files;
        QCOMPARE(files, std::size_t{3});
    }

    void fingerprintFollowsTheFile() {
        const auto path = folder("source");
        std::ofstream(path) << std::string(300000, 'a');
        const auto of = [&] { return StoreCache::fingerprint(ReadOnlyFile::open(path).value()).value(); };
        const std::string first = of();
        QCOMPARE(of(), first);
        const auto time = std::filesystem::last_write_time(path);
        // Same size, same time, other content: in what is hashed, and in what is not.
        for (const int place : {100, 70'000}) {
            const std::string before = of();
            std::fstream(path, std::ios::in | std::ios::out).seekp(place) << 'b';
            std::filesystem::last_write_time(path, time);
            QVERIFY(of() != before);
        }
        QVERIFY(StoreCache::key("a") != StoreCache::key("b"));
        QCOMPARE(StoreCache::key("a").size(), std::size_t{32});
    }
};

ALTI_TEST(TestStoreCache)
#include "tst_store_cache.moc"
