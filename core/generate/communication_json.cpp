#include "core/generate/communication_json.h"

#include <algorithm>
#include <string_view>

namespace altiscope::generate {

namespace {

/// Ticks as milliseconds: 1/32 ns is 3125 / 10^11 ms. Nothing at all is an integer zero.
void addMs(std::int64_t ticks, TextBuffer& out) {
    if (ticks == 0) out.add('0');
    else out.addTrimmed(ticks * 3125, 11);
}

/// Bytes as megabytes of 10^6.
void addMb(std::uint64_t bytes, TextBuffer& out) {
    if (bytes == 0) out.add('0');
    else out.addTrimmed(static_cast<std::int64_t>(bytes), 6);
}

/// Four decimals, halves up. GB/s are bytes per ns.
void addBandwidth(std::uint64_t bytes, std::int64_t ticks, TextBuffer& out) {
    if (ticks == 0) {
        out.add('0');
        return;
    }
    const double gbPerS =
        static_cast<double>(bytes) * static_cast<double>(DeviceTime::kPerNs) / static_cast<double>(ticks);
    out.addTrimmed(static_cast<std::int64_t>(gbPerS * 10'000.0 + 0.5), 4);
}

void addRatio(std::int64_t part, std::int64_t rest, TextBuffer& out) {
    if (part + rest == 0) {
        out.add('0');
        return;
    }
    out.addTrimmed(
        static_cast<std::int64_t>(static_cast<double>(part) / static_cast<double>(part + rest) * 10'000.0 + 0.5), 4);
}

void addTimes(const CollectiveSummary& summary, TextBuffer& out) {
    out.add("{\"Communication Time Info\": {");
    if (!summary.name.empty()) {
        out.add("\"Start Timestamp(us)\": ");
        out.addDouble(static_cast<double>(summary.start.value) / 1000.0);
        out.add(", ");
    }
    out.add("\"Elapse Time(ms)\": ");
    addMs(summary.elapsed, out);
    out.add(", \"Transit Time(ms)\": ");
    addMs(summary.transit, out);
    out.add(", \"Wait Time(ms)\": ");
    addMs(summary.wait, out);
    out.add(", \"Synchronization Time(ms)\": ");
    addMs(summary.synchronization, out);
    out.add(", \"Idle Time(ms)\": ");
    addMs(summary.elapsed - summary.transit - summary.wait, out);
    out.add(", \"Wait Time Ratio\": ");
    addRatio(summary.wait, summary.transit, out);
    out.add(", \"Synchronization Time Ratio\": ");
    addRatio(summary.synchronization, summary.transit, out);
    out.add("}, \"Communication Bandwidth Info\": {");
}

void addPackets(const TransportSum& sum, TextBuffer& out) {
    out.add("\"Size Distribution\": {");
    bool first = true;
    for (const auto& [bytes, packet] : sum.packets) {
        out.add(first ? "\"" : ", \"");
        first = false;
        addMb(bytes, out);
        out.add("\": [");
        out.addNumber(packet.count);
        out.add(", ");
        addMs(packet.ticks, out);
        out.add(']');
    }
    out.add("}}");
}

void addTransport(std::string_view name, const TransportSum& sum, std::uint64_t largeBytes, bool total,
                  TextBuffer& out) {
    out.add(name);
    if (total) {
        out.add("\"Transit Time(ms)\": ");
        addMs(sum.ticks, out);
        out.add(", \"Transit Size(MB)\": ");
        addMb(sum.bytes, out);
        out.add(", ");
        addPackets(sum, out);
        return;
    }
    out.add("\"Transit Size(MB)\": ");
    addMb(sum.bytes, out);
    out.add(", \"Transit Time(ms)\": ");
    addMs(sum.ticks, out);
    out.add(", \"Bandwidth(GB/s)\": ");
    addBandwidth(sum.bytes, sum.ticks, out);
    out.add(", \"Large Packet Ratio\": ");
    std::int64_t large = 0;
    std::int64_t small = 0;
    for (const auto& [bytes, packet] : sum.packets)
        (bytes > largeBytes ? large : small) += static_cast<std::int64_t>(packet.count);
    addRatio(large, small, out);
    out.add(", ");
    addPackets(sum, out);
}

void addSummary(const CollectiveSummary& summary, TextBuffer& out) {
    constexpr std::uint64_t kLarge = 32'000'000;
    constexpr std::uint64_t kLargeRdma = 500'000;
    const bool total = summary.name.empty();
    const TransportSum& hccs = summary.transports[static_cast<std::size_t>(Transport::Hccs)];
    const TransportSum& rdma = summary.transports[static_cast<std::size_t>(Transport::Rdma)];
    // The copy engine did what HCCS moved; its packets are not listed a second time.
    const TransportSum sdma{hccs.bytes, hccs.ticks, {}};
    addTimes(summary, out);
    addTransport("\"RDMA\": {", rdma, kLargeRdma, total, out);
    addTransport(", \"HCCS\": {", hccs, kLarge, total, out);
    addTransport(", \"PCIE\": {", {}, kLarge, total, out);
    addTransport(", \"SDMA\": {", sdma, kLarge, total, out);
    addTransport(", \"SIO\": {", {}, kLarge, total, out);
    out.add("}}");
}

void addStepHead(std::uint64_t step, TextBuffer& out) {
    out.add("\"step");
    out.addNumber(step);
    out.add("\": {\"p2p\": {}, \"collective\": {");
}

void addLink(const LinkKey& key, const LinkCall& call, bool first, TextBuffer& out) {
    static constexpr std::array<std::string_view, 3> kTransports{"LOCAL", "HCCS", "RDMA"};
    out.add(first ? "\"" : ", \"");
    out.addNumber(std::uint64_t{key.source});
    out.add('-');
    out.addNumber(std::uint64_t{key.target});
    out.add("\": {\"Transport Type\": \"");
    out.add(kTransports[static_cast<std::size_t>(key.transport)]);
    out.add("\", \"Transit Size(MB)\": ");
    addMb(call.bytes, out);
    out.add(", \"Transit Time(ms)\": ");
    addMs(call.ticks, out);
    out.add(", \"Bandwidth(GB/s)\": ");
    addBandwidth(call.bytes, call.ticks, out);
    if (!call.opName.empty()) {
        out.add(", \"Op Name\": \"");
        out.add(call.opName);
        out.add('"');
    }
    out.add('}');
}

using LinkCalls = std::map<LinkKey, std::vector<LinkCall>>;

/// One of the selections of a group. @param pick  Gives the call to show, or nullptr where there are too few.
template <class Pick>
void addSelection(std::string_view word, const CommunicationGroup& group, const LinkCalls& links, bool first,
                  TextBuffer& out, const Pick& pick) {
    out.add(first ? "\"allreduce-" : ", \"allreduce-");
    out.add(word);
    out.add('@');
    out.addNumber(group.hash);
    out.add("\": {");
    bool firstLink = true;
    for (const auto& [key, calls] : links) {
        const LinkCall* call = pick(calls);
        if (call == nullptr) continue;
        addLink(key, *call, firstLink, out);
        firstLink = false;
    }
    out.add('}');
}

void writeGroup(const CommunicationGroup& group, LinkCalls links, bool first, TextBuffer& out) {
    LinkCall total;
    for (auto& [key, calls] : links) {
        std::stable_sort(calls.begin(), calls.end(), [](const LinkCall& a, const LinkCall& b) {
            return static_cast<double>(a.bytes) / static_cast<double>(a.ticks) >
                   static_cast<double>(b.bytes) / static_cast<double>(b.ticks);
        });
    }
    const std::size_t most = links.begin()->second.size();
    addSelection("top1", group, links, first, out, [](const auto& calls) { return &calls.front(); });
    addSelection("middle", group, links, false, out, [](const auto& calls) { return &calls[calls.size() / 2]; });
    addSelection("bottom1", group, links, false, out, [](const auto& calls) { return &calls.back(); });
    addSelection("total", group, links, false, out, [&total](const auto& calls) {
        total = {};
        for (const LinkCall& call : calls) {
            total.bytes += call.bytes;
            total.ticks += call.ticks;
        }
        return &total;
    });
    for (std::size_t back = 2; back <= 3 && back <= most; ++back) {
        addSelection(back == 2 ? "bottom2" : "bottom3", group, links, false, out,
                     [back](const auto& calls) { return &calls[calls.size() - back]; });
    }
}

}  // namespace

void addCommunicationStep(std::uint64_t step, const StepCommunication& communication, TextBuffer& out) {
    addStepHead(step, out);
    CollectiveSummary total;
    for (const CollectiveSummary& summary : communication.collectives) {
        out.add('"');
        out.add(summary.name);
        out.add("\": ");
        addSummary(summary, out);
        out.add(", ");
        total.add(summary);
    }
    if (!communication.collectives.empty()) {
        out.add("\"Total Op Info\": ");
        addSummary(total, out);
    }
    out.add("}}");
}

void addMatrixStep(const Run& run, std::uint64_t step, const StepCommunication& communication, TextBuffer& out) {
    addStepHead(step, out);
    bool first = true;
    for (std::uint32_t group = 0; group < run.plan.groups.size(); ++group) {
        LinkCalls links;
        for (const auto& [key, calls] : communication.links) {
            if (key.group == group) links.emplace(key, calls);
        }
        if (links.empty()) continue;
        writeGroup(run.plan.groups[group], std::move(links), first, out);
        first = false;
    }
    out.add("}}");
}

}  // namespace altiscope::generate
