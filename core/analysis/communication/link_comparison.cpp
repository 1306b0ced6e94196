#include "core/analysis/communication/link_comparison.h"

#include "core/analysis/support/cell_reader.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

constexpr std::size_t kMaxComparedTransports = 16, kComparedLinksOfPoll = 4096;

/// Nothing was transferred; as such it is known.
bool movedNothing(const LinkSum& link) { return link.size == 0 && link.time == 0 && link.calls == 0; }

std::optional<double> comparedValue(const LinkMatrix& matrix, const LinkSum& link, LinkMetric metric,
                                    std::size_t steps) {
    const auto perStep = [steps](auto value) { return static_cast<double>(value) / static_cast<double>(steps); };
    switch (metric) {
    case LinkMetric::Bandwidth: return matrix.isTooSmall(link) ? std::nullopt : link.bandwidth();
    case LinkMetric::Size: return perStep(link.size);
    case LinkMetric::Time: return link.hasTime() ? std::optional(perStep(link.time)) : std::nullopt;
    case LinkMetric::Count:
        return link.calls > 0 || movedNothing(link) ? std::optional(perStep(link.calls)) : std::nullopt;
    case LinkMetric::Transport: return std::nullopt;
    }
    return std::nullopt;
}

std::optional<double> comparedValue(const LinkMatrix::End& end, LinkMetric metric, std::size_t steps) {
    const auto perStep = [steps](auto value) { return static_cast<double>(value) / static_cast<double>(steps); };
    switch (metric) {
    case LinkMetric::Bandwidth:
        return end.untimed > 0 || end.time <= 0
                   ? std::nullopt
                   : std::optional(static_cast<double>(end.size) / static_cast<double>(end.time));
    case LinkMetric::Size: return perStep(end.size);
    case LinkMetric::Time: return end.untimed == 0 ? std::optional(perStep(end.time)) : std::nullopt;
    case LinkMetric::Count: return end.uncounted == 0 ? std::optional(perStep(end.calls)) : std::nullopt;
    case LinkMetric::Transport: return std::nullopt;
    }
    return std::nullopt;
}

std::optional<LinkComparison::Values> bothValues(std::optional<double> base, std::optional<double> current) {
    return base && current ? std::optional(LinkComparison::Values{*base, *current}) : std::nullopt;
}

/// The transports of both, those of the first side as they were.
std::vector<std::string> transportsOfBoth(const LinkMatrix& first, const LinkMatrix& second) {
    std::vector<std::string> both = first.transports();
    for (const std::string& name : second.transports())
        if (std::find(both.begin(), both.end(), name) == both.end() && both.size() < kMaxComparedTransports)
            both.push_back(name);
    return both;
}

/// The links of a matrix with the ends and transports of both.
class Renumbered {
public:
    Renumbered(const LinkMatrix& matrix, const std::vector<LinkNode>& nodes, const std::vector<std::string>& transports)
        : m_matrix(matrix) {
        for (const LinkNode& node : matrix.nodes())
            m_nodes.push_back(
                static_cast<std::uint32_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin()));
        for (const std::string& name : matrix.transports()) {
            const auto at = std::find(transports.begin(), transports.end(), name);
            m_bits.push_back(at == transports.end() ? 0 : static_cast<std::uint16_t>(1U << (at - transports.begin())));
        }
    }

    /// Calls `visit` with each link, until it returns false.
    template <class Visit>
    void forEach(Visit visit) const {
        for (std::size_t source = 0; source < m_matrix.nodes().size(); ++source)
            for (std::size_t place = m_matrix.rowBegin(source); place < m_matrix.rowEnd(source); ++place) {
                LinkSum link = m_matrix.link(source, place);
                std::uint16_t bits = 0;
                for (std::size_t bit = 0; bit < m_bits.size(); ++bit)
                    if ((link.transports & (1U << bit)) != 0) bits = static_cast<std::uint16_t>(bits | m_bits[bit]);
                link.transports = bits;
                link.source = m_nodes[link.source];
                link.target = m_nodes[link.target];
                if (!visit(link)) return;
            }
    }
    static constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
    /// By node of both: its place in the matrix.
    std::vector<std::uint32_t> placesIn(std::size_t nodes) const {
        std::vector<std::uint32_t> places(nodes, kNowhere);
        for (std::uint32_t node = 0; node < m_nodes.size(); ++node) places[m_nodes[node]] = node;
        return places;
    }
    std::vector<std::uint8_t> isComputed(std::size_t nodes) const {
        if (!m_matrix.anyComputed()) return {};
        std::vector<std::uint8_t> computed(nodes, 0);
        for (std::size_t node = 0; node < m_nodes.size(); ++node)
            computed[m_nodes[node]] = m_matrix.isComputed(node) ? 1 : 0;
        return computed;
    }

