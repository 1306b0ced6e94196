#include "core/store/seal/trace_builder.h"

#include "core/base/text/text.h"
#include "core/store/seal/seal.h"

#include <cstring>
#include <utility>

namespace altiscope {

TraceBuilder::TraceBuilder(std::string identity, std::optional<TimeRange> window)
    : m_identity(std::move(identity)), m_window(window) {}

TraceBuilder::~TraceBuilder() = default;

ProvisionalTrack TraceBuilder::Names::thread(std::string_view pid, std::string_view tid) {
    return track(pid, tid, false);
}

ProvisionalTrack TraceBuilder::Names::counter(std::string_view pid, std::string_view name) {
    return track(pid, name, true);
}

ProvisionalTrack TraceBuilder::Names::track(std::string_view pid, std::string_view second, bool isCounter) {
    const char kind = isCounter ? 'c' : 't';
    // Neighbouring events mostly belong to one track.
    if (kind == m_lastKind && isSame(second, m_lastSecond) && isSame(pid, m_lastPid)) return m_last;
    // Kind, length of the pid, pid, rest: any text may stand in both.
    m_key.assign(1, kind);
    const std::size_t length = pid.size();
    m_key.append(reinterpret_cast<const char*>(&length), sizeof length);
    m_key += pid;
    m_key += second;
    m_last = m_tracks.id(m_key);
    m_lastKind = kind;
    m_lastPid = pid;
    m_lastSecond = second;
    return m_last;
}

std::vector<ProvisionalTrackKey> TraceBuilder::trackKeys(const CancelToken& cancel) const {
    std::vector<ProvisionalTrackKey> keys;
    for (const std::string_view text : m_tracks.texts()) {
        if (cancel.cancelled()) return keys;
        std::size_t length = 0;
        // The pool's first text is the empty one, which is no track's.
        if (text.empty()) {
            keys.emplace_back();
            continue;
        }
        std::memcpy(&length, text.data() + 1, sizeof length);
        const std::string_view names = text.substr(1 + sizeof length);
        keys.push_back({names.substr(0, length), names.substr(length), text.front() == 'c'});
    }
    return keys;
}

namespace {

template <class T, class V>
void note(StatedFact<T>& fact, V&& value, SourcePos pos) {
    if (pos >= fact.pos) fact = {T(std::forward<V>(value)), pos};
}

/// A name; where it differs from one that is known both are kept.
template <class Histories>
void noteName(StatedFact<std::string>& fact, Histories& histories, const typename Histories::key_type& key,
              std::string_view name, SourcePos pos) {
    if (fact.known() && !fact.value.empty() && !name.empty() && fact.value != name)
        histories[key].emplace(fact.pos, fact.value);
    if (!histories.empty() && !name.empty()) {
        if (const auto history = histories.find(key); history != histories.end())
            history->second.insert_or_assign(pos, std::string(name));
    }
    note(fact, name, pos);
}

}  // namespace

void TraceBuilder::setProcessName(std::string_view pid, std::string_view name, SourcePos pos) {
    const std::lock_guard lock(m_mutex);
    const std::string key(pid);
    noteName(m_facts.processes[key].name, m_facts.processNames, key, name, pos);
}

void TraceBuilder::setProcessLabels(std::string_view pid, std::string_view labels, SourcePos pos) {
    const std::lock_guard lock(m_mutex);
    note(m_facts.processes[std::string(pid)].labels, labels, pos);
}

void TraceBuilder::setProcessSort(std::string_view pid, std::int64_t index, SourcePos pos) {
    const std::lock_guard lock(m_mutex);
    note(m_facts.processes[std::string(pid)].sort, index, pos);
}

void TraceBuilder::setThreadName(std::string_view pid, std::string_view tid, std::string_view name, SourcePos pos) {
    const std::lock_guard lock(m_mutex);
    const std::pair<std::string, std::string> key(pid, tid);
    noteName(m_facts.threads[key].name, m_facts.threadNames, key, name, pos);
}

void TraceBuilder::setThreadSort(std::string_view pid, std::string_view tid, std::int64_t index, SourcePos pos) {
    const std::lock_guard lock(m_mutex);
    note(m_facts.threads[{std::string(pid), std::string(tid)}].sort, index, pos);
}

void TraceBuilder::commit(SourcePos first, Segment segment) {
    const std::uint64_t events = segment.slices.size() + segment.openEnds.size() + segment.instants.size() +
                                 segment.samples.size() + segment.flows.size();
    if (events == 0) return;
    ExcludedExtents excluded;
    if (m_window) excluded = cutToWindow(segment, *m_window);
    std::vector<Segment::StackedOperator> stacked = std::exchange(segment.stackedOperators, {});
    const std::lock_guard lock(m_mutex);
    if (!stacked.empty()) m_stackedOperators.emplace(first, std::move(stacked));
    if (!excluded.empty()) m_excluded.emplace(first, std::make_shared<const ExcludedExtents>(std::move(excluded)));
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
    input.window = m_window;
    for (const auto& [first, segment] : m_segments) input.segments.push_back(segment);
    for (const auto& [first, excluded] : m_excluded) input.excluded.push_back(excluded);
    return input;
}

void TraceBuilder::takeStacks(SealInput& input) {
    for (auto& [first, operators] : m_stackedOperators) input.stackedOperators.push_back(std::move(operators));
    m_stackedOperators.clear();
    input.stackNodes = m_stacks.nodes();
    input.stacksAreFull = m_stacks.isFull();
    input.stacksAreCut = m_stacks.isCut();
    if (input.stackNodes.size() <= 1) return;
    const std::vector<std::string_view> frames = m_stacks.frames();
    SharedStringPool::Cache texts(m_texts);
    std::vector<ProvisionalText> textOf;
    textOf.reserve(frames.size());
    for (const std::string_view frame : frames) textOf.push_back(texts.id(frame));
    for (CallStackPool::Node& node : input.stackNodes) node.frame = textOf[node.frame];
}

Result<std::shared_ptr<const TraceStore>> TraceBuilder::snapshot(const CancelToken& cancel) const {
    SealInput copy;
    {
        const std::lock_guard lock(m_mutex);
        copy = input();
        copy.facts = m_facts;
    }
    copy.provisional = true;
    // After the segments were taken: they know all their texts and tracks.
    copy.texts = m_texts.sealed(cancel);
    copy.tracks = trackKeys(cancel);
    Diagnostics ignored;  // an unfinished trace has unmatched ends by nature
    return sealSegments(std::move(copy), "", ignored, cancel);
}

Result<std::shared_ptr<const TraceStore>> TraceBuilder::seal(const SourceNames& names, Diagnostics& diagnostics,
                                                             const CancelToken& cancel) {
    SealInput all;
    {
        const std::lock_guard lock(m_mutex);
        all = input();
        all.facts = std::move(m_facts);
        m_segments.clear();
        m_excluded.clear();
        takeStacks(all);
        m_events = 0;
    }
    all.texts = m_texts.sealed(cancel);
    all.tracks = trackKeys(cancel);
    return sealSegments(std::move(all), names, diagnostics, cancel);
}

}  // namespace altiscope
