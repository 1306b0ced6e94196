#include "core/import/communication/communication_names.h"

#include "core/base/text/ascii.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <array>

namespace altiscope::reader {

std::optional<std::int64_t> recordedStep(std::string_view word) {
    static constexpr std::string_view kWord = "step";
    if (word.starts_with(kWord)) word.remove_prefix(kWord.size());
    return wholeNumber(word);
}

std::string_view operatorKind(std::string_view op) {
    for (const std::string_view word : {"hcom_send", "hcom_receive", "hcom_batchsendrecv"}) {
        if (startsWithIgnoringCase(op, word)) return "p2p";
    }
    return "collective";
}

OperatorKey operatorKey(std::string_view key) {
    const std::size_t sign = key.rfind('@');
    if (sign == std::string_view::npos) return {key, {}};
    return {key.substr(0, sign), key.substr(sign + 1)};
}

LinkKeyParts linkKeyParts(std::string_view key) {
    static constexpr std::array<std::string_view, 6> kWords{"total", "top1", "middle", "bottom1", "bottom2", "bottom3"};
    const std::size_t dash = key.rfind('-');
    if (dash == std::string_view::npos) return {key, "single"};
    const auto word = std::find(kWords.begin(), kWords.end(), key.substr(dash + 1));
    return word == kWords.end() ? LinkKeyParts{key, "single"} : LinkKeyParts{key.substr(0, dash), *word};
}

}  // namespace altiscope::reader