private:
    const LinkMatrix& m_matrix;
    std::vector<std::uint32_t> m_nodes;
    std::vector<std::uint16_t> m_bits;
};

}  // namespace

std::optional<LinkComparison::Values> LinkComparison::values(std::size_t source, std::size_t place,
                                                             LinkMetric metric) const {
    return bothValues(comparedValue(*base, base->link(source, place), metric, baseSteps),
                      comparedValue(*current, current->link(source, place), metric, currentSteps));
}

std::optional<LinkComparison::Values> LinkComparison::sourceValues(std::size_t node, LinkMetric metric,
                                                                   bool withInner) const {
    LinkMatrix::End before = base->toOthers(node), now = current->toOthers(node);
    if (withInner) {
        before.add(base->toItself(node));
        now.add(current->toItself(node));
    }
    return bothValues(comparedValue(before, metric, baseSteps), comparedValue(now, metric, currentSteps));
}

std::optional<LinkComparison::Values> LinkComparison::targetValues(std::size_t node, LinkMetric metric,
                                                                   bool withInner) const {
    LinkMatrix::End before = base->fromOthers(node), now = current->fromOthers(node);
    if (withInner) {
        before.add(base->toItself(node));
        now.add(current->toItself(node));
    }
    return bothValues(comparedValue(before, metric, baseSteps), comparedValue(now, metric, currentSteps));
}

std::shared_ptr<const LinkComparison> compareLinks(const LinkMatrix& current, std::size_t currentSteps,
                                                   const LinkMatrix& base, std::size_t baseSteps,
                                                   const CancelToken& cancel) {
    if (current.size() + base.size() > LinkComparison::kMaxLinks) return nullptr;
    std::vector<LinkNode> nodes = current.nodes();
    nodes.insert(nodes.end(), base.nodes().begin(), base.nodes().end());
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    const std::vector<std::string> transports = transportsOfBoth(current, base);
    const Renumbered sides[] = {{current, nodes, transports}, {base, nodes, transports}};
    const LinkMatrix* const matrices[] = {&current, &base};
    std::vector<LinkSum> sums[2];
    std::size_t links = 0;
    for (std::size_t side = 0; side < 2; ++side) {
        const std::size_t other = 1 - side;
        const std::vector<std::uint32_t> otherNodes = sides[other].placesIn(nodes.size());
        sides[side].forEach([&](const LinkSum& link) {
            sums[side].push_back(link);
            const std::uint32_t from = otherNodes[link.source], to = otherNodes[link.target];
            const bool isThere = from != Renumbered::kNowhere && to != Renumbered::kNowhere &&
                                 matrices[other]->placeOf(from, to).has_value();
            if (!isThere) sums[other].push_back({.source = link.source, .target = link.target});
            return ++links % kComparedLinksOfPoll != 0 || !cancel.cancelled();
        });
    }
    if (cancel.cancelled()) return nullptr;
    auto made = std::make_shared<LinkComparison>();
    made->currentSteps = std::max<std::size_t>(1, currentSteps);
    made->baseSteps = std::max<std::size_t>(1, baseSteps);
    made->current = std::make_shared<const LinkMatrix>(
        LinkMatrix::make(nodes, transports, std::move(sums[0]), sides[0].isComputed(nodes.size())));
    made->base = std::make_shared<const LinkMatrix>(
        LinkMatrix::make(nodes, transports, std::move(sums[1]), sides[1].isComputed(nodes.size())));
    return made;
}

std::size_t stepsOfLinks(const CaptureStore& capture, const LinkQuery& query, const CancelToken& cancel) {
    if (!query.steps.empty()) return query.steps.size();
    std::set<std::int64_t> steps;
    for (std::size_t i = 0; i < query.ranks.size(); ++i) {
        const auto& computed = i < query.computed.size() ? query.computed[i] : nullptr;
        const RowTables* rows = computed != nullptr ? computed.get() : capture.ranks[query.ranks[i].value].rows.get();
        const RowTable* table = rows == nullptr ? nullptr : rows->find(RowKind::Link);
        if (table == nullptr) continue;
        CellReader cells(*table, fixedColumn(RowKind::Link, "step"));
        for (std::size_t row = 0; row < table->size(); ++row) {
            if (row % kComparedLinksOfPoll == 0 && cancel.cancelled()) return 1;
            if (const std::int64_t step = cells.at(row); step != kNoCell) steps.insert(step);
        }
    }
    return std::max<std::size_t>(1, steps.size());
}

}  // namespace altiscope
