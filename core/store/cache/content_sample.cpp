#include "core/store/cache/content_sample.h"

#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace altiscope {

Result<std::uint64_t> sampleContent(const ReadOnlyFile& file) {
    static constexpr std::uint64_t kEdgeBytes = kWholeSampleBytes / 2;
    static constexpr std::uint64_t kBlock = 4 << 10;
    static constexpr std::uint64_t kBlocks = 16;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> parts{{0, kEdgeBytes}};
    if (file.size() > kEdgeBytes) parts.emplace_back(file.size() - kEdgeBytes, kEdgeBytes);
    if (file.size() > kWholeSampleBytes) {
        for (std::uint64_t b = 1; b <= kBlocks; ++b) parts.emplace_back(file.size() / (kBlocks + 1) * b, kBlock);
    }
    std::vector<char> buffer(static_cast<std::size_t>(std::min(kEdgeBytes, file.size() + 1)));
    XXH64_hash_t hash = 0;
    for (const auto& [offset, length] : parts) {
        const auto got = file.read(offset, std::span(buffer).first(std::min<std::size_t>(length, buffer.size())));
        if (!got.ok()) return got.as<std::uint64_t>();
        hash = XXH3_64bits_withSeed(buffer.data(), got.value(), hash);
    }
    return std::uint64_t{hash};
}

}  // namespace altiscope
