#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace altiscope::reader {

// Meanings of the words of recorded communication, in whatever file. Source:
// core/import/communication/FORMAT.md sections 1 and 3, core/import/database/FORMAT.md section 4.

/// The number of a step, "50" or "step50"; nullopt where no schedule was used ("step", "").
std::optional<std::int64_t> recordedStep(std::string_view word);
/// "p2p" or "collective", by an operator's name.
std::string_view operatorKind(std::string_view op);

/// "op@group", as files name a collective.
struct OperatorKey {
    std::string_view op;
    std::optional<std::string_view> group;
};
OperatorKey operatorKey(std::string_view key);

/// A key of a matrix without its group, "allreduce-top1": which calls its links stand for, and of what.
struct LinkKeyParts {
    std::string_view op;
    std::string_view selection;  ///< "single" where the key names none; constant text.
};
LinkKeyParts linkKeyParts(std::string_view key);

}  // namespace altiscope::reader
