#pragma once

class QAbstractItemView;

namespace altiscope {

/// Copies the selected rows of a list or tree as lines of cells, in the order of the view, without hidden columns;
/// nothing selected: leaves the clipboard alone.
void copySelectedRows(const QAbstractItemView& view);

/// Makes the key of copying do so, whether it comes from the keyboard or from the menu: by itself a view copies the
/// current cell alone.
void copyRowsByKey(QAbstractItemView& view);

}  // namespace altiscope
