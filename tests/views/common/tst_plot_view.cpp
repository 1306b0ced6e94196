#include "views/common/plots/plot_view.h"

#include "core/session/session.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QTemporaryDir>

#include <limits>
#include <random>

using namespace altiscope;
using namespace Qt::StringLiterals;

class TestPlotView : public QObject {
    Q_OBJECT
private slots:
    void barsFold();
    void histogramCountsEachValueOnce_data();
    void histogramCountsEachValueOnce();
    void boxesAreQuartiles_data();
    void boxesAreQuartiles();
    void boxesOfManyAreThoseOfSortedValues();
    void theLargestMedianStandsForABoxThatIsShared();
    void picturesOfAllKinds();
    void heatMapsUseTheirWholeRamp_data();
    void heatMapsUseTheirWholeRamp();
    void noPictureIsSavedIntoACapture();
    void bothThemes();
    void rangesLieOverThePlot();
    void anEmptyPlotSaysWhy();
    void labelsHaveTheirRoomAtOnce();
    void linesOfTheLegendDoNotOverlapInALowPlot();
    void theFirstFrameFoldsByItsOwnWidth_data();
    void theFirstFrameFoldsByItsOwnWidth();

private:
    static BoxPlot boxes();
};

BoxPlot TestPlotView::boxes() {
    BoxPlot plot;
    for (std::int64_t i = 0; i < 40; ++i) {
        plot.labels << QString::number(i);
        plot.boxes.push_back(boxOf({100 + i, 200 + i, 300 + i % 7 * 10}));
    }
    return plot;
}

/// Of the bars of four ranks only the first had a label until the window was resized, and the legend was wrapped as it
/// had been before.
void TestPlotView::labelsHaveTheirRoomAtOnce() {
    JobRunner jobs;
    Session session(jobs);
    StackedBars bars;
    bars.labels = {u"0"_s, u"1"_s, u"2"_s, u"3"_s};
    for (const QString& name : {u"Transit"_s, u"Synchronization"_s, u"Other waits"_s, u"Idle"_s})
        bars.series.push_back({name, &Theme::communication, false, {1e6, 2e6, 3e6, 4e6}});
    for (const bool hasNothingFirst : {true, false}) {
        for (const bool isShownFirst : {true, false}) {
            PlotView plot(session);
            plot.resize(390, 280);
            if (isShownFirst) plot.setVisible(true);
            if (hasNothingFirst) {
                plot.showNothing(QString());
                QTest::qWait(50);
            }
            plot.show(bars);
            plot.setVisible(true);
            QTest::qWait(50);
            const QImage first = plot.grab().toImage();
            plot.show(bars);
            QTest::qWait(50);
            QVERIFY2(plot.grab().toImage() == first, qPrintable(u"%1 %2"_s.arg(hasNothingFirst).arg(isShownFirst)));
        }
    }
}

void TestPlotView::linesOfTheLegendDoNotOverlapInALowPlot() {
    JobRunner jobs;
    Session session(jobs);
    StackedBars bars;
    bars.labels = {u"0"_s, u"1"_s};
    bars.bottomTitle = u"Rank (mean of its steps)"_s;
    const auto& theme = lightTheme();
    const std::vector<QColor Theme::*> colours = {&Theme::computing, &Theme::communication, &Theme::overlapped,
                                                  &Theme::wait};
    for (const auto colour : colours) bars.series.push_back({u"Exposed communication"_s, colour, false, {1e6, 2e6}});
    PlotView plot(session);
    for (const int height : {140, 300}) {
        plot.resize(200, height);
        plot.setVisible(true);
        plot.show(bars);
        QTest::qWait(50);
        const QImage image = plot.grab().toImage();
        // Left of the plot only the legend has colours: a mark in each of its lines.
        int above = -100;
        for (const auto colour : colours) {
            int y = 0;
            while (y < image.height() && image.pixel(8, y) != (theme.*colour).rgb()) ++y;
            QVERIFY(y < image.height());
            QVERIFY2(y - above >= plot.fontMetrics().height() * 8 / 10,
                     qPrintable(u"%1 after %2 at %3"_s.arg(y).arg(above).arg(height)));
            above = y;
        }
    }
}

void TestPlotView::theFirstFrameFoldsByItsOwnWidth_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<bool>("isFilledFirst");
    for (const int width : {160, 240, 390, 800, 1600}) {
        for (const bool isFilledFirst : {true, false})
            QTest::addRow("%d px, %s", width, isFilledFirst ? "filled, then shown" : "shown, then filled")
                << width << isFilledFirst;
    }
}

