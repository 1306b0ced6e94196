#include "views/communication/data/communication_times.h"

#include "core/analysis/support/saturating.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/finding_texts.h"
#include "views/communication/data/link_texts.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <set>

namespace altiscope {

// The tables of CommunicationTimes.

namespace {

using namespace Qt::StringLiterals;

struct TimeTables {
    Q_DECLARE_TR_FUNCTIONS(altiscope::TimeTables)
};

template <class Column>
constexpr std::size_t at(Column column) {
    return static_cast<std::size_t>(column);
}

/// A rank whose times are recorded, and whose bandwidths are not.
constexpr const char* kRatesComputed = "recorded, rates computed";

QString rankOriginWord(const QString& origin) {
    return origin == QString::fromLatin1(kRatesComputed) ? TimeTables::tr("recorded; bandwidths computed")
                                                         : originWord(origin);
}

/// Transports that any rank used, by name.
std::vector<std::string> transportsOf(const CommunicationTimes& times) {
    std::set<std::string> names;
    for (const RankTransfers& rank : times.transfers) {
        for (const TransportSum& sum : rank.transports) names.insert(sum.transport);
    }
    return {names.begin(), names.end()};
}

std::string rankText(const RankEntry& rank) { return rankAxisText(rank.info).toStdString(); }

QString elapsedFormula() {
    return TimeTables::tr("From the first to the last task of the main stream; from communication files, or the "
                          "collective's slice where it is computed.");
}
QString transitFormula() {
    return TimeTables::tr("Moving data on the main stream. Computed where no file has it, but not where RDMA was used: "
                          "its bursts cannot be identified from events.");
}
QString waitFormula() { return TimeTables::tr("Sum of Notify_Wait on the main stream."); }
QString synchronizationFormula() { return TimeTables::tr("The part of the wait before the first data moved."); }

}  // namespace

std::shared_ptr<const ColumnTable> rankTimeTable(const CommunicationTimes& times) {
    std::vector<TableColumn> columns{textColumn("rank"),
                                     integerColumn("came_last", CellUnit::Count),
                                     integerColumn("others_waited", CellUnit::Duration),
                                     integerColumn("elapsed", CellUnit::Duration),
                                     integerColumn("transit", CellUnit::Duration),
                                     integerColumn("synchronization", CellUnit::Duration),
                                     integerColumn("wait", CellUnit::Duration),
                                     integerColumn("idle", CellUnit::Duration),
                                     realColumn("synchronization_ratio", CellUnit::Share),
                                     realColumn("wait_ratio", CellUnit::Share),
                                     integerColumn("count", CellUnit::Count),
                                     textColumn("origin")};
    const std::vector<std::string> transports = transportsOf(times);
    for (const std::string& transport : transports)
        columns.push_back(realColumn("bandwidth_" + transport, CellUnit::Rate));
    // By number, not by text.
    std::set<std::int64_t> numbers;
    for (const RankCollectives& rank : times.set->ranks) {
        if (const auto number = times.source->capture->ranks[rank.rank.value].info.rankId) numbers.insert(*number);
    }
    for (const std::int64_t number : numbers) columns[at(RankColumn::Rank)].order.push_back(std::to_string(number));
    ColumnTableBuilder builder(std::move(columns));
    std::map<RankIndex, const RankTransfers*> transfers;
    for (const RankTransfers& rank : times.transfers) transfers[rank.rank] = &rank;
    for (std::size_t r = 0; r < times.set->ranks.size(); ++r) {
        const RankCollectives& rank = times.set->ranks[r];
        builder.addRow();
        builder.setText(at(RankColumn::Rank), rankText(times.rank(r)));
        const auto known = transfers.find(rank.rank);
        const bool hasOtherRates = known != transfers.end() && known->second->isComputed && !rank.isComputed;
        builder.setText(at(RankColumn::Origin), hasOtherRates     ? kRatesComputed
                                                : rank.isComputed ? "computed"
                                                                  : "recorded");
        builder.setInteger(at(RankColumn::Count), static_cast<std::int64_t>(rank.items.size()));
        builder.setInteger(at(RankColumn::Elapsed), rank.sum.elapsed);
        builder.setInteger(at(RankColumn::Transit), rank.sum.transit);
        builder.setInteger(at(RankColumn::Synchronization), rank.sum.synchronization);
        builder.setInteger(at(RankColumn::Wait), rank.sum.wait);
        builder.setInteger(at(RankColumn::Idle), rank.sum.idle);
        if (const auto ratio = rank.sum.synchronizationRatio())
            builder.setReal(at(RankColumn::SynchronizationRatio), *ratio);
        if (const auto ratio = rank.sum.waitRatio()) builder.setReal(at(RankColumn::WaitRatio), *ratio);
        if (times.late[r].compared > 0) {
            builder.setInteger(at(RankColumn::Last), static_cast<std::int64_t>(times.late[r].last));
            builder.setInteger(at(RankColumn::Waited), times.late[r].waited);
        }
        for (std::size_t t = 0; known != transfers.end() && t < transports.size(); ++t) {
            for (const TransportSum& sum : known->second->transports) {
                if (sum.transport == transports[t] && sum.time > 0)
                    builder.setReal(at(RankColumn::FirstTransport) + t,
                                    static_cast<double>(sum.size) / static_cast<double>(sum.time) * 1e9);
            }
        }
    }
    return builder.finish();
}

std::vector<ColumnHeading> rankTimeHeadings(const CommunicationTimes& times) {
    std::vector<ColumnHeading> headings{
        {TimeTables::tr("Rank"), {}},
        {TimeTables::tr("Came last"),
         TimeTables::tr(
             "Collectives in which this rank was clearly the last to come: in them for the shortest time of all ranks "
             "of the group, by the median of absolute distances (0.6745 * (median - shortest) / MAD > 3.5) and by 5 % "
             "of the median; of fewer than four ranks by 20 % of it. Sends and receives do not count.")},
        {TimeTables::tr("Others waited"),
         TimeTables::tr("In these, the sum over the other ranks of their elapsed time - that of this rank.")},
        {TimeTables::tr("Elapsed"), elapsedFormula()},
        {TimeTables::tr("Transit"), transitFormula()},
        {TimeTables::tr("Synchronization"), synchronizationFormula()},
        {TimeTables::tr("Wait"), waitFormula()},
        {TimeTables::tr("Idle"), u"elapsed - transit - wait"_s},
        {TimeTables::tr("Synchronization ratio"), u"synchronization / (synchronization + transit)"_s},
        {TimeTables::tr("Wait ratio"), u"wait / (wait + transit)"_s},
        {TimeTables::tr("Collectives"), {}},
        {TimeTables::tr("Source"),
         TimeTables::tr("Recorded by the profiler in communication files, or computed by Altiscope from the timeline "
                        "where these are missing, or where a part of a step is wanted."),
         rankOriginWord}};
    for (const std::string& transport : transportsOf(times))
        headings.push_back(
            {QString::fromStdString(transport),
             transport == "SDMA"
                 ? TimeTables::tr("Size / transit time over all planes; SDMA is HCCS, PCIE and SIO together.")
                 : TimeTables::tr("Size / transit time over all planes.")});
    return headings;
}

std::shared_ptr<const ColumnTable> collectiveTable(const CommunicationTimes& times, TimeNs origin,
                                                   const CancelToken& cancel) {
    ColumnTableBuilder builder(
        {integerColumn("rank_id"), integerColumn("step"), textColumn("type"), textColumn("op_name"),
         textColumn("group_name"), integerColumn("ts", CellUnit::Time, origin.value),
         integerColumn("elapsed", CellUnit::Duration), integerColumn("transit", CellUnit::Duration),
         integerColumn("synchronization", CellUnit::Duration), integerColumn("wait", CellUnit::Duration),
         integerColumn("idle", CellUnit::Duration), realColumn("synchronization_ratio", CellUnit::Share),
         realColumn("wait_ratio", CellUnit::Share)});
    for (std::size_t r = 0; r < times.set->ranks.size(); ++r) {
        if (cancel.cancelled()) return nullptr;
        const RankCollectives& rank = times.set->ranks[r];
        for (const CollectiveItem& item : rank.items) {
            builder.addRow();
            builder.setRank(at(CollectiveColumn::Rank), times.rank(r).info);
            builder.setInteger(at(CollectiveColumn::Step), item.step);
            builder.setText(at(CollectiveColumn::Type), times.set->types[item.type]);
            builder.setText(at(CollectiveColumn::Operator), rank.name(item));
            builder.setText(at(CollectiveColumn::Group), rank.group(item));
            if (item.begin) builder.setInteger(at(CollectiveColumn::Begin), item.begin->value);
            builder.setInteger(at(CollectiveColumn::Elapsed), item.spent.elapsed);
            builder.setInteger(at(CollectiveColumn::Transit), item.spent.transit);
            builder.setInteger(at(CollectiveColumn::Synchronization), item.spent.synchronization);
            builder.setInteger(at(CollectiveColumn::Wait), item.spent.wait);
            builder.setInteger(at(CollectiveColumn::Idle), item.spent.idle);
            if (const auto ratio = item.spent.synchronizationRatio())
                builder.setReal(at(CollectiveColumn::SynchronizationRatio), *ratio);
            if (const auto ratio = item.spent.waitRatio()) builder.setReal(at(CollectiveColumn::WaitRatio), *ratio);
        }
    }
    return builder.finish();
}

std::vector<ColumnHeading> collectiveHeadings() {
    return {{TimeTables::tr("Rank"), {}},
            {TimeTables::tr("Step"), {}},
            {TimeTables::tr("Type"),
             TimeTables::tr("By its name, as the profiler sorts operators: a reduceScatter is a reduce.")},
            {TimeTables::tr("Operator"), {}},
            {TimeTables::tr("Group"), {}},
            {TimeTables::tr("Start"), TimeTables::tr("On the rank's own clock.")},
            {TimeTables::tr("Elapsed"), elapsedFormula()},
            {TimeTables::tr("Transit"), transitFormula()},
            {TimeTables::tr("Synchronization"), synchronizationFormula()},
            {TimeTables::tr("Wait"), waitFormula()},
            {TimeTables::tr("Idle"), u"elapsed - transit - wait"_s},
            {TimeTables::tr("Synchronization ratio"), u"synchronization / (synchronization + transit)"_s},
            {TimeTables::tr("Wait ratio"), u"wait / (wait + transit)"_s}};
}

std::vector<PacketSum> packetsOf(const CommunicationTimes& times, std::optional<RankIndex> rank) {
    std::map<std::pair<std::string, std::int64_t>, PacketSum> sums;
    for (const RankTransfers& transfers : times.transfers) {
        if (rank && transfers.rank != *rank) continue;
        for (const PacketSum& packets : transfers.packets) {
            PacketSum& sum = sums[{packets.transport, packets.packetSize}];
            sum.transport = packets.transport;
            sum.packetSize = packets.packetSize;
            addSaturated(sum.count, packets.count);
            addSaturated(sum.time, packets.time);
        }
    }
    std::vector<PacketSum> packets;
    for (auto& [key, sum] : sums) packets.push_back(std::move(sum));
    return packets;
}

std::shared_ptr<const ColumnTable> packetTable(const std::vector<PacketSum>& packets) {
    ColumnTableBuilder builder({textColumn("transport"), integerColumn("packet_size", CellUnit::Bytes),
                                integerColumn("count", CellUnit::Count), integerColumn("dur", CellUnit::Duration),
                                realColumn("bandwidth", CellUnit::Rate), realColumn("share", CellUnit::Share)});
    std::map<std::string, double> all;
    for (const PacketSum& sum : packets) all[sum.transport] += static_cast<double>(sum.time);
    for (const PacketSum& sum : packets) {
        builder.addRow();
        builder.setText(at(PacketColumn::Transport), sum.transport);
        builder.setInteger(at(PacketColumn::Size), sum.packetSize);
        builder.setInteger(at(PacketColumn::Count), sum.count);
        builder.setInteger(at(PacketColumn::Time), sum.time);
        if (sum.time > 0)
            builder.setReal(at(PacketColumn::Bandwidth), static_cast<double>(sum.packetSize) *
                                                             static_cast<double>(sum.count) /
                                                             static_cast<double>(sum.time) * 1e9);
        if (all[sum.transport] > 0)
            builder.setReal(at(PacketColumn::Share), static_cast<double>(sum.time) / all[sum.transport]);
    }
    return builder.finish();
}

std::vector<ColumnHeading> packetHeadings() {
    return {{metricTitle(LinkMetric::Transport), {}},
            {TimeTables::tr("Packet size"),
             TimeTables::tr("Of one packet: from the size distribution of communication.json, or computed from the "
                            "tasks on the planes of the timeline where that is missing.")},
            {TimeTables::tr("Packets"), {}},
            {TimeTables::tr("Time"), TimeTables::tr("Of all these packets, over all planes.")},
            {metricTitle(LinkMetric::Bandwidth), TimeTables::tr("packet size * packets / time")},
            {TimeTables::tr("Share"), TimeTables::tr("Of the time of all packets of the transport.")}};
}

std::shared_ptr<const ColumnTable> peerTable(const CommunicationTimes& times, const PeerTimes& peers, TimeNs origin) {
    ColumnTableBuilder builder({integerColumn("rank_id"), integerColumn("ts", CellUnit::Time, origin.value),
                                integerColumn("late", CellUnit::Duration), integerColumn("elapsed", CellUnit::Duration),
                                integerColumn("before_last", CellUnit::Duration),
                                integerColumn("transit", CellUnit::Duration),
                                integerColumn("synchronization", CellUnit::Duration), textColumn("op_name")});
    for (const PeerTime& peer : peers.peers) {
        const RankCollectives& rank = times.set->ranks[peer.row];
        const CollectiveItem& item = rank.items[peer.item];
        builder.addRow();
        builder.setRank(at(PeerColumn::Rank), times.rank(peer.row).info);
        if (item.begin)
            builder.setInteger(at(PeerColumn::Begin), times.chart->aligned(peer.row, peer.item).begin.value);
        builder.setInteger(at(PeerColumn::Late), peer.late);
        builder.setInteger(at(PeerColumn::Elapsed), item.spent.elapsed);
        builder.setInteger(at(PeerColumn::Wait), peer.wait);
        builder.setInteger(at(PeerColumn::Transit), item.spent.transit);
        builder.setInteger(at(PeerColumn::Synchronization), item.spent.synchronization);
        builder.setText(at(PeerColumn::Operator), rank.name(item));
    }
    return builder.finish();
}

std::vector<ColumnHeading> peerHeadings() {
    return {{TimeTables::tr("Rank"), {}},
            {TimeTables::tr("Start"), TimeTables::tr("On the common clock, where it could be aligned.")},
            {TimeTables::tr("After the first"), TimeTables::tr("Start - start on the rank that came first.")},
            {TimeTables::tr("Elapsed"), elapsedFormula()},
            {TimeTables::tr("Before the last"),
             TimeTables::tr("How long it was in it before the last rank came: elapsed - the shortest elapsed.")},
            {TimeTables::tr("Transit"), transitFormula()},
            {TimeTables::tr("Synchronization"), synchronizationFormula()},
            {TimeTables::tr("Operator"),
             TimeTables::tr(
                 "Its name on that rank; numbers in names differ where ranks began to record at different times.")}};
}

}  // namespace altiscope
