#include "views/timeline/timeline_model.h"

#include "views/timeline/capture_extent.h"

#include "views/common/data_words.h"
#include "views/common/formatters.h"

#include <QFileInfo>

#include <algorithm>
#include <functional>
#include <string_view>

namespace altiscope {

namespace {

constexpr std::uint32_t kNoRank = 0xffffffffU;
constexpr std::uint32_t kNoNode = 0xffffffffU;

bool isEmpty(const TrackExtent& extent) {
    return extent.sliceCount == 0 && extent.seriesCount == 0 && extent.instantCount == 0;
}

TimelineRowKind rowKindOf(const TrackExtent& extent) {
    return extent.seriesCount > 0 && extent.sliceCount == 0 ? TimelineRowKind::Counter : TimelineRowKind::Thread;
}

/// Whether a row of tracks holds counters and nothing else.
bool onlyCounters(const TraceStore& trace, std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t t = first; t < first + count; ++t) {
        const TrackExtent& extent = trace.extent({t});
        if (extent.sliceCount != 0 || extent.instantCount != 0) return false;
    }
    return true;
}

std::int64_t hashOf(std::string_view text) { return static_cast<std::int64_t>(std::hash<std::string_view>{}(text)); }

} // namespace

std::size_t RowKeyHash::operator()(const RowKey& key) const noexcept {
    const std::uint64_t place = (std::uint64_t{key.capture} << 32) ^ (std::uint64_t{key.rank} << 3) ^ static_cast<std::uint64_t>(key.kind);
    return std::hash<std::uint64_t>{}(place * 0x9e3779b97f4a7c15U ^ static_cast<std::uint64_t>(key.id));
}

void TimelineModel::setSources(std::vector<TimelineSource> sources) {
    m_sources = std::move(sources);
    buildNodes();
    layOut();
}

void TimelineModel::setContext(const ContextFilter& context) {
    const bool sameRanks = context.ranks == m_context.ranks && context.devices == m_context.devices;
    m_context = context;
    if (sameRanks) return;
    buildNodes();
    layOut();
}

void TimelineModel::setFilter(const TrackFilter& filter) {
    m_filter = filter;
    buildNodes();
    layOut();
}

QString TimelineModel::titleOf(const RowKey& key) const {
    const auto source = sourceOf(key.capture);
    if (!source || key.kind < TimelineRowKind::Process || key.rank >= m_sources[*source].store->ranks.size()) return {};
    const TraceStore* trace = m_sources[*source].store->ranks[key.rank].trace.get();
    const auto track = trace == nullptr ? std::nullopt : trace->findTrack({key.id});
    if (!track) return {};
    const Track& found = trace->track(*track);
    return key.kind == TimelineRowKind::Process ? toQString(found.process) : toQString(found.process) + QStringLiteral(" / ") + toQString(found.name);
}

std::vector<RowKey> TimelineModel::sameOnAllRanks(const TimelineRow& row) const {
    std::vector<RowKey> same;
    const TraceStore* own = traceOf(row);
    if (own == nullptr || row.kind < TimelineRowKind::Process) return same;
    const Track& wanted = own->track({row.firstTrack});
    for (const TimelineSource& source : m_sources) {
        for (std::uint32_t rank = 0; rank < source.store->ranks.size(); ++rank) {
            const TraceStore* trace = source.store->ranks[rank].trace.get();
            if (trace == nullptr) continue;
            for (std::uint32_t t = 0; t < trace->tracks().size(); ++t) {
                const Track& track = trace->track({t});
                const bool isFirst = t == 0 || trace->track({t - 1}).pid != track.pid;
                if (track.process != wanted.process || (row.kind == TimelineRowKind::Process ? !isFirst : track.name != wanted.name)) continue;
                same.push_back({source.capture, rank, row.kind, track.id.value});
            }
        }
    }
    return same;
}

