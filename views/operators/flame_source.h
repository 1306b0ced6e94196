#pragma once

#include "core/analysis/flame/flame_tree.h"
#include "views/common/plots/frame_canvas.h"

#include <QCoreApplication>

#include <memory>

namespace altiscope {

/// The frames of a flame graph, as a canvas draws them. Of a difference red frames have grown, blue ones shrunk; by
/// time of their own, the darker the more. Constant; made on a worker, as that takes O(nodes).
class FlameFrames : public FrameSource {
    Q_DECLARE_TR_FUNCTIONS(altiscope::FlameFrames)
public:
    explicit FlameFrames(std::shared_ptr<const FlameTree> tree);

    const FrameTree& tree() const override { return *m_tree; }
    const std::shared_ptr<const FlameTree>& flame() const { return m_tree; }
    std::string_view text(std::uint32_t node) const override { return m_tree->frame(node).name; }
    QString title(std::uint32_t node) const override;
    QString tip(std::uint32_t node) const override;
    std::optional<QColor> fill(std::uint32_t node, const Theme& theme) const override;

private:
    std::shared_ptr<const FlameTree> m_tree;
    std::int64_t m_mostSelf = 1;  ///< Longest time of a frame by itself.
    double m_mostChange = 0;      ///< Largest change of a frame's share; 0: nothing has changed.
};

/// "+1.2 %", "-0.3 %": a difference of shares in points.
QString formatPoints(double difference);

}  // namespace altiscope
