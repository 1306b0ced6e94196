#pragma once

#include "core/session/selection.h"
#include "core/session/session.h"
#include "views/common/plots/plot_data.h"
#include "views/common/support/translated.h"
#include "views/overview/page/overview_shown.h"

#include <QWidget>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

class QComboBox;
class QLabel;

namespace altiscope {

class Marks;
class ShownCapture;
class PlotView;

/// The plot of the overview: where the time of the steps goes, in the kind that the user chooses, or how long the
/// kernels of an operator take. A click on a bar makes its rank or step what all pages show. GUI thread; single kernels
/// are read on a worker.
class StepPlotPanel : public Translated<QWidget> {
    Q_OBJECT
public:
    /// All must outlive it.
    StepPlotPanel(Session& session, Selection& selection, const Marks& marks, const ShownCapture& capture,
                  QWidget* parent = nullptr);

    /// Not null.
    void setShown(std::shared_ptr<const OverviewShown> shown);
    /// How long the kernels of an operator took, each by itself; until another capture is shown.
    void showKernels(std::string type, std::string core);
    bool idle() const { return !m_durationsSlot.busy(); }

private:
    enum class Kind : int { ByRank, ByStep, Variation, Heat, Boxes, Steps, Kernels, StepsBeside, RanksBeside, Phases };

    void readDurations();
    void fillKinds();
    void showPlot();
    void showKind(Kind kind);
    void showMarks();
    void click(std::size_t place, std::size_t row);
    Kind kind() const;
    void retranslate() override;

    Selection& m_selection;
    const Marks& m_marks;
    const ShownCapture& m_capture;
    std::shared_ptr<const OverviewShown> m_shown;
    /// The operator whose single kernels are looked at, and how long they take.
    struct OperatorChoice {
        std::string type, core;
    };
    std::optional<OperatorChoice> m_operator;
    Histogram m_durations;
    JobSlot m_durationsSlot;
    QComboBox* m_kinds;
    int m_chosen = -1;  ///< By the user; the first kind while there is none, or it has nothing to show.
    PlotView* m_plot;
    QLabel* m_title;
};

}  // namespace altiscope
