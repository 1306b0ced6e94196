#pragma once

#include "core/analysis/slices/slice_details.h"
#include "views/timeline/rows/row_key.h"

#include <QJsonValue>

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace altiscope {

/// Name of a row in any capture. Views on texts of a store, or of the caller.
struct RowName {
    TimelineRowKind kind = TimelineRowKind::Rank;  ///< Rank or below.
    std::string_view process, track;               ///< Empty where the row has none.
    std::uint32_t number = 0;                      ///< Number among those with the same name on their rank.
    auto operator<=>(const RowName&) const = default;
};

/// Ranks, processes, threads and counters of a capture by their names, so that they are found again in other captures.
/// Constant once made; any thread.
class TrackNames {
public:
    /// The store must outlive it. O(tracks * log names).
    TrackNames(const CaptureStore& store, CaptureId capture);

    /// nullopt for rows that are not there, or above ranks.
    std::optional<RowName> nameOf(const RowKey& row) const;
    /// By rank.
    std::vector<RowKey> rowsNamed(const RowName& name) const;
    /// The number of a rank, its path where it has none.
    QJsonValue rankName(RankIndex rank) const;
    std::optional<RankIndex> rankNamed(const QJsonValue& name) const;
    /// Rows above the ranks, whether hosts are shown or not.
    std::vector<RowKey> hosts() const;
    std::size_t rankCount() const { return m_store.ranks.size(); }
    CaptureId capture() const { return m_capture; }

private:
    void addRank(RankIndex rank);

    const CaptureStore& m_store;
    CaptureId m_capture;
    std::map<RowName, std::vector<RowKey>> m_rows;
    std::unordered_map<RowKey, RowName, RowKeyHash> m_names;
};

}  // namespace altiscope
