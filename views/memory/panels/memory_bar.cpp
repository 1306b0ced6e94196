#include "views/memory/panels/memory_bar.h"

#include "core/tables/scope/context_filter.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/widgets/wrap_layout.h"
#include "views/memory/panels/elided_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

MemoryBar::MemoryBar(const ViewMemory& memory, QWidget* parent)
    : Translated(parent), m_memory(memory), m_ranks(new QComboBox(this)), m_group(new QComboBox(this)),
      m_fromZero(new QCheckBox(this)), m_linked(new QCheckBox(this)), m_rankLabel(new QLabel(this)),
      m_groupLabel(new QLabel(this)), m_part(new ElidedLabel(this)), m_all(new QToolButton(this)) {
    auto* whole = barLayout<QHBoxLayout>(this);
    auto* choices = new QWidget(this);
    auto* row = new WrapLayout(choices);
    row->setContentsMargins({});
    row->setSpacing(8);
    for (const auto& [label, box] : {std::pair{m_rankLabel, m_ranks}, {m_groupLabel, m_group}}) {
        auto* pair = new QHBoxLayout;
        pair->setSpacing(8);
        pair->addWidget(label);
        pair->addWidget(box);
        row->addItem(pair);
    }
    for (QCheckBox* box : {m_fromZero, m_linked}) row->addWidget(box);
    whole->addWidget(choices);
    // It has what is left.
    m_part->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_part->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    whole->addWidget(m_part, 1);
    whole->addWidget(m_all);
    m_all->setFocusPolicy(Qt::TabFocus);
    connect(m_all, &QToolButton::clicked, this, &MemoryBar::allRequested);
    m_rankLabel->setBuddy(m_ranks);
    m_groupLabel->setBuddy(m_group);
    for (const MemoryGrouping grouping : {MemoryGrouping::Overall, MemoryGrouping::Component, MemoryGrouping::Stream})
        m_group->addItem(QString(), static_cast<int>(grouping));
    m_group->setCurrentIndex(std::clamp(m_memory.value(u"memory/grouping"_s).toInt(), 0, m_group->count() - 1));
    m_ranks->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    const auto remembered = [this](QCheckBox* box, const QString& name) {
        const QVariant known = m_memory.value(name);
        box->setChecked(!known.isValid() || known.toBool());
        connect(box, &QCheckBox::toggled, this, [this, name](bool on) { m_memory.setValue(name, on); });
    };
    remembered(m_fromZero, u"memory/from_zero"_s);
    remembered(m_linked, u"memory/linked"_s);
    connect(m_linked, &QCheckBox::toggled, this, [this] { setPart(m_partText); });
    connect(m_fromZero, &QCheckBox::toggled, this, &MemoryBar::fromZeroToggled);
    connect(m_group, &QComboBox::activated, this, [this] {
        m_memory.setValue(u"memory/grouping"_s, static_cast<int>(grouping()));
        emit groupingChosen();
    });
    connect(m_ranks, &QComboBox::activated, this, [this] {
        m_rank = {m_ranks->currentData().toUInt()};
        emit rankChosen();
    });
    retranslate();
}

void MemoryBar::setRanks(const CaptureStore& store, const std::vector<RankIndex>& ranks) {
    m_ranks->clear();
    for (const RankIndex rank : ranks) {
        const RankInfo& info = store.ranks[rank.value].info;
        const QString title = rankTitle(info), host = toQString(info.host);
        m_ranks->addItem(title.endsWith(host) ? title : tr("%1 (%2)", "rank, host").arg(title, host), rank.value);
    }
    if (ranks.empty()) return m_rank.reset();
    if (!m_rank || std::find(ranks.begin(), ranks.end(), *m_rank) == ranks.end()) m_rank = ranks.front();
    m_ranks->setCurrentIndex(m_ranks->findData(m_rank->value));
}

void MemoryBar::clearRanks() { m_ranks->clear(); }

MemoryGrouping MemoryBar::grouping() const { return static_cast<MemoryGrouping>(m_group->currentData().toInt()); }

bool MemoryBar::fromZero() const { return m_fromZero->isChecked(); }

bool MemoryBar::isLinked() const { return m_linked->isChecked(); }

void MemoryBar::setPart(const QString& part) {
    m_partText = part;
    m_part->setVisible(!part.isEmpty());
    m_all->setVisible(!part.isEmpty());
    m_part->setText(isLinked() ? tr("As in the timeline: %1").arg(part) : tr("Shown: %1").arg(part));
}

void MemoryBar::retranslate() {
    m_rankLabel->setText(tr("&Rank"));
    m_groupLabel->setText(tr("&Curves"));
    m_group->setItemText(0, tr("Overall"));
    m_group->setItemText(1, tr("By component"));
    m_group->setItemText(2, tr("By stream"));
    m_group->setItemData(2, tr("Values are those of the whole pool, at the samples of each stream."), Qt::ToolTipRole);
    m_fromZero->setText(tr("From &0"));
    m_fromZero->setToolTip(tr("The vertical axis starts at 0; otherwise it fits what is visible."));
    m_all->setText(tr("Show &all"));
    setPart(m_partText);
    m_linked->setText(tr("Linked with the time&line"));
    m_linked->setToolTip(tr("The curves and the timeline show the same time: where one goes, the other follows."));
}

}  // namespace altiscope
