#include "core/analysis/communication/collective_volume.h"

#include "core/base/text/ascii.h"

#include <limits>
#include <string>
#include <utility>

namespace altiscope {

namespace {

/// Bytes of an element; 0: not known. The names are those of HcclDataType.
std::int64_t elementBytes(std::string_view type) {
    static constexpr std::pair<std::string_view, std::int64_t> kTypes[] = {
        {"INT8", 1},  {"UINT8", 1},  {"HIF8", 1},   {"FP8E4M3", 1}, {"FP8E5M2", 1}, {"FP8E8M0", 1},
        {"INT16", 2}, {"UINT16", 2}, {"FP16", 2},   {"BFP16", 2},   {"INT32", 4},   {"UINT32", 4},
        {"FP32", 4},  {"INT64", 8},  {"UINT64", 8}, {"FP64", 8},    {"INT128", 16}};
    for (const auto& [name, bytes] : kTypes) {
        if (name == type) return bytes;
    }
    return 0;
}

/// How an operation's bytes follow from its count.
struct VolumeRule {
    std::string_view word;
    bool isPerRank = false;  ///< The count is that of one of the group's ranks.
    enum class Bus : std::uint8_t { Once, Others, Twice } bus = Bus::Once;
};

/// Longer words before those that they hold.
constexpr VolumeRule kVolumeRules[] = {{"reducescatter", true, VolumeRule::Bus::Others},
                                       {"allgather", true, VolumeRule::Bus::Others},
                                       {"allreduce", false, VolumeRule::Bus::Twice},
                                       {"alltoall", true, VolumeRule::Bus::Others},
                                       {"broadcast", false, VolumeRule::Bus::Once},
                                       {"scatter", true, VolumeRule::Bus::Others},
                                       {"reduce", false, VolumeRule::Bus::Once},
                                       {"receive", false, VolumeRule::Bus::Once},
                                       {"send", false, VolumeRule::Bus::Once}};

}  // namespace

std::optional<CollectiveVolume> collectiveVolume(std::string_view name, std::int64_t count, std::string_view dataType,
                                                 std::size_t ranks) {
    const std::int64_t element = elementBytes(dataType);
    if (element == 0 || count <= 0 || ranks < 2) return std::nullopt;
    const std::string lower = asciiLower(name.substr(0, name.find("__")));
    // Their volumes differ from peer to peer.
    for (const std::string_view word : {"alltoallv", "allgatherv", "reducescatterv", "batchsendrecv"}) {
        if (lower.find(word) != std::string::npos) return std::nullopt;
    }
    for (const VolumeRule& operation : kVolumeRules) {
        if (lower.find(operation.word) == std::string::npos) continue;
        const auto peers = static_cast<std::int64_t>(ranks);
        const std::int64_t factor = element * (operation.isPerRank ? peers : 1);
        if (count > std::numeric_limits<std::int64_t>::max() / factor) return std::nullopt;
        const double others = static_cast<double>(ranks - 1) / static_cast<double>(ranks);
        return CollectiveVolume{count * factor, operation.bus == VolumeRule::Bus::Once     ? 1
                                                : operation.bus == VolumeRule::Bus::Others ? others
                                                                                           : 2 * others};
    }
    return std::nullopt;
}

}  // namespace altiscope