/// 16 ranks were 8 bars of "mean of 2", and 15 boxes were 5 with the labels of others, until the window was resized.
void TestPlotView::theFirstFrameFoldsByItsOwnWidth() {
    QFETCH(int, width);
    QFETCH(bool, isFilledFirst);
    JobRunner jobs;
    Session session(jobs);
    StackedBars bars;
    for (int i = 0; i < 16; ++i) bars.labels << QString::number(i);
    bars.series.push_back({u"Computing"_s, &Theme::communication, false, std::vector<double>(16, 1e6)});
    BoxPlot few = boxes();
    few.labels.resize(15);
    few.boxes.resize(15);
    // Equal bars are as many runs of their colour in the line that has most of it.
    const auto barsIn = [](const QImage& image) {
        const QRgb colour = lightTheme().communication.rgb();
        int most = 0, bars = 0;
        for (int y = 0; y < image.height(); ++y) {
            int pixels = 0, runs = 0;
            bool isInside = false;
            for (int x = 0; x < image.width(); ++x) {
                const bool is = image.pixelColor(x, y).rgb() == colour;
                pixels += is ? 1 : 0;
                runs += is && !isInside ? 1 : 0;
                isInside = is;
            }
            if (pixels <= most) continue;
            most = pixels;
            bars = runs;
        }
        return bars;
    };
    const auto check = [&](const auto& content, bool isBars) {
        PlotView plot(session);
        if (isFilledFirst) plot.show(content);
        plot.resize(width, 280);
        plot.setVisible(true);
        if (!isFilledFirst) plot.show(content);
        // No event but this paint: what the user sees first.
        const QImage first = plot.grab().toImage();
        if (isBars && width >= 240) QCOMPARE(barsIn(first), 16);
        if (isBars) QVERIFY(barsIn(first) > 0);
        QTest::qWait(50);
        QVERIFY(plot.grab().toImage() == first);
        plot.resize(width * 2, 280);
        plot.resize(width, 280);
        QVERIFY(plot.grab().toImage() == first);
        QTest::qWait(50);
        QVERIFY(plot.grab().toImage() == first);
    };
    check(bars, true);
    check(few, false);
}

void TestPlotView::anEmptyPlotSaysWhy() {
    JobRunner jobs;
    Session session(jobs);
    PlotView plot(session);
    plot.resize(400, 200);
    plot.setVisible(true);
    const auto picture = [&] {
        QTest::qWait(50);
        return plot.grab().toImage();
    };
    plot.showNothing(QString());
    const QImage blank = picture();
    plot.showNothing(QStringLiteral("No times of steps are recorded."));
    QVERIFY2(picture() != blank, "the reason is drawn");
}

void TestPlotView::rangesLieOverThePlot() {
    JobRunner jobs;
    Session session(jobs);
    PlotView plot(session);
    plot.resize(600, 300);
    plot.setVisible(true);
    plot.show(boxes());
    const auto picture = [&] {
        QTest::qWait(50);
        return plot.grab().toImage();
    };
    const QImage bare = picture();
    const QColor colour = lightTheme().hues[3].darker(160);
    const auto columnsOf = [&](const QImage& image) {
        int columns = 0;
        for (int x = 0; x < image.width(); ++x)
            columns += image.pixelColor(x, image.height() / 2).rgb() == colour.rgb() ? 1 : 0;
        return columns;
    };
    QCOMPARE(columnsOf(bare), 0);
    plot.setRanges({{.begin = 5.25, .end = 5.25, .hue = 3, .name = u"here"_s, .tip = {}}});
    QCOMPARE(columnsOf(picture()), 1);
    plot.setRanges({{.begin = 5.25, .end = 20.25, .hue = 3, .name = u"here"_s, .tip = {}}});
    QCOMPARE(columnsOf(picture()), 2);
    // They stay when the plot shows something else, and go when they are taken back.
    plot.show(boxes());
    QCOMPARE(columnsOf(picture()), 2);
    plot.setRanges({});
    QCOMPARE(picture(), bare);
}

