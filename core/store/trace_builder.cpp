#include "core/store/trace_builder.h"

#include "core/store/seal.h"

#include <utility>

namespace altiscope {

TraceBuilder::TraceBuilder(std::string identity, std::optional<TimeRange> window)
    : m_identity(std::move(identity)), m_window(window) {}

TraceBuilder::~TraceBuilder() = default;

ProvisionalTrack TraceBuilder::Names::thread(std::string_view pid, std::string_view tid) { return track(pid, tid, false); }

ProvisionalTrack TraceBuilder::Names::counter(std::string_view pid, std::string_view name) { return track(pid, name, true); }

ProvisionalTrack TraceBuilder::Names::track(std::string_view pid, std::string_view second, bool isCounter) {
    m_key.assign(pid);
    m_key += '\0';
    m_key += isCounter ? 'c' : 't';
    m_key += second;
    // Neighbouring events mostly belong to one track.
    if (m_key == m_lastKey) return m_last;
    auto known = m_tracks.find(m_key);
    if (known == m_tracks.end()) {
        known = m_tracks.emplace(m_key, m_builder->insertTrack(m_key, pid, second, isCounter)).first;
    }
    m_lastKey = m_key;
    m_last = known->second;
    return m_last;
}

ProvisionalTrack TraceBuilder::insertTrack(std::string_view key, std::string_view pid, std::string_view second, bool isCounter) {
    const std::lock_guard lock(m_mutex);
    const auto [it, isNew] = m_trackIds.try_emplace(std::string(key), static_cast<ProvisionalTrack>(m_trackKeys.size()));
    if (isNew) m_trackKeys.push_back({std::string(pid), std::string(second), isCounter});
    return it->second;
}

namespace {

template <class T, class V>
void tell(Told<T>& fact, V&& value, SourcePos pos) {
    if (pos >= fact.pos) fact = {T(std::forward<V>(value)), pos};
}

} // namespace

void TraceBuilder::setProcessName(std::string_view pid, std::string_view name, SourcePos pos) {
    const std::lock_guard lock(m_mutex);
    tell(m_facts.processes[std::string(pid)].name, name, pos);
}

void TraceBuilder::setProcessLabels(std::string_view pid, std::string_view labels, SourcePos pos) {
    const std::lock_guard lock(m_mutex);
    tell(m_facts.processes[std::string(pid)].labels, labels, pos);
}

void TraceBuilder::setProcessSort(std::string_view pid, std::int64_t index, SourcePos pos) {
    const std::lock_guard lock(m_mutex);
    tell(m_facts.processes[std::string(pid)].sort, index, pos);
}

void TraceBuilder::setThreadName(std::string_view pid, std::string_view tid, std::string_view name, SourcePos pos) {
    const std::lock_guard lock(m_mutex);
    tell(m_facts.threads[{std::string(pid), std::string(tid)}].name, name, pos);
}

void TraceBuilder::setThreadSort(std::string_view pid, std::string_view tid, std::int64_t index, SourcePos pos) {
    const std::lock_guard lock(m_mutex);
    tell(m_facts.threads[{std::string(pid), std::string(tid)}].sort, index, pos);
}

void TraceBuilder::commit(SourcePos first, Segment segment) {
    const std::uint64_t events = segment.slices.size() + segment.openEnds.size() + segment.instants.size() +
                                 segment.samples.size() + segment.flows.size();
    if (events == 0) return;
    LeftOut leftOut;
    if (m_window) leftOut = cutToWindow(segment, *m_window);
    const std::lock_guard lock(m_mutex);
    if (!leftOut.empty()) m_leftOut.emplace(first, std::make_shared<const LeftOut>(std::move(leftOut)));
    m_segments.emplace(first, std::make_shared<const Segment>(std::move(segment)));
    m_events += events;
}

std::uint64_t TraceBuilder::eventCount() const {
    const std::lock_guard lock(m_mutex);
    return m_events;
}

SealInput TraceBuilder::input() const {
    SealInput input;
    input.identity = m_identity;
    input.tracks = m_trackKeys;
    input.facts = m_facts;
    input.window = m_window;
    for (const auto& [first, segment] : m_segments) input.segments.push_back(segment);
    for (const auto& [first, leftOut] : m_leftOut) input.leftOut.push_back(leftOut);
    return input;
}

Result<std::shared_ptr<const TraceStore>> TraceBuilder::snapshot(const CancelToken& cancel) const {
    SealInput copy;
    {
        const std::lock_guard lock(m_mutex);
        copy = input();
    }
    copy.provisional = true;
    copy.texts = m_texts.sealed();  // after the segments were taken: it knows all their texts
    Diagnostics ignored;            // an unfinished trace has unmatched ends by nature
    return sealSegments(std::move(copy), "", ignored, cancel);
}

Result<std::shared_ptr<const TraceStore>> TraceBuilder::seal(const SourceNames& names, Diagnostics& diagnostics,
                                                             const CancelToken& cancel) {
    SealInput all;
    {
        const std::lock_guard lock(m_mutex);
        all = input();
        m_segments.clear();
        m_leftOut.clear();
        m_events = 0;
    }
    all.texts = m_texts.sealed();
    return sealSegments(std::move(all), names, diagnostics, cancel);
}

} // namespace altiscope
