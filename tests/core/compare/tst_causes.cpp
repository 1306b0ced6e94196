#include "core/compare/candidate.h"

#include "tests/support/test_main.h"

#include <QElapsedTimer>
#include <memory>
#include <string>
#include <vector>

using namespace altiscope;

namespace {

/// Differences that are significant until a cause explains them, without noise.
class Differences {
public:
    std::size_t add(Dimension dimension, const std::string& key, std::optional<std::int64_t> rank, std::int64_t base,
                    std::int64_t change) {
        m_keys.push_back(std::make_unique<MeasureKey>(
            MeasureKey{.dimension = dimension, .unit = DifferenceUnit::Nanoseconds, .rankId = rank, .key = key}));
        Candidate one{.key = m_keys.back().get(),
                      .change = {.base = base, .current = base + change, .change = change, .low = {}, .high = {}},
                      .difference = {},
                      .probability = {}};
        one.change.significant = change != 0;
        one.difference.change = static_cast<double>(change);
        one.currentSteps = 8;
        all.push_back(std::move(one));
        return all.size() - 1;
    }
    /// A part of a step: the mean, and what each rank changes by.
    std::size_t addPart(const std::string& key, const std::vector<std::int64_t>& changes) {
        std::int64_t sum = 0;
        for (const std::int64_t change : changes) sum += change;
        const std::size_t mean =
            add(Dimension::Category, key, {}, 100, sum / static_cast<std::int64_t>(changes.size()));
        for (std::size_t rank = 0; rank < changes.size(); ++rank)
            add(Dimension::Category, key, static_cast<std::int64_t>(rank), 100, changes[rank]);
        return mean;
    }
    std::size_t addLink(const std::string& key, std::int64_t change) {
        return add(Dimension::Link, key, {}, 10, change);
    }
    /// "": significant; else the key of the cause.
    std::string causeOf(std::size_t i) const {
        if (all[i].change.significant) return {};
        return all[i].causeKey == nullptr ? "none" : all[i].causeKey->key;
    }

    std::vector<Candidate> all;

private:
    std::vector<std::unique_ptr<MeasureKey>> m_keys;
};

}  // namespace

class TestCauses : public QObject {
    Q_OBJECT
private slots:
    void secondSlowLinkIsNotLostToTheFirst() {
        Differences found;
        const std::size_t exposed = found.addPart("exposed_communication", {40, 40, 30, 30});
        const std::size_t first = found.addLink("0-1 HCCS", 40), back = found.addLink("1-0 HCCS", 38);
        const std::size_t second = found.addLink("3-2 HCCS", 30), secondBack = found.addLink("2-3 HCCS", 29);
        for (const char* other : {"0-2 HCCS", "2-0 HCCS", "1-3 HCCS", "3-1 HCCS"}) found.addLink(other, 0);
        explainByCauses(found.all);
        QCOMPARE(found.causeOf(first), std::string());
        QCOMPARE(found.causeOf(second), std::string());
        QCOMPARE(found.causeOf(back), std::string("0-1 HCCS"));
        QCOMPARE(found.causeOf(secondBack), std::string("3-2 HCCS"));
        QCOMPARE(found.causeOf(exposed), std::string("0-1 HCCS"));
        QCOMPARE(found.causeOf(exposed + 2), std::string("0-1 HCCS"));
        QCOMPARE(found.causeOf(exposed + 3), std::string("3-2 HCCS"));
    }

    void fasterDirectionAndOtherTransportDoNotFollowFromASlowLink() {
        Differences found;
        const std::size_t slow = found.addLink("0-1 HCCS", 40), fast = found.addLink("1-0 HCCS", -5);
        const std::size_t remote = found.addLink("0-1 RDMA", 30);
        for (const char* other : {"0-2 HCCS", "1-2 HCCS", "2-3 HCCS", "2-3 RDMA", "1-2 RDMA"}) found.addLink(other, 0);
        explainByCauses(found.all);
        for (const std::size_t link : {slow, fast, remote}) QCOMPARE(found.causeOf(link), std::string());
    }

