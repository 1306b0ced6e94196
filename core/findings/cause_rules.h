#pragma once

#include "core/analysis/support/account_facts.h"

#include <string_view>

namespace altiscope {

/// The rule whose findings claim what a run without a cause would win (Finding::isReplayed); of `slow_rank` and
/// `slow_link` one finding for each rank or link, of all others one for all causes. Empty: no rule does.
std::string_view ruleOf(const CauseFacts& cause);

}  // namespace altiscope
