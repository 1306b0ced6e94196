#include "core/import/database/db_call_chains.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace altiscope::reader {

std::size_t DbChainPart::Hash::operator()(const std::vector<DbFrame>& frames) const {
    std::uint64_t hash = frames.size();
    for (const DbFrame& frame : frames) {
        hash = (hash ^ static_cast<std::uint64_t>(frame.text)) * 0x9E3779B97F4A7C15ULL +
               static_cast<std::uint64_t>(frame.depth);
        hash ^= hash >> 29;
    }
    return static_cast<std::size_t>(hash);
}

void DbChainPart::end() {
    if (m_frames.empty()) return;
    const auto known = m_numbers.try_emplace(m_frames, static_cast<std::uint32_t>(m_numbers.size())).first;
    m_chains.push_back({m_chain, known->second});
    m_frames.clear();
}

DbCallChains::DbCallChains(std::vector<DbChainPart> parts) {
    std::vector<IdGroups<std::uint32_t>::Row> chains;
    for (DbChainPart& part : parts) {
        part.end();
        const auto before = static_cast<std::uint32_t>(m_runs.size());
        m_runs.resize(m_runs.size() + part.m_numbers.size());
        while (!part.m_numbers.empty()) {
            auto run = part.m_numbers.extract(part.m_numbers.begin());
            m_runs[before + run.mapped()] = std::move(run.key());
        }
        for (const auto& chain : part.m_chains) chains.push_back({chain.id, chain.value + before});
        part = {};
    }
    m_chains = IdGroups<std::uint32_t>(std::move(chains));
}

std::vector<std::string_view> DbCallChains::frames(std::span<const std::uint32_t> runs, const DbTexts& texts) const {
    std::vector<DbFrame> frames;
    for (const std::uint32_t run : runs) frames.insert(frames.end(), m_runs[run].begin(), m_runs[run].end());
    std::stable_sort(frames.begin(), frames.end(),
                     [](const DbFrame& a, const DbFrame& b) { return a.depth < b.depth; });
    std::vector<std::string_view> lines;
    lines.reserve(frames.size());
    for (const DbFrame& frame : frames) lines.push_back(texts.text(frame.text));
    return lines;
}

std::string DbCallChains::text(std::span<const std::uint32_t> runs, const DbTexts& texts) const {
    // Few rows of a small file could name the longest of its texts a million times.
    static constexpr std::size_t kMaxStack = std::size_t{1} << 20;
    std::string stack;
    for (const std::string_view frame : frames(runs, texts)) {
        if (!stack.empty()) stack += ";\n";
        if (stack.size() > kMaxStack) return stack += "…";
        stack += frame;
    }
    return stack;
}

}  // namespace altiscope::reader
