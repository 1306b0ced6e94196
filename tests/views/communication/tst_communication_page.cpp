#include "views/communication/communication_page.h"

#include "core/generate/generate_capture.h"
#include "core/generate/generate_options.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/page.h"
#include "views/common/table_panel.h"
#include "views/communication/matrix_view.h"
#include "views/communication/settings_bar.h"

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

/// Four ranks with a link that is much slower than the others, as files that a test may change before they are opened.
struct SlowLinkCapture {
    SlowLinkCapture() {
        const std::vector<std::string> words{path().toStdString(), "--ranks", "4", "--steps", "2", "--layers", "2", "--plant", "slow-link=1-3"};
        ProgressSlot progress;
        const auto options = generate::parseGenerateOptions(words);
        made = options.ok() && generate::generateCapture(options.value(), progress, {}).ok();
    }
    QString path() const { return folder.filePath(u"capture"_s); }
    QString rank(int number) const { return path() + u"/rank%1_ascend_pt"_s.arg(number); }
    void remove(int number, const QString& file) const { QVERIFY(QFile::remove(rank(number) + u"/ASCEND_PROFILER_OUTPUT/"_s + file)); }

    QTemporaryDir folder;
    bool made = false;
};

struct CommunicationFixture {
    QVariantMap kept;
    ViewMemory memory{[this](const QString& name) { return kept.value(name); }, [this](const QString& name, const QVariant& value) { kept[name] = value; }};
    JobRunner jobs;
    Session session{jobs};
    Selection selection;
    FindingsFeed feed{session};
    CommunicationPage page{session, selection, feed, memory};
    std::uint32_t id = 0;

    explicit CommunicationFixture(const QString& capture = {}) {
        page.resize(1000, 800);
        page.show();
        if (!capture.isEmpty()) open(capture);
    }
    void open(const QString& capture) {
        id = openAndWait(session, capture);
        QVERIFY(id != 0);
        settle();
    }
    void settle() { QVERIFY(QTest::qWaitFor([this] { return page.idle() && jobs.idle(); }, 10'000)); }
    QString message() const { return page.findChild<MessagePage*>()->message().title + u'|' + page.findChild<MessagePage*>()->message().remedy; }
    const LinkMatrix& matrix() { return page.matrix().canvas().picture()->matrix(); }
};

}  // namespace

/// The communication page with captures' files: what it shows, where it leads, and what it says is missing.
class TestCommunicationPage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_capture.made); }
    void slowestLinkComesFirst();
    void clickedLinkListsItsCalls();
    void callLeadsToTheTimeline();
    void choicesAreRemembered();
    void nothingRecorded();
    void absentRanksAreNamed();

private:
    SlowLinkCapture m_capture;
};

void TestCommunicationPage::slowestLinkComesFirst() {
    CommunicationFixture fixture(m_capture.path());
    TablePanel& links = fixture.page.matrix().links();
    const auto rows = links.table().feed().rows();
    QVERIFY(rows->count > 4);
    links.table().setCurrent(0, 0);
    fixture.settle();
    const auto chosen = fixture.page.matrix().canvas().chosen();
    QVERIFY(chosen.has_value());
    const auto& nodes = fixture.matrix().nodes();
    QCOMPARE(std::min(*nodes[chosen->source].rank, *nodes[chosen->target].rank), 1);
    QCOMPARE(std::max(*nodes[chosen->source].rank, *nodes[chosen->target].rank), 3);
}

void TestCommunicationPage::clickedLinkListsItsCalls() {
    CommunicationFixture fixture(m_capture.path());
    MatrixCanvas& canvas = fixture.page.matrix().canvas();
    const QRectF cell = canvas.cellRect({1, 3});
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, cell.center().toPoint());
    fixture.settle();
    QVERIFY((canvas.chosen() == MatrixCanvas::Link{1, 3}));
    QVERIFY(fixture.page.matrix().calls().table().feed().rows()->count > 0);
    QVERIFY(canvas.tipAt(cell.center().toPoint()).contains(u"GB/s"_s));
    // Ranks 0 and 3 are in no group together.
    QVERIFY(canvas.tipAt(canvas.cellRect({0, 3}).center().toPoint()).contains(u"No data"_s));
    QVERIFY(!canvas.linkAt(canvas.cellRect({0, 3}).center().toPoint()));
}

void TestCommunicationPage::callLeadsToTheTimeline() {
    CommunicationFixture fixture(m_capture.path());
    QVERIFY(fixture.page.matrix().chooseLink(1, 3));
    fixture.settle();
    QSignalSpy slices(&fixture.page, &CommunicationPage::sliceRequested);
    emit fixture.page.matrix().calls().table().activated(0);
    fixture.settle();
    QCOMPARE(slices.count(), 1);
    QVERIFY(fixture.page.matrix().chooseLink(0, 1));
    emit fixture.page.matrix().canvas().linkOpened(*fixture.page.matrix().canvas().chosen());
    fixture.settle();
    QCOMPARE(slices.count(), 2);
}

void TestCommunicationPage::choicesAreRemembered() {
    CommunicationFixture fixture(m_capture.path());
    const std::size_t all = fixture.matrix().size();
    const auto& groups = fixture.page.shown()->choices.groups;
    QVERIFY(groups.size() > 2);
    fixture.page.bar().setGroup(groups.front().name);
    fixture.settle();
    QVERIFY(fixture.matrix().size() < all);
    QCOMPARE(fixture.page.bar().groups(), std::vector<std::string>{groups.front().name});
    fixture.page.matrix().setMetric(LinkMetric::Size);
    fixture.settle();
    CommunicationPage second{fixture.session, fixture.selection, fixture.feed, fixture.memory};
    second.show();
    QVERIFY(QTest::qWaitFor([&] { return second.idle() && second.shown() != nullptr && fixture.jobs.idle(); }, 10'000));
    QCOMPARE(second.bar().groups(), std::vector<std::string>{groups.front().name});
    QCOMPARE(second.matrix().metric(), LinkMetric::Size);
}

void TestCommunicationPage::nothingRecorded() {
    const QString folder = qEnvironmentVariable("ALTI_SHARED_DATA") + u"/torch_text/level0"_s;
    if (!QDir(folder).exists()) QSKIP(kNoSharedData);
    CommunicationFixture fixture(folder);
    // Times are there, computed; links are not, and the page says so.
    QVERIFY2(fixture.page.gaps().contains(u"communication_matrix.json"_s) || fixture.message().contains(u"Level1"_s), qPrintable(fixture.page.gaps() + fixture.message()));
}

void TestCommunicationPage::absentRanksAreNamed() {
    SlowLinkCapture capture;
    QVERIFY(QDir(capture.rank(0)).removeRecursively());
    CommunicationFixture fixture(capture.path());
    QVERIFY2(fixture.page.gaps().contains(u"ranks 0 of 4"_s), qPrintable(fixture.page.gaps()));
    const auto& nodes = fixture.matrix().nodes();
    QVERIFY(std::any_of(nodes.begin(), nodes.end(), [](const LinkNode& node) { return node.rank == 0; }));
}

ALTI_TEST(TestCommunicationPage)
#include "tst_communication_page.moc"
