#include "tests/support/test_main.h"
#include "views/common/theme/control_style.h"
#include "views/common/theme/theme.h"

#include <QImage>
#include <QPainter>
#include <QPlainTextEdit>
#include <QProxyStyle>
#include <QScrollBar>
#include <QStyleOption>
#include <QTest>

using namespace altiscope;

class TestControlStyle : public QObject {
    Q_OBJECT
private slots:
    void framesAreSeenOnDarkGrounds();
    void editorsOfSeveralLinesLookLikeFields();
    void iconsOfSelectedRowsAreSeenWithoutTheKeys_data();
    void iconsOfSelectedRowsAreSeenWithoutTheKeys();
    void handlesOfScrollBarsAreSeen_data();
    void handlesOfScrollBarsAreSeen();
    void aHandleIsTheShareInSight();
    void aHandleIsDragged();
    void buttonsOfDialogsHaveNoBlackIcons();
};

/// On desktops where buttons have icons, those of Qt are black.
void TestControlStyle::buttonsOfDialogsHaveNoBlackIcons() {
    class Desktop : public QProxyStyle {
    public:
        int styleHint(StyleHint, const QStyleOption*, const QWidget*, QStyleHintReturn*) const override { return 1; }
    };
    ControlStyle style;
    style.setBaseStyle(new Desktop);
    QCOMPARE(style.baseStyle()->styleHint(QStyle::SH_DialogButtonBox_ButtonsHaveIcons, nullptr, nullptr, nullptr), 1);
    QCOMPARE(style.styleHint(QStyle::SH_DialogButtonBox_ButtonsHaveIcons, nullptr, nullptr, nullptr), 0);
}

void TestControlStyle::framesAreSeenOnDarkGrounds() {
    const Theme& theme = darkTheme();
    const ControlStyle style;
    for (const auto element : {QStyle::PE_FrameLineEdit, QStyle::PE_IndicatorCheckBox}) {
        QImage image(40, 40, QImage::Format_RGB32);
        image.fill(theme.background);
        QPainter painter(&image);
        QStyleOptionButton box;
        QStyleOptionFrame line;
        QStyleOption& option = element == QStyle::PE_IndicatorCheckBox ? static_cast<QStyleOption&>(box) : line;
        option.rect = QRect(5, 5, 30, 30);
        option.palette = paletteOf(theme);
        option.state = QStyle::State_Enabled;
        style.drawPrimitive(element, &option, &painter, nullptr);
        painter.end();
        for (const QPoint edge : {QPoint(20, 5), QPoint(20, 34), QPoint(5, 20), QPoint(34, 20)}) {
            QVERIFY2(qGray(image.pixel(edge)) > qGray(theme.background.rgb()) + 60,
                     qPrintable(QStringLiteral("%1,%2").arg(edge.x()).arg(edge.y())));
        }
        QCOMPARE(image.pixel(2, 2), theme.background.rgb());
    }
}

void TestControlStyle::editorsOfSeveralLinesLookLikeFields() {
    ControlStyle style;
    QPlainTextEdit editor;
    editor.setStyle(&style);
    editor.setPalette(paletteOf(darkTheme()));
    editor.resize(80, 60);
    const QRgb edge = editor.grab().toImage().pixel(40, 0);
    QVERIFY(qGray(edge) > qGray(darkTheme().background.rgb()) + 60);
    editor.setReadOnly(true);
    QCOMPARE(editor.grab().toImage().pixel(40, 0), darkTheme().hairLine.rgb());
    editor.setFrameShape(QFrame::NoFrame);
    QCOMPARE(editor.grab().toImage().pixel(40, 0), darkTheme().background.rgb());
}

void TestControlStyle::iconsOfSelectedRowsAreSeenWithoutTheKeys_data() { handlesOfScrollBarsAreSeen_data(); }

