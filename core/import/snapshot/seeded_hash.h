#pragma once

#include <cstdint>
#include <random>

namespace altiscope::reader {

/// A hash of a number that comes from a file, with a seed of this process: no file can be made whose numbers meet
/// at one place of a table. Only places may depend on it, never what is read. Source of the mixing: the finalizer of
/// splitmix64. Any thread.
inline std::uint64_t seededHash(std::uint64_t number) {
    static const std::uint64_t seed = [] {
        std::random_device device;
        return std::uint64_t{device()} << 32 | device();
    }();
    std::uint64_t mixed = (number ^ seed) + 0x9E3779B97F4A7C15ULL;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
    return mixed ^ (mixed >> 31);
}

}  // namespace altiscope::reader
