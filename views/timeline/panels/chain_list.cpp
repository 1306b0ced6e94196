#include "views/timeline/panels/chain_list.h"

#include "core/session/job_runner.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/row_copy.h"
#include "views/timeline/scene/timeline_selection.h"

#include <QCoreApplication>
#include <QMenu>

#include <algorithm>

namespace altiscope {

namespace {

constexpr int kPlaceRole = Qt::UserRole;  // in m_keys
constexpr std::size_t kMaxInMenu = 20;

struct ChainTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::ChainList)
};

QString shortName(std::string_view name) {
    constexpr qsizetype kMaxText = 60;
    QString text = toQString(name);
    if (text.size() > kMaxText) text = text.first(kMaxText / 2) + QChar(0x2026) + text.last(kMaxText / 2);
    return text.replace(u'&', QStringLiteral("&&"));
}

void fillLinks(QMenu& menu, const std::vector<ChainLink>& links, std::size_t more, const SelectedSlice& of,
               TimelineSelection& selection) {
    menu.clear();
    menu.menuAction()->setEnabled(!links.empty());
    for (const ChainLink& link : links) {
        // By key: while the menu is open, its stores may be replaced.
        const SliceKey key{of.key.rank, of.trace->id(link.slice)};
        menu.addAction(ChainTexts::tr("%1: %2").arg(chainRoleTitle(link.role), shortName(of.trace->name(link.slice))),
                       &selection,
                       [&selection, capture = of.capture, key] { selection.selectAndReveal(capture, key); });
    }
    if (more > 0) menu.addAction(ChainTexts::tr("%1 more: see the details").arg(formatCount(more)))->setEnabled(false);
}

QMenu* addLinkMenu(QMenu& menu, const QString& title) {
    QMenu* links = menu.addMenu(title);
    links->addAction(ChainTexts::tr("Searching…"))->setEnabled(false);
    return links;
}

struct ChainResult {
    std::vector<ChainLink> causes;
    std::size_t moreCauses = 0;
    SliceEffects effects;
};

/// Request of a menu while it is open.
class ChainQuery : public QObject {
public:
    ChainQuery(JobRunner& runner, QMenu& menu) : QObject(&menu), m_slot(runner) {}
    JobSlot& slot() { return m_slot; }

private:
    JobSlot m_slot;
};

}  // namespace

QString chainRoleTitle(ChainRole role) {
    switch (role) {
    case ChainRole::Launch: return ChainTexts::tr("Launch");
    case ChainRole::CannCall: return ChainTexts::tr("CANN call");
    case ChainRole::Dequeue: return ChainTexts::tr("Dequeuing");
    case ChainRole::Enqueue: return ChainTexts::tr("Enqueuing");
    case ChainRole::Operator: return ChainTexts::tr("Operator");
    case ChainRole::Python: return ChainTexts::tr("Python");
    case ChainRole::Forward: return ChainTexts::tr("Forward operator");
    case ChainRole::Backward: return ChainTexts::tr("Backward operator");
    case ChainRole::Device: return ChainTexts::tr("On the device");
    case ChainRole::Next: return ChainTexts::tr("Next on the stream");
    case ChainRole::Synchronize: return ChainTexts::tr("Waited for its end");
    case ChainRole::Other: break;
    }
    return ChainTexts::tr("Flow");
}

void addChainMenus(QMenu& menu, const SelectedSlice& selected, TimelineSelection& selection, JobRunner& runner) {
    QMenu* causes = addLinkMenu(menu, ChainTexts::tr("La&unched by"));
    QMenu* effects = addLinkMenu(menu, ChainTexts::tr("&Followed by"));
    auto* query = new ChainQuery(runner, menu);
    query->slot().start(
        [trace = selected.trace, slice = selected.place.slice](const CancelToken& cancel) {
            ChainResult result{.causes = causesOf(*trace, slice),
                               .moreCauses = 0,
                               .effects = effectsOf(*trace, slice, kMaxInMenu, cancel)};
            result.moreCauses = result.causes.size() - std::min(result.causes.size(), kMaxInMenu);
            result.causes.resize(result.causes.size() - result.moreCauses);
            return result;
        },
        [causes, effects, selected, &selection](const ChainResult& result) {
            fillLinks(*causes, result.causes, result.moreCauses, selected, selection);
            fillLinks(*effects, result.effects.links, result.effects.excluded, selected, selection);
        });
}

