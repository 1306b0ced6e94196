#include "core/import/raw_records/raw_iterations.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace {

enum Tag : std::uint16_t {
    kModelBegin = 0,
    kModelEnd = 1,
    kForward = 2,
    kBackward = 3,
    kIterationEnd = 4,
    kStreamMark = 11,
    kFirstReduction = 10'000,
    kFirstFetch = 20'000,
    kStepBegin = 60'000,
    kStepEnd = 60'001,
};

using Steps = std::vector<RawStep>;

/// Puts the records of a model in the order of its iterations, of which several may run at a time.
class IterationQueue {
public:
    explicit IterationQueue(Steps& ordered) : m_ordered(ordered) {}

    void add(const RawStep& step) {
        if (step.tag == kModelBegin || step.tag == kStreamMark) m_open.push_back({step.tag, step.tag, {step}});
        else if (step.tag == kModelEnd) endModel(step);
        else if (step.tag >= kFirstFetch && step.tag < kStepBegin) addToLast(step);
        else if (step.tag >= kFirstReduction) addToRunning(step);
        else addToWaiting(step);
    }
    /// The model has no more records.
    void flush() {
        while (!m_open.empty()) takeFirst();
    }

private:
    struct Open {
        std::uint16_t firstTag, lastTag;
        Steps steps;
    };

    void takeFirst() {
        const Steps& steps = m_open.front().steps;
        m_ordered.insert(m_ordered.end(), steps.begin(), steps.end());
        m_open.pop_front();
        ++m_taken;
    }
    /// Ends what began before the next begin of the model.
    void endModel(const RawStep& step) {
        int begins = 0;
        while (!m_open.empty()) {
            if (m_open.front().firstTag == kModelBegin && ++begins == 2) break;
            takeFirst();
        }
        m_ordered.push_back(step);
    }
    void addToLast(const RawStep& step) {
        if (!m_open.empty()) m_open.back().steps.push_back(step);
    }
    /// The first one at a number or after it of which `isRight`; null if there is none. @param from  Is moved there.
    template <class IsRight>
    Open* firstFrom(std::size_t& from, const IsRight& isRight) {
        from = std::max(from, m_taken);
        while (from - m_taken < m_open.size() && !isRight(m_open[from - m_taken])) ++from;
        return from - m_taken < m_open.size() ? &m_open[from - m_taken] : nullptr;
    }
    void addToRunning(const RawStep& step) {
        Open* const found = firstFrom(m_running, [](const Open& one) { return one.lastTag != kIterationEnd; });
        if (found != nullptr) found->steps.push_back(step);
    }
    void addToWaiting(const RawStep& step) {
        std::size_t& from = m_waiting[step.tag];
        Open* const found = firstFrom(from, [&step](const Open& one) { return one.lastTag < step.tag; });
        if (found == nullptr) return m_open.push_back({step.tag, step.tag, {step}});
        found->lastTag = step.tag;
        found->steps.push_back(step);
        m_running = std::min(m_running, from);
    }

    Steps& m_ordered;
    std::deque<Open> m_open;
    // Numbers of the open ones, counted from the first that there was: tags only grow, so none before fits later.
    std::size_t m_taken = 0, m_running = 0;
    std::map<std::uint16_t, std::size_t> m_waiting;  // by tag
};

/// One iteration of a model, in counts of the device.
struct Iteration {
    std::uint64_t begin = 0, end = 0, forward = 0, backward = 0;
    std::vector<std::uint16_t> streams;  ///< Streams of reductions, in the order in which they are seen first.
    std::map<std::uint16_t, std::vector<std::pair<std::uint64_t, std::uint64_t>>> reductions;
    std::map<std::uint16_t, Steps> fetches;  ///< By half of their tag.
    std::vector<std::uint16_t> halves;       ///< In the order in which they are seen first.

    void forget() {
        streams.clear();
        reductions.clear();
        fetches.clear();
        halves.clear();
        forward = backward = 0;
    }
};

/// Finds the iterations of one model.
class ModelIterations {
public:
    void add(const RawStep& step) {
        switch (step.tag) {
        case kModelBegin:
            if (m_state != State::InModel) start(step.time, State::InModel);
            break;
        case kModelEnd:
            if (m_state != State::InModel) break;
            finish(step.time);
            m_state = State::Outside;
            break;
        case kIterationEnd:
            if (m_state == State::Outside) break;
            finish(step.time);
            start(step.time, State::Between);
            break;
        default: break;
        }
        addTo(m_iterations[m_index], step);
    }
    std::uint64_t count() const { return m_index - 1; }
    const Iteration& at(std::uint64_t index) const { return m_iterations.at(index); }
    /// Whether one began within a model and has no end.
    bool isCut() const { return m_state == State::InModel; }

private:
    enum class State : std::uint8_t { Outside, InModel, Between };

