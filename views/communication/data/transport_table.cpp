#include "views/communication/data/transport_table.h"

#include "views/communication/data/link_texts.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace altiscope {

namespace {

struct TransportTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::TransportTable)
};

constexpr std::array<std::string_view, 2> kFrom{"advisor", "machine"};

QString fromWord(const QString& from) {
    return from == QLatin1String("advisor") ? TransportTexts::tr("large packets, by the vendor's advisor")
                                            : TransportTexts::tr("depends on the machine");
}

std::int64_t rateCell(std::optional<double> bytesPerNs) {
    constexpr double kBytesPerSecond = 1e9;
    return bytesPerNs ? std::bit_cast<std::int64_t>(*bytesPerNs * kBytesPerSecond + 0.0) : kAbsentCell;
}

}  // namespace

TransportTable::TransportTable(std::vector<TransportBandwidth> rows) : m_rows(std::move(rows)) {
    for (const TransportBandwidth& row : m_rows) m_transports.push_back(row.transport);
    std::sort(m_transports.begin(), m_transports.end());
    m_transports.erase(std::unique(m_transports.begin(), m_transports.end()), m_transports.end());
    m_columns = {textColumn("transport"),
                 integerColumn("links", CellUnit::Count),
                 realColumn("min_bandwidth", CellUnit::Rate),
                 realColumn("mean_bandwidth", CellUnit::Rate),
                 realColumn("max_bandwidth", CellUnit::Rate),
                 realColumn("reference", CellUnit::Rate),
                 realColumn("share_of_reference", CellUnit::Share),
                 textColumn("reference_from"),
                 integerColumn("without_bandwidth", CellUnit::Count)};
}

std::int64_t TransportTable::cell(std::size_t column, std::size_t row) const {
    const TransportBandwidth& of = m_rows[row];
    switch (static_cast<Column>(column)) {
    case Transport:
        return std::lower_bound(m_transports.begin(), m_transports.end(), of.transport) - m_transports.begin();
    case Links: return of.links;
    case Min: return rateCell(of.min);
    case Mean: return rateCell(of.mean);
    case Max: return rateCell(of.max);
    case Reference: return rateCell(of.reference);
    case Share: return of.mean && of.reference ? std::bit_cast<std::int64_t>(*of.mean / *of.reference) : kAbsentCell;
    case From: return of.reference ? 0 : 1;
    case Without: return of.withoutBandwidth;
    }
    return kAbsentCell;
}

void TransportTable::read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = cell(column, first + i);
}

std::string_view TransportTable::text(std::size_t column, std::int64_t number) const {
    const auto index = static_cast<std::size_t>(number);
    return column == From ? kFrom[index] : std::string_view(m_transports[index]);
}

std::size_t TransportTable::textCount(std::size_t column) const {
    return column == From ? kFrom.size() : column == Transport ? m_transports.size() : 0;
}

std::vector<ColumnHeading> transportHeadings() {
    const QString each =
        TransportTexts::tr("Of the links of this transport, each counted once; bandwidth = size / transit.");
    return {{metricTitle(LinkMetric::Transport), TransportTexts::tr("As the files name it.")},
            {TransportTexts::tr("Links"), TransportTexts::tr("Number of links of this transport.")},
            {TransportTexts::tr("Lowest"), each},
            {TransportTexts::tr("Mean"), each},
            {TransportTexts::tr("Highest"), each},
            {TransportTexts::tr("Reference"),
             TransportTexts::tr("What large packets reach on one generation of chips: 18 GB/s on HCCS, SIO, SDMA and "
                                "PCIe, 20 GB/s on RDMA, as the vendor's advisor has it. It is no nominal value: that "
                                "depends on the machine, and the capture does not state it.")},
            {TransportTexts::tr("Mean / reference"), QStringLiteral("mean_bandwidth / reference")},
            {TransportTexts::tr("Reference from"), TransportTexts::tr("Where the reference comes from."), fromWord},
            {TransportTexts::tr("Without bandwidth"),
             TransportTexts::tr("Links without a time, or too small for a bandwidth: %1").arg(smallFormula())}};
}

}  // namespace altiscope
