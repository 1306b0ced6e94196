#include "core/report/deliverables/communication_parts.h"

#include "core/base/text/ascii.h"
#include "core/base/text/text.h"
#include "core/report/deliverables/number_text.h"
#include "core/trace/collective_names.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>

namespace altiscope {

namespace {

bool hasWord(std::string_view name, std::string_view word) { return name.find(word) != std::string_view::npos; }

/// Adds it to the list in which a framework's program has it. Both leave out names that begin as their sums do.
void addTo(StepCollectives& step, const CollectiveRecord& record, MatrixWriter writer) {
    if (writer == MatrixWriter::MindSpore) {
        const bool isPair = hasWord(record.name, "Send") || hasWord(record.name, "Receive");
        if (!isPair && record.name.starts_with("Total")) return;
        return (isPair ? step.pointToPoint : step.collective).push_back(&record);
    }
    if (record.name.starts_with("total")) return;
    (isPeerToPeerName(record.name) ? step.pointToPoint : step.collective).push_back(&record);
}

/// The kind of a collective in MindSpore's matrix.
std::string mindsporeType(const CollectiveRecord& record) {
    static constexpr std::string_view kPairs[] = {"receive", "send"};
    // "reduce" takes what is a reduceScatter, as it stands before it.
    static constexpr std::string_view kOthers[] = {"invalid",   "broadcast",     "allreduce", "reduce",
                                                   "allgather", "reducescatter", "scatter",   "alltoall"};
    const bool isPair = hasWord(record.name, "Send") || hasWord(record.name, "Receive");
    const std::string lower = asciiLower(record.name + '@' + record.group);
    if (isPair) return std::string(firstWord(lower, kPairs));
    if (const std::string_view word = firstWord(lower, kOthers); !word.empty()) return std::string(word);
    // The last part of a path, without what numbers it.
    const std::string last = lower.substr(lower.rfind('/') + 1);
    return last.substr(0, last.find("-op"));
}

std::vector<StepCollectives> collectivesOf(const DeliverableInput& input, std::span<const DeviceStep> steps,
                                           MatrixWriter writer) {
    static constexpr double kNsPerMicrosecond = 1000;
    std::vector<StepCollectives> found;
    for (const DeviceStep& step : steps) found.push_back({"step" + step.number, {}, {}});
    for (const CollectiveRecord& record : input.tasks.collectives) {
        const auto begin = static_cast<std::int64_t>(startTimestamp(input, record) * kNsPerMicrosecond);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (begin < steps[i].begin || begin > steps[i].end) continue;
            addTo(found[i], record, writer);
            break;
        }
    }
    return found;
}

/// Adds what another device transferred over a link: the vendor's program adds up plane by plane, whichever device a
/// transfer is of, so that the last digit of the sum follows from that order, and so does whose word is the last.
void addTransfers(CollectiveRecord::Link& link, const std::vector<CollectiveRecord::Link::Transfer>& transfers,
                  const std::map<std::uint32_t, std::size_t>& planes) {
    std::vector<CollectiveRecord::Link::Transfer>& all = link.transfers;
    all.insert(all.end(), transfers.begin(), transfers.end());
    std::stable_sort(all.begin(), all.end(),
                     [&](const auto& a, const auto& b) { return planes.at(a.plane) < planes.at(b.plane); });
    link.size = link.time = 0;
    if (!all.empty()) link.transport = all.back().transport;
    for (const auto& one : all) {
        link.size += one.size;
        link.time += one.time;
    }
}

}  // namespace

double startTimestamp(const DeliverableInput& input, const CollectiveRecord& record) {
    const auto& collections = input.tasks.collections;
    return printedMicroseconds(record.collection < collections.size()
                                   ? printedTime(record.begin, collections[record.collection])
                                   : record.begin);
}

double trafficRate(const CollectiveTraffic& traffic) {
    return traffic.time > 0 ? fourDigits((traffic.size / 1000) / (traffic.time / 1000)) : 0;
}

double largePacketRatio(const CollectiveTraffic& traffic) {
    if (traffic.packets == 0) return 0;
    return fourDigits(static_cast<double>(traffic.largePackets) / static_cast<double>(traffic.packets));
}

double linkRate(double megabytes, double milliseconds) {
    return milliseconds == 0 ? 0 : fourDigits(megabytes / milliseconds);
}

