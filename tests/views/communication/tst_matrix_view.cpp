#include "tests/views/communication/communication_stage.h"
#include "views/common/tables/table_panel.h"
#include "views/communication/data/link_table.h"
#include "views/communication/data/transport_table.h"
#include "views/communication/panels/settings_bar.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>

#include <algorithm>
#include <bit>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

/// The matrix of links with captures' files: its order, colours, choices, and where it leads.
class TestMatrixView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_capture.made); }
    void slowestLinkComesFirst();
    void tinyTransfersStandLast();
    void choiceStaysWithItsRanks();
    void clickedLinkListsItsCalls();
    void slowestCallComesFirst();
    void callLeadsToTheTimeline();
    void innerLinksOnDemand();
    void colourRange();
    void keysMoveTheMatrix();
    void transportsStandBesideWhatIsKnownOfThem();

private:
    SlowLinkCapture m_capture;
};

void TestMatrixView::slowestLinkComesFirst() {
    CommunicationFixture fixture(m_capture.path());
    TablePanel& links = fixture.page.matrix().links();
    const auto rows = links.table().loader().rows();
    QVERIFY(rows->count > 4);
    links.table().setCurrent(0, 0);
    fixture.settle();
    const auto chosen = fixture.page.matrix().canvas().chosen();
    QVERIFY(chosen.has_value());
    const auto& nodes = fixture.matrix().nodes();
    QCOMPARE(std::min(*nodes[chosen->source].rank, *nodes[chosen->target].rank), 1);
    QCOMPARE(std::max(*nodes[chosen->source].rank, *nodes[chosen->target].rank), 3);
}

/// 96 bytes at 57 MB/s are no slow link.
void TestMatrixView::tinyTransfersStandLast() {
    SlowLinkCapture capture;
    QFile file(capture.rank(0) + u"/ASCEND_PROFILER_OUTPUT/communication_matrix.json"_s);
    QVERIFY(file.open(QIODevice::ReadWrite));
    auto matrix = QJsonDocument::fromJson(file.readAll()).object();
    const QString step = matrix.keys().front();
    auto kinds = matrix[step].toObject();
    auto pairs = kinds[u"p2p"_s].toObject();
    // Between ranks that nothing else joins.
    const QString group = kinds[u"collective"_s].toObject().keys().front().section(u'@', 1);
    for (const QString& word : {u"total"_s, u"top1"_s}) {
        pairs[u"send-%1@%2"_s.arg(word, group)] = QJsonObject{{u"0-9"_s, QJsonObject{{u"Transport Type"_s, u"HCCS"_s},
                                                                                     {u"Transit Size(MB)"_s, 0.000096},
                                                                                     {u"Transit Time(ms)"_s, 0.0017},
                                                                                     {u"Bandwidth(GB/s)"_s, 0.0565}}}};
    }
    kinds[u"p2p"_s] = pairs;
    matrix[step] = kinds;
    file.resize(0);
    file.write(QJsonDocument(matrix).toJson());
    file.close();
    CommunicationFixture fixture(capture.path());
    DataTable& table = fixture.page.matrix().links().table();
    const auto* links = dynamic_cast<const LinkTable*>(table.loader().source().get());
    QVERIFY(links != nullptr && links->columns().size() > std::size_t{LinkTable::SmallRate});
    const auto rows = table.loader().rows();
    QCOMPARE(links->link(rows->row(rows->count - 1)).size, 96);
    QVERIFY(links->link(rows->row(0)).size > 1'000'000);
    QCOMPARE(links->cell(LinkTable::Bandwidth, rows->row(rows->count - 1)), kAbsentCell);
    QVERIFY(links->cell(LinkTable::SmallRate, rows->row(rows->count - 1)) != kAbsentCell);
    QCOMPARE(links->cell(LinkTable::SmallRate, rows->row(0)), kAbsentCell);
    QVERIFY(*fixture.page.matrix().canvas().picture()->min() > 1);
    QVERIFY(!fixture.page.matrix().canvas().grab().isNull());
}

