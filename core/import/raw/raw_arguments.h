#pragma once

#include "core/import/contracts/capture_manifest.h"
#include "core/store/columns/argument_source.h"

#include <memory>
#include <string>
#include <vector>

namespace altiscope::reader {

/// Arguments of the events of raw data, with the keys of the text export. The framework's records are read from their
/// file by position. CANN's are joined of several files: the first call reads these again, which takes about
/// as long as half an import and memory of about a third of their size; the joined records stay as long as the source.
/// Sources beyond kMaxRawArguments have arguments of the framework only. For those of Python's calls the framework's
/// files are read again once.
inline constexpr std::uint64_t kMaxRawArguments = std::uint64_t{2} << 30;
std::shared_ptr<const ArgumentSource> makeRawArguments(const SourceFile& file);

}  // namespace altiscope::reader
