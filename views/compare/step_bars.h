#pragma once

#include "core/analysis/steps/step_parts.h"
#include "core/compare/comparison.h"

#include <QWidget>

#include <array>
#include <cstdint>
#include <optional>

namespace altiscope {

/// The parts of a step on the base and the current side, ns, in the order of kWholeStep.
using StepSides = std::array<std::array<std::int64_t, kWholeStep.size()>, 2>;
/// nullopt where one of them is not known.
std::optional<StepSides> stepSides(const Comparison& comparison);

/// The parts of a step on both sides as two bars on one axis. Nothing where they are not known. GUI thread.
class StepBars : public QWidget {
    Q_OBJECT
public:
    explicit StepBars(QWidget* parent = nullptr);

    /// Null: none.
    void setComparison(const Comparison* comparison);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showText();

    std::optional<StepSides> m_parts;
};

}  // namespace altiscope