void TestPlotView::barsFold() {
    using Folds = std::vector<std::pair<std::size_t, std::size_t>>;
    QCOMPARE(foldedRanges(0, 3, 10), (Folds{{0, 1}, {1, 2}, {2, 3}}));
    QCOMPARE(foldedRanges(0, 5, 2), (Folds{{0, 3}, {3, 6}}));
    // Borders stay where they are while the window moves.
    QCOMPARE(foldedRanges(4, 9, 2), (Folds{{3, 6}, {6, 9}}));
    QVERIFY(foldedRanges(0, 4096, 100).size() <= 101);
}

void TestPlotView::histogramCountsEachValueOnce_data() {
    QTest::addColumn<std::vector<std::int64_t>>("values");
    QTest::newRow("none") << std::vector<std::int64_t>{};
    QTest::newRow("one") << std::vector<std::int64_t>{5};
    QTest::newRow("all the same") << std::vector<std::int64_t>{5, 5, 5};
    QTest::newRow("a few") << std::vector<std::int64_t>{1, 3, 2, 3, 100};
    QTest::newRow("far apart") << std::vector<std::int64_t>{0, 1, 3'600'000'000'000};
    constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min(),
                           kMax = std::numeric_limits<std::int64_t>::max() - 1;
    QTest::newRow("step times of a hostile file") << std::vector<std::int64_t>{0, 5, kMax};
    QTest::newRow("the whole range") << std::vector<std::int64_t>{kMin, -1, 0, kMax};
    std::mt19937 random(7);
    std::vector<std::int64_t> many;
    for (int i = 0; i < 10'000; ++i) many.push_back(static_cast<std::int64_t>(random() % 1'000'000));
    QTest::newRow("many") << many;
}

void TestPlotView::histogramCountsEachValueOnce() {
    QFETCH(std::vector<std::int64_t>, values);
    const Histogram histogram = histogramOf(values);
    QVERIFY(histogram.counts.size() <= Histogram::kMaxIntervals);
    QCOMPARE(histogram.count(0, histogram.counts.size()), std::uint64_t{values.size()});
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        if (values.size() > 100 && i % 97 != 0) continue;
        const auto inside = [&](std::int64_t value) {
            return value >= histogram.edge(i) && value < histogram.edge(i + 1);
        };
        QCOMPARE(static_cast<std::ptrdiff_t>(histogram.counts[i]), std::count_if(values.begin(), values.end(), inside));
    }
}

void TestPlotView::boxesAreQuartiles_data() {
    QTest::addColumn<std::vector<std::int64_t>>("values");
    QTest::addColumn<std::vector<double>>("five");
    QTest::newRow("none") << std::vector<std::int64_t>{} << std::vector<double>{0, 0, 0, 0, 0};
    QTest::newRow("one") << std::vector<std::int64_t>{7} << std::vector<double>{7, 7, 7, 7, 7};
    QTest::newRow("five, in any order") << std::vector<std::int64_t>{5, 1, 4, 2, 3}
                                        << std::vector<double>{1, 2, 3, 4, 5};
    // What numpy.percentile([10, 20, 30, 40], [0, 25, 50, 75, 100]) gives.
    QTest::newRow("between values") << std::vector<std::int64_t>{10, 20, 30, 40}
                                    << std::vector<double>{10, 17.5, 25, 32.5, 40};
}

void TestPlotView::boxesAreQuartiles() {
    QFETCH(std::vector<std::int64_t>, values);
    QFETCH(std::vector<double>, five);
    const BoxValues box = boxOf(values);
    QCOMPARE((std::vector<double>{box.min, box.lowerQuartile, box.median, box.upperQuartile, box.max}), five);
    QCOMPARE(box.count, values.size());
}

void TestPlotView::boxesOfManyAreThoseOfSortedValues() {
    std::mt19937 random(3);
    for (std::size_t count = 1; count < 400; count += 1 + count / 7) {
        std::vector<std::int64_t> values;
        for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<std::int64_t>(random() % 50) - 10);
        const BoxValues box = boxOf(values);
        std::sort(values.begin(), values.end());
        const auto quantile = [&](double share) {
            const double place = share * static_cast<double>(count - 1);
            const auto below = static_cast<std::size_t>(place), above = std::min(below + 1, count - 1);
            return static_cast<double>(values[below]) +
                   (place - static_cast<double>(below)) * static_cast<double>(values[above] - values[below]);
        };
        QCOMPARE((std::vector<double>{box.min, box.lowerQuartile, box.median, box.upperQuartile, box.max}),
                 (std::vector<double>{quantile(0), quantile(0.25), quantile(0.5), quantile(0.75), quantile(1)}));
        QCOMPARE(box.count, count);
    }
}

