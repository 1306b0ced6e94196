#include "views/communication/data/link_table.h"

#include "core/compare/change.h"
#include "views/common/support/finding_texts.h"
#include "views/communication/data/link_texts.h"

#include <QCoreApplication>

#include <algorithm>
#include <bit>
#include <set>

namespace altiscope {

namespace {

struct LinkHeadings {
    Q_DECLARE_TR_FUNCTIONS(altiscope::LinkHeadings)
};

}  // namespace

LinkTable::LinkTable(std::shared_ptr<const LinkMatrix> links, LinkPicture::Inner inner,
                     std::shared_ptr<const LinkComparison> comparison)
    : m_matrix(std::move(links)), m_comparison(std::move(comparison)), m_inner(inner) {
    const LinkMatrix& matrix = *m_matrix;
    m_labels = nodeLabels(matrix);
    const bool hidesInner = inner == LinkPicture::Inner::Hidden;
    std::set<std::uint16_t> kinds;
    m_places.reserve(matrix.size());
    for (std::uint32_t source = 0; source < m_labels.size(); ++source) {
        for (std::size_t place = matrix.rowBegin(source); place < matrix.rowEnd(source); ++place) {
            if (hidesInner && matrix.target(place) == source) continue;
            m_places.push_back({source, static_cast<std::uint32_t>(place)});
            const LinkSum sum = matrix.link(source, place);
            kinds.insert(sum.transports);
            m_hasSmall = m_hasSmall || matrix.isTooSmall(sum);
        }
    }
    std::vector<std::pair<std::string, std::uint16_t>> named;
    for (const std::uint16_t bits : kinds) named.emplace_back(matrix.transportText(bits), bits);
    std::sort(named.begin(), named.end());
    for (auto& [name, bits] : named) {
        m_transports.push_back(std::move(name));
        m_bits.push_back(bits);
    }
    m_columns = {{.name = "source", .type = CellType::Text},
                 {.name = "target", .type = CellType::Text},
                 {.name = "transport", .type = CellType::Text},
                 {.name = "bandwidth", .type = CellType::Real, .unit = CellUnit::Rate},
                 {.name = "size", .type = CellType::Integer, .unit = CellUnit::Bytes},
                 {.name = "transit", .type = CellType::Integer, .unit = CellUnit::Duration},
                 {.name = "calls", .type = CellType::Integer, .unit = CellUnit::Count},
                 {.name = "origin", .type = CellType::Text}};
    if (m_hasSmall) m_columns.push_back({.name = "small_bandwidth", .type = CellType::Real, .unit = CellUnit::Rate});
    if (m_comparison == nullptr) return;
    const std::vector<TableColumn> ofBase{
        TableColumn{.name = "base_bandwidth", .type = CellType::Real, .unit = CellUnit::Rate},
        TableColumn{.name = "bandwidth_difference", .type = CellType::Real, .unit = CellUnit::Rate},
        TableColumn{.name = "bandwidth_change", .type = CellType::Real, .unit = CellUnit::Share},
        TableColumn{.name = "transit_per_step", .unit = CellUnit::Duration},
        TableColumn{.name = "base_transit", .unit = CellUnit::Duration},
        TableColumn{.name = "transit_difference", .unit = CellUnit::Duration},
        TableColumn{.name = "transit_change", .type = CellType::Real, .unit = CellUnit::Share}};
    m_columns.insert(m_columns.begin() + kFirstOfBase, ofBase.begin(), ofBase.end());
}

std::int64_t LinkTable::baseCell(BaseColumn column, const Place& place) const {
    const bool isRate = column <= BaseColumn::BandwidthChange;
    const auto values =
        m_comparison->values(place.source, place.link, isRate ? LinkMetric::Bandwidth : LinkMetric::Time);
    if (!values) return kAbsentCell;
    const auto real = [](double value) { return std::bit_cast<std::int64_t>(value + 0.0); };
    const Change time = changeBetween(values->base, values->current);
    constexpr double kBytesPerSecond = 1e9;
    switch (column) {
    case BaseColumn::BaseBandwidth: return real(values->base * kBytesPerSecond);
    case BaseColumn::BandwidthDifference: return real((values->current - values->base) * kBytesPerSecond);
    case BaseColumn::BandwidthChange:
        return values->base > 0 ? real((values->current - values->base) / values->base) : kAbsentCell;
    case BaseColumn::TimePerStep: return time.current;
    case BaseColumn::BaseTime: return time.base;
    case BaseColumn::TimeDifference: return time.change;
    case BaseColumn::TimeChange: {
        const auto share = shareOf(time);
        return share ? real(*share) : kAbsentCell;
    }
    }
    return kAbsentCell;
}

LinkSum LinkTable::link(std::size_t row) const { return m_matrix->link(m_places[row].source, m_places[row].link); }

std::optional<std::uint32_t> LinkTable::rowOf(std::uint32_t source, std::uint32_t target) const {
    const LinkMatrix& matrix = *m_matrix;
    const auto found = std::lower_bound(m_places.begin(), m_places.end(), std::pair(source, target),
                                        [&](const Place& place, const std::pair<std::uint32_t, std::uint32_t>& wanted) {
                                            return std::pair(place.source, matrix.target(place.link)) < wanted;
                                        });
    if (found == m_places.end() || found->source != source || matrix.target(found->link) != target) return std::nullopt;
    return static_cast<std::uint32_t>(found - m_places.begin());
}

void LinkTable::read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const {
    if (isOfBase(column)) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = baseCell(static_cast<BaseColumn>(column - kFirstOfBase), m_places[first + i]);
        return;
    }
    const Column own = ownColumn(column);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const LinkSum sum = link(first + i);
        std::int64_t& cell = out[i];
        cell = kAbsentCell;
        switch (own) {
        case Source: cell = sum.source; break;
        case Target: cell = sum.target; break;
        case Transport: cell = std::find(m_bits.begin(), m_bits.end(), sum.transports) - m_bits.begin(); break;
        case Bandwidth:
        case SmallRate:
            if (const auto rate = sum.bandwidth(); rate && m_matrix->isTooSmall(sum) == (own == SmallRate))
                cell = std::bit_cast<std::int64_t>(*rate * 1e9 + 0.0);
            break;
        case Size: cell = sum.size; break;
        case Time:
            if (sum.hasTime()) cell = sum.time;
            break;
        case Calls:
            if (sum.calls > 0) cell = sum.calls;
            break;
        case Origin: cell = m_matrix->isComputed(sum.source) ? 1 : 0; break;
        }
    }
}

