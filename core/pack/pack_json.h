#pragma once

#include "core/base/files/file.h"
#include "core/store/capture_store.h"
#include "core/trace/rank.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::pack {

/// Of sections kind Ranks, Diagnostics and Provenance.
inline constexpr std::uint32_t kJsonVersion = 1;

/// One rank of a pack, but for its events.
struct PackedRank {
    RankInfo info;
    std::vector<Step> steps;
    bool hasTrace = false;      ///< The store is its trace too, not only its rows.
    bool hasStore = false;      ///< There is a section Store.
    bool hasArguments = false;  ///< There is a section Arguments.
};

/// What a pack holds, as its section Ranks states it.
struct PackedRanks {
    std::string identity;  ///< Of the capture (core/session/workspace/capture_identity.h); empty: not known.
    std::string path;      ///< Where the capture lay.
    std::string program;   ///< Version of the program that wrote it.
    CaptureStore::State state = CaptureStore::State::Ok;  ///< Or Partial.
    bool hasGroups = false;
    std::vector<PackedRank> ranks;
};

std::string ranksToJson(const PackedRanks& ranks);
/// nullopt if the text is no such list, or its numbers are no values of their kinds. Steps are in order, and have no
/// range where theirs is none.
std::optional<PackedRanks> ranksFromJson(std::string_view text);

/// A file that a pack was made of.
struct PackedSource {
    std::size_t rank = 0;  ///< Index in PackedRanks::ranks.
    FileStamp stamp;
    std::optional<std::uint64_t>
        checksum;  ///< XXH3-64 of its bytes; nullopt: it is not there any more, or has changed.
};

std::string sourcesToJson(const std::vector<PackedSource>& sources);

}  // namespace altiscope::pack