/// Once the same place of the matrix stayed chosen when another group of as many ranks was shown.
void TestMatrixView::choiceStaysWithItsRanks() {
    CommunicationFixture fixture(m_capture.path());
    const auto ofRanks = [&](std::vector<std::int64_t> ranks) {
        for (const CommunicationGroup& group : fixture.page.shown()->choices.groups) {
            if (group.ranks == ranks) return group.name;
        }
        return std::string();
    };
    const std::string one = ofRanks({0, 2}), other = ofRanks({1, 3});
    QVERIFY(!one.empty() && !other.empty());
    MatrixCanvas& canvas = fixture.page.matrix().canvas();
    chooseGroup(fixture.page.bar(), one);
    fixture.settle();
    fixture.page.matrix().chooseLink(0, 2);
    fixture.settle();
    QVERIFY(canvas.chosen().has_value());
    chooseGroup(fixture.page.bar(), other);
    fixture.settle();
    QCOMPARE(fixture.matrix().nodes().size(), std::size_t{2});
    QVERIFY(!canvas.chosen());
    // Where its ranks are shown again at other places it goes with them.
    fixture.page.matrix().chooseLink(1, 3);
    fixture.settle();
    fixture.page.bar().showAll();
    fixture.settle();
    QVERIFY(canvas.chosen().has_value());
    QCOMPARE(*fixture.matrix().nodes()[canvas.chosen()->source].rank, 1);
    QCOMPARE(*fixture.matrix().nodes()[canvas.chosen()->target].rank, 3);
    QVERIFY(fixture.page.matrix().calls().table().loader().rows()->count > 0);
}

void TestMatrixView::clickedLinkListsItsCalls() {
    CommunicationFixture fixture(m_capture.path());
    MatrixCanvas& canvas = fixture.page.matrix().canvas();
    const QRectF cell = canvas.cellRect({1, 3});
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, cell.center().toPoint());
    fixture.settle();
    QVERIFY((canvas.chosen() == MatrixCanvas::Link{1, 3}));
    QVERIFY(fixture.page.matrix().calls().table().loader().rows()->count > 0);
    // The table of links beside it marks the same one.
    const auto row = fixture.page.matrix().links().table().currentRow();
    QVERIFY(row.has_value());
    const auto& links = *fixture.page.matrix().links().table().loader().source();
    QCOMPARE(links.text(LinkTable::Source, links.cell(LinkTable::Source, *row)), "1");
    QCOMPARE(links.text(LinkTable::Target, links.cell(LinkTable::Target, *row)), "3");
    QVERIFY(canvas.tipAt(cell.center().toPoint()).contains(u"GB/s"_s));
    // Ranks 0 and 3 are in no group together.
    QVERIFY(canvas.tipAt(canvas.cellRect({0, 3}).center().toPoint()).contains(u"No data"_s));
    QVERIFY(!canvas.linkAt(canvas.cellRect({0, 3}).center().toPoint()));
}

void TestMatrixView::transportsStandBesideWhatIsKnownOfThem() {
    CommunicationFixture fixture(m_capture.path());
    DataTable& table = fixture.page.matrix().transports().table();
    const auto source = table.loader().source();
    QVERIFY(source != nullptr && source->rowCount() >= 1);
    const auto headings = transportHeadings();
    QCOMPARE(headings.size(), source->columns().size());
    bool isKnown = false;
    for (std::size_t row = 0; row < source->rowCount(); ++row) {
        const auto rate = [&](std::size_t column) { return std::bit_cast<double>(source->cell(column, row)); };
        QVERIFY(rate(TransportTable::Min) <= rate(TransportTable::Mean));
        QVERIFY(rate(TransportTable::Mean) <= rate(TransportTable::Max));
        const auto from = source->text(TransportTable::From, source->cell(TransportTable::From, row));
        const QString word = headings[TransportTable::From].word(QString::fromUtf8(from.data(), from.size()));
        if (source->text(TransportTable::Transport, source->cell(TransportTable::Transport, row)) != "HCCS") continue;
        isKnown = true;
        QCOMPARE(rate(TransportTable::Reference), 18e9);
        QVERIFY(word.contains(u"vendor's advisor"_s));
    }
    QVERIFY(isKnown);
}

