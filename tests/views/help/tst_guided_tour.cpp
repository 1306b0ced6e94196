#include "views/help/guided_tour.h"

#include "tests/support/test_main.h"
#include "views/common/theme/language_controller.h"
#include "views/help/tour_bubble.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

/// A window with two parts and a walk of five stops over them; the last has nothing to point at.
struct WalkedWindow {
    QWidget window;
    QLineEdit* box = new QLineEdit(&window);
    QWidget* part = new QWidget(&window);
    GuidedTour walk{window};
    QStringList prepared;

    WalkedWindow() {
        window.resize(800, 600);
        auto* column = new QVBoxLayout(&window);
        column->addWidget(box);
        column->addWidget(part, 1);
        window.show();
    }
    void start() {
        std::vector<TourStop> stops;
        for (int i = 0; i < 5; ++i) {
            const QString number = QString::number(i);
            stops.push_back({[number] { return u"Title "_s + number; }, [number] { return u"Text "_s + number; },
                             [this, number] { prepared << number; },
                             [this, i]() -> QWidget* { return i == 4       ? nullptr
                                                              : i % 2 == 0 ? box
                                                                           : part; }});
        }
        walk.start(std::move(stops));
    }
    TourBubble& bubble() { return *window.findChild<TourBubble*>(); }
    QString said() {
        QStringList texts;
        for (const QLabel* label : bubble().findChildren<QLabel*>()) texts << label->text();
        return texts.join(u'|');
    }
};

}  // namespace

class TestGuidedTour : public QObject {
    Q_OBJECT
private slots:
    void theBubbleNeverHidesWhatItPointsAt() {
        // By looking at each pixel of the edges; sizes of windows and parts as they come.
        const QSize bubble(300, 120);
        int inside = 0;
        for (const QSize size : {QSize(800, 600), QSize(1280, 800), QSize(420, 300)}) {
            const QRect window(QPoint(0, 0), size);
            for (int x = 0; x < size.width(); x += 97) {
                for (int y = 0; y < size.height(); y += 83) {
                    for (const QSize part : {QSize(20, 20), QSize(200, 30), QSize(size.width(), size.height())}) {
                        const QRect area = QRect(QPoint(x, y), part) & window;
                        const QRect place = bubblePlace(bubble, area, window);
                        QCOMPARE(place.size(), bubble);
                        QVERIFY(window.contains(place));
                        const bool hasRoom =
                            area.top() > bubble.height() + 16 || size.height() - area.bottom() > bubble.height() + 17;
                        if (hasRoom) QVERIFY(!place.intersects(area));
                        inside += area.contains(place) ? 1 : 0;
                    }
                }
            }
        }
        QVERIFY(inside > 0);  // of what fills the window
    }

    void fiveStopsByKeys() {
        WalkedWindow fixture;
        QVERIFY(QTest::qWaitForWindowActive(&fixture.window));
        const QSignalSpy ended(&fixture.walk, &GuidedTour::ended);
        fixture.start();
        for (int i = 0; i < 5; ++i) {
            QVERIFY(fixture.bubble().isVisible());
            QVERIFY2(fixture.said().contains(u"Title %1|Text %1|%2 of 5"_s.arg(i).arg(i + 1)),
                     qPrintable(fixture.said()));
            QVERIFY(fixture.bubble().isAncestorOf(fixture.window.focusWidget()));
            if (i == 1) {
                QTest::keyClick(fixture.window.focusWidget(), Qt::Key_Left);
                QVERIFY(fixture.said().contains(u"1 of 5"_s));
                QTest::keyClick(fixture.window.focusWidget(), Qt::Key_Right);
            }
            QTest::keyClick(fixture.window.focusWidget(), Qt::Key_Return);
        }
        QVERIFY(!fixture.walk.active() && fixture.bubble().isHidden());
        QCOMPARE(ended.count(), 1);
        QCOMPARE(fixture.prepared, (QStringList{u"0"_s, u"1"_s, u"0"_s, u"1"_s, u"2"_s, u"3"_s, u"4"_s}));
    }

    void escapeLeavesFromAnywhere() {
        WalkedWindow fixture;
        QVERIFY(QTest::qWaitForWindowActive(&fixture.window));
        const QSignalSpy ended(&fixture.walk, &GuidedTour::ended);
        fixture.start();
        // The window is used meanwhile.
        fixture.box->setFocus();
        QTest::keyClicks(fixture.box, u"abc"_s);
        QCOMPARE(fixture.box->text(), u"abc"_s);
        QTest::keyClick(fixture.box, Qt::Key_Escape);
        QVERIFY(!fixture.walk.active() && fixture.bubble().isHidden());
        QCOMPARE(ended.count(), 1);
        // And then the key is the window's again.
        QTest::keyClick(fixture.box, Qt::Key_Escape);
        QCOMPARE(ended.count(), 1);
        fixture.start();
        for (QPushButton* button : fixture.bubble().findChildren<QPushButton*>()) {
            if (button->text() == u"&Skip"_s) button->click();
        }
        QCOMPARE(ended.count(), 2);
    }

    void followsWhatItPointsAt() {
        WalkedWindow fixture;
        fixture.start();
        const QRect before = fixture.bubble().geometry();
        fixture.window.resize(1000, 700);
        fixture.box->setFixedHeight(200);
        QTRY_VERIFY(fixture.bubble().geometry() != before);
        QVERIFY(!fixture.bubble().geometry().intersects(fixture.box->geometry()));
        // What has gone is not framed.
        fixture.box->hide();
        QTRY_VERIFY(std::abs(fixture.bubble().geometry().center().y() - fixture.window.rect().center().y()) < 4);
        LanguageController language;
        language.setLanguage(u"zh_CN"_s);
        QTRY_VERIFY(!fixture.said().contains(u"1 of 5"_s));
        language.setLanguage(u"en"_s);
    }
};

ALTI_TEST(TestGuidedTour)
#include "tst_guided_tour.moc"
