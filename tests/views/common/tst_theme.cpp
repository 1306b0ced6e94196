#include "views/common/theme/meaning_look.h"

#include "tests/support/test_main.h"
#include "views/common/plots/colour_ramp.h"

#include <QImage>
#include <QPainter>
#include <QPalette>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

using namespace altiscope;

namespace {

/// WCAG 2 relative luminance and contrast, written out from its definition.
double luminance(const QColor& colour) {
    const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

/// A colour in CIELAB (D65) as it is seen without one kind of cones, or with all.
/// @note Source of the matrices, on linear RGB: Machado, Oliveira, Fernandes, "A Physiologically-based Model for
/// Simulation of Color Vision Deficiency" (2009), severity 1.
using Seen = std::array<double, 3>;
Seen seen(const QColor& colour, std::size_t kind) {
    static constexpr double kKinds[4][3][3] = {
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
        {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    const double rgb[] = {linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF())};
    double as[3]{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) as[i] += kKinds[kind][i][j] * rgb[j];
        as[i] = std::clamp(as[i], 0.0, 1.0);
    }
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f((0.4124564 * as[0] + 0.3575761 * as[1] + 0.1804375 * as[2]) / 0.95047);
    const double y = f(0.2126729 * as[0] + 0.7151522 * as[1] + 0.0721750 * as[2]);
    const double z = f((0.0193339 * as[0] + 0.1191920 * as[1] + 0.9503041 * as[2]) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/// How far two colours are for those for whom they are nearest (CIE76).
double leastDistance(const QColor& a, const QColor& b) {
    double least = 1000;
    for (std::size_t kind = 0; kind < 4; ++kind) {
        const Seen one = seen(a, kind), other = seen(b, kind);
        least = std::min(least, std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]));
    }
    return least;
}

constexpr double kApart = 15;

constexpr std::array<QColor Theme::*, 7> kMeanings{&Theme::computing, &Theme::communication, &Theme::overlapped,
                                                   &Theme::free,      &Theme::host,          &Theme::memory,
                                                   &Theme::wait};

}  // namespace

class TestTheme : public QObject {
    Q_OBJECT
private slots:
    void textsCanBeRead_data();
    void textsCanBeRead();
    void labelsCanBeReadOnSlices_data();
    void labelsCanBeReadOnSlices();
    void paletteTellsItsTheme();
    void selectionCanBeReadWithoutTheFocus();
    void meaningsDifferForEverybody_data();
    void meaningsDifferForEverybody();
    void neighboursDifferForEverybody_data();
    void neighboursDifferForEverybody();
    void patternsAreDrawn();
    void hueIsStable();
    void huesAreSpread();
};

void TestTheme::textsCanBeRead_data() {
    QTest::addColumn<bool>("dark");
    QTest::addRow("light") << false;
    QTest::addRow("dark") << true;
}

void TestTheme::textsCanBeRead() {
    QFETCH(bool, dark);
    const Theme& theme = dark ? darkTheme() : lightTheme();
    QCOMPARE(theme.dark, dark);
    QVERIFY(contrast(theme.text, theme.background) >= 14.4);
    for (const QColor& ground : {theme.background, theme.raised}) {
        QVERIFY(contrast(theme.text, ground) >= 7);
        for (const QColor& colour : {theme.muted, theme.accent, theme.ok, theme.warning, theme.error}) {
            QVERIFY2(contrast(colour, ground) >= 4.5, qPrintable(colour.name()));
        }
    }
}

void TestTheme::meaningsDifferForEverybody_data() { textsCanBeRead_data(); }

void TestTheme::meaningsDifferForEverybody() {
    QFETCH(bool, dark);
    const Theme& theme = dark ? darkTheme() : lightTheme();
    for (std::size_t i = 0; i < kMeanings.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (patternOf(kMeanings[i]) != patternOf(kMeanings[j])) continue;
            const double distance = leastDistance(theme.*kMeanings[i], theme.*kMeanings[j]);
            QVERIFY2(distance >= kApart, qPrintable(QStringLiteral("%1 and %2: %3").arg(i).arg(j).arg(distance)));
        }
    }
    // The measure itself: green and red of equal lightness are one colour to some.
    QVERIFY(leastDistance(QColor(0xd0, 0x60, 0x40), QColor(0x80, 0x90, 0x30)) < kApart);
    QVERIFY(leastDistance(Qt::black, Qt::white) > 99);
}

