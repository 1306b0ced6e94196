#pragma once

#include "views/common/theme/theme.h"

#include <QFont>
#include <QObject>
#include <QString>

class QApplication;

namespace altiscope {

enum class ThemeChoice : unsigned char { System, Light, Dark };

/// "system", "light", "dark": words of the command line and of the settings.
QString themeChoiceName(ThemeChoice choice);
/// System for anything else.
ThemeChoice themeChoiceFromName(const QString& name);

/// Puts a theme on the application: style, palette, and the few rules of resources/themes/altiscope.qss. Widgets learn
/// of a change by QEvent::PaletteChange. Owned by main(). With ThemeChoice::System the look follows the desktop, also
/// while the program runs.
class ThemeController : public QObject {
    Q_OBJECT
public:
    /// Applies ThemeChoice::System. The application must outlive the controller.
    explicit ThemeController(QApplication& application);

    ThemeChoice choice() const { return m_choice; }
    void setChoice(ThemeChoice choice);
    const Theme& theme() const;

    /// Size of all texts, in percent of the desktop's.
    static constexpr int kMinTextSize = 70, kMaxTextSize = 250, kUsualTextSize = 100;
    int textSize() const { return m_textSize; }
    /// Widgets learn of a change by QEvent::FontChange. Sizes outside of the limits are the nearest one.
    void setTextSize(int percent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void apply();

    QApplication& m_application;
    ThemeChoice m_choice = ThemeChoice::System;
    bool m_systemDark = false;
    const QFont m_usualFont;
    int m_textSize = kUsualTextSize;
};

}  // namespace altiscope