ChainList::ChainList(QWidget* parent) : QTreeWidget(parent) {
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setRootIsDecorated(false);
    // Lines of Python begin with the path of their file.
    setTextElideMode(Qt::ElideLeft);
    copyRowsByKey(*this);
    const auto follow = [this](QTreeWidgetItem* item) {
        const QVariant place = item->data(0, kPlaceRole);
        if (place.isValid()) emit followed(m_keys[static_cast<std::size_t>(place.toULongLong())]);
    };
    connect(this, &QTreeWidget::itemClicked, this, follow);
    connect(this, &QTreeWidget::itemActivated, this, follow);
}

bool ChainList::show(const SliceFacts& facts) {
    clear();
    m_keys.clear();
    setHeaderLabels({tr("What"), tr("Name"), tr("Track"), tr("Time"), tr("Duration")});
    setAccessibleName(tr("Launch chain and flows"));
    setToolTip(tr("Click a slice to select it and scroll to it"));
    const auto add = [&](const QString& title, const std::vector<SliceFacts::Step>& steps) {
        if (steps.empty()) return;
        auto* group = new QTreeWidgetItem(this, {title});
        QFont bold = font();
        bold.setBold(true);
        group->setFont(0, bold);
        group->setFirstColumnSpanned(true);
        for (const SliceFacts::Step& step : steps) {
            // The flow that leads there, if one does so directly.
            const auto flow =
                std::find_if(facts.links.begin(), facts.links.end(),
                             [&step](const SliceFacts::Link& link) { return link.key && *link.key == step.key; });
            const QString role =
                flow == facts.links.end()
                    ? chainRoleTitle(step.role)
                    : tr("%1 (%2)", "Launch (async_npu)").arg(chainRoleTitle(step.role), toQString(flow->category));
            auto* item = new QTreeWidgetItem(group, {role, toQString(step.name), toQString(step.track),
                                                     formatRelativeTime(step.begin, facts.origin),
                                                     formatDuration(step.duration)});
            item->setData(0, kPlaceRole, static_cast<qulonglong>(m_keys.size()));
            for (const int column : {3, 4}) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
            item->setToolTip(1, item->text(1));
            m_keys.push_back(step.key);
        }
    };
    add(tr("Launched by"), facts.causes);
    add(tr("Followed by"), facts.effects);
    if (facts.effectsExcluded > 0)
        new QTreeWidgetItem(topLevelItem(topLevelItemCount() - 1),
                            {QString(), tr("%1 more not listed").arg(formatCount(facts.effectsExcluded))});
    addFlows(facts);
    expandAll();
    for (int column = 0; column < columnCount(); ++column) resizeColumnToContents(column);
    return topLevelItemCount() > 0;
}

/// Flows whose other end stands in neither list, or in no slice.
void ChainList::addFlows(const SliceFacts& facts) {
    /// A flow from one slice to thousands is shown by its number; more rows than this nobody reads.
    constexpr std::size_t kMaxFlows = 2000;
    if (facts.otherLinks.empty()) return;
    auto* group = new QTreeWidgetItem(this, {tr("Other flows")});
    QFont bold = font();
    bold.setBold(true);
    group->setFont(0, bold);
    group->setFirstColumnSpanned(true);
    const std::size_t count = std::min(facts.otherLinks.size(), kMaxFlows);
    for (std::size_t i = 0; i < count; ++i) {
        const SliceFacts::Link& link = facts.links[facts.otherLinks[i]];
        const bool isKnown = link.key.has_value();
        const QString category = toQString(link.category);
        auto* item = new QTreeWidgetItem(
            group, {link.outgoing ? tr("To, by %1").arg(category) : tr("From, by %1").arg(category),
                    isKnown ? toQString(link.name) : tr("no slice"), toQString(link.track),
                    formatRelativeTime(link.time, facts.origin), isKnown ? formatDuration(link.duration) : QString()});
        for (const int column : {3, 4}) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(1, item->text(1));
        if (isKnown) {
            item->setData(0, kPlaceRole, static_cast<qulonglong>(m_keys.size()));
            m_keys.push_back(*link.key);
        } else {
            item->setDisabled(true);
        }
    }
    if (facts.otherLinks.size() > count)
        new QTreeWidgetItem(group,
                            {QString(), tr("%1 more not listed").arg(formatCount(facts.otherLinks.size() - count))});
}

}  // namespace altiscope
