#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/database/db_facts.h"
#include "core/import/files/folder_listing.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Which of several sources of a rank is taken, and where copies may lie.
struct SourceChoice {
    bool preferText = false;  ///< Text before a database where a rank has both; else the other way round.
    /// analysis.db before text files with the same tables for any rank, of which that is the rule for ranks of a
    /// database.
    bool preferDatabase = false;
    RankCorrections corrections{};  ///< By the user; a source that is not there (any more) is passed over.
    /// For databases that have to be copied (see db_copy.h); empty: the system's.
    std::filesystem::path scratchFolder{};
    std::filesystem::path temporaryFolder{};  ///< For copies that cannot lie in the cache; empty: the system's.
    CancelToken cancel{};                     ///< Stops such a copy; scanCapture() puts its own here.
    bool onlyRaw = false;                     ///< Results of an analysis of raw data are passed over.
};

/// Timeline databases of a folder by their names, or, whatever they are called otherwise, by their first bytes; the one
/// to be taken first: the framework's own, the newest of CANN, then what monitoring wrote.
/// Source: core/import/scan/FORMAT.md sections 2 and 3.
std::vector<const ListedFile*> timelineDatabases(const ListedFolder& folder);

/// A database as a source of a rank: a copy of it if it has to be completed first. Obstacles go to
/// `diagnostics`: "db.no_space", "db.not_copied" (lost: what was written last is missing), and "db.other_journal"
/// (repaired: see DbCopy::namedAnotherJournal). The database itself once choice.cancel requests a stop.
SourceFile databaseFile(const std::filesystem::path& path, const std::string& name, std::uint64_t size,
                        const SourceChoice& choice, Diagnostics& diagnostics);

/// Who wrote a timeline database, by its name.
Framework frameworkOfDatabase(std::string_view name);

/// Takes over what a database says about its rank where nothing better is known.
void applyFacts(const DbFacts& facts, RankManifest& rank);

}  // namespace altiscope::reader
