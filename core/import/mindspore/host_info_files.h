#pragma once

#include "core/base/text/diagnostics.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/files/folder_listing.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace altiscope::reader {

// A folder `host_info` of MindSpore: host_info_{rank}.csv, and what MindSpore itself has made of it,
// timeline_{rank}.json, host_memory_{rank}.csv and dataset_{rank}.csv. Files that are there are read; the rest follows
// from the records (host_info.h). Source: core/import/mindspore/FORMAT.md section 2.

/// Such a folder: which ranks have records in it.
class HostInfoFolder {
public:
    /// @param folder  Must outlive this. Looked through once: there may be 10^5 files of as many ranks.
    explicit HostInfoFolder(const ListedFolder& folder);

    const ListedFolder& folder() const { return *m_folder; }
    bool hasRecords() const { return !m_records.empty(); }
    /// The ranks whose records lie here, ascending.
    std::vector<std::int64_t> ranks() const;
    /// The records of a rank, whose names may say more than its number: the first by name; null: there are none.
    const ListedFile* records(std::int64_t rank) const;
    /// Which of these ranks a rank is: one without number takes the only one.
    std::optional<std::int64_t> numberOf(const RankInfo& rank) const;

private:
    const ListedFolder* m_folder;
    std::map<std::int64_t, const ListedFile*> m_records;
};

/// Makes the host's timeline that of the rank if it has none, or a part of it if both tell the time of day, as the
/// host's records do (system_clock) and all timelines but those of old MindSpore, which count from their first event.
/// Else it is an alternative ("source_not_taken"). Reads the beginnings of both files.
void addHostInfoTimeline(RankManifest& rank, const HostInfoFolder& hostInfo, Diagnostics& diagnostics);

/// Adds the files that fill tables, without those that the rank has from elsewhere.
void addHostInfoTables(RankManifest& rank, const HostInfoFolder& hostInfo);

}  // namespace altiscope::reader
