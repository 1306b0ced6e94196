#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/result.h"
#include "core/import/files/profiler_info.h"
#include "core/import/sqlite/db_connection.h"
#include "core/import/sqlite/db_problems.h"
#include "core/import/sqlite/db_schema.h"
#include "core/trace/rank.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::reader {

/// Facts of a profiler database about itself; its events are not looked at, so this takes some milliseconds.
struct DbFacts {
    bool holdsTimeline = false;            ///< There is a table for events, if maybe an empty one.
    bool holdsCluster = false;             ///< There is a table of a cluster analysis.
    std::optional<std::int64_t> rankId;    ///< RANK_DEVICE_MAP; plain CANN files say -1, which is none.
    std::optional<std::int64_t> deviceId;  ///< If there is one only.
    std::string host;
    Metadata metadata;                  ///< META_DATA; JSON values are flattened as in profiler_metadata.json.
    std::vector<std::string> contents;  ///< Content of its tables, in the words of MissingData::what.
    std::vector<Step> steps;            ///< STEP_TIME, by number.
    DbProblemLog problems;              ///< Parts that could not be read.
};

/// STEP_TIME, by number; empty where a version has no such table.
std::vector<Step> readDbSteps(sqlite3* connection, const DbSchema& schema, DbProblemLog& problems);

/// @param cancel  Ends it soon; the result is not to be used then.
/// @return Error as openDatabase.
Result<DbFacts> readDbFacts(const std::filesystem::path& path, const std::string& name, const CancelToken& cancel);

}  // namespace altiscope::reader
