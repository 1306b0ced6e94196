#include "core/base/threads/parallel.h"
#include "core/pack/open_pack.h"
#include "core/pack/pack_file.h"
#include "core/pack/pack_writer.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <xxhash.h>

using namespace altiscope;
using altiscope::test::traceFromText;

namespace {

/// Two ranks with one slice each, read from files of 100 bytes.
CaptureStore twoRanks() {
    CaptureStore capture;
    capture.path = "/capture";
    capture.state = CaptureStore::State::Ok;
    capture.sealed = true;
    for (const int number : {0, 1}) {
        RankEntry rank;
        rank.info.rankId = number;
        rank.info.path = "rank" + std::to_string(number);
        rank.info.state = RankState::Ok;
        rank.info.traceBytes = 100;
        rank.trace = traceFromText(number == 0 ? "p1/t1: A[0,100)" : "p1/t1: B[10,40)");
        rank.steps = {{7, TimeRange{{0}, {50}}, false}, {8, {}, true}};
        capture.ranks.push_back(std::move(rank));
    }
    return capture;
}

std::shared_ptr<const CaptureStore> opened(const std::string& path, const pack::PackReading& reading) {
    ProgressSlot progress;
    const auto capture = pack::openPack(path, reading, progress, {});
    return capture.ok() ? capture.value() : nullptr;
}

/// Codes of what is said, and the parameter `version` of each, empty if it has none.
std::map<std::string, std::string> versionsSaid(const CaptureStore& capture) {
    std::map<std::string, std::string> said;
    for (const Diagnostic& entry : capture.diagnostics.entries()) {
        const auto version = std::find_if(entry.parameters.begin(), entry.parameters.end(),
                                          [](const auto& parameter) { return parameter.first == "version"; });
        said[entry.code] = version == entry.parameters.end() ? std::string() : version->second;
    }
    return said;
}

std::string errorOf(const std::string& path) {
    ProgressSlot progress;
    const auto capture = pack::openPack(path, {}, progress, {});
    return capture.failed() ? capture.error().code : std::string();
}

std::vector<RankState> statesOf(const CaptureStore& capture) {
    std::vector<RankState> states;
    for (const RankEntry& rank : capture.ranks) states.push_back(rank.info.state);
    return states;
}

}  // namespace

class TestOpenPack : public QObject {
    Q_OBJECT
private slots:
    void init() { write(twoRanks()); }

    void allThatIsKnownOfARank() {
        const auto capture = opened(path(), {});
        QVERIFY(capture != nullptr);
        QVERIFY(capture->state == CaptureStore::State::Ok && capture->sealed);
        QCOMPARE(capture->ranks.size(), std::size_t{2});
        QCOMPARE(std::string(capture->ranks[1].trace->name(SliceIndex{0})), std::string("B"));
        QCOMPARE(capture->ranks[1].info.rankId, std::optional<std::int64_t>(1));
        QCOMPARE(capture->ranks[0].steps.size(), std::size_t{2});
        QVERIFY(capture->ranks[0].steps[0].range == (TimeRange{{0}, {50}}));
        QVERIFY(!capture->ranks[0].steps[1].range && capture->ranks[0].steps[1].isOfDevice);
        QCOMPARE(pack::packIdentity(path(), {}).value(), std::string("id"));
    }

    /// The first rank automatically, then the other one; then nothing is read again.
    void ranksAreReadWhenTheyAreWanted() {
        const auto first = opened(path(), {.ranks = {.automaticBytes = 100}});
        QVERIFY(first->ranks[0].trace != nullptr && first->ranks[1].trace == nullptr);
        QCOMPARE(statesOf(*first), (std::vector{RankState::Ok, RankState::Listed}));
        const auto second = opened(path(), {.ranks = {.wanted = {"rank1"}, .known = first}});
        QVERIFY(second->ranks[0].trace == first->ranks[0].trace && second->ranks[1].trace != nullptr);
        QCOMPARE(statesOf(*second), (std::vector{RankState::Ok, RankState::Ok}));
        const auto third = opened(path(), {.ranks = {.known = second}});
        QVERIFY(third->ranks[1].trace == second->ranks[1].trace);
    }

    void whatIsLostStaysLost() {
        damage(pack::SectionKind::Store, 0);
        const auto first = opened(path(), {});
        QVERIFY(first->ranks[0].trace == nullptr && first->ranks[1].trace != nullptr);
        QVERIFY(first->state == CaptureStore::State::Partial);
        QCOMPARE(statesOf(*first), (std::vector{RankState::Partial, RankState::Ok}));
        const auto second = opened(path(), {.ranks = {.known = first}});
        QVERIFY(second->state == CaptureStore::State::Partial);
        QCOMPARE(statesOf(*second), statesOf(*first));
        const auto entries = second->diagnostics.entries();
        QCOMPARE(entries.size(), std::size_t{1});
        QCOMPARE(entries[0].code, std::string("pack.rank_lost"));
        QCOMPARE(entries[0].count, std::uint64_t{1});
    }

