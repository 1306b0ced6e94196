#pragma once

#include "core/generate/records/unit_record.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace altiscope::generate {

/// In which a model is trained.
enum class Framework : std::uint8_t { Torch, MindSpore };

enum class AllocatorComponent : std::uint8_t { Framework, GraphEngine, Both };

/// `Component` of memory files: PTA, GE, PTA+GE; MindSpore's are MindSpore, GE, MindSpore+GE.
std::string_view componentName(AllocatorComponent component, Framework framework);

/// What memory files say of an allocator at one of its events, in blocks of kBlockBytes.
struct AllocatorState {
    TimeNs time;
    AllocatorComponent component = AllocatorComponent::Framework;
    std::uint64_t allocated = 0;
    std::uint64_t reserved = 0;
    std::uint64_t active = 0;   ///< 0 for the graph engine, which does not know it.
    bool secondStream = false;  ///< Of the framework's last event.
};

/// The unit's events by time: for each the state of its allocator and of both together.
std::vector<AllocatorState> allocatorStates(const Run& run, const UnitRecord& record);

/// Identifies a stream in memory files; an opaque number.
constexpr std::uint64_t streamPointer(bool second) { return second ? 904'703'504 : 897'357'296; }

}  // namespace altiscope::generate
