#include "core/report/databases/launch_connections.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace altiscope {

namespace {

/// Numbers of the intervals of each thread, ascending.
class ByThread {
public:
    explicit ByThread(std::span<const HostInterval> intervals) {
        for (std::size_t i = 0; i < intervals.size(); ++i) m_numbers[intervals[i].thread].push_back(i);
    }
    /// Those of a thread from a number on.
    std::span<const std::size_t> from(std::int64_t thread, std::size_t first) const {
        const auto found = m_numbers.find(thread);
        if (found == m_numbers.end()) return {};
        const auto at = std::lower_bound(found->second.begin(), found->second.end(), first);
        return std::span(found->second).subspan(static_cast<std::size_t>(at - found->second.begin()));
    }

private:
    std::unordered_map<std::int64_t, std::vector<std::size_t>> m_numbers;
};

bool contains(const HostInterval& outer, const HostInterval& inner) {
    return inner.begin > outer.begin && inner.end < outer.end;
}

/// Looks for the operator of one call after the other.
class OperatorSearch {
public:
    OperatorSearch(std::span<const HostInterval> operators, const CancelToken& cancel)
        : m_operators(operators), m_byThread(operators), m_cancel(cancel) {}

    std::optional<std::size_t> find(const HostInterval& call) {
        std::optional<std::size_t> found;
        for (const std::size_t number : m_byThread.from(call.thread, m_first)) {
            const HostInterval& one = m_operators[number];
            if (m_cancel.cancelled()) return std::nullopt;
            if (call.begin > one.end) continue;
            if (contains(one, call)) {
                found = m_first = number;
                continue;
            }
            if (found) break;
            if (call.end < one.begin) {
                m_first = number;
                break;
            }
        }
        return found;
    }

private:
    std::span<const HostInterval> m_operators;
    ByThread m_byThread;
    const CancelToken& m_cancel;
    std::size_t m_first = 0;  // where the next search begins: calls come by time
};

/// The number of what the queue passed on while a call ran within it.
class QueueSearch {
public:
    explicit QueueSearch(const QueuedCalls& queue) : m_queue(queue), m_byThread(queue.dequeued) {}

    std::optional<std::size_t> find(const HostInterval& call) {
        for (const std::size_t number : m_byThread.from(call.thread, m_first)) {
            const HostInterval& one = m_queue.dequeued[number];
            const bool isWithin = contains(one, call);
            if (!isWithin && one.begin <= call.end) continue;
            m_first = number;
            return isWithin ? std::optional(number) : std::nullopt;
        }
        return std::nullopt;
    }

private:
    const QueuedCalls& m_queue;
    ByThread m_byThread;
    std::size_t m_first = 0;
};

}  // namespace

std::vector<OperatorLaunch> operatorLaunches(std::span<const HostInterval> operators, const QueuedCalls& queue,
                                             std::span<const LaunchCall> launches, const CancelToken& cancel) {
    std::vector<OperatorLaunch> found;
    OperatorSearch search(operators, cancel);
    QueueSearch queued(queue);
    const bool hasQueue = !queue.enqueued.empty() && !queue.dequeued.empty();
    for (const LaunchCall& launch : launches) {
        if (cancel.cancelled()) break;
        HostInterval call = launch.call;
        if (hasQueue) {
            const auto number = queued.find(launch.call);
            if (!number || *number >= queue.enqueued.size()) continue;
            call = queue.enqueued[*number];
        }
        if (const auto owner = search.find(call)) found.push_back({*owner, launch.connection});
    }
    return found;
}

}  // namespace altiscope
