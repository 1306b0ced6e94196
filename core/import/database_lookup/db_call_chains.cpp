#include "core/import/database_lookup/db_call_chains.h"

#include <algorithm>
#include <string_view>
#include <tuple>
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

namespace {

bool areWhole(std::vector<DbFrame> frames) {
    const auto byDepth = [](const DbFrame& a, const DbFrame& b) { return a.depth < b.depth; };
    if (!std::is_sorted(frames.begin(), frames.end(), byDepth)) std::sort(frames.begin(), frames.end(), byDepth);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (frames[i].depth != static_cast<std::int64_t>(i)) return false;
    }
    return true;
}

}  // namespace

void DbChainPart::end() {
    if (m_frames.empty()) return;
    const auto known = m_numbers.try_emplace(m_frames, static_cast<std::uint32_t>(m_numbers.size())).first;
    if (!areWhole(m_frames)) m_odd.push_back({m_chain, m_row});
    m_chains.push_back({m_chain, known->second});
    m_frames.clear();
}

DbCallChains::DbCallChains(std::vector<DbChainPart> parts) {
    std::vector<IdGroups<std::uint32_t>::Row> chains;
    std::vector<DbChainPart::Row> odd;
    for (DbChainPart& part : parts) {
        part.end();
        const auto before = static_cast<std::uint32_t>(m_runs.size());
        m_runs.resize(m_runs.size() + part.m_numbers.size());
        while (!part.m_numbers.empty()) {
            auto run = part.m_numbers.extract(part.m_numbers.begin());
            m_runs[before + run.mapped()] = std::move(run.key());
        }
        odd.insert(odd.end(), part.m_odd.begin(), part.m_odd.end());
        for (const auto& chain : part.m_chains) chains.push_back({chain.id, chain.value + before});
        part = {};
    }
    const auto isAfter = [](const auto& a, const auto& b) { return a.id >= b.id; };
    if (std::adjacent_find(chains.begin(), chains.end(), isAfter) != chains.end()) {
        // Chains of several runs, of which one may be there twice.
        std::vector<std::int64_t> ids;
        for (const auto& chain : chains) ids.push_back(chain.id);
        std::sort(ids.begin(), ids.end());
        for (auto at = ids.begin(); (at = std::adjacent_find(at, ids.end())) != ids.end(); ++at)
            odd.push_back({*at, -1});
    }
    m_chains = IdGroups<std::uint32_t>(std::move(chains));
    // A chain that the border of two parts has cut is whole, if its runs together are.
    // Each chain is looked at once, however many runs it has; of its rows the first that is known stands for it.
    std::sort(odd.begin(), odd.end(), [](const DbChainPart::Row& a, const DbChainPart::Row& b) {
        return std::tuple(a.chain, a.row < 0, a.row) < std::tuple(b.chain, b.row < 0, b.row);
    });
    odd.erase(std::unique(odd.begin(), odd.end(), [](const auto& a, const auto& b) { return a.chain == b.chain; }),
              odd.end());
    for (const auto& [chain, row] : odd) {
        std::vector<DbFrame> frames;
        for (const std::uint32_t run : runs(chain)) frames.insert(frames.end(), m_runs[run].begin(), m_runs[run].end());
        if (!areWhole(std::move(frames))) m_brokenRows.push_back(row);
    }
    std::sort(m_brokenRows.begin(), m_brokenRows.end(),
              [](std::int64_t a, std::int64_t b) { return std::pair(a < 0, a) < std::pair(b < 0, b); });
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
