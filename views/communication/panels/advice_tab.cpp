#include "views/communication/panels/advice_tab.h"

#include "core/analysis/communication/link_matrix.h"
#include "core/session/session.h"
#include "core/tables/sources/column_table.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/finding_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"

#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

enum class AdviceColumn : std::size_t { Priority, Kind, Rank, Share, Operators, Packets, Size, Time, Bandwidth, Worst };

constexpr std::array kAdviceKinds{TransferAdvice::Kind::Alignment, TransferAdvice::Kind::SmallPackets,
                                  TransferAdvice::Kind::Retransmission, TransferAdvice::Kind::Contention};

/// As the table's cells and filters name it.
const char* kindName(TransferAdvice::Kind kind) {
    switch (kind) {
    case TransferAdvice::Kind::Alignment: return "alignment";
    case TransferAdvice::Kind::SmallPackets: return "small_packets";
    case TransferAdvice::Kind::Retransmission: return "retransmission";
    case TransferAdvice::Kind::Contention: return "contention";
    }
    return "";
}

QString kindWord(const QString& name) {
    if (name == u"alignment"_s) return AdviceTab::tr("Byte alignment");
    if (name == u"small_packets"_s) return AdviceTab::tr("Small packets");
    if (name == u"retransmission"_s) return AdviceTab::tr("RDMA retransmission");
    return AdviceTab::tr("Contention for bandwidth");
}

QString meaningOf(TransferAdvice::Kind kind) {
    switch (kind) {
    case TransferAdvice::Kind::Alignment:
        return AdviceTab::tr("SDMA moves packets larger than 512 B more slowly if their size is not a multiple of 512 "
                             "B. Pad messages to multiples of 512 B. Share: of the time of all packets except RDMA.");
    case TransferAdvice::Kind::SmallPackets:
        return AdviceTab::tr("Packets below %1 (by RDMA below %2) take more than 20 % of the time of all packets. Send "
                             "more at once: larger buckets of gradients, larger micro batches, fused parameters. "
                             "Share: of the time of all packets.")
            .arg(formatBytes(TransferAdvice::kSmallPacket), formatBytes(TransferAdvice::kSmallRemotePacket));
    case TransferAdvice::Kind::Retransmission:
        return AdviceTab::tr("Collectives that take 4 s or more on every rank, so that no rank was merely late, while "
                             "RDMA alone takes more than 4 s: packets were lost and sent again. Look at the network: "
                             "PFC, optical modules, HCCL_RDMA_TIMEOUT.");
    case TransferAdvice::Kind::Contention:
        return AdviceTab::tr(
            "Collectives below 14.4 GB/s (0.8 * 18 GB/s, what HCCS reaches with large packets on one generation of "
            "chips; others reach other values) that ran beside a matrix multiplication on the same device: both read "
            "and write its memory. A slow link looks alike: see the matrix. Share: of the transit time of all SDMA.");
    }
    return {};
}

/// Conditions for judging by it.
QString neededBy(TransferAdvice::Kind kind) {
    switch (kind) {
    case TransferAdvice::Kind::Alignment: return AdviceTab::tr("Only RDMA packets are known.");
    case TransferAdvice::Kind::SmallPackets: return AdviceTab::tr("No packets are known.");
    case TransferAdvice::Kind::Retransmission: return AdviceTab::tr("No RDMA times are known.");
    case TransferAdvice::Kind::Contention:
        return AdviceTab::tr("No rank recorded both the times of its kernels and a collective, with its start, that "
                             "moved %1 or more by SDMA.")
            .arg(formatBytes(LinkSum::kSmallTransfer));
    }
    return {};
}

}  // namespace

AdviceTab::AdviceTab(Session& session, const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_slot(session.jobs()),
      m_table(new TablePanel(session, memory, u"communication_advice"_s, this)), m_detail(new QLabel(this)) {
    auto* column = bareLayout<QVBoxLayout>(this);
    column->addWidget(m_table, 1);
    m_detail->setContentsMargins(8, 4, 8, 4);
    m_detail->setWordWrap(true);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_detail);
    m_table->filterBar().setExample(u"share > 20% and advice = \"small_packets\""_s);
    m_table->table().setWideColumn(static_cast<std::size_t>(AdviceColumn::Worst));
    const auto open = [this](std::uint32_t row) {
        if (row < m_advices.found.size()) emit collectiveWanted(m_advices.found[row].row, m_advices.found[row].worst);
    };
    connect(&m_table->table(), &DataTable::currentChanged, this, &AdviceTab::showCurrent);
    connect(&m_table->table(), &DataTable::activated, this, open);
    m_table->table().setRowMenu([this, open](QMenu& menu, std::uint32_t row) {
        menu.addAction(tr("Show its &worst collective"), this, [open, row] { open(row); });
    });
}

bool AdviceTab::idle() const { return !m_slot.busy() && !m_table->table().loader().busy(); }

void AdviceTab::show(std::shared_ptr<const CommunicationTimes> times) {
    // Ranks that are only drawn elsewhere are the same.
    const bool isSame = m_times != nullptr && times != nullptr && m_times->set == times->set && !m_isStale;
    m_times = std::move(times);
    if (isSame) return;
    m_slot.cancel();
    m_advices = {};
    m_isKnown = false;
    take();
    m_isStale = true;
    if (isVisible() || m_times == nullptr) read();
}

void AdviceTab::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isStale) read();
}

