#include "tests/support/test_main.h"
#include "views/common/field_style.h"
#include "views/common/theme.h"

#include <QImage>
#include <QPainter>
#include <QStyleOption>

using namespace altiscope;

class TestFieldStyle : public QObject {
    Q_OBJECT
private slots:
    void framesAreSeenOnDarkGrounds();
};

void TestFieldStyle::framesAreSeenOnDarkGrounds() {
    const Theme& theme = darkTheme();
    const FieldStyle style;
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
            QVERIFY2(qGray(image.pixel(edge)) > qGray(theme.background.rgb()) + 60, qPrintable(QStringLiteral("%1,%2").arg(edge.x()).arg(edge.y())));
        }
        QCOMPARE(image.pixel(2, 2), theme.background.rgb());
    }
}

ALTI_TEST(TestFieldStyle)
#include "tst_field_style.moc"
