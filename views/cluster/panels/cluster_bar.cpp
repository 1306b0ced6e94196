#include "views/cluster/panels/cluster_bar.h"

#include "views/cluster/data/cluster_texts.h"
#include "views/cluster/data/typed_sizes.h"
#include "views/common/support/formatters.h"

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

const QString kMetric = u"cluster/metric"_s, kDifference = u"cluster/difference"_s, kFoldBy = u"cluster/fold_by"_s,
              kFrames = u"cluster/frames"_s, kFolded = u"cluster/folded"_s;
const QString kSizesExample = u"tp=2 pp=1 dp=4"_s;

}  // namespace

ClusterBar::ClusterBar(const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_memory(memory), m_metricLabel(new QLabel(this)), m_framesLabel(new QLabel(this)),
      m_sizesLabel(new QLabel(this)), m_problem(new QLabel(this)), m_sizes(new QLineEdit(this)),
      m_metric(new QComboBox(this)), m_difference(new QComboBox(this)), m_foldBy(new QComboBox(this)),
      m_frames(new QComboBox(this)), m_folds(new QToolButton(this)) {
    auto* bar = new QHBoxLayout(this);
    bar->setContentsMargins(8, 4, 8, 4);
    bar->setSpacing(8);
    for (QWidget* part :
         {static_cast<QWidget*>(m_metricLabel), static_cast<QWidget*>(m_metric), static_cast<QWidget*>(m_difference),
          static_cast<QWidget*>(m_folds), static_cast<QWidget*>(m_foldBy), static_cast<QWidget*>(m_framesLabel),
          static_cast<QWidget*>(m_frames), static_cast<QWidget*>(m_sizesLabel), static_cast<QWidget*>(m_sizes)})
        bar->addWidget(part);
    bar->addWidget(m_problem, 1);
    bar->addStretch(0);
    m_metricLabel->setBuddy(m_metric);
    m_framesLabel->setBuddy(m_frames);
    m_sizesLabel->setBuddy(m_sizes);
    m_sizes->setObjectName(u"cluster_sizes"_s);
    m_sizes->setClearButtonEnabled(true);
    m_sizes->setMinimumWidth(fontMetrics().averageCharWidth() * 18);
    m_problem->setObjectName(u"cluster_sizes_problem"_s);
    m_problem->setWordWrap(true);
    m_problem->hide();
    connect(m_sizes, &QLineEdit::editingFinished, this, &ClusterBar::readSizes);
    m_folds->setFocusPolicy(Qt::StrongFocus);
    m_folds->setPopupMode(QToolButton::InstantPopup);
    m_folds->setMenu(new QMenu(m_folds));
    const std::pair<QComboBox*, QString> boxes[] = {
        {m_metric, kMetric}, {m_difference, kDifference}, {m_foldBy, kFoldBy}, {m_frames, kFrames}};
    for (const auto& [box, name] : boxes) {
        box->setObjectName(name.section(u'/', 1));
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        connect(box, &QComboBox::activated, this, [this, shown = box, key = name] {
            keep(*shown, key);
            emit changed();
        });
    }
    retranslate();
    fill();
}

void ClusterBar::keep(const QComboBox& box, const QString& name) { m_memory.setValue(name, box.currentData()); }

void ClusterBar::setChoices(std::shared_ptr<const ClusterSource> source, bool hasBase) {
    m_source = std::move(source);
    m_hasBase = hasBase;
    fill();
}

void ClusterBar::fill() {
    const auto restore = [this](QComboBox& box, const QString& name) {
        box.setCurrentIndex(std::max(0, box.findData(m_memory.value(name).toString())));
    };
    m_metric->clear();
    for (std::size_t m = 0; m < kRankMetrics; ++m) {
        const auto metric = static_cast<RankMetric>(m);
        if (m_source == nullptr || !m_source->has(metric)) continue;
        m_metric->addItem(metricTitle(metric), QString::fromLatin1(metricName(metric)));
        m_metric->setItemData(m_metric->count() - 1, metricFormula(metric), Qt::ToolTipRole);
    }
    if (m_memory.value(kMetric).toString().isEmpty()) m_metric->setCurrentIndex(std::max(0, firstMetric()));
    else restore(*m_metric, kMetric);
    m_difference->clear();
    m_difference->addItem(tr("as it is"), u"value"_s);
    m_difference->addItem(tr("difference from the base"), u"difference"_s);
    restore(*m_difference, kDifference);
    m_difference->setVisible(m_hasBase);
    m_foldBy->clear();
    m_foldBy->addItem(tr("mean"), u"mean"_s);
    m_foldBy->addItem(tr("largest"), u"max"_s);
    restore(*m_foldBy, kFoldBy);
    m_frames->clear();
    m_frames->addItem(tr("none"), QString());
    for (std::size_t g = 0; m_source != nullptr && g < m_source->places().groupings.size(); ++g) {
        const RankDimension& dimension = m_source->places().groupings[g].dimension;
        m_frames->addItem(tr("groups of %1", "a dimension").arg(toQString(dimension.kind)), toQString(dimension.kind));
    }
    restore(*m_frames, kFrames);
    const bool hasGroups = m_frames->count() > 1;
    m_frames->setVisible(hasGroups);
    m_framesLabel->setVisible(hasGroups);
    fillFolds();
}

/// The one that says most of who slows the job down.
int ClusterBar::firstMetric() const {
    for (const RankMetric metric : {RankMetric::Recoverable, RankMetric::WaitCaused, RankMetric::Computing}) {
        if (m_source == nullptr) break;
        // Of half of the ranks at least, and of one of them anything: else it tells none apart.
        const std::vector<RankNumbers>& ranks = m_source->numbers;
        const auto known = static_cast<std::size_t>(std::count_if(
            ranks.begin(), ranks.end(), [metric](const RankNumbers& rank) { return !std::isnan(rank[metric]); }));
        const bool isAny =
            std::any_of(ranks.begin(), ranks.end(), [metric](const RankNumbers& rank) { return rank[metric] > 0; });
        const int index = m_metric->findData(QString::fromLatin1(metricName(metric)));
        if (index >= 0 && isAny && 2 * known >= ranks.size()) return index;
    }
    return 0;
}

void ClusterBar::fillFolds() {
    m_folds->menu()->clear();
    const QStringList folded = m_memory.value(kFolded).toStringList();
    QStringList shown;
    for (std::size_t d = 0; m_source != nullptr && d < m_source->places().dimensions.size(); ++d) {
        const RankDimension& dimension = m_source->places().dimensions[d];
        const QString kind = toQString(dimension.kind);
        QAction* action =
            m_folds->menu()->addAction(tr("%1 (%n place(s))", "a dimension", static_cast<int>(dimension.size))
                                           .arg(dimensionTitle(dimension.kind)));
        action->setCheckable(true);
        action->setChecked(folded.contains(kind));
        action->setData(kind);
        if (action->isChecked()) shown << dimensionTitle(dimension.kind);
        connect(action, &QAction::toggled, this, [this, kind](bool on) {
            QStringList kept = m_memory.value(kFolded).toStringList();
            kept.removeAll(kind);
            if (on) kept << kind;
            m_memory.setValue(kFolded, kept);
            // Its menu is still open.
            QMetaObject::invokeMethod(this, &ClusterBar::fillFolds, Qt::QueuedConnection);
            emit changed();
        });
    }
    m_folds->setVisible(!m_folds->menu()->isEmpty());
    m_folds->setText(shown.isEmpty() ? tr("F&old") : tr("F&old: %1").arg(shown.join(u", "_s)));
    m_foldBy->setVisible(!shown.isEmpty());
}

RankPictureChoice ClusterBar::choice() const {
    RankPictureChoice choice;
    for (std::size_t m = 0; m < kRankMetrics; ++m) {
        const auto metric = static_cast<RankMetric>(m);
        if (m_metric->currentData().toString() == QLatin1StringView(metricName(metric))) choice.metric = metric;
    }
    for (const QAction* action : m_folds->menu()->actions()) {
        if (action->isChecked()) choice.folded.insert(action->data().toString().toStdString());
    }
    choice.fold = m_foldBy->currentData().toString() == u"max"_s ? RankFold::Max : RankFold::Mean;
    choice.frames = m_frames->currentData().toString().toStdString();
    return choice;
}

void ClusterBar::setMetric(RankMetric metric) {
    const int index = m_metric->findData(QString::fromLatin1(metricName(metric)));
    if (index < 0 || index == m_metric->currentIndex()) return;
    m_metric->setCurrentIndex(index);
    keep(*m_metric, kMetric);
    emit changed();
}

void ClusterBar::readSizes() {
    if (m_source == nullptr) return;
    const TypedSizes typed = readTypedSizes(m_sizes->text(), minRanks(*m_source->capture()));
    showProblem(typed.problem);
    if (!typed.problem.isEmpty() || typed.sizes == m_typed) return;
    m_typed = typed.sizes;
    emit sizesTyped();
}

void ClusterBar::forgetSizes() {
    m_sizes->clear();
    m_typed.reset();
    showProblem({});
}

void ClusterBar::checkSizes(std::int64_t minRanks) {
    const auto problem = m_typed ? problemOf(*m_typed, minRanks) : std::nullopt;
    if (!problem) return;
    m_typed.reset();
    showProblem(errorSentence(*problem));
}

void ClusterBar::showProblem(const QString& problem) {
    m_problem->setText(problem);
    m_problem->setHidden(problem.isEmpty());
    m_sizes->setAccessibleDescription(problem);
}

bool ClusterBar::showsDifference() const {
    return m_hasBase && m_difference->currentData().toString() == u"difference"_s;
}

void ClusterBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        fill();
    }
    QWidget::changeEvent(event);
}

void ClusterBar::retranslate() {
    m_metricLabel->setText(tr("&Colour"));
    m_framesLabel->setText(tr("Fra&mes"));
    m_sizesLabel->setText(tr("Si&zes"));
    m_sizes->setPlaceholderText(kSizesExample);
    m_sizes->setToolTip(
        tr("Sizes of the job, where the capture does not state them or others are meant: tp, cp, pp, dp, ep, "
           "and order=megatron, megatron-pp-dp, mindspeed, mindie or vllm. Empty: as recorded."));
    m_folds->setToolTip(tr("Dimensions of which all places share a cell."));
    m_folds->setAccessibleName(tr("Fold dimensions"));
    m_foldBy->setToolTip(tr("How the values of the ranks of a cell become one."));
    m_foldBy->setAccessibleName(m_foldBy->toolTip());
    m_difference->setAccessibleName(tr("Values or differences from the base"));
    m_frames->setToolTip(
        tr("A frame around the ranks of each group; of the chosen rank's group all ranks are marked."));
}

}  // namespace altiscope
