#include "core/generate/text/communication_numbers.h"

#include <algorithm>
#include <array>

namespace altiscope::generate {

namespace {

using LinkCalls = std::map<LinkKey, std::vector<LinkTransfer>>;

std::int64_t largeRatio(const TransportTally& sum, std::uint64_t largeBytes) {
    std::int64_t large = 0;
    std::int64_t small = 0;
    for (const auto& [bytes, packet] : sum.packets)
        (bytes > largeBytes ? large : small) += static_cast<std::int64_t>(packet.count);
    return ratioOf(large, small);
}

/// @param pick  Gives the call of a link to show, or nullptr where there are too few.
template <class Pick>
LinkSelection selection(std::string_view word, const LinkCalls& links, const Pick& pick) {
    const LinkKey& one = links.begin()->first;
    LinkSelection chosen{one.group, one.operation, word, {}};
    for (const auto& [key, calls] : links) {
        if (const LinkTransfer* call = pick(calls)) chosen.links.emplace_back(key, *call);
    }
    return chosen;
}

/// @param links  Of one operation of one group.
void addGroupSelections(LinkCalls links, Framework framework, std::vector<LinkSelection>& selections) {
    for (auto& [key, calls] : links) {
        std::stable_sort(calls.begin(), calls.end(), [](const LinkTransfer& a, const LinkTransfer& b) {
            return static_cast<double>(a.bytes) / static_cast<double>(a.ticks) >
                   static_cast<double>(b.bytes) / static_cast<double>(b.ticks);
        });
    }
    using Calls = std::vector<LinkTransfer>;
    selections.push_back(selection("top1", links, [](const Calls& calls) { return &calls.front(); }));
    selections.push_back(selection("middle", links, [](const Calls& calls) { return &calls[calls.size() / 2]; }));
    selections.push_back(selection("bottom1", links, [](const Calls& calls) { return &calls.back(); }));
    LinkTransfer total;
    selections.push_back(selection("total", links, [&total](const Calls& calls) {
        total = {};
        for (const LinkTransfer& call : calls) {
            total.bytes += call.bytes;
            total.ticks += call.ticks;
        }
        return &total;
    }));
    // MindSpore lists them even where there are fewer.
    const bool isWhole = framework == Framework::MindSpore;
    const std::size_t most = links.begin()->second.size();
    for (std::size_t back = 2; back <= 3 && (isWhole || back <= most); ++back) {
        selections.push_back(selection(back == 2 ? "bottom2" : "bottom3", links, [back, isWhole](const Calls& calls) {
            if (calls.size() < back) return isWhole ? &calls.front() : nullptr;
            return &calls[calls.size() - back];
        }));
    }
}

}  // namespace

std::int64_t bandwidthOf(std::uint64_t bytes, std::int64_t ticks) {
    if (ticks == 0) return 0;
    const double gbPerS =
        static_cast<double>(bytes) * static_cast<double>(DeviceTime::kPerNs) / static_cast<double>(ticks);
    return static_cast<std::int64_t>(gbPerS * 10'000.0 + 0.5);
}

std::int64_t ratioOf(std::int64_t part, std::int64_t rest) {
    if (part + rest == 0) return 0;
    return static_cast<std::int64_t>(static_cast<double>(part) / static_cast<double>(part + rest) * 10'000.0 + 0.5);
}

std::vector<NamedTransport> namedTransports(const CollectiveSummary& summary) {
    constexpr std::uint64_t kLarge = 32'000'000;
    constexpr std::uint64_t kLargeRdma = 500'000;
    const TransportTally& hccs = summary.transports[static_cast<std::size_t>(Transport::Hccs)];
    const TransportTally& rdma = summary.transports[static_cast<std::size_t>(Transport::Rdma)];
    // The copy engine did what HCCS moved; its packets are not listed a second time.
    return {{"RDMA", rdma, largeRatio(rdma, kLargeRdma)},
            {"HCCS", hccs, largeRatio(hccs, kLarge)},
            {"PCIE", {}, 0},
            {"SDMA", {hccs.bytes, hccs.ticks, {}}, 0},
            {"SIO", {}, 0}};
}

std::string_view linkTransport(Transport transport) {
    static constexpr std::array<std::string_view, 3> kTransports{"LOCAL", "HCCS", "RDMA"};
    return kTransports[static_cast<std::size_t>(transport)];
}

std::vector<LinkSelection> linkSelections(const StepCommunication& communication, Framework framework) {
    std::vector<LinkSelection> selections;
    LinkCalls links;
    for (auto link = communication.links.begin(); link != communication.links.end();) {
        const LinkKey first = link->first;
        const auto belongs = [&first](const LinkKey& key) {
            return key.group == first.group && key.operation == first.operation;
        };
        links.clear();
        for (; link != communication.links.end() && belongs(link->first); ++link) links.insert(*link);
        addGroupSelections(links, framework, selections);
    }
    return selections;
}

}  // namespace altiscope::generate
