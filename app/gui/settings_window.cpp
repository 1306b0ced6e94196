#include "app/gui/settings_window.h"

#include "app/gui/user_settings.h"
#include "app/gui/window_actions.h"
#include "app/gui/window_bindings.h"
#include "app/gui/window_pages.h"
#include "core/session/cache_choice.h"
#include "core/session/session.h"
#include "views/common/widgets/key_editor.h"
#include "views/findings/thresholds_panel.h"
#include "views/settings/look_page.h"
#include "views/settings/settings_dialog.h"
#include "views/settings/storage_page.h"
#include "views/timeline/page/timeline_page.h"

#include <QFile>

#include <algorithm>

namespace altiscope {

SettingsWindow::SettingsWindow(const WindowServices& services, WindowActions& actions, WindowPages& pages,
                               QWidget& window)
    : QObject(&window), m_services(services), m_actions(actions), m_pages(pages), m_window(window),
      m_timelineKeys(pages.timeline().makeKeyBindings(this)),
      m_windowKeys(new WindowBindings(actions, services.settings, window, *m_timelineKeys, this)) {}

SettingsWindow::~SettingsWindow() { delete m_dialog; }

void SettingsWindow::apply(const WindowServices& services) {
    services.theme.setTextSize(services.settings.textSize());
    CacheChoice cache;
    cache.folder = QFile::encodeName(services.settings.cacheFolder()).toStdString();
    if (!cache.folder.empty() && problemOfCacheFolder(cache.folder)) cache.folder.clear();
    if (const std::uint64_t limit = services.settings.cacheLimit(); limit > 0) cache.limit = limit;
    chooseCache(std::move(cache));
    services.session.setMemoryLimit(services.settings.memoryLimit());
}

void SettingsWindow::open() {
    // One that was closed goes soon.
    if (m_dialog == nullptr || m_dialog->isHidden()) make();
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

void SettingsWindow::retranslate() { emit m_windowKeys->changed(); }

void SettingsWindow::make() {
    m_dialog = new SettingsDialog(&m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    UserSettings& settings = m_services.settings;

    auto* look = new LookPage(m_services.theme, m_services.language);
    connect(look, &LookPage::themeChosen, this, &SettingsWindow::themeChosen);
    connect(look, &LookPage::languageChosen, this, &SettingsWindow::languageChosen);
    connect(look, &LookPage::textSizeChosen, this, [this](int percent) {
        m_services.theme.setTextSize(percent);
        m_services.settings.setTextSize(percent);
    });
    // Menus choose them too.
    connect(&m_actions, &WindowActions::triggered, look, &LookPage::refresh, Qt::QueuedConnection);
    m_dialog->addPage([] { return tr("Look and language"); }, look);

    auto* storage = new StoragePage(m_services.session.jobs(), settings.memoryLimit());
    connect(storage, &StoragePage::cacheChosen, this, [&settings] {
        const CacheChoice choice = cacheChoice();
        settings.setCacheFolder(QFile::decodeName(choice.folder.c_str()));
        settings.setCacheLimit(choice.limit);
    });
    connect(storage, &StoragePage::memoryChosen, this, [this](quint64 bytes) {
        m_services.settings.setMemoryLimit(bytes);
        m_services.session.setMemoryLimit(bytes);
    });
    m_dialog->addPage([] { return tr("Cache and memory"); }, storage);

    m_dialog->addPage([] { return tr("Keys of the window"); },
                      new KeyEditor(*m_windowKeys, [] { return tr("Keys of the window"); }));
    m_dialog->addPage([] { return tr("Keys of the timeline"); },
                      new KeyEditor(*m_timelineKeys, [] { return tr("Keys of the timeline"); }));
    m_dialog->addPage([] { return tr("Thresholds of findings"); }, new ThresholdsPanel(m_pages.findingSettings()));
    m_dialog->addPage([] { return tr("Colours by rule"); }, m_pages.timeline().makeColourRules(nullptr));
}

}  // namespace altiscope
