#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/contracts/group_places.h"
#include "core/store/rows/row_table.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::reader {

/// A communication group of a capture.
struct KnownGroup {
    std::string name;  ///< Its id text, or the decimal hash where no source states the text.
    std::string hash;
    std::string parallelType;  ///< "tp", "dp" ...; empty if no source states it.
    /// Global, ascending: a local rank is a place in it. Empty if no source states them.
    std::vector<std::int64_t> ranks;
    /// Then: those that the links of ranks state, see setPlaces().
    std::optional<GroupPlaces> places{};
};

/// The hash under which communication files name a group. Source: core/import/communication/FORMAT.md section 1.
std::string groupHash(std::string_view id);

/// The groups that the metadata of all ranks, and the files of cluster analyses, state. Constant once made.
class GroupDirectory {
public:
    /// Adds what one rank's metadata state ("parallel_group_info" of profiler_metadata.json).
    void add(const RankInfo& rank);
    void add(KnownGroup group);
    /// A set of ranks that communicate under a name that no source states; nothing is added where a group has the same
    /// ranks.
    void addUnnamed(std::vector<std::int64_t> ranks, std::string parallelType);
    /// Sets the places that links state in a group that is new or has no ranks. They are no part of key().
    void setPlaces(std::string_view name, GroupPlaces places);
    /// Adds the rows that groupRows made of another directory.
    void add(const RowTables& rows);

    /// Must be called for key() once everything is added.
    void finish();
    /// Tells directories of other content apart: rows that hold names and ranks of groups are made by it.
    const std::string& key() const { return m_key; }

    /// By hash; null if it is not known.
    const KnownGroup* find(std::string_view hash) const;
    /// Name for a group of the files, which they give by its hash.
    std::string_view name(std::string_view hash) const;
    const std::map<std::string, KnownGroup, std::less<>>& groups() const { return m_groups; }
    /// Ranks and parallel type of sets without a name.
    const std::set<std::pair<std::vector<std::int64_t>, std::string>>& unnamed() const { return m_unnamed; }

private:
    std::map<std::string, KnownGroup, std::less<>> m_groups;  // by hash
    std::set<std::pair<std::vector<std::int64_t>, std::string>> m_unnamed;
    std::string m_key;
};

/// The table `comm_group`, by name, those without at the end. Where only some ranks are known their list is by place in
/// the group, with null for each that is not known, and a null at its end where it may have further ones. Null if there
/// are no groups. Uses the workers of the arena.
Result<std::shared_ptr<const RowTables>> groupRows(const GroupDirectory& groups, const CancelToken& cancel);

}  // namespace altiscope::reader
