#include "core/base/threads/parallel.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"
#include "views/timeline/picture/lane_painter.h"
#include "views/timeline/picture/short_name.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace altiscope;

namespace {

struct Picture {
    Picture() : image(100, 20, QImage::Format_RGB32), palette(makeLanePalette(lightTheme())) {
        labels.setFont(QFont(), 1);
        image.fill(Qt::magenta);
    }
    QRgb at(int x, int y) const { return image.pixel(x, y); }

    QImage image;
    LanePalette palette;
    LabelCache labels;
};

}  // namespace

namespace {

/// WCAG 2, from its definition.
double luminance(QRgb colour) {
    const auto linear = [](int channel) {
        const double part = channel / 255.0;
        return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(qRed(colour)) + 0.7152 * linear(qGreen(colour)) + 0.0722 * linear(qBlue(colour));
}

double contrast(QRgb a, QRgb b) {
    const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return std::max(x, y) / std::min(x, y);
}

}  // namespace

class TestLanePainter : public QObject {
    Q_OBJECT
private slots:
    void fillsAllLinesOfALane();
    void cutsWhatLiesOutside();
    void freeIsHatched();
    void labelsOnlyWhereTheyFit();
    void shortNames();
    void aShortNameStandsWhereTheWholeHasNoRoom();
    void labelsAreCutAtCharacters();
    void labelsAreMadeOnce();
    void bandsTogetherAreThePicture();
    void oddNamesDoNoHarm_data();
    void oddNamesDoNoHarm();
    void counterFillsBelowItsLine();
    void everyShadeIsOpaqueAndDistinct();
};

void TestLanePainter::fillsAllLinesOfALane() {
    Picture picture;
    LanePainter painter(picture.image, picture.palette, picture.labels);
    const std::vector<LaneRect> rects{{.left = 10, .right = 20, .colour = 2}, {.left = 20, .right = 21, .colour = 5}};
    painter.paintSlices(4, 8, rects, picture.palette.background);
    for (int y = 4; y < 12; ++y) {
        QCOMPARE(picture.at(9, y), picture.palette.background);
        // The first pixel of a slice is its edge; a slice of one pixel has none.
        QCOMPARE(picture.at(10, y), picture.palette.edge[2]);
        QCOMPARE(picture.at(11, y), picture.palette.fill[2]);
        QCOMPARE(picture.at(19, y), picture.palette.fill[2]);
        QCOMPARE(picture.at(20, y), picture.palette.fill[5]);
        QCOMPARE(picture.at(21, y), picture.palette.background);
    }
    QCOMPARE(picture.at(15, 3), QColor(Qt::magenta).rgb());
    QCOMPARE(picture.at(15, 12), QColor(Qt::magenta).rgb());
}

void TestLanePainter::cutsWhatLiesOutside() {
    Picture picture;
    LanePainter painter(picture.image, picture.palette, picture.labels);
    const std::vector<LaneRect> rects{{.left = 90, .right = 400, .colour = 1}};
    painter.paintSlices(-5, 10, rects, picture.palette.background);
    painter.paintSlices(15, 10, rects, picture.palette.background);
    painter.paintSlices(100, 10, rects, picture.palette.background);
    painter.paintSlices(-100, 10, rects, picture.palette.background);
    QCOMPARE(picture.at(99, 0), picture.palette.fill[1]);
    QCOMPARE(picture.at(99, 19), picture.palette.fill[1]);
    QCOMPARE(picture.at(99, 10), QColor(Qt::magenta).rgb());
}

void TestLanePainter::freeIsHatched() {
    Picture picture;
    LanePainter painter(picture.image, picture.palette, picture.labels);
    painter.paintSlices(0, 12, std::vector<LaneRect>{{.left = 0, .right = 60, .colour = kFreeColour}},
                        picture.palette.background);
    int stripes = 0;
    for (int x = 1; x < 60; ++x) stripes += picture.at(x, 6) == picture.palette.edge[kFreeColour] ? 1 : 0;
    QCOMPARE(stripes, 9 + (picture.at(0, 6) == picture.palette.edge[kFreeColour] &&
                                   picture.at(6, 6) != picture.palette.edge[kFreeColour]
                               ? 1
                               : 0));
}

void TestLanePainter::labelsOnlyWhereTheyFit() {
    const auto store = test::traceFromText("p1/t1: MatMul[0,10) Add[10,20) Relu[20,30)");
    Picture picture;
    LanePainter painter(picture.image, picture.palette, picture.labels);
    // The second is too narrow for a character, the third stands for many slices.
    const std::vector<LaneRect> rects{{.left = 0, .right = 60, .slice = {0}, .colour = 1},
                                      {.left = 60, .right = 66, .slice = {1}, .colour = 2},
                                      {.left = 66, .right = 100, .slice = {2}, .count = 9, .colour = 3}};
    painter.paintSlices(0, 20, rects, picture.palette.background);
    painter.paintLabels(0, 20, rects, *store);
    QCOMPARE(painter.labelCount(), std::size_t(1));
    const auto isInk = [&picture](int x) {
        for (int y = 0; y < 20; ++y) {
            if (picture.at(x, y) != picture.palette.fill[1]) return true;
        }
        return false;
    };
    int inked = 0;
    for (int x = 1; x < 60; ++x) inked += isInk(x) ? 1 : 0;
    QVERIFY(inked > 10);
    for (int x = 60; x < 66; ++x)
        QCOMPARE(picture.at(x, 10), x == 60 ? picture.palette.edge[2] : picture.palette.fill[2]);
}

void TestLanePainter::shortNames() {
    const std::pair<const char*, const char*> names[] = {
        {"hcom_allReduce__586_0_1", "allReduce"},
        {"hcom___1", "hcom___1"},
        {"aten::mm", "mm"},
        {"at::native::add<int, 2>", "add<int, 2>"},
        {"autograd::engine::evaluate_function: MmBackward0", "MmBackward0"},
        {"model/layers.py(41): forward", "forward"},
        {"Default/net/MatMul-op3", "MatMul-op3"},
        {"aclnnMatmul_MatMulCommon_MatMulV2", "MatMulV2"},
        {"aclnnAdd", "aclnnAdd"},
        {"python /a/b c", "python /a/b c"},
        {"torch_to_npu", "torch_to_npu"},
        {"Optimizer.step#Adam.step", "Optimizer.step#Adam.step"},
        {"ends in a colon: ", "ends in a colon: "},
        {"a::", "a::"},
        {"/", "/"},
        {"", ""}};
    for (const auto& [whole, brief] : names) QCOMPARE(shortName(whole), std::string_view(brief));
}

/// "allReduce" says more in the same room than "hcom_al…".
void TestLanePainter::aShortNameStandsWhereTheWholeHasNoRoom() {
    const auto store = test::traceFromText("p1/t1: hcom_ab__586_0_1[0,10) ab[10,20)");
    Picture whole, brief;
    for (const std::uint32_t slice : {0U, 1U}) {
        Picture& picture = slice == 0 ? whole : brief;
        LanePainter painter(picture.image, picture.palette, picture.labels);
        const std::vector<LaneRect> rects{{.left = 0, .right = 40, .slice = {slice}, .colour = 1}};
        painter.paintSlices(0, 20, rects, picture.palette.background);
        painter.paintLabels(0, 20, rects, *store);
        QCOMPARE(painter.labelCount(), std::size_t(1));
    }
    QVERIFY(whole.image.copy(0, 0, 100, 20) == brief.image.copy(0, 0, 100, 20));
}

void TestLanePainter::labelsAreCutAtCharacters() {
    Picture picture;
    const LabelImage& label = picture.labels.image("aclnnMatmul_MatMulCommon_MatMulV2");
    QCOMPARE(label.stops.size(), std::size_t(33));
    QVERIFY(std::is_sorted(label.stops.begin(), label.stops.end()));
    QVERIFY(label.stops.back() <= label.width);
    QCOMPARE(label.coverage.size(), static_cast<std::size_t>(label.width * label.height));
    QVERIFY(*std::max_element(label.coverage.begin(), label.coverage.end()) > 200);

    const auto store = test::traceFromText("p1/t1: aclnnMatmul_MatMulCommon_MatMulV2[0,10)");
    LanePainter painter(picture.image, picture.palette, picture.labels);
    const std::vector<LaneRect> rects{{.left = 0, .right = 60, .slice = {0}, .colour = 1}};
    painter.paintSlices(0, 20, rects, picture.palette.background);
    painter.paintLabels(0, 20, rects, *store);
    // Nothing runs over the slice's end.
    for (int y = 0; y < 20; ++y) QCOMPARE(picture.at(60, y), picture.palette.background);
    QCOMPARE(painter.labelCount(), std::size_t(1));
}

void TestLanePainter::labelsAreMadeOnce() {
    Picture picture;
    const LabelImage* first = &picture.labels.image("MatMul");
    picture.labels.image("Add");
    QCOMPARE(&picture.labels.image("MatMul"), first);
    QFont larger;
    larger.setPointSizeF(larger.pointSizeF() * 2);
    const int width = first->width;
    picture.labels.setFont(larger, 1);
    QVERIFY(picture.labels.image("MatMul").width > width);
}

/// In threads, as the timeline's picture is made: rows that are scrolled below pinned ones, and those above them.
void TestLanePainter::bandsTogetherAreThePicture() {
    constexpr int kPinned = 7;  // No band begins there.
    const auto store = test::traceFromText("p1/t1: aclnnMatmul[0,10) Add[10,20)");
    const std::vector<LaneRect> rects{{.left = 0, .right = 50, .slice = {0}, .colour = 1},
                                      {.left = 50, .right = 100, .slice = {1}, .colour = kFreeColour}};
    const std::vector<CounterPoint> points(100, {0.2F, 0.9F, 0.5F});
    const CounterLine line{.series = 0, .firstColumn = 0, .points = points, .colour = 4};
    const std::vector<int> instants{30};
    const auto paint = [&](LanePainter& painter, LanePainter& pinned, int height, QRgb background) {
        painter.fill(QRect(0, 0, 100, 8), qRgb(1, 2, 3));
        painter.paintLine(0, 8, line, true);
        for (const int top : {9 - height, 9}) {
            painter.paintSlices(top, height, rects, background);
            painter.paintLabels(top, height, rects, *store);
        }
        painter.paintInstants(9, height, instants, qRgb(9, 9, 9));
        pinned.paintSlices(0, height, rects, background);
        pinned.paintLabels(0, height, rects, *store);
        pinned.fill(QRect(0, kPinned - 2, 100, height), qRgb(4, 5, 6));
    };
    Picture whole, parts;
    const int height = whole.labels.height();
    parts.image = QImage(100, height + 12, QImage::Format_RGB32);
    parts.image.fill(Qt::magenta);
    whole.image = parts.image.copy();
    LanePainter painter(whole.image, whole.palette, whole.labels);
    LanePainter above(whole.image, whole.palette, whole.labels, {0, kPinned, kPinned}, nullptr);
    paint(painter, above, height, whole.palette.background);
    QCOMPARE(painter.labelCount() + above.labelCount(), std::size_t(6));
    QCOMPARE(whole.at(50, kPinned - 1), qRgb(4, 5, 6));
    QVERIFY(whole.at(50, kPinned) != qRgb(4, 5, 6));

    parts.labels.ellipsis();
    WorkerArena arena(4);
    const int lines = parts.image.height();
    const auto count = static_cast<std::size_t>((lines + 4) / 5);
    for (const bool isKnown : {false, true}) {
        std::vector<std::vector<std::string_view>> missing(count);
        std::vector<LanePainter> bands, pinned;
        for (std::size_t i = 0; i < count; ++i) {
            const int first = static_cast<int>(i) * 5, after = std::min(first + 5, lines);
            bands.emplace_back(parts.image, parts.palette, parts.labels, LanePainter::Lines{first, after, lines},
                               &missing[i]);
            pinned.emplace_back(parts.image, parts.palette, parts.labels,
                                LanePainter::Lines{first, std::clamp(kPinned, first, after), kPinned}, &missing[i]);
        }
        arena.run([&] {
            parallelFor(count, [&](std::size_t i) { paint(bands[i], pinned[i], height, parts.palette.background); });
        });
        std::size_t labels = 0;
        for (std::size_t i = 0; i < count; ++i) labels += bands[i].labelCount() + pinned[i].labelCount();
        const auto isEmpty = [](const auto& names) { return names.empty(); };
        QCOMPARE(std::all_of(missing.begin(), missing.end(), isEmpty), isKnown);
        QCOMPARE(labels, isKnown ? painter.labelCount() + above.labelCount() : std::size_t(0));
        QCOMPARE(parts.image == whole.image, isKnown);
        for (const auto& names : missing)
            for (const std::string_view name : names) parts.labels.image(name);
    }
}

void TestLanePainter::oddNamesDoNoHarm_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addRow("empty") << QByteArray("");
    QTest::addRow("control characters") << QByteArray("a\nb\tc\x01");
    QTest::addRow("invalid UTF-8") << QByteArray("\xff\xfe\x80");
    QTest::addRow("Chinese") << QByteArray("\xe7\x9f\xa9\xe9\x98\xb5\xe4\xb9\x98\xe6\xb3\x95");
    QTest::addRow("right to left") << QByteArray("\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d");
    QTest::addRow("combining") << QByteArray("e\xcc\x81\xcc\x81\xcc\x81");
    QTest::addRow("very long") << QByteArray(100'000, 'x');
}

void TestLanePainter::oddNamesDoNoHarm() {
    QFETCH(QByteArray, name);
    Picture picture;
    const LabelImage& label = picture.labels.image({name.data(), static_cast<std::size_t>(name.size())});
    QCOMPARE(label.coverage.size(), static_cast<std::size_t>(label.width * label.height));
    QVERIFY(label.stops.size() <= LabelCache::kMaxBytes);
    QVERIFY(label.width < 20'000);
    for (const auto stop : label.stops) QVERIFY(stop <= label.width);
}

void TestLanePainter::counterFillsBelowItsLine() {
    Picture picture;
    LanePainter painter(picture.image, picture.palette, picture.labels);
    CounterLine line{.series = 0, .firstColumn = 10, .points = {{0, 0, 0}, {0, 1, 1}, {1, 1, 1}}, .colour = 4};
    painter.fill(QRect(0, 0, 100, 20), picture.palette.background);
    painter.paintLine(0, 20, line, true);
    QCOMPARE(picture.at(9, 19), picture.palette.background);
    QCOMPARE(picture.at(10, 19), picture.palette.edge[4]);
    QCOMPARE(picture.at(10, 18), picture.palette.background);
    for (int y = 0; y < 20; ++y) QCOMPARE(picture.at(11, y), picture.palette.edge[4]);
    QCOMPARE(picture.at(12, 0), picture.palette.edge[4]);
    QCOMPARE(picture.at(12, 1), picture.palette.area[4]);
    QCOMPARE(picture.at(13, 19), picture.palette.background);
}

void TestLanePainter::everyShadeIsOpaqueAndDistinct() {
    for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
        const LanePalette palette = makeLanePalette(*theme);
        for (std::size_t i = 0; i < kColourCount; ++i) {
            QVERIFY(palette.fill[i] != palette.background);
            QVERIFY(palette.edge[i] != palette.fill[i]);
            QCOMPARE(palette.label[i][0], palette.fill[i]);
            if (i < kWaitColour) QCOMPARE(palette.label[i][255], theme->label.rgb());
            // Labels on pale waits and on colours that a source asks for: at least as readable as text has to be.
            else QVERIFY(contrast(palette.label[i][255], palette.fill[i]) >= 4.5);
            QCOMPARE(qAlpha(palette.area[i]), 255);
        }
    }
}

ALTI_TEST(TestLanePainter)
#include "tst_lane_painter.moc"
