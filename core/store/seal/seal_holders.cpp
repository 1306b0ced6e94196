#include "core/store/seal/seal_holders.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

/// The processes that had a pid.
class Holders {
public:
    explicit Holders(const NameHistory& names) {
        for (const auto& [pos, name] : names) {
            const auto known = std::find(m_names.begin(), m_names.end(), name);
            m_changes.emplace_back(pos, static_cast<std::uint32_t>(known - m_names.begin()));
            if (known == m_names.end()) m_names.emplace_back(name);
        }
    }

    std::uint32_t at(SourcePos pos) const {
        const auto next = std::upper_bound(m_changes.begin(), m_changes.end(), pos,
                                           [](SourcePos wanted, const auto& change) { return wanted < change.first; });
        // Where names follow the events the last one holds.
        return next == m_changes.begin() ? m_changes.back().second : std::prev(next)->second;
    }
    std::string_view name(std::uint32_t holder) const { return m_names[holder]; }

private:
    std::vector<std::pair<SourcePos, std::uint32_t>> m_changes;  // ascending
    std::vector<std::string_view> m_names;                       // by holder
};

class Splitter {
public:
    explicit Splitter(SealInput& input) : m_input(input), m_holdersOf(input.tracks.size()) {
        std::unordered_map<std::string_view, const Holders*> byPid;
        for (const auto& [pid, names] : input.facts.processNames)
            byPid.emplace(pid, &m_holders.emplace(pid, Holders(names)).first->second);
        for (std::size_t i = 0; i < input.tracks.size(); ++i) {
            const auto found = byPid.find(input.tracks[i].pid);
            if (found == byPid.end() || input.tracks[i].second.data() == nullptr) continue;
            m_holdersOf[i] = found->second;
            nameTrack(input.tracks[i], *found->second, 0);
        }
    }

    void split(std::shared_ptr<const Segment>& segment) {
        if (!isTouched(*segment)) return;
        auto own = std::make_shared<Segment>(*segment);
        for (std::size_t i = 0; i < own->slices.size(); ++i) move(own->slices.track[i], own->slices.pos[i]);
        for (Segment::OpenEnd& end : own->openEnds) moveEnd(end);
        moveAll(own->instants);
        moveAll(own->samples);
        moveAll(own->flows);
        segment = std::move(own);
    }
    template <class Event>
    void moveAll(std::vector<Event>& events) {
        for (Event& event : events) move(event.track, event.pos);
    }

private:
    bool isSplit(ProvisionalTrack track) const { return track < m_holdersOf.size() && m_holdersOf[track] != nullptr; }
    bool isTouched(const Segment& segment) const {
        const auto touches = [this](const auto& event) { return isSplit(event.track); };
        const auto any = [&](const auto& events) { return std::any_of(events.begin(), events.end(), touches); };
        return std::any_of(segment.slices.track.begin(), segment.slices.track.end(),
                           [this](ProvisionalTrack track) { return isSplit(track); }) ||
               any(segment.openEnds) || any(segment.instants) || any(segment.samples) || any(segment.flows);
    }

    void move(ProvisionalTrack& track, SourcePos pos) {
        if (isSplit(track)) track = trackOf(track, m_holdersOf[track]->at(pos));
    }
    /// An end belongs to where its slice began, whatever the pid is called meanwhile.
    void moveEnd(Segment::OpenEnd& end) {
        if (!isSplit(end.track)) return;
        std::vector<std::uint32_t>& open = m_open[end.track];
        std::uint32_t holder = m_holdersOf[end.track]->at(end.pos);
        if (end.isBegin) {
            open.push_back(holder);
        } else if (!open.empty()) {
            holder = open.back();
            open.pop_back();
        }
        end.track = trackOf(end.track, holder);
    }

    ProvisionalTrack trackOf(ProvisionalTrack track, std::uint32_t holder) {
        if (holder == 0) return track;
        const auto [place, isNew] =
            m_added.try_emplace({track, holder}, static_cast<ProvisionalTrack>(m_input.tracks.size()));
        if (isNew) {
            ProvisionalTrackKey key = m_input.tracks[track];
            key.isLater = true;
            nameTrack(key, *m_holdersOf[track], holder);
            m_input.tracks.push_back(key);
        }
        return place->second;
    }
    void nameTrack(ProvisionalTrackKey& key, const Holders& holders, std::uint32_t holder) const {
        key.process = holders.name(holder);
        const auto& threads = m_input.facts.threadNames;
        const auto names = threads.find({std::string(key.pid), std::string(key.second)});
        if (key.isCounter || names == threads.end()) return;
        for (const auto& [pos, name] : names->second) {
            if (holders.at(pos) == holder) key.thread = name;
        }
    }

    SealInput& m_input;
    std::map<std::string_view, Holders> m_holders;
    std::vector<const Holders*> m_holdersOf;  // by track; null: its pid had one process
    std::map<std::pair<ProvisionalTrack, std::uint32_t>, ProvisionalTrack> m_added;
    std::unordered_map<ProvisionalTrack, std::vector<std::uint32_t>> m_open;  // slices without end, by track
};

}  // namespace

void splitReusedPids(SealInput& input, const CancelToken& cancel) {
    if (input.facts.processNames.empty()) return;
    Splitter splitter(input);
    for (auto& segment : input.segments) {
        if (cancel.cancelled()) return;
        splitter.split(segment);
    }
    for (auto& operators : input.stackedOperators) splitter.moveAll(operators);
}

}  // namespace altiscope
