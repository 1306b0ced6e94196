#include "views/timeline/panels/flow_button.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"
#include "views/timeline/overlay/flow_layer.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QWidgetAction>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// So many can be overlooked without a search.
constexpr std::size_t kFewCategories = 8;
const QString kMemoryOfFlows = u"timeline/flows"_s;

}  // namespace

FlowButton::FlowButton(FlowLayer& flows, QWidget* parent)
    : QToolButton(parent), m_flows(flows), m_menu(new QMenu(this)), m_text(new QLineEdit) {
    setAutoRaise(true);
    setPopupMode(QToolButton::InstantPopup);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setIconSize(QSize(16, 16));
    setMenu(m_menu);
    m_text->setClearButtonEnabled(true);
    auto* field = new QWidgetAction(m_menu);
    field->setDefaultWidget(m_text);
    m_menu->addAction(field);
    m_field = field;
    m_wait = m_menu->addAction(QString());
    m_wait->setEnabled(false);
    m_menu->addSeparator();
    m_all = m_menu->addAction(QString(), this, [this] {
        std::set<std::string> all;
        for (const auto& [category, count] : m_flows.counts()) all.insert(category);
        m_flows.setChosen(std::move(all));
    });
    m_none = m_menu->addAction(QString(), this, [this] { m_flows.setChosen({}); });
    m_menu->addSeparator();
    m_onlyMarked = m_menu->addAction(QString(), this, [this](bool on) { m_flows.setOnlyMarked(on); });
    m_onlyMarked->setCheckable(true);
    connect(m_menu, &QMenu::aboutToShow, this, [this] {
        m_text->clear();
        list();
    });
    connect(m_text, &QLineEdit::textChanged, this, &FlowButton::filter);
    connect(&flows, &FlowLayer::countsChanged, this, [this] {
        if (m_menu->isVisible()) list();
    });
    connect(&flows, &FlowLayer::chosenChanged, this, &FlowButton::refresh);
    refresh();
}

void FlowButton::remember(const ViewMemory& memory) {
    std::set<std::string> chosen;
    for (const QString& category : memory.value(kMemoryOfFlows).toStringList()) chosen.insert(category.toStdString());
    m_flows.setChosen(std::move(chosen));
    connect(&m_flows, &FlowLayer::chosenChanged, this, [this, memory] {
        QStringList names;
        for (const std::string& category : m_flows.chosen()) names << toQString(category);
        memory.setValue(kMemoryOfFlows, names);
    });
}

void FlowButton::list() {
    qDeleteAll(m_categories);
    m_categories.clear();
    const auto counts = m_flows.counts();
    for (const auto& [category, count] : counts) {
        // A box and not a checkable action: the menu stays open while several are chosen.
        auto* box = new QCheckBox(tr("%1  (%2)", "category of flows, their number")
                                      .arg(toQString(category).replace(u'&', u"&&"_s), formatCount(count.flows)));
        box->setChecked(m_flows.chosen().contains(category));
        if (count.loose > 0)
            box->setToolTip(
                tr("%1 more have an end outside of any slice: they are not drawn.").arg(formatCount(count.loose)));
        connect(box, &QCheckBox::toggled, this, [this, name = category](bool on) {
            std::set<std::string> chosen = m_flows.chosen();
            if (on) chosen.insert(name);
            else chosen.erase(name);
            m_flows.setChosen(std::move(chosen));
        });
        auto* action = new QWidgetAction(m_menu);
        auto* line = new QWidget;
        line->setFocusPolicy(Qt::StrongFocus);
        line->setFocusProxy(box);
        auto* around = new QHBoxLayout(line);
        around->setContentsMargins(8, 2, 8, 2);
        around->addWidget(box);
        action->setDefaultWidget(line);
        action->setData(toQString(category));
        m_menu->insertAction(m_wait, action);
        m_categories.push_back(action);
    }
    m_field->setVisible(counts.size() > kFewCategories);
    m_text->setVisible(counts.size() > kFewCategories);
    m_wait->setVisible(counts.empty());
    m_wait->setText(m_flows.idle() ? tr("No flows were recorded") : tr("Flows are being counted"));
    m_all->setEnabled(!counts.empty());
    filter(m_text->text());
}

void FlowButton::filter(const QString& text) {
    for (QAction* action : m_categories) {
        const bool fits = action->data().toString().contains(text.trimmed(), Qt::CaseInsensitive);
        action->setVisible(fits);
        static_cast<QWidgetAction*>(action)->defaultWidget()->setVisible(fits);
    }
}

void FlowButton::refresh() {
    const std::size_t chosen = m_flows.chosen().size();
    setIcon(themedIcon(u"flows"_s, chosen > 0 ? IconTone::Accent : IconTone::Muted));
    setText(chosen > 0 ? formatCount(chosen) : QString());
    setToolTip(chosen > 0 ? tr("Flows of %n categories are drawn: choose which", nullptr, static_cast<int>(chosen))
                          : tr("Choose which flows are drawn"));
    setAccessibleName(tr("Flows that are drawn"));
    m_all->setText(tr("Show all flows"));
    m_none->setText(tr("Show no flows"));
    m_onlyMarked->setText(tr("Only with an end in the &marked time"));
    m_onlyMarked->setChecked(m_flows.onlyMarked());
    m_none->setEnabled(chosen > 0);
    m_text->setPlaceholderText(tr("Only categories with this text"));
    for (QAction* action : m_categories) {
        auto* box = static_cast<QWidgetAction*>(action)->defaultWidget()->findChild<QCheckBox*>();
        const QSignalBlocker quiet(box);
        box->setChecked(m_flows.chosen().contains(action->data().toString().toStdString()));
    }
}

void FlowButton::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refresh();
    QToolButton::changeEvent(event);
}

}  // namespace altiscope
