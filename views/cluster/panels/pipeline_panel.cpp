#include "views/cluster/panels/pipeline_panel.h"

#include "views/cluster/canvas/pipeline_canvas.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

PipelinePanel::PipelinePanel(Session& session, QWidget* parent)
    : QWidget(parent), m_pipelines(new QComboBox(this)), m_steps(new QComboBox(this)), m_text(new QLabel(this)),
      m_canvas(new PipelineCanvas(session, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 0);
    column->setSpacing(4);
    auto* head = new QHBoxLayout;
    for (QComboBox* box : {m_pipelines, m_steps}) {
        // The ranks of a long pipeline would widen the page; the tip has them whole.
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(16);
        head->addWidget(box);
    }
    m_pipelines->setObjectName(u"cluster_pipelines"_s);
    m_steps->setObjectName(u"cluster_pipeline_steps"_s);
    m_text->setObjectName(u"cluster_pipeline_text"_s);
    m_text->setWordWrap(true);
    head->addWidget(m_text, 1);
    column->addLayout(head);
    column->addWidget(m_canvas, 1);
    connect(m_pipelines, &QComboBox::activated, this, &PipelinePanel::fillSteps);
    connect(m_steps, &QComboBox::activated, this, &PipelinePanel::showPicture);
    connect(m_canvas, &PipelineCanvas::blockOpened, this, [this](std::uint32_t block) {
        const PipelinePicture& picture = *m_canvas->picture();
        emit placeRequested(picture.pipeline.ranks[picture.blocks[block].lane].second, picture.blocks[block].own);
    });
}

void PipelinePanel::setSource(std::shared_ptr<const ClusterSource> source) {
    m_source = std::move(source);
    fill();
}

void PipelinePanel::fill() {
    const QString chosen = m_pipelines->currentText();
    m_known = m_source == nullptr ? std::vector<PipelineRanks>() : pipelinesOf(*m_source);
    m_pipelines->clear();
    for (const PipelineRanks& pipeline : m_known) {
        QStringList names;
        for (const auto& [stage, rank] : pipeline.ranks)
            names << rankAxisText(m_source->capture()->ranks[rank.value].info);
        m_pipelines->addItem(tr("Ranks %1").arg(names.join(u", "_s)));
        m_pipelines->setItemData(m_pipelines->count() - 1, m_pipelines->itemText(m_pipelines->count() - 1),
                                 Qt::ToolTipRole);
    }
    m_pipelines->setCurrentIndex(std::max(0, m_pipelines->findText(chosen)));
    fillSteps();
}

void PipelinePanel::fillSteps() {
    const QString chosen = m_steps->currentText();
    m_steps->clear();
    const int at = m_pipelines->currentIndex();
    if (at >= 0 && !m_known.empty()) {
        for (const auto& step : pipelineSteps(*m_source, m_known[static_cast<std::size_t>(at)])) {
            m_steps->addItem(step ? tr("Step %1").arg(*step) : tr("Without a step"),
                             step ? QVariant(static_cast<qlonglong>(*step)) : QVariant());
        }
    }
    m_steps->setCurrentIndex(std::max(0, m_steps->findText(chosen)));
    showPicture();
}

/// Why there is no picture.
QString PipelinePanel::reason() const {
    if (m_source == nullptr) return {};
    const auto stages = m_source->places().dimension("pp");
    if (!stages) return tr("The job has no pipeline, or the capture does not state one.");
    return tr("Which kernels are one micro-batch is not recorded: it follows from operators of the host whose backward "
              "passes are linked, and from sends and receives. Record the host's activities, too.");
}

void PipelinePanel::showPicture() {
    const bool isKnown = !m_known.empty() && m_steps->count() > 0;
    m_pipelines->setVisible(isKnown);
    m_steps->setVisible(isKnown);
    m_canvas->setVisible(isKnown);
    if (!isKnown) {
        m_text->setText(reason());
        return m_canvas->setPicture(nullptr, {});
    }
    const QVariant step = m_steps->currentData();
    auto picture = std::make_shared<const PipelinePicture>(
        pipelinePicture(*m_source, m_known[static_cast<std::size_t>(m_pipelines->currentIndex())],
                        step.isValid() ? std::optional<std::int64_t>(step.toLongLong()) : std::nullopt));
    QStringList names;
    for (std::uint32_t lane = 0; lane < picture->pipeline.ranks.size(); ++lane) {
        const auto& [stage, rank] = picture->pipeline.ranks[lane];
        names << tr("Stage %1, rank %2").arg(stage).arg(rankAxisText(m_source->capture()->ranks[rank.value].info));
    }
    QString text = tr("Bubble: %1 of the time from the first pass to the last").arg(formatPercent(picture->bubble()));
    if (const auto ideal = picture->idealBubble())
        text += tr("; with %n micro-batch(es) GPipe and 1F1B have %1", nullptr, static_cast<int>(picture->microBatches))
                    .arg(formatPercent(*ideal));
    if (picture->microBatches == 0)
        text += tr("; the stages have different numbers of passes, so that no arrows join them");
    m_text->setText(text + u'.');
    m_canvas->setPicture(std::move(picture), std::move(names));
}

QString PipelinePanel::text() const { return m_text->text(); }

void PipelinePanel::retranslate() {
    m_pipelines->setAccessibleName(tr("Pipeline"));
    m_steps->setAccessibleName(tr("Step"));
    m_canvas->setAccessibleName(tr("Micro-batches along the time"));
    fill();
}

}  // namespace altiscope
