#include "core/import/communication/link_ranks.h"

#include "core/import/contracts/group_places.h"
#include "tests/core/import/row_dump.h"
#include "tests/support/capture_dump.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

using Links = std::vector<std::pair<int, int>>;

std::string matrixOf(const std::string& key, const Links& links) {
    std::string text = "{'step':{'p2p':{},'collective':{'" + key + "':{";
    for (std::size_t i = 0; i < links.size(); ++i) {
        text += std::string(i == 0 ? "" : ",") + "'" + std::to_string(links[i].first) + '-' +
                std::to_string(links[i].second) +
                "':{'Transport Type':'HCCS','Transit Size(MB)':1,'Transit Time(ms)':1,'Bandwidth(GB/s)':1,'Op "
                "Name':'hcom_allReduce__1_1_1@77'}";
    }
    text += "}}}}";
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

/// Of a rank in a ring: to itself, to the next, and from the one before.
Links ringOf(int place, int size) {
    return {{place, place}, {place, (place + 1) % size}, {(place + size - 1) % size, place}};
}

void writeRank(const TestFolder& folder, int rank, const Links& links, const std::string& metadata = {}) {
    const std::string name = "rank" + std::to_string(rank) + "_ascend_pt/";
    folder.write(name + "profiler_info_" + std::to_string(rank) + ".json", "{}");
    if (!metadata.empty()) folder.write(name + "profiler_metadata.json", metadata);
    folder.write(name + "ASCEND_PROFILER_OUTPUT/communication_matrix.json", matrixOf("allreduce-total@77", links));
}

/// "RANK: src>dst ..." of the links of each rank, "?" for an end that is not known, and the group.
std::string linksOf(const CaptureStore& capture) {
    constexpr auto L = RowKind::Link;
    std::string text;
    for (const RankEntry& rank : capture.ranks) {
        text += std::to_string(rank.info.rankId.value_or(-1)) + ':';
        const RowTable* links = rank.rows ? rank.rows->find(L) : nullptr;
        for (std::size_t row = 0; links != nullptr && row < links->size(); ++row) {
            const auto end = [&](const char* column) {
                const auto value = links->integer(rowColumn(L, column), row);
                return value ? std::to_string(*value) : std::string("?");
            };
            text += ' ' + end("src_rank") + '>' + end("dst_rank");
        }
        text += '\n';
    }
    const RowTable* groups = capture.rows ? capture.rows->find(RowKind::CommGroup) : nullptr;
    for (std::size_t row = 0; groups != nullptr && row < groups->size(); ++row)
        text += cellText(*capture.rows, *groups, fixedColumn(RowKind::CommGroup, "group_name"), row) + ' ' +
                cellText(*capture.rows, *groups, fixedColumn(RowKind::CommGroup, "ranks"), row) + '\n';
    return text + dumpDiagnostics(capture.diagnostics);
}

QString asQString(const std::string& text) { return QString::fromStdString(text); }

GroupWitness witnessOf(std::int64_t rank, const Links& links) {
    GroupWitness witness(rank);
    for (const auto& [source, target] : links) witness.addLink(source, target);
    witness.addCollective();
    return witness;
}

std::string placesText(const GroupPlaces& places) {
    std::string text;
    for (const auto& rank : places.ranks) text += (rank ? std::to_string(*rank) : "?") + ' ';
    text += places.isWhole ? "whole" : "part";
    for (const std::int64_t rank : places.conflicting) text += " !" + std::to_string(rank);
    return text;
}

}  // namespace

/// Global ranks of links where no source states the ranks of groups.
class TestLinkRanks : public QObject {
    Q_OBJECT
private slots:
    /// Links had no ranks at all without parallel_group_info, so that slow links could not be found.
    void linksWithoutParallelGroupInfo() {
        const TestFolder folder;
        const std::vector<int> ranks{3, 5, 9, 12};
        for (std::size_t i = 0; i < ranks.size(); ++i) writeRank(folder, ranks[i], ringOf(static_cast<int>(i), 4));
        QCOMPARE(
            asQString(linksOf(*importForTest(folder.path()).value())),
            QStringLiteral("3: 3>3 3>5 12>3\n5: 5>5 5>9 3>5\n9: 9>9 9>12 5>9\n12: 12>12 12>3 9>12\n77 [3,5,9,12]\n"));
    }

