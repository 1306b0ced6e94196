#include "core/import/contracts/group_places.h"
#include "tests/support/test_main.h"

#include <string>

using namespace altiscope;

namespace {

/// A rank that lists the links of a ring of its place: to itself, to the next, and from the one before.
GroupWitness inRing(std::int64_t rank, std::int64_t place, std::int64_t size) {
    GroupWitness witness(rank);
    witness.addLink(place, place);
    witness.addLink(place, (place + 1) % size);
    witness.addLink((place + size - 1) % size, place);
    return witness;
}

/// "0 1 ? 3", with "whole" and "conflict 2" behind it.
std::string text(const GroupPlaces& places) {
    std::string line;
    for (const auto& rank : places.ranks) line += (line.empty() ? "" : " ") + (rank ? std::to_string(*rank) : "?");
    if (places.isWhole) line += " whole";
    for (const std::int64_t rank : places.conflicting) line += " conflict " + std::to_string(rank);
    return line;
}

}  // namespace

class TestGroupPlaces : public QObject {
    Q_OBJECT
private slots:
    void aRankNeedsRoomForThoseAfterIt() {
        // The last of four ranks cannot have a higher one after it in its group.
        QCOMPARE(text(groupPlaces({inRing(3, 0, 2)}, 4)), std::string("? ? conflict 3"));
        QCOMPARE(text(groupPlaces({inRing(2, 0, 2)}, 4)), std::string("2 3 whole"));
        QCOMPARE(text(groupPlaces({inRing(2, 0, 2)}, std::nullopt)), std::string("2 ?"));
    }

    void placesBetweenAreKnownOnlyWhereNothingElseFits() {
        QCOMPARE(text(groupPlaces({inRing(0, 0, 4), inRing(3, 3, 4)}, std::nullopt)), std::string("0 1 2 3"));
        QCOMPARE(text(groupPlaces({inRing(0, 0, 4), inRing(5, 3, 4)}, std::nullopt)), std::string("0 ? ? 5"));
        QCOMPARE(text(groupPlaces({inRing(0, 0, 4), inRing(2, 3, 4)}, std::nullopt)),
                 std::string("? ? ? ? conflict 0 conflict 2"));
    }

    void aGroupIsWholeWhereNoPlaceCanFollow() {
        std::vector<GroupWitness> witnesses{inRing(0, 0, 2), inRing(1, 1, 2)};
        // Pairs alone may exchange, and ranks 2 and 3 may be in the group too.
        QCOMPARE(text(groupPlaces(witnesses, 4)), std::string("0 1"));
        QCOMPARE(text(groupPlaces(witnesses, 2)), std::string("0 1 whole"));
        for (GroupWitness& witness : witnesses) witness.addCollective();
        QCOMPARE(text(groupPlaces(witnesses, 4)), std::string("0 1 whole"));
    }

    void linksThatContradictEachOtherCountForNothing() {
        GroupWitness twice(1);
        twice.addLink(1, 1);
        twice.addLink(2, 2);
        QCOMPARE(text(groupPlaces({inRing(0, 0, 3), twice}, std::nullopt)), std::string("0 ? ? conflict 1"));
    }
};

ALTI_TEST(TestGroupPlaces)
#include "tst_group_places.moc"
