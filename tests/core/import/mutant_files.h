#pragma once

#include "core/store/capture_store.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>

namespace altiscope::test {

inline std::string bytesOfFile(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Rows of all tables; not flows, which are made of numbers that two rows share: another number is another connection.
/// Nor slices that are computed, or unions of others: at another time one row changes how many there are.
inline std::map<std::string, std::uint64_t> rowCounts(const CaptureStore& capture) {
    std::map<std::string, std::uint64_t> counts;
    const auto add = [&counts](const RowTables* tables) {
        for (std::size_t t = 0; tables != nullptr && t < tables->tables().size(); ++t)
            counts[std::string(rowKindName(tables->tables()[t].kind()))] += tables->tables()[t].size();
    };
    for (const RankEntry& rank : capture.ranks) {
        add(rank.rows.get());
        counts["step"] += rank.steps.size();
        if (!rank.trace) continue;
        for (const DepthRun& run : rank.trace->runs()) {
            const Track& track = rank.trace->track({run.track});
            if (track.origin == Origin::Recorded && track.process != "Overlap Analysis") counts["slice"] += run.count;
        }
        for (const CounterSeries& series : rank.trace->series()) counts["sample"] += series.count;
    }
    add(capture.rows.get());
    return counts;
}

/// What can be done to a file.
inline constexpr const char* kMutationKinds[] = {"cut", "inserted", "zeroed", "flipped", "swapped", "repeated"};

struct MutantOf {
    std::string text, how;
};

inline MutantOf mutantOf(const std::string& whole, std::mt19937& random) {
    const auto below = [&random](std::size_t limit) {
        return limit == 0 ? std::size_t{0} : static_cast<std::size_t>(random()) % limit;
    };
    const std::size_t kind = below(std::size(kMutationKinds));
    const std::size_t at = below(whole.size());
    const std::size_t length =
        std::min<std::size_t>(whole.size() - at, below(2) == 0 ? 1 + below(64) : std::size_t{512} << below(5));
    MutantOf mutant{whole,
                    std::string(kMutationKinds[kind]) + ' ' + std::to_string(length) + " at " + std::to_string(at)};
    std::string& text = mutant.text;
    switch (kind) {
    case 0: text.resize(at); break;
    case 1: {
        std::string bytes(length, '\0');
        const std::size_t what = below(3);
        for (char& c : bytes)
            c = what == 0 ? '\0' : what == 1 ? static_cast<char>('0' + below(10)) : static_cast<char>(below(256));
        text.insert(at, bytes);
        break;
    }
    case 2: std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(at), length, '\0'); break;
    case 3: {
        const std::size_t bits = 1 + below(4);
        for (std::size_t i = 0; i < bits; ++i) {
            const std::size_t place = std::min(at + below(length), text.size() - 1);
            text[place] = static_cast<char>(text[place] ^ static_cast<char>(1 << below(8)));
        }
        break;
    }
    case 4: {
        const std::size_t other = below(whole.size());
        const std::size_t size = std::min({length, whole.size() - other, at > other ? at - other : other - at});
        std::swap_ranges(text.begin() + static_cast<std::ptrdiff_t>(at),
                         text.begin() + static_cast<std::ptrdiff_t>(at + std::min(size, whole.size() - at)),
                         text.begin() + static_cast<std::ptrdiff_t>(other));
        mutant.how += " with " + std::to_string(other);
        break;
    }
    default: text.insert(at, whole.substr(at, length)); break;
    }
    return mutant;
}

/// A number from the environment, for whoever looks for more.
inline std::size_t numberFrom(const char* variable, std::size_t otherwise) {
    const char* number = std::getenv(variable);
    return number == nullptr ? otherwise : static_cast<std::size_t>(std::strtoul(number, nullptr, 10));
}

}  // namespace altiscope::test