bool TimelineModel::isFilteredOut(std::uint32_t source, std::uint32_t rank, std::uint32_t process, std::uint32_t track, TextMatches& matches) const {
    if (m_filter.empty()) return false;
    const TraceStore& trace = *m_sources[source].store->ranks[rank].trace;
    const Track& which = trace.track({track});
    if (m_filter.hiddenKinds.contains(which.kind)) return true;
    const std::uint32_t capture = m_sources[source].capture;
    const TimelineRowKind kind = rowKindOf(trace.extent({track}));
    if (m_filter.hidden.contains({capture, rank, TimelineRowKind::Process, trace.track({process}).id.value}) ||
        m_filter.hidden.contains({capture, rank, kind, which.id.value}))
        return true;
    const auto matchesText = [&](std::string_view text) {
        const auto [known, isNew] = matches.try_emplace(text, false);
        if (isNew) known->second = toQString(text).contains(m_filter.text, Qt::CaseInsensitive);
        return known->second;
    };
    return !m_filter.text.isEmpty() && !matchesText(which.name) && !matchesText(which.process);
}

void TimelineModel::setMetrics(const RowMetrics& metrics) {
    m_metrics = metrics;
    layOut();
}

std::int64_t TimelineModel::height() const { return m_rows.empty() ? 0 : m_rows.back().top + m_rows.back().height; }

std::size_t TimelineModel::rowAt(std::int64_t y) const {
    const auto behind = std::upper_bound(m_rows.begin(), m_rows.end(), y,
                                         [](std::int64_t value, const TimelineRow& row) { return value < row.top; });
    return behind == m_rows.begin() ? 0 : static_cast<std::size_t>(behind - m_rows.begin()) - 1;
}

void TimelineModel::setExpanded(std::size_t row, bool expanded) {
    m_expanded[keyOf(m_rows[row])] = expanded;
    layOut();
}

void TimelineModel::setAllExpanded(bool expanded) {
    for (const Node& node : m_nodes) {
        const TimelineRow row = describe(node);
        // Collapsing everything keeps captures and hosts open: one line for a whole run would show nothing.
        if (row.expandable && (expanded || node.kind >= TimelineRowKind::Rank)) m_expanded[keyOf(row)] = expanded;
    }
    layOut();
}

std::optional<TimelineModel::Place> TimelineModel::placeOf(std::uint32_t source, std::uint32_t rank, TrackIndex track) const {
    if (source >= m_nodeOfTrack.size() || rank >= m_nodeOfTrack[source].size()) return std::nullopt;
    const auto& nodes = m_nodeOfTrack[source][rank];
    if (track.value >= nodes.size() || nodes[track.value] == kNoNode) return std::nullopt;
    const Node& node = m_nodes[nodes[track.value]];
    return Place{node.row, node.hidden};
}

bool TimelineModel::expandTo(std::uint32_t source, std::uint32_t rank, TrackIndex track) {
    const auto place = placeOf(source, rank, track);
    if (!place) return false;
    const std::uint32_t target = m_nodeOfTrack[source][rank][track.value];
    bool changed = false;
    for (std::uint32_t i = 0; i <= target; ++i) {
        const Node& node = m_nodes[i];
        if (i != target && node.behind <= target) continue;
        const TimelineRow row = describe(node);
        if (!row.expandable || row.expanded) continue;
        m_expanded[keyOf(row)] = true;
        changed = true;
    }
    if (changed) layOut();
    return changed;
}

RowKey TimelineModel::keyOf(const TimelineRow& row) const {
    RowKey key{m_sources[row.source].capture, row.rank, row.kind, 0};
    if (row.kind >= TimelineRowKind::Process) {
        key.id = traceOf(row)->track({row.firstTrack}).id.value;
    } else if (row.kind == TimelineRowKind::Host) {
        key.id = hashOf(m_sources[row.source].store->ranks[row.firstTrack].info.host);
    }
    return key;
}

const RankEntry* TimelineModel::rankOf(const TimelineRow& row) const {
    return row.rank == kNoRank ? nullptr : &m_sources[row.source].store->ranks[row.rank];
}

const TraceStore* TimelineModel::traceOf(const TimelineRow& row) const {
    const RankEntry* entry = rankOf(row);
    return entry == nullptr ? nullptr : entry->trace.get();
}

DurationNs TimelineModel::shiftOf(std::uint32_t source, std::uint32_t rank) const {
    const TimelineSource& shown = m_sources[source];
    return {shown.shift.value + alignmentOf(shown.clocks.get(), rank).value};
}

std::optional<std::uint32_t> TimelineModel::sourceOf(std::uint32_t capture) const {
    for (std::uint32_t i = 0; i < m_sources.size(); ++i) {
        if (m_sources[i].capture == capture) return i;
    }
    return std::nullopt;
}

