#pragma once

#include "core/base/files/file.h"
#include "core/base/text/diagnostics.h"
#include "core/store/rows/row_table.h"
#include "core/trace/rank.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Content of a file by its first bytes and its name.
enum class SourceFormat : std::uint8_t {
    TraceJson,     ///< Chrome trace events: an array of objects, or an object with "traceEvents".
    Database,      ///< SQLite.
    HostInfo,      ///< host_info_{rank}.csv of MindSpore, from which a timeline is made.
    Raw,           ///< A PROF folder that has not been analysed: its path is the folder.
    CpuUsage,      ///< minddata_cpu_utilization_{rank}.json of MindSpore: samples on a clock of their own.
    MonitorLines,  ///< msmonitor_*.jsonl of npu-monitor, one of the parts that a process wrote.
    TaskTimes,     ///< task_time*.csv, from which a timeline is made where there is no other.
    PythonTrace,   ///< Calls of Python that msMemScope recorded: its database, or python_trace_*.csv.
    Other,         ///< Anything else that belongs to a capture (CSV, other JSON).
};

/// The archive that files of a capture lie in, and where its members have been expanded to.
struct ArchiveOrigin {
    std::filesystem::path archive;
    std::string fingerprint;             ///< The archive's, see StoreCache::fingerprint.
    std::filesystem::path files;         ///< The expanded capture: a folder, or one file.
    std::shared_ptr<const void> keeper;  ///< The expanded files live as long as this.
};

/// A file of a capture that a reader may read.
struct SourceFile {
    std::filesystem::path path;  ///< Where it is.
    std::string name;            ///< Relative to the capture, '/' between parts; for a single file its own name.
    SourceFormat format = SourceFormat::Other;
    std::uint64_t size = 0;    ///< Bytes, when it was found.
    std::uint32_t number = 0;  ///< File number of SourcePos; unique in the capture.
    /// Keeps a copy alive that `path` names, where a file cannot be read as it lies (see db_copy.h); null: it can.
    std::shared_ptr<const void> copy{};
    std::filesystem::path copied{};                  ///< Then: the user's file.
    std::shared_ptr<const ArchiveOrigin> archive{};  ///< Set for a member of an archive: `path` is its expanded copy.

    /// The user's file that changes when this one does.
    const std::filesystem::path& originalFile() const {
        return archive ? archive->archive : copied.empty() ? path : copied;
    }
};

/// A file beside the traces that fills tables of its own.
struct TableFile {
    SourceFile source;
    std::string_view format;  ///< Constant text: what reads it, the name of a CsvFormat.
};

/// One rank as its files say before any trace is read.
struct RankManifest {
    RankInfo info;
    std::vector<SourceFile> traces;  ///< To be read into one trace, in this order.
    std::vector<TableFile> tables;   ///< To be read into row tables, in this order.
    std::vector<Step> steps{};       ///< Where a table states them.
    /// Tables that the files of a cluster hold of a rank that has no folder of its own, read already; null: none (see
    /// cluster_ranks.h).
    std::shared_ptr<const RowTables> clusterRows{};
    /// Stamps of those files when they were read; with the first rank of each cluster.
    std::shared_ptr<const std::vector<FileStamp>> clusterSources{};
};

/// The files of a folder into which a cluster analysis has put the numbers of all ranks. Source:
/// core/import/scan/FORMAT.md section 2, core/import/cluster/FORMAT.md.
struct ClusterManifest {
    std::string path;  ///< The folder, relative to the capture.
    std::string run;   ///< The folder of the run that was analysed, likewise: ranks below it are those of the cluster.
    std::optional<SourceFile> steps, communication, matrix, groups, metadata, database;
};

/// Content of a path.
struct CaptureManifest {
    std::filesystem::path root;               ///< The folder that names are relative to.
    std::vector<RankManifest> ranks;          ///< Ordered by rank id (unknown first), then path.
    std::vector<ClusterManifest> clusters{};  ///< Ordered by path.
    bool isSingleFile = false;                ///< A file that lies in no capture folder.
    Diagnostics diagnostics;
    std::shared_ptr<const ArchiveOrigin> archive{};  ///< Set if the path is an archive.
};

}  // namespace altiscope::reader
