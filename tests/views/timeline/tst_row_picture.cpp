#include "core/store/seal/trace_builder.h"
#include "tests/support/test_main.h"
#include "views/timeline/picture/row_picture.h"

#include <QTest>

#include <algorithm>
#include <string>

using namespace altiscope;

namespace {

constexpr std::uint32_t kSeries = 1000, kWidth = 100;

/// A counter with many series, each with a step of its own height at its own time.
std::shared_ptr<const TraceStore> manySeries() {
    TraceBuilder builder("test");
    TraceBuilder::Names names(builder);
    Segment segment;
    const auto track = names.counter("1", "Load");
    std::uint64_t place = 0;
    for (std::uint32_t i = 0; i < kSeries; ++i) {
        const auto series = names.text("s" + std::to_string(1000 + i));
        for (const auto& [time, value] :
             {std::pair<std::int64_t, double>{0, 1}, {std::int64_t{i}, 1.0 + i}, {std::int64_t{i} + 1, 1}})
            segment.samples.push_back({track, series, time, value, SourcePos::make(0, place++)});
    }
    builder.commit(SourcePos::make(0, 0), std::move(segment));
    Diagnostics diagnostics;
    return builder.seal("f", diagnostics, {}).value();
}

std::shared_ptr<const RowPicture> pictureOf(const std::shared_ptr<const TraceStore>& store, PictureKind kind,
                                            std::uint32_t firstLane, std::uint32_t lanes) {
    const RowRequest request{.key = {},
                             .kind = kind,
                             .colours = std::make_shared<const SliceColours>(store),
                             .shift = {},
                             .firstTrack = 0,
                             .trackCount = 1,
                             .firstLane = firstLane,
                             .laneCount = lanes};
    return queryPicture({{{0}, {kSeries}}, kWidth, {request}}, {}).rows.front().second;
}

}  // namespace

class TestRowPicture : public QObject {
    Q_OBJECT

private slots:
    void plotOfManySeriesHasFewLines();
    void plotsOfManySeriesHoldThoseInSight();
};

void TestRowPicture::plotOfManySeriesHasFewLines() {
    const auto store = manySeries();
    for (const PictureKind kind : {PictureKind::Plot, PictureKind::Preview}) {
        const auto picture = pictureOf(store, kind, 0, 1);
        QCOMPARE(picture->lines.size(), std::size_t{64});
        QCOMPARE(picture->scale.maximum, double{kSeries});
        // Each column shows the highest step in it, whichever line that is part of.
        for (std::size_t column = 0; column < kWidth; ++column) {
            float high = 0, low = 1;
            for (const CounterLine& line : picture->lines) {
                high = std::max(high, line.points.at(column).high);
                low = std::min(low, line.points.at(column).low);
            }
            QCOMPARE(high, static_cast<float>((static_cast<double>(column) * 10 + 10) / kSeries));
            QCOMPARE(low, 1.0F / kSeries);
        }
    }
}

void TestRowPicture::plotsOfManySeriesHoldThoseInSight() {
    const auto store = manySeries();
    const auto first = pictureOf(store, PictureKind::Plots, 0, 200),
               later = pictureOf(store, PictureKind::Plots, 100, 3);
    QCOMPARE(first->lines.size(), std::size_t{200});
    QCOMPARE(later->lines.size(), std::size_t{3});
    QCOMPARE(later->scale.maximum, double{kSeries});
    for (std::size_t i = 0; i < later->lines.size(); ++i) {
        QCOMPARE(later->lines[i].series, first->lines[100 + i].series);
        QCOMPARE(later->lines[i].colour, first->lines[100 + i].colour);
        QCOMPARE(later->lines[i].points.at(10 + i / 10).high, first->lines[100 + i].points.at(10 + i / 10).high);
    }
    QVERIFY(pictureOf(store, PictureKind::Plots, kSeries, 3)->lines.empty());
    QCOMPARE(pictureOf(store, PictureKind::Plots, kSeries - 1, 3)->lines.size(), std::size_t{1});
}

ALTI_TEST(TestRowPicture)
#include "tst_row_picture.moc"
