#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace altiscope {

/// A colour that a trace event can request by its "cname".
struct NamedColour {
    std::string_view name;
    std::uint32_t rgb;  ///< 0xrrggbb
};

/// The fixed names of trace event viewers with the colours that they draw them in.
/// @note Source: the colour scheme of Catapult's trace viewer; the misspelt name is theirs.
inline constexpr auto kNamedColours = std::to_array<NamedColour>({
    {"thread_state_uninterruptible", 0xb67d8f},
    {"thread_state_iowait", 0xff8c00},
    {"thread_state_running", 0x7ec894},
    {"thread_state_runnable", 0x85a0d2},
    {"thread_state_sleeping", 0xf0f0f0},
    {"thread_state_unknown", 0xc79b7d},
    {"background_memory_dump", 0x00b4b4},
    {"light_memory_dump", 0x0000b4},
    {"detailed_memory_dump", 0xb400b4},
    {"vsync_highlight_color", 0x0000ff},
    {"generic_work", 0x7d7d7d},
    {"good", 0x007d00},
    {"bad", 0xb47d00},
    {"terrible", 0xb40000},
    {"black", 0x000000},
    {"grey", 0xdddddd},
    {"white", 0xffffff},
    {"yellow", 0xffff00},
    {"olive", 0x646400},
    {"rail_response", 0x4387fd},
    {"rail_animation", 0xf44a3f},
    {"rail_idle", 0xee8e00},
    {"rail_load", 0x0da861},
    {"startup", 0xe6e600},
    {"heap_dump_stack_frame", 0x808080},
    {"heap_dump_object_type", 0x0000ff},
    {"heap_dump_child_node_arrow", 0xcc6600},
    {"cq_build_running", 0xffff77},
    {"cq_build_passed", 0x99ee66},
    {"cq_build_failed", 0xee8888},
    {"cq_build_abandoned", 0xbbbbbb},
    {"cq_build_attempt_runnig", 0xdede4b},
    {"cq_build_attempt_passed", 0x67da23},
    {"cq_build_attempt_failed", 0xc55151},
});

/// Place of a name among the colours; nullopt for others. O(colours).
constexpr std::optional<std::size_t> namedColour(std::string_view name) {
    for (std::size_t i = 0; i < kNamedColours.size(); ++i) {
        if (kNamedColours[i].name == name) return i;
    }
    return std::nullopt;
}

}  // namespace altiscope