void TimelineModel::buildNodes() {
    m_nodes.clear();
    m_hiddenTracks = 0;
    TextMatches matches;
    m_nodeOfTrack.assign(m_sources.size(), {});
    for (std::uint32_t source = 0; source < m_sources.size(); ++source) {
        const auto& ranks = m_sources[source].store->ranks;
        m_nodeOfTrack[source].resize(ranks.size());
        std::uint8_t level = 0;
        const std::size_t captureNode = m_nodes.size();
        if (m_sources.size() > 1) m_nodes.push_back({TimelineRowKind::Capture, level++, source, kNoRank, 0, 0});

        // Hosts in the order in which their first rank comes; ranks keep their order within.
        std::vector<std::string_view> hosts;
        for (const RankEntry& entry : ranks) {
            if (!m_context.holds(entry.info)) continue;
            if (std::find(hosts.begin(), hosts.end(), entry.info.host) == hosts.end()) hosts.push_back(entry.info.host);
        }
        for (const std::string_view host : hosts) {
            const std::size_t hostNode = m_nodes.size();
            const bool shown = hosts.size() > 1;
            const auto first = std::find_if(ranks.begin(), ranks.end(), [host](const RankEntry& e) { return e.info.host == host; });
            if (shown) m_nodes.push_back({TimelineRowKind::Host, level, source, kNoRank, static_cast<std::uint32_t>(first - ranks.begin()), 0});
            for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
                if (ranks[rank].info.host == host && m_context.holds(ranks[rank].info)) addRank(source, rank, static_cast<std::uint8_t>(level + (shown ? 1 : 0)), matches);
            }
            if (shown) m_nodes[hostNode].behind = static_cast<std::uint32_t>(m_nodes.size());
        }
        if (m_sources.size() > 1) m_nodes[captureNode].behind = static_cast<std::uint32_t>(m_nodes.size());
    }
}

void TimelineModel::addRank(std::uint32_t source, std::uint32_t rank, std::uint8_t level, TextMatches& matches) {
    const auto size = [this] { return static_cast<std::uint32_t>(m_nodes.size()); };
    const TraceStore* trace = m_sources[source].store->ranks[rank].trace.get();
    const std::uint32_t trackCount = trace == nullptr ? 0 : static_cast<std::uint32_t>(trace->tracks().size());
    const std::uint32_t rankNode = size();
    m_nodes.push_back({TimelineRowKind::Rank, level, source, rank, 0, trackCount});
    auto& nodeOf = m_nodeOfTrack[source][rank];
    nodeOf.assign(trackCount, kNoNode);
    for (std::uint32_t first = 0; first < trackCount;) {
        std::uint32_t last = first + 1;
        while (last < trackCount && trace->track({last}).pid == trace->track({first}).pid) ++last;
        const std::uint32_t processNode = size();
        m_nodes.push_back({TimelineRowKind::Process, static_cast<std::uint8_t>(level + 1), source, rank, first, last - first});
        for (std::uint32_t t = first; t < last; ++t) {
            const TrackExtent& extent = trace->extent({t});
            if (isEmpty(extent)) continue;
            if (isFilteredOut(source, rank, first, t, matches)) {
                ++m_hiddenTracks;
                continue;
            }
            nodeOf[t] = size();
            m_nodes.push_back({rowKindOf(extent), static_cast<std::uint8_t>(level + 2), source, rank, t, 1, size() + 1});
        }
        if (size() == processNode + 1) {
            m_nodes.pop_back();
        } else {
            m_nodes[processNode].behind = size();
        }
        first = last;
    }
    m_nodes[rankNode].behind = size();
}

