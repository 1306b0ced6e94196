#include "core/trace/collective_names.h"

#include "core/base/text/ascii.h"

#include <algorithm>
#include <iterator>

namespace altiscope {

std::string collectiveType(std::string_view name) {
    // "reduce" takes what is a reduceScatter, as it stands before it.
    static constexpr std::string_view kWords[] = {"send",      "reduce",     "invalid",       "broadcast", "allreduce",
                                                  "receive",   "allgather",  "reducescatter", "scatter",   "alltoall",
                                                  "alltoallv", "alltoallvc", "batchsendrecv"};
    const std::string_view type = firstWord(asciiLower(name), kWords);
    return std::string(type.empty() ? name.substr(0, name.find("__")) : type);
}

std::string_view firstWord(std::string_view text, std::span<const std::string_view> words) {
    std::size_t best = std::string_view::npos;
    std::string_view first;
    for (const std::string_view word : words) {
        const std::size_t at = text.find(word);
        if (at >= best) continue;
        best = at;
        first = word;
    }
    return first;
}

namespace {

/// "hcom_receive" of "hcom_receive__586_0_1", "receive-op663" of MindSpore's "stream_48_0_Receive-op663"; lower case.
std::string bareName(std::string_view name) {
    std::string lower = asciiLower(name);
    static constexpr std::string_view kStream = "stream_";
    if (!lower.starts_with(kStream)) return lower;
    const std::size_t first = lower.find('_', kStream.size()),
                      second = first == std::string::npos ? first : lower.find('_', first + 1);
    return second == std::string::npos ? lower : lower.substr(second + 1);
}

}  // namespace

bool isReceiveName(std::string_view name) {
    const std::string bare = bareName(name);
    return bare.starts_with("hcom_receive") || bare.starts_with("receive-op");
}

bool isPeerToPeerName(std::string_view name) {
    static constexpr std::string_view kWords[] = {"hcom_send", "hcom_batchsendrecv", "send-op"};
    const std::string bare = bareName(name);
    return isReceiveName(name) || std::any_of(std::begin(kWords), std::end(kWords),
                                              [&bare](std::string_view word) { return bare.starts_with(word); });
}

std::string_view groupDigits(std::string_view name) {
    const std::size_t at = name.find("__"), end = at == std::string_view::npos ? at : name.find('_', at + 2);
    return end == std::string_view::npos ? std::string_view() : name.substr(at, end - at);
}

}  // namespace altiscope