    /// Empty tables would pass for an answer.
    void withoutAnyRankItHasFailed() {
        damage(pack::SectionKind::Store, 0);
        const auto first = opened(path(), {.ranks = {.automaticBytes = 100}});
        // The other one may be whole.
        QVERIFY(first->state == CaptureStore::State::Partial);
        damage(pack::SectionKind::Store, 1);
        QVERIFY(opened(path(), {})->state == CaptureStore::State::Failed);
    }

    void anotherPackOfTheSameRanksIsReadAgain() {
        const auto first = opened(path(), {.ranks = {.automaticBytes = 100}});
        CaptureStore other = twoRanks();
        other.ranks[0].trace = traceFromText("p1/t1: Another[0,100)");
        write(other);
        const auto second = opened(path(), {.ranks = {.wanted = {"rank1"}, .known = first}});
        QCOMPARE(std::string(second->ranks[0].trace->name(SliceIndex{0})), std::string("Another"));
        QCOMPARE(std::string(second->ranks[1].trace->name(SliceIndex{0})), std::string("B"));
    }

    void aCutPackIsPartial() {
        QFile file(QString::fromStdString(path()));
        QVERIFY(file.resize(file.size() - 1));
        const auto capture = opened(path(), {});
        QCOMPARE(statesOf(*capture), (std::vector{RankState::Ok, RankState::Ok}));
        QVERIFY(capture->state == CaptureStore::State::Partial);
    }

    void partsOfAnotherVersionAreNamed() {
        const auto setVersion = [](pack::SectionHeader& header) { header.version = 999; };
        for (const std::uint32_t rank : {0U, 1U}) forge(pack::SectionKind::Store, rank, setVersion);
        forge(pack::SectionKind::Diagnostics, pack::kNoRankNumber, setVersion);
        const auto capture = opened(path(), {});
        QVERIFY(capture->state == CaptureStore::State::Failed);
        QCOMPARE(versionsSaid(*capture),
                 (std::map<std::string, std::string>{
                     {"pack.cut", {}}, {"pack.notes_version", "999"}, {"pack.other_version", "999"}}));
        forge(pack::SectionKind::Ranks, pack::kNoRankNumber, setVersion);
        QCOMPARE(errorOf(path()), std::string("pack.list_version"));
    }

    /// A section of JSON may not have 100 times its bytes, nor 64 MiB.
    void claimedSizesAreBounded() {
        forge(pack::SectionKind::Ranks, pack::kNoRankNumber,
              [](pack::SectionHeader& header) { header.rawBytes = header.bytes * 101; });
        QCOMPARE(errorOf(path()), std::string("pack.damaged"));
        const auto file = pack::PackFile::open(path());
        // That of the sums, which stands before it.
        QCOMPARE(file.value()->sections().size(), std::size_t{1});
    }

    void sectionsDoNotOverlap() {
        QByteArray bytes = read();
        pack::Trailer trailer;
        std::memcpy(&trailer, bytes.end() - qsizetype(sizeof trailer), sizeof trailer);
        pack::DirectoryEntry first, second;
        char* entries = bytes.data() + trailer.offset;
        const auto placeOf = [&](std::uint64_t i) { return entries + i * sizeof first; };
        for (std::uint64_t i = 0; i < trailer.entries; ++i) {
            pack::DirectoryEntry entry;
            std::memcpy(&entry, placeOf(i), sizeof entry);
            if (entry.section.kind != static_cast<std::uint32_t>(pack::SectionKind::Store)) continue;
            if (entry.section.rank == 0) first = entry;
            if (entry.section.rank != 1) continue;
            second = first;
            second.section.rank = 1;
            second.section.checksum = pack::ownChecksum(second.section);
            std::memcpy(placeOf(i), &second, sizeof second);
        }
        QVERIFY(second.offset > 0);
        trailer.checksum = 0;
        std::memcpy(bytes.end() - qsizetype(sizeof trailer), &trailer, sizeof trailer);
        trailer.checksum = XXH3_64bits(entries, std::size_t(bytes.size()) - trailer.offset);
        std::memcpy(bytes.end() - qsizetype(sizeof trailer), &trailer, sizeof trailer);
        overwrite(bytes);
        const auto capture = opened(path(), {});
        QCOMPARE(statesOf(*capture), (std::vector{RankState::Ok, RankState::Partial}));
        QCOMPARE(versionsSaid(*capture).begin()->first, std::string("pack.rank_lost"));
    }

    void blocksFollowOneAnother() {
        const auto before = pack::PackFile::open(path());
        const pack::PackSection section = *before.value()->find(pack::SectionKind::Store, 0);
        std::vector<pack::BlockEntry> table = before.value()->table(section).value();
        --table[0].bytes;
        ++table[0].offset;
        const qint64 place = qint64(section.offset + sizeof section.header);
        const std::size_t size = table.size() * sizeof table[0];
        QByteArray bytes = read();
        std::memcpy(bytes.data() + place, table.data(), size);
        overwrite(bytes);
        forge(pack::SectionKind::Store, 0,
              [&](pack::SectionHeader& header) { header.tableChecksum = XXH3_64bits(table.data(), size); });
        const auto file = pack::PackFile::open(path());
        const pack::PackSection* forged = file.value()->find(pack::SectionKind::Store, 0);
        QVERIFY(forged != nullptr);
        QVERIFY(file.value()->table(*forged).failed());
    }

