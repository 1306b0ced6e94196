#pragma once

#include "core/import/contracts/capture_manifest.h"
#include "core/store/columns/argument_source.h"

#include <memory>

namespace altiscope::reader {

/// Arguments of the records of one trace JSON file. The file must still have the size and time of change that it has
/// now.
std::shared_ptr<const ArgumentSource> makeJsonArguments(const SourceFile& file);

}  // namespace altiscope::reader
