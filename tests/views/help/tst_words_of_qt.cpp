#include "tests/support/test_main.h"
#include "views/common/theme/language_controller.h"

#include <QKeySequenceEdit>
#include <QLineEdit>

using namespace altiscope;
using namespace Qt::StringLiterals;

/// Texts of Qt's own widgets in Chinese, as far as ours are better; the translations are in this room's test program.
class TestWordsOfQt : public QObject {
    Q_OBJECT
private slots:
    /// The field for a new key said 按快捷方式 ("press the link on the desktop"), and an arrow was a direction.
    void keysReadLikeOurs() {
        const QKeySequence keys(Qt::ALT | Qt::Key_Left);
        QCOMPARE(keys.toString(QKeySequence::NativeText), u"Alt+Left"_s);
        LanguageController language;
        language.setLanguage(u"zh_CN"_s);
        const QKeySequenceEdit edit;
        QCOMPARE(edit.findChild<QLineEdit*>()->placeholderText(), u"按下快捷键"_s);
        QCOMPARE(keys.toString(QKeySequence::NativeText), u"Alt+左箭头"_s);
    }
};

ALTI_TEST(TestWordsOfQt)
#include "tst_words_of_qt.moc"
