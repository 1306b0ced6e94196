#include "core/analysis/collectives/collective_ends.h"

#include "core/analysis/collectives/collective_times.h"
#include "core/analysis/steps/device_activity.h"
#include "core/trace/collective_names.h"

#include <algorithm>
#include <unordered_map>

namespace altiscope {

namespace {

/// After the name of a group: its sends and receives.
constexpr char kTransfers = '\n';

/// "hcom_allReduce" of "hcom_allReduce__586_0_1": what comes after is counted by each rank for itself.
std::string_view kindOf(std::string_view name) {
    const std::size_t at = std::min(name.find("__"), name.find('@'));
    return name.substr(0, at);
}

/// How many bytes a collective of a rank moved, by its name, where its profiler states it; names are counted on, so
/// that each is one.
std::unordered_map<std::string_view, std::int64_t> sizesOf(const RankEntry& rank) {
    static constexpr auto kName = fixedColumn(RowKind::Bandwidth, "op_name");
    static constexpr auto kSize = fixedColumn(RowKind::Bandwidth, "size");
    std::unordered_map<std::string_view, std::int64_t> sizes;
    const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(RowKind::Bandwidth);
    for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
        const auto name = table->text(kName, row);
        const auto size = table->integer(kSize, row);
        if (name && size) sizes[rank.rows->text(*name)] += *size;
    }
    return sizes;
}

/// The name in EndsByGroup of the group of a slice on a group track; empty if nothing states it.
std::string endsGroupOf(const CollectiveGroups& groups, std::string_view track, std::string_view name) {
    std::string group = groups.name(track, name);
    if (group.empty()) group = groupDigits(name);  // ranks of other groups whose digits are the same do not fit
    return group.empty() || !isPeerToPeerName(name) ? group : transferGroup(group);
}

}  // namespace

CollectiveSizes::CollectiveSizes(const RankEntry& rank) : m_sizes(sizesOf(rank)) {}

std::size_t CollectiveSizes::what(std::string_view opName) const {
    const auto size = m_sizes.find(opName);
    return std::hash<std::string_view>()(kindOf(opName)) * 31 +
           (size == m_sizes.end() ? 0 : std::hash<std::int64_t>()(size->second));
}

bool isTransferGroup(std::string_view name) { return name.ends_with(kTransfers); }

std::string transferGroup(std::string_view group) { return std::string(group) + kTransfers; }

EndsByGroup collectiveEnds(const RankEntry& rank, const CaptureGroups& directory, const CancelToken& cancel) {
    EndsByGroup groups;
    if (!hasEvents(rank)) return groups;
    const TraceStore& trace = *rank.trace;
    const CollectiveGroups names(directory, rank.info.rankId);
    const CollectiveSizes sizes(rank);
    for (std::uint32_t t = 0; t < trace.tracks().size() && !cancel.cancelled(); ++t) {
        const Track& track = trace.tracks()[t];
        if (!isGroupTrack(track)) continue;
        const TrackExtent& extent = trace.extent({t});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            const std::string_view name = trace.name({i});
            const std::string group = endsGroupOf(names, track.name, name);
            if (group.empty()) continue;
            // A send is another word than its receive, and both are of one size.
            const std::size_t what = isTransferGroup(group) ? 0 : sizes.what(name);
            groups[group].push_back({trace.end({i}).value, what, i});
        }
    }
    for (auto& [name, ends] : groups)
        std::sort(ends.begin(), ends.end(),
                  [](const CollectiveEnd& a, const CollectiveEnd& b) { return a.end < b.end; });
    return groups;
}

}  // namespace altiscope
