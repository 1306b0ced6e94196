#include "core/trace/collective_kind.h"

#include <algorithm>

namespace altiscope {

std::string matrixKind(std::string_view name) {
    static constexpr std::string_view kWords[] = {"send",      "reduce",     "invalid",       "broadcast", "allreduce",
                                                  "receive",   "allgather",  "reducescatter", "scatter",   "alltoall",
                                                  "alltoallv", "alltoallvc", "batchsendrecv"};
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    std::size_t best = std::string::npos;
    std::string_view kind;
    for (const std::string_view word : kWords) {
        const std::size_t at = lower.find(word);
        if (at >= best) continue;
        best = at;
        kind = word;
    }
    return best == std::string::npos ? lower.substr(0, lower.find("__")) : std::string(kind);
}

}  // namespace altiscope
