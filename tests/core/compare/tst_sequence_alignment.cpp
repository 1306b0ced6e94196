#include "core/compare/sequence_alignment.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <random>
#include <vector>

using namespace altiscope;

namespace {

using Elements = std::vector<std::uint32_t>;

/// Length of the longest common subsequence, by the table of all prefixes.
std::size_t longestCommon(const Elements& first, const Elements& second) {
    std::vector<std::vector<std::size_t>> table(first.size() + 1, std::vector<std::size_t>(second.size() + 1, 0));
    for (std::size_t i = 1; i <= first.size(); ++i)
        for (std::size_t j = 1; j <= second.size(); ++j)
            table[i][j] =
                first[i - 1] == second[j - 1] ? table[i - 1][j - 1] + 1 : std::max(table[i - 1][j], table[i][j - 1]);
    return table.back().back();
}

bool isAlignment(const SequenceAlignment& alignment, const Elements& first, const Elements& second) {
    for (std::size_t i = 0; i < alignment.same.size(); ++i) {
        const AlignedPair& pair = alignment.same[i];
        if (pair.first >= first.size() || pair.second >= second.size()) return false;
        if (first[pair.first] != second[pair.second]) return false;
        if (i > 0 && (pair.first <= alignment.same[i - 1].first || pair.second <= alignment.same[i - 1].second))
            return false;
    }
    return true;
}

}  // namespace

/// Alignments against the table of all prefixes.
class TestSequenceAlignment : public QObject {
    Q_OBJECT
private slots:
    void keepsAsManyAsTheTable();
    void tooManyEditsStillAlign();
    void emptyAndEqualSequences();
    void cancelledGivesNothing();
};

void TestSequenceAlignment::keepsAsManyAsTheTable() {
    std::mt19937 random(7);
    for (int round = 0; round < 400; ++round) {
        const auto letters = static_cast<std::uint32_t>(1 + random() % 6);
        Elements first(random() % 40), second(random() % 40);
        for (auto* elements : {&first, &second})
            for (auto& element : *elements) element = static_cast<std::uint32_t>(random() % letters);
        const auto alignment = alignSequences(first, second, 1000, {});
        QVERIFY(alignment && alignment->isLongest && isAlignment(*alignment, first, second));
        QCOMPARE(alignment->same.size(), longestCommon(first, second));
    }
}

void TestSequenceAlignment::tooManyEditsStillAlign() {
    std::mt19937 random(11);
    for (int round = 0; round < 100; ++round) {
        Elements first(random() % 200), second(random() % 200);
        for (auto* elements : {&first, &second})
            for (auto& element : *elements) element = static_cast<std::uint32_t>(random() % 3);
        const std::size_t most = 1 + random() % 8;
        const auto alignment = alignSequences(first, second, most, {});
        QVERIFY(alignment && isAlignment(*alignment, first, second));
        if (alignment->isLongest) QCOMPARE(alignment->same.size(), longestCommon(first, second));
    }
}

void TestSequenceAlignment::emptyAndEqualSequences() {
    QVERIFY(alignSequences({}, {}, 10, {})->same.empty());
    const Elements some{1, 2, 3};
    QVERIFY(alignSequences(some, {}, 10, {})->same.empty());
    QCOMPARE(alignSequences(some, some, 1, {})->same.size(), std::size_t{3});
}

void TestSequenceAlignment::cancelledGivesNothing() {
    CancelToken token;
    token.requestCancel();
    QVERIFY(!alignSequences(Elements{1}, Elements{2}, 10, token));
}

ALTI_TEST(TestSequenceAlignment)
#include "tst_sequence_alignment.moc"