    /// What is not known stays NULL, and the group says that it is not all.
    void filesOfSomeRanks() {
        const TestFolder folder;
        writeRank(folder, 4, ringOf(1, 8));
        writeRank(folder, 7, ringOf(2, 8));
        QCOMPARE(asQString(linksOf(*importForTest(folder.path()).value())),
                 QStringLiteral("4: 4>4 4>7 ?>4\n7: 7>7 7>? 4>7\n77 [null,4,7,null]\n"));
    }

    /// The first ranks of a job are in order: rank k at place k tells those before it.
    void ranksInARow() {
        const TestFolder folder;
        writeRank(folder, 2, ringOf(2, 8));
        QCOMPARE(asQString(linksOf(*importForTest(folder.path()).value())),
                 QStringLiteral("2: 2>2 2>? 1>2\n77 [0,1,2,null]\n"));
    }

    /// A group of as many places as the job has ranks is the job.
    void theWholeJob() {
        const TestFolder folder;
        writeRank(folder, 0, ringOf(0, 8), R"({"distributed_args":{"world_size":8}})");
        QCOMPARE(asQString(linksOf(*importForTest(folder.path()).value())),
                 QStringLiteral("0: 0>0 0>1 7>0\n77 [0,1,2,3,4,5,6,7]\n"));
    }

    /// Sizes that differ, or that the ranks are beyond, tell nothing.
    void ofAJobWhoseSizeIsNotKnown() {
        const auto stated = [](int size) {
            return R"({"distributed_args":{"world_size":)" + std::to_string(size) + "}}";
        };
        const QString unknown = QStringLiteral("77 [0,null,null,null,null,null,null,null]\n");
        for (const auto& [other, otherSize, size] : {std::tuple(3, 16, 8), {3, 8, 16}, {8, 8, 8}, {9, 8, 8}}) {
            const TestFolder folder;
            writeRank(folder, 0, ringOf(0, 8), stated(size));
            writeRank(folder, other, {}, stated(otherSize));
            QVERIFY(asQString(linksOf(*importForTest(folder.path()).value())).contains(unknown));
        }
        const TestFolder folder;
        writeRank(folder, 0, ringOf(0, 8), stated(8));
        writeRank(folder, 7, {}, stated(8));
        QVERIFY(asQString(linksOf(*importForTest(folder.path()).value()))
                    .contains(QStringLiteral("77 [0,1,2,3,4,5,6,7]\n")));
    }

    /// Contradictions are told, not resolved.
    void conflictsAreReported() {
        const TestFolder folder;
        writeRank(folder, 3, ringOf(0, 4));
        writeRank(folder, 5, ringOf(0, 4));
        writeRank(folder, 9, ringOf(2, 4));
        QCOMPARE(asQString(linksOf(*importForTest(folder.path()).value())),
                 QStringLiteral(
                     "3: ?>? ?>? ?>?\n5: ?>? ?>? ?>?\n9: 9>9 9>? ?>9\n77 [null,null,9,null]\n"
                     "lost group.ranks_conflict rank3_ascend_pt x1\nlost group.ranks_conflict rank5_ascend_pt x1\n"));
    }

    /// What a source states counts, and is not derived.
    void statedGroupsStay() {
        const TestFolder folder;
        writeRank(folder, 1, ringOf(1, 2), R"({"parallel_group_info":{"g":{"group_name":"dp","global_ranks":[1,6]}}})");
        const std::string text = linksOf(*importForTest(folder.path()).value());
        QVERIFY2(text.find("g [1,6]\n") != std::string::npos, text.c_str());
    }