    /// What is written of files that have changed since, or are gone, is no checksum.
    void checksumsAreOfTheFilesThatWereRead() {
        const std::string source = m_folder.path().toStdString() + "/source.json";
        QFile file(QString::fromStdString(source));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("[]") == 2);
        file.close();
        for (const bool isSame : {true, false}) {
            CaptureStore capture = twoRanks();
            FileStamp stamp = stampOf(source);
            if (!isSame) --stamp.modifiedNs;
            capture.ranks[0].sources = std::make_shared<const std::vector<FileStamp>>(std::vector{stamp});
            write(capture);
            const auto pack = pack::PackFile::open(path());
            const auto content = pack.value()->content(*pack.value()->find(pack::SectionKind::Provenance), {});
            QCOMPARE(content.value().bytes.find("\"xxh3\":null") == std::string_view::npos, isSame);
        }
    }

    void ranksThatAreNotThere() {
        ProgressSlot progress;
        WorkerArena arena;
        arena.run([&] {
            const auto some = pack::writePack(twoRanks(), {.ranks = {{1, 5, 7}}}, path(), progress, {});
            QCOMPARE(some.value().ranks, std::uint64_t{1});
            QCOMPARE(some.value().missingRanks, std::string("5, 7"));
            const auto none = pack::writePack(twoRanks(), {.ranks = {{5}}}, path(), progress, {});
            QCOMPARE(none.error().code, std::string("pack.no_ranks"));
            QCOMPARE(none.error().parameters.front().second, std::string("5"));
            QCOMPARE(pack::writePack({}, {}, path(), progress, {}).error().code, std::string("pack.empty"));
        });
    }

    void numbersCanBeCorrected() {
        const auto capture = opened(path(), {.ranks = {}, .corrections = {{"rank0", {.rankId = 5, .source = {}}}}});
        QCOMPARE(capture->ranks[0].info.path, std::string("rank1"));
        QCOMPARE(capture->ranks[1].info.rankId, std::optional<std::int64_t>(5));
        QCOMPARE(std::string(capture->ranks[1].trace->name(SliceIndex{0})), std::string("A"));
        QCOMPARE(capture->diagnostics.entries().front().code, std::string("rank.corrected"));
    }

    void cancelled() {
        ProgressSlot progress;
        const CancelToken cancel;
        cancel.requestCancel();
        QVERIFY(pack::openPack(path(), {}, progress, cancel).cancelled());
        WorkerArena arena;
        const std::string other = m_folder.path().toStdString() + "/other.altipack";
        arena.run([&] { QVERIFY(pack::writePack(twoRanks(), {}, other, progress, cancel).cancelled()); });
        QVERIFY(!QFile::exists(QString::fromStdString(other)));
    }

private:
    std::string path() const { return m_folder.path().toStdString() + "/x.altipack"; }

    void write(const CaptureStore& capture) {
        WorkerArena arena;
        ProgressSlot progress;
        bool isWritten = false;
        arena.run([&] { isWritten = pack::writePack(capture, {.identity = "id"}, path(), progress, {}).ok(); });
        QVERIFY(isWritten);
    }

    QByteArray read() const {
        QFile file(QString::fromStdString(path()));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    void overwrite(const QByteArray& bytes) {
        QFile file(QString::fromStdString(path()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }

    /// Changes the header of a section, with a right checksum, and spoils the directory, so that it is read.
    template <class Change>
    void forge(pack::SectionKind kind, std::uint32_t rank, const Change& change) {
        const auto file = pack::PackFile::open(path());
        QVERIFY(file.ok());
        const pack::PackSection* section = file.value()->find(kind, rank);
        QVERIFY(section != nullptr);
        pack::SectionHeader header = section->header;
        change(header);
        header.checksum = pack::ownChecksum(header);
        QByteArray bytes = read();
        std::memcpy(bytes.data() + section->offset, &header, sizeof header);
        bytes.back() = static_cast<char>(bytes.back() ^ 1);
        if (file.value()->wholeUntil()) bytes.back() = static_cast<char>(bytes.back() ^ 1);
        overwrite(bytes);
    }

    /// Flips a bit of a section's first block.
    void damage(pack::SectionKind kind, std::uint32_t rank) {
        const auto file = pack::PackFile::open(path());
        QVERIFY(file.ok());
        const pack::PackSection* section = file.value()->find(kind, rank);
        QVERIFY(section != nullptr);
        const auto table = file.value()->table(*section);
        QFile bytes(QString::fromStdString(path()));
        QVERIFY(bytes.open(QIODevice::ReadWrite));
        QVERIFY(bytes.seek(qint64(section->offset + sizeof section->header + table.value()[0].offset)));
        const QByteArray byte = bytes.peek(1);
        QCOMPARE(bytes.write(QByteArray(1, char(byte[0] ^ 1))), qint64{1});
    }

    QTemporaryDir m_folder;
};

ALTI_TEST(TestOpenPack)
#include "tst_open_pack.moc"
