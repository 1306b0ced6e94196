#include "app/gui/lower_dock.h"

#include "app/gui/user_settings.h"
#include "app/gui/window_pages.h"
#include "core/session/selection.h"
#include "views/findings/evidence_bar.h"

#include <QAction>
#include <QApplication>
#include <QMainWindow>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// Height in pixels until the user sets another one.
constexpr int kMinHeight = 220, kMaxHeight = 420;
/// Height of the dock, in percent of the window's.
constexpr int kShare = 40;

QString shownKey(ViewId view) { return u"bottom_"_s + viewName(view); }
QString heightKey() { return u"bottom_height"_s; }

}  // namespace

WindowDock::WindowDock(QWidget* parent, std::function<void()> focusGone)
    : QDockWidget(parent), m_focusGone(std::move(focusGone)) {}

void WindowDock::setVisible(bool visible) {
    const bool takesFocus = !visible && isAncestorOf(QApplication::focusWidget());
    QDockWidget::setVisible(visible);
    if (takesFocus) m_focusGone();
}

LowerDock::LowerDock(QMainWindow& window, UserSettings& settings, WindowPages& pages, const Selection& selection,
                     std::function<void()> focusGone)
    : WindowDock(&window, std::move(focusGone)), m_window(window), m_settings(settings), m_pages(pages),
      m_selection(selection) {
    setObjectName(u"bottom"_s);
    toggleViewAction()->setShortcut(Qt::Key_Q);
    connect(toggleViewAction(), &QAction::toggled, this, [this](bool shown) {
        if (!m_follows && m_window.isVisible()) m_settings.setViewValue(shownKey(m_pages.currentView()), shown);
    });
}

LowerDock::~LowerDock() {
    // Going away with the window is no wish of the user.
    toggleViewAction()->disconnect(this);
}

void LowerDock::setVisible(bool visible) {
    // Qt gives a dock that was hidden what is left of the height.
    const bool changes = visible == isHidden();
    if (changes && !visible) storeHeight();
    WindowDock::setVisible(visible);
    if (changes && visible) restoreHeight();
}

void LowerDock::followPage() {
    const QVariant wanted = m_settings.viewValue(shownKey(m_pages.currentView()));
    setShown(wanted.isValid() ? wanted.toBool() : m_pages.currentView() == ViewId::Timeline && isWantedBySelection());
}

void LowerDock::followSelection() {
    if (isWantedBySelection() && isHidden()) followPage();
}

void LowerDock::layOut(const std::function<void()>& restore) {
    m_follows = m_hasHeight = true;
    restore();
    m_follows = m_hasHeight = false;
}

void LowerDock::keepHeight() {
    if (isVisible()) storeHeight();
}

void LowerDock::forget() {
    for (const ViewId view : allViews()) m_settings.setViewValue(shownKey(view), QVariant());
    m_settings.setViewValue(heightKey(), QVariant());
}

void LowerDock::setShown(bool shown) {
    m_follows = true;
    setVisible(shown);
    m_follows = false;
}

void LowerDock::storeHeight() {
    // A page that needs all that it has has taken the rest from the panel.
    const bool isSqueezed = m_pages.height() <= m_pages.minimumSizeHint().height();
    if (heightCounts() && !isSqueezed) m_settings.setViewValue(heightKey(), height());
}

void LowerDock::restoreHeight() {
    if (!heightCounts()) return;
    const int kept = m_settings.viewValue(heightKey()).toInt(), room = m_window.height();
    // So that lists have eight rows and more on a screen of usual height, and six on one of 800 pixels.
    const int fresh = std::clamp(room * kShare / 100, kMinHeight, kMaxHeight);
    const int wanted = kept > 0 ? std::min(kept, room / 2) : fresh;
    m_window.resizeDocks({this}, {wanted}, Qt::Vertical);
    // Again after the layout: the page from before may have needed more than the one that comes up.
    QTimer::singleShot(0, this, [this, wanted] {
        if (isVisible() && heightCounts() && height() < wanted) m_window.resizeDocks({this}, {wanted}, Qt::Vertical);
    });
}

bool LowerDock::isWantedBySelection() const {
    const SelectionState& state = m_selection.current();
    // In a low window the rows of a finding need the height.
    const bool isTight = m_window.height() * kShare / 100 < kMinHeight && m_pages.evidenceBar().finding() != nullptr;
    return state.slice || (state.range && !isTight);
}

bool LowerDock::heightCounts() const { return !isFloating() && m_window.isVisible() && !m_hasHeight; }

}  // namespace altiscope
