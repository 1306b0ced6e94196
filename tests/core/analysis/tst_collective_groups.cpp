#include "core/analysis/collectives/collective_groups.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

using namespace altiscope;
using altiscope::test::rowsOf;

class TestCollectiveGroups : public QObject {
    Q_OBJECT
private slots:
    void find_data() {
        QTest::addColumn<QString>("track");
        QTest::addColumn<QString>("operation");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("type");
        QTest::addRow("by the end of the hash") << "Group 0 Communication"
                                                << "hcom_allReduce__586_0_1"
                                                << "alpha"
                                                << "dp";
        QTest::addRow("by the track's name") << "Group beta Communication"
                                             << "hcom_allReduce__1_0_1"
                                             << "beta"
                                             << "tp";
        QTest::addRow("the track's name goes before another group's hash") << "Group beta Communication"
                                                                           << "hcom_allReduce__586_0_1"
                                                                           << "beta"
                                                                           << "tp";
        QTest::addRow("by the hash in the track's name") << "Group 7777777123 Communication"
                                                         << "x"
                                                         << "beta"
                                                         << "tp";
        QTest::addRow("two hashes with the same end") << "Group 0 Communication"
                                                      << "hcom_allReduce__123_0_1"
                                                      << ""
                                                      << "";
        QTest::addRow("unknown, but named by the track") << "Group 99999999 Communication"
                                                         << "x"
                                                         << "99999999"
                                                         << "";
        QTest::addRow("groups without the rank are no candidates") << "Group 0 Communication"
                                                                   << "hcom_allReduce__900_0_1"
                                                                   << ""
                                                                   << "";
    }
    void find() {
        QFETCH(QString, track);
        QFETCH(QString, operation);
        const auto rows =
            rowsOf(RowKind::CommGroup,
                   {{{"group_name", "alpha"}, {"hash", "1234586"}, {"parallel_type", "dp"}, {"ranks", "[0, 1]"}},
                    {{"group_name", "beta"}, {"hash", "7777777123"}, {"parallel_type", "tp"}, {"ranks", "[1]"}},
                    {{"group_name", "gamma"}, {"hash", "5555555123"}, {"parallel_type", "pp"}},
                    {{"group_name", "other"}, {"hash", "1111111900"}, {"parallel_type", "dp"}, {"ranks", "[2, 3]"}}});
        const CaptureGroups directory(rows.get());
        const CollectiveGroups groups(directory, 1);
        QTEST(QString::fromStdString(groups.name(track.toStdString(), operation.toStdString())), "name");
        QTEST(QString::fromStdString(groups.parallelType(track.toStdString(), operation.toStdString())), "type");
    }

    void everyRankHasItsOwnGroups() {
        const auto rows =
            rowsOf(RowKind::CommGroup, {{{"group_name", "a"}, {"parallel_type", "pp"}, {"ranks", "[4, 0]"}},
                                        {{"group_name", "b"}, {"parallel_type", "dp"}},
                                        {{"group_name", "c"}, {"parallel_type", "pp"}, {"ranks", "[1, 5]"}},
                                        {{"group_name", "d"}, {"parallel_type", "tp"}, {"ranks", "no list"}}});
        const CaptureGroups directory(rows.get());
        const auto names = [&](std::optional<std::int64_t> rank) {
            std::string text;
            for (const CaptureGroups::Group* group : directory.groupsOf(rank)) text += group->name;
            return text;
        };
        QCOMPARE(names(0), std::string("abd"));
        QCOMPARE(names(5), std::string("bcd"));
        QCOMPARE(names(9), std::string("bd"));
        QCOMPARE(names(std::nullopt), std::string("abcd"));
        using Stages = std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>>;
        QVERIFY((directory.pipelineStages() == Stages{{0, {0, 2}}, {4, {1, 2}}, {1, {0, 2}}, {5, {1, 2}}}));
    }

    /// Without comm_group the files of ranks name groups by their hashes, and what is computed of other ranks has to
    /// get the same names.
    void filesOfRanksNameGroups() {
        CaptureStore capture;
        for (int r = 0; r < 5; ++r) capture.ranks.emplace_back().info.rankId = r;
        capture.rows = rowsOf(RowKind::CommGroup, {{{"group_name", "told"}, {"hash", "99999000"}, {"ranks", "[0, 1]"}},
                                                   {{"group_name", "whole"}, {"hash", "4444123"}, {"ranks", "[4]"}}});
        capture.ranks[0].rows =
            rowsOf(RowKind::Collective, {{{"group_name", "1234586"}}, {{"group_name", "99999000"}}});
        capture.ranks[1].rows = rowsOf(RowKind::Link, {{{"group_name", "7777586"}}, {{"group_name", "5555123"}}});
        const CaptureGroups directory(capture);
        const auto name = [&](std::optional<std::int64_t> rank, std::string_view operation) {
            return CollectiveGroups(directory, rank).name("Group 0 Communication", operation);
        };
        QCOMPARE(name(0, "hcom_allReduce__586_0_1"), std::string("1234586"));
        QCOMPARE(name(1, "hcom_allReduce__586_0_1"), std::string("7777586"));
        QCOMPARE(name(0, "hcom_allReduce__000_0_1"), std::string("told"));
        // The first does not know this group; those that have no files may be of any, if the end tells which.
        QCOMPARE(name(0, "hcom_allReduce__123_0_1"), std::string());
        QCOMPARE(name(2, "hcom_allReduce__123_0_1"), std::string("5555123"));
        QCOMPARE(name(2, "hcom_allReduce__586_0_1"), std::string());
        // A rank whose groups are told is in no group that only others name.
        QCOMPARE(name(4, "hcom_allReduce__123_0_1"), std::string("whole"));
        QCOMPARE(directory.groupsOf(std::nullopt).size(), std::size_t{5});
    }

    /// Links of some ranks tell places of a group; the others may be at the rest of them.
    void unknownPlacesMayBeOfARank() {
        const auto rows =
            rowsOf(RowKind::CommGroup, {{{"group_name", "partly"}, {"hash", "1234586"}, {"ranks", "[0, null, 4]"}},
                                        {{"group_name", "whole"}, {"hash", "7777586"}, {"ranks", "[2, 3]"}},
                                        {{"group_name", "open"}, {"hash", "5555123"}, {"ranks", "[1, null]"}},
                                        {{"group_name", "other"}, {"hash", "9999123"}, {"ranks", "[7, null]"}}});
        const CaptureGroups directory(rows.get());
        const auto name = [&](std::int64_t rank, std::string_view operation) {
            return CollectiveGroups(directory, rank).name("Group 0 Communication", operation);
        };
        QCOMPARE(name(0, "hcom_allReduce__586_0_1"), std::string("partly"));
        QCOMPARE(name(1, "hcom_allReduce__586_0_1"), std::string("partly"));
        // Groups that hold the rank go before those that may.
        QCOMPARE(name(2, "hcom_allReduce__586_0_1"), std::string("whole"));
        QCOMPARE(name(2, "hcom_allReduce__123_0_1"), std::string("open"));
        // Ranks rise with places.
        QCOMPARE(name(5, "hcom_allReduce__586_0_1"), std::string());
        QCOMPARE(name(0, "hcom_allReduce__123_0_1"), std::string());
        // Two that may.
        QCOMPARE(name(8, "hcom_allReduce__123_0_1"), std::string());
        QCOMPARE(CollectiveGroups(directory, 8).name("Group other Communication", "x"), std::string("other"));
    }
};

ALTI_TEST(TestCollectiveGroups)
#include "tst_collective_groups.moc"