    void linksThatAllBecameSlowerFollowFromWhatWaitsForThem() {
        Differences found;
        found.addPart("exposed_communication", {40, 40, 40, 40});
        std::vector<std::size_t> links;
        for (const char* link : {"0-1 HCCS", "1-2 HCCS", "2-3 HCCS", "3-0 HCCS"})
            links.push_back(found.addLink(link, 20));
        explainByCauses(found.all);
        for (const std::size_t link : links) QCOMPARE(found.causeOf(link), std::string("exposed_communication"));
    }

    void fullMeshOfManyRanksIsQuick() {
        Differences found;
        for (int from = 0; from < 128; ++from)
            for (int to = 0; to < 128; ++to)
                if (from != to) found.addLink(std::to_string(from) + "-" + std::to_string(to) + " HCCS", 10 + from % 3);
        QElapsedTimer timer;
        timer.start();
        explainByCauses(found.all);
        QVERIFY2(timer.elapsed() < 5000, std::to_string(timer.elapsed()).c_str());
    }

    void synchronizationThatWasAddedIsNoSymptom() {
        Differences found;
        found.addPart("free", {3, 3});
        const std::size_t added = found.add(Dimension::Api, "aclrtSynchronizeDevice", {}, 0, 40);
        found.all[added].onlyIn = Difference::Side::Current;
        const std::size_t longer = found.add(Dimension::Api, "aclrtSynchronizeStream", {}, 1, 40);
        const std::size_t waits = found.add(Dimension::Api, "aclrtSynchronizeEvent", {}, 10, 3);
        explainByCauses(found.all);
        QCOMPARE(found.causeOf(added), std::string());
        QCOMPARE(found.causeOf(longer), std::string());
        QCOMPARE(found.causeOf(waits), std::string("free"));
    }

    void slowRankIsNotHiddenByAKernelOfAllRanks() {
        Differences found;
        const std::size_t computing = found.addPart("computing", {100, 100, 100, 120});
        const std::size_t exposed = found.addPart("exposed_communication", {20, 20, 20, 0});
        const std::size_t kernel = found.add(Dimension::Kernel, "Cumsum | Cumsum | 2", {}, 0, 100);
        explainByCauses(found.all);
        QCOMPARE(found.causeOf(kernel), std::string());
        QCOMPARE(found.causeOf(computing), std::string("Cumsum | Cumsum | 2"));
        QCOMPARE(found.causeOf(computing + 1), std::string("Cumsum | Cumsum | 2"));
        QCOMPARE(found.causeOf(computing + 4), std::string());
        QVERIFY(found.all[exposed + 1].causeKey == found.all[computing + 4].key);
    }

    void fewOperatorsThatChangedAloneAreNotTheHost() {
        for (const bool isHost : {false, true}) {
            Differences found;
            found.addPart("free", {25, 25});
            std::vector<std::size_t> operators;
            for (int i = 0; i < 3; ++i)
                operators.push_back(found.add(Dimension::Operator, "custom" + std::to_string(i), {}, 5, 10));
            for (int i = 0; i < 20; ++i) {
                const std::size_t other = found.add(Dimension::Operator, "aten" + std::to_string(i), {}, 50, 1);
                found.all[other].change.significant = isHost && i % 2 == 0;
            }
            explainByCauses(found.all);
            for (const std::size_t one : operators)
                QCOMPARE(found.causeOf(one), isHost ? std::string("free") : std::string());
        }
    }

    /// Twice as many ranks divide the work otherwise: two links carry half as much, and others carry the rest.
    void linksOfAnotherLayoutAreNoCause() {
        Differences found;
        const std::size_t exposed = found.addPart("exposed_communication", {-18, -18, -18, -18});
        const std::size_t less = found.addLink("3-1 HCCS", -18);
        found.addLink("0-1 HCCS", 0);
        found.addLink("2-3 HCCS", 0);
        const std::size_t more = found.addLink("3-7 HCCS", 18);
        found.all[more].onlyIn = Difference::Side::Current;
        found.all[more].change.base = 0;
        explainByCauses(found.all);
        QCOMPARE(found.causeOf(exposed), std::string());
        QVERIFY(found.causeOf(less) != std::string());
    }
};

ALTI_TEST(TestCauses)
#include "tst_causes.moc"
