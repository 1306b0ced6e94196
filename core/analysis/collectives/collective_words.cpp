#include "core/analysis/collectives/collective_words.h"

#include <algorithm>
#include <array>

namespace altiscope {

std::string collectiveType(std::string_view opName) {
    // The leftmost match counts, and of those that begin there the first of this list: so "reduce" takes what is a
    // reduceScatter.
    static constexpr std::array<std::string_view, 13> kTypes = {
        "send",          "reduce",  "invalid",  "broadcast", "allreduce",  "receive",      "allgather",
        "reducescatter", "scatter", "alltoall", "alltoallv", "alltoallvc", "batchsendrecv"};
    std::string lower(opName);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    for (std::size_t at = 0; at < lower.size(); ++at) {
        for (const std::string_view type : kTypes) {
            if (std::string_view(lower).substr(at).starts_with(type)) return std::string(type);
        }
    }
    return lower.substr(0, lower.find("__"));
}

std::string_view groupDigits(std::string_view opName) {
    const std::size_t at = opName.find("__"), end = at == std::string_view::npos ? at : opName.find('_', at + 2);
    return end == std::string_view::npos ? std::string_view() : opName.substr(at, end - at);
}

}  // namespace altiscope
