#pragma once

#include "core/base/text/diagnostics.h"
#include "core/store/columns/trace_store.h"
#include "core/store/rows/row_table.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace altiscope::pack {

/// Gives the text that stands in a pack for another. The same text always becomes the same one; any thread.
using TextMap = std::function<std::string(std::string_view)>;
/// The same, by the name of what has the text.
using NamedTextMap = std::function<std::string(std::string_view name, std::string_view text)>;

/// The same events with other texts. Two texts may become one: the sums of their names are added then.
std::shared_ptr<const TraceStore> withTexts(const TraceStore& trace, const TextMap& map);
/// The same rows with other texts.
std::shared_ptr<const RowTables> withTexts(const RowTables& rows, const TextMap& map);
/// The same diagnostics about other files, and with other parameters.
Diagnostics withTexts(const Diagnostics& diagnostics, const TextMap& ofFile, const NamedTextMap& ofParameter);
/// The rows of one kind alone, with their texts.
std::shared_ptr<const RowTables> onlyKind(const RowTables& rows, RowKind kind);

/// The same rows without call stacks: their cells are absent.
std::shared_ptr<const RowTables> withoutStacks(const RowTables& rows);
/// The same events without the tracks that show call stacks (TrackKind::Stack).
/// @param rows  Those of the rank, which may name slices; may be null. Gets the slices' new numbers.
std::shared_ptr<const TraceStore> withoutStacks(const TraceStore& trace, std::shared_ptr<const RowTables>& rows);

}  // namespace altiscope::pack