std::string_view LinkTable::text(std::size_t column, std::int64_t number) const {
    const Column own = ownColumn(column);
    if (own == Origin) return originName(number == 1 ? altiscope::Origin::Computed : altiscope::Origin::Recorded);
    return own == Transport ? m_transports[static_cast<std::size_t>(number)]
                            : m_labels[static_cast<std::size_t>(number)];
}

std::size_t LinkTable::textCount(std::size_t column) const {
    if (isOfBase(column)) return 0;
    const Column own = ownColumn(column);
    if (own == Origin) return 2;
    return own == Transport ? m_transports.size() : own == Source || own == Target ? m_labels.size() : 0;
}

std::vector<ColumnHeading> LinkTable::headings() const {
    const QString end = LinkHeadings::tr("Rank; [2] is an index in a group whose rank is unknown.");
    std::vector<ColumnHeading> headings{
        {LinkHeadings::tr("From"), end},
        {LinkHeadings::tr("To"), end},
        {metricTitle(LinkMetric::Transport), LinkHeadings::tr("As the files name it.")},
        {metricTitle(LinkMetric::Bandwidth), LinkHeadings::tr("size / transit; 10^9 bytes per second are 1 GB/s.")},
        {metricTitle(LinkMetric::Size), LinkHeadings::tr("Sum over the chosen steps, groups and operators.")},
        {metricTitle(LinkMetric::Time), LinkHeadings::tr("Sum over the chosen steps, groups and operators.")},
        {metricTitle(LinkMetric::Count), metricFormula(LinkMetric::Count)},
        {LinkHeadings::tr("Source"),
         LinkHeadings::tr("Recorded by the profiler in its matrix file, or computed by Altiscope from the tasks on the "
                          "planes of the timeline where that is missing."),
         originWord}};
    if (m_hasSmall)
        headings.push_back(
            {LinkHeadings::tr("Bandwidth, too small"),
             LinkHeadings::tr("size / transit of links that come last by bandwidth: %1").arg(smallFormula())});
    if (m_comparison == nullptr) return headings;
    const QString perStep = LinkHeadings::tr("transit / number of steps, so that sides of different length compare.");
    const std::vector<ColumnHeading> ofBase{
        {LinkHeadings::tr("Base"), LinkHeadings::tr("Bandwidth of the same link in the base.")},
        {LinkHeadings::tr("Difference"), QStringLiteral("bandwidth - base_bandwidth")},
        {LinkHeadings::tr("Change"), QStringLiteral("bandwidth_difference / base_bandwidth")},
        {LinkHeadings::tr("Transit per step"), perStep},
        {LinkHeadings::tr("Base"), LinkHeadings::tr("Of the same link in the base: %1").arg(perStep)},
        {LinkHeadings::tr("Difference"), QStringLiteral("transit_per_step - base_transit")},
        {LinkHeadings::tr("Change"), QStringLiteral("transit_difference / base_transit")}};
    headings.insert(headings.begin() + kFirstOfBase, ofBase.begin(), ofBase.end());
    return headings;
}

}  // namespace altiscope
