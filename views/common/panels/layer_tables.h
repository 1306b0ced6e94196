#pragma once

#include "core/analysis/kernels/copy_sums.h"
#include "core/analysis/kernels/layer_sums.h"
#include "core/tables/sources/column_table.h"
#include "views/common/support/heading_model.h"

#include <QString>

#include <memory>
#include <vector>

namespace altiscope {

// How sums of layers and copies are shown. The tables are made on any thread, words on the GUI thread in its language.

/// "Streams of the NPU".
QString layerTitle(Layer layer);
/// "7 names · 1,234 slices · total 1.20 ms · self 0.90 ms".
QString layerText(const LayerSums& sums);

/// Rows as in LayerSums::names.
std::shared_ptr<const ColumnTable> layerTable(const LayerSums& sums);
std::vector<ColumnHeading> layerHeadings();

/// Rows as given.
std::shared_ptr<const ColumnTable> copyTable(const CaptureStore& capture, const std::vector<CopySums>& sums);
std::vector<ColumnHeading> copyHeadings();

}  // namespace altiscope
