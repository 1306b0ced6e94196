#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/store/capture_store.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// A part of a capture that one process packs.
struct PackUnit {
    enum class State : std::uint8_t { Waiting, Running, Done, Failed };

    std::vector<std::int64_t> ranks;  ///< Numbers in the job; none: all of a capture whose ranks have no numbers.
    State state = State::Waiting;
    std::string host, reason;  ///< Where it is or was done; why it failed, or what a pack that is done lacks.
};
std::string_view unitStateName(PackUnit::State state);  ///< "waiting", "running", "done", "failed"

/// How a capture is packed in parts.
struct UnitPlan {
    std::filesystem::path capture;     ///< Absolute, as all hosts see it.
    std::filesystem::path folder;      ///< Folder of the packs; absolute.
    std::string identity;              ///< That of the capture; empty: not known.
    std::string program;               ///< altiscope-cli, absolute.
    std::vector<std::string> options;  ///< Options of each unit's command beside those for its ranks and files.
    std::vector<std::string> content;  ///< Those of `options` on which it depends what a pack holds.
    std::vector<PackUnit> units;

    /// Where a unit's pack, what its process says, and its output are.
    std::filesystem::path packOf(std::size_t unit) const;
    std::filesystem::path noteOf(std::size_t unit) const;
    /// Folder of lists and output of engines; hidden, so that the folder holds packs alone.
    std::filesystem::path workFolder() const { return folder / ".units"; }
    /// Words of the command that packs a unit, and waits for nothing else.
    std::vector<std::string> commandOf(std::size_t unit) const;
};

/// The ranks of a capture, of which only the list need be read, as units of `perUnit` in order of their numbers; ranks
/// with the same number are in one unit.
/// @param only  Numbers of ranks; nullopt: all.
/// @return Error "pack.units.no_number" {count} if some ranks have a number and others have none, "pack.empty",
///         "pack.no_ranks".
Result<std::vector<PackUnit>> unitsOf(const CaptureStore& capture, const std::optional<std::vector<std::int64_t>>& only,
                                      std::size_t perUnit);

/// Makes the folder of a plan, unless it is there, and its workFolder().
/// @return Error "pack.units.other" if it has units of another division, or packed with another content;
///         "pack.units.line" {path} if a path has several lines, which no list of commands can have; "pack.not_written"
///         {reason}.
Result<Done> prepareFolder(const UnitPlan& plan);

/// Brings the states up to date with the files: done is what has a whole pack of this capture with these ranks, with
/// events of each whose files can be read; failed, what ended without one. Reads directories and lists of packs, on all
/// workers of the arena.
void refreshUnits(UnitPlan& plan, const CancelToken& cancel);
/// The same of one unit. @return Whether it is done.
bool refreshUnit(UnitPlan& plan, std::size_t unit, const CancelToken& cancel);

/// units.json: [{"unit":U,"ranks":[..],"state":S,"host":H,"reason":R}].
std::string unitsToJson(const std::vector<PackUnit>& units);
/// Writes it. @return Error "pack.not_written" {reason}.
Result<Done> writeUnits(const UnitPlan& plan);

/// Ranks of a unit as --ranks takes them: "0,2,4-7".
std::string ranksText(const std::vector<std::int64_t>& ranks);

}  // namespace altiscope
