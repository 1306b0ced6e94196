#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace altiscope::generate {

/// One key made of several numbers; different lists give unrelated keys. Pure function.
std::uint64_t mixedKey(std::initializer_list<std::uint64_t> parts);

/// Stream of pseudo-random numbers (splitmix64) from a key. Integer arithmetic only, so the numbers are the same on
/// every machine and with every compiler; the standard library's distributions promise no such thing. Not for
/// cryptography.
class Noise {
public:
    explicit Noise(std::uint64_t key) : m_state(key) {}

    std::uint64_t next() {
        m_state += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }

    /// Uniform in [0, bound). @param bound  At least 1.
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(((next() >> 32) * std::uint64_t{bound}) >> 32);
    }

    /// A kernel's duration around its typical one: log-normal, sigma 3 %.
    std::int64_t kernelTime(std::int64_t typical);

    /// A host activity's duration around its typical one: normal, sigma 10 %, cut to [0.6, 1.4] of it. Drawn for every
    /// action of the host, so it is here for the compiler to see.
    std::int64_t hostTime(std::int64_t typical) {
        const std::int64_t factor = std::clamp<std::int64_t>(65536 + normal() / 10, 39322, 91750);
        return typical * factor / 65536;
    }

private:
    /// About normal (sum of four uniforms), in units of 1/65536 sigma.
    std::int64_t normal() {
        const std::uint64_t bits = next();
        const auto sum = static_cast<std::int64_t>((bits & 0xFFFF) + ((bits >> 16) & 0xFFFF) + ((bits >> 32) & 0xFFFF) +
                                                   (bits >> 48));
        // The sum of four uniforms over 0..65535 has the mean 131070 and the deviation 37837.
        return (sum - 131070) * 65536 / 37837;
    }

    std::uint64_t m_state;
};

}  // namespace altiscope::generate
