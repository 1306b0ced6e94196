#pragma once

#include "core/base/values/time.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {
class StoreCache;
}

namespace altiscope::reader {

/// Which ranks of a capture are read. The others stay listed (RankState::Listed), with all that their folders state.
struct RankChoice {
    /// Ranks by RankInfo::path.
    std::vector<std::string> wanted{};
    /// Beside them ranks in order, as long as all of their traces together have no more bytes; one at least if none is
    /// wanted.
    std::uint64_t automaticBytes = std::numeric_limits<std::uint64_t>::max();
    /// A former state of the same capture: ranks that it holds sealed are taken from it instead of being read again,
    /// and nothing is read automatically. Null: none.
    std::shared_ptr<const CaptureStore> known{};
    /// Only a range of time, on the trace's own clock, is read of these ranks (by RankInfo::path) and of all others;
    /// what that keeps says TraceBuilder. Nothing: all of it. A rank that `known` holds with another window is read
    /// again if it is wanted. Traces that are read in part do not go into the cache.
    std::map<std::string, TimeRange> windows{};
    std::optional<TimeRange> window{};
    /// A whole trace from the cache will do as well as a window of it.
    bool acceptsWhole = false;
    /// Only summary rows of these kinds are wanted: of ranks where they stand in files of their own, these files are
    /// read and nothing else, and no timeline. The rows are those of a whole import, but for columns that a timeline
    /// fills (slices; those of operator_slices.h). Nothing: all is read. The result does not go into the cache. A
    /// single file, and a capture without any such file, is read whole.
    std::optional<std::vector<RowKind>> onlyTables{};
    /// Only ranks with these numbers in the job are read, `wanted` ones too. Nothing: any.
    std::optional<std::vector<std::int64_t>> onlyNumbers{};

    /// Whether onlyNumbers lets a rank be read.
    bool accepts(const RankInfo& rank) const;
    /// The range of a rank; nullopt: everything.
    std::optional<TimeRange> windowOf(const std::string& rank) const;
};

/// The part of a capture that is read, from which sources, and where its stores are kept.
struct ImportOptions {
    RankChoice ranks;
    /// Called on a worker with each newer state of the capture: first when the manifest is known (nothing read), then
    /// when parts of traces can be shown (provisional stores), then per sealed rank. Leave empty for no intermediate
    /// states:
    /// they cost time. Calls never overlap.
    std::function<void(std::shared_ptr<const CaptureStore>)> onUpdate;
    /// Called on a worker with each rank once all of it is read, and its place in the capture; several calls at a time.
    /// A callee that moves parts out of it has the only copy of them: a capture can pass through memory rank by rank.
    /// The links between ranks in `rows` have to stay: their numbers are completed when all ranks are read. May be
    /// empty. Not with onUpdate, which would keep the parts.
    std::function<void(std::size_t, RankEntry&)> onRank{};
    /// Where sealed stores are kept for the next opening; null: nowhere. Must outlive the import.
    const StoreCache* cache = nullptr;
    /// The folder of the cache lies in evidence although it neither lies in the path nor around it, such as in a larger
    /// capture: the cache is not used, which is reported.
    bool isCacheInEvidence = false;
    /// Which source of a rank is read where it has several.
    bool preferText = false;
    bool preferDatabase = false;
    /// Raw data alone: the results of an analysis are passed over. Not with a cache.
    bool onlyRaw = false;
    /// Corrections of ranks by the user; listed in the report ("rank.corrected").
    RankCorrections corrections{};
    /// Bytes of a source that one worker takes at a time.
    std::size_t chunkBytes = std::size_t{4} << 20;
};

}  // namespace altiscope::reader
