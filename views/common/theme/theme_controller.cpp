#include "views/common/theme/theme_controller.h"

#include "views/common/theme/control_style.h"

#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// The rules of the style sheet with @name replaced by the theme's colours and sizes.
QString styleSheetOf(const Theme& theme) {
    QFile file(u":/themes/altiscope.qss"_s);
    if (!file.open(QIODevice::ReadOnly)) return {};
    QString rules = QString::fromUtf8(file.readAll());
    const std::array<std::pair<QLatin1StringView, QColor>, 7> tokens{{{"@background"_L1, theme.background},
                                                                      {"@raised"_L1, theme.raised},
                                                                      {"@sunken"_L1, theme.sunken},
                                                                      {"@text"_L1, theme.text},
                                                                      {"@muted"_L1, theme.muted},
                                                                      {"@accent"_L1, theme.accent},
                                                                      {"@hairLine"_L1, theme.hairLine}}};
    for (const auto& [token, colour] : tokens) rules.replace(token, colour.name());
    rules.replace("@tabPadding"_L1, QString::number(kTabPadding));
    rules.replace("@tightTabPadding"_L1, QString::number(kTightTabPadding));
    return rules;
}

/// The look that the desktop requests. The Fusion style knows from the platform; asking a fresh one leaves the palette
/// that is in use alone.
bool systemIsDark() {
    const std::unique_ptr<QStyle> fusion(QStyleFactory::create(u"Fusion"_s));
    return fusion != nullptr && themeOf(fusion->standardPalette()).dark;
}

}  // namespace

QString themeChoiceName(ThemeChoice choice) {
    switch (choice) {
    case ThemeChoice::System: return u"system"_s;
    case ThemeChoice::Light: return u"light"_s;
    case ThemeChoice::Dark: return u"dark"_s;
    }
    return {};
}

ThemeChoice themeChoiceFromName(const QString& name) {
    if (name == u"light") return ThemeChoice::Light;
    if (name == u"dark") return ThemeChoice::Dark;
    return ThemeChoice::System;
}

ThemeController::ThemeController(QApplication& application)
    // Before our own palette is set the application shows the desktop's.
    : m_application(application), m_systemDark(themeOf(QApplication::palette()).dark || systemIsDark()),
      m_usualFont(QApplication::font()) {
    QApplication::setStyle(new ControlStyle);
    application.installEventFilter(this);
    apply();
}

void ThemeController::setChoice(ThemeChoice choice) {
    if (choice == m_choice) return;
    m_choice = choice;
    apply();
}

void ThemeController::setTextSize(int percent) {
    percent = std::clamp(percent, kMinTextSize, kMaxTextSize);
    if (percent == m_textSize) return;
    m_textSize = percent;
    QFont font = m_usualFont;
    // A desktop gives either.
    if (m_usualFont.pointSizeF() > 0) font.setPointSizeF(m_usualFont.pointSizeF() * percent / kUsualTextSize);
    else font.setPixelSize(m_usualFont.pixelSize() * percent / kUsualTextSize);
    QApplication::setFont(font);
    // Sizes of controls come from the rules, which are computed anew.
    m_application.setStyleSheet(styleSheetOf(theme()));
}

const Theme& ThemeController::theme() const {
    const bool dark = m_choice == ThemeChoice::Dark || (m_choice == ThemeChoice::System && m_systemDark);
    return dark ? darkTheme() : lightTheme();
}

bool ThemeController::eventFilter(QObject* watched, QEvent* event) {
    // Windows are notified when the desktop changes its look.
    if (event->type() == QEvent::ThemeChange && watched->isWindowType()) {
        const bool dark = systemIsDark();
        if (std::exchange(m_systemDark, dark) != dark) apply();
    }
    return QObject::eventFilter(watched, event);
}

void ThemeController::apply() {
    QApplication::setPalette(paletteOf(theme()));
    m_application.setStyleSheet(styleSheetOf(theme()));
}

}  // namespace altiscope
