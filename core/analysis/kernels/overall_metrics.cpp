#include "core/analysis/kernels/overall_metrics.h"

#include "core/analysis/kernels/overall_walk.h"
#include "core/analysis/support/saturating.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

struct LineSums {
    std::uint64_t count = 0;
    std::int64_t time = 0, sum = 0, min = 0, max = 0;

    void add(std::int64_t part, std::int64_t length) {
        min = count == 0 ? length : std::min(min, length);
        max = std::max(max, length);
        ++count;
        addSaturated(time, part);
        addSaturated(sum, length);
    }
    void add(const LineSums& other) {
        if (other.count > 0) min = count == 0 ? other.min : std::min(min, other.min);
        max = std::max(max, other.max);
        count += other.count;
        addSaturated(time, other.time);
        addSaturated(sum, other.sum);
    }
};

struct GroupSums {
    LineSums all, wait, transit;
    bool hasWaits = false;
};

/// What one rank, or all of them, amount to.
struct OverallSums {
    std::map<KernelClass, LineSums> kernels;
    std::map<std::string, GroupSums> groups;
    LineSums gaps;
    std::int64_t unclassified = 0;
    bool any = false, hasClasses = false;

    void add(const OverallSums& other) {
        for (const auto& [of, sums] : other.kernels) kernels[of].add(sums);
        for (const auto& [name, sums] : other.groups) {
            GroupSums& group = groups[name];
            group.all.add(sums.all);
            group.wait.add(sums.wait);
            group.transit.add(sums.transit);
            group.hasWaits = group.hasWaits || sums.hasWaits;
        }
        gaps.add(other.gaps);
        addSaturated(unclassified, other.unclassified);
        any = any || other.any;
        hasClasses = hasClasses || other.hasClasses;
    }
};

/// Takes what an OverallWalk finds.
class SumSink : public OverallSink {
public:
    void kernel(const KernelClass& of, const WalkedTask& task) override {
        m_sums.kernels[of].add(task.time, task.length);
    }
    void collective(const std::string& group, const WalkedTask& task, std::optional<std::int64_t> wait) override {
        GroupSums& of = m_sums.groups[group];
        of.all.add(task.time, task.length);
        if (!wait) return;
        of.hasWaits = true;
        of.wait.add(*wait, *wait);
        of.transit.add(task.time - *wait, task.time - *wait);
    }
    void gap(TimeRange range) override { m_sums.gaps.add(range.length().value, range.length().value); }
    OverallSums& sums() { return m_sums; }

private:
    OverallSums m_sums;
};

/// Makes the lines of sums.
class LineMaker {
public:
    explicit LineMaker(const OverallSums& sums) {
        const std::uint32_t all = add(OverallKind::EndToEnd, 0, {}, {}, {});
        const std::uint32_t computing = add(OverallKind::Computing, all, {}, {}, {});
        for (const auto& [of, kernels] : sums.kernels) addKernels(computing, of, kernels);
        // What no row of a kernel tells.
        if (sums.unclassified > 0) {
            LineSums rest;
            rest.time = sums.unclassified;
            addKernels(computing, {}, rest);
        }
        const std::uint32_t communication = add(OverallKind::Communication, all, {}, {}, {});
        std::vector<std::pair<std::string, const GroupSums*>> groups;
        for (const auto& [name, group] : sums.groups) groups.emplace_back(name, &group);
        std::stable_sort(groups.begin(), groups.end(),
                         [](const auto& a, const auto& b) { return a.second->all.time > b.second->all.time; });
        for (const auto& [name, group] : groups) {
            const std::uint32_t line = add(OverallKind::Group, communication, {}, name, group->all);
            grow(communication, group->all);
            if (!group->hasWaits) continue;
            add(OverallKind::Wait, line, {}, name, group->wait);
            add(OverallKind::Transit, line, {}, name, group->transit);
        }
        add(OverallKind::Free, all, {}, {}, sums.gaps);
        std::int64_t whole = 0;
        for (const OverallLine& line : m_lines) {
            if (line.depth == 1) addSaturated(whole, line.time);
        }
        m_lines[0].time = whole;
    }
    std::vector<OverallLine> take() { return std::move(m_lines); }

private:
    std::uint32_t add(OverallKind kind, std::uint32_t parent, KernelClass of, std::string group, const LineSums& sums) {
        const std::uint32_t depth = kind == OverallKind::EndToEnd ? 0 : m_lines[parent].depth + 1;
        m_lines.push_back({.kind = kind,
                           .parent = parent,
                           .depth = depth,
                           .of = of,
                           .group = std::move(group),
                           .time = sums.time,
                           .count = sums.count,
                           .sum = sums.sum,
                           .min = sums.min,
                           .max = sums.max});
        return static_cast<std::uint32_t>(m_lines.size() - 1);
    }
    void grow(std::uint32_t number, const LineSums& by) {
        OverallLine& line = m_lines[number];
        LineSums sums{line.count, line.time, line.sum, line.min, line.max};
        sums.add(by);
        std::tie(line.count, line.time, line.sum, line.min, line.max) =
            std::tie(sums.count, sums.time, sums.sum, sums.min, sums.max);
    }
    /// Classes come in their order: those of one work, and of one pass, are neighbours.
    void addKernels(std::uint32_t computing, KernelClass of, const LineSums& sums) {
        grow(computing, sums);
        std::uint32_t line = below(OverallKind::Work, computing, {of.work, {}, {}});
        grow(line, sums);
        if (of.pass != KernelPass::Unknown) {
            line = below(OverallKind::Pass, line, {of.work, of.pass, {}});
            grow(line, sums);
        }
        if (of.part != KernelPart::Unknown) grow(below(OverallKind::Part, line, of), sums);
    }
    std::uint32_t below(OverallKind kind, std::uint32_t parent, KernelClass of) {
        for (std::size_t i = m_lines.size(); i-- > parent;) {
            if (m_lines[i].kind == kind && m_lines[i].parent == parent && m_lines[i].of == of)
                return static_cast<std::uint32_t>(i);
        }
        return add(kind, parent, of, {}, {});
    }

