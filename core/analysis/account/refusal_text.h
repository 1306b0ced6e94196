#pragma once

#include "core/analysis/support/account_facts.h"
#include "core/store/capture_store.h"

#include <string>
#include <string_view>

namespace altiscope {

/// The sentence that says why there is no what-if, by refusalCode(); empty if nothing is refused.
std::string refusalText(const JobAccount& job, const CaptureStore& capture, std::string_view language);

}  // namespace altiscope
