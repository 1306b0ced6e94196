#include "core/session/cache_choice.h"
#include "core/session/cache_view.h"
#include "core/store/cache/store_cache.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"
#include "views/common/theme/language_controller.h"
#include "views/common/theme/theme_controller.h"
#include "views/settings/look_page.h"
#include "views/settings/settings_dialog.h"
#include "views/settings/storage_page.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTemporaryDir>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

template <class Widget>
Widget& named(QWidget& parent, const QString& text) {
    for (Widget* widget : parent.findChildren<Widget*>())
        if (widget->text() == text) return *widget;
    qFatal("no such widget");
}

/// Replaces what a spin box shows, as a user would.
void write(QSpinBox& box, const QString& number) {
    QTest::keyClick(&box, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(&box, number);
    QTest::keyClick(&box, Qt::Key_Return);
}

}  // namespace

class TestSettingsPages : public QObject {
    Q_OBJECT

    ThemeController m_theme{*qApp};
    LanguageController m_language;

private slots:
    void cleanup() {
        chooseCache({});
        m_theme.setTextSize(ThemeController::kUsualTextSize);
        m_language.setLanguage(u"en"_s);
    }

    void textsFollowTheirSize() {
        LookPage page(m_theme, m_language);
        connect(&page, &LookPage::textSizeChosen, &page, [this](int percent) { m_theme.setTextSize(percent); });
        page.show();
        const int before = page.fontMetrics().height();
        auto* size = page.findChild<QSpinBox*>();
        QCOMPARE(size->text(), u"100 %"_s);
        write(*size, u"150"_s);
        QCOMPARE(m_theme.textSize(), 150);
        QTRY_VERIFY(page.fontMetrics().height() > before * 13 / 10);
        QTest::keyClick(size, Qt::Key_Up);
        QCOMPARE(m_theme.textSize(), 160);
        m_theme.setTextSize(1);
        QCOMPARE(m_theme.textSize(), ThemeController::kMinTextSize);
        m_theme.setTextSize(ThemeController::kUsualTextSize);
        QTRY_COMPARE(page.fontMetrics().height(), before);
    }

    void themeAndLanguageAreChosenByKeys() {
        LookPage page(m_theme, m_language);
        QSignalSpy themes(&page, &LookPage::themeChosen), languages(&page, &LookPage::languageChosen);
        page.show();
        const auto boxes = page.findChildren<QComboBox*>();
        QCOMPARE(boxes.size(), 2);
        QTest::keyClick(boxes[0], Qt::Key_Down);
        QCOMPARE(themes.size(), 1);
        QCOMPARE(themes[0][0].value<ThemeChoice>(), ThemeChoice::Light);
        QTest::keyClick(boxes[1], Qt::Key_Down);
        QCOMPARE(languages[0][0].toString(), u"zh_CN"_s);
        m_language.setLanguage(u"zh_CN"_s);
        QTRY_COMPARE(page.findChild<QSpinBox*>()->text(), u"100%"_s);
    }

    void subjectsAreReachedByKeys() {
        SettingsDialog dialog;
        dialog.addPage([] { return u"One"_s; }, new QLabel(u"first"_s));
        dialog.addPage([] { return u"Two"_s; }, new QLabel(u"second"_s));
        dialog.show();
        auto* pages = dialog.findChild<QStackedWidget*>();
        QCOMPARE(pages->currentIndex(), 0);
        QTest::keyClick(dialog.findChild<QListWidget*>(), Qt::Key_Down);
        QCOMPARE(pages->currentIndex(), 1);
        QTest::keyClick(&dialog, Qt::Key_Escape);
        QVERIFY(!dialog.isVisible());
    }

    void theCacheGoesWhereItIsSaid() {
        const QTemporaryDir temp;
        JobRunner jobs(1);
        StoragePage page(jobs, 0);
        QSignalSpy chosen(&page, &StoragePage::cacheChosen);
        page.show();
        auto* folder = page.findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly);
        QTest::keyClicks(folder, temp.filePath(u"mine"_s));
        QTest::keyClick(folder, Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(cacheChoice().folder, std::filesystem::path(temp.filePath(u"mine"_s).toStdString()));
        QCOMPARE(cacheFolder(std::nullopt), cacheChoice().folder);
        write(*page.findChildren<QSpinBox*>()[0], u"5"_s);
        QCOMPARE(cacheChoice().limit, std::uint64_t{5} << 30);
        QCOMPARE(chosen.size(), 2);
        folder->clear();
        QVERIFY(cacheChoice().folder.empty());
        QCOMPARE(cacheFolder(std::nullopt), standardCacheFolder());
        jobs.shutdown();
    }

    void aFolderThatCannotBeTheCacheIsRefused_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("reason");
        QTest::addRow("relative") << u"here"_s << u"whole path"_s;
        QTest::addRow("in a capture") << u"/tmp/PROF_000001_20260101000000000_ABC/cache"_s << u"lies in a capture"_s;
        QTest::addRow("of others") << u"/tmp"_s << u"another user's"_s;
    }
    void aFolderThatCannotBeTheCacheIsRefused() {
        QFETCH(const QString, folder);
        QFETCH(const QString, reason);
        JobRunner jobs(1);
        StoragePage page(jobs, 0);
        page.show();
        auto* line = page.findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly);
        QTest::keyClicks(line, folder);
        QTest::keyClick(line, Qt::Key_Return);
        QVERIFY(cacheChoice().folder.empty());
        bool isSaid = false;
        for (const QLabel* label : page.findChildren<QLabel*>())
            isSaid |= label->isVisible() && label->text().contains(reason);
        QVERIFY(isSaid);
        jobs.shutdown();
    }

    void aFullCacheIsCleared() {
        const QTemporaryDir temp;
        chooseCache({.folder = temp.filePath(u"cache"_s).toStdString()});
        const StoreCache cache(cacheChoice().folder);
        for (const char* name : {"a", "b"})
            QVERIFY(cache.put(StoreCache::key(name), *test::traceFromText("p1/t1: A[0,100)"), "source\nkey").ok());
        JobRunner jobs(1);
        StoragePage page(jobs, 0);
        page.show();
        const auto says = [&page](const QString& part) {
            for (const QLabel* label : page.findChildren<QLabel*>())
                if (label->text().contains(part)) return true;
            return false;
        };
        QTRY_VERIFY(says(u" in 2 entr"_s));
        auto& clear = named<QPushButton>(page, u"&Clear"_s);
        QVERIFY(clear.isEnabled());
        QTest::keyClick(&clear, Qt::Key_Space);
        QTRY_VERIFY(says(u"Empty"_s));
        QVERIFY(!clear.isEnabled() && cache.entries().empty());
        jobs.shutdown();
    }

    void memoryIsAutomaticOrLimited() {
        JobRunner jobs(1);
        StoragePage page(jobs, std::uint64_t{3} << 30);
        QSignalSpy chosen(&page, &StoragePage::memoryChosen);
        page.show();
        QSpinBox* memory = page.findChildren<QSpinBox*>()[1];
        QCOMPARE(memory->text(), u"3 GiB"_s);
        write(*memory, u"4"_s);
        QCOMPARE(chosen.last()[0].toULongLong(), quint64{4} << 30);
        write(*memory, u"0"_s);
        QCOMPARE(chosen.last()[0].toULongLong(), quint64{0});
        QVERIFY(memory->text().startsWith(u"Automatic"_s));
        jobs.shutdown();
    }
};

ALTI_TEST(TestSettingsPages)
#include "tst_settings_pages.moc"
