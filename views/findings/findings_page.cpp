#include "views/findings/findings_page.h"

#include "core/findings/run_rules.h"
#include "views/common/pages/message_page.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/support/text_font.h"
#include "views/common/tables/table_panel.h"
#include "views/findings/finding_details.h"
#include "views/findings/findings_table.h"
#include "views/findings/thresholds_panel.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

// Keys of Findings:
// - `Del`: Do not show the finding again, or show it again
FindingsPage::FindingsPage(Session& session, Selection& selection, FindingsLoader& loader, FindingSettings& settings,
                           const ViewMemory& memory, QWidget* parent)
    : DataPage(parent), m_selection(selection), m_session(session), m_loader(loader), m_settings(settings),
      m_found(loader.found()), m_title(new QLabel(this)), m_showHidden(new QCheckBox(this)),
      m_stack(new QStackedLayout), m_nothing(new MessagePage(this)),
      m_table(new TablePanel(session, memory, u"findings"_s, this)), m_below(new QTabWidget(this)),
      m_details(new FindingDetails(this)), m_thresholds(new ThresholdsPanel(settings, this)),
      m_mute(new QAction(this)) {
    setUp();
    connect(&loader, &FindingsLoader::changed, this, &FindingsPage::takeFindings);
    connect(&settings, &FindingSettings::mutedChanged, this, &FindingsPage::rebuild);
    connect(&selection, &Selection::changed, this, [this, context = ContextFilter()]() mutable {
        if (std::exchange(context, m_selection.current().context) != context) rebuild();
    });
    m_showHidden->setObjectName(u"show_hidden"_s);
    connect(m_showHidden, &QCheckBox::toggled, this, &FindingsPage::rebuild);
    DataTable& table = m_table->table();
    connect(&table, &DataTable::activated, this, &FindingsPage::showEvidence);
    connect(&table.loader(), &TableLoader::rowsChanged, this, &FindingsPage::keepCurrent);
    connect(&table, &DataTable::currentChanged, this, [this] {
        if (const auto row = m_table->table().currentRow(); row && *row < m_shown.size())
            m_currentKey = m_items[m_shown[*row]].key;
        showCurrent();
    });
    connect(m_details, &FindingDetails::spotRequested, this, [this](std::size_t spot) {
        if (const auto current = currentFinding()) emit evidenceRequested(*current, spot);
    });
    connect(m_details, &FindingDetails::thresholdRequested, this, [this](const QString& name) {
        m_below->setCurrentWidget(m_thresholds);
        m_thresholds->showThreshold(name);
    });
    connect(m_mute, &QAction::triggered, this, &FindingsPage::muteChosen);
    retranslate();
    takeFindings();
}

void FindingsPage::setUp() {
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    auto* column = bareLayout<QVBoxLayout>(this);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(8, 4, 8, 0);
    followTextSize(*m_title, 1.2);
    head->addWidget(m_title, 1);
    head->addWidget(m_showHidden);
    column->addLayout(head);
    auto* whole = new QSplitter(Qt::Vertical, this);
    auto* upper = new QWidget(whole);
    upper->setLayout(m_stack);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_nothing);
    m_below->setDocumentMode(true);
    m_below->addTab(m_details, QString());
    m_below->addTab(m_thresholds, QString());
    whole->addWidget(upper);
    whole->addWidget(m_below);
    whole->setChildrenCollapsible(false);
    whole->setSizes({500, 500});
    column->addWidget(whole, 1);

    m_table->filterBar().setExample(u"recoverable > 5ms and rule != \"missing_data\""_s);
    DataTable& table = m_table->table();
    table.setWideColumn(static_cast<std::size_t>(FindingColumn::Title));
    setFocusProxy(m_table);
    m_mute->setShortcut(Qt::Key_Delete);
    m_mute->setShortcutContext(Qt::WidgetShortcut);
    table.addAction(m_mute);
    table.setRowMenu([this](QMenu& menu, std::uint32_t row) { fillMenu(menu, row); });
    table.setCellIcon([this](std::uint32_t row, std::size_t which) {
        if (row >= m_shown.size()) return QIcon();
        const FindingItem& item = m_items[m_shown[row]];
        if (which == static_cast<std::size_t>(FindingColumn::Severity))
            return themedIcon(weightIcon(item.weight), weightTone(item.weight));
        const bool hidden = which == static_cast<std::size_t>(FindingColumn::Title) && m_settings.isMuted(item.key);
        return hidden ? themedIcon(u"hidden"_s, IconTone::Muted) : QIcon();
    });
    table.setCellTip([this](std::uint32_t row, std::size_t which) {
        if (row >= m_shown.size()) return QString();
        const FindingItem& item = m_items[m_shown[row]];
        if (which == static_cast<std::size_t>(FindingColumn::Title)) return item.detail;
        if (which == static_cast<std::size_t>(FindingColumn::Severity)) return item.severityReason;
        if (which == static_cast<std::size_t>(FindingColumn::Recoverable))
            return (item.recoverable ? formatExactNs(*item.recoverable) + u'\n' : QString()) + item.formula;
        return QString();
    });
}

