#pragma once

#include "core/store/capture_store.h"

#include <cstdint>
#include <string>
#include <vector>

namespace altiscope {

/// A folder may hold several recordings of the same ranks: roles of a job with its own numbers each, repeated windows.
/// Their ranks are no peers, and no mean is over several of them.
struct Recordings {
    std::vector<std::uint32_t> ofRank;  ///< By index of the rank; all 0 where no number repeats.
    /// What the first folder that differs is called, "rollout_generate"; else "recording 1". Empty where there is one.
    std::vector<std::string> names;

    bool areSeveral() const { return names.size() > 1; }
};

/// Ranks of one number are of different recordings. They are told apart by the outermost folder that differs between
/// any two ranks of one number, where ranks below the same such folder have different numbers; else ranks of a number
/// are counted, in order of their paths. Ranks without a number are of the first recording, or of that of their folder.
/// O(ranks * log).
Recordings recordingsOf(const CaptureStore& capture);

/// "rollout_generate, actor_update"
std::string recordingNames(const Recordings& recordings);

}  // namespace altiscope
