#include "views/timeline/panels/track_filter_button.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"
#include "views/timeline/rows/row_titles.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLineEdit>
#include <QMenu>
#include <QWidgetAction>

#include <algorithm>
#include <map>
#include <set>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct Kinds {
    Q_DECLARE_TR_FUNCTIONS(altiscope::TrackKinds)
};

/// Kinds that shown ranks have.
std::set<TrackKind> kindsOf(const TimelineModel& model) {
    std::set<TrackKind> kinds;
    for (const TimelineSource& source : model.sources()) {
        for (const RankEntry& rank : source.store->ranks) {
            if (rank.trace == nullptr || !model.context().holds(rank.info)) continue;
            for (const Track& track : rank.trace->tracks()) kinds.insert(track.kind);
        }
    }
    return kinds;
}

}  // namespace

QString trackKindTitle(TrackKind kind) {
    switch (kind) {
    case TrackKind::Python: return Kinds::tr("Python");
    case TrackKind::Stack: return Kinds::tr("Call stacks");
    case TrackKind::Cann: return Kinds::tr("CANN");
    case TrackKind::Hardware: return Kinds::tr("Streams of the NPU");
    case TrackKind::Communication: return Kinds::tr("Communication");
    case TrackKind::Overlap: return Kinds::tr("Overlap Analysis");
    case TrackKind::Counter: return Kinds::tr("Counters");
    case TrackKind::Mstx: return Kinds::tr("Program marks (mstx)");
    case TrackKind::Scope: return Kinds::tr("Scopes");
    case TrackKind::Gc: return Kinds::tr("Garbage collection");
    case TrackKind::Other: break;
    }
    return Kinds::tr("Other");
}

TrackFilterButton::TrackFilterButton(TimelineScene& scene, QWidget* parent)
    : QToolButton(parent), m_scene(scene), m_menu(new QMenu(this)), m_text(new QLineEdit) {
    setAutoRaise(true);
    setPopupMode(QToolButton::InstantPopup);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setIconSize(QSize(16, 16));
    setMenu(m_menu);
    m_text->setClearButtonEnabled(true);
    m_text->setMinimumWidth(fontMetrics().averageCharWidth() * 36);
    auto* field = new QWidgetAction(m_menu);
    field->setDefaultWidget(m_text);
    m_menu->addAction(field);
    m_menu->addSeparator();
    m_afterKinds = m_menu->addSeparator();
    m_all = m_menu->addAction(QString(), this, [this] {
        m_text->clear();
        m_scene.setFilter({});
    });
    connect(m_menu, &QMenu::aboutToShow, this, [this] {
        listKinds();
        listHidden();
        QMetaObject::invokeMethod(m_text, qOverload<>(&QWidget::setFocus), Qt::QueuedConnection);
    });
    connect(m_text, &QLineEdit::textChanged, this, [this](const QString& text) {
        TrackFilter filter = m_scene.model().filter();
        filter.text = text.trimmed();
        m_scene.setFilter(filter);
    });
    connect(m_text, &QLineEdit::returnPressed, m_menu, &QMenu::close);
    connect(&scene, &TimelineScene::rowsChanged, this, &TrackFilterButton::refresh);
    refresh();
}

void TrackFilterButton::open() {
    m_menu->popup(mapToGlobal(rect().bottomLeft()));
    m_text->setFocus();
    m_text->selectAll();
}

void TrackFilterButton::listKinds() {
    qDeleteAll(m_kinds);
    m_kinds.clear();
    for (const TrackKind kind : kindsOf(m_scene.model())) {
        auto* action = m_kinds.emplace_back(new QAction(trackKindTitle(kind), m_menu));
        m_menu->insertAction(m_afterKinds, action);
        action->setCheckable(true);
        action->setChecked(!m_scene.model().filter().hiddenKinds.contains(kind));
        connect(action, &QAction::toggled, this, [this, kind](bool shown) {
            TrackFilter filter = m_scene.model().filter();
            if (shown) filter.hiddenKinds.erase(kind);
            if (!shown) filter.hiddenKinds.insert(kind);
            m_scene.setFilter(filter);
        });
    }
}

/// Rows that were hidden by hand, to be brought back by name.
void TrackFilterButton::listHidden() {
    constexpr std::size_t kMaxListed = 30;
    std::map<QString, std::vector<RowKey>> byTitle;
    for (const RowKey& key : m_scene.model().filter().hidden) {
        if (const QString title = rowTitleOf(m_scene.model().sources(), key); !title.isEmpty())
            byTitle[title].push_back(key);
    }
    if (byTitle.empty()) return;
    m_kinds.push_back(m_menu->insertSeparator(m_afterKinds));
    for (const auto& [title, keys] : byTitle) {
        if (m_kinds.size() > kMaxListed) break;
        const QString text =
            keys.size() > 1 ? tr("%1, on %n rank(s)", nullptr, static_cast<int>(keys.size())).arg(title) : title;
        auto* action = m_kinds.emplace_back(new QAction(QString(text).replace(u'&', u"&&"_s), m_menu));
        m_menu->insertAction(m_afterKinds, action);
        action->setCheckable(true);
        connect(action, &QAction::toggled, this, [this, hidden = keys](bool shown) {
            TrackFilter filter = m_scene.model().filter();
            for (const RowKey& key : hidden) {
                if (shown) filter.hidden.erase(key);
                else filter.hidden.insert(key);
            }
            m_scene.setFilter(filter);
        });
    }
}

void TrackFilterButton::refresh() {
    // A layout, or a step back, brings its own text.
    const QString text = m_scene.model().filter().text;
    if (m_text->text().trimmed() != text) m_text->setText(text);
    const std::size_t hidden = m_scene.model().hiddenTracks();
    setIcon(themedIcon(u"hidden"_s, hidden > 0 ? IconTone::Accent : IconTone::Muted));
    setText(hidden > 0 ? formatCount(hidden) : QString());
    setToolTip(hidden > 0 ? tr("%n track(s) are hidden: choose which are shown (T)", nullptr, static_cast<int>(hidden))
                          : tr("Choose which tracks are shown (T)"));
    setAccessibleName(tr("Tracks that are shown"));
    m_all->setText(tr("Show all tracks"));
    m_all->setEnabled(!m_scene.model().filter().empty());
    m_text->setPlaceholderText(tr("Only tracks with this text"));
}

void TrackFilterButton::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refresh();
    QToolButton::changeEvent(event);
}

}  // namespace altiscope
