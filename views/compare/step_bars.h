#pragma once

#include "core/compare/comparison.h"

#include <QWidget>

#include <array>
#include <optional>

namespace altiscope {

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

    std::optional<std::array<std::array<std::int64_t, 3>, 2>>
        m_parts;  ///< Parts of the step on the base and the current side, ns.
};

/// Computing, exposed communication and free time of a step on both sides, in ns. A single part that did not change is
/// no difference: it is what the others leave of the step. nullopt: not known.
std::optional<std::array<std::array<std::int64_t, 3>, 2>> stepParts(const Comparison& comparison);

}  // namespace altiscope