void TestTheme::neighboursDifferForEverybody_data() { textsCanBeRead_data(); }

void TestTheme::neighboursDifferForEverybody() {
    QFETCH(bool, dark);
    const Theme& theme = dark ? darkTheme() : lightTheme();
    std::set<std::size_t> all;
    for (std::size_t place = 0; place < Theme::kHues; ++place) {
        all.insert(kHuesBeside[place]);
        const double distance = leastDistance(hueBeside(theme, place), hueBeside(theme, place + 1));
        QVERIFY2(distance >= 20, qPrintable(QStringLiteral("%1: %2").arg(place).arg(distance)));
    }
    QCOMPARE(all.size(), Theme::kHues);
    // A ramp gets lighter for everybody.
    for (std::size_t kind = 0; kind < 4; ++kind) {
        for (int step = 1; step <= 10; ++step) {
            const Seen before = seen(QColor::fromRgb(ColourRamp::colourOf((step - 1) / 10.0)), kind),
                       after = seen(QColor::fromRgb(ColourRamp::colourOf(step / 10.0)), kind);
            QVERIFY2(after[0] > before[0] + 2, qPrintable(QStringLiteral("%1 %2").arg(kind).arg(step)));
        }
    }
}

void TestTheme::patternsAreDrawn() {
    for (QColor Theme::*meaning : kMeanings) {
        QImage picture(32, 32, QImage::Format_RGB32);
        picture.fill(Qt::white);
        QPainter(&picture).fillRect(picture.rect(), meaningBrush(lightTheme(), meaning));
        std::set<QRgb> colours;
        for (int x = 0; x < 32; ++x)
            for (int y = 0; y < 32; ++y) colours.insert(picture.pixel(x, y));
        QCOMPARE(colours.size() > 1, patternOf(meaning) != MeaningPattern::Plain);
        QVERIFY(colours.contains((lightTheme().*meaning).rgb()));
    }
}

void TestTheme::labelsCanBeReadOnSlices_data() { textsCanBeRead_data(); }

void TestTheme::labelsCanBeReadOnSlices() {
    QFETCH(bool, dark);
    const Theme& theme = dark ? darkTheme() : lightTheme();
    for (const QColor& hue : theme.hues)
        QVERIFY2(contrast(theme.label, hue) >= (dark ? 6.2 : 8.6), qPrintable(hue.name()));
}

void TestTheme::paletteTellsItsTheme() {
    QCOMPARE(&themeOf(paletteOf(lightTheme())), &lightTheme());
    QCOMPARE(&themeOf(paletteOf(darkTheme())), &darkTheme());
}

void TestTheme::selectionCanBeReadWithoutTheFocus() {
    for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
        const QPalette palette = paletteOf(*theme);
        for (const auto group : {QPalette::Active, QPalette::Inactive})
            QVERIFY(contrast(palette.color(group, QPalette::HighlightedText),
                             palette.color(group, QPalette::Highlight)) >= 4.5);
        // Quiet: nearer to the page than to what has the keys, and no icon of a tone is lost on it.
        const QColor quiet = palette.color(QPalette::Inactive, QPalette::Highlight);
        QVERIFY(contrast(quiet, theme->background) < 2);
        QVERIFY(contrast(quiet, theme->background) > 1.3);
        for (const QColor& colour : {theme->muted, theme->accent, theme->ok, theme->warning, theme->error})
            QVERIFY2(contrast(colour, quiet) >= 3, qPrintable(colour.name()));
        QVERIFY(palette.color(QPalette::Inactive, QPalette::Highlight) !=
                palette.color(QPalette::Active, QPalette::Highlight));
    }
}

void TestTheme::hueIsStable() {
    // FNV-1a of "a" is af63dc4c8601ec8c; folded: 8c ^ 4c = c0, so the last digit is 0.
    QCOMPARE(Theme::hueIndex("a"), std::size_t{0});
    QCOMPARE(lightTheme().hueOf("a"), lightTheme().hues[0]);
}

void TestTheme::huesAreSpread() {
    std::array<int, Theme::kHues> used{};
    for (int i = 0; i < 1600; ++i) ++used[Theme::hueIndex("aten::op_" + std::to_string(i))];
    for (const int count : used) QVERIFY2(count > 50 && count < 200, qPrintable(QString::number(count)));
}

ALTI_TEST(TestTheme)
#include "tst_theme.moc"
