#include "core/generate/text/communication_json.h"

#include "core/generate/model/operation_names.h"
#include "core/generate/text/communication_numbers.h"

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

/// Four decimals; nothing at all is an integer zero.
void addTenThousandths(std::int64_t value, bool known, TextBuffer& out) {
    if (!known) out.add('0');
    else out.addTrimmed(value, 4);
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
    addTenThousandths(ratioOf(summary.wait, summary.transit), summary.wait + summary.transit != 0, out);
    out.add(", \"Synchronization Time Ratio\": ");
    addTenThousandths(ratioOf(summary.synchronization, summary.transit), summary.synchronization + summary.transit != 0,
                      out);
    out.add("}, \"Communication Bandwidth Info\": {");
}

void addPackets(const TransportTally& sum, TextBuffer& out) {
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
    out.add('}');
}

/// Which keys an entry of a transport has: those of one collective, or of totals in either kind of file.
enum class TransportKeys : std::uint8_t { Collective, RankTotal, ClusterTotal };

void addTransport(const NamedTransport& transport, TransportKeys keys, TextBuffer& out) {
    const TransportTally& sum = transport.sum;
    const auto addBandwidth = [&] {
        out.add(", \"Bandwidth(GB/s)\": ");
        addTenThousandths(bandwidthOf(sum.bytes, sum.ticks), sum.ticks != 0, out);
    };
    out.add('"');
    out.add(transport.name);
    if (keys != TransportKeys::Collective) {
        out.add("\": {\"Transit Time(ms)\": ");
        addMs(sum.ticks, out);
        out.add(", \"Transit Size(MB)\": ");
        addMb(sum.bytes, out);
        out.add(", ");
        addPackets(sum, out);
        if (keys == TransportKeys::ClusterTotal) addBandwidth();
        out.add('}');
        return;
    }
    out.add("\": {\"Transit Size(MB)\": ");
    addMb(sum.bytes, out);
    out.add(", \"Transit Time(ms)\": ");
    addMs(sum.ticks, out);
    addBandwidth();
    out.add(", \"Large Packet Ratio\": ");
    addTenThousandths(transport.largePackets, !sum.packets.empty(), out);
    out.add(", ");
    addPackets(sum, out);
    out.add('}');
}

/// `"step5": {"p2p": {`, what belongs there, `}, "collective": {` and the same for it.
template <class AddSection>
void addSections(std::uint64_t step, const AddSection& addSection, TextBuffer& out) {
    out.add("\"step");
    out.addNumber(step);
    out.add("\": {\"p2p\": {");
    addSection(std::string_view("p2p"));
    out.add("}, \"collective\": {");
    addSection(std::string_view("collective"));
    out.add("}}");
}

}  // namespace

void addMatrixLink(const LinkKey& key, const LinkTransfer& call, bool first, TextBuffer& out, Framework framework) {
    out.add(first ? "\"" : ", \"");
    out.addNumber(std::uint64_t{key.source});
    out.add('-');
    out.addNumber(std::uint64_t{key.target});
    out.add("\": {\"Transport Type\": \"");
    out.add(linkTransport(key.transport));
    out.add("\", \"Transit Size(MB)\": ");
    addMb(call.bytes, out);
    out.add(", \"Transit Time(ms)\": ");
    addMs(call.ticks, out);
    out.add(", \"Bandwidth(GB/s)\": ");
    addTenThousandths(bandwidthOf(call.bytes, call.ticks), call.ticks != 0, out);
    if (!call.opName.empty()) {
        out.add(framework == Framework::MindSpore ? ", \"op_name\": \"" : ", \"Op Name\": \"");
        out.add(call.opName);
        out.add('"');
    }
    out.add('}');
}

void addCollectiveSummary(const CollectiveSummary& summary, TotalBandwidth bandwidth, TextBuffer& out) {
    TransportKeys keys = TransportKeys::Collective;
    if (summary.name.empty())
        keys = bandwidth == TotalBandwidth::Shown ? TransportKeys::ClusterTotal : TransportKeys::RankTotal;
    addTimes(summary, out);
    bool first = true;
    for (const NamedTransport& transport : namedTransports(summary)) {
        if (!first) out.add(", ");
        addTransport(transport, keys, out);
        first = false;
    }
    out.add("}}");
}

void addCommunicationStep(std::uint64_t step, const StepCommunication& communication, TextBuffer& out) {
    const auto addSection = [&](std::string_view kind) {
        CollectiveSummary total;
        bool any = false;
        for (const CollectiveSummary& summary : communication.collectives) {
            if (namesOf(summary.operation).kind != kind) continue;
            any = true;
            out.add('"');
            out.add(summary.name);
            out.add("\": ");
            addCollectiveSummary(summary, TotalBandwidth::Left, out);
            out.add(", ");
            total.add(summary);
        }
        if (!any) return;
        out.add("\"Total Op Info\": ");
        addCollectiveSummary(total, TotalBandwidth::Left, out);
    };
    addSections(step, addSection, out);
}

void addMatrixStep(const Run& run, std::uint64_t step, const StepCommunication& communication, Framework framework,
                   TextBuffer& out) {
    const std::vector<LinkSelection> selections = linkSelections(communication, framework);
    const auto addSection = [&](std::string_view kind) {
        bool first = true;
        for (const LinkSelection& selection : selections) {
            const OperationNames words = namesOf(selection.operation);
            if (words.kind != kind) continue;
            out.add(first ? "\"" : ", \"");
            first = false;
            out.add(words.link);
            out.add('-');
            out.add(selection.word);
            out.add('@');
            out.addNumber(run.plan.groups[selection.group].hash);
            out.add("\": {");
            bool firstLink = true;
            for (const auto& [key, call] : selection.links) {
                addMatrixLink(key, call, firstLink, out, framework);
                firstLink = false;
            }
            out.add('}');
        }
    };
    addSections(step, addSection, out);
}

}  // namespace altiscope::generate