void TestMatrixView::slowestCallComesFirst() {
    CommunicationFixture fixture(m_capture.path());
    fixture.page.matrix().chooseLink(1, 3);
    fixture.settle();
    const TableLoader& loader = fixture.page.matrix().calls().table().loader();
    const auto column = static_cast<std::size_t>(CallColumn::Bandwidth);
    std::vector<double> rates;
    for (std::size_t place = 0; place < loader.rows()->count; ++place)
        rates.push_back(std::bit_cast<double>(loader.source()->cell(column, loader.rows()->row(place))));
    QVERIFY(rates.size() > 1);
    QVERIFY(std::is_sorted(rates.begin(), rates.end()));
    // The link's double click leads to the same call as its first row.
    QSignalSpy slices(&fixture.page, &CommunicationPage::sliceRequested);
    emit fixture.page.matrix().calls().table().activated(loader.rows()->row(0));
    fixture.settle();
    emit fixture.page.matrix().canvas().linkOpened(*fixture.page.matrix().canvas().chosen());
    fixture.settle();
    QCOMPARE(slices.count(), 2);
    QCOMPARE(slices.at(0), slices.at(1));
}

void TestMatrixView::callLeadsToTheTimeline() {
    CommunicationFixture fixture(m_capture.path());
    fixture.page.matrix().chooseLink(1, 3);
    fixture.settle();
    QSignalSpy slices(&fixture.page, &CommunicationPage::sliceRequested);
    emit fixture.page.matrix().calls().table().activated(0);
    fixture.settle();
    QCOMPARE(slices.count(), 1);
    fixture.page.matrix().chooseLink(0, 1);
    fixture.settle();
    emit fixture.page.matrix().canvas().linkOpened(*fixture.page.matrix().canvas().chosen());
    fixture.settle();
    QCOMPARE(slices.count(), 2);
}

void TestMatrixView::innerLinksOnDemand() {
    CommunicationFixture fixture(m_capture.path());
    const std::size_t outer = fixture.page.matrix().links().table().loader().rows()->count;
    fixture.page.matrix().setInnerShown(true);
    fixture.settle();
    QVERIFY(fixture.page.matrix().links().table().loader().rows()->count >= outer);
    QVERIFY(fixture.kept.value(u"communication/inner"_s).toBool());
}

void TestMatrixView::colourRange() {
    CommunicationFixture fixture(m_capture.path());
    MatrixCanvas& canvas = fixture.page.matrix().canvas();
    QCOMPARE(canvas.ramp().low(), 0.0);
    QCOMPARE(canvas.ramp().high(), *canvas.picture()->max());
    canvas.setColours(2.0, 10.0, ColourRamp::Scale::Logarithmic);
    QCOMPARE(canvas.ramp().share(2.0), 0.0);
    QCOMPARE(canvas.ramp().share(100.0), 1.0);
    QVERIFY(std::abs(canvas.ramp().share(std::sqrt(20.0)) - 0.5) < 1e-9);
    QVERIFY(std::abs(canvas.ramp().valueAt(0.5) - std::sqrt(20.0)) < 1e-9);
}

void TestMatrixView::keysMoveTheMatrix() {
    CommunicationFixture fixture(m_capture.path());
    MatrixCanvas& canvas = fixture.page.matrix().canvas();
    const LinkWindow home = canvas.window().window();
    QCOMPARE(home.width, 4.0);
    QTest::keyClick(&canvas, Qt::Key_W);
    QVERIFY(canvas.window().window().width <= home.width);
    QTest::keyClick(&canvas, Qt::Key_0, Qt::ControlModifier);
    QVERIFY(canvas.window().window() == home);
    // The next link to the right of the chosen one that has data; without Ctrl where there is nothing to move.
    for (const auto modifier : {Qt::ControlModifier, Qt::NoModifier}) {
        canvas.choose(MatrixCanvas::Link{0, 1});
        QTest::keyClick(&canvas, Qt::Key_Right, modifier);
        QVERIFY((canvas.chosen() == MatrixCanvas::Link{0, 2}));
    }
}

ALTI_TEST(TestMatrixView)
#include "tst_matrix_view.moc"
