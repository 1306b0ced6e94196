#include "views/common/theme/language_controller.h"

#include <QCoreApplication>
#include <QLocale>

namespace altiscope {

using namespace Qt::StringLiterals;

// A word of Qt's file dialog that Qt's own translation lacks.
[[maybe_unused]] constexpr const char* kFolder[] =
    QT_TRANSLATE_NOOP3("QAbstractFileIconProvider", "Folder", "All other platforms");
// Read better than Qt's own; ours are looked up first.
[[maybe_unused]] constexpr const char* kShortcut[] = {
    QT_TRANSLATE_NOOP("QKeySequenceEdit", "Press shortcut"), QT_TRANSLATE_NOOP("QShortcut", "Left"),
    QT_TRANSLATE_NOOP("QShortcut", "Right"), QT_TRANSLATE_NOOP("QShortcut", "Up"),
    QT_TRANSLATE_NOOP("QShortcut", "Down")};

LanguageController::LanguageController(QObject* parent) : QObject(parent), m_language(u"en"_s) { install(); }

LanguageController::~LanguageController() {
    QCoreApplication::removeTranslator(&m_qt);
    QCoreApplication::removeTranslator(&m_ours);
}

void LanguageController::setLanguage(const QString& language) {
    const QString wanted = language == u"zh_CN" ? language : u"en"_s;
    if (wanted == m_language) return;
    m_language = wanted;
    QCoreApplication::removeTranslator(&m_qt);
    QCoreApplication::removeTranslator(&m_ours);
    install();
}

void LanguageController::install() {
    // Qt's sources are English, so it has no file for that; ours has the plural forms.
    if (m_qt.load(u":/i18n/qtbase_"_s + m_language + u".qm"_s)) QCoreApplication::installTranslator(&m_qt);
    if (m_ours.load(u":/i18n/altiscope_"_s + m_language + u".qm"_s)) QCoreApplication::installTranslator(&m_ours);
}

QString LanguageController::systemLanguage() {
    return QLocale::system().language() == QLocale::Chinese ? u"zh_CN"_s : u"en"_s;
}

}  // namespace altiscope