bool FindingsPage::idle() const { return !m_loader.busy() && !m_table->table().loader().busy(); }

// --- what is shown ------------------------------------------------------------------------------------------------

void FindingsPage::takeFindings() {
    m_found = m_loader.found();
    m_items.clear();
    for (const Finding& finding : m_found->findings) m_items.push_back(findingItem(finding));
    rebuild();
}

void FindingsPage::rebuild() {
    const ContextFilter context = m_selection.current().context.forCapture(m_loader.shown());
    m_shown.clear();
    m_outside = 0;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (m_settings.isMuted(m_items[i].key) && !m_showHidden->isChecked()) continue;
        if (contextHolds(context, *m_found->capture, m_found->findings[i])) m_shown.push_back(i);
        else ++m_outside;
    }
    if (m_found->capture) {
        m_table->setSource(findingTable(*m_found, m_items, m_shown), findingHeadings());
    } else {
        m_table->setSource(nullptr, {});
    }
    m_table->setScope(context.empty() ? QString() : tr("within the filter of all pages"));
    showReason();
    const bool any = !m_items.empty() && !(m_shown.empty() && m_outside > 0);
    const bool appears = any && m_stack->currentWidget() != m_table;
    m_stack->setCurrentWidget(any ? m_table : static_cast<QWidget*>(m_nothing));
    // The table could not take the focus while it was hidden.
    if (appears && isVisible()) setFocus();
    showTitle();
    showCurrent();
}

/// Why there is nothing: nothing to find, nothing read yet, or nothing that could be read.
void FindingsPage::showReason() {
    PageMessage message{.kind = PageMessage::Kind::Empty,
                        .title = tr("Analysing"),
                        .reason = tr("The rules run as soon as a capture is read."),
                        .remedy = {},
                        .icon = u"waiting"_s};
    const OpenCapture* open = m_session.capture(m_loader.shown());
    if (m_found->capture != nullptr && m_outside > 0) {
        message.title = tr("Nothing within the filter");
        message.reason = tr("%n finding(s) outside of the filter.", nullptr, m_outside);
        message.remedy = tr("Choose other ranks, steps or times above, or all of them.");
        message.icon = u"info"_s;
    } else if (m_found->capture != nullptr) {
        message.title = tr("Nothing found");
        message.reason =
            tr("No rule found anything that slows a step down. The thresholds of the rules are listed below.");
        message.icon = u"ok"_s;
    } else if (open != nullptr && open->job == 0 && open->error) {
        message.title = tr("No data to analyse");
        message.reason = errorSentence(*open->error);
        message.icon = u"error"_s;
    }
    m_nothing->setMessage(message);
}

void FindingsPage::showTitle() {
    const FindingCounts counts = countFindings(m_found->findings);
    QStringList parts;
    if (counts.high > 0) parts << tr("%n of high severity", nullptr, static_cast<int>(counts.high));
    if (counts.medium > 0) parts << tr("%n of medium", nullptr, static_cast<int>(counts.medium));
    // Rules without recorded data stand in the table, but are not rated.
    const auto& all = m_found->findings;
    const auto unrated = static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [](const Finding& one) { return one.rule == "missing_data"; }));
    if (counts.low > unrated) parts << tr("%n of low", nullptr, static_cast<int>(counts.low - unrated));
    if (m_outside > 0) parts << tr("%n outside of the filter", nullptr, m_outside);
    const int changed = m_settings.changedThresholds();
    if (changed > 0) parts << tr("%n threshold(s) changed", nullptr, changed);
    m_title->setText(parts.isEmpty() ? tr("Findings")
                                     : tr("Findings: %1").arg(parts.join(tr(", ", "between parts of a list"))));
    const auto hidden = std::count_if(m_items.begin(), m_items.end(),
                                      [this](const FindingItem& item) { return m_settings.isMuted(item.key); });
    m_showHidden->setText(tr("&Show what is hidden (%1)").arg(hidden));
    m_showHidden->setVisible(hidden > 0 || m_showHidden->isChecked());
}

