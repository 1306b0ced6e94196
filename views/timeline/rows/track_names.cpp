#include "views/timeline/rows/track_names.h"

#include "views/common/support/formatters.h"

#include <algorithm>

namespace altiscope {

TrackNames::TrackNames(const CaptureStore& store, CaptureId capture) : m_store(store), m_capture(capture) {
    for (RankIndex rank; rank.value < store.ranks.size(); ++rank.value) addRank(rank);
}

void TrackNames::addRank(RankIndex rank) {
    std::map<RowName, std::uint32_t> seen;
    const auto add = [&](TimelineRowKind kind, std::int64_t id, std::string_view process, std::string_view track) {
        RowName name{kind, process, track, 0};
        name.number = seen[name]++;
        const RowKey key{m_capture, rank, kind, id};
        m_rows[name].push_back(key);
        m_names.emplace(key, name);
    };
    add(TimelineRowKind::Rank, 0, {}, {});
    const TraceStore* trace = m_store.ranks[rank.value].trace.get();
    if (trace == nullptr) return;
    for (std::uint32_t t = 0; t < trace->tracks().size(); ++t) {
        const Track& track = trace->track({t});
        const TrackExtent& extent = trace->extent({t});
        if (t == 0 || trace->track({t - 1}).pid != track.pid)
            add(TimelineRowKind::Process, track.id.value, track.process, {});
        const bool isCounter = extent.seriesCount > 0 && extent.sliceCount == 0;
        add(isCounter ? TimelineRowKind::Counter : TimelineRowKind::Thread, track.id.value, track.process, track.name);
    }
}

std::optional<RowName> TrackNames::nameOf(const RowKey& row) const {
    const auto known = m_names.find(row);
    return known == m_names.end() ? std::nullopt : std::optional(known->second);
}

std::vector<RowKey> TrackNames::rowsNamed(const RowName& name) const {
    const auto known = m_rows.find(name);
    return known == m_rows.end() ? std::vector<RowKey>() : known->second;
}

std::vector<RowKey> TrackNames::hosts() const {
    std::vector<RowKey> hosts;
    for (const RankEntry& entry : m_store.ranks) {
        const RowKey host = hostKey(m_capture, entry.info.host);
        if (std::find(hosts.begin(), hosts.end(), host) == hosts.end()) hosts.push_back(host);
    }
    return hosts;
}

QJsonValue TrackNames::rankName(RankIndex rank) const {
    const RankInfo& info = m_store.ranks[rank.value].info;
    return info.rankId ? QJsonValue(qint64{*info.rankId}) : QJsonValue(toQString(info.path));
}

std::optional<RankIndex> TrackNames::rankNamed(const QJsonValue& name) const {
    for (RankIndex rank; rank.value < m_store.ranks.size(); ++rank.value) {
        if (rankName(rank) == name) return rank;
    }
    return std::nullopt;
}

}  // namespace altiscope
