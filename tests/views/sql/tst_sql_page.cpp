#include "tests/views/sql/sql_stage.h"

#include "views/common/pages/message_page.h"
#include "views/common/support/formatters.h"

#include <QAbstractItemView>
#include <QAction>
#include <QCompleter>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalSpy>
#include <QTabBar>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>
#include <limits>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

/// The page SQL with a generated capture: what it runs, shows, keeps, and where it leads.
class TestSqlPage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_capture.made); }

    void nothingHasRun() {
        Kept kept;
        SqlFixture fixture(kept, m_capture.path());
        QVERIFY(fixture.table() == nullptr);
        QVERIFY(fixture.page.results().findChild<MessagePage*>()->isVisible());
        QVERIFY(fixture.page.results().status().isEmpty());
        fixture.page.run();  // nothing is written
        QVERIFY(!fixture.page.runner().busy());
    }

    void rowsWithTimesBecomeATrack() {
        Kept kept;
        SqlFixture fixture(kept, m_capture.path());
        QSignalSpy timeline(&fixture.page, &SqlPage::timelineRequested), said(&fixture.page, &SqlPage::statusMessage);
        const auto isOffered = [&fixture] {
            const auto buttons = fixture.page.findChildren<QToolButton*>();
            return std::any_of(buttons.begin(), buttons.end(), [](const QToolButton* button) {
                const QAction* action = button->defaultAction();
                return action != nullptr && action->text() == u"As &track" && action->isEnabled();
            });
        };
        fixture.run(u"SELECT name, dur FROM slice LIMIT 3"_s);
        QVERIFY(!isOffered());
        fixture.page.showAsTrack();
        fixture.settle();
        QVERIFY(fixture.selection.tracks().empty());
        QVERIFY(said.last().at(0).toString().contains(u"ts and dur"));
        fixture.run(u"SELECT ts, dur, rank_id, name FROM kernel WHERE dur > 0"_s);
        QVERIFY(isOffered());
        const std::size_t rows = fixture.rows();
        QVERIFY(rows > 10);
        fixture.page.showAsTrack();
        fixture.settle();
        QCOMPARE(timeline.size(), 1);
        QCOMPARE(fixture.selection.tracks().size(), 1U);
        const ComputedTrack& track = fixture.selection.tracks()[0];
        QCOMPARE(track.capture, fixture.id);
        std::size_t slices = 0;
        for (const RankEntry& rank : track.store->ranks) slices += rank.trace == nullptr ? 0 : rank.trace->sliceCount();
        QCOMPARE(slices, rows);
        QVERIFY(fixture.page.results().status().startsWith(formatCount(rows)));
        // Closed with its capture.
        fixture.selection.forget(fixture.id);
        QVERIFY(fixture.selection.tracks().empty());
    }

    void tracksComeBackFromAWorkspace() {
        Kept kept, otherKept;
        SqlFixture fixture(kept, m_capture.path());
        fixture.run(u"SELECT ts, dur, rank_id, name FROM kernel WHERE dur > 0"_s);
        fixture.page.showAsTrack();
        fixture.settle();
        const auto slicesOf = [](const SqlFixture& of) {
            std::size_t slices = 0;
            for (const RankEntry& rank : of.selection.tracks().at(0).store->ranks)
                slices += rank.trace == nullptr ? 0 : rank.trace->sliceCount();
            return slices;
        };
        // As a file has it.
        const QJsonObject written = fixture.page.state({{fixture.id}});
        const QJsonObject state = QJsonDocument::fromJson(QJsonDocument(written).toJson()).object();
        QCOMPARE(state.value("tracks"_L1).toArray().size(), 1);

        SqlFixture other(otherKept, {});
        QSignalSpy timeline(&other.page, &SqlPage::timelineRequested), said(&other.page, &SqlPage::statusMessage);
        const CaptureId id = other.session.open(m_capture.path());
        other.page.restore(state, {{id}});
        // It waits for the capture, and is not lost meanwhile.
        QCOMPARE(other.page.state({{id}}).value("tracks"_L1), state.value("tracks"_L1));
        QTRY_COMPARE_WITH_TIMEOUT(other.selection.tracks().size(), 1U, 60'000);
        QCOMPARE(slicesOf(other), slicesOf(fixture));
        QCOMPARE(other.selection.tracks()[0].title, fixture.selection.tracks()[0].title);
        QCOMPARE(other.page.state({{id}}).value("tracks"_L1), state.value("tracks"_L1));
        QCOMPARE(timeline.size(), 0);
        // What the user removed is not kept.
        other.selection.removeTrack(other.selection.tracks()[0].id);
        QVERIFY(!other.page.state({{id}}).contains("tracks"_L1));

        // Of somebody else's file: no track, wrong, no capture. What fails is said, and stays in the file.
        const auto track = [](qint64 capture, const QString& sql) {
            return QJsonObject{
                {u"capture"_s, capture}, {u"title"_s, u"T"_s}, {u"sql"_s, sql}, {u"parameters"_s, QJsonArray()}};
        };
        const QJsonArray foreign{track(0, u"SELECT 1"_s), track(0, u"DROP TABLE slice"_s), track(7, u"SELECT 2"_s), 5};
        other.page.restore({{u"tracks"_s, foreign}}, {{id}});
        other.settle();
        QVERIFY(other.selection.tracks().empty());
        QCOMPARE(said.size(), 2);
        QCOMPARE(other.page.state({{id}}).value("tracks"_L1).toArray(), QJsonArray({foreign[0], foreign[1]}));
        other.page.restore({}, {{id}});
        QVERIFY(!other.page.state({{id}}).contains("tracks"_L1));
    }

    void aTrackUnderWayGoesWithItsCapture() {
        Kept kept;
        SqlFixture fixture(kept, m_capture.path());
        StatementTracks tracks(fixture.session, fixture.selection);
        QSignalSpy failed(&tracks, &StatementTracks::failed);
        const QJsonObject track{{u"capture"_s, 0}, {u"title"_s, u"T"_s}, {u"sql"_s, u"SELECT ts, dur FROM kernel"_s}};
        tracks.restore({track}, {{fixture.id}});
        QVERIFY(!tracks.idle());
        fixture.session.close(fixture.id);
        QVERIFY(tracks.idle());
        QTRY_VERIFY_WITH_TIMEOUT(fixture.session.jobs().idle(), 60'000);
        QCOMPARE(failed.size(), 0);
        QVERIFY(fixture.selection.tracks().empty());
    }

    void parametersOfTracksKeepTheirTypes() {
        Kept kept;
        SqlFixture fixture(kept, m_capture.path());
        StatementTracks tracks(fixture.session, fixture.selection);
        tracks.add(fixture.id, u"T"_s, fixture.session.capture(fixture.id)->store,
                   {"SELECT :a AS ts, :b AS dur",
                    {{":a", std::numeric_limits<std::int64_t>::max()}, {":b", 3.0}, {":c", "3"}, {":d", {}}}});
        const QJsonArray state = tracks.state({{fixture.id}});
        tracks.restore(QJsonDocument::fromJson(QJsonDocument(state).toJson()).array(), {{fixture.id}});
        QTRY_VERIFY_WITH_TIMEOUT(tracks.idle(), 60'000);
        QCOMPARE(tracks.state({{fixture.id}}), state);
        QCOMPARE(state[0][u"parameters"_s][0][u"value"_s].toInteger(), std::numeric_limits<qint64>::max());
    }

    void keysRunTheStatementAtTheCursor() {
        Kept kept;
        SqlFixture fixture(kept, m_capture.path());
        fixture.write(u"SELECT 1 AS one, 2 AS two;\nSELECT count(*) FROM slice"_s);
        QTest::keyClick(&fixture.editor(), Qt::Key_F5);
        fixture.settle();
        QCOMPARE(fixture.table()->columns().size(), 1U);
        QVERIFY(fixture.table()->cell(0, 0) > 100);
        fixture.editor().moveCursor(QTextCursor::Start);
        QTest::keyClick(&fixture.editor(), Qt::Key_Return, Qt::ControlModifier);
        fixture.settle();
        QCOMPARE(fixture.table()->columns()[1].name, "two");
        QCOMPARE(fixture.editor().toPlainText().count(u'\n'), 1);
        QVERIFY(fixture.page.results().status().startsWith(u"1 row"_s));
        // What is selected goes first.
        fixture.editor().find(u"count(*)"_s);
        QTextCursor chosen = fixture.editor().textCursor();
        chosen.setPosition(7);
        chosen.setPosition(15, QTextCursor::KeepAnchor);
        fixture.editor().setPlainText(u"SELECT SELECT 3 FROM x"_s);
        chosen = fixture.editor().textCursor();
        chosen.setPosition(7);
        chosen.setPosition(15, QTextCursor::KeepAnchor);
        fixture.editor().setTextCursor(chosen);
        QTest::keyClick(&fixture.editor(), Qt::Key_F5);
        fixture.settle();
        QCOMPARE(fixture.table()->cell(0, 0), 3);
    }

    void errorsShowTheirPlace() {
        Kept kept;
        SqlFixture fixture(kept, m_capture.path());
        fixture.run(u"SELECT 1;\nSELECT name,\n  nope FROM slice"_s);
        QVERIFY(fixture.table() == nullptr);
        const QString whole = fixture.editor().toPlainText();
        const auto wrong = fixture.editor().error();
        QVERIFY(wrong);
        QCOMPARE(whole.sliced(wrong->begin, wrong->end - wrong->begin), u"nope"_s);
        QCOMPARE(fixture.editor().extraSelections().size(), 1);
        const PageMessage& message = fixture.page.results().findChild<MessagePage*>()->message();
        QVERIFY(message.kind == PageMessage::Kind::Error);
        QVERIFY2(message.reason.contains(u"nope"_s) && message.reason.contains(u'3'), qPrintable(message.reason));
        // Writing takes the mark away.
        QTest::keyClicks(&fixture.editor(), u" "_s);
        QVERIFY(!fixture.editor().error());
        fixture.run(u"ATTACH 'x.db' AS x"_s);
        QVERIFY(fixture.editor().error());
        QCOMPARE(fixture.page.runner().current().error->code, "sql.denied");
    }

    void parametersAreAskedFor() {
        Kept kept;
        SqlFixture fixture(kept, m_capture.path());
        QVERIFY(!fixture.page.parameters().isVisible());
        fixture.write(u"SELECT :n + 1, typeof(:t), :t"_s);
        QCOMPARE(fixture.page.parameters().names(), (QStringList{u":n"_s, u":t"_s}));
        QVERIFY(fixture.page.parameters().isVisible());
        QTest::keyClicks(fixture.page.parameters().field(u":n"_s), u"41"_s);
        QTest::keyClicks(fixture.page.parameters().field(u":t"_s), u"'1'"_s);
        QTest::keyClick(fixture.page.parameters().field(u":t"_s), Qt::Key_Return);
        fixture.settle();
        QCOMPARE(fixture.table()->cell(0, 0), 42);
        QCOMPARE(std::string(fixture.table()->text(1, fixture.table()->cell(1, 0))), "text");
        // Another tab has values of its own, and they are there again afterwards.
        fixture.page.tabs().addTab();
        fixture.write(u"SELECT :n"_s);
        QCOMPARE(fixture.page.parameters().field(u":n"_s)->text(), QString());
        fixture.page.tabs().chooseNext(-1);
        QCOMPARE(fixture.page.parameters().field(u":n"_s)->text(), u"41"_s);
        fixture.write(u"SELECT 1"_s);
        QVERIFY(!fixture.page.parameters().isVisible());
    }

    void rowsLeadToTheTimeline() {
        Kept kept;
        SqlFixture fixture(kept, m_capture.path());
        QSignalSpy slices(&fixture.page, &DataPage::sliceRequested), places(&fixture.page, &DataPage::placeRequested);
        QSignalSpy messages(&fixture.page, &DataPage::statusMessage);
        fixture.run(u"SELECT name, slice_id FROM slice ORDER BY dur DESC LIMIT 3"_s);
        DataTable& table = fixture.page.results().table().table();
        table.setCurrent(1, 0);
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(slices.size(), 1);
        QCOMPARE(slices[0][0].value<SliceId>().value, fixture.table()->cell(1, 1));
        fixture.run(u"SELECT rank_id, ts, dur FROM kernel LIMIT 3"_s);
        table.setCurrent(0, 0);
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(places.size(), 1);
        QCOMPARE(places[0][1].value<TimeRange>().begin.value, fixture.table()->cell(1, 0));
        fixture.run(u"SELECT NULL AS slice_id, 1 AS ts, 2 AS dur"_s);
        table.setCurrent(0, 0);
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(messages.size(), 1);
        fixture.run(u"SELECT 1"_s);
        table.setCurrent(0, 0);
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(slices.size() + places.size() + messages.size(), 3);
    }

    void escapeCancels() {
        Kept kept;
        SqlFixture fixture(kept, m_capture.path());
        fixture.write(u"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"_s);
        fixture.page.run();
        QVERIFY(fixture.page.runner().busy());
        QTest::keyClick(&fixture.editor(), Qt::Key_Escape);
        fixture.settle();
        QVERIFY(fixture.page.runner().current().end == SqlEnd::Cancelled);
        QVERIFY(fixture.page.results().status().startsWith(u"Cancelled"_s));
    }

    void limitsAreSaid() {
        Kept kept;
        SqlFixture fixture(kept, m_capture.path());
        fixture.page.runner().setLimits({.rows = 50, .bytes = 1 << 20});
        fixture.run(u"SELECT * FROM slice"_s);
        QCOMPARE(fixture.rows(), 50U);
        QVERIFY(fixture.page.results().note().contains(u"50"_s));
        QVERIFY(fixture.page.results().status().contains(u"first 50"_s));
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"all.csv"_s);
        QSignalSpy written(&fixture.page.runner(), &SqlRunner::written);
        fixture.page.writeAllTo(file);
        QVERIFY(QTest::qWaitFor([&] { return !written.isEmpty(); }, 60'000));
        QFile all(file);
        QVERIFY(all.open(QIODevice::ReadOnly));
        const auto lines = all.readAll().count('\n');
        fixture.run(u"SELECT count(*) FROM slice"_s);
        QCOMPARE(lines, fixture.table()->cell(0, 0) + 1);
        QVERIFY(fixture.page.results().note().isEmpty());
    }

    void anotherStatementHasColumnsAndFilterOfItsOwn() {
        Kept kept;
        SqlFixture fixture(kept, m_capture.path());
        fixture.run(u"SELECT name, dur FROM slice"_s);
        fixture.page.results().table().filterBar().addChip(u"dur > 5"_s);
        fixture.settle();
        fixture.run(u"SELECT rank_id AS r, host FROM rank"_s);
        QCOMPARE(fixture.page.results().table().filterBar().filter(), QString());
        QCOMPARE(fixture.page.results().table().table().loader().rows()->count, fixture.rows());
        QVERIFY(!fixture.page.results().table().table().loader().problem());
    }

    void tabsKeepTheirTextsAndResults() {
        Kept kept;
        {
            SqlFixture fixture(kept, m_capture.path());
            fixture.run(u"SELECT 1 AS first"_s);
            fixture.page.tabs().addTab();
            QVERIFY(fixture.table() == nullptr);
            fixture.run(u"SELECT 2 AS second"_s);
            fixture.page.tabs().rename(1, u"other"_s);
            fixture.page.tabs().chooseNext(1);
            QCOMPARE(fixture.table()->columns()[0].name, "first");
            QTest::keyClick(&fixture.editor(), Qt::Key_PageDown, Qt::ControlModifier);
            QCOMPARE(fixture.page.tabs().tab().name, u"other"_s);
        }
        SqlFixture again(kept, m_capture.path());
        QCOMPARE(again.page.tabs().tabs().tabs().size(), 2U);
        QCOMPARE(again.page.tabs().tab().name, u"other"_s);
        QCOMPARE(again.editor().toPlainText(), u"SELECT 2 AS second"_s);
        again.page.tabs().closeCurrent();
        QCOMPARE(again.editor().toPlainText(), u"SELECT 1 AS first"_s);
        again.page.tabs().closeCurrent();
        QCOMPARE(again.editor().toPlainText(), QString());
    }

    void aShownStatementHasATabOfItsOwn() {
        Kept kept;
        SqlFixture fixture(kept, m_capture.path());
        fixture.run(u"SELECT 1 AS mine"_s);
        for (const QString& number : {u"2"_s, u"3"_s, u"2"_s}) {
            fixture.page.showStatement(u"Evidence"_s, u"SELECT %1 AS shown"_s.arg(number));
            fixture.settle();
            QCOMPARE(fixture.table()->columns()[0].name, "shown");
            QCOMPARE(fixture.table()->cell(0, 0), number.toLongLong());
        }
        const auto& tabs = fixture.page.tabs().tabs().tabs();
        QCOMPARE(tabs.size(), 2U);
        QCOMPARE(tabs[0].text, u"SELECT 1 AS mine"_s);
        // The user's changes stay.
        fixture.write(u"SELECT 2 AS shown, 4 AS more"_s);
        fixture.page.showStatement(u"Evidence"_s, u"SELECT 5 AS shown"_s);
        fixture.settle();
        QCOMPARE(tabs.size(), 3U);
        QCOMPARE(tabs[1].text, u"SELECT 2 AS shown, 4 AS more"_s);
    }

    void historyByKeysAndList() {
        Kept kept;
        SqlFixture fixture(kept, m_capture.path());
        fixture.run(u"SELECT 1"_s);
        fixture.run(u"SELECT 2"_s);
        fixture.write(u"SELECT 'mine'"_s);
        const auto step = [&](Qt::Key key) {
            QTest::keyClick(&fixture.editor(), key, Qt::ControlModifier);
            return fixture.editor().toPlainText();
        };
        QCOMPARE(step(Qt::Key_Up), u"SELECT 2"_s);
        QCOMPARE(step(Qt::Key_Up), u"SELECT 1"_s);
        QCOMPARE(step(Qt::Key_Up), u"SELECT 1"_s);
        QCOMPARE(step(Qt::Key_Down), u"SELECT 2"_s);
        QCOMPARE(step(Qt::Key_Down), u"SELECT 'mine'"_s);
        QListWidget& list = fixture.page.queries().history();
        QCOMPARE(list.count(), 2);
        emit list.itemActivated(list.item(1));
        QCOMPARE(fixture.editor().toPlainText(), u"SELECT 'mine';\n\nSELECT 1"_s);
    }

    void queriesAreSavedAndOpened() {
        Kept kept;
        SqlFixture fixture(kept, m_capture.path());
        fixture.write(u"SELECT 1; SELECT 7 AS seven"_s);
        QVERIFY(fixture.page.saveQuery(u"mine"_s));
        QVERIFY(!fixture.page.saveQuery(u" "_s));
        QTreeWidget& tree = fixture.page.queries().queries();
        QTreeWidgetItem* own = tree.topLevelItem(0)->child(0);
        QCOMPARE(own->text(0), u"mine"_s);
        emit tree.itemActivated(own, 0);
        QCOMPARE(fixture.page.tabs().tabs().tabs().size(), 2U);
        QCOMPARE(fixture.page.tabs().tab().name, u"mine"_s);
        QCOMPARE(fixture.editor().toPlainText(), u"SELECT 7 AS seven"_s);
    }

    void completionIsTakenByKeys() {
        Kept kept;
        SqlFixture fixture(kept, m_capture.path());
        QTest::keyClicks(&fixture.editor(), u"SELECT self"_s);
        QVERIFY(fixture.editor().completer()->popup()->isVisible());
        QTest::keyClick(fixture.editor().completer()->popup(), Qt::Key_Return);
        QCOMPARE(fixture.editor().toPlainText(), u"SELECT self_dur"_s);
        QVERIFY(!fixture.editor().completer()->popup()->isVisible());
        QTest::keyClicks(&fixture.editor(), u" FROM sli"_s);
        QTest::keyClick(fixture.editor().completer()->popup(), Qt::Key_Escape);
        QCOMPARE(fixture.editor().toPlainText(), u"SELECT self_dur FROM sli"_s);
        QTest::keyClick(&fixture.editor(), Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(fixture.editor().completer()->popup()->isVisible());
        QTest::keyClick(fixture.editor().completer()->popup(), Qt::Key_Tab);
        QCOMPARE(fixture.editor().toPlainText(), u"SELECT self_dur FROM slice"_s);
        fixture.page.run();
        fixture.settle();
        QVERIFY(fixture.rows() > 100);
    }

    void anotherCaptureTakesTheRowsAway() {
        Kept kept;
        SqlFixture fixture(kept, m_capture.path());
        fixture.run(u"SELECT 1"_s);
        QVERIFY(fixture.table() != nullptr);
        fixture.session.close(fixture.id);
        QVERIFY(fixture.table() == nullptr);
        fixture.page.run();
        QVERIFY(!fixture.page.runner().busy());
    }

private:
    GeneratedCapture m_capture{{"--ranks", "2", "--steps", "2", "--layers", "1"}};
};

ALTI_TEST(TestSqlPage)
#include "tst_sql_page.moc"
