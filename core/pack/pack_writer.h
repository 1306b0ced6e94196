#pragma once

#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/pack/pack_sums.h"
#include "core/pack/rank_sections.h"
#include "core/pack/spool_file.h"
#include "core/store/capture_store.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace altiscope::pack {

/// What goes into a pack.
struct PackOptions {
    std::optional<std::vector<std::int64_t>> ranks{};  ///< By number in the job; nullopt: all.
    RankContent content{};                             ///< Without arguments the column args is NULL.
    std::string identity{};                            ///< Of the capture, PackedRanks::identity.
    std::string program{};                             ///< Version of the program.
    /// Rows that Altiscope computes of a rank, whose sums go into the pack; may be empty, and give null. On workers.
    std::function<std::shared_ptr<const RowTables>(const RankEntry&)> computedRows{};
};

struct PackSummary {
    std::uint64_t ranks = 0;
    std::uint64_t bytes = 0;          ///< Of the pack.
    std::uint64_t argumentBytes = 0;  ///< Of these, for arguments.
    std::string missingRanks;         ///< Numbers of PackOptions::ranks that no capture has; the first ten.
};

/// Writes captures to a pack, rank by rank as they are read, so that no more of them are in memory than are read at a
/// time. The file appears complete or not at all; until then the ranks wait in a file without a name beside it. The
/// same captures give the same bytes, in whatever order their ranks come.
class PackWriter {
public:
    PackWriter(const std::filesystem::path& path, PackOptions options, const CancelToken& cancel);

    /// Takes the events, arguments and rows out of a rank, as reader::ImportOptions::onRank wants it. Any thread, in a
    /// WorkerArena; what fails is said by finish().
    /// @param capture  Its place in finish(). @param place  The rank's place in that capture.
    void take(std::size_t capture, std::size_t place, RankEntry& rank);

    /// Writes the pack; ranks that were not taken are taken now, from the captures. Of several captures each rank's
    /// path begins with the name of its capture. Must run inside a WorkerArena.
    /// @return Cancelled; Error "pack.empty" (no ranks), "pack.no_ranks" {ranks} (none of the chosen ones),
    ///         "pack.not_written" {reason}, "pack.too_large" (a part is larger than a reader accepts), or as
    ///         ArgumentSource where arguments cannot be read any more.
    Result<PackSummary> finish(std::span<const std::shared_ptr<const CaptureStore>> captures, ProgressSlot& progress);

private:
    struct Taken {
        std::optional<SpooledSection> store, arguments;
        bool hasTrace = false;
        PackedRankSums sums;
        std::shared_ptr<const RowTables> links;  ///< Those that the rank has got back.
    };
    using Key = std::pair<std::size_t, std::size_t>;

    std::optional<SpooledSection> spooled(const std::optional<CodedSection>& section);
    void completeLinks(Taken& taken, const std::shared_ptr<const RowTables>& links);
    Result<PackSummary> written(std::span<const std::shared_ptr<const CaptureStore>> captures,
                                const std::vector<Key>& order, std::string missing);
    void fail(const Error& error);
    Error notWritten(const std::string& reason) const;

    std::filesystem::path m_path;
    PackOptions m_options;
    CancelToken m_cancel;
    std::mutex m_mutex;  // guards what follows
    SpoolFile m_spool;
    std::map<Key, Taken> m_taken;
    std::optional<Error> m_error;
};

/// Writes a capture that is in memory. @return As PackWriter::finish.
Result<PackSummary> writePack(const CaptureStore& capture, const PackOptions& options,
                              const std::filesystem::path& path, ProgressSlot& progress, const CancelToken& cancel);

/// Learns what a capture says beside its ranks' events: who they are, what was wrong with the files, and their names.
void learnCapture(const CaptureStore& capture, Redaction& redaction);

}  // namespace altiscope::pack