void AdviceTab::read() {
    m_isStale = false;
    if (m_times == nullptr) return;
    m_slot.start(
        [times = m_times](const CancelToken& cancel) {
            const CommunicationSource& source = *times->source;
            std::vector<const RowTables*> transfers;
            for (const RankCollectives& rank : times->set->ranks) {
                const auto place = static_cast<std::size_t>(
                    std::find(source.ranks.begin(), source.ranks.end(), rank.rank) - source.ranks.begin());
                transfers.push_back(source.computedTransfers[place] != nullptr ? source.computedTransfers[place].get()
                                                                               : source.rank(place).rows.get());
            }
            return transferAdvice(*source.capture, *times->set, transfers, cancel);
        },
        [this](TransferAdvices advice) {
            m_advices = std::move(advice);
            m_isKnown = true;
            take();
        });
}

void AdviceTab::take() {
    if (m_times == nullptr) {
        m_table->setSource(nullptr, {});
        return showCurrent();
    }
    const auto at = [](AdviceColumn column) { return static_cast<std::size_t>(column); };
    ColumnTableBuilder builder({{.name = "priority", .type = CellType::Text, .order = {"low", "medium", "high"}},
                                {.name = "advice", .type = CellType::Text},
                                {.name = "rank_id", .type = CellType::Integer},
                                {.name = "share", .type = CellType::Real, .unit = CellUnit::Share},
                                {.name = "operators", .type = CellType::Integer, .unit = CellUnit::Count},
                                {.name = "packets", .type = CellType::Integer, .unit = CellUnit::Count},
                                {.name = "size", .type = CellType::Integer, .unit = CellUnit::Bytes},
                                {.name = "transit", .type = CellType::Integer, .unit = CellUnit::Duration},
                                {.name = "bandwidth", .type = CellType::Real, .unit = CellUnit::Rate},
                                {.name = "worst", .type = CellType::Text}});
    for (const TransferAdvice& advice : m_advices.found) {
        const RankCollectives& rank = m_times->set->ranks[advice.row];
        builder.addRow();
        builder.setText(at(AdviceColumn::Priority), advice.priority == TransferAdvice::Priority::High     ? "high"
                                                    : advice.priority == TransferAdvice::Priority::Medium ? "medium"
                                                                                                          : "low");
        builder.setText(at(AdviceColumn::Kind), kindName(advice.kind));
        builder.setRank(at(AdviceColumn::Rank), m_times->rank(advice.row).info);
        if (advice.share) builder.setReal(at(AdviceColumn::Share), *advice.share);
        builder.setInteger(at(AdviceColumn::Operators), static_cast<std::int64_t>(advice.operators));
        if (advice.packets > 0) builder.setInteger(at(AdviceColumn::Packets), advice.packets);
        if (advice.size > 0) builder.setInteger(at(AdviceColumn::Size), advice.size);
        builder.setInteger(at(AdviceColumn::Time), advice.time);
        if (advice.size > 0 && advice.time > 0)
            builder.setReal(at(AdviceColumn::Bandwidth),
                            static_cast<double>(advice.size) / static_cast<double>(advice.time) * 1e9);
        builder.setText(at(AdviceColumn::Worst), rank.name(rank.items[advice.worst]));
    }
    m_table->setSource(
        builder.finish(),
        {{tr("Priority"), tr("High from a share of 70 % on, low below 20 %; lost packets are high."), severityWord},
         {tr("Advice"), {}, kindWord},
         {tr("Rank"), {}},
         {tr("Share"), tr("Of the time of everything that this advice covers; see below.")},
         {tr("Collectives"), tr("That are concerned.")},
         {tr("Packets"), {}},
         {tr("Size"), {}},
         {tr("Time"), tr("Of these packets, or of these collectives' SDMA or RDMA, over all planes.")},
         {tr("Bandwidth"), tr("size / time; 10^9 bytes per second are 1 GB/s.")},
         {tr("Worst collective"), tr("The one with the most of that time.")}});
    showCurrent();
}

QString AdviceTab::detail() const { return m_detail->text(); }

void AdviceTab::showCurrent() {
    const auto row = m_table->table().currentRow();
    if (row && *row < m_advices.found.size()) return m_detail->setText(meaningOf(m_advices.found[*row].kind));
    if (m_times == nullptr || !m_isKnown) return m_detail->clear();
    const std::size_t ranks = m_times->set->ranks.size();
    QStringList lines, unknown;
    QString fine;
    for (const TransferAdvice::Kind kind : kAdviceKinds) {
        const QString word = kindWord(QString::fromLatin1(kindName(kind)));
        const std::size_t judged = m_advices.judged[static_cast<std::size_t>(kind)];
        if (judged == 0) unknown << tr("Unknown: %1. %2").arg(word, neededBy(kind));
        else if (std::none_of(m_advices.found.begin(), m_advices.found.end(),
                              [kind](const TransferAdvice& advice) { return advice.kind == kind; })) {
            const QString part =
                judged == ranks
                    ? word
                    : tr("%1 (known for %2 of %3 ranks)").arg(word, formatCount(judged), formatCount(ranks));
            fine = fine.isEmpty() ? part : tr("%1, %2", "items of a list").arg(fine, part);
        }
    }
    if (!fine.isEmpty()) lines << tr("No advice: %1").arg(fine);
    m_detail->setText(withUnbrokenUnits((lines + unknown).join(u'\n')));
}

void AdviceTab::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) take();
    QWidget::changeEvent(event);
}

}  // namespace altiscope
