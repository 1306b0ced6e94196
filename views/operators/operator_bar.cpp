#include "views/operators/operator_bar.h"

#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/widgets/wrap_layout.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>

#include <algorithm>
#include <initializer_list>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct Groupings {
    Q_DECLARE_TR_FUNCTIONS(altiscope::OperatorBar)
};

constexpr KernelGrouping kGroupings[] = {KernelGrouping::Name,           KernelGrouping::Type,
                                         KernelGrouping::NameAndShape,   KernelGrouping::Core,
                                         KernelGrouping::CollectiveName, KernelGrouping::CollectiveType};
constexpr KernelSplit kSplits[] = {KernelSplit::None, KernelSplit::Step, KernelSplit::Rank};
constexpr int kUsualMost = 15, kMaxMost = 9999;
constexpr int kAllRanks = -1;

int remembered(const ViewMemory& memory, const QString& name, int otherwise) {
    const QVariant known = memory.value(name);
    return known.isValid() ? known.toInt() : otherwise;
}

}  // namespace

QString groupingTitle(KernelGrouping grouping) {
    switch (grouping) {
    case KernelGrouping::Name: return Groupings::tr("Operator");
    case KernelGrouping::Type: return Groupings::tr("Operator type");
    case KernelGrouping::NameAndShape: return Groupings::tr("Operator and input shape");
    case KernelGrouping::Core: return Groupings::tr("Accelerator core");
    case KernelGrouping::CollectiveName: return Groupings::tr("Communication operator");
    case KernelGrouping::CollectiveType: return Groupings::tr("Communication operator type");
    }
    return {};
}

OperatorBar::OperatorBar(const ViewMemory& memory, QWidget* parent)
    : Translated(parent), m_memory(memory), m_rankLabel(new QLabel(this)), m_groupLabel(new QLabel(this)),
      m_splitLabel(new QLabel(this)), m_mostLabel(new QLabel(this)), m_ranks(new QComboBox(this)),
      m_group(new QComboBox(this)), m_split(new QComboBox(this)), m_most(new QSpinBox(this)),
      m_onlyMarked(new QCheckBox(this)) {
    auto* row = new WrapLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(8);
    const std::pair<QLabel*, QWidget*> parts[] = {
        {m_rankLabel, m_ranks}, {m_groupLabel, m_group}, {m_splitLabel, m_split}, {m_mostLabel, m_most}};
    for (const auto& [label, part] : parts) {
        label->setBuddy(part);
        auto* pair = new QHBoxLayout;
        pair->setSpacing(8);
        pair->addWidget(label);
        pair->addWidget(part);
        row->addItem(pair);
    }
    row->addWidget(m_onlyMarked);
    for (const KernelGrouping grouping : kGroupings) m_group->addItem(QString(), static_cast<int>(grouping));
    for (const KernelSplit split : kSplits) m_split->addItem(QString(), static_cast<int>(split));
    for (QComboBox* box : {m_ranks, m_group, m_split}) box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_ranks->addItem(QString(), kAllRanks);
    m_most->setRange(0, kMaxMost);
    m_most->setSingleStep(5);
    m_onlyMarked->setChecked(true);
    m_onlyMarked->hide();
    restoreGrouping();
    m_split->setCurrentIndex(
        std::max(0, m_split->findData(remembered(memory, u"operators/split"_s, static_cast<int>(KernelSplit::None)))));
    m_most->setValue(remembered(memory, u"operators/most"_s, kUsualMost));
    connect(m_ranks, &QComboBox::activated, this, &OperatorBar::scopeChanged);
    connect(m_onlyMarked, &QCheckBox::toggled, this, &OperatorBar::scopeChanged);
    for (QComboBox* box : {m_group, m_split}) {
        connect(box, &QComboBox::activated, this, [this] {
            m_memory.setValue(u"operators/grouping"_s, m_group->currentData());
            m_memory.setValue(u"operators/split"_s, m_split->currentData());
            emit groupingChanged();
        });
    }
    connect(m_most, &QSpinBox::valueChanged, this, [this](int most) {
        m_memory.setValue(u"operators/most"_s, most);
        emit mostChanged();
    });
    retranslate();
}

void OperatorBar::setRanks(const CaptureStore& store, const std::vector<RankIndex>& ranks) {
    const QVariant chosen = m_ranks->currentData();
    while (m_ranks->count() > 1) m_ranks->removeItem(1);
    for (const RankIndex rank : ranks) {
        const RankInfo& info = store.ranks[rank.value].info;
        const QString title = rankTitle(info), host = toQString(info.host);
        m_ranks->addItem(title.endsWith(host) ? title : tr("%1 (%2)", "rank, host").arg(title, host),
                         static_cast<int>(rank.value));
    }
    m_ranks->setCurrentIndex(std::max(0, m_ranks->findData(chosen)));
    // With one rank there is nothing to choose.
    for (QWidget* part : std::initializer_list<QWidget*>{m_rankLabel, m_ranks}) part->setVisible(ranks.size() > 1);
}

void OperatorBar::setMarked(bool isMarked) { m_onlyMarked->setVisible(isMarked); }

std::optional<RankIndex> OperatorBar::rank() const {
    const int index = m_ranks->currentData().toInt();
    return index == kAllRanks ? std::nullopt : std::optional(rankIndex(static_cast<std::size_t>(index)));
}

void OperatorBar::forgetRank() { m_ranks->setCurrentIndex(0); }

OperatorGrouping OperatorBar::grouping() const {
    return {static_cast<KernelGrouping>(m_group->currentData().toInt()),
            static_cast<KernelSplit>(m_split->currentData().toInt())};
}

void OperatorBar::setGrouping(KernelGrouping grouping) {
    m_group->setCurrentIndex(m_group->findData(static_cast<int>(grouping)));
    emit groupingChanged();
}

void OperatorBar::restoreGrouping() {
    m_group->setCurrentIndex(std::max(
        0, m_group->findData(remembered(m_memory, u"operators/grouping"_s, static_cast<int>(KernelGrouping::Type)))));
}

std::size_t OperatorBar::most() const { return static_cast<std::size_t>(m_most->value()); }

bool OperatorBar::onlyMarked() const { return m_onlyMarked->isChecked(); }

void OperatorBar::retranslate() {
    m_rankLabel->setText(tr("&Rank"));
    m_ranks->setItemText(0, tr("All ranks"));
    m_groupLabel->setText(tr("Group b&y"));
    for (int i = 0; i < m_group->count(); ++i)
        m_group->setItemText(i, groupingTitle(static_cast<KernelGrouping>(m_group->itemData(i).toInt())));
    m_splitLabel->setText(tr("&then by"));
    m_split->setItemText(0, tr("nothing"));
    m_split->setItemText(1, tr("step"));
    m_split->setItemText(2, tr("rank"));
    m_mostLabel->setText(tr("&Draw"));
    m_most->setSpecialValueText(tr("all"));
    m_most->setPrefix(tr("top ", "before the number of groups that are drawn"));
    m_most->setToolTip(tr("How many groups bars, pie and boxes show; what the others amount to is drawn as one. The "
                          "table has them all."));
    m_onlyMarked->setText(tr("Only the &marked time"));
}

}  // namespace altiscope