std::vector<RankedLink> rankedLinks(const CollectiveList& list, MatrixWriter writer) {
    struct Entries {
        std::string kind;
        std::string group;
        std::uint32_t source = 0, target = 0;
        std::vector<LinkEntry> entries;
    };
    OrderedMembers<Entries> kinds;
    for (const CollectiveRecord* record : list) {
        const std::string kind =
            writer == MatrixWriter::MindSpore ? mindsporeType(*record) : collectiveType(record->name);
        for (const CollectiveRecord::Link& link : record->links) {
            Entries& known = kinds.at(kind + '@' + record->group + '@' + std::to_string(link.source) + '-' +
                                      std::to_string(link.target));
            known.kind = kind;
            known.group = record->group;
            known.source = link.source;
            known.target = link.target;
            known.entries.push_back({record, link.transport, link.size, link.time, linkRate(link.size, link.time)});
        }
    }
    std::vector<RankedLink> ranked;
    for (auto& kind : kinds.all()) {
        const Entries& one = kind.second;
        std::vector<LinkEntry>& entries = kind.second.entries;
        std::stable_sort(entries.begin(), entries.end(),
                         [](const LinkEntry& a, const LinkEntry& b) { return a.rate > b.rate; });
        const std::size_t count = entries.size();
        const auto add = [&](std::string_view selection, const LinkEntry& entry) {
            ranked.push_back({one.kind + '-' + std::string(selection), one.group, one.source, one.target, entry});
        };
        LinkEntry total = entries.front();
        total.collective = nullptr;
        total.size = total.time = 0;
        for (const LinkEntry& entry : entries) {
            total.size += entry.size;
            total.time += entry.time;
        }
        total.rate = linkRate(total.size, total.time);
        add("top1", entries.front());
        add("middle", entries[count / 2]);
        add("bottom1", entries[count - 1]);
        const auto addWorst = [&](std::string_view selection, std::size_t fromEnd) {
            if (count >= fromEnd) add(selection, entries[count - fromEnd]);
            else if (writer == MatrixWriter::MindSpore) add(selection, entries.front());
        };
        if (writer == MatrixWriter::Torch) add("total", total);
        addWorst("bottom2", 2);
        addWorst("bottom3", 3);
        if (writer == MatrixWriter::MindSpore) add("total", total);
    }
    return ranked;
}

ListedCollectives::ListedCollectives(const TaskRecords& records) {
    for (const CollectiveRecord& record : records.collectives) m_list.push_back(&record);
    const auto isOfOtherDevice = [this](const CollectiveRecord* one) { return one->device != m_list.front()->device; };
    if (std::none_of(m_list.begin(), m_list.end(), isOfOtherDevice)) return;
    CollectiveList all = std::exchange(m_list, {});
    std::stable_sort(all.begin(), all.end(), [](const CollectiveRecord* a, const CollectiveRecord* b) {
        return std::to_string(a->device) > std::to_string(b->device);
    });
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> places;  // by name and group
    for (const CollectiveRecord* one : all) {
        const auto [place, isNew] = places.try_emplace({one->name, one->group}, m_list.size());
        if (isNew || m_list[place->second]->device == one->device) {
            m_list.push_back(one);
            continue;
        }
        CollectiveRecord& merged = m_merged.emplace_back(*one);
        merged.links = m_list[place->second]->links;
        merged.planes = m_list[place->second]->planes;
        merged.planes.insert(merged.planes.end(), one->planes.begin(), one->planes.end());
        std::map<std::uint32_t, std::size_t> planes;  // their order
        for (const std::uint32_t plane : merged.planes) planes.try_emplace(plane, planes.size());
        for (const CollectiveRecord::Link& link : one->links) {
            const auto known = std::find_if(merged.links.begin(), merged.links.end(), [&link](const auto& other) {
                return other.source == link.source && other.target == link.target;
            });
            if (known == merged.links.end()) {
                merged.links.push_back(link);
                continue;
            }
            addTransfers(*known, link.transfers, planes);
        }
        m_list[place->second] = &merged;
    }
}

std::vector<StepCollectives> collectivesBySteps(const DeliverableInput& input) {
    const MatrixWriter writer = input.isMindSpore() ? MatrixWriter::MindSpore : MatrixWriter::Torch;
    if (input.steps.size() > 1) return collectivesOf(input, input.steps, writer);
    const std::string_view unnumbered = writer == MatrixWriter::MindSpore ? "0" : "";
    std::vector<StepCollectives> all{
        {"step" + (input.steps.empty() ? std::string(unnumbered) : input.steps.front().number), {}, {}}};
    for (const CollectiveRecord& record : input.tasks.collectives) addTo(all.front(), record, writer);
    return all;
}

std::vector<StepCollectives> collectivesBySteps(const DeliverableInput& input, std::span<const DeviceStep> steps) {
    return collectivesOf(input, steps, MatrixWriter::Torch);
}

void JsonMembers::add(std::string_view key, std::string_view json) {
    if (!m_text.empty()) m_text += ", ";
    m_text += jsonQuoted(key);
    m_text += ": ";
    m_text += json;
}

void JsonMembers::addNumber(std::string_view key, double value) { add(key, exactText(value)); }

std::string sumText(double value, bool isTouched) { return isTouched ? exactText(value) : "0"; }

double fourDigits(double value) { return numberOf(fixedText(value, 4)); }

}  // namespace altiscope
