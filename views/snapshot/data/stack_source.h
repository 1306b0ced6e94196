#pragma once

#include "views/common/plots/frame_canvas.h"
#include "views/snapshot/data/loaded_snapshot.h"

#include <QCoreApplication>

#include <memory>

namespace altiscope {

/// The call stacks of a snapshot's blocks, as wide as their bytes. Constant.
class StackSource : public FrameSource {
    Q_DECLARE_TR_FUNCTIONS(altiscope::StackSource)
public:
    StackSource(std::shared_ptr<const LoadedSnapshot> snapshot, std::shared_ptr<const StackTree> tree);

    const FrameTree& tree() const override { return *m_tree; }
    std::string_view text(std::uint32_t node) const override;
    QString title(std::uint32_t node) const override;
    QString tip(std::uint32_t node) const override;
    std::optional<QColor> fill(std::uint32_t, const Theme&) const override { return std::nullopt; }

private:
    std::shared_ptr<const LoadedSnapshot> m_snapshot;
    std::shared_ptr<const StackTree> m_tree;
};

}  // namespace altiscope
