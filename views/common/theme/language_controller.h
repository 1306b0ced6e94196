#pragma once

#include <QObject>
#include <QString>
#include <QTranslator>

namespace altiscope {

/// The language of the window: "en" or "zh_CN". Owned by main(). Changing it sends QEvent::LanguageChange to all
/// widgets, which then set their texts again; catalogueLanguage() (formatters.h) follows.
class LanguageController : public QObject {
    Q_OBJECT
public:
    /// Starts in English, the language of the sources.
    explicit LanguageController(QObject* parent = nullptr);
    ~LanguageController() override;

    QString language() const { return m_language; }
    /// Anything but "zh_CN" means English.
    void setLanguage(const QString& language);

    /// The language of a user who chose none: Chinese where the system speaks it, else English.
    static QString systemLanguage();

private:
    void install();

    QString m_language;
    QTranslator m_ours;
    QTranslator m_qt;  ///< Texts of Qt's own dialogs and buttons.
};

}  // namespace altiscope
