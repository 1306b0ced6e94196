#pragma once

#include "views/cluster/data/pipeline_picture.h"

#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;
class QLabel;

namespace altiscope {

class PipelineCanvas;
class Session;

/// The micro-batches of a pipeline in one step, with its bubble beside the least that its schedule has. GUI thread.
class PipelinePanel : public QWidget {
    Q_OBJECT
public:
    explicit PipelinePanel(Session& session, QWidget* parent = nullptr);

    /// Null: nothing. Pipeline and step stay as far as there are such.
    void setSource(std::shared_ptr<const ClusterSource> source);
    /// The texts again, in the present language.
    void retranslate();
    PipelineCanvas& canvas() { return *m_canvas; }
    QComboBox& pipelines() { return *m_pipelines; }
    QComboBox& steps() { return *m_steps; }
    QString text() const;

signals:
    void placeRequested(RankIndex rank, TimeRange range);

private:
    void fill();
    void fillSteps();
    void showPicture();
    QString reason() const;

    std::shared_ptr<const ClusterSource> m_source;
    std::vector<PipelineRanks> m_known;
    QComboBox *m_pipelines, *m_steps;
    QLabel* m_text;
    PipelineCanvas* m_canvas;
};

}  // namespace altiscope
