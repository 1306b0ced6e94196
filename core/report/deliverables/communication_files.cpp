#include "core/report/deliverables/communication_files.h"

#include "core/base/text/text.h"
#include "core/report/deliverables/communication_parts.h"
#include "core/report/deliverables/number_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace altiscope {

namespace {

/// Less than this is nothing to divide by.
constexpr double kNearlyNothing = 1e-15;

std::string ratioText(double part, double other, bool isKnown) {
    return isKnown && part + other > 0 ? exactText(fourDigits(part / (part + other))) : "0";
}

/// Sums over collectives, or the numbers of one.
struct CommunicationSum {
    double elapsed = 0, transit = 0, wait = 0, synchronization = 0, idle = 0;
    bool hasTransit = false, hasWait = false, hasSynchronization = false;
    std::array<CollectiveTraffic, CollectiveRecord::kTransports.size()> traffic;

    void add(const CollectiveRecord& one) {
        elapsed += one.elapsed;
        transit += one.transit;
        wait += one.wait;
        synchronization += one.synchronization;
        idle += one.elapsed - one.transit - one.wait;
        hasTransit = hasTransit || one.transits > 0;
        hasWait = hasWait || one.waits > 0;
        hasSynchronization = hasSynchronization || one.synchronizations > 0;
        for (std::size_t i = 0; i < traffic.size(); ++i) addTraffic(traffic[i], one.traffic[i]);
    }

private:
    static void addTraffic(CollectiveTraffic& sum, const CollectiveTraffic& one) {
        sum.size += one.size;
        sum.time += one.time;
        sum.packets += one.packets;
        sum.largePackets += one.largePackets;
        sum.hasOthers = sum.hasOthers || one.hasOthers;
        for (const CollectiveTraffic::Packets& packets : one.sizes) {
            const auto known = std::find_if(sum.sizes.begin(), sum.sizes.end(),
                                            [&](const auto& other) { return other.size == packets.size; });
            if (known == sum.sizes.end()) {
                sum.sizes.push_back(packets);
                continue;
            }
            known->count += packets.count;
            known->time += packets.time;
        }
    }
};

std::string sizesText(const CollectiveTraffic& traffic) {
    JsonMembers sizes;
    for (const CollectiveTraffic::Packets& one : traffic.sizes)
        sizes.add(exactText(one.size), '[' + std::to_string(one.count) + ", " + exactText(one.time) + ']');
    return sizes.text();
}

std::string trafficText(const CollectiveTraffic& traffic) {
    JsonMembers members;
    const bool isUsed = isTouched(traffic);
    members.add("Transit Size(MB)", sumText(traffic.size, isUsed));
    members.add("Transit Time(ms)", sumText(traffic.time, isUsed));
    members.add("Bandwidth(GB/s)", sumText(trafficRate(traffic), isUsed && traffic.time > 0));
    members.add("Large Packet Ratio", sumText(largePacketRatio(traffic), traffic.packets > 0));
    members.add("Size Distribution", sizesText(traffic));
    return members.text();
}

std::string bandwidthText(const std::array<CollectiveTraffic, CollectiveRecord::kTransports.size()>& traffic) {
    JsonMembers members;
    for (std::size_t i = 0; i < traffic.size(); ++i)
        members.add(CollectiveRecord::kTransports[i], trafficText(traffic[i]));
    return members.text();
}

/// @param start  JSON.
std::string collectiveText(const CommunicationSum& sum, std::string_view start) {
    JsonMembers times, all;
    times.add("Start Timestamp(us)", start);
    times.addNumber("Elapse Time(ms)", sum.elapsed);
    times.add("Transit Time(ms)", sumText(sum.transit, sum.hasTransit));
    times.add("Wait Time(ms)", sumText(sum.wait, sum.hasWait));
    times.add("Synchronization Time(ms)", sumText(sum.synchronization, sum.hasSynchronization));
    times.addNumber("Idle Time(ms)", sum.idle);
    times.add("Wait Time Ratio", ratioText(sum.wait, sum.transit, true));
    times.add("Synchronization Time Ratio", ratioText(sum.synchronization, sum.transit, true));
    all.add("Communication Time Info", times.text());
    all.add("Communication Bandwidth Info", bandwidthText(sum.traffic));
    return all.text();
}

std::string keyOf(const CollectiveRecord& record) { return record.name + '@' + record.group; }

void addCollectives(const DeliverableInput& input, const CollectiveList& list, JsonMembers& members) {
    for (const CollectiveRecord* record : list) {
        CommunicationSum sum;
        sum.add(*record);
        members.add(keyOf(*record), collectiveText(sum, exactText(startTimestamp(input, *record))));
    }
}

/// "Total Op Info" of torch_npu.
std::string stepTotalText(const CommunicationSum& sum) {
    JsonMembers times, traffic, all;
    times.addNumber("Elapse Time(ms)", sum.elapsed);
    times.addNumber("Transit Time(ms)", sum.transit);
    times.addNumber("Wait Time(ms)", sum.wait);
    times.addNumber("Synchronization Time(ms)", sum.synchronization);
    times.addNumber("Idle Time(ms)", sum.idle);
    const auto ratio = [&sum](double part) {
        return part + sum.transit < kNearlyNothing ? std::string("0")
                                                   : exactText(fourDigits(part / (part + sum.transit)));
    };
    times.add("Wait Time Ratio", ratio(sum.wait));
    times.add("Synchronization Time Ratio", ratio(sum.synchronization));
    for (std::size_t i = 0; i < sum.traffic.size(); ++i) {
        JsonMembers one;
        one.add("Transit Time(ms)", sumText(sum.traffic[i].time, isTouched(sum.traffic[i])));
        one.add("Transit Size(MB)", sumText(sum.traffic[i].size, isTouched(sum.traffic[i])));
        one.add("Size Distribution", sizesText(sum.traffic[i]));
        traffic.add(CollectiveRecord::kTransports[i], one.text());
    }
    all.add("Communication Time Info", times.text());
    all.add("Communication Bandwidth Info", traffic.text());
    return all.text();
}

std::string partText(const DeliverableInput& input, const CollectiveList& list) {
    JsonMembers members;
    addCollectives(input, list, members);
    if (list.empty()) return members.text();
    CommunicationSum sum;
    for (const CollectiveRecord* record : list) sum.add(*record);
    members.add("Total Op Info", stepTotalText(sum));
    return members.text();
}

/// @param nameKey  The key of the operator, which frameworks spell each in its way.
std::string entryText(const LinkEntry& entry, std::string_view nameKey = {}) {
    JsonMembers members;
    members.add("Transport Type", entry.transport.empty() ? "null" : jsonQuoted(entry.transport));
    members.addNumber("Transit Size(MB)", entry.size);
    members.addNumber("Transit Time(ms)", entry.time);
    members.add("Bandwidth(GB/s)", sumText(entry.rate, entry.time != 0));
    if (entry.collective != nullptr) members.add(nameKey, jsonQuoted(entry.collective->name));
    return members.text();
}

std::string linkName(std::uint32_t source, std::uint32_t target) {
    return std::to_string(source) + '-' + std::to_string(target);
}

std::string matrixPart(const CollectiveList& list, MatrixWriter writer) {
    const std::string_view nameKey = writer == MatrixWriter::MindSpore ? "op_name" : "Op Name";
    OrderedMembers<JsonMembers> members;
    for (const RankedLink& one : rankedLinks(list, writer))
        members.at(one.selection + '@' + one.group)
            .add(linkName(one.source, one.target), entryText(one.entry, nameKey));
    JsonMembers part;
    for (const auto& [key, links] : members.all()) part.add(key, links.text());
    return part.text();
}

/// The object of msprof: each collective by itself, then their sum.
std::string plainMatrix(const CollectiveList& list) {
    JsonMembers all;
    OrderedMembers<LinkEntry> totals;
    for (const CollectiveRecord* record : list) {
        JsonMembers links;
        for (const CollectiveRecord::Link& link : record->links) {
            const std::string name = linkName(link.source, link.target);
            links.add(name, entryText({nullptr, link.transport, link.size, link.time, linkRate(link.size, link.time)}));
            LinkEntry& total = totals.at(name);
            total.collective = nullptr;
            total.transport = link.transport;
            total.size += link.size;
            total.time += link.time;
            total.rate = linkRate(total.size, total.time);
        }
        all.add(keyOf(*record), links.text());
    }
    JsonMembers sums;
    for (const auto& [link, total] : totals.all()) sums.add(link, entryText(total));
    all.add("Total HCCL Operators", sums.text());
    return all.text();
}

std::string plainCommunication(const DeliverableInput& input, const CollectiveList& list) {
    JsonMembers all;
    addCollectives(input, list, all);
    CommunicationSum sum;
    for (const CollectiveRecord* record : list) sum.add(*record);
    all.add("Total HCCL Operators", collectiveText(sum, "0"));
    return all.text();
}

/// @param part   Makes the JSON of a list of a step. @param plain  Of all, in the Cann dialect.
template <class Part, class Plain>
DeliverableResult writeObject(const DeliverableInput& input, std::string_view name, const Part& part,
                              const Plain& plain) {
    if (input.tasks.isLevelZero || input.tasks.collectives.empty()) return {DeliverableResult::State::Nothing};
    DeliverableFile file(input.folder / name, input.dialect, input.cancel);
    if (input.dialect == Dialect::Cann) {
        file.text().add(plain(ListedCollectives(input.tasks).list()));
        return endDeliverable(file, input.cancel);
    }
    JsonMembers steps;
    for (const StepCollectives& step : collectivesBySteps(input)) {
        if (input.cancel.cancelled()) break;
        // A step without any is in the list of times alone.
        if (name == "communication_matrix.json" && step.pointToPoint.empty() && step.collective.empty()) continue;
        JsonMembers parts;
        parts.add("p2p", part(step.pointToPoint));
        parts.add("collective", part(step.collective));
        steps.add(step.key, parts.text());
    }
    file.text().add(steps.text());
    return endDeliverable(file, input.cancel);
}

}  // namespace

DeliverableResult writeCommunication(const DeliverableInput& input) {
    return writeObject(
        input, "communication.json", [&input](const CollectiveList& list) { return partText(input, list); },
        [&input](const CollectiveList& list) { return plainCommunication(input, list); });
}

DeliverableResult writeCommunicationMatrix(const DeliverableInput& input) {
    const MatrixWriter writer = input.isMindSpore() ? MatrixWriter::MindSpore : MatrixWriter::Torch;
    return writeObject(
        input, "communication_matrix.json", [writer](const CollectiveList& list) { return matrixPart(list, writer); },
        plainMatrix);
}

}  // namespace altiscope
