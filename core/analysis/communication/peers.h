#pragma once

#include "core/store/capture_store.h"

#include <cstdint>
#include <vector>

namespace altiscope {

/// Which ranks are peers, by index: those of one recording that something ties together, that is one framework and
/// times that overlap, or a communication group whose members files state. A rank without a timeline is taken for a
/// peer of the first one of its recording and framework. O((ranks + members) * log).
std::vector<std::uint32_t> peersOf(const CaptureStore& capture);

}  // namespace altiscope
