#include "views/common/widgets/wrap_layout.h"

#include "tests/support/test_main.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

using namespace altiscope;

class TestWrapLayout : public QObject {
    Q_OBJECT
private slots:
    /// Boxes said "Operatc" and "nothin" where a row of them had no room.
    void textsOfARowAreNotCutWhereThereIsNoRoom() {
        QWidget page;
        auto* column = new QVBoxLayout(&page);
        column->setContentsMargins({});
        auto* bar = new QWidget;
        auto* row = new WrapLayout(bar);
        row->setContentsMargins(4, 2, 4, 2);
        row->setSpacing(8);
        QList<QWidget*> parts;
        for (int i = 0; i < 5; ++i) {
            auto* pair = new QHBoxLayout;
            auto* label = new QLabel(QStringLiteral("Group by"));
            auto* box = new QComboBox;
            box->addItem(QStringLiteral("Operator type"));
            pair->addWidget(label);
            pair->addWidget(box);
            row->addItem(pair);
            parts << label << box;
        }
        column->addWidget(bar);
        column->addStretch(1);
        page.resize(2000, 400);
        page.show();
        const int oneLine = bar->height();
        QCOMPARE(bar->heightForWidth(2000), oneLine);
        for (const int width : {900, 500, 300, 250}) {
            page.resize(width, 400);
            QTest::qWait(0);
            QCOMPARE(page.width(), width);
            QVERIFY(bar->height() > oneLine);
            for (const QWidget* part : parts) {
                QVERIFY(part->width() >= part->sizeHint().width());
                QVERIFY2(bar->rect().contains(part->geometry()), qPrintable(QString::number(width)));
                for (const QWidget* other : parts)
                    QVERIFY(other == part || !other->geometry().intersects(part->geometry()));
            }
        }
        // What is hidden takes no place.
        page.resize(2000, 400);
        for (QWidget* part : parts.mid(2)) part->hide();
        QTest::qWait(0);
        QCOMPARE(bar->height(), oneLine);
        QVERIFY(row->sizeHint().width() < 300);
    }
};

ALTI_TEST(TestWrapLayout)
#include "tst_wrap_layout.moc"
