#include "core/import/raw_host/raw_collective_rows.h"

#include "core/import/communication/communication_names.h"
#include "core/trace/collective_names.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

namespace altiscope::reader {

namespace {

constexpr auto kRawCollectiveRows = RowKind::Collective;
constexpr auto kRawBandwidthRows = RowKind::Bandwidth;
constexpr auto kRawPacketRows = RowKind::Packet;
constexpr auto kRawLinkRows = RowKind::Link;

double fourDecimals(double value) { return std::round(value * 10000) / 10000; }

/// Bytes per ns are 10^9 bytes per second.
double bytesPerNs(std::uint64_t bytes, std::int64_t ns) {
    return ns <= 0 ? 0 : fourDecimals(static_cast<double>(bytes) / static_cast<double>(ns));
}

void setCall(RowBatch& batch, RowKind kind, const RawCollectiveFacts& one) {
    batch.addRow();
    if (one.step != kNoCell) batch.setInteger(rowColumn(kind, "step"), one.step);
    batch.setText(rowColumn(kind, "group_name"), one.group);
    batch.setText(rowColumn(kind, "op_name"), one.run->name);
}

/// A row of `link`: of one call, or of all of a kind.
struct RawLinkRow {
    const RawCollectiveFacts* call;
    RawLink link;
    double rate;
};

void addLink(RowBatch& batch, const RawLinkRow& row, std::string_view selection, const std::string* type) {
    setCall(batch, kRawLinkRows, *row.call);
    if (type != nullptr) batch.setText(fixedColumn(kRawLinkRows, "op_name"), *type);
    batch.setText(fixedColumn(kRawLinkRows, "selection"), selection);
    batch.setInteger(fixedColumn(kRawLinkRows, "src_local"), row.link.source);
    batch.setInteger(fixedColumn(kRawLinkRows, "dst_local"), row.link.target);
    if (!row.link.transport.empty()) batch.setText(fixedColumn(kRawLinkRows, "transport"), row.link.transport);
    batch.setInteger(fixedColumn(kRawLinkRows, "size"), static_cast<std::int64_t>(row.link.bytes));
    batch.setInteger(fixedColumn(kRawLinkRows, "transit"), row.link.time);
    batch.setReal(fixedColumn(kRawLinkRows, "gb_per_s"), row.rate);
}

/// The calls of one kind over one link, the fastest first. @param batch  Gets the ranked ones.
void addRanked(std::vector<RawLinkRow>& rows, const std::string& type, RowBatch& batch) {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const RawLinkRow& a, const RawLinkRow& b) { return a.rate > b.rate; });
    const std::size_t count = rows.size();
    addLink(batch, rows.front(), "top1", nullptr);
    addLink(batch, rows[count / 2], "middle", nullptr);
    addLink(batch, rows[count - 1], "bottom1", nullptr);
    RawLinkRow total = rows.front();
    total.link.bytes = 0;
    total.link.time = 0;
    for (const RawLinkRow& row : rows) {
        total.link.bytes += row.link.bytes;
        addRawTime(total.link.time, row.link.time);
    }
    total.rate = bytesPerNs(total.link.bytes, total.link.time);
    addLink(batch, total, "total", &type);
    if (count >= 2) addLink(batch, rows[count - 2], "bottom2", nullptr);
    if (count >= 3) addLink(batch, rows[count - 3], "bottom3", nullptr);
}

void addTraffic(const RawCollectiveFacts& one, RowBatch& bandwidths, RowBatch& packets) {
    for (std::size_t number = 0; number < kRawTransports; ++number) {
        const RawTraffic& traffic = one.times.traffic[number];
        const std::string_view name = rawTransportName(static_cast<RawTransport>(number));
        for (const RawPackets& size : traffic.sizes) {
            setCall(packets, kRawPacketRows, one);
            packets.setText(fixedColumn(kRawPacketRows, "transport"), name);
            packets.setInteger(fixedColumn(kRawPacketRows, "packet_size"), static_cast<std::int64_t>(size.size));
            packets.setInteger(fixedColumn(kRawPacketRows, "count"), static_cast<std::int64_t>(size.count));
            packets.setInteger(fixedColumn(kRawPacketRows, "dur"), size.time);
        }
        if (traffic.sizes.empty() && traffic.bytes == 0 && traffic.time == 0) continue;
        setCall(bandwidths, kRawBandwidthRows, one);
        bandwidths.setText(fixedColumn(kRawBandwidthRows, "transport"), name);
        bandwidths.setInteger(fixedColumn(kRawBandwidthRows, "size"), static_cast<std::int64_t>(traffic.bytes));
        bandwidths.setInteger(fixedColumn(kRawBandwidthRows, "transit"), traffic.time);
        bandwidths.setReal(fixedColumn(kRawBandwidthRows, "gb_per_s"), bytesPerNs(traffic.bytes, traffic.time));
        const double large =
            traffic.packets == 0
                ? 0
                : fourDecimals(static_cast<double>(traffic.largePackets) / static_cast<double>(traffic.packets));
        bandwidths.setReal(fixedColumn(kRawBandwidthRows, "large_packet_ratio"), large);
    }
}

}  // namespace

void addRawCollectives(std::span<const RawCollectiveFacts> collectives, bool isFramework, RowTablesBuilder& rows) {
    RowBatch calls = rows.batch(kRawCollectiveRows), bandwidths = rows.batch(kRawBandwidthRows),
             packets = rows.batch(kRawPacketRows), links = rows.batch(kRawLinkRows);
    struct Kind {
        std::string type;
        std::vector<RawLinkRow> rows;
    };
    std::map<std::tuple<std::int64_t, std::string, std::string, std::uint32_t, std::uint32_t>, std::size_t> numbers;
    std::vector<Kind> kinds;
    for (const RawCollectiveFacts& one : collectives) {
        setCall(calls, kRawCollectiveRows, one);
        calls.setText(fixedColumn(kRawCollectiveRows, "origin"), "recorded");
        calls.setText(fixedColumn(kRawCollectiveRows, "kind"), operatorKind(one.run->name));
        const std::pair<std::string_view, std::int64_t> times[] = {{"ts", one.times.begin},
                                                                   {"elapsed", one.times.elapsed},
                                                                   {"transit", one.times.transit},
                                                                   {"wait", one.times.wait},
                                                                   {"synchronization", one.times.synchronization},
                                                                   {"idle", one.times.idle}};
        for (const auto& [name, value] : times) calls.setInteger(rowColumn(kRawCollectiveRows, name), value);
        addTraffic(one, bandwidths, packets);
        for (const RawLink& link : one.times.links) {
            const RawLinkRow row{&one, link, bytesPerNs(link.bytes, link.time)};
            if (!isFramework) {
                addLink(links, row, "single", nullptr);
                continue;
            }
            std::string type = collectiveType(one.run->name);
            const auto [at, isNew] =
                numbers.try_emplace({one.step, type, one.group, link.source, link.target}, kinds.size());
            if (isNew) kinds.push_back({std::move(type), {}});
            kinds[at->second].rows.push_back(row);
        }
    }
    for (Kind& kind : kinds) addRanked(kind.rows, kind.type, links);
    for (RowBatch* batch : {&calls, &bandwidths, &packets, &links}) rows.commit(*batch);
}

}  // namespace altiscope::reader
