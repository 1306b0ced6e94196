#pragma once

#include "core/analysis/slices/slice_chain.h"
#include "views/timeline/panels/slice_text.h"

#include <QTreeWidget>

class QMenu;

namespace altiscope {

class JobRunner;
class TimelineSelection;
struct SelectedSlice;

/// Relation of a slice of a chain to the selected one, in the present language.
QString chainRoleTitle(ChainRole role);

/// Menus with what led to the selected slice and what followed from it, found on a worker while the menu is shown; they
/// cannot be chosen where there is nothing. GUI thread.
/// @param runner  Must outlive the menu.
void addChainMenus(QMenu& menu, const SelectedSlice& selected, TimelineSelection& selection, JobRunner& runner);

/// Causes and effects of a slice, and other flows from and to it, one line each, that lead there. GUI
/// thread.
class ChainList : public QTreeWidget {
    Q_OBJECT
public:
    explicit ChainList(QWidget* parent = nullptr);

    /// @return Whether there is anything to show.
    bool show(const SliceFacts& facts);

signals:
    void followed(altiscope::SliceKey slice);

private:
    void addFlows(const SliceFacts& facts);

    std::vector<SliceKey> m_keys;  ///< By line, without headings.
};

}  // namespace altiscope
