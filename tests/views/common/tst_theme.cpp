#include "views/common/theme/theme.h"

#include "tests/support/test_main.h"

#include <QPalette>

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
