#include "tests/support/test_main.h"
#include "views/common/support/rank_texts.h"

using namespace altiscope;
using namespace Qt::StringLiterals;

class TestRankTexts : public QObject {
    Q_OBJECT
private slots:
    void numbersAreJoined();
    void ranksAreNamed();
    void twoRecordingsOfARankAreDistinguished();
    void reasons();

private:
    using Ranks = std::vector<RankInfo>;
    static Ranks recorded(const std::vector<std::optional<std::int64_t>>& numbers) {
        Ranks ranks(numbers.size());
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            ranks[i].rankId = numbers[i];
            ranks[i].path = "run/folder" + std::to_string(i);
        }
        return ranks;
    }
    static QString names(const Ranks& ranks, const std::vector<std::size_t>& places) {
        std::vector<const RankInfo*> all, named;
        for (const RankInfo& rank : ranks) all.push_back(&rank);
        for (const std::size_t place : places) named.push_back(all[place]);
        return rankNames(named, all);
    }
};

void TestRankTexts::numbersAreJoined() {
    QCOMPARE(rankNumbers({}), QString());
    QCOMPARE(rankNumbers({3}), u"3"_s);
    QCOMPARE(rankNumbers({0, 1, 4, 5, 6, 9}), u"0, 1, 4-6, 9"_s);
    QCOMPARE(rankNumbers({0, 2, 4, 6}, 2), u"0, 2, \u2026"_s);
    QCOMPARE(rankNumbers({0, 2, 3, 4}, 2), u"0, 2-4"_s);
}

void TestRankTexts::ranksAreNamed() {
    const Ranks ranks = recorded({2, 0, 1, std::nullopt});
    QCOMPARE(names(ranks, {1}), u"rank 0"_s);
    QCOMPARE(names(ranks, {0, 1, 2}), u"ranks 0-2"_s);
    QCOMPARE(names(ranks, {0, 3, 1}), u"ranks 0, 2, folder3"_s);
    const Ranks unknown = recorded(std::vector<std::optional<std::int64_t>>(12));
    QCOMPARE(names(unknown, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}),
             u"folder0, folder1, folder2, folder3, folder4, folder5, folder6, folder7, 3 more"_s);
}

void TestRankTexts::twoRecordingsOfARankAreDistinguished() {
    const Ranks ranks = recorded({0, 1, 1});
    QCOMPARE(names(ranks, {0, 2}), u"rank 0, rank 1 in run/folder2"_s);
}

void TestRankTexts::reasons() {
    RankInfo rank;
    rank.state = RankState::Ok;
    QVERIFY(!whyMissing(rank, "memory"));
    rank.state = RankState::Raw;
    QCOMPARE(whyMissing(rank, "memory"), u"There is only raw data, which has to be analysed first."_s);
    rank.state = RankState::Listed;
    QCOMPARE(whyMissing(rank, "memory"), u"The files are not read."_s);
    rank.source = SourceKind::Cluster;
    QVERIFY(!whyMissing(rank, "memory"));
    rank.missing.push_back({"memory", "profile_memory"});
    QVERIFY(whyMissing(rank, "memory")->contains(u"profile_memory"_s));
    QVERIFY(!whyMissing(rank, "kernels"));
}

ALTI_TEST(TestRankTexts)
#include "tst_rank_texts.moc"
