#pragma once

#include "views/common/theme/language_controller.h"
#include "views/common/theme/theme_controller.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QSpinBox;

namespace altiscope {

/// Text size, theme and language. Shows what the two controllers say; who listens sets and keeps it. GUI thread.
class LookPage : public QWidget {
    Q_OBJECT
public:
    /// Both must outlive it.
    LookPage(const ThemeController& theme, const LanguageController& language, QWidget* parent = nullptr);
    ~LookPage() override;

    /// Shows what the controllers say now.
    void refresh();

signals:
    void textSizeChosen(int percent);
    void themeChosen(altiscope::ThemeChoice choice);
    /// "en" or "zh_CN"
    void languageChosen(const QString& language);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void retranslate();

    const ThemeController& m_theme;
    const LanguageController& m_language;
    QSpinBox* m_size;
    QComboBox* m_themes;
    QComboBox* m_languages;
    QLabel* m_sizeTitle;
    QLabel* m_themeTitle;
    QLabel* m_languageTitle;
};

}  // namespace altiscope