    void places_data() {
        QTest::addColumn<QString>("expected");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* name, const char* expected, const std::vector<GroupWitness>& witnesses,
                            std::optional<std::int64_t> count = std::nullopt) {
            QTest::addRow("%s", name) << QString::fromUtf8(expected)
                                      << QString::fromStdString(placesText(groupPlaces(witnesses, count)));
        };
        row("nobody", "part", {});
        row("one of two", "4 ? part", {witnessOf(4, {{0, 0}, {0, 1}})});
        row("no link to itself: the end that all links share", "4 ? 7 part",
            {witnessOf(4, {{0, 1}, {0, 2}}), witnessOf(7, {{2, 0}, {2, 1}})});
        row("one link tells neither end", "? ? part", {witnessOf(4, {{0, 1}})});
        row("both ends of one link are all there is", "4 7 whole", {witnessOf(4, {{0, 1}}), witnessOf(7, {{0, 1}})});
        row("room for one way only", "6 7 8 part", {witnessOf(6, ringOf(0, 3)), witnessOf(8, {{2, 2}})});
        row("room for several", "6 ? 9 part", {witnessOf(6, ringOf(0, 3)), witnessOf(9, {{2, 2}})});
        row("the end of the job", "? 6 7 part", {witnessOf(6, {{1, 1}, {1, 2}})}, 8);
        row("order broken", "? ? part !4 !7", {witnessOf(7, {{0, 0}, {0, 1}}), witnessOf(4, {{1, 1}, {1, 0}})});
        row("more ranks than fit before", "? ? ? part !1", {witnessOf(1, {{2, 2}})});
        row("two places of one rank", "? ? part !4", {witnessOf(4, {{0, 0}, {1, 1}})});
        row("the same rank twice", "4 7 whole",
            {witnessOf(4, {{0, 0}, {0, 1}}), witnessOf(4, {{0, 0}, {0, 1}}), witnessOf(7, {{1, 1}, {0, 1}})});
    }
    void places() {
        QFETCH(QString, expected);
        QFETCH(QString, found);
        QCOMPARE(found, expected);
    }

    /// Random groups, of which files of some ranks are there: what is derived is true.
    void nothingIsGuessed() {
        std::mt19937 random(18);
        for (int round = 0; round < 2000; ++round) {
            const int size = 1 + static_cast<int>(random() % 9), world = size + static_cast<int>(random() % 12);
            std::set<std::int64_t> members;
            while (static_cast<int>(members.size()) < size)
                members.insert(static_cast<std::int64_t>(random() % static_cast<unsigned>(world)));
            const std::vector<std::int64_t> ranks(members.begin(), members.end());
            const bool isMesh = random() % 2 == 0, hasSelf = random() % 4 != 0;
            std::vector<GroupWitness> witnesses;
            for (int place = 0; place < size; ++place) {
                if (random() % 3 == 0) continue;
                Links links = hasSelf ? Links{{place, place}} : Links{};
                for (int other = 0; other < size; ++other) {
                    if (other != place &&
                        (isMesh || std::abs(other - place) == 1 || std::abs(other - place) == size - 1))
                        links.emplace_back(place, other);
                }
                if (!links.empty()) witnesses.push_back(witnessOf(ranks[static_cast<std::size_t>(place)], links));
            }
            const GroupPlaces found =
                groupPlaces(witnesses, random() % 2 == 0 ? std::optional<std::int64_t>(world) : std::nullopt);
            QVERIFY(found.conflicting.empty());
            for (std::size_t place = 0; place < found.ranks.size(); ++place) {
                if (found.ranks[place]) QCOMPARE(*found.ranks[place], ranks[place]);
            }
            if (found.isWhole) QCOMPARE(found.ranks.size(), ranks.size());
        }
    }

    /// Samples of which the ranks of groups are stated nowhere.
    void realRanks() {
        const auto path = sharedData("torch_text/level1");
        if (!path) QSKIP(kNoSharedData);
        const auto capture = importForTest(*path).value();
        constexpr auto L = RowKind::Link;
        for (const RankEntry& rank : capture->ranks) {
            const RowTable& links = *rank.rows->find(L);
            for (std::size_t row = 0; row < links.size(); ++row)
                QCOMPARE(links.integer(fixedColumn(L, "src_rank"), row), rank.info.rankId);
        }
        const std::string text = linksOf(*capture);
        QVERIFY2(text.find("17522688603477080586 [0,1,null,null,null,null,null,null]") != std::string::npos,
                 text.c_str());
    }
};

ALTI_TEST(TestLinkRanks)
#include "tst_link_ranks.moc"
