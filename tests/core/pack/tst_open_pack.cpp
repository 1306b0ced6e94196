#include "core/base/threads/parallel.h"
#include "core/pack/open_pack.h"
#include "core/pack/pack_file.h"
#include "core/pack/pack_writer.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <QFile>
#include <QTemporaryDir>

#include <limits>
#include <memory>
#include <string>
#include <vector>

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

std::vector<RankState> statesOf(const CaptureStore& capture) {
    std::vector<RankState> states;
    for (const RankEntry& rank : capture.ranks) states.push_back(rank.info.state);
    return states;
}

}  // namespace

class TestOpenPack : public QObject {
    Q_OBJECT
private slots:
    void init() {
        WorkerArena arena;
        ProgressSlot progress;
        bool isWritten = false;
        arena.run([&] { isWritten = pack::writePack(twoRanks(), {.identity = "id"}, path(), progress, {}).ok(); });
        QVERIFY(isWritten);
    }

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