    void start(std::uint64_t time, State state) {
        m_iterations[m_index].forget();
        m_iterations[m_index].begin = time;
        m_state = state;
    }
    void finish(std::uint64_t time) { m_iterations[m_index++].end = time; }

    static void addTo(Iteration& iteration, const RawStep& step) {
        if (step.tag >= kFirstFetch) {
            const auto half = static_cast<std::uint16_t>(step.tag / 2);
            const auto [known, isNew] = iteration.fetches.try_emplace(half);
            if (isNew) iteration.halves.push_back(half);
            known->second.push_back(step);
        } else if (step.tag >= kFirstReduction) {
            const auto [known, isNew] = iteration.reductions.try_emplace(step.stream);
            if (isNew) iteration.streams.push_back(step.stream);
            if (step.tag % 2 == 0) known->second.emplace_back(step.time, 0);
            else if (!known->second.empty()) known->second.back().second = step.time;
        } else if (step.tag == kForward) {
            iteration.forward = step.time;
        } else if (step.tag == kBackward) {
            iteration.backward = step.time;
        }
    }

    std::map<std::uint64_t, Iteration> m_iterations;  // by index
    std::uint64_t m_index = 1;
    State m_state = State::Outside;
};

/// An iteration in counts, as it is found.
struct Found {
    std::uint64_t model, index, forward, backward, end, length;
};

class IterationWriter {
public:
    IterationWriter(const RawSettings& settings, DeviceSamples& samples)
        : m_settings(settings), m_clock(settings.deviceClock()), m_samples(samples) {}

    void add(std::uint64_t model, const ModelIterations& iterations) {
        for (std::uint64_t index = 1; index <= iterations.count(); ++index) {
            const Iteration& one = iterations.at(index);
            // After an iteration that took no time the vendor's program reads none.
            m_isBroken = m_isBroken || one.begin == 0 || one.end == 0 || one.begin == one.end;
            if (!m_isBroken) m_found.push_back({model, index, one.forward, one.backward, one.end, one.end - one.begin});
            for (const std::uint16_t stream : one.streams) {
                for (const auto& [begin, end] : one.reductions.at(stream))
                    addReduction(model, index, one.end, begin, end);
            }
            addFetches(one);
        }
    }
    void addStep(const RawStep& begin, const RawStep& end) {
        m_found.push_back({begin.model, begin.index, 0, 0, end.time, end.time - begin.time});
    }

    /// @return How many had times that no run has.
    std::uint64_t end() {
        matchFetches();
        std::sort(m_reductions.begin(), m_reductions.end());
        m_samples.hasEqualReductions =
            std::adjacent_find(m_reductions.begin(), m_reductions.end()) != m_reductions.end();
        std::stable_sort(m_found.begin(), m_found.end(), [](const Found& a, const Found& b) { return a.end < b.end; });
        for (std::size_t i = 0; i < m_found.size(); ++i) addIteration(i);
        return m_badTimes;
    }
    /// How many began before the collection did. After end().
    std::uint64_t early() const { return m_early; }

private:
    std::int64_t lengthOf(std::uint64_t counts) const {
        __extension__ using Wide = unsigned __int128;
        static constexpr std::uint64_t kNsOfSecond = 1'000'000'000;
        return static_cast<std::int64_t>(Wide{counts} * kNsOfSecond /
                                         std::max<std::uint64_t>(m_settings.deviceHertz.value_or(1), 1));
    }
    /// From the end of the nearest iteration that ended before the forward pass of this one.
    std::uint64_t waitOf(std::size_t place) const {
        const std::uint64_t forward = m_found[place].forward;
        const auto last = m_found.begin() + static_cast<std::ptrdiff_t>(place);
        const auto after = std::lower_bound(m_found.begin(), last, forward,
                                            [](const Found& one, std::uint64_t time) { return one.end < time; });
        return forward == 0 || after == m_found.begin() ? 0 : forward - (after - 1)->end;
    }
    void addIteration(std::size_t place) {
        const Found& one = m_found[place];
        const auto end = m_clock.wall(one.end);
        const auto forward = one.forward == 0 ? std::optional<std::int64_t>(0) : m_clock.wall(one.forward),
                   backward = one.backward == 0 ? std::optional<std::int64_t>(0) : m_clock.wall(one.backward);
        if (!end || !forward || !backward || lengthOf(one.length) < 0 || lengthOf(one.length) > *end) {
            ++m_badTimes;
            return;
        }
        IterationRecord record;
        record.model = static_cast<std::uint32_t>(one.model);
        record.index = one.index;
        record.forward = *forward;
        record.backward = *backward;
        record.end = *end;
        record.length = lengthOf(one.length);
        if (record.hasPasses()) record.passes = lengthOf(one.backward - one.forward);
        if (one.backward != 0) record.refresh = lengthOf(one.end - one.backward);
        record.wait = lengthOf(waitOf(place));
        if (record.begin() >= m_settings.wallBegin) m_samples.iterations.push_back(record);
        else ++m_early;
    }
    void addReduction(std::uint64_t model, std::uint64_t index, std::uint64_t iterationEnd, std::uint64_t begin,
                      std::uint64_t end) {
        m_reductions.emplace_back(iterationEnd, begin);
        const auto from = m_clock.wall(begin), to = m_clock.wall(end), whole = m_clock.wall(iterationEnd);
        if (!from || !to || !whole || *to < *from) {
            ++m_badTimes;
            return;
        }
        if (*from >= m_settings.wallBegin)
            m_samples.reductions.push_back({static_cast<std::uint32_t>(model), index, *whole, *from, *to});
        else ++m_early;
    }
    void addFetches(const Iteration& iteration) {
        for (const std::uint16_t half : iteration.halves) {
            for (const RawStep& step : iteration.fetches.at(half)) {
                auto& [begins, ends] = m_fetches[{step.model, step.index, step.stream, half}];
                (step.tag % 2 == 0 ? begins : ends).push_back(step.time);
            }
        }
    }
    /// A begin belongs to the next end, of several begins the last one.
    void matchFetches() {
        for (auto& [key, both] : m_fetches) {
            auto& [begins, ends] = both;
            while (!begins.empty() && !ends.empty()) {
                std::uint64_t begin = begins.front(), end = ends.front();
                begins.pop_front();
                ends.pop_front();
                for (; !ends.empty() && end < begin; ends.pop_front()) end = ends.front();
                for (; !begins.empty() && begins.front() <= end; begins.pop_front()) begin = begins.front();
                const auto from = m_clock.wall(begin), to = m_clock.wall(end);
                if (!from || !to || *to < *from) ++m_badTimes;
                else if (*from >= m_settings.wallBegin)
                    m_samples.dataFetches.push_back({static_cast<std::uint32_t>(std::get<0>(key)), *from, *to});
                else ++m_early;
            }
        }
    }