/// The chosen finding stays chosen when rules have run again.
void FindingsPage::keepCurrent() {
    DataTable& table = m_table->table();
    if (m_currentKey.isEmpty() || table.currentRow()) return;
    const TableRows& rows = *table.loader().rows();
    for (std::size_t place = 0; place < rows.count; ++place) {
        const std::uint32_t row = rows.row(place);
        if (row < m_shown.size() && m_items[m_shown[row]].key == m_currentKey) return table.setCurrent(place, 0);
    }
}

std::optional<std::size_t> FindingsPage::currentFinding() const {
    const TableRows& rows = *m_table->table().loader().rows();
    if (const auto row = m_table->table().currentRow(); row && *row < m_shown.size()) return m_shown[*row];
    // Without a choice the first one, which is the worst.
    if (rows.count == 0 || rows.row(0) >= m_shown.size()) return std::nullopt;
    return m_shown[rows.row(0)];
}

void FindingsPage::showCurrent() {
    const auto current = currentFinding();
    if (!current) return m_details->showNothing(tr("Select a finding to see its evidence."));
    m_details->show(m_found, *current);
}

// --- what the user does -------------------------------------------------------------------------------------------

void FindingsPage::showEvidence(std::uint32_t row) {
    if (row < m_shown.size() && m_items[m_shown[row]].hasEvidence) emit evidenceRequested(m_shown[row], 0);
}

void FindingsPage::showFinding(std::size_t place) {
    if (place >= m_items.size()) return;
    m_currentKey = m_items[place].key;
    const TableRows& rows = *m_table->table().loader().rows();
    for (std::size_t at = 0; at < rows.count; ++at) {
        if (rows.row(at) < m_shown.size() && m_shown[rows.row(at)] == place) return m_table->table().setCurrent(at, 0);
    }
}

std::optional<LinkPlace> FindingsPage::evidencePlace(std::uint32_t row) const {
    const FindingEvidence& evidence = m_found->findings[m_shown[row]].evidence;
    if (!evidence.slices.empty()) {
        const auto& first = evidence.slices.front();
        return LinkPlace{0, first.rank, first.slice.id, {}};
    }
    if (evidence.ranges.empty()) return std::nullopt;
    return LinkPlace{0, evidence.ranges.front().rank, {}, evidence.ranges.front().range};
}

std::vector<std::size_t> FindingsPage::chosen() const {
    const DataTable& table = m_table->table();
    const TableRows& rows = *table.loader().rows();
    std::vector<std::size_t> places;
    const bool all = table.selection().ranges().empty();
    for (std::size_t place = 0; place < rows.count; ++place) {
        if ((all || table.selection().contains(place)) && rows.row(place) < m_shown.size())
            places.push_back(m_shown[rows.row(place)]);
    }
    return places;
}

QString FindingsPage::asText() const {
    QStringList texts;
    for (const std::size_t place : chosen()) texts << findingAsText(m_items[place]);
    return texts.join(u"\n\n"_s) + u'\n';
}

void FindingsPage::muteChosen() {
    const auto current = currentFinding();
    if (!current || m_table->table().selection().ranges().empty()) return;
    const bool mute = !m_settings.isMuted(m_items[*current].key);
    QStringList keys;
    for (const std::size_t place : chosen()) keys << m_items[place].key;
    for (const QString& key : std::as_const(keys)) m_settings.setMuted(key, mute);
}

void FindingsPage::fillMenu(QMenu& menu, std::uint32_t row) {
    if (row >= m_shown.size()) return;
    const FindingItem& item = m_items[m_shown[row]];
    menu.addAction(tr("Show the evidence"), this, [this, row] { showEvidence(row); })->setEnabled(item.hasEvidence);
    if (const auto place = evidencePlace(row))
        menu.addAction(tr("Copy &link to the evidence"), this, [this, place] { requestLink(*this, *place); });
    m_mute->setText(m_settings.isMuted(item.key) ? tr("Show this again") : tr("Do not show this again"));
    menu.addAction(m_mute);
    menu.addAction(themedIcon(u"copy"_s), tr("Copy as text"), this,
                   [this] { QApplication::clipboard()->setText(asText()); });
}

void FindingsPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        takeFindings();
    }
    QWidget::changeEvent(event);
}

void FindingsPage::retranslate() {
    m_below->setTabText(m_below->indexOf(m_details), tr("Details of the finding"));
    m_below->setTabText(m_below->indexOf(m_thresholds), tr("Thresholds"));
    m_table->table().setAccessibleName(tr("Findings"));
    m_details->setAccessibleName(tr("Details of the finding"));
}

}  // namespace altiscope