    std::vector<OverallLine> m_lines;
};

/// Keeps what belongs to a line, the longest ones.
class InstanceSink : public OverallSink {
public:
    InstanceSink(const OverallLine& line, RankIndex rank, std::size_t most)
        : m_line(line), m_rank(rank), m_most(most) {}

    void kernel(const KernelClass& of, const WalkedTask& task) override {
        const bool isMeant = m_line.kind == OverallKind::Computing || m_line.kind == OverallKind::EndToEnd ||
                             (isOfKernels() && of.work == m_line.of.work &&
                              (m_line.kind == OverallKind::Work || of.pass == m_line.of.pass) &&
                              (m_line.kind != OverallKind::Part || of.part == m_line.of.part));
        if (isMeant) add(task, task.time);
    }
    void collective(const std::string& group, const WalkedTask& task, std::optional<std::int64_t> wait) override {
        switch (m_line.kind) {
        case OverallKind::EndToEnd:
        case OverallKind::Communication: return add(task, task.time);
        case OverallKind::Group:
            if (group == m_line.group) add(task, task.time);
            return;
        case OverallKind::Wait:
        case OverallKind::Transit:
            if (group == m_line.group && wait) add(task, m_line.kind == OverallKind::Wait ? *wait : task.time - *wait);
            return;
        case OverallKind::Computing:
        case OverallKind::Work:
        case OverallKind::Pass:
        case OverallKind::Part:
        case OverallKind::Free: return;
        }
    }
    void gap(TimeRange range) override {
        if (m_line.kind == OverallKind::Free || m_line.kind == OverallKind::EndToEnd)
            add({.slice = kNoSlice, .name = {}, .range = range, .time = 0, .length = 0}, range.length().value);
    }
    OverallInstances take() {
        cut();
        return std::move(m_found);
    }

private:
    bool isOfKernels() const {
        return m_line.kind == OverallKind::Work || m_line.kind == OverallKind::Pass || m_line.kind == OverallKind::Part;
    }
    void add(const WalkedTask& task, std::int64_t time) {
        ++m_found.all;
        m_found.list.push_back({{m_rank, task.slice}, std::string(task.name), task.range, time});
        if (m_found.list.size() >= 2 * m_most + 1024) cut();
    }
    void cut() { keepLongest(m_found.list, m_most); }

public:
    static void keepLongest(std::vector<OverallInstance>& list, std::size_t most) {
        const auto end = list.begin() + static_cast<std::ptrdiff_t>(std::min(most, list.size()));
        std::partial_sort(list.begin(), end, list.end(), [](const OverallInstance& a, const OverallInstance& b) {
            return std::tuple(-a.time, a.slice.rank, a.range.begin) < std::tuple(-b.time, b.slice.rank, b.range.begin);
        });
        list.erase(end, list.end());
    }

private:
    const OverallLine& m_line;
    RankIndex m_rank;
    std::size_t m_most;
    OverallInstances m_found;
};

}  // namespace

std::optional<OverallMetrics> overallMetrics(std::shared_ptr<const CaptureStore> capture,
                                             std::vector<OverallRank> ranks, const CancelToken& cancel) {
    const CaptureGroups groups(*capture);
    std::vector<OverallSums> byRank(ranks.size());
    parallelFor(ranks.size(), [&](std::size_t r) {
        if (cancel.cancelled()) return;
        SumSink sink;
        const WalkedRank walked = walkOverall(capture->ranks[ranks[r].rank.value], ranks[r], groups, sink, cancel);
        byRank[r] = std::move(sink.sums());
        byRank[r].any = walked.any;
        byRank[r].hasClasses = walked.hasClasses;
        byRank[r].unclassified = walked.unclassified;
    });
    if (cancel.cancelled()) return std::nullopt;
    OverallMetrics metrics{.capture = std::move(capture), .ranks = std::move(ranks), .lines = {}};
    OverallSums all;
    for (const OverallSums& sums : byRank) {
        all.add(sums);
        metrics.counted += sums.any ? 1 : 0;
    }
    metrics.hasClasses = all.hasClasses;
    metrics.hasWaits =
        std::any_of(all.groups.begin(), all.groups.end(), [](const auto& group) { return group.second.hasWaits; });
    if (all.any) metrics.lines = LineMaker(all).take();
    return metrics;
}

std::optional<OverallInstances> overallInstances(const OverallMetrics& metrics, std::size_t line, std::size_t most,
                                                 const CancelToken& cancel) {
    const CaptureGroups groups(*metrics.capture);
    std::vector<OverallInstances> byRank(metrics.ranks.size());
    parallelFor(byRank.size(), [&](std::size_t r) {
        if (cancel.cancelled()) return;
        InstanceSink sink(metrics.lines[line], metrics.ranks[r].rank, most);
        walkOverall(metrics.capture->ranks[metrics.ranks[r].rank.value], metrics.ranks[r], groups, sink, cancel);
        byRank[r] = sink.take();
    });
    if (cancel.cancelled()) return std::nullopt;
    OverallInstances all;
    for (OverallInstances& some : byRank) {
        all.all += some.all;
        all.list.insert(all.list.end(), std::make_move_iterator(some.list.begin()),
                        std::make_move_iterator(some.list.end()));
    }
    InstanceSink::keepLongest(all.list, most);
    return all;
}

}  // namespace altiscope
