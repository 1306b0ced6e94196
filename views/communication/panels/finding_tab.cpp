#include "views/communication/panels/finding_tab.h"

#include "core/tables/sources/column_table.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/finding_settings.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"

#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>
#include <string_view>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

enum class TabColumn : std::size_t { Severity, Recoverable, Title, Rule, Rank };

/// A number among a finding's parameters.
std::optional<std::int64_t> parameterOf(const Finding& finding, std::string_view name) {
    const auto known = std::find_if(finding.parameters.begin(), finding.parameters.end(),
                                    [name](const auto& parameter) { return parameter.first == name; });
    if (known == finding.parameters.end()) return std::nullopt;
    bool ok = false;
    const qlonglong number = QString::fromStdString(known->second).toLongLong(&ok);
    return ok ? std::optional<std::int64_t>(number) : std::nullopt;
}

}  // namespace

FindingTab::FindingTab(Session& session, FindingsLoader& loader, const FindingSettings& settings,
                       const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_loader(loader), m_settings(settings),
      m_table(new TablePanel(session, memory, u"communication_findings"_s, this)), m_detail(new QLabel(this)) {
    auto* column = bareLayout<QVBoxLayout>(this);
    column->addWidget(m_table, 1);
    m_detail->setContentsMargins(8, 4, 8, 4);
    m_detail->setWordWrap(true);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_detail);
    m_table->filterBar().setExample(u"recoverable > 1ms"_s);
    m_table->table().setWideColumn(static_cast<std::size_t>(TabColumn::Title));
    connect(&m_loader, &FindingsLoader::changed, this, &FindingTab::take);
    connect(&m_settings, &FindingSettings::mutedChanged, this, &FindingTab::take);
    connect(&m_table->table(), &DataTable::currentChanged, this, &FindingTab::showCurrent);
    connect(&m_table->table(), &DataTable::activated, this, &FindingTab::show);
    m_table->table().setRowMenu([this](QMenu& menu, std::uint32_t row) {
        if (row >= m_shown.size()) return;
        const std::size_t finding = m_shown[row];
        menu.addAction(tr("Show it &here"), this, [this, row] { show(row); });
        if (m_found->findings[finding].evidence.ranges.empty()) return;
        menu.addAction(tr("Show in the &timeline"), this, [this, finding] { emit evidenceRequested(finding, 0); });
    });
    take();
}

bool FindingTab::idle() const { return !m_loader.busy() && !m_table->table().loader().busy(); }

void FindingTab::take() {
    m_found = m_loader.found();
    m_shown.clear();
    m_items.clear();
    ColumnTableBuilder builder({{.name = "severity", .type = CellType::Text, .order = {"low", "medium", "high"}},
                                {.name = "recoverable", .unit = CellUnit::Duration},
                                {.name = "title", .type = CellType::Text},
                                {.name = "rule", .type = CellType::Text},
                                {.name = "rank_id"}});
    for (std::size_t i = 0; i < m_found->findings.size(); ++i) {
        const Finding& finding = m_found->findings[i];
        if (topicOf(finding.rule) != RuleTopic::Communication) continue;
        FindingItem item = findingItem(finding);
        if (m_settings.isMuted(item.key)) continue;
        builder.addRow();
        builder.setText(static_cast<std::size_t>(TabColumn::Severity), findingSeverityName(finding.severity));
        builder.setInteger(static_cast<std::size_t>(TabColumn::Recoverable), finding.recoverable);
        builder.setText(static_cast<std::size_t>(TabColumn::Title), item.title.toStdString());
        builder.setText(static_cast<std::size_t>(TabColumn::Rule), finding.rule);
        if (finding.rank && m_found->capture != nullptr)
            builder.setRank(static_cast<std::size_t>(TabColumn::Rank),
                            m_found->capture->ranks[finding.rank->value].info);
        else builder.setInteger(static_cast<std::size_t>(TabColumn::Rank), finding.rankId);
        m_shown.push_back(i);
        m_items.push_back(std::move(item));
    }
    m_table->setSource(builder.finish(), {{tr("Severity"), {}, severityWord},
                                          {tr("Recoverable"), tr("Recoverable time of a step; the formula is below.")},
                                          {tr("Finding"), {}},
                                          {tr("Rule"), {}, ruleWord},
                                          {tr("Rank"), {}}});
    showCurrent();
}

void FindingTab::showCurrent() {
    const auto row = m_table->table().currentRow();
    if (!row || *row >= m_items.size()) {
        const bool isLookedAt = m_found->capture != nullptr;
        return m_detail->setText(m_items.empty() && isLookedAt ? tr("No findings about communication.") : QString());
    }
    const FindingItem& item = m_items[*row];
    m_detail->setText(withUnbrokenUnits(item.formula.isEmpty() ? item.detail : item.detail + u'\n' + item.formula));
}

void FindingTab::show(std::uint32_t row) {
    if (row >= m_shown.size()) return;
    const Finding& finding = m_found->findings[m_shown[row]];
    const auto source = parameterOf(finding, "source"), target = parameterOf(finding, "target");
    if (source && target) emit linkRequested(*source, *target);
    else if (finding.rank) emit rankRequested(*finding.rank);
}

void FindingTab::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) take();
    QWidget::changeEvent(event);
}

}  // namespace altiscope