/// White icons, meant for the accent's ground, stood on light grey.
void TestControlStyle::iconsOfSelectedRowsAreSeenWithoutTheKeys() {
    QFETCH(bool, dark);
    const Theme& theme = dark ? darkTheme() : lightTheme();
    const ControlStyle style;
    const auto filled = [](const QColor& colour) {
        QPixmap picture(32, 32);
        picture.fill(colour);
        return picture;
    };
    for (const bool hasKeys : {true, false}) {
        QImage image(40, 40, QImage::Format_RGB32);
        image.fill(theme.background);
        QPainter painter(&image);
        QStyleOptionViewItem row;
        row.rect = image.rect();
        row.palette = paletteOf(theme);
        row.state = QStyle::State_Enabled | QStyle::State_Selected;
        if (hasKeys) row.state |= QStyle::State_Active;
        row.features = QStyleOptionViewItem::HasDecoration;
        row.icon = QIcon(filled(theme.warning));
        row.icon.addPixmap(filled(theme.background), QIcon::Selected);
        row.decorationSize = {32, 32};
        row.showDecorationSelected = true;
        style.drawControl(QStyle::CE_ItemViewItem, &row, &painter, nullptr);
        painter.end();
        QCOMPARE(image.pixel(39, 39), (hasKeys ? theme.accent : theme.quiet).rgb());
        QCOMPARE(image.pixel(20, 20), (hasKeys ? theme.background : theme.warning).rgb());
    }
}

void TestControlStyle::handlesOfScrollBarsAreSeen_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestControlStyle::handlesOfScrollBarsAreSeen() {
    QFETCH(bool, dark);
    ControlStyle style;
    QScrollBar bar(Qt::Horizontal);
    bar.setStyle(&style);
    bar.setPalette(paletteOf(dark ? darkTheme() : lightTheme()));
    bar.setRange(0, 300);
    bar.setPageStep(100);
    bar.setValue(300);
    bar.resize(400, 16);
    const QImage image = bar.grab().toImage();
    const int ground = qGray(image.pixel(100, 8));
    const int handle = qGray(image.pixel(350, 8));
    QVERIFY2(dark ? handle > ground + 40 : handle < ground - 40,
             qPrintable(QStringLiteral("ground %1, handle %2").arg(ground).arg(handle)));
}

void TestControlStyle::aHandleIsTheShareInSight() {
    const ControlStyle style;
    QStyleOptionSlider bar;
    bar.rect = QRect(0, 0, 400, 16);
    bar.orientation = Qt::Horizontal;
    bar.minimum = 0;
    bar.maximum = 300;
    bar.pageStep = 100;
    bar.sliderPosition = 150;
    const auto part = [&](QStyle::SubControl which) {
        return style.subControlRect(QStyle::CC_ScrollBar, &bar, which, nullptr);
    };
    QCOMPARE(part(QStyle::SC_ScrollBarSlider), QRect(150, 0, 100, 16));
    QCOMPARE(part(QStyle::SC_ScrollBarSubPage), QRect(0, 0, 150, 16));
    QCOMPARE(part(QStyle::SC_ScrollBarAddPage), QRect(250, 0, 150, 16));
    QVERIFY(part(QStyle::SC_ScrollBarAddLine).isEmpty());
    QVERIFY(part(QStyle::SC_ScrollBarSubLine).isEmpty());
    bar.direction = Qt::RightToLeft;
    bar.sliderPosition = 0;
    QCOMPARE(part(QStyle::SC_ScrollBarSlider), QRect(300, 0, 100, 16));

    // Two thousand million rows: still a handle to take, and no overflow.
    bar.direction = Qt::LeftToRight;
    bar.maximum = 2'000'000'000;
    bar.sliderPosition = bar.maximum;
    QCOMPARE(part(QStyle::SC_ScrollBarSlider), QRect(372, 0, 28, 16));
    bar.maximum = 0;
    bar.sliderPosition = 0;
    bar.pageStep = 0;
    QCOMPARE(part(QStyle::SC_ScrollBarSlider), bar.rect);
}

void TestControlStyle::aHandleIsDragged() {
    ControlStyle style;
    QScrollBar bar(Qt::Vertical);
    bar.setStyle(&style);
    bar.setRange(0, 300);
    bar.setPageStep(100);
    bar.resize(16, 400);
    bar.show();
    QTest::mousePress(&bar, Qt::LeftButton, {}, QPoint(8, 50));
    QTest::mouseMove(&bar, QPoint(8, 150));
    QTest::mouseRelease(&bar, Qt::LeftButton, {}, QPoint(8, 150));
    QCOMPARE(bar.value(), 100);
    QTest::mouseClick(&bar, Qt::LeftButton, {}, QPoint(8, 390));
    QCOMPARE(bar.value(), 200);
}

ALTI_TEST(TestControlStyle)
#include "tst_control_style.moc"