TimelineRow TimelineModel::describe(const Node& node) const {
    TimelineRow row{.kind = node.kind, .level = node.level, .source = node.source, .rank = node.rank,
                    .firstTrack = node.firstTrack, .trackCount = node.trackCount};
    const auto self = static_cast<std::uint32_t>(&node - m_nodes.data());
    std::uint32_t parts = 0;
    if (node.kind >= TimelineRowKind::Thread) {
        const TrackExtent& extent = traceOf(row)->extent({node.firstTrack});
        parts = node.kind == TimelineRowKind::Thread ? std::max(extent.runCount, 1U) : extent.seriesCount;
        row.expandable = parts > 1;
    } else {
        row.expandable = node.behind > self + 1;
    }
    const auto told = m_expanded.find(keyOf(row));
    row.expanded = row.expandable && (told != m_expanded.end() ? told->second : startsExpanded(row));

    if (node.kind < TimelineRowKind::Thread) {
        row.height = m_metrics.group;
    } else if (node.kind == TimelineRowKind::Counter && !row.expanded) {
        row.lanes = 1;
        row.height = m_metrics.counter;
    } else if (row.expanded || parts == 1) {
        row.lanes = parts;
        row.height = static_cast<int>(parts) * m_metrics.lane + m_metrics.gap;
    } else {
        const auto most = static_cast<std::uint32_t>(kCollapsedLanes * m_metrics.lane);
        const int inner = std::max(static_cast<int>(std::min(parts, most)) * m_metrics.strip, m_metrics.lane);
        row.height = std::min(inner, kCollapsedLanes * m_metrics.lane) + m_metrics.gap;
        row.lanes = std::min(parts, most);
    }
    return row;
}

bool TimelineModel::startsExpanded(const TimelineRow& row) const {
    switch (row.kind) {
    case TimelineRowKind::Capture:
    case TimelineRowKind::Host: return true;
    case TimelineRowKind::Thread: return traceOf(row)->depthCount({row.firstTrack}) <= kDeepThread;
    case TimelineRowKind::Rank: return m_sources[row.source].store->ranks.size() <= kManyRanks;
    case TimelineRowKind::Process: return !onlyCounters(*traceOf(row), row.firstTrack, row.trackCount);
    case TimelineRowKind::Counter: return false;
    }
    return false;
}

void TimelineModel::layOut() {
    m_rows.clear();
    std::int64_t top = 0;
    for (std::uint32_t i = 0; i < m_nodes.size();) {
        TimelineRow row = describe(m_nodes[i]);
        row.top = top;
        top += row.height;
        const auto index = static_cast<std::uint32_t>(m_rows.size());
        m_nodes[i].row = index;
        m_nodes[i].hidden = false;
        const std::uint32_t behind = m_nodes[i].behind;
        const bool open = row.expanded || row.kind >= TimelineRowKind::Thread;
        m_rows.push_back(row);
        ++i;
        for (; !open && i < behind; ++i) {
            m_nodes[i].row = index;
            m_nodes[i].hidden = true;
        }
    }
}

QString TimelineModel::title(const TimelineRow& row) const {
    const CaptureStore& store = *m_sources[row.source].store;
    switch (row.kind) {
    case TimelineRowKind::Capture: return QFileInfo(toQString(store.path)).fileName();
    case TimelineRowKind::Host: {
        const std::string& host = store.ranks[row.firstTrack].info.host;
        return host.empty() ? tr("unknown host") : toQString(host);
    }
    case TimelineRowKind::Rank: {
        const RankInfo& info = store.ranks[row.rank].info;
        // A rank that no source numbers is called by its folder or file, which may be the capture itself.
        if (!info.rankId && info.path == ".") return QFileInfo(toQString(store.path)).fileName();
        return rankTitle(info);
    }
    case TimelineRowKind::Process: return toQString(traceOf(row)->track({row.firstTrack}).process);
    case TimelineRowKind::Thread:
    case TimelineRowKind::Counter: return toQString(traceOf(row)->track({row.firstTrack}).name);
    }
    return {};
}

QString TimelineModel::note(const TimelineRow& row) const {
    if (row.kind == TimelineRowKind::Process) return toQString(traceOf(row)->track({row.firstTrack}).labels);
    if (row.kind == TimelineRowKind::Capture) {
        const DurationNs shift = m_sources[row.source].shift;
        return shift.value == 0 ? QString() : tr("moved to a common start");
    }
    if (row.kind != TimelineRowKind::Rank) return {};
    const RankEntry& entry = *rankOf(row);
    if (entry.info.state == RankState::Raw) return tr("raw data only");
    if (entry.trace == nullptr) {
        return entry.info.traceBytes > 0 ? tr("not read yet") : tr("no timeline");
    }
    return deviceTitle(entry.info);
}

} // namespace altiscope
