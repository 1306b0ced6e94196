#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/pack/pack_file.h"
#include "core/pack/pack_json.h"
#include "core/pack/pack_sums.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::pack {

/// The pack of sums in a folder of packs, and the file that says what became of each unit.
inline constexpr std::string_view kClusterPack = "cluster.altipack";
inline constexpr std::string_view kUnitsFile = "units.json";

/// Whether a folder is to be opened as one capture of its packs: it has one, and a pack of sums or a list of units; or
/// packs and nothing else, but for hidden files.
bool isPackFolder(const std::filesystem::path& path);

/// Packs that are one capture: a file, or all packs of a folder but that of the sums.
struct PackSet {
    /// Where a rank of the list is.
    struct Place {
        std::size_t file = 0;
        std::uint32_t number = 0;  ///< In the file's own list.
    };
    std::filesystem::path path;
    std::vector<std::shared_ptr<const PackFile>> files;  ///< By name.
    PackedRanks list;           ///< All files' ranks; one that several have is that of the first.
    std::vector<Place> places;  ///< By rank of the list.
    Diagnostics problems;       ///< Files without a list of ranks, units that are missing.

    const PackFile& fileOf(std::size_t rank) const { return *files[places[rank].file]; }
    std::string nameOf(std::size_t file) const { return files[file]->path().filename().string(); }
};

/// @param source  Fills the file as it is read; null: it is whole.
/// @return Cancelled; Error as openPack() of a file, and of the first file of a folder where no other has a list.
Result<PackSet> openPackSet(const std::filesystem::path& path, const CancelToken& cancel,
                            const std::shared_ptr<const PackSource>& source = {});

/// Set for a section of another version of Altiscope, which is whole but says nothing to this one.
std::optional<std::string> otherVersion(const PackSection* section, std::uint32_t version);

/// The text of a section of JSON; Error "pack.damaged" where it is not there or not whole, "pack.list_version"
/// {version} where it is of another version.
Result<PackBytes> textOf(const PackFile& file, SectionKind kind, std::uint32_t version, const CancelToken& cancel);

/// Diagnostics of parts of one capture as those of the whole: what is said of the same file by several counts once.
Diagnostics mergedDiagnostics(const std::vector<Diagnostics>& parts);

/// Sums of all ranks of a set, by its list; nullopt of a rank whose pack has none. Reads no rank.
Result<std::vector<std::optional<PackedRankSums>>> packSums(const PackSet& set, const CancelToken& cancel);

/// Writes the pack of sums of a folder of packs: its list of ranks, sums, diagnostics, provenance and groups, and no
/// events. Reads no rank.
/// @return Cancelled, Error as openPackSet(), "pack.too_large" (a list is larger than a reader accepts,
///         also without the sums of steps), or "pack.not_written" {reason}.
Result<Done> writeClusterPack(const std::filesystem::path& folder, const CancelToken& cancel);

}  // namespace altiscope::pack
