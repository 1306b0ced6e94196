#pragma once

#include "core/base/text/diagnostics.h"
#include "core/trace/rank.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::reader {

using Metadata = std::vector<std::pair<std::string, std::string>>;

/// Reads a small JSON object as metadata: nested keys joined by '.', arrays as compact JSON text, texts without quotes.
/// Faults of the file go to `diagnostics` under `name`: "metadata.broken" (lost), or the code of the file
/// error.
Metadata readMetadata(const std::filesystem::path& path, std::string_view name, Diagnostics& diagnostics);

/// Adds one value: a JSON object is flattened under its key, everything else is kept as it stands.
void addMetadata(Metadata& metadata, const std::string& key, const std::string& value);

/// The value whose key, or the last part of it without leading underscores, is `option`; nullptr if there is none.
const std::string* findOption(const Metadata& metadata, std::string_view option);

/// The value of exactly this key, the first if there are several; nullptr if there is none.
const std::string* findKey(const Metadata& metadata, std::string_view key);
/// The same as a number times `factor`, see parseScaled(); nullopt if there is none, or it is no number.
std::optional<std::int64_t> scaledValue(const Metadata& metadata, std::string_view key, std::int64_t factor);

/// Kinds of data that a rank's files and its switches say are there, in the words of MissingData::what; sorted.
/// @param contents  fileContent() of its files.
std::vector<std::string> presentData(const std::vector<std::string>& contents, const Metadata& metadata);

/// Kinds of data that are missing because a switch was off; none where the settings are not known or say that it was
/// on. The timeline is no part of it: no switch but an export makes it.
std::vector<MissingData> missingData(const std::vector<std::string>& present, const Metadata& metadata);

MissingData missingTimeline(std::string_view switchName);

}  // namespace altiscope::reader