void TestPlotView::theLargestMedianStandsForABoxThatIsShared() {
    BoxPlot plot;
    for (const std::int64_t median : {10, 30, 20, 5}) plot.boxes.push_back(boxOf({median}));
    QCOMPARE(plot.shownOf(0, 4), std::size_t{1});
    QCOMPARE(plot.shownOf(2, 9), std::size_t{2});
}

void TestPlotView::picturesOfAllKinds() {
    const QTemporaryDir folder;
    JobRunner jobs;
    Session session(jobs);
    PlotView plot(session);
    plot.resize(400, 300);
    const auto saves = [&](const QString& name) {
        return plot.savePicture(folder.filePath(name)).isEmpty() && QFileInfo(folder.filePath(name)).size() > 500;
    };
    plot.show(histogramOf({1, 2, 2, 3, 3, 3, 1000}));
    QVERIFY(saves(u"histogram.png"_s) && saves(u"histogram.svg"_s));
    plot.show(Histogram{});
    QVERIFY(saves(u"empty.png"_s));
    plot.show(boxes());
    QVERIFY(saves(u"boxes.png"_s) && saves(u"boxes.svg"_s));
    plot.showNothing(u"nothing"_s);
    QCOMPARE(plot.savePicture(folder.filePath(u"nothing.png"_s)), QString());
    QVERIFY(plot.savePicture(u"/nowhere/at/all.png"_s).contains(u"could not be written"_s));
}

void TestPlotView::heatMapsUseTheirWholeRamp_data() {
    QTest::addColumn<int>("unknown");
    QTest::addRow("the last cell is unknown") << 3;
    QTest::addRow("the first cell is unknown") << 0;
}

void TestPlotView::heatMapsUseTheirWholeRamp() {
    QFETCH(int, unknown);
    const QTemporaryDir folder;
    JobRunner jobs;
    Session session(jobs);
    PlotView plot(session);
    plot.resize(400, 300);
    HeatMap map;
    map.columns = {u"5"_s, u"6"_s};
    map.rows = {u"0"_s, u"1"_s};
    map.values = {180e6, 200e6, 190e6};
    map.values.insert(map.values.begin() + unknown, std::numeric_limits<double>::quiet_NaN());
    plot.show(map);
    plot.setVisible(true);
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    const QString file = folder.filePath(u"heat.png"_s);
    QCOMPARE(plot.savePicture(file), QString());
    const QImage picture = QImage(file).convertToFormat(QImage::Format_RGB32);
    // Least and greatest value: both ends of the ramp, in areas and not only in the legend.
    for (const QRgb end : {qRgb(0x44, 0x01, 0x54), qRgb(0xfd, 0xe7, 0x25)}) {
        int pixels = 0;
        for (int y = 0; y < picture.height(); ++y) {
            for (int x = 0; x < picture.width(); ++x) {
                const QRgb pixel = picture.pixel(x, y);
                const int distance = std::abs(qRed(pixel) - qRed(end)) + std::abs(qGreen(pixel) - qGreen(end)) +
                                     std::abs(qBlue(pixel) - qBlue(end));
                pixels += distance < 8 ? 1 : 0;
            }
        }
        QVERIFY2(pixels > 1000, qPrintable(QString::number(pixels)));
    }
}

void TestPlotView::noPictureIsSavedIntoACapture() {
    const QTemporaryDir folder;
    JobRunner jobs;
    Session session(jobs);
    session.open(folder.path());
    PlotView plot(session);
    plot.resize(400, 300);
    plot.show(boxes());
    // Even while nothing is known of it yet.
    for (const QString& name : {u"p.png"_s, u"p.svg"_s})
        QVERIFY(plot.savePicture(folder.filePath(name)).contains(u"evidence"_s));
    QVERIFY(QDir(folder.path()).isEmpty());
}

void TestPlotView::bothThemes() {
    const QTemporaryDir folder;
    for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
        JobRunner jobs;
        Session session(jobs);
        PlotView plot(session);
        plot.setPalette(paletteOf(*theme));
        plot.resize(400, 300);
        plot.show(boxes());
        const QString file = folder.filePath(u"p.png"_s);
        QCOMPARE(plot.savePicture(file), QString());
        const QImage picture(file);
        QCOMPARE(picture.pixelColor(2, 2), theme->background);
    }
}

ALTI_TEST(TestPlotView)
#include "tst_plot_view.moc"
