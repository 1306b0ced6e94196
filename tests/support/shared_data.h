#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace altiscope::test {

/// A folder of the real captures (see the README of the captures), e.g. sharedData("torch_text/level1").
/// @return nullopt where the captures are not installed; the test then skips with kNoSharedData.
std::optional<std::filesystem::path> sharedData(const std::string& relative);

/// The only reason for which a test may skip where captures are absent; listed in tests/support/allowed_skips.txt.
inline constexpr const char* kNoSharedData = "real captures are not installed (ALTI_SHARED_DATA)";

}  // namespace altiscope::test