    const RawSettings& m_settings;
    const RawClock m_clock;
    DeviceSamples& m_samples;
    std::vector<Found> m_found;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> m_reductions;  // end of their iteration, begin
    /// Times of begins and ends, by model, index, stream and half of the tag.
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint16_t, std::uint16_t>,
             std::pair<std::deque<std::uint64_t>, std::deque<std::uint64_t>>>
        m_fetches;
    std::uint64_t m_badTimes = 0, m_early = 0;
    bool m_isBroken = false;
};

/// Each once, by model, then time.
Steps sortedSteps(const Steps& steps) {
    Steps sorted;
    std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint16_t, std::uint16_t>> seen;
    for (const RawStep& step : steps) {
        if (seen.emplace(step.index, step.model, step.time, step.tag, step.stream).second) sorted.push_back(step);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const RawStep& a, const RawStep& b) {
        return std::tie(a.model, a.time) < std::tie(b.model, b.time);
    });
    return sorted;
}

/// Steps of the program: two marks of one number.
void addProgramSteps(Steps steps, IterationWriter& writer) {
    std::erase_if(steps, [](const RawStep& step) { return step.tag != kStepBegin && step.tag != kStepEnd; });
    std::stable_sort(steps.begin(), steps.end(), [](const RawStep& a, const RawStep& b) { return a.time < b.time; });
    std::map<std::uint64_t, Steps> ofNumber;
    for (const RawStep& step : steps) ofNumber[step.index].push_back(step);
    for (const auto& [number, both] : ofNumber) {
        if (both.size() == 2) writer.addStep(both[0], both[1]);
    }
}

}  // namespace

void addRawIterations(const std::vector<RawStep>& steps, const RawSettings& settings, const std::string& name,
                      Diagnostics& diagnostics, DeviceSamples& samples) {
    const Steps sorted = sortedSteps(steps);
    IterationWriter writer(settings, samples);
    std::uint64_t cut = 0;
    for (std::size_t from = 0; from < sorted.size();) {
        std::size_t to = from;
        while (to < sorted.size() && sorted[to].model == sorted[from].model) ++to;
        Steps ordered;
        IterationQueue queue(ordered);
        for (std::size_t i = from; i < to; ++i) queue.add(sorted[i]);
        queue.flush();
        ModelIterations model;
        for (const RawStep& step : ordered) model.add(step);
        cut += model.isCut() ? 1 : 0;
        writer.add(sorted[from].model, model);
        from = to;
    }
    addProgramSteps(sorted, writer);
    const std::uint64_t badTimes = writer.end();
    const std::string data = name + "/data";
    if (badTimes > 0) diagnostics.add("raw.bad_time", Severity::Lost, data, {}, {}, badTimes);
    if (cut > 0) diagnostics.add("raw.unpaired", Severity::Lost, data, {}, {{"what", "ts_track"}}, cut);
    if (writer.early() > 0) diagnostics.add("raw.early", Severity::Info, data, {}, {}, writer.early());
}

}  // namespace altiscope::reader
