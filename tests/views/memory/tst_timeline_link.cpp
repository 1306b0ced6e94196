#include "views/memory/timeline_link.h"

#include "tests/support/test_main.h"

using namespace altiscope;

namespace {

TimeRange nsFrom(std::int64_t begin, std::int64_t end) { return {TimeNs{begin}, TimeNs{end}}; }

void showByHand(CurveWindow& window, TimeRange range) {
    window.change([&](ViewWindow& view) { view.show(range, HistoryMark::NewStep); });
}

}  // namespace

/// The curves and the timeline, each of which is out of sight while the other moves.
class TestTimelineLink : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_window.reset();
        m_window.setExtent(nsFrom(0, 1000), nsFrom(0, 1000), nsFrom(0, 1000), TimeNs{0});
    }
    void windowFollowsNewsAlone();
    void timelineLearnsWhatTheUserMoved();
    void replyToWhatTheTimelineSaidMovesNothing();
    void windowWithoutExtentFollowsOnceItHasOne();
    void nothingMovesUnlinked();

private:
    CurveWindow m_window;
};

void TestTimelineLink::windowFollowsNewsAlone() {
    TimelineLink link(m_window);
    link.follow(nsFrom(100, 200), false, true);
    QCOMPARE(m_window.window().range(), nsFrom(100, 200));
    showByHand(m_window, nsFrom(300, 400));
    link.follow(nsFrom(100, 200), false, true);
    QCOMPARE(m_window.window().range(), nsFrom(300, 400));
    link.follow(nsFrom(-50, 2000), true, true);
    QVERIFY(m_window.window().atHome());
}

void TestTimelineLink::timelineLearnsWhatTheUserMoved() {
    TimelineLink link(m_window);
    QVERIFY(!link.take(true));
    link.follow(nsFrom(100, 200), false, true);
    QVERIFY(!link.take(true));
    showByHand(m_window, nsFrom(300, 400));
    QCOMPARE(link.take(true), std::optional(nsFrom(300, 400)));
    QVERIFY(!link.take(true));
}

void TestTimelineLink::replyToWhatTheTimelineSaidMovesNothing() {
    TimelineLink link(m_window);
    showByHand(m_window, nsFrom(300, 400));
    QVERIFY(link.take(true));
    link.follow(nsFrom(300, 399), false, true);
    QCOMPARE(m_window.window().range(), nsFrom(300, 400));
    link.follow(nsFrom(500, 600), false, true);
    QCOMPARE(m_window.window().range(), nsFrom(500, 600));
}

void TestTimelineLink::windowWithoutExtentFollowsOnceItHasOne() {
    m_window.reset();
    TimelineLink link(m_window);
    link.follow(nsFrom(100, 200), false, true);
    QVERIFY(m_window.window().empty());
    init();
    link.begin();
    QCOMPARE(m_window.window().range(), nsFrom(100, 200));
    showByHand(m_window, nsFrom(300, 400));
    link.begin();
    QCOMPARE(m_window.window().range(), nsFrom(300, 400));
}

void TestTimelineLink::nothingMovesUnlinked() {
    TimelineLink link(m_window);
    showByHand(m_window, nsFrom(300, 400));
    link.follow(nsFrom(100, 200), false, false);
    QCOMPARE(m_window.window().range(), nsFrom(300, 400));
    QVERIFY(!link.take(false));
}

ALTI_TEST(TestTimelineLink)
#include "tst_timeline_link.moc"
