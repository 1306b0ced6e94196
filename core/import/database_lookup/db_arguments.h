#pragma once

#include "core/import/contracts/capture_manifest.h"
#include "core/store/columns/argument_source.h"

#include <memory>

namespace altiscope::reader {

/// Arguments of the records of a profiler database: made from the columns of their rows, with the keys and spellings of
/// the text export (core/import/trace/FORMAT.md section 5); what the tables do not hold is left out. Rows are fetched
/// by number; for rows of other tables that they refer to, an index is built at the first request, because the tables
/// have none.
std::shared_ptr<const ArgumentSource> makeDbArguments(const SourceFile& file);

}  // namespace altiscope::reader
